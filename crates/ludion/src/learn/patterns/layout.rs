//! The patterns of a board and the layout of their weights.
//!
//! A pattern is a tuple of cells, and its content a number in base 3 (empty, own, the
//! opponent's). Patterns are windows of the board. On boards of checkers they are all windows of
//! 4×4 cells, of which eight are playable; on full boards, where 4×4 windows have too many cells,
//! they are all windows of 4×2, 2×4 and 3×3 cells and all diagonals of four cells. Symmetries of
//! the board tie weights: a pattern and its image share them, so symmetric states have the same
//! value by construction.

use crate::grid::{GridCell, GridGame, GridLayout};
use crate::scene::Symmetry;

/// The most cells of a pattern, which then has 3^9 weights.
pub(super) const MAX_PATTERN_CELLS: usize = 9;
/// The most patterns of a board.
pub(super) const MAX_PATTERNS: usize = 512;
/// The most phases of a game.
pub const MAX_PHASES: u32 = 8;

/// The patterns of a board and the numbering of their weights.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternLayout {
    /// The cells of the board.
    pub board: GridLayout,
    /// The patterns, each as indices of cells.
    pub patterns: Vec<Vec<u8>>,
    /// The number of phases, by number of pieces; each has its own weights.
    pub phases: u32,
    /// The first entry of each pattern; an entry is one content of one pattern.
    offsets: Vec<u32>,
    /// The index of the weight of each entry; symmetric entries share a weight.
    weight_indices: Vec<u32>,
    /// The number of different pattern weights per phase.
    pattern_weights: u32,
}

impl PatternLayout {
    /// Chooses the patterns for the board of `g`.
    #[must_use]
    pub fn for_game<G: GridGame>(g: &G, phases: u32) -> Self {
        let board = g.board();
        let patterns = windows(&board);
        PatternLayout::new(g, patterns, phases)
    }

    /// Lays out the given patterns on the board of `g`; their cells must be on the board.
    pub(super) fn new<G: GridGame>(g: &G, patterns: Vec<Vec<u8>>, phases: u32) -> Self {
        let board = g.board();
        let mut offsets = vec![0];
        for pattern in &patterns {
            offsets.push(offsets[offsets.len() - 1] + 3_u32.pow(pattern.len() as u32));
        }
        let (weight_indices, pattern_weights) = tie_weights(g, &board, &patterns, &offsets);
        PatternLayout { board, patterns, phases, offsets, weight_indices, pattern_weights }
    }

    /// Returns the first entry of each pattern, and the end of the last.
    pub(super) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the index of the weight of an entry within its phase.
    #[inline]
    pub(super) fn weight_index(&self, entry: u32) -> u32 {
        self.weight_indices[entry as usize]
    }

    /// Returns the index of the first weight of kings by cell: own kings, then the opponent's.
    pub(super) fn first_king_weight(&self) -> u32 {
        self.pattern_weights
    }

    /// Returns the index of the first weight of piece counts: own men, the opponent's, own kings,
    /// the opponent's; the weight of having the move follows.
    pub(super) fn first_count_weight(&self) -> u32 {
        self.pattern_weights + if self.board.kings { 2 * self.board.cells.len() as u32 } else { 0 }
    }

    /// Returns the number of weights per phase.
    #[must_use]
    pub fn weights_per_phase(&self) -> u32 {
        self.first_count_weight() + 5
    }

    /// Returns the number of weights of all phases.
    #[must_use]
    pub fn weights(&self) -> usize {
        (self.weights_per_phase() * self.phases) as usize
    }

    /// Returns the phase of a state with `pieces` pieces.
    #[inline]
    #[must_use]
    pub fn phase(&self, pieces: u32) -> u32 {
        (pieces * self.phases / (u32::from(self.board.max_pieces) + 1)).min(self.phases - 1)
    }
}

