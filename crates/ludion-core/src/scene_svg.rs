//! Scenes as SVG: squares, hexagons or heaps, the pieces on them, and the labels around them.
//!
//! The pages of the laboratory draw the same scenes in the browser; this is for notebooks, files and
//! documents. All colours are attributes, so a picture needs no style sheet.

use std::fmt::{Arguments, Write};

use crate::game::Side;
use crate::scene::{Coord, Piece, PieceShape, Scene, SceneLayout};

/// Side of a square and width of a hexagon.
const UNIT: f64 = 40.0;
/// Height of the space for column labels, and least width of the space for row labels.
const MARGIN: f64 = 22.0;
/// Estimated width of one character of a label.
const CHARACTER_WIDTH: f64 = 9.0;
/// Estimated width of one character of the caption.
const CAPTION_CHARACTER_WIDTH: f64 = 7.5;
/// Distance between two lines of a heap, and between two objects of a line.
const HEAP_LINE: f64 = UNIT * 1.25;
const HEAP_PITCH: f64 = UNIT * 0.6;

/// Colours of the pieces of the first and of the second side; those of the pages, and
/// different in grey as well.
const OWNER_COLOURS: [&str; 2] = ["#2166ac", "#d9822b"];
const OWNER_EDGES: [&str; 2] = ["#123d68", "#7a3d06"];
const UNOWNED_COLOUR: &str = "#5d6770";
const INK: &str = "#333333";
/// Colours of pegs by their number; further pegs repeat them.
const PEG_COLOURS: [&str; 8] =
    ["#d9482b", "#2f6fb5", "#3f9b58", "#f2c230", "#8a56ac", "#e88b2d", "#4fb3bf", "#b5651d"];

impl Scene {
    /// Draws the scene as an SVG document. `highlighted` are pairs of cells that are joined by an
    /// arrow, such as the source and the target of a move.
    #[must_use]
    pub fn svg(&self, highlighted: &[(Coord, Coord)]) -> String {
        let plan = ScenePlan::new(self);
        let caption = if self.caption.is_empty() { 0.0 } else { MARGIN };
        let caption_width = CAPTION_CHARACTER_WIDTH * self.caption.chars().count() as f64;
        let (width, height) = (plan.width.max(caption_width), plan.height + caption);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\">"
        );
        for cell in plan.cells() {
            if !self.lines.is_empty() {
                plan.outline(&mut out, cell, "#f1eee6", "#f1eee6");
                continue;
            }
            let colour = match self.layout {
                SceneLayout::Heaps { .. } => "none",
                SceneLayout::Hexagons { .. } | SceneLayout::Rhombus { .. } => "#f1eee6",
                _ if (cell.x + cell.y) % 2 == 0 => "#f1eee6",
                _ => "#e6e1d4",
            };
            plan.outline(&mut out, cell, colour, "#c3bcab");
        }
        plan.edges(&mut out);
        self.marked.iter().for_each(|&cell| plan.outline(&mut out, cell, "#f3d878", "#c3bcab"));
        for line in &self.lines {
            let [(x1, y1), (x2, y2)] = line.map(|end| plan.centre(end));
            let path = format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            push(
                &mut out,
                format_args!("<path d=\"{path}\" stroke=\"#8a8272\" stroke-width=\"1.2\"/>"),
            );
        }
        for frame in &self.frames {
            let [(x1, y1), (x2, y2)] = frame.map(|corner| plan.centre(corner));
            let (x, y) = (x1 - UNIT / 2.0, y1 - UNIT / 2.0);
            let (width, height) = (x2 - x1 + UNIT, y2 - y1 + UNIT);
            push(
                &mut out,
                format_args!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                     fill=\"none\" stroke=\"#5d6770\" stroke-width=\"2.4\"/>"
                ),
            );
        }
        self.pieces.iter().for_each(|piece| plan.piece(&mut out, piece));
        highlighted.iter().for_each(|&(from, to)| plan.arrow(&mut out, from, to));
        let size = if self.names.is_empty() { 13.0 } else { 8.0 };
        for (x, y, label) in plan.labels() {
            text(&mut out, (x, y), size, INK, label);
        }
        if !self.caption.is_empty() {
            text(&mut out, (width / 2.0, plan.height + MARGIN / 2.0), 13.0, INK, &self.caption);
        }
        out + "</svg>"
    }
}

