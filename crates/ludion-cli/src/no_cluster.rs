//! The options and types of `cluster.rs` in a program built without the feature `cluster`: every
//! use of them is refused with a sentence that says how to build it.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use clap::Args;
use ludion_runs::RunError;
use ludion_runs::cluster::{Cluster, ClusterStatus, JobSpec, ResultReceiver};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Message of every refusal.
const NOT_BUILT: &str = "this program was built without the cluster; install it with: cargo \
                         install --path crates/ludion-cli --features cluster";

/// The address of a NATS server, of which this program has none.
#[derive(Clone, Copy)]
pub(crate) enum ServerAddress {}

/// The coordinator of a cluster, of which this program has none.
pub(crate) struct Coordinator(Infallible);

impl Cluster for Coordinator {
    fn execute(
        &self,
        _spec: &JobSpec,
        _jobs: &mut (dyn Iterator<Item = u64> + Send),
        _stop: &AtomicBool,
        _receiver: &mut dyn ResultReceiver,
    ) -> Result<(), RunError> {
        match self.0 {}
    }

    fn status(&self) -> Result<ClusterStatus, RunError> {
        match self.0 {}
    }
}

/// Returns a parser that refuses every address.
pub(crate) fn address_parser() -> fn(&str) -> Result<ServerAddress, String> {
    |_| Err(NOT_BUILT.to_owned())
}

/// Options of every command that can run its jobs on a cluster.
#[derive(Args, Clone, Default)]
pub(crate) struct ClusterArgs {
    #[arg(long, value_name = "URL", value_parser = address_parser(), hide = true)]
    cluster: Option<ServerAddress>,
    #[arg(long, value_name = "N", requires = "cluster", hide = true)]
    replicas: Option<String>,
    #[arg(long, value_name = "SECONDS", requires = "cluster", hide = true)]
    chunk: Option<String>,
}

impl ClusterArgs {
    /// Returns `None`: there is no cluster to connect to.
    pub(crate) fn connect(&self) -> Result<Option<Coordinator>, CommandFailure> {
        match self.cluster {
            None => Ok(None),
            Some(address) => match address {},
        }
    }
}

/// Connects to a server, of which this program has no address.
pub(crate) fn expect(address: &ServerAddress) -> Result<Coordinator, CommandFailure> {
    match *address {}
}

/// `ludion worker` and `ludion cluster`, which this program was built without
#[derive(Args)]
pub(crate) struct NoClusterArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

impl NoClusterArgs {
    pub(crate) fn run(&self, _context: &CommandContext) -> Result<(), CommandFailure> {
        Err(CommandFailure::Usage(NOT_BUILT.to_owned()))
    }
}
