//! `ludion bot`: tools for authors of bots. `check` tests whether a bot follows the protocol,
//! `serve` lets a built-in player speak the protocol like a bot.

use clap::{Args, Subcommand};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Check a bot, or let one of our players speak the protocol
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion bot serve connect4 \"mcts(sims=200)\"
  ludion bot check \"ludion bot serve tictactoe random\" --game tictactoe

A program that passes plays in any seat as \"bot(python3 my_bot.py)\". The protocol
is described in docs/guide/protocol.md; `ludion new bot` writes a complete one.")]
pub(crate) struct BotArgs {
    #[command(subcommand)]
    what: BotCommand,
}

#[derive(Subcommand)]
enum BotCommand {
    #[cfg(unix)]
    Check(super::bot_check::BotCheckArgs),
    Serve(BotServeArgs),
}

/// Let a player speak the protocol on standard input and output
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion bot serve connect4 \"mcts(sims=200)\"
  ludion bot serve tictactoe")]
struct BotServeArgs {
    /// The game to play, until the client names another
    game: String,
    /// The player [default: the strongest that answers within a second]
    player: Option<String>,
}

impl BotArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.what {
            #[cfg(unix)]
            BotCommand::Check(check) => check.run(context),
            BotCommand::Serve(serve) => serve.run(context),
        }
    }
}

impl BotServeArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if context.output.json {
            return Err(CommandFailure::Usage(
                "the protocol is text and never JSON; leave --json out".to_owned(),
            ));
        }
        let entry = context.registry.entry(&self.game)?;
        let player = self.player.as_deref().unwrap_or_else(|| entry.default_player());
        let input = std::io::BufReader::new(std::io::stdin());
        ludion_bot::serve(&context.registry, &self.game, player, input, std::io::stdout())?;
        Ok(())
    }
}
