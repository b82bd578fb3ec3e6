//! What a tuning found: generation after generation, and whether the best is better.

use ludion::arena::elo::{Figure, Games, Strength};
use ludion::arena::plan::{Plan, Tuning};
use ludion::optimise::history::Generation;
use ludion_plot::{Axis, Chart, Point, Series, Unit};
use ludion_store::{RunId, State};
use serde::Serialize;

use crate::commands::tournament::score;
use crate::contest::Progressing;
use crate::output::{LOUD, QUIET, Report, paint, plural};
use crate::pictures::Picture;
use crate::table::figures;

/// A tuning and what it found.
#[derive(Serialize)]
pub(crate) struct Answer {
    pub(super) run: Option<RunId>,
    pub(super) state: State,
    game: String,
    tuning: Tuning,
    opponent: String,
    seed: u64,
    pub(super) generations: Vec<Generation>,
    /// Every candidate met, the best first.
    candidates: Vec<Candidate>,
    /// The best candidate in a match of its own, from another seed.
    confirmed: Option<Confirmed>,
}

/// A candidate and its match.
#[derive(Serialize, Clone)]
pub(crate) struct Candidate {
    player: String,
    pub(super) score: f64,
    #[serde(flatten)]
    games: Games,
    /// Whether its match was in the store already.
    known: bool,
    run: Option<RunId>,
}

#[derive(Serialize)]
struct Confirmed {
    #[serde(flatten)]
    candidate: Candidate,
    elo: Option<Figure>,
    superiority: Option<f64>,
}

impl Candidate {
    pub(super) fn of(player: String, known: bool, played: &Progressing) -> Self {
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
    pub(super) fn picture(&self) -> Picture {
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

    fn title(&self) -> String {
        format!("{}: {} against {}", self.game, self.tuning.player, self.opponent)
    }

    pub(super) fn confirm(&mut self, candidate: Candidate, played: &Progressing) {
        let sample = played.ledger.standings.meetings[0].1.pairs.sample();
        let strength = Strength::of(&sample);
        let (elo, superiority) = (strength.map(|s| s.elo), strength.map(|s| s.superiority));
        self.confirmed = Some(Confirmed { candidate, elo, superiority });
    }
}

/// What the likelihood of superiority must leave for a difference to be believed.
const ONE_SIDED: f64 = 0.025;
/// Candidates shown.
const SHOWN: usize = 5;

impl Report for Answer {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(LOUD, &self.title()));
        let rows = self.generations.iter().map(|generation| {
            let percent = |value: f64| format!("{:.1} %", 100.0 * value);
            vec![
                generation.number.to_string(),
                generation.asked.to_string(),
                percent(generation.best),
                percent(generation.mean),
                percent(generation.leader),
            ]
        });
        text += &figures(&["generation", "candidates", "best", "mean", "leader"], rows);
        text += "\n";
        let rows = self.candidates.iter().take(SHOWN).map(|candidate| {
            let Games { wins, draws, losses } = candidate.games;
            vec![
                candidate.player.clone(),
                format!("{:.1} %", 100.0 * candidate.score),
                format!("+{wins} ={draws} −{losses}"),
            ]
        });
        text += &figures(&["best candidates", "score", "games"], rows);
        text += "\n";
        text += &self.verdict();
        let known = self.candidates.iter().filter(|candidate| candidate.known).count();
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let all = format!(
            "{} met, {known} of them known before, seed {}{run}",
            plural(self.candidates.len() as u64, "candidate"),
            self.seed
        );
        text + &paint(QUIET, &all) + "\n"
    }
}

impl Answer {
    /// Whether the best candidate is better, in words.
    fn verdict(&self) -> String {
        let Some(Confirmed { candidate, elo: Some(elo), superiority: Some(superiority) }) =
            &self.confirmed
        else {
            return String::new();
        };
        // Where every pair ended alike there is no interval, and the likelihood decides.
        let beyond = |sign: f64| match elo.error.is_finite() {
            true => sign * elo.value > elo.error,
            false => 0.5 + sign * (superiority - 0.5) > 1.0 - ONE_SIDED,
        };
        let said = if beyond(1.0) {
            "better than its opponent"
        } else if beyond(-1.0) {
            "worse than its opponent"
        } else {
            "neither better nor worse, as far as these games tell"
        };
        format!(
            "{} again, from another seed:\n{:.1} % of {}, Elo {:+.1} ± {:.1}: {said}\n",
            paint(LOUD, &candidate.player),
            100.0 * candidate.score,
            plural(candidate.games.total(), "game"),
            elo.value,
            elo.error,
        )
    }
}
