//! `ludion data export`: an archive for other programs: a table with a row a game or a row a
//! state, as CSV or Parquet; games of checkers as PDN, or as the checkers study's text, a line a
//! game.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion::game::{Game, Side};
use ludion::games::checkers::Checkers;
use ludion::men::Men;
use ludion::notation::ReadError;
use ludion::registry::AnyReplay;
use ludion_runs::columnar::{self, Cell, Columns, Kind, Sheet};
use ludion_store::Source;

use super::info::name;
use super::{Reading, pdn};
use crate::Context;
use crate::failure::Failure;
use crate::numbers::within;
use crate::parquet;
use crate::progress::Progress;

/// Write a file of games as a table for other programs
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data export random.games --format csv -n 1000 > games.csv
  ludion data export random.games --format parquet -o games.parquet
  ludion data export random.games --format parquet --table states -o states.parquet
  ludion data export random.games --format words -n 10
  ludion data export random.games --format pdn -n 10 -o games.pdn")]
pub(crate) struct Export {
    /// The file
    file: PathBuf,
    /// csv and parquet: a table; pdn: games of checkers in the portable draughts notation; words:
    /// every state of a game of checkers as two hexadecimal words of 32 squares, a line a game
    #[arg(long, value_enum)]
    format: Format,
    /// What a row of a table is
    #[arg(long, value_enum, default_value_t = Rows::Games)]
    table: Rows,
    /// The first game to write, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = within(0..=u64::MAX))]
    from: u64,
    /// How many games to write; all when not given
    #[arg(short = 'n', long, value_name = "GAMES", allow_negative_numbers = true,
          value_parser = within(0..=u64::MAX))]
    games: Option<u64>,
    /// The file to write; standard output when not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Parquet,
    Pdn,
    Words,
}

/// What a row of a table is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// One game
    Games,
    /// One state, with the move played there
    States,
}

/// Takes games with their numbers, and who played them.
type VisitFrom<'a> = dyn FnMut(Option<&Source>, u64, &dyn AnyReplay) -> Result<(), Failure> + 'a;

const GAMES: Columns = &[
    ("game", Kind::Whole),
    ("outcome", Kind::Text),
    ("plies", Kind::Whole),
    ("moves", Kind::Text),
    ("choices", Kind::Text),
];

pub(super) const STATES: Columns = &[
    ("game", Kind::Whole),
    ("ply", Kind::Whole),
    ("state", Kind::Text),
    ("move", Kind::Text),
    ("choice", Kind::Whole),
    ("among", Kind::Whole),
    ("outcome", Kind::Text),
];

impl Export {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let reading = Reading::open(context, &self.file)?;
        let Some(path) = &self.output else {
            return self.write(context, reading, std::io::stdout());
        };
        let cannot =
            |error| Failure::Failed(format!("{} cannot be written: {error}", path.display()));
        let file = File::create(path).map_err(cannot)?;
        self.write(context, reading, file)
    }

    fn write(
        &self,
        context: &Context,
        mut reading: Reading,
        out: impl Write + Send,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(out);
        let wanted = self.output.is_some() && !context.output.json;
        let columns = match self.table {
            Rows::Games => GAMES,
            Rows::States => STATES,
        };
        let fill = |sheet: &mut Sheet<'_, Failure>| {
            self.each(&mut reading, wanted, &mut |number, replay| match self.table {
                Rows::Games => game_row(sheet, number, replay),
                Rows::States => state_rows(sheet, number, replay),
            })
        };
        match self.format {
            Format::Csv => columnar::csv(&mut out, columns, fill)?,
            Format::Parquet => parquet::write(&mut out, columns, fill)?,
            Format::Pdn => {
                let rules = pdn::rules(reading.game.spec())?;
                self.each_from(&mut reading, wanted, &mut |source, number, replay| {
                    Ok(writeln!(out, "{}", pdn::show(&rules, source, number, replay)?)?)
                })?;
            }
            Format::Words => {
                let g = men_alone(reading.game.spec())?;
                self.each(&mut reading, wanted, &mut |_, replay| {
                    let states = replay.states();
                    let words: Result<Vec<String>, ReadError> =
                        states.iter().map(|state| words(&g, state)).collect();
                    Ok(writeln!(out, "{}", words?.join(" "))?)
                })?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Shows the games that were asked for.
    fn each(
        &self,
        reading: &mut Reading,
        wanted: bool,
        visit: &mut dyn FnMut(u64, &dyn AnyReplay) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.each_from(reading, wanted, &mut |_, number, replay| visit(number, replay))
    }

    /// Shows the games that were asked for, with who played them.
    fn each_from(
        &self,
        reading: &mut Reading,
        wanted: bool,
        visit: &mut VisitFrom<'_>,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new(wanted);
        let end = self.games.map_or(u64::MAX, |games| self.from.saturating_add(games));
        let mut any = self.from == 0 || self.games == Some(0);
        let source = RefCell::new(None::<Source>);
        let found = |found: &Source| *source.borrow_mut() = Some(found.clone());
        reading.each_game(self.from, found, &mut |number, replay| {
            if number >= end {
                return Ok(ControlFlow::Break(()));
            }
            any = true;
            visit(source.borrow().as_ref(), number, replay)?;
            progress.show(number + 1, number + 1, || "games written".to_owned());
            Ok(ControlFlow::Continue(()))
        })?;
        progress.clear();
        if any { Ok(()) } else { Err(reading.no_game(self.from)) }
    }
}

fn game_row(
    sheet: &mut Sheet<'_, Failure>,
    number: u64,
    replay: &dyn AnyReplay,
) -> Result<(), Failure> {
    let choices: Vec<String> =
        replay.choices().iter().map(|(index, _)| index.to_string()).collect();
    sheet.add([
        Cell::count(number),
        Cell::text(name(&replay.outcome())),
        Cell::count(replay.choices().len() as u64),
        Cell::text(replay.moves().join(" ")),
        Cell::text(choices.join(" ")),
    ])
}

fn state_rows(
    sheet: &mut Sheet<'_, Failure>,
    number: u64,
    replay: &dyn AnyReplay,
) -> Result<(), Failure> {
    let outcome = name(&replay.outcome());
    let (states, moves) = (replay.states(), replay.moves());
    let plays = moves.into_iter().zip(replay.choices());
    for (ply, (state, (m, &(index, among)))) in states.into_iter().zip(plays).enumerate() {
        sheet.add([
            Cell::count(number),
            Cell::count(ply as u64),
            Cell::text(state),
            Cell::text(m),
            Cell::Whole(index.into()),
            Cell::Whole(among.into()),
            Cell::text(outcome.clone()),
        ])?;
    }
    Ok(())
}

/// The rules of a game whose positions are words.
fn men_alone(spec: &str) -> Result<Checkers, Failure> {
    let not = || {
        let why = "only games of men alone on 32 dark squares are words, and this is";
        Failure::Usage(format!("{why} {spec}"))
    };
    Checkers::named(spec).filter(Men::has_men_alone).ok_or_else(not)
}

/// The men of either side as the study printed them: without leading zeros.
fn words(g: &Checkers, state: &str) -> Result<String, ReadError> {
    let [first, second] = g.words(&g.read_state(state)?, Side::First);
    Ok(format!("{first:x} {second:x}"))
}
