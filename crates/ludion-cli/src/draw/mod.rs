//! Draws scenes in a terminal, with characters that every font has. The owner of a piece is shown
//! by both colour and shape, so that it can be recognised without colour.

mod grid;
mod heaps;
mod hexagons;
mod points;

use std::collections::{HashMap, HashSet};

use anstyle::{Ansi256Color, Style};
use ludion::game::Side;
use ludion::scene::{Coord, PieceShape, Scene, SceneLayout};

use crate::output::{QUIET, paint};

/// Left margin of every drawing.
const MARGIN: &str = "  ";

/// Draws a scene as lines of text, with its caption below.
pub(crate) fn draw(scene: &Scene) -> String {
    let board = SceneGrid::of(scene);
    let mut lines = match &scene.layout {
        SceneLayout::Grid { cols, rows } if !scene.lines.is_empty() => {
            points::draw(&board, usize::from(*cols), usize::from(*rows))
        }
        SceneLayout::Grid { cols, rows } => {
            grid::draw(&board, usize::from(*cols), usize::from(*rows))
        }
        SceneLayout::Hexagons { cols, rows } => {
            hexagons::draw(&board, usize::from(*cols), usize::from(*rows))
        }
        SceneLayout::Rhombus { cols, rows } => {
            hexagons::draw_rhombus(&board, usize::from(*cols), usize::from(*rows))
        }
        SceneLayout::Heaps { sizes } => heaps::draw(&board, sizes),
    };
    if !scene.caption.is_empty() {
        lines.push(paint(QUIET, &scene.caption));
    }
    lines.into_iter().map(|line| format!("{MARGIN}{line}\n")).collect()
}

/// Returns the colour of a side: orange or blue, which are readable on dark and light backgrounds
/// and rarely confused.
pub(crate) fn colour(side: Side) -> Style {
    let colour = match side {
        Side::First => Ansi256Color(208),
        Side::Second => Ansi256Color(39),
    };
    Style::new().bold().fg_color(Some(colour.into()))
}

/// Returns the colour of a peg. The first eight colours differ clearly; later pegs repeat them and
/// are distinguished by their numbers.
fn peg_colour(number: u16) -> Style {
    const COLOURS: [u8; 8] = [203, 39, 220, 77, 171, 208, 45, 250];
    let colour = Ansi256Color(COLOURS[usize::from(number) % COLOURS.len()]);
    Style::new().bold().fg_color(Some(colour.into()))
}

/// A scene with its pieces indexed by cell.
struct SceneGrid<'a> {
    scene: &'a Scene,
    faces: HashMap<Coord, PieceGlyph>,
    marked: HashSet<Coord>,
    /// Width in characters of the widest piece or column name.
    width: usize,
}

/// Character and style of a piece.
struct PieceGlyph {
    glyph: String,
    style: Style,
}

impl<'a> SceneGrid<'a> {
    fn of(scene: &'a Scene) -> Self {
        let faces: HashMap<Coord, PieceGlyph> = scene
            .pieces
            .iter()
            .map(|piece| {
                let style = match piece.shape {
                    PieceShape::Peg(number) => peg_colour(number),
                    _ => piece.owner.map_or_else(Style::new, colour),
                };
                (piece.at, PieceGlyph { glyph: glyph(&piece.shape, piece.owner), style })
            })
            .collect();
        let texts = faces.values().map(|face| &face.glyph).chain(&scene.columns);
        let width = texts.map(|text| text.chars().count()).max().unwrap_or(1).max(1);
        SceneGrid { scene, faces, marked: scene.marked.iter().copied().collect(), width }
    }

    /// Returns the text of a cell: two characters wider than the widest piece, marked cells in
    /// brackets, empty cells with `empty`.
    fn cell(&self, x: usize, y: usize, empty: &str) -> String {
        let middle = self.middle(x, y, empty);
        if self.is_marked(x, y) { format!("[{middle}]") } else { format!(" {middle} ") }
    }

    /// Returns the piece of a cell, or `empty`, centred to the width of the widest piece.
    fn middle(&self, x: usize, y: usize, empty: &str) -> String {
        let face = self.faces.get(&Coord::new(x, y));
        let (glyph, style) = face.map_or((empty, QUIET), |face| (&face.glyph, face.style));
        paint(style, &format!("{glyph:^width$}", width = self.width))
    }

    fn is_marked(&self, x: usize, y: usize) -> bool {
        self.marked.contains(&Coord::new(x, y))
    }

    /// Returns the width in characters of the row names with the space after them.
    fn row_names(&self) -> usize {
        self.scene.rows.iter().map(|name| name.chars().count() + 1).max().unwrap_or(0)
    }

    /// Returns the name of row `y`, right-aligned.
    fn row_name(&self, y: usize) -> String {
        let name = self.scene.rows.get(y).map_or("", String::as_str);
        let width = self.row_names().saturating_sub(1);
        if width == 0 { String::new() } else { paint(QUIET, &format!("{name:>width$}")) + " " }
    }

    /// Returns the column names, each centred in `step` characters after `indent` characters, or
    /// `None` if there are none.
    fn column_names(&self, indent: usize, step: usize) -> Option<String> {
        let names = &self.scene.columns;
        let line: String = names.iter().map(|name| format!("{name:^step$}")).collect();
        let shown = || format!("{:indent$}{}", "", paint(QUIET, line.trim_end()));
        (!names.is_empty()).then(shown)
    }
}

