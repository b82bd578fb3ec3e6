//! Branch and bound search for the cost of a set of codes. A guess costs one for each of the n
//! codes that can be the secret, plus the costs of the classes into which its feedback splits them.
//!
//! The cost of a set is bounded from below by its size, by the shared [table](super::cost_bounds),
//! and by the number k of different feedbacks that a guess can receive: n codes cost at least `3n −
//! k`, and one less if the guess can be the secret.

use super::super::super::Mastermind;
use super::super::codes::{CodeIndex, CodeTable};
use super::super::symmetry::CodeSymmetry;

use super::cost_bounds::{CostLowerBound, CostTable, IMPOSSIBLE, KnownCost, guesses_after_one};
use super::feedback_matrix::{FeedbackBits, FeedbackMatrix};
use super::renumbering::renumber_colours;

/// Data shared by all threads of a search for the optimal strategy.
pub(super) struct OptimalSearch<'a> {
    pub(super) codes: &'a CodeTable,
    pub(super) lower_bound: CostLowerBound,
    pub(super) cost_table: CostTable,
    /// Number of feedbacks that can occur, which is also the largest number of codes that one guess
    /// can tell apart; for larger sets, guesses are bounded by the sizes of their classes.
    pub(super) width: usize,
    /// Estimated cost (total number of guesses) of n codes, at index n, in sixteenths of a guess;
    /// used to order guesses.
    pub(super) estimates: Vec<u32>,
}

/// Reusable memory for one node of the search; there is one for each depth.
#[derive(Default)]
pub(super) struct NodeBuffers {
    feedback: Vec<FeedbackBits>,
    pub(super) candidates: Vec<GuessCandidate>,
    /// Smallest bound of the guesses that are not candidates because their bounds reach the limit.
    pub(super) rejected_bound: u32,
}

/// A guess to be searched, with a lower bound of its cost, the total number of guesses needed to
/// find each code of the node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GuessCandidate {
    /// Estimated cost; guesses are searched in ascending order of it.
    pub(super) estimate: u32,
    pub(super) bound: u32,
    /// Column of the guess in the feedback matrix.
    pub(super) column: u32,
}

/// A node of the search: a set of codes as rows of a feedback matrix, the number of remaining
/// guesses, and the remaining symmetry if the set is large enough to use it.
#[derive(Clone, Copy)]
pub(super) struct CodeSetNode<'a> {
    pub(super) matrix: &'a FeedbackMatrix,
    pub(super) rows: &'a [u16],
    pub(super) guesses: usize,
    pub(super) symmetry: Option<&'a CodeSymmetry>,
}

/// Minimum number of codes of a set for which a feedback matrix of its own is computed; the set
/// must also have at most 1/[`MATRIX_SHRINK_FACTOR`] of the codes of the current matrix.
const MIN_MATRIX_SIZE: usize = 32;
const MATRIX_SHRINK_FACTOR: usize = 4;
/// Minimum number of codes of a set for which guesses that are equivalent by symmetry are skipped.
const MIN_SYMMETRY_SIZE: usize = 16;

/// Returns the minimum number of codes of a set that is looked up with its colours renumbered; a
/// search of codes with few pegs is deep and meets more sets that are equal up to the colours.
fn min_renumbered_size(pegs: usize) -> usize {
    if pegs <= 3 { 6 } else { 24 }
}

/// Allocates the buffers of one thread for all depths of the search, which is deep if guesses have few
/// different answers.
pub(super) fn new_buffer_stack(rules: &Mastermind) -> Vec<NodeBuffers> {
    let depths = if rules.pegs <= 2 { 512 } else { 64 };
    std::iter::repeat_with(NodeBuffers::default).take(depths).collect()
}

