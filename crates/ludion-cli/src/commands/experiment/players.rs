//! What the experiment consists of: the players, whom they meet, and in which steps; with what
//! others have found.
//!
//! The study's own figures, wins of 50 games against random and R², are those of its report and
//! of its program (*Deep Checker*, ENS Rennes 2021); its program had the mistake of parity, so
//! they stand beside the rows that have it too. `earlier` are shares of wins that a
//! reconstruction of the study gave, over 1,000 games or as said in the documentation.

use ludion::learn::labelling::Labelling;
use ludion::learn::labels::{Label, LossLabel};
use serde::{Deserialize, Serialize};

/// All that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ExperimentSettings {
    pub(super) games: u64,
    /// Pairs of games against each opponent.
    pub(super) pairs: u64,
    pub(super) epochs: u32,
    pub(super) layers: Vec<usize>,
    /// The file of the patterns, where it is not the model that comes with the game.
    pub(super) patterns: Option<String>,
    pub(super) seed: u64,
}

/// A way to learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LearningMethod {
    Knn,
    Mlp,
}

/// A player of the table.
pub(super) struct StudyPlayer {
    pub(super) name: String,
    pub(super) player: String,
    /// What was learned, where it was here.
    pub(super) learned: Option<(Labelling, LearningMethod)>,
    /// The study's wins of 50 against random, and its R².
    pub(super) seed_wins: Option<u32>,
    pub(super) seed_r2: Option<f64>,
    /// What was found before, in per cent: against random, against material.
    pub(super) earlier: [Option<f64>; 2],
}

/// One step of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExperimentTask {
    /// Trains the network of a lesson.
    Train(Labelling),
    /// Plays some pairs of a cell against an opponent, by their places in the lists.
    Play { cell: usize, opponent: usize, first: u64, pairs: u64 },
}

/// Whom everybody meets.
pub(super) const OPPONENTS: [&str; 2] = ["random", MATERIAL];
pub(super) const MATERIAL: &str = "alphabeta(depth=1, eval=material)";
pub(super) const GAME: &str = "checkers";
/// Where players find the random games.
pub(super) const DATA: &str = "random.games";
/// Pairs of games of a step.
const PART: u64 = 50;

/// The three lessons: the study's distances with its mistake, without, and captures.
pub(super) const LESSONS: [Labelling; 3] = [
    Labelling { label: Label::Parity, lost: LossLabel::Zero },
    Labelling { label: Label::Distance, lost: LossLabel::Zero },
    Labelling { label: Label::Captures, lost: LossLabel::Zero },
];

/// Where players find the network of a lesson.
pub(super) fn model(lesson: Labelling) -> String {
    format!("{}.safetensors", lesson.label.name())
}

impl ExperimentSettings {
    /// All players of the table.
    pub(super) fn cells(&self) -> Vec<StudyPlayer> {
        let mut cells: Vec<StudyPlayer> = LESSONS
            .iter()
            .flat_map(|&lesson| {
                [LearningMethod::Knn, LearningMethod::Mlp].map(|m| learner(lesson, m))
            })
            .collect();
        let other = |name: &str, player: String, earlier| StudyPlayer {
            name: name.to_owned(),
            player,
            learned: None,
            seed_wins: None,
            seed_r2: None,
            earlier,
        };
        cells.push(other("material", MATERIAL.to_owned(), [Some(99.4), None]));
        let patterns = match &self.patterns {
            Some(file) => format!("alphabeta(depth=1, eval=patterns(model={file:?}))"),
            None => "alphabeta(depth=1, eval=patterns)".to_owned(),
        };
        cells.push(other("patterns", patterns, [None; 2]));
        cells
    }

    /// All steps: trainings, then the matches against one opponent after the other.
    pub(super) fn steps(&self) -> Vec<ExperimentTask> {
        let mut steps: Vec<ExperimentTask> =
            LESSONS.iter().map(|&lesson| ExperimentTask::Train(lesson)).collect();
        let cells = self.cells();
        for (opponent, name) in OPPONENTS.iter().enumerate() {
            for cell in (0..cells.len()).filter(|&cell| cells[cell].player != *name) {
                let parts = (0..self.pairs).step_by(PART as usize);
                steps.extend(parts.map(|first| {
                    let pairs = PART.min(self.pairs - first);
                    ExperimentTask::Play { cell, opponent, first, pairs }
                }));
            }
        }
        steps
    }
}

fn learner(lesson: Labelling, method: LearningMethod) -> StudyPlayer {
    let (how, player) = match method {
        LearningMethod::Knn => {
            let label = lesson.label.name();
            ("KNN", format!("knn(data={DATA}, k=4, label={label}, lost=zero)"))
        }
        LearningMethod::Mlp => ("MLP", format!("mlp(model={})", model(lesson))),
    };
    let (seed_wins, seed_r2, earlier) = match (lesson.label, method) {
        (Label::Parity, LearningMethod::Knn) => (Some(18), None, [Some(29.0), None]),
        (Label::Parity, LearningMethod::Mlp) => (Some(39), Some(0.46), [None; 2]),
        (Label::Distance, LearningMethod::Knn) => (None, None, [Some(80.0), None]),
        (Label::Captures, LearningMethod::Knn) => (Some(36), None, [None; 2]),
        (Label::Captures, LearningMethod::Mlp) => (Some(50), Some(0.68), [Some(94.0), Some(6.0)]),
        _ => (None, None, [None; 2]),
    };
    let (name, learned) = (format!("{} {how}", lesson.label.name()), Some((lesson, method)));
    StudyPlayer { name, player, learned, seed_wins, seed_r2, earlier }
}
