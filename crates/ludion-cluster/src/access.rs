//! Where the server is and who we are to it. Passwords stay in here: what is shown of an address
//! is its hosts alone.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::context::ContextBuilder;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, ServerAddr};

use crate::Error;

/// The servers of a cluster: `nats://host:4222`, `tls://user:password@host`, several with commas.
#[derive(Clone)]
pub struct Address(Vec<ServerAddr>);

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let servers = text.split(',').map(|one| one.trim().parse::<ServerAddr>());
        // The text is not repeated: it may hold a password.
        servers.collect::<Result<_, _>>().map(Address).map_err(|_| {
            "this is no address of a NATS server; nats://host:4222 is one, tls://host another, \
             several go with commas between"
                .to_owned()
        })
    }
}

impl Address {
    /// Who we are, where the first server that says it says so.
    fn user(&self) -> Option<(String, String)> {
        self.0.iter().find_map(|server| {
            Some((plain(server.username()?), plain(server.password().unwrap_or_default())))
        })
    }
}

/// A part of an address in which `%40` stands for @.
fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let code = more.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.0.iter().map(|server| format!("{}:{}", server.host(), server.port()));
        f.write_str(&hosts.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Who we are, where the address does not say it.
#[derive(Clone, Default)]
pub struct Access {
    /// A name, with its password.
    pub user: Option<(String, String)>,
    /// A file of credentials, as `nsc` makes them.
    pub credentials: Option<PathBuf>,
    /// Certificates to be trusted besides those of the system.
    pub authorities: Option<PathBuf>,
}

/// How long a connection, a request or an acknowledgement is waited for.
const PATIENCE: Duration = Duration::from_secs(4);
/// Publications that may wait for their acknowledgement.
const UNDER_WAY: usize = 1 << 14;

/// A connection that comes back by itself.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) stream: Context,
}

impl Link {
    /// Connects; where `patient`, the server may come later.
    pub(crate) async fn open(
        address: &Address,
        access: &Access,
        name: &str,
        patient: bool,
    ) -> Result<Self, Error> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .reconnect_delay_callback(|attempt| Duration::from_millis(50 << attempt.min(5)))
            .subscription_capacity(1 << 16);
        if let Some((user, password)) = access.user.clone().or_else(|| address.user()) {
            options = options.user_and_password(user, password);
        }
        if let Some(path) = &access.credentials {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Error::File(format!("{} cannot be read: {error}", path.display()))
            })?;
            let wrong = |_| Error::File(format!("{} holds no credentials", path.display()));
            options = options.credentials(&text).map_err(wrong)?;
        }
        if let Some(path) = &access.authorities {
            options = options.add_root_certificates(path.clone());
        }
        if address.0.iter().any(ServerAddr::tls_required) {
            options = options.require_tls(true);
        }
        if patient {
            options = options.retry_on_initial_connect();
        }
        let client = options.connect(&address.0[..]).await.map_err(|error| {
            let (place, why) = (address.to_string(), error.to_string());
            match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    Error::Closed { place, why }
                }
                _ => Error::Unreachable { place, why },
            }
        })?;
        let stream = ContextBuilder::new()
            .timeout(PATIENCE)
            .max_ack_inflight(UNDER_WAY)
            .build(client.clone());
        Ok(Link { client, stream })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_its_hosts_and_never_a_password() {
        let address: Address = "nats://anna:s3cret@one:4222, tls://two".parse().expect("hosts");
        assert_eq!(format!("{address} {address:?}"), "one:4222, two:4222 one:4222, two:4222");
        assert_eq!(address.user(), Some(("anna".to_owned(), "s3cret".to_owned())));
        assert_eq!(["p%40ss%", "%zz", "50%"].map(plain), ["p@ss%", "%zz", "50%"]);
        let wrong = "http://anna:s3cret@one".parse::<Address>().expect_err("no address");
        assert!(!wrong.contains("s3cret"), "{wrong}");
    }

    #[test]
    fn a_server_that_is_not_there_is_named_without_the_password() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let address: Address = "nats://anna:s3cret@127.0.0.1:1".parse().expect("a host");
        let access = Access::default();
        let link = Link::open(&address, &access, "test", false);
        let error = runtime.expect("a runtime").block_on(link).err().expect("nobody there");
        let said = error.to_string();
        assert!(said.starts_with("no NATS server answers at 127.0.0.1:1: "), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
}