impl OptimalSearch<'_> {
    pub(super) fn key(&self, node: CodeSetNode<'_>) -> u128 {
        let indices = node.rows.iter().map(|&row| node.matrix.codes[usize::from(row)]);
        self.cost_table.key(indices, node.guesses)
    }

    /// Returns the cost of a node, or a lower bound of at least `limit`, or `None` if neither is
    /// known without a search.
    pub(super) fn known_cost(&self, node: CodeSetNode<'_>, key: u128, limit: u32) -> Option<u32> {
        let lower_bound = self.lower_bound.get(node.rows.len(), node.guesses);
        if node.rows.len() <= 2 || lower_bound >= limit {
            return Some(lower_bound);
        }
        self.table_cost(key, limit).map(KnownCost::bound)
    }

    /// Returns the exact cost under a key of the table, or a lower bound of at least `limit`.
    fn table_cost(&self, key: u128, limit: u32) -> Option<KnownCost> {
        self.cost_table.get(key).filter(|known| match *known {
            KnownCost::Exactly(_) => true,
            KnownCost::AtLeast(bound) => bound >= limit,
        })
    }

    /// Returns the key of the set of a node after its colours are renumbered, so that sets which
    /// differ only by a permutation of the colours mostly have the same key; their costs are equal.
    /// Returns `None` for small sets, which are searched faster.
    fn canonical_key(&self, node: CodeSetNode<'_>) -> Option<u128> {
        (node.rows.len() >= min_renumbered_size(self.codes.rules().pegs)).then(|| {
            let codes = node.rows.iter().map(|&row| node.matrix.codes[usize::from(row)]);
            let renumbered = renumber_colours(self.codes, &codes.collect::<Vec<_>>());
            self.cost_table.key(renumbered.into_iter(), node.guesses)
        })
    }

    /// Returns the smallest total number of guesses that find each code of the node, if it is below
    /// `limit`; otherwise a lower bound of at least `limit`.
    pub(super) fn cost(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        buffer_stack: &mut [NodeBuffers],
    ) -> u32 {
        let key = self.key(node);
        if let Some(known_cost) = self.known_cost(node, key, limit) {
            return known_cost;
        }
        let canonical_key = self.canonical_key(node);
        let found = canonical_key.and_then(|key| self.table_cost(key, limit));
        let found = found.unwrap_or_else(|| self.search_node(node, limit, buffer_stack));
        self.cost_table.keep(key, found);
        if let Some(key) = canonical_key {
            self.cost_table.keep(key, found);
        }
        found.bound()
    }

    /// Returns the guess with the smallest cost at a node, the first of several in the order of the
    /// candidates.
    pub(super) fn choose(
        &self,
        node: CodeSetNode<'_>,
        buffer_stack: &mut [NodeBuffers],
    ) -> CodeIndex {
        let cost = self.cost(node, IMPOSSIBLE, buffer_stack);
        let (buffers, buffer_stack) =
            buffer_stack.split_first_mut().expect("buffers for every depth");
        node.matrix.possible_feedback(node.rows, &mut buffers.feedback);
        self.candidates(node, cost + 1, buffers);
        let mut columns = buffers.candidates.iter().filter(|c| c.bound <= cost).map(|c| c.column);
        let best =
            columns.find(|&column| self.guess_cost(node, column, cost + 1, buffer_stack) == cost);
        node.matrix.guesses[best.expect("a guess has the cost") as usize]
    }

    /// Computes the cost of a node, or a lower bound of at least `limit`: first tries a quick
    /// bound, then searches guesses until none can be better.
    fn search_node(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        buffer_stack: &mut [NodeBuffers],
    ) -> KnownCost {
        let (buffers, buffer_stack) =
            buffer_stack.split_first_mut().expect("buffers for every depth");
        if let Some(known_cost) = self.quick_bound(node, limit, buffers) {
            return known_cost;
        }
        let n = node.rows.len();
        if n < MIN_MATRIX_SIZE || n * MATRIX_SHRINK_FACTOR > node.matrix.codes.len() {
            self.candidates(node, limit, buffers);
            return self.best_cost(node, limit, buffers, buffer_stack);
        }
        let set: Vec<CodeIndex> =
            node.rows.iter().map(|&row| node.matrix.codes[usize::from(row)]).collect();
        let matrix =
            FeedbackMatrix::new(self.codes, &set, &node.matrix.guesses, self.cost_table.keys());
        let rows: Vec<u16> = (0..n as u16).collect();
        let node = CodeSetNode { matrix: &matrix, rows: &rows, ..node };
        matrix.possible_feedback(&rows, &mut buffers.feedback);
        self.candidates(node, limit, buffers);
        self.best_cost(node, limit, buffers, buffer_stack)
    }

    /// Returns the smallest cost of the candidates if it is below `limit`, otherwise a lower bound;
    /// candidates whose bound is not below the best cost so far are skipped.
    fn best_cost(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        buffers: &NodeBuffers,
        buffer_stack: &mut [NodeBuffers],
    ) -> KnownCost {
        let (mut best, mut bound) = (limit, buffers.rejected_bound);
        for candidate in &buffers.candidates {
            if candidate.bound >= best {
                bound = bound.min(candidate.bound);
                continue;
            }
            let cost = self.guess_cost(node, candidate.column, best, buffer_stack);
            if cost < best {
                best = cost;
            } else {
                bound = bound.min(cost);
            }
        }
        if best < limit { KnownCost::Exactly(best) } else { KnownCost::AtLeast(bound.max(limit)) }
    }

    /// Stores the possible feedbacks to each guess in `buffers`. Returns the cost of the node, or a
    /// lower bound of at least `limit`, if the numbers of these feedbacks suffice; otherwise
    /// `None`.
    pub(super) fn quick_bound(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        buffers: &mut NodeBuffers,
    ) -> Option<KnownCost> {
        let n = node.rows.len() as u32;
        node.matrix.possible_feedback(node.rows, &mut buffers.feedback);
        let max = buffers.feedback.iter().map(|&feedback| self.gain(feedback)).max().unwrap_or(0);
        let least = 3 * n - max;
        if least >= limit {
            return Some(KnownCost::AtLeast(least));
        }
        // Every class has one code, or one class has two: the bound is exact.
        (least <= 2 * n && node.guesses >= 3).then_some(KnownCost::Exactly(least))
    }

    /// Returns the difference between 3n and the lower bound of the cost of n codes after a guess
    /// with these possible feedbacks: 1 for each feedback, and 1 more if the guess can be the
    /// secret.
    #[inline]
    fn gain(&self, feedback: FeedbackBits) -> u32 {
        feedback.count_ones() + u32::from(feedback >> self.codes.solved() & 1)
    }

    /// Lists in `buffers` the guesses that may cost less than `limit`, the most promising first.
    pub(super) fn candidates(&self, node: CodeSetNode<'_>, limit: u32, buffers: &mut NodeBuffers) {
        let CodeSetNode { matrix, rows, symmetry, .. } = node;
        let n = rows.len() as u32;
        buffers.candidates.clear();
        buffers.rejected_bound = IMPOSSIBLE;
        for (column, &feedback) in buffers.feedback.iter().enumerate() {
            let bound = 3 * n - self.gain(feedback);
            if feedback & (feedback - 1) == 0 {
                continue;
            }
            if bound >= limit {
                buffers.rejected_bound = buffers.rejected_bound.min(bound);
            } else {
                buffers.candidates.push(GuessCandidate {
                    estimate: bound,
                    bound,
                    column: column as u32,
                });
            }
        }
        if let Some(symmetry) = symmetry {
            let guess = |c: &GuessCandidate| self.codes.code(matrix.guesses[c.column as usize]);
            buffers.candidates.retain(|candidate| symmetry.is_canonical(guess(candidate)));
        }
        if rows.len() > self.width {
            self.bound_by_class_sizes(node, limit, buffers);
        }
        buffers.candidates.sort_unstable();
    }

    /// Tightens the bounds of the candidates by the sizes of the classes into which their feedback
    /// splits the codes, and removes those that cannot cost less than `limit`.
    fn bound_by_class_sizes(&self, node: CodeSetNode<'_>, limit: u32, buffers: &mut NodeBuffers) {
        let set: Vec<CodeIndex> =
            node.rows.iter().map(|&row| node.matrix.codes[usize::from(row)]).collect();
        let solved = usize::from(self.codes.solved());
        let guesses = guesses_after_one(node.guesses);
        let mut sizes = [0; 256];
        let mut rejected_bound = buffers.rejected_bound;
        buffers.candidates.retain_mut(|candidate| {
            self.codes.count(node.matrix.guesses[candidate.column as usize], &set, &mut sizes);
            let (mut bound, mut estimate) = (set.len() as u32, 0);
            for &size in sizes[..solved].iter().filter(|&&size| size > 0) {
                bound += self.lower_bound.get(size as usize, guesses);
                estimate += self.estimates[size as usize];
            }
            candidate.bound = bound;
            candidate.estimate = estimate;
            if bound >= limit {
                rejected_bound = rejected_bound.min(bound);
            }
            bound < limit
        });
        buffers.rejected_bound = rejected_bound;
    }

    /// Returns the cost of the node after the guess in this column if it is below `limit`,
    /// otherwise a lower bound of at least `limit`.
    pub(super) fn guess_cost(
        &self,
        node: CodeSetNode<'_>,
        column: u32,
        limit: u32,
        buffer_stack: &mut [NodeBuffers],
    ) -> u32 {
        self.guess_cost_with(node, column, limit, |node, limit| {
            self.cost(node, limit, buffer_stack)
        })
    }

    /// Computes [`OptimalSearch::guess_cost`]; `cost` is called with a class of codes and a limit,
    /// and returns the same as [`OptimalSearch::cost`].
    pub(super) fn guess_cost_with(
        &self,
        node: CodeSetNode<'_>,
        column: u32,
        limit: u32,
        mut cost: impl FnMut(CodeSetNode<'_>, u32) -> u32,
    ) -> u32 {
        let classes = self.classes(node, column);
        let guesses = guesses_after_one(node.guesses);
        let guess = || self.codes.code(node.matrix.guesses[column as usize]);
        let symmetry = node.symmetry.map(|symmetry| symmetry.after_guess(guess()));
        let symmetry = symmetry.as_ref().filter(|symmetry| !symmetry.is_trivial());
        let child = |rows| CodeSetNode { rows, guesses, symmetry, ..node };
        let mut total = node.rows.len() as u32;
        let mut open: Vec<(u32, &[u16])> = Vec::with_capacity(classes.len());
        for rows in &classes {
            let mut bound = self.lower_bound.get(rows.len(), guesses);
            if rows.len() > 2 {
                match self.cost_table.get(self.key(child(rows))) {
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
            let node = CodeSetNode {
                symmetry: symmetry.filter(|_| rows.len() >= MIN_SYMMETRY_SIZE),
                ..node
            };
            total = others + cost(node, limit - others);
        }
        total.min(IMPOSSIBLE)
    }

    /// Splits the codes of a node by their feedback to the guess in this column, and returns the
    /// rows of each class, without the class of the guess itself.
    fn classes(&self, node: CodeSetNode<'_>, column: u32) -> Vec<Vec<u16>> {
        let solved = usize::from(self.codes.solved());
        let mut classes = vec![Vec::new(); solved + 1];
        for &row in node.rows {
            let bit = node.matrix.row(row)[column as usize];
            classes[bit.trailing_zeros() as usize].push(row);
        }
        classes.truncate(solved);
        classes.retain(|class| !class.is_empty());
        classes
    }
}
