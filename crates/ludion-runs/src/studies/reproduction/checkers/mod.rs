//! *Deep Checker* (Correnson, Martayan and Sourisseau 2021): checkers by simple rules, learned from
//! random games by nearest neighbours and by a network.

mod database;
mod labels;
mod neighbours;
mod networks;
mod rules;

use ludion_players::registry::Registry;

use super::work::{JobContext, PublishedWork, RunSize, WorkItem, failed};
use crate::studies::JobFailure;
use crate::studies::experiment::CheckersExperimentSettings;

/// The study of learned checkers.
pub(super) const WORK: PublishedWork = PublishedWork {
    name: "checkers",
    title: "Deep Checker",
    authors: "Arthur Correnson, Igor Martayan and Manon Sourisseau, ENS Rennes",
    year: "2021",
    source: "A. Correnson, I. Martayan and M. Sourisseau, *Deep Checker*, project of statistics, in \
             French; figures that the text does not give are from its authors' program",
    about: "Random games of checkers by simple rules are labelled; a model learns the labels; a player \
            looks one ply ahead, scores each move by the model and plays against random moves. The \
            first label, *distance*, is 1/√d for a move of the winner d plies before the end. The \
            second, *captures*, is the number of men that the player still captures. The first model \
            takes the mean of the four nearest neighbours in the data (KNN), the second is a network of \
            four hidden layers (MLP). The report finds that KNN loses (18 of 50 games) and that the \
            network wins all (50 of 50).",
    terms: &[
        (
            "h(c), h(d)",
            "the mean label of a move c, or of a board d, over the games in which it occurs",
        ),
        (
            "KNN",
            "the score of a move is the mean label of the k most similar moves of the data, by the \
                 number of squares that differ",
        ),
        ("MLP", "a network of 64, 64, 32 and 16 units with 64 inputs"),
        ("R²", "the share of the variance of the labels that a model explains on games held back"),
        (
            "parity",
            "the mistake of the authors' program: it takes the winner from the parity of the \
                    number of states, which is wrong whenever a side has no man left",
        ),
        ("material", "a player that counts men one ply ahead, with captures played out"),
    ],
    items,
};

fn items() -> Vec<WorkItem> {
    vec![
        rules::rules(),
        rules::speed(),
        database::database(),
        rules::once(),
        labels::moves(),
        labels::generalisation(),
        labels::edit_distance(),
        neighbours::argmin(),
        neighbours::neighbours(),
        neighbours::table(),
        labels::parity(),
        neighbours::explanations(),
        neighbours::conventions(),
        labels::boards(),
        networks::output(),
        networks::training(),
        networks::table(),
        networks::all_players(),
    ]
}

/// The game of the study.
const GAME: &str = "checkers";
/// Name of the file of random games.
const DATA: &str = "random.games";

/// Number of random games to learn from.
fn games(size: RunSize) -> u64 {
    size.pick([60, 3000, 50_000])
}

/// Plays the random games and returns them as an archive file. All items have the same games, whose
/// seed does not depend on the item.
fn archive(registry: &Registry, size: RunSize) -> Result<Vec<u8>, JobFailure> {
    let settings = CheckersExperimentSettings {
        games: games(size),
        pairs: 1,
        epochs: 1,
        layers: Vec::new(),
        patterns: None,
        argmin: false,
        seed: 1,
        files: Vec::new(),
    };
    let mut files = settings.files(registry, &[]).map_err(failed)?;
    Ok(files.swap_remove(0).1)
}

/// Returns the archive of the run.
fn context_archive(context: &JobContext<'_>) -> Result<Vec<u8>, JobFailure> {
    archive(context.registry, context.size)
}
