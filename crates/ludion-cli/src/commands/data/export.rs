//! `ludion data export`: writes an archive as a table with a row for each game or state (CSV,
//! Parquet); games of checkers also as PDN, or as hexadecimal words with one line for each game.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion::game::{Game, Side};
use ludion::games::checkers::Checkers;
use ludion::notation::NotationError;
use ludion::registry::AnyDecodedGame;
use ludion_runs::columnar::{self, BatchWriter, CellValue, ColumnKind, ColumnList};
use ludion_store::BlockSource;

use super::info::name;
use super::{OpenArchive, checkers_of_men, pdn};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::parquet;
use crate::progress::Progress;

/// Write a file of games as a table for other programs
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data export random.games --format csv -n 1000 > games.csv
  ludion data export random.games --format parquet -o games.parquet
  ludion data export random.games --format parquet --table states -n 1000 -o states.parquet
  ludion data export random.games --format words -n 10
  ludion data export random.games --format pdn -n 10 -o games.pdn")]
pub(crate) struct DataExportArgs {
    /// The archive of games
    file: PathBuf,
    /// csv and parquet: a table; pdn: games of checkers in the portable draughts notation; words:
    /// every state of a game of checkers as two hexadecimal words of 32 squares, one line for each
    /// game
    #[arg(long, value_enum)]
    format: DataExportFormat,
    /// What one row of the table is
    #[arg(long, value_enum, default_value_t = DataExportRows::Games)]
    table: DataExportRows,
    /// The first game to write, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = within(0..=u64::MAX))]
    from: u64,
    /// How many games to write [default: all]
    #[arg(short = 'n', long, value_name = "GAMES", allow_negative_numbers = true,
          value_parser = within(0..=u64::MAX))]
    games: Option<u64>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DataExportFormat {
    Csv,
    Parquet,
    Pdn,
    Words,
}

/// What one row of an exported table is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DataExportRows {
    /// One game
    Games,
    /// One state, with the move played there
    States,
}

/// Callback for a game: gets its source (players, seed and version that produced it), if known, its
/// number in the file, and the game.
type VisitNumberedGame<'a> =
    dyn FnMut(Option<&BlockSource>, u64, &dyn AnyDecodedGame) -> Result<(), CommandFailure> + 'a;

const GAMES: ColumnList = &[
    ("game", ColumnKind::Whole),
    ("outcome", ColumnKind::Text),
    ("plies", ColumnKind::Whole),
    ("moves", ColumnKind::Text),
    ("choices", ColumnKind::Text),
];

pub(super) const STATES: ColumnList = &[
    ("game", ColumnKind::Whole),
    ("ply", ColumnKind::Whole),
    ("state", ColumnKind::Text),
    ("move", ColumnKind::Text),
    ("choice", ColumnKind::Whole),
    ("among", ColumnKind::Whole),
    ("outcome", ColumnKind::Text),
];

