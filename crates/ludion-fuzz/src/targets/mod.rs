//! The list of all targets. Each file has those of one area.

mod bots;
mod checkers;
mod files;
mod games;
mod hextris;
mod jobs;
mod riddles;
mod server;
mod settings;

use std::sync::{Arc, OnceLock};

use ludion::registry::{AnyGame, Registry};

use crate::FuzzTarget;

/// All fuzz targets.
pub static TARGETS: &[FuzzTarget] = &[
    games::GAME_SPEC,
    games::PLAYER_SPEC,
    games::STATE,
    games::MOVES,
    games::CONNECT4_SEQUENCE,
    games::CONNECT4_BOOK,
    checkers::PDN,
    checkers::FEN,
    checkers::ENDGAME_TABLE,
    checkers::KING_TABLE,
    checkers::HUB,
    hextris::PROBLEM,
    hextris::SOLUTIONS,
    hextris::COMMANDS,
    riddles::MASTERMIND_CODE,
    riddles::MASTERMIND_FEEDBACK,
    riddles::STRATEGY_TREE,
    files::NETWORK_MODEL,
    files::POLICY_VALUE_MODEL,
    files::PATTERN_MODEL,
    files::ARCHIVE,
    files::SELF_PLAY_GAME,
    bots::BOT_COMMAND,
    bots::BOT_REPLY,
    settings::BUDGET,
    settings::TOURNAMENT_FILE,
    settings::CHAMPIONSHIP,
    settings::TUNING,
    settings::SPRT,
    settings::LABELS,
    jobs::STORED_PLAN,
    jobs::JOB_SPEC,
    jobs::CLUSTER_MESSAGE,
    server::REQUEST_BODY,
];

/// Returns the registry of all games, without files and bots.
fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(ludion::registry::standard)
}

/// Returns the typical variants of all games.
fn variants() -> &'static [Arc<dyn AnyGame>] {
    static VARIANTS: OnceLock<Vec<Arc<dyn AnyGame>>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let examples = registry().games().iter().flat_map(|entry| &entry.examples);
        examples.map(|spec| registry().game(spec).expect("an example is valid")).collect()
    })
}

/// Returns the variant with this spec, which is the first line of its inputs.
fn variant(line: &str) -> Result<&'static Arc<dyn AnyGame>, String> {
    let found = variants().iter().find(|game| game.spec() == line.trim());
    found.ok_or_else(|| {
        format!("no game of the corpus is called {line:?}; there are the examples of all games")
    })
}

/// Splits an input into its first line and the rest; bytes that are not UTF-8 are replaced.
fn first_line(input: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(input);
    let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
    (line.to_owned(), rest.to_owned())
}

/// Returns the text of an input; bytes that are not UTF-8 are replaced.
fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// Converts an error to its text.
fn error(error: impl std::fmt::Display) -> String {
    error.to_string()
}
