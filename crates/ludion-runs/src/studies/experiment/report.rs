//! Report of the experiment: the scores of the players beside published ones, and the learning
//! curves.

use ludion_players::arena::championship::score::MeanScore;
use ludion_players::arena::elo::GameCounts;
use ludion_plot::{Chart, NumberUnit, PlotAxis};
use ludion_store::RunId;
use ludion_train::EpochReport;
use serde::Serialize;

use super::players::OPPONENTS;
use super::{
    CheckersExperimentSettings, ExperimentJob, ExperimentJobResult, ExperimentTrainingResult,
    LearningMethod,
};
use crate::RunPicture;
use crate::picture::epoch_series;
use crate::studies::{StudyRecords, StudyReport};

/// Report of an experiment.
#[derive(Serialize)]
pub struct CheckersExperimentReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all tasks are done.
    pub complete: bool,
    /// Settings of the experiment.
    #[serde(flatten)]
    pub settings: CheckersExperimentSettings,
    /// Specs of the two opponents, in the order of [`ExperimentPlayerRow::results`].
    pub opponents: [&'static str; 2],
    /// One row for each player.
    pub cells: Vec<ExperimentPlayerRow>,
    /// Seconds that this program took; `None` if the run was only read.
    pub seconds: Option<f64>,
}

/// Results of one player.
#[derive(Serialize)]
pub struct ExperimentPlayerRow {
    /// Name of the player in tables.
    pub name: String,
    /// Spec of the player.
    pub player: String,
    /// Number of training rows; `None` if the experiment does not train a network for this player.
    pub rows: Option<usize>,
    /// R² (share of variance explained) on the validation games; `None` if the experiment does not
    /// train a network for this player.
    pub r2: Option<f64>,
    /// Score against each opponent; `None` before the first game.
    pub results: [Option<OpponentScore>; 2],
    /// Published number of wins in 50 games against random; `None` if none was published.
    #[serde(rename = "seed_wins_of_50")]
    pub published_wins_of_50: Option<u32>,
    /// Published R² on validation data; `None` if none was published.
    #[serde(rename = "seed_r2")]
    pub published_r2: Option<f64>,
    /// Percentages of wins that a reimplementation of the published program measured for this
    /// player against each opponent; `None` where not measured.
    pub earlier: [Option<f64>; 2],
    /// Losses and R² after each epoch; empty if the experiment does not train a network for this
    /// player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<EpochReport>,
}

impl ExperimentPlayerRow {
    /// Returns whether there are published or earlier figures of this player.
    #[must_use]
    pub fn was_measured(&self) -> bool {
        self.published_wins_of_50.is_some() || self.earlier.iter().any(Option::is_some)
    }
}

/// Result of the match against one opponent.
#[derive(Clone, Copy, Serialize)]
pub struct OpponentScore {
    /// Numbers of games won, lost and drawn.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Mean score per game with its 95 % interval.
    pub score: MeanScore,
}

impl CheckersExperimentReport {
    pub(super) fn new(
        settings: &CheckersExperimentSettings,
        run: &StudyRecords<ExperimentJobResult>,
    ) -> Self {
        let tasks = settings.tasks();
        let done: Vec<(ExperimentJob, &ExperimentJobResult)> = run
            .records
            .iter()
            .filter_map(|record| Some((*tasks.get(record.number as usize)?, &record.value)))
            .collect();
        let rows = settings.players().into_iter().enumerate().map(|(i, player)| {
            let training = done.iter().find_map(|(task, result)| match (task, result) {
                (ExperimentJob::Train(labelling), ExperimentJobResult::Trained(training))
                    if player.learned == Some((*labelling, LearningMethod::Mlp)) =>
                {
                    Some(training)
                }
                _ => None,
            });
            let training: Option<&ExperimentTrainingResult> = training;
            ExperimentPlayerRow {
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
        CheckersExperimentReport {
            run: run.run,
            complete: run.complete,
            settings: settings.clone(),
            opponents: OPPONENTS,
            cells: rows.collect(),
            seconds: run.seconds(),
        }
    }
}

impl StudyReport for CheckersExperimentReport {
    /// Returns a chart of R² on the validation games by epoch.
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

/// Returns the score of player `of` against opponent `against`, or `None` if no game was played.
fn score(
    done: &[(ExperimentJob, &ExperimentJobResult)],
    of: usize,
    against: usize,
) -> Option<OpponentScore> {
    let mut all = GameCounts::default();
    for (task, result) in done {
        if let (ExperimentJob::Play { player, opponent, .. }, ExperimentJobResult::Played(games)) =
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
