//! Converts finished games to labelled rows for training. The row of a move has the features of the
//! states before and after it, that of a position the features of the state after a move
//! ([`Game::features`]). States are seen by the side that moved, so that one model serves both sides.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::labels::{FinishedGame, Label, LoserLabel};
use super::rows::{BitRows, LabelledRows};
use crate::archive::file_format::{ArchiveFormatError, ArchiveReader, ArchiveRecord};
use crate::archive::{BlockError, for_each_game};
use crate::game::{Game, Side};
use crate::outcome::Duel;

/// How the moves or positions of a game are labelled; as text `captures`, `distance` or
/// `distance(zero)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Labelling {
    /// The kind of label that a move or position gets.
    pub label: Label,
    /// The label of moves that the loser made.
    pub lost: LoserLabel,
}

/// Error of parsing a labelling; the field is the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "unknown labels {0:?}; allowed are distance, winloss, captures and parity, or distance(zero)"
)]
pub struct UnknownLabellingError(String);

impl fmt::Display for Labelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zero = self.label.is_of_moves() && self.lost == LoserLabel::Zero;
        write!(f, "{}{}", self.label.name(), if zero { "(zero)" } else { "" })
    }
}

impl FromStr for Labelling {
    type Err = UnknownLabellingError;

    fn from_str(text: &str) -> Result<Self, UnknownLabellingError> {
        let (name, lost) = match text.strip_suffix("(zero)") {
            Some(name) => (name, LoserLabel::Zero),
            None => (text, LoserLabel::Negative),
        };
        let label = name.parse().map_err(|_| UnknownLabellingError(text.to_owned()))?;
        Ok(Labelling { label, lost })
    }
}

/// Reasons why the games of an archive cannot be labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabellingError {
    /// The label needs numbers of pieces, and the game has no pieces that are captured.
    #[error(
        "{label} is a label for games in which pieces are captured, such as checkers; for {game} \
         distance and winloss are allowed"
    )]
    NoPieces {
        /// The name of the label.
        label: &'static str,
        /// The spec of the game.
        game: String,
    },
    /// The archive is of a puzzle for one side, which has no winner. The field is its spec.
    #[error("{0} is a puzzle for one; labels need a game for two")]
    Puzzle(String),
    /// The bytes are not a valid archive.
    #[error(transparent)]
    Format(#[from] ArchiveFormatError),
    /// The archive has games of another game than requested.
    #[error("the games are of {holds}, not of {wanted}")]
    OtherGame {
        /// The spec of the archive's game.
        holds: String,
        /// The spec of the game requested.
        wanted: String,
    },
    /// A block of games in the archive is invalid.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The archive has no games.
    #[error("there are no games to learn from")]
    Empty,
}

/// A callback that receives the labelled rows of one game at a time, one for each move; it returns
/// `Break` to stop the reading.
pub type RowVisitor<'a> = dyn FnMut(&LabelledRows) -> ControlFlow<()> + 'a;

impl Labelling {
    /// Checks that the games of `g`, whose shortest spec is `spec`, can be labelled like this.
    ///
    /// # Errors
    /// When the label needs numbers of pieces, and `g` has no pieces that are captured.
    pub fn check<G: Game>(self, g: &G, spec: &str) -> Result<(), LabellingError> {
        if self.label.needs_pieces() && g.piece_counts(&g.start()).is_none() {
            let (label, game) = (self.label.name(), spec.to_owned());
            return Err(LabellingError::NoPieces { label, game });
        }
        Ok(())
    }

