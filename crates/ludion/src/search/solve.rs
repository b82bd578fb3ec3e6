//! Exact solving: what a state is worth with best play by both sides, in how many plies (the
//! quickest win, the slowest loss), and every move that keeps it.
//!
//! Small games are walked through completely, every state once. Larger ones, and games that
//! can return to a state, are searched by iterative deepening until every move of the root
//! is decided, over a table of fixed size.

use std::collections::HashMap;
use std::time::Instant;

use crate::evaluator::ZeroEvaluator;
use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::player::{MoveRequest, Proof, RootLine};

use super::iterative_deepening::{DeepeningLimits, deepen};
use super::pvs::MAX_DEPTH;
use super::transposition_table::TranspositionTable;

/// What may be spent on solving a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveLimits {
    /// States visited at most.
    pub nodes: u64,
    /// States that are walked through before the search takes over.
    pub walk: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Size of the table in megabytes.
    pub megabytes: usize,
}

impl Default for SolveLimits {
    fn default() -> Self {
        SolveLimits { nodes: 10_000_000_000, walk: 1_000_000, threads: 1, megabytes: 256 }
    }
}

/// What perfect play comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// For the side to move: the verdict, and the plies to a win or a loss.
    pub value: Proof,
    /// The moves that keep the verdict and are the quickest to win or the slowest to lose.
    pub best: Vec<M>,
    /// Every move with what it comes to, in the order of the game.
    pub lines: Vec<RootLine<M>>,
    /// States visited.
    pub nodes: u64,
}

/// Why a state was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// There is nothing to solve.
    #[error("the game is over, there is nothing to solve")]
    Over,
    /// The effort was spent, or somebody stopped it.
    #[error("not solved after {nodes} states, {depth} plies deep; allow more states to go on")]
    Spent {
        /// States visited.
        nodes: u64,
        /// Plies that were searched completely.
        depth: u32,
    },
    /// The game is a puzzle.
    #[error("only games for two can be solved, and this is a puzzle for one")]
    Puzzle,
}

/// Solves the state of `turn`, whose watch is told about progress and may stop it; its budget
/// is not looked at.
///
/// # Errors
/// When the game is over, or the effort does not suffice.
///
/// ```
/// use ludion::{game::Game, games::matches::Matches, outcome::Verdict};
/// use ludion::{player::{Budget, Turn}, search::solve::{Effort, solve}};
/// let g = Matches { n: 6, misere: false };
/// let solution = solve(&Turn::new(&g, &g.start(), Budget::UNLIMITED), Effort::default()).unwrap();
/// assert_eq!(solution.value.verdict, Verdict::Win);
/// assert_eq!((solution.best, solution.value.plies), (vec![2], Some(3)));
/// ```
pub fn solve<G: Game<Outcome = Duel>>(
    turn: &MoveRequest<'_, G>,
    effort: SolveLimits,
) -> Result<Solution<G::Move>, SolveError> {
    let Status::Turn(side) = turn.game.status(turn.state) else {
        return Err(SolveError::Over);
    };
    let mut walk = SolverWalk::new(turn, effort);
    if let Some(solution) = walk.solve(turn.state, side) {
        return Ok(solution);
    }
    let nodes = walk.known.len() as u64;
    drop(walk);
    let plan = DeepeningLimits {
        depth: MAX_DEPTH,
        time: None,
        nodes: Some(effort.nodes.saturating_sub(nodes)),
        threads: effort.threads.max(1),
        advanced: false,
        all: true,
    };
    let table = TranspositionTable::growing(effort.megabytes);
    let (choice, done) = deepen(turn, side, &table, &ZeroEvaluator, plan);
    let nodes = choice.nodes + nodes;
    if !done {
        return Err(SolveError::Spent { nodes, depth: choice.depth });
    }
    Ok(solution(choice.lines, nodes))
}

/// Draws the conclusion from lines that are all proven.
fn solution<M: Copy>(lines: Vec<RootLine<M>>, nodes: u64) -> Solution<M> {
    let proof = |line: &RootLine<M>| line.proven.expect("every line of a solved state is proven");
    let best = lines.iter().map(|line| rank(proof(line))).max().expect("a running game has moves");
    let kept: Vec<&RootLine<M>> = lines.iter().filter(|line| rank(proof(line)) == best).collect();
    let (value, best) = (proof(kept[0]), kept.iter().map(|line| line.play).collect());
    Solution { value, best, lines, nodes }
}

