//! A solution character by character, in columns: for every character where the unit is after
//! it, and apart from these what locked and what was spelled. A page that plays sends the whole
//! of its commands and asks for what is new, and which commands may come next.

use axum::Json;
use axum::extract::State;
use ludion::games::hextris::commands::Command;
use ludion::games::hextris::replay::ReplayEvent;
use ludion::games::hextris::solutions::MAX_CHARACTERS;
use ludion::games::hextris::{
    HextrisGame, HextrisReferee, Phrases, Problem, SolutionReplay, SolutionScore,
};
use serde::{Deserialize, Serialize};

use super::{ProblemReference, read_phrases};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBodyWithFiles;
use crate::lab::error::LabError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ReplayRequest {
    problem: ProblemReference,
    seed: u32,
    solution: String,
    /// The phrases that have power; those of the contest where nothing is said.
    phrases: Option<Vec<String>>,
    /// The first character that is told of.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize)]
pub(in crate::lab) struct ReplayResponse {
    verdict: SolutionScore,
    /// What was wrong, in words.
    complaint: Option<String>,
    phrases: Vec<String>,
    frames: ReplayColumns,
    locks: Vec<LockEvent>,
    spelled: Vec<PhraseEvent>,
    /// The kinds of the units in their order, as far as they came and some more.
    units: Vec<usize>,
    /// Which of the six commands may come next.
    legal: [bool; 6],
}

/// A column entry for every character from `from` on.
#[derive(Serialize, Default)]
struct ReplayColumns {
    from: usize,
    /// `m` moved, `l` locked, `i` run_context nothing, `e` an error.
    what: String,
    x: Vec<i16>,
    y: Vec<i16>,
    turn: Vec<u8>,
    /// How many characters up to it begin a phrase.
    spelling: Vec<usize>,
}

/// A unit locked where it was before this character.
#[derive(Serialize)]
struct LockEvent {
    at: usize,
    lines: u32,
    points: u64,
}

/// A phrase ends with this character.
#[derive(Serialize)]
struct PhraseEvent {
    at: usize,
    phrase: u16,
}

/// Units that are told of beyond the one that waits.
const NEXT: usize = 5;

/// `POST /api/hextris/replay`.
pub(in crate::lab) async fn replay(
    State(running): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<ReplayRequest>,
) -> Result<Json<ReplayResponse>, LabError> {
    let told = running.off(move |_| {
        let problem = request.problem.read()?;
        let phrases = read_phrases(request.phrases.as_ref())?;
        check_seed(&problem, request.seed)?;
        if request.solution.len() > MAX_CHARACTERS {
            return Err(LabError::Bad(format!(
                "the solution has {} characters; at most {MAX_CHARACTERS} are allowed",
                request.solution.len()
            )));
        }
        Ok(tell(&problem, &phrases, &request))
    });
    Ok(Json(told.await?))
}

/// Refuses a seed that the problem does not have.
pub(super) fn check_seed(problem: &Problem, seed: u32) -> Result<(), LabError> {
    if problem.seeds().contains(&seed) {
        return Ok(());
    }
    let seeds: Vec<String> = problem.seeds().iter().take(20).map(u32::to_string).collect();
    let all = if problem.seeds().len() > seeds.len() { " and more" } else { "" };
    let seeds = seeds.join(", ");
    Err(LabError::Bad(format!("the problem has no seed {seed}; it has {seeds}{all}")))
}

fn tell(problem: &Problem, phrases: &Phrases, request: &ReplayRequest) -> ReplayResponse {
    let ReplayRequest { seed, ref solution, from, .. } = *request;
    let mut replay = SolutionReplay::new(problem, phrases, seed, solution);
    let mut frames = ReplayColumns { from, ..ReplayColumns::default() };
    let (mut locks, mut spelled) = (Vec::new(), Vec::new());
    while let Some(frame) = replay.next() {
        if frame.at < from {
            continue;
        }
        frames.what.push(match frame.event {
            ReplayEvent::Ignored => 'i',
            ReplayEvent::Moved { .. } => 'm',
            ReplayEvent::Locked { .. } => 'l',
            ReplayEvent::Error { .. } => 'e',
        });
        // Where nothing waits any more the unit is where it locked.
        let at = match (replay.game().unit(), frame.event) {
            (Some((_, at)), _) => at,
            (None, ReplayEvent::Locked { lock, .. }) => lock.at,
            (None, _) => problem.units()[0].spawn(),
        };
        frames.x.push(at.x);
        frames.y.push(at.y);
        frames.turn.push(at.turn);
        frames.spelling.push(frame.spelling);
        if let ReplayEvent::Locked { lock, .. } = frame.event {
            locks.push(LockEvent { at: frame.at, lines: lock.lines, points: lock.points });
        }
        let ends = frame.spelled.iter().map(|&phrase| PhraseEvent { at: frame.at, phrase });
        spelled.extend(ends);
    }
    let verdict = HextrisReferee::new(problem, phrases).score(seed, solution);
    ReplayResponse {
        complaint: verdict.error_message(),
        phrases: phrases.list().to_vec(),
        frames,
        locks,
        spelled,
        units: problem.source(seed).take(verdict.locked + 1 + NEXT).collect(),
        legal: legal(replay.game(), verdict.error.is_some()),
        verdict,
    }
}

fn legal(run: &HextrisGame<'_>, failed: bool) -> [bool; 6] {
    Command::ALL.map(|command| !failed && run.clone().command(command).is_ok())
}
