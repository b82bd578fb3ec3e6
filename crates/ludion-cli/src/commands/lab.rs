//! `ludion lab`, which also runs without a command: starts the laboratory and prints its address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{
    AccessToken, LabAccess, LabConfig as Laboratory, laboratory, laboratory_with_admin, listen,
    serve, start_runtime,
};
use ludion_store::Store;
use serde::Serialize;

use crate::CommandContext;
use crate::cluster::{self, ServerAddress};
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::runs::{StoreArgs, interrupt};
use crate::token_args::TokenArgs;

/// Open the laboratory in a browser: play, watch, analyse
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion lab                               on http://127.0.0.1:4747; ends with Ctrl-C
  ludion lab --port 0                      on any free port
  ludion lab --port 0 --data .             with the models and games of this folder
  ludion lab --host 0.0.0.0                for other machines, which need the token it prints
  ludion lab --allow-bots                  with external bots, for browsers with the token

With --host or --allow-bots a browser needs a token once, in the address that is
printed; programs send it as Authorization: Bearer. The token is new each time, or
that of --token-file or of the variable LUDION_TOKEN. Players named by a browser
read models and archives in the folder of --data only.")]
pub(crate) struct LabArgs {
    /// The port to listen on; 0 for any free port
    #[arg(long, default_value_t = DEFAULT_PORT, value_name = "N")]
    port: u16,
    /// The address to listen on
    #[arg(long, default_value_t = DEFAULT_HOST, value_name = "ADDRESS")]
    host: IpAddr,
    #[command(flatten)]
    token: TokenArgs,
    /// Let browsers with the token start external bots
    #[arg(long)]
    allow_bots: bool,
    /// The folder of archives and trained models [default: the folder of the store]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Print a token with which the page manages the teams of hexagonal Tetris
    #[arg(long)]
    admin: bool,
    /// Show the workers at a NATS server on the page of runs, and run on them if asked to, such as
    /// nats://host:4222
    #[arg(long, value_name = "URL", value_parser = cluster::address_parser())]
    cluster: Option<ServerAddress>,
    #[command(flatten)]
    store: StoreArgs,
}

const DEFAULT_PORT: u16 = 4747;
const DEFAULT_HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Parses a token, which may only have characters that need no escape in a URL or a cookie. The
/// error does not repeat it.
fn parse_token(text: &str) -> Result<AccessToken, CommandFailure> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
    if text.len() >= 8 && text.chars().all(plain) {
        return Ok(AccessToken::from_text(text));
    }
    let allowed = "the token is not valid; it has 8 or more of the characters a-z A-Z 0-9 - _ . ~";
    Err(CommandFailure::Usage(allowed.to_owned()))
}

/// Time that requests in progress have to finish after Ctrl-C.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

impl LabArgs {
    /// Returns the arguments of `ludion` without a command: defaults, and values from the
    /// environment.
    pub(crate) fn from_env() -> Result<Self, CommandFailure> {
        Ok(LabArgs {
            port: DEFAULT_PORT,
            host: DEFAULT_HOST,
            token: TokenArgs::default(),
            allow_bots: false,
            data: None,
            admin: false,
            cluster: None,
            store: StoreArgs::from_env()?,
        })
    }

    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let token = self.token()?;
        let query = token.as_ref().map(|token| format!("/?token={}", token.text()));
        let admin = self.admin.then(draw_token).transpose()?;
        let lab = self.laboratory(context, token)?;
        let admin_text = admin.as_ref().map(|admin| admin.text().to_owned());
        let app = match admin {
            Some(admin) => laboratory_with_admin(lab, admin),
            None => laboratory(lab),
        };
        let runtime = start_runtime().map_err(|error| CommandFailure::Failed(error.to_string()))?;
        let failed = |error: std::io::Error| {
            let (host, port) = (self.host, self.port);
            CommandFailure::Failed(format!(
                "cannot listen on {host} port {port}: {error}; --port takes another"
            ))
        };
        let done = runtime.block_on(async {
            let listener = listen((self.host, self.port).into()).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            let report = LabAddress::at(address, query.as_deref().unwrap_or_default());
            context.output.report(&LabAddress { admin: admin_text, ..report })?;
            let serving = tokio::spawn(serve(listener, app, interrupt::stopped()));
            interrupt::stopped().await;
            // A search whose client is gone can be left unfinished.
            let _ = tokio::time::timeout(SHUTDOWN_GRACE, serving).await;
            interrupt::server_result()
        });
        runtime.shutdown_background();
        done
    }

    /// Builds the configuration of the laboratory.
    fn laboratory(
        &self,
        context: &CommandContext,
        token: Option<AccessToken>,
    ) -> Result<Laboratory, CommandFailure> {
        Ok(Laboratory {
            registry: Arc::clone(&context.registry),
            store: match self.store.open()? {
                Some(store) => store,
                None => Store::in_memory()?.by_version(crate::VERSION),
            },
            access: token.map_or(LabAccess::Loopback, LabAccess::Token),
            limits: LabLimits::of_cores(context.threads),
            allow_bots: self.allow_bots,
            kinds: WorkKinds::standard(),
            data: self.data()?,
            cluster: match &self.cluster {
                Some(address) => Some(Box::new(cluster::expect(address)?)),
                None => None,
            },
        })
    }

    /// Returns the data folder as an absolute path, because players name files by their absolute
    /// paths.
    fn data(&self) -> Result<Option<PathBuf>, CommandFailure> {
        if let Some(folder) = self.data.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(CommandFailure::Usage(format!("there is no folder {}", folder.display())));
        }
        let folder = self.data.clone().or(self.store.folder()?);
        Ok(folder.map(std::path::absolute).transpose()?)
    }

    /// Returns the token that browsers must send; by default none if only this machine can connect
    /// and no program is started: every user of the machine can connect, and a program runs as the
    /// user of the laboratory.
    fn token(&self) -> Result<Option<AccessToken>, CommandFailure> {
        match self.token.read()? {
            Some(text) => parse_token(&text).map(Some),
            None if self.host.is_loopback() && !self.allow_bots => Ok(None),
            None => draw_token().map(Some),
        }
    }
}

