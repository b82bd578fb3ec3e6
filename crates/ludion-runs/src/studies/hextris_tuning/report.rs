//! Report of a tuning: the scores of all generations, and the best weights compared with the
//! default ones on training and held-out problems.

use ludion_optimise::history::GenerationScores;
use ludion_players::arena::plan::TuningMethod;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::{
    HextrisTuningGeneration, HextrisTuningSettings, TunedSolver, TunedWeights,
    TunedWeightsComparison,
};
use crate::studies::{StudyRecords, StudyReport};
use crate::{RunPicture, plural};

/// Report of a tuning of the weights for hexagonal Tetris.
#[derive(Serialize)]
pub struct HextrisTuningReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all generations are finished.
    pub complete: bool,
    /// The solver whose weights are tuned; not written if it is beam search.
    #[serde(skip_serializing_if = "TunedSolver::is_beam")]
    pub solver: TunedSolver,
    /// Search method.
    pub by: TuningMethod,
    /// Number of states that each beam keeps; `None` if the solver is no beam search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Maximum number of games of a problem.
    pub seeds: usize,
    /// Seed of the search method.
    pub seed: u64,
    /// Scores of each generation.
    pub generations: Vec<GenerationLine>,
    /// Mean ratio of the scores of the best weights to those of the default weights, on the
    /// training problems; `None` before the first generation is finished.
    pub training: Option<f64>,
    /// Mean ratio of the scores of the best weights to those of the default weights, on the
    /// held-out problems; `None` before the first generation is finished.
    pub held_out: Option<f64>,
    /// The best weights, in the form that `ludion hextris solve --weights` accepts.
    pub weights: Option<TunedWeights>,
    /// Scores of the best and the default weights on each problem.
    pub problems: Vec<TunedWeightsComparison>,
    /// The work that this program did; `None` if the run was only read.
    #[serde(flatten)]
    pub effort: Option<HextrisTuningEffort>,
}

/// Scores of one generation on the training problems, and of the best weights so far on the
/// held-out problems.
#[derive(Serialize)]
pub struct GenerationLine {
    /// Scores of the candidates on the training problems, as ratios to the score of the default
    /// weights.
    #[serde(flatten)]
    pub generation: GenerationScores,
    /// Score of the best weights so far on the held-out problems, as a ratio to that of the default
    /// weights.
    pub held_out: f64,
}

/// What one execution of a tuning did: the scores it computed, the scores it found in the store, and
/// the time it took.
#[derive(Serialize)]
pub struct HextrisTuningEffort {
    /// Number of scores computed, each of one set of weights on one problem.
    pub computed: u64,
    /// Number of scores found in the store.
    pub known: u64,
    /// Seconds from start to end.
    pub seconds: f64,
}

impl HextrisTuningReport {
    pub(super) fn new(
        settings: &HextrisTuningSettings,
        run: &StudyRecords<HextrisTuningGeneration>,
    ) -> Self {
        let records = || run.records.iter().map(|record| &record.value);
        let last = records().next_back();
        let line = |record: &HextrisTuningGeneration| GenerationLine {
            generation: record.generation,
            held_out: record.held_out,
        };
        HextrisTuningReport {
            run: run.run,
            complete: run.complete,
            solver: settings.solver,
            by: settings.by,
            states: settings.states,
            seeds: settings.seeds,
            seed: settings.seed,
            generations: records().map(line).collect(),
            training: last.map(|record| record.generation.leader),
            held_out: last.map(|record| record.held_out),
            weights: last.map(|record| record.weights),
            problems: last.map_or_else(Vec::new, |record| record.problems.clone()),
            effort: run.effort.map(|effort| HextrisTuningEffort {
                computed: effort.computed,
                known: effort.known,
                seconds: effort.seconds,
            }),
        }
    }

    /// Returns a title that names the search method and how weights are scored.
    #[must_use]
    pub fn title(&self) -> String {
        let by = match self.by {
            TuningMethod::Genetic => "a genetic algorithm",
            TuningMethod::CrossEntropy => "cross-entropy",
            TuningMethod::CmaEs => "CMA-ES",
            TuningMethod::Spsa => "SPSA",
        };
        let scored = match self.states {
            Some(states) => format!("beams of {}", plural(states as u64, "state")),
            None => "whole games of baseline".to_owned(),
        };
        format!("weights of hextris by {by}, {scored}")
    }
}

impl StudyReport for HextrisTuningReport {
    /// Returns a chart of the best and mean training scores and the best held-out score by
    /// generation.
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
