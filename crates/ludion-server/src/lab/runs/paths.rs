//! Extractors for numbers in the path of a request: of a run, of a game, of a problem of hexagonal
//! Tetris, of a team, of a submission.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use ludion_store::RunId;

use crate::lab::SharedLabState;
use crate::lab::error::LabError;

/// Extracts the id of the run in a path.
pub(crate) struct RunPath(pub(crate) RunId);

impl FromRequestParts<SharedLabState> for RunPath {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &SharedLabState,
    ) -> Result<Self, LabError> {
        let texts = texts(parts, shared).await?;
        Ok(RunPath(read(texts.first(), "run")?))
    }
}

/// Extracts the id of the run and the number of its game in a path.
pub(crate) struct GamePath(pub(crate) RunId, pub(crate) u64);

impl FromRequestParts<SharedLabState> for GamePath {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &SharedLabState,
    ) -> Result<Self, LabError> {
        let texts = texts(parts, shared).await?;
        Ok(GamePath(read(texts.first(), "run")?, read(texts.get(1), "game")?))
    }
}

/// Extracts the number of a problem of hexagonal Tetris in a path.
pub(crate) struct ProblemPath(pub(crate) u64);

impl FromRequestParts<SharedLabState> for ProblemPath {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &SharedLabState,
    ) -> Result<Self, LabError> {
        Ok(ProblemPath(read(texts(parts, shared).await?.first(), "problem")?))
    }
}

/// Extracts the number of a team in a path.
pub(crate) struct TeamPath(pub(crate) i64);

impl FromRequestParts<SharedLabState> for TeamPath {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &SharedLabState,
    ) -> Result<Self, LabError> {
        Ok(TeamPath(read(texts(parts, shared).await?.first(), "team")?))
    }
}

/// Extracts the number of a submission in a path.
pub(crate) struct SubmissionPath(pub(crate) i64);

impl FromRequestParts<SharedLabState> for SubmissionPath {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &SharedLabState,
    ) -> Result<Self, LabError> {
        Ok(SubmissionPath(read(texts(parts, shared).await?.first(), "submission")?))
    }
}

/// Returns the parameters of the path as text, in order.
async fn texts(parts: &mut Parts, shared: &SharedLabState) -> Result<Vec<String>, LabError> {
    let Path(texts) = Path::<Vec<String>>::from_request_parts(parts, shared)
        .await
        .map_err(|_| LabError::Unknown("there is no such path".to_owned()))?;
    Ok(texts)
}

/// Parses a parameter of the path; `what` names it in the error message.
fn read<T: std::str::FromStr>(text: Option<&String>, what: &str) -> Result<T, LabError> {
    let text = text.map_or("", String::as_str);
    text.parse().map_err(|_| LabError::Unknown(format!("there is no {what} {text:?}")))
}
