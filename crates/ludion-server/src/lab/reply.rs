//! What a request gets that is not done: a status and `{"error": "a sentence"}`.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use ludion::notation::ReadError;
use ludion::param::ParamError;
use ludion::registry::{Error, LineError};
use serde_json::json;

/// Why a request is not done.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
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
    Store(ludion_store::Error),
    /// Others could not be asked.
    #[error("{0}")]
    Away(String),
    /// Something failed here.
    #[error("the server failed at this request")]
    Broken,
}

impl Refusal {
    /// What a machine is told.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Refusal::Bad(_) => StatusCode::BAD_REQUEST,
            Refusal::Unknown(_) => StatusCode::NOT_FOUND,
            Refusal::Stranger => StatusCode::UNAUTHORIZED,
            Refusal::Foreign(_) => StatusCode::FORBIDDEN,
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::Busy | Refusal::FullDesk => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Conflict(_) => StatusCode::CONFLICT,
            Refusal::Away(_) => StatusCode::BAD_GATEWAY,
            Refusal::Store(_) | Refusal::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.to_string() }));
        match self {
            Refusal::Busy => (self.status(), [(RETRY_AFTER, "5")], body).into_response(),
            Refusal::Stranger => {
                (self.status(), [(WWW_AUTHENTICATE, "Bearer")], body).into_response()
            }
            _ => (self.status(), body).into_response(),
        }
    }
}

impl From<ludion_store::Error> for Refusal {
    fn from(error: ludion_store::Error) -> Self {
        use ludion_store::Error as Store;
        match error {
            Store::NoRun { .. } | Store::NoGame { .. } => Refusal::Unknown(error.to_string()),
            Store::OtherKind { .. } => Refusal::Bad(error.to_string()),
            Store::Taken(_) => Refusal::Conflict(error.to_string()),
            _ => Refusal::Store(error),
        }
    }
}

impl From<ludion_runs::Error> for Refusal {
    fn from(error: ludion_runs::Error) -> Self {
        use ludion_runs::Error as Runs;
        match error {
            Runs::Name(error) => error.into(),
            Runs::Store(error) => error.into(),
            Runs::Wrong(sentence) | Runs::Failed(sentence) => Refusal::Bad(sentence),
            Runs::Write(_) => Refusal::Broken,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Unknown { .. } => Refusal::Unknown(error.to_string()),
            _ => Refusal::Bad(error.to_string()),
        }
    }
}

impl From<ParamError> for Refusal {
    fn from(error: ParamError) -> Self {
        Refusal::Bad(error.to_string())
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Refusal::Bad(error.to_string())
    }
}

impl From<LineError> for Refusal {
    fn from(error: LineError) -> Self {
        Refusal::Bad(error.to_string())
    }
}
