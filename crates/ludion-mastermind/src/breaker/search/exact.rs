//! Exact methods of finding consistent codes: uniform sampling while many codes are consistent, and
//! enumeration when few are.
//!
//! Enumeration is backtracking, peg by peg. With r pegs to go, the number of black pegs against
//! each guess can increase by at most r and never decreases, and likewise that of black and white
//! pegs together: a prefix that cannot reach a feedback any more, or exceeds it, is pruned. The
//! size of the tree is first estimated by random descents (Knuth, *Estimating the Efficiency of
//! Backtrack Programs*, 1975).

use std::ops::Range;

use super::super::super::Code;
use super::consistency::ConsistentCodes;
use super::consistency::History;
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;

/// Samples codes uniformly until `wanted` consistent ones are found.
///
/// After `draws.start` samples it gives up, unless the rate so far promises at least an eighth of
/// `wanted` within `draws.end` samples, where it ends in any case. It also gives up if a tenth of
/// `draws.start` samples contains no consistent code.
pub(super) fn sample(
    past: &History,
    wanted: usize,
    draws: Range<usize>,
    rng: &mut Rng,
) -> ConsistentCodes {
    let mut found = ConsistentCodes::new();
    for drawn in 0..draws.end {
        if drawn == draws.start && found.codes.len() * draws.end / drawn < wanted / 8
            || drawn == draws.start / 10 && found.codes.is_empty()
        {
            break;
        }
        let code = past.rules.draw_secret(rng);
        if past.is_consistent(&code) {
            found.keep(code);
            if found.codes.len() == wanted {
                break;
            }
        }
    }
    found
}

/// Returns all consistent codes, or a uniform sample of `max` of them, in random order; `None` if
/// the search tree has, or is estimated to have, more than `nodes` nodes.
pub(super) fn enumerate(
    past: &History,
    max: usize,
    nodes: u64,
    rng: &mut Rng,
) -> Option<ConsistentCodes> {
    let mut tree = PrefixTree::new(past);
    let estimate = (0..PROBES).map(|_| tree.estimate(rng)).sum::<f64>() / f64::from(PROBES);
    if estimate > nodes as f64 {
        return None;
    }
    let mut list = ReservoirSample { codes: Vec::new(), count: 0, max, left: nodes, rng };
    if !tree.walk(&mut list) {
        return None;
    }
    let ReservoirSample { mut codes, count, .. } = list;
    for i in (1..codes.len()).rev() {
        codes.swap(i, rng.below(i + 1));
    }
    let mut found = ConsistentCodes::new();
    found.total = Some(count);
    codes.into_iter().for_each(|code| found.keep(code));
    Some(found)
}

/// Number of random descents by which the size of the search tree is estimated.
const PROBES: u32 = 32;

/// A uniform sample of the codes of an enumeration (reservoir sampling).
struct ReservoirSample<'a> {
    codes: Vec<Code>,
    count: u64,
    max: usize,
    /// Number of nodes of the search tree that may still be visited.
    left: u64,
    rng: &'a mut Rng,
}

impl ReservoirSample<'_> {
    fn keep(&mut self, code: &Code) {
        self.count += 1;
        if self.codes.len() < self.max {
            self.codes.push(code.clone());
        } else if self.rng.unit() * (self.count as f64) < self.max as f64 {
            let place = self.rng.below(self.max);
            self.codes[place].copy_from_slice(code);
        }
    }
}

/// The tree of prefixes of codes that may still become consistent.
struct PrefixTree<'a> {
    past: &'a History,
    /// The prefix at the current node.
    code: Code,
    /// Number of times each colour occurs in the prefix.
    used: Vec<i16>,
    /// For each length of the prefix, the number of black pegs in the feedback to each past guess,
    /// minus those that the prefix has already.
    black: Vec<Vec<i16>>,
    /// For each length of the prefix, the number of black and white pegs together in the feedback
    /// to each past guess, minus those that the prefix has already.
    common: Vec<Vec<i16>>,
}

impl<'a> PrefixTree<'a> {
    fn new(past: &'a History) -> Self {
        let pad = |wanted: Vec<i16>| {
            let mut row = wanted;
            row.resize(past.lanes.width(), 0);
            vec![row; past.rules.pegs + 1]
        };
        PrefixTree {
            past,
            code: Code::new(),
            used: vec![0; past.rules.colours],
            black: pad(past.wanted.iter().map(|wanted| wanted.0).collect()),
            common: pad(past.wanted.iter().map(|wanted| wanted.1).collect()),
        }
    }

    /// Appends a peg to the prefix; returns false, without appending it, if the counts prove that
    /// no consistent code has the longer prefix.
    #[inline]
    fn push(&mut self, colour: u16) -> bool {
        let used = self.used[usize::from(colour)];
        if used > 0 && !self.past.rules.repeats {
            return false;
        }
        let depth = self.code.len();
        let (lanes, width) = (&self.past.lanes, self.past.lanes.width());
        let (places, amounts) = (lanes.places(depth), lanes.amounts(colour));
        let max = (self.past.rules.pegs - depth - 1) as u16;
        let (black, black_after) = row_pair(&mut self.black, depth, width);
        let (common, common_after) = row_pair(&mut self.common, depth, width);
        let mut infeasible = false;
        for i in 0..width {
            let black = black[i].wrapping_sub(i16::from(places[i] == colour as i16));
            let common = common[i].wrapping_sub(i16::from(used < amounts[i]));
            // As unsigned numbers, negative counts exceed the maximum.
            infeasible |= black as u16 > max || common as u16 > max;
            (black_after[i], common_after[i]) = (black, common);
        }
        if !infeasible {
            self.code.push(colour);
            self.used[usize::from(colour)] += 1;
        }
        !infeasible
    }

    fn pop(&mut self) {
        if let Some(colour) = self.code.pop() {
            self.used[usize::from(colour)] -= 1;
        }
    }

    /// Adds all consistent codes with the current prefix to `list`; returns false if the limit of
    /// nodes is reached.
    fn walk(&mut self, list: &mut ReservoirSample<'_>) -> bool {
        if self.code.len() == self.past.rules.pegs {
            list.keep(&self.code);
            return true;
        }
        for colour in 0..self.past.rules.colours as u16 {
            if self.push(colour) {
                let enough = list.left > 0 && {
                    list.left -= 1;
                    self.walk(list)
                };
                self.pop();
                if !enough {
                    return false;
                }
            }
        }
        true
    }

    /// Returns an estimate of the number of nodes of the tree from one random descent: the sum over
    /// its nodes of the product of the branching factors above them.
    fn estimate(&mut self, rng: &mut Rng) -> f64 {
        let (mut product, mut sum) = (1.0, 1.0);
        while self.code.len() < self.past.rules.pegs {
            let open: Vec<u16> = (0..self.past.rules.colours as u16)
                .filter(|&colour| {
                    let open = self.push(colour);
                    if open {
                        self.pop();
                    }
                    open
                })
                .collect();
            if open.is_empty() {
                break;
            }
            product *= open.len() as f64;
            sum += product;
            self.push(open[rng.below(open.len())]);
        }
        while !self.code.is_empty() {
            self.pop();
        }
        sum
    }
}

/// Returns the row of counts for a prefix of length `depth` to read, and that for the next length
/// to write.
fn row_pair(rows: &mut [Vec<i16>], depth: usize, width: usize) -> (&[i16], &mut [i16]) {
    let (before, after) = rows.split_at_mut(depth + 1);
    (&before[depth][..width], &mut after[0][..width])
}
