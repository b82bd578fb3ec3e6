//! `ludion cluster`: shows the workers and runs of a cluster.

use clap::{Args, Subcommand};
use ludion_cluster::ServerAddress;
use ludion_runs::cluster::{Cluster, ClusterStatus, RunStatus, WorkerStatus};
use serde::Serialize;

use crate::CommandContext;
use crate::cluster::{AddressParser, connect};
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, rate};
use crate::table::figures;

/// Show the workers and runs of a cluster
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion cluster status --nats nats://127.0.0.1:4222
  ludion cluster status --nats nats://127.0.0.1:4222 --json")]
pub(crate) struct ClusterCommandArgs {
    #[command(subcommand)]
    action: ClusterCommand,
}

#[derive(Subcommand)]
enum ClusterCommand {
    /// Show workers with their jobs per second, and runs with their progress and time left
    #[command(after_help = "\
Examples:
  ludion cluster status --nats nats://127.0.0.1:4222
  ludion cluster status --nats nats://127.0.0.1:4222 --json")]
    Status {
        /// The server, such as nats://host:4222
        #[arg(long, value_name = "URL", value_parser = AddressParser)]
        nats: ServerAddress,
    },
}

#[derive(Serialize)]
struct ClusterStatusReport {
    server: String,
    #[serde(flatten)]
    status: ClusterStatus,
}

impl ClusterCommandArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let ClusterCommand::Status { nats } = &self.action;
        let status = connect(nats)?.status()?;
        context.output.report(&ClusterStatusReport { server: nats.to_string(), status })
    }
}

fn worker(worker: &WorkerStatus) -> Vec<String> {
    vec![
        worker.name.clone(),
        worker.version.clone(),
        format!("{}/{}", worker.busy, worker.threads),
        worker.jobs.to_string(),
        rate(worker.jobs_per_second),
        worker.runs.join(" "),
    ]
}

fn run(run: &RunStatus) -> Vec<String> {
    let left = run.seconds_left.map_or_else(|| "?".to_owned(), |left| format!("{left:.0} s"));
    vec![
        format!("{} {}: {}", run.id, run.kind, run.about),
        format!("{}/{}", run.done, run.jobs),
        rate(run.jobs_per_second),
        left,
    ]
}

impl CommandReport for ClusterStatusReport {
    fn text(&self) -> String {
        let ClusterStatus { workers, runs } = &self.status;
        let mut text = if workers.is_empty() {
            let server = &self.server;
            format!("no worker at {server}; start one with: ludion worker --nats URL\n")
        } else {
            let head = ["worker", "version", "busy", "jobs", "jobs/s", "runs"];
            figures(&head, workers.iter().map(worker))
        };
        for WorkerStatus { name, refusals, .. } in workers {
            text.extend(refusals.iter().map(|why| paint(QUIET, &format!("{name}: {why}")) + "\n"));
        }
        for pair in workers.windows(2).filter(|pair| pair[0].name == pair[1].name) {
            let twice = format!("two workers are called {}: give one another --name", pair[0].name);
            text += &(paint(QUIET, &twice) + "\n");
        }
        text += "\n";
        if runs.is_empty() {
            return text + "no run is under way\n";
        }
        text + &figures(&["run", "jobs", "jobs/s", "left"], runs.iter().map(run))
    }
}
