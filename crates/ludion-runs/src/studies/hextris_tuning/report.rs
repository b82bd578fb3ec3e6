//! The figures of a tuning: the scores of the generations, and the best weights beside the default
//! ones on the training problems and on those held out.

use ludion::arena::plan::TuningMethod;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::optimise::history::GenerationScores;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::{HextrisTuningSettings, ScoreComparison, TunedGeneration};
use crate::studies::{StudyReport, StudyRun};
use crate::{RunPicture, plural};

/// The figures of a tuning.
#[derive(Serialize)]
pub struct HextrisTuningReport {
    /// The number of the run, where it is stored.
    pub run: Option<RunId>,
    /// Whether all generations are over.
    pub complete: bool,
    /// The method of search.
    pub by: TuningMethod,
    /// The number of states of every beam.
    pub states: usize,
    /// The number of games of a problem, at most.
    pub seeds: usize,
    /// The seed of the search.
    pub seed: u64,
    /// The scores of the generations.
    pub generations: Vec<GenerationLine>,
    /// The score of the best weights on the training problems, relative to the default weights.
    pub training: Option<f64>,
    /// The same on the problems held out.
    pub held_out: Option<f64>,
    /// The best weights, as `ludion hextris solve --weights` reads them.
    pub weights: Option<BoardWeights>,
    /// The best weights and the default ones, problem by problem.
    pub problems: Vec<ScoreComparison>,
    /// What this program did for it; nothing where the run was only read.
    #[serde(flatten)]
    pub effort: Option<TuningEffort>,
}

/// The scores of a generation.
#[derive(Serialize)]
pub struct GenerationLine {
    /// The scores on the training problems.
    #[serde(flatten)]
    pub generation: GenerationScores,
    /// The score of the best weights so far on the problems held out.
    pub held_out: f64,
}

/// What a program did for a tuning.
#[derive(Serialize)]
pub struct TuningEffort {
    /// The number of scores that were computed, each of some weights on a problem.
    pub computed: u64,
    /// The number of scores that were found in the store.
    pub known: u64,
    /// The time it took.
    pub seconds: f64,
}

impl HextrisTuningReport {
    pub(super) fn new(settings: &HextrisTuningSettings, run: &StudyRun<TunedGeneration>) -> Self {
        let records = || run.records.iter().map(|record| &record.value);
        let last = records().next_back();
        let line = |record: &TunedGeneration| GenerationLine {
            generation: record.generation,
            held_out: record.held_out,
        };
        HextrisTuningReport {
            run: run.run,
            complete: run.complete,
            by: settings.by,
            states: settings.states,
            seeds: settings.seeds,
            seed: settings.seed,
            generations: records().map(line).collect(),
            training: last.map(|record| record.generation.leader),
            held_out: last.map(|record| record.held_out),
            weights: last.map(|record| record.weights),
            problems: last.map_or_else(Vec::new, |record| record.problems.clone()),
            effort: run.effort.map(|effort| TuningEffort {
                computed: effort.computed,
                known: effort.known,
                seconds: effort.seconds,
            }),
        }
    }

    /// Says what is tuned, and how.
    #[must_use]
    pub fn title(&self) -> String {
        let by = match self.by {
            TuningMethod::Genetic => "a genetic algorithm",
            TuningMethod::CrossEntropy => "cross-entropy",
        };
        format!("weights of hextris by {by}, beams of {}", plural(self.states as u64, "state"))
    }
}

impl StudyReport for HextrisTuningReport {
    /// Best and mean of the training problems, and the best on those held out.
    fn picture(&self) -> RunPicture {
        let line = |name: &str, value: fn(&GenerationLine) -> [f64; 3]| ChartSeries {
            name: name.to_owned(),
            line: self
                .generations
                .iter()
                .map(|line| {
                    let [low, value, high] = value(line);
                    ChartPoint::new(f64::from(line.generation.number), value, [low, high])
                })
                .collect(),
            ..ChartSeries::default()
        };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        RunPicture::Chart(Chart {
            title: self.title(),
            note: format!("seed {}{run}; band: one standard deviation of the mean", self.seed),
            x: PlotAxis::linear("generation").unit(NumberUnit::Count),
            y: PlotAxis::linear("score, that of the defaults being 100 %")
                .unit(NumberUnit::Percent),
            series: vec![
                line("best, trained on", |line| [line.generation.leader; 3]),
                line("mean, trained on", |GenerationLine { generation: g, .. }| {
                    [g.mean - g.spread, g.mean, g.mean + g.spread]
                }),
                line("best, held out", |line| [line.held_out; 3]),
            ],
            level: Some(1.0),
            optimum: None,
        })
    }
}
