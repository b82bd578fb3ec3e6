//! The player `bot(cmd="…")`: an external program. One process plays game after game. A bot that
//! fails forfeits the game, and a new process is started for the next one.

use std::sync::Arc;
use std::time::Duration;

use ludion_players::effective::RepeatHazard;
use ludion_players::param::{Args, Param, ParamError};
use ludion_players::player::BudgetUnit;
use ludion_players::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion_players::registry::{NamedTextPlayer, PlayerInfo};

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

/// Time that a bot may take to end after `quit` before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(300);

/// Returns the player `bot` to be registered with
/// [`Registry::with_text_player`](ludion_players::registry::Registry::with_text_player).
#[must_use]
pub fn bot() -> NamedTextPlayer {
    let help = "an external program in any language, over standard input and output";
    NamedTextPlayer {
        info: PlayerInfo {
            name: PLAYER_NAME.into(),
            help: help.into(),
            params: PARAMS.into(),
            spends: (&BudgetUnit::ALL).into(),
            hazards: vec![RepeatHazard::Program].into(),
            ..PlayerInfo::default()
        },
        make: Arc::new(|args| Ok(Box::new(BotPlayer::new(args)?))),
    }
}

/// Player that runs a bot and passes on its moves.
struct BotPlayer {
    command: String,
    timeouts: BotTimeouts,
    state: BotState,
}

/// State of the bot's process.
enum BotState {
    /// No process is running.
    NotStarted,
    /// The process is running. Boxed because a session is large.
    Running(Box<BotSession>),
    /// The bot has forfeited the current game for this reason.
    Forfeited(String),
}

impl BotPlayer {
    fn new(args: &Args) -> Result<Self, ParamError> {
        let command = args.text("cmd").to_owned();
        if command.trim().is_empty() {
            return Err(args.together("cmd is missing; write bot(cmd=\"python3 my_bot.py\")"));
        }
        let seconds = |name| Duration::from_secs_f64(args.real(name));
        let timeouts = BotTimeouts { reply: seconds("patience"), margin: seconds("margin") };
        Ok(BotPlayer { command, timeouts, state: BotState::NotStarted })
    }

    /// Returns a session that is ready for a new game: the one of the last game, or a new one.
    fn ready_session(&mut self, game: &str, seed: u64) -> Result<Box<BotSession>, BotError> {
        if let BotState::Running(mut session) =
            std::mem::replace(&mut self.state, BotState::NotStarted)
            && session.new_game(game, seed).is_ok()
        {
            return Ok(session);
        }
        let mut session = Box::new(BotSession::start(&self.command, self.timeouts)?);
        session.new_game(game, seed)?;
        Ok(session)
    }
}

impl TextPlayer for BotPlayer {
    fn begin(&mut self, game: &str, seed: u64) {
        self.state = match self.ready_session(game, seed) {
            Ok(session) => BotState::Running(session),
            Err(error) => BotState::Forfeited(error.to_string()),
        };
    }

    fn ask(&mut self, request: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
        let reason = match &mut self.state {
            BotState::NotStarted => "the bot was asked for a move before a game".to_owned(),
            BotState::Forfeited(reason) => reason.clone(),
            BotState::Running(session) => match session.choose(request) {
                Ok(reply) => return Ok(reply),
                Err(error) => error.to_string(),
            },
        };
        self.state = BotState::Forfeited(reason.clone());
        Err(reason)
    }

    fn dismiss(&mut self) {
        self.state = BotState::Forfeited("the bot gave an illegal move earlier".to_owned());
    }

    /// Starts the bot to ask for its name; the process then plays the first game.
    fn own_name(&mut self) -> Option<String> {
        if matches!(self.state, BotState::NotStarted) {
            let session = BotSession::start(&self.command, self.timeouts).ok()?;
            self.state = BotState::Running(Box::new(session));
        }
        let BotState::Running(session) = &self.state else { return None };
        let name = session.identity.name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }
}

impl Drop for BotPlayer {
    fn drop(&mut self) {
        if let BotState::Running(session) = std::mem::replace(&mut self.state, BotState::NotStarted)
        {
            session.quit(SHUTDOWN_GRACE);
        }
    }
}
