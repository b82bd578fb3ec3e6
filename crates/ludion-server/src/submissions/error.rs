//! Errors of the submission server: a status and a sentence.

use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use ludion_store::StoreError;

/// Reasons why the submission server refuses a request or fails at it.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    /// The request is malformed or not allowed; the sentence says what is wrong.
    #[error("{0}")]
    Bad(String),
    /// The token does not belong to the team.
    #[error("the token is not that of this team")]
    Unauthorized,
    /// The team sent too many requests; it may send the next one after this time.
    #[error("too many requests; try again in {} s", .0.as_secs() + 1)]
    TooMany(Duration),
    /// The path does not exist.
    #[error("there is /teams/ID/solutions, /leaderboard and /problems, and nothing else")]
    NotFound,
    /// The path does not support the HTTP method.
    #[error("this address takes GET, and /teams/ID/solutions POST as well")]
    Method,
    /// The body is larger than this limit in bytes.
    #[error("the request is too large; at most {0} bytes are taken")]
    TooLarge(usize),
    /// The body did not arrive within this time.
    #[error("the request did not arrive within {} s", .0.as_secs_f64())]
    TooSlow(Duration),
    /// The request would exceed the room that the team has in the store.
    #[error(
        "the solutions take {added} bytes, and the team has stored {used} of its {quota} bytes; \
         the organisers give more room with --quota"
    )]
    QuotaExceeded {
        /// Bytes that the solutions of the request take.
        added: u64,
        /// Bytes that the stored solutions of the team take.
        used: u64,
        /// Bytes that the solutions of a team may take.
        quota: u64,
    },
    /// The store failed with this error.
    #[error("the store failed: {0}")]
    Store(StoreError),
    /// A thread of the server panicked.
    #[error("the server failed at this request")]
    Internal,
}

impl IntoResponse for SubmissionError {
    fn into_response(self) -> Response {
        let sentence = format!("{self}\n");
        match self {
            SubmissionError::Bad(_) => (StatusCode::BAD_REQUEST, sentence).into_response(),
            SubmissionError::NotFound => (StatusCode::NOT_FOUND, sentence).into_response(),
            SubmissionError::Method => (StatusCode::METHOD_NOT_ALLOWED, sentence).into_response(),
            SubmissionError::Unauthorized => {
                let challenge = [(WWW_AUTHENTICATE, "Basic realm=\"team\"")];
                (StatusCode::UNAUTHORIZED, challenge, sentence).into_response()
            }
            SubmissionError::TooMany(wait) => {
                let wait = [(RETRY_AFTER, (wait.as_secs() + 1).to_string())];
                (StatusCode::TOO_MANY_REQUESTS, wait, sentence).into_response()
            }
            SubmissionError::TooLarge(_) => {
                (StatusCode::PAYLOAD_TOO_LARGE, sentence).into_response()
            }
            SubmissionError::TooSlow(_) => (StatusCode::REQUEST_TIMEOUT, sentence).into_response(),
            SubmissionError::QuotaExceeded { .. } => {
                (StatusCode::INSUFFICIENT_STORAGE, sentence).into_response()
            }
            SubmissionError::Store(_) | SubmissionError::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, sentence).into_response()
            }
        }
    }
}

impl From<StoreError> for SubmissionError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::QuotaExceeded { added, used, quota } => {
                SubmissionError::QuotaExceeded { added, used, quota }
            }
            error => SubmissionError::Store(error),
        }
    }
}
