//! Draws a board of hexagons, odd rows half a cell to the right: with edges if it is small, as dots
//! if it is larger, and as dots without gaps if it is wide. A rhombus, in which every row is shifted,
//! is drawn with edges.

use super::SceneGrid;
use crate::output::{QUIET, paint};

/// Largest board that is drawn with edges: rows, and characters of a row.
const EDGED_ROWS: usize = 12;
const EDGED_WIDTH: usize = 72;
/// Widest board that is drawn with three characters for each cell, about eighty characters.
const LOOSE_COLUMNS: usize = 24;

pub(super) fn draw(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    if cols * step(board) <= EDGED_WIDTH && rows <= EDGED_ROWS {
        edged(board, cols, rows)
    } else if cols > LOOSE_COLUMNS && board.width == 1 {
        (0..rows).map(|y| dense(board, cols, y)).collect()
    } else {
        points(board, cols, rows)
    }
}

/// Returns the number of characters from wall to wall; it is even, because rows shift by half of it.
fn step(board: &SceneGrid<'_>) -> usize {
    2 * (board.width / 2 + 2)
}

/// Returns the cells of a row with walls between them and around them.
fn walled(board: &SceneGrid<'_>, cols: usize, y: usize) -> String {
    let wall = paint(QUIET, "|");
    let pad = " ".repeat(step(board) - 3 - board.width);
    let cells: Vec<String> = (0..cols).map(|x| board.cell(x, y, "") + &pad).collect();
    format!("{wall}{}{wall}", cells.join(&wall))
}

fn edged(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let (indent, step) = (board.row_names(), step(board));
    let shift = |y: usize| if y % 2 == 1 { step / 2 } else { 0 };
    let edge = |shift: usize, text: String| {
        format!("{:width$}{}", "", paint(QUIET, &text), width = indent + shift)
    };
    let gap = " ".repeat(step - 3);
    let falling = format!(r" \{gap}/").repeat(cols);
    let rising = format!(r" /{gap}\").repeat(cols);
    let mut lines = vec![edge(0, rising.clone())];
    for y in 0..rows {
        let (name, shift) = (board.row_name(y), shift(y));
        lines.push(format!("{name}{:shift$}{}", "", walled(board, cols, y)));
        lines.push(match (y + 1 == rows, shift) {
            (true, _) => edge(shift, falling.clone()),
            (false, 0) => edge(0, format!(r"{falling} \")),
            (false, _) => edge(0, format!("{rising} /")),
        });
    }
    let last = shift(rows.saturating_sub(1));
    lines.extend(board.column_names(indent + last + 1, step));
    lines
}

/// Draws a rhombus with the column names above it, where the columns are not shifted.
pub(super) fn draw_rhombus(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let indent = board.row_names();
    let step = step(board);
    let half = step / 2;
    let gap = " ".repeat(step - 3);
    let edge = |shift: usize, text: String| {
        format!("{:width$}{}", "", paint(QUIET, text.trim_end()), width = indent + shift)
    };
    let mut lines: Vec<String> = board.column_names(indent + 1, step).into_iter().collect();
    lines.push(edge(0, format!(r" /{gap}\").repeat(cols)));
    for y in 0..rows {
        let shift = y * half;
        lines.push(format!("{}{:shift$}{}", board.row_name(y), "", walled(board, cols, y)));
        let last =
            if y + 1 < rows { format!(r" \{gap}").trim_end().to_owned() } else { String::new() };
        lines.push(edge(shift, format!(r" \{gap}/").repeat(cols) + &last));
    }
    lines
}

fn points(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let step = board.width + 2;
    let shift = |y: usize| if y % 2 == 1 { step / 2 } else { 0 };
    let row = |y: usize| {
        let cells: String = (0..cols).map(|x| board.cell(x, y, "·")).collect();
        format!("{}{:width$}{cells}", board.row_name(y), "", width = shift(y))
    };
    let mut lines: Vec<String> = (0..rows).map(row).collect();
    let last = shift(rows.saturating_sub(1));
    lines.extend(board.column_names(board.row_names() + last, step));
    lines
}

/// Draws a row with two characters for each cell: a bracket or space before the cell, and the cell.
/// Neighbours share brackets; there is no room for column names.
fn dense(board: &SceneGrid<'_>, cols: usize, y: usize) -> String {
    let mut line = board.row_name(y) + if y % 2 == 1 { " " } else { "" };
    let mut after = ' ';
    for x in 0..cols {
        let marked = board.is_marked(x, y);
        line.push(if marked { '[' } else { after });
        line += &board.middle(x, y, "·");
        after = if marked { ']' } else { ' ' };
    }
    line.push(after);
    line.trim_end().to_owned()
}
