//! Exact solving of any duel: the result with best play by both sides, in how many plies (the
//! quickest win, the slowest loss), and every move that keeps this result.
//!
//! Small games are enumerated completely, every state once. Larger ones, and games that can return
//! to a state or have a rule about repetitions, are searched by iterative deepening until every root move is decided, with a
//! transposition table of fixed size. If only the result is asked for, proof-number search finds it.

use std::collections::HashMap;
use std::time::Instant;

use foldhash::fast::FixedState;

use crate::game::{Game, Side, Status};
use crate::memory::TryGrow;
use crate::outcome::{Duel, Wdl};
use crate::player::{Choice, MoveRequest, Proof, RootLine};
use crate::repetition::RepetitionRule;

pub use crate::solution::{Solution, SolveError, SolveFn, SolveLimits};

use super::iterative_deepening::{DeepeningLimits, deepen};
use super::proof_number::prove;
use super::pvs::MAX_DEPTH;
use super::transposition_table::TranspositionTable;

/// Solves the state of `request` exactly. The observer of the request gets reports and may stop the
/// solver; its budget is ignored.
///
/// # Errors
/// When the game is over, or a limit is reached.
///
/// ```
/// use ludion::{game::Game, games::matches::Matches, outcome::Wdl};
/// use ludion::{player::{Budget, MoveRequest}, search::solve::{SolveLimits, solve}};
/// let g = Matches { n: 6, misere: false };
/// let start = g.start();
/// let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
/// let solution = solve(&request, SolveLimits::default()).unwrap();
/// assert_eq!(solution.value.verdict, Wdl::Win);
/// assert_eq!((solution.best, solution.value.plies), (vec![2], Some(3)));
/// ```
pub fn solve<G: Game<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    limits: SolveLimits,
) -> Result<Solution<G::Move>, SolveError> {
    let Status::Turn(side) = request.status() else {
        return Err(SolveError::Over);
    };
    let mut nodes = 0;
    if request.game.repetition_rule() == RepetitionRule::Ignored {
        if limits.result_only {
            return prove(request, limits);
        }
        let mut all = StateEnumeration::new(request, limits);
        if let Some(solution) = all.solve(request.state, side) {
            return Ok(solution);
        }
        nodes = all.known.len() as u64;
    }
    let plan = DeepeningLimits {
        depth: MAX_DEPTH,
        time: None,
        nodes: Some(limits.nodes.saturating_sub(nodes)),
        threads: limits.threads.max(1),
        advanced: false,
        all: true,
        selective: false,
    };
    let table = TranspositionTable::growing(limits.megabytes);
    let (choice, done) = deepen(request, side, &table, None, plan);
    let nodes = choice.nodes + nodes;
    if !done {
        return Err(SolveError::Spent { nodes, depth: choice.depth });
    }
    Ok(solution(choice.lines, nodes))
}

/// Builds the solution from the lines of all root moves, which must all be proven. `nodes` is the
/// number of states visited.
fn solution<M: Copy>(lines: Vec<RootLine<M>>, nodes: u64) -> Solution<M> {
    let proof = |line: &RootLine<M>| line.proven.expect("every line of a solved state is proven");
    let best = lines.iter().map(|line| rank(proof(line))).max().expect("a running game has moves");
    let kept: Vec<&RootLine<M>> = lines.iter().filter(|line| rank(proof(line)) == best).collect();
    let (value, best) = (proof(kept[0]), kept.iter().map(|line| line.play).collect());
    Solution { value, best, lines, nodes }
}

/// Returns a rank that orders results for the side to move. Losses are lowest, quick ones below
/// slow ones; then come draws; then wins, slow ones below quick ones.
fn rank(proof: Proof) -> (Wdl, i64) {
    let plies = i64::from(proof.plies.unwrap_or(0));
    match proof.verdict {
        Wdl::Win => (Wdl::Win, -plies),
        Wdl::Draw => (Wdl::Draw, 0),
        Wdl::Loss => (Wdl::Loss, plies),
    }
}

