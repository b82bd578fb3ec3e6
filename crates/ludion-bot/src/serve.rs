//! The reverse: one of our players speaks the protocol, so that other programs can use it.
//!
//! One thread listens, so that `stop` and `isready` are heard while the player thinks; the
//! commands themselves are done one after the other.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludion::game::{Side, Status};
use ludion::notation::NotationError;
use ludion::player::{Choice, Observer};
use ludion::registry::{AnyGame, AnyPlayer, AnyPosition, Registry, RegistryError};

use crate::protocol::{
    BotCommand, BotCommandError, BotFeature, BotReply, BotScore, GoParameters, PositionOrigin,
    PositionQuery, SearchInfo, SpinOption, legal_text, result_text,
};

/// Commands that may wait while a player thinks.
const BACKLOG: usize = 1024;
/// How often a player says what it thinks.
const REPORTS: Duration = Duration::from_secs(1);
/// How often a player that is done looks whether `stop` has come.
const LOOK: Duration = Duration::from_millis(2);
/// The greatest seed, such that every program can hold it.
const MAX_SEED: u64 = i64::MAX as u64;

/// A command, and which `go` it is or stands behind: they are numbered from 1.
type NumberedCommand = (u64, Result<BotCommand, BotCommandError>);

/// Lets the player that `player` names answer at `input` and `output`, first in the game that
/// `game` names, until `quit` or the end of input.
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
    let table = ServedGame::new(registry, game, player)?;
    let mouth = Arc::new(ReplyWriter { output: Mutex::new(output), failed: Mutex::new(None) });
    let turns = Arc::new(GoCounter::default());
    let heard = listen(input, Arc::clone(&mouth), Arc::clone(&turns));
    BotServer { registry, player, table, seed: 0, mouth: &*mouth, turns: &turns }.run(&heard);
    let failed = mouth.failed.lock().expect("nobody panics while he speaks").take();
    failed.map_or(Ok(()), |error| Err(ServeError::Output(error)))
}

/// Why a player cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No such game or player.
    #[error(transparent)]
    Name(#[from] RegistryError),
    /// Nobody hears it.
    #[error("the answer could not be written: {0}")]
    Output(io::Error),
}

/// Which `go` was heard, done and stopped last, by number.
#[derive(Default)]
struct GoCounter {
    heard: AtomicU64,
    done: AtomicU64,
    stopped: AtomicU64,
}

/// Where replies go; two threads speak.
struct ReplyWriter<W> {
    output: Mutex<W>,
    failed: Mutex<Option<io::Error>>,
}

impl<W: Write> ReplyWriter<W> {
    fn say(&self, reply: &BotReply) {
        let mut output = self.output.lock().expect("nobody panics while he speaks");
        let line = reply.to_string().replace('\n', " ");
        if let Err(error) = writeln!(output, "{line}").and_then(|()| output.flush()) {
            self.failed.lock().expect("nobody panics while he speaks").get_or_insert(error);
        }
    }

    fn failed(&self) -> bool {
        self.failed.lock().expect("nobody panics while he speaks").is_some()
    }
}

/// Listens on a thread of its own until `quit` or the end of input, both of which also stop
/// whoever thinks.
fn listen<W: Write + Send + 'static>(
    input: impl BufRead + Send + 'static,
    mouth: Arc<ReplyWriter<W>>,
    turns: Arc<GoCounter>,
) -> Receiver<NumberedCommand> {
    let (sender, heard) = sync_channel(BACKLOG);
    std::thread::spawn(move || {
        let lines = input.split(b'\n').map_while(Result::ok);
        for line in lines.map(|line| String::from_utf8_lossy(&line).into_owned()) {
            let command: Result<BotCommand, BotCommandError> = line.parse();
            let mut number = turns.heard.load(Ordering::SeqCst);
            match command {
                Ok(BotCommand::Stop) => {
                    turns.stopped.store(number, Ordering::SeqCst);
                    continue;
                }
                Ok(BotCommand::IsReady) if turns.done.load(Ordering::SeqCst) < number => {
                    mouth.say(&BotReply::ReadyOk);
                    continue;
                }
                Ok(BotCommand::Go(_)) => {
                    number += 1;
                    turns.heard.store(number, Ordering::SeqCst);
                }
                Ok(BotCommand::Quit) => break,
                _ => {}
            }
            if sender.send((number, command)).is_err() {
                return;
            }
        }
        turns.stopped.store(u64::MAX, Ordering::SeqCst);
    });
    heard
}

/// What is being played by whom.
struct ServedGame {
    game: Arc<dyn AnyGame>,
    player: Box<dyn AnyPlayer>,
    /// The position given last, or why there is none.
    position: Result<Box<dyn AnyPosition>, String>,
}

impl ServedGame {
    fn new(registry: &Registry, game: &str, player: &str) -> Result<Self, RegistryError> {
        let game = registry.game(game)?;
        let player = game.player(player)?;
        let position = Ok(game.start());
        Ok(ServedGame { game, player, position })
    }

