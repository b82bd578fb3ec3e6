//! The cluster on the command line: the option `--cluster URL`, credentials from the environment,
//! messages about workers, and the function with which a worker opens received jobs.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::{Arc, Once};
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use ludion::assets::Assets;
use ludion::registry::{Registry, RegistryError};
use ludion_cluster::{CoordinatorOptions, Credentials, JobSetOpener, ReceivedJobSpec};
use ludion_runs::RunError;
use ludion_runs::kinds::WorkKinds;
use ludion_runs::remote::{JobHandler, OpenedJobSet};

use crate::failure::CommandFailure;
use crate::progress::note;
use crate::{VERSION, assets};
pub(crate) use ludion_cluster::{Coordinator, ServerAddress};

/// Parser for the address of a NATS server. Its errors do not repeat the text, which may contain a
/// password.
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

/// Returns the parser for the address of a NATS server.
pub(crate) fn address_parser() -> AddressParser {
    AddressParser
}

/// Options of every command that can run its jobs on a cluster.
#[derive(Args, Clone, Default)]
pub(crate) struct ClusterArgs {
    /// Run the jobs on the workers at a NATS server, such as nats://host:4222
    #[arg(long, value_name = "URL", value_parser = AddressParser)]
    cluster: Option<ServerAddress>,
    /// How many NATS servers keep a copy of the messages and results of the run
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster",
          value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
    /// Time that the jobs handed out together should take; raise it if there are many workers
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, requires = "cluster",
          value_parser = seconds)]
    chunk: f64,
}

/// Parses a number of seconds from 0.001 to 3600.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "it takes seconds from 0.001 to 3600".to_owned())
}

impl ClusterArgs {
    /// Connects to the server of the option `--cluster`; returns `None` if the option was not
    /// given.
    pub(crate) fn connect(&self) -> Result<Option<Coordinator>, CommandFailure> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let chunk_time = Duration::from_secs_f64(self.chunk);
        let options = CoordinatorOptions {
            replicas: self.replicas.into(),
            chunk_time,
            ..CoordinatorOptions::new(VERSION)
        };
        Ok(Some(Coordinator::connect(address, &access(), options, Box::new(note))?))
    }
}

/// Connects to a server whose status is to be shown.
pub(crate) fn connect(address: &ServerAddress) -> Result<Coordinator, CommandFailure> {
    Ok(Coordinator::connect(address, &access(), CoordinatorOptions::new(VERSION), Box::new(note))?)
}

/// Creates a coordinator whose server may be started later: it connects in the background.
pub(crate) fn expect(address: &ServerAddress) -> Result<Coordinator, CommandFailure> {
    Ok(Coordinator::connect_in_background(
        address,
        &access(),
        CoordinatorOptions::new(VERSION),
        Box::new(note),
    )?)
}

/// Reads the credentials from environment variables, which process lists do not show.
pub(crate) fn access() -> Credentials {
    hide_panics_of_clients();
    Credentials {
        user: env::var("LUDION_NATS_USER").ok(),
        password: env::var("LUDION_NATS_PASSWORD").ok(),
        credentials_file: env::var_os("LUDION_NATS_CREDS").map(PathBuf::from),
        ca_file: env::var_os("LUDION_NATS_CA").map(PathBuf::from),
    }
}

/// Keeps panics of the NATS library off the terminal. A damaged message makes its client panic; the
/// client is replaced then, and a notice says so.
fn hide_panics_of_clients() {
    static HIDDEN: Once = Once::new();
    HIDDEN.call_once(|| {
        let show = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_client = panic.location().is_some_and(|at| at.file().contains("async-nats"));
            if !is_of_client {
                show(panic);
            }
        }));
    });
}

/// Error message of a worker that received jobs with bots and was started without `--allow-bots`.
const NO_BOTS: &str = "it starts no programs: start it with --allow-bots to allow them";

/// Returns the function with which a worker opens received jobs. Models and data files are those
/// attached to the job, never files of this machine that happen to have the same name.
pub(crate) fn opener(registry: Arc<Registry>, allow_bots: bool) -> JobSetOpener {
    let kinds = WorkKinds::standard();
    Box::new(move |handed: ReceivedJobSpec<'_>| {
        let ReceivedJobSpec { kind, spec, attachments } = handed;
        let job_handler = kinds.job_handler(kind);
        let job_handler =
            job_handler.ok_or_else(|| format!("this program does not know {kind}"))?;
        open(&job_handler, &registry, spec, attachments).map_err(|error| match error {
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
