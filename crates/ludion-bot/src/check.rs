//! Whether a bot keeps to the protocol: named checks, each with what was found. A check that
//! fails does not end the others; the bot is started again for them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludion::game::{Side, Status};
use ludion::player::Budget;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest};
use ludion::random::{Rng, derive_seed};
use ludion::registry::{AnyGame, AnyPosition, Registry, RegistryError};
use serde::Serialize;

use crate::error::BotError;
use crate::protocol::{BotFeature, GoParameters, PositionQuery, legal_text, result_text};
use crate::session::{BotIdentity, BotSession, BotTimeouts};

/// Games played of each kind, all by one process.
const GAMES: u64 = 4;
/// Plies after which a game is broken off.
const LONGEST: usize = 200;
/// What a bot is given where its clock is checked, in milliseconds.
const MOVETIME: u64 = 100;
/// How long a bot thinks without limit before it is stopped.
const BEFORE_STOP: Duration = Duration::from_millis(100);
/// How long a bot may take to end.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Lines that no bot knows, and that none may stumble over.
const UNKNOWN: [&str; 3] = ["", "hello bot, how are you", "go-on  \u{fe}\u{1F0A1} 1 2 3"];

/// What a bot is checked with.
#[derive(Clone, PartialEq, Debug)]
pub struct BotCheckOptions {
    /// The command that starts it.
    pub command: String,
    /// The games; those that it says it plays when empty.
    pub games: Vec<String>,
    /// What it may spend on a move.
    pub budget: Budget,
    /// The time limits.
    pub patience: BotTimeouts,
    /// What the games are drawn from.
    pub seed: u64,
}

/// One check and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BotCheckItem {
    /// What was looked at.
    pub name: String,
    /// Whether all is well.
    pub ok: bool,
    /// What was found, or what is wrong.
    pub detail: String,
}

/// All checks.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotCheckReport {
    /// What the bot says of itself, if it says anything.
    pub identity: Option<BotIdentity>,
    /// The checks in the order they were made.
    pub checks: Vec<BotCheckItem>,
}

/// Checks a bot.
///
/// # Errors
/// When a game that it is to be checked with does not exist.
pub fn check(
    registry: &Registry,
    terms: &BotCheckOptions,
) -> Result<BotCheckReport, RegistryError> {
    let mut games = Vec::new();
    for game in &terms.games {
        games.push(registry.game(game)?);
    }
    let mut examination = BotChecker { terms, engine: None, identity: None, checks: Vec::new() };
    examination.introduction();
    if examination.identity.is_some() {
        if games.is_empty() {
            games = examination.announced(registry);
        }
        for game in &games {
            examination.game(&**game);
        }
        examination.farewell();
    }
    Ok(BotCheckReport { identity: examination.identity, checks: examination.checks })
}

struct BotChecker<'a> {
    terms: &'a BotCheckOptions,
    engine: Option<BotSession>,
    identity: Option<BotIdentity>,
    checks: Vec<BotCheckItem>,
}

