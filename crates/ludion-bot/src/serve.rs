//! Runs one of Ludion's players as a bot for other programs.
//!
//! One thread reads the input, so that `stop` and `isready` take effect while the player searches.
//! The other commands are executed one after the other.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SendError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludion_players::game::{Side, Status};
use ludion_players::notation::NotationError;
use ludion_players::player::{Budget, Choice, Observer};
use ludion_players::registry::{AnyGame, AnyPlayer, AnyPosition, Registry, RegistryError};

use crate::protocol::{
    BotCommand, BotCommandError, BotFeature, BotOption, BotReply, BotScore, GoParameters,
    PositionOrigin, PositionQuery, SearchInfo, legal_text, result_text,
};

/// Maximum number of commands that wait while the player searches.
pub(crate) const MAX_QUEUED_COMMANDS: usize = 1024;
/// The time of a search that only `stop` ends: a hundred years. Without a time, players take their own.
pub(crate) const ENDLESS: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
/// Interval of `info` lines during a search.
const INFO_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which `stop` is checked for after an infinite search is complete.
pub(crate) const STOP_POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Maximum value of the option `Seed`: the largest signed 64-bit integer.
const MAX_SEED: u64 = i64::MAX as u64;

/// The number of `go` commands read so far, and the parsed line; a `go` counts itself.
type NumberedCommand = (u64, Result<BotCommand, BotCommandError>);

/// Serves a player as a bot: executes the commands in `input` and writes the replies to `output`,
/// until `quit` or the end of the input. The first game is `game`; the command `game` changes it.
///
/// # Errors
/// When the game or the player does not exist, or the output fails.
pub fn serve(
    registry: &Registry,
    game: &str,
    player: &str,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let game = ServedGame::new(registry, game, player)?;
    let writer = Arc::new(LineWriter::new(output));
    let counters = Arc::new(GoCounters::default());
    let commands = spawn_reader(input, Arc::clone(&writer), Arc::clone(&counters))
        .map_err(ServeError::Thread)?;
    let mut server =
        BotServer { registry, player, game, seed: 0, writer: &*writer, counters: &counters };
    server.run(&commands);
    writer.take_error().map_or(Ok(()), |error| Err(ServeError::Output(error)))
}

/// Error of [`serve()`].
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The game or the player does not exist.
    #[error(transparent)]
    Name(#[from] RegistryError),
    /// The game is not one that Hub engines play; the message says why.
    #[error("{0}")]
    NotDraughts(String),
    /// The output cannot be written.
    #[error("the answer could not be written: {0}")]
    Output(io::Error),
    /// The thread that reads the input cannot be started.
    #[error("the thread that reads commands cannot be started: {0}")]
    Thread(io::Error),
}

/// Numbers of the last `go` commands that were read, executed and stopped, counted from 1.
#[derive(Default)]
struct GoCounters {
    read: AtomicU64,
    done: AtomicU64,
    stopped: AtomicU64,
    /// The last one that only `stop` ends; 0 if there was none.
    endless: AtomicU64,
}

/// Writer of lines, shared by the thread that reads commands and the one that executes them. The
/// first error is kept and returned when serving ends.
pub(crate) struct LineWriter<W> {
    output: Mutex<W>,
    error: Mutex<Option<io::Error>>,
}

impl<W: Write> LineWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        LineWriter { output: Mutex::new(output), error: Mutex::new(None) }
    }

    /// Writes a line; line breaks within it become spaces.
    pub(crate) fn write(&self, line: &str) {
        let mut output = self.output.lock().expect("no thread panics while it writes");
        let line = line.replace('\n', " ");
        if let Err(error) = writeln!(output, "{line}").and_then(|()| output.flush()) {
            self.error.lock().expect("no thread panics while it writes").get_or_insert(error);
        }
    }

    fn write_reply(&self, reply: &BotReply) {
        self.write(&reply.to_string());
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.error.lock().expect("no thread panics while it writes").is_some()
    }

    /// Returns the first error of writing.
    pub(crate) fn take_error(&self) -> Option<io::Error> {
        self.error.lock().expect("no thread panics while it writes").take()
    }
}

/// Longest line of a command in bytes: a position with a hundred thousand moves fits.
const MAX_LINE: u64 = 1 << 20;

/// Returns the lines of the input without their ends. A longer line than [`MAX_LINE`] ends the
/// input, because it may have no end.
pub(crate) fn lines(mut input: impl BufRead) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let count = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
        let is_whole = line.pop_if(|last| *last == b'\n').is_some();
        (count > 0 && (is_whole || (count as u64) < MAX_LINE))
            .then(|| String::from_utf8_lossy(&line).into_owned())
    })
}

