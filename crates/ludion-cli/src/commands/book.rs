//! `ludion book`: computes opening books. A job is one position, so books are computed on threads,
//! stopped and resumed.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use ludion::arena::executor::{Executor, JobSet, ThreadExecutor};
use ludion::games::connect4::book::{
    BookEntries, BookEntry, BookSolver, MAX_BOOK_PLIES, OpeningBook,
};
use ludion_store::replace_file;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural, time};
use crate::runs::interrupt;

/// Compute an opening book: the exact score and a best move of every early position
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion book connect4 --plies 8 --out plies8.book
  ludion analyse connect4 --player \"expert(book=plies8.book)\"")]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    what: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    Connect4(Connect4BookArgs),
}

/// Solve all positions of Connect Four with a number of stones
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion book connect4 --plies 8 --out plies8.book
  ludion book connect4 --plies 9 --out plies9.book --memory 4096 --threads 1

Mirror images count once: 8 plies are 91,295 positions, 9 plies 269,531. Scores and moves of earlier
positions follow. The file is written now and then; after Ctrl-C, the same command goes on where it stopped.
The threads share the memory. The same file comes out on any number of threads. 9 plies take an hour
and a quarter on one thread, 17 milliseconds a position; the first ones take longest.")]
struct Connect4BookArgs {
    /// Number of stones of the positions to solve
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_BOOK_PLIES)))]
    plies: u32,
    /// The file to write; one with a part of the book is completed
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Memory for the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

/// Time between two writes of the file.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// Report of a book.
#[derive(Serialize)]
struct BookReport {
    file: PathBuf,
    plies: u32,
    positions: usize,
    /// The number of positions that were solved by this command.
    solved: usize,
    /// The score of the empty board; positive if the first side wins.
    score: Option<i32>,
    bytes: usize,
    seconds: f64,
}

/// The positions of a book as jobs.
struct BookJobs {
    keys: Vec<u64>,
    /// A solver with the transposition table that all workers share.
    first: Mutex<BookSolver>,
}

impl JobSet for BookJobs {
    type Worker = BookSolver;
    type Output = BookEntry;

    fn worker(&self) -> BookSolver {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).sharing_table()
    }

    fn job(&self, solver: &mut BookSolver, number: u64, stop: &AtomicBool) -> Option<BookEntry> {
        let key = usize::try_from(number).ok().and_then(|number| self.keys.get(number))?;
        solver.solve(*key, &|| stop.load(Ordering::Relaxed))
    }
}

impl BookArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let BookCommand::Connect4(command) = &self.what;
        command.run(context)
    }
}

impl Connect4BookArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let began = Instant::now();
        let mut book = self.open()?;
        let before = book.known();
        self.solve(context, &mut book)?;
        self.save(&book)?;
        let (known, positions) = (book.known(), book.entries().len());
        if known < positions {
            return Err(CommandFailure::Stopped(format!(
                "stopped after {known} of {positions} positions; the same command goes on"
            )));
        }
        let start = ludion::games::connect4::Connect4State::default();
        let standard = ludion::games::connect4::Connect4::STANDARD;
        context.output.report(&BookReport {
            file: self.out.clone(),
            plies: self.plies,
            positions,
            solved: known - before,
            score: OpeningBook::new(&book).and_then(|book| book.score(&standard, &start)),
            bytes: book.to_bytes().len(),
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// Reads the part of the book that is in the file, if there is one.
    fn open(&self) -> Result<BookEntries, CommandFailure> {
        let fail = |problem: String| {
            CommandFailure::Failed(format!("{} is in the way: {problem}", self.out.display()))
        };
        match std::fs::read(&self.out) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(BookEntries::unknown(self.plies))
            }
            Err(error) => Err(fail(error.to_string())),
            Ok(bytes) => {
                let book = BookEntries::read(&bytes).map_err(|error| fail(error.to_string()))?;
                match book.plies() == self.plies {
                    true => Ok(book),
                    false => Err(fail(format!("it is a book of {} plies", book.plies()))),
                }
            }
        }
    }

    fn save(&self, book: &BookEntries) -> Result<(), CommandFailure> {
        let path: &Path = &self.out;
        replace_file(path, &book.to_bytes()).map_err(|error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
        })
    }

    /// Solves the positions whose entries are empty, until all are known or the user stops it.
    fn solve(
        &self,
        context: &CommandContext,
        book: &mut BookEntries,
    ) -> Result<(), CommandFailure> {
        let megabytes = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let first = Mutex::new(BookSolver::new(megabytes));
        let work = BookJobs { keys: BookSolver::keys(self.plies), first };
        let mut missing = BookSolver::order(self.plies);
        missing.retain(|&place| book.entries()[place].is_none());
        let mut missing = missing.into_iter().map(|place| place as u64);
        let (progress, total) = (context.progress("positions"), book.entries().len() as u64);
        let mut known = book.known() as u64;
        progress.update(known, Some(total), String::new);
        interrupt::announce("what is solved so far is written".to_owned());
        let (mut saved, mut failure) = (Instant::now(), None);
        let mut sink = |number: u64, entry: BookEntry| {
            book.set(usize::try_from(number).unwrap_or(usize::MAX), entry);
            known += 1;
            progress.update(known, Some(total), String::new);
            if saved.elapsed() >= SAVE_INTERVAL {
                saved = Instant::now();
                if let Err(error) = self.save(book) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        let executor = ThreadExecutor(context.threads);
        let done = executor.execute(&work, &mut missing, interrupt::flag(), &mut sink);
        progress.finish();
        done?;
        failure.map_or(Ok(()), Err)
    }
}

impl CommandReport for BookReport {
    fn text(&self) -> String {
        let empty = match self.score {
            Some(0) => "the empty board is a draw".to_owned(),
            Some(score @ 1..) => format!("the first side wins the empty board, score {score}"),
            Some(score) => format!("the first side loses the empty board, score {score}"),
            None => "the empty board has no score".to_owned(),
        };
        let about = format!(
            "{} solved now, {}, {}",
            plural(self.solved as u64, "position"),
            plural(self.bytes as u64, "byte"),
            time(Duration::from_secs_f64(self.seconds))
        );
        format!(
            "all {} with {} in {}; {empty}\n{}\n",
            plural(self.positions as u64, "position"),
            plural(self.plies.into(), "stone"),
            self.file.display(),
            paint(QUIET, &about)
        )
    }
}
