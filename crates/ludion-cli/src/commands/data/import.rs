//! `ludion data import`: reads games of checkers in PDN into an archive or a table of positions. An
//! archive stores no results, because the moves and the rules determine them; so games that were
//! resigned, agreed drawn or started from another position go into the table only.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use ludion::archive::encode_games;
use ludion::game::{Game, Status};
use ludion::games::checkers::pdn::{PdnError, PdnFile, PdnGame, RulesTagPolicy, game_from_tags};
use ludion::games::checkers::{Checkers, CheckersMove};
use ludion::outcome::Outcome;
use ludion::player::Budget;
use ludion::registry::GeneratorSettings;
use ludion::repetition::GamePath;
use ludion_runs::columnar::{self, BatchWriter, CellValue};
use ludion_store::{ArchiveFileWriter, BlockSource, read_file_or_pipe};
use serde::Serialize;

use super::export::STATES;
use super::pdn::rules;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, paint, plural};

/// Import games of checkers in PDN
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data import played.pdn
  ludion data import played.pdn --out played.games
  ludion data import played.pdn --game \"checkers(english)\" --positions positions.csv

The rules are those that the first tag GameType names, and games of others are not read; with
--game the tag is not asked. A file of games keeps games from the usual start that were played to
their end; the table has the positions of all games, with the move that was played and the
result. With neither, the games are read and counted. Games that do not read are named with their
number and line and left out; the exit code is then 1.")]
pub(crate) struct DataImportArgs {
    /// The file in PDN
    file: PathBuf,
    /// The game, such as "checkers(english)" [default: from the tag GameType]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The file of games to write or to append to
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The table of positions to write, as CSV
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

/// Report of an import.
#[derive(Serialize)]
struct DataImportReport {
    file: PathBuf,
    game: String,
    games: usize,
    /// Number of games from the start position of the game that were played to their end.
    finished: usize,
    /// Number of games that did not begin at the start position of the game.
    set_up: usize,
    /// Number of games that were resigned or agreed drawn.
    broken_off: usize,
    positions: usize,
    out: Option<PathBuf>,
    table: Option<PathBuf>,
    /// Errors of games that could not be parsed.
    wrong: Vec<PdnError>,
}

/// Size of the largest PDN file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

impl DataImportArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let progress = context.progress("games").depends_on("the number of games in the file");
        progress.begin("reading games");
        let bytes = read_file_or_pipe(&self.file, MAX_BYTES)
            .map_err(|error| cannot(&self.file, "read", error))?;
        // Names in old files are not always UTF-8, but moves are.
        let text = String::from_utf8_lossy(&bytes);
        let (g, spec) = self.rules(context, &text)?;
        let foreign =
            if self.game.is_some() { RulesTagPolicy::Ignore } else { RulesTagPolicy::Reject };
        let PdnFile { games, errors: wrong } = g.read_pdn(&text, foreign);
        let (usual, set_up): (Vec<&PdnGame>, Vec<&PdnGame>) =
            games.iter().partition(|game| game.start == g.start());
        let finished: Vec<&[CheckersMove]> =
            usual.iter().filter(|game| is_over(&g, game)).map(|game| &game.moves[..]).collect();
        progress.begin(&format!("writing {}", plural(games.len() as u64, "game")));
        if let Some(out) = &self.out {
            self.archive(&g, &spec, out, &finished)?;
        }
        if let Some(path) = &self.positions {
            table(&g, &games, path)?;
        }
        progress.finish();
        let not_read = wrong.len();
        context.output.report(&DataImportReport {
            file: self.file.clone(),
            game: spec,
            games: games.len(),
            finished: finished.len(),
            set_up: set_up.len(),
            broken_off: usual.len() - finished.len(),
            positions: games.iter().map(|game| game.moves.len()).sum(),
            out: self.out.clone(),
            table: self.positions.clone(),
            wrong,
        })?;
        match not_read {
            0 => Ok(()),
            n => {
                let all = plural((n + games.len()) as u64, "game");
                let file = self.file.display();
                Err(CommandFailure::Failed(format!("{file}: {n} of {all} could not be read")))
            }
        }
    }

    /// Returns the rules of `--game`, or else those that the PDN tags name, with their spec.
    fn rules(
        &self,
        context: &CommandContext,
        text: &str,
    ) -> Result<(Checkers, String), CommandFailure> {
        let wrong = |problem| CommandFailure::Usage(format!("{}: {problem}", self.file.display()));
        if let Some(game) = &self.game {
            let spec = context.registry.game(game)?.spec().to_owned();
            return Ok((rules(&spec)?, spec));
        }
        let untold = || wrong("no tag GameType says by which rules; say --game".to_owned());
        let g = game_from_tags(text).map_err(wrong)?.ok_or_else(untold)?;
        Ok((g, context.registry.game(&g.spec())?.spec().to_owned()))
    }

    fn archive(
        &self,
        g: &Checkers,
        spec: &str,
        out: &Path,
        games: &[&[CheckersMove]],
    ) -> Result<(), CommandFailure> {
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let cast = GeneratorSettings {
            players: [name.clone(), name],
            budget: Budget::UNLIMITED,
            opening: 0,
        };
        let source =
            BlockSource { settings: cast, seed: 0, version: env!("CARGO_PKG_VERSION").to_owned() };
        let mut writer = ArchiveFileWriter::append(out, spec, &source)?;
        for games in games.chunks(BLOCK) {
            let block = encode_games(g, writer.next_game(), games.iter().copied());
            writer.push(block.map_err(|error| CommandFailure::Failed(error.to_string()))?)?;
        }
        Ok(writer.close()?)
    }
}

