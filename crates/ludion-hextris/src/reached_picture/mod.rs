//! Pictures of the placements that a unit can reach: for each orientation a board on which every
//! reached placement shows the step that reached it first, an arrow or the number of a phrase, so
//! that the path to it can be followed backwards; and a board with the path to one of them.
//!
//! A placement is drawn at the cell of the pivot, or, where the pivot can leave the board, at the cell
//! of the unit that is nearest to the pivot.

mod marks;

use std::collections::BTreeSet;

use super::board::HexBoard;
use super::commands::Command;
use super::phrases::Phrases;
use super::solver::reached::{ReachedBy, ReachedPlacement, ReachedPlacements};
use super::unit::Placement;
use ludion_core::game::Side;
use ludion_core::scene::{Coord, PieceShape, Scene};
use marks::{
    CELL, ICON, MOVE, PATH, PHRASE, RADIUS, SOFT, TITLE, arrow, badge, centre, escaped, heading,
    hexagons, middle_of, polyline, put, span, wrapped,
};

/// Space between panels, and height of a line of text below them.
const GAP: f64 = 22.0;
const LINE: f64 = 20.0;
/// Width of a character of the commands, and least width of the picture, which the legend needs.
const CHARACTER: f64 = 8.2;
const LEAST_WIDTH: f64 = 430.0;
/// Least width of a panel, which its title needs.
const MIN_PANEL: f64 = 190.0;

/// What is drawn: a board, the placements that a unit reaches on it, and the path to one of them.
#[derive(Clone, Copy)]
pub struct ReachedPicture<'a> {
    /// The board on which the unit moves.
    pub board: &'a HexBoard,
    /// Number of columns of the board.
    pub width: usize,
    /// The placements that the unit reaches.
    pub reached: &'a ReachedPlacements<'a>,
    /// The phrases that the steps refer to.
    pub phrases: &'a Phrases,
    /// Index of the placement whose path is drawn.
    pub to: Option<usize>,
}

