//! Limits of connections.

use std::time::Duration;

/// Numbers and times that every connection keeps to, with or without a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of open connections. It is lowered to half of the files that this program
    /// may open, so that accepting a connection never fails for want of a file.
    pub connections: usize,
    /// Largest head of a request (the request line and the header fields) in bytes.
    pub head_bytes: usize,
    /// Time in which the head of a request has to arrive.
    pub head: Duration,
    /// Time in which the body of a request has to arrive.
    pub body: Duration,
    /// Time for which a connection stays open between two requests.
    pub idle: Duration,
    /// Time for which a client may read nothing of a response.
    pub write: Duration,
    /// Time that requests in progress have to finish after the server is stopped.
    pub shutdown: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits {
            connections: 512,
            head_bytes: 64 << 10,
            head: Duration::from_secs(10),
            body: Duration::from_secs(120),
            idle: Duration::from_secs(60),
            write: Duration::from_secs(30),
            shutdown: Duration::from_secs(10),
        }
    }
}

/// Smallest size of a buffer that the HTTP library takes.
const MIN_HEAD_BYTES: usize = 8 << 10;

impl ConnectionLimits {
    /// Returns the limits with no more connections than half of the files that this program may
    /// open.
    pub(super) fn within_open_files(self) -> Self {
        let connections = open_files().map_or(usize::MAX, |most| most / 2);
        ConnectionLimits {
            connections: self.connections.min(connections).max(1),
            head_bytes: self.head_bytes.max(MIN_HEAD_BYTES),
            ..self
        }
    }

    /// Returns the interval at which the times of all connections are checked.
    pub(super) fn check_interval(&self) -> Duration {
        let shortest = self.head.min(self.body).min(self.idle).min(self.write);
        (shortest / 8).clamp(Duration::from_millis(5), Duration::from_millis(500))
    }
}

/// Returns the number of files that this program may open, or `None` if there is no limit.
#[cfg(unix)]
fn open_files() -> Option<usize> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current.map(|most| usize::try_from(most).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn open_files() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_half_of_the_files_to_the_rest_of_the_program() {
        let many = ConnectionLimits { connections: usize::MAX, ..ConnectionLimits::default() };
        let fitting = many.within_open_files().connections;
        assert_eq!(open_files().map_or(usize::MAX, |most| (most / 2).max(1)), fitting);
        let none = ConnectionLimits { connections: 0, ..ConnectionLimits::default() };
        assert_eq!(none.within_open_files().connections, 1);
    }
}
