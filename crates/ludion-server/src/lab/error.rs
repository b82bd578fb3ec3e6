//! What a request gets that is not done: a status and `{"error": "a sentence"}`.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use ludion::notation::NotationError;
use ludion::param::ParamError;
use ludion::registry::{MoveListError, RegistryError};
use serde_json::json;

/// Why a request is not done.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Something is wrong with it.
    #[error("{0}")]
    Bad(String),
    /// It names something that there is not.
    #[error("{0}")]
    Unknown(String),
    /// Whoever asks has not shown the token.
    #[error("this laboratory wants its token; open the address that it printed when it started")]
    Stranger,
    /// It comes from a page of somebody else, or asks for a host that this is not.
    #[error("{0}")]
    Foreign(&'static str),
    /// The path is there, the method is not.
    #[error("this path is not asked that way; /api/openapi.json says how")]
    Method,
    /// Too large a request.
    #[error("the request is too large; at most {0} bytes are taken")]
    TooLarge(usize),
    /// Too much is under way.
    #[error("too many searches are under way; try again in a few seconds")]
    Busy,
    /// Too many runs wait.
    #[error("too many runs wait already; cancel some of them, or try again later")]
    FullDesk,
    /// It does not go with what is under way.
    #[error("{0}")]
    Conflict(String),
    /// The store failed.
    #[error("{0}")]
    Store(ludion_store::StoreError),
    /// Others could not be asked.
    #[error("{0}")]
    Away(String),
    /// Something failed here.
    #[error("the server failed at this request")]
    Broken,
}

impl LabError {
    /// What a machine is told.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            LabError::Bad(_) => StatusCode::BAD_REQUEST,
            LabError::Unknown(_) => StatusCode::NOT_FOUND,
            LabError::Stranger => StatusCode::UNAUTHORIZED,
            LabError::Foreign(_) => StatusCode::FORBIDDEN,
            LabError::Method => StatusCode::METHOD_NOT_ALLOWED,
            LabError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            LabError::Busy | LabError::FullDesk => StatusCode::TOO_MANY_REQUESTS,
            LabError::Conflict(_) => StatusCode::CONFLICT,
            LabError::Away(_) => StatusCode::BAD_GATEWAY,
            LabError::Store(_) | LabError::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for LabError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.to_string() }));
        match self {
            LabError::Busy => (self.status(), [(RETRY_AFTER, "5")], body).into_response(),
            LabError::Stranger => {
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
            Store::NoRun { .. } | Store::NoGame { .. } => LabError::Unknown(error.to_string()),
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
            Runs::Name(error) => error.into(),
            Runs::Store(error) => error.into(),
            Runs::Wrong(sentence) | Runs::Failed(sentence) => LabError::Bad(sentence),
            Runs::Write(_) => LabError::Broken,
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