impl BotChecker<'_> {
    fn note(&mut self, name: impl Into<String>, found: Result<String, String>) {
        let ok = found.is_ok();
        let detail = found.unwrap_or_else(|reason| reason);
        self.checks.push(BotCheckItem { name: name.into(), ok, detail });
    }

    /// Makes a check with the bot as it runs, or started again if the last check broke it.
    fn look(&mut self, name: String, work: impl FnOnce(&mut BotSession) -> Result<String, String>) {
        let started = match self.engine.take() {
            Some(engine) => Ok(engine),
            None => BotSession::start(&self.terms.command, self.terms.patience),
        };
        let found = started.map_err(in_words).and_then(|mut engine| {
            let found = work(&mut engine)?;
            self.engine = Some(engine);
            Ok(found)
        });
        self.note(name, found);
    }

    fn introduction(&mut self) {
        match BotSession::start(&self.terms.command, self.terms.patience) {
            Err(trouble) => return self.note("handshake", Err(trouble.to_string())),
            Ok(engine) => {
                let identity = engine.identity.clone();
                self.note("handshake", introduced(&identity));
                self.identity = Some(identity);
                self.engine = Some(engine);
            }
        }
        self.look("ready".to_owned(), |engine| {
            let began = Instant::now();
            engine.ready().map_err(in_words)?;
            Ok(format!("after {}", milliseconds(began.elapsed())))
        });
        self.look("unknown lines".to_owned(), |engine| {
            for line in UNKNOWN {
                engine.say_line(line).map_err(in_words)?;
            }
            engine.ready().map_err(in_words)?;
            Ok("ignored".to_owned())
        });
    }

    /// The games of the registry that the bot says it plays.
    fn announced(&mut self, registry: &Registry) -> Vec<Arc<dyn AnyGame>> {
        let known = self.identity.as_ref().and_then(BotIdentity::games).map(<[String]>::to_vec);
        let names = registry.games().iter().map(|entry| &*entry.name);
        let games: Vec<_> = names
            .filter(|name| {
                known.as_ref().is_some_and(|known| {
                    known.is_empty() || known.iter().any(|announced| announced == name)
                })
            })
            .filter_map(|name| registry.game(name).ok())
            .collect();
        if games.is_empty() {
            let reason = "the bot does not say which games it plays; name one with --game";
            self.note("games", Err(reason.to_owned()));
        }
        games
    }

    fn game(&mut self, game: &dyn AnyGame) {
        let (terms, spec) = (self.terms, game.spec());
        self.look(format!("{spec}: whole games"), |engine| whole_games(engine, game, terms));
        self.look(format!("{spec}: time"), |engine| time_kept(engine, game, terms));
        self.look(format!("{spec}: stop"), |engine| stops(engine, game, terms));
        if self.identity.as_ref().is_some_and(|identity| identity.knows(&BotFeature::Query)) {
            self.look(format!("{spec}: queries"), |engine| queries(engine, game, terms));
        }
    }

    fn farewell(&mut self) {
        let started = match self.engine.take() {
            Some(engine) => Ok(engine),
            None => BotSession::start(&self.terms.command, self.terms.patience),
        };
        let found = started.map_err(in_words).and_then(|engine| {
            let began = Instant::now();
            if engine.quit(SHUTDOWN_GRACE) {
                return Ok(format!("after {}", milliseconds(began.elapsed())));
            }
            Err(format!("the bot still runs {} after quit", milliseconds(SHUTDOWN_GRACE)))
        });
        self.note("quit", found);
    }
}

fn in_words(trouble: BotError) -> String {
    trouble.to_string()
}

fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

fn introduced(identity: &BotIdentity) -> Result<String, String> {
    if identity.name.is_empty() {
        return Err("the bot does not say its name: id name NAME before ugiok".to_owned());
    }
    let features: Vec<String> = identity.features.iter().map(ToString::to_string).collect();
    let knows = match features.len() {
        0 => "no extensions".to_owned(),
        _ => format!("knows {}", features.join(", ")),
    };
    Ok(format!("{}; {knows}", identity.name))
}

