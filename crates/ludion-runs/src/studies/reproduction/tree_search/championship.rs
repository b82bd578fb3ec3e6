//! Sections 3 and 4.1: the championships over a, with the figures of the report, and what their
//! number of games can resolve.

use ludion_players::arena::championship::curve::ScoreCurve;
use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::{GameSettings, PairId};
use ludion_players::player::Budget;
use ludion_players::random::Rng;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};

use super::formula::sequential;
use crate::RunPicture;
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::MatchSpec;
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict, Z95};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};

/// Results of the players of a championship, counted for each.
type PlayerResults = Vec<GameCounts>;

/// Number of jobs of a championship; each plays every so many-th meeting.
const JOBS: u64 = 20;

/// Plays this job's meetings of a round robin, `rounds` pairs of games each.
fn play(
    context: &JobContext<'_>,
    players: &[String],
    rounds: u64,
) -> Result<PlayerResults, JobFailure> {
    let game = context.game("connect4")?;
    let mut referee = game.referee(players)?;
    let (budget, seed) = (Budget::UNLIMITED, context.item_seed);
    let settings = GameSettings { budget, opening: 0, longest: 100, seed };
    let count = players.len() as u32;
    let meetings = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    let mut results = vec![GameCounts::default(); players.len()];
    for (_, [a, b]) in (0..).zip(meetings).filter(|(i, _): &(u64, _)| i % JOBS == context.number) {
        for number in 0..rounds {
            let pair = PairId { players: [a, b], number };
            let played = referee.play_pair_or_stop(&settings, pair, false, context.stop);
            for result in played.ok_or(JobFailure::Stopped)? {
                for player in [a, b] {
                    let counts = &mut results[player as usize];
                    match result.score(player) {
                        score if score > 0.75 => counts.wins += 1,
                        score if score < 0.25 => counts.losses += 1,
                        _ => counts.draws += 1,
                    }
                }
            }
        }
    }
    Ok(results)
}

/// Sums the results of all jobs for each player.
fn sum(found: &[PlayerResults]) -> PlayerResults {
    let players = found.first().map_or(0, Vec::len);
    let total = |i: usize| {
        found.iter().filter_map(|one| one.get(i)).fold(GameCounts::default(), |sum, one| {
            GameCounts {
                wins: sum.wins + one.wins,
                losses: sum.losses + one.losses,
                draws: sum.draws + one.draws,
            }
        })
    };
    (0..players).map(total).collect()
}

/// What a championship of the report claims, and how it is drawn.
struct ClaimedOptimum<'a> {
    title: &'a str,
    /// The claimed best value of a, and its published wins, if known.
    a: f64,
    wins: Option<f64>,
    /// Number of games of a player as published.
    published_games: f64,
    reason: &'a str,
}

fn judge(
    context: &JudgeContext<'_>,
    values: &[f64],
    found: &[PlayerResults],
    claim: &ClaimedOptimum<'_>,
) -> Finding {
    let results = sum(found);
    let curve = ScoreCurve::fit(values, &results, context.seed);
    let verdict = optimum_verdict(&curve, claim.a);
    let reason = format!("Here: {}. {}", curve.in_words("a"), claim.reason);
    Finding::new(verdict, reason)
        .comparing(compare_players(values, &results, claim, verdict))
        .figure(claim.title, RunPicture::Chart(wins_chart(values, &results, claim)))
}

/// Draws the wins of each player, scaled to the published number of games, with the published best.
fn wins_chart(values: &[f64], results: &[GameCounts], claim: &ClaimedOptimum<'_>) -> Chart {
    let point = |(a, counts): (&f64, &GameCounts)| {
        let won = MeasuredValue::share(counts.wins, counts.total());
        let wins = |share: f64| share * claim.published_games;
        ChartPoint::new(*a, wins(won.value), [wins(won.low), wins(won.high)])
    };
    let ours = ChartSeries {
        name: format!("here, of {} games each", results[0].total()),
        points: values.iter().zip(results).map(point).collect(),
        ..ChartSeries::default()
    };
    let theirs = claim.wins.map(|wins| ChartSeries {
        name: "published best".to_owned(),
        points: vec![ChartPoint::bare(claim.a, wins)],
        ..ChartSeries::default()
    });
    Chart {
        title: claim.title.to_owned(),
        note: format!("wins of {} games", claim.published_games),
        x: PlotAxis::linear("a"),
        y: PlotAxis::linear("wins").unit(NumberUnit::Count),
        series: std::iter::once(ours).chain(theirs).collect(),
        ..Chart::default()
    }
}

