//! Converts finished games to labelled samples for training. The features of a move are 128 bits,
//! the boards before and after it; those of a position are the 64 bits of the board after a move.
//! Boards are seen by the side that moved, so that one model serves both sides.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::dataset::LabelledSample;
use super::labels::{FinishedGame, Label, LoserLabel};
use crate::archive::file_format::{ArchiveFormatError, ArchiveReader, ArchiveRecord};
use crate::archive::{BlockError, for_each_game};
use crate::game::Side;
use crate::men::MenOnlyGame;
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
    /// The game is not supported: it has kings or more than 32 squares. The field is its spec.
    #[error(
        "{0} is not a game with men only on 32 squares, such as checkers with the simple rules"
    )]
    Unfit(String),
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
    /// The archive has no games, or all of them are draws, which get no labels.
    #[error("there are no games to learn from")]
    Empty,
}

/// A callback that receives the samples of one game at a time; it returns `Break` to stop the
/// reading.
pub type SampleVisitor<'a> = dyn FnMut(Vec<LabelledSample>) -> ControlFlow<()> + 'a;

impl Labelling {
    /// Returns the number of feature bits: 128 for labels of moves, 64 for labels of positions.
    #[must_use]
    pub fn width(self) -> usize {
        if self.label.is_of_moves() { 128 } else { 64 }
    }

    /// Returns the feature bits of a move by `side` from state `before` to state `after`.
    #[inline]
    #[must_use]
    pub fn key<G: MenOnlyGame>(
        self,
        g: &G,
        before: &G::State,
        after: &G::State,
        side: Side,
    ) -> u128 {
        let board = |s| board_bits(g.words(s, side));
        match self.label.is_of_moves() {
            true => board(before) | board(after) << 64,
            false => board(after),
        }
    }

    /// Returns the samples of a finished game with these states, one for each move; none for a
    /// draw.
    #[must_use]
    pub fn samples<G: MenOnlyGame>(
        self,
        g: &G,
        states: &[G::State],
        outcome: Duel,
    ) -> Vec<LabelledSample> {
        let (Duel::Won(winner), Some(start)) = (outcome, states.first()) else {
            return Vec::new();
        };
        let first_mover = g.status(start).turn().unwrap_or(Side::First);
        // Capture labels count the captures of the first side. For moves of the second side the
        // sides are swapped, so that its own captures are counted.
        let values = Side::BOTH.map(|seen_by| {
            let as_first = |side: Side| if seen_by == Side::First { side } else { side.other() };
            let pieces = |s: &G::State, side| g.words(s, as_first(side))[0].count_ones();
            let (first_mover, winner) = (as_first(first_mover), as_first(winner));
            self.label
                .values(&FinishedGame { states, first_mover, winner, pieces: &pieces }, self.lost)
        });
        let sample = |(ply, states_of_move): (usize, &[G::State])| {
            let side = if ply.is_multiple_of(2) { first_mover } else { first_mover.other() };
            let at = if self.label.is_of_moves() { ply } else { ply + 1 };
            LabelledSample::new(
                self.key(g, &states_of_move[0], &states_of_move[1], side),
                values[side.index()][at],
            )
        };
        states.windows(2).enumerate().map(sample).collect()
    }

    /// Calls `visit` with the samples of each game in the archive `bytes`.
    ///
    /// # Errors
    /// When the bytes are not a valid archive of this game, whose shortest spec is `spec`.
    pub fn each_game<G: MenOnlyGame>(
        self,
        (g, spec): (&G, &str),
        bytes: &[u8],
        visit: &mut SampleVisitor<'_>,
    ) -> Result<(), LabellingError> {
        if !g.is_men_only() {
            return Err(LabellingError::Unfit(spec.to_owned()));
        }
        let mut records = ArchiveReader::open(bytes, bytes.len() as u64)?;
        if records.game() != spec {
            let (holds, wanted) = (records.game().to_owned(), spec.to_owned());
            return Err(LabellingError::OtherGame { holds, wanted });
        }
        let mut any = false;
        while let Some(item) = records.next_item()? {
            let ArchiveRecord::Games(block) = item else { continue };
            let mut go_on = ControlFlow::Continue(());
            for_each_game(g, &block, &mut |replay| {
                any = true;
                go_on = visit(self.samples(g, replay.states, replay.outcome));
                go_on
            })?;
            if go_on.is_break() {
                break;
            }
        }
        if any { Ok(()) } else { Err(LabellingError::Empty) }
    }
}

/// Packs the men of a board into 64 bits: own men in the lower 32, the opponent's in the upper 32.
#[inline]
pub(super) fn board_bits([own, other]: [u32; 2]) -> u128 {
    u128::from(own) | u128::from(other) << 32
}

#[cfg(test)]
mod tests;
