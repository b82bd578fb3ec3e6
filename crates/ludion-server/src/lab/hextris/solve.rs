//! `POST /api/hextris/solve`: runs the solver on one game after the other and sends the best
//! solution so far of each. Every game gets an equal share of the time left. The solver stops by
//! its clock alone; when the client disconnects, the clock jumps to the end.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_hextris::solver::baseline::BaselineWeights;
use ludion_hextris::solver::{self, SolveBudget, SolveMethod, SolveObserver, SolveOptions};
use ludion_hextris::{Phrases, Problem, SolutionScore};
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
    /// The seeds of the games to solve; by default all seeds of the problem.
    seeds: Option<Vec<u32>>,
    /// Time for all games together, in seconds.
    seconds: f64,
    /// The phrases of power; the default is the contest's list.
    phrases: Option<Vec<String>>,
    #[serde(default)]
    solver: SolverKind,
    /// The seed of the solver's random choices.
    #[serde(default)]
    seed: u64,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum SolverKind {
    /// Beam search over placements, then commands that spell phrases of power.
    #[default]
    Beam,
    /// The solver of the contest's team TaupeGoons, which places one unit at a time.
    Baseline,
}

/// A checked request to solve games of a problem.
struct SolveTask {
    problem: Problem,
    phrases: Phrases,
    seeds: Vec<u32>,
    time: Duration,
    method: SolveMethod,
    seed: u64,
}

/// Serves `POST /api/hextris/solve`. Events: `waiting` while too many searches run, `progress` and
/// `better` (the best solution so far of the current game) at intervals, `solved` after each game,
/// and `done` with all solutions.
pub(in crate::lab) async fn solve(
    State(lab): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<SolveRequest>,
) -> Result<impl IntoResponse, LabError> {
    let task = lab.blocking(move |lab| request.task(&lab.limits)).await?;
    let limits = lab.limits;
    run_queued(lab, move |queued_task| task.run(queued_task, &limits))
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

/// Data of the event `progress`: how far the solver is.
#[derive(Serialize)]
struct SolveProgressEvent {
    /// The seed of the game that is being solved.
    seed: u32,
    /// `first` until there is a solution of the current game, then `better`.
    stage: &'static str,
    /// The best score so far of the current game.
    score: u64,
    /// Number of games that are solved.
    done: usize,
    /// Number of games to solve.
    games: usize,
    /// Seconds since the solver began.
    seconds: f64,
}

/// A game with its best solution so far (event `better`) or its final one (event `solved`).
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

/// Shortest time between two events `progress`.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(150);
/// Shortest time between two events `better`.
const SOLUTION_INTERVAL: Duration = Duration::from_millis(700);

impl SolveTask {
    /// Solves the games one after the other; returns the event with all solutions.
    fn run(&self, queued_task: &QueuedTask<'_>, limits: &LabLimits) -> FinalEvent {
        let mut solved = Vec::new();
        for (done, &seed) in self.seeds.iter().enumerate() {
            if queued_task.is_over() {
                break;
            }
            let left = self.time.saturating_sub(queued_task.elapsed());
            let share = left / (self.seeds.len() - done) as u32;
            let game = self.solve_game(seed, done, share, queued_task, limits);
            queued_task.events.try_send("solved", &game);
            solved.extend(game);
        }
        let seconds = queued_task.elapsed().as_secs_f64();
        let score = |seed: u32| {
            let own = solved.iter().find(|solved: &&SolvedEvent| solved.seed == seed);
            own.map_or(0, |solved| solved.verdict.score)
        };
        let mean = self.problem.mean(score);
        result_event("done", &json!({ "solved": solved, "seconds": seconds, "mean": mean }))
    }

    /// Solves the game of one seed within the time `share`; `done` games are solved already.
    fn solve_game(
        &self,
        seed: u32,
        done: usize,
        share: Duration,
        queued_task: &QueuedTask<'_>,
        limits: &LabLimits,
    ) -> Option<SolvedEvent> {
        let mut draft = self.problem.json().clone();
        draft.source_seeds = vec![seed.into()];
        let problem = [Problem::new(draft).expect("a problem with one of its seeds")];
        let began = Instant::now();
        let observer =
            StreamObserver { task: self, queued_task, seed, done, state: Mutex::default() };
        let clock = || {
            observer.send_progress();
            if queued_task.is_over() { share } else { began.elapsed() }
        };
        let options = SolveOptions {
            method: self.method,
            effort: SolveBudget::Time { clock: &clock, limit: share },
            threads: limits.threads as usize,
            megabytes: limits.megabytes as usize,
            seed: self.seed,
        };
        let solved = solver::solve(&problem, &self.phrases, &options, &observer).pop()?;
        Some(solved.into())
    }
}

/// Sends progress and the best solution so far of one game to the client.
struct StreamObserver<'a> {
    task: &'a SolveTask,
    queued_task: &'a QueuedTask<'a>,
    seed: u32,
    done: usize,
    state: Mutex<SentState>,
}

/// Best solution of one game so far, and when events were last sent.
#[derive(Default)]
struct SentState {
    /// When progress was sent last.
    progress_sent: Option<Instant>,
    /// When a solution was sent last.
    solution_sent: Option<Instant>,
    /// The score of the best solution so far.
    score: u64,
    /// The best solution so far, if it was not sent yet.
    unsent: Option<SolvedEvent>,
}

impl StreamObserver<'_> {
    /// Sends the event `progress`, and `better` if there is a new best solution, but each at most
    /// once in its interval.
    fn send_progress(&self) {
        let mut seen = self.state.lock().expect("no thread panics while it holds the state");
        let is_due =
            |since: Option<Instant>, interval| since.is_none_or(|at| at.elapsed() >= interval);
        if !is_due(seen.progress_sent, PROGRESS_INTERVAL) {
            return;
        }
        seen.progress_sent = Some(Instant::now());
        let stage = if seen.score > 0 || seen.solution_sent.is_some() { "better" } else { "first" };
        let (games, seconds) = (self.task.seeds.len(), self.queued_task.elapsed().as_secs_f64());
        let (seed, score, done) = (self.seed, seen.score, self.done);
        let progress = SolveProgressEvent { seed, stage, score, done, games, seconds };
        self.queued_task.events.try_send("progress", &progress);
        if is_due(seen.solution_sent, SOLUTION_INTERVAL)
            && let Some(game) = seen.unsent.take()
        {
            seen.solution_sent = seen.progress_sent;
            self.queued_task.events.try_send("better", &game);
        }
    }
}

impl SolveObserver for StreamObserver<'_> {
    fn progress(&self, _: solver::SolveProgress) {
        self.send_progress();
    }

    fn improved(&self, solved: &solver::SolvedGame) {
        let mut seen = self.state.lock().expect("no thread panics while it holds the state");
        seen.score = solved.verdict.score;
        seen.unsent = Some(solved.clone().into());
    }
}