/// Solves a game by enumerating all its states, and keeps their values.
struct StateEnumeration<'a, G: Game> {
    request: &'a MoveRequest<'a, G>,
    /// The value of each state for the side to move; `None` while the state is on the current path.
    known: HashMap<G::State, Option<Proof>, FixedState>,
    most: usize,
    /// Number of plies on the current path.
    depth: u32,
    moves: Vec<G::Move>,
    /// The first move of the state to solve, which stands for the best move in reports.
    first_move: Option<G::Move>,
    reported: Instant,
}

impl<'a, G: Game<Outcome = Duel>> StateEnumeration<'a, G> {
    fn new(request: &'a MoveRequest<'a, G>, limits: SolveLimits) -> Self {
        let most = limits.walk.min(usize::try_from(limits.nodes).unwrap_or(usize::MAX));
        let (known, moves, reported) = (HashMap::default(), Vec::new(), Instant::now());
        StateEnumeration { request, known, most, depth: 0, moves, first_move: None, reported }
    }

    /// Solves the state `s`, in which `side` moves. Returns `None` if there are too many states or
    /// plies, or too little memory, if play can return to a state, or if the observer stops the solver.
    fn solve(&mut self, s: &G::State, side: Side) -> Option<Solution<G::Move>> {
        let mut list = Vec::new();
        self.request.game.moves(s, &mut list);
        self.first_move = list.first().copied();
        let mut lines = Vec::with_capacity(list.len());
        self.known.insert(s.clone(), None);
        for m in list {
            let child = self.request.game.after(s, m);
            let proven = Some(self.worth(&child, side)?);
            let value = proven.map(|proof| f64::from(proof.verdict.sign()));
            let variation = std::iter::once(m).chain(self.variation(child)).collect();
            lines.push(RootLine { value, proven, variation, ..RootLine::new(m) });
        }
        Some(solution(lines, self.known.len() as u64))
    }

    /// Returns the value of `s` for `side`, which has just moved to `s`; its number of plies
    /// includes that move. `None` if the enumeration must be given up.
    fn worth(&mut self, s: &G::State, side: Side) -> Option<Proof> {
        let turn = match self.request.game.status(s) {
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

    /// Returns the value, for the side to move `turn`, of a state that is not yet known, and stores
    /// it. `None` if the enumeration must be given up.
    fn open(&mut self, s: &G::State, turn: Side) -> Option<Proof> {
        let is_large = self.known.len() >= self.most || self.depth == MAX_DEPTH;
        if is_large || self.stopped() || !self.known.try_grow(1) {
            return None;
        }
        self.depth += 1;
        self.known.insert(s.clone(), None);
        let base = self.moves.len();
        self.request.game.moves(s, &mut self.moves);
        let mut best: Option<Proof> = None;
        for i in base..self.moves.len() {
            let child = self.request.game.after(s, self.moves[i]);
            let proof = self.worth(&child, turn)?;
            if best.is_none_or(|best| rank(proof) > rank(best)) {
                best = Some(proof);
            }
        }
        self.moves.truncate(base);
        self.depth -= 1;
        // An insertion would make room for one more state, even though this one is there.
        *self.known.get_mut(s).expect("the state was opened") = best;
        best
    }

    /// Reports the number of states so far and returns whether the observer stops the enumeration.
    /// Does so only every few thousand states.
    fn stopped(&mut self) -> bool {
        if !self.known.len().is_multiple_of(4096) || self.reported.elapsed().as_millis() < 50 {
            return false;
        }
        self.reported = Instant::now();
        let observer = self.request.observer;
        if let (Some(_), Some(m)) = (observer.interval(), self.first_move) {
            observer.report(&Choice { nodes: self.known.len() as u64, ..Choice::bare(m) });
        }
        observer.should_stop()
    }

    /// Returns the moves of best play from `s` to the end of the game; of equal moves the first.
    fn variation(&mut self, mut s: G::State) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Status::Turn(turn) = self.request.game.status(&s) {
            let mut list = Vec::new();
            self.request.game.moves(&s, &mut list);
            let mut best: Option<(Proof, G::Move, G::State)> = None;
            for m in list {
                let child = self.request.game.after(&s, m);
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
