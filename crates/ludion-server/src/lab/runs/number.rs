//! The number of a run, and of a game, in the path of a request.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use ludion_store::RunId;

use crate::lab::Shared;
use crate::lab::reply::Refusal;

/// A run that a path names.
pub(crate) struct Number(pub(crate) RunId);

impl FromRequestParts<Shared> for Number {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let texts = texts(parts, shared).await?;
        Ok(Number(read(texts.first(), "run")?))
    }
}

/// A game of a run that a path names.
pub(crate) struct GameNumber(pub(crate) RunId, pub(crate) u64);

impl FromRequestParts<Shared> for GameNumber {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let texts = texts(parts, shared).await?;
        Ok(GameNumber(read(texts.first(), "run")?, read(texts.get(1), "game")?))
    }
}

async fn texts(parts: &mut Parts, shared: &Shared) -> Result<Vec<String>, Refusal> {
    let Path(texts) = Path::<Vec<String>>::from_request_parts(parts, shared)
        .await
        .map_err(|_| Refusal::Unknown("there is no such path".to_owned()))?;
    Ok(texts)
}

fn read<T: std::str::FromStr>(text: Option<&String>, what: &str) -> Result<T, Refusal> {
    let text = text.map_or("", String::as_str);
    text.parse().map_err(|_| Refusal::Unknown(format!("there is no {what} {text:?}")))
}
