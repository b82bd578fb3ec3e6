//! The solvers of hexagonal Tetris: their solutions are valid, reproducible and in time, and the
//! strong solver beats the baseline.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ludion::games::hextris::board::lock_points;
use ludion::games::hextris::random_problem::{RandomProblemOptions, random_problem};
use ludion::games::hextris::solver::beam::BeamLimits;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::games::hextris::solver::prepared::AnyPreparedProblem;
use ludion::games::hextris::solver::weight_presets::WEIGHT_PRESETS;
use ludion::games::hextris::solver::{SolveBudget, SolveMethod, SolveOptions, SolvedGame, solve};
use ludion::games::hextris::{HextrisReferee, Phrases, Problem, problems};
use ludion::random::Rng;

fn problem(name: &str) -> Problem {
    problems::find(name).unwrap().problem()
}

fn by_rounds(method: SolveMethod, threads: usize) -> SolveOptions<'static> {
    let effort = SolveBudget::Rounds { rounds: 2, states: 6 };
    SolveOptions { method, effort, threads, megabytes: 64, seed: 5 }
}

fn total(solved: &[SolvedGame]) -> u64 {
    solved.iter().map(|solved| solved.verdict.score).sum()
}

/// Checks solutions with the referee.
fn check(problems: &[Problem], phrases: &Phrases, solved: &[SolvedGame]) {
    let games: usize = problems.iter().map(|problem| problem.seeds().len()).sum();
    assert_eq!(solved.len(), games);
    for game in solved {
        let verdict =
            HextrisReferee::new(&problems[game.problem], phrases).score(game.seed, &game.commands);
        assert!(!verdict.status.is_error(), "{:?}", verdict.error);
        assert_eq!(verdict, game.verdict);
    }
}

#[test]
fn the_score_of_a_plan_is_that_of_the_rules() {
    for name in ["tetrahexes", "cups", "meadow", "swing", "prairie"] {
        let problem = problem(name);
        let ground = AnyPreparedProblem::new(&problem);
        let seed = problem.seeds()[0];
        let units: Vec<usize> = problem.source(seed).take(60).collect();
        let mut rng = Rng::new(1);
        for weights in [WEIGHT_PRESETS[0], WEIGHT_PRESETS[1].perturbed(&mut rng)] {
            let plan = ground.search(&weights, &units, BeamLimits::states(4));
            let (mut rows, mut before, mut points, mut descents) =
                (problem.board().clone(), 0, 0, 0);
            for (&unit, &at) in units.iter().zip(&plan.placements) {
                let unit = &problem.units()[unit];
                assert!(unit.fits(&rows, unit.spawn()) && unit.fits(&rows, at), "{name}");
                let lines = unit.lock(&mut rows, at);
                points += lock_points(unit.size(), lines, before);
                descents += u64::from((at.y - unit.spawn().y).unsigned_abs());
                before = lines;
            }
            assert_eq!((plan.points, plan.rows_descended), (points, descents), "{name}");
        }
    }
}

#[test]
fn a_wide_beam_clears_several_lines_at_once() {
    let problem = problem("well");
    let ground = AnyPreparedProblem::new(&problem);
    let units: Vec<usize> = problem.source(problem.seeds()[0]).collect();
    let weights = BoardWeights { descent: 0.0, ..BoardWeights::default() };
    let plan = |states| ground.search(&weights, &units, BeamLimits::states(states));
    let (wide, narrow) = (plan(2000), plan(1));
    assert!(wide.points >= narrow.points);
    let mut rows = problem.board().clone();
    let one_by_one = units.iter().zip(&wide.placements).map(|(&unit, &at)| {
        let unit = &problem.units()[unit];
        unit.size() as u64 + 100 * u64::from(unit.lock(&mut rows, at))
    });
    assert!(wide.points > one_by_one.sum(), "{}", wide.points);
}

#[test]
fn the_strong_solver_beats_the_baseline_and_both_are_valid() {
    let (problems, phrases) = ([problem("rubble"), problem("tetrahexes")], Phrases::known());
    let baseline = solve(
        &problems,
        &phrases,
        &by_rounds(SolveMethod::Baseline(Default::default()), 2),
        &|_| {},
    );
    let beam = solve(&problems, &phrases, &by_rounds(SolveMethod::default(), 2), &|_| {});
    check(&problems, &phrases, &baseline);
    check(&problems, &phrases, &beam);
    assert!(total(&beam) > 3 * total(&baseline) / 2, "{} {}", total(&beam), total(&baseline));
}

