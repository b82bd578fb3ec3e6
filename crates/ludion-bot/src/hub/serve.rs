//! Runs one of Ludion's players as a Hub engine.
//!
//! One thread reads the input, so that `stop`, `ponder-hit` and `ping` take effect while the player
//! searches. The other commands are executed one after the other.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludion_players::game::Side;
use ludion_players::player::{Budget, Choice, ClockTimes, Observer};
use ludion_players::registry::{AnyGame, AnyPlayer, AnyPosition, Registry};

use super::score::men_of;
use super::{HubLine, HubNotation, HubPosition};
use crate::serve::{
    ENDLESS, LineWriter, MAX_QUEUED_COMMANDS, STOP_POLL_INTERVAL, ServeError, lines, send,
};

/// Interval of `info` lines during a search.
const INFO_INTERVAL: Duration = Duration::from_millis(500);

/// Serves a player as a Hub engine for `game`: executes the commands in `input` and writes the
/// replies to `output`, until `quit` or the end of the input.
///
/// # Errors
/// When the game or the player does not exist, the game is not draughts, or the output fails.
pub fn serve_hub(
    registry: &Registry,
    (game, player): (&str, &str),
    notation: &dyn HubNotation,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let game = registry.game(game)?;
    let player = game.player(player)?;
    notation.write_position(game.spec(), None, &[]).map_err(ServeError::NotDraughts)?;
    let writer = Arc::new(LineWriter::new(output));
    let searches = Arc::new(SearchNumbers::default());
    let lines = spawn_reader(input, Arc::clone(&writer), Arc::clone(&searches))
        .map_err(ServeError::Thread)?;
    let position = Ok(game.start());
    let mut server = HubServer {
        game,
        player,
        notation,
        position,
        budget: Budget::UNLIMITED,
        writer: &*writer,
        searches: &searches,
    };
    server.run(&lines);
    writer.take_error().map_or(Ok(()), |error| Err(ServeError::Output(error)))
}

/// Numbers of the last searches that were asked for, finished, stopped and whose pondered move was
/// played, counted from 1.
#[derive(Default)]
struct SearchNumbers {
    read: AtomicU64,
    done: AtomicU64,
    stopped: AtomicU64,
    hit: AtomicU64,
    /// The last one that only `stop` or `ponder-hit` ends; 0 if there was none.
    endless: AtomicU64,
}

/// A line with the number of the search that it asks for, or of the last one before it.
type NumberedLine = (u64, HubLine);

/// Starts a thread that reads lines until `quit` or the end of the input, either of which also stops
/// a running search.
fn spawn_reader<W: Write + Send + 'static>(
    input: impl BufRead + Send + 'static,
    writer: Arc<LineWriter<W>>,
    searches: Arc<SearchNumbers>,
) -> std::io::Result<Receiver<NumberedLine>> {
    let (sender, receiver) = sync_channel(MAX_QUEUED_COMMANDS);
    std::thread::Builder::new().spawn(move || {
        for text in lines(input) {
            let line = HubLine::parse(&text);
            let mut number = searches.read.load(Ordering::SeqCst);
            match line.command.as_str() {
                "stop" => searches.stopped.store(number, Ordering::SeqCst),
                "ponder-hit" => searches.hit.store(number, Ordering::SeqCst),
                "ping" if searches.done.load(Ordering::SeqCst) < number => writer.write("pong"),
                "quit" => break,
                command => {
                    if command == "go" {
                        number += 1;
                        searches.read.store(number, Ordering::SeqCst);
                    }
                    let stop_endless = || {
                        let endless = searches.endless.load(Ordering::SeqCst);
                        searches.stopped.fetch_max(endless, Ordering::SeqCst);
                    };
                    if send(&sender, (number, line), stop_endless).is_err() {
                        return;
                    }
                }
            }
        }
        searches.stopped.store(u64::MAX, Ordering::SeqCst);
    })?;
    Ok(receiver)
}