/// Compares the claimed best player, or the nearest one of this run, with the best one here.
fn compare_players(
    values: &[f64],
    results: &[GameCounts],
    claim: &ClaimedOptimum<'_>,
    verdict: Verdict,
) -> [Comparison; 3] {
    let scores: Vec<MeasuredValue> = results.iter().map(MeasuredValue::score).collect();
    let distance = |i: usize| (values[i] - claim.a).abs();
    let claimed = (0..values.len()).min_by(|&i, &j| distance(i).total_cmp(&distance(j)));
    let best = (0..values.len()).max_by(|&i, &j| scores[i].value.total_cmp(&scores[j].value));
    let (claimed, best) = (claimed.unwrap_or(0), best.unwrap_or(0));
    let what = match distance(claimed) == 0.0 {
        true => format!("a = {}", claim.a),
        false => format!("a = {}, the nearest to {}", values[claimed], claim.a),
    };
    let counts = &results[claimed];
    let wins = counts.wins as f64 / counts.total().max(1) as f64 * claim.published_games;
    let published =
        claim.wins.map_or_else(|| "the best".to_owned(), |wins| format!("{wins} wins, the best"));
    [
        Comparison {
            ours: format!(
                "score {} %; {wins:.0} wins of {}",
                scores[claimed].percent().text(1),
                claim.published_games
            ),
            ..Comparison::share(what, published, scores[claimed], verdict)
        },
        Comparison::share(
            format!("best score here, a = {}", values[best]),
            "",
            scores[best],
            Verdict::Unknowable,
        ),
        Comparison::estimate(
            "spread of the wins / spread of equal players",
            "",
            (MeasuredValue::exact(spread(results)), 2, ""),
            Verdict::Unknowable,
        ),
    ]
}

/// Returns the verdict on a claimed best value from the curve through all scores: the best single score
/// of many is high by chance, that of the curve is not. A value beyond the interval is not refuted,
/// because the best one depends on the number of simulations, which the report does not give.
fn optimum_verdict(curve: &ScoreCurve, claimed: f64) -> Verdict {
    match curve.optimum {
        Some(best) if curve.homogeneity.is_resolved() => {
            match (best.low..=best.high).contains(&claimed) {
                false => Verdict::Unknowable,
                true if curve.optimum_is_resolved() => Verdict::Confirmed,
                true => Verdict::InsideNoise,
            }
        }
        _ => Verdict::InsideNoise,
    }
}

/// Returns the standard deviation of the scores divided by that of players of equal strength.
fn spread(results: &[GameCounts]) -> f64 {
    let scores: Vec<f64> = results.iter().map(|one| MeasuredValue::score(one).value).collect();
    let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    let square: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let games = results.first().map_or(1, GameCounts::total).max(1) as f64;
    (square / (scores.len().max(2) - 1) as f64).sqrt() / (0.25 / games).sqrt()
}

fn values(size: RunSize, [tiny, quick, full]: [(u32, usize); 3]) -> Vec<f64> {
    let (last, step) = size.pick([tiny, quick, full]);
    (1..=last).step_by(step).map(f64::from).collect()
}

fn values_of_100(size: RunSize) -> Vec<f64> {
    values(size, [(10, 3), (100, 3), (100, 1)])
}

pub(super) fn of_100() -> WorkItem {
    let head = ItemHead {
        id: "championship-100",
        kind: ItemKind::Claim,
        place: "section 3",
        title: "The championship of 100 players",
        published: "100 players with a from 1 to 100 meet each other twice, beginning once each, at \
                    Connect Four. Before the tree was kept the best was a = 10.",
        method: "The same championship with a new tree for every move and a fixed number of \
                 simulations: quick runs take every third a, four games a pair and 500 simulations a \
                 move, full ones all, two games and 1000. The verdict compares a = 10 with the 95 % \
                 interval of the maximum of a smooth curve through all scores.",
        command: "ludion championship connect4 \"mcts(select=phi, a=1..100:3, sims=1000, fresh)\" -n 2",
    };
    let measure = |context: &JobContext<'_>| {
        let player = |a: &f64| sequential(*a, context.size.pick([50, 500, 1000]));
        let fresh = |a: &f64| player(a).replace(')', ", fresh)");
        let players: Vec<String> = values_of_100(context.size).iter().map(fresh).collect();
        play(context, &players, context.size.pick([1, 2, 1]))
    };
    WorkItem::measured(head, |_| JOBS, measure, |context: &JudgeContext<'_>, found| {
        judge(
            context,
            &values_of_100(context.size),
            found,
            &ClaimedOptimum {
                title: "Wins by a, a new tree for every move",
                a: 10.0,
                wins: None,
                published_games: 198.0,
                reason: "The number of simulations of the report is not known, and the best a depends \
                         on it: more simulations bear a broader search.",
            },
        )
    })
    .seconds([0.0, 6.0, 50.0])
}

fn values_of_50(size: RunSize) -> Vec<f64> {
    values(size, [(10, 3), (50, 1), (50, 1)])
}

