//! Playing hexagonal Tetris well. Where the units lock is found first, by beams over placements
//! ([`beam`]); what a game spells on the way down is a question of its own, asked when that is
//! known ([`spell`]). [`solve`] shares time and threads over games and stages: every game has a
//! complete answer soon, then better ones. What it gives out the referee has scored.

pub mod baseline;
pub mod beam;
pub mod clock;
pub mod evaluation;
mod game_search;
mod lock_evaluator;
pub mod mover;
pub mod prepared;
pub mod reach;
pub mod row_word;
pub mod spell;
pub mod styles;
pub mod tuning;
mod unit_paths;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::phrases::Phrases;
use super::problem::Problem;
use super::referee::{HextrisReferee, SolutionScore};
use baseline::BaselineWeights;
use clock::{Deadline, ElapsedClock};
use evaluation::BoardWeights;
use game_search::{GameSearch, SearchSetup};
use prepared::AnyPreparedProblem;
use spell::Speller;

/// Megabytes of the program itself.
const PROGRAM: usize = 16;
/// The part of the time after which games that break off are only gone on with.
const SEARCHED: f64 = 0.995;
/// What every game gets of the time, beside its own share: this part of the mean.
const MIN_SHARE: f64 = 0.2;

/// Which solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SolveMethod {
    /// That of the course's team.
    Baseline(BaselineWeights),
    /// Beams and spelling; these weights first.
    Beam(BoardWeights),
}

impl Default for SolveMethod {
    fn default() -> Self {
        SolveMethod::Beam(BoardWeights::default())
    }
}

/// When to stop.
#[derive(Clone, Copy)]
pub enum SolveEffort<'a> {
    /// After so many beams of so many states a game: the same whenever and wherever it runs.
    Rounds {
        /// Beams.
        rounds: usize,
        /// States of each.
        states: usize,
    },
    /// When the clock shows this, for all games together.
    Time {
        /// The clock.
        clock: ElapsedClock<'a>,
        /// What it must not show before the end.
        limit: Duration,
    },
}

/// How to solve.
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Which solver.
    pub method: SolveMethod,
    /// When to stop.
    pub effort: SolveEffort<'a>,
    /// How many threads.
    pub threads: usize,
    /// How much memory, for all threads together.
    pub megabytes: usize,
    /// What all randomness is drawn from.
    pub seed: u64,
}

/// A game of a problem, solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedGame {
    /// Which of the problems, from 0.
    pub problem: usize,
    /// Which of its seeds.
    pub seed: u32,
    /// The commands.
    pub commands: String,
    /// What the referee says.
    pub verdict: SolutionScore,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveProgress {
    /// Games done, for which nothing more will be tried.
    pub done: usize,
    /// Games.
    pub games: usize,
    /// The scores of all games together so far.
    pub score: u64,
}

/// Somebody who looks on, told by any thread. A function of progress is one.
pub trait SolveObserver: Sync {
    /// How far it has come.
    fn progress(&self, progress: SolveProgress);

    /// A game is solved better than before.
    fn better(&self, _solved: &SolvedGame) {}
}

impl<F: Fn(SolveProgress) + Sync> SolveObserver for F {
    fn progress(&self, progress: SolveProgress) {
        self(progress);
    }
}

/// Solves every game of `problems`, a seed that is listed twice once, in their order.
pub fn solve(
    problems: &[Problem],
    phrases: &Phrases,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let games = games(problems);
    match options.method {
        SolveMethod::Baseline(weights) => {
            by_baseline(problems, phrases, &games, &weights, options, observer)
        }
        SolveMethod::Beam(weights) => {
            by_beam(problems, phrases, &games, weights, options, observer)
        }
    }
}

/// Problem and seed of every game.
fn games(problems: &[Problem]) -> Vec<(usize, u32)> {
    let mut known = HashSet::new();
    let all = problems.iter().enumerate();
    let all = all.flat_map(|(number, problem)| problem.seeds().iter().map(move |&s| (number, s)));
    all.filter(|&game| known.insert(game)).collect()
}

/// Does `work` for the numbers below `count`, each once, on several threads.
fn on_threads(threads: usize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    work(number);
                }
            });
        }
    });
}

