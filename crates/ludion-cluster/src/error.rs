//! Why something did not work between machines.

/// What can go wrong. No sentence holds an address with its password.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is none.
    #[error("{0}")]
    Address(String),
    /// Nobody could be reached there.
    #[error("no NATS server answers at {place}: {why}")]
    Unreachable {
        /// The hosts, without passwords.
        place: String,
        /// What happened.
        why: String,
    },
    /// Somebody is there and does not let us in.
    #[error("the NATS server at {place} does not let us in: {why}")]
    Closed {
        /// The hosts, without passwords.
        place: String,
        /// What it said.
        why: String,
    },
    /// The server cannot do what is asked of it.
    #[error("the NATS server cannot {what}: {why}")]
    Server {
        /// What it was asked for.
        what: &'static str,
        /// What it said.
        why: String,
    },
    /// A file of this machine cannot be used.
    #[error("{0}")]
    File(String),
}

impl Error {
    /// The server was asked for something and said no.
    pub(crate) fn server(what: &'static str) -> impl Fn(async_nats::Error) -> Self {
        move |error| Error::Server { what, why: error.to_string() }
    }
}

impl From<Error> for ludion_runs::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Address(sentence) => ludion_runs::Error::Wrong(sentence),
            other => ludion_runs::Error::Failed(other.to_string()),
        }
    }
}
