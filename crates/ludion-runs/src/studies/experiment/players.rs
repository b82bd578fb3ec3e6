//! The players of the experiment, their opponents, the tasks in their order, and the figures that
//! were published before.
//!
//! The published figures, wins of 50 games against random and R², are those of the report and the
//! program of *Deep Checker* (ENS Rennes 2021). That program tells the winner by the parity of the
//! game's length, which is wrong for every wipe-out, so its figures stand beside the players that
//! learn from the same labels. `earlier` are shares of wins that a reconstruction of it gave, over
//! 1,000 games or as said in the documentation.

use ludion::learn::labelling::Labelling;
use ludion::learn::labels::{Label, LossLabel};
use serde::{Deserialize, Serialize};

/// The settings of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentSettings {
    /// The number of random games to learn from.
    pub games: u64,
    /// The number of pairs of games against each opponent.
    pub pairs: u64,
    /// The number of epochs of a training, at most.
    pub epochs: u32,
    /// The widths of the hidden layers.
    pub layers: Vec<usize>,
    /// The file of the patterns, where it is not the model that comes with the game.
    pub patterns: Option<String>,
    /// The seed of the games, the trainings and the matches.
    pub seed: u64,
}

/// A method of learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LearningMethod {
    /// The nearest neighbours.
    Knn,
    /// A network.
    Mlp,
}

/// A player of the experiment.
pub struct ExperimentPlayer {
    /// Its name in tables.
    pub name: String,
    /// Its spec.
    pub player: String,
    /// The labels that it learns from and the method, where it is learned in the experiment.
    pub learned: Option<(Labelling, LearningMethod)>,
    /// The published wins of 50 against random.
    pub published_wins: Option<u32>,
    /// The published R².
    pub published_r2: Option<f64>,
    /// The scores of the reconstruction in per cent: against random, against material.
    pub earlier: [Option<f64>; 2],
}

/// One task of the experiment. Its number in [`ExperimentSettings::tasks`] is that of its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentTask {
    /// Trains the network of a labelling.
    Train(Labelling),
    /// Plays some pairs of a player against an opponent, by their places in the lists.
    Play {
        /// The player.
        player: usize,
        /// The opponent.
        opponent: usize,
        /// The number of the first pair.
        first: u64,
        /// The number of pairs.
        pairs: u64,
    },
}

/// The opponents of all players.
pub(super) const OPPONENTS: [&str; 2] = ["random", MATERIAL];
const MATERIAL: &str = "alphabeta(depth=1, eval=material)";
/// The game.
pub(super) const GAME: &str = "checkers";
/// The name by which players find the random games.
pub(super) const DATA: &str = "random.games";
/// Pairs of games of a task.
const TASK_PAIRS: u64 = 50;

/// The labellings: distances by the parity of the game's length, distances, and captures.
pub(super) const LABELLINGS: [Labelling; 3] = [
    Labelling { label: Label::Parity, lost: LossLabel::Zero },
    Labelling { label: Label::Distance, lost: LossLabel::Zero },
    Labelling { label: Label::Captures, lost: LossLabel::Zero },
];

/// Returns the name by which players find the network of a labelling.
pub(super) fn model_name(labelling: Labelling) -> String {
    format!("{}.safetensors", labelling.label.name())
}

impl ExperimentSettings {
    /// Returns all players.
    #[must_use]
    pub fn players(&self) -> Vec<ExperimentPlayer> {
        let mut players: Vec<ExperimentPlayer> = LABELLINGS
            .iter()
            .flat_map(|&labelling| {
                [LearningMethod::Knn, LearningMethod::Mlp].map(|m| learner(labelling, m))
            })
            .collect();
        let other = |name: &str, player: String, earlier| ExperimentPlayer {
            name: name.to_owned(),
            player,
            learned: None,
            published_wins: None,
            published_r2: None,
            earlier,
        };
        players.push(other("material", MATERIAL.to_owned(), [Some(99.4), None]));
        let patterns = match &self.patterns {
            Some(file) => format!("alphabeta(depth=1, eval=patterns(model={file:?}))"),
            None => "alphabeta(depth=1, eval=patterns)".to_owned(),
        };
        players.push(other("patterns", patterns, [None; 2]));
        players
    }

    /// Returns all tasks: the trainings, then the matches against one opponent after the other.
    #[must_use]
    pub fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks: Vec<ExperimentTask> =
            LABELLINGS.iter().map(|&labelling| ExperimentTask::Train(labelling)).collect();
        let players = self.players();
        for (opponent, name) in OPPONENTS.iter().enumerate() {
            for player in (0..players.len()).filter(|&player| players[player].player != *name) {
                let parts = (0..self.pairs).step_by(TASK_PAIRS as usize);
                tasks.extend(parts.map(|first| {
                    let pairs = TASK_PAIRS.min(self.pairs - first);
                    ExperimentTask::Play { player, opponent, first, pairs }
                }));
            }
        }
        tasks
    }
}

fn learner(labelling: Labelling, method: LearningMethod) -> ExperimentPlayer {
    let (how, player) = match method {
        LearningMethod::Knn => {
            let label = labelling.label.name();
            ("KNN", format!("knn(data={DATA}, k=4, label={label}, lost=zero)"))
        }
        LearningMethod::Mlp => ("MLP", format!("mlp(model={})", model_name(labelling))),
    };
    let (published_wins, published_r2, earlier) = match (labelling.label, method) {
        (Label::Parity, LearningMethod::Knn) => (Some(18), None, [Some(29.0), None]),
        (Label::Parity, LearningMethod::Mlp) => (Some(39), Some(0.46), [None; 2]),
        (Label::Distance, LearningMethod::Knn) => (None, None, [Some(80.0), None]),
        (Label::Captures, LearningMethod::Knn) => (Some(36), None, [None; 2]),
        (Label::Captures, LearningMethod::Mlp) => (Some(50), Some(0.68), [Some(94.0), Some(6.0)]),
        _ => (None, None, [None; 2]),
    };
    let (name, learned) = (format!("{} {how}", labelling.label.name()), Some((labelling, method)));
    ExperimentPlayer { name, player, learned, published_wins, published_r2, earlier }
}
