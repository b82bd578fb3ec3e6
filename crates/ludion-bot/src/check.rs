//! Checks whether a bot follows the protocol, as a list of named checks with results. After a
//! failed check the bot is started again for the next one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludion_players::erased::GameHistory;
use ludion_players::game::{Side, Status};
use ludion_players::player::Budget;
use ludion_players::players::text_player::{TextMoveReply, TextMoveRequest};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::{AnyGame, Registry, RegistryError};
use serde::Serialize;

use crate::error::BotError;
use crate::protocol::{BotFeature, GoParameters, PositionQuery, legal_text, result_text};
use crate::session::{BotIdentity, BotSession, BotTimeouts};

/// Number of whole games of each game that the bot plays without being restarted.
const GAMES_PER_CHECK: u64 = 4;
/// Maximum number of plies of a game in the checks.
const MAX_PLIES: usize = 200;
/// Time budget of the move whose time is checked, in milliseconds.
const MOVE_TIME_MS: u64 = 100;
/// Time after which an infinite search is stopped.
const STOP_DELAY: Duration = Duration::from_millis(100);
/// Time that a bot may take to end after `quit`.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Lines outside the protocol, which a bot must ignore.
const UNKNOWN_LINES: [&str; 3] = ["", "hello bot, how are you", "go-on  \u{fe}\u{1F0A1} 1 2 3"];

/// Options of the check of a bot.
#[derive(Clone, PartialEq, Debug)]
pub struct BotCheckOptions {
    /// Command that starts the bot, as typed in a shell.
    pub command: String,
    /// Specs of the games to check; if empty, the games that the bot announces.
    pub games: Vec<String>,
    /// Budget of the bot for each move in the check that plays whole games.
    pub budget: Budget,
    /// Time limits for the bot's replies.
    pub timeouts: BotTimeouts,
    /// Seed of the opponent's random moves, also passed to the bot.
    pub seed: u64,
}

/// Result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BotCheckItem {
    /// Name of the check, such as `handshake`.
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// What was observed, or why the check failed.
    pub detail: String,
}

/// Results of all checks of a bot.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotCheckReport {
    /// Name, author and extensions that the bot announced; `None` if it did not.
    pub identity: Option<BotIdentity>,
    /// The results in the order of the checks.
    pub checks: Vec<BotCheckItem>,
}

/// Checks whether a bot follows the protocol.
///
/// # Errors
/// When a game in the options does not exist.
pub fn check(
    registry: &Registry,
    options: &BotCheckOptions,
) -> Result<BotCheckReport, RegistryError> {
    check_with_progress(registry, options, &mut |_, _| ())
}

/// Callback of a check: gets the name of the check that begins and the number of checks before it.
pub type OnBotCheck<'a> = &'a mut dyn FnMut(&str, u64);

/// Checks a bot as [`check`] does and calls `on_check` at the beginning of each check.
///
/// # Errors
/// When a game in the options does not exist.
pub fn check_with_progress(
    registry: &Registry,
    options: &BotCheckOptions,
    on_check: OnBotCheck<'_>,
) -> Result<BotCheckReport, RegistryError> {
    let mut games = Vec::new();
    for game in &options.games {
        games.push(registry.game(game)?);
    }
    let mut checker =
        BotChecker { options, session: None, identity: None, checks: Vec::new(), on_check };
    checker.check_handshake();
    if checker.identity.is_some() {
        if games.is_empty() {
            games = checker.announced_games(registry);
        }
        for game in &games {
            checker.check_game(game);
        }
        checker.check_quit();
    }
    Ok(BotCheckReport { identity: checker.identity, checks: checker.checks })
}

/// Runs the checks of one bot and collects their results.
struct BotChecker<'a> {
    options: &'a BotCheckOptions,
    /// The running bot; `None` if it must be started again because the last check failed.
    session: Option<BotSession>,
    identity: Option<BotIdentity>,
    checks: Vec<BotCheckItem>,
    on_check: OnBotCheck<'a>,
}

