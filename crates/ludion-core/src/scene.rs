//! Pictures of states as data: an arrangement of cells, the pieces on them, and labels.
//!
//! The terminal and the web pages draw any scene, so a game needs no drawing code. Colours and
//! characters are chosen by the renderer.

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// A coordinate in a scene. On a grid `x` counts from the left and `y` from the top; with heaps `x`
/// is the heap and `y` the object in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Coord {
    /// The column from the left, or the heap, from 0.
    pub x: u16,
    /// The row from the top, or the object in the heap, from 0.
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
        /// Number of columns.
        cols: u16,
        /// Number of rows.
        rows: u16,
    },
    /// Hexagonal cells in rows; odd rows are shifted half a cell to the right.
    Hexagons {
        /// Number of columns.
        cols: u16,
        /// Number of rows.
        rows: u16,
    },
    /// Hexagonal cells in rows, each row shifted half a cell to the right of the one above it. The
    /// upper and lower edges are drawn in the colour of the first side, the left and right ones in
    /// that of the second.
    Rhombus {
        /// Number of columns.
        cols: u16,
        /// Number of rows.
        rows: u16,
    },
    /// Heaps of objects side by side; a cell is the place of one object in its heap.
    Heaps {
        /// The maximum number of objects in each heap.
        sizes: Vec<u16>,
    },
}

/// The shape of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceShape {
    /// A flat round piece, such as a stone or a man.
    Disc,
    /// Two flat round pieces, one on the other: a king of draughts.
    King,
    /// A cross, as in tic-tac-toe.
    Cross,
    /// A ring, as in tic-tac-toe.
    Ring,
    /// A chess pawn.
    Pawn,
    /// A matchstick.
    Match,
    /// A token; heaps of tokens are drawn as boxes.
    Token,
    /// A block that fills its cell.
    Block,
    /// A peg of the colour with this number, from 0.
    Peg(u16),
    /// A pit with this number of seeds.
    Seeds(u32),
    /// A figure that is one of a set by its properties, as in Quarto.
    Figure(Figure),
    /// A few characters, such as a number.
    Text(String),
    /// A face of a die. In JSON it is a text with the number of pips beside it, so that readers which
    /// know no dice show the text.
    #[serde(untagged)]
    Die {
        /// The number of pips.
        die: u8,
        /// The number of pips as text.
        text: String,
    },
}

impl PieceShape {
    /// Returns the face of a die with this number of pips.
    #[must_use]
    pub fn die(pips: u8) -> Self {
        PieceShape::Die { die: pips, text: pips.to_string() }
    }

    /// Returns the characters of a shape that is written where it cannot be drawn; `None` for shapes
    /// that renderers have a sign for.
    #[must_use]
    pub fn written(&self) -> Option<String> {
        match self {
            PieceShape::Seeds(count) => Some(count.to_string()),
            PieceShape::Die { text, .. } => Some(text.clone()),
            PieceShape::Figure(figure) => Some(figure.to_string()),
            PieceShape::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

/// A figure with three properties that a picture shows; its colour is that of its owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// Whether the figure is short, not tall.
    pub short: bool,
    /// Whether the figure is square, not round.
    pub square: bool,
    /// Whether the figure is hollow, not solid.
    pub hollow: bool,
    /// The name of the figure in the notation of its game.
    pub name: char,
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let signs = [["●", "○"], ["■", "□"], ["•", "◦"], ["▪", "▫"]];
        let row = usize::from(self.square) + 2 * usize::from(self.short);
        write!(f, "{}{}", signs[row][usize::from(self.hollow)], self.name)
    }
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
    /// One line of text about what the cells do not show; empty for none.
    pub caption: String,
    /// Highlighted cells, such as those of the last move.
    pub marked: Vec<Coord>,
    /// Labels of single cells, for games whose notation does not name cells by column and row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(Coord, String)>,
    /// Lines of the board between the centres of cells, for boards whose pieces stand on crossings
    /// of lines. The cells of a board with lines are not outlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<[Coord; 2]>,
    /// Parts of a grid, each by its upper left and its lower right cell, that are drawn with heavy
    /// edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<[Coord; 2]>,
    /// Buttons beside the board with their texts, for moves that belong to no cell, such as a pass.
    /// [`Game::touches`](crate::game::Game::touches) refers to a button by its coordinate, which is
    /// that of no cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<(Coord, String)>,
    /// The cells by which the game was won, such as four in a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winning: Vec<Coord>,
}

impl Scene {
    /// Creates a scene of square cells without pieces.
    #[must_use]
    pub fn grid(cols: usize, rows: usize) -> Self {
        let Coord { x: cols, y: rows } = Coord::new(cols, rows);
        Scene::of(SceneLayout::Grid { cols, rows })
    }

    /// Creates a scene of heaps: heap `h` has `counts[h]` objects of the given shape, which belong
    /// to neither side, and room for `sizes[h]`.
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

    /// Creates a grid with a piece on each cell `(x, y)` for which `owner` returns a side; `shapes`
    /// has the shapes of the pieces of the first and of the second side.
    pub fn owners(
        cols: usize,
        rows: usize,
        shapes: [PieceShape; 2],
        owner: impl Fn(usize, usize) -> Option<Side>,
    ) -> Self {
        Scene::grid(cols, rows).with_owners(shapes, owner)
    }

    /// Creates a rhombus of hexagons with pieces as [`Scene::owners`] puts them on a grid.
    pub fn rhombus(
        cols: usize,
        rows: usize,
        shapes: [PieceShape; 2],
        owner: impl Fn(usize, usize) -> Option<Side>,
    ) -> Self {
        let Coord { x: cols, y: rows } = Coord::new(cols, rows);
        Scene::of(SceneLayout::Rhombus { cols, rows }).with_owners(shapes, owner)
    }

