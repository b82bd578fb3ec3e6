//! Text of the report of a learning of a network.

use std::time::Duration;

use ludion_runs::studies::network_learning::{
    NetworkGenerationReport, NetworkLearningReport, ResignationCheck,
};

use super::report::in_words;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::table::figures;

impl CommandReport for NetworkLearningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let opponents: Vec<&str> = self
            .generations
            .first()
            .map(|first| first.places.iter().map(|place| place.opponent.as_str()).collect())
            .unwrap_or_default();
        let mut heads = vec!["rounds", "loss", "last"];
        let names: Vec<String> = (1..=opponents.len()).map(|i| i.to_string()).collect();
        heads.extend(names.iter().map(String::as_str));
        heads.extend(["search", "alone"]);
        text += &figures(&heads, self.generations.iter().map(row));
        text += &format!("\n{}\n", paint(QUIET, LEGEND));
        for (i, opponent) in (1..).zip(&opponents) {
            let sims = self.settings.match_sims;
            let player = format!("mcts(sims={sims}, eval=net)");
            text += &paint(QUIET, &format!("{i}: Elo of {player} against {opponent}\n"));
        }
        if let Some(last) = self.generations.last() {
            let ResignationCheck { played_on, wrong } = last.record.resignations;
            let checked = plural(played_on, "resigned game");
            text +=
                &paint(QUIET, &format!("{checked} of the window played on, {wrong} not lost\n"));
        }
        text.push('\n');
        if let Some(out) = &self.settings.out {
            let out = out.display();
            if self.generations.iter().any(|line| line.record.kept) {
                text += &format!("the best is in {out}; play it as mcts(eval=net({out}))\n\n");
            } else if self.complete {
                text += &format!(
                    "no generation beat the untrained network, so {out} was not written; try more \
                     --games or --rounds\n\n"
                );
            }
        }
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let took = self.seconds.map_or_else(String::new, |seconds| {
            format!("{}, ", time(Duration::from_secs_f64(seconds)))
        });
        text + &paint(QUIET, &format!("{took}seed {}{run}", self.settings.seed)) + "\n"
    }
}

fn row(generation: &NetworkGenerationReport) -> Vec<String> {
    let NetworkGenerationReport { record, last, places } = generation;
    let loss = &record.loss;
    let rounds = record.rounds;
    let mut row = vec![
        if record.kept { rounds.to_string() } else { format!("({rounds})") },
        format!("{:.2}+{:.2}", loss.policy - loss.entropy, loss.value),
    ];
    let [_, elo] = in_words(last.as_ref());
    row.push(elo);
    row.extend(places.iter().map(|place| {
        let [_, elo] = in_words(place.strength.as_ref());
        elo
    }));
    let share = |count: u64| match record.judged.solved {
        0 => String::new(),
        all => format!("{:.1}", 100.0 * count as f64 / all as f64),
    };
    row.push(share(record.judged.search_keeps));
    row.push(share(record.judged.policy_keeps));
    row
}

/// Explanation of the columns.
const LEGEND: &str = "\
rounds: in parentheses if the network was not kept
loss: divergence of the network's policy from that of the searches + log loss of results
last: Elo against the last network that was kept, with its 95 % interval
search, alone: % of the solved random positions whose value the search, or the network alone, keeps";