pub(super) fn of_50() -> WorkItem {
    let head = ItemHead {
        id: "championship-50",
        kind: ItemKind::Figure,
        place: "section 3, figure 2",
        title: "Number of wins of JMCTS by a",
        published: "With the tree kept, players with a from 0 to 50 meet each other twice. The figure \
                    shows the wins of each; the best is a = 10, with 61 of 98 games as read from it. (98 \
                    games are those of 50 players; a = 0 divides 0 by 0 at a new child and is left \
                    out here.)",
        method: "The same championship with the kept tree and 500 simulations a move, two games a \
                 pair as published; full runs play ten games a pair with 2000 simulations. The \
                 verdict is as above.",
        command: "ludion championship connect4 \"mcts(select=phi, a=1..50:1, sims=1000)\" -n 1 \
                  --plot a.svg",
    };
    let measure = |context: &JobContext<'_>| {
        let simulations = context.size.pick([50, 500, 2000]);
        let values = values_of_50(context.size);
        let players: Vec<String> = values.iter().map(|a| sequential(*a, simulations)).collect();
        play(context, &players, context.size.pick([1, 1, 5]))
    };
    WorkItem::measured(head, |_| JOBS, measure, |context: &JudgeContext<'_>, found| {
        judge(
            context,
            &values_of_50(context.size),
            found,
            &ClaimedOptimum {
                title: "Wins of JMCTS by a",
                a: 10.0,
                wins: Some(61.0),
                published_games: 98.0,
                reason: "A smooth curve through fifty scores tells more than the best of them: 61 wins are what \
                         the luckiest of 50 equal players has (see below), so the published \
                         championship by itself does not show that 10 is better than its neighbours.",
            },
        )
    })
    .seconds([0.0, 6.0, 125.0])
}

/// Numbers of games of the two championships, of 100 and of 50 players who meet twice.
const CHAMPIONSHIP_GAMES: [f64; 2] = [9900.0, 2450.0];
/// The published hours of the two championships.
const PUBLISHED_HOURS: [f64; 2] = [8.0, 2.0];

pub(super) fn hours() -> WorkItem {
    let head = ItemHead {
        id: "championship-hours",
        kind: ItemKind::Claim,
        place: "section 3",
        title: "Eight hours against two",
        published: "The championship of 100 players took eight hours, that of a up to 50 about two.",
        method: "The number of games times the plies of a game times 100 ms a move. The plies are those \
                 of matches between players with a = 5, 10, 20 and 40 and 1000 simulations a move.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, sims=1000)\" \
                  \"mcts(select=phi, a=20, sims=1000)\" -n 50",
    };
    let jobs = |size: RunSize| size.pick([2, 12, 12]);
    WorkItem::measured(head, jobs, measure_plies, judge_hours).seconds([0.0, 0.5, 3.0])
}

fn measure_plies(context: &JobContext<'_>) -> Result<f64, JobFailure> {
    let a = [5.0, 10.0, 20.0, 40.0];
    let (i, step) = (context.number as usize % 4, 1 + context.number as usize / 4 % 3);
    let players = [sequential(a[i], 1000), sequential(a[(i + step) % 4], 1000)];
    let players = [players[0].as_str(), players[1].as_str()];
    let pairs = context.size.pick([1, 5, 20]);
    let counts = MatchSpec::new("connect4", players, pairs).play(context)?;
    Ok(counts.plies as f64 / (2 * pairs) as f64)
}

fn judge_hours(_: &JudgeContext<'_>, found: &[f64]) -> Finding {
    let plies = MeasuredValue::mean(found);
    let compare = |(games, published): (f64, f64)| {
        let hours = |plies: f64| games * plies * 0.1 / 3600.0;
        let ours = MeasuredValue {
            value: hours(plies.value),
            low: hours(plies.low),
            high: hours(plies.high),
        };
        Comparison::estimate(
            format!("hours of {games} games"),
            format!("{published}"),
            (ours, 1, ""),
            Verdict::figure(MeasuredValue::exact(published), ours, published / 5.0, published),
        )
    };
    let mut comparisons: Vec<Comparison> =
        CHAMPIONSHIP_GAMES.into_iter().zip(PUBLISHED_HOURS).map(compare).collect();
    comparisons.push(Comparison::estimate("plies a game", "", (plies, 1, ""), Verdict::Unknowable));
    Finding::all(
        comparisons,
        "The report gives the time a move for its duels only. That its championships took about as \
         long as 100 ms a move take says that they had it, too. A fifth off counts as the same, \
         since the hours are round numbers.",
    )
}

/// Numbers of a championship of equal players.
const PLAYERS: usize = 50;
const GAMES: u64 = 98;

