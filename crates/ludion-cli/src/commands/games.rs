//! `ludion games`: lists every game with its parameters, or one game with its start position,
//! examples and players.

use clap::Args;
use ludion::registry::{GameEntry, RegistryError};
use ludion::spec::Spec;
use ludion_runs::{GameDescription, RiddleDescription};
use serde::Serialize;

use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::seats::HUMAN;
use crate::table::{DefinitionRow, listing};

/// List the games and their parameters
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion games             every game
  ludion games hexapawn    one game, with examples and its players
  ludion games --json      as JSON")]
pub(crate) struct GamesArgs {
    /// Show only this game, with examples and players
    name: Option<String>,
}

#[derive(Serialize)]
struct GamesReport {
    games: Vec<GameDescription>,
    riddles: Vec<RiddleDescription>,
    /// Drawing of the start position, if one game was named.
    #[serde(skip)]
    picture: Option<String>,
}

impl GamesArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let registry = &context.registry;
        let report = match &self.name {
            None => GamesReport {
                games: registry.games().iter().map(list_game).collect(),
                riddles: registry.riddles().iter().map(RiddleDescription::from).collect(),
                picture: None,
            },
            Some(text) if registry.riddle(text).is_ok() => {
                let name = Spec::parse(text).map_err(RegistryError::from)?.name;
                let named = registry.riddles().iter().filter(|riddle| riddle.name == name);
                let riddles = named.map(RiddleDescription::from).collect();
                GamesReport { games: Vec::new(), riddles, picture: None }
            }
            Some(text) => {
                let game = registry.game(text)?;
                GamesReport {
                    games: vec![list_game(registry.entry(text)?)],
                    riddles: Vec::new(),
                    picture: Some(draw(&game.start().scene())),
                }
            }
        };
        context.output.report(&report)
    }
}

/// Lists a game with `human` as the first of its players.
fn list_game(entry: &GameEntry) -> GameDescription {
    let mut listed = GameDescription::from(entry);
    listed.players.insert(0, HUMAN.name.to_string());
    listed
}

impl CommandReport for GamesReport {
    fn text(&self) -> String {
        let games = self.games.iter().map(|game| DefinitionRow {
            name: &game.name,
            help: &game.help,
            params: &game.params,
        });
        let riddles = self.riddles.iter().map(|riddle| DefinitionRow {
            name: &riddle.name,
            help: &riddle.help,
            params: &riddle.params,
        });
        let mut text = listing(&games.chain(riddles).collect::<Vec<_>>());
        if let ([], [riddle]) = (&self.games[..], &self.riddles[..]) {
            text += &format!("\nexamples: {}\n", riddle.examples.join("  "));
            text += &format!("a riddle: see ludion {} --help\n", riddle.name);
        }
        if let (Some(picture), [game]) = (&self.picture, &self.games[..]) {
            text += &format!("\n{picture}\n");
            text += &format!("examples: {}\n", game.examples.join("  "));
            text += &format!("players: {}\n", game.players.join("  "));
        }
        text
    }
}
