//! `ludion hextris replay`: replays a solution step by step with the board, the unit and its pivot,
//! the command, the scores so far, and the spelled phrases.

mod place;

use std::io::IsTerminal;

use clap::Args;
use ludion::games::hextris::picture::scene;
use ludion::games::hextris::replay::{ReplayEvent, ReplayFrame, SolutionReplay as Frames};
use ludion::games::hextris::{HextrisReferee, HextrisSolution, SolutionScore};
use ludion::scene::Coord;
use serde::Serialize;

use super::input::{HextrisInputArgs, LoadedInput};
use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use place::{ReplayCommand, ReplayCursor, ask};

/// Replay a solution in the terminal
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris replay --problem well solutions.json               unit by unit
  ludion hextris replay --problem well solutions.json --frames      command by command
  ludion hextris replay --problem well solutions.json --step        Enter goes on, b back
  ludion hextris replay --problem well solutions.json --from 20     from the 20th command

With --step on a terminal Enter goes on and b back by a command, n and p to the next and
the previous lock, a number to that command, and q leaves. Under the commands, = marks
phrases that are spelled and - one that is being spelled; the numbers of the next units
are those of `ludion hextris show`.
After a repetition the cells that the unit came back to stand in brackets.")]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    input: HextrisInputArgs,
    /// Which solution of the file to replay, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,
    /// Show every command; on a terminal Enter goes forward, b back, q quits
    #[arg(long, conflicts_with = "frames")]
    step: bool,
    /// Show every command, one after the other
    #[arg(long)]
    frames: bool,
    /// The first command to show, from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
}

#[derive(Serialize)]
struct ReplayReport {
    #[serde(rename = "problemId")]
    problem: u32,
    seed: u32,
    verdict: SolutionScore,
    phrases: Vec<String>,
    frames: Vec<ReplayFrame>,
}

impl ReplayArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let loaded = self.input.load()?;
        let number = self.number.checked_sub(1);
        let solution = number.and_then(|number| loaded.solutions.get(number)).ok_or_else(|| {
            let count = plural(loaded.solutions.len() as u64, "solution");
            CommandFailure::Usage(format!(
                "there is no solution {}; the file has {count}",
                self.number
            ))
        })?;
        let problem = loaded.problem(solution);
        let verdict =
            HextrisReferee::new(problem, &loaded.phrases).score(solution.seed, &solution.solution);
        if context.output.json {
            let frames = self.frames_of(&loaded, solution).collect();
            let phrases = loaded.phrases.list().to_vec();
            let (problem, seed) = (solution.problem_id, solution.seed);
            return context.output.report(&ReplayReport {
                problem,
                seed,
                verdict,
                phrases,
                frames,
            });
        }
        self.show(context, &loaded, solution)?;
        context.output.write(&conclusion(&verdict))
    }

    fn frames_of<'a>(&self, loaded: &'a LoadedInput, solution: &'a HextrisSolution) -> Frames<'a> {
        let problem = loaded.problem(solution);
        Frames::new(problem, &loaded.phrases, solution.seed, &solution.solution)
    }

    fn show(
        &self,
        context: &CommandContext,
        loaded: &LoadedInput,
        solution: &HextrisSolution,
    ) -> Result<(), CommandFailure> {
        let live = self.step && std::io::stdin().is_terminal();
        let begin = || ReplayCursor::new(self.frames_of(loaded, solution), &loaded.phrases);
        let mut place = begin();
        let title = format!("problem {}, seed {}", solution.problem_id, solution.seed);
        let first = board(place.frames(), None);
        context.output.write(&format!("{}\n\n{first}", paint(LOUD, &title)))?;
        let mut wish = ReplayCommand::Command(self.from as usize);
        loop {
            if place.is_beyond(wish) {
                place = begin();
            }
            let Some(frame) = place.go(wish) else { return Ok(()) };
            let between = matches!(frame.event, ReplayEvent::Moved { .. } | ReplayEvent::Ignored);
            if !between || self.step || self.frames {
                context.output.write(&picture(&solution.solution, &place, &frame))?;
            }
            let next = ReplayCommand::Command(place.count() + 1);
            let Some(wanted) = (if live { ask(&context.output, &place)? } else { Some(next) })
            else {
                return Ok(());
            };
            wish = wanted;
        }
    }
}

