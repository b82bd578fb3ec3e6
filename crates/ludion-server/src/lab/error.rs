//! Errors of the laboratory's interface: a status and `{"error": "a sentence"}`.

use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use ludion_players::notation::NotationError;
use ludion_players::param::ParamError;
use ludion_players::registry::{MoveListError, RegistryError};
use serde_json::json;

/// Reasons why the laboratory refuses a request or fails at it, with the sentence of the response.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The request is malformed or asks for something that is not allowed; the sentence says what.
    #[error("{0}")]
    Bad(String),
    /// The request names something that does not exist; the sentence says what.
    #[error("{0}")]
    Unknown(String),
    /// The request has no token or a wrong one.
    #[error("this laboratory wants its token; open the address that it printed when it started")]
    Unauthorized,
    /// The request comes from a page of another origin, or addresses another host; the sentence
    /// says which.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The path does not support the HTTP method.
    #[error("this path is not asked that way; /api/openapi.json says how")]
    Method,
    /// The body is larger than this limit in bytes.
    #[error("the request is too large; at most {0} bytes are taken")]
    TooLarge(usize),
    /// The body did not arrive within this time.
    #[error("the request did not arrive within {} s", .0.as_secs_f64())]
    TooSlow(Duration),
    /// The queue of searches is full.
    #[error("too many searches are under way; try again in a few seconds")]
    Busy,
    /// The queue of runs is full.
    #[error("too many runs wait already; cancel some of them, or try again later")]
    QueueFull,
    /// The state of the run does not allow the request; the sentence says why.
    #[error("{0}")]
    Conflict(String),
    /// The store failed with this error.
    #[error("{0}")]
    Store(ludion_store::StoreError),
    /// The status of the cluster could not be read; the sentence says why.
    #[error("{0}")]
    ClusterUnavailable(String),
    /// An internal failure: a thread panicked, or a result could not be written.
    #[error("the server failed at this request")]
    Internal,
}

impl LabError {
    /// Returns the HTTP status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            LabError::Bad(_) => StatusCode::BAD_REQUEST,
            LabError::Unknown(_) => StatusCode::NOT_FOUND,
            LabError::Unauthorized => StatusCode::UNAUTHORIZED,
            LabError::Forbidden(_) => StatusCode::FORBIDDEN,
            LabError::Method => StatusCode::METHOD_NOT_ALLOWED,
            LabError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            LabError::TooSlow(_) => StatusCode::REQUEST_TIMEOUT,
            LabError::Busy | LabError::QueueFull => StatusCode::TOO_MANY_REQUESTS,
            LabError::Conflict(_) => StatusCode::CONFLICT,
            LabError::ClusterUnavailable(_) => StatusCode::BAD_GATEWAY,
            LabError::Store(_) | LabError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for LabError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.to_string() }));
        match self {
            LabError::Busy => (self.status(), [(RETRY_AFTER, "5")], body).into_response(),
            LabError::Unauthorized => {
                (self.status(), [(WWW_AUTHENTICATE, "Bearer")], body).into_response()
            }
            _ => (self.status(), body).into_response(),
        }
    }
}

impl From<ludion_store::StoreError> for LabError {
    fn from(error: ludion_store::StoreError) -> Self {
        use ludion_store::StoreError as Store;
        match error {
            Store::NoRun { .. } | Store::NoGame { .. } | Store::NoTeam(_) => {
                LabError::Unknown(error.to_string())
            }
            Store::TeamExists(_) => LabError::Bad(error.to_string()),
            Store::OtherKind { .. } => LabError::Bad(error.to_string()),
            Store::Locked(_) => LabError::Conflict(error.to_string()),
            _ => LabError::Store(error),
        }
    }
}

impl From<ludion_runs::RunError> for LabError {
    fn from(error: ludion_runs::RunError) -> Self {
        use ludion_runs::RunError as Runs;
        match error {
            Runs::Changed(_) => LabError::Conflict(error.to_string()),
            Runs::Name(error) => error.into(),
            Runs::Store(error) => error.into(),
            Runs::Wrong(sentence) | Runs::Failed(sentence) => LabError::Bad(sentence),
            Runs::Write(_) => LabError::Internal,
        }
    }
}

impl From<RegistryError> for LabError {
    fn from(error: RegistryError) -> Self {
        match error {
            RegistryError::Unknown { .. } => LabError::Unknown(error.to_string()),
            _ => LabError::Bad(error.to_string()),
        }
    }
}

impl From<ParamError> for LabError {
    fn from(error: ParamError) -> Self {
        LabError::Bad(error.to_string())
    }
}

impl From<NotationError> for LabError {
    fn from(error: NotationError) -> Self {
        LabError::Bad(error.to_string())
    }
}

impl From<MoveListError> for LabError {
    fn from(error: MoveListError) -> Self {
        LabError::Bad(error.to_string())
    }
}