/// Returns the windows of a board and, on full boards, its diagonals.
fn windows(board: &GridLayout) -> Vec<Vec<u8>> {
    let mut patterns = Vec::new();
    for (w, h) in [(4, 4), (4, 2), (2, 4), (3, 3)] {
        let from = patterns.len();
        for y in 0..(board.rows + 1).saturating_sub(h) {
            for x in 0..(board.cols + 1).saturating_sub(w) {
                let pattern =
                    cells(board, |cx, cy| (x..x + w).contains(&cx) && (y..y + h).contains(&cy));
                if pattern.len() > 1 && pattern.len() <= MAX_PATTERN_CELLS {
                    patterns.push(pattern);
                }
            }
        }
        if (w, h) == (4, 4) && patterns.len() > from {
            return patterns;
        }
    }
    if patterns.is_empty() {
        patterns.extend((0..board.cells.len() as u8).map(|cell| vec![cell]));
    }
    patterns.extend(diagonals(board));
    patterns
}

/// Returns the diagonals of four cells of a full board.
fn diagonals(board: &GridLayout) -> Vec<Vec<u8>> {
    let mut patterns = Vec::new();
    for y in 0..board.rows.saturating_sub(3) {
        for x in 0..board.cols.saturating_sub(3) {
            patterns.push(cells(board, |cx, cy| cx >= x && cx < x + 4 && cx - x + y == cy));
            patterns.push(cells(board, |cx, cy| cx >= x && cx < x + 4 && cx - x + cy == y + 3));
        }
    }
    patterns
}

/// Returns the indices of the cells whose coordinates are `inside`.
fn cells(board: &GridLayout, inside: impl Fn(u8, u8) -> bool) -> Vec<u8> {
    let numbered = board.cells.iter().zip(0..);
    numbered.filter(|(place, _)| inside(place.x, place.y)).map(|(_, i)| i).collect()
}

/// Assigns a weight to each entry, so that entries that are symmetric share one; returns the index
/// of the weight of each entry and the number of weights.
fn tie_weights<G: GridGame>(
    g: &G,
    board: &GridLayout,
    patterns: &[Vec<u8>],
    offsets: &[u32],
) -> (Vec<u32>, u32) {
    let total = offsets[patterns.len()] as usize;
    let images: Vec<Vec<u8>> =
        g.symmetries().iter().filter_map(|&symmetry| cell_images(board, symmetry)).collect();
    let mut indices = vec![u32::MAX; total];
    let mut count = 0;
    for (t, pattern) in patterns.iter().enumerate() {
        let twins: Vec<(usize, Vec<usize>)> = images
            .iter()
            .filter_map(|cell_images| image_of_pattern(patterns, pattern, cell_images))
            .collect();
        for index in 0..offsets[t + 1] - offsets[t] {
            let entry = (offsets[t] + index) as usize;
            if indices[entry] != u32::MAX {
                continue;
            }
            indices[entry] = count;
            for (other, places) in &twins {
                indices[(offsets[*other] + permuted(index, places)) as usize] = count;
            }
            count += 1;
        }
    }
    (indices, count)
}

/// Returns the image of each cell under a symmetry; `None` if an image is not a playable cell.
fn cell_images(board: &GridLayout, symmetry: Symmetry) -> Option<Vec<u8>> {
    let to = |place: &GridCell| {
        let (cols, rows) = (board.cols.into(), board.rows.into());
        let (x, y) = symmetry.point((place.x.into(), place.y.into()), cols, rows);
        let found = board.cells.iter().position(|c| (c.x.into(), c.y.into()) == (x, y));
        found.map(|cell| cell as u8)
    };
    board.cells.iter().map(to).collect()
}

/// Returns the number of the pattern that is the image of `pattern`, and for each place of
/// `pattern` its place in the image; `None` if there is no such pattern.
fn image_of_pattern(
    patterns: &[Vec<u8>],
    pattern: &[u8],
    cell_images: &[u8],
) -> Option<(usize, Vec<usize>)> {
    let mapped: Vec<u8> = pattern.iter().map(|&cell| cell_images[usize::from(cell)]).collect();
    patterns.iter().enumerate().find_map(|(other, cells)| {
        let places = mapped.iter().map(|cell| cells.iter().position(|c| c == cell));
        let places: Option<Vec<usize>> = places.collect();
        places.filter(|_| cells.len() == pattern.len()).map(|places| (other, places))
    })
}

/// Permutes the base-3 digits of `index`: digit `i` becomes digit `places[i]`.
fn permuted(mut index: u32, places: &[usize]) -> u32 {
    let mut cell_images = 0;
    for &place in places {
        cell_images += index % 3 * 3_u32.pow(place as u32);
        index /= 3;
    }
    cell_images
}
