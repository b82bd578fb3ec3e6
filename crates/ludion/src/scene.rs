//! Pictures of states as data: a layout, the pieces on it, and the labels around it.
//!
//! The terminal and the web pages draw any scene, so a game needs no drawing code. Colours and
//! characters are chosen by the renderer.

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// A coordinate in a scene. On a grid `x` counts from the left and `y` from the top; with heaps `x`
/// is the heap and `y` the object in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Coord {
    /// The column or heap.
    pub x: u16,
    /// The row, or the object in the heap.
    pub y: u16,
}

impl Coord {
    /// Creates the coordinate of column (or heap) `x` and row (or object) `y`.
    ///
    /// # Panics
    /// When a coordinate does not fit in 16 bits.
    #[must_use]
    pub fn new(x: usize, y: usize) -> Self {
        let fit =
            |v: usize| u16::try_from(v).expect("a scene has fewer than 65536 columns and rows");
        Coord { x: fit(x), y: fit(y) }
    }
}

/// The arrangement of the cells of a scene.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SceneLayout {
    /// Square cells in rows and columns.
    Grid {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Hexagonal cells in rows; odd rows are shifted half a cell to the right.
    Hexagons {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Heaps of objects.
    Heaps {
        /// The capacity of each heap.
        sizes: Vec<u16>,
    },
}

/// The shape of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceShape {
    /// A flat round piece.
    Disc,
    /// Two flat round pieces, one on the other.
    King,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// A pawn.
    Pawn,
    /// A match.
    Match,
    /// A token in a box.
    Token,
    /// A block that fills its cell.
    Block,
    /// A peg with the number of its colour, from 0.
    Peg(u16),
    /// A few characters, such as a number or a face of a die.
    Text(String),
}

/// A piece on a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The cell of the piece.
    pub at: Coord,
    /// The side that owns the piece; `None` if it belongs to neither.
    pub owner: Option<Side>,
    /// The shape of the piece.
    pub shape: PieceShape,
}

/// A picture of a state, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// The arrangement of the cells.
    pub layout: SceneLayout,
    /// The pieces on the cells.
    pub pieces: Vec<Piece>,
    /// Labels of the columns or heaps, from the left; empty for no labels.
    pub columns: Vec<String>,
    /// Labels of the rows, from the top; empty for no labels.
    pub rows: Vec<String>,
    /// One line of text for what the cells do not show; may be empty.
    pub caption: String,
    /// Highlighted cells, such as those of the last move.
    pub marked: Vec<Coord>,
    /// Labels of single cells, for notations that do not name cells by column and row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(Coord, String)>,
}

impl Scene {
    /// Creates an empty grid.
    #[must_use]
    pub fn grid(cols: usize, rows: usize) -> Self {
        let Coord { x: cols, y: rows } = Coord::new(cols, rows);
        Scene::of(SceneLayout::Grid { cols, rows })
    }

    /// Creates heaps of neutral objects: `counts[h]` objects of `shape` in heap `h` of capacity
    /// `sizes[h]`.
    #[must_use]
    pub fn heaps(counts: &[usize], sizes: &[usize], shape: &PieceShape) -> Self {
        let sizes = sizes.iter().map(|&n| Coord::new(n, 0).x).collect();
        let mut scene = Scene::of(SceneLayout::Heaps { sizes });
        for (heap, &count) in counts.iter().enumerate() {
            for i in 0..count {
                scene.put(Coord::new(heap, i), None, shape.clone());
            }
        }
        scene
    }

