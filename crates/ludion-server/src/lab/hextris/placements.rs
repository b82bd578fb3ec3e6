//! `POST /api/hextris/placements`: a picture of the placements that the next unit of an unfinished
//! solution can reach, as SVG, with the path to the one where the solution locks it.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use ludion_hextris::reached_picture::ReachedPicture;
use ludion_hextris::replay::ReplayEvent;
use ludion_hextris::solver::reached::ReachedPlacements;
use ludion_hextris::{HextrisSimulation, Placement, SolutionReplay};
use serde::Deserialize;

use super::replay::check_seed;
use super::{ProblemReference, read_phrases};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBodyWithFiles;
use crate::lab::error::LabError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct PlacementsRequest {
    problem: ProblemReference,
    seed: u32,
    solution: String,
    /// Number of units of the solution that lock before the one that is drawn.
    #[serde(default)]
    locked: usize,
    /// The phrases of power; the default is the contest's list.
    phrases: Option<Vec<String>>,
}

/// Serves `POST /api/hextris/placements`.
pub(in crate::lab) async fn placements(
    State(lab): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<PlacementsRequest>,
) -> Result<impl IntoResponse, LabError> {
    let svg = lab.blocking(move |_| {
        let problem = request.problem.read()?;
        let phrases = read_phrases(request.phrases.as_ref())?;
        check_seed(&problem, request.seed)?;
        let mut game = HextrisSimulation::new(&problem, request.seed);
        let mut replay = SolutionReplay::new(&problem, &phrases, request.seed, &request.solution);
        while game.locked() < request.locked && replay.next().is_some() {
            game = replay.game().clone();
        }
        let Some((unit, _)) = game.unit().filter(|_| game.locked() == request.locked) else {
            let locked = request.locked;
            return Err(LabError::Bad(format!("no unit comes after {locked} of this solution")));
        };
        let reached = ReachedPlacements::new(&problem, game.board(), unit, &phrases);
        // The solution may lock the unit elsewhere than the search would.
        let to = next_lock(&mut replay).and_then(|at| reached.find(at)).or(reached.chosen());
        let (board, width) = (game.board(), problem.width());
        Ok(ReachedPicture { board, width, reached: &reached, phrases: &phrases, to }.svg())
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?))
}

/// Returns where the solution locks its next unit.
fn next_lock(replay: &mut SolutionReplay<'_>) -> Option<Placement> {
    replay.find_map(|frame| match frame.event {
        ReplayEvent::Locked { lock, .. } => Some(lock.at),
        _ => None,
    })
}
