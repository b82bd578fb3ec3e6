//! `ludion players`: every player with its parameters, or those of one game.

use clap::Args;
use ludion::registry::PlayerInfo;
use serde::Serialize;

use crate::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::seats::HUMAN;
use crate::table::{Listed, listing};

/// List the players and their parameters
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion players             every player
  ludion players connect4    those that can play Connect Four
  ludion players --json      for machines")]
pub(crate) struct Players {
    /// Only players of this game
    game: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    players: Vec<PlayerInfo>,
}

impl Players {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let mut players = vec![HUMAN];
        players.extend(match &self.game {
            Some(game) => {
                context.registry.game(game)?;
                context.registry.entry(game)?.players().to_vec()
            }
            None => context.registry.players(),
        });
        context.output.report(&Answer { players })
    }
}

impl Report for Answer {
    fn text(&self) -> String {
        let listed = |p: &PlayerInfo| Listed { name: p.name, help: p.help, params: p.params };
        listing(&self.players.iter().map(listed).collect::<Vec<_>>())
    }
}
