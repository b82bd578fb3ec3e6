//! Report of a tuning: its generations, its candidates, and a last match that measures the best
//! candidate again.

use ludion_optimise::Maximiser;
use ludion_optimise::history::GenerationScores;
use ludion_optimise::space::SpacePoint;
use ludion_players::arena::elo::{EloReport, Estimate, GameCounts};
use ludion_players::arena::plan::{GamesPlan, TuningMethod, TuningOptions};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::{RunId, RunState};
use serde::Serialize;

use super::OpenPlayer;
use crate::tournament::mean_score;
use crate::{PlayedPlan, Repeatability, RunPicture, plural, verdicts};

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
    /// Names of the open parameters.
    pub parameters: Vec<String>,
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
    /// The point after each generation, for methods that move one point (CMA-ES and SPSA).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub centres: Vec<TunedPoint>,
    /// Match of the best candidate with another seed, once it is played.
    pub confirmed: Option<ConfirmationMatch>,
}

/// The point that a search has reached.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TunedPoint {
    /// Spec of the player with the values of the point.
    pub player: String,
    /// Coordinate of each open parameter: its place in its range, from 0 to 1.
    pub coordinates: Vec<f64>,
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
    /// What follows from the match; `None` before its first pair.
    pub verdict: Option<&'static str>,
}

impl TuningCandidate {
    pub(super) fn new(player: String, known: bool, played: &PlayedPlan) -> Self {
        let games = played.tally.standings.meetings[0].1.games;
        TuningCandidate { player, score: mean_score(&games), games, known, run: played.run }
    }
}

impl TuningReport {
    pub(super) fn new(
        run: Option<RunId>,
        plan: &GamesPlan,
        tuning: &TuningOptions,
        open: &OpenPlayer,
    ) -> Self {
        TuningReport {
            run,
            state: RunState::Stopped,
            game: plan.game.clone(),
            tuning: tuning.clone(),
            parameters: open.names().into_iter().map(str::to_owned).collect(),
            opponent: plan.players[0].clone(),
            seed: plan.terms.seed,
            repeatability: Repeatability::of(plan),
            generations: Vec::new(),
            candidates: Vec::new(),
            centres: Vec::new(),
            confirmed: None,
        }
    }

    /// Notes a finished generation.
    pub(super) fn add_generation(
        &mut self,
        maximiser: &dyn Maximiser<Candidate = SpacePoint>,
        open: &OpenPlayer,
    ) {
        self.generations = maximiser.generations();
        let moves_one_point = matches!(self.tuning.by, TuningMethod::CmaEs | TuningMethod::Spsa);
        if let Some((point, _)) = maximiser.best().filter(|_| moves_one_point) {
            let coordinates = open.space.to_unit_cube(&point);
            self.centres.push(TunedPoint { player: open.at(&point), coordinates });
        }
    }

    /// Inserts a candidate in the order of scores, the best first, unless it is in the list.
    pub(super) fn add_candidate(&mut self, candidate: TuningCandidate) {
        if self.candidates.iter().all(|known| known.player != candidate.player) {
            let at = self.candidates.partition_point(|known| known.score >= candidate.score);
            self.candidates.insert(at, candidate);
        }
    }

    /// Returns a chart of the best score so far and the mean score of each generation, or for SPSA of
    /// the parameters after each generation.
    #[must_use]
    pub fn picture(&self) -> RunPicture {
        if self.tuning.by == TuningMethod::Spsa {
            return self.picture_of_points();
        }
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

    /// Returns a chart of the place of each parameter in its range after each generation.
    fn picture_of_points(&self) -> RunPicture {
        let line = |(i, name): (usize, &String)| ChartSeries {
            name: name.clone(),
            line: (1..)
                .zip(&self.centres)
                .map(|(generation, point)| {
                    let value = point.coordinates[i];
                    ChartPoint::new(f64::from(generation), value, [value; 2])
                })
                .collect(),
            ..ChartSeries::default()
        };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let generations = plural(self.centres.len() as u64, "generation");
        RunPicture::Chart(Chart {
            title: self.title(),
            note: format!("{generations} of SPSA, seed {}{run}", self.seed),
            x: PlotAxis::linear("generation"),
            y: PlotAxis::linear("place in the range of the parameter").unit(NumberUnit::Percent),
            series: self.parameters.iter().enumerate().map(line).collect(),
            level: None,
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
            verdict: strength.map(|s| verdicts::of_tuning(&s.elo)),
        });
    }
}