    /// Calls `visit` with the labelled rows of each game in the archive `bytes`.
    ///
    /// # Errors
    /// When the bytes are not a valid archive of this game, whose shortest spec is `spec`, or the
    /// game has no such labels.
    pub fn each_game<G: Game<Outcome = Duel>>(
        self,
        (g, spec): (&G, &str),
        bytes: &[u8],
        visit: &mut RowVisitor<'_>,
    ) -> Result<(), LabellingError> {
        self.check(g, spec)?;
        let mut records = ArchiveReader::open(bytes, bytes.len() as u64)?;
        if records.game() != spec {
            let (holds, wanted) = (records.game().to_owned(), spec.to_owned());
            return Err(LabellingError::OtherGame { holds, wanted });
        }
        let encoder = RowEncoder::new(g, self);
        let (mut any, mut rows) = (false, LabelledRows::new(encoder.width()));
        while let Some(item) = records.next_item()? {
            let ArchiveRecord::Games(block) = item else { continue };
            let mut go_on = ControlFlow::Continue(());
            for_each_game(g, &block, &mut |replay| {
                any = true;
                rows.clear();
                encoder.label_game(g, replay.states, replay.outcome, &mut rows);
                go_on = visit(&rows);
                go_on
            })?;
            if go_on.is_break() {
                break;
            }
        }
        if any { Ok(()) } else { Err(LabellingError::Empty) }
    }
}

thread_local! {
    /// The list of features of [`with_features`] between two calls.
    static FEATURES: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// Calls `work` with an empty list of features.
#[inline]
fn with_features<R>(work: impl FnOnce(&mut Vec<u32>) -> R) -> R {
    let mut features = FEATURES.take();
    features.clear();
    let result = work(&mut features);
    FEATURES.set(features);
    result
}

/// Writes the moves or positions of one game as rows of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowEncoder {
    labelling: Labelling,
    /// The number of features of a state.
    features: usize,
}

impl RowEncoder {
    /// Creates the encoder for moves or positions of `g`, as the labelling says.
    #[must_use]
    pub fn new<G: Game>(g: &G, labelling: Labelling) -> Self {
        RowEncoder { labelling, features: g.encoding().features() }
    }

    /// Returns the labelling of the rows.
    #[must_use]
    pub fn labelling(&self) -> Labelling {
        self.labelling
    }

    /// Returns the number of bits of a row: the features of one state for labels of positions, of
    /// two states for labels of moves.
    #[must_use]
    pub fn width(&self) -> usize {
        if self.labelling.label.is_of_moves() { 2 * self.features } else { self.features }
    }

    /// Appends the row of a move by `side` from state `before` to state `after`.
    #[inline]
    pub fn push<G: Game>(
        &self,
        g: &G,
        before: &G::State,
        after: &G::State,
        side: Side,
        rows: &mut BitRows,
    ) {
        self.write(g, before, after, side, rows.push_zeros());
    }

    /// Sets the bits of a row of zeros.
    #[inline]
    fn write<G: Game>(
        &self,
        g: &G,
        before: &G::State,
        after: &G::State,
        side: Side,
        row: &mut [u64],
    ) {
        let mut add = |s: &G::State, first: usize| {
            with_features(|features| {
                g.features(s, side, features);
                for &feature in &*features {
                    let bit = first + feature as usize;
                    row[bit / 64] |= 1 << (bit % 64);
                }
            });
        };
        if self.labelling.label.is_of_moves() {
            add(before, 0);
            add(after, self.features);
        } else {
            add(after, 0);
        }
    }

    /// Appends the labelled rows of a finished game with these states, one for each move.
    ///
    /// # Panics
    /// When a state before the last is over, or the label needs numbers of pieces and the game has
    /// none.
    pub fn label_game<G: Game<Outcome = Duel>>(
        &self,
        g: &G,
        states: &[G::State],
        outcome: Duel,
        rows: &mut LabelledRows,
    ) {
        let Some((_, before_moves)) = states.split_last() else { return };
        let mover = |s: &G::State| g.status(s).turn().expect("a move was made here");
        let movers: Vec<Side> = before_moves.iter().map(mover).collect();
        let pieces: Vec<[u32; 2]> = match self.labelling.label.needs_pieces() {
            true => states.iter().filter_map(|s| g.piece_counts(s)).collect(),
            false => Vec::new(),
        };
        let finished = FinishedGame { movers: &movers, pieces: &pieces, outcome };
        let values = self.labelling.label.values(&finished, self.labelling.lost);
        for ((pair, &side), value) in states.windows(2).zip(&movers).zip(values) {
            self.write(g, &pair[0], &pair[1], side, rows.push_zeros(value));
        }
    }
}

#[cfg(test)]
mod tests;
