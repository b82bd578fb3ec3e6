//! What a request says, as JSON or in its address, with refusals that are sentences and name the
//! field.

use std::error::Error;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

use super::Shared;
use super::reply::Refusal;

/// What was sent.
pub(crate) struct Body<T>(pub(crate) T);

/// What was sent, where files of somebody's own may be part of it.
pub(crate) struct FileBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, running: &Shared) -> Result<Self, Refusal> {
        read(request, running, running.limits.body_bytes).await.map(Body)
    }
}

impl<T: DeserializeOwned> FromRequest<Shared> for FileBody<T> {
    type Rejection = Refusal;

    async fn from_request(mut request: Request, running: &Shared) -> Result<Self, Refusal> {
        let most = running.limits.file_bytes;
        DefaultBodyLimit::max(most).apply(&mut request);
        read(request, running, most).await.map(FileBody)
    }
}

async fn read<T: DeserializeOwned>(
    request: Request,
    running: &Shared,
    most: usize,
) -> Result<T, Refusal> {
    let bytes = Bytes::from_request(request, running).await.map_err(|e| refusal(e, most))?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let body = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (at, why) = (error.path().to_string(), error.inner());
        if why.is_eof() || why.is_syntax() {
            return Refusal::Bad(format!("the request is no JSON: {why}"));
        }
        let place = if [".", "?"].contains(&&at[..]) { String::new() } else { format!("{at}: ") };
        Refusal::Bad(format!("the request does not read: {place}{why}"))
    })?;
    json.end().map_err(|error| Refusal::Bad(format!("after the JSON of the request: {error}")))?;
    Ok(body)
}

/// What an address asks for behind its question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _running: &Shared) -> Result<Self, Refusal> {
        let Query(asked) = Query::try_from_uri(&parts.uri).map_err(|error| {
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Refusal::Bad(format!("the address does not read: {why}"))
        })?;
        Ok(Asked(asked))
    }
}

fn refusal(error: BytesRejection, most: usize) -> Refusal {
    match error.into_response().status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge(most),
        _ => Refusal::Bad("the request broke off".to_owned()),
    }
}
