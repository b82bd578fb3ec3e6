//! What came of the experiment: the table beside the figures of others, and the learning curves.

use ludion::arena::championship::score::Score;
use ludion::arena::elo::Games;
use ludion_plot::{Axis, Chart, Unit};
use ludion_store::RunId;
use ludion_train::Epoch;
use serde::Serialize;

use super::cells::{Method, OPPONENTS, Settings, Task};
use super::steps::Step;
use crate::commands::train::schooling::line;
use crate::output::{LOUD, QUIET, Report, paint, plural};
use crate::pictures::Picture;
use crate::table::figures;

/// The whole table.
#[derive(Serialize)]
pub(super) struct Answer {
    run: Option<RunId>,
    complete: bool,
    #[serde(flatten)]
    settings: Settings,
    opponents: [&'static str; 2],
    cells: Vec<Row>,
    seconds: Option<f64>,
}

/// One player.
#[derive(Serialize)]
struct Row {
    name: String,
    player: String,
    rows: Option<usize>,
    r2: Option<f64>,
    /// Against each opponent, as far as it was played.
    results: [Option<Met>; 2],
    /// The study's wins of 50 against random, and its R².
    seed_wins_of_50: Option<u32>,
    seed_r2: Option<f64>,
    /// What was found before, in per cent, against each opponent.
    earlier: [Option<f64>; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<Epoch>,
}

impl Row {
    /// Whether somebody else has measured it.
    fn was_measured(&self) -> bool {
        self.seed_wins_of_50.is_some() || self.earlier.iter().any(Option::is_some)
    }
}

/// Games against one opponent.
#[derive(Clone, Copy, Serialize)]
struct Met {
    #[serde(flatten)]
    games: Games,
    /// The share of points with its 95 % interval.
    score: Score,
}

impl Answer {
    pub(super) fn new(
        run: Option<RunId>,
        settings: &Settings,
        steps: &[Step],
        seconds: Option<f64>,
    ) -> Self {
        let tasks = settings.steps();
        let rows = settings.cells().into_iter().enumerate().map(|(i, cell)| {
            let lecture = tasks.iter().zip(steps).find_map(|(task, step)| match (task, step) {
                (Task::Train(lesson), Step::Trained(lecture))
                    if cell.learned == Some((*lesson, Method::Mlp)) =>
                {
                    Some(lecture)
                }
                _ => None,
            });
            Row {
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
        Answer {
            run,
            complete: steps.len() == tasks.len(),
            settings: settings.clone(),
            opponents: OPPONENTS,
            cells: rows.collect(),
            seconds,
        }
    }

    /// R² on the games held back, epoch after epoch.
    pub(super) fn picture(&self) -> Picture {
        let learned = self.cells.iter().filter(|row| !row.curve.is_empty());
        Picture::Chart(Chart {
            title: "Share of variance explained on games held back".to_owned(),
            note: format!("{} random games, seed {}", self.settings.games, self.settings.seed),
            x: Axis::linear("epoch").unit(Unit::Count),
            y: Axis::linear("R²"),
            series: learned.map(|row| line(&row.name, &row.curve, |epoch| epoch.r2)).collect(),
            ..Chart::default()
        })
    }
}

/// All games of a cell against an opponent; `None` where none were played.
fn met(tasks: &[Task], steps: &[Step], of: usize, against: usize) -> Option<Met> {
    let mut all = Games::default();
    for (task, step) in tasks.iter().zip(steps) {
        if let (Task::Play { cell, opponent, .. }, Step::Played(games)) = (task, step)
            && (*cell, *opponent) == (of, against)
        {
            all.wins += games.wins;
            all.losses += games.losses;
            all.draws += games.draws;
        }
    }
    (all.total() > 0).then(|| Met { games: all, score: Score::of(&all) })
}

impl Report for Answer {
    fn text(&self) -> String {
        let head = format!(
            "{} random games of checkers, {} against each opponent",
            self.settings.games,
            plural(2 * self.settings.pairs, "game")
        );
        let maybe = |text: Option<String>| text.unwrap_or_default();
        let percent = |met: &Option<Met>| {
            maybe(met.map(|Met { score: s, .. }| {
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
