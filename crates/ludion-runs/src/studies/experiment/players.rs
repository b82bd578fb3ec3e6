//! Players of the experiment, their opponents, the list of tasks, and published figures to compare
//! with.
//!
//! The published figures (wins of 50 games against random, and R²) are from the report and the
//! program of *Deep Checker* (ENS Rennes 2021). That program derives the winner from the parity of
//! the game's length, which is wrong whenever a side loses all its pieces, so its figures are
//! listed with the players that learn from labels derived in the same way. `earlier` holds
//! percentages of wins of a reimplementation of that program, over 1,000 games unless the
//! documentation says otherwise.

use ludion_players::arena::plan::PlayerFile;
use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use serde::{Deserialize, Serialize};

/// Settings of an experiment, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckersExperimentSettings {
    /// Number of random games to learn from.
    pub games: u64,
    /// Number of pairs of games of each match.
    pub pairs: u64,
    /// Maximum number of epochs of a training.
    pub epochs: u32,
    /// Widths of the hidden layers of the networks.
    pub layers: Vec<usize>,
    /// Model file of the player `patterns`; `None` for the model that comes with the game.
    pub patterns: Option<String>,
    /// Whether the nearest neighbours also play by the lowest score; no in experiments stored by
    /// version 0.1.0.
    #[serde(default)]
    pub argmin: bool,
    /// Seed from which the seeds of games, trainings and matches are derived.
    pub seed: u64,
    /// The files that players read and that the experiment does not make itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PlayerFile>,
}

/// Learning method of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LearningMethod {
    /// Nearest neighbours among the positions of the random games.
    Knn,
    /// Neural network (multilayer perceptron).
    Mlp,
}

/// A player of the experiment, with published results of the same player for comparison.
pub struct ExperimentPlayer {
    /// Name of the player in tables.
    pub name: String,
    /// Spec of the player.
    pub player: String,
    /// Labels and method by which the player learns; `None` if the experiment does not train it.
    pub learned: Option<(Labelling, LearningMethod)>,
    /// Published number of wins in 50 games against random; `None` if none was published.
    pub published_wins: Option<u32>,
    /// Published R² on validation data; `None` if none was published.
    pub published_r2: Option<f64>,
    /// Percentages of wins that a reimplementation of the published program measured for this
    /// player, against random and against material; `None` where not measured.
    pub earlier: [Option<f64>; 2],
}

/// One task of the experiment. The task with index n in [`CheckersExperimentSettings::tasks`] has
/// the record with number n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentJob {
    /// Trains the network that learns from these labels.
    Train(Labelling),
    /// Plays consecutive pairs of the match of a player against an opponent.
    Play {
        /// Index of the player in [`CheckersExperimentSettings::players`].
        player: usize,
        /// Index of the opponent in `OPPONENTS`.
        opponent: usize,
        /// Number of the task's first pair, counted from 0 within the match.
        first: u64,
        /// Number of pairs that the task plays.
        pairs: u64,
    },
}

/// Specs of the opponents that every player meets.
pub(super) const OPPONENTS: [&str; 2] = ["random", MATERIAL];
const MATERIAL: &str = "alphabeta(depth=1, eval=material)";
/// Name of the game of the experiment.
pub(super) const GAME: &str = "checkers";
/// Asset name under which players find the random games.
pub(super) const DATA: &str = "random.games";
/// Maximum number of pairs of games in a task.
const TASK_PAIRS: u64 = 50;

/// The labels to learn from: the distance to the end of the game with the winner derived from
/// parity, the distance with the real winner, and captures.
pub(super) const LABELLINGS: [Labelling; 3] = [
    Labelling { label: Label::Parity, lost: LoserLabel::Zero },
    Labelling { label: Label::Distance, lost: LoserLabel::Zero },
    Labelling { label: Label::Captures, lost: LoserLabel::Zero },
];

/// Returns the asset name under which players find the network that learned from these labels.
pub(super) fn model_name(labelling: Labelling) -> String {
    format!("{}.safetensors", labelling.label.name())
}

impl CheckersExperimentSettings {
    /// Returns all players: those that learn, then `material`, `patterns`, and the nearest
    /// neighbours that play by the lowest score.
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
        if self.argmin {
            let argmin = format!("knn(data={DATA}, k=4, label=distance, lost=zero, choose=argmin)");
            let labelling = Labelling { label: Label::Distance, lost: LoserLabel::Zero };
            players.push(ExperimentPlayer {
                learned: Some((labelling, LearningMethod::Knn)),
                ..other("distance KNN argmin", argmin, [Some(31.0), None])
            });
        }
        players
    }

    /// Returns all tasks: the trainings, then all matches against the first opponent, then against
    /// the second.
    #[must_use]
    pub fn tasks(&self) -> Vec<ExperimentJob> {
        let mut tasks: Vec<ExperimentJob> =
            LABELLINGS.iter().map(|&labelling| ExperimentJob::Train(labelling)).collect();
        let players = self.players();
        for (opponent, name) in OPPONENTS.iter().enumerate() {
            for player in (0..players.len()).filter(|&player| players[player].player != *name) {
                let parts = (0..self.pairs).step_by(TASK_PAIRS as usize);
                tasks.extend(parts.map(|first| {
                    let pairs = TASK_PAIRS.min(self.pairs - first);
                    ExperimentJob::Play { player, opponent, first, pairs }
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
