//! Report of a tuning: its generations, its candidates, and a last match that measures the best
//! candidate again.

use ludion_optimise::history::GenerationScores;
use ludion_players::arena::elo::{EloReport, Estimate, GameCounts};
use ludion_players::arena::plan::{GamesPlan, TuningOptions};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::{RunId, RunState};
use serde::Serialize;

use crate::tournament::mean_score;
use crate::{PlayedPlan, Repeatability, RunPicture, plural};

/// The report of a tuning.
#[derive(Serialize, Clone, Debug)]
pub struct TuningReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Spec of the game.
    pub game: String,
    /// Player with its open parameters, and the search method.
    pub tuning: TuningOptions,
    /// Spec of the opponent of all candidates.
    pub opponent: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether the games can be repeated.
    #[serde(flatten)]
    pub repeatability: Repeatability,
    /// Scores of each finished generation.
    pub generations: Vec<GenerationScores>,
    /// All candidates that have played, the best first.
    pub candidates: Vec<TuningCandidate>,
    /// Match of the best candidate with another seed, once it is played.
    pub confirmed: Option<ConfirmationMatch>,
}

/// A candidate and the result of its match.
#[derive(Serialize, Clone, Debug)]
pub struct TuningCandidate {
    /// Spec of the player with the candidate's values.
    pub player: String,
    /// Mean score per game, from 0 to 1.
    pub score: f64,
    /// Numbers of games won, drawn and lost against the opponent.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Whether the candidate's match was already in the store and did not have to be played.
    pub known: bool,
    /// Number of the run of the candidate's match in the store; `None` if it is not stored.
    pub run: Option<RunId>,
}

/// Match that measures the best candidate again with another seed.
#[derive(Serialize, Clone, Debug)]
pub struct ConfirmationMatch {
    /// The candidate with the score of this match.
    #[serde(flatten)]
    pub candidate: TuningCandidate,
    /// Elo difference between the candidate and the opponent.
    pub elo: Option<Estimate>,
    /// Likelihood of superiority: the probability that the candidate is stronger than the opponent.
    pub superiority: Option<f64>,
    /// Whether the likelihood of superiority is defined: not if all pairs have the same score.
    pub superiority_defined: bool,
}

impl TuningCandidate {
    pub(super) fn new(player: String, known: bool, played: &PlayedPlan) -> Self {
        let games = played.tally.standings.meetings[0].1.games;
        TuningCandidate { player, score: mean_score(&games), games, known, run: played.run }
    }
}

impl TuningReport {
    pub(super) fn new(run: Option<RunId>, plan: &GamesPlan, tuning: &TuningOptions) -> Self {
        TuningReport {
            run,
            state: RunState::Stopped,
            game: plan.game.clone(),
            tuning: tuning.clone(),
            opponent: plan.players[0].clone(),
            seed: plan.terms.seed,
            repeatability: Repeatability::of(plan),
            generations: Vec::new(),
            candidates: Vec::new(),
            confirmed: None,
        }
    }

    /// Inserts a candidate in the order of scores, the best first, unless it is in the list.
    pub(super) fn add_candidate(&mut self, candidate: TuningCandidate) {
        if self.candidates.iter().all(|known| known.player != candidate.player) {
            let at = self.candidates.partition_point(|known| known.score >= candidate.score);
            self.candidates.insert(at, candidate);
        }
    }

    /// Returns a chart of the best score so far and the mean score of each generation.
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

    /// Returns a title with the game, the player and the opponent.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {} against {}", self.game, self.tuning.player, self.opponent)
    }

    /// Sets the match that measures the best candidate again.
    pub(super) fn set_confirmation(&mut self, candidate: TuningCandidate, played: &PlayedPlan) {
        let sample = played.tally.standings.meetings[0].1.pairs.score_counts();
        let strength = EloReport::from_counts(&sample);
        self.confirmed = Some(ConfirmationMatch {
            candidate,
            elo: strength.map(|s| s.elo),
            superiority: strength.map(|s| s.superiority),
            superiority_defined: strength.is_some_and(|s| s.superiority_defined),
        });
    }
}
