//! The patterns of a board and the layout of their weights.
//!
//! A pattern is a tuple of cells, and its content a number in base 3 with a digit for each cell: 0
//! for empty, 1 for an own man, 2 for an opponent's man. The patterns of a board are windows: on
//! boards of checkers all windows of 4×4 cells, of which eight are playable; on boards where all
//! cells are playable all windows of 4×2, 2×4 and 3×3 cells and all diagonals of four cells,
//! because 4×4 cells have too many contents. A pattern and its image under a symmetry of the board
//! share their weights, so symmetric states have the same value by construction.

use crate::grid::{BoardCell, GridGame, GridLayout};
use crate::scene::Symmetry;

/// The maximum number of cells of a pattern; it has 3^9 contents.
pub(super) const MAX_PATTERN_CELLS: usize = 9;
/// The maximum number of patterns of a model.
pub(super) const MAX_PATTERNS: usize = 512;
/// The maximum number of phases of a model. The number of pieces on the board decides the phase of
/// a state, see [`PatternLayout::phase`].
pub const MAX_PHASES: u32 = 8;

/// The patterns of a board and the order of a model's weights.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternLayout {
    /// The board: its size, its playable cells, and whether it has kings.
    pub board: GridLayout,
    /// The cells of each pattern, as indices into the cells of the board.
    pub patterns: Vec<Vec<u8>>,
    /// Number of phases of a game. The number of pieces on the board decides the phase of a state,
    /// and each phase has its own weights.
    pub phases: u32,
    /// Index of the first entry of each pattern, followed by the total number of entries. A pattern
    /// has one entry for each possible content of its cells.
    offsets: Vec<u32>,
    /// The index of the weight of each entry within its phase; symmetric entries share a weight.
    weight_indices: Vec<u32>,
    /// Number of different pattern weights per phase, after symmetric entries share theirs.
    pattern_weights: u32,
}

impl PatternLayout {
    /// Creates the layout with the standard patterns for the board of `g`: windows and diagonals.
    #[must_use]
    pub fn for_game<G: GridGame>(g: &G, phases: u32) -> Self {
        let board = g.board();
        let patterns = windows(&board);
        PatternLayout::new(g, patterns, phases)
    }

    /// Creates a layout with the given patterns, whose cells must be on the board of `g`.
    pub(super) fn new<G: GridGame>(g: &G, patterns: Vec<Vec<u8>>, phases: u32) -> Self {
        let board = g.board();
        let mut offsets = vec![0];
        for pattern in &patterns {
            offsets.push(offsets[offsets.len() - 1] + 3_u32.pow(pattern.len() as u32));
        }
        let (weight_indices, pattern_weights) = tie_weights(g, &board, &patterns, &offsets);
        PatternLayout { board, patterns, phases, offsets, weight_indices, pattern_weights }
    }

    /// Returns the number of each pattern's first entry, followed by the number of all entries. An
    /// entry is one content of one pattern.
    pub(super) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the index of an entry's weight within a phase. An entry is one content of one
    /// pattern.
    #[inline]
    pub(super) fn weight_index(&self, entry: u32) -> u32 {
        self.weight_indices[entry as usize]
    }

    /// Returns the index, among the weights of a phase, of the first king weight. There is one for
    /// each cell for own kings, then one for each cell for the opponent's.
    pub(super) fn first_king_weight(&self) -> u32 {
        self.pattern_weights
    }

    /// Returns the index, among the weights of a phase, of the first weight of piece counts: own
    /// men, opponent's men, own kings, opponent's kings. The weight of being the side to move
    /// follows them.
    pub(super) fn first_count_weight(&self) -> u32 {
        self.pattern_weights + if self.board.kings { 2 * self.board.cells.len() as u32 } else { 0 }
    }

    /// Returns the number of weights of one phase: patterns, kings, piece counts and side to move.
    #[must_use]
    pub fn weights_per_phase(&self) -> u32 {
        self.first_count_weight() + 5
    }

    /// Returns the number of weights of all phases together.
    #[must_use]
    pub fn weights(&self) -> usize {
        (self.weights_per_phase() * self.phases) as usize
    }

    /// Returns the phase, from 0, of a state with `pieces` pieces.
    #[inline]
    #[must_use]
    pub fn phase(&self, pieces: u32) -> u32 {
        (pieces * self.phases / (u32::from(self.board.max_pieces) + 1)).min(self.phases - 1)
    }
}

/// Returns the cells of all patterns of a board: its windows and, if all cells are playable, its
/// diagonals.
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

/// Returns the cells of each diagonal of four cells on a board where all cells are playable.
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

/// Returns the indices of the cells for whose column and row `inside` is true.
fn cells(board: &GridLayout, inside: impl Fn(u8, u8) -> bool) -> Vec<u8> {
    let numbered = board.cells.iter().zip(0..);
    numbered.filter(|(place, _)| inside(place.x, place.y)).map(|(_, i)| i).collect()
}

/// Assigns a weight to each entry (content of a pattern), the same to symmetric ones. Returns the
/// index of the weight of each entry, and the number of weights.
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

/// Returns for each cell the index of its image under a symmetry; `None` if an image is not a
/// playable cell.
fn cell_images(board: &GridLayout, symmetry: Symmetry) -> Option<Vec<u8>> {
    let to = |place: &BoardCell| {
        let (cols, rows) = (board.cols.into(), board.rows.into());
        let (x, y) = symmetry.point((place.x.into(), place.y.into()), cols, rows);
        let found = board.cells.iter().position(|c| (c.x.into(), c.y.into()) == (x, y));
        found.map(|cell| cell as u8)
    };
    board.cells.iter().map(to).collect()
}

/// Finds the pattern that is the image of `pattern` under a symmetry. Returns the number of the
/// image and, for each cell of `pattern`, the position of its image cell in that pattern; `None` if
/// there is no such pattern.
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

/// Permutes the base-3 digits of a pattern's content: digit `i` becomes digit `places[i]`.
fn permuted(mut index: u32, places: &[usize]) -> u32 {
    let mut cell_images = 0;
    for &place in places {
        cell_images += index % 3 * 3_u32.pow(place as u32);
        index /= 3;
    }
    cell_images
}
