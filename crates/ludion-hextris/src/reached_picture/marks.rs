//! Parts of the pictures of placements: cells, arrows, numbers of phrases and texts as elements of SVG,
//! at places relative to the panel they are in.

use std::fmt::Write;

use super::super::commands::Command;
use super::super::unit::{Placement, Unit};

/// Width of a hexagon, and distance of its corners from the centre.
pub(super) const CELL: f64 = 26.0;
pub(super) const RADIUS: f64 = CELL * 0.577_350_269;
/// Height of a panel's title.
pub(super) const TITLE: f64 = 44.0;
/// Width and height of the small picture of the unit beside a title.
pub(super) const ICON: f64 = 36.0;

pub(super) const INK: &str = "#2d333b";
pub(super) const SOFT: &str = "#6b7280";
pub(super) const MOVE: &str = "#1f5f99";
pub(super) const PHRASE: &str = "#b85c00";
pub(super) const PATH: &str = "#c2255c";

pub(super) fn put(out: &mut String, element: std::fmt::Arguments<'_>) {
    out.write_fmt(element).expect("a string takes any text");
}

/// Writes the two lines above a panel, right of the icon.
pub(super) fn heading(out: &mut String, [title, below]: &[String; 2]) {
    let x = ICON + 8.0;
    put(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"14\" font-size=\"13\" font-weight=\"600\" fill=\"{INK}\">{}</text>\
             <text x=\"{x}\" y=\"31\" font-size=\"12\" fill=\"{SOFT}\">{}</text>",
            escaped(title),
            escaped(below)
        ),
    );
}

/// Returns the centre of a cell in its panel.
pub(super) fn centre((x, y): (i32, i32)) -> (f64, f64) {
    let shift = f64::from(y & 1) / 2.0;
    let across = 1.0 + (f64::from(x) + 0.5 + shift) * CELL;
    (across, TITLE + 1.0 + RADIUS + f64::from(y) * 1.5 * RADIUS)
}

/// Returns the mean of the centres of a unit's cells.
pub(super) fn middle_of(unit: &Unit, at: Placement) -> (f64, f64) {
    let count = unit.size() as f64;
    let sum = unit.cells(at).map(centre).fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    (sum.0 / count, sum.1 / count)
}

/// Returns one path of hexagons around the centres of cells, of relative size `size`.
pub(super) fn hexagons(cells: impl Iterator<Item = (i32, i32)>, size: f64) -> String {
    let (w, r) = (CELL / 2.0 * size, RADIUS * size);
    let outline = |(x, y): (f64, f64)| {
        format!(
            "M{x:.1} {:.2}l{w:.2} {:.2}v{r:.2}l-{w:.2} {:.2}l-{w:.2} -{:.2}v-{r:.2}z",
            y - r,
            r / 2.0,
            r / 2.0,
            r / 2.0
        )
    };
    cells.map(|cell| outline(centre(cell))).collect()
}

pub(super) fn polyline(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    format!("M{}", points.join("L"))
}

/// Draws the arrow of a command around a point.
pub(super) fn arrow(out: &mut String, (x, y): (f64, f64), command: Command) {
    let half = 3f64.sqrt() / 2.0;
    let (dx, dy) = match command {
        Command::West => (-1.0, 0.0),
        Command::East => (1.0, 0.0),
        Command::SouthWest => (-0.5, half),
        Command::SouthEast => (0.5, half),
        Command::Clockwise => return turn_arrow(out, (x, y), 1.0),
        Command::CounterClockwise => return turn_arrow(out, (x, y), -1.0),
    };
    let (tail, neck, tip) = (-0.3 * CELL, 0.06 * CELL, 0.31 * CELL);
    let along = |distance: f64| (x + distance * dx, y + distance * dy);
    shaft(out, &polyline(&[along(tail), along(neck)]));
    head(out, along(neck), along(tip));
}

/// Draws an arc with an arrow head, clockwise if `way` is 1 and counter-clockwise if it is -1.
fn turn_arrow(out: &mut String, (x, y): (f64, f64), way: f64) {
    let radius = 0.24 * CELL;
    let on = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        (x + way * radius * cosine, y + radius * sine)
    };
    let (start, end) = (on(-70.0), on(160.0));
    let sweep = u8::from(way > 0.0);
    shaft(
        out,
        &format!(
            "M{:.1} {:.1}A{radius:.1} {radius:.1} 0 1 {sweep} {:.1} {:.1}",
            start.0, start.1, end.0, end.1
        ),
    );
    let (sine, cosine) = 160_f64.to_radians().sin_cos();
    let length = 0.25 * CELL;
    head(out, end, (end.0 - way * sine * length, end.1 + cosine * length));
}

fn shaft(out: &mut String, path: &str) {
    put(
        out,
        format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{MOVE}\" stroke-width=\"1.9\" \
             stroke-linecap=\"round\"/>"
        ),
    );
}

fn head(out: &mut String, (x, y): (f64, f64), tip: (f64, f64)) {
    let (dx, dy) = (tip.0 - x, tip.1 - y);
    let (wide_x, wide_y) = (-dy * 0.62, dx * 0.62);
    let corners = [(x + wide_x, y + wide_y), tip, (x - wide_x, y - wide_y)];
    put(out, format_args!("<path d=\"{}Z\" fill=\"{MOVE}\"/>", polyline(&corners)));
}

/// Draws the number of a phrase in a disc.
pub(super) fn badge(out: &mut String, (x, y): (f64, f64), number: usize) {
    put(
        out,
        format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{PHRASE}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" font-weight=\"600\" fill=\"#ffffff\" \
             text-anchor=\"middle\">{number}</text>",
            CELL * 0.34,
            y + 3.9
        ),
    );
}

pub(super) fn span(text: &str, is_phrase: bool) -> String {
    let (colour, weight) = if is_phrase { (PHRASE, 700) } else { (INK, 400) };
    format!("<tspan fill=\"{colour}\" font-weight=\"{weight}\">{}</tspan>", escaped(text))
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Joins texts with three blanks into lines of at most `room` characters. A text that is longer is
/// broken between words.
pub(super) fn wrapped(texts: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        if text.chars().count() <= room {
            add(&mut lines, text, "   ", room);
            continue;
        }
        lines.push(String::new());
        text.split_whitespace().for_each(|word| add(&mut lines, word, " ", room));
    }
    lines
}

/// Adds a text to the last line behind `blanks`, or as a new line if it has no room there.
fn add(lines: &mut Vec<String>, text: &str, blanks: &str, room: usize) {
    match lines.last_mut() {
        Some(line) if line.is_empty() => *line += text,
        Some(line) if line.chars().count() + blanks.len() + text.chars().count() <= room => {
            *line += blanks;
            *line += text;
        }
        _ => lines.push(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_longer_than_their_room_and_lose_no_word() {
        let texts = ["an arrow shows a command", "1 = ei!", "2 = yuggoth"].map(str::to_owned);
        for room in [12, 20, 40, 100] {
            let lines = wrapped(&texts, room);
            assert!(lines.iter().all(|line| line.chars().count() <= room), "{lines:?}");
            let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            assert_eq!(words.join(" "), texts.join(" "));
        }
    }
}
