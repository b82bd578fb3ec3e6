//! `ludion hextris serve`: takes solutions of teams over HTTP as the contest did, scores them
//! and ranks the teams.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use clap::Args;
use ludion::games::hextris::problems::{Named, PROBLEMS};
use ludion_server::{Contest, Limits, app, serve};
use serde::Serialize;

use super::input::{PhraseOption, load_problems};
use crate::Context;
use crate::contest::{Storage, StoreOption, interrupt};
use crate::failure::Failure;
use crate::output::{Report, plural};

/// Take solutions of teams over HTTP, score and rank them
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
pub(crate) struct Serve {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:4748", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// A problem: a file, or the name of one of our own [default: all of our own]
    #[arg(long = "problem", short = 'f', value_name = "FILE")]
    problems: Vec<String>,
    /// Further problems
    #[arg(value_name = "FILE")]
    further: Vec<String>,
    #[command(flatten)]
    phrases: PhraseOption,
    /// Submissions of a team in a minute
    #[arg(long, default_value_t = Limits::default().posts_a_minute, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    #[command(flatten)]
    store: StoreOption,
}

impl Serve {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let names: Vec<&String> = self.problems.iter().chain(&self.further).collect();
        let problems = match &names[..] {
            [] => PROBLEMS.iter().map(Named::problem).collect(),
            names => load_problems(names)?,
        };
        let problems: BTreeMap<_, _> =
            problems.into_iter().map(|problem| (problem.id(), problem)).collect();
        let Storage::Store(store) = self.store.open()? else {
            return Err(Failure::Usage("a server needs a store to keep solutions in".to_owned()));
        };
        let limits = Limits { posts_a_minute: self.rate, ..Limits::default() };
        let count = problems.len();
        let contest = Contest { problems, phrases: self.phrases.read()?, store, limits };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let failed = |error| Failure::Failed(format!("{} cannot be served: {error}", self.listen));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind(self.listen).await.map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            context
                .output
                .report(&Serving { address: format!("http://{address}"), problems: count })?;
            serve(listener, app(contest), interrupt::stopped()).await.map_err(failed)
        })
    }
}

#[derive(Serialize)]
struct Serving {
    address: String,
    problems: usize,
}

impl Report for Serving {
    fn text(&self) -> String {
        let problems = plural(self.problems as u64, "problem");
        format!("{problems} at {}; Ctrl-C ends it\n", self.address)
    }
}
