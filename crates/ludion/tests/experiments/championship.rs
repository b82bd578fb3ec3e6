//! Conclusions of championships, tested with simulated players of known strengths: the optimum must
//! lie in its interval as often as promised.

use ludion::arena::championship::curve::ScoreCurve;
use ludion::arena::championship::entrants::Entrants;
use ludion::arena::championship::grid::ScoreGrid;
use ludion::arena::elo::{GameCounts, expected_score};
use ludion::random::Rng;

/// Simulates a round robin with `meetings` games per meeting, of which a share `draws` is drawn.
fn championship(strengths: &[f64], meetings: u32, draws: f64, seed: u64) -> Vec<GameCounts> {
    let mut rng = Rng::new(seed);
    let mut games = vec![GameCounts::default(); strengths.len()];
    for i in 0..strengths.len() {
        for j in i + 1..strengths.len() {
            let expected = expected_score(strengths[i] - strengths[j]);
            for _ in 0..meetings {
                if rng.unit() < draws {
                    games[i].draws += 1;
                    games[j].draws += 1;
                    continue;
                }
                let (winner, loser) = if rng.unit() < expected { (i, j) } else { (j, i) };
                games[winner].wins += 1;
                games[loser].losses += 1;
            }
        }
    }
    games
}

fn field(text: &str) -> Vec<f64> {
    Entrants::read(text).unwrap().axes[0].numbers()
}

/// A championship whose strengths are known.
struct Truth<'a> {
    text: &'static str,
    strength: &'a dyn Fn(f64) -> f64,
    best: f64,
    meetings: u32,
}

/// Returns the share of `seeds` championships in which the interval contains the true optimum, the
/// share in which it is resolved, and the mean width of the interval as a share of the range.
fn coverage(truth: &Truth<'_>, seeds: u64) -> (f64, f64, f64) {
    let values = field(truth.text);
    let strengths: Vec<f64> = values.iter().map(|x| (truth.strength)(*x)).collect();
    let (mut held, mut resolved, mut width) = (0, 0, 0.0);
    for seed in 0..seeds {
        let curve =
            ScoreCurve::fit(&values, &championship(&strengths, truth.meetings, 0.1, seed), seed);
        let best = curve.optimum.unwrap();
        held += u32::from((best.low..=best.high).contains(&truth.best));
        resolved += u32::from(curve.optimum_is_resolved());
        width += (best.high - best.low) / (values[values.len() - 1] - values[0]);
    }
    let share = |count: u32| f64::from(count) / seeds as f64;
    (share(held), share(resolved), width / seeds as f64)
}

#[test]
fn the_optimum_lies_in_its_interval_as_often_as_promised() {
    check_coverage(15);
}

#[test]
#[ignore = "takes ten seconds; ./test --all runs it"]
fn the_optimum_lies_in_its_interval_as_often_as_promised_in_many_championships() {
    check_coverage(40);
}

/// Checks how often the optimum lies in its interval, over this many championships of each kind.
fn check_coverage(seeds: u64) {
    let linear = |x: f64| -0.6 * (x - 12.0).powi(2);
    let logarithmic = |x: f64| -60.0 * (x / 7.0).ln().powi(2);
    let lopsided = |x: f64| if x < 15.0 { -1.2 * (x - 15.0).powi(2) } else { -4.0 * (x - 15.0) };
    let cases = [
        Truth { text: "p(a=1..30)", strength: &linear, best: 12.0, meetings: 8 },
        Truth { text: "p(a=1..50)", strength: &logarithmic, best: 7.0, meetings: 8 },
        Truth { text: "p(a=1..256*2)", strength: &logarithmic, best: 7.0, meetings: 60 },
        Truth { text: "p(a=1..40)", strength: &lopsided, best: 15.0, meetings: 8 },
    ];
    for truth in cases {
        let name = truth.text;
        let (held, resolved, width) = coverage(&truth, seeds);
        assert!(held >= 0.85, "{name}: {held} held the truth, width {width}");
        assert!(resolved >= 0.95 && width < 0.4, "{name}: resolved {resolved}, width {width}");
    }
}

#[test]
fn equal_players_are_not_distinguished() {
    for (text, meetings, draws) in [("p(a=1..50)", 2, 0.0), ("p(a=1..10)", 20, 0.4)] {
        let values = field(text);
        let seeds = 200;
        let resolved = (0..seeds)
            .filter(|&seed| {
                let games = championship(&vec![0.0; values.len()], meetings, draws, seed);
                ScoreGrid::new(&games, values.len()).homogeneity.is_resolved()
            })
            .count();
        // Ten expected, three deviations either way.
        assert!((1..=19).contains(&resolved), "{text}: {resolved} of {seeds} resolved");
    }
}

