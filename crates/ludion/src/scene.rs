//! A state as a picture made of data: a layout, the pieces on it, labels around it.
//!
//! The terminal and the web page draw any scene, so a game needs no drawing code of its
//! own. Nothing here knows colours or characters; that is the drawer's business.

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// A place of a scene. On a grid `x` counts from the left and `y` from the top; among
/// heaps `x` is the heap and `y` the object in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Coord {
    /// Column, or heap.
    pub x: u16,
    /// Row, or object in the heap.
    pub y: u16,
}

impl Coord {
    /// The cell at column (or heap) `x`, row (or object) `y`.
    ///
    /// # Panics
    /// When a coordinate does not fit 16 bits; no scene is that large.
    #[must_use]
    pub fn new(x: usize, y: usize) -> Self {
        let fit =
            |v: usize| u16::try_from(v).expect("a scene has fewer than 65536 columns and rows");
        Coord { x: fit(x), y: fit(y) }
    }
}

/// Where the cells of a scene are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SceneLayout {
    /// Squares in rows and columns.
    Grid {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Hexagons in rows, odd rows displaced half a cell to the right.
    Hexagons {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
    },
    /// Heaps of objects, each with room for so many.
    Heaps {
        /// How many objects fit in each heap.
        sizes: Vec<u16>,
    },
}

/// What a piece looks like.
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
    /// A peg of a colour, which is known by its number from 0.
    Peg(u16),
    /// A few characters: a number, a face of a die.
    Text(String),
}

/// One piece on its cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Where it is.
    pub at: Coord,
    /// Whose it is; `None` for what belongs to nobody.
    pub owner: Option<Side>,
    /// What it looks like.
    pub shape: PieceShape,
}

/// A picture of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// Where the cells are.
    pub layout: SceneLayout,
    /// What lies on them, in reading order of their cells.
    pub pieces: Vec<Piece>,
    /// Names of the columns or heaps, from the left; empty when they have none.
    pub columns: Vec<String>,
    /// Names of the rows, from the top; empty when they have none.
    pub rows: Vec<String>,
    /// One line of what the cells do not show; empty when they show all.
    pub caption: String,
    /// Cells to point out, such as those of the last move.
    pub marked: Vec<Coord>,
    /// What single cells are called where moves name them otherwise than by column and row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(Coord, String)>,
}

impl Scene {
    /// An empty grid.
    #[must_use]
    pub fn grid(cols: usize, rows: usize) -> Self {
        let Coord { x: cols, y: rows } = Coord::new(cols, rows);
        Scene::of(SceneLayout::Grid { cols, rows })
    }

    /// Heaps of tokens or matches belonging to nobody: `counts[h]` objects of `shape`
    /// in heap `h`, which has room for `sizes[h]`.
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

    /// A grid with one piece on each cell that somebody owns, of the shape of its side.
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

    /// Puts a piece on a cell.
    pub fn put(&mut self, at: Coord, owner: Option<Side>, shape: PieceShape) {
        self.pieces.push(Piece { at, owner, shape });
    }

    /// Names columns `a`, `b`, … and rows from the bottom `1`, `2`, …, as on a chess board.
    pub fn name_like_chess(&mut self) {
        if let SceneLayout::Grid { cols, rows } | SceneLayout::Hexagons { cols, rows } = self.layout
        {
            self.columns = (0..cols).map(|x| column_letter(x.into())).collect();
            self.rows = (1..=rows).rev().map(|y| y.to_string()).collect();
        }
    }

    /// Whether the layout has this cell.
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

    /// The cells that `symmetry` sends the scene's pieces to, sorted, with the pieces:
    /// two scenes are images of each other when these agree.
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

/// The name of column `x`: `a` to `z`, then `aa`, `ab`, …
#[must_use]
pub fn column_letter(x: usize) -> String {
    let letter = char::from(b'a' + (x % 26) as u8);
    if x < 26 { letter.to_string() } else { format!("{}{letter}", column_letter(x / 26 - 1)) }
}

/// The name of a cell of a grid of `rows` rows, as on a chess board: `a1` is at the bottom
/// left.
#[must_use]
pub fn cell_name(x: usize, y: usize, rows: usize) -> String {
    format!("{}{}", column_letter(x), rows - y)
}

/// A symmetry of a board: the seven of the square that move something, of which a
/// rectangle has three and a row of heaps one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Left and right exchanged; of heaps: the order of the heaps reversed.
    Mirror,
    /// Top and bottom exchanged.
    Flip,
    /// Half a turn.
    HalfTurn,
    /// A quarter turn clockwise.
    QuarterTurn,
    /// A quarter turn counter-clockwise.
    BackTurn,
    /// Columns and rows exchanged.
    Transpose,
    /// Columns and rows exchanged about the other diagonal.
    AntiTranspose,
}

impl Symmetry {
    /// All seven of the square.
    pub const SQUARE: [Symmetry; 7] = [
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::HalfTurn,
        Symmetry::QuarterTurn,
        Symmetry::BackTurn,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// Where the point `(x, y)` of a grid of `cols` by `rows` goes.
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

    /// Where a cell of a scene of this layout goes.
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
