//! Text of the report of a learning.

use std::path::Path;
use std::time::Duration;

use ludion::arena::elo::EloReport;
use ludion_runs::studies::learning::{GenerationReport, LearningReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, time};
use crate::table::figures;

/// Returns a score in per cent and the Elo difference with its interval, as texts; empty without a
/// match.
pub(super) fn in_words(strength: Option<&EloReport>) -> [String; 2] {
    let Some(strength) = strength else { return [String::new(), String::new()] };
    let elo = &strength.elo;
    let figure = match (elo.value.is_finite(), elo.error.is_finite()) {
        // Adding 0 turns −0 into 0.
        (true, true) => format!("{:+.0}±{:.0}", elo.value.round() + 0.0, elo.error),
        (true, false) => format!("{:+.0}", elo.value.round() + 0.0),
        _ if strength.score > 0.5 => "+∞".to_owned(),
        _ => "-∞".to_owned(),
    };
    [format!("{:.1}", 100.0 * strength.score), figure]
}

impl CommandReport for LearningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|GenerationReport { step, last, own }| {
            let [last, last_elo] = in_words(last.as_ref());
            let [own, own_elo] = in_words(own.as_ref());
            let trained = &step.trained;
            let losses = [trained.before, trained.after].map(|loss| format!("{loss:.4}"));
            let loss = losses.join("→");
            let kept = if step.kept { "yes" } else { "no" }.to_owned();
            let generation = step.generation.to_string();
            let samples = trained.examples.to_string();
            vec![generation, samples, loss, last, last_elo, own, own_elo, kept]
        });
        let heads = ["round", "samples", "loss", "last %", "Elo", "own %", "Elo", "kept"];
        text += &figures(&heads, rows);
        text += &format!("\n{}\n\n", paint(QUIET, LEGEND));
        let kept = self.generations.iter().any(|line| line.step.kept);
        match &self.settings.out {
            Some(out) if kept => text += &format!("{}\n\n", use_of(out)),
            Some(out) if self.complete => text += &format!("{}\n\n", nothing_for(out)),
            _ => {}
        }
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let took = self.seconds.map_or_else(String::new, |seconds| {
            format!("{}, ", time(Duration::from_secs_f64(seconds)))
        });
        text + &paint(QUIET, &format!("{took}seed {}{run}", self.settings.seed)) + "\n"
    }
}

/// Explanation of the columns.
const LEGEND: &str = "\
loss: mean log loss of predicted results, before and after the training of the round
last: score against the last generation that was kept
own: score against the game's own evaluator; Elo with 95 % intervals";

/// Returns the message for a learning that kept no model.
fn nothing_for(out: &Path) -> String {
    let out = out.display();
    format!(
        "no generation beat the untrained model, so {out} was not written; try more --games or \
         --rounds"
    )
}

/// Returns the message that tells how a player uses the model.
fn use_of(out: &Path) -> String {
    format!("the best is in {0}; play it as deepening(eval=patterns({0}))", out.display())
}
