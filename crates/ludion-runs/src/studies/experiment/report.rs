//! The figures of the experiment: the scores of the players beside published ones, and the
//! learning curves.

use ludion::arena::championship::score::MeanScore;
use ludion::arena::elo::GameCounts;
use ludion_plot::{Chart, NumberUnit, PlotAxis};
use ludion_store::RunId;
use ludion_train::EpochReport;
use serde::Serialize;

use super::players::OPPONENTS;
use super::{ExperimentSettings, ExperimentTask, LearningMethod, TaskResult, TrainingResult};
use crate::RunPicture;
use crate::picture::epoch_series;
use crate::studies::{StudyReport, StudyRun};

/// The figures of an experiment.
#[derive(Serialize)]
pub struct ExperimentReport {
    /// The number of the run, where it is stored.
    pub run: Option<RunId>,
    /// Whether all tasks are done.
    pub complete: bool,
    /// The settings.
    #[serde(flatten)]
    pub settings: ExperimentSettings,
    /// The opponents.
    pub opponents: [&'static str; 2],
    /// The players.
    pub cells: Vec<PlayerRow>,
    /// The time that this program took; nothing where the run was only read.
    pub seconds: Option<f64>,
}

/// The figures of one player.
#[derive(Serialize)]
pub struct PlayerRow {
    /// Its name in tables.
    pub name: String,
    /// Its spec.
    pub player: String,
    /// The number of rows that it was trained on.
    pub rows: Option<usize>,
    /// The share of variance explained on the games held back.
    pub r2: Option<f64>,
    /// Its scores against each opponent, as far as they were played.
    pub results: [Option<OpponentScore>; 2],
    /// The published wins of 50 against random.
    #[serde(rename = "seed_wins_of_50")]
    pub published_wins_of_50: Option<u32>,
    /// The published R².
    #[serde(rename = "seed_r2")]
    pub published_r2: Option<f64>,
    /// The scores of a reconstruction in per cent, against each opponent.
    pub earlier: [Option<f64>; 2],
    /// The learning curve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<EpochReport>,
}

impl PlayerRow {
    /// Returns whether there are earlier figures of it.
    #[must_use]
    pub fn was_measured(&self) -> bool {
        self.published_wins_of_50.is_some() || self.earlier.iter().any(Option::is_some)
    }
}

/// The games against one opponent.
#[derive(Clone, Copy, Serialize)]
pub struct OpponentScore {
    /// Wins, losses and draws.
    #[serde(flatten)]
    pub games: GameCounts,
    /// The share of points with its 95 % interval.
    pub score: MeanScore,
}

impl ExperimentReport {
    pub(super) fn new(settings: &ExperimentSettings, run: &StudyRun<TaskResult>) -> Self {
        let tasks = settings.tasks();
        let done: Vec<(ExperimentTask, &TaskResult)> = run
            .records
            .iter()
            .filter_map(|record| Some((*tasks.get(record.number as usize)?, &record.value)))
            .collect();
        let rows = settings.players().into_iter().enumerate().map(|(i, player)| {
            let training = done.iter().find_map(|(task, result)| match (task, result) {
                (ExperimentTask::Train(labelling), TaskResult::Trained(training))
                    if player.learned == Some((*labelling, LearningMethod::Mlp)) =>
                {
                    Some(training)
                }
                _ => None,
            });
            let training: Option<&TrainingResult> = training;
            PlayerRow {
                name: player.name,
                player: player.player,
                rows: training.map(|training| training.rows),
                r2: training.and_then(|training| training.r2),
                results: [0, 1].map(|opponent| score(&done, i, opponent)),
                published_wins_of_50: player.published_wins,
                published_r2: player.published_r2,
                earlier: player.earlier,
                curve: training.map_or_else(Vec::new, |training| training.curve.clone()),
            }
        });
        ExperimentReport {
            run: run.run,
            complete: run.complete,
            settings: settings.clone(),
            opponents: OPPONENTS,
            cells: rows.collect(),
            seconds: run.seconds(),
        }
    }
}

impl StudyReport for ExperimentReport {
    /// R² on the games held back, epoch after epoch.
    fn picture(&self) -> RunPicture {
        let learned = self.cells.iter().filter(|row| !row.curve.is_empty());
        let series = learned.map(|row| epoch_series(&row.name, &row.curve, |epoch| epoch.r2));
        RunPicture::Chart(Chart {
            title: "Share of variance explained on games held back".to_owned(),
            note: format!("{} random games, seed {}", self.settings.games, self.settings.seed),
            x: PlotAxis::linear("epoch").unit(NumberUnit::Count),
            y: PlotAxis::linear("R²"),
            series: series.collect(),
            ..Chart::default()
        })
    }
}

/// Returns the score of a player against an opponent; nothing where no game was played.
fn score(
    done: &[(ExperimentTask, &TaskResult)],
    of: usize,
    against: usize,
) -> Option<OpponentScore> {
    let mut all = GameCounts::default();
    for (task, result) in done {
        if let (ExperimentTask::Play { player, opponent, .. }, TaskResult::Played(games)) =
            (task, result)
            && (*player, *opponent) == (of, against)
        {
            all.wins += games.wins;
            all.losses += games.losses;
            all.draws += games.draws;
        }
    }
    (all.total() > 0).then(|| OpponentScore { games: all, score: MeanScore::from_counts(&all) })
}