/// Asks the bot for a move in `position` and holds it against the rules.
fn ask(
    engine: &mut BotSession,
    (position, at_start): (&dyn AnyPosition, bool),
    go: impl FnOnce(&mut BotSession, &TextMoveRequest<'_>) -> Result<TextMoveReply, BotError>,
    budget: Budget,
) -> Result<String, String> {
    let (state, legal) = (position.show(), position.moves());
    let question =
        TextMoveRequest { state: &state, at_start, legal: &legal, budget, stop: &|| false };
    let answer = go(engine, &question).map_err(in_words)?;
    position
        .canonical_move(&answer.play)
        .map_err(|error| format!("in {state}: the bot answered {error}"))
}

/// Games against random moves, the bot in either seat, all by one process.
fn whole_games(
    engine: &mut BotSession,
    game: &dyn AnyGame,
    terms: &BotCheckOptions,
) -> Result<String, String> {
    let (mut asked, mut slowest) = (0, Duration::ZERO);
    for number in 0..GAMES {
        let seed = derive_seed(terms.seed, &[number]);
        let mut rng = Rng::new(seed);
        engine.new_game(game.spec(), seed).map_err(in_words)?;
        let mut position = game.start();
        for ply in 0..LONGEST {
            let Status::Turn(side) = position.status() else { break };
            let moves = position.moves();
            let seat = if number % 2 == 0 { Side::First } else { Side::Second };
            let play = if side == seat {
                let began = Instant::now();
                let here = (&*position, ply == 0);
                let play = ask(engine, here, BotSession::choose, terms.budget)?;
                slowest = slowest.max(began.elapsed());
                asked += 1;
                play
            } else {
                moves[rng.below(moves.len())].clone()
            };
            position.play(&play).map_err(|error| error.to_string())?;
        }
    }
    Ok(format!("{asked} legal moves in {GAMES} games, the slowest {}", milliseconds(slowest)))
}

fn time_kept(
    engine: &mut BotSession,
    game: &dyn AnyGame,
    terms: &BotCheckOptions,
) -> Result<String, String> {
    engine.new_game(game.spec(), terms.seed).map_err(in_words)?;
    let began = Instant::now();
    let budget = Budget { time: Some(Duration::from_millis(MOVETIME)), ..Budget::UNLIMITED };
    ask(engine, (&*game.start(), true), BotSession::choose, budget)?;
    Ok(format!("{} of {MOVETIME} ms used", milliseconds(began.elapsed())))
}

fn stops(
    engine: &mut BotSession,
    game: &dyn AnyGame,
    terms: &BotCheckOptions,
) -> Result<String, String> {
    engine.new_game(game.spec(), terms.seed).map_err(in_words)?;
    let began = Instant::now();
    let infinite = GoParameters { infinite: true, ..GoParameters::default() };
    let limit = BEFORE_STOP + terms.patience.answer;
    let go = |engine: &mut BotSession, question: &TextMoveRequest<'_>| {
        engine.position(question)?;
        engine.go(infinite, limit, &|| began.elapsed() >= BEFORE_STOP)
    };
    ask(engine, (&*game.start(), true), go, Budget::UNLIMITED)?;
    // Some bots answer at once and then hear of a stop that means nothing to them.
    engine.say_line("stop").map_err(in_words)?;
    engine.ready().map_err(in_words)?;
    Ok(format!(
        "answered after {}, stopped after {}",
        milliseconds(began.elapsed()),
        milliseconds(BEFORE_STOP)
    ))
}

/// Holds what the bot says of the positions of a random game against the rules.
fn queries(
    engine: &mut BotSession,
    game: &dyn AnyGame,
    terms: &BotCheckOptions,
) -> Result<String, String> {
    engine.new_game(game.spec(), terms.seed).map_err(in_words)?;
    let (mut position, mut rng, mut asked) = (game.start(), Rng::new(terms.seed), 0);
    for ply in 0..LONGEST {
        let (state, legal, status) = (position.show(), position.moves(), position.status());
        let at_start = ply == 0;
        let budget = Budget::UNLIMITED;
        let question =
            TextMoveRequest { state: &state, at_start, legal: &legal, budget, stop: &|| false };
        engine.position(&question).map_err(in_words)?;
        for query in PositionQuery::ALL {
            let said = engine.query(query).map_err(in_words)?;
            let right = match query {
                PositionQuery::GameOver => legal.is_empty().to_string(),
                PositionQuery::FirstToMove => (status.turn() == Some(Side::First)).to_string(),
                PositionQuery::Result => result_text(status),
                PositionQuery::Legal => legal_text(&legal),
            };
            // Whose turn it is after the end means nothing.
            let moot = query == PositionQuery::FirstToMove && legal.is_empty();
            if !moot && in_any_order(&said) != in_any_order(&right) {
                return Err(format!("in {state}: query {query} is {right}, not {said:?}"));
            }
            asked += 1;
        }
        if legal.is_empty() {
            break;
        }
        position.play(&legal[rng.below(legal.len())]).map_err(|error| error.to_string())?;
    }
    Ok(format!("{asked} answers agree with the rules"))
}

/// The words of a response, which for moves may come in any order and case.
fn in_any_order(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.sort_unstable();
    words
}