impl BotChecker<'_> {
    fn add_result(&mut self, name: impl Into<String>, result: Result<String, String>) {
        let ok = result.is_ok();
        let detail = result.unwrap_or_else(|reason| reason);
        self.checks.push(BotCheckItem { name: name.into(), ok, detail });
    }

    /// Reports that a check begins.
    fn begin(&mut self, name: &str) {
        (self.on_check)(name, self.checks.len() as u64);
    }

    /// Returns the running bot, or starts it again if the last check failed.
    fn take_session(&mut self) -> Result<BotSession, String> {
        let session = match self.session.take() {
            Some(session) => Ok(session),
            None => BotSession::start(&self.options.command, self.options.timeouts),
        };
        session.map_err(message)
    }

    /// Runs one check and adds its result to the report. Drops the bot if the check failed.
    fn run(&mut self, name: String, check: impl FnOnce(&mut BotSession) -> Result<String, String>) {
        self.begin(&name);
        let result = self.take_session().and_then(|mut session| {
            let detail = check(&mut session)?;
            self.session = Some(session);
            Ok(detail)
        });
        self.add_result(name, result);
    }

    /// Checks the identification, `isready` and unknown lines.
    fn check_handshake(&mut self) {
        self.begin("handshake");
        match BotSession::start(&self.options.command, self.options.timeouts) {
            Err(error) => return self.add_result("handshake", Err(error.to_string())),
            Ok(session) => {
                let identity = session.identity.clone();
                self.add_result("handshake", check_identity(&identity));
                self.identity = Some(identity);
                self.session = Some(session);
            }
        }
        self.run("ready".to_owned(), |session| {
            let start = Instant::now();
            session.wait_until_ready().map_err(message)?;
            Ok(format!("after {}", milliseconds(start.elapsed())))
        });
        self.run("unknown lines".to_owned(), |session| {
            for line in UNKNOWN_LINES {
                session.send_line(line).map_err(message)?;
            }
            session.wait_until_ready().map_err(message)?;
            Ok("ignored".to_owned())
        });
    }

    /// Returns the games of the registry that the bot announces. Adds a failed check if there are
    /// none.
    fn announced_games(&mut self, registry: &Registry) -> Vec<Arc<dyn AnyGame>> {
        let announced = self.identity.as_ref().and_then(BotIdentity::games).map(<[String]>::to_vec);
        let names = registry.games().iter().map(|entry| &*entry.name);
        let games: Vec<_> = names
            .filter(|name| {
                announced.as_ref().is_some_and(|announced| {
                    announced.is_empty() || announced.iter().any(|game| game == name)
                })
            })
            .filter_map(|name| registry.game(name).ok())
            .collect();
        if games.is_empty() {
            let reason = "the bot does not announce its games; name one with --game";
            self.add_result("games", Err(reason.to_owned()));
        }
        games
    }

    fn check_game(&mut self, game: &Arc<dyn AnyGame>) {
        let (options, spec) = (self.options, game.spec());
        self.run(format!("{spec}: whole games"), |session| {
            check_whole_games(session, game, options)
        });
        self.run(format!("{spec}: time"), |session| check_time(session, game, options));
        self.run(format!("{spec}: stop"), |session| check_stop(session, game, options));
        if self.identity.as_ref().is_some_and(|identity| identity.supports(&BotFeature::Query)) {
            self.run(format!("{spec}: queries"), |session| check_queries(session, game, options));
        }
    }

    fn check_quit(&mut self) {
        self.begin("quit");
        let result = self.take_session().and_then(|session| {
            let start = Instant::now();
            if session.quit(SHUTDOWN_GRACE) {
                return Ok(format!("after {}", milliseconds(start.elapsed())));
            }
            Err(format!("the bot still runs {} after quit", milliseconds(SHUTDOWN_GRACE)))
        });
        self.add_result("quit", result);
    }
}

fn message(error: BotError) -> String {
    error.to_string()
}

fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// Checks that the bot has a name; returns the name and the supported extensions as text.
fn check_identity(identity: &BotIdentity) -> Result<String, String> {
    if identity.name.is_empty() {
        return Err("the bot has no name; it must write id name NAME before ugiok".to_owned());
    }
    let features: Vec<String> = identity.features.iter().map(ToString::to_string).collect();
    let extensions = match features.len() {
        0 => "no extensions".to_owned(),
        _ => format!("supports {}", features.join(", ")),
    };
    Ok(format!("{}; {extensions}", identity.name))
}

/// Returns a request for a move after the moves of `history`. Like the arena, it has these moves
/// only in games with a rule about repeated positions.
fn text_request<'a>(
    history: &'a GameHistory,
    state: &'a str,
    legal: &'a [String],
    budget: Budget,
) -> TextMoveRequest<'a> {
    let moves = history.moves();
    TextMoveRequest {
        state,
        at_start: moves.is_empty(),
        moves: if history.game.has_repetition_rule() { moves } else { &[] },
        legal,
        budget,
        clock: None,
        stop: &|| false,
    }
}

