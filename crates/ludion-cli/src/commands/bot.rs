//! `ludion bot`: tools for authors of bots. `check` tests whether a bot follows the protocol,
//! `serve` lets a built-in player speak the protocol like a bot.

use clap::{Args, Subcommand, ValueEnum};

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::hub::CheckersHubNotation;
use ludion_bot::hub::serve_hub;

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
  ludion bot serve tictactoe
  ludion bot serve \"checkers(international)\" deepening --protocol hub

Hub is the protocol of draughts engines; their graphical programs start the last command.")]
struct BotServeArgs {
    /// The game to play, until the client names another
    game: String,
    /// The player [default: the strongest that answers within a second]
    player: Option<String>,
    /// The protocol to speak: ugi, or hub for checkers
    #[arg(long, value_name = "PROTOCOL", value_enum, default_value = "ugi")]
    protocol: ServedProtocol,
}

/// A protocol that a player can be served in.
#[derive(Clone, Copy, ValueEnum)]
enum ServedProtocol {
    Ugi,
    Hub,
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
        let game = context.registry.game(&self.game)?;
        let default = || entry.default_player(game.spec());
        let player = self.player.as_deref().unwrap_or_else(default);
        let input = std::io::BufReader::new(std::io::stdin());
        let (registry, output) = (&context.registry, std::io::stdout());
        match self.protocol {
            ServedProtocol::Ugi => {
                ludion_bot::serve(registry, &self.game, player, input, output)?;
            }
            ServedProtocol::Hub => {
                let served = (self.game.as_str(), player);
                serve_hub(registry, served, &CheckersHubNotation, input, output)?;
            }
        }
        Ok(())
    }
}
