//! `ludion worker`: runs jobs for coordinators on other machines, until it is stopped.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use directories::ProjectDirs;
use ludion_cluster::{ServerAddress, Worker, WorkerEvent, check_worker_name};
use serde::Serialize;

use crate::cluster::{self, AddressParser};
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::progress::note;
use crate::runs::interrupt;
use crate::{CommandContext, VERSION};

/// Run jobs for other machines
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion worker --nats nats://127.0.0.1:4222
  ludion worker --nats tls://host --name kitchen --threads 8

Runs jobs of every run that uses --cluster with the same server, until Ctrl-C; jobs under
way then go back to their runs. Runs of another version are refused, and those whose models cannot
be fetched. Credentials are given in the URL or, with precedence, in the environment:
LUDION_NATS_USER and LUDION_NATS_PASSWORD, or LUDION_NATS_CREDS, a file of credentials;
LUDION_NATS_CA, a file of certificates to trust.")]
pub(crate) struct WorkerArgs {
    /// The server, such as nats://host:4222 or tls://host; several with commas
    #[arg(long, value_name = "URL", value_parser = AddressParser)]
    nats: ServerAddress,
    /// Name of the worker in `ludion cluster status` [default: from the machine and the process]
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// Folder in which models and data files of runs are kept [default: the cache folder of the
    /// user]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Let runs start external programs with the player bot
    #[arg(long)]
    pub(crate) allow_bots: bool,
}

#[derive(Serialize)]
struct WorkerReport {
    name: String,
    server: String,
    threads: usize,
}

impl WorkerArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let name = self.name.clone().unwrap_or_else(default_name);
        let server = self.nats.to_string();
        let threads = context.threads;
        let ready = WorkerReport { name: name.clone(), server, threads };
        let worker = Worker {
            name,
            version: VERSION.to_owned(),
            threads,
            folder: self.folder()?,
            opener: cluster::opener(Arc::clone(&context.registry), self.allow_bots),
        };
        let progress = context.progress("jobs").depends_on("the runs; Ctrl-C stops it");
        progress.begin("connecting");
        let on_event = |event: WorkerEvent<'_>| match event {
            // A closed standard output is no reason to stop.
            WorkerEvent::Ready => {
                progress.clear_line();
                drop(context.output.report(&ready));
            }
            WorkerEvent::Notice(sentence) => note(sentence),
            WorkerEvent::Progress { jobs, busy_threads } => progress.update(jobs, None, || {
                format!("{busy_threads} of {} busy", plural(threads as u64, "thread"))
            }),
        };
        interrupt::announce("jobs under way go back to their runs".to_owned());
        worker.run(&self.nats, &cluster::access(), interrupt::flag(), &on_event)?;
        interrupt::server_result()
    }

    fn folder(&self) -> Result<PathBuf, CommandFailure> {
        if let Some(folder) = &self.folder {
            return Ok(folder.clone());
        }
        let folders = ProjectDirs::from("", "", "ludion").ok_or_else(|| {
            CommandFailure::Failed(
                "this system names no folder for caches; name one with --folder".into(),
            )
        })?;
        Ok(folders.cache_dir().join("things"))
    }
}

fn name(text: &str) -> Result<String, String> {
    check_worker_name(text).map(|()| text.to_owned()).map_err(|error| error.to_string())
}

/// Returns a worker name made of the host name and the process number.
fn default_name() -> String {
    #[cfg(unix)]
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let machine = std::env::var("COMPUTERNAME").unwrap_or_else(|_| "worker".to_owned());
    let name = format!("{machine}-{}", std::process::id());
    name.chars().map(|c| if c.is_ascii_graphic() { c } else { '-' }).collect()
}

impl CommandReport for WorkerReport {
    fn text(&self) -> String {
        let WorkerReport { name, server, threads } = self;
        let threads = plural(*threads as u64, "thread");
        format!("worker {name} runs jobs of {server} on {threads}; Ctrl-C stops it\n")
    }
}
