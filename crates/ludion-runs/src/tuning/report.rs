//! What a tuning found: generation after generation, and whether the best is better.

use ludion::arena::elo::{Figure, Games, Strength};
use ludion::arena::plan::{Plan, Tuning};
use ludion::optimise::history::Generation;
use ludion_plot::{Axis, Chart, Point, Series, Unit};
use ludion_store::{RunId, State};
use serde::Serialize;

use crate::tournament::score;
use crate::{Picture, Played, plural};

/// A tuning and what it found.
#[derive(Serialize, Clone, Debug)]
pub struct Answer {
    /// The run, if it is kept.
    pub run: Option<RunId>,
    /// How far it has come.
    pub state: State,
    /// The game.
    pub game: String,
    /// What was asked for.
    pub tuning: Tuning,
    /// Whom candidates play against.
    pub opponent: String,
    /// What randomness was drawn from.
    pub seed: u64,
    /// A line a generation; none where it was only looked up.
    pub generations: Vec<Generation>,
    /// Every candidate met, the best first.
    pub candidates: Vec<Candidate>,
    /// The best candidate in a match of its own, from another seed.
    pub confirmed: Option<Confirmed>,
}

/// A candidate and its match.
#[derive(Serialize, Clone, Debug)]
pub struct Candidate {
    /// Who.
    pub player: String,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub games: Games,
    /// Whether its match was in the store already.
    pub known: bool,
    /// The run, if it is kept.
    pub run: Option<RunId>,
}

/// The best candidate, measured again.
#[derive(Serialize, Clone, Debug)]
pub struct Confirmed {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// The difference to the opponent.
    pub elo: Option<Figure>,
    /// How likely it is that it is better.
    pub superiority: Option<f64>,
}

impl Candidate {
    pub(super) fn of(player: String, known: bool, played: &Played) -> Self {
        let games = played.ledger.standings.meetings[0].1.games;
        Candidate { player, score: score(&games), games, known, run: played.run }
    }
}

impl Answer {
    pub(super) fn new(run: Option<RunId>, plan: &Plan, tuning: &Tuning) -> Self {
        Answer {
            run,
            state: State::Stopped,
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
    pub(super) fn met(&mut self, candidate: Candidate) {
        if self.candidates.iter().all(|known| known.player != candidate.player) {
            let at = self.candidates.partition_point(|known| known.score >= candidate.score);
            self.candidates.insert(at, candidate);
        }
    }

    /// Best, mean and leader of every generation; without generations, every candidate.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let line = |name: &str, value: fn(&Generation) -> [f64; 3]| Series {
            name: name.to_owned(),
            line: self
                .generations
                .iter()
                .map(|generation| {
                    let [low, value, high] = value(generation);
                    Point::new(f64::from(generation.number), value, [low, high])
                })
                .collect(),
            ..Series::default()
        };
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        Picture::Chart(Chart {
            title: self.title(),
            note: format!(
                "{}, seed {}{run}; band: one standard deviation of the generation",
                plural(self.candidates.len() as u64, "candidate"),
                self.seed
            ),
            x: Axis::linear("generation"),
            y: Axis::linear("score against the opponent").unit(Unit::Percent),
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

    pub(super) fn confirm(&mut self, candidate: Candidate, played: &Played) {
        let sample = played.ledger.standings.meetings[0].1.pairs.sample();
        let strength = Strength::of(&sample);
        let (elo, superiority) = (strength.map(|s| s.elo), strength.map(|s| s.superiority));
        self.confirmed = Some(Confirmed { candidate, elo, superiority });
    }
}
