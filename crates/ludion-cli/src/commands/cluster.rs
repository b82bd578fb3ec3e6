//! `ludion cluster`: shows the workers and runs of a cluster.

use clap::{Args, Subcommand};
use ludion_cluster::ServerAddress;
use ludion_runs::cluster::{Cluster, ClusterStatus, RunStatus, WorkerStatus};
use ludion_runs::residuals::{WorkerResidual, describe_probability};
use serde::Serialize;

use crate::CommandContext;
use crate::cluster::{AddressParser, connect};
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, rate};
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
    /// Show workers with jobs per second, and runs with progress, time left and residuals by worker
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

fn residual(residual: &WorkerResidual) -> Vec<String> {
    let number = |value: Option<f64>, format: fn(f64) -> String| {
        value.map_or_else(|| "-".to_owned(), format)
    };
    vec![
        residual.worker.clone(),
        residual.results.to_string(),
        format!("{:.3}", residual.mean),
        number(residual.others, |mean| format!("{mean:.3}")),
        number(residual.residual, |deviations| format!("{deviations:+.1} σ")),
        number(residual.probability, describe_probability),
    ]
}

/// Formats the residuals of the workers of a run, and sentences about those that are named.
fn residuals(run: &RunStatus) -> String {
    if run.residuals.is_empty() {
        return String::new();
    }
    let head = ["worker", "pairs", "mean", "others", "residual", "chance"];
    let table = figures(&head, run.residuals.iter().map(residual));
    let named = run.residuals.iter().filter(|residual| residual.is_named());
    let sentence =
        |named: &WorkerResidual| format!("worker {}: {}", named.worker, named.describe());
    let named: String = named.map(|worker| paint(LOUD, &sentence(worker)) + "\n").collect();
    format!("\nresults of {} by worker\n{table}{named}", run.id)
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
        text += &figures(&["run", "jobs", "jobs/s", "left"], runs.iter().map(run));
        text.extend(runs.iter().map(residuals));
        text
    }
}