pub(super) fn resolution() -> WorkItem {
    let head = ItemHead {
        id: "resolution",
        kind: ItemKind::Claim,
        place: "section 3",
        title: "What 98 games a value can resolve",
        published: "Who has most wins is taken for the best, so that an optimal a is found \
                    empirically: a = 10 with 61 wins of 98.",
        method: "Championships of 50 players of equal strength, every game decided by a coin, many \
                 times: how many wins has the winner? Beside it is the difference of two players that \
                 98 games each can tell from chance.",
        command: "",
    };
    WorkItem::measured(head, |_| 1, play_by_coin, judge_resolution).seconds([0.0, 0.0, 0.0])
}

fn play_by_coin(context: &JobContext<'_>) -> Result<Vec<f64>, JobFailure> {
    let mut rng = Rng::new(context.seed());
    let championship = |_| {
        let mut wins = [0_u32; PLAYERS];
        for a in 0..PLAYERS {
            for b in a + 1..PLAYERS {
                for _ in 0..2 {
                    wins[if rng.bits() & 1 == 0 { a } else { b }] += 1;
                }
            }
        }
        f64::from(wins.into_iter().max().unwrap_or(0))
    };
    Ok((0..context.size.pick([100, 2000, 20_000])).map(championship).collect())
}

fn judge_resolution(_: &JudgeContext<'_>, found: &[Vec<f64>]) -> Finding {
    let mut best = found.concat();
    best.sort_by(f64::total_cmp);
    let quantile = |share: f64| best[((best.len() - 1) as f64 * share) as usize];
    let mean = MeasuredValue::mean(&best);
    let [low, high] = [quantile(0.025), quantile(0.975)];
    let verdict = match 61.0 {
        wins if wins > high => Verdict::Confirmed,
        _ => Verdict::InsideNoise,
    };
    let sd = (GAMES as f64 * 0.25).sqrt();
    let least = Z95 * sd * 2f64.sqrt();
    let winner = Comparison {
        ours: format!("{:.1}, in 95 % of championships {low:.0} to {high:.0}", mean.value),
        ..Comparison::estimate(
            "wins of the luckiest of 50 equal players",
            "61 wins of a = 10",
            (MeasuredValue { value: mean.value, low, high }, 1, ""),
            verdict,
        )
    };
    let exact = |what: &str, value: f64| {
        Comparison::estimate(what, "", (MeasuredValue::exact(value), 1, ""), Verdict::Unknowable)
    };
    Finding::new(
        verdict,
        format!(
            "Chance alone gives some player {:.1} wins in the mean, so 61 by itself is no sign of \
             strength. \
             Two players with 98 games each differ beyond chance only if they are {least:.0} wins \
             apart, 14 points of score. To tell 52 % from 50 % takes some 4,800 games of each.",
            mean.value
        ),
    )
    .comparing([
        winner,
        exact("standard deviation of the wins of one player", sd),
        exact("least difference of two players beyond chance, in wins", least),
    ])
}

fn values_of_leaf(size: RunSize) -> Vec<f64> {
    values(size, [(10, 3), (50, 3), (50, 1)])
}

pub(super) fn of_leaf_parallel() -> WorkItem {
    let head = ItemHead {
        id: "championship-leaf",
        kind: ItemKind::Figure,
        place: "section 4.1, figure 3",
        title: "Number of wins of JMCTSp by a",
        published: "The same championship of players with leaf parallelism on four threads: the best \
                    is a = 11.",
        method: "Leaf parallelism with four random games a leaf and two games a pair; quick runs take \
                 every third a and 300 simulations a move, full ones all and 1000. The random numbers \
                 do not depend on the threads, so the run is repeatable.",
        command: "ludion championship connect4 \"mcts(select=phi, a=1..50:7, sims=300, threads=4, \
                  parallel=leaf)\" -n 2",
    };
    let measure = |context: &JobContext<'_>| {
        let simulations = context.size.pick([20, 300, 1000]);
        let player =
            |a: &f64| sequential(*a, simulations).replace(')', ", threads=4, parallel=leaf)");
        let players: Vec<String> = values_of_leaf(context.size).iter().map(player).collect();
        play(context, &players, 1)
    };
    WorkItem::measured(
        head,
        |_| JOBS,
        measure,
        |context: &JudgeContext<'_>, found| {
            judge(
                context,
                &values_of_leaf(context.size),
                found,
                &ClaimedOptimum {
                    title: "Wins of JMCTSp by a",
                    a: 11.0,
                    wins: None,
                    published_games: 98.0,
                    reason: "The number of simulations of the report is not known, and the best a \
                             depends on it, so another best value here does not exclude a = 11 there. \
                             How many wins a = 11 had is not readable from the figure.",
                },
            )
        },
    )
    .seconds([0.5, 2.5, 80.0])
}
