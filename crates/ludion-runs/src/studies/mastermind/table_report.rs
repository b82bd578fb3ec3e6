//! Report of a table of experiments, as rows and as heat maps.

use ludion_mastermind::experiment::{
    DistributionKind, ExperimentOutcome, ExperimentSettings, ExperimentSummary, Median,
};
use ludion_mastermind::{PegWeights, WhitePegCounting};
use ludion_players::arena::championship::score::MeanScore;
use ludion_players::arena::elo::GameCounts;
use ludion_plot::{HeatMap, NumberUnit};
use ludion_store::{JobOutput, RunId};
use serde::Serialize;

use crate::studies::{ReportTable, StudyReport};
use crate::{RunPicture, plural};

/// Report of a table of experiments.
#[derive(Serialize)]
pub struct MastermindTableReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all experiments are done.
    pub complete: bool,
    /// Number of experiments in each cell.
    pub runs: u64,
    /// Seed from which the seeds of the experiments are derived.
    pub seed: u64,
    /// Settings of the first cell; the others differ only in pegs and colours.
    pub settings: ExperimentSettings,
    /// The cells, row by row.
    pub cells: Vec<MastermindTableCell>,
    /// Seconds that this program took; `None` if the run was only read.
    pub seconds: Option<f64>,
}

/// Results of the experiments with one number of pegs and of colours.
#[derive(Serialize)]
pub struct MastermindTableCell {
    /// Number of pegs.
    pub pegs: usize,
    /// Number of colours.
    pub colours: usize,
    /// Iterations, wrong results and errors of the experiments.
    #[serde(flatten)]
    pub summary: ExperimentSummary,
    /// Share of experiments that did not find the secret, with its 95 % interval.
    pub wrong_share: MeanScore,
    /// Mean seconds of an experiment.
    pub mean_seconds: f64,
    /// Median seconds of an experiment; `None` without experiments.
    pub seconds: Option<Median>,
}

/// Names of the columns of the table.
const COLUMNS: [&str; 15] = [
    "pegs",
    "colours",
    "runs",
    "median",
    "low",
    "high",
    "least",
    "greatest",
    "wrong",
    "wrong_low",
    "wrong_high",
    "error",
    "quantile_error",
    "answers",
    "seconds",
];

impl MastermindTableCell {
    pub(super) fn of(
        settings: &ExperimentSettings,
        outputs: &[&JobOutput<ExperimentOutcome>],
    ) -> Self {
        let outcomes: Vec<&ExperimentOutcome> =
            outputs.iter().map(|output| &output.value).collect();
        let summary = ExperimentSummary::of(&settings.distribution, &outcomes);
        let (wrong, right) = (summary.wrong as u64, (summary.runs - summary.wrong) as u64);
        let seconds: Vec<f64> = outputs.iter().map(|output| output.took.as_secs_f64()).collect();
        MastermindTableCell {
            pegs: settings.pegs,
            colours: settings.colours,
            wrong_share: MeanScore::from_counts(&GameCounts {
                wins: wrong,
                losses: right,
                draws: 0,
            }),
            mean_seconds: seconds.iter().sum::<f64>() / seconds.len().max(1) as f64,
            seconds: Median::of(seconds),
            summary,
        }
    }

    /// Returns the figures of the cell as texts, in the order of [`COLUMNS`].
    fn row(&self) -> Vec<String> {
        let ExperimentSummary { runs, wrong, error, quantile_error, answers, .. } = self.summary;
        let middle = |figure: fn(&Median) -> Option<f64>| {
            let figure = self.summary.iterations.as_ref().and_then(figure);
            figure.map_or_else(String::new, |figure| figure.to_string())
        };
        vec![
            self.pegs.to_string(),
            self.colours.to_string(),
            runs.to_string(),
            middle(|m| Some(m.median)),
            middle(|m| m.low),
            middle(|m| m.high),
            middle(|m| Some(m.least)),
            middle(|m| Some(m.greatest)),
            wrong.to_string(),
            self.wrong_share.low.to_string(),
            self.wrong_share.high.to_string(),
            error.to_string(),
            quantile_error.to_string(),
            answers.to_string(),
            self.mean_seconds.to_string(),
        ]
    }

    /// Returns `figure`, or `None` if no experiment of the cell is done yet.
    pub fn ran<T>(&self, figure: T) -> Option<T> {
        (self.summary.runs > 0).then_some(figure)
    }

    /// Returns the median, over the experiments of the cell, of the iteration that
    /// [`MastermindTableReport::iteration`] describes; `None` if no experiment has such an
    /// iteration.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.summary.iterations.map(|m| m.median)
    }
}

