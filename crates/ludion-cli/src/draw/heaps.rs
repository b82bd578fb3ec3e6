//! Draws heaps of objects, one below the other, in groups of five: tokens in boxes, other objects
//! with a dot for each removed one.

use anstyle::{AnsiColor, Style};
use ludion::scene::{Coord, Piece, PieceShape};

use super::SceneGrid;
use crate::output::{LOUD, QUIET, paint};

/// Number of objects on one line; larger heaps continue on the next.
const ON_A_LINE: usize = 50;
/// Style of objects without an owner.
const WOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

pub(super) fn draw(board: &SceneGrid<'_>, sizes: &[u16]) -> Vec<String> {
    let boxed = board.scene.pieces.iter().any(|piece| piece.shape == PieceShape::Token);
    let names = board.scene.columns.iter().map(|name| name.chars().count());
    let indent = names.max().map_or(0, |width| width + 1);
    let mut lines = Vec::new();
    for (heap, &size) in sizes.iter().enumerate() {
        let of_heap = |piece: &&Piece| usize::from(piece.at.x) == heap;
        let count = board.scene.pieces.iter().filter(of_heap).count();
        let room = usize::from(size).max(count).max(1);
        let body = if boxed {
            in_a_box(objects(board, heap, room, " "), room)
        } else {
            in_the_open(objects(board, heap, room, "·"), count)
        };
        let name = board.scene.columns.get(heap).map_or("", String::as_str);
        let middle = body.len() / 2;
        for (i, line) in body.into_iter().enumerate() {
            let name = if i == middle { name } else { "" };
            lines.push(format!("{}{line}", paint(LOUD, &format!("{name:<indent$}"))));
        }
    }
    lines
}

/// Returns the lines that draw a heap: its objects, then `gone` for each removed object, `room` in
/// all.
fn objects(board: &SceneGrid<'_>, heap: usize, room: usize, gone: &str) -> Vec<String> {
    let places: Vec<usize> = (0..room).collect();
    let five =
        |five: &[usize]| five.iter().map(|&i| object(board, heap, i, gone)).collect::<String>();
    let line = |line: &[usize]| line.chunks(5).map(five).collect::<Vec<String>>().join(" ");
    places.chunks(ON_A_LINE).map(line).collect()
}

fn object(board: &SceneGrid<'_>, heap: usize, i: usize, gone: &str) -> String {
    let at = Coord::new(heap, i);
    let Some(face) = board.faces.get(&at) else { return paint(QUIET, gone) };
    let style = if face.style == Style::new() { WOOD } else { face.style };
    paint(if board.marked.contains(&at) { style.bold().underline() } else { style }, &face.glyph)
}

/// Appends the number of objects to the last line.
fn in_the_open(mut lines: Vec<String>, count: usize) -> Vec<String> {
    if let Some(last) = lines.last_mut() {
        last.push_str(&paint(QUIET, &format!("  {count}")));
    }
    lines
}

/// Draws a box around the lines of a heap that has room for `room` objects.
fn in_a_box(lines: Vec<String>, room: usize) -> Vec<String> {
    let wide = |objects: usize| objects + objects.saturating_sub(1) / 5;
    let width = wide(room.min(ON_A_LINE));
    let rule =
        |left: &str, right: &str| paint(QUIET, &format!("{left}{}{right}", "─".repeat(width + 2)));
    let wall = paint(QUIET, "│");
    let mut walled = vec![rule("╭", "╮")];
    for (i, line) in lines.into_iter().enumerate() {
        let missing = width - wide((room - i * ON_A_LINE).min(ON_A_LINE));
        walled.push(format!("{wall} {line}{:missing$} {wall}", ""));
    }
    walled.push(rule("╰", "╯"));
    walled
}