fn by_baseline(
    problems: &[Problem],
    phrases: &Phrases,
    games: &[(usize, u32)],
    weights: &BaselineWeights,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let late = || match options.effort {
        SolveEffort::Rounds { .. } => false,
        SolveEffort::Time { clock, limit } => clock() >= limit,
    };
    let solved: Vec<std::sync::OnceLock<SolvedGame>> =
        games.iter().map(|_| Default::default()).collect();
    let (done, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    on_threads(options.threads, games.len(), |number| {
        let (problem, seed) = games[number];
        let game = (&problems[problem], phrases, seed);
        let commands = baseline::go_on(game, "", weights, &late);
        let verdict = HextrisReferee::new(&problems[problem], phrases).judge(seed, &commands);
        let score = total.fetch_add(verdict.score, Ordering::Relaxed) + verdict.score;
        let game = SolvedGame { problem, seed, commands, verdict };
        observer.better(&game);
        let _ = solved[number].set(game);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        observer.progress(SolveProgress { done, games: games.len(), score });
    });
    let done = solved.into_iter().map(std::sync::OnceLock::into_inner);
    done.map(|solved| solved.expect("every game was played")).collect()
}

fn by_beam(
    problems: &[Problem],
    phrases: &Phrases,
    games: &[(usize, u32)],
    weights: BoardWeights,
    options: &SolveOptions<'_>,
    observer: &dyn SolveObserver,
) -> Vec<SolvedGame> {
    let grounds: Vec<AnyPreparedProblem> = problems.iter().map(AnyPreparedProblem::new).collect();
    // Half for what the beams keep, half for spelling and all the rest.
    let megabytes = options.megabytes.saturating_sub(PROGRAM).max(1);
    let bytes = megabytes * (1 << 19) / options.threads.max(1);
    let (speller, total) = (Speller::new(phrases), AtomicU64::new(0));
    let setting = |number: usize| SearchSetup {
        number,
        problem: &problems[number],
        phrases,
        speller: &speller,
        ground: &grounds[number],
        weights,
        bytes,
        total: &total,
        observer,
    };
    let work: Vec<GameSearch<'_>> =
        games.iter().map(|&(problem, seed)| GameSearch::new(setting(problem), seed)).collect();
    let done = AtomicUsize::new(0);
    let tell = |finished: usize| {
        let done = done.fetch_add(finished, Ordering::Relaxed) + finished;
        let score = total.load(Ordering::Relaxed);
        observer.progress(SolveProgress { done, games: work.len(), score });
    };
    match options.effort {
        SolveEffort::Rounds { rounds, states } => {
            on_threads(options.threads, work.len(), |number| {
                work[number].begin(None);
                work[number].improve_by_rounds(rounds, states, options.seed);
                work[number].go_on(None);
                tell(1);
            })
        }
        SolveEffort::Time { clock, limit } => {
            in_time(&work, Deadline::new(clock, limit.mul_f64(SEARCHED)), options, &tell);
            let until = Some(Deadline::new(clock, limit));
            on_threads(options.threads, work.len(), |number| work[number].go_on(until));
        }
    }
    work.iter().map(GameSearch::best).collect()
}

/// All games within one time: first each quickly, then each for its share of what is left. Of
/// many games a thread has one to itself; of few all threads work on the same, so that none
/// has nothing to do in the end.
fn in_time(
    work: &[GameSearch<'_>],
    until: Deadline<'_>,
    options: &SolveOptions<'_>,
    tell: &(dyn Fn(usize) + Sync),
) {
    let threads = options.threads.max(1);
    // How much work a game is, small ones beside large ones not too little, and all after it.
    let least = MIN_SHARE * work.iter().map(GameSearch::weight).sum::<f64>() / work.len() as f64;
    let mut after = vec![0.0; work.len() + 1];
    for (number, game) in work.iter().enumerate().rev() {
        after[number] = after[number + 1] + game.weight() + least;
    }
    let share = |number: usize| (work[number].weight() + least) / after[number];
    on_threads(threads, work.len(), |number| {
        work[number].begin(Some(until.part(share(number) * 0.3 * threads as f64)));
        tell(0);
    });
    if work.len() >= 4 * threads {
        return on_threads(threads, work.len(), |number| {
            let until = until.part(share(number) * threads as f64);
            work[number].improve_until(until, 0, 1, options.seed);
            tell(1);
        });
    }
    on_threads(threads, threads, |lane| {
        for (number, game) in work.iter().enumerate() {
            game.improve_until(until.part(share(number)), lane, threads, options.seed);
            tell(usize::from(lane == 0));
        }
    });
}
