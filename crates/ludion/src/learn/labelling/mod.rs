//! Finished games as samples to learn from: what is said of a move is said of 128 bits, the board
//! before it and the board after it; what is said of a position is said of the 64 bits of the
//! board after a move. Boards are as whoever moved sees them, so that both sides learn from each
//! other and play by the same model.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::dataset::LabelledPosition;
use super::labels::{FinishedGame, Label, LossLabel};
use crate::archive::file_format::{ArchiveFormatError, ArchiveReader, ArchiveRecord};
use crate::archive::{BlockError, for_each_game};
use crate::game::Side;
use crate::men::MenOnlyGame;
use crate::outcome::Duel;

/// How moves or positions are labelled. As text: `captures`, `distance`, `distance(zero)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Labelling {
    /// What is said.
    pub label: Label,
    /// What the moves of a loser count.
    pub lost: LossLabel,
}

/// A text that names no lesson.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} names no labels; write distance, distance(zero), winloss, captures or parity")]
pub struct UnknownLabellingError(String);

impl fmt::Display for Labelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zero = self.label.is_of_moves() && self.lost == LossLabel::Zero;
        write!(f, "{}{}", self.label.name(), if zero { "(zero)" } else { "" })
    }
}

impl FromStr for Labelling {
    type Err = UnknownLabellingError;

    fn from_str(text: &str) -> Result<Self, UnknownLabellingError> {
        let (name, lost) = match text.strip_suffix("(zero)") {
            Some(name) => (name, LossLabel::Zero),
            None => (text, LossLabel::Negative),
        };
        let label = name.parse().map_err(|_| UnknownLabellingError(text.to_owned()))?;
        Ok(Labelling { label, lost })
    }
}

/// Why nothing is learned from an archive.
#[derive(Debug, thiserror::Error)]
pub enum LabellingError {
    /// Positions that are no two words.
    #[error("{0} is no game of men alone on 32 squares, as checkers by the simple rules is")]
    Unfit(String),
    /// Not an archive, or a damaged one.
    #[error(transparent)]
    Fault(#[from] ArchiveFormatError),
    /// The archive is of another game.
    #[error("the games are of {holds}, not of {wanted}")]
    OtherGame {
        /// The game of the archive.
        holds: String,
        /// The game that was asked for.
        wanted: String,
    },
    /// A block that does not read.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// An archive without games.
    #[error("there are no games to learn from")]
    Empty,
}

/// Takes the samples of one game after the other; says whether to go on.
pub type VisitLabels<'a> = dyn FnMut(Vec<LabelledPosition>) -> ControlFlow<()> + 'a;

impl Labelling {
    /// Bits of a key.
    #[must_use]
    pub fn width(self) -> usize {
        if self.label.is_of_moves() { 128 } else { 64 }
    }

    /// What is said something of: the move of `side` that leads from `before` to `after`.
    #[inline]
    #[must_use]
    pub fn key<G: MenOnlyGame>(
        self,
        g: &G,
        before: &G::State,
        after: &G::State,
        side: Side,
    ) -> u128 {
        let board = |s| board(g.words(s, side));
        match self.label.is_of_moves() {
            true => board(before) | board(after) << 64,
            false => board(after),
        }
    }

    /// The samples of a finished game, one for each move; none of a draw.
    #[must_use]
    pub fn samples<G: MenOnlyGame>(
        self,
        g: &G,
        states: &[G::State],
        outcome: Duel,
    ) -> Vec<LabelledPosition> {
        let (Duel::Won(winner), Some(start)) = (outcome, states.first()) else {
            return Vec::new();
        };
        let starts = g.status(start).turn().unwrap_or(Side::First);
        // Captures are said of the first player: seen by the second, the sides change places.
        let values = Side::BOTH.map(|seen_by| {
            let as_first = |side: Side| if seen_by == Side::First { side } else { side.other() };
            let pieces = |s: &G::State, side| g.words(s, as_first(side))[0].count_ones();
            let (starts, winner) = (as_first(starts), as_first(winner));
            self.label.values(&FinishedGame { states, starts, winner, pieces: &pieces }, self.lost)
        });
        let sample = |(ply, pair): (usize, &[G::State])| {
            let side = if ply.is_multiple_of(2) { starts } else { starts.other() };
            let at = if self.label.is_of_moves() { ply } else { ply + 1 };
            LabelledPosition::new(self.key(g, &pair[0], &pair[1], side), values[side.index()][at])
        };
        states.windows(2).enumerate().map(sample).collect()
    }

    /// Shows the samples of every game in the bytes of an archive, game by game.
    ///
    /// # Errors
    /// When the bytes are no archive of this game, whose shortest name is `spec`.
    pub fn each_game<G: MenOnlyGame>(
        self,
        (g, spec): (&G, &str),
        bytes: &[u8],
        visit: &mut VisitLabels<'_>,
    ) -> Result<(), LabellingError> {
        if !g.has_men_alone() {
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

/// Own men in the lower half, the others' in the upper.
#[inline]
pub(super) fn board([own, other]: [u32; 2]) -> u128 {
    u128::from(own) | u128::from(other) << 32
}

#[cfg(test)]
mod tests;
