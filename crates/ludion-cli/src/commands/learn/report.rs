//! What a learning came to: generation after generation, how well it foresees how games end,
//! and what it is worth in matches.

use std::path::Path;
use std::time::Duration;

use ludion::arena::elo::{EloReport, PairCounts};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::rounds::{LearnedGeneration, LearningSettings};
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::plots::RunPicture;
use crate::table::figures;

/// A learning and what it came to.
#[derive(Serialize)]
pub(super) struct LearningReport {
    run: Option<RunId>,
    /// Whether all rounds are over.
    complete: bool,
    settings: LearningSettings,
    generations: Vec<GenerationLine>,
    /// How long this program worked at it; nothing when it was only looked up.
    pub(super) seconds: Option<f64>,
}

#[derive(Serialize)]
struct GenerationLine {
    #[serde(flatten)]
    step: LearnedGeneration,
    /// Against the last generation that was kept.
    last: Option<EloReport>,
    /// Against the game's own evaluator.
    own: Option<EloReport>,
}

impl LearningReport {
    pub(super) fn new(
        run: Option<RunId>,
        settings: &LearningSettings,
        steps: &[LearnedGeneration],
        complete: bool,
    ) -> Self {
        let strength = |pairs: &PairCounts| EloReport::from_counts(&pairs.score_counts());
        let line = |step: &LearnedGeneration| GenerationLine {
            last: strength(&step.against_last),
            own: strength(&step.against_own),
            step: step.clone(),
        };
        let generations = steps.iter().map(line).collect();
        LearningReport { run, complete, settings: settings.clone(), generations, seconds: None }
    }

    fn title(&self) -> String {
        let LearningSettings { game, games, terms, .. } = &self.settings;
        let games = plural(*games, "game");
        format!("patterns of {game}, {games} a round at depth {}", terms.depth)
    }

    /// The scores against the game's own evaluator, generation by generation.
    pub(super) fn picture(&self) -> RunPicture {
        let curve = |name: &str, strength: fn(&GenerationLine) -> Option<EloReport>| ChartSeries {
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

/// The 95 % interval of the score, by way of that of Elo.
fn interval(strength: &EloReport) -> [f64; 2] {
    let ends = [-1.0, 1.0].map(|sign| {
        ludion::arena::elo::expected_score(strength.elo.value + sign * strength.elo.error)
    });
    if ends.iter().all(|end| end.is_finite()) { ends } else { [strength.score; 2] }
}

/// A score in per cent, and what it is in Elo.
fn in_words(strength: Option<&EloReport>) -> [String; 2] {
    let Some(strength) = strength else { return [String::new(), String::new()] };
    let elo = &strength.elo;
    let figure = match (elo.value.is_finite(), elo.error.is_finite()) {
        // Minus nothing is nothing.
        (true, true) => format!("{:+.0} ± {:.0}", elo.value.round() + 0.0, elo.error),
        (true, false) => format!("{:+.0}", elo.value.round() + 0.0),
        _ if strength.score > 0.5 => "+∞".to_owned(),
        _ => "-∞".to_owned(),
    };
    [format!("{:.1}", 100.0 * strength.score), figure]
}

impl CommandReport for LearningReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|GenerationLine { step, last, own }| {
            let [last, last_elo] = in_words(last.as_ref());
            let [own, own_elo] = in_words(own.as_ref());
            let trained = &step.trained;
            let losses = [trained.before, trained.after].map(|loss| format!("{loss:.4}"));
            let [before, after] = losses;
            let kept = if step.kept { "yes" } else { "no" }.to_owned();
            let generation = step.generation.to_string();
            let lessons = trained.examples.to_string();
            vec![generation, lessons, before, after, last, last_elo, own, own_elo, kept]
        });
        let heads = ["round", "lessons", "loss", "after"];
        let heads = [&heads[..], &["last %", "Elo", "own %", "Elo", "kept"]].concat();
        text += &figures(&heads, rows);
        text += &format!("\n{}\n\n", paint(QUIET, LEGEND));
        let kept = self.generations.iter().any(|line| line.step.kept);
        match &self.settings.out {
            Some(out) if kept => text += &format!("{}\n\n", use_of(out)),
            Some(out) => text += &format!("{}\n\n", nothing_for(out)),
            None => {}
        }
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let took = self.seconds.map_or_else(String::new, |seconds| {
            format!("{}, ", time(Duration::from_secs_f64(seconds)))
        });
        text + &paint(QUIET, &format!("{took}seed {}{run}", self.settings.seed)) + "\n"
    }
}

/// What the columns are.
const LEGEND: &str = "\
loss: of how games end, before the training of a round, and after it
last: points against the last generation that was kept
own: points against the game's own evaluator; Elo with 95 % intervals";

/// Why there is no file.
fn nothing_for(out: &Path) -> String {
    let out = out.display();
    format!(
        "nothing was better than what knows nothing, so {out} is not written; more --games, more --rounds"
    )
}

/// How a player is given the model.
fn use_of(out: &Path) -> String {
    format!("the best is in {0}; play it as deepening(eval=patterns({0}))", out.display())
}
