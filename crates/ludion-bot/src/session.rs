//! Session with a running bot: sends commands and waits for the replies.

use std::time::{Duration, Instant};

use ludion_players::param::Spec;
use ludion_players::players::text_player::{TextMoveReply, TextMoveRequest};
use serde::Serialize;

use crate::error::{BotError, excerpt};
use crate::process::BotProcess;
use crate::protocol::{
    BotCommand, BotFeature, BotOption, BotReply, BotScore, GoParameters, PositionOrigin,
    PositionQuery, SearchInfo,
};
use crate::reply_wait::{LineMeaning, ReplyWait};

/// Time for a move if the budget is unlimited and the bot announces no extension, in milliseconds.
pub(crate) const DEFAULT_MOVE_TIME_MS: u64 = 1000;

/// Time limits for the replies of a bot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BotTimeouts {
    /// Time limit for starting, for `readyok`, and for a move without a time budget.
    pub reply: Duration,
    /// Time that a bot may take for `bestmove` beyond the time budget of a move, or after `stop`.
    pub margin: Duration,
}

/// Name, author and extensions that a bot announces.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct BotIdentity {
    /// Name of the bot.
    pub name: String,
    /// Author of the bot.
    pub author: String,
    /// Protocol extensions that the bot supports.
    pub features: Vec<BotFeature>,
    /// Smallest and largest value of the option `Seed`, if the bot has it.
    #[serde(skip)]
    pub seed: Option<(u64, u64)>,
}

impl BotIdentity {
    /// Returns whether the bot supports an extension.
    #[must_use]
    pub fn supports(&self, feature: &BotFeature) -> bool {
        self.features.contains(feature)
    }

    /// Returns the names of the games that the bot announces: `None` if it does not support the
    /// command `game`, empty if it plays all games.
    #[must_use]
    pub fn games(&self) -> Option<&[String]> {
        self.features.iter().find_map(|feature| match feature {
            BotFeature::Game(names) => Some(&names[..]),
            _ => None,
        })
    }

    /// Adds the content of one reply that the bot sent before `ugiok`.
    fn add(&mut self, reply: BotReply) {
        match reply {
            BotReply::Name(name) => self.name = excerpt(&name),
            BotReply::Author(author) => self.author = excerpt(&author),
            BotReply::Feature(feature) => self.features.push(feature),
            BotReply::Option(BotOption { name, range }) if name.eq_ignore_ascii_case("seed") => {
                self.seed = range;
            }
            _ => {}
        }
    }
}

/// A running bot that has identified itself.
pub struct BotSession {
    process: BotProcess,
    timeouts: BotTimeouts,
    /// Name, author and extensions that the bot announced.
    pub identity: BotIdentity,
}

impl BotSession {
    /// Starts the bot and reads its identification.
    ///
    /// # Errors
    /// When it does not start or does not reply `ugiok` in time.
    pub fn start(command: &str, timeouts: BotTimeouts) -> Result<Self, BotError> {
        let process = BotProcess::start(command)?;
        let mut session = BotSession { process, timeouts, identity: BotIdentity::default() };
        session.send(&BotCommand::Ugi)?;
        let mut identity = BotIdentity::default();
        session.wait_for("ugiok", timeouts.reply, |reply| match reply {
            BotReply::UgiOk => Some(()),
            other => {
                identity.add(other);
                None
            }
        })?;
        session.identity = identity;
        Ok(session)
    }

    fn send(&mut self, command: &BotCommand) -> Result<(), BotError> {
        self.send_line(&command.to_string())
    }

    /// Sends any line, which need not be a command.
    ///
    /// # Errors
    /// When the bot does not read it in time.
    pub fn send_line(&mut self, line: &str) -> Result<(), BotError> {
        self.process.write_line(line, Instant::now() + self.timeouts.reply)
    }

    /// Reads replies until `accept` returns a value for one, and returns that value.
    fn wait_for<T>(
        &mut self,
        expected: &'static str,
        limit: Duration,
        accept: impl FnMut(BotReply) -> Option<T>,
    ) -> Result<T, BotError> {
        self.wait_for_or_stop(expected, limit, &|| false, accept)
    }

    /// Reads replies until `accept` returns a value for one, and returns that value. Sends the
    /// command `stop` once the condition `stop` holds.
    fn wait_for_or_stop<T>(
        &mut self,
        expected: &'static str,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        mut accept: impl FnMut(BotReply) -> Option<T>,
    ) -> Result<T, BotError> {
        let wait = ReplyWait {
            expected,
            limit,
            margin: self.timeouts.margin,
            write_limit: self.timeouts.reply,
            stop,
        };
        wait.run(&mut self.process, |line| match BotReply::parse(line) {
            Some(BotReply::Error(message)) => Err(BotError::Reported(excerpt(&message))),
            Some(reply) => Ok(accept(reply).map_or(LineMeaning::Other, LineMeaning::Reply)),
            None => Ok(LineMeaning::Unknown),
        })
    }

