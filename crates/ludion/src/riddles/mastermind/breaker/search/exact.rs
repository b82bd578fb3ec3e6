//! Exact ways to consistent codes: even draws while many codes are consistent, and a list of all
//! while few are.
//!
//! The list comes from backtracking, peg by peg. With r pegs to go, the black pegs against every
//! guess can still rise by r at most and never fall, and so can the pegs in common: a beginning
//! that cannot reach an answer any more, or is beyond it, is left. Whether the tree is small
//! enough is estimated first by random descents (Knuth, *Estimating the Efficiency of Backtrack
//! Programs*, 1975).

use std::ops::Range;

use super::super::super::Code;
use super::consistent::ConsistentCodes;
use super::history::History;
use crate::random::Rng;
use crate::riddle::Riddle;

/// Draws codes evenly and keeps the consistent ones, until there are `wanted`. After the least
/// number of draws it goes on only if the most of them promise an eighth of that.
pub(super) fn draw(
    past: &History,
    wanted: usize,
    draws: Range<usize>,
    rng: &mut Rng,
) -> ConsistentCodes {
    let mut found = ConsistentCodes::new();
    for drawn in 0..draws.end {
        if drawn == draws.start && found.codes.len() * draws.end / drawn < wanted / 8 {
            break;
        }
        let code = past.rules.draw_secret(rng);
        if past.fits(&code) {
            found.keep(code);
            if found.codes.len() == wanted {
                break;
            }
        }
    }
    found
}

/// All consistent codes, or `most` of them evenly drawn, in random order; `None` when the tree is
/// larger than so many nodes.
pub(super) fn list(
    past: &History,
    most: usize,
    nodes: u64,
    rng: &mut Rng,
) -> Option<ConsistentCodes> {
    let mut tree = PrefixTree::new(past);
    let estimate = (0..DESCENTS).map(|_| tree.estimate(rng)).sum::<f64>() / f64::from(DESCENTS);
    if estimate > nodes as f64 {
        return None;
    }
    let mut list = ReservoirSample { codes: Vec::new(), count: 0, most, left: nodes, rng };
    if !tree.walk(&mut list) {
        return None;
    }
    let ReservoirSample { mut codes, count, .. } = list;
    for i in (1..codes.len()).rev() {
        codes.swap(i, rng.below(i + 1));
    }
    let mut found = ConsistentCodes::new();
    found.all = Some(count);
    codes.into_iter().for_each(|code| found.keep(code));
    Some(found)
}

/// Random descents for an estimate.
const DESCENTS: u32 = 32;

/// What is kept of a walk: every code with the same probability.
struct ReservoirSample<'a> {
    codes: Vec<Code>,
    count: u64,
    most: usize,
    /// Nodes that may still be visited.
    left: u64,
    rng: &'a mut Rng,
}

impl ReservoirSample<'_> {
    fn keep(&mut self, code: &Code) {
        self.count += 1;
        if self.codes.len() < self.most {
            self.codes.push(code.clone());
        } else if self.rng.unit() * (self.count as f64) < self.most as f64 {
            let place = self.rng.below(self.most);
            self.codes[place].copy_from_slice(code);
        }
    }
}

/// The tree of beginnings of codes that may still be consistent.
struct PrefixTree<'a> {
    past: &'a History,
    /// The beginning of a code, and how often it has each colour.
    code: Code,
    used: Vec<i16>,
    /// What is missing after each number of pegs, guess by guess: black, and in common.
    black: Vec<Vec<i16>>,
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

    /// Adds a peg; false, and nothing added, when no consistent code begins so.
    #[inline]
    fn push(&mut self, colour: u16) -> bool {
        let used = self.used[usize::from(colour)];
        if used > 0 && !self.past.rules.repeats {
            return false;
        }
        let depth = self.code.len();
        let (lanes, width) = (&self.past.lanes, self.past.lanes.width());
        let (places, amounts) = (lanes.places(depth), lanes.amounts(colour));
        let most = (self.past.rules.pegs - depth - 1) as u16;
        let (black, black_after) = split(&mut self.black, depth, width);
        let (common, common_after) = split(&mut self.common, depth, width);
        let mut beyond = false;
        for i in 0..width {
            let black = black[i].wrapping_sub(i16::from(places[i] == colour as i16));
            let common = common[i].wrapping_sub(i16::from(used < amounts[i]));
            // Below zero is a large number without a sign.
            beyond |= black as u16 > most || common as u16 > most;
            (black_after[i], common_after[i]) = (black, common);
        }
        if !beyond {
            self.code.push(colour);
            self.used[usize::from(colour)] += 1;
        }
        !beyond
    }

    fn pop(&mut self) {
        if let Some(colour) = self.code.pop() {
            self.used[usize::from(colour)] -= 1;
        }
    }

    /// Visits all that is below the beginning; false when that was too much.
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

    /// One descent: the sum over its nodes of the product of the branches above them, whose mean
    /// is the number of nodes.
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

/// The row of a depth to read and the one after it to write.
fn split(rows: &mut [Vec<i16>], depth: usize, width: usize) -> (&[i16], &mut [i16]) {
    let (before, after) = rows.split_at_mut(depth + 1);
    (&before[depth][..width], &mut after[0][..width])
}
