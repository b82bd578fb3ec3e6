//! Pictures of games that are written in Python: numbers for heaps, rows of cells for a board.

use ludion::game::Side;
use ludion::scene::{Coord, PieceShape, Scene, SceneLayout};
use pyo3::prelude::*;

use crate::errors::wrong;

/// What the method `picture` of a Python game returns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Picture {
    /// The number of objects in each heap.
    Heaps(Vec<usize>),
    /// The cells of a board, row by row from the top, all rows of the same length.
    Board(Vec<Vec<Cell>>),
}

/// The content of a cell.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cell {
    Empty,
    Owned(Side),
    Text(String),
}

/// Largest number of rows, columns, heaps and objects of a heap.
const MAX_SIZE: usize = 1000;
/// Number of columns of a picture that only has buttons, and least number beside a board.
const MIN_BUTTONS: usize = 4;

impl Picture {
    /// Reads what the method `picture` returned.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<Picture> {
        let picture = match value.extract::<Vec<i64>>() {
            Ok(counts) => {
                let heap = |count: i64| {
                    usize::try_from(count).map_err(|_| wrong(format!("a heap of {count} objects")))
                };
                Picture::Heaps(counts.into_iter().map(heap).collect::<PyResult<_>>()?)
            }
            Err(_) => {
                let rows =
                    value.try_iter()?.map(|row| read_row(&row?)).collect::<PyResult<Vec<_>>>()?;
                if rows.iter().any(|row| row.len() != rows[0].len()) {
                    return Err(wrong("the rows of a picture have the same length"));
                }
                Picture::Board(rows)
            }
        };
        let is_large = match &picture {
            Picture::Heaps(counts) => counts.iter().chain([&counts.len()]).any(|&n| n > MAX_SIZE),
            Picture::Board(rows) => {
                rows.len() > MAX_SIZE || rows.iter().any(|row| row.len() > MAX_SIZE)
            }
        };
        if is_large {
            return Err(wrong(format!(
                "a picture has at most {MAX_SIZE} rows, columns or objects of a heap"
            )));
        }
        Ok(picture)
    }

    /// Returns the scene of the picture; `sizes` are the largest numbers of objects of heaps.
    pub(crate) fn scene(&self, sizes: &[usize]) -> Scene {
        match self {
            Picture::Heaps(counts) => Scene::heaps(counts, sizes, &PieceShape::Match),
            Picture::Board(rows) => {
                let mut scene = Scene::grid(rows.first().map_or(0, Vec::len), rows.len());
                for (y, x, cell) in cells(rows) {
                    put(&mut scene, Coord::new(x, y), cell);
                }
                scene
            }
        }
    }
}

fn read_row(row: &Bound<'_, PyAny>) -> PyResult<Vec<Cell>> {
    if let Ok(text) = row.extract::<String>() {
        return Ok(text.chars().map(|c| Cell::from_text(&c.to_string())).collect());
    }
    let cell = |cell: Bound<'_, PyAny>| {
        if cell.is_none() {
            return Ok(Cell::Empty);
        }
        Ok(Cell::from_text(&cell.str()?.to_string()))
    };
    row.try_iter()?.map(|value| cell(value?)).collect()
}

impl Cell {
    /// Reads a cell: `x` or `0` is a piece of the first side, `o` or `1` one of the second, `.` or a
    /// space is empty, anything else is text.
    fn from_text(text: &str) -> Cell {
        match text {
            "." | " " | "" => Cell::Empty,
            "x" | "X" | "0" => Cell::Owned(Side::First),
            "o" | "O" | "1" => Cell::Owned(Side::Second),
            other => Cell::Text(other.to_owned()),
        }
    }
}

fn cells(rows: &[Vec<Cell>]) -> impl Iterator<Item = (usize, usize, &Cell)> {
    rows.iter()
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, cell)| (y, x, cell)))
}

fn put(scene: &mut Scene, at: Coord, cell: &Cell) {
    match cell {
        Cell::Empty => (),
        Cell::Owned(side) => scene.put(at, Some(*side), PieceShape::Disc),
        Cell::Text(text) => scene.put(at, None, PieceShape::Text(text.clone())),
    }
}

/// Returns a picture on a grid with one cell for each move under it, so that a person can click
/// moves of a game that does not say on which cells they are.
pub(crate) fn with_buttons(picture: Option<&Picture>, caption: &str, moves: &[String]) -> Scene {
    let rows: Vec<Vec<Cell>> = match picture {
        None => Vec::new(),
        Some(Picture::Board(rows)) => rows.clone(),
        Some(Picture::Heaps(counts)) => {
            let heap = |&count: &usize| vec![Cell::Text("|".to_owned()); count];
            counts.iter().map(heap).collect()
        }
    };
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0).max(MIN_BUTTONS);
    let mut scene = Scene::grid(widest, rows.len() + moves.len().div_ceil(widest).max(1));
    for (y, x, cell) in cells(&rows) {
        put(&mut scene, Coord::new(x, y), cell);
    }
    for (i, text) in moves.iter().enumerate() {
        let at = button(i, widest, rows.len());
        scene.put(at, None, PieceShape::Text(text.clone()));
        scene.marked.push(at);
    }
    caption.clone_into(&mut scene.caption);
    scene
}

/// Returns the cell of the button of move number `i` in a scene of [`with_buttons`].
pub(crate) fn button_cell(scene: &Scene, moves: usize, i: usize) -> Coord {
    let SceneLayout::Grid { cols, rows } = scene.layout else { return Coord::new(0, 0) };
    let (cols, rows) = (usize::from(cols), usize::from(rows));
    button(i, cols, rows - moves.div_ceil(cols).max(1))
}

fn button(i: usize, cols: usize, above: usize) -> Coord {
    Coord::new(i % cols, above + i / cols)
}
