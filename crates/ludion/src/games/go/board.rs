//! Bitboards of Go: sets of points as bits `10·row + column`, so that a column without points
//! separates the rows, and the neighbours of all points of a set are four shifts.

use crate::scene::Symmetry;

/// Distance of the bits of two vertical neighbours.
pub(super) const STRIDE: usize = 10;

/// A set of points.
pub(super) type Points = u128;

/// The board of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoBoard {
    /// Number of rows and columns, from 2 to 9.
    pub(super) size: usize,
    /// All points of the board.
    pub(super) all: Points,
}

impl GoBoard {
    pub(super) const fn new(size: usize) -> Self {
        let row = (1 << size) - 1;
        let (mut all, mut y) = (0, 0);
        while y < size {
            all |= row << (STRIDE * y);
            y += 1;
        }
        GoBoard { size, all }
    }

    /// Returns the points of `set` and those next to one of them; some may be off the board.
    #[inline(always)]
    pub(super) fn spread(set: Points) -> Points {
        set | set << 1 | set >> 1 | set << STRIDE | set >> STRIDE
    }

    /// Returns the points of `within` that are connected to `seed`, a subset of it.
    #[inline]
    pub(super) fn connected(mut seed: Points, within: Points) -> Points {
        loop {
            let grown = GoBoard::spread(seed) & within;
            if grown == seed {
                return seed;
            }
            seed = grown;
        }
    }

    /// Returns the chain of `stones` that contains `seed` if it has no liberty in `empty`, otherwise
    /// the empty set.
    #[inline]
    pub(super) fn dead_chain(seed: Points, stones: Points, empty: Points) -> Points {
        let mut chain = seed;
        loop {
            let around = GoBoard::spread(chain);
            if around & empty != 0 {
                return 0;
            }
            let grown = around & stones;
            if grown == chain {
                return chain;
            }
            chain = grown;
        }
    }

    /// Returns the stones of `theirs` that are captured when `mine` gets a stone on the single point
    /// `at`; `empty` are the empty points after that.
    #[inline]
    pub(super) fn captured(at: Points, theirs: Points, empty: Points) -> Points {
        let mut captured = 0;
        for next in [at << 1, at >> 1, at << STRIDE, at >> STRIDE] {
            if next & theirs & !captured != 0 {
                captured |= GoBoard::dead_chain(next, theirs, empty);
            }
        }
        captured
    }

    /// Returns the area of each side by Tromp-Taylor rules: its stones, and the empty points from
    /// which only its stones are reached.
    pub(super) fn areas(&self, stones: [Points; 2]) -> [Points; 2] {
        let empty = self.all & !(stones[0] | stones[1]);
        let reached = stones.map(|own| GoBoard::connected(own, own | empty));
        [reached[0] & !reached[1], reached[1] & !reached[0]]
    }

    /// Returns the point in column `x` and row `y`, counted from the top left.
    pub(super) fn point(x: usize, y: usize) -> u8 {
        (STRIDE * y + x) as u8
    }

    /// Returns the column and the row of a point.
    pub(super) fn place(point: u8) -> (usize, usize) {
        (usize::from(point) % STRIDE, usize::from(point) / STRIDE)
    }

    /// Returns the number of a point, counted row by row without gaps.
    #[inline]
    pub(super) fn index(&self, point: u8) -> usize {
        let (x, y) = GoBoard::place(point);
        self.size * y + x
    }

    /// Returns the image of a point under a symmetry.
    pub(super) fn point_image(&self, point: u8, symmetry: Symmetry) -> u8 {
        let (x, y) = symmetry.point(GoBoard::place(point), self.size, self.size);
        GoBoard::point(x, y)
    }

    /// Returns the image of a set under a symmetry.
    pub(super) fn image(&self, set: Points, symmetry: Symmetry) -> Points {
        points(set).map(|point| 1 << self.point_image(point, symmetry)).sum()
    }
}

/// Returns the points of a set in ascending order.
pub(super) fn points(mut set: Points) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        point
    })
}
