//! Where the server is and who we are to it. Passwords stay in here: what is shown of an address
//! is its hosts alone.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::context::{AccountErrorKind, ContextBuilder};
use async_nats::jetstream::{Context, ErrorCode};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};

use crate::ClusterError;

/// The servers of a cluster: `nats://host:4222`, `tls://user:password@host`, several with commas.
#[derive(Clone)]
pub struct ServerAddress(Vec<ServerAddr>);

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The text is not repeated: it may hold a password.
        text.split(',')
            .map(|one| server(one.trim()))
            .collect::<Option<_>>()
            .map(ServerAddress)
            .ok_or_else(|| {
                "this is no address of a NATS server; nats://host:4222 is one, tls://host another, \
                 several go with commas between; in a password @ is %40, / is %2F and a comma %2C"
                    .to_owned()
            })
    }
}

/// One server. What would be a path is the rest of a password with a slash in it.
fn server(text: &str) -> Option<ServerAddr> {
    let (_, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let whole = !rest.contains(['/', '?', '#']) && rest.matches('@').count() <= 1;
    text.parse().ok().filter(|server: &ServerAddr| whole && !server.host().is_empty())
}

impl ServerAddress {
    /// Who we are, where the first server that says it says so.
    fn user(&self) -> (Option<String>, Option<String>) {
        let named = self.0.iter().find(|server| server.username().is_some());
        let user = named.and_then(ServerAddr::username).map(plain);
        (user, named.and_then(ServerAddr::password).map(plain))
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

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.0.iter().map(|server| format!("{}:{}", server.host(), server.port()));
        f.write_str(&hosts.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Who we are. What stands here goes before what stands in the address.
#[derive(Clone, Default)]
pub struct Credentials {
    /// A name.
    pub user: Option<String>,
    /// Its password.
    pub password: Option<String>,
    /// A file of credentials, as `nsc` makes them.
    pub credentials: Option<PathBuf>,
    /// Certificates to be trusted besides those of the system.
    pub authorities: Option<PathBuf>,
}

/// How long a connection, a request or an acknowledgement is waited for.
const PATIENCE: Duration = Duration::from_secs(4);
/// Publications that may wait for their acknowledgement.
const UNDER_WAY: usize = 1 << 14;

/// How long a server has to begin with JetStream.
const BEGINNING: Duration = Duration::from_secs(1);
/// How long after a refusal it is asked again.
const RETRY: Duration = Duration::from_millis(200);

/// A connection that comes back by itself.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) stream: Context,
    /// The hosts, without passwords.
    pub(crate) place: String,
}

impl Connection {
    /// Connects to a server that is there, and has what we need.
    pub(crate) async fn open(
        address: &ServerAddress,
        access: &Credentials,
        name: &str,
    ) -> Result<Self, ClusterError> {
        let link = Connection::begin(options(address, access, name)?, address).await?;
        link.check().await?;
        Ok(link)
    }

    /// Connects to a server that may come later.
    pub(crate) async fn expect(
        address: &ServerAddress,
        access: &Credentials,
        name: &str,
    ) -> Result<Self, ClusterError> {
        let options = options(address, access, name)?.retry_on_initial_connect();
        Connection::begin(options, address).await
    }

    async fn begin(options: ConnectOptions, address: &ServerAddress) -> Result<Self, ClusterError> {
        let place = address.to_string();
        let connected = options.connect(&address.0[..]).await;
        let client = connected.map_err(|error| unconnected(&error, place.clone()))?;
        let stream = ContextBuilder::new()
            .timeout(PATIENCE)
            .max_ack_inflight(UNDER_WAY)
            .build(client.clone());
        Ok(Connection { client, stream, place })
    }

    /// Whether the server is there at the moment.
    pub(crate) fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Refuses a server without JetStream. Whoever may not ask for it may still use it.
    async fn check(&self) -> Result<(), ClusterError> {
        let began = Instant::now();
        loop {
            let Err(error) = self.stream.query_account().await else { return Ok(()) };
            let forgetful = match error.kind() {
                AccountErrorKind::JetStreamUnavailable => true,
                AccountErrorKind::JetStream(said) => {
                    [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT]
                        .contains(&said.error_code())
                }
                AccountErrorKind::TimedOut | AccountErrorKind::Other => false,
            };
            if !forgetful {
                return Ok(());
            }
            if began.elapsed() > BEGINNING {
                return Err(ClusterError::Forgetful(self.place.clone()));
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

fn options(
    address: &ServerAddress,
    access: &Credentials,
    name: &str,
) -> Result<ConnectOptions, ClusterError> {
    let mut options = ConnectOptions::new()
        .name(name)
        .connection_timeout(PATIENCE)
        .reconnect_delay_callback(|attempt| Duration::from_millis(50 << attempt.min(5)))
        .subscription_capacity(1 << 16);
    let (user, password) = address.user();
    if let Some(user) = access.user.clone().or(user) {
        let password = access.password.clone().or(password);
        options = options.user_and_password(user, password.unwrap_or_default());
    }
    if let Some(path) = &access.credentials {
        let wrong = |_| ClusterError::File(format!("{} holds no credentials", path.display()));
        options = options.credentials(&read(path)?).map_err(wrong)?;
    }
    if let Some(path) = &access.authorities {
        if !read(path)?.contains("-----BEGIN CERTIFICATE-----") {
            return Err(ClusterError::File(format!("{} holds no certificate", path.display())));
        }
        options = options.add_root_certificates(path.clone());
    }
    if address.0.iter().any(ServerAddr::tls_required) {
        options = options.require_tls(true);
    }
    Ok(options)
}

fn read(path: &Path) -> Result<String, ClusterError> {
    std::fs::read_to_string(path)
        .map_err(|error| ClusterError::File(format!("{} cannot be read: {error}", path.display())))
}

/// Why there is no connection. What TLS has against a server comes as a sentence alone.
fn unconnected(error: &ConnectError, place: String) -> ClusterError {
    let why = error.to_string();
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            ClusterError::Closed { place, why }
        }
        ConnectErrorKind::Tls => ClusterError::Untrusted { place, why },
        _ if why.contains("certificate") => ClusterError::Untrusted { place, why },
        _ if why.contains("corrupt message") => ClusterError::Plain(place),
        _ => ClusterError::Unreachable { place, why },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_its_hosts_and_never_a_password() {
        let address: ServerAddress =
            "nats://anna:s3cret@one:4222, tls://two".parse().expect("hosts");
        assert_eq!(format!("{address} {address:?}"), "one:4222, two:4222 one:4222, two:4222");
        let user = |text: &str| text.parse::<ServerAddress>().expect("a host").user();
        let named = |user: &str, password: &str| (Some(user.to_owned()), Some(password.to_owned()));
        assert_eq!(address.user(), named("anna", "s3cret"));
        assert_eq!(user("nats://anna@one"), (Some("anna".to_owned()), None));
        assert_eq!(user("nats://anna:%2Fs3c%2Cr%40t@one/"), named("anna", "/s3c,r@t"));
        assert_eq!(["p%40ss%", "%zz", "50%"].map(plain), ["p@ss%", "%zz", "50%"]);
        for wrong in [
            "http://anna:s3cret@one",
            "nats://anna:12/s3cret@one",
            "nats://anna:s3cret@1@one",
            "nats://anna:s3cret@",
        ] {
            let said = wrong.parse::<ServerAddress>().expect_err(wrong);
            assert!(said.contains("no address") && !said.contains("s3cret"), "{said}");
        }
    }

    #[test]
    fn a_server_that_is_not_there_is_named_without_the_password() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let address: ServerAddress = "nats://anna:s3cret@127.0.0.1:1".parse().expect("a host");
        let access = Credentials::default();
        let link = Connection::open(&address, &access, "test");
        let error = runtime.expect("a runtime").block_on(link).err().expect("nobody there");
        let said = error.to_string();
        assert!(said.starts_with("no NATS server answers at 127.0.0.1:1: "), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
}
