//! `ludion players`: lists every player with its parameters, or the players of one game.

use clap::Args;
use ludion::registry::PlayerInfo;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::seats::HUMAN;
use crate::table::{DefinitionRow, listing};

/// List the players and their parameters
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion players             every player
  ludion players connect4    those that can play Connect Four
  ludion players --json      as JSON")]
pub(crate) struct PlayersArgs {
    /// List only the players of this game
    game: Option<String>,
}

#[derive(Serialize)]
struct PlayersReport {
    players: Vec<PlayerInfo>,
}

impl PlayersArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut players = vec![HUMAN.clone()];
        players.extend(match &self.game {
            Some(game) => {
                context.registry.game(game)?;
                context.registry.entry(game)?.players().to_vec()
            }
            None => context.registry.players(),
        });
        context.output.report(&PlayersReport { players })
    }
}

impl CommandReport for PlayersReport {
    fn text(&self) -> String {
        let rows = self.players.iter().map(|info| DefinitionRow {
            name: &info.name,
            help: &info.help,
            params: &info.params,
        });
        listing(&rows.collect::<Vec<_>>())
    }
}
