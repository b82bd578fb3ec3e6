//! `ludion solve`: computes the exact value of a position, the distance to the end and all best
//! moves; or the scores of many Connect Four positions, one on each line.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use ludion::games::connect4::Connect4;
use ludion::games::connect4::solver::{Connect4Solver, Connect4SolverLimits};
use ludion::named::NamedGame;
use ludion::param::Spec;
use ludion::player::{Choice, Observer, Proof, RootLine};
use ludion::registry::{AnySolution, RegistryError};
use ludion::search::solve::SolveLimits;
use ludion_store::{open_file_or_pipe, open_regular_file};
use serde::Serialize;

use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, rate, time};
use crate::position_args::PositionArgs;
use crate::progress::Progress;
use crate::runs::interrupt;
use crate::table::figures;

/// Solve a position: its value, the distance to the end, all best moves
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion solve \"hexapawn(4, 4)\"
  ludion solve \"matches(21, misere)\" --moves \"3 2\"
  ludion solve connect4 --moves 4444437322 --json
  ludion solve \"breakthrough(5, 3)\" --result-only

With --lines each line of the file is a position of Connect Four as played columns, and the
answer to it is the line and its score: 22 minus the stones that the winner has played by
then, 0 for a draw, negative if the side to move loses (on other boards, half the cells and
one instead of 22). A line that does not read gets an error of its own.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    place: PositionArgs,
    /// Stop with an error beyond this many positions
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Memory for the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Find only who wins and one move that keeps it, by proof-number search: less work in large games
    #[arg(long, conflicts_with = "lines")]
    result_only: bool,
    /// Solve the Connect Four positions of this file, one on each line; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "moves"])]
    lines: Option<String>,
}

/// Value and best moves of a solved position.
#[derive(Serialize)]
struct SolutionReport {
    game: String,
    state: String,
    value: Proof,
    best: Vec<String>,
    lines: Vec<RootLine<String>>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    picture: String,
}

impl SolveArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if let Some(file) = &self.lines {
            return self.solve_lines(context, file);
        }
        let record = self.place.open(&context.registry)?;
        let position = record.position();
        let megabytes = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let effort = SolveLimits {
            nodes: self.limit,
            threads: context.threads,
            megabytes,
            result_only: self.result_only,
            ..SolveLimits::default()
        };
        let began = Instant::now();
        let progress = context.progress("positions").depends_on("the number of positions");
        let solved = position.solve(effort, &SolveObserver(&progress));
        progress.finish();
        let AnySolution { value, best, lines, nodes } = solved
            .map_err(|error| CommandFailure::Failed(format!("{}: {error}", record.game.spec())))?;
        context.output.report(&SolutionReport {
            game: record.game.spec().to_owned(),
            state: position.show(),
            value,
            best,
            lines,
            nodes,
            seconds: began.elapsed().as_secs_f64(),
            picture: draw(&record.scene()),
        })
    }

    /// Solves the positions of a file and prints each score as soon as it is known.
    fn solve_lines(&self, context: &CommandContext, file: &str) -> Result<(), CommandFailure> {
        let game = connect4(&self.place.game)?;
        let unreadable = |error| CommandFailure::Failed(format!("{file} cannot be read: {error}"));
        let input: Box<dyn Read> = match file {
            "-" => Box::new(std::io::stdin()),
            _ => Box::new(open_file_or_pipe(Path::new(file)).map_err(unreadable)?),
        };
        let megabytes = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let mut solver = Connect4Solver::new(game, megabytes).with_threads(context.threads);
        // Scores on a terminal show by themselves how far the command is.
        let is_shown = !context.output.json && std::io::stdout().is_terminal();
        let progress = context.progress_unless(is_shown, "lines");
        let total = count_lines(file);
        progress.update(0, total, String::new);
        let (mut answers, mut solved) = (Vec::new(), 0);
        let mut input = BufReader::new(input);
        // Scores that are not printed yet are printed after Ctrl-C. A read of a pipe cannot be
        // interrupted, so that Ctrl-C ends the program.
        let stop = match context.output.json && total.is_some() {
            true => interrupt::flag(),
            false => &AtomicBool::new(false),
        };
        interrupt::announce("the scores so far are written".to_owned());
        while let Some(line) = next_line(&mut input).map_err(unreadable)? {
            let text = String::from_utf8_lossy(&line);
            let answer = SolvedLine::new(&mut solver, text.trim(), self.limit, stop);
            if stop.load(Ordering::Relaxed) {
                break;
            }
            solved += 1;
            progress.update(solved, total, String::new);
            if context.output.json {
                answers.push(answer);
            } else {
                context.output.write(&answer.text())?;
            }
        }
        progress.finish();
        if context.output.json {
            context
                .output
                .report(&SolvedLines { game: self.place.game.clone(), lines: answers })?;
        }
        match stop.load(Ordering::Relaxed) {
            true => {
                Err(CommandFailure::Stopped(format!("stopped after {}", plural(solved, "line"))))
            }
            false => Ok(()),
        }
    }
}

