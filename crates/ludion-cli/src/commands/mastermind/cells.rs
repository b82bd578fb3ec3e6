//! Text of the report of a table of experiments: one grid for each figure.

use ludion_runs::studies::mastermind::{MastermindTableCell, MastermindTableReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

/// Function that returns a figure of a cell as text, or `None` if the cell has none.
type CellFigure = fn(&MastermindTableCell) -> Option<String>;

fn span(low: f64, high: f64) -> String {
    if low == high { low.to_string() } else { format!("{low}–{high}") }
}

/// Formats one figure of all cells as a grid.
fn grid(report: &MastermindTableReport, title: &str, figure: CellFigure) -> String {
    let [pegs, colours] = report.sizes();
    let names: Vec<String> = colours.iter().map(|m| format!("m={m}")).collect();
    let head: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
    let rows = pegs.iter().map(|&n| {
        let cells = colours.iter().map(|&m| report.at(n, m).and_then(figure).unwrap_or_default());
        std::iter::once(format!("n={n}")).chain(cells).collect()
    });
    format!("{}\n{}\n", paint(LOUD, title), figures(&head, rows))
}

impl CommandReport for MastermindTableReport {
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
            grids.iter().map(|(title, figure)| grid(self, title, *figure)).collect();
        if !self.complete {
            let title = format!("runs so far, of {}", self.runs);
            text = grid(self, &title, |cell| Some(cell.summary.runs.to_string())) + &text;
        }
        let wrong: usize = self.cells.iter().map(|cell| cell.summary.wrong).sum();
        let runs: usize = self.cells.iter().map(|cell| cell.summary.runs).sum();
        let time = self.seconds.map_or_else(String::new, |s| format!(" in {s:.1} s"));
        let total = format!("{wrong} of {runs} runs wrong");
        format!("{text}{}\n{}\n", paint(LOUD, &total), paint(QUIET, &(self.note() + &time)))
    }
}
