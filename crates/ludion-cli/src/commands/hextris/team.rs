//! `ludion hextris team`: manages the teams of `ludion hextris serve`.

use clap::{Args, Subcommand};
use ludion_server::AccessToken;
use ludion_store::{Team as StoredTeam, TeamId};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::runs::StoreArgs;
use crate::table::words;

/// Add, list and remove the teams that may submit solutions
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris team add \"The Hexagons\"     prints the token of the team, once
  ludion hextris team list
  ludion hextris team token 1                another token, for one that was lost
  ludion hextris team remove 1               with all it submitted")]
pub(crate) struct TeamArgs {
    #[command(subcommand)]
    action: TeamCommand,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Subcommand)]
enum TeamCommand {
    /// Add a team and print its token, which is stored nowhere
    #[command(after_help = "\
Examples:
  ludion hextris team add \"The Hexagons\"")]
    Add {
        /// The team's name
        name: String,
    },
    /// List the teams
    #[command(after_help = "\
Examples:
  ludion hextris team list")]
    List,
    /// Replace a team's token
    #[command(after_help = "\
Examples:
  ludion hextris team token 1")]
    Token {
        /// The team's number
        team: TeamId,
    },
    /// Remove a team with all its submissions
    #[command(after_help = "\
Examples:
  ludion hextris team remove 1")]
    Remove {
        /// The team's number
        team: TeamId,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum TeamReport {
    Token { team: TeamId, name: String, token: String },
    Teams { teams: Vec<StoredTeam> },
    Removed { removed: TeamId },
}

impl TeamArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let Some(mut store) = self.store.open()? else {
            return Err(CommandFailure::Usage("teams need a store to be kept in".to_owned()));
        };
        let answer = match &self.action {
            TeamCommand::Add { name } => {
                let name = checked(name)?;
                let token = draw()?;
                let team = store.add_team(name, &token.hash())?;
                TeamReport::Token { team: team.id, name: team.name, token: token.text().to_owned() }
            }
            TeamCommand::List => TeamReport::Teams { teams: store.teams()? },
            TeamCommand::Token { team } => {
                let token = draw()?;
                store.set_token(*team, &token.hash())?;
                let StoredTeam { id: team, name, .. } = store.team(*team)?;
                TeamReport::Token { team, name, token: token.text().to_owned() }
            }
            TeamCommand::Remove { team } => {
                store.remove_team(*team)?;
                TeamReport::Removed { removed: *team }
            }
        };
        context.output.report(&answer)
    }
}

fn draw() -> Result<AccessToken, CommandFailure> {
    AccessToken::draw()
        .map_err(|error| CommandFailure::Failed(format!("the system gives no token: {error}")))
}

/// Longest name of a team, in characters.
const LONGEST: usize = 100;

fn checked(name: &str) -> Result<&str, CommandFailure> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        let allowed = format!("the name of a team has 1 to {LONGEST} characters on one line");
        return Err(CommandFailure::Usage(allowed));
    }
    Ok(name)
}

impl CommandReport for TeamReport {
    fn text(&self) -> String {
        match self {
            TeamReport::Token { team, name, token } => {
                format!("team {team}, {name}; its token, which is shown this once:\n{token}\n")
            }
            TeamReport::Teams { teams } if teams.is_empty() => {
                "no teams yet; add one with: ludion hextris team add NAME\n".to_owned()
            }
            TeamReport::Teams { teams } => {
                let row = |team: &StoredTeam| {
                    let since = team.created.chars().take(10).collect();
                    vec![team.id.to_string(), team.name.clone(), since]
                };
                words(&["team", "name", "since"], teams.iter().map(row))
            }
            TeamReport::Removed { removed } => format!("team {removed} is removed\n"),
        }
    }
}