    fn with_owners(
        mut self,
        shapes: [PieceShape; 2],
        owner: impl Fn(usize, usize) -> Option<Side>,
    ) -> Self {
        let (rows, cols) = crate::encoding::plane_size(&self.layout);
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            if let Some(side) = owner(x, y) {
                self.put(Coord::new(x, y), Some(side), shapes[side.index()].clone());
            }
        }
        self
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
            lines: Vec::new(),
            frames: Vec::new(),
            buttons: Vec::new(),
            winning: Vec::new(),
        }
    }

    /// Adds a piece of this owner and shape on the cell `at`.
    pub fn put(&mut self, at: Coord, owner: Option<Side>, shape: PieceShape) {
        self.pieces.push(Piece { at, owner, shape });
    }

    /// Marks every row, column and diagonal of at least `length` pieces of one side as the cells by
    /// which the game was won.
    pub fn mark_winning_lines(&mut self, length: usize) {
        let owner = |x: i32, y: i32| {
            let at = |p: &&Piece| (i32::from(p.at.x), i32::from(p.at.y)) == (x, y);
            self.pieces.iter().find(at).and_then(|p| p.owner)
        };
        let mut winning = Vec::new();
        for piece in self.pieces.iter().filter(|p| p.owner.is_some()) {
            let (x, y) = (i32::from(piece.at.x), i32::from(piece.at.y));
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let is_own = |i: i32| owner(x + i * dx, y + i * dy) == piece.owner;
                let count = if is_own(-1) { 0 } else { (0..).take_while(|&i| is_own(i)).count() };
                if count >= length {
                    let cell = |i: i32| Coord::new((x + i * dx) as usize, (y + i * dy) as usize);
                    winning.extend((0..count as i32).map(cell));
                }
            }
        }
        winning.sort_unstable();
        winning.dedup();
        self.winning = winning;
    }

    /// Labels the columns `a`, `b`, … and the rows `1`, `2`, … from the bottom, as on a chess
    /// board. Heaps are not labelled.
    pub fn name_like_chess(&mut self) {
        if let SceneLayout::Grid { cols, rows }
        | SceneLayout::Hexagons { cols, rows }
        | SceneLayout::Rhombus { cols, rows } = self.layout
        {
            self.columns = (0..cols).map(|x| column_letter(x.into())).collect();
            self.rows = (1..=rows).rev().map(|y| y.to_string()).collect();
        }
    }

    /// Returns whether `cell` is within the layout or the coordinate of a button.
    #[must_use]
    pub fn can_touch(&self, cell: Coord) -> bool {
        self.contains(cell) || self.buttons.iter().any(|(button, _)| *button == cell)
    }

    /// Returns whether `cell` is within the layout.
    #[must_use]
    pub fn contains(&self, cell: Coord) -> bool {
        match &self.layout {
            SceneLayout::Grid { cols, rows }
            | SceneLayout::Hexagons { cols, rows }
            | SceneLayout::Rhombus { cols, rows } => cell.x < *cols && cell.y < *rows,
            SceneLayout::Heaps { sizes } => {
                sizes.get(usize::from(cell.x)).is_some_and(|&size| cell.y < size)
            }
        }
    }

    /// Returns the pieces moved by `symmetry`, sorted by cell. Another scene is the image of this
    /// one if its sorted pieces are equal to them.
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

/// Returns the label of column `x`, counted from 0: `a` to `z`, then `aa`, `ab`, …
#[must_use]
pub fn column_letter(x: usize) -> String {
    let letter = char::from(b'a' + (x % 26) as u8);
    if x < 26 { letter.to_string() } else { format!("{}{letter}", column_letter(x / 26 - 1)) }
}

/// Returns the name of the cell in column `x` and row `y`, counted from 0 at the top left of a grid
/// of `rows` rows. As on a chess board, `a1` is at the bottom left.
#[must_use]
pub fn cell_name(x: usize, y: usize, rows: usize) -> String {
    format!("{}{}", column_letter(x), rows - y)
}

/// A symmetry of a board other than the identity. A square has seven, a rectangle three, a row of
/// heaps one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Swaps left and right; in a row of heaps, reverses their order.
    Mirror,
    /// Swaps top and bottom.
    Flip,
    /// Rotates by 180°.
    HalfTurn,
    /// Rotates by 90° clockwise.
    QuarterTurn,
    /// Rotates by 90° counter-clockwise.
    BackTurn,
    /// Reflects about the diagonal from the top left to the bottom right: swaps columns and rows.
    Transpose,
    /// Reflects about the diagonal from the bottom left to the top right.
    AntiTranspose,
}

impl Symmetry {
    /// All symmetries of a square other than the identity.
    pub const SQUARE: [Symmetry; 7] = [
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::HalfTurn,
        Symmetry::QuarterTurn,
        Symmetry::BackTurn,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// Returns the image under the symmetry of the cell `(x, y)` of a grid of `cols` by `rows`
    /// cells.
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

    /// Returns the image under the symmetry of a cell of a scene with this layout.
    #[must_use]
    pub fn cell(self, cell: Coord, layout: &SceneLayout) -> Coord {
        match layout {
            SceneLayout::Grid { cols, rows }
            | SceneLayout::Hexagons { cols, rows }
            | SceneLayout::Rhombus { cols, rows } => {
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

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `Coord`")]
pub type Cell = Coord;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `PieceShape`")]
pub type Shape = PieceShape;
