//! What a tuning found: the scores of the generations, and the best weights beside the defaults
//! on the problems they were tuned on and on those they were not.

use std::time::Duration;

use ludion::arena::plan::TuningMethod;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::optimise::history::GenerationScores;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::generations::{HextrisTuningSettings, ScoreComparison, TunedGeneration};
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::plots::RunPicture;
use crate::table::figures;

/// A tuning and what it found.
#[derive(Serialize)]
pub(super) struct HextrisTuningReport {
    run: Option<RunId>,
    /// Whether all generations are over.
    complete: bool,
    by: TuningMethod,
    states: usize,
    seeds: usize,
    seed: u64,
    generations: Vec<GenerationLine>,
    /// What the best weights score on the problems trained on, the default weights having 1.
    training: Option<f64>,
    /// The same on the problems held out.
    held_out: Option<f64>,
    /// The best weights, as `ludion hextris solve --weights` reads them.
    weights: Option<BoardWeights>,
    /// The best weights and the default ones, problem by problem.
    problems: Vec<ScoreComparison>,
    /// What was done for it now; nothing when it was only looked up.
    #[serde(flatten)]
    pub(super) effort: Option<TuningEffort>,
}

#[derive(Serialize)]
struct GenerationLine {
    #[serde(flatten)]
    generation: GenerationScores,
    held_out: f64,
}

#[derive(Serialize)]
pub(super) struct TuningEffort {
    /// Scores computed, each of some weights on a problem.
    pub(super) computed: u64,
    /// Scores that the store knew.
    pub(super) known: u64,
    pub(super) seconds: f64,
}

impl HextrisTuningReport {
    pub(super) fn new(
        run: Option<RunId>,
        settings: &HextrisTuningSettings,
        steps: &[TunedGeneration],
        complete: bool,
    ) -> Self {
        let last = steps.last();
        let line = |step: &TunedGeneration| GenerationLine {
            generation: step.generation,
            held_out: step.held_out,
        };
        HextrisTuningReport {
            run,
            complete,
            by: settings.by,
            states: settings.states,
            seeds: settings.seeds,
            seed: settings.seed,
            generations: steps.iter().map(line).collect(),
            training: last.map(|step| step.generation.leader),
            held_out: last.map(|step| step.held_out),
            weights: last.map(|step| step.weights),
            problems: last.map_or_else(Vec::new, |step| step.problems.clone()),
            effort: None,
        }
    }

    fn title(&self) -> String {
        let by = match self.by {
            TuningMethod::Genetic => "a genetic algorithm",
            TuningMethod::CrossEntropy => "cross-entropy",
        };
        format!("weights of hextris by {by}, beams of {}", plural(self.states as u64, "state"))
    }

    /// Best and mean of the training problems, and the best on those held out.
    pub(super) fn picture(&self) -> RunPicture {
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

    /// Whether the best weights are better, in words.
    fn verdict(&self) -> Option<String> {
        let (training, held_out) = (self.training?, self.held_out?);
        let said = if training <= 1.0 {
            "nothing better than the default weights was found"
        } else if held_out > 1.0 {
            "better than the default weights, also where it was not tuned"
        } else {
            "better than the default weights only where it was tuned: fitted to these problems"
        };
        let (training, held_out) = (percent(training), percent(held_out));
        Some(format!("{training} where it was tuned, {held_out} held out:\n{said}\n"))
    }
}

fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

impl CommandReport for HextrisTuningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|GenerationLine { generation, held_out }| {
            let scores = [generation.leader, generation.mean, *held_out].map(percent);
            let counts = [generation.number.to_string(), generation.asked.to_string()];
            counts.into_iter().chain(scores).collect()
        });
        text += &figures(&["generation", "candidates", "best", "mean", "held out"], rows);
        let rows = self.problems.iter().map(|line| {
            let which = if line.trained_on { "trained on" } else { "held out" };
            let [default, best] = [line.default, line.best].map(|score| format!("{score:.1}"));
            vec![line.problem.clone(), which.to_owned(), default, best, percent(line.ratio)]
        });
        text += "\n";
        text += &figures(&["problem", "", "default", "best", "ratio"], rows);
        text += "\n";
        if let (Some(verdict), Some(weights)) = (self.verdict(), self.weights) {
            let json = serde_json::to_string(&weights).unwrap_or_default();
            text += &format!("{verdict}\n{json}\n\n");
        }
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let did = self.effort.as_ref().map_or_else(String::new, |effort| {
            let took = time(Duration::from_secs_f64(effort.seconds));
            let computed = plural(effort.computed, "score");
            format!("{computed} computed, {} known before, {took}, ", effort.known)
        });
        text + &paint(QUIET, &format!("{did}seed {}{run}", self.seed)) + "\n"
    }
}
