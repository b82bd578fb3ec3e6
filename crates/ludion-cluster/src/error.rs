//! The error type of this crate.

/// Error of a coordinator or a worker. No message contains an address with its password.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The name of a worker is not allowed; the message says why.
    #[error("{0}")]
    InvalidName(String),
    /// No server answers at the address.
    #[error("no NATS server answers at {hosts}: {reason}")]
    Unreachable {
        /// Host names and ports, without passwords.
        hosts: String,
        /// Message of the client library.
        reason: String,
    },
    /// The server rejects the user or the password.
    #[error("the NATS server at {hosts} denies access: {reason}")]
    AccessDenied {
        /// Host names and ports, without passwords.
        hosts: String,
        /// Message of the server.
        reason: String,
    },
    /// The certificate of the server is not trusted.
    #[error(
        "the NATS server at {hosts} cannot be trusted: {reason}; LUDION_NATS_CA names a file of \
         certificates to trust"
    )]
    Untrusted {
        /// Host names and ports, without passwords.
        hosts: String,
        /// Problem with the certificate.
        reason: String,
    },
    /// TLS is required and the server with these hosts does not support it.
    #[error("the NATS server at {0} has no TLS; use nats:// to connect without it")]
    NoTls(String),
    /// The server with these hosts runs without JetStream and stores no messages.
    #[error("the NATS server at {0} has no JetStream: start it with nats-server -js")]
    NoJetStream(String),
    /// More replicas are requested than there are servers.
    #[error(
        "the NATS server at {hosts} is a single server and cannot keep {replicas} copies: use \
         --replicas 1, or a cluster of servers"
    )]
    TooManyReplicas {
        /// Host names and ports, without passwords.
        hosts: String,
        /// Number of replicas requested.
        replicas: usize,
    },
    /// The server rejects a request.
    #[error("the NATS server cannot {action}: {reason}")]
    Server {
        /// Request that the server rejected, as a verb phrase such as "create a stream".
        action: &'static str,
        /// Message of the server.
        reason: String,
    },
    /// A file or another resource of this machine is missing or not usable; the message says which.
    #[error("{0}")]
    Local(String),
}

impl ClusterError {
    /// Returns a function that converts the error of a request to the server; `action` describes
    /// the request.
    pub(crate) fn server(action: &'static str) -> impl Fn(async_nats::Error) -> Self {
        move |error| ClusterError::Server { action, reason: error.to_string() }
    }
}

impl From<ClusterError> for ludion_runs::RunError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::InvalidName(message) => ludion_runs::RunError::Wrong(message),
            other => ludion_runs::RunError::Failed(other.to_string()),
        }
    }
}
