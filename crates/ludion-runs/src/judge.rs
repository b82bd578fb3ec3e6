//! Judges players by the exact solver: in what share of random positions does a player's choice keep
//! the value of the position, win, draw or loss?

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::arena::executor::JobSet;
use ludion_players::game::Status;
use ludion_players::player::{Budget, PlayerError, StopOnFlag};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::{AnyGame, AnyPlayer, AnyPosition, AnySolution};
use ludion_players::solution::{SolveError, SolveLimits};
use serde::Serialize;

/// Number of random games that are tried to reach a position with the wanted number of plies.
const TRIES: u64 = 1_000;

/// Returns the position after a random number of random moves from `plies`; `None` if random games
/// end before.
#[must_use]
pub fn random_position(
    game: &dyn AnyGame,
    plies: &RangeInclusive<u32>,
    seed: u64,
) -> Option<(u32, Box<dyn AnyPosition>)> {
    let mut rng = Rng::new(seed);
    let choices = (plies.end() - plies.start()) as usize + 1;
    (0..TRIES).find_map(|_| {
        let wanted = plies.start() + rng.below(choices) as u32;
        let mut position = game.start();
        for _ in 0..wanted {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let m = &moves[rng.below(moves.len())];
            position.play(m).expect("a listed move is legal");
        }
        matches!(position.status(), Status::Turn(_)).then_some((wanted, position))
    })
}

/// Returns the moves that keep the value of a solved position.
#[must_use]
pub fn keeping_moves(solution: &AnySolution) -> Vec<&str> {
    let kept = solution.value.verdict;
    let keeps =
        solution.lines.iter().filter(|line| line.proven.is_some_and(|proof| proof.verdict == kept));
    keeps.map(|line| line.play.as_str()).collect()
}

/// A job set in which each job solves one random position and asks all players for a move.
pub struct JudgeJobs {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Specs of the players.
    pub players: Vec<String>,
    /// What each player may spend on a move.
    pub budget: Budget,
    /// The numbers of random moves that lead to a position.
    pub plies: RangeInclusive<u32>,
    /// Limits of the solver for one position.
    pub limits: SolveLimits,
    /// Seed from which positions and players are seeded.
    pub seed: u64,
}

/// The choice of one player in a solved position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgedChoice {
    /// The move.
    pub play: String,
    /// Whether the move keeps the value of the position.
    pub keeps: bool,
}

/// A solved random position with the players' choices.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgedPosition {
    /// Number of plies before the position.
    pub ply: u32,
    /// The position in the notation of its game.
    pub state: String,
    /// The moves that keep its value.
    pub keeping: Vec<String>,
    /// Number of legal moves.
    pub moves: usize,
    /// The choices, in the order of the players.
    pub choices: Vec<JudgedChoice>,
}

/// The result of a job.
#[derive(Clone, PartialEq, Debug)]
pub enum Judgement {
    /// Random games end before they have the wanted number of plies.
    NoPosition,
    /// The game is a puzzle, which has no winner.
    Puzzle,
    /// The solver reached its limits.
    Unsolved,
    /// The solver solved the position.
    Solved(JudgedPosition),
    /// A player failed.
    Failed(PlayerError),
}

impl JobSet for JudgeJobs {
    type Worker = Vec<Box<dyn AnyPlayer>>;
    type Output = Judgement;

    fn worker(&self) -> Self::Worker {
        let player = |spec: &String| self.game.player(spec).expect("the same spec made one before");
        self.players.iter().map(player).collect()
    }

    fn job(&self, players: &mut Self::Worker, number: u64, stop: &AtomicBool) -> Option<Judgement> {
        let judgement = self.judge(players, number, stop);
        (!stop.load(Ordering::Relaxed)).then_some(judgement)
    }
}

impl JudgeJobs {
    fn judge(
        &self,
        players: &mut [Box<dyn AnyPlayer>],
        number: u64,
        stop: &AtomicBool,
    ) -> Judgement {
        let seed = derive_seed(self.seed, &[number]);
        let Some((ply, position)) = random_position(&*self.game, &self.plies, seed) else {
            return Judgement::NoPosition;
        };
        let observer = &StopOnFlag(stop);
        let solution = match position.solve(self.limits, observer) {
            Ok(solution) => solution,
            Err(SolveError::Puzzle) => return Judgement::Puzzle,
            Err(SolveError::Over | SolveError::Spent { .. }) => return Judgement::Unsolved,
        };
        let keeping = keeping_moves(&solution);
        let mut choices = Vec::new();
        for player in players {
            player.begin(derive_seed(seed, &[1]));
            let choice = match player.choose(&*position, self.budget, observer) {
                Ok(choice) => choice,
                Err(error) => return Judgement::Failed(error),
            };
            let keeps = keeping.contains(&choice.best.as_str());
            choices.push(JudgedChoice { play: choice.best, keeps });
        }
        Judgement::Solved(JudgedPosition {
            ply,
            state: position.show(),
            keeping: keeping.iter().map(|&m| m.to_owned()).collect(),
            moves: solution.lines.len(),
            choices,
        })
    }
}