#[test]
fn solutions_do_not_depend_on_the_number_of_threads() {
    let (problems, phrases) = ([problem("pair"), problem("swing")], Phrases::known());
    for method in [SolveMethod::default(), SolveMethod::Baseline(Default::default())] {
        let solved =
            [1, 3].map(|threads| solve(&problems, &phrases, &by_rounds(method, threads), &|_| {}));
        assert_eq!(solved[0], solved[1]);
    }
}

#[test]
fn every_published_phrase_list_can_be_spelled() {
    let lists: [&[&str]; 3] = [
        &[],
        &["pkkpdbbd", "aaaabbbb", "aabllp", "ssseespsps", "uuuuu", "ddddd"],
        &["pkkpdbbd", "ssseespsps", "pb", "sd"],
    ];
    let problems = [problem("corner")];
    for list in lists {
        let phrases = Phrases::new(list).unwrap();
        let solved = solve(&problems, &phrases, &by_rounds(SolveMethod::default(), 1), &|_| {});
        check(&problems, &phrases, &solved);
        let power: u64 = solved.iter().map(|solved| solved.verdict.power_score).sum();
        assert_eq!(power > 0, !list.is_empty(), "{list:?}");
    }
}

#[test]
fn any_clock_gives_a_valid_solution_in_time() {
    let (problems, phrases) = ([problem("rubble"), problem("cups")], Phrases::known());
    // Time that passes between two polls of the clock: from a clock that jumps beyond the end at
    // once to one that leaves time for all stages, with one thread or several.
    for (each, threads) in [(10_000_000, 1), (50_000, 2), (2_000, 1), (5_000, 4)] {
        let shown = AtomicU64::new(0);
        let clock = || Duration::from_micros(shown.fetch_add(each, Ordering::Relaxed));
        let limit = Duration::from_secs(5);
        let effort = SolveBudget::Time { clock: &clock, limit };
        let options = SolveOptions {
            method: SolveMethod::default(),
            effort,
            threads,
            megabytes: 16,
            seed: 1,
        };
        let solved = solve(&problems, &phrases, &options, &|_| {});
        check(&problems, &phrases, &solved);
        assert!(each > 10_000 || total(&solved) > 0);
    }
}

#[test]
fn a_large_board_and_ten_thousand_games_end_in_time() {
    let seeds: Vec<u32> = (0..10_000).collect();
    let json = format!(
        r#"{{"id":1,"units":[{{"members":[{{"x":0,"y":0}}],"pivot":{{"x":0,"y":0}}}}],"width":5,
        "height":5,"filled":[],"sourceLength":100,"sourceSeeds":{seeds:?}}}"#
    );
    let problems = [problem("cathedral"), Problem::from_json(&json).unwrap()];
    let limit = Duration::from_millis(200);
    for method in [SolveMethod::default(), SolveMethod::Baseline(Default::default())] {
        for problems in problems.chunks(1) {
            let solve_once = |_| {
                let began = Instant::now();
                let effort = SolveBudget::Time { clock: &|| began.elapsed(), limit };
                let options = SolveOptions { method, effort, threads: 2, megabytes: 64, seed: 1 };
                let solved = solve(problems, &Phrases::known(), &options, &|_| {});
                let took = began.elapsed();
                check(problems, &Phrases::known(), &solved);
                took
            };
            // The clock is polled often in every stage. Reading the problem and writing ten thousand solutions
            // take time too, several times as long on a machine that is busy with other work.
            assert!((0..3).map(solve_once).any(|took| took < 25 * limit));
        }
    }
}

#[test]
fn the_strong_solver_is_not_behind_the_baseline_in_little_time() {
    // A clock that leaves time for part of the first solution.
    let (problems, phrases) = ([problem("pentahexes")], Phrases::known());
    let score = |method| {
        let shown = AtomicU64::new(0);
        let clock = || Duration::from_micros(shown.fetch_add(100, Ordering::Relaxed));
        let effort = SolveBudget::Time { clock: &clock, limit: Duration::from_millis(200) };
        let options = SolveOptions { method, effort, threads: 1, megabytes: 64, seed: 1 };
        total(&solve(&problems, &phrases, &options, &|_| {}))
    };
    let (beam, baseline) =
        (score(SolveMethod::default()), score(SolveMethod::Baseline(Default::default())));
    assert!(beam > baseline / 2, "{beam} {baseline}");
}

