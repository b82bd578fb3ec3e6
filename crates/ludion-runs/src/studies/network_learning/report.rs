//! Report of a study that learns a network: the losses of the generations, their scores in matches,
//! and how often they keep the value of a position.

use ludion_players::arena::elo::{EloReport, PairCounts, expected_score};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::{NetworkGeneration, NetworkLearningSettings};
use crate::studies::{StudyRecords, StudyReport};
use crate::{RunPicture, plural};

/// Report of a study that learns a network.
#[derive(Serialize)]
pub struct NetworkLearningReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all rounds are finished.
    pub complete: bool,
    /// Settings of the study.
    pub settings: NetworkLearningSettings,
    /// One entry for each check.
    pub generations: Vec<NetworkGenerationReport>,
    /// Seconds that this program took; `None` if the run was only read.
    pub seconds: Option<f64>,
}

/// Results of one generation, with Elo estimates.
#[derive(Serialize)]
pub struct NetworkGenerationReport {
    /// The stored record of the generation.
    #[serde(flatten)]
    pub record: NetworkGeneration,
    /// Elo estimate against the last kept generation; `None` if no pair was played.
    pub last: Option<EloReport>,
    /// Elo estimates against the players of the ladder.
    pub places: Vec<LadderReport>,
}

/// Elo estimate against one player of the ladder.
#[derive(Serialize)]
pub struct LadderReport {
    /// Spec of the opponent.
    pub opponent: String,
    /// Elo estimate against it; `None` if no pair was played.
    pub strength: Option<EloReport>,
}

fn strength(pairs: &PairCounts) -> Option<EloReport> {
    EloReport::from_counts(&pairs.score_counts())
}

impl NetworkLearningReport {
    pub(super) fn new(
        settings: &NetworkLearningSettings,
        run: &StudyRecords<NetworkGeneration>,
    ) -> Self {
        let place = |found: &super::LadderMatch| LadderReport {
            opponent: found.opponent.clone(),
            strength: strength(&found.pairs),
        };
        let line = |record: &NetworkGeneration| NetworkGenerationReport {
            last: strength(&record.against_last),
            places: record.ladder.iter().map(place).collect(),
            record: record.clone(),
        };
        NetworkLearningReport {
            run: run.run,
            complete: run.complete,
            settings: settings.clone(),
            generations: run.records.iter().map(|record| line(&record.value)).collect(),
            seconds: run.seconds(),
        }
    }

    /// Returns a title that names the game, the network and the games per round.
    #[must_use]
    pub fn title(&self) -> String {
        let NetworkLearningSettings { game, games, hidden, inputs, .. } = &self.settings;
        let widths: Vec<String> = hidden.iter().map(ToString::to_string).collect();
        let games = plural(*games, "game");
        format!("network of {game}, {inputs} {}, {games} a round", widths.join("-"))
    }
}

impl StudyReport for NetworkLearningReport {
    /// Returns a chart of the scores on the ladder and of the values kept, by rounds.
    fn picture(&self) -> RunPicture {
        let point = |x: u32, share: f64, band: [f64; 2]| ChartPoint::new(x.into(), share, band);
        let mut series: Vec<ChartSeries> = Vec::new();
        let opponents = self.generations.first().map_or(0, |first| first.places.len());
        for i in 0..opponents {
            let line = self.generations.iter().filter_map(|generation| {
                let found = generation.places.get(i)?.strength?;
                Some(point(generation.record.rounds, found.score, score_interval(&found)))
            });
            let name = format!("score against {}", self.generations[0].places[i].opponent);
            series.push(ChartSeries { name, line: line.collect(), ..ChartSeries::default() });
        }
        let kept = |name: &str, count: fn(&NetworkGeneration) -> u64| ChartSeries {
            name: name.to_owned(),
            line: self
                .generations
                .iter()
                .map(|generation| &generation.record)
                .filter(|record| record.judged.solved > 0)
                .map(|record| {
                    let (count, all) = (count(record), record.judged.solved);
                    let share = count as f64 / all as f64;
                    point(record.rounds, share, share_interval(count, all))
                })
                .collect(),
            ..ChartSeries::default()
        };
        series.push(kept("value kept by the search", |record| record.judged.search_keeps));
        series.push(kept("value kept by the network alone", |record| record.judged.policy_keeps));
        series.retain(|curve| !curve.line.is_empty());
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        RunPicture::Chart(Chart {
            title: self.title(),
            note: format!("seed {}{run}; bands: 95 %", self.settings.seed),
            x: PlotAxis::linear("rounds").unit(NumberUnit::Count),
            y: PlotAxis::linear("share").unit(NumberUnit::Percent),
            series,
            level: Some(0.5),
            optimum: None,
        })
    }
}

/// Returns the 95 % interval of a score, converted from that of the Elo difference.
fn score_interval(strength: &EloReport) -> [f64; 2] {
    let ends =
        [-1.0, 1.0].map(|sign| expected_score(strength.elo.value + sign * strength.elo.error));
    if ends.iter().all(|end| end.is_finite()) { ends } else { [strength.score; 2] }
}

/// Returns the 95 % interval of a share (Wilson 1927).
pub(super) fn share_interval(count: u64, all: u64) -> [f64; 2] {
    let (n, p, z) = (all as f64, count as f64 / all as f64, 1.96);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    [centre - half, centre + half]
}
