//! Draws a board of points joined by lines, such as those of Go and Nine Men's Morris.

use ludion::scene::Coord;

use super::SceneGrid;
use crate::output::{QUIET, paint};

/// Distance of neighbouring points in characters, horizontally and vertically.
const STEP: (usize, usize) = (4, 2);

/// The directions in which lines leave a place of the drawing, as bits.
const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// The character for each set of directions.
const JOINTS: [char; 16] =
    [' ', '╵', '╷', '│', '╴', '┘', '┐', '┤', '╶', '└', '┌', '├', '─', '┴', '┬', '┼'];

pub(super) fn draw(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let (width, height) = (STEP.0 * (cols - 1) + 1, STEP.1 * (rows - 1) + 1);
    let mut joints = vec![vec![0; width]; height];
    for line in &board.scene.lines {
        add_line(&mut joints, line.map(place));
    }
    let (indent, mut lines) = (board.row_names(), Vec::new());
    for y in 0..height {
        let is_row = y.is_multiple_of(STEP.1);
        let name = if is_row { board.row_name(y / STEP.1) } else { " ".repeat(indent) };
        let row: String = (0..width).map(|x| draw_place(board, &joints, (x, y))).collect();
        let is_marked = |x| is_row && board.is_marked(x, y / STEP.1);
        let (first, last) =
            (if is_marked(0) { "[" } else { " " }, if is_marked(cols - 1) { "]" } else { "" });
        lines.push(format!("{name} {first}{row}{last}"));
    }
    if !board.scene.columns.is_empty() {
        lines.push(column_names(board, indent));
    }
    lines
}

/// Draws one character: a piece, a bracket beside a marked point, or a part of a line.
fn draw_place(board: &SceneGrid<'_>, joints: &[Vec<u8>], (x, y): (usize, usize)) -> String {
    let is_marked = |x: usize| y.is_multiple_of(STEP.1) && board.is_marked(x / STEP.0, y / STEP.1);
    let joint = JOINTS[usize::from(joints[y][x])];
    match x % STEP.0 {
        0 if y.is_multiple_of(STEP.1) => {
            let face = board.faces.get(&Coord::new(x / STEP.0, y / STEP.1));
            face.map_or_else(
                || paint(QUIET, &joint.to_string()),
                |face| paint(face.style, &face.glyph),
            )
        }
        1 if is_marked(x) => "]".to_owned(),
        3 if is_marked(x + 1) => "[".to_owned(),
        _ => paint(QUIET, &joint.to_string()),
    }
}

/// Returns the place of a point in the drawing.
fn place(point: Coord) -> (usize, usize) {
    (STEP.0 * usize::from(point.x), STEP.1 * usize::from(point.y))
}

/// Adds a horizontal or vertical line; others cannot be drawn with characters.
fn add_line(joints: &mut [Vec<u8>], [(x1, y1), (x2, y2)]: [(usize, usize); 2]) {
    if y1 == y2 {
        for x in x1.min(x2)..x1.max(x2) {
            joints[y1][x] |= RIGHT;
            joints[y1][x + 1] |= LEFT;
        }
    } else if x1 == x2 {
        for y in y1.min(y2)..y1.max(y2) {
            joints[y][x1] |= DOWN;
            joints[y + 1][x1] |= UP;
        }
    }
}

fn column_names(board: &SceneGrid<'_>, indent: usize) -> String {
    let step = STEP.0;
    let names = board.scene.columns.iter().map(|name| format!("{name:<step$}"));
    format!("{:indent$}  {}", "", paint(QUIET, names.collect::<String>().trim_end()))
}
