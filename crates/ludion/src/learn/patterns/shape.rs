//! Which cells a judgement by patterns looks at together, and which of its weights are one.
//!
//! A pattern is a tuple of cells; what stands on them is a number in base 3 (empty, mine,
//! theirs). Patterns are windows onto the board: on every board the widest of 4×4, 4×2, 2×4
//! and 3×3 cells, of which at most nine belong to the game, and on a full board its diagonals
//! of four, which no such window holds. Symmetries of the board tie weights: a pattern and its
//! image share theirs, so an image of a state is worth the same by construction.

use crate::grid::{GridCell, GridGame, GridLayout};
use crate::scene::Symmetry;

/// Most cells of a pattern: 3^9 weights each.
pub(super) const LONGEST: usize = 9;
/// Most patterns of a board.
pub(super) const MOST: usize = 512;
/// Most phases of a game.
pub const PHASES: u32 = 8;

/// The patterns of a board and the numbers of their weights.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternShape {
    /// The board.
    pub board: GridLayout,
    /// The patterns, each as numbers of cells.
    pub tuples: Vec<Vec<u8>>,
    /// Parts of the game that have weights of their own, by the number of pieces.
    pub phases: u32,
    /// Where the entries of each pattern begin.
    offsets: Vec<u32>,
    /// The weight of every entry of every pattern, tied by symmetry.
    ties: Vec<u32>,
    /// Different weights of all patterns, of one phase.
    tied: u32,
}

impl PatternShape {
    /// The patterns that suit the board of `g`.
    #[must_use]
    pub fn suited<G: GridGame>(g: &G, phases: u32) -> Self {
        let board = g.board();
        let tuples = windows(&board);
        PatternShape::new(g, tuples, phases)
    }

    /// These patterns, which hold cells of the board, on the board of `g`.
    pub(super) fn new<G: GridGame>(g: &G, tuples: Vec<Vec<u8>>, phases: u32) -> Self {
        let board = g.board();
        let mut offsets = vec![0];
        for tuple in &tuples {
            offsets.push(offsets[offsets.len() - 1] + 3_u32.pow(tuple.len() as u32));
        }
        let (ties, tied) = ties(g, &board, &tuples, &offsets);
        PatternShape { board, tuples, phases, offsets, ties, tied }
    }

    /// Where the entries of each pattern begin, and the end of the last.
    pub(super) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The number of the weight of an entry, within its phase.
    #[inline]
    pub(super) fn tie(&self, entry: u32) -> u32 {
        self.ties[entry as usize]
    }

    /// The first weight of kings by cell: mine, then theirs.
    pub(super) fn kings_at(&self) -> u32 {
        self.tied
    }

    /// The first weight of counts: my men, theirs, my kings, theirs; then that of the move.
    pub(super) fn counts_at(&self) -> u32 {
        self.tied + if self.board.kings { 2 * self.board.cells.len() as u32 } else { 0 }
    }

    /// Weights of one phase.
    #[must_use]
    pub fn weights_a_phase(&self) -> u32 {
        self.counts_at() + 5
    }

    /// All weights.
    #[must_use]
    pub fn weights(&self) -> usize {
        (self.weights_a_phase() * self.phases) as usize
    }

    /// The phase of a state with so many pieces.
    #[inline]
    #[must_use]
    pub fn phase(&self, pieces: u32) -> u32 {
        (pieces * self.phases / (u32::from(self.board.max_pieces) + 1)).min(self.phases - 1)
    }
}

