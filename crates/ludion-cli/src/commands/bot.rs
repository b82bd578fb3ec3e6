//! `ludion bot`: what people with a program of their own need. `check` says whether it keeps
//! to the protocol, `serve` is one of our players speaking it.

use clap::{Args, Subcommand};

use crate::Context;
use crate::failure::Failure;

/// Check a program of your own, or let a player speak its protocol
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion bot serve connect4 \"mcts(sims=200)\"
  ludion bot check \"ludion bot serve tictactoe random\" --game tictactoe

A program that passes plays in any seat as \"bot(python3 my_bot.py)\". The protocol
is described in docs/protocol.md, a complete program is examples/bots/random_bot.py.")]
pub(crate) struct Bot {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    #[cfg(unix)]
    Check(super::bot_check::BotCheck),
    Serve(Serve),
}

/// Let a player answer the protocol on standard input and output
#[derive(Args)]
struct Serve {
    /// The game until the program on the other side names another
    game: String,
    /// The player [default: the strongest that answers at once]
    player: Option<String>,
}

impl Bot {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.what {
            #[cfg(unix)]
            What::Check(check) => check.run(context),
            What::Serve(serve) => serve.run(context),
        }
    }
}

impl Serve {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        if context.output.json {
            return Err(Failure::Usage(
                "the protocol is text and never JSON; leave --json out".to_owned(),
            ));
        }
        let entry = context.registry.entry(&self.game)?;
        let player = self.player.as_deref().unwrap_or_else(|| entry.capable());
        let input = std::io::BufReader::new(std::io::stdin());
        ludion_bot::serve(&context.registry, &self.game, player, input, std::io::stdout())?;
        Ok(())
    }
}