/// Better for the mover is greater: wins, the quickest first; draws; losses, the slowest first.
fn rank(proof: Proof) -> (Wdl, i64) {
    let plies = i64::from(proof.plies.unwrap_or(0));
    match proof.verdict {
        Wdl::Win => (Wdl::Win, -plies),
        Wdl::Draw => (Wdl::Draw, 0),
        Wdl::Loss => (Wdl::Loss, plies),
    }
}

/// A walk through all states.
struct SolverWalk<'a, G: Game> {
    turn: &'a MoveRequest<'a, G>,
    /// The worth of each state to the side that moves there; `None` while it is on the path.
    known: HashMap<G::State, Option<Proof>>,
    most: usize,
    /// Plies on the path.
    depth: u32,
    moves: Vec<G::Move>,
    reported: Instant,
}

impl<'a, G: Game<Outcome = Duel>> SolverWalk<'a, G> {
    fn new(turn: &'a MoveRequest<'a, G>, effort: SolveLimits) -> Self {
        let most = effort.walk.min(usize::try_from(effort.nodes).unwrap_or(usize::MAX));
        let (known, moves, reported) = (HashMap::new(), Vec::new(), Instant::now());
        SolverWalk { turn, known, most, depth: 0, moves, reported }
    }

    /// `None` when there are too many states, or play can go in circles.
    fn solve(&mut self, s: &G::State, side: Side) -> Option<Solution<G::Move>> {
        let mut list = Vec::new();
        self.turn.game.moves(s, &mut list);
        let mut lines = Vec::with_capacity(list.len());
        self.known.insert(s.clone(), None);
        for m in list {
            let child = self.turn.game.after(s, m);
            let proven = Some(self.worth(&child, side)?);
            let value = proven.map(|proof| f64::from(proof.verdict.sign()));
            let variation = std::iter::once(m).chain(self.variation(child)).collect();
            lines.push(RootLine { value, proven, variation, ..RootLine::new(m) });
        }
        Some(solution(lines, self.known.len() as u64))
    }

    /// The worth of `s` to `side`, which moved there, counted from before that move.
    fn worth(&mut self, s: &G::State, side: Side) -> Option<Proof> {
        let turn = match self.turn.game.status(s) {
            Status::Over(end) => {
                let verdict = end.seen_by(side);
                return Some(Proof { verdict, plies: (verdict != Wdl::Draw).then_some(1) });
            }
            Status::Turn(turn) => turn,
        };
        let proof = match self.known.get(s) {
            Some(known) => (*known)?,
            None => self.open(s, turn)?,
        };
        let verdict = if turn == side { proof.verdict } else { proof.verdict.flip() };
        Some(Proof { verdict, plies: proof.plies.map(|plies| plies + 1) })
    }

    /// The worth of a state that is met for the first time, to `turn`, which moves.
    fn open(&mut self, s: &G::State, turn: Side) -> Option<Proof> {
        if self.known.len() >= self.most || self.depth == MAX_DEPTH || self.stopped() {
            return None;
        }
        self.depth += 1;
        self.known.insert(s.clone(), None);
        let base = self.moves.len();
        self.turn.game.moves(s, &mut self.moves);
        let mut best: Option<Proof> = None;
        for i in base..self.moves.len() {
            let child = self.turn.game.after(s, self.moves[i]);
            let proof = self.worth(&child, turn)?;
            if best.is_none_or(|best| rank(proof) > rank(best)) {
                best = Some(proof);
            }
        }
        self.moves.truncate(base);
        self.depth -= 1;
        self.known.insert(s.clone(), best);
        best
    }

    /// Whether the watch stops the walk; asked now and then.
    fn stopped(&mut self) -> bool {
        if !self.known.len().is_multiple_of(4096) || self.reported.elapsed().as_millis() < 50 {
            return false;
        }
        self.reported = Instant::now();
        self.turn.observer.should_stop()
    }

    /// Best play from `s` on, the first of equal moves each time.
    fn variation(&mut self, mut s: G::State) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Status::Turn(turn) = self.turn.game.status(&s) {
            let mut list = Vec::new();
            self.turn.game.moves(&s, &mut list);
            let mut best: Option<(Proof, G::Move, G::State)> = None;
            for m in list {
                let child = self.turn.game.after(&s, m);
                let Some(proof) = self.worth(&child, turn) else { return line };
                if best.as_ref().is_none_or(|(most, ..)| rank(proof) > rank(*most)) {
                    best = Some((proof, m, child));
                }
            }
            let (_, m, child) = best.expect("a running game has moves");
            line.push(m);
            s = child;
        }
        line
    }
}