/// The windows onto a board.
fn windows(board: &GridLayout) -> Vec<Vec<u8>> {
    let mut tuples = Vec::new();
    for (w, h) in [(4, 4), (4, 2), (2, 4), (3, 3)] {
        let from = tuples.len();
        for y in 0..(board.rows + 1).saturating_sub(h) {
            for x in 0..(board.cols + 1).saturating_sub(w) {
                let tuple =
                    cells(board, |cx, cy| (x..x + w).contains(&cx) && (y..y + h).contains(&cy));
                if tuple.len() > 1 && tuple.len() <= LONGEST {
                    tuples.push(tuple);
                }
            }
        }
        if (w, h) == (4, 4) && tuples.len() > from {
            return tuples;
        }
    }
    if tuples.is_empty() {
        tuples.extend((0..board.cells.len() as u8).map(|cell| vec![cell]));
    }
    tuples.extend(diagonals(board));
    tuples
}

/// The diagonals of four cells of a full board.
fn diagonals(board: &GridLayout) -> Vec<Vec<u8>> {
    let mut tuples = Vec::new();
    for y in 0..board.rows.saturating_sub(3) {
        for x in 0..board.cols.saturating_sub(3) {
            tuples.push(cells(board, |cx, cy| cx >= x && cx < x + 4 && cx - x + y == cy));
            tuples.push(cells(board, |cx, cy| cx >= x && cx < x + 4 && cx - x + cy == y + 3));
        }
    }
    tuples
}

fn cells(board: &GridLayout, inside: impl Fn(u8, u8) -> bool) -> Vec<u8> {
    let numbered = board.cells.iter().zip(0..);
    numbered.filter(|(place, _)| inside(place.x, place.y)).map(|(_, i)| i).collect()
}

/// For every entry the number of its weight, and how many weights there are. The entries that
/// the symmetries make of one another share the weight of the first of them.
fn ties<G: GridGame>(
    g: &G,
    board: &GridLayout,
    tuples: &[Vec<u8>],
    offsets: &[u32],
) -> (Vec<u32>, u32) {
    let total = offsets[tuples.len()] as usize;
    let images: Vec<Vec<u8>> =
        g.symmetries().iter().filter_map(|&symmetry| image(board, symmetry)).collect();
    let mut ties = vec![u32::MAX; total];
    let mut count = 0;
    for (t, tuple) in tuples.iter().enumerate() {
        let twins: Vec<(usize, Vec<usize>)> =
            images.iter().filter_map(|image| twin(tuples, tuple, image)).collect();
        for index in 0..offsets[t + 1] - offsets[t] {
            let entry = (offsets[t] + index) as usize;
            if ties[entry] != u32::MAX {
                continue;
            }
            ties[entry] = count;
            for (other, places) in &twins {
                ties[(offsets[*other] + permuted(index, places)) as usize] = count;
            }
            count += 1;
        }
    }
    (ties, count)
}

/// Where every cell goes, if every one goes to a cell.
fn image(board: &GridLayout, symmetry: Symmetry) -> Option<Vec<u8>> {
    let to = |place: &GridCell| {
        let (cols, rows) = (board.cols.into(), board.rows.into());
        let (x, y) = symmetry.point((place.x.into(), place.y.into()), cols, rows);
        let found = board.cells.iter().position(|c| (c.x.into(), c.y.into()) == (x, y));
        found.map(|cell| cell as u8)
    };
    board.cells.iter().map(to).collect()
}

/// The pattern that is the image of `tuple`, and which of its places each place goes to.
fn twin(tuples: &[Vec<u8>], tuple: &[u8], image: &[u8]) -> Option<(usize, Vec<usize>)> {
    let mapped: Vec<u8> = tuple.iter().map(|&cell| image[usize::from(cell)]).collect();
    tuples.iter().enumerate().find_map(|(other, cells)| {
        let places = mapped.iter().map(|cell| cells.iter().position(|c| c == cell));
        let places: Option<Vec<usize>> = places.collect();
        places.filter(|_| cells.len() == tuple.len()).map(|places| (other, places))
    })
}

/// The index whose digit `places[i]` is digit `i` of `index`.
fn permuted(mut index: u32, places: &[usize]) -> u32 {
    let mut image = 0;
    for &place in places {
        image += index % 3 * 3_u32.pow(place as u32);
        index /= 3;
    }
    image
}
