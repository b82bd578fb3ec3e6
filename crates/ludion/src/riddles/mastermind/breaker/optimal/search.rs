//! Branch and bound. A guess at n codes costs n, plus the costs of the sets that its answers
//! leave; a set is bounded from below by its [floor](super::floor), by what memory knows, and by
//! a look at how many answers each guess can get: with k answers n codes cost at least `3n − k`,
//! one less if the guess can be the code.

use super::super::codes::{CodeIndex, CodeTable};
use super::super::symmetry::CodeSymmetry;
use super::floor::{CostLowerBound, IMPOSSIBLE, after_one};
use super::memory::{CostTable, KnownCost};
use super::view::{CodeSetView, FeedbackBits};

/// What all threads of a search share.
pub(super) struct OptimalSearch<'a> {
    pub(super) codes: &'a CodeTable,
    pub(super) floor: CostLowerBound,
    pub(super) memory: CostTable,
    /// Codes that any guess can split completely; more need a closer look at the classes.
    pub(super) width: usize,
    /// What so many codes may well cost, in sixteenths; for the order in which guesses are tried.
    pub(super) estimates: Vec<u32>,
}

/// What one node of the search writes on; one for each depth.
#[derive(Default)]
pub(super) struct NodeBuffers {
    answers: Vec<FeedbackBits>,
    pub(super) candidates: Vec<GuessCandidate>,
}

/// A guess by what it costs at least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GuessCandidate {
    /// What it may well cost, for the order.
    pub(super) estimate: u32,
    pub(super) bound: u32,
    /// The column of the view.
    pub(super) column: u32,
}

/// A set of codes: rows of a view; with the guesses left, and what has been asked cannot tell
/// apart, where that is worth knowing.
#[derive(Clone, Copy)]
pub(super) struct CodeSetNode<'a> {
    pub(super) view: &'a CodeSetView,
    pub(super) rows: &'a [u16],
    pub(super) guesses: usize,
    pub(super) symmetry: Option<&'a CodeSymmetry>,
}

/// Sets from this size are given views of their own when they are a small part of theirs.
const OWN_VIEW: usize = 32;
const SMALL_PART: usize = 4;
/// Sets from this size are looked at for symmetry.
const SYMMETRIC: usize = 16;

pub(super) fn desks() -> Vec<NodeBuffers> {
    std::iter::repeat_with(NodeBuffers::default).take(64).collect()
}

