//! The connection to the NATS server: its address, the credentials, and the checks made after
//! connecting. Passwords never leave this module: an address is displayed as its hosts alone.
//! `connection_watch` replaces the client of a connection if it ends.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::context::{AccountErrorKind, ContextBuilder};
use async_nats::jetstream::{Context, ErrorCode};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};

use crate::ClusterError;
use crate::connection_watch::{LastingSubscription, WatchTask};

/// Addresses of one or more NATS servers, separated by commas: `nats://host:4222`,
/// `tls://user:password@host`.
#[derive(Clone)]
pub struct ServerAddress(Vec<ServerAddr>);

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The error does not repeat the text, which may contain a password.
        text.split(',')
            .map(|part| parse_server(part.trim()))
            .collect::<Option<_>>()
            .map(ServerAddress)
            .ok_or_else(|| {
                "not an address of a NATS server; write nats://host:4222 or tls://host, several \
                 separated by commas; in a password write @ as %40, / as %2F and a comma as %2C"
                    .to_owned()
            })
    }
}

/// Parses one server address. A path is an error, because it is probably the rest of a password
/// with an unescaped slash.
fn parse_server(text: &str) -> Option<ServerAddr> {
    let (_, rest) = text.split_once("://").unwrap_or(("", text));
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let well_formed = !rest.contains(['/', '?', '#']) && rest.matches('@').count() <= 1;
    text.parse().ok().filter(|server: &ServerAddr| well_formed && !server.host().is_empty())
}

impl ServerAddress {
    /// Returns the user name and the password of the first server whose address has a user name.
    fn user_and_password(&self) -> (Option<String>, Option<String>) {
        let server = self.0.iter().find(|server| server.username().is_some());
        let user = server.and_then(ServerAddr::username).map(percent_decode);
        (user, server.and_then(ServerAddr::password).map(percent_decode))
    }
}

/// Replaces escapes such as `%40` by the bytes they stand for.
fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let code = more.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
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

/// Credentials for the NATS server. They override those in the [`ServerAddress`].
#[derive(Clone, Default)]
pub struct Credentials {
    /// User name.
    pub user: Option<String>,
    /// Password of the user.
    pub password: Option<String>,
    /// Path of a credentials file as the tool `nsc` makes it.
    pub credentials_file: Option<PathBuf>,
    /// Path of a PEM file with CA certificates to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
}

/// Timeout of a connection attempt, a request and an acknowledgement.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum number of published messages that wait for their acknowledgement.
const MAX_UNACKNOWLEDGED: usize = 1 << 14;

/// Time that a server which has just started may take to enable JetStream.
const JETSTREAM_TIMEOUT: Duration = Duration::from_secs(1);
/// Delay before the server is asked again whether it has JetStream.
const JETSTREAM_RETRY_DELAY: Duration = Duration::from_millis(200);

/// A connection to the NATS server that reconnects by itself. Its client is replaced if it ends, so
/// no copy of it is kept longer than a request takes.
#[derive(Clone)]
pub(crate) struct Connection {
    shared: Arc<SharedClient>,
    /// Host names and ports of the servers, without passwords.
    pub(crate) hosts: String,
    /// Task that replaces the client; ends with the last copy of the connection.
    _watch: Arc<WatchTask>,
}

/// The client of a connection, with everything that is needed to make another one.
pub(crate) struct SharedClient {
    address: ServerAddress,
    credentials: Credentials,
    client_name: String,
    current: RwLock<CurrentClient>,
}

#[derive(Clone)]
struct CurrentClient {
    client: Client,
    jetstream: Context,
    /// Whether the task of the client has ended; the state of the client does not tell.
    has_ended: bool,
    /// How many clients this connection had before.
    replaced: u64,
}

