//! Session with a running Hub engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludion_players::players::text_player::{TextMoveReply, TextMoveRequest};

use super::score::value_of;
use super::{HubLine, HubNotation};
use crate::error::{BotError, excerpt};
use crate::process::BotProcess;
use crate::reply_wait::{LineMeaning, ReplyWait};
use crate::session::{BotTimeouts, DEFAULT_MOVE_TIME_MS};

/// A running Hub engine that is ready for games.
pub(crate) struct HubSession {
    process: BotProcess,
    timeouts: BotTimeouts,
    notation: Arc<dyn HubNotation>,
    game: String,
    /// The name that the engine gives itself.
    pub(crate) name: String,
}

impl HubSession {
    /// Starts the engine, sets its parameters, given as `name=value` with spaces between, and waits
    /// until it is ready.
    pub(crate) fn start(
        command: &str,
        timeouts: BotTimeouts,
        notation: Arc<dyn HubNotation>,
        parameters: &str,
    ) -> Result<Self, BotError> {
        let process = BotProcess::start(command)?;
        let (game, name) = (String::new(), String::new());
        let mut session = HubSession { process, timeouts, notation, game, name };
        session.send(&HubLine::new("hub"))?;
        let mut name = None;
        session.wait_for("wait", timeouts.reply, &|| false, |line| {
            if line.command == "id" {
                name = line.value("name").map(excerpt);
            }
            line.command == "wait"
        })?;
        session.name = name.unwrap_or_default();
        let mut wanted = HubLine::default();
        wanted.add_arguments(parameters);
        for (name, value) in wanted.arguments {
            let value = value.as_deref().unwrap_or("true");
            session.send(&HubLine::new("set-param").with("name", name).with("value", value))?;
        }
        session.send(&HubLine::new("init"))?;
        session.wait_for("ready", timeouts.reply, &|| false, |line| line.command == "ready")?;
        Ok(session)
    }

    fn send(&mut self, line: &HubLine) -> Result<(), BotError> {
        self.process.write_line(&line.to_string(), Instant::now() + self.timeouts.reply)
    }

    /// Reads lines until `accept` returns true for one.
    fn wait_for(
        &mut self,
        expected: &'static str,
        limit: Duration,
        stop: &dyn Fn() -> bool,
        mut accept: impl FnMut(&HubLine) -> bool,
    ) -> Result<(), BotError> {
        let (margin, write_limit) = (self.timeouts.margin, self.timeouts.reply);
        let wait = ReplyWait { expected, limit, margin, write_limit, stop };
        wait.run(&mut self.process, |text| {
            let line = HubLine::parse(text);
            match line.command.as_str() {
                "error" => {
                    Err(BotError::Reported(excerpt(line.value("message").unwrap_or_default())))
                }
                _ if accept(&line) => Ok(LineMeaning::Reply(())),
                "id" | "param" | "wait" | "ready" | "info" | "done" | "pong" => {
                    Ok(LineMeaning::Other)
                }
                _ => Ok(LineMeaning::Unknown),
            }
        })
    }

    /// Starts a new game of the spec `game`.
    pub(crate) fn new_game(&mut self, game: &str) -> Result<(), BotError> {
        self.notation.write_position(game, None, &[]).map_err(BotError::Unplayable)?;
        game.clone_into(&mut self.game);
        self.send(&HubLine::new("new-game"))?;
        self.send(&HubLine::new("ping"))?;
        self.wait_for("pong", self.timeouts.reply, &|| false, |line| line.command == "pong")
    }

    /// Sends a position and a limit, and waits for the move of the engine, which may be illegal.
    pub(crate) fn choose(
        &mut self,
        request: &TextMoveRequest<'_>,
    ) -> Result<TextMoveReply, BotError> {
        let from_start = request.at_start || !request.moves.is_empty();
        let state = (!from_start).then_some(request.state);
        let position = self
            .notation
            .write_position(&self.game, state, request.moves)
            .map_err(BotError::Unplayable)?;
        let moves = (!position.moves.is_empty()).then(|| position.moves.join(" "));
        self.send(&HubLine::new("pos").with("pos", position.pos).with_some("moves", moves))?;
        let (level, limit) = self.level(request);
        self.send(&level)?;
        self.send(&HubLine::new("go").flag("think"))?;
        let (mut info, mut play) = (HubLine::default(), String::new());
        self.wait_for("done", limit, request.stop, |line| {
            if line.command == "info" {
                info = line.clone();
            } else if line.command == "done" {
                line.value("move").unwrap_or_default().clone_into(&mut play);
            }
            line.command == "done"
        })?;
        Ok(self.reply(request.state, play, &info))
    }

    /// Returns the limit of a move as a line, and the time until which it must come.
    fn level(&self, request: &TextMoveRequest<'_>) -> (HubLine, Duration) {
        let (budget, margin) = (&request.budget, self.timeouts.margin);
        let level = HubLine::new("level")
            .with_some("depth", budget.depth)
            .with_some("nodes", budget.nodes.or(budget.simulations));
        if let Some(clock) = &request.clock {
            // Hub knows only the clock of the engine's own side.
            let side = usize::from(!self.moves_first(request.state));
            let (time, increment) = (clock.remaining[side], clock.increment[side]);
            let level = level.with_some("moves", clock.moves_to_go);
            let level = level.with("time", time.as_secs_f64()).with("inc", increment.as_secs_f64());
            return (level, time.saturating_add(increment).saturating_add(margin));
        }
        if let Some(time) = budget.time {
            let level = level.with("move-time", time.as_secs_f64());
            return (level, time.saturating_add(margin));
        }
        let level = match level.arguments.is_empty() {
            true => level.with("move-time", DEFAULT_MOVE_TIME_MS as f64 / 1000.0),
            false => level,
        };
        (level, self.timeouts.reply)
    }

    /// Returns whether the side to move in `state` is the one that moves first in the game.
    fn moves_first(&self, state: &str) -> bool {
        let turn = |state| {
            let position = self.notation.write_position(&self.game, state, &[]).ok();
            position.and_then(|position| position.pos.chars().next())
        };
        turn(Some(state)) == turn(None)
    }

    /// Converts the move and the last `info` of the engine to a reply in the notation of the game. A
    /// move that is not legal is passed on as it is.
    fn reply(&self, state: &str, play: String, info: &HubLine) -> TextMoveReply {
        let read = |moves: &[String]| self.notation.read_moves(&self.game, state, moves);
        let chosen = read(std::slice::from_ref(&play)).pop();
        let line = info.value("pv").unwrap_or_default();
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        TextMoveReply {
            play: chosen.unwrap_or(play),
            value: info.number("score").map(value_of),
            nodes: info.number("nodes").unwrap_or(0),
            simulations: 0,
            depth: info.number("depth").unwrap_or(0),
            variation: read(&line),
        }
    }

    /// Asks the engine to end, and kills it after `limit`.
    pub(crate) fn quit(mut self, limit: Duration) -> bool {
        let sent = self.send(&HubLine::new("quit")).is_ok();
        sent && self.process.exits_by(Instant::now() + limit)
    }
}