/// Executes the commands and writes the replies.
struct HubServer<'a, W> {
    game: Arc<dyn AnyGame>,
    player: Box<dyn AnyPlayer>,
    notation: &'a dyn HubNotation,
    /// The position of the last `pos`, or the reason why it is invalid.
    position: Result<Box<dyn AnyPosition>, String>,
    /// The budget of the last `level`.
    budget: Budget,
    writer: &'a LineWriter<W>,
    searches: &'a SearchNumbers,
}

impl<W: Write + Send> HubServer<'_, W> {
    fn run(&mut self, lines: &Receiver<NumberedLine>) {
        self.player.begin(0);
        for (number, line) in lines {
            if let Err(message) = self.execute(number, &line) {
                self.write(&HubLine::new("error").with("message", message));
            }
            self.searches.done.store(number, Ordering::SeqCst);
            if self.writer.has_failed() {
                return;
            }
        }
    }

    fn write(&self, line: &HubLine) {
        self.writer.write(&line.to_string());
    }

    /// Executes a command; unknown commands are ignored.
    fn execute(&mut self, number: u64, line: &HubLine) -> Result<(), String> {
        match line.command.as_str() {
            "hub" => self.identify(),
            "init" => self.write(&HubLine::new("ready")),
            "ping" => self.write(&HubLine::new("pong")),
            "new-game" => self.player.begin(0),
            "level" => self.budget = budget(line)?,
            "pos" => {
                self.position = self.read_position(line);
                return self.position.as_ref().map(|_| ()).map_err(Clone::clone);
            }
            "go" => return self.go(number, line),
            _ => {}
        }
        Ok(())
    }

    fn identify(&self) {
        let id = HubLine::new("id")
            .with("name", format!("Ludion {}", self.player.spec()))
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "the authors of Ludion");
        self.write(&id);
        self.write(&HubLine::new("wait"));
    }

    fn read_position(&self, line: &HubLine) -> Result<Box<dyn AnyPosition>, String> {
        let moves = line.value("moves").unwrap_or_default();
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let pos = line.value("pos").ok_or("the form is: pos pos=W… [moves=\"32-28 …\"]")?;
        let position = HubPosition { pos: pos.to_owned(), moves };
        let (state, moves) = self.notation.read_position(self.game.spec(), &position)?;
        let mut position = self.game.read(&state).map_err(|error| error.to_string())?;
        for m in &moves {
            position.play(m).map_err(|error| error.to_string())?;
        }
        Ok(position)
    }

    fn go(&mut self, number: u64, line: &HubLine) -> Result<(), String> {
        let position = self.position.as_ref().map_err(Clone::clone)?;
        let is_ponder = line.has("ponder");
        let reporter = SearchReporter {
            number,
            is_ponder,
            state: position.show(),
            game: self.game.spec(),
            notation: self.notation,
            writer: self.writer,
            searches: self.searches,
            last_info: Mutex::new(String::new()),
        };
        let is_free = is_ponder || line.has("analyze");
        let budget = if is_free { endless() } else { self.budget };
        let mut choice = choose(&mut *self.player, &**position, budget, &reporter)?;
        if is_ponder && self.searches.hit.load(Ordering::SeqCst) >= number {
            // The expected move was played: the search now has the time of a move.
            let reporter = SearchReporter { is_ponder: false, ..reporter };
            choice = choose(&mut *self.player, &**position, self.budget, &reporter)?;
            reporter.report(&choice);
        } else {
            reporter.report(&choice);
        }
        // The reply that the player expects is the move to ponder.
        let variation = choice.best_line().map_or(&[][..], |line| &line.variation);
        let reply = variation.get(1).filter(|_| variation[0] == choice.best);
        let moves: Vec<String> = [&choice.best].into_iter().chain(reply).cloned().collect();
        let written = self.notation.write_moves(self.game.spec(), &position.show(), &moves);
        let mut moves = written.into_iter();
        let best = moves.next().ok_or("the player has no legal move")?;
        self.write(&HubLine::new("done").with("move", best).with_some("ponder", moves.next()));
        Ok(())
    }
}

