//! `ludion new`: writes a game of your own as a crate, or a bot in one of several languages. The
//! files come from `templates/`, where `my_game`, `MyGame` and `my_bot` stand for the name, and
//! `{{…}}` for other values.

mod bot;
mod game;
mod library;
mod project;

use clap::{Args, Subcommand};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Write a game or a bot of your own, ready to build
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  ludion new treblecross                        a game, in the folder treblecross
  ludion new game bot                           the same for any name, also bot
  ludion new bot greedy --language python       a bot, in the folder greedy

A game is a crate that has the whole program: `cargo run -- lab` shows it in the
laboratory. A bot is a program that plays any game over standard input and output."
)]
pub(crate) struct NewArgs {
    #[command(subcommand)]
    what: Option<NewCommand>,
    #[command(flatten)]
    game: Option<game::NewGameArgs>,
}

#[derive(Subcommand)]
enum NewCommand {
    Game(game::NewGameArgs),
    Bot(bot::NewBotArgs),
}

impl NewArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match (&self.what, &self.game) {
            (Some(NewCommand::Game(game)), _) | (None, Some(game)) => game.run(context),
            (Some(NewCommand::Bot(bot)), _) => bot.run(context),
            (None, None) => Err(CommandFailure::Usage(
                "a name is missing; write ludion new NAME or ludion new bot NAME".to_owned(),
            )),
        }
    }
}