impl SharedClient {
    fn current(&self) -> CurrentClient {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn client(&self) -> Client {
        self.current().client
    }

    /// Records that the client has ended.
    pub(crate) fn ended(&self) {
        self.current.write().unwrap_or_else(PoisonError::into_inner).has_ended = true;
    }

    /// Connects a new client, which takes the place of the one that has ended.
    pub(crate) async fn replace(&self) -> Result<(), ClusterError> {
        let options = connect_options(&self.address, &self.credentials, &self.client_name)?;
        let new = CurrentClient::connect(options, &self.address).await?;
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = CurrentClient { replaced: current.replaced + 1, ..new };
        Ok(())
    }
}

impl CurrentClient {
    async fn connect(
        options: ConnectOptions,
        address: &ServerAddress,
    ) -> Result<Self, ClusterError> {
        let connected = options.connect(&address.0[..]).await;
        let client = connected.map_err(|error| connect_error(&error, address.to_string()))?;
        let jetstream = ContextBuilder::new()
            .timeout(REQUEST_TIMEOUT)
            .max_ack_inflight(MAX_UNACKNOWLEDGED)
            .build(client.clone());
        Ok(CurrentClient { client, jetstream, has_ended: false, replaced: 0 })
    }
}

impl Connection {
    /// Connects to a running server and checks that it has JetStream.
    pub(crate) async fn open(
        address: &ServerAddress,
        credentials: &Credentials,
        client_name: &str,
    ) -> Result<Self, ClusterError> {
        let options = connect_options(address, credentials, client_name)?;
        let connection = Connection::connect(options, address, credentials, client_name).await?;
        connection.check_jetstream().await?;
        Ok(connection)
    }

    /// Returns a connection that is established in the background, as soon as the server runs.
    pub(crate) async fn open_in_background(
        address: &ServerAddress,
        credentials: &Credentials,
        client_name: &str,
    ) -> Result<Self, ClusterError> {
        let options = connect_options(address, credentials, client_name)?;
        let options = options.retry_on_initial_connect();
        Connection::connect(options, address, credentials, client_name).await
    }

    async fn connect(
        options: ConnectOptions,
        address: &ServerAddress,
        credentials: &Credentials,
        client_name: &str,
    ) -> Result<Self, ClusterError> {
        let shared = Arc::new(SharedClient {
            current: RwLock::new(CurrentClient::connect(options, address).await?),
            address: address.clone(),
            credentials: credentials.clone(),
            client_name: client_name.to_owned(),
        });
        let _watch = Arc::new(WatchTask::start(&shared));
        Ok(Connection { shared, hosts: address.to_string(), _watch })
    }

    /// Returns the client, for one request.
    pub(crate) fn client(&self) -> Client {
        self.shared.client()
    }

    /// Returns the client of the streams, for one request.
    pub(crate) fn jetstream(&self) -> Context {
        self.shared.current().jetstream
    }

    /// Returns how often the client was replaced.
    pub(crate) fn times_replaced(&self) -> u64 {
        self.shared.current().replaced
    }

    /// Subscribes to a subject, also with the clients that follow.
    pub(crate) async fn subscribe(
        &self,
        subject: String,
    ) -> Result<LastingSubscription, ClusterError> {
        let subscribed = LastingSubscription::open(Arc::clone(&self.shared), subject).await;
        subscribed.map_err(|error| ClusterError::server("subscribe to a subject")(error.into()))
    }

    /// Returns whether the connection to the server is established at the moment.
    pub(crate) fn is_connected(&self) -> bool {
        let current = self.shared.current();
        !current.has_ended && current.client.connection_state() == State::Connected
    }

