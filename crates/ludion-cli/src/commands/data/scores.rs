//! `ludion data scores`: the mean label of every move or board of an archive, the tables h(c) and
//! h(d) of *Deep Checker* (2021).
//!
//! `h(c)` is the mean label of a move c over the games in which it was made, `h(d)` that of a board d
//! over the games in which it arose. The nearest neighbours and the networks learn these tables.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion::learn::labelling::Labelling;
use ludion::learn::labels::{Label, LoserLabel};
use ludion::learn::rows::LabelledRows;
use ludion_store::read_file_or_pipe;
use serde::Serialize;

use super::{OpenArchive, checkers_of_men};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table::figures;

/// Show the mean label of every move or board: the tables h(c) and h(d)
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate checkers -n 1000 --out random.games
  ludion data scores random.games
  ludion data scores random.games --label captures --order highest --least 5
  ludion data scores random.games --lost negative -n 3 --json

Labels of moves (distance, winloss, parity) give h(c), the label captures gives h(d), a score of
the board after a move; captures and parity are for games in which pieces are captured. Boards are
seen by the side that moved, so that a row stands for the moves of both sides. Boards of checkers
by the simple rules are shown as two words of 32 squares, own men and the opponent's, as
`ludion data export --format words` writes them for the first side; other games are shown in their
notation, with the move and the board of the first game that has them.")]
pub(crate) struct DataScoresArgs {
    /// The archive of games
    file: PathBuf,
    /// The label of moves or boards: distance, winloss, captures or parity
    #[arg(long, value_name = "LABEL", default_value = "distance")]
    label: Label,
    /// The label of a loser's move: zero, as in the text of Deep Checker, or negative, as in its
    /// program
    #[arg(long, value_name = "LABEL", default_value = "zero")]
    lost: LoserLabel,
    /// The order of the rows
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = ScoreOrder::Games)]
    order: ScoreOrder,
    /// Leave out moves and boards of fewer games than this
    #[arg(long, value_name = "GAMES", default_value_t = 1, allow_negative_numbers = true,
          value_parser = within(1..=u64::MAX))]
    least: u64,
    /// Number of rows to show
    #[arg(short = 'n', long, value_name = "ROWS", default_value_t = 20,
          allow_negative_numbers = true, value_parser = within(0..=u64::MAX))]
    rows: u64,
}

/// The order of the rows of the table.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ScoreOrder {
    /// The moves or boards of most games first
    Games,
    /// The highest scores first
    Highest,
    /// The lowest scores first
    Lowest,
}

/// Report of `ludion data scores`.
#[derive(Serialize)]
struct ScoresReport {
    game: String,
    labels: String,
    /// Number of labelled moves, equal ones counted each time.
    moves: u64,
    /// Number of different moves or boards.
    different: usize,
    /// The rows that were asked for.
    scores: Vec<ScoreRow>,
}

/// The score of one move or board.
#[derive(Serialize)]
struct ScoreRow {
    /// The move in notation, in checkers by the simple rules by the numbers of its squares as the
    /// side that moved sees them; `None` for a board.
    #[serde(rename = "move")]
    play: Option<String>,
    /// The board before the move; `None` for a board.
    before: Option<String>,
    /// The board after the move.
    after: String,
    /// Number of games in which the move or board occurs.
    games: u64,
    /// The mean label, h(c) or h(d).
    score: f64,
}

/// Size of the largest archive that is read, in bytes.
const MAX_BYTES: u64 = 16 << 30;

impl DataScoresArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut archive = OpenArchive::open(context, &self.file)?;
        let name = self.file.display().to_string();
        let cannot = |error| CommandFailure::Failed(format!("{name} cannot be read: {error}"));
        let bytes = read_file_or_pipe(&self.file, MAX_BYTES).map_err(cannot)?;
        let labelling = Labelling { label: self.label, lost: self.lost };
        let progress = context.progress("games");
        let total = archive.count_games(u64::MAX);
        let (mut labelled, mut games): (Option<LabelledRows>, _) = (None, 0);
        let read = archive.game.label_games(labelling, &bytes, &mut |of_game| {
            match &mut labelled {
                Some(all) => all.append(of_game),
                None => labelled = Some(of_game.clone()),
            }
            games += 1;
            progress.update(games, Some(total), || "games labelled".to_owned());
            ControlFlow::Continue(())
        });
        progress.finish();
        read.map_err(|error| CommandFailure::Failed(format!("{name}: {error}")))?;
        let labelled = labelled.unwrap_or_default();
        let merged = labelled.merged();
        let shown = self.shown(&merged);
        let scores = match checkers_of_men(archive.game.spec()) {
            Some(_) => shown.iter().map(|&row| men_row(labelling, &merged, row)).collect(),
            None => notation_rows(&mut archive, labelling, &bytes, &merged, &shown)?,
        };
        context.output.report(&ScoresReport {
            game: archive.game.spec().to_owned(),
            labels: labelling.to_string(),
            moves: labelled.len() as u64,
            different: merged.len(),
            scores,
        })
    }

    /// Returns the indices of the rows to show, in order.
    fn shown(&self, merged: &LabelledRows) -> Vec<usize> {
        let (weights, targets) = (merged.weights(), merged.targets());
        let enough = |row: &usize| weights[*row] >= self.least as f64;
        let mut rows: Vec<usize> = (0..merged.len()).filter(enough).collect();
        rows.sort_by(|&a, &b| match self.order {
            ScoreOrder::Games => weights[b].total_cmp(&weights[a]),
            ScoreOrder::Highest => targets[b].total_cmp(&targets[a]),
            ScoreOrder::Lowest => targets[a].total_cmp(&targets[b]),
        });
        rows.truncate(usize::try_from(self.rows).unwrap_or(usize::MAX));
        rows
    }
}

