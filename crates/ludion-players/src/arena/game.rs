//! Plays one game between two players. A player that returns no legal move forfeits the game, and
//! the reason is kept. Clocks and adjudication can end a game before its rules do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::adjudication::{AdjudicationRules, Adjudicator};
use super::clock::GameClock;
use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::player::{Budget, MoveRequest, Player, StopOnFlag};
use crate::repetition::GamePath;
use crate::solution::{Solution, SolveError, SolveLimits};

/// The way in which a game between two players ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameEnd {
    /// The game ended by its rules, with this outcome.
    Rules(Duel),
    /// A player failed to return a legal move; its side loses.
    Forfeit {
        /// The side that forfeits and loses.
        by: Side,
        /// The reason why there was no legal move, as a sentence.
        reason: String,
    },
    /// The game reached the ply limit and counts as a draw.
    Endless,
    /// A side overstepped the time on its clock and loses.
    Time {
        /// The side that loses.
        by: Side,
    },
    /// The arena ended the game before its rules did.
    Adjudicated {
        /// The outcome that counts.
        duel: Duel,
        /// Why it was ended, as a sentence.
        reason: String,
    },
}

impl GameEnd {
    /// Returns the outcome that counts in the standings: a forfeit and a loss on time are losses, the
    /// ply limit is a draw.
    #[must_use]
    pub fn duel(&self) -> Duel {
        match self {
            GameEnd::Rules(duel) | GameEnd::Adjudicated { duel, .. } => *duel,
            GameEnd::Forfeit { by, .. } | GameEnd::Time { by } => Duel::Won(by.other()),
            GameEnd::Endless => Duel::Drawn,
        }
    }

    /// Returns the score of `side` in the game: 1, ½ or 0.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.duel().seen_by(side) {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        }
    }
}

/// One move that a player chose, with its cost and the player's estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove<M> {
    /// The side that made the move.
    pub side: Side,
    /// The move that was made.
    pub play: M,
    /// The player's estimate of the state for the side that moved, from −1 to 1; `None` without
    /// one.
    pub value: Option<f64>,
    /// Number of nodes visited or simulations run for this move, whichever is larger.
    pub nodes: u64,
    /// Time that the player took for this move.
    pub time: Duration,
}

/// A finished game with all its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<M> {
    /// Moves of the opening, made before the players took over.
    pub opening: Vec<M>,
    /// Moves chosen by the players, in the order of play.
    pub plies: Vec<PlayedMove<M>>,
    /// How the game ended.
    pub end: GameEnd,
}

impl<M> PlayedGame<M> {
    /// Returns the number of plies of the game, including the opening.
    #[must_use]
    pub fn length(&self) -> usize {
        self.opening.len() + self.plies.len()
    }
}

/// Solves a state of the game `G` exactly, within limits.
pub type AdjudicationSolver<G> = dyn Fn(&MoveRequest<'_, G>, SolveLimits) -> Result<Solution<<G as Game>::Move>, SolveError>
    + Send
    + Sync;

/// How one game is played: where it begins, what the players may spend, and what ends it besides its
/// rules.
pub struct GameArrangement<'a, G: Game> {
    /// The position in which the game begins; `None` for the start position.
    pub start: Option<&'a G::State>,
    /// The moves made before the players take over.
    pub opening: &'a [G::Move],
    /// The budget of each side for a move. In a game with clocks, their share of the time is added.
    pub budgets: [Budget; 2],
    /// The number of plies after which an unfinished game is drawn.
    pub longest: usize,
    /// The clocks of the game; `None` without clocks.
    pub clock: Option<GameClock>,
    /// When the game is ended before its rules end it.
    pub adjudication: AdjudicationRules,
    /// The exact solver for [`AdjudicationRules::solver_nodes`].
    pub solver: Option<&'a AdjudicationSolver<G>>,
    /// An empty list for the moves of the players, perhaps with the memory of another game.
    pub plies: Vec<PlayedMove<G::Move>>,
}

impl<'a, G: Game> GameArrangement<'a, G> {
    /// Creates the arrangement of a game from the start position, without clocks and adjudication.
    #[must_use]
    pub fn new(opening: &'a [G::Move], budgets: [Budget; 2], longest: usize) -> Self {
        let adjudication = AdjudicationRules::default();
        let (start, clock, solver, plies) = (None, None, None, Vec::new());
        GameArrangement { start, opening, budgets, longest, clock, adjudication, solver, plies }
    }
}

/// Plays one game: first the moves of `opening`, then moves that the players choose. `players[0]`
/// plays the first side with `budgets[0]` per move. After `longest` plies the game is drawn.
pub fn play<G: Game<Outcome = Duel>>(
    g: &G,
    opening: &[G::Move],
    players: [&mut dyn Player<G>; 2],
    budgets: [Budget; 2],
    longest: usize,
) -> PlayedGame<G::Move> {
    let never = AtomicBool::new(false);
    let arrangement = GameArrangement::new(opening, budgets, longest);
    play_or_stop(g, players, arrangement, &never).expect("nothing stops the game")
}

