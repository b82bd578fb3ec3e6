//! What a tuning found: generation after generation, and whether the best is better.

use ludion::arena::elo::{EloReport, Estimate, GameCounts};
use ludion::arena::plan::{MatchPlan, TuningPlan};
use ludion::optimise::history::GenerationScores;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::{RunId, RunState};
use serde::Serialize;

use crate::tournament::score;
use crate::{PlayedPlan, RunPicture, plural};

/// A tuning and what it found.
#[derive(Serialize, Clone, Debug)]
pub struct TuningReport {
    /// The run, if it is kept.
    pub run: Option<RunId>,
    /// How far it has come.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// What was asked for.
    pub tuning: TuningPlan,
    /// Whom candidates play against.
    pub opponent: String,
    /// What randomness was drawn from.
    pub seed: u64,
    /// A line a generation; none where it was only looked up.
    pub generations: Vec<GenerationScores>,
    /// Every candidate met, the best first.
    pub candidates: Vec<TuningCandidate>,
    /// The best candidate in a match of its own, from another seed.
    pub confirmed: Option<ConfirmationMatch>,
}

/// A candidate and its match.
#[derive(Serialize, Clone, Debug)]
pub struct TuningCandidate {
    /// Who.
    pub player: String,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Whether its match was in the store already.
    pub known: bool,
    /// The run, if it is kept.
    pub run: Option<RunId>,
}

/// The best candidate, measured again.
#[derive(Serialize, Clone, Debug)]
pub struct ConfirmationMatch {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: TuningCandidate,
    /// The difference to the opponent.
    pub elo: Option<Estimate>,
    /// How likely it is that it is better.
    pub superiority: Option<f64>,
}

impl TuningCandidate {
    pub(super) fn of(player: String, known: bool, played: &PlayedPlan) -> Self {
        let games = played.ledger.standings.meetings[0].1.games;
        TuningCandidate { player, score: score(&games), games, known, run: played.run }
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

    /// Takes a candidate in its place.
    pub(super) fn met(&mut self, candidate: TuningCandidate) {
        if self.candidates.iter().all(|known| known.player != candidate.player) {
            let at = self.candidates.partition_point(|known| known.score >= candidate.score);
            self.candidates.insert(at, candidate);
        }
    }

    /// Best, mean and leader of every generation; without generations, every candidate.
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

    /// What is tuned, and against whom.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {} against {}", self.game, self.tuning.player, self.opponent)
    }

    pub(super) fn confirm(&mut self, candidate: TuningCandidate, played: &PlayedPlan) {
        let sample = played.ledger.standings.meetings[0].1.pairs.score_counts();
        let strength = EloReport::from_counts(&sample);
        let (elo, superiority) = (strength.map(|s| s.elo), strength.map(|s| s.superiority));
        self.confirmed = Some(ConfirmationMatch { candidate, elo, superiority });
    }
}