fn draw_token() -> Result<AccessToken, CommandFailure> {
    AccessToken::draw()
        .map_err(|error| CommandFailure::Failed(format!("no token could be drawn: {error}")))
}

/// Addresses at which browsers find the laboratory.
#[derive(Serialize)]
struct LabAddress {
    address: String,
    /// Other addresses of the same laboratory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    /// The token with which teams are managed.
    #[serde(skip_serializing_if = "Option::is_none")]
    admin: Option<String>,
}

impl LabAddress {
    /// Returns the addresses for browsers. A browser cannot open an unspecified address such as
    /// 0.0.0.0; it is replaced by this machine's address in the network, its host name, and
    /// loopback.
    fn at(listening: SocketAddr, query: &str) -> Self {
        let port = listening.port();
        let mut hosts = vec![listening.ip().to_string()];
        if listening.ip().is_unspecified() {
            let own = if listening.is_ipv4() { "127.0.0.1" } else { "::1" };
            let outward = outward(listening.ip()).map(|ip| ip.to_string());
            hosts = outward.into_iter().chain(name()).chain([own.to_owned()]).collect();
        }
        let address = |host: &String| match host.contains(':') {
            true => format!("http://[{host}]:{port}{query}"),
            false => format!("http://{host}:{port}{query}"),
        };
        let mut addresses = hosts.iter().map(address);
        let address = addresses.next().expect("a host");
        LabAddress { address, also: addresses.collect(), admin: None }
    }
}

/// Returns the address of this machine in the network. To find it, a datagram socket is connected
/// to an address reserved for documentation, which sends nothing.
fn outward(listening: IpAddr) -> Option<IpAddr> {
    let there: SocketAddr = match listening {
        IpAddr::V4(_) => (Ipv4Addr::new(192, 0, 2, 1), 9).into(),
        IpAddr::V6(_) => (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 9).into(),
    };
    let socket = UdpSocket::bind((listening, 0)).ok()?;
    socket.connect(there).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

/// Returns the host name of this machine.
#[cfg(unix)]
fn name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_str().ok()?.to_owned();
    Some(name).filter(|name| !name.is_empty() && name != "localhost")
}

#[cfg(not(unix))]
fn name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

impl CommandReport for LabAddress {
    fn text(&self) -> String {
        let also: String = self
            .also
            .iter()
            .map(|address| format!("                    or at {address}\n"))
            .collect();
        let admin = self.admin.as_ref();
        let admin = admin.map_or_else(String::new, |token| format!("the admin token is {token}\n"));
        format!("the laboratory is open at {}\n{also}{admin}Ctrl-C closes it\n", self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_can_be_opened_and_nothing_sticks_to_the_token() {
        let open = LabAddress::at("127.0.0.1:4747".parse().expect("an address"), "");
        assert_eq!(
            open.text(),
            "the laboratory is open at http://127.0.0.1:4747\nCtrl-C closes it\n"
        );
        for (any, own) in [("0.0.0.0:80", "http://127.0.0.1:80"), ("[::]:80", "http://[::1]:80")] {
            let open = LabAddress::at(any.parse().expect("an address"), "/?token=secret-1");
            let all = || open.also.iter().chain([&open.address]);
            assert!(
                all().any(|address| *address == format!("{own}/?token=secret-1")),
                "{:?}",
                open.also
            );
            assert!(all().all(|address| !address.contains("0.0.0.0") && !address.contains("[::]")));
            assert!(
                open.text()
                    .lines()
                    .all(|line| !line.contains("token") || line.ends_with("=secret-1"))
            );
        }
    }
}
