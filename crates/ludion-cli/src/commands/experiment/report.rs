//! Text of the report: the scores of the players, and below them figures published before.

use ludion_runs::studies::experiment::{CheckersExperimentReport, OpponentScore};

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

impl CommandReport for CheckersExperimentReport {
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
                maybe(row.published_r2.map(|r2| format!("{r2:.2}"))),
                maybe(row.published_wins_of_50.map(|wins| format!("{wins}/50"))),
                random,
                material,
            ]
        });
        let heads = ["published", "R²", "wins", "random %", "material %"];
        let theirs = figures(&heads, known);
        let mut text = format!("{}\n\n{ours}\n{theirs}", paint(LOUD, &head));
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let time = self.seconds.map_or_else(String::new, |s| format!("{s:.0} s, "));
        let about = format!(
            "\nparity: distance with the winner told by the parity of the game's length; argmin: plays\n\
             the lowest score; a loser's move is labelled 0; in brackets 95 % intervals. published: figures of Deep Checker (2021), wins of 50 games against\n\
             random; the shares beside them are those of a reconstruction of that program\n\
             {time}seed {}{run}",
            self.settings.seed
        );
        text += &paint(QUIET, &about);
        text + "\n"
    }
}
