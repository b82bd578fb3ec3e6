//! `GET /api/hextris` and `POST /api/hextris/problem`: the list of built-in problems, and one
//! problem with its board and units.

use axum::Json;
use axum::extract::State;
use ludion_hextris::commands::Command;
use ludion_hextris::problems::{NamedProblem, PROBLEMS};
use ludion_hextris::{KNOWN_PHRASES, Placement, ProblemSummary, Unit};
use serde::{Deserialize, Serialize};

use super::ProblemReference;
use crate::lab::SharedLabState;
use crate::lab::body::JsonBodyWithFiles;
use crate::lab::error::LabError;

/// The answer of `GET /api/hextris`: built-in problems, phrases and command characters.
#[derive(Serialize)]
pub(in crate::lab) struct ProblemsResponse {
    problems: Vec<ListedProblem>,
    /// The phrases of power of the contest.
    phrases: &'static [&'static str],
    commands: Vec<CommandCharacters>,
}

/// A built-in problem.
#[derive(Serialize)]
struct ListedProblem {
    name: &'static str,
    help: &'static str,
    #[serde(flatten)]
    about: ProblemSummary,
}

/// A command and the characters that encode it.
#[derive(Serialize)]
struct CommandCharacters {
    name: &'static str,
    characters: &'static str,
}

/// Serves `GET /api/hextris`.
pub(in crate::lab) async fn problems(
    State(lab): State<SharedLabState>,
) -> Result<Json<ProblemsResponse>, LabError> {
    let listed = |named: &NamedProblem| {
        let (name, help) = (named.name, named.help);
        ListedProblem { name, help, about: named.problem().summary() }
    };
    let spelled = |c: &Command| CommandCharacters { name: c.name(), characters: c.characters() };
    let all = lab.blocking(move |_| {
        Ok(ProblemsResponse {
            problems: PROBLEMS.iter().map(listed).collect(),
            phrases: &KNOWN_PHRASES,
            commands: Command::ALL.iter().map(spelled).collect(),
        })
    });
    Ok(Json(all.await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ProblemRequest {
    problem: ProblemReference,
}

/// A problem with everything that a page draws.
#[derive(Serialize)]
pub(in crate::lab) struct ProblemResponse {
    #[serde(flatten)]
    about: ProblemSummary,
    /// The board at the beginning, row by row; `#` is a full cell, `.` an empty one.
    rows: Vec<String>,
    /// The units in the order of their numbers.
    shapes: Vec<UnitPicture>,
}

/// A unit of a problem, as a page draws it.
#[derive(Serialize)]
struct UnitPicture {
    /// Where the unit enters the board.
    spawn: Placement,
    /// The cells of the unit in each of its orientations, as axial coordinates (q, r) relative to
    /// the pivot. Unlike columns, these do not depend on the parity of the row.
    turns: Vec<Vec<[i32; 2]>>,
}

/// Serves `POST /api/hextris/problem`.
pub(in crate::lab) async fn problem(
    State(lab): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<ProblemRequest>,
) -> Result<Json<ProblemResponse>, LabError> {
    let drawn = lab.blocking(move |_| {
        let problem = request.problem.read()?;
        let row = |row: &u128| {
            let full = |x: usize| if row >> x & 1 == 1 { '#' } else { '.' };
            (0..problem.width()).map(full).collect()
        };
        Ok(ProblemResponse {
            about: problem.summary(),
            rows: problem.board().iter().map(row).collect(),
            shapes: problem.units().iter().map(shape).collect(),
        })
    });
    Ok(Json(drawn.await?))
}

fn shape(unit: &Unit) -> UnitPicture {
    let turn = |turn: u8| {
        let cells = unit.cells(Placement { x: 0, y: 0, turn });
        cells.map(|(x, y)| [x - (y >> 1), y]).collect()
    };
    UnitPicture { spawn: unit.spawn(), turns: (0..unit.turns()).map(turn).collect() }
}