/// Returns the number of lines of a file; `None` for anything but a regular file, and for
/// a file that cannot be read.
fn count_lines(file: &str) -> Option<u64> {
    if file == "-" {
        return None;
    }
    let lines = BufReader::new(open_regular_file(Path::new(file)).ok()?).split(b'\n');
    Some(lines.take_while(Result::is_ok).count() as u64)
}

/// Longest line of a file of positions in bytes; no position needs more.
const MAX_LINE: u64 = 4096;

/// Reads a line without its end; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.take(MAX_LINE + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    if line.len() as u64 > MAX_LINE {
        let problem = format!("it has a line of more than {MAX_LINE} bytes");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, problem));
    }
    Ok(Some(line))
}

/// Returns the rules of the Connect Four variant that the spec `text` names.
fn connect4(text: &str) -> Result<Connect4, CommandFailure> {
    let spec = Spec::parse(text).map_err(RegistryError::from)?;
    if !Connect4::is_called(&spec.name) {
        return Err(CommandFailure::Usage(format!(
            "--lines is for connect4 only, not for {}",
            spec.name
        )));
    }
    Ok(Connect4::from_spec(&spec).map_err(RegistryError::from)?)
}

/// Score or error of one line of the file.
#[derive(Serialize)]
struct SolvedLine {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl SolvedLine {
    fn new(solver: &mut Connect4Solver, text: &str, nodes: u64, stop: &AtomicBool) -> Self {
        // The position may be followed by its known score, which is ignored.
        let (position, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (position, rest) = (position.to_owned(), rest.trim());
        let stop = || stop.load(Ordering::Relaxed);
        let limits = Connect4SolverLimits {
            nodes: Some(nodes),
            stop: Some(&stop),
            ..Connect4SolverLimits::default()
        };
        let solved = match solver.game().read_move_sequence(&position) {
            _ if position.is_empty() => Err("an empty line is no position".to_owned()),
            _ if !rest.is_empty() && rest.parse::<i32>().is_err() => Err(format!(
                "{rest:?} behind the position is no score; played columns have no spaces between"
            )),
            Err(error) => Err(error.to_string()),
            Ok(s) => solver
                .solve(&s, &limits)
                .ok_or_else(|| format!("not solved after {nodes} positions")),
        };
        match solved {
            Ok(score) => SolvedLine { position, score: Some(score), error: None },
            Err(error) => SolvedLine { position, score: None, error: Some(error) },
        }
    }

    fn text(&self) -> String {
        match (&self.score, &self.error) {
            (Some(score), _) => format!("{} {score}\n", self.position),
            (None, error) => {
                format!("{} error: {}\n", self.position, error.as_deref().unwrap_or_default())
            }
        }
    }
}

#[derive(Serialize)]
struct SolvedLines {
    game: String,
    lines: Vec<SolvedLine>,
}

impl CommandReport for SolvedLines {
    fn text(&self) -> String {
        self.lines.iter().map(SolvedLine::text).collect()
    }
}

fn in_moves(proof: Proof) -> String {
    match proof.plies {
        Some(plies) => format!("{} in {}", proof.verdict, plural(plies.into(), "move")),
        None => proof.verdict.to_string(),
    }
}

impl CommandReport for SolutionReport {
    fn text(&self) -> String {
        let row = |line: &RootLine<String>| {
            let best = if self.best.contains(&line.play) { "best" } else { "" };
            vec![line.play.clone(), line.proven.map_or(String::new(), in_moves), best.to_owned()]
        };
        let rate = rate(self.nodes as f64 / self.seconds.max(1e-9));
        let spent = time(Duration::from_secs_f64(self.seconds));
        format!(
            "{}\n\n{}\n{}\n{} for the side to move: {}\n{}\n",
            paint(LOUD, &self.game),
            self.picture,
            figures(&["move", "comes to", ""], self.lines.iter().map(row)),
            paint(LOUD, &in_moves(self.value)),
            self.best.join(" "),
            paint(QUIET, &format!("{}, {rate}, {spent}", plural(self.nodes, "position"))),
        )
    }
}

/// Passes the reports of a solver on to the progress of the command.
struct SolveObserver<'a>(&'a Progress);

impl Observer<String> for SolveObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        Some(Duration::from_millis(200))
    }

    fn report(&self, so_far: &Choice<String>) {
        self.0.update(so_far.nodes, None, || match (so_far.depth, so_far.lines.len()) {
            (0, 0) => String::new(),
            (0, moves) => plural(moves as u64, "move") + " solved",
            (depth, _) => format!("depth {depth}"),
        });
    }
}