#[test]
fn a_game_without_a_possible_start_has_an_empty_solution() {
    let json = r#"{"id":1,"units":[{"members":[{"x":0,"y":0}],"pivot":{"x":0,"y":0}}],
        "width":3,"height":3,"filled":[{"x":1,"y":0}],"sourceLength":5,"sourceSeeds":[0,0,7]}"#;
    let problems = [Problem::from_json(json).unwrap()];
    for method in [SolveMethod::default(), SolveMethod::Baseline(Default::default())] {
        let solved = solve(&problems, &Phrases::known(), &by_rounds(method, 2), &|_| {});
        assert_eq!(solved.iter().map(|game| game.seed).collect::<Vec<_>>(), [0, 7]);
        assert!(solved.iter().all(|game| game.commands.is_empty() && game.verdict.score == 0));
    }
}

/// Solves with a clock that shows a millisecond more whenever it is read, so that the division of the
/// time is the same on every machine.
fn score_by_clock_readings(problem: &Problem, limit: u64, method: SolveMethod) -> SolvedGame {
    let shown = AtomicU64::new(0);
    let clock = || Duration::from_millis(shown.fetch_add(1, Ordering::Relaxed));
    let effort = SolveBudget::Time { clock: &clock, limit: Duration::from_millis(limit) };
    let options = SolveOptions { method, effort, threads: 1, megabytes: 64, seed: 1 };
    let problems = std::slice::from_ref(problem);
    let mut solved = solve(problems, &Phrases::known(), &options, &|_| {});
    check(problems, &Phrases::known(), &solved);
    solved.pop().unwrap()
}

#[test]
fn a_long_game_is_not_behind_the_baseline_in_little_time() {
    let made = RandomProblemOptions {
        id: 3,
        width: 24,
        height: 30,
        kinds: 6,
        cells: (2, 5),
        density: 0.1,
        source_length: 300,
        seeds: 1,
    };
    let problem = random_problem(&made, 1).unwrap();
    let score = |limit, method| score_by_clock_readings(&problem, limit, method).verdict.score;
    for limit in [2_000, 5_000] {
        let baseline = score(limit, SolveMethod::Baseline(Default::default()));
        let beam = score(limit, SolveMethod::default());
        // On this clock reading costs most.
        assert!(10 * beam >= 9 * baseline, "{limit}: {beam} {baseline}");
    }
}

#[test]
fn games_with_several_seeds_are_above_the_baseline_in_little_time() {
    let made = RandomProblemOptions {
        id: 6,
        width: 30,
        height: 60,
        kinds: 6,
        cells: (2, 5),
        density: 0.0,
        source_length: 1_500,
        seeds: 3,
    };
    let problems = [random_problem(&made, 4).unwrap()];
    let phrases = Phrases::known();
    // The clock advances whenever a thread reads it. The baseline reads it for every 256 placements, the
    // beams for every unit, and spelling for every 512 commands, which take about the same time.
    let score = |method, threads, limit| {
        let shown = AtomicU64::new(0);
        let each = 1_000 / threads as u64;
        let clock = || Duration::from_micros(shown.fetch_add(each, Ordering::Relaxed));
        let effort = SolveBudget::Time { clock: &clock, limit: Duration::from_millis(limit) };
        let options = SolveOptions { method, effort, threads, megabytes: 64, seed: 1 };
        let solved = solve(&problems, &phrases, &options, &|_| {});
        check(&problems, &phrases, &solved);
        total(&solved)
    };
    for (threads, limit) in [(1, 1_000), (2, 1_000), (2, 2_000)] {
        let baseline = score(SolveMethod::Baseline(Default::default()), threads, limit);
        // On a busy machine one of two threads may wait while the other reads the clock, so they have
        // three tries.
        let tries = if threads == 1 { 1 } else { 3 };
        let mut beams = (0..tries).map(|_| score(SolveMethod::default(), threads, limit));
        let is_above = beams.any(|beam| 10 * beam > 12 * baseline);
        assert!(is_above, "{threads} threads, {limit} ms: not above {baseline}");
    }
}

