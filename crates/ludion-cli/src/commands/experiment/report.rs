//! What came of the experiment: the table beside the figures of others, and the learning curves.

use ludion::arena::championship::score::MeanScore;
use ludion::arena::elo::GameCounts;
use ludion_plot::{Chart, NumberUnit, PlotAxis};
use ludion_store::RunId;
use ludion_train::EpochReport;
use serde::Serialize;

use super::players::{ExperimentSettings, ExperimentTask, LearningMethod, OPPONENTS};
use super::tasks::TaskResult;
use crate::commands::train::training_job::line;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots::RunPicture;
use crate::table::figures;

/// The whole table.
#[derive(Serialize)]
pub(super) struct ExperimentReport {
    run: Option<RunId>,
    complete: bool,
    #[serde(flatten)]
    settings: ExperimentSettings,
    opponents: [&'static str; 2],
    cells: Vec<PlayerRow>,
    seconds: Option<f64>,
}

/// One player.
#[derive(Serialize)]
struct PlayerRow {
    name: String,
    player: String,
    rows: Option<usize>,
    r2: Option<f64>,
    /// Against each opponent, as far as it was played.
    results: [Option<OpponentScore>; 2],
    /// The study's wins of 50 against random, and its R².
    seed_wins_of_50: Option<u32>,
    seed_r2: Option<f64>,
    /// What was found before, in per cent, against each opponent.
    earlier: [Option<f64>; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<EpochReport>,
}

impl PlayerRow {
    /// Whether somebody else has measured it.
    fn was_measured(&self) -> bool {
        self.seed_wins_of_50.is_some() || self.earlier.iter().any(Option::is_some)
    }
}

/// Games against one opponent.
#[derive(Clone, Copy, Serialize)]
struct OpponentScore {
    #[serde(flatten)]
    games: GameCounts,
    /// The share of points with its 95 % interval.
    score: MeanScore,
}

impl ExperimentReport {
    pub(super) fn new(
        run: Option<RunId>,
        settings: &ExperimentSettings,
        steps: &[TaskResult],
        seconds: Option<f64>,
    ) -> Self {
        let tasks = settings.steps();
        let rows = settings.cells().into_iter().enumerate().map(|(i, cell)| {
            let lecture = tasks.iter().zip(steps).find_map(|(task, step)| match (task, step) {
                (ExperimentTask::Train(lesson), TaskResult::Trained(lecture))
                    if cell.learned == Some((*lesson, LearningMethod::Mlp)) =>
                {
                    Some(lecture)
                }
                _ => None,
            });
            PlayerRow {
                name: cell.name,
                player: cell.player,
                rows: lecture.map(|lecture| lecture.rows),
                r2: lecture.and_then(|lecture| lecture.r2),
                results: [0, 1].map(|opponent| met(&tasks, steps, i, opponent)),
                seed_wins_of_50: cell.seed_wins,
                seed_r2: cell.seed_r2,
                earlier: cell.earlier,
                curve: lecture.map_or_else(Vec::new, |lecture| lecture.curve.clone()),
            }
        });
        ExperimentReport {
            run,
            complete: steps.len() == tasks.len(),
            settings: settings.clone(),
            opponents: OPPONENTS,
            cells: rows.collect(),
            seconds,
        }
    }

    /// R² on the games held back, epoch after epoch.
    pub(super) fn picture(&self) -> RunPicture {
        let learned = self.cells.iter().filter(|row| !row.curve.is_empty());
        RunPicture::Chart(Chart {
            title: "Share of variance explained on games held back".to_owned(),
            note: format!("{} random games, seed {}", self.settings.games, self.settings.seed),
            x: PlotAxis::linear("epoch").unit(NumberUnit::Count),
            y: PlotAxis::linear("R²"),
            series: learned.map(|row| line(&row.name, &row.curve, |epoch| epoch.r2)).collect(),
            ..Chart::default()
        })
    }
}

/// All games of a cell against an opponent; `None` where none were played.
fn met(
    tasks: &[ExperimentTask],
    steps: &[TaskResult],
    of: usize,
    against: usize,
) -> Option<OpponentScore> {
    let mut all = GameCounts::default();
    for (task, step) in tasks.iter().zip(steps) {
        if let (ExperimentTask::Play { cell, opponent, .. }, TaskResult::Played(games)) =
            (task, step)
            && (*cell, *opponent) == (of, against)
        {
            all.wins += games.wins;
            all.losses += games.losses;
            all.draws += games.draws;
        }
    }
    (all.total() > 0).then(|| OpponentScore { games: all, score: MeanScore::from_counts(&all) })
}

impl CommandReport for ExperimentReport {
    fn text(&self) -> String {
        let head = format!(
            "{} random games of checkers, {} against each opponent",
            self.settings.games,
            plural(2 * self.settings.pairs, "game")
        );
        let maybe = |text: Option<String>| text.unwrap_or_default();
        let percent = |met: &Option<OpponentScore>| {
            maybe(met.map(|OpponentScore { score: s, .. }| {
                let [value, low, high] = [s.value, s.low, s.high].map(|share| 100.0 * share);
                format!("{value:.0} ({low:.0}-{high:.0})")
            }))
        };
        let rows = self.cells.iter().map(|row| {
            let r2 = maybe(row.r2.map(|r2| format!("{r2:.2}")));
            vec![row.name.clone(), r2, percent(&row.results[0]), percent(&row.results[1])]
        });
        let ours = figures(&["player", "R²", "against random %", "against material %"], rows);
        let known = self.cells.iter().filter(|row| row.was_measured()).map(|row| {
            let [random, material] = row.earlier.map(|share| maybe(share.map(|x| x.to_string())));
            vec![
                row.name.clone(),
                maybe(row.seed_r2.map(|r2| format!("{r2:.2}"))),
                maybe(row.seed_wins_of_50.map(|wins| format!("{wins}/50"))),
                random,
                material,
            ]
        });
        let heads = ["earlier", "study's R²", "study", "random %", "material %"];
        let theirs = figures(&heads, known);
        let mut text = format!("{}\n\n{ours}\n{theirs}", paint(LOUD, &head));
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let time = self.seconds.map_or_else(String::new, |s| format!("{s:.0} s, "));
        let about = format!(
            "\nparity: distance with the study's mistake about who won; in brackets 95 % intervals\n\
             study: its own figures, wins of 50 games against random; the shares beside: a\n\
             reconstruction of it\n\
             {time}seed {}{run}",
            self.settings.seed
        );
        text += &paint(QUIET, &about);
        text + "\n"
    }
}
