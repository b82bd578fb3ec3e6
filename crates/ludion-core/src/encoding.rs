//! The encoding of states and moves for learning: a state as a set of binary features, a move as a
//! number.
//!
//! The features of a state are the set cells of several *planes*, each a grid of 0 and 1, followed by
//! *extras* that belong to no cell, such as the number of moves left. They are seen by one side, so
//! that one network serves both. A move has an *action number*, so that the moves of all states of a
//! game index one vector of probabilities.
//!
//! The functions of this module are the defaults of [`Game::encoding`], [`Game::features`] and
//! [`Game::actions`]. They read the scene of a state and the cells that a move touches, so every
//! game has an encoding. A game overrides them for speed, or where its scene does not show all that
//! matters.

use serde::{Deserialize, Serialize};

use crate::game::{Game, Side};
use crate::random::Rng;
use crate::scene::{Coord, PieceShape, Scene, SceneLayout, Symmetry};

/// The sizes of the encoding of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EncodingShape {
    /// Number of planes.
    pub planes: usize,
    /// Number of rows of a plane.
    pub rows: usize,
    /// Number of columns of a plane.
    pub cols: usize,
    /// Number of features after the planes, which belong to no cell.
    pub extras: usize,
    /// Number of actions: the action numbers of all moves are below it.
    pub actions: usize,
}

impl EncodingShape {
    /// Returns the number of cells of a plane.
    #[inline]
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Returns the number of features: the cells of all planes, then the extras.
    #[inline]
    #[must_use]
    pub const fn features(&self) -> usize {
        self.planes * self.cells() + self.extras
    }

    /// Writes the planes of a state as numbers 0 and 1, and each extra as a constant plane, so that
    /// `out` has `planes + extras` planes of `rows` by `cols` entries.
    ///
    /// # Panics
    /// When `out` has another length or a feature is out of range.
    pub fn write_planes(&self, features: &[u32], out: &mut [f32]) {
        let cells = self.cells();
        assert_eq!(out.len(), (self.planes + self.extras) * cells, "planes and extras");
        out.fill(0.0);
        for &feature in features {
            let feature = feature as usize;
            match feature.checked_sub(self.planes * cells) {
                None => out[feature] = 1.0,
                Some(extra) => out[(self.planes + extra) * cells..][..cells].fill(1.0),
            }
        }
    }

    /// Returns the image of a feature under a symmetry of the board; extras do not change.
    #[must_use]
    pub fn feature_image(&self, feature: u32, symmetry: Symmetry) -> u32 {
        let (feature, cells) = (feature as usize, self.cells());
        if feature >= self.planes * cells {
            return feature as u32;
        }
        let (plane, cell) = (feature / cells, feature % cells);
        let (x, y) = symmetry.point((cell % self.cols, cell / self.cols), self.cols, self.rows);
        (plane * cells + y * self.cols + x) as u32
    }
}

/// Planes of a scene on a grid: pieces of the side that sees it, pieces of its opponent, kings of
/// both, and pieces of neither side.
const SCENE_PLANES: usize = 5;
/// Planes of heaps: the number of objects in each heap as a one-hot column, and its binary digits.
const HEAP_PLANES: usize = 2;
/// Number of random games that [`scene_encoding`] looks at to find out how moves are clicked.
const SAMPLED_GAMES: usize = 4;
/// Number of plies of each of these games.
const SAMPLED_PLIES: usize = 100;

/// Returns the default encoding of a game: the planes of its scenes, one extra that is set if the
/// second side sees the state, and actions from the cells that moves touch.
///
/// If every move of some random games touches one cell, the action is that cell. Otherwise it is the
/// first and the last cell, with as many variants as moves of one state shared them.
#[must_use]
pub fn scene_encoding<G: Game + ?Sized>(g: &G) -> EncodingShape {
    let layout = g.scene(&g.start()).layout;
    let (rows, cols) = plane_size(&layout);
    let cells = rows * cols;
    let actions = match sampled_variants(g) {
        None => cells,
        Some(variants) => cells + cells * cells * variants,
    };
    layout_encoding(&layout, actions)
}

/// Returns the encoding by [`features_of_scene`] of scenes of this layout, with `actions` actions.
#[must_use]
pub fn layout_encoding(layout: &SceneLayout, actions: usize) -> EncodingShape {
    let (rows, cols) = plane_size(layout);
    let planes = match layout {
        SceneLayout::Heaps { .. } => HEAP_PLANES,
        SceneLayout::Grid { .. } | SceneLayout::Hexagons { .. } | SceneLayout::Rhombus { .. } => {
            SCENE_PLANES
        }
    };
    EncodingShape { planes, rows, cols, extras: 1, actions }
}

/// Appends the features of the scene of `s` as `seen_by` sees it, in ascending order.
pub fn scene_features<G: Game + ?Sized>(g: &G, s: &G::State, seen_by: Side, out: &mut Vec<u32>) {
    features_of_scene(&g.scene(s), seen_by, out);
}

