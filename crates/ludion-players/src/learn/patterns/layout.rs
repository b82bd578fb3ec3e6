//! The patterns of a board and the layout of their weights.
//!
//! A pattern is a tuple of cells, and its content a number in base 3 with a digit for each cell: 0
//! for empty, 1 for an own man, 2 for an opponent's man. The patterns of a board are windows: on
//! boards of checkers all windows of 4×4 cells, of which eight are playable; on boards where all
//! cells are playable all windows of 4×2, 2×4 and 3×3 cells and all diagonals of four cells,
//! because 4×4 cells have too many contents. A pattern and its image under a symmetry of the board
//! share their weights, so symmetric states have the same value by construction.
//!
//! A layout may be *balanced*: a pattern and its image on the board rotated by 180°, with own and
//! opponent's men exchanged, then have opposite weights, and so have own and opponent's kings. Only
//! having the move is not balanced.

use crate::grid::{BoardCell, GridGame, GridLayout};
use crate::scene::Symmetry;

/// The maximum number of cells of a pattern; it has 3^9 contents.
pub(super) const MAX_PATTERN_CELLS: usize = 9;
/// The maximum number of patterns of a model.
pub(super) const MAX_PATTERNS: usize = 512;
/// The maximum number of phases of a model. The number of pieces on the board decides the phase of
/// a state, see [`PatternLayout::phase`].
pub const MAX_PHASES: u32 = 8;

/// Number of weights of piece counts in a balanced layout: men, kings, having a king at all.
pub(super) const BALANCED_COUNTS: u32 = 3;

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
    /// The weight of each entry within its phase; symmetric entries share a weight.
    tied_weights: Vec<TiedWeight>,
    /// Number of different pattern weights per phase, after symmetric entries share theirs.
    pattern_weights: u32,
    /// Whether exchanging the sides negates all weights but that of having the move. Between two
    /// phases the weights of a balanced layout are interpolated.
    pub balanced: bool,
}

/// The weight of a pattern's content: the index of a weight within a phase and its sign, which is 0
/// for a content that is its own opposite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TiedWeight {
    pub(super) index: u32,
    pub(super) sign: i8,
}

impl TiedWeight {
    /// Returns the weight of the content, given all weights of a phase.
    #[inline]
    pub(super) fn of(self, weights: &[i16]) -> i16 {
        weights[self.index as usize].saturating_mul(self.sign.into())
    }
}

impl PatternLayout {
    /// Creates the layout with the standard patterns for the board of `g`: windows and diagonals.
    #[must_use]
    pub fn for_game<G: GridGame>(g: &G, phases: u32) -> Self {
        let board = g.board();
        let balanced = board.balance_features.is_some();
        let mut patterns = windows(&board);
        if balanced && board.cols > 8 {
            patterns = every_second_window(&board, patterns);
        }
        PatternLayout::new(g, patterns, phases, balanced)
    }

    /// Creates a layout with the given patterns, whose cells must be on the board of `g`.
    pub(super) fn new<G: GridGame>(
        g: &G,
        patterns: Vec<Vec<u8>>,
        phases: u32,
        balanced: bool,
    ) -> Self {
        let board = g.board();
        let mut offsets = vec![0];
        for pattern in &patterns {
            offsets.push(offsets[offsets.len() - 1] + 3_u32.pow(pattern.len() as u32));
        }
        let images = board_images(g, &board, balanced);
        let (tied_weights, pattern_weights) = tie_weights(&images, &patterns, &offsets);
        PatternLayout { board, patterns, phases, offsets, tied_weights, pattern_weights, balanced }
    }

    /// Returns the number of each pattern's first entry, followed by the number of all entries. An
    /// entry is one content of one pattern.
    pub(super) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the weight of an entry within a phase. An entry is one content of one pattern.
    #[inline]
    pub(super) fn tied_weight(&self, entry: u32) -> TiedWeight {
        self.tied_weights[entry as usize]
    }

    /// Returns the index, among the weights of a phase, of the first king weight. There is one for
    /// each cell for own kings, then, unless the layout is balanced, one for each cell for the
    /// opponent's.
    pub(super) fn first_king_weight(&self) -> u32 {
        self.pattern_weights
    }

    /// Returns the index, among the weights of a phase, of the first weight of piece counts: own
    /// men, opponent's men, own kings, opponent's kings; in a balanced layout only men, kings, having
    /// a king at all, and the features of the balance. The weight of being the side to move follows
    /// them.
    pub(super) fn first_count_weight(&self) -> u32 {
        let sides = if self.balanced { 1 } else { 2 };
        let kings = if self.board.kings { sides * self.board.cells.len() as u32 } else { 0 };
        self.pattern_weights + kings
    }

