//! Text of the report of a tuning.

use std::time::Duration;

use ludion_runs::studies::hextris_tuning::{GenerationLine, HextrisTuningReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::table::figures;

/// Describes whether the best weights are better than the default ones; `None` before the first
/// generation.
fn verdict(report: &HextrisTuningReport) -> Option<String> {
    let (training, held_out) = (report.training?, report.held_out?);
    let said = if training <= 1.0 {
        "nothing better than the default weights was found"
    } else if held_out > 1.0 {
        "better than the default weights, also where it was not tuned"
    } else {
        "better than the default weights only where it was tuned: fitted to these problems"
    };
    let (training, held_out) = (percent(training), percent(held_out));
    Some(format!("{training} where it was tuned, {held_out} held out:\n{said}\n"))
}

fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

impl CommandReport for HextrisTuningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|GenerationLine { generation, held_out }| {
            let scores = [generation.leader, generation.mean, *held_out].map(percent);
            let counts = [generation.number.to_string(), generation.asked.to_string()];
            counts.into_iter().chain(scores).collect()
        });
        text += &figures(&["generation", "candidates", "best", "mean", "held out"], rows);
        let rows = self.problems.iter().map(|line| {
            let which = if line.trained_on { "trained on" } else { "held out" };
            let [default, best] = [line.default, line.best].map(|score| format!("{score:.1}"));
            vec![line.problem.clone(), which.to_owned(), default, best, percent(line.ratio)]
        });
        text += "\n";
        text += &figures(&["problem", "", "default", "best", "ratio"], rows);
        text += "\n";
        if let (Some(verdict), Some(weights)) = (verdict(self), self.weights) {
            let json = serde_json::to_string(&weights).unwrap_or_default();
            text += &format!("{verdict}\n{json}\n\n");
        }
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let did = self.effort.as_ref().map_or_else(String::new, |effort| {
            let took = time(Duration::from_secs_f64(effort.seconds));
            let computed = plural(effort.computed, "score");
            format!("{computed} computed, {} known before, {took}, ", effort.known)
        });
        text + &paint(QUIET, &format!("{did}seed {}{run}", self.seed)) + "\n"
    }
}
