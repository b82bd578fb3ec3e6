//! The figures of a learning: the losses of the generations, and their scores in matches.

use ludion::arena::elo::{EloReport, PairCounts};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::{LearnedGeneration, LearningSettings};
use crate::studies::{StudyReport, StudyRun};
use crate::{RunPicture, plural};

/// The figures of a learning.
#[derive(Serialize)]
pub struct LearningReport {
    /// The number of the run, where it is stored.
    pub run: Option<RunId>,
    /// Whether all rounds are over.
    pub complete: bool,
    /// The settings.
    pub settings: LearningSettings,
    /// The generations.
    pub generations: Vec<GenerationReport>,
    /// The time that this program took; nothing where the run was only read.
    pub seconds: Option<f64>,
}

/// The figures of a generation.
#[derive(Serialize)]
pub struct GenerationReport {
    /// The generation.
    #[serde(flatten)]
    pub step: LearnedGeneration,
    /// Its strength against the last generation that was kept.
    pub last: Option<EloReport>,
    /// Its strength against the game's own evaluator.
    pub own: Option<EloReport>,
}

impl LearningReport {
    pub(super) fn new(settings: &LearningSettings, run: &StudyRun<LearnedGeneration>) -> Self {
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

    /// Says what is learned, and how.
    #[must_use]
    pub fn title(&self) -> String {
        let LearningSettings { game, games, terms, .. } = &self.settings;
        let games = plural(*games, "game");
        format!("patterns of {game}, {games} a round at depth {}", terms.depth)
    }
}

impl StudyReport for LearningReport {
    /// The scores against the game's own evaluator, generation by generation.
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

/// Returns the 95 % interval of the score, computed from that of Elo.
fn interval(strength: &EloReport) -> [f64; 2] {
    let ends = [-1.0, 1.0].map(|sign| {
        ludion::arena::elo::expected_score(strength.elo.value + sign * strength.elo.error)
    });
    if ends.iter().all(|end| end.is_finite()) { ends } else { [strength.score; 2] }
}