#[test]
fn the_conclusion_says_what_is_resolved() {
    let values = field("p(a=1..50)");
    let strengths = |scale: f64| -> Vec<f64> {
        values.iter().map(|x| -scale * (x / 7.0).ln().powi(2)).collect()
    };
    let words = |strengths: &[f64], meetings| {
        ScoreCurve::fit(&values, &championship(strengths, meetings, 0.0, 3), 1).in_words("a")
    };
    let flat = words(&strengths(0.0), 4);
    assert!(
        flat.starts_with("no value of a is better than another as far as 4,900 games tell (p = 0."),
        "{flat}"
    );
    let sharp = words(&strengths(60.0), 16);
    assert!(sharp.starts_with("best near a = ") && sharp.contains("beyond"), "{sharp}");
    let rising: Vec<f64> = values.iter().map(|x| 5.0 * x).collect();
    let rising = words(&rising, 4);
    assert!(rising.starts_with("best at the upper end of the range, a = 50"), "{rising}");
}

#[test]
fn the_same_seed_gives_the_same_curve() {
    let values = field("p(a=1..9)");
    let games = championship(&[0.0, 10.0, 30.0, 40.0, 50.0, 45.0, 30.0, 20.0, 0.0], 20, 0.2, 5);
    assert_eq!(ScoreCurve::fit(&values, &games, 7), ScoreCurve::fit(&values, &games, 7));
}

#[test]
fn few_values_only_draws_and_no_games_have_conclusions() {
    let two = ScoreCurve::fit(&[1.0, 2.0], &championship(&[0.0, 300.0], 200, 0.0, 1), 1);
    assert!(
        two.in_words("a").starts_with("best at the upper end of the range, a = 2"),
        "{}",
        two.in_words("a")
    );
    let drawn = GameCounts { draws: 20, ..GameCounts::default() };
    let drawn = ScoreCurve::fit(&[1.0, 2.0, 3.0], &[drawn; 3], 1);
    assert_eq!(
        drawn.in_words("a"),
        "no value of a is better than another as far as 30 games tell (p = 1.00)"
    );
    assert!(drawn.smooth.iter().all(|point| (point.score.value - 0.5).abs() < 1e-6));
    let empty = ScoreCurve::fit(&[1.0, 2.0, 3.0], &[GameCounts::default(); 3], 1);
    assert_eq!(empty.in_words("a"), "nothing is known of a: no games were played");
    assert!(empty.smooth.is_empty() && empty.optimum.is_none());
    let lopsided = [
        GameCounts { wins: 5, ..GameCounts::default() },
        GameCounts { losses: 5, ..GameCounts::default() },
        GameCounts::default(),
    ];
    let curve = ScoreCurve::fit(&[1.0, 2.0, 3.0], &lopsided, 1);
    assert!(curve.smooth.iter().all(|point| point.score.low <= point.score.high));
    assert!(ScoreCurve::fit(&[], &[], 1).optimum.is_none());
    assert!(ScoreCurve::fit(&[4.0], &[GameCounts::default()], 1).optimum.is_none());
}

#[test]
fn grids_and_words_name_their_best_player() {
    let axes = Entrants::read("mcts(a=1|5|20, c=0.5|2)").unwrap().axes;
    let grid = ScoreGrid::new(&championship(&[0.0, 20.0, 50.0, 250.0, 40.0, 60.0], 100, 0.1, 1), 2);
    let words = grid.in_words(&axes);
    assert!(words.starts_with("a = 5, c = 2 scored best, "), "{words}");
    assert!(words.ends_with("all others are worse"), "{words}");
    let axes = Entrants::read("mcts(select=puct|phi|ucb1)").unwrap().axes;
    let grid = ScoreGrid::new(&championship(&[200.0, 200.0, 0.0], 200, 0.1, 1), 3);
    let words = grid.in_words(&axes);
    assert!(words.ends_with("one other is not worse as far as the games tell"), "{words}");
    let grid = ScoreGrid::new(&championship(&[0.0; 3], 10, 0.0, 2), 3);
    assert!(grid.in_words(&axes).starts_with("no value of select is better"), "{grid:?}");
}

#[test]
fn the_known_curve_of_connect_four_is_found() {
    // Scores of 100 games each, measured once with 2,000 simulations per move.
    let values = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    let games =
        [35, 56, 67, 64, 52, 26].map(|wins| GameCounts { wins, losses: 100 - wins, draws: 0 });
    let curve = ScoreCurve::fit(&values, &games, 1);
    let best = curve.optimum.unwrap();
    assert!(curve.logarithmic && curve.optimum_is_resolved(), "{curve:?}");
    assert!((4.0..11.0).contains(&best.x) && best.low > 2.0 && best.high < 20.0, "{best:?}");
}
