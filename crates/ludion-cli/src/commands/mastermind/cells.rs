//! How the table of an experiment is shown: one figure of every cell as a grid, all of them in
//! JSON and CSV, four of them as heat maps.

use ludion::arena::championship::score::MeanScore;
use ludion::arena::elo::GameCounts;
use ludion::riddles::mastermind::WhitePegCounting;
use ludion::riddles::mastermind::experiment::{
    DistributionKind, ExperimentOutcome, ExperimentSettings, ExperimentSummary, Median,
};
use ludion_plot::{HeatMap, NumberUnit};
use ludion_store::{JobOutput, RunId};
use serde::Serialize;

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots::RunPicture;
use crate::table::figures;

/// A table and its cells.
#[derive(Serialize)]
pub(super) struct ExperimentTableReport {
    pub(super) run: Option<RunId>,
    pub(super) complete: bool,
    pub(super) runs: u64,
    pub(super) seed: u64,
    /// Those of the first cell.
    pub(super) settings: ExperimentSettings,
    pub(super) cells: Vec<TableCell>,
    /// How long this program worked at it.
    pub(super) seconds: Option<f64>,
}

/// The runs of one size.
#[derive(Serialize)]
pub(super) struct TableCell {
    pegs: usize,
    colours: usize,
    #[serde(flatten)]
    summary: ExperimentSummary,
    /// The share of runs that were wrong, with its 95 % interval.
    wrong_share: MeanScore,
    /// Seconds a run took.
    mean_seconds: f64,
    seconds: Option<Median>,
}

