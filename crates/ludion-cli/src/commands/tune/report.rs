//! Text of the report of a tuning: the generations, the best candidates, and whether the best is
//! better than the opponent.

use ludion::arena::elo::GameCounts;
use ludion::arena::plan::TuningMethod;
use ludion_runs::tuning::{ConfirmationMatch, TunedPoint, TuningReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

/// Number of candidates that are listed.
const MAX_CANDIDATES: usize = 5;
/// Number of points of a search that are listed.
const MAX_POINTS: usize = 10;

impl CommandReport for TuningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        text += &match self.tuning.by {
            TuningMethod::Spsa => points(&self.centres),
            _ => generations_and_candidates(self),
        };
        text += "\n";
        text += &verdict(self);
        let known = self.candidates.iter().filter(|candidate| candidate.known).count();
        let candidates = plural(self.candidates.len() as u64, "candidate");
        let met = match self.tuning.by {
            TuningMethod::Spsa => plural(self.centres.len() as u64, "generation"),
            _ => format!("{candidates} met, {known} of them known before"),
        };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let all = format!("{met}, seed {}{run}\n{}", self.seed, self.repeatability.sentence());
        text + &paint(QUIET, &all) + "\n"
    }
}

/// Lists the generations and the best candidates.
fn generations_and_candidates(report: &TuningReport) -> String {
    let rows = report.generations.iter().map(|generation| {
        let percent = |value: f64| format!("{:.1} %", 100.0 * value);
        vec![
            generation.number.to_string(),
            generation.asked.to_string(),
            percent(generation.best),
            percent(generation.mean),
            percent(generation.leader),
        ]
    });
    let generations = figures(&["generation", "candidates", "best", "mean", "leader"], rows);
    let rows = report.candidates.iter().take(MAX_CANDIDATES).map(|candidate| {
        let GameCounts { wins, draws, losses } = candidate.games;
        vec![
            candidate.player.clone(),
            format!("{:.1} %", 100.0 * candidate.score),
            format!("+{wins} ={draws} −{losses}"),
        ]
    });
    generations + "\n" + &figures(&["best candidates", "score", "games"], rows)
}

/// Lists the points that a search has reached, at most [`MAX_POINTS`] at equal distances.
fn points(centres: &[TunedPoint]) -> String {
    let every = centres.len().div_ceil(MAX_POINTS).max(1);
    let shown = centres.iter().enumerate().rev().step_by(every);
    let mut rows: Vec<Vec<String>> =
        shown.map(|(i, point)| vec![point.player.clone(), (i + 1).to_string()]).collect();
    rows.reverse();
    figures(&["player", "after generation"], rows)
}

/// Describes whether the best candidate is better than the opponent.
fn verdict(report: &TuningReport) -> String {
    let Some(ConfirmationMatch { candidate, elo: Some(elo), verdict: Some(said), .. }) =
        &report.confirmed
    else {
        return String::new();
    };
    format!(
        "{} again, from another seed:\n{:.1} % of {}, Elo {elo:.1}: {said}\n",
        paint(LOUD, &candidate.player),
        100.0 * candidate.score,
        plural(candidate.games.total(), "game"),
    )
}