    /// Creates a grid with one piece, in the shape of its side, on each cell that a side owns.
    pub fn owners(
        cols: usize,
        rows: usize,
        shapes: [PieceShape; 2],
        owner: impl Fn(usize, usize) -> Option<Side>,
    ) -> Self {
        let mut scene = Scene::grid(cols, rows);
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            if let Some(side) = owner(x, y) {
                scene.put(Coord::new(x, y), Some(side), shapes[side.index()].clone());
            }
        }
        scene
    }

    fn of(layout: SceneLayout) -> Self {
        Scene {
            layout,
            pieces: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            caption: String::new(),
            marked: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Adds a piece on a cell.
    pub fn put(&mut self, at: Coord, owner: Option<Side>, shape: PieceShape) {
        self.pieces.push(Piece { at, owner, shape });
    }

    /// Labels columns `a`, `b`, … and rows from the bottom `1`, `2`, …, as on a chess board.
    pub fn name_like_chess(&mut self) {
        if let SceneLayout::Grid { cols, rows } | SceneLayout::Hexagons { cols, rows } = self.layout
        {
            self.columns = (0..cols).map(|x| column_letter(x.into())).collect();
            self.rows = (1..=rows).rev().map(|y| y.to_string()).collect();
        }
    }

    /// Returns whether the layout has this cell.
    #[must_use]
    pub fn contains(&self, cell: Coord) -> bool {
        match &self.layout {
            SceneLayout::Grid { cols, rows } | SceneLayout::Hexagons { cols, rows } => {
                cell.x < *cols && cell.y < *rows
            }
            SceneLayout::Heaps { sizes } => {
                sizes.get(usize::from(cell.x)).is_some_and(|&size| cell.y < size)
            }
        }
    }

    /// Returns the pieces moved by `symmetry`, sorted by cell. Two scenes are images of each other
    /// when these lists are equal.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = self
            .pieces
            .iter()
            .map(|p| Piece { at: symmetry.cell(p.at, &self.layout), ..p.clone() })
            .collect();
        pieces.sort_by_key(|p| p.at);
        pieces
    }
}

/// Returns the name of column `x`: `a` to `z`, then `aa`, `ab`, …
#[must_use]
pub fn column_letter(x: usize) -> String {
    let letter = char::from(b'a' + (x % 26) as u8);
    if x < 26 { letter.to_string() } else { format!("{}{letter}", column_letter(x / 26 - 1)) }
}

/// Returns the name of a cell on a grid of `rows` rows, as on a chess board: `a1` is at the bottom
/// left.
#[must_use]
pub fn cell_name(x: usize, y: usize, rows: usize) -> String {
    format!("{}{}", column_letter(x), rows - y)
}

/// A symmetry of a board other than the identity. A square has seven, a rectangle three, a row of
/// heaps one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Swaps left and right; reverses the order of heaps.
    Mirror,
    /// Swaps top and bottom.
    Flip,
    /// Rotates by 180°.
    HalfTurn,
    /// Rotates by 90° clockwise.
    QuarterTurn,
    /// Rotates by 90° counter-clockwise.
    BackTurn,
    /// Swaps columns and rows.
    Transpose,
    /// Reflects about the other diagonal.
    AntiTranspose,
}

impl Symmetry {
    /// All seven symmetries of a square.
    pub const SQUARE: [Symmetry; 7] = [
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::HalfTurn,
        Symmetry::QuarterTurn,
        Symmetry::BackTurn,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// Returns the image of the point `(x, y)` of a grid of `cols` by `rows`.
    #[must_use]
    pub fn point(self, (x, y): (usize, usize), cols: usize, rows: usize) -> (usize, usize) {
        let (mx, my) = (cols - 1 - x, rows - 1 - y);
        match self {
            Symmetry::Mirror => (mx, y),
            Symmetry::Flip => (x, my),
            Symmetry::HalfTurn => (mx, my),
            Symmetry::QuarterTurn => (my, x),
            Symmetry::BackTurn => (y, mx),
            Symmetry::Transpose => (y, x),
            Symmetry::AntiTranspose => (my, mx),
        }
    }

    /// Returns the image of a cell of a scene with this layout.
    #[must_use]
    pub fn cell(self, cell: Coord, layout: &SceneLayout) -> Coord {
        match layout {
            SceneLayout::Grid { cols, rows } | SceneLayout::Hexagons { cols, rows } => {
                let (x, y) = self.point(
                    (cell.x.into(), cell.y.into()),
                    usize::from(*cols),
                    usize::from(*rows),
                );
                Coord::new(x, y)
            }
            SceneLayout::Heaps { sizes } => {
                Coord::new(sizes.len() - 1 - usize::from(cell.x), cell.y.into())
            }
        }
    }
}
