//! Report of a study that learns patterns: the losses of the generations and their scores in
//! matches.

use ludion_players::arena::elo::{EloReport, PairCounts};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::{LearnedGeneration, LearningSettings};
use crate::studies::{StudyRecords, StudyReport};
use crate::{RunPicture, plural};

/// Report of a study that learns patterns.
#[derive(Serialize)]
pub struct LearningReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all rounds are finished.
    pub complete: bool,
    /// Settings of the study.
    pub settings: LearningSettings,
    /// One entry for each finished round.
    pub generations: Vec<GenerationReport>,
    /// Seconds that this program took; `None` if the run was only read.
    pub seconds: Option<f64>,
}

/// Results of one generation, with Elo estimates.
#[derive(Serialize)]
pub struct GenerationReport {
    /// The stored record of the generation.
    #[serde(flatten)]
    pub step: LearnedGeneration,
    /// Elo estimate of the generation against the last kept one; `None` if no pair was played.
    pub last: Option<EloReport>,
    /// Elo estimate of the generation against the game's own evaluator; `None` if no pair was
    /// played.
    pub own: Option<EloReport>,
}

impl LearningReport {
    pub(super) fn new(settings: &LearningSettings, run: &StudyRecords<LearnedGeneration>) -> Self {
        let strength = |pairs: &PairCounts| EloReport::from_counts(&pairs.score_counts());
        let line = |step: &LearnedGeneration| GenerationReport {
            last: strength(&step.against_last),
            own: strength(&step.against_own),
            step: step.clone(),
        };
        LearningReport {
            run: run.run,
            complete: run.complete,
            settings: settings.clone(),
            generations: run.records.iter().map(|record| line(&record.value)).collect(),
            seconds: run.seconds(),
        }
    }

    /// Returns a title that names the game, the games per round and the limit of searches.
    #[must_use]
    pub fn title(&self) -> String {
        let LearningSettings { game, games, terms, .. } = &self.settings;
        let games = plural(*games, "game");
        match terms.nodes {
            None => format!("patterns of {game}, {games} a round at depth {}", terms.depth),
            Some(nodes) => format!("patterns of {game}, {games} a round, {nodes} nodes a move"),
        }
    }
}

impl StudyReport for LearningReport {
    /// Returns a chart of the scores in both matches by generation.
    fn picture(&self) -> RunPicture {
        let curve =
            |name: &str, strength: fn(&GenerationReport) -> Option<EloReport>| ChartSeries {
                name: name.to_owned(),
                line: self
                    .generations
                    .iter()
                    .filter_map(|line| Some((line.step.generation, strength(line)?)))
                    .map(|(x, found)| ChartPoint::new(x.into(), found.score, interval(&found)))
                    .collect(),
                ..ChartSeries::default()
            };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        RunPicture::Chart(Chart {
            title: self.title(),
            note: format!("seed {}{run}; band: 95 %", self.settings.seed),
            x: PlotAxis::linear("generation").unit(NumberUnit::Count),
            y: PlotAxis::linear("score of a game").unit(NumberUnit::Percent),
            series: vec![
                curve("against the game's own evaluator", |line| line.own),
                curve("against the last generation", |line| line.last),
            ],
            level: Some(0.5),
            optimum: None,
        })
    }
}

/// Returns the 95 % interval of the score, converted from that of the Elo difference.
fn interval(strength: &EloReport) -> [f64; 2] {
    let ends = [-1.0, 1.0].map(|sign| {
        ludion_players::arena::elo::expected_score(strength.elo.value + sign * strength.elo.error)
    });
    if ends.iter().all(|end| end.is_finite()) { ends } else { [strength.score; 2] }
}