impl TableCell {
    pub(super) const HEAD: &'static [&'static str] = &[
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

    pub(super) fn of(
        settings: &ExperimentSettings,
        outputs: &[&JobOutput<ExperimentOutcome>],
    ) -> Self {
        let outcomes: Vec<&ExperimentOutcome> =
            outputs.iter().map(|output| &output.value).collect();
        let summary = ExperimentSummary::of(&settings.distribution, &outcomes);
        let (wrong, right) = (summary.wrong as u64, (summary.runs - summary.wrong) as u64);
        let seconds: Vec<f64> = outputs.iter().map(|output| output.took.as_secs_f64()).collect();
        TableCell {
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

    /// In the order of the [`HEAD`](TableCell::HEAD).
    pub(super) fn row(&self) -> Vec<String> {
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

    /// A figure, unless there is no run that it could be of.
    fn ran<T>(&self, figure: T) -> Option<T> {
        (self.summary.runs > 0).then_some(figure)
    }

    fn median(&self) -> Option<f64> {
        self.summary.iterations.map(|m| m.median)
    }
}

/// A figure of a cell as text; nothing where it has none.
type CellFigure = fn(&TableCell) -> Option<String>;

fn span(low: f64, high: f64) -> String {
    if low == high { low.to_string() } else { format!("{low}–{high}") }
}

impl ExperimentTableReport {
    /// What the median is of, in words.
    fn iteration(&self) -> &'static str {
        match self.settings.distribution {
            DistributionKind::Mallows(_) => "iteration at which x* is the secret",
            _ => "iteration of convergence",
        }
    }

    /// The numbers of pegs and of colours, each once, in the order of the cells.
    fn sizes(&self) -> [Vec<usize>; 2] {
        let once = |size: fn(&TableCell) -> usize| {
            let mut sizes = Vec::new();
            for size in self.cells.iter().map(size) {
                if !sizes.contains(&size) {
                    sizes.push(size);
                }
            }
            sizes
        };
        let [pegs, mut colours] = [once(|cell| cell.pegs), once(|cell| cell.colours)];
        // Rows without a cell in the first columns would bring those columns last.
        colours.sort_unstable();
        [pegs, colours]
    }

    fn at(&self, pegs: usize, colours: usize) -> Option<&TableCell> {
        self.cells.iter().find(|cell| (cell.pegs, cell.colours) == (pegs, colours))
    }

    fn grid(&self, title: &str, figure: CellFigure) -> String {
        let [pegs, colours] = self.sizes();
        let names: Vec<String> = colours.iter().map(|m| format!("m={m}")).collect();
        let head: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
        let rows = pegs.iter().map(|&n| {
            let cells = colours.iter().map(|&m| self.at(n, m).and_then(figure).unwrap_or_default());
            std::iter::once(format!("n={n}")).chain(cells).collect()
        });
        format!("{}\n{}\n", paint(LOUD, title), figures(&head, rows))
    }

    fn heat(
        &self,
        title: &str,
        (unit, decimals): (NumberUnit, usize),
        figure: fn(&TableCell) -> Option<f64>,
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
        format!("Mastermind by {}{count}", self.settings.distribution.name())
    }

    fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let runs = plural(self.runs, "run");
        format!("{}; {runs} a cell{}, seed {}{run}", self.title(), self.missing(), self.seed)
    }

    /// How many runs there are, where some are missing.
    fn missing(&self) -> String {
        let runs = self.cells.iter().map(|cell| cell.summary.runs);
        let (done, least) = (runs.clone().sum::<usize>(), runs.min().unwrap_or(0));
        if self.complete {
            return String::new();
        }
        let all = self.cells.len() as u64 * self.runs;
        format!(", stopped after {done} of {all}, in the least cell {least}")
    }

    /// The four tables of the study.
    pub(super) fn picture(&self) -> RunPicture {
        let median = format!("Median {}", self.iteration());
        let wrong = |cell: &TableCell| cell.ran(cell.summary.wrong as f64);
        let milliseconds = |cell: &TableCell| cell.ran(1e3 * cell.mean_seconds);
        let panels = vec![
            self.heat(&median, (NumberUnit::Count, 1), TableCell::median),
            self.heat("Runs that were wrong", (NumberUnit::Count, 0), wrong),
            self.heat("Mean error", (NumberUnit::Plain, 3), |cell| cell.ran(cell.summary.error)),
            self.heat("Mean milliseconds a run", (NumberUnit::Plain, 2), milliseconds),
        ];
        RunPicture::Panels { title: self.title(), panels, columns: 2, size: [760, 480] }
    }
}

impl CommandReport for ExperimentTableReport {
    fn text(&self) -> String {
        let iteration = self.iteration();
        let grids: [(String, CellFigure); 8] = [
            (format!("median {iteration}"), |cell| cell.median().map(|median| median.to_string())),
            ("its 95 % interval".to_owned(), |cell| {
                cell.summary.iterations.and_then(|m| Some(span(m.low?, m.high?)))
            }),
            ("least to greatest".to_owned(), |cell| {
                cell.summary.iterations.map(|m| span(m.least, m.greatest))
            }),
            (format!("wrong, of {}", plural(self.runs, "run")), |cell| {
                cell.ran(cell.summary.wrong.to_string())
            }),
            ("at most so many in 100, with 95 %".to_owned(), |cell| {
                cell.ran(format!("{:.1}", 100.0 * cell.wrong_share.high))
            }),
            ("mean error of the last proposal".to_owned(), |cell| {
                cell.ran(format!("{:.3}", cell.summary.error))
            }),
            ("mean error of the last gamma".to_owned(), |cell| {
                cell.ran(format!("{:.3}", cell.summary.quantile_error))
            }),
            ("mean milliseconds a run".to_owned(), |cell| {
                cell.ran(format!("{:.2}", 1e3 * cell.mean_seconds))
            }),
        ];
        let mut text: String =
            grids.iter().map(|(title, figure)| self.grid(title, *figure)).collect();
        if !self.complete {
            let title = format!("runs so far, of {}", self.runs);
            text = self.grid(&title, |cell| Some(cell.summary.runs.to_string())) + &text;
        }
        let wrong: usize = self.cells.iter().map(|cell| cell.summary.wrong).sum();
        let runs: usize = self.cells.iter().map(|cell| cell.summary.runs).sum();
        let time = self.seconds.map_or_else(String::new, |s| format!(" in {s:.1} s"));
        let total = format!("{wrong} of {runs} runs wrong");
        format!("{text}{}\n{}\n", paint(LOUD, &total), paint(QUIET, &(self.note() + &time)))
    }
}
