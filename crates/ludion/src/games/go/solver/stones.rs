//! Boards of at most 4×4 points for the solver: the stones of each side in 16 bits, row by row.

use crate::scene::Symmetry;

/// The stones on a board, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Stones {
    pub(super) mine: u16,
    pub(super) theirs: u16,
}

impl Stones {
    /// Returns the same stones seen by the opponent.
    pub(super) fn seen_by_other(self) -> Stones {
        Stones { mine: self.theirs, theirs: self.mine }
    }
}

/// The board of one size, with the image of every set of points under each symmetry and the
/// identity.
pub(super) struct SmallBoard {
    size: usize,
    all: u16,
    first_column: u16,
    last_column: u16,
    images: Vec<Vec<u16>>,
}

impl SmallBoard {
    /// Returns the board with `size` rows and columns, at most 4.
    pub(super) fn new(size: usize) -> Self {
        let cells = size * size;
        let column = (0..size).fold(0, |all, y| all | 1 << (size * y));
        let image = |symmetry: Symmetry, set: usize| {
            (0..cells).filter(|point| set >> point & 1 == 1).fold(0, |image, point| {
                let (x, y) = symmetry.point((point % size, point / size), size, size);
                image | 1 << (size * y + x)
            })
        };
        let sets = 0..1_usize << cells;
        SmallBoard {
            size,
            all: (sets.end - 1) as u16,
            first_column: column,
            last_column: column << (size - 1),
            images: Symmetry::SQUARE
                .iter()
                .map(|&symmetry| sets.clone().map(|set| image(symmetry, set)).collect())
                .chain([sets.clone().map(|set| set as u16).collect()])
                .collect(),
        }
    }

    fn spread(&self, set: u16) -> u16 {
        let beside = (set & !self.last_column) << 1 | (set & !self.first_column) >> 1;
        (set | beside | set << self.size | set >> self.size) & self.all
    }

    fn connected(&self, mut seed: u16, within: u16) -> u16 {
        loop {
            let grown = self.spread(seed) & within;
            if grown == seed {
                return seed;
            }
            seed = grown;
        }
    }

    /// Returns the stones of `own` whose chains have a liberty in `empty`.
    fn alive(&self, own: u16, empty: u16) -> u16 {
        self.connected(self.spread(empty) & own, own)
    }

    /// Returns the empty points, each as a set.
    pub(super) fn empty_points(&self, stones: Stones) -> impl Iterator<Item = u16> + use<> {
        let empty = self.all & !(stones.mine | stones.theirs);
        (0..16).map(|point| 1 << point).filter(move |at| empty & at != 0)
    }

    /// Returns the stones after a stone of the side to move on the empty point `at`, seen by the
    /// opponent; `None` for a suicide.
    pub(super) fn after(&self, stones: Stones, at: u16) -> Option<Stones> {
        let mine = stones.mine | at;
        let theirs = self.alive(stones.theirs, self.all & !(mine | stones.theirs));
        let is_alive = self.alive(mine, self.all & !(mine | theirs)) == mine;
        is_alive.then_some(Stones { mine: theirs, theirs: mine })
    }

    /// Returns by how many points the area of the side to move is larger.
    pub(super) fn lead(&self, stones: Stones) -> i32 {
        let empty = self.all & !(stones.mine | stones.theirs);
        let [mine, theirs] =
            [stones.mine, stones.theirs].map(|own| self.connected(own, own | empty));
        (mine & !theirs).count_ones() as i32 - (theirs & !mine).count_ones() as i32
    }

    /// Returns the images of several boards under each symmetry and the identity.
    pub(super) fn images<const N: usize>(
        &self,
        boards: [Stones; N],
    ) -> impl Iterator<Item = [Stones; N]> {
        self.images.iter().map(move |image| {
            boards.map(|Stones { mine, theirs }| Stones {
                mine: image[usize::from(mine)],
                theirs: image[usize::from(theirs)],
            })
        })
    }

    /// Returns whether `target`, seen by the side to move, can stand on the board after at most
    /// `plies` moves, the last of which puts a stone.
    pub(super) fn can_become(&self, stones: Stones, target: Stones, plies: u32) -> bool {
        let missing = [target.mine & !stones.mine, target.theirs & !stones.theirs];
        if missing[0].count_ones() > plies.div_ceil(2) || missing[1].count_ones() > plies / 2 {
            return false;
        }
        let target = target.seen_by_other();
        let becomes = |next| plies > 1 && self.can_become(next, target, plies - 1);
        let mut next = self.empty_points(stones).filter_map(|at| self.after(stones, at));
        next.any(|next| next == target || becomes(next)) || becomes(stones.seen_by_other())
    }
}
