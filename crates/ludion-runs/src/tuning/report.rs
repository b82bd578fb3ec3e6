//! The report of a tuning: its generations, its candidates, and a last match that measures the best
//! candidate again.

use ludion::arena::elo::{EloReport, Estimate, GameCounts};
use ludion::arena::plan::{MatchPlan, TuningPlan};
use ludion::optimise::history::GenerationScores;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::{RunId, RunState};
use serde::Serialize;

use crate::tournament::mean_score;
use crate::{PlayedPlan, RunPicture, plural};

/// The report of a tuning.
#[derive(Serialize, Clone, Debug)]
pub struct TuningReport {
    /// The run, where it is stored.
    pub run: Option<RunId>,
    /// The state of the run.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// The player with its open parameters, and the search method.
    pub tuning: TuningPlan,
    /// The opponent of all candidates.
    pub opponent: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The scores of every generation.
    pub generations: Vec<GenerationScores>,
    /// Every candidate that has played, the best first.
    pub candidates: Vec<TuningCandidate>,
    /// The match of the best candidate from another seed.
    pub confirmed: Option<ConfirmationMatch>,
}

/// A candidate and the score of its match.
#[derive(Serialize, Clone, Debug)]
pub struct TuningCandidate {
    /// The player.
    pub player: String,
    /// Mean points per game, from 0 to 1.
    pub score: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Whether its match was in the store before.
    pub known: bool,
    /// The run, where it is stored.
    pub run: Option<RunId>,
}

/// The match that measures the best candidate again.
#[derive(Serialize, Clone, Debug)]
pub struct ConfirmationMatch {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: TuningCandidate,
    /// The Elo difference to the opponent.
    pub elo: Option<Estimate>,
    /// The likelihood that the candidate is better than the opponent.
    pub superiority: Option<f64>,
}

impl TuningCandidate {
    pub(super) fn new(player: String, known: bool, played: &PlayedPlan) -> Self {
        let games = played.tally.standings.meetings[0].1.games;
        TuningCandidate { player, score: mean_score(&games), games, known, run: played.run }
    }
}

impl TuningReport {
    pub(super) fn new(run: Option<RunId>, plan: &MatchPlan, tuning: &TuningPlan) -> Self {
        TuningReport {
            run,
            state: RunState::Stopped,
            game: plan.game.clone(),
            tuning: tuning.clone(),
            opponent: plan.players[0].clone(),
            seed: plan.terms.seed,
            generations: Vec::new(),
            candidates: Vec::new(),
            confirmed: None,
        }
    }

    /// Adds a candidate in the order of scores, unless it is there already.
    pub(super) fn add_candidate(&mut self, candidate: TuningCandidate) {
        if self.candidates.iter().all(|known| known.player != candidate.player) {
            let at = self.candidates.partition_point(|known| known.score >= candidate.score);
            self.candidates.insert(at, candidate);
        }
    }

    /// A chart of the best score so far and the mean score of every generation.
    #[must_use]
    pub fn picture(&self) -> RunPicture {
        let line = |name: &str, value: fn(&GenerationScores) -> [f64; 3]| ChartSeries {
            name: name.to_owned(),
            line: self
                .generations
                .iter()
                .map(|generation| {
                    let [low, value, high] = value(generation);
                    ChartPoint::new(f64::from(generation.number), value, [low, high])
                })
                .collect(),
            ..ChartSeries::default()
        };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        RunPicture::Chart(Chart {
            title: self.title(),
            note: format!(
                "{}, seed {}{run}; band: one standard deviation of the generation",
                plural(self.candidates.len() as u64, "candidate"),
                self.seed
            ),
            x: PlotAxis::linear("generation"),
            y: PlotAxis::linear("score against the opponent").unit(NumberUnit::Percent),
            series: vec![
                line("best so far", |g| [g.leader; 3]),
                line("mean", |g| [g.mean - g.spread, g.mean, g.mean + g.spread]),
            ],
            level: Some(0.5),
            optimum: None,
        })
    }

    /// The game, the player and the opponent, as a title.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {} against {}", self.game, self.tuning.player, self.opponent)
    }

    /// Adds the match that measures the best candidate again.
    pub(super) fn set_confirmation(&mut self, candidate: TuningCandidate, played: &PlayedPlan) {
        let sample = played.tally.standings.meetings[0].1.pairs.score_counts();
        let strength = EloReport::from_counts(&sample);
        let (elo, superiority) = (strength.map(|s| s.elo), strength.map(|s| s.superiority));
        self.confirmed = Some(ConfirmationMatch { candidate, elo, superiority });
    }
}
