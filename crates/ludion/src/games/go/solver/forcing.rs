//! Retrograde analysis: the positions from which one side, the forcer, gets a lead of at least so many
//! points in a bounded number of plies, whatever the opponent does. A play that never ends counts
//! against the forcer.
//!
//! The opponent has at least the moves that superko leaves it, because positions forbid less. Whether
//! the forcer needs a move that superko forbids is checked afterwards, over all plays of its strategy.

use std::collections::{HashMap, HashSet};

use super::positions::{Position, PositionGraph, PositionId};
use super::stones::Stones;

/// Who moves, and after what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Turn {
    pub(super) is_forcer: bool,
    /// Whether the last move was a pass.
    pub(super) passed: bool,
}

impl Turn {
    const fn new(is_forcer: bool, passed: bool) -> Self {
        Turn { is_forcer, passed }
    }

    const fn index(self) -> usize {
        self.is_forcer as usize * 2 + self.passed as usize
    }
}

/// A position with its turn.
type Node = (PositionId, Turn);

/// The rank of a position from which nothing is forced.
const NEVER: u8 = u8::MAX;
/// Maximum number of rounds of the analysis.
const MAX_ROUNDS: u8 = 120;

/// For each position and turn, within how many plies the forcer gets its lead.
pub(super) struct Forcing<'a> {
    graph: &'a PositionGraph,
    /// The lead that is forced.
    lead: i32,
    ranks: Vec<[u8; 4]>,
}

impl<'a> Forcing<'a> {
    /// Returns the positions from which a lead of at least `lead` is forced; `None` if `stop` says so.
    pub(super) fn new(
        graph: &'a PositionGraph,
        lead: i32,
        stop: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut forcing = Forcing { graph, lead, ranks: vec![[NEVER; 4]; graph.len()] };
        for round in 0..MAX_ROUNDS {
            if stop() {
                return None;
            }
            let sides = [true, false].into_iter().zip([2 * round, 2 * round + 1]);
            let changed: usize = sides.map(|(side, rank)| forcing.rank_turns_of(side, rank)).sum();
            if changed == 0 {
                break;
            }
        }
        Some(forcing)
    }

    fn rank(&self, (id, turn): Node) -> u8 {
        self.ranks[id as usize][turn.index()]
    }

    /// Gives `rank` to all turns of one side that are won by what is ranked so far. Returns their
    /// number.
    fn rank_turns_of(&mut self, is_forcer: bool, rank: u8) -> usize {
        let mut changed = 0;
        for id in 0..self.graph.len() as PositionId {
            let turns = [false, true].map(|passed| Turn::new(is_forcer, passed));
            if turns.iter().all(|&turn| self.rank((id, turn)) != NEVER) {
                continue;
            }
            let won = |id: PositionId| self.rank((id, Turn::new(!is_forcer, false))) != NEVER;
            let successors = self.graph.successors(id);
            let by_stone = match is_forcer {
                true => successors.iter().any(|&next| won(next)),
                false => successors.iter().all(|&next| won(next)),
            };
            for turn in turns {
                let by_pass = self.is_won_by_pass((id, turn));
                let is_won = if is_forcer { by_stone || by_pass } else { by_stone && by_pass };
                if is_won && self.rank((id, turn)) == NEVER {
                    self.ranks[id as usize][turn.index()] = rank;
                    changed += 1;
                }
            }
        }
        changed
    }

    /// Returns whether a pass ends the game with the lead, or leads to a position that is won.
    fn is_won_by_pass(&self, (id, turn): Node) -> bool {
        match (turn.passed, turn.is_forcer) {
            (true, true) => self.graph.lead(id) >= self.lead,
            (true, false) => -self.graph.lead(id) >= self.lead,
            (false, is_forcer) => {
                self.rank((self.graph.after_pass(id), Turn::new(!is_forcer, true))) != NEVER
            }
        }
    }

    /// Returns what may follow if the forcer moves to the positions of the lowest rank.
    fn next(&self, (id, turn): Node) -> Vec<Node> {
        let then = |passed| Turn::new(!turn.is_forcer, passed);
        let pass = (!turn.passed).then(|| (self.graph.after_pass(id), then(true)));
        let stones = self.graph.successors(id).iter().map(|&next| (next, then(false)));
        let all = pass.into_iter().chain(stones);
        if !turn.is_forcer {
            return all.collect();
        }
        if turn.passed && self.is_won_by_pass((id, turn)) {
            return Vec::new();
        }
        all.min_by_key(|&node| (self.rank(node), node.0)).into_iter().collect()
    }

    /// Returns whether the forcer gets its lead from `start` under superko, by a strategy that moves to
    /// no board a second time. `is_past` tells which boards occurred before, seen by the opponent.
    pub(super) fn holds(
        &self,
        start: Position,
        turn: Turn,
        is_past: impl Fn(Stones) -> bool,
    ) -> bool {
        let start = (self.graph.id(start), turn);
        if self.rank(start) == NEVER {
            return false;
        }
        let (mut seen, mut open) = (HashSet::from([start]), vec![start]);
        // The lowest rank at which the forcer moves to each board.
        let mut made: HashMap<Stones, u8> = HashMap::new();
        while let Some(node) = open.pop() {
            for next in self.next(node) {
                if node.1.is_forcer && !next.1.passed {
                    let stones = self.graph.position(next.0).stones;
                    if self.graph.board.images([stones]).any(|[image]| is_past(image)) {
                        return false;
                    }
                    let lowest = made.entry(stones).or_insert(NEVER);
                    *lowest = self.rank(next).min(*lowest);
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen.into_iter().all(|node| {
            let lowest = made.get(&self.canonical_board(node));
            lowest.is_none_or(|&lowest| self.rank(node) <= lowest || !self.returns(node, lowest))
        })
    }

    /// Returns the board of a node, seen by the opponent of the forcer, as it stands for all symmetric
    /// boards.
    fn canonical_board(&self, (id, turn): Node) -> Stones {
        let stones = self.graph.position(id).stones;
        let stones = if turn.is_forcer { stones.seen_by_other() } else { stones };
        self.graph.board.images([stones]).map(|[image]| image).min().expect("there are symmetries")
    }

    /// Returns whether the forcer may move to the board of `node` again, in a play after it through
    /// ranks of at least `lowest`. Boards are compared as they lie, and all moves to the chosen
    /// position are followed, so that the answer is that of every symmetric node.
    fn returns(&self, node: Node, lowest: u8) -> bool {
        let board = &self.graph.board;
        let position = self.graph.position(node.0);
        let stones = position.stones;
        let target = if node.1.is_forcer { stones.seen_by_other() } else { stones };
        let (mut seen, mut open) = (HashSet::new(), vec![(position, node.1)]);
        while let Some((position, turn)) = open.pop() {
            for (id, then) in self.next((self.graph.id(position), turn)) {
                if self.rank((id, then)) < lowest {
                    continue;
                }
                let pass = then.passed.then(|| position.passed(board));
                let by_stone = (!then.passed).then(|| position.successors(board));
                let chosen = pass.into_iter().chain(by_stone.into_iter().flatten());
                for next in chosen.filter(|&next| self.graph.id(next) == id) {
                    if turn.is_forcer && !then.passed && next.stones == target {
                        return true;
                    }
                    if seen.insert((next, then)) {
                        open.push((next, then));
                    }
                }
            }
        }
        false
    }
}