/// The cells of a unit or of a board in the contest's format.
fn json_cells(cells: &[(i32, i32)]) -> String {
    let cells = cells.iter().map(|(x, y)| format!(r#"{{"x":{x},"y":{y}}}"#));
    format!("[{}]", cells.collect::<Vec<_>>().join(","))
}

/// A unit with its pivot in the contest's format.
fn json_unit(members: &[(i32, i32)], (x, y): (i32, i32)) -> String {
    format!(r#"{{"members":{},"pivot":{{"x":{x},"y":{y}}}}}"#, json_cells(members))
}

/// A problem of `units` units on a board of 24 by 24 cells: single cells, and now and then a large unit,
/// above a shelf that leaves gaps on both sides.
fn shelf(units: usize) -> Problem {
    let ring = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
    let large = json_unit(&ring, (1, 1));
    let single = json_unit(&[(1, 1)], (1, 1));
    let kinds = [vec![large], vec![single; 5]].concat().join(",");
    let filled: Vec<(i32, i32)> = (5..19).flat_map(|x| [(x, 7), (x, 8)]).collect();
    let json = format!(
        r#"{{"id":7,"units":[{kinds}],"width":24,"height":24,"filled":{},"sourceLength":{units},
        "sourceSeeds":[3]}}"#,
        json_cells(&filled)
    );
    Problem::from_json(&json).unwrap()
}

/// A problem of units with gaps on a board of 30 by 30 cells with a ring of obstacles.
fn ring_of_obstacles() -> Problem {
    let distance = |(x, y): (i32, i32)| (f64::from(x) - 14.5).hypot(f64::from(y) - 15.0);
    let board = (0..30).flat_map(|y| (0..30).map(move |x| (x, y)));
    let filled: Vec<_> = board.filter(|&at| (distance(at) - 9.0).abs() < 0.7).collect();
    let kinds = [
        json_unit(&[(0, 0)], (0, 0)),
        json_unit(&[(0, 0), (2, 0)], (1, 0)),
        json_unit(&[(2, 0), (0, 1), (2, 2)], (1, 1)),
    ];
    let json = format!(
        r#"{{"id":9,"units":[{}],"width":30,"height":30,"filled":{},"sourceLength":200,
        "sourceSeeds":[0]}}"#,
        kinds.join(","),
        json_cells(&filled)
    );
    Problem::from_json(&json).unwrap()
}

#[test]
fn rows_with_obstacles_are_cleared_where_there_are_no_phrases() {
    let no_phrases = Phrases::new([""; 0]).unwrap();
    // The weights of the second round are those for obstacles; the first round comes to 807.
    let game = long_game(ring_of_obstacles(), 2, &no_phrases);
    assert!(game.verdict.score > 1_500, "{:?}", game.verdict);
}

/// Plays a game with a fixed number of beam searches and states, which gives the same score on every
/// machine.
fn long_game(problem: Problem, rounds: usize, phrases: &Phrases) -> SolvedGame {
    let effort = SolveBudget::Rounds { rounds, states: 4 };
    let method = SolveMethod::default();
    let options = SolveOptions { method, effort, threads: 1, megabytes: 256, seed: 1 };
    let mut solved = solve(&[problem], phrases, &options, &|_| {});
    solved.pop().unwrap()
}

#[test]
fn long_games_keep_their_scores() {
    let made = |width, height, cells, source_length| {
        let kinds = 6;
        let made = RandomProblemOptions {
            id: 5,
            width,
            height,
            kinds,
            cells,
            density: 0.1,
            source_length,
            seeds: 1,
        };
        random_problem(&made, 2).unwrap()
    };
    let phrases = Phrases::known();
    let shelf = long_game(shelf(120), 7, &phrases);
    let small_units = long_game(made(30, 24, (1, 3), 100), 2, &phrases);
    let large_units = long_game(made(16, 40, (2, 6), 100), 2, &phrases);
    let scores = [shelf, small_units, large_units].map(|game| game.verdict.score);
    let known = [16_454, 19_786, 24_690];
    for (score, known) in scores.into_iter().zip(known) {
        assert!(score as f64 > 0.97 * f64::from(known), "{scores:?}");
    }
}

#[test]
fn phrases_without_a_move_down_are_spelled_all_along_the_rows() {
    let json = r#"{"id":1,"units":[{"members":[{"x":0,"y":0},{"x":1,"y":0}],"pivot":{"x":0,"y":0}}],
        "width":15,"height":12,"filled":[],"sourceLength":8,"sourceSeeds":[0]}"#;
    let problem = Problem::from_json(json).unwrap();
    let phrases = Phrases::new(["uuuuu", "ddddd", "aaaabbbb"]).unwrap();
    let game = long_game(problem, 1, &phrases);
    // Five turns in each of twelve columns of ten rows are 1,200 points a unit.
    assert!(game.verdict.power_score > 8 * 1_000, "{:?}", game.verdict);
}
