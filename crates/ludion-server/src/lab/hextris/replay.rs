//! `POST /api/hextris/replay`: replays a solution character by character. The answer contains the
//! placement of the unit after every character as arrays, and lists of the locks and the spelled
//! phrases. A page on which a person plays sends all commands so far, and asks only for the frames
//! from the first new character on and the legal next commands.

use axum::Json;
use axum::extract::State;
use ludion_hextris::commands::Command;
use ludion_hextris::replay::ReplayEvent;
use ludion_hextris::solutions::MAX_CHARACTERS;
use ludion_hextris::{
    HextrisReferee, HextrisSimulation, Phrases, Problem, SolutionReplay, SolutionScore,
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
    /// Index of the first character whose frame is wanted.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize)]
pub(in crate::lab) struct ReplayResponse {
    verdict: SolutionScore,
    /// The error of the solution as a sentence; `None` for a valid solution.
    complaint: Option<String>,
    /// The phrases of power, which `PhraseEvent` refers to by index.
    phrases: Vec<String>,
    frames: ReplayColumns,
    locks: Vec<LockEvent>,
    spelled: Vec<PhraseEvent>,
    /// Numbers of the units in the order of the game, up to a few after the current one.
    units: Vec<usize>,
    /// Whether each of the six commands is legal next, in the order of `Command::ALL`.
    legal: [bool; 6],
}

/// The state after each character from index `from` on, as one array for each quantity.
#[derive(Serialize, Default)]
struct ReplayColumns {
    from: usize,
    /// The effect of each character: `m` moved, `l` locked, `i` ignored, `e` error.
    what: String,
    /// Column of the unit's pivot after each character.
    x: Vec<i16>,
    /// Row of the unit's pivot after each character.
    y: Vec<i16>,
    /// Orientation of the unit after each character.
    turn: Vec<u8>,
    /// After each character, length of the longest prefix of a phrase with which the solution so
    /// far ends.
    spelling: Vec<usize>,
}

/// Lock of a unit: the character at index `at` locked it at its placement before this character.
#[derive(Serialize)]
struct LockEvent {
    at: usize,
    /// Number of rows cleared.
    lines: u32,
    points: u64,
}

/// Spelled phrase of power, which ends with the character at index `at`.
#[derive(Serialize)]
struct PhraseEvent {
    at: usize,
    /// Index of the phrase in the list of phrases.
    phrase: u16,
}

/// Number of units after the current one in the answer.
const UPCOMING_UNITS: usize = 5;

/// Serves `POST /api/hextris/replay`.
pub(in crate::lab) async fn replay(
    State(lab): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<ReplayRequest>,
) -> Result<Json<ReplayResponse>, LabError> {
    let response = lab.blocking(move |_| {
        let problem = request.problem.read()?;
        let phrases = read_phrases(request.phrases.as_ref())?;
        check_seed(&problem, request.seed)?;
        if request.solution.len() > MAX_CHARACTERS {
            return Err(LabError::Bad(format!(
                "the solution has {} characters; at most {MAX_CHARACTERS} are allowed",
                request.solution.len()
            )));
        }
        Ok(replay_response(&problem, &phrases, &request))
    });
    Ok(Json(response.await?))
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

/// Replays the solution and scores it.
fn replay_response(
    problem: &Problem,
    phrases: &Phrases,
    request: &ReplayRequest,
) -> ReplayResponse {
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
        // After the last unit there is no current one; its place is where it locked.
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
        units: problem.source(seed).take(verdict.locked + 1 + UPCOMING_UNITS).collect(),
        legal: legal(replay.game(), verdict.error.is_some()),
        verdict,
    }
}

/// Returns whether each command is legal next; none is after an error.
fn legal(run: &HextrisSimulation<'_>, failed: bool) -> [bool; 6] {
    Command::ALL.map(|command| !failed && run.clone().command(command).is_ok())
}