impl DataExportArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if self.format == DataExportFormat::Parquet {
            parquet::check()?;
        }
        let reading = OpenArchive::open(context, &self.file)?;
        let Some(path) = &self.output else {
            return self.write(context, reading, std::io::stdout());
        };
        let cannot = |error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
        };
        let file = File::create(path).map_err(cannot)?;
        self.write(context, reading, file)
    }

    fn write(
        &self,
        context: &CommandContext,
        mut reading: OpenArchive,
        out: impl Write + Send,
    ) -> Result<(), CommandFailure> {
        let mut out = BufWriter::new(out);
        // Rows on a terminal show by themselves how far the command is.
        let is_shown = self.output.is_none() && std::io::stdout().is_terminal();
        let progress = context.progress_unless(is_shown, "games");
        let columns = match self.table {
            DataExportRows::Games => GAMES,
            DataExportRows::States => STATES,
        };
        let fill = |sheet: &mut BatchWriter<'_, CommandFailure>| {
            self.each(&mut reading, &progress, &mut |number, replay| match self.table {
                DataExportRows::Games => game_row(sheet, number, replay),
                DataExportRows::States => state_rows(sheet, number, replay),
            })
        };
        match self.format {
            DataExportFormat::Csv => columnar::csv(&mut out, columns, fill)?,
            DataExportFormat::Parquet => parquet::write(&mut out, columns, fill)?,
            DataExportFormat::Pdn => {
                let rules = pdn::rules(reading.game.spec())?;
                self.each_from(&mut reading, &progress, &mut |source, number, replay| {
                    Ok(writeln!(out, "{}", pdn::show(&rules, source, number, replay)?)?)
                })?;
            }
            DataExportFormat::Words => {
                let g = men_alone(reading.game.spec())?;
                self.each(&mut reading, &progress, &mut |_, replay| {
                    let states = replay.states();
                    let words: Result<Vec<String>, NotationError> =
                        states.iter().map(|state| words(&g, state)).collect();
                    Ok(writeln!(out, "{}", words?.join(" "))?)
                })?;
            }
        }
        out.flush()?;
        progress.finish();
        Ok(())
    }

    /// Calls `visit` with the number and content of each game that `--from` and `--games` select,
    /// and reports the progress.
    fn each(
        &self,
        reading: &mut OpenArchive,
        progress: &Progress,
        visit: &mut dyn FnMut(u64, &dyn AnyDecodedGame) -> Result<(), CommandFailure>,
    ) -> Result<(), CommandFailure> {
        self.each_from(reading, progress, &mut |_, number, replay| visit(number, replay))
    }

    /// Like `each`, but also passes the source of each game: the players, seed and version that
    /// produced it.
    fn each_from(
        &self,
        reading: &mut OpenArchive,
        progress: &Progress,
        visit: &mut VisitNumberedGame<'_>,
    ) -> Result<(), CommandFailure> {
        let end = self.games.map_or(u64::MAX, |games| self.from.saturating_add(games));
        let selected = reading.count_games(end).min(end).saturating_sub(self.from);
        progress.update(0, Some(selected), String::new);
        let mut any = self.from == 0 || self.games == Some(0);
        let source = RefCell::new(None::<BlockSource>);
        let found = |found: &BlockSource| *source.borrow_mut() = Some(found.clone());
        reading.each_game(self.from, found, &mut |number, replay| {
            if number >= end {
                return Ok(ControlFlow::Break(()));
            }
            any = true;
            visit(source.borrow().as_ref(), number, replay)?;
            progress.update(number + 1 - self.from, Some(selected), String::new);
            Ok(ControlFlow::Continue(()))
        })?;
        if any { Ok(()) } else { Err(reading.no_game(self.from)) }
    }
}

fn game_row(
    sheet: &mut BatchWriter<'_, CommandFailure>,
    number: u64,
    replay: &dyn AnyDecodedGame,
) -> Result<(), CommandFailure> {
    let choices: Vec<String> =
        replay.choices().iter().map(|(index, _)| index.to_string()).collect();
    sheet.add([
        CellValue::count(number),
        CellValue::text(name(&replay.outcome())),
        CellValue::count(replay.choices().len() as u64),
        CellValue::text(replay.moves().join(" ")),
        CellValue::text(choices.join(" ")),
    ])
}

fn state_rows(
    sheet: &mut BatchWriter<'_, CommandFailure>,
    number: u64,
    replay: &dyn AnyDecodedGame,
) -> Result<(), CommandFailure> {
    let outcome = name(&replay.outcome());
    let (states, moves) = (replay.states(), replay.moves());
    let plays = moves.into_iter().zip(replay.choices());
    for (ply, (state, (m, &(index, among)))) in states.into_iter().zip(plays).enumerate() {
        sheet.add([
            CellValue::count(number),
            CellValue::count(ply as u64),
            CellValue::text(state),
            CellValue::text(m),
            CellValue::Whole(index.into()),
            CellValue::Whole(among.into()),
            CellValue::text(outcome.clone()),
        ])?;
    }
    Ok(())
}

/// Returns the rules of a checkers game without kings on 32 squares, whose positions can be written
/// as words; other games are an error.
fn men_alone(spec: &str) -> Result<Checkers, CommandFailure> {
    let not = || {
        let why = "only games of men alone on 32 dark squares are words, and this is";
        CommandFailure::Usage(format!("{why} {spec}"))
    };
    checkers_of_men(spec).ok_or_else(not)
}

/// Formats the men of each side as a hexadecimal number without leading zeros.
fn words(g: &Checkers, state: &str) -> Result<String, NotationError> {
    let mut features = Vec::new();
    g.features(&g.read_state(state)?, Side::First, &mut features);
    let squares = features.iter().fold(0_u64, |set, feature| set | 1 << feature);
    Ok(format!("{:x} {:x}", squares as u32, squares >> 32))
}
