//! Text of the report of a tuning: the generations, the best candidates, and whether the best is
//! better than the opponent.

use ludion::arena::elo::GameCounts;
use ludion_runs::tuning::{ConfirmationMatch, TuningReport};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

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
            "{} met, {known} of them known before, seed {}{run}\n{}",
            plural(self.candidates.len() as u64, "candidate"),
            self.seed,
            self.repeatability.sentence()
        );
        text + &paint(QUIET, &all) + "\n"
    }
}

/// Describes whether the best candidate is better than the opponent.
fn verdict(report: &TuningReport) -> String {
    let Some(ConfirmationMatch { candidate, elo: Some(elo), .. }) = &report.confirmed else {
        return String::new();
    };
    let said = if elo.low > 0.0 {
        "better than its opponent"
    } else if elo.high < 0.0 {
        "worse than its opponent"
    } else {
        "neither better nor worse, as far as these games tell"
    };
    format!(
        "{} again, from another seed:\n{:.1} % of {}, Elo {elo:.1}: {said}\n",
        paint(LOUD, &candidate.player),
        100.0 * candidate.score,
        plural(candidate.games.total(), "game"),
    )
}
