//! `ludion games`: every game with its parameters, or one game with all there is to say
//! before it is played.

use std::borrow::Cow;

use clap::Args;
use ludion::param::Param;
use ludion::registry::{GameEntry, RiddleEntry};
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
  ludion games --json      for machines")]
pub(crate) struct GamesArgs {
    /// Only this game, in full
    name: Option<String>,
}

#[derive(Serialize)]
struct GamesReport {
    games: Vec<ListedGame>,
    riddles: Vec<ListedRiddle>,
    /// The one game asked for, as it looks at the start.
    #[serde(skip)]
    picture: Option<String>,
}

#[derive(Serialize)]
struct ListedGame {
    name: Cow<'static, str>,
    help: Cow<'static, str>,
    puzzle: bool,
    params: Cow<'static, [Param]>,
    examples: Vec<Cow<'static, str>>,
    players: Vec<Cow<'static, str>>,
}

impl ListedGame {
    fn of(entry: &GameEntry) -> Self {
        ListedGame {
            name: entry.name.clone(),
            help: entry.help.clone(),
            puzzle: entry.puzzle,
            params: entry.params.clone(),
            examples: entry.examples.clone(),
            players: std::iter::once(&HUMAN)
                .chain(entry.players())
                .map(|p| p.name.clone())
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct ListedRiddle {
    name: Cow<'static, str>,
    help: Cow<'static, str>,
    params: Cow<'static, [Param]>,
    examples: Vec<Cow<'static, str>>,
}

impl ListedRiddle {
    fn of(entry: &RiddleEntry) -> Self {
        let RiddleEntry { name, help, params, examples, .. } = entry.clone();
        ListedRiddle { name, help, params, examples }
    }
}

impl GamesArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let answer = match &self.name {
            None => {
                let games = context.registry.games().iter().map(ListedGame::of).collect();
                let riddles = context.registry.riddles().iter().map(ListedRiddle::of).collect();
                GamesReport { games, riddles, picture: None }
            }
            Some(name) if context.registry.riddle(name).is_ok() => {
                let riddle = ListedRiddle::of(context.registry.riddle_entry(name)?);
                GamesReport { games: Vec::new(), riddles: vec![riddle], picture: None }
            }
            Some(name) => {
                let game = context.registry.game(name)?;
                GamesReport {
                    games: vec![ListedGame::of(context.registry.entry(name)?)],
                    riddles: Vec::new(),
                    picture: Some(draw(&game.start().scene())),
                }
            }
        };
        context.output.report(&answer)
    }
}

impl CommandReport for GamesReport {
    fn text(&self) -> String {
        let listed =
            |g: &ListedGame| DefinitionRow { name: &g.name, help: &g.help, params: &g.params };
        let riddle =
            |r: &ListedRiddle| DefinitionRow { name: &r.name, help: &r.help, params: &r.params };
        let games = self.games.iter().map(listed);
        let mut text = listing(&games.chain(self.riddles.iter().map(riddle)).collect::<Vec<_>>());
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
