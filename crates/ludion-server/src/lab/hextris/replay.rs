//! Replays a solution character by character, in columns: the placement of the unit after every
//! character, and separately the locks and the spelled phrases. A page on which a person plays sends
//! all its commands and asks for the new part and the legal next commands.

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
    /// The phrases of power; the default is the contest's list.
    phrases: Option<Vec<String>>,
    /// Index of the first character to report.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize)]
pub(in crate::lab) struct ReplayResponse {
    verdict: SolutionScore,
    /// The error as a sentence.
    complaint: Option<String>,
    phrases: Vec<String>,
    frames: ReplayColumns,
    locks: Vec<LockEvent>,
    spelled: Vec<PhraseEvent>,
    /// The kinds of the units so far and of the next few, in order.
    units: Vec<usize>,
    /// Which of the six commands are legal next.
    legal: [bool; 6],
}

/// One entry for every character from `from` on.
#[derive(Serialize, Default)]
struct ReplayColumns {
    from: usize,
    /// `m` moved, `l` locked, `i` ignored, `e` error.
    what: String,
    x: Vec<i16>,
    y: Vec<i16>,
    turn: Vec<u8>,
    /// Number of characters up to this one that are the beginning of a phrase.
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

/// Number of units that are reported beyond the current one.
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

/// Rejects a seed that the problem does not have.
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
        // After the last unit, the placement is where it locked.
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
