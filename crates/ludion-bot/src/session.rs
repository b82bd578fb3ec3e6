//! A conversation with a bot: who it is, a new game, a move, a question; each within a time
//! limit and a number of lines, so that a bot which hangs or floods is found out.

use std::time::{Duration, Instant};

use ludion::param::Spec;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest};
use serde::Serialize;

use crate::error::{BotError, excerpt};
use crate::process::BotProcess;
use crate::protocol::{
    BotCommand, BotFeature, BotReply, BotScore, GoParameters, PositionOrigin, PositionQuery,
    SearchInfo, SpinOption,
};

/// Lines that a bot may say before it says what was asked.
const MAX_LINES: usize = 100_000;
/// How often somebody who may want the answer at once is asked whether he does.
const LOOK: Duration = Duration::from_millis(10);
/// What a bot that knows no extension gets for a move that nothing limits, in milliseconds.
const IDLE: u64 = 1000;

/// The time limits of a conversation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BotTimeouts {
    /// To start, to be ready, and to move where the budget is not in time.
    pub answer: Duration,
    /// Beyond a budget in time, and after `stop`.
    pub margin: Duration,
}

/// What a bot says of itself.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct BotIdentity {
    /// Its name.
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// The extensions it knows.
    pub features: Vec<BotFeature>,
    /// The range of its option `Seed`, if it has one.
    #[serde(skip)]
    pub seed: Option<(u64, u64)>,
}

impl BotIdentity {
    /// Whether it knows an extension.
    #[must_use]
    pub fn knows(&self, feature: &BotFeature) -> bool {
        self.features.contains(feature)
    }

    /// The games it says it plays; `None` if it does not know `game`, empty for any.
    #[must_use]
    pub fn games(&self) -> Option<&[String]> {
        self.features.iter().find_map(|feature| match feature {
            BotFeature::Game(names) => Some(&names[..]),
            _ => None,
        })
    }

    fn hear(&mut self, reply: BotReply) {
        match reply {
            BotReply::Name(name) => self.name = excerpt(&name),
            BotReply::Author(author) => self.author = excerpt(&author),
            BotReply::Feature(feature) => self.features.push(feature),
            BotReply::Option(SpinOption { name, range }) if name.eq_ignore_ascii_case("seed") => {
                self.seed = range;
            }
            _ => {}
        }
    }
}

/// A bot that is running and has introduced itself.
pub struct BotSession {
    process: BotProcess,
    patience: BotTimeouts,
    /// What it says of itself.
    pub identity: BotIdentity,
}

impl BotSession {
    /// Starts the bot and has it introduce itself.
    ///
    /// # Errors
    /// When it does not start or does not say `ugiok` in time.
    pub fn start(command: &str, patience: BotTimeouts) -> Result<Self, BotError> {
        let process = BotProcess::start(command)?;
        let mut engine = BotSession { process, patience, identity: BotIdentity::default() };
        engine.say(&BotCommand::Ugi)?;
        let mut identity = BotIdentity::default();
        engine.hear("ugiok", patience.answer, |reply| match reply {
            BotReply::UgiOk => Some(()),
            other => {
                identity.hear(other);
                None
            }
        })?;
        engine.identity = identity;
        Ok(engine)
    }

    fn say(&mut self, command: &BotCommand) -> Result<(), BotError> {
        self.say_line(&command.to_string())
    }

    /// Says any line, of the protocol or not.
    ///
    /// # Errors
    /// When the bot does not read it.
    pub fn say_line(&mut self, line: &str) -> Result<(), BotError> {
        self.process.say(line, Instant::now() + self.patience.answer)
    }

    /// Listens until `take` takes a reply.
    fn hear<T>(
        &mut self,
        wanted: &'static str,
        limit: Duration,
        take: impl FnMut(BotReply) -> Option<T>,
    ) -> Result<T, BotError> {
        self.hear_or_stop(wanted, limit, &|| false, take)
    }

    /// Listens until `take` takes a reply; says `stop` once `stop` wants the answer now.
    fn hear_or_stop<T>(
        &mut self,
        wanted: &'static str,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        mut take: impl FnMut(BotReply) -> Option<T>,
    ) -> Result<T, BotError> {
        let began = Instant::now();
        let (mut limit, mut stopped) = (limit, false);
        let (mut lines, mut last) = (0, String::new());
        loop {
            if !stopped && stop() {
                stopped = true;
                limit = limit.min(began.elapsed() + self.patience.margin);
                self.say(&BotCommand::Stop)?;
            }
            let now = Instant::now();
            let deadline = began + limit;
            let line = self.process.hear(wanted, deadline.min(now + LOOK))?;
            // The clock decides, also over a bot that talks without pause.
            if Instant::now() >= deadline && (line.is_none() || now >= deadline) {
                let seconds = (limit.as_secs_f64() * 1e3).round() / 1e3;
                let words = self.process.last_words();
                return Err(BotError::Silent { wanted, seconds, line: excerpt(&last), words });
            }
            let Some(line) = line else { continue };
            lines += 1;
            if lines > MAX_LINES {
                return Err(BotError::Flood { lines: MAX_LINES, wanted });
            }
            match BotReply::parse(&line) {
                Some(BotReply::Error(sentence)) => return Err(BotError::Says(excerpt(&sentence))),
                Some(reply) => {
                    if let Some(taken) = take(reply) {
                        return Ok(taken);
                    }
                }
                None => last = line,
            }
        }
    }

