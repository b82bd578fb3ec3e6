//! `ludion checkers endgames`: solves all positions with few men and writes the results as a table.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use ludion::games::checkers::endgame::{MAX_PIECES, build, position_count};
use ludion_store::replace_file;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural, rate};

/// Solve all positions with few men, and write who wins into a file
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion checkers endgames --out six.endgames
  ludion checkers endgames --pieces 7 --out seven.endgames

Six men are 62.8 million positions in 10 megabytes, some seconds of work; seven are eight
times as many in 87 megabytes. The same file comes out on any number of threads.")]
pub(crate) struct EndgamesArgs {
    /// Largest number of men on the board
    #[arg(long, value_name = "MEN", default_value_t = 6,
          value_parser = clap::value_parser!(u8).range(2..=MAX_PIECES as i64))]
    pieces: u8,
    /// The file to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Report of the table that was built.
#[derive(Serialize)]
struct EndgamesReport {
    file: PathBuf,
    pieces: u8,
    positions: u64,
    bytes: usize,
    seconds: f64,
}

impl EndgamesArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (began, pieces) = (Instant::now(), usize::from(self.pieces));
        let progress = context.progress("positions");
        progress.update(0, Some(position_count(pieces)), String::new);
        let table = build(pieces, context.threads, |done, total| {
            progress.update(done, Some(total), String::new);
        });
        progress.finish();
        let table = table.map_err(|_| {
            let megabytes = (position_count(pieces) / 8) >> 20;
            CommandFailure::Failed(format!(
                "a table of {pieces} men needs some {} megabytes of memory; make one with fewer \
                 --pieces",
                2 * megabytes + 1
            ))
        })?;
        replace_file(&self.out, &table).map_err(|error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", self.out.display()))
        })?;
        context.output.report(&EndgamesReport {
            file: self.out.clone(),
            pieces: self.pieces,
            positions: position_count(pieces),
            bytes: table.len(),
            seconds: began.elapsed().as_secs_f64(),
        })
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
            "{} with at most {} men solved, kept in {}\n{}\n",
            plural(self.positions, "position"),
            self.pieces,
            self.file.display(),
            paint(QUIET, &about)
        )
    }
}
