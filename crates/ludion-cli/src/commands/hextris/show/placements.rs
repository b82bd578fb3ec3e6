//! `ludion hextris show --placements`: draws all placements that a unit can reach, each with the step
//! that reached it first, and the path to one of them.

use std::path::PathBuf;

use clap::Args;
use ludion::games::hextris::reached_picture::ReachedPicture;
use ludion::games::hextris::solver::reached::{PathStep, ReachedPlacement, ReachedPlacements};
use ludion::games::hextris::{DecodedChar, HextrisSimulation, HextrisSolution, Placement, Problem};
use ludion::scene::Scene;
use serde::Serialize;

use super::super::input::{PhraseArgs, read};
use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots;

/// Options of the drawing of placements.
#[derive(Args)]
pub(super) struct PlacementArgs {
    /// Draw the placements that a unit can reach
    #[arg(long)]
    placements: bool,
    /// The unit, by its number [default: the one that comes next]
    #[arg(long, value_name = "N", requires = "placements")]
    unit: Option<usize>,
    /// Play this file of solutions first
    #[arg(long, value_name = "SOLUTIONS.json", requires = "placements")]
    after: Option<String>,
    /// Which solution of the file to play, from 1 [default: the first of this problem]
    #[arg(long, value_name = "N", requires = "after")]
    number: Option<usize>,
    /// Number of units of the solution that lock before [default: all of them]
    #[arg(long, value_name = "N", requires = "after")]
    locks: Option<usize>,
    /// Draw the path to this placement: column and row of the pivot, and number of clockwise turns
    /// [default: where the solver `baseline` locks]
    #[arg(long, value_name = "X,Y,TURNS", requires = "placements", value_parser = parse_placement,
          allow_hyphen_values = true)]
    to: Option<Placement>,
    #[command(flatten)]
    phrases: PhraseArgs,
    /// Write a picture to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "placements", value_parser = plots::svg_file)]
    svg: Option<PathBuf>,
}

fn parse_placement(text: &str) -> Result<Placement, String> {
    let said = || "a placement is written X,Y or X,Y,TURNS, such as 3,7,1".to_owned();
    let numbers: Vec<i16> = text
        .split(',')
        .map(|part| part.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| said())?;
    match numbers[..] {
        [x, y] => Ok(Placement { x, y, turn: 0 }),
        [x, y, turn @ 0..6] => Ok(Placement { x, y, turn: turn as u8 }),
        _ => Err(said()),
    }
}

/// Plays a solution until it locked `locks` units, or to its last lock, or to its error; returns the
/// game after the last lock.
fn play_locks<'p>(
    problem: &'p Problem,
    solution: &HextrisSolution,
    locks: usize,
) -> HextrisSimulation<'p> {
    let mut game = HextrisSimulation::new(problem, solution.seed);
    let mut locked = game.clone();
    for byte in solution.solution.bytes() {
        if locked.locked() == locks {
            break;
        }
        match DecodedChar::from_byte(byte) {
            DecodedChar::Ignored => {}
            DecodedChar::Command(command) if game.command(command).is_ok() => {}
            DecodedChar::Command(_) | DecodedChar::Unknown => break,
        }
        if game.locked() > locked.locked() {
            locked = game.clone();
        }
    }
    locked
}

#[derive(Serialize)]
struct PlacementsReport<'a> {
    #[serde(rename = "problemId")]
    problem: u32,
    seed: u32,
    /// Number of units that locked before.
    locked: usize,
    /// Number of the unit.
    unit: usize,
    /// The phrases that steps refer to by index.
    phrases: &'a [String],
    placements: &'a [ReachedPlacement],
    /// Index of the placement whose path is shown.
    to: Option<usize>,
    path: Vec<PathStep>,
    #[serde(skip)]
    scenes: Vec<(String, Scene)>,
}

impl PlacementArgs {
    /// Returns whether placements are to be drawn.
    pub(super) fn is_asked(&self) -> Result<bool, CommandFailure> {
        if self.phrases.is_given() && !self.placements {
            let said = "phrases change nothing here; -p and --no-phrases are for --placements";
            return Err(CommandFailure::Usage(said.to_owned()));
        }
        Ok(self.placements)
    }

