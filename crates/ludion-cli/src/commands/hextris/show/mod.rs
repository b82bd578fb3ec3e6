//! `ludion hextris show`: draws the board and the units of a problem, or the placements that a unit
//! can reach.

mod placements;

use clap::Args;
use ludion::games::hextris::picture::scene;
use ludion::games::hextris::{JsonProblem, Placement, Problem, Unit};
use serde::Serialize;

use super::input::load_problem;
use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use placements::PlacementArgs;

/// Draw a problem
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris show well
  ludion hextris show problem_3.json --json > copy.json
  ludion hextris show corner --placements --svg reached.svg
  ludion hextris show dot --placements --no-phrases
  ludion hextris show well --placements --after solutions.json --locks 5

With --placements each placement that the unit reaches shows the step that reached it first:
an arrow, or the number of a phrase. Followed backwards the steps lead to the spawn (●); the
path to one placement stands in brackets. Placements where the unit can lock have another
colour.")]
pub(super) struct HextrisShowArgs {
    /// The problem: a file, - for standard input, or the name of a built-in one
    problem: String,
    #[command(flatten)]
    placements: PlacementArgs,
}

/// A problem; as JSON it is the same as the file it was read from.
#[derive(Serialize)]
#[serde(transparent)]
struct HextrisShowReport<'a> {
    draft: &'a JsonProblem,
    #[serde(skip)]
    problem: &'a Problem,
}

impl HextrisShowArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let problem = load_problem(&self.problem)?;
        if self.placements.is_asked()? {
            return self.placements.show(context, &problem);
        }
        context.output.report(&HextrisShowReport { draft: problem.json(), problem: &problem })
    }
}

impl CommandReport for HextrisShowReport<'_> {
    fn text(&self) -> String {
        let problem = self.problem;
        let mut text = paint(LOUD, &format!("problem {}", problem.id()));
        text += &format!(
            "  {} by {}, {} full, {} of {}\n\n",
            problem.width(),
            problem.height(),
            plural(problem.board().count() as u64, "cell"),
            plural(problem.source_length() as u64, "unit"),
            plural(problem.units().len() as u64, "kind"),
        );
        text += &draw(&scene(problem.board(), problem.width(), None));
        let seeds: Vec<String> = problem.seeds().iter().map(u32::to_string).collect();
        text += &format!("\nseeds: {}\n", seeds.join(" "));
        for (number, unit) in problem.units().iter().enumerate() {
            let turns = match unit.turns() {
                1 => "looks the same after every turn".to_owned(),
                turns => format!("{turns} turns"),
            };
            let about = format!("{}, {turns}", plural(unit.size() as u64, "cell"));
            text += &format!("\nunit {number}  {}\n{}", paint(QUIET, &about), alone(unit));
        }
        text
    }
}

/// Draws a unit on a board just large enough for the unit and its pivot.
fn alone(unit: &Unit) -> String {
    let at = unit.spawn();
    let cells: Vec<(i32, i32)> = unit.cells(at).chain([(at.x.into(), at.y.into())]).collect();
    let range = |values: Vec<i32>| {
        (values.iter().copied().min().unwrap_or(0), values.iter().copied().max().unwrap_or(0))
    };
    let (left, right) = range(cells.iter().map(|cell| cell.0).collect());
    let (top, bottom) = range(cells.iter().map(|cell| cell.1).collect());
    // Rows keep their parity, because the shape of a unit depends on it.
    let top = top - (top & 1);
    let (width, height) = ((right - left + 1) as usize, (bottom - top + 1) as usize);
    if width > 128 || height > 256 {
        return format!("  {width} by {height} cells with its pivot, too large to draw\n");
    }
    let moved = Placement { x: at.x - left as i16, y: at.y - top as i16, turn: 0 };
    let mut picture = scene(&vec![0; height], width, Some((unit, moved)));
    (picture.columns, picture.rows) = (Vec::new(), Vec::new());
    draw(&picture)
}
