//! `ludion checkers endgames`: solves all positions with few men and writes the results as a table.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use ludion::games::checkers::Checkers;
use ludion::games::checkers::endgame::{MAX_PIECES, build, position_count};
use ludion::games::checkers::king_endgame::{
    MAX_KING_PIECES, build_king_table, king_position_count,
};
use ludion::games::checkers::rules::CheckersRules;
use ludion_store::replace_file;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural, rate};
use crate::runs::interrupt;

/// Solve all positions with few men, and write who wins into a file
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion checkers endgames --out six.endgames
  ludion checkers endgames --pieces 7 --out seven.endgames
  ludion checkers endgames --rules english --pieces 4 --out english4.endgames

Six men of the simple rules are 62.8 million positions in 10 megabytes, some seconds of
work; seven are eight times as many in 87 megabytes. With kings a position takes a byte:
whether it is won, drawn or lost, and in how many moves; the rules that draw long games are
left out. 4 pieces on 8×8 squares are 10 million positions and some 13 s of work on one
thread, on 10×10 squares 58 million and 90 s; 5 pieces on 8×8 squares are 259 million and
7 minutes. The same file comes out on any number of threads.")]
pub(crate) struct EndgamesArgs {
    /// The rule set
    #[arg(long, value_name = "RULES", default_value = "simple",
          value_parser = clap::builder::PossibleValuesParser::new(CheckersRules::NAMES))]
    rules: String,
    /// Largest number of pieces on the board, 5 with kings [default: 6; with kings 4]
    #[arg(long, value_name = "PIECES",
          value_parser = clap::value_parser!(u8).range(2..=MAX_PIECES as i64))]
    pieces: Option<u8>,
    /// The file to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Report of the table that was built.
#[derive(Serialize)]
struct EndgamesReport {
    file: PathBuf,
    rules: String,
    pieces: u8,
    positions: u64,
    bytes: usize,
    seconds: f64,
}

impl EndgamesArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let began = Instant::now();
        let (table, pieces, positions) = match self.rules.as_str() {
            "simple" => self.build_simple(context)?,
            _ => self.build_with_kings(context)?,
        };
        replace_file(&self.out, &table).map_err(|error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", self.out.display()))
        })?;
        context.output.report(&EndgamesReport {
            file: self.out.clone(),
            rules: self.rules.clone(),
            pieces,
            positions,
            bytes: table.len(),
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// Builds a table of the simple rules; returns its bytes and the numbers of pieces and positions.
    fn build_simple(&self, context: &CommandContext) -> Result<(Vec<u8>, u8, u64), CommandFailure> {
        let pieces = self.pieces.unwrap_or(6);
        let positions = position_count(pieces.into());
        let progress = context.progress("positions");
        progress.update(0, Some(positions), String::new);
        let table = build(pieces.into(), context.threads, |done, total| {
            progress.update(done, Some(total), String::new);
        });
        progress.finish();
        let table = table.map_err(|_| {
            let megabytes = (positions / 8) >> 20;
            CommandFailure::Failed(format!(
                "a table of {pieces} men needs some {} megabytes of memory; make one with fewer \
                 --pieces",
                2 * megabytes + 1
            ))
        })?;
        Ok((table, pieces, positions))
    }

    /// Builds a table of rules with kings; returns its bytes and the numbers of pieces and positions.
    fn build_with_kings(
        &self,
        context: &CommandContext,
    ) -> Result<(Vec<u8>, u8, u64), CommandFailure> {
        let pieces = self.pieces.unwrap_or(4);
        if usize::from(pieces) > MAX_KING_PIECES {
            return Err(CommandFailure::Usage(format!(
                "--pieces may be 2 to {MAX_KING_PIECES} with kings, not {pieces}"
            )));
        }
        let g = Checkers::named(&format!("checkers({})", self.rules)).ok_or_else(|| {
            CommandFailure::Usage(format!("there are no rules called {}", self.rules))
        })?;
        let positions = king_position_count(&g, pieces.into());
        let progress = context.progress("positions");
        progress.update(0, Some(positions), String::new);
        let stop = interrupt::flag();
        let table = build_king_table(&g, pieces.into(), |done, total| {
            progress.update(done, Some(total), String::new);
            !stop.load(Ordering::Relaxed)
        });
        progress.finish();
        let table = table.ok_or_else(|| CommandFailure::Stopped("stopped".to_owned()))?;
        Ok((table, pieces, positions))
    }
}

impl CommandReport for EndgamesReport {
    fn text(&self) -> String {
        let about = format!(
            "{} in {:.1} s, {}",
            plural(self.bytes as u64, "byte"),
            self.seconds,
            rate(self.positions as f64 / self.seconds.max(1e-9))
        );
        format!(
            "{} with at most {} {} solved, kept in {}\n{}\n",
            plural(self.positions, "position"),
            self.pieces,
            if self.rules == "simple" { "men" } else { "pieces" },
            self.file.display(),
            paint(QUIET, &about)
        )
    }
}
