//! Why something did not work between machines.

/// What can go wrong. No sentence holds an address with its password.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address is none.
    #[error("{0}")]
    Address(String),
    /// A worker cannot be called so.
    #[error("{0}")]
    Name(String),
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
    /// Somebody is there, and is not to be trusted.
    #[error(
        "the NATS server at {place} cannot be trusted: {why}; LUDION_NATS_CA names a file of \
         certificates to trust"
    )]
    Untrusted {
        /// The hosts, without passwords.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody is there who does not know TLS.
    #[error("the NATS server at {0} has no TLS: nats:// goes without, where that is meant")]
    Plain(String),
    /// The server keeps nothing.
    #[error("the NATS server at {0} has no JetStream: start it with nats-server -js")]
    Forgetful(String),
    /// One server cannot keep several copies.
    #[error(
        "the NATS server at {place} is alone and cannot keep {asked} copies: --replicas 1, or a \
         cluster of servers"
    )]
    Replicas {
        /// The hosts, without passwords.
        place: String,
        /// How many were asked for.
        asked: usize,
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

impl ClusterError {
    /// The server was asked for something and said no.
    pub(crate) fn server(what: &'static str) -> impl Fn(async_nats::Error) -> Self {
        move |error| ClusterError::Server { what, why: error.to_string() }
    }
}

impl From<ClusterError> for ludion_runs::RunError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Address(sentence) | ClusterError::Name(sentence) => {
                ludion_runs::RunError::Wrong(sentence)
            }
            other => ludion_runs::RunError::Failed(other.to_string()),
        }
    }
}