    /// Waits until the bot has done all it was told, and forgets what it said meanwhile.
    ///
    /// # Errors
    /// When it does not say `readyok` in time.
    pub fn ready(&mut self) -> Result<(), BotError> {
        self.say(&BotCommand::IsReady)?;
        let limit = self.patience.answer;
        self.hear("readyok", limit, |reply| (reply == BotReply::ReadyOk).then_some(()))
    }

    /// Begins a game. A bot that does not know `game` is taken to play the right one.
    ///
    /// # Errors
    /// When it plays other games, or is not ready in time.
    pub fn new_game(&mut self, game: &str, seed: u64) -> Result<(), BotError> {
        if let Some(known) = self.identity.games() {
            let name = Spec::parse(game).map_or_else(|_| game.to_owned(), |spec| spec.name);
            if !known.is_empty() && !known.contains(&name) {
                let known = excerpt(&known.join(", "));
                return Err(BotError::OtherGame { game: name, known });
            }
            self.say(&BotCommand::Game(game.to_owned()))?;
        }
        if let Some((min, max)) = self.identity.seed {
            let seed = (max - min).checked_add(1).map_or(seed, |range| min + seed % range);
            let value = Some(seed.to_string());
            self.say(&BotCommand::SetOption { name: "Seed".to_owned(), value })?;
        }
        self.say(&BotCommand::NewGame)?;
        self.ready()
    }

    /// Gives the bot a position, with its legal moves if it wants them.
    ///
    /// # Errors
    /// When the bot does not read it.
    pub fn position(&mut self, question: &TextMoveRequest<'_>) -> Result<(), BotError> {
        let origin = match question.at_start {
            true => PositionOrigin::Start,
            false => PositionOrigin::State(question.state.to_owned()),
        };
        self.say(&BotCommand::Position { origin, moves: Vec::new() })?;
        if self.identity.knows(&BotFeature::Legal) {
            self.say(&BotCommand::Legal(question.legal.to_vec()))?;
        }
        Ok(())
    }

    /// Asks for a move. Whether it is legal is for the rules to say.
    ///
    /// # Errors
    /// When there is no `bestmove` in time.
    pub fn choose(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, BotError> {
        self.position(question)?;
        let plain = self.identity.features.is_empty();
        let simulations = self.identity.knows(&BotFeature::Simulations);
        let go = GoParameters::of(&question.budget, simulations, plain.then_some(IDLE));
        let limit = match question.budget.time {
            Some(time) => time.saturating_add(self.patience.margin),
            None => self.patience.answer,
        };
        self.go(go, limit, question.stop)
    }

    /// Says `go` and waits for `bestmove`.
    ///
    /// # Errors
    /// When there is none within `limit`.
    pub fn go(
        &mut self,
        go: GoParameters,
        limit: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<TextMoveReply, BotError> {
        self.say(&BotCommand::Go(go))?;
        let mut answer = TextMoveReply::default();
        self.hear_or_stop("bestmove", limit, stop, |reply| match reply {
            BotReply::BestMove(play) => {
                answer.play = play;
                Some(())
            }
            BotReply::Info(info) => {
                note(&mut answer, info);
                None
            }
            _ => None,
        })?;
        Ok(answer)
    }

    /// Asks about the position.
    ///
    /// # Errors
    /// When there is no `response` in time.
    pub fn query(&mut self, query: PositionQuery) -> Result<String, BotError> {
        self.say(&BotCommand::Query(query))?;
        let limit = self.patience.answer;
        self.hear("response", limit, |reply| match reply {
            BotReply::Response(text) => Some(text),
            _ => None,
        })
    }

    /// Asks the bot to end, and whether it does within `limit`; otherwise it is made to.
    pub fn quit(mut self, limit: Duration) -> bool {
        let said = self.say(&BotCommand::Quit).is_ok();
        said && self.process.ends_by(Instant::now() + limit)
    }
}

/// Adds what an `info` line says; only the first of several lines of play counts.
fn note(answer: &mut TextMoveReply, info: SearchInfo) {
    if info.multipv.is_some_and(|line| line > 1) {
        return;
    }
    answer.value = info.score.map(BotScore::value).or(answer.value);
    answer.nodes = info.nodes.unwrap_or(answer.nodes);
    answer.simulations = info.simulations.unwrap_or(answer.simulations);
    answer.depth = info.depth.unwrap_or(answer.depth);
    if !info.pv.is_empty() {
        answer.variation = info.pv;
    }
}