/// Number of games with errors that are listed in the text; `--json` lists all.
const MAX_WRONG: usize = 10;
/// Number of games in a block of the archive that is written.
const BLOCK: usize = 2000;

fn cannot(path: &Path, done: &str, error: std::io::Error) -> CommandFailure {
    CommandFailure::Failed(format!("{} cannot be {done}: {error}", path.display()))
}

/// Returns whether the game is over by the rules after its last move.
fn is_over(g: &Checkers, game: &PdnGame) -> bool {
    let (mut s, mut path) = (game.start, GamePath::new());
    game.moves.iter().for_each(|&m| path.play(g, &mut s, m));
    matches!(path.status(g, &s), Status::Over(_))
}

/// Writes a table of every position of every game with the move played in it.
fn table(g: &Checkers, games: &[PdnGame], path: &Path) -> Result<(), CommandFailure> {
    let file = File::create(path).map_err(|error| cannot(path, "written", error))?;
    let mut out = BufWriter::new(file);
    columnar::csv(&mut out, STATES, |sheet| {
        games.iter().zip(0..).try_for_each(|(game, number)| rows(g, game, number, sheet))
    })?;
    Ok(out.flush()?)
}

fn rows(
    g: &Checkers,
    game: &PdnGame,
    number: u64,
    sheet: &mut BatchWriter<'_, CommandFailure>,
) -> Result<(), CommandFailure> {
    let (mut s, mut legal) = (game.start, Vec::new());
    for (ply, &m) in game.moves.iter().enumerate() {
        legal.clear();
        g.moves(&s, &mut legal);
        let index = legal.iter().position(|known| *known == m).expect("a move that was read");
        sheet.add([
            CellValue::count(number),
            CellValue::count(ply as u64),
            CellValue::text(g.show_state(&s)),
            CellValue::text(g.show_move(&s, m)),
            CellValue::count(index as u64),
            CellValue::count(legal.len() as u64),
            CellValue::Text(game.result.map(|end| end.any().to_string())),
        ])?;
        g.play(&mut s, m);
    }
    Ok(())
}

impl CommandReport for DataImportReport {
    fn text(&self) -> String {
        let count = |number: usize, what: &str| plural(number as u64, what);
        let head =
            format!("{}: {} of {}", self.file.display(), count(self.games, "game"), self.game);
        let mut text = format!(
            "{}\n{} played to the end, {} broken off, {} from a set-up position; {}\n",
            paint(LOUD, &head),
            self.finished,
            self.broken_off,
            self.set_up,
            count(self.positions, "position")
        );
        if let Some(out) = &self.out {
            let finished = count(self.finished, "game");
            text += &format!("{finished} played to the end added to {}\n", out.display());
        }
        if let Some(table) = &self.table {
            text += &format!("all positions written to {}\n", table.display());
        }
        for wrong in self.wrong.iter().take(MAX_WRONG) {
            text += &format!("{wrong}\n");
        }
        if self.wrong.len() > MAX_WRONG {
            text += &format!("and {} more\n", self.wrong.len() - MAX_WRONG);
        }
        text
    }
}