impl ReachedPicture<'_> {
    /// Returns the orientations in which placements are reached.
    fn turns(&self) -> Vec<u8> {
        let turns: BTreeSet<u8> = self.reached.all().iter().map(|one| one.at.turn).collect();
        turns.into_iter().collect()
    }

    fn of_turn(&self, turn: u8) -> impl Iterator<Item = &ReachedPlacement> {
        self.reached.all().iter().filter(move |one| one.at.turn == turn)
    }

    /// Returns the cell at which a placement is drawn; those of two placements of an orientation differ.
    fn anchor(&self, at: Placement) -> (i32, i32) {
        let unit = self.reached.unit();
        let inside = |at: Placement| self.is_inside((at.x.into(), at.y.into()));
        if self.of_turn(at.turn).all(|one| inside(one.at)) {
            return (at.x.into(), at.y.into());
        }
        // In axial coordinates the nearest cell does not depend on the row.
        let origin = Placement { x: 0, y: 0, turn: at.turn };
        let cells: Vec<(i32, i32)> = unit.cells(origin).collect();
        let distance = |&(x, y): &(i32, i32)| {
            let q = x - (y >> 1);
            (q.abs().max(y.abs()).max((q + y).abs()), y, x)
        };
        let nearest = (0..cells.len()).min_by_key(|&i| distance(&cells[i])).unwrap_or(0);
        unit.cells(at).nth(nearest).unwrap_or((at.x.into(), at.y.into()))
    }

    fn is_inside(&self, (x, y): (i32, i32)) -> bool {
        (0..self.width as i32).contains(&x) && (0..self.board.len() as i32).contains(&y)
    }

    /// Returns the title of the board of an orientation, and the number of its placements.
    fn title(&self, turn: u8) -> [String; 2] {
        let placements = match self.of_turn(turn).count() {
            1 => "1 placement".to_owned(),
            count => format!("{count} placements"),
        };
        let locks = self.of_turn(turn).filter(|one| one.can_lock).count();
        let title = match self.reached.unit().turns() {
            1 => "its only orientation".to_owned(),
            turns => format!("orientation {} of {turns}", turn + 1),
        };
        [title, format!("{placements}, {locks} to lock")]
    }

    /// Returns for each reached orientation its title and a scene with the step that reached each
    /// placement. Placements of the path are marked.
    #[must_use]
    pub fn scenes(&self) -> Vec<(String, Scene)> {
        let path = self.to.map_or_else(Vec::new, |to| self.reached.path(to));
        let on_path = |one: &ReachedPlacement| {
            path.iter().any(|&index| self.reached.all()[index].at == one.at)
        };
        let scene = |turn: u8| {
            let mut scene = super::picture::scene(self.board, self.width, None);
            for one in self.of_turn(turn) {
                let (x, y) = self.anchor(one.at);
                let cell = Coord::new(x as usize, y as usize);
                let side = if one.can_lock { Side::First } else { Side::Second };
                scene.put(cell, Some(side), PieceShape::Text(sign(one.by)));
                if on_path(one) {
                    scene.marked.push(cell);
                }
            }
            (self.title(turn).join(": "), scene)
        };
        self.turns().into_iter().map(scene).collect()
    }

    /// Draws the picture as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let shift = if self.board.len() > 1 { 0.5 } else { 0.0 };
        let panel_width = (self.width as f64 + shift) * CELL + 2.0;
        let panel_height =
            TITLE + 2.0 * RADIUS + (self.board.len() - 1) as f64 * 1.5 * RADIUS + 2.0;
        let turns = self.turns();
        let panels = turns.len() + usize::from(self.to.is_some());
        let columns = columns(panels, panel_width, panel_height);
        let rows = panels.div_ceil(columns.max(1));
        let wide = columns as f64 * (panel_width.max(MIN_PANEL) + GAP) + GAP;
        let width = wide.max(LEAST_WIDTH);
        let mut body = String::new();
        for panel in 0..panels {
            let x = GAP + (panel % columns) as f64 * (panel_width.max(MIN_PANEL) + GAP);
            let y = GAP + (panel / columns) as f64 * (panel_height + GAP);
            put(&mut body, format_args!("<g transform=\"translate({x:.1} {y:.1})\">"));
            match turns.get(panel) {
                Some(&turn) => self.orientation(&mut body, turn),
                None => self.path_panel(&mut body),
            }
            body += "</g>";
        }
        let below = GAP + rows as f64 * (panel_height + GAP);
        let height = self.text_below(&mut body, below, width) + GAP / 2.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             font-family=\"system-ui, 'Noto Sans', sans-serif\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{body}</svg>"
        )
    }

    /// Draws the empty board with its full cells.
    fn cells(&self, out: &mut String) {
        let every = |is_full: bool| {
            let rows = self.board.iter().enumerate();
            let cells = rows.flat_map(|(y, &row)| (0..self.width).map(move |x| (x, y, row)));
            let cells = cells.filter(|&(x, _, row)| (row >> x & 1 == 1) == is_full);
            hexagons(cells.map(|(x, y, _)| (x as i32, y as i32)), 1.0)
        };
        let line = "stroke=\"#d8d2c4\" stroke-width=\"0.8\"";
        put(out, format_args!("<path d=\"{}\" fill=\"#faf8f3\" {line}/>", every(false)));
        put(out, format_args!("<path d=\"{}\" fill=\"#6a737c\" {line}/>", every(true)));
    }

    /// Draws the unit in an orientation, small, left of the title, with a dot at its anchor.
    fn icon(&self, out: &mut String, turn: u8) {
        let Some(at) = self.of_turn(turn).next().map(|one| one.at) else { return };
        let cells: Vec<(i32, i32)> = self.reached.unit().cells(at).collect();
        let (x, y) = centre(self.anchor(at));
        let points: Vec<(f64, f64)> =
            cells.iter().map(|&cell| centre(cell)).chain([(x, y)]).collect();
        let least = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).fold(f64::MAX, f64::min);
        let most = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).fold(f64::MIN, f64::max);
        let (left, top) = (least(|p| p.0) - CELL / 2.0, least(|p| p.1) - RADIUS);
        let wide = (most(|p| p.0) + CELL / 2.0 - left).max(most(|p| p.1) + RADIUS - top);
        let scale = (ICON / wide).min(0.55);
        put(
            out,
            format_args!(
                "<g transform=\"translate(1 2) scale({scale:.3}) translate({:.1} {:.1})\">\
                 <path d=\"{}\" fill=\"{MOVE}\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" \
                 fill=\"#ffffff\" stroke=\"{MOVE}\"/></g>",
                -left,
                -top,
                hexagons(cells.into_iter(), 0.92)
            ),
        );
    }

    /// Draws one orientation: its placements with the steps that reached them, and the part of the
    /// path that lies in it.
    fn orientation(&self, out: &mut String, turn: u8) {
        heading(out, &self.title(turn));
        self.icon(out, turn);
        self.cells(out);
        let tint = |can_lock: bool| {
            let these = self.of_turn(turn).filter(move |one| one.can_lock == can_lock);
            hexagons(these.map(|one| self.anchor(one.at)), 0.92)
        };
        put(out, format_args!("<path d=\"{}\" fill=\"#e6eff8\"/>", tint(false)));
        put(out, format_args!("<path d=\"{}\" fill=\"#b5d3ee\"/>", tint(true)));
        self.path_in(out, turn);
        for one in self.of_turn(turn) {
            let at = centre(self.anchor(one.at));
            match one.by {
                ReachedBy::Spawn => put(
                    out,
                    format_args!(
                        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{MOVE}\"/>",
                        at.0,
                        at.1,
                        CELL * 0.2
                    ),
                ),
                ReachedBy::Command(command) => arrow(out, at, command),
                ReachedBy::Phrase(number) => badge(out, at, number + 1),
            }
        }
    }

    /// Draws the part of the path that lies in one orientation, and the unit where it locks.
    fn path_in(&self, out: &mut String, turn: u8) {
        let Some(to) = self.to else { return };
        let all = self.reached.all();
        let path = self.reached.path(to);
        let here = path.iter().map(|&index| all[index].at).filter(|at| at.turn == turn);
        let cells: Vec<(i32, i32)> = here.map(|at| self.anchor(at)).collect();
        let rim = format!("fill=\"none\" stroke=\"{PATH}\" stroke-width=\"1.6\"");
        put(
            out,
            format_args!(
                "<path d=\"{}\" fill=\"{PATH}\" fill-opacity=\"0.16\"/>",
                hexagons(cells.into_iter(), 0.92)
            ),
        );
        for pair in path.windows(2) {
            let [from, to] = [all[pair[0]].at, all[pair[1]].at];
            if from.turn != turn || to.turn != turn {
                continue;
            }
            let dashes = match all[pair[1]].by {
                ReachedBy::Phrase(_) => " stroke-dasharray=\"3 4\"",
                _ => "",
            };
            let ends = [from, to].map(|at| centre(self.anchor(at)));
            put(
                out,
                format_args!(
                    "<path d=\"{}\" {rim} stroke-opacity=\"0.75\"{dashes}/>",
                    polyline(&ends)
                ),
            );
        }
        if all[to].at.turn == turn {
            let cells = hexagons(self.reached.unit().cells(all[to].at), 0.96);
            put(out, format_args!("<path d=\"{cells}\" {rim} stroke-linejoin=\"round\"/>"));
        }
    }

    /// Draws the unit on its way to the placement `to`.
    fn path_panel(&self, out: &mut String) {
        let Some(to) = self.to else { return };
        let (unit, steps) = (self.reached.unit(), self.reached.steps(to));
        let characters: usize = steps.iter().map(|step| step.text.len()).sum();
        heading(out, &["the path".to_owned(), format!("{characters} commands")]);
        self.icon(out, 0);
        self.cells(out);
        let ghost = |out: &mut String, at: Placement, paint: &str| {
            put(out, format_args!("<path d=\"{}\" {paint}/>", hexagons(unit.cells(at), 0.9)));
        };
        for &at in steps.iter().flat_map(|step| &step.through) {
            ghost(out, at, &format!("fill=\"{MOVE}\" fill-opacity=\"0.08\""));
        }
        let dashed = format!("fill=\"{MOVE}\" fill-opacity=\"0.12\" stroke=\"{MOVE}\"");
        ghost(out, unit.spawn(), &format!("{dashed} stroke-dasharray=\"3 2\""));
        let last = self.reached.all()[to].at;
        ghost(out, last, &format!("fill=\"{MOVE}\" fill-opacity=\"0.85\""));
        let middle = |at: Placement| middle_of(unit, at);
        let (mut at, mut badges) = (unit.spawn(), Vec::new());
        for step in &steps {
            let line: Vec<(f64, f64)> =
                [at].iter().chain(&step.through).map(|&at| middle(at)).collect();
            at = step.through.last().copied().unwrap_or(at);
            let is_phrase = matches!(step.by, ReachedBy::Phrase(_));
            let colour = if is_phrase { PHRASE } else { PATH };
            put(
                out,
                format_args!(
                    "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
                     stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                    polyline(&line)
                ),
            );
            if let (ReachedBy::Phrase(number), Some(&end)) = (step.by, line.last()) {
                badges.push((end, number + 1));
            }
        }
        badges.into_iter().for_each(|(at, number)| badge(out, at, number));
        let (x, y) = middle(unit.spawn());
        put(
            out,
            format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#ffffff\" stroke=\"{PATH}\" \
                 stroke-width=\"2\"/>"
            ),
        );
    }

    /// Writes the commands of the path and the legend below the panels, from `top` on; returns the end
    /// of the last line.
    fn text_below(&self, out: &mut String, top: f64, width: f64) -> f64 {
        let mut y = top + LINE / 2.0;
        let room = (((width - 2.0 * GAP) / CHARACTER) as usize).max(20);
        for line in self.command_lines(room) {
            let spans: String =
                line.iter().map(|(text, is_phrase)| span(text, *is_phrase)).collect();
            put(
                out,
                format_args!(
                    "<text x=\"{GAP}\" y=\"{y:.1}\" font-size=\"13.5\" xml:space=\"preserve\" \
                     font-family=\"ui-monospace, 'DejaVu Sans Mono', monospace\">{spans}</text>"
                ),
            );
            y += LINE;
        }
        let used: BTreeSet<usize> =
            self.reached.all().iter().filter_map(ReachedPlacement::phrase).collect();
        let mut words = vec![
            "An arrow shows the command that reached a placement first, a number the phrase."
                .to_owned(),
            "Darker placements can lock.".to_owned(),
        ];
        let name = |&number: &usize| format!("{} = {}", number + 1, self.phrases.list()[number]);
        words.extend(used.iter().map(name));
        for line in wrapped(&words, ((width - 2.0 * GAP) / 6.4) as usize) {
            put(
                out,
                format_args!(
                    "<text x=\"{GAP}\" y=\"{y:.1}\" font-size=\"12\" fill=\"{SOFT}\" \
                     xml:space=\"preserve\">{}</text>",
                    escaped(&line)
                ),
            );
            y += LINE * 0.85;
        }
        y
    }

    /// Returns the commands of the path in lines of at most `room` characters; each part is a text and
    /// whether it belongs to a phrase.
    fn command_lines(&self, room: usize) -> Vec<Vec<(String, bool)>> {
        let steps = self.to.map_or_else(Vec::new, |to| self.reached.steps(to));
        let mut lines: Vec<Vec<(String, bool)>> = Vec::new();
        let mut length = room;
        for step in steps {
            let is_phrase = matches!(step.by, ReachedBy::Phrase(_));
            for character in step.text.chars() {
                if length >= room {
                    lines.push(Vec::new());
                    length = 0;
                }
                length += 1;
                let line = lines.last_mut().expect("a line was begun");
                match line.last_mut() {
                    Some((text, same)) if *same == is_phrase => text.push(character),
                    _ => line.push((character.to_string(), is_phrase)),
                }
            }
        }
        lines
    }
}