/// Appends the features of a scene as `seen_by` sees it, in ascending order.
pub fn features_of_scene(scene: &Scene, seen_by: Side, out: &mut Vec<u32>) {
    let (rows, cols) = plane_size(&scene.layout);
    let (first, cells) = (out.len(), rows * cols);
    let planes = match &scene.layout {
        SceneLayout::Heaps { sizes } => {
            let counts = heap_counts(scene, sizes.len());
            push_heaps(&counts, cells, cols, out);
            HEAP_PLANES
        }
        SceneLayout::Grid { .. } | SceneLayout::Hexagons { .. } | SceneLayout::Rhombus { .. } => {
            let number = |piece: &crate::scene::Piece| {
                let king = usize::from(piece.shape == PieceShape::King);
                let plane = match piece.owner {
                    Some(owner) if owner == seen_by => 2 * king,
                    Some(_) => 2 * king + 1,
                    None => SCENE_PLANES - 1,
                };
                (plane * cells + cell_number(piece.at, cols)) as u32
            };
            out.extend(scene.pieces.iter().map(number));
            SCENE_PLANES
        }
    };
    if seen_by == Side::Second {
        out.push((planes * cells) as u32);
    }
    out[first..].sort_unstable();
}

/// Appends the action number of each of `moves`, all legal moves of `s`, by the cells that they
/// touch.
pub fn touch_actions<G: Game + ?Sized>(g: &G, s: &G::State, moves: &[G::Move], out: &mut Vec<u32>) {
    let (rows, cols) = plane_size(&g.scene(s).layout);
    let (first, cells) = (out.len(), rows * cols);
    for &m in moves {
        let touched = g.touches(s, m);
        let mut ends = [touched.first(), touched.last()]
            .map(|cell| cell_number(*cell.expect("a move touches a cell"), cols));
        if touched.len() == 1 {
            out.push(ends[0] as u32);
            continue;
        }
        ends[0] = cells + ends[0] * cells + ends[1];
        // Moves with the same ends are numbered in their order.
        while out[first..].contains(&(ends[0] as u32)) {
            ends[0] += cells * cells;
        }
        out.push(ends[0] as u32);
    }
}

/// Finds the legal move of `s` with this action number among all its moves; `None` if there is none.
/// Every [`Game::move_of_action`] must return the same move.
pub fn move_of_action<G: Game + ?Sized>(g: &G, s: &G::State, action: u32) -> Option<G::Move> {
    let (mut moves, mut actions) = (Vec::new(), Vec::new());
    g.moves(s, &mut moves);
    g.actions(s, &moves, &mut actions);
    actions.iter().position(|&number| number == action).map(|i| moves[i])
}

/// Appends `base` plus the cell number of every bit of `set`, in ascending order; `cell_of` gives
/// the number of the cell, from 0 to 63, that a bit stands for.
#[inline]
pub fn push_cells(set: u64, base: usize, cell_of: impl Fn(u32) -> u32, out: &mut Vec<u32>) {
    let (mut left, mut cells) = (set, 0u64);
    while left != 0 {
        cells |= 1 << cell_of(left.trailing_zeros());
        left &= left - 1;
    }
    push_bits(cells, base, out);
}

/// Appends `base` plus the index of every bit of `set`, in ascending order.
#[inline]
pub fn push_bits(set: u64, base: usize, out: &mut Vec<u32>) {
    let (mut left, first) = (set, out.len());
    // The list grows once, because a check of its capacity for every feature takes longer.
    out.resize(first + set.count_ones() as usize, 0);
    for feature in &mut out[first..] {
        *feature = base as u32 + left.trailing_zeros();
        left &= left - 1;
    }
}

/// Appends the planes of heaps with these counts: a one-hot column for each heap that is not empty,
/// then the binary digits of its count.
fn push_heaps(counts: &[usize], cells: usize, cols: usize, out: &mut Vec<u32>) {
    for (heap, &count) in counts.iter().enumerate() {
        if count > 0 {
            out.push(((count - 1) * cols + heap) as u32);
        }
        for digit in 0..usize::BITS as usize {
            if count >> digit & 1 == 1 {
                out.push((cells + digit * cols + heap) as u32);
            }
        }
    }
}

fn heap_counts(scene: &Scene, heaps: usize) -> Vec<usize> {
    let mut counts = vec![0; heaps];
    for piece in &scene.pieces {
        counts[usize::from(piece.at.x)] += 1;
    }
    counts
}

fn cell_number(at: Coord, cols: usize) -> usize {
    usize::from(at.y) * cols + usize::from(at.x)
}

/// Returns the number of rows and columns of the planes for scenes of this layout.
pub(crate) fn plane_size(layout: &SceneLayout) -> (usize, usize) {
    match layout {
        SceneLayout::Grid { cols, rows }
        | SceneLayout::Hexagons { cols, rows }
        | SceneLayout::Rhombus { cols, rows } => (usize::from(*rows), usize::from(*cols)),
        SceneLayout::Heaps { sizes } => {
            (sizes.iter().copied().max().unwrap_or(0).max(1).into(), sizes.len())
        }
    }
}

/// Looks at some random games. Returns `None` if every move touches one cell, otherwise the most
/// moves of one state that have the same first and last cell.
fn sampled_variants<G: Game + ?Sized>(g: &G) -> Option<usize> {
    let (mut rng, mut moves, mut variants) = (Rng::new(0), Vec::new(), None);
    for _ in 0..SAMPLED_GAMES {
        let mut s = g.start();
        for _ in 0..SAMPLED_PLIES {
            moves.clear();
            g.moves(&s, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mut ends: Vec<[Coord; 2]> = Vec::new();
            for &m in &moves {
                if let [from, .., to] = g.touches(&s, m)[..] {
                    ends.push([from, to]);
                }
            }
            for pair in &ends {
                let same = ends.iter().filter(|other| *other == pair).count();
                variants = variants.max(Some(same));
            }
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }
    variants
}