fn glyph(shape: &PieceShape, owner: Option<Side>) -> String {
    let by_side = |first: &str, second: &str| match owner {
        Some(Side::Second) => second.to_owned(),
        _ => first.to_owned(),
    };
    match shape {
        PieceShape::Disc => by_side("●", "○"),
        PieceShape::King => by_side("◉", "◎"),
        PieceShape::Cross => "✕".to_owned(),
        PieceShape::Ring => "○".to_owned(),
        PieceShape::Pawn => by_side("♟", "♙"),
        PieceShape::Match => "|".to_owned(),
        PieceShape::Token => "■".to_owned(),
        PieceShape::Block => by_side("█", "▒"),
        PieceShape::Peg(number) => (number + 1).to_string(),
        PieceShape::Seeds(_)
        | PieceShape::Die { .. }
        | PieceShape::Figure(_)
        | PieceShape::Text(_) => shape.written().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(scene: &Scene) -> String {
        anstream::adapter::strip_str(&draw(scene)).to_string()
    }

    #[test]
    fn rows_of_a_rhombus_shift_to_the_right() {
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let mut scene =
            Scene::rhombus(3, 3, discs, |x, y| (x == 1 && y < 2).then_some(Side::First));
        scene.name_like_chess();
        let expected = "
      a   b   c
     / \\ / \\ / \\
  3 |   | ● |   |
     \\ / \\ / \\ / \\
  2   |   | ● |   |
       \\ / \\ / \\ / \\
  1     |   |   |   |
         \\ / \\ / \\ /
";
        assert_eq!(format!("\n{}", plain(&scene)), expected);
    }

    #[test]
    fn hexagons_interlock_and_marks_stand_in_brackets() {
        let mut scene =
            Scene { layout: SceneLayout::Hexagons { cols: 3, rows: 3 }, ..Scene::grid(3, 3) };
        scene.name_like_chess();
        scene.put(Coord::new(0, 0), Some(Side::First), PieceShape::Disc);
        scene.put(Coord::new(1, 1), Some(Side::Second), PieceShape::Disc);
        scene.marked.push(Coord::new(1, 1));
        let expected = "
     / \\ / \\ / \\
  3 | ● |   |   |
     \\ / \\ / \\ / \\
  2   |   |[○]|   |
     / \\ / \\ / \\ /
  1 |   |   |   |
     \\ / \\ / \\ /
      a   b   c
";
        assert_eq!(format!("\n{}", plain(&scene)), expected);
    }

    #[test]
    fn hexagons_with_two_characters_interlock() {
        let mut scene =
            Scene { layout: SceneLayout::Hexagons { cols: 2, rows: 2 }, ..Scene::grid(2, 2) };
        scene.put(Coord::new(0, 0), None, PieceShape::Text("12".into()));
        scene.put(Coord::new(1, 1), None, PieceShape::Text("3".into()));
        scene.marked.push(Coord::new(1, 1));
        let expected = "
   /   \\ /   \\
  | 12  |     |
   \\   / \\   / \\
     |     |[3 ] |
      \\   / \\   /
";
        assert_eq!(format!("\n{}", plain(&scene)), expected);
    }

    #[test]
    fn wide_texts_widen_every_cell_of_a_grid() {
        let mut scene = Scene::grid(2, 1);
        scene.columns = vec!["1".into(), "2".into()];
        scene.put(Coord::new(1, 0), None, PieceShape::Text("128".into()));
        let expected = "
  ┌─────┬─────┐
  │     │ 128 │
  └─────┴─────┘
     1     2
";
        assert_eq!(format!("\n{}", plain(&scene)), expected);
    }

    #[test]
    fn parts_of_a_large_board_are_framed() {
        let mut scene = Scene::grid(4, 10);
        scene.columns = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        scene.frames.push([Coord::new(0, 0), Coord::new(1, 8)]);
        scene.frames.push([Coord::new(2, 9), Coord::new(3, 9)]);
        let text = plain(&scene);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "  ┌──────┬──────┐");
        assert_eq!(lines[9], "  │ ·  · │ ·  · │");
        assert_eq!(lines[10], "  ├──────┼──────┤");
        assert_eq!(lines[13], "    a  b   c  d");
    }

    #[test]
    fn a_large_board_is_drawn_without_lines_between_its_cells() {
        let mut scene = Scene::grid(3, 12);
        scene.put(Coord::new(2, 11), Some(Side::First), PieceShape::Block);
        let text = plain(&scene);
        assert_eq!(text.lines().count(), 14, "{text}");
        assert_eq!(text.lines().nth(12), Some("  │ ·  ·  █ │"));
    }

    #[test]
    fn whose_a_piece_is_shows_in_its_colour_and_in_its_shape() {
        let mut scene = Scene::grid(2, 1);
        scene.put(Coord::new(0, 0), Some(Side::First), PieceShape::Pawn);
        scene.put(Coord::new(1, 0), Some(Side::Second), PieceShape::Pawn);
        let text = draw(&scene);
        for side in Side::BOTH {
            assert!(text.contains(&colour(side).render().to_string()), "{text:?}");
        }
        assert!(plain(&scene).contains("│ ♟ │ ♙ │"));
    }
}