/// Where the cells and labels of a scene are drawn.
struct ScenePlan<'a> {
    scene: &'a Scene,
    width: f64,
    height: f64,
    /// Width of the space left of the cells.
    left: f64,
    /// Number of objects in one line of a heap.
    line: usize,
    /// The top of each heap.
    tops: Vec<f64>,
}

impl<'a> ScenePlan<'a> {
    fn new(scene: &'a Scene) -> Self {
        let mut plan =
            ScenePlan { scene, width: 0.0, height: 0.0, left: 2.0, line: 1, tops: Vec::new() };
        let is_named = !scene.names.is_empty();
        let bottom = if scene.columns.is_empty() || is_named { 2.0 } else { MARGIN };
        match &scene.layout {
            SceneLayout::Grid { cols, rows } => {
                plan.left = if is_named { 2.0 } else { room_for(&scene.rows) };
                plan.width = plan.left + f64::from(*cols) * UNIT + 2.0;
                plan.height = 2.0 + f64::from(*rows) * UNIT + bottom;
            }
            SceneLayout::Hexagons { cols, rows } => {
                plan.left = room_for(&scene.rows);
                let shift = if *rows > 1 { 0.5 } else { 0.0 };
                plan.width = plan.left + (f64::from(*cols) + shift) * UNIT + 2.0;
                let last = f64::from(rows.saturating_sub(1)) * 1.5 * radius();
                plan.height = 2.0 + 2.0 * radius() + last + bottom;
            }
            SceneLayout::Rhombus { cols, rows } => {
                plan.left = room_for(&scene.rows);
                let shift = f64::from(rows.saturating_sub(1)) / 2.0;
                plan.width = plan.left + (f64::from(*cols) + shift) * UNIT + 2.0;
                let last = f64::from(rows.saturating_sub(1)) * 1.5 * radius();
                plan.height = plan.top() + 2.0 * radius() + last + 2.0;
            }
            SceneLayout::Heaps { sizes } => {
                let most = usize::from(sizes.iter().copied().max().unwrap_or(0)).max(1);
                plan.line = if most <= 24 { most } else { 24 };
                plan.left = room_for(&scene.columns);
                let mut top = 2.0;
                for &size in sizes {
                    plan.tops.push(top);
                    top += usize::from(size).div_ceil(plan.line).max(1) as f64 * HEAP_LINE;
                }
                plan.width = plan.left + plan.line as f64 * HEAP_PITCH + 4.0;
                plan.height = top + 2.0;
            }
        }
        plan
    }

    /// Returns the top of the cells: the columns of a rhombus are labelled above it, where they are
    /// not shifted.
    fn top(&self) -> f64 {
        match self.scene.layout {
            SceneLayout::Rhombus { .. } if !self.scene.columns.is_empty() => MARGIN,
            _ => 2.0,
        }
    }

    fn cells(&self) -> Vec<Coord> {
        match &self.scene.layout {
            SceneLayout::Grid { cols, rows }
            | SceneLayout::Hexagons { cols, rows }
            | SceneLayout::Rhombus { cols, rows } => {
                (0..*rows).flat_map(|y| (0..*cols).map(move |x| Coord { x, y })).collect()
            }
            SceneLayout::Heaps { sizes } => {
                let heap = |(x, &size): (usize, &u16)| {
                    (0..usize::from(size)).map(move |y| Coord::new(x, y)).collect::<Vec<_>>()
                };
                sizes.iter().enumerate().flat_map(heap).collect()
            }
        }
    }

