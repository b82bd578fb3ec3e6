//! Extractors for JSON bodies and query strings; their errors are sentences that name the field.

use std::error::Error;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use ludion_players::plain_words::plain_message;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::SharedLabState;
use super::error::LabError;
use crate::connections::BodyTimeout;

/// Extracts a JSON body of at most [`LabLimits::body_bytes`](super::LabLimits) bytes.
pub(crate) struct JsonBody<T>(pub(crate) T);

/// Extracts a JSON body that may contain whole problems or solutions: at most
/// [`LabLimits::file_bytes`](super::LabLimits) bytes.
pub(crate) struct JsonBodyWithFiles<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<SharedLabState> for JsonBody<T> {
    type Rejection = LabError;

    async fn from_request(request: Request, lab: &SharedLabState) -> Result<Self, LabError> {
        read(request, lab, lab.limits.body_bytes).await.map(JsonBody)
    }
}

impl<T: DeserializeOwned> FromRequest<SharedLabState> for JsonBodyWithFiles<T> {
    type Rejection = LabError;

    async fn from_request(mut request: Request, lab: &SharedLabState) -> Result<Self, LabError> {
        let most = lab.limits.file_bytes;
        DefaultBodyLimit::max(most).apply(&mut request);
        read(request, lab, most).await.map(JsonBodyWithFiles)
    }
}

/// Parses the body of a request, of at most `most` bytes.
async fn read<T: DeserializeOwned>(
    request: Request,
    lab: &SharedLabState,
    most: usize,
) -> Result<T, LabError> {
    let bytes = Bytes::from_request(request, lab).await.map_err(|e| refusal(e, most))?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let body = serde_path_to_error::deserialize(&mut json).map_err(|error| unreadable(&error))?;
    json.end().map_err(|error| LabError::Bad(format!("after the JSON of the request: {error}")))?;
    Ok(body)
}

/// Deserializes a part of a request's JSON.
pub(crate) fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, LabError> {
    serde_path_to_error::deserialize(value).map_err(|error| unreadable(&error))
}

/// Returns the error of a request that cannot be deserialized, with the path of the wrong field.
fn unreadable(error: &serde_path_to_error::Error<serde_json::Error>) -> LabError {
    let (at, why) = (error.path().to_string(), error.inner());
    if why.is_eof() || why.is_syntax() {
        return LabError::Bad(format!("the request is no JSON: {why}"));
    }
    let why = plain_message(&why.to_string());
    let place = if [".", "?"].contains(&&at[..]) { String::new() } else { format!("{at}: ") };
    LabError::Bad(format!("the request does not read: {place}{why}"))
}

/// Extracts the query string of an address.
pub(crate) struct QueryParameters<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<SharedLabState> for QueryParameters<T> {
    type Rejection = LabError;

    async fn from_request_parts(
        parts: &mut Parts,
        _lab: &SharedLabState,
    ) -> Result<Self, LabError> {
        let Query(asked) = Query::try_from_uri(&parts.uri).map_err(|error| {
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            LabError::Bad(format!("the address does not read: {}", plain_message(&why)))
        })?;
        Ok(QueryParameters(asked))
    }
}

/// Converts the rejection of a body to an error; `most` is the maximum size of the body in bytes.
fn refusal(error: BytesRejection, most: usize) -> LabError {
    if let Some(BodyTimeout(time)) = BodyTimeout::cause_of(&error) {
        return LabError::TooSlow(time);
    }
    match error.into_response().status() {
        StatusCode::PAYLOAD_TOO_LARGE => LabError::TooLarge(most),
        _ => LabError::Bad("the request broke off".to_owned()),
    }
}