/// Returns the number of columns in which the panels give a picture about one and a half times as
/// wide as high.
fn columns(panels: usize, width: f64, height: f64) -> usize {
    let shape = |&columns: &usize| {
        let rows = panels.div_ceil(columns) as f64;
        let wide = columns as f64 * (width.max(MIN_PANEL) + GAP);
        (wide / (rows * (height + GAP)) / 1.5).ln().abs()
    };
    let best = (1..=panels).min_by(|a, b| shape(a).total_cmp(&shape(b)));
    best.unwrap_or(1)
}

/// Returns the sign of a step in the terminal.
fn sign(by: ReachedBy) -> String {
    match by {
        ReachedBy::Spawn => "●".to_owned(),
        ReachedBy::Phrase(number) => (number + 1).to_string(),
        ReachedBy::Command(command) => match command {
            Command::West => "←",
            Command::East => "→",
            Command::SouthWest => "↙",
            Command::SouthEast => "↘",
            Command::Clockwise => "↻",
            Command::CounterClockwise => "↺",
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::problems;
    use super::*;

    #[test]
    fn every_reached_placement_is_drawn_in_the_terminal_and_in_the_picture() {
        for (name, phrases) in [("corner", Phrases::known()), ("well", Phrases::none())] {
            let problem = problems::find(name).unwrap().problem();
            let unit = &problem.units()[0];
            let reached = ReachedPlacements::new(&problem, problem.board(), unit, &phrases);
            let (board, width, to) = (problem.board(), problem.width(), reached.chosen());
            let picture = ReachedPicture { board, width, reached: &reached, phrases: &phrases, to };
            let scenes = picture.scenes();
            let is_text = |scene: &Scene| {
                let texts = scene.pieces.iter();
                texts.filter(|piece| matches!(piece.shape, PieceShape::Text(_))).count()
            };
            let drawn: usize = scenes.iter().map(|(_, scene)| is_text(scene)).sum();
            assert_eq!(drawn, reached.all().len(), "{name}");
            let path = reached.path(to.unwrap()).len();
            let marked: usize = scenes.iter().map(|(_, scene)| scene.marked.len()).sum();
            assert_eq!(marked, path, "{name}");
            let svg = picture.svg();
            let heads = svg.matches(&format!("Z\" fill=\"{MOVE}\"/>")).count();
            let commands = reached.all().iter();
            let commands = commands.filter(|one| matches!(one.by, ReachedBy::Command(_))).count();
            assert_eq!(heads, commands, "{name}: an arrow for each command");
            assert!(svg.ends_with("</svg>") && !svg.contains("NaN"), "{name}");
        }
    }
}