    /// Returns the centre of a cell.
    fn centre(&self, cell: Coord) -> (f64, f64) {
        let (x, y) = (f64::from(cell.x), f64::from(cell.y));
        match self.scene.layout {
            SceneLayout::Grid { .. } => (self.left + (x + 0.5) * UNIT, 2.0 + (y + 0.5) * UNIT),
            SceneLayout::Hexagons { .. } => {
                let shift = f64::from(cell.y % 2) / 2.0;
                (self.left + (x + 0.5 + shift) * UNIT, 2.0 + radius() + y * 1.5 * radius())
            }
            SceneLayout::Rhombus { .. } => {
                (self.left + (x + 0.5 + y / 2.0) * UNIT, self.top() + radius() + y * 1.5 * radius())
            }
            SceneLayout::Heaps { .. } => {
                let (line, place) =
                    (usize::from(cell.y) / self.line, usize::from(cell.y) % self.line);
                let top = self.tops.get(usize::from(cell.x)).copied().unwrap_or(2.0);
                (
                    self.left + (place as f64 + 0.5) * HEAP_PITCH,
                    top + (line as f64 + 0.5) * HEAP_LINE,
                )
            }
        }
    }

    fn outline(&self, out: &mut String, cell: Coord, fill: &str, stroke: &str) {
        let (x, y) = self.centre(cell);
        let paint = format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"0.8\"");
        match self.scene.layout {
            SceneLayout::Grid { .. } => push(
                out,
                format_args!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{UNIT}\" height=\"{UNIT}\" {paint}/>",
                    x - UNIT / 2.0,
                    y - UNIT / 2.0
                ),
            ),
            SceneLayout::Hexagons { .. } | SceneLayout::Rhombus { .. } => {
                push(out, format_args!("<path d=\"{}\" {paint}/>", hexagon((x, y), radius())));
            }
            SceneLayout::Heaps { .. } => push(
                out,
                format_args!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{HEAP_PITCH}\" height=\"{}\" rx=\"4\" \
                 {paint}/>",
                    x - HEAP_PITCH / 2.0,
                    y - HEAP_LINE / 2.0 + 3.0,
                    HEAP_LINE - 6.0
                ),
            ),
        };
    }

    /// Draws the edges of a rhombus in the colours of the sides.
    fn edges(&self, out: &mut String) {
        let SceneLayout::Rhombus { cols, rows } = self.scene.layout else { return };
        for cell in self.cells() {
            let sides = [
                (cell.y == 0, Side::First, [150.0, 90.0, 30.0]),
                (cell.y + 1 == rows, Side::First, [210.0, 270.0, 330.0]),
                (cell.x == 0, Side::Second, [150.0, 210.0, 270.0]),
                (cell.x + 1 == cols, Side::Second, [90.0, 30.0, 330.0]),
            ];
            for (_, side, corners) in sides.iter().filter(|(is_edge, ..)| *is_edge) {
                let at = self.centre(cell);
                let line = corners.map(|degrees| corner(at, radius(), degrees)).join("L");
                let colour = OWNER_COLOURS[side.index()];
                push(
                    out,
                    format_args!(
                        "<path d=\"M{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>"
                    ),
                );
            }
        }
    }

    fn piece(&self, out: &mut String, piece: &Piece) {
        let at = self.centre(piece.at);
        let (fill, edge) = match piece.owner {
            Some(side) => (OWNER_COLOURS[side.index()], OWNER_EDGES[side.index()]),
            None => (UNOWNED_COLOUR, "#3e4850"),
        };
        let (x, y) = at;
        let paint = format!("fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.2\"");
        let line = format!("fill=\"none\" stroke=\"{fill}\" stroke-width=\"4.5\"");
        match &piece.shape {
            PieceShape::Disc => {
                circle(out, at, 15.0, &paint);
                // A ring tells the sides apart without colour.
                if let Some(Side::Second) = piece.owner {
                    circle(out, at, 8.0, &outlined(edge));
                }
            }
            PieceShape::King => {
                circle(out, at, 15.0, &paint);
                circle(out, at, 9.0, &outlined(edge));
                circle(out, at, 5.0, &outlined(edge));
            }
            PieceShape::Ring => circle(out, at, 12.0, &line),
            PieceShape::Token => circle(out, at, 10.0, &paint),
            PieceShape::Cross => push(
                out,
                format_args!(
                    "<path d=\"M{:.1} {:.1}l22 22M{:.1} {:.1}l-22 22\" {line}/>",
                    x - 11.0,
                    y - 11.0,
                    x + 11.0,
                    y - 11.0
                ),
            ),
            PieceShape::Pawn => push(
                out,
                format_args!(
                    "<path d=\"M{x:.1} {:.1}a6 6 0 0 1 4 10.5c3 2 4 6 4.5 9.5h3v6h-23v-6h3c.5-3.5 \
                 1.5-7.5 4.5-9.5a6 6 0 0 1 4-10.5z\" {paint}/>",
                    y - 14.0
                ),
            ),
            PieceShape::Match => push(
                out,
                format_args!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"4\" height=\"30\" rx=\"1.5\" \
                 fill=\"#c9a066\"/><ellipse cx=\"{x:.1}\" cy=\"{:.1}\" rx=\"4\" ry=\"5.5\" \
                 fill=\"#b03a2e\"/>",
                    x - 2.0,
                    y - 12.0,
                    y - 14.0
                ),
            ),
            PieceShape::Block => match self.scene.layout {
                SceneLayout::Hexagons { .. } | SceneLayout::Rhombus { .. } => {
                    push(
                        out,
                        format_args!("<path d=\"{}\" {paint}/>", hexagon(at, radius() - 1.5)),
                    );
                }
                _ => push(
                    out,
                    format_args!(
                        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{2}\" height=\"{2}\" rx=\"3\" {paint}/>",
                        x - UNIT / 2.0 + 2.0,
                        y - UNIT / 2.0 + 2.0,
                        UNIT - 4.0
                    ),
                ),
            },
            PieceShape::Peg(colour) => {
                let fill = PEG_COLOURS[usize::from(*colour) % PEG_COLOURS.len()];
                circle(out, at, 14.0, &format!("fill=\"{fill}\" stroke=\"{INK}\""));
                text(out, at, 13.0, "#ffffff", &(colour + 1).to_string());
            }
            PieceShape::Seeds(_)
            | PieceShape::Die { .. }
            | PieceShape::Figure(_)
            | PieceShape::Text(_) => {
                let colour = if piece.owner.is_some() { edge } else { INK };
                let label = piece.shape.written().unwrap_or_default();
                let size = if label.chars().count() > 2 { 14.0 } else { 20.0 };
                text(out, at, size, colour, &label);
            }
        };
    }

    /// Draws an arrow, or a ring if both cells are the same.
    fn arrow(&self, out: &mut String, from: Coord, to: Coord) {
        let (start, end) = (self.centre(from), self.centre(to));
        let paint = "fill=\"none\" stroke=\"#2b8a3e\" stroke-width=\"4\" stroke-opacity=\"0.85\"";
        if from == to {
            circle(out, end, 17.0, paint);
            return;
        }
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        let neck = (end.0 - 10.0 * ux, end.1 - 10.0 * uy);
        push(
            out,
            format_args!(
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" {paint}/><path d=\"M{:.1} {:.1}L{:.1} \
             {:.1}L{:.1} {:.1}Z\" fill=\"#2b8a3e\" fill-opacity=\"0.85\"/>",
                start.0,
                start.1,
                neck.0,
                neck.1,
                end.0,
                end.1,
                neck.0 - 7.0 * uy,
                neck.1 + 7.0 * ux,
                neck.0 + 7.0 * uy,
                neck.1 - 7.0 * ux
            ),
        );
    }

    /// Returns the places and texts of the labels.
    fn labels(&self) -> Vec<(f64, f64, &'a str)> {
        let scene = self.scene;
        if !scene.names.is_empty() {
            // In the top left corner, which a disc does not cover.
            let corner = UNIT / 2.0 - 5.5;
            let label = |(cell, name): &'a (Coord, String)| {
                let (x, y) = self.centre(*cell);
                (x - corner, y - corner, &name[..])
            };
            return scene.names.iter().map(label).collect();
        }
        let left = |(i, label): (usize, &'a String), cell: fn(usize) -> Coord| {
            (self.left / 2.0, self.centre(cell(i)).1, &label[..])
        };
        if matches!(scene.layout, SceneLayout::Heaps { .. }) {
            let heaps = scene.columns.iter().enumerate();
            return heaps.map(|label| left(label, |heap| Coord::new(heap, 0))).collect();
        }
        let is_rhombus = matches!(scene.layout, SceneLayout::Rhombus { .. });
        let rows = scene.rows.iter().enumerate();
        let mut labels: Vec<_> = rows.map(|label| left(label, |row| Coord::new(0, row))).collect();
        if is_rhombus {
            // Each label is beside its row, which is shifted.
            (0..).zip(&mut labels).for_each(|(row, label)| label.0 += f64::from(row) / 2.0 * UNIT);
        }
        labels.extend(scene.columns.iter().enumerate().map(|(column, label)| {
            let x = self.centre(Coord::new(column, 0)).0;
            let y = if is_rhombus { MARGIN / 2.0 } else { self.height - MARGIN / 2.0 };
            (x, y, &label[..])
        }));
        labels
    }
}