    fn place(&mut self, origin: &PositionOrigin, moves: &[String]) -> Result<(), String> {
        self.position = self.read(origin, moves).map_err(|error| error.to_string());
        self.position.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn read(
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

struct BotServer<'a, W> {
    registry: &'a Registry,
    player: &'a str,
    table: ServedGame,
    seed: u64,
    mouth: &'a ReplyWriter<W>,
    turns: &'a GoCounter,
}

impl<W: Write + Send> BotServer<'_, W> {
    fn run(&mut self, heard: &Receiver<NumberedCommand>) {
        self.table.player.begin(self.seed);
        for (number, command) in heard {
            let done = match command {
                Ok(command) => self.perform(number, command),
                Err(BotCommandError::Unknown(_)) => Ok(()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(sentence) = done {
                self.mouth.say(&BotReply::Error(sentence));
            }
            self.turns.done.store(number, Ordering::SeqCst);
            if self.mouth.failed() {
                return;
            }
        }
    }

    fn perform(&mut self, number: u64, command: BotCommand) -> Result<(), String> {
        match command {
            BotCommand::Ugi => self.introduce(),
            BotCommand::IsReady => self.mouth.say(&BotReply::ReadyOk),
            BotCommand::SetOption { name, value } => return self.set_option(&name, value),
            BotCommand::Game(spec) => {
                // Whatever happens, the old game is not to go on under the new one's name.
                self.table.position = Err(format!("no game was begun since game {spec}"));
                self.table = ServedGame::new(self.registry, &spec, self.player)
                    .map_err(|error| error.to_string())?;
                self.table.player.begin(self.seed);
            }
            BotCommand::NewGame => self.table.player.begin(self.seed),
            BotCommand::Position { origin, moves } => return self.table.place(&origin, &moves),
            BotCommand::Go(go) => return self.think(number, &go),
            BotCommand::Query(query) => return self.answer(query),
            // Our games hide nothing and our players know the rules.
            BotCommand::Observe { .. } | BotCommand::Legal(_) => {}
            // Heard by the listener.
            BotCommand::Stop | BotCommand::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        let games = self.registry.games().iter().map(|entry| &*entry.name);
        let plays = |name: &&str| ServedGame::new(self.registry, name, self.player).is_ok();
        let games: Vec<String> = games.filter(plays).map(str::to_owned).collect();
        let seed = SpinOption { name: "Seed".to_owned(), range: Some((0, MAX_SEED)) };
        for reply in [
            BotReply::Name(format!("Ludion {}", self.table.player.spec())),
            BotReply::Author("the authors of Ludion".to_owned()),
            BotReply::Option(seed),
            BotReply::Feature(BotFeature::Game(games)),
            BotReply::Feature(BotFeature::Simulations),
            BotReply::Feature(BotFeature::Query),
            BotReply::UgiOk,
        ] {
            self.mouth.say(&reply);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<String>) -> Result<(), String> {
        if !name.eq_ignore_ascii_case("seed") {
            return Err(format!("there is no option {name:?}; there is Seed"));
        }
        let seed = value.and_then(|value| value.parse().ok());
        self.seed = seed.ok_or("Seed is a whole number from 0 up")?;
        Ok(())
    }

    fn think(&mut self, number: u64, go: &GoParameters) -> Result<(), String> {
        let position = self.table.position.as_ref().map_err(Clone::clone)?;
        let side = position.status().turn().unwrap_or(Side::First);
        let observer = ServeObserver { number, turns: self.turns, mouth: self.mouth };
        let choice = self.table.player.choose(&**position, go.budget(side), &observer);
        let choice = choice.map_err(|refusal| refusal.to_string())?;
        while go.infinite && !observer.should_stop() {
            std::thread::sleep(LOOK);
        }
        observer.report(&choice);
        self.mouth.say(&BotReply::BestMove(choice.best));
        Ok(())
    }

    fn answer(&self, query: PositionQuery) -> Result<(), String> {
        let position = self.table.position.as_ref().map_err(Clone::clone)?;
        let status = position.status();
        self.mouth.say(&BotReply::Response(match query {
            PositionQuery::GameOver => matches!(status, Status::Over(_)).to_string(),
            PositionQuery::FirstToMove => (status.turn() == Some(Side::First)).to_string(),
            PositionQuery::Result => result_text(status),
            PositionQuery::Legal => legal_text(&position.moves()),
        }));
        Ok(())
    }
}

/// Passes on what a player thinks, and `stop`.
struct ServeObserver<'a, W> {
    number: u64,
    turns: &'a GoCounter,
    mouth: &'a ReplyWriter<W>,
}

impl<W: Write + Send> Observer<String> for ServeObserver<'_, W> {
    fn interval(&self) -> Option<Duration> {
        Some(REPORTS)
    }

    fn report(&self, so_far: &Choice<String>) {
        let some = |number: u64| (number > 0).then_some(number);
        let line = so_far.best_line();
        self.mouth.say(&BotReply::Info(SearchInfo {
            depth: (so_far.depth > 0).then_some(so_far.depth),
            nodes: some(so_far.nodes),
            simulations: some(so_far.simulations),
            time: u64::try_from(so_far.time.as_millis()).ok(),
            score: line.and_then(|line| line.value).map(BotScore::Value),
            pv: line.map_or_else(Vec::new, |line| line.variation.clone()),
            ..SearchInfo::default()
        }));
    }

    fn should_stop(&self) -> bool {
        self.turns.stopped.load(Ordering::SeqCst) >= self.number
    }
}