impl MastermindTableReport {
    /// Describes the iteration whose median is reported; it depends on the distribution.
    #[must_use]
    pub fn iteration(&self) -> &'static str {
        match self.settings.distribution {
            DistributionKind::Mallows(_) => "iteration at which x* is the secret",
            _ => "iteration of convergence",
        }
    }

    /// Returns the distinct numbers of pegs and of colours, that is the rows and columns of the
    /// table.
    #[must_use]
    pub fn sizes(&self) -> [Vec<usize>; 2] {
        let once = |size: fn(&MastermindTableCell) -> usize| {
            let mut sizes = Vec::new();
            for size in self.cells.iter().map(size) {
                if !sizes.contains(&size) {
                    sizes.push(size);
                }
            }
            sizes
        };
        let [pegs, mut colours] = [once(|cell| cell.pegs), once(|cell| cell.colours)];
        // The first row may lack cells of small columns, so the order of the cells is not that of
        // the columns.
        colours.sort_unstable();
        [pegs, colours]
    }

    /// Returns the cell with these numbers of pegs and colours, or `None` if the table does not
    /// have it.
    #[must_use]
    pub fn at(&self, pegs: usize, colours: usize) -> Option<&MastermindTableCell> {
        self.cells.iter().find(|cell| (cell.pegs, cell.colours) == (pegs, colours))
    }

    fn heat(
        &self,
        title: &str,
        (unit, decimals): (NumberUnit, usize),
        figure: fn(&MastermindTableCell) -> Option<f64>,
    ) -> RunPicture {
        let [pegs, colours] = self.sizes();
        let names = |sizes: &[usize]| sizes.iter().map(ToString::to_string).collect();
        let row = |&n: &usize| colours.iter().map(|&m| self.at(n, m).and_then(figure)).collect();
        RunPicture::Heat(HeatMap {
            title: title.to_owned(),
            note: self.note(),
            column_label: "colours".to_owned(),
            columns: names(&colours),
            row_label: "pegs".to_owned(),
            rows: names(&pegs),
            values: pegs.iter().map(row).collect(),
            value_label: title.to_owned(),
            unit,
            decimals,
            marked: Vec::new(),
        })
    }

    fn title(&self) -> String {
        let count = match self.settings.counting {
            WhitePegCounting::Right => "",
            WhitePegCounting::Historical => ", pegs counted as in the study",
        };
        let PegWeights { black, white } = self.settings.weights;
        let weights = if self.settings.weights.are_default() {
            String::new()
        } else {
            format!(", black pegs weighing {black} and white ones {white}")
        };
        format!("Mastermind by {}{count}{weights}", self.settings.distribution.name())
    }

    /// Describes the experiments in one line: distribution, runs per cell and seed.
    #[must_use]
    pub fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let runs = plural(self.runs, "run");
        format!("{}; {runs} a cell{}, seed {}{run}", self.title(), self.missing(), self.seed)
    }

    /// Describes how many experiments are done; empty if all are.
    fn missing(&self) -> String {
        let runs = self.cells.iter().map(|cell| cell.summary.runs);
        let (done, least) = (runs.clone().sum::<usize>(), runs.min().unwrap_or(0));
        if self.complete {
            return String::new();
        }
        let all = self.cells.len() as u64 * self.runs;
        format!(", stopped after {done} of {all}, in the least cell {least}")
    }
}

impl StudyReport for MastermindTableReport {
    /// Returns heat maps of the four tables that the original experiment published.
    fn picture(&self) -> RunPicture {
        let median = format!("Median {}", self.iteration());
        let wrong = |cell: &MastermindTableCell| cell.ran(cell.summary.wrong as f64);
        let milliseconds = |cell: &MastermindTableCell| cell.ran(1e3 * cell.mean_seconds);
        let panels = vec![
            self.heat(&median, (NumberUnit::Count, 1), MastermindTableCell::median),
            self.heat("Runs that were wrong", (NumberUnit::Count, 0), wrong),
            self.heat("Mean error", (NumberUnit::Plain, 3), |cell| cell.ran(cell.summary.error)),
            self.heat("Mean milliseconds a run", (NumberUnit::Plain, 2), milliseconds),
        ];
        RunPicture::Panels { title: self.title(), panels, columns: 2, size: [760, 480] }
    }

    fn table(&self) -> Option<ReportTable> {
        let rows = self.cells.iter().map(MastermindTableCell::row).collect();
        Some(ReportTable { columns: COLUMNS.to_vec(), rows })
    }
}
