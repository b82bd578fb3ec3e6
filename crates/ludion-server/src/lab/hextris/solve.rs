//! The solver at work, one game after the other, so that each can be replayed as soon as it is
//! done, and its best so far looked at before. Every game has its share of the time that is left. When nobody waits any more its clock
//! jumps to the end, and the solver stops at its next look.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::games::hextris::solver::baseline::Indicators;
use ludion::games::hextris::solver::{self, Effort, Method, Options, Watch};
use ludion::games::hextris::{Phrases, Problem, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Which, read_phrases};
use crate::lab::body::FileBody;
use crate::lab::reply::Refusal;
use crate::lab::turn::{Last, Turn, in_turn, told};
use crate::lab::{Limits, Shared};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct Request {
    problem: Which,
    /// Which of its games; all where nothing is said.
    seeds: Option<Vec<u32>>,
    /// For all of them together.
    seconds: f64,
    phrases: Option<Vec<String>>,
    #[serde(default)]
    solver: Kind,
    #[serde(default)]
    seed: u64,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Beams over placements, then spelling.
    #[default]
    Beam,
    /// As the course's team did.
    Baseline,
}

/// What is to be done.
struct Task {
    problem: Problem,
    phrases: Phrases,
    seeds: Vec<u32>,
    time: Duration,
    method: Method,
    seed: u64,
}

/// Events: `waiting`, now and then `progress` and `better`, the best game so far, `solved` for each
/// game, `done`.
pub(in crate::lab) async fn solve(
    State(running): State<Shared>,
    FileBody(request): FileBody<Request>,
) -> Result<impl IntoResponse, Refusal> {
    let task = running.off(move |running| request.task(&running.limits)).await?;
    let limits = running.limits;
    in_turn(running, move |turn| task.work(turn, &limits))
}

impl Request {
    fn task(self, limits: &Limits) -> Result<Task, Refusal> {
        let most = limits.time.as_secs_f64();
        let seconds = self.seconds;
        if !(0.1..=most).contains(&seconds) {
            let sentence = format!("{seconds} seconds are not allowed; 0.1 to {most} are");
            return Err(Refusal::Bad(sentence));
        }
        let problem = self.problem.read()?;
        let mut seeds = self.seeds.unwrap_or_else(|| problem.seeds().to_vec());
        seeds.iter().try_for_each(|&seed| super::replay::check_seed(&problem, seed))?;
        let mut seen = std::collections::HashSet::new();
        seeds.retain(|&seed| seen.insert(seed));
        Ok(Task {
            problem,
            phrases: read_phrases(self.phrases.as_ref())?,
            seeds,
            time: Duration::from_secs_f64(seconds),
            method: match self.solver {
                Kind::Beam => Method::default(),
                Kind::Baseline => Method::Baseline(Indicators::default()),
            },
            seed: self.seed,
        })
    }
}

/// How far it is.
#[derive(Serialize)]
struct Progress {
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
struct Solved {
    seed: u32,
    commands: String,
    verdict: Verdict,
}

impl From<solver::Solved> for Solved {
    fn from(solved: solver::Solved) -> Self {
        Solved { seed: solved.seed, commands: solved.commands, verdict: solved.verdict }
    }
}

/// How often it says how far it is.
const PACE: Duration = Duration::from_millis(150);
/// How often it shows a better game.
const SHOWN: Duration = Duration::from_millis(700);

impl Task {
    fn work(&self, turn: &Turn<'_>, limits: &Limits) -> Last {
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
            let own = solved.iter().find(|solved: &&Solved| solved.seed == seed);
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
        turn: &Turn<'_>,
        limits: &Limits,
    ) -> Option<Solved> {
        let mut draft = self.problem.draft().clone();
        draft.source_seeds = vec![seed.into()];
        let problem = [Problem::new(draft).expect("a problem with one of its seeds")];
        let began = Instant::now();
        let onlooker = Onlooker { task: self, turn, seed, done, state: Mutex::default() };
        let clock = || {
            onlooker.tell();
            if turn.is_over() { share } else { began.elapsed() }
        };
        let options = Options {
            method: self.method,
            effort: Effort::Time { clock: &clock, limit: share },
            threads: limits.threads as usize,
            megabytes: limits.megabytes as usize,
            seed: self.seed,
        };
        let solved = solver::solve(&problem, &self.phrases, &options, &onlooker).pop()?;
        Some(solved.into())
    }
}

/// Tells the page how far a game is, and its best solution so far.
struct Onlooker<'a> {
    task: &'a Task,
    turn: &'a Turn<'a>,
    seed: u32,
    done: usize,
    state: Mutex<Seen>,
}

/// What was found and told of a game.
#[derive(Default)]
struct Seen {
    told: Option<Instant>,
    shown: Option<Instant>,
    score: u64,
    /// Better than what was shown last.
    fresh: Option<Solved>,
}

impl Onlooker<'_> {
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
        let progress = Progress { seed, stage, score, done, games, seconds };
        self.turn.teller.mention("progress", &progress);
        if rested(seen.shown, SHOWN)
            && let Some(game) = seen.fresh.take()
        {
            seen.shown = seen.told;
            self.turn.teller.mention("better", &game);
        }
    }
}

impl Watch for Onlooker<'_> {
    fn progress(&self, _: solver::Progress) {
        self.tell();
    }

    fn better(&self, solved: &solver::Solved) {
        let mut seen = self.state.lock().expect("nobody panics while telling");
        seen.score = solved.verdict.score;
        seen.fresh = Some(solved.clone().into());
    }
}
