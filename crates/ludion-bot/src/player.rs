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
use crate::hub::{HubNotation, HubSession};
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
    Param::choice("protocol", &["ugi", "hub"], "what it speaks: ugi, or hub for draughts engines"),
    Param::text("set", "", "parameters of a Hub engine, such as \"threads=1 book=false\"")
        .only_if("protocol", &["hub"]),
    Param::real("margin", 1.0, 0.01, 3600.0, "seconds it may take beyond a budget in time"),
];

/// Time that a bot may take to end after `quit` before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(300);

/// Returns the player `bot` to be registered with
/// [`Registry::with_text_player`](ludion_players::registry::Registry::with_text_player). It cannot
/// play with Hub engines, for which [`bot_with_hub`] is.
#[must_use]
pub fn bot() -> NamedTextPlayer {
    named_bot(None)
}

/// Returns the player `bot` like [`bot`]; with `notation` it also plays with Hub engines.
#[must_use]
pub fn bot_with_hub(notation: Arc<dyn HubNotation>) -> NamedTextPlayer {
    named_bot(Some(notation))
}

fn named_bot(notation: Option<Arc<dyn HubNotation>>) -> NamedTextPlayer {
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
        make: Arc::new(move |args| Ok(Box::new(BotPlayer::new(args, notation.clone())?))),
    }
}

/// Player that runs a bot and passes on its moves.
struct BotPlayer {
    command: String,
    timeouts: BotTimeouts,
    protocol: BotProtocol,
    state: BotState,
}

/// State of the bot's process.
enum BotState {
    /// No process is running.
    NotStarted,
    /// The process is running. Boxed because a session is large.
    Running(Box<RunningBot>),
    /// The bot has forfeited the current game for this reason.
    Forfeited(String),
}

/// The protocol that a bot speaks.
enum BotProtocol {
    Ugi,
    Hub {
        notation: Arc<dyn HubNotation>,
        /// Parameters of the engine: `name=value`, with spaces between.
        parameters: String,
    },
}

/// A session in the protocol of the bot.
enum RunningBot {
    Ugi(BotSession),
    Hub(HubSession),
}

impl RunningBot {
    fn new_game(&mut self, game: &str, seed: u64) -> Result<(), BotError> {
        match self {
            RunningBot::Ugi(session) => session.new_game(game, seed),
            RunningBot::Hub(session) => session.new_game(game),
        }
    }

    fn choose(&mut self, request: &TextMoveRequest<'_>) -> Result<TextMoveReply, BotError> {
        match self {
            RunningBot::Ugi(session) => session.choose(request),
            RunningBot::Hub(session) => session.choose(request),
        }
    }

    fn name(&self) -> &str {
        match self {
            RunningBot::Ugi(session) => session.identity.name.trim(),
            RunningBot::Hub(session) => session.name.trim(),
        }
    }

    fn quit(self, limit: Duration) {
        match self {
            RunningBot::Ugi(session) => session.quit(limit),
            RunningBot::Hub(session) => session.quit(limit),
        };
    }
}

impl BotPlayer {
    fn new(args: &Args, notation: Option<Arc<dyn HubNotation>>) -> Result<Self, ParamError> {
        let command = args.text("cmd").to_owned();
        if command.trim().is_empty() {
            return Err(args.together("cmd is missing; write bot(cmd=\"python3 my_bot.py\")"));
        }
        let seconds = |name| Duration::from_secs_f64(args.real(name));
        let timeouts = BotTimeouts { reply: seconds("patience"), margin: seconds("margin") };
        let protocol = match (args.text("protocol"), notation) {
            ("hub", Some(notation)) => {
                BotProtocol::Hub { notation, parameters: args.text("set").to_owned() }
            }
            ("hub", None) => return Err(args.together("this program does not speak hub")),
            _ => BotProtocol::Ugi,
        };
        Ok(BotPlayer { command, timeouts, protocol, state: BotState::NotStarted })
    }

    fn start(&self) -> Result<Box<RunningBot>, BotError> {
        let (command, timeouts) = (&self.command, self.timeouts);
        Ok(Box::new(match &self.protocol {
            BotProtocol::Ugi => RunningBot::Ugi(BotSession::start(command, timeouts)?),
            BotProtocol::Hub { notation, parameters } => {
                let notation = Arc::clone(notation);
                RunningBot::Hub(HubSession::start(command, timeouts, notation, parameters)?)
            }
        }))
    }

    /// Returns a session that is ready for a new game: the one of the last game, or a new one.
    fn ready_session(&mut self, game: &str, seed: u64) -> Result<Box<RunningBot>, BotError> {
        if let BotState::Running(mut session) =
            std::mem::replace(&mut self.state, BotState::NotStarted)
            && session.new_game(game, seed).is_ok()
        {
            return Ok(session);
        }
        let mut session = self.start()?;
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
            self.state = BotState::Running(self.start().ok()?);
        }
        let BotState::Running(session) = &self.state else { return None };
        let name = session.name();
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