/// Draws one frame: the command, the board and the next units.
fn picture(solution: &str, place: &ReplayCursor<'_>, frame: &ReplayFrame) -> String {
    let run = place.frames().game();
    let mut text = format!("\n{}\n", headline(frame, run.locked()));
    text += &format!("{}\n", window(solution, frame, place.spelled()));
    text += &board(place.frames(), Some(frame));
    let upcoming: Vec<String> = run.upcoming().take(COMING).map(|unit| unit.to_string()).collect();
    if !upcoming.is_empty() {
        text += &format!("  {}\n", paint(QUIET, &format!("next units {}", upcoming.join(" "))));
    }
    text
}

/// Draws the board. If the last command is an error because it repeats a placement of the unit, the
/// cells of that placement are marked.
fn board(frames: &Frames<'_>, frame: Option<&ReplayFrame>) -> String {
    let run = frames.game();
    let mut picture = scene(run.board(), run.problem().width(), run.unit());
    if let Some(ReplayEvent::Error { trouble, .. }) = frame.map(|frame| frame.event)
        && let (Some(repeated), Some((unit, _))) = (trouble.repeats, run.unit())
    {
        let cells = unit.cells(repeated.placement);
        picture.marked = cells.map(|(x, y)| Coord::new(x as usize, y as usize)).collect();
    }
    draw(&picture)
}

/// Formats the number and character of the command, its effect, and the scores after it.
fn headline(frame: &ReplayFrame, locked: usize) -> String {
    let did = match &frame.event {
        ReplayEvent::Ignored => "means nothing".to_owned(),
        ReplayEvent::Moved { command, .. } => command.name().to_owned(),
        ReplayEvent::Locked { command, lock } => {
            let lines = match lock.lines {
                0 => String::new(),
                lines => format!(", {}", plural(lines.into(), "line")),
            };
            format!("{} locks unit {locked}{lines}, +{}", command.name(), lock.points)
        }
        ReplayEvent::Error { status, .. } => format!("error: {}", status.name()),
    };
    let scores = format!(
        "  moves {}, power {}, together {}",
        frame.move_score,
        frame.power_score,
        frame.move_score + frame.power_score
    );
    let head = format!("{}. {:?} {did}", frame.at + 1, frame.character);
    paint(LOUD, &head) + &paint(QUIET, &scores)
}

/// Number of past commands that are shown with a frame.
const WINDOW: usize = 72;
/// Number of next units that are shown with a frame.
const COMING: usize = 5;

/// Formats the last commands, with marks on the line below: `=` under spelled phrases, `-` under
/// the beginning of a phrase, `^` under an error.
fn window(solution: &str, frame: &ReplayFrame, spelled: &[bool]) -> String {
    let end = frame.at + 1;
    let start = end.saturating_sub(WINDOW);
    let failed = matches!(frame.event, ReplayEvent::Error { .. });
    let beginning = if failed { end } else { end - frame.spelling.min(end) };
    let (mut commands, mut marks) = (String::new(), String::new());
    // Everything before an error is ASCII, so that byte and character positions are equal.
    let characters = solution.chars().skip(start).take(end - start);
    for (at, character) in (start..end).zip(characters) {
        let shown = if character.is_control() { '·' } else { character };
        let (style, under) = match () {
            () if failed && at == frame.at => (LOUD, '^'),
            () if spelled[at] => (LOUD, '='),
            () if at >= beginning => (LOUD, '-'),
            () => (QUIET, ' '),
        };
        commands += &paint(style, &shown.to_string());
        marks.push(under);
    }
    format!("  {commands}\n  {}", marks.trim_end())
}

/// Describes the result of the whole solution.
fn conclusion(verdict: &SolutionScore) -> String {
    let total = paint(LOUD, &plural(verdict.score, "point"));
    let mut text = format!("\n{}: {total}", verdict.status.name());
    if let Some(complaint) = verdict.error_message() {
        text += &format!(", {complaint}");
    }
    text += &format!(
        "\nmoves {}, power {}, {}, {} locked, {}\n",
        verdict.move_score,
        verdict.power_score,
        plural(verdict.lines, "line"),
        plural(verdict.locked as u64, "unit"),
        plural(verdict.commands, "command"),
    );
    for power in &verdict.phrases {
        text += &format!("  {:?} x{} = {}\n", power.phrase, power.count, power.power);
    }
    text
}

impl CommandReport for ReplayReport {
    /// Returns only the conclusion, because the frames are written one by one.
    fn text(&self) -> String {
        conclusion(&self.verdict)
    }
}