/// Sends a command to the thread that executes it. While too many wait, calls `stop_endless`, which ends a
/// search that only `stop` would end: a `stop` behind them could not be read.
pub(crate) fn send<T>(
    sender: &SyncSender<T>,
    mut command: T,
    stop_endless: impl Fn(),
) -> Result<(), SendError<T>> {
    loop {
        command = match sender.try_send(command) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Disconnected(command)) => return Err(SendError(command)),
            Err(TrySendError::Full(command)) => command,
        };
        stop_endless();
        std::thread::sleep(STOP_POLL_INTERVAL);
    }
}

/// Starts a thread that reads commands until `quit` or the end of the input, either of which also
/// stops a running search.
fn spawn_reader<W: Write + Send + 'static>(
    input: impl BufRead + Send + 'static,
    writer: Arc<LineWriter<W>>,
    counters: Arc<GoCounters>,
) -> io::Result<Receiver<NumberedCommand>> {
    let (sender, commands) = sync_channel(MAX_QUEUED_COMMANDS);
    std::thread::Builder::new().spawn(move || {
        for line in lines(input) {
            let command: Result<BotCommand, BotCommandError> = line.parse();
            let mut number = counters.read.load(Ordering::SeqCst);
            match command {
                Ok(BotCommand::Stop) => {
                    counters.stopped.store(number, Ordering::SeqCst);
                    continue;
                }
                Ok(BotCommand::IsReady) if counters.done.load(Ordering::SeqCst) < number => {
                    writer.write_reply(&BotReply::ReadyOk);
                    continue;
                }
                Ok(BotCommand::Go(_)) => {
                    number += 1;
                    counters.read.store(number, Ordering::SeqCst);
                }
                Ok(BotCommand::Quit) => break,
                _ => {}
            }
            let stop_endless = || {
                let endless = counters.endless.load(Ordering::SeqCst);
                counters.stopped.fetch_max(endless, Ordering::SeqCst);
            };
            if send(&sender, (number, command), stop_endless).is_err() {
                return;
            }
        }
        counters.stopped.store(u64::MAX, Ordering::SeqCst);
    })?;
    Ok(commands)
}

/// The game that is being played, with its player and position.
struct ServedGame {
    game: Arc<dyn AnyGame>,
    player: Box<dyn AnyPlayer>,
    /// The position of the last `position` command, or the reason why it is invalid.
    position: Result<Box<dyn AnyPosition>, String>,
}

impl ServedGame {
    fn new(registry: &Registry, game: &str, player: &str) -> Result<Self, RegistryError> {
        let game = registry.game(game)?;
        let player = game.player(player)?;
        let position = Ok(game.start());
        Ok(ServedGame { game, player, position })
    }

    /// Sets the position to `origin` followed by `moves`; returns an error message if it is
    /// invalid.
    fn set_position(&mut self, origin: &PositionOrigin, moves: &[String]) -> Result<(), String> {
        self.position = self.parse_position(origin, moves).map_err(|error| error.to_string());
        self.position.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn parse_position(
        &self,
        origin: &PositionOrigin,
        moves: &[String],
    ) -> Result<Box<dyn AnyPosition>, NotationError> {
        let mut position = match origin {
            PositionOrigin::Start => self.game.start(),
            PositionOrigin::State(state) => self.game.read(state)?,
        };
        for text in moves {
            position.play(text)?;
        }
        Ok(position)
    }
}

/// Executes the commands and writes the replies.
struct BotServer<'a, W> {
    registry: &'a Registry,
    player: &'a str,
    game: ServedGame,
    seed: u64,
    writer: &'a LineWriter<W>,
    counters: &'a GoCounters,
}

