//! The player `bot(cmd="…")`: a program of somebody else in a seat of the arena. The same
//! process plays game after game; whoever fails forfeits one game and is replaced by a new
//! process before the next.

use std::sync::Arc;
use std::time::Duration;

use ludion::param::{Args, Param, ParamError};
use ludion::player::BudgetUnit;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion::registry::{NamedTextPlayer, PlayerInfo};

use crate::PLAYER_NAME;
use crate::error::BotError;
use crate::session::{BotSession, BotTimeouts};

const PARAMS: &[Param] = &[
    Param::text("cmd", "", "the command that starts it, as typed in a shell"),
    Param::real(
        "patience",
        10.0,
        0.01,
        86_400.0,
        "seconds it has to start, to be ready, and to move where the budget is not in time",
    ),
    Param::real("margin", 1.0, 0.01, 3600.0, "seconds it may take beyond a budget in time"),
];

/// How long a bot has to end by itself when it is no longer needed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(300);

/// The player `bot`, for [`Registry::with_text_player`](ludion::registry::Registry::with_text_player).
#[must_use]
pub fn bot() -> NamedTextPlayer {
    let help = "a program of your own, in any language, over standard input and output";
    NamedTextPlayer {
        info: PlayerInfo {
            name: PLAYER_NAME.into(),
            help: help.into(),
            params: PARAMS.into(),
            spends: (&BudgetUnit::ALL).into(),
            ..PlayerInfo::default()
        },
        make: Arc::new(|args| Ok(Box::new(BotConnection::new(args)?))),
    }
}

/// A bot and what became of it.
struct BotConnection {
    command: String,
    patience: BotTimeouts,
    seat: BotState,
}

enum BotState {
    /// Nobody is there yet.
    Empty,
    /// A process that plays. Boxed: a conversation is large.
    Taken(Box<BotSession>),
    /// This game is lost, for this reason.
    Forfeit(String),
}

impl BotConnection {
    fn new(args: &Args) -> Result<Self, ParamError> {
        let command = args.text("cmd").to_owned();
        if command.trim().is_empty() {
            return Err(args.together("cmd is missing; write bot(cmd=\"python3 my_bot.py\")"));
        }
        let seconds = |name| Duration::from_secs_f64(args.real(name));
        let patience = BotTimeouts { answer: seconds("patience"), margin: seconds("margin") };
        Ok(BotConnection { command, patience, seat: BotState::Empty })
    }

    /// A process that is ready for a game: the one that played the last, or a new one.
    fn ready(&mut self, game: &str, seed: u64) -> Result<Box<BotSession>, BotError> {
        if let BotState::Taken(mut engine) = std::mem::replace(&mut self.seat, BotState::Empty)
            && engine.new_game(game, seed).is_ok()
        {
            return Ok(engine);
        }
        let mut engine = Box::new(BotSession::start(&self.command, self.patience)?);
        engine.new_game(game, seed)?;
        Ok(engine)
    }
}

impl TextPlayer for BotConnection {
    fn begin(&mut self, game: &str, seed: u64) {
        self.seat = match self.ready(game, seed) {
            Ok(engine) => BotState::Taken(engine),
            Err(trouble) => BotState::Forfeit(trouble.to_string()),
        };
    }

    fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
        let reason = match &mut self.seat {
            BotState::Empty => "the bot was asked before a game began".to_owned(),
            BotState::Forfeit(reason) => reason.clone(),
            BotState::Taken(engine) => match engine.choose(question) {
                Ok(answer) => return Ok(answer),
                Err(trouble) => trouble.to_string(),
            },
        };
        self.seat = BotState::Forfeit(reason.clone());
        Err(reason)
    }

    fn dismiss(&mut self) {
        self.seat = BotState::Forfeit("the bot gave an illegal move before".to_owned());
    }
}

impl Drop for BotConnection {
    fn drop(&mut self) {
        if let BotState::Taken(engine) = std::mem::replace(&mut self.seat, BotState::Empty) {
            engine.quit(SHUTDOWN_GRACE);
        }
    }
}
