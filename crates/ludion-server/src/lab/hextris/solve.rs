//! The solver at work, one game after the other, so that each can be replayed as soon as it is
//! done, and its best so far looked at before. Every game has its share of the time that is left. When nobody waits any more its clock
//! jumps to the end, and the solver stops at its next look.

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
use crate::lab::queued_task::{FinalEvent, QueuedTask, in_turn, told};
use crate::lab::{LabLimits, SharedLabState};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct SolveRequest {
    problem: ProblemReference,
    /// Which of its games; all where nothing is said.
    seeds: Option<Vec<u32>>,
    /// For all of them together.
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
    /// Beams over placements, then spelling.
    #[default]
    Beam,
    /// As the course's team did.
    Baseline,
}

/// What is to be done.
struct SolveTask {
    problem: Problem,
    phrases: Phrases,
    seeds: Vec<u32>,
    time: Duration,
    method: SolveMethod,
    seed: u64,
}

/// Events: `waiting`, now and then `progress` and `better`, the best game so far, `solved` for each
/// game, `done`.
pub(in crate::lab) async fn solve(
    State(running): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<SolveRequest>,
) -> Result<impl IntoResponse, LabError> {
    let task = running.off(move |running| request.task(&running.limits)).await?;
    let limits = running.limits;
    in_turn(running, move |turn| task.work(turn, &limits))
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

/// How far it is.
#[derive(Serialize)]
struct SolveProgressEvent {
    /// The game that is worked at.
    seed: u32,
    /// `first`: there is no answer yet; `better`: there is, and it is improved.
    stage: &'static str,
    /// The score of that game so far.
    score: u64,
    done: usize,
    games: usize,
    seconds: f64,
}

/// A game as it is solved, so far or for good.
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

/// How often it says how far it is.
const PACE: Duration = Duration::from_millis(150);
/// How often it shows a better game.
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
            turn.teller.mention("solved", &game);
            solved.extend(game);
        }
        let seconds = turn.elapsed().as_secs_f64();
        let score = |seed: u32| {
            let own = solved.iter().find(|solved: &&SolvedEvent| solved.seed == seed);
            own.map_or(0, |solved| solved.verdict.score)
        };
        let mean = self.problem.mean(score);
        told("done", &json!({ "solved": solved, "seconds": seconds, "mean": mean }))
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

/// Tells the page how far a game is, and its best solution so far.
struct StreamObserver<'a> {
    task: &'a SolveTask,
    turn: &'a QueuedTask<'a>,
    seed: u32,
    done: usize,
    state: Mutex<SentState>,
}

/// What was found and told of a game.
#[derive(Default)]
struct SentState {
    told: Option<Instant>,
    shown: Option<Instant>,
    score: u64,
    /// Better than what was shown last.
    fresh: Option<SolvedEvent>,
}

impl StreamObserver<'_> {
    /// Says how things stand, unless that was said a moment ago.
    fn tell(&self) {
        let mut seen = self.state.lock().expect("nobody panics while telling");
        let rested = |since: Option<Instant>, pace| since.is_none_or(|at| at.elapsed() >= pace);
        if !rested(seen.told, PACE) {
            return;
        }
        seen.told = Some(Instant::now());
        let stage = if seen.score > 0 || seen.shown.is_some() { "better" } else { "first" };
        let (games, seconds) = (self.task.seeds.len(), self.turn.elapsed().as_secs_f64());
        let (seed, score, done) = (self.seed, seen.score, self.done);
        let progress = SolveProgressEvent { seed, stage, score, done, games, seconds };
        self.turn.teller.mention("progress", &progress);
        if rested(seen.shown, SHOWN)
            && let Some(game) = seen.fresh.take()
        {
            seen.shown = seen.told;
            self.turn.teller.mention("better", &game);
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