    /// Waits until the bot has executed all commands, and discards its other replies.
    ///
    /// # Errors
    /// When it does not reply `readyok` in time.
    pub fn wait_until_ready(&mut self) -> Result<(), BotError> {
        self.send(&BotCommand::IsReady)?;
        let limit = self.timeouts.reply;
        self.wait_for("readyok", limit, |reply| (reply == BotReply::ReadyOk).then_some(()))
    }

    /// Starts a new game of the spec `game`. A bot that does not support the command `game` is
    /// assumed to play it.
    ///
    /// # Errors
    /// When the bot announces other games, or is not ready in time.
    pub fn new_game(&mut self, game: &str, seed: u64) -> Result<(), BotError> {
        if let Some(known) = self.identity.games() {
            let name = Spec::parse(game).map_or_else(|_| game.to_owned(), |spec| spec.name);
            if !known.is_empty() && !known.contains(&name) {
                let known = excerpt(&known.join(", "));
                return Err(BotError::OtherGame { game: name, known });
            }
            self.send(&BotCommand::Game(game.to_owned()))?;
        }
        if let Some((min, max)) = self.identity.seed {
            let seed = (max - min).checked_add(1).map_or(seed, |range| min + seed % range);
            let value = Some(seed.to_string());
            self.send(&BotCommand::SetOption { name: "Seed".to_owned(), value })?;
        }
        self.send(&BotCommand::NewGame)?;
        self.wait_until_ready()
    }

    /// Sends a position, with its legal moves if the bot supports the extension `legal`.
    ///
    /// # Errors
    /// When the bot does not read the line in time.
    pub fn set_position(&mut self, request: &TextMoveRequest<'_>) -> Result<(), BotError> {
        let origin = match request.at_start || !request.moves.is_empty() {
            true => PositionOrigin::Start,
            false => PositionOrigin::State(request.state.to_owned()),
        };
        self.send(&BotCommand::Position { origin, moves: request.moves.to_vec() })?;
        if self.identity.supports(&BotFeature::Legal) {
            self.send(&BotCommand::Legal(request.legal.to_vec()))?;
        }
        Ok(())
    }

    /// Sends a position and waits for the bot's move, which may be illegal.
    ///
    /// # Errors
    /// When there is no `bestmove` in time.
    pub fn choose(&mut self, request: &TextMoveRequest<'_>) -> Result<TextMoveReply, BotError> {
        self.set_position(request)?;
        let is_plain_ugi = self.identity.features.is_empty();
        let simulations = self.identity.supports(&BotFeature::Simulations);
        let default_movetime = is_plain_ugi.then_some(DEFAULT_MOVE_TIME_MS);
        let mut go = GoParameters::from_budget(&request.budget, simulations, default_movetime);
        let mut limit = match request.budget.time {
            Some(time) => time.saturating_add(self.timeouts.margin),
            None => self.timeouts.reply,
        };
        if let Some(clock) = &request.clock {
            go = go.with_clock(clock);
            // The arena sees when the time has run out; a bot that has lost may still answer.
            let [first, second] = clock.remaining;
            limit = first.max(second).saturating_add(self.timeouts.margin);
        }
        self.go(go, limit, request.stop)
    }

    /// Sends `go` and waits for `bestmove`. Sends the command `stop` once the condition `stop`
    /// holds.
    ///
    /// # Errors
    /// When there is no `bestmove` within `limit`.
    pub fn go(
        &mut self,
        go: GoParameters,
        limit: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<TextMoveReply, BotError> {
        self.send(&BotCommand::Go(go))?;
        let mut move_reply = TextMoveReply::default();
        self.wait_for_or_stop("bestmove", limit, stop, |reply| match reply {
            BotReply::BestMove(play) => {
                move_reply.play = play;
                Some(())
            }
            BotReply::Info(info) => {
                merge_info(&mut move_reply, info);
                None
            }
            _ => None,
        })?;
        Ok(move_reply)
    }

    /// Sends a query about the last position and returns the response.
    ///
    /// # Errors
    /// When there is no `response` in time.
    pub fn query(&mut self, query: PositionQuery) -> Result<String, BotError> {
        self.send(&BotCommand::Query(query))?;
        let limit = self.timeouts.reply;
        self.wait_for("response", limit, |reply| match reply {
            BotReply::Response(text) => Some(text),
            _ => None,
        })
    }

    /// Asks the bot to end, and kills it after `limit`; returns whether it ended by itself.
    pub fn quit(mut self, limit: Duration) -> bool {
        let sent = self.send(&BotCommand::Quit).is_ok();
        sent && self.process.exits_by(Instant::now() + limit)
    }
}

/// Adds the content of an `info` line to the reply; of several variations only the first is used.
fn merge_info(reply: &mut TextMoveReply, info: SearchInfo) {
    if info.multipv.is_some_and(|line| line > 1) {
        return;
    }
    reply.value = info.score.map(BotScore::value).or(reply.value);
    reply.nodes = info.nodes.unwrap_or(reply.nodes);
    reply.simulations = info.simulations.unwrap_or(reply.simulations);
    reply.depth = info.depth.unwrap_or(reply.depth);
    if !info.pv.is_empty() {
        reply.variation = info.pv;
    }
}
