//! `ludion hextris serve`: accepts solutions of teams over HTTP as the contest did, scores them and
//! ranks the teams.

use std::net::SocketAddr;

use clap::Args;
use ludion_server::{SubmissionConfig, SubmissionLimits, app, listen, serve, start_runtime};
use serde::Serialize;

use super::input::{PhraseArgs, load_contest_problems};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::runs::{StoreArgs, interrupt};

/// Accept solutions of teams over HTTP, score and rank them
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris team add \"The Hexagons\"         prints the team's token, once
  ludion hextris serve                           all problems of our own
  ludion hextris serve problem_*.json            ends with Ctrl-C

  POST /teams/ID/solutions     Basic authentication, the token as password
  GET  /teams/ID/solutions     what the team submitted, with scores
  GET  /leaderboard            or /leaderboard?counts=best; as tables: hextris leaderboard
  GET  /problems")]
pub(crate) struct HextrisServeArgs {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:4748", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// A problem: a file, or the name of a built-in one [default: all built-in ones]
    #[arg(long = "problem", short = 'f', value_name = "FILE")]
    problems: Vec<String>,
    /// Further problems: files, or names of built-in ones
    #[arg(value_name = "FILE")]
    further: Vec<String>,
    #[command(flatten)]
    phrases: PhraseArgs,
    /// Maximum number of submissions that a team can make in a minute
    #[arg(long, default_value_t = SubmissionLimits::default().posts_per_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Megabytes that all submissions of a team may take in the store; further ones are refused
    #[arg(long, default_value_t = SubmissionLimits::default().team_bytes >> 20, value_name = "MB",
          value_parser = clap::value_parser!(u64).range(1..=MAX_QUOTA))]
    quota: u64,
    #[command(flatten)]
    store: StoreArgs,
}

/// Largest quota of a team in megabytes.
const MAX_QUOTA: u64 = 1 << 20;

impl HextrisServeArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let problems = load_contest_problems(self.problems.iter().chain(&self.further))?;
        let Some(store) = self.store.open()? else {
            return Err(CommandFailure::Usage(
                "a server needs a store to keep solutions in".to_owned(),
            ));
        };
        let limits = SubmissionLimits {
            posts_per_minute: self.rate,
            team_bytes: self.quota << 20,
            ..SubmissionLimits::default()
        };
        let count = problems.len();
        let mut contest =
            SubmissionConfig { problems, phrases: self.phrases.read()?, store, limits };
        contest.store_problems()?;
        let runtime = start_runtime().map_err(|error| CommandFailure::Failed(error.to_string()))?;
        let failed =
            |error| CommandFailure::Failed(format!("{} cannot be served: {error}", self.listen));
        runtime.block_on(async {
            let listener = listen(self.listen).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            context
                .output
                .report(&ServingReport { address: format!("http://{address}"), problems: count })?;
            serve(listener, app(contest), interrupt::stopped()).await.map_err(failed)?;
            interrupt::server_result()
        })
    }
}

#[derive(Serialize)]
struct ServingReport {
    address: String,
    problems: usize,
}

impl CommandReport for ServingReport {
    fn text(&self) -> String {
        let problems = plural(self.problems as u64, "problem");
        format!("{problems} at {}; Ctrl-C ends it\n", self.address)
    }
}
