//! `ludion hextris submit`: sends a file of solutions to a server as a team.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::input::read;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::table::words;
use crate::token_args::TokenArgs;

/// Send a file of solutions to a server
#[derive(Args)]
#[command(after_help = "\
Examples:
  LUDION_TOKEN=... ludion hextris submit --team 1 solutions.json
  ludion hextris submit --team 1 --token-file team1.token solutions.json
  ludion hextris solve -f problem_6.json | ludion hextris submit --team 1 -")]
pub(crate) struct SubmitArgs {
    /// The solutions, as `ludion hextris solve` prints them; - reads standard input
    file: String,
    /// Number of the team
    #[arg(long, value_name = "ID")]
    team: i64,
    #[command(flatten)]
    token: TokenArgs,
    /// Address of the server
    #[arg(long, default_value = "http://127.0.0.1:4748", value_name = "URL")]
    url: String,
}

/// Time limit of the request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Size limit of a response in bytes.
const MOST: u64 = 64 << 20;

impl SubmitArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let token = self.token.require()?;
        let body = read(&self.file)?;
        if self.url.starts_with("https:") {
            let why = "this program sends over http; put a proxy before an https server".to_owned();
            return Err(CommandFailure::Usage(why));
        }
        let url = format!("{}/teams/{}/solutions", self.url.trim_end_matches('/'), self.team);
        let config = ureq::Agent::config_builder().timeout_global(Some(REQUEST_TIMEOUT));
        let agent: ureq::Agent = config.http_status_as_error(false).build().into();
        let password = BASE64_STANDARD.encode(format!(":{token}"));
        let request = agent
            .post(&url)
            .header("authorization", format!("Basic {password}"))
            .header("content-type", "application/json")
            .header("accept", "application/json");
        let failed = |error| CommandFailure::Failed(format!("{url} does not answer: {error}"));
        let progress = context.progress("answers").depends_on("the server");
        progress.begin(&format!("waiting for the answer of {url}"));
        let mut response = request.send(body).map_err(failed)?;
        let status = response.status();
        let said = response.body_mut().with_config().limit(MOST).read_to_string();
        let said = said.map_err(failed)?;
        progress.finish();
        if !status.is_success() {
            let (code, why) = (status.as_u16(), said.trim());
            return Err(CommandFailure::Failed(format!("the server refuses it ({code}): {why}")));
        }
        // The response of some servers has no scores, because they score later.
        let scored = serde_json::from_str(&said).unwrap_or_default();
        context.output.report(&SubmitReport { created: scored })
    }
}

#[derive(Serialize)]
struct SubmitReport {
    created: Vec<CreatedResponse>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedResponse {
    problem_id: u64,
    seed: u64,
    score: Option<u64>,
    status: Option<String>,
    tag: Option<String>,
}

impl CommandReport for SubmitReport {
    fn text(&self) -> String {
        if self.created.is_empty() {
            return "created\n".to_owned();
        }
        let row = |one: &CreatedResponse| {
            let score = one.score.map_or_else(String::new, |score| score.to_string());
            let text = |word: &Option<String>| word.clone().unwrap_or_default();
            vec![
                one.problem_id.to_string(),
                one.seed.to_string(),
                score,
                text(&one.status),
                text(&one.tag),
            ]
        };
        let head = ["problem", "seed", "score", "status", "tag"];
        words(&head, self.created.iter().map(row))
    }
}