    /// Returns the number of features of the balance that have a weight.
    pub(super) fn balance_features(&self) -> u32 {
        self.board.balance_features.filter(|_| self.balanced).unwrap_or(0).into()
    }

    /// Returns the number of weights of one phase: patterns, kings, piece counts and side to move.
    #[must_use]
    pub fn weights_per_phase(&self) -> u32 {
        let counts = if self.balanced { BALANCED_COUNTS + self.balance_features() } else { 4 };
        self.first_count_weight() + counts + 1
    }

    /// Returns the number of weights of all phases together.
    #[must_use]
    pub fn weights(&self) -> usize {
        (self.weights_per_phase() * self.phases) as usize
    }

    /// Returns the phases between which a state with `pieces` pieces lies in a balanced layout, as
    /// the earlier one, from 0, and the share of the next one, from 0 to 1. If there is only one
    /// phase, its share is 0.
    #[must_use]
    pub fn blend(&self, pieces: u32) -> (u32, f32) {
        if self.phases == 1 {
            return (0, 0.0);
        }
        let most = u32::from(self.board.max_pieces);
        let place = (pieces.min(most) * (self.phases - 1)) as f32 / most as f32;
        let phase = (place as u32).min(self.phases - 2);
        (phase, place - phase as f32)
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

/// Returns those of `windows` whose column and row are both even or both odd. On boards of 10×10 they
/// cover the board with half the windows.
fn every_second_window(board: &GridLayout, windows: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let corner = |window: &[u8]| {
        let places = || window.iter().map(|&cell| board.cells[usize::from(cell)]);
        (places().map(|place| place.x).min(), places().map(|place| place.y).min())
    };
    windows
        .into_iter()
        .filter(|window| match corner(window) {
            (Some(x), Some(y)) => x % 2 == y % 2,
            _ => false,
        })
        .collect()
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

/// A mapping of the board to itself under which the value of a state stays the same or is negated.
struct BoardImage {
    /// The index of the image of each cell.
    cells: Vec<u8>,
    /// Whether the sides are exchanged and the value is negated.
    negated: bool,
}

/// Returns the mappings of the board: its symmetries and, if the layout is balanced, the rotation
/// with the sides exchanged.
fn board_images<G: GridGame>(g: &G, board: &GridLayout, balanced: bool) -> Vec<BoardImage> {
    let symmetries = g.symmetries().into_iter().map(|symmetry| (symmetry, false));
    symmetries
        .chain(balanced.then_some((Symmetry::HalfTurn, true)))
        .filter_map(|(symmetry, negated)| {
            Some(BoardImage { cells: cell_images(board, symmetry)?, negated })
        })
        .collect()
}

/// Assigns a weight to each entry (content of a pattern), the same to symmetric ones. Returns the
/// weight of each entry, and the number of weights.
fn tie_weights(
    images: &[BoardImage],
    patterns: &[Vec<u8>],
    offsets: &[u32],
) -> (Vec<TiedWeight>, u32) {
    const UNTIED: TiedWeight = TiedWeight { index: u32::MAX, sign: 1 };
    let mut tied = vec![UNTIED; offsets[patterns.len()] as usize];
    let mut count = 0;
    for (t, pattern) in patterns.iter().enumerate() {
        let twins: Vec<(usize, Vec<usize>, bool)> = images
            .iter()
            .filter_map(|image| {
                let (other, places) = image_of_pattern(patterns, pattern, &image.cells)?;
                Some((other, places, image.negated))
            })
            .collect();
        for index in 0..offsets[t + 1] - offsets[t] {
            let entry = (offsets[t] + index) as usize;
            if tied[entry] != UNTIED {
                continue;
            }
            tied[entry] = TiedWeight { index: count, sign: 1 };
            for (other, places, negated) in &twins {
                let image = (offsets[*other] + permuted(index, places, *negated)) as usize;
                let sign = match (negated, image == entry) {
                    (false, _) => 1,
                    (true, false) => -1,
                    (true, true) => 0,
                };
                tied[image] = TiedWeight { index: count, sign };
            }
            count += 1;
        }
    }
    (tied, count)
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

/// Permutes the base-3 digits of a pattern's content: digit `i` becomes digit `places[i]`. If
/// `exchanged`, own and opponent's men are exchanged.
fn permuted(mut index: u32, places: &[usize], exchanged: bool) -> u32 {
    let mut image = 0;
    for &place in places {
        let digit = if exchanged { (3 - index % 3) % 3 } else { index % 3 };
        image += digit * 3_u32.pow(place as u32);
        index /= 3;
    }
    image
}