fn push(out: &mut String, element: Arguments<'_>) {
    out.write_fmt(element).expect("a string takes any text");
}

/// Returns the distance from the centre of a hexagon to its corners.
fn radius() -> f64 {
    UNIT / 3f64.sqrt()
}

/// Returns the width of the space left of the cells that these labels need.
fn room_for(labels: &[String]) -> f64 {
    let widths = labels.iter().map(|label| CHARACTER_WIDTH * label.chars().count() as f64 + 8.0);
    if labels.is_empty() { 2.0 } else { widths.fold(MARGIN, f64::max) }
}

fn outlined(stroke: &str) -> String {
    format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.6\"")
}

fn circle(out: &mut String, (x, y): (f64, f64), radius: f64, paint: &str) {
    push(out, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {paint}/>"));
}

fn hexagon(centre: (f64, f64), radius: f64) -> String {
    let corners = [90.0, 150.0, 210.0, 270.0, 330.0, 30.0];
    format!("M{}Z", corners.map(|degrees| corner(centre, radius, degrees)).join("L"))
}

/// Returns the corner of a hexagon in a direction, counter-clockwise from the right.
fn corner((x, y): (f64, f64), radius: f64, degrees: f64) -> String {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    format!("{:.2} {:.2}", x + radius * cosine, y - radius * sine)
}

/// Writes a text with its centre at a point.
fn text(out: &mut String, (x, y): (f64, f64), size: f64, fill: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    push(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" \
         text-anchor=\"middle\" dominant-baseline=\"central\">{text}</text>"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_cell_and_label_is_drawn() {
        let mut scene = Scene::grid(3, 2);
        scene.name_like_chess();
        scene.caption = "a < b & c".to_owned();
        let shapes = [
            PieceShape::Disc,
            PieceShape::King,
            PieceShape::Cross,
            PieceShape::Ring,
            PieceShape::Pawn,
            PieceShape::Peg(9),
        ];
        for (i, shape) in shapes.into_iter().enumerate() {
            scene.put(Coord::new(i % 3, i / 3), Some(Side::BOTH[i % 2]), shape);
        }
        scene.marked.push(Coord::new(1, 1));
        let svg = scene.svg(&[(Coord::new(0, 0), Coord::new(2, 1))]);
        assert_eq!(svg.matches("<rect").count(), 6 + 1, "six cells and a mark");
        assert_eq!(svg.matches("<text").count(), 3 + 2 + 1 + 1, "labels, a peg, the caption");
        assert!(svg.contains("a &lt; b &amp; c") && svg.ends_with("</svg>"), "{svg}");
        let without = scene.svg(&[]);
        assert_eq!(svg.matches("<path").count(), without.matches("<path").count() + 2);
    }

    #[test]
    fn heaps_and_hexagons_fit_their_pictures() {
        let heaps = Scene::heaps(&[3, 30], &[5, 30], &PieceShape::Match);
        let mut hexagons = Scene::grid(4, 3);
        hexagons.layout = SceneLayout::Hexagons { cols: 4, rows: 3 };
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let mut rhombus = Scene::rhombus(3, 4, discs, |x, y| (x == y).then_some(Side::First));
        rhombus.name_like_chess();
        assert_eq!(rhombus.svg(&[]).matches("stroke-width=\"3\"").count(), 2 * (3 + 4), "edges");
        for scene in [heaps, hexagons, rhombus] {
            let plan = ScenePlan::new(&scene);
            for cell in plan.cells() {
                let (x, y) = plan.centre(cell);
                assert!(x > 0.0 && x < plan.width && y > 0.0 && y < plan.height, "{cell:?}");
            }
            assert!(!scene.svg(&[]).contains("NaN"));
        }
    }
}