    /// Returns an error if the server has no JetStream. If the user may not ask for this, JetStream
    /// is assumed to be there.
    async fn check_jetstream(&self) -> Result<(), ClusterError> {
        let start = Instant::now();
        loop {
            let Err(error) = self.jetstream().query_account().await else { return Ok(()) };
            let unavailable = match error.kind() {
                AccountErrorKind::JetStreamUnavailable => true,
                AccountErrorKind::JetStream(error) => {
                    [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT]
                        .contains(&error.error_code())
                }
                AccountErrorKind::TimedOut | AccountErrorKind::Other => false,
            };
            if !unavailable {
                return Ok(());
            }
            if start.elapsed() > JETSTREAM_TIMEOUT {
                return Err(ClusterError::NoJetStream(self.hosts.clone()));
            }
            tokio::time::sleep(JETSTREAM_RETRY_DELAY).await;
        }
    }
}

fn connect_options(
    address: &ServerAddress,
    credentials: &Credentials,
    client_name: &str,
) -> Result<ConnectOptions, ClusterError> {
    let mut options = ConnectOptions::new()
        .name(client_name)
        .connection_timeout(REQUEST_TIMEOUT)
        .reconnect_delay_callback(|attempt| Duration::from_millis(50 << attempt.min(5)))
        .subscription_capacity(1 << 16);
    let (user, password) = address.user_and_password();
    if let Some(user) = credentials.user.clone().or(user) {
        let password = credentials.password.clone().or(password);
        options = options.user_and_password(user, password.unwrap_or_default());
    }
    if let Some(path) = &credentials.credentials_file {
        let invalid =
            |_| ClusterError::Local(format!("{} contains no credentials", path.display()));
        options = options.credentials(&read(path)?).map_err(invalid)?;
    }
    if let Some(path) = &credentials.ca_file {
        if !read(path)?.contains("-----BEGIN CERTIFICATE-----") {
            return Err(ClusterError::Local(format!("{} contains no certificate", path.display())));
        }
        options = options.add_root_certificates(path.clone());
    }
    if address.0.iter().any(ServerAddr::tls_required) {
        options = options.require_tls(true);
    }
    Ok(options)
}

/// Size of the largest file of credentials or certificates, in bytes.
const MAX_SECRET_BYTES: u64 = 1 << 20;

/// Reads a file of credentials or certificates.
fn read(path: &Path) -> Result<String, ClusterError> {
    let cannot = |why: &dyn fmt::Display| {
        ClusterError::Local(format!("{} cannot be read: {why}", path.display()))
    };
    let about = std::fs::metadata(path).map_err(|error| cannot(&error))?;
    if !about.is_file() || about.len() > MAX_SECRET_BYTES {
        return Err(cannot(&format!("it is no file of at most {MAX_SECRET_BYTES} bytes")));
    }
    std::fs::read_to_string(path).map_err(|error| cannot(&error))
}

/// Translates an error of the client library. It reports some TLS errors only in the message.
fn connect_error(error: &ConnectError, hosts: String) -> ClusterError {
    let reason = error.to_string();
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            ClusterError::AccessDenied { hosts, reason }
        }
        ConnectErrorKind::Tls => ClusterError::Untrusted { hosts, reason },
        _ if reason.contains("certificate") => ClusterError::Untrusted { hosts, reason },
        _ if reason.contains("corrupt message") => ClusterError::NoTls(hosts),
        _ => ClusterError::Unreachable { hosts, reason },
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
        let parsed =
            |text: &str| text.parse::<ServerAddress>().expect("a host").user_and_password();
        let pair = |user: &str, password: &str| (Some(user.to_owned()), Some(password.to_owned()));
        assert_eq!(address.user_and_password(), pair("anna", "s3cret"));
        assert_eq!(parsed("nats://anna@one"), (Some("anna".to_owned()), None));
        assert_eq!(parsed("nats://anna:%2Fs3c%2Cr%40t@one/"), pair("anna", "/s3c,r@t"));
        assert_eq!(["p%40ss%", "%zz", "50%"].map(percent_decode), ["p@ss%", "%zz", "50%"]);
        for wrong in [
            "http://anna:s3cret@one",
            "nats://anna:12/s3cret@one",
            "nats://anna:s3cret@1@one",
            "nats://anna:s3cret@",
        ] {
            let message = wrong.parse::<ServerAddress>().expect_err(wrong);
            assert!(message.contains("not an address") && !message.contains("s3cret"), "{message}");
        }
    }

    #[test]
    fn the_error_for_an_unreachable_server_names_it_without_the_password() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let address: ServerAddress = "nats://anna:s3cret@127.0.0.1:1".parse().expect("a host");
        let credentials = Credentials::default();
        let connection = Connection::open(&address, &credentials, "test");
        let error = runtime.expect("a runtime").block_on(connection).err().expect("no server");
        let message = error.to_string();
        assert!(message.starts_with("no NATS server answers at 127.0.0.1:1: "), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    }
}