impl OptimalSearch<'_> {
    pub(super) fn key(&self, node: CodeSetNode<'_>) -> u128 {
        let numbers = node.rows.iter().map(|&row| node.view.codes[usize::from(row)]);
        self.memory.key(numbers, node.guesses)
    }

    /// What can be said of the cost without a search, if that answers whether it is below `limit`.
    pub(super) fn known(&self, node: CodeSetNode<'_>, key: u128, limit: u32) -> Option<u32> {
        let floor = self.floor.least(node.rows.len(), node.guesses);
        if node.rows.len() <= 2 || floor >= limit {
            return Some(floor);
        }
        match self.memory.get(key)? {
            KnownCost::Exactly(cost) => Some(cost),
            KnownCost::AtLeast(bound) => Some(bound).filter(|&bound| bound >= limit),
        }
    }

    /// The least cost of the set if it is below `limit`; else a number from `limit` on that it is
    /// not below.
    pub(super) fn cost(&self, node: CodeSetNode<'_>, limit: u32, desks: &mut [NodeBuffers]) -> u32 {
        let key = self.key(node);
        if let Some(known) = self.known(node, key, limit) {
            return known;
        }
        let found = self.examine(node, limit, desks);
        self.memory.keep(key, found);
        found.bound()
    }

    /// The first of the guesses that cost least.
    pub(super) fn choose(&self, node: CodeSetNode<'_>, desks: &mut [NodeBuffers]) -> CodeIndex {
        let cost = self.cost(node, IMPOSSIBLE, desks);
        let (desk, desks) = desks.split_first_mut().expect("a desk for every depth");
        node.view.answers(node.rows, &mut desk.answers);
        self.candidates(node, cost + 1, desk);
        let mut columns = desk.candidates.iter().filter(|c| c.bound <= cost).map(|c| c.column);
        let best = columns.find(|&column| self.attempt(node, column, cost + 1, desks) == cost);
        node.view.guesses[best.expect("one of them has the cost") as usize]
    }

    /// Looks at the answers that guesses can get, then tries guesses until none can be better.
    fn examine(&self, node: CodeSetNode<'_>, limit: u32, desks: &mut [NodeBuffers]) -> KnownCost {
        let (desk, desks) = desks.split_first_mut().expect("a desk for every depth");
        if let Some(known) = self.glance(node, limit, desk) {
            return known;
        }
        let n = node.rows.len();
        if n < OWN_VIEW || n * SMALL_PART > node.view.codes.len() {
            self.candidates(node, limit, desk);
            return self.try_all(node, limit, &desk.candidates, desks);
        }
        let set: Vec<CodeIndex> =
            node.rows.iter().map(|&row| node.view.codes[usize::from(row)]).collect();
        let view = CodeSetView::new(self.codes, &set, &node.view.guesses, self.memory.keys());
        let rows: Vec<u16> = (0..n as u16).collect();
        let node = CodeSetNode { view: &view, rows: &rows, ..node };
        view.answers(&rows, &mut desk.answers);
        self.candidates(node, limit, desk);
        self.try_all(node, limit, &desk.candidates, desks)
    }

    fn try_all(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        candidates: &[GuessCandidate],
        desks: &mut [NodeBuffers],
    ) -> KnownCost {
        let (mut best, mut bound) = (limit, IMPOSSIBLE);
        for candidate in candidates {
            if candidate.bound >= best {
                bound = bound.min(candidate.bound);
                continue;
            }
            let cost = self.attempt(node, candidate.column, best, desks);
            if cost < best {
                best = cost;
            } else {
                bound = bound.min(cost);
            }
        }
        if best < limit { KnownCost::Exactly(best) } else { KnownCost::AtLeast(bound.max(limit)) }
    }

    /// Collects the answers that each guess can get, and says what is known of the cost if that is
    /// enough.
    pub(super) fn glance(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        desk: &mut NodeBuffers,
    ) -> Option<KnownCost> {
        let n = node.rows.len() as u32;
        node.view.answers(node.rows, &mut desk.answers);
        let most = desk.answers.iter().map(|&answers| self.gain(answers)).max().unwrap_or(0);
        let least = 3 * n - most;
        if least >= limit {
            return Some(KnownCost::AtLeast(least));
        }
        // All alone, or all but one pair: nothing is left to be found out.
        (least <= 2 * n && node.guesses >= 3).then_some(KnownCost::Exactly(least))
    }

    /// What so many answers take from the cost of three guesses a code.
    #[inline]
    fn gain(&self, answers: FeedbackBits) -> u32 {
        answers.count_ones() + u32::from(answers >> self.codes.solved() & 1)
    }

    /// Lists the guesses that may cost less than `limit`, the most promising first.
    pub(super) fn candidates(&self, node: CodeSetNode<'_>, limit: u32, desk: &mut NodeBuffers) {
        let CodeSetNode { view, rows, symmetry, .. } = node;
        let n = rows.len() as u32;
        desk.candidates.clear();
        for (column, &answers) in desk.answers.iter().enumerate() {
            let bound = 3 * n - self.gain(answers);
            if bound < limit && answers & (answers - 1) != 0 {
                desk.candidates.push(GuessCandidate {
                    estimate: bound,
                    bound,
                    column: column as u32,
                });
            }
        }
        if let Some(symmetry) = symmetry {
            let guess = |c: &GuessCandidate| self.codes.code(view.guesses[c.column as usize]);
            desk.candidates.retain(|candidate| symmetry.is_smallest(guess(candidate)));
        }
        if rows.len() > self.width {
            self.look_closer(node, limit, desk);
        }
        desk.candidates.sort_unstable();
    }

    /// Bounds guesses by the sizes of their classes.
    fn look_closer(&self, node: CodeSetNode<'_>, limit: u32, desk: &mut NodeBuffers) {
        let set: Vec<CodeIndex> =
            node.rows.iter().map(|&row| node.view.codes[usize::from(row)]).collect();
        let solved = usize::from(self.codes.solved());
        let guesses = after_one(node.guesses);
        let mut sizes = [0; 256];
        desk.candidates.retain_mut(|candidate| {
            self.codes.count(node.view.guesses[candidate.column as usize], &set, &mut sizes);
            let (mut bound, mut estimate) = (set.len() as u32, 0);
            for &size in sizes[..solved].iter().filter(|&&size| size > 0) {
                bound += self.floor.least(size as usize, guesses);
                estimate += self.estimates[size as usize];
            }
            candidate.bound = bound;
            candidate.estimate = estimate;
            bound < limit
        });
    }

    /// What a guess costs if that is below `limit`; else a number from `limit` on that it is not
    /// below.
    pub(super) fn attempt(
        &self,
        node: CodeSetNode<'_>,
        column: u32,
        limit: u32,
        desks: &mut [NodeBuffers],
    ) -> u32 {
        self.attempt_by(node, column, limit, |node, limit| self.cost(node, limit, desks))
    }

    /// The same, the costs of the sets it leaves found by `cost`.
    pub(super) fn attempt_by(
        &self,
        node: CodeSetNode<'_>,
        column: u32,
        limit: u32,
        mut cost: impl FnMut(CodeSetNode<'_>, u32) -> u32,
    ) -> u32 {
        let classes = self.classes(node, column);
        let guesses = after_one(node.guesses);
        let guess = || self.codes.code(node.view.guesses[column as usize]);
        let symmetry = node.symmetry.map(|symmetry| symmetry.asked(guess()));
        let symmetry = symmetry.as_ref().filter(|symmetry| !symmetry.is_trivial());
        let child = |rows| CodeSetNode { rows, guesses, symmetry, ..node };
        let mut total = node.rows.len() as u32;
        let mut open: Vec<(u32, &[u16])> = Vec::with_capacity(classes.len());
        for rows in &classes {
            let mut bound = self.floor.least(rows.len(), guesses);
            if rows.len() > 2 {
                match self.memory.get(self.key(child(rows))) {
                    Some(KnownCost::Exactly(cost)) => bound = cost,
                    Some(KnownCost::AtLeast(least)) => {
                        bound = bound.max(least);
                        open.push((bound, rows));
                    }
                    None => open.push((bound, rows)),
                }
            }
            total += bound;
        }
        open.sort_by_key(|(_, rows)| rows.len());
        for (bound, rows) in open {
            if total >= limit {
                break;
            }
            let others = total - bound;
            let node = child(rows);
            let node =
                CodeSetNode { symmetry: symmetry.filter(|_| rows.len() >= SYMMETRIC), ..node };
            total = others + cost(node, limit - others);
        }
        total.min(IMPOSSIBLE)
    }

    /// The sets that the answers to a guess leave, but the one that ends the game.
    fn classes(&self, node: CodeSetNode<'_>, column: u32) -> Vec<Vec<u16>> {
        let solved = usize::from(self.codes.solved());
        let mut classes = vec![Vec::new(); solved + 1];
        for &row in node.rows {
            let bit = node.view.row(row)[column as usize];
            classes[bit.trailing_zeros() as usize].push(row);
        }
        classes.truncate(solved);
        classes.retain(|class| !class.is_empty());
        classes
    }
}
