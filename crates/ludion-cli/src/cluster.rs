//! Many machines, for the commands that conduct runs: `--cluster URL`, who we are to the server,
//! what is said of workers meanwhile, and how orders are opened by those who do the work.

use std::collections::HashMap;
use std::env;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ludion::registry::Registry;
use ludion::shelf::Shelf;
use ludion_cluster::{Access, Address, Coordinator, Handed, Opener, Options};
use ludion_runs::away::{Labour, Trade};
use ludion_runs::games::GAMES;

use crate::commands;
use crate::failure::Failure;
use crate::shelf;

/// The kinds of work that others can do.
const TRADES: &[Trade] =
    &[GAMES, commands::BLOCKS, commands::mastermind::TABLE_ELSEWHERE, commands::hextris::TRIALS];

/// Whether others can do the jobs of studies of this kind.
pub(crate) fn is_done_elsewhere(kind: &str) -> bool {
    TRADES.iter().any(|trade| trade.kind == kind)
}

/// The version that workers must have.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The option of every command whose jobs others can do.
#[derive(Args, Clone, Default)]
pub(crate) struct ClusterOption {
    /// Have the jobs done by the workers at a NATS server, such as nats://host:4222
    #[arg(long, value_name = "URL")]
    cluster: Option<Address>,
    /// Servers of the cluster that keep a copy of everything under way
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster",
          value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
}

impl ClusterOption {
    /// Whether others are asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.cluster.is_some()
    }

    /// Connects to the server, where one is named.
    pub(crate) fn connect(&self) -> Result<Option<Coordinator>, Failure> {
        let Some(address) = &self.cluster else { return Ok(None) };
        connect(address, self.replicas.into()).map(Some)
    }
}

/// Connects to a server; what workers do wrong is said on standard error.
pub(crate) fn connect(address: &Address, replicas: usize) -> Result<Coordinator, Failure> {
    let options = Options { replicas, ..Options::new(VERSION) };
    Ok(Coordinator::connect(address, &access(), options, Box::new(remark))?)
}

/// Says something beside the answer; a line of progress makes room.
pub(crate) fn remark(sentence: &str) {
    let room = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    // A terminal that went away is no reason to stop working.
    let _ = writeln!(std::io::stderr(), "{room}{sentence}");
}

/// Who we are, as the environment says: nothing of it stands in a command that others can see.
pub(crate) fn access() -> Access {
    let user = env::var("LUDION_NATS_USER").ok();
    let password = env::var("LUDION_NATS_PASSWORD").unwrap_or_default();
    Access {
        user: user.map(|user| (user, password)),
        credentials: env::var_os("LUDION_NATS_CREDS").map(PathBuf::from),
        authorities: env::var_os("LUDION_NATS_CA").map(PathBuf::from),
    }
}

/// Opens orders with the games of a registry. Models and data are those that came with the order,
/// never files of this machine that happen to have the same name.
pub(crate) fn opener(registry: Arc<Registry>) -> Opener {
    Box::new(move |handed: Handed<'_>| {
        let Handed { kind, spec, things } = handed;
        let trade = TRADES.iter().find(|trade| trade.kind == kind);
        let trade = trade.ok_or_else(|| format!("this program does not know {kind}"))?;
        open(trade, &registry, spec, things)
    })
}

fn open(
    trade: &Trade,
    registry: &Registry,
    spec: &[u8],
    things: HashMap<String, PathBuf>,
) -> Result<Arc<dyn Labour>, String> {
    let shelf = Shelf::new(move |name| match things.get(name) {
        Some(path) => shelf::read(&path.display().to_string()),
        None => Err(format!("{name} did not come with the order")),
    });
    (trade.open)(registry, &shelf, spec).map_err(|error| error.to_string())
}
