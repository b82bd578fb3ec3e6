//! External bots: programs in any language that play over standard input and output.
//!
//! [`protocol`] has the lines of the protocol as types; `docs/guide/protocol.md` explains them.
//! [`bot`] is the player that runs such a program, [`check()`] tests whether a program follows the
//! protocol, and [`serve()`] does the reverse: it makes one of Ludion's players a bot for other
//! programs. [`hub`] has the protocol of draughts engines. Ludion referees: it checks the moves and the time of a bot, and kills its processes.
//! Bots need Unix; on other systems only the protocol and [`serve()`] are available.
//!
//! A program with the player `bot`, which `"bot(python3 my_bot.py)"` then starts:
//!
//! ```no_run
//! # #[cfg(unix)] {
//! use ludion::player::NoObserver;
//! use ludion::registry;
//!
//! // First in `main`: the program started again watches over the processes of a bot.
//! ludion_bot::supervise_if_asked();
//! let game = registry::standard().with_text_player(ludion_bot::bot()).game("connect4")?;
//! let mut player = game.player("bot(python3 my_bot.py)")?;
//! let choice = player.choose(&*game.start(), "1s".parse()?, &NoObserver)?;
//! println!("{}", choice.best);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(unix)]
mod check;
#[cfg(unix)]
mod error;
pub mod hub;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(unix)]
mod player;
#[cfg(unix)]
mod process;
#[cfg(target_os = "linux")]
mod process_table;
pub mod protocol;
#[cfg(unix)]
mod reply_wait;
mod serve;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod supervisor;

#[cfg(unix)]
pub use check::{
    BotCheckItem, BotCheckOptions, BotCheckReport, OnBotCheck, check, check_with_progress,
};
#[cfg(unix)]
pub use error::BotError;
#[cfg(unix)]
pub use player::{bot, bot_with_hub};
pub use serve::{ServeError, serve};
#[cfg(unix)]
pub use session::{BotIdentity, BotSession, BotTimeouts};
#[cfg(unix)]
pub use supervisor::{start_supervisors_with, supervise_if_asked, supervise_with_args};

/// Name of the player that runs an external program.
pub const PLAYER_NAME: &str = "bot";
