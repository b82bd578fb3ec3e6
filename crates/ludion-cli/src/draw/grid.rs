//! Draws a board of squares: with lines between the squares if it is small, otherwise as dots in a
//! frame.

use super::SceneGrid;
use crate::output::{QUIET, paint};

/// Largest board that is drawn with lines; eight rows take 17 lines of a terminal.
const LINED_ROWS: usize = 8;
const LINED_COLUMNS: usize = 18;

pub(super) fn draw(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    if cols <= LINED_COLUMNS && rows <= LINED_ROWS {
        lined(board, cols, rows)
    } else {
        framed(board, cols, rows)
    }
}

fn lined(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let indent = board.row_names();
    let wall = paint(QUIET, "│");
    let rule = |left: &str, cross: &str, right: &str| {
        let bars = vec!["─".repeat(board.width + 2); cols].join(cross);
        format!("{:indent$}{}", "", paint(QUIET, &format!("{left}{bars}{right}")))
    };
    let mut lines = vec![rule("┌", "┬", "┐")];
    for y in 0..rows {
        if y > 0 {
            lines.push(rule("├", "┼", "┤"));
        }
        let cells: Vec<String> = (0..cols).map(|x| board.cell(x, y, "")).collect();
        lines.push(format!("{}{wall}{}{wall}", board.row_name(y), cells.join(&wall)));
    }
    lines.push(rule("└", "┴", "┘"));
    lines.extend(board.column_names(indent + 1, board.width + 3));
    lines
}

fn framed(board: &SceneGrid<'_>, cols: usize, rows: usize) -> Vec<String> {
    let frames = &board.scene.frames;
    let cuts_before_column =
        |x: usize| x > 0 && frames.iter().any(|[from, _]| from.x as usize == x);
    let cuts_before_row = |y: usize| y > 0 && frames.iter().any(|[from, _]| from.y as usize == y);
    let indent = board.row_names();
    let wall = paint(QUIET, "│");
    // The cells of a row, with something between the parts of the board.
    let row = |cut: &str, cell: &dyn Fn(usize) -> String| -> String {
        let cells =
            (0..cols).map(|x| if cuts_before_column(x) { cut } else { "" }.to_owned() + &cell(x));
        cells.collect()
    };
    let bar = "─".repeat(board.width + 2);
    let rule = |left: &str, cut: &str, right: &str| {
        let bars = row(cut, &|_| bar.clone());
        format!("{:indent$}{}", "", paint(QUIET, &format!("{left}{bars}{right}")))
    };
    let mut lines = vec![rule("┌", "┬", "┐")];
    for y in 0..rows {
        if cuts_before_row(y) {
            lines.push(rule("├", "┼", "┤"));
        }
        let cells = row(&wall, &|x| board.cell(x, y, "·"));
        lines.push(format!("{}{wall}{cells}{wall}", board.row_name(y)));
    }
    lines.push(rule("└", "┴", "┘"));
    let names = &board.scene.columns;
    if !names.is_empty() {
        let step = board.width + 2;
        let name = |x: usize| format!("{:^step$}", names.get(x).map_or("", String::as_str));
        let line = row(" ", &name);
        lines.push(format!("{:indent$} {}", "", paint(QUIET, line.trim_end())));
    }
    lines
}
