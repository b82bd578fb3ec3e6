//! Runs the solver on one game after the other, so that each can be replayed as soon as it is solved
//! and its best solution so far before that. Every game gets a share of the time left. When the
//! client disconnects, the clock jumps to the end and the solver stops at its next check.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::games::hextris::solver::baseline::BaselineWeights;
use ludion::games::hextris::solver::{self, SolveEffort, SolveMethod, SolveObserver, SolveOptions};
use ludion::games::hextris::{Phrases, Problem, SolutionScore};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ProblemReference, read_phrases};
use crate::lab::body::JsonBodyWithFiles;
use crate::lab::error::LabError;
use crate::lab::queued_task::{FinalEvent, QueuedTask, result_event, run_queued};
use crate::lab::{LabLimits, SharedLabState};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct SolveRequest {
    problem: ProblemReference,
    /// The games to solve; all by default.
    seeds: Option<Vec<u32>>,
    /// Time for all games together.
    seconds: f64,
    phrases: Option<Vec<String>>,
    #[serde(default)]
    solver: SolverKind,
    #[serde(default)]
    seed: u64,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum SolverKind {
    /// Beam search over placements, then spelling.
    #[default]
    Beam,
    /// The solver of the team TaupeGoons.
    Baseline,
}

/// A parsed request.
struct SolveTask {
    problem: Problem,
    phrases: Phrases,
    seeds: Vec<u32>,
    time: Duration,
    method: SolveMethod,
    seed: u64,
}

/// Events: `waiting`, at times `progress` and `better` (the best game so far), `solved` for each game,
/// `done`.
pub(in crate::lab) async fn solve(
    State(running): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<SolveRequest>,
) -> Result<impl IntoResponse, LabError> {
    let task = running.off(move |running| request.task(&running.limits)).await?;
    let limits = running.limits;
    run_queued(running, move |turn| task.work(turn, &limits))
}

impl SolveRequest {
    fn task(self, limits: &LabLimits) -> Result<SolveTask, LabError> {
        let most = limits.time.as_secs_f64();
        let seconds = self.seconds;
        if !(0.1..=most).contains(&seconds) {
            let sentence = format!("{seconds} seconds are not allowed; 0.1 to {most} are");
            return Err(LabError::Bad(sentence));
        }
        let problem = self.problem.read()?;
        let mut seeds = self.seeds.unwrap_or_else(|| problem.seeds().to_vec());
        seeds.iter().try_for_each(|&seed| super::replay::check_seed(&problem, seed))?;
        let mut seen = std::collections::HashSet::new();
        seeds.retain(|&seed| seen.insert(seed));
        Ok(SolveTask {
            problem,
            phrases: read_phrases(self.phrases.as_ref())?,
            seeds,
            time: Duration::from_secs_f64(seconds),
            method: match self.solver {
                SolverKind::Beam => SolveMethod::default(),
                SolverKind::Baseline => SolveMethod::Baseline(BaselineWeights::default()),
            },
            seed: self.seed,
        })
    }
}

/// Progress of the solver.
#[derive(Serialize)]
struct SolveProgressEvent {
    /// The game being solved.
    seed: u32,
    /// `first` before there is a solution, then `better`.
    stage: &'static str,
    /// The best score of the game so far.
    score: u64,
    done: usize,
    games: usize,
    seconds: f64,
}

/// A game with its best solution so far, or its final one.
#[derive(Serialize)]
struct SolvedEvent {
    seed: u32,
    commands: String,
    verdict: SolutionScore,
}

impl From<solver::SolvedGame> for SolvedEvent {
    fn from(solved: solver::SolvedGame) -> Self {
        SolvedEvent { seed: solved.seed, commands: solved.commands, verdict: solved.verdict }
    }
}

/// Interval of progress events.
const PACE: Duration = Duration::from_millis(150);
/// Interval of events with a better game.
const SHOWN: Duration = Duration::from_millis(700);

impl SolveTask {
    fn work(&self, turn: &QueuedTask<'_>, limits: &LabLimits) -> FinalEvent {
        let mut solved = Vec::new();
        for (done, &seed) in self.seeds.iter().enumerate() {
            if turn.is_over() {
                break;
            }
            let left = self.time.saturating_sub(turn.elapsed());
            let share = left / (self.seeds.len() - done) as u32;
            let game = self.game(seed, done, share, turn, limits);
            turn.events.try_send("solved", &game);
            solved.extend(game);
        }
        let seconds = turn.elapsed().as_secs_f64();
        let score = |seed: u32| {
            let own = solved.iter().find(|solved: &&SolvedEvent| solved.seed == seed);
            own.map_or(0, |solved| solved.verdict.score)
        };
        let mean = self.problem.mean(score);
        result_event("done", &json!({ "solved": solved, "seconds": seconds, "mean": mean }))
    }

    fn game(
        &self,
        seed: u32,
        done: usize,
        share: Duration,
        turn: &QueuedTask<'_>,
        limits: &LabLimits,
    ) -> Option<SolvedEvent> {
        let mut draft = self.problem.json().clone();
        draft.source_seeds = vec![seed.into()];
        let problem = [Problem::new(draft).expect("a problem with one of its seeds")];
        let began = Instant::now();
        let onlooker = StreamObserver { task: self, turn, seed, done, state: Mutex::default() };
        let clock = || {
            onlooker.tell();
            if turn.is_over() { share } else { began.elapsed() }
        };
        let options = SolveOptions {
            method: self.method,
            effort: SolveEffort::Time { clock: &clock, limit: share },
            threads: limits.threads as usize,
            megabytes: limits.megabytes as usize,
            seed: self.seed,
        };
        let solved = solver::solve(&problem, &self.phrases, &options, &onlooker).pop()?;
        Some(solved.into())
    }
}

/// Sends progress and the best solution so far to the page.
struct StreamObserver<'a> {
    task: &'a SolveTask,
    turn: &'a QueuedTask<'a>,
    seed: u32,
    done: usize,
    state: Mutex<SentState>,
}

/// The solutions found and sent so far.
#[derive(Default)]
struct SentState {
    told: Option<Instant>,
    shown: Option<Instant>,
    score: u64,
    /// A solution that is better than the last one sent.
    fresh: Option<SolvedEvent>,
}

impl StreamObserver<'_> {
    /// Sends progress, unless it was sent a moment ago.
    fn tell(&self) {
        let mut seen = self.state.lock().expect("no thread panics while it holds the state");
        let rested = |since: Option<Instant>, pace| since.is_none_or(|at| at.elapsed() >= pace);
        if !rested(seen.told, PACE) {
            return;
        }
        seen.told = Some(Instant::now());
        let stage = if seen.score > 0 || seen.shown.is_some() { "better" } else { "first" };
        let (games, seconds) = (self.task.seeds.len(), self.turn.elapsed().as_secs_f64());
        let (seed, score, done) = (self.seed, seen.score, self.done);
        let progress = SolveProgressEvent { seed, stage, score, done, games, seconds };
        self.turn.events.try_send("progress", &progress);
        if rested(seen.shown, SHOWN)
            && let Some(game) = seen.fresh.take()
        {
            seen.shown = seen.told;
            self.turn.events.try_send("better", &game);
        }
    }
}

impl SolveObserver for StreamObserver<'_> {
    fn progress(&self, _: solver::SolveProgress) {
        self.tell();
    }

    fn improved(&self, solved: &solver::SolvedGame) {
        let mut seen = self.state.lock().expect("nobody panics while telling");
        seen.score = solved.verdict.score;
        seen.fresh = Some(solved.clone().into());
    }
}