impl<W: Write + Send> BotServer<'_, W> {
    fn run(&mut self, commands: &Receiver<NumberedCommand>) {
        self.game.player.begin(self.seed);
        for (number, command) in commands {
            let result = match command {
                Ok(command) => self.execute(number, command),
                Err(BotCommandError::Unknown(_)) => Ok(()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(message) = result {
                self.writer.write_reply(&BotReply::Error(message));
            }
            self.counters.done.store(number, Ordering::SeqCst);
            if self.writer.has_failed() {
                return;
            }
        }
    }

    fn execute(&mut self, number: u64, command: BotCommand) -> Result<(), String> {
        match command {
            BotCommand::Ugi => self.identify(),
            BotCommand::IsReady => self.writer.write_reply(&BotReply::ReadyOk),
            BotCommand::SetOption { name, value } => return self.set_option(&name, value),
            BotCommand::Game(spec) => {
                // If the new game fails, the position of the old game must not be used.
                self.game.position = Err(format!("the last command game {spec} failed"));
                self.game = ServedGame::new(self.registry, &spec, self.player)
                    .map_err(|error| error.to_string())?;
                self.game.player.begin(self.seed);
            }
            BotCommand::NewGame => self.game.player.begin(self.seed),
            BotCommand::Position { origin, moves } => {
                return self.game.set_position(&origin, &moves);
            }
            BotCommand::Go(go) => return self.go(number, &go),
            BotCommand::Query(query) => return self.answer(query),
            // The games have no hidden information, and the players know the legal moves.
            BotCommand::Observe { .. } | BotCommand::Legal(_) => {}
            // The reader has handled these.
            BotCommand::Stop | BotCommand::Quit => {}
        }
        Ok(())
    }

    fn identify(&self) {
        let games = self.registry.games().iter().map(|entry| &*entry.name);
        let is_playable = |name: &&str| ServedGame::new(self.registry, name, self.player).is_ok();
        let games: Vec<String> = games.filter(is_playable).map(str::to_owned).collect();
        let seed = BotOption { name: "Seed".to_owned(), range: Some((0, MAX_SEED)) };
        for reply in [
            BotReply::Name(format!("Ludion {}", self.game.player.spec())),
            BotReply::Author("the authors of Ludion".to_owned()),
            BotReply::Option(seed),
            BotReply::Feature(BotFeature::Game(games)),
            BotReply::Feature(BotFeature::Simulations),
            BotReply::Feature(BotFeature::Query),
            BotReply::UgiOk,
        ] {
            self.writer.write_reply(&reply);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<String>) -> Result<(), String> {
        if !name.eq_ignore_ascii_case("seed") {
            return Err(format!("unknown option {name:?}; the only option is Seed"));
        }
        let seed = value.and_then(|value| value.parse().ok());
        self.seed = seed.ok_or("Seed is a whole number from 0 up")?;
        Ok(())
    }

    fn go(&mut self, number: u64, go: &GoParameters) -> Result<(), String> {
        let position = self.game.position.as_ref().map_err(Clone::clone)?;
        let side = position.status().turn().unwrap_or(Side::First);
        let observer = SearchReporter { number, counters: self.counters, writer: self.writer };
        let mut budget = go.budget(side);
        if go.infinite && budget == Budget::UNLIMITED {
            budget.time = Some(ENDLESS);
        }
        if go.infinite {
            self.counters.endless.store(number, Ordering::SeqCst);
        }
        let choice = self.game.player.choose(&**position, budget, &observer);
        let choice = choice.map_err(|error| error.to_string())?;
        while go.infinite && !observer.should_stop() {
            std::thread::sleep(STOP_POLL_INTERVAL);
        }
        observer.report(&choice);
        self.writer.write_reply(&BotReply::BestMove(choice.best));
        Ok(())
    }

    fn answer(&self, query: PositionQuery) -> Result<(), String> {
        let position = self.game.position.as_ref().map_err(Clone::clone)?;
        let status = position.status();
        self.writer.write_reply(&BotReply::Response(match query {
            PositionQuery::GameOver => matches!(status, Status::Over(_)).to_string(),
            PositionQuery::FirstToMove => (status.turn() == Some(Side::First)).to_string(),
            PositionQuery::Result => result_text(status),
            PositionQuery::Legal => legal_text(&position.moves()),
        }));
        Ok(())
    }
}

/// Observer that writes `info` lines during a search and ends the search after `stop`.
struct SearchReporter<'a, W> {
    /// Number of the `go` command that started the search.
    number: u64,
    counters: &'a GoCounters,
    writer: &'a LineWriter<W>,
}

impl<W: Write + Send> Observer<String> for SearchReporter<'_, W> {
    fn interval(&self) -> Option<Duration> {
        Some(INFO_INTERVAL)
    }

    fn report(&self, so_far: &Choice<String>) {
        let positive = |number: u64| (number > 0).then_some(number);
        let line = so_far.best_line();
        self.writer.write_reply(&BotReply::Info(SearchInfo {
            depth: (so_far.depth > 0).then_some(so_far.depth),
            nodes: positive(so_far.nodes),
            simulations: positive(so_far.simulations),
            time: u64::try_from(so_far.time.as_millis()).ok(),
            score: line.and_then(|line| line.value).map(BotScore::Value),
            pv: line.map_or_else(Vec::new, |line| line.variation.clone()),
            ..SearchInfo::default()
        }));
    }

    fn should_stop(&self) -> bool {
        self.counters.stopped.load(Ordering::SeqCst) >= self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_ends_the_input() {
        let short = io::Cursor::new(b"ugi\n\nisready".to_vec());
        assert_eq!(lines(short).collect::<Vec<_>>(), ["ugi", "", "isready"]);
        let endless = io::BufReader::new(io::Cursor::new(b"ugi\n".to_vec()).chain(io::repeat(0)));
        assert_eq!(lines(endless).collect::<Vec<_>>(), ["ugi"]);
    }
}