/// Returns the scores of these rows with the move and the states of the first game that has them.
fn notation_rows(
    archive: &mut OpenArchive,
    labelling: Labelling,
    bytes: &[u8],
    merged: &LabelledRows,
    shown: &[usize],
) -> Result<Vec<ScoreRow>, CommandFailure> {
    let wanted: HashMap<&[u64], usize> =
        shown.iter().enumerate().map(|(place, &row)| (merged.row(row), place)).collect();
    // The game and the ply of the first move with each row.
    let mut found: Vec<Option<(u64, usize)>> = vec![None; shown.len()];
    let (mut game, mut missing) = (0, shown.len());
    let read = archive.game.label_games(labelling, bytes, &mut |rows| {
        for (ply, row) in rows.rows().iter().enumerate() {
            if let Some(&place) = wanted.get(row)
                && found[place].is_none()
            {
                found[place] = Some((game, ply));
                missing -= 1;
            }
        }
        game += 1;
        if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    read.map_err(|error| CommandFailure::Failed(error.to_string()))?;
    let mut scores: Vec<ScoreRow> = shown
        .iter()
        .map(|&row| ScoreRow {
            play: None,
            before: None,
            after: String::new(),
            games: merged.weights()[row] as u64,
            score: merged.targets()[row],
        })
        .collect();
    archive.each_game(0, |_| {}, &mut |number, replay| {
        let here = found.iter().zip(&mut scores);
        let here = here.filter_map(|(place, score)| match place {
            Some((game, ply)) if *game == number => Some((*ply, score)),
            _ => None,
        });
        let here: Vec<_> = here.collect();
        if !here.is_empty() {
            let (states, moves) = (replay.states(), replay.moves());
            for (ply, score) in here {
                if labelling.label.is_of_moves() {
                    score.play = Some(moves[ply].clone());
                    score.before = Some(states[ply].clone());
                }
                score.after = states[ply + 1].clone();
            }
        }
        let last = found.iter().flatten().map(|place| place.0).max();
        let is_last = last.is_none_or(|last| number >= last);
        Ok(if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(scores)
}

/// A board of men as two words of squares: the men of the side that moved, and those of the other.
#[derive(Clone, Copy)]
struct BoardWords([u32; 2]);

impl BoardWords {
    fn from_bits(bits: u64) -> Self {
        BoardWords([bits as u32, (bits >> 32) as u32])
    }

    fn show(self) -> String {
        format!("{:08x} {:08x}", self.0[0], self.0[1])
    }
}

/// Returns the score of a row of checkers by the simple rules.
fn men_row(labelling: Labelling, merged: &LabelledRows, row: usize) -> ScoreRow {
    let (games, score) = (merged.weights()[row] as u64, merged.targets()[row]);
    let boards: Vec<BoardWords> =
        merged.row(row).iter().map(|&bits| BoardWords::from_bits(bits)).collect();
    match (labelling.label.is_of_moves(), &boards[..]) {
        (true, &[before, after]) => ScoreRow {
            play: Some(played(before, after)),
            before: Some(before.show()),
            after: after.show(),
            games,
            score,
        },
        _ => ScoreRow { play: None, before: None, after: boards[0].show(), games, score },
    }
}

/// Returns the move between two boards by the numbers of its squares, from 1: `9-13`, or `9x18` for
/// a capture.
fn played(before: BoardWords, after: BoardWords) -> String {
    let ([own, other], [own_after, other_after]) = (before.0, after.0);
    let square = |set: u32| 1 + set.trailing_zeros();
    let (from, to) = (own & !own_after, own_after & !own);
    let sign = if other == other_after { '-' } else { 'x' };
    // A capture can end where it began; then the boards do not tell which man made it.
    if from == 0 { "x".to_owned() } else { format!("{}{sign}{}", square(from), square(to)) }
}

impl CommandReport for ScoresReport {
    fn text(&self) -> String {
        let is_of_moves = self.scores.iter().any(|row| row.play.is_some());
        let (what, function) = if is_of_moves { ("move", "h(c)") } else { ("board", "h(d)") };
        let head = format!(
            "{}: {function} by {}, {} in all, {} different",
            self.game,
            self.labels,
            plural(self.moves, what),
            self.different
        );
        let score = |row: &ScoreRow| [row.games.to_string(), format!("{:.4}", row.score)];
        let table = if is_of_moves {
            let rows = self.scores.iter().map(|row| {
                let before = row.before.clone().unwrap_or_default();
                let named = [row.play.clone().unwrap_or_default(), before, row.after.clone()];
                [&named[..], &score(row)].concat()
            });
            figures(&["c", "board before", "board after", "games", "h(c)"], rows)
        } else {
            let rows =
                self.scores.iter().map(|row| [&[row.after.clone()][..], &score(row)].concat());
            figures(&["d", "games", "h(d)"], rows)
        };
        let note = match checkers_of_men(&self.game) {
            Some(_) => "men of the side that moved, then of the other, as 32 squares each",
            None => "moves and boards are those of the first game that has them",
        };
        format!("{}\n\n{table}\n{}\n", paint(LOUD, &head), paint(QUIET, note))
    }
}