/// Plays one game as it is arranged. Returns `None` if `stop` is set before the last move is chosen:
/// the search under way is stopped, and what it chose does not count.
pub fn play_or_stop<G: Game<Outcome = Duel>>(
    g: &G,
    players: [&mut dyn Player<G>; 2],
    arrangement: GameArrangement<'_, G>,
    stop: &AtomicBool,
) -> Option<PlayedGame<G::Move>> {
    let mut judge = GameJudge::new(&arrangement);
    let GameArrangement { start, opening, budgets, longest, mut clock, mut plies, .. } =
        arrangement;
    let observer = StopOnFlag(stop);
    let (mut s, mut path) = (start.cloned().unwrap_or_else(|| g.start()), GamePath::new());
    for &m in opening {
        path.play(g, &mut s, m);
    }
    // Where nothing but the rules lies between two moves, one begins when the other ends: reading the
    // clock twice would take a fifth of the time of a game between two players that hardly think.
    let reads_twice = judge.is_some() || clock.is_some();
    let has_clock = clock.is_some();
    let is_timed = [has_clock || !players[0].is_instant(), has_clock || !players[1].is_instant()];
    let mut last_ended = None;
    let end = loop {
        let side = match path.status(g, &s) {
            // Rules that fail stop the run and end their games, which then do not count.
            Status::Over(_) if stop.load(Ordering::Relaxed) => return None,
            Status::Over(duel) => break GameEnd::Rules(duel),
            Status::Turn(_) if opening.len() + plies.len() >= longest => break GameEnd::Endless,
            Status::Turn(side) => side,
        };
        if let Some(end) = judge.as_mut().and_then(|judge| judge.end(g, &s, &path, &plies)) {
            break end;
        }
        let mut budget = budgets[side.index()];
        let times = clock.as_ref().map(|clock| clock.times(side));
        if let Some(times) = &times {
            budget.time = Some(times.share(side));
        }
        let request = MoveRequest {
            game: g,
            state: &s,
            path: &path,
            budget,
            clock: times,
            observer: &observer,
        };
        let is_timed = is_timed[side.index()];
        let began = match last_ended {
            Some(ended) if !reads_twice => Some(ended),
            _ => is_timed.then(Instant::now),
        };
        let chosen = players[side.index()].choose(&request);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        last_ended = is_timed.then(Instant::now);
        let time =
            began.zip(last_ended).map_or(Duration::ZERO, |(from, to)| to.duration_since(from));
        if clock.as_mut().is_some_and(|clock| !clock.spend(side, time)) {
            break GameEnd::Time { by: side };
        }
        match chosen {
            Err(refusal) => break GameEnd::Forfeit { by: side, reason: refusal.to_string() },
            Ok(choice) => {
                plies.push(PlayedMove {
                    side,
                    play: choice.best,
                    value: choice.best_line().and_then(|line| line.value),
                    nodes: choice.nodes.max(choice.simulations),
                    time,
                });
                path.play(g, &mut s, choice.best);
            }
        }
    };
    Some(PlayedGame { opening: opening.to_vec(), plies, end })
}

/// Decides whether a game is adjudicated.
struct GameJudge<'a, G: Game> {
    values: Adjudicator,
    solver: Option<(&'a AdjudicationSolver<G>, SolveLimits)>,
    /// The number of plies before the first move of a player.
    opening: usize,
}

/// The largest transposition table of an adjudication, in megabytes.
const SOLVER_MEGABYTES: usize = 16;

impl<'a, G: Game<Outcome = Duel>> GameJudge<'a, G> {
    /// Returns the judge of a game; `None` if no rule applies.
    fn new(arrangement: &GameArrangement<'a, G>) -> Option<Self> {
        let rules = arrangement.adjudication;
        if rules.is_empty() {
            return None;
        }
        let limits = |nodes| SolveLimits {
            nodes,
            walk: usize::try_from(nodes).unwrap_or(usize::MAX).min(10_000),
            threads: 1,
            megabytes: SOLVER_MEGABYTES,
            result_only: true,
        };
        let solver = arrangement.solver.zip(rules.solver_nodes.map(limits));
        Some(GameJudge {
            values: Adjudicator::new(rules),
            solver,
            opening: arrangement.opening.len(),
        })
    }

    /// Returns how the game ends in `s`, after the last of `plies`; `None` if it goes on.
    fn end(
        &mut self,
        g: &G,
        s: &G::State,
        path: &GamePath,
        plies: &[PlayedMove<G::Move>],
    ) -> Option<GameEnd> {
        let ply = self.opening + plies.len();
        let agreed = plies.last().and_then(|last| self.values.judge(last.side, last.value, ply));
        if let Some((duel, reason)) = agreed {
            return Some(GameEnd::Adjudicated { duel, reason });
        }
        let (solver, limits) = self.solver?;
        let side = g.status(s).turn()?;
        let request = MoveRequest { path, ..MoveRequest::new(g, s, Budget::UNLIMITED) };
        let duel = match solver(&request, limits).ok()?.value.verdict {
            Wdl::Win => Duel::Won(side),
            Wdl::Loss => Duel::Won(side.other()),
            Wdl::Draw => Duel::Drawn,
        };
        Some(GameEnd::Adjudicated { duel, reason: "the solver knows the result".to_owned() })
    }
}
