//! Solvers of hexagonal Tetris. Beam search first decides where the units lock ([`beam`]); then the
//! commands that lead there are chosen so that their characters spell many phrases ([`spell`]).
//! [`solve`] distributes time and threads over games and stages: every game soon has a complete
//! solution, which is then improved. All results are scored by the referee.

pub mod baseline;
pub mod beam;
pub mod clock;
pub mod evaluation;
mod game_search;
pub mod placement_flood;
pub mod prepared;
pub mod reached;
pub mod row_word;
pub mod spell;
pub mod tuning;
mod unit_paths;
pub mod weight_presets;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use ludion_core::threads::with_helpers;

use super::phrases::Phrases;
use super::problem::Problem;
use super::referee::{HextrisReferee, SolutionScore};
use baseline::BaselineWeights;
use clock::{Deadline, ElapsedClock};
use evaluation::BoardWeights;
use game_search::{GameSearch, SearchContext};
use prepared::AnyPreparedProblem;
use spell::Speller;
use weight_presets::SOLVER_PRESETS;

/// Megabytes of the memory limit that are set aside for the program itself.
const PROGRAM_MEGABYTES: usize = 16;
/// Fraction of the time limit that is for search; the rest is for completing the solutions of games
/// whose search was interrupted.
const SEARCH_FRACTION: f64 = 0.995;
/// Fraction of a game's time for its first solutions.
const FIRST_FRACTION: f64 = 0.3;
/// Addition to the weight of every game when time is divided, as a fraction of the mean weight, so
/// that small games get enough.
const BASE_SHARE: f64 = 0.2;

/// One of the two solvers, with its weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SolveMethod {
    /// The solver of de Falco and Fleck, see [`baseline`], with these weights of its features.
    Baseline(BaselineWeights),
    /// Beam search for placements, then choice of commands with many phrases; these evaluation
    /// weights are tried first.
    Beam(BoardWeights),
}

impl Default for SolveMethod {
    fn default() -> Self {
        SolveMethod::Beam(SOLVER_PRESETS[0])
    }
}

/// Limit of the search, by number of beam searches or by time.
#[derive(Clone, Copy)]
pub enum SolveBudget<'a> {
    /// A fixed number of beam searches per game, with which the result is reproducible.
    Rounds {
        /// Number of beam searches per game.
        rounds: usize,
        /// Number of states that each beam search keeps after each unit.
        states: usize,
    },
    /// A time limit for all games together.
    Time {
        /// The clock that measures the time.
        clock: ElapsedClock<'a>,
        /// Time on `clock` by which all games must be solved.
        limit: Duration,
    },
}

/// Options of [`solve`].
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// The solver to use, with its weights.
    pub method: SolveMethod,
    /// Number of searches or time after which to stop.
    pub effort: SolveBudget<'a>,
    /// Number of threads that solve games.
    pub threads: usize,
    /// Memory for all threads together, in megabytes.
    pub megabytes: usize,
    /// Seed of the random numbers with which evaluation weights and placements are varied.
    pub seed: u64,
}

/// A solved game of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedGame {
    /// Index of the problem in the list given to [`solve`], from 0.
    pub problem: usize,
    /// Seed of the game, one of the problem's.
    pub seed: u32,
    /// The commands of the solution, one character each.
    pub commands: String,
    /// The referee's score of the solution.
    pub verdict: SolutionScore,
}

/// Progress of [`solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveProgress {
    /// Number of games whose search is finished.
    pub done: usize,
    /// Number of games to solve.
    pub games: usize,
    /// Sum of the best scores so far of all games.
    pub score: u64,
}

/// Receives progress from any thread. A function with a [`SolveProgress`] as its argument is an
/// observer.
pub trait SolveObserver: Sync {
    /// Receives the progress whenever it changes.
    fn progress(&self, progress: SolveProgress);

    /// Receives each solution that is better than the earlier ones of its game.
    fn improved(&self, _solved: &SolvedGame) {}
}

impl<F: Fn(SolveProgress) + Sync> SolveObserver for F {
    fn progress(&self, progress: SolveProgress) {
        self(progress);
    }
}

/// Solves every game of `problems` and returns the solutions in the order of problems and seeds; a
/// seed that is listed twice is solved once.
pub fn solve(
    problems: &[Problem],
    phrases: &Phrases,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let games = games(problems);
    match options.method {
        SolveMethod::Baseline(weights) => {
            solve_with_baseline(problems, phrases, &games, &weights, options, observer)
        }
        SolveMethod::Beam(weights) => {
            solve_with_beams(problems, phrases, &games, weights, options, observer)
        }
    }
}

/// Returns the index of the problem and the seed of every game; a seed that a problem lists twice
/// occurs once.
fn games(problems: &[Problem]) -> Vec<(usize, u32)> {
    let mut known = HashSet::new();
    let all = problems.iter().enumerate();
    let all = all.flat_map(|(number, problem)| problem.seeds().iter().map(move |&s| (number, s)));
    all.filter(|&game| known.insert(game)).collect()
}

/// Calls `work` once for each number below `count`, on up to `threads` threads.
fn run_on_threads(threads: usize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let run = |_| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            work(number);
        }
    };
    with_helpers(threads.clamp(1, count.max(1)) - 1, &run, &mut |_| run(0));
}

