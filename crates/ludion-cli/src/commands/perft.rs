//! `ludion perft`: counts the move sequences of a given length, and measures the speed.

use std::time::{Duration, Instant};

use clap::Args;
use ludion::game::Game;
use ludion::games::checkers::Checkers;
use ludion::registry::AnyPosition;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, rate, time};
use crate::position_args::PositionArgs;
use crate::progress::{Progress, scaled};
use crate::table::figures;

/// Count the move sequences of a given length
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion perft connect4 9
  ludion perft connect4 7 --divide --moves 4
  ludion perft hexapawn 5 --threads 1 --json
  ludion perft \"checkers(frisian)\" 6 --paths

Captures of checkers that differ only by the order in which pieces are taken are one move; some
published tables count them apart, and so does --paths.")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    place: PositionArgs,
    /// Length of the sequences in moves
    #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1000))]
    depth: u32,
    /// Also count the sequences of each first move separately
    #[arg(long)]
    divide: bool,
    /// Count a capture of checkers once for every order in which it can be made, on one thread
    #[arg(long, conflicts_with = "divide")]
    paths: bool,
}

/// Time for which shorter sequences are counted to tell how long the command takes.
const PILOT_TIME: Duration = Duration::from_millis(50);

#[derive(Serialize)]
struct PerftReport {
    game: String,
    state: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<PerftDivision>>,
}

/// Number of sequences that begin with one move.
#[derive(Serialize)]
struct PerftDivision {
    #[serde(rename = "move")]
    first: String,
    nodes: u64,
}

impl PerftArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let record = self.place.open(&context.registry)?;
        let position = record.position();
        let threads = if self.paths { 1 } else { context.threads };
        let progress = context.progress("parts");
        if !self.paths
            && !progress.is_silent()
            && let Some((time, growth)) = self.expected_time(position, threads)
        {
            let reason = format!("if each further move makes it {growth:.1} times as long");
            progress.expect(time, reason);
        }
        let began = Instant::now();
        let mut divide = None;
        let nodes = if self.paths {
            self.count_paths(record.game.spec(), &position.show(), &progress)?
        } else if self.divide && self.depth > 0 {
            let mut parts = Vec::new();
            let moves = position.moves();
            let total = moves.len() as u64;
            progress.update(0, Some(total), String::new);
            for first in moves {
                let mut child = position.copy();
                child.play(&first)?;
                progress.update(parts.len() as u64, Some(total), || format!("after {first}"));
                parts.push(PerftDivision { first, nodes: child.perft(self.depth - 1, threads) });
            }
            divide.insert(parts).iter().map(|part| part.nodes).sum()
        } else {
            position.perft_with_progress(self.depth, threads, &|done, total| {
                progress.update(done, Some(total), String::new);
            })
        };
        progress.finish();
        // Keeps the rate finite if the clock is coarse.
        let seconds = began.elapsed().as_secs_f64().max(1e-9);
        context.output.report(&PerftReport {
            game: record.game.spec().to_owned(),
            state: position.show(),
            depth: self.depth,
            nodes,
            seconds,
            nodes_per_second: nodes as f64 / seconds,
            threads,
            divide,
        })
    }
}

impl PerftArgs {
    /// Counts shorter sequences for a moment and extrapolates their time: returns the expected time
    /// and the factor by which the number of sequences grows with each move. Returns `None` if the
    /// sequences are too short for that.
    fn expected_time(&self, position: &dyn AnyPosition, threads: usize) -> Option<(Duration, f64)> {
        let (began, mut before) = (Instant::now(), position.perft(1, 1));
        for depth in 2..self.depth {
            let this = Instant::now();
            let lines = position.perft(depth, threads);
            if began.elapsed() >= PILOT_TIME && before > 0 && lines > 0 {
                let growth = lines as f64 / before as f64;
                let moves = i32::try_from(self.depth - depth).unwrap_or(i32::MAX);
                return Some((scaled(this.elapsed(), growth.powi(moves)), growth));
            }
            if lines == 0 {
                return None;
            }
            before = lines;
        }
        None
    }

    fn count_paths(
        &self,
        game: &str,
        state: &str,
        progress: &Progress,
    ) -> Result<u64, CommandFailure> {
        let not =
            || CommandFailure::Usage(format!("only captures of checkers have paths, not {game}"));
        let g = Checkers::named(game).ok_or_else(not)?;
        let (s, mut moves) = (g.read_state(state)?, Vec::new());
        if self.depth == 0 {
            return Ok(1);
        }
        g.moves_by_path(&s, &mut moves);
        let (mut lines, total) = (0, moves.len() as u64);
        for (m, done) in moves.into_iter().zip(0..) {
            progress.update(done, Some(total), String::new);
            lines += g.perft_by_path(&g.after(&s, m), self.depth - 1);
        }
        Ok(lines)
    }
}

impl CommandReport for PerftReport {
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(parts) = &self.divide {
            let row = |part: &PerftDivision| vec![part.first.clone(), part.nodes.to_string()];
            text += &figures(&["move", "lines"], parts.iter().map(row));
            text.push('\n');
        }
        let spent = Duration::from_secs_f64(self.seconds);
        let (time, rate) = (time(spent), rate(self.nodes_per_second));
        let threads = plural(self.threads as u64, "thread");
        text + &format!(
            "{}: {} of {}  {}\n",
            self.game,
            paint(LOUD, &plural(self.nodes, "line")),
            plural(self.depth.into(), "move"),
            paint(QUIET, &format!("{time}, {rate}, {threads}"))
        )
    }
}