/// Asks the bot for a move in the last position of `history` by calling `go`, and returns the move if
/// it is legal.
fn ask_for_move(
    session: &mut BotSession,
    history: &GameHistory,
    go: impl FnOnce(&mut BotSession, &TextMoveRequest<'_>) -> Result<TextMoveReply, BotError>,
    budget: Budget,
) -> Result<String, String> {
    let position = history.position();
    let (state, legal) = (position.show(), position.moves());
    let request = text_request(history, &state, &legal, budget);
    let reply = go(session, &request).map_err(message)?;
    position
        .canonical_move(&reply.play)
        .map_err(|error| format!("in {state}: the bot answered {error}"))
}

/// Plays whole games against random moves, with the bot as the first and the second side in turn.
fn check_whole_games(
    session: &mut BotSession,
    game: &Arc<dyn AnyGame>,
    options: &BotCheckOptions,
) -> Result<String, String> {
    let (mut moves_checked, mut slowest) = (0, Duration::ZERO);
    for number in 0..GAMES_PER_CHECK {
        let seed = derive_seed(options.seed, &[number]);
        let mut rng = Rng::new(seed);
        session.new_game(game.spec(), seed).map_err(message)?;
        let mut history = GameHistory::new(Arc::clone(game));
        for _ in 0..MAX_PLIES {
            let Status::Turn(side) = history.position().status() else { break };
            let moves = history.position().moves();
            let seat = if number % 2 == 0 { Side::First } else { Side::Second };
            let play = if side == seat {
                let start = Instant::now();
                let play = ask_for_move(session, &history, BotSession::choose, options.budget)?;
                slowest = slowest.max(start.elapsed());
                moves_checked += 1;
                play
            } else {
                moves[rng.below(moves.len())].clone()
            };
            history.play(&play).map_err(|error| error.to_string())?;
        }
    }
    Ok(format!(
        "{moves_checked} legal moves in {GAMES_PER_CHECK} games, the slowest {}",
        milliseconds(slowest)
    ))
}

/// Checks that the bot moves within a time budget.
fn check_time(
    session: &mut BotSession,
    game: &Arc<dyn AnyGame>,
    options: &BotCheckOptions,
) -> Result<String, String> {
    session.new_game(game.spec(), options.seed).map_err(message)?;
    let start = Instant::now();
    let budget = Budget { time: Some(Duration::from_millis(MOVE_TIME_MS)), ..Budget::UNLIMITED };
    let history = GameHistory::new(Arc::clone(game));
    ask_for_move(session, &history, BotSession::choose, budget)?;
    Ok(format!("{} of {MOVE_TIME_MS} ms used", milliseconds(start.elapsed())))
}

/// Checks that the bot ends an infinite search after `stop`.
fn check_stop(
    session: &mut BotSession,
    game: &Arc<dyn AnyGame>,
    options: &BotCheckOptions,
) -> Result<String, String> {
    session.new_game(game.spec(), options.seed).map_err(message)?;
    let start = Instant::now();
    let infinite = GoParameters { infinite: true, ..GoParameters::default() };
    let limit = STOP_DELAY + options.timeouts.reply;
    let go = |session: &mut BotSession, request: &TextMoveRequest<'_>| {
        session.set_position(request)?;
        session.go(infinite, limit, &|| start.elapsed() >= STOP_DELAY)
    };
    ask_for_move(session, &GameHistory::new(Arc::clone(game)), go, Budget::UNLIMITED)?;
    // A bot may have replied before it receives `stop`, so it must ignore a `stop` without a
    // search.
    session.send_line("stop").map_err(message)?;
    session.wait_until_ready().map_err(message)?;
    Ok(format!(
        "replied after {}, stopped after {}",
        milliseconds(start.elapsed()),
        milliseconds(STOP_DELAY)
    ))
}

/// Compares the bot's responses to queries with the rules, in all positions of a random game.
fn check_queries(
    session: &mut BotSession,
    game: &Arc<dyn AnyGame>,
    options: &BotCheckOptions,
) -> Result<String, String> {
    session.new_game(game.spec(), options.seed).map_err(message)?;
    let mut history = GameHistory::new(Arc::clone(game));
    let (mut rng, mut responses) = (Rng::new(options.seed), 0);
    for _ in 0..MAX_PLIES {
        let position = history.position();
        let (state, legal, status) = (position.show(), position.moves(), position.status());
        let request = text_request(&history, &state, &legal, Budget::UNLIMITED);
        session.set_position(&request).map_err(message)?;
        for query in PositionQuery::ALL {
            let response = session.query(query).map_err(message)?;
            let expected = match query {
                PositionQuery::GameOver => legal.is_empty().to_string(),
                PositionQuery::FirstToMove => (status.turn() == Some(Side::First)).to_string(),
                PositionQuery::Result => result_text(status),
                PositionQuery::Legal => legal_text(&legal),
            };
            // When the game is over, any response about the side to move is accepted.
            let any_response = query == PositionQuery::FirstToMove && legal.is_empty();
            if !any_response && sorted_words(&response) != sorted_words(&expected) {
                return Err(format!(
                    "in {state}: the response to query {query} is {response:?}, not {expected}"
                ));
            }
            responses += 1;
        }
        if legal.is_empty() {
            break;
        }
        history.play(&legal[rng.below(legal.len())]).map_err(|error| error.to_string())?;
    }
    Ok(format!("{responses} responses agree with the rules"))
}

/// Returns the words of a response in lower case and sorted, because moves may come in any order
/// and case.
fn sorted_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.sort_unstable();
    words
}