/// Solves all games with the solver of de Falco and Fleck.
fn solve_with_baseline(
    problems: &[Problem],
    phrases: &Phrases,
    games: &[(usize, u32)],
    weights: &BaselineWeights,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let is_late = || match options.effort {
        SolveBudget::Rounds { .. } => false,
        SolveBudget::Time { clock, limit } => clock() >= limit,
    };
    let solved: Vec<std::sync::OnceLock<SolvedGame>> =
        games.iter().map(|_| Default::default()).collect();
    let (done, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    run_on_threads(options.threads, games.len(), |number| {
        let (problem, seed) = games[number];
        let game = (&problems[problem], phrases, seed);
        let commands = baseline::continue_game(game, "", weights, &is_late);
        let verdict = HextrisReferee::new(&problems[problem], phrases).score(seed, &commands);
        let score = total.fetch_add(verdict.score, Ordering::Relaxed) + verdict.score;
        let game = SolvedGame { problem, seed, commands, verdict };
        observer.improved(&game);
        let _ = solved[number].set(game);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        observer.progress(SolveProgress { done, games: games.len(), score });
    });
    let done = solved.into_iter().map(std::sync::OnceLock::into_inner);
    done.map(|solved| solved.expect("every game was played")).collect()
}

/// Solves all games by beam search for placements and the choice of commands with many phrases.
fn solve_with_beams(
    problems: &[Problem],
    phrases: &Phrases,
    games: &[(usize, u32)],
    weights: BoardWeights,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let prepared_problems: Vec<AnyPreparedProblem> =
        problems.iter().map(AnyPreparedProblem::new).collect();
    // Half of the memory is for the beams, half for spelling and everything else.
    let megabytes = options.megabytes.saturating_sub(PROGRAM_MEGABYTES).max(1);
    let bytes = megabytes * (1 << 19) / options.threads.max(1);
    let (speller, total) = (Speller::new(phrases), AtomicU64::new(0));
    let context = |number: usize| SearchContext {
        number,
        problem: &problems[number],
        phrases,
        speller: &speller,
        prepared: &prepared_problems[number],
        weights,
        bytes,
        total: &total,
        observer,
    };
    let work: Vec<GameSearch<'_>> =
        games.iter().map(|&(problem, seed)| GameSearch::new(context(problem), seed)).collect();
    let done = AtomicUsize::new(0);
    let report = |finished: usize| {
        let done = done.fetch_add(finished, Ordering::Relaxed) + finished;
        let score = total.load(Ordering::Relaxed);
        observer.progress(SolveProgress { done, games: work.len(), score });
    };
    match options.effort {
        SolveBudget::Rounds { rounds, states } => {
            run_on_threads(options.threads, work.len(), |number| {
                work[number].find_first_solutions(None);
                work[number].improve_by_rounds(rounds, states, options.seed);
                work[number].complete_best(None);
                report(1);
            });
        }
        SolveBudget::Time { clock, limit } => {
            improve_in_time(
                &work,
                Deadline::new(clock, limit.mul_f64(SEARCH_FRACTION)),
                options,
                &report,
            );
            let until = Some(Deadline::new(clock, limit));
            run_on_threads(options.threads, work.len(), |number| work[number].complete_best(until));
        }
    }
    work.iter().map(GameSearch::best).collect()
}

/// Searches all games within a time limit: first a quick solution of each, then better ones, with a
/// share of the remaining time for each game.
///
/// If there are many games, or there is no time to reach their ends, one thread works on each; if there are
/// few, all threads work on the same game, so that none is idle at the end.
fn improve_in_time(
    work: &[GameSearch<'_>],
    until: Deadline<'_>,
    options: &SolveOptions<'_>,
    report: &(dyn Fn(usize) + Sync),
) {
    let threads = options.threads.max(1);
    // Entry i is the sum of the weights of game i and all later games, each increased by `base`.
    let base = BASE_SHARE * work.iter().map(GameSearch::weight).sum::<f64>() / work.len() as f64;
    let mut weight_from = vec![0.0; work.len() + 1];
    for (number, game) in work.iter().enumerate().rev() {
        weight_from[number] = weight_from[number + 1] + game.weight() + base;
    }
    let share = |number: usize| (work[number].weight() + base) / weight_from[number];
    // Threads that have no game of their own help with those of others.
    let spare = threads.saturating_sub(work.len()).min(work.len());
    run_on_threads(threads, work.len() + spare, |number| {
        let game = number % work.len();
        let first = until.part(FIRST_FRACTION * share(game) * threads.min(work.len()) as f64);
        if number < work.len() {
            work[game].find_first_solutions(Some(first));
        } else {
            work[game].assist_first_solutions(number / work.len(), first);
        }
        report(0);
    });
    let is_short = work.len() >= threads && work.iter().any(GameSearch::is_short);
    if is_short || work.len() >= 4 * threads {
        return run_on_threads(threads, work.len(), |number| {
            let until = until.part(share(number) * threads as f64);
            work[number].improve_until(until, 0, 1, options.seed);
            report(1);
        });
    }
    run_on_threads(threads, threads, |lane| {
        for (number, game) in work.iter().enumerate() {
            game.improve_until(until.part(share(number)), lane, threads, options.seed);
            report(usize::from(lane == 0));
        }
    });
}
