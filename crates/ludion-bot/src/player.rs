//! The player `bot(cmd="…")`: a program of somebody else in a seat of the arena. The same
//! process plays game after game; whoever fails forfeits one game and is replaced by a new
//! process before the next.

use std::sync::Arc;
use std::time::Duration;

use ludion::param::{Args, Param, ParamError};
use ludion::player::Unit;
use ludion::players::remote::{Answer, Question, Voice};
use ludion::registry::{NamedVoice, PlayerInfo};

use crate::engine::{Engine, Patience};
use crate::trouble::Trouble;

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
const FAREWELL: Duration = Duration::from_millis(300);

/// The player `bot`, for [`Registry::with_voice`](ludion::registry::Registry::with_voice).
#[must_use]
pub fn bot() -> NamedVoice {
    let help = "a program of your own, in any language, over standard input and output";
    NamedVoice {
        info: PlayerInfo { name: "bot", help, params: PARAMS, spends: &Unit::ALL },
        make: Arc::new(|args| Ok(Box::new(Bot::new(args)?))),
    }
}

/// A bot and what became of it.
struct Bot {
    command: String,
    patience: Patience,
    seat: Seat,
}

enum Seat {
    /// Nobody is there yet.
    Empty,
    /// A process that plays. Boxed: a conversation is large.
    Taken(Box<Engine>),
    /// This game is lost, for this reason.
    Forfeit(String),
}

impl Bot {
    fn new(args: &Args) -> Result<Self, ParamError> {
        let command = args.text("cmd").to_owned();
        if command.trim().is_empty() {
            return Err(args.together("cmd is missing; write bot(cmd=\"python3 my_bot.py\")"));
        }
        let seconds = |name| Duration::from_secs_f64(args.real(name));
        let patience = Patience { answer: seconds("patience"), margin: seconds("margin") };
        Ok(Bot { command, patience, seat: Seat::Empty })
    }

    /// A process that is ready for a game: the one that played the last, or a new one.
    fn ready(&mut self, game: &str, seed: u64) -> Result<Box<Engine>, Trouble> {
        if let Seat::Taken(mut engine) = std::mem::replace(&mut self.seat, Seat::Empty)
            && engine.new_game(game, seed).is_ok()
        {
            return Ok(engine);
        }
        let mut engine = Box::new(Engine::start(&self.command, self.patience)?);
        engine.new_game(game, seed)?;
        Ok(engine)
    }
}

impl Voice for Bot {
    fn begin(&mut self, game: &str, seed: u64) {
        self.seat = match self.ready(game, seed) {
            Ok(engine) => Seat::Taken(engine),
            Err(trouble) => Seat::Forfeit(trouble.to_string()),
        };
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Answer, String> {
        let reason = match &mut self.seat {
            Seat::Empty => "the bot was asked before a game began".to_owned(),
            Seat::Forfeit(reason) => reason.clone(),
            Seat::Taken(engine) => match engine.choose(question) {
                Ok(answer) => return Ok(answer),
                Err(trouble) => trouble.to_string(),
            },
        };
        self.seat = Seat::Forfeit(reason.clone());
        Err(reason)
    }

    fn dismiss(&mut self) {
        self.seat = Seat::Forfeit("the bot gave an illegal move before".to_owned());
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        if let Seat::Taken(engine) = std::mem::replace(&mut self.seat, Seat::Empty) {
            engine.quit(FAREWELL);
        }
    }
}
