//! Text of the report of a tuning: the generations, the best candidates, and whether the best is
//! better than the opponent.

use ludion::arena::elo::GameCounts;
use ludion_runs::tuning::{ConfirmationMatch, TuningReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

/// Error probability below which one player counts as better, in a one-sided test.
const ONE_SIDED: f64 = 0.025;
/// Number of candidates that are listed.
const MAX_CANDIDATES: usize = 5;

impl CommandReport for TuningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|generation| {
            let percent = |value: f64| format!("{:.1} %", 100.0 * value);
            vec![
                generation.number.to_string(),
                generation.asked.to_string(),
                percent(generation.best),
                percent(generation.mean),
                percent(generation.leader),
            ]
        });
        text += &figures(&["generation", "candidates", "best", "mean", "leader"], rows);
        text += "\n";
        let rows = self.candidates.iter().take(MAX_CANDIDATES).map(|candidate| {
            let GameCounts { wins, draws, losses } = candidate.games;
            vec![
                candidate.player.clone(),
                format!("{:.1} %", 100.0 * candidate.score),
                format!("+{wins} ={draws} −{losses}"),
            ]
        });
        text += &figures(&["best candidates", "score", "games"], rows);
        text += "\n";
        text += &verdict(self);
        let known = self.candidates.iter().filter(|candidate| candidate.known).count();
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let all = format!(
            "{} met, {known} of them known before, seed {}{run}",
            plural(self.candidates.len() as u64, "candidate"),
            self.seed
        );
        text + &paint(QUIET, &all) + "\n"
    }
}

/// Describes whether the best candidate is better than the opponent.
fn verdict(report: &TuningReport) -> String {
    let Some(ConfirmationMatch { candidate, elo: Some(elo), superiority: Some(superiority) }) =
        &report.confirmed
    else {
        return String::new();
    };
    // If all pairs have the same score there is no interval; then the likelihood of superiority
    // decides.
    let beyond = |sign: f64| match elo.error.is_finite() {
        true => sign * elo.value > elo.error,
        false => 0.5 + sign * (superiority - 0.5) > 1.0 - ONE_SIDED,
    };
    let said = if beyond(1.0) {
        "better than its opponent"
    } else if beyond(-1.0) {
        "worse than its opponent"
    } else {
        "neither better nor worse, as far as these games tell"
    };
    format!(
        "{} again, from another seed:\n{:.1} % of {}, Elo {:+.1} ± {:.1}: {said}\n",
        paint(LOUD, &candidate.player),
        100.0 * candidate.score,
        plural(candidate.games.total(), "game"),
        elo.value,
        elo.error,
    )
}
