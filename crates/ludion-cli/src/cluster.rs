//! Many machines, for the commands that conduct runs: `--cluster URL`, who we are to the server,
//! what is said of workers meanwhile, and how orders are opened by those who do the work.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use ludion::assets::Assets;
use ludion::registry::{Registry, RegistryError};
use ludion_cluster::{
    Coordinator, CoordinatorOptions, Credentials, JobSetOpener, ReceivedJobSpec, ServerAddress,
};
use ludion_runs::RunError;
use ludion_runs::plan_jobs::GAMES;
use ludion_runs::remote::{JobHandler, OpenedJobSet};

use crate::assets;
use crate::commands;
use crate::failure::CommandFailure;

/// The kinds of work that others can do.
const TRADES: &[JobHandler] =
    &[GAMES, commands::BLOCKS, commands::mastermind::TABLE_ELSEWHERE, commands::hextris::TRIALS];

/// Whether others can do the jobs of studies of this kind.
pub(crate) fn is_done_elsewhere(kind: &str) -> bool {
    TRADES.iter().any(|job_handler| job_handler.kind == kind)
}

/// The version that workers must have, with a stamp of the sources that decide results.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("LUDION_STAMP"));

/// Reads the address of a server. What does not read is not repeated: it may hold a password.
#[derive(Clone)]
pub(crate) struct AddressParser;

impl TypedValueParser for AddressParser {
    type Value = ServerAddress;

    fn parse_ref(
        &self,
        command: &clap::Command,
        option: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<ServerAddress, clap::Error> {
        let option = option.and_then(clap::Arg::get_long).unwrap_or("nats");
        let read = value.to_str().unwrap_or_default().parse();
        read.map_err(|why: String| {
            let sentence = format!("--{option}: {why}\n");
            clap::Error::raw(ErrorKind::ValueValidation, sentence).with_cmd(command)
        })
    }
}

/// The option of every command whose jobs others can do.
#[derive(Args, Clone, Default)]
pub(crate) struct ClusterArgs {
    /// Have the jobs done by the workers at a NATS server, such as nats://host:4222
    #[arg(long, value_name = "URL", value_parser = AddressParser)]
    cluster: Option<ServerAddress>,
    /// Servers of the cluster that keep a copy of everything under way
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster",
          value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
    /// How long the jobs that are handed out together should take; longer where many
    /// machines work
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, requires = "cluster",
          value_parser = seconds)]
    chunk: f64,
}

/// A time from a millisecond to an hour.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "it takes seconds from 0.001 to 3600".to_owned())
}

impl ClusterArgs {
    /// Whether others are asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.cluster.is_some()
    }

    /// Connects to the server, where one is named.
    pub(crate) fn connect(&self) -> Result<Option<Coordinator>, CommandFailure> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let chunk_time = Duration::from_secs_f64(self.chunk);
        let options = CoordinatorOptions {
            replicas: self.replicas.into(),
            chunk_time,
            ..CoordinatorOptions::new(VERSION)
        };
        Ok(Some(Coordinator::connect(address, &access(), options, Box::new(remark))?))
    }
}

/// Connects to a server in order to look at it.
pub(crate) fn connect(address: &ServerAddress) -> Result<Coordinator, CommandFailure> {
    Ok(Coordinator::connect(
        address,
        &access(),
        CoordinatorOptions::new(VERSION),
        Box::new(remark),
    )?)
}

/// The same with a server that may come later.
pub(crate) fn expect(address: &ServerAddress) -> Result<Coordinator, CommandFailure> {
    Ok(Coordinator::connect_in_background(
        address,
        &access(),
        CoordinatorOptions::new(VERSION),
        Box::new(remark),
    )?)
}

/// Says something beside the answer; a line of progress makes room.
pub(crate) fn remark(sentence: &str) {
    let room = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    // A terminal that went away is no reason to stop working.
    let _ = writeln!(std::io::stderr(), "{room}{sentence}");
}

/// Who we are, as the environment says: nothing of it stands in a command that others can see.
pub(crate) fn access() -> Credentials {
    Credentials {
        user: env::var("LUDION_NATS_USER").ok(),
        password: env::var("LUDION_NATS_PASSWORD").ok(),
        credentials_file: env::var_os("LUDION_NATS_CREDS").map(PathBuf::from),
        ca_file: env::var_os("LUDION_NATS_CA").map(PathBuf::from),
    }
}

/// What somebody reads who wants the player bot at a worker that was not told to start programs.
const NO_BOTS: &str =
    "it starts no programs: begin it with --allow-bots, where they may be started";

/// Opens orders with the games of a registry. Models and data are those that came with the order,
/// never files of this machine that happen to have the same name.
pub(crate) fn opener(registry: Arc<Registry>, allow_bots: bool) -> JobSetOpener {
    Box::new(move |handed: ReceivedJobSpec<'_>| {
        let ReceivedJobSpec { kind, spec, attachments } = handed;
        let job_handler = TRADES.iter().find(|job_handler| job_handler.kind == kind);
        let job_handler =
            job_handler.ok_or_else(|| format!("this program does not know {kind}"))?;
        open(job_handler, &registry, spec, attachments).map_err(|error| match error {
            RunError::Name(RegistryError::Unknown { name, .. })
                if !allow_bots && name == ludion_bot::PLAYER_NAME =>
            {
                NO_BOTS.to_owned()
            }
            error => error.to_string(),
        })
    })
}

fn open(
    job_handler: &JobHandler,
    registry: &Registry,
    spec: &[u8],
    attachments: HashMap<String, PathBuf>,
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let assets = Assets::new(move |name| match attachments.get(name) {
        Some(path) => assets::read(&path.display().to_string()),
        None => Err(format!("{name} did not come with the order")),
    });
    (job_handler.open)(registry, &assets, spec)
}