/// Returns the choice of the player. With a budget that only `stop` or `ponder-hit` ends it waits for one
/// of them, also if the player has finished before.
fn choose<W: Write + Send>(
    player: &mut dyn AnyPlayer,
    position: &dyn AnyPosition,
    budget: Budget,
    reporter: &SearchReporter<'_, W>,
) -> Result<Choice<String>, String> {
    let is_endless = budget == endless();
    if is_endless {
        reporter.searches.endless.store(reporter.number, Ordering::SeqCst);
    }
    let choice = player.choose(position, budget, reporter).map_err(|error| error.to_string())?;
    while is_endless && !reporter.should_stop() {
        std::thread::sleep(STOP_POLL_INTERVAL);
    }
    Ok(choice)
}

/// Returns the budget of a search that only `stop` ends.
fn endless() -> Budget {
    Budget { time: Some(ENDLESS), ..Budget::UNLIMITED }
}

/// Returns the budget of a `level` line, or the reason why it has none.
fn budget(line: &HubLine) -> Result<Budget, String> {
    let seconds = |name| {
        let time = |s: f64| Duration::try_from_secs_f64(s).ok();
        argument(line, name, "seconds", |text| text.parse().ok().and_then(time))
    };
    let moves_to_go = argument(line, "moves", "a whole number", |text| text.parse().ok())?;
    let increment = seconds("inc")?.unwrap_or_default();
    let share = seconds("time")?.map(|time| {
        let clock = ClockTimes { remaining: [time; 2], increment: [increment; 2], moves_to_go };
        clock.share(Side::First)
    });
    let budget = Budget {
        time: seconds("move-time")?.or(share),
        nodes: argument(line, "nodes", "a whole number", |text| text.parse().ok())?,
        depth: argument(line, "depth", "a whole number", |text| text.parse().ok())?,
        ..Budget::UNLIMITED
    };
    match budget == Budget::UNLIMITED {
        false => Ok(budget),
        true if line.has("infinite") => Ok(endless()),
        true => {
            Err("the form is: level depth=N, nodes=N, move-time=S, [moves=N] time=S [inc=S] or \
                     infinite"
                .to_owned())
        }
    }
}

/// Returns the value of an argument as `read` reads it; an error says what is `wanted` instead.
fn argument<T>(
    line: &HubLine,
    name: &str,
    wanted: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(text) = line.value(name) else { return Ok(None) };
    read(text).map(Some).ok_or_else(|| format!("{name}={text:?} is not {wanted}"))
}

/// Observer that writes `info` lines during a search and ends the search after `stop`.
struct SearchReporter<'a, W> {
    /// Number of the `go` command that started the search.
    number: u64,
    is_ponder: bool,
    state: String,
    game: &'a str,
    notation: &'a dyn HubNotation,
    writer: &'a LineWriter<W>,
    searches: &'a SearchNumbers,
    /// The last line, which is not written twice.
    last_info: Mutex<String>,
}

impl<W: Write + Send> Observer<String> for SearchReporter<'_, W> {
    fn interval(&self) -> Option<Duration> {
        Some(INFO_INTERVAL)
    }

    fn report(&self, so_far: &Choice<String>) {
        let line = so_far.best_line();
        // Rounded before 0 is added, so that it is never written as −0.
        let hundredths = |value| (100.0 * men_of(value)).round() / 100.0 + 0.0;
        let score =
            line.and_then(|line| line.value).map(|value| format!("{:.2}", hundredths(value)));
        let pv = line.map(|line| {
            self.notation.write_moves(self.game, &self.state, &line.variation).join(" ")
        });
        let time = so_far.time.as_secs_f64();
        let info = HubLine::new("info")
            .with_some("depth", (so_far.depth > 0).then_some(so_far.depth))
            .with_some("score", score)
            .with_some("nodes", (so_far.nodes > 0).then_some(so_far.nodes))
            .with("time", format!("{time:.3}"))
            .with_some("pv", pv.filter(|pv| !pv.is_empty()))
            .to_string();
        let mut last = self.last_info.lock().expect("no thread panics with the lock");
        if *last != info {
            self.writer.write(&info);
            *last = info;
        }
    }

    fn should_stop(&self) -> bool {
        let reached = |count: &AtomicU64| count.load(Ordering::SeqCst) >= self.number;
        reached(&self.searches.stopped) || self.is_ponder && reached(&self.searches.hit)
    }
}