    pub(super) fn show(
        &self,
        context: &CommandContext,
        problem: &Problem,
    ) -> Result<(), CommandFailure> {
        let phrases = self.phrases.read()?;
        let (game, seed) = self.game(problem)?;
        let number = self.unit_number(problem, &game, seed)?;
        let unit = &problem.units()[number];
        let reached = ReachedPlacements::new(problem, game.board(), unit, &phrases);
        if reached.all().is_empty() {
            let said =
                format!("unit {number} does not fit where it appears, so it reaches nothing");
            return Err(CommandFailure::Usage(said));
        }
        let to = self.target(&reached)?;
        let (board, width) = (game.board(), problem.width());
        let picture = ReachedPicture { board, width, reached: &reached, phrases: &phrases, to };
        if let Some(path) = &self.svg {
            std::fs::write(path, picture.svg()).map_err(|error| {
                CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        context.output.report(&PlacementsReport {
            problem: problem.id(),
            seed,
            locked: game.locked(),
            unit: number,
            phrases: phrases.list(),
            placements: reached.all(),
            to,
            path: to.map_or_else(Vec::new, |to| reached.steps(to)),
            scenes: picture.scenes(),
        })
    }

    /// Returns the game at the moment that is drawn, and its seed.
    fn game<'p>(
        &self,
        problem: &'p Problem,
    ) -> Result<(HextrisSimulation<'p>, u32), CommandFailure> {
        let Some(file) = &self.after else {
            let seed = problem.seeds()[0];
            return Ok((HextrisSimulation::new(problem, seed), seed));
        };
        let solution = self.solution(problem, file)?;
        let seed = solution.seed;
        if !problem.seeds().contains(&seed) {
            let said = format!("{file}: problem {} has no seed {seed}", problem.id());
            return Err(CommandFailure::Usage(said));
        }
        let game = play_locks(problem, &solution, self.locks.unwrap_or(usize::MAX));
        match self.locks {
            Some(locks) if game.locked() < locks => Err(CommandFailure::Usage(format!(
                "the solution locks {}; --locks is {locks}",
                plural(game.locked() as u64, "unit")
            ))),
            _ => Ok((game, seed)),
        }
    }

    fn solution(&self, problem: &Problem, file: &str) -> Result<HextrisSolution, CommandFailure> {
        let wrong = |said: String| CommandFailure::Usage(format!("{file}: {said}"));
        let mut list = HextrisSolution::list_from_json(&read(file)?)
            .map_err(|error| wrong(error.to_string()))?;
        let index = match self.number {
            Some(number) => number.checked_sub(1).filter(|&index| index < list.len()),
            None => list.iter().position(|one| one.problem_id == problem.id()),
        };
        let Some(index) = index else {
            let count = plural(list.len() as u64, "solution");
            return Err(wrong(match self.number {
                Some(number) => format!("there is no solution {number}; the file has {count}"),
                None => format!("none of its {count} is for problem {}", problem.id()),
            }));
        };
        let solution = list.swap_remove(index);
        if solution.problem_id != problem.id() {
            let (other, ours) = (solution.problem_id, problem.id());
            return Err(wrong(format!("this solution is for problem {other}, not {ours}")));
        }
        Ok(solution)
    }

    fn unit_number(
        &self,
        problem: &Problem,
        game: &HextrisSimulation<'_>,
        seed: u32,
    ) -> Result<usize, CommandFailure> {
        let count = problem.units().len();
        match self.unit {
            Some(unit) if unit < count => Ok(unit),
            Some(unit) => Err(CommandFailure::Usage(format!(
                "there is no unit {unit}; the problem has the units 0 to {}",
                count - 1
            ))),
            None => problem.source(seed).nth(game.locked()).ok_or_else(|| {
                let said = "no unit comes after this; choose one with --unit, or fewer --locks";
                CommandFailure::Usage(said.to_owned())
            }),
        }
    }

    /// Returns the index of the placement whose path is drawn.
    fn target(&self, reached: &ReachedPlacements<'_>) -> Result<Option<usize>, CommandFailure> {
        let Some(at) = self.to else { return Ok(reached.chosen()) };
        reached.find(at).map(Some).ok_or_else(|| {
            let Placement { x, y, turn } = at;
            let count = plural(reached.all().len() as u64, "placement");
            CommandFailure::Usage(format!(
                "the unit does not reach {x},{y},{turn}; it reaches {count}, which --json lists"
            ))
        })
    }
}

impl CommandReport for PlacementsReport<'_> {
    fn text(&self) -> String {
        let mut text = paint(LOUD, &format!("problem {}, unit {}", self.problem, self.unit));
        let locked = plural(self.locked as u64, "unit");
        text += &paint(QUIET, &format!("  seed {}, after {locked}\n", self.seed));
        for (title, scene) in &self.scenes {
            text += &format!("\n{title}\n\n{}", draw(scene));
        }
        if self.to.is_some() {
            let commands: String = self.path.iter().map(|step| step.text.as_str()).collect();
            text += &format!("\n{} {commands}\n", paint(QUIET, "path:"));
        }
        let used = self.placements.iter().filter_map(ReachedPlacement::phrase);
        let used: std::collections::BTreeSet<usize> = used.collect();
        for number in used {
            text += &format!("{:>4} {}\n", number + 1, self.phrases[number]);
        }
        text
    }
}
