//! What the moves and positions of a finished game are worth to whoever learns from it.
//!
//! `distance` gives a move that is d plies before the end v/√d, the last move being 1 before it:
//! v is 1 for the winner's moves, and for the loser's −1 or 0. `winloss` is v alone. `captures`
//! counts what the first player still captures from a position on. `parity` is `distance` with a
//! mistake, kept to show what it does: the winner is told by the parity of the record's length,
//! and a record that stops when a side has no piece left, before the turn passes, is of the wrong
//! one. So every game that ends in a wipe-out is given to the loser.

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// A game that is over.
pub struct FinishedGame<'a, S> {
    /// All states, the start first.
    pub states: &'a [S],
    /// Whose move the first is; sides move in turn.
    pub starts: Side,
    /// Who won.
    pub winner: Side,
    /// How many pieces a side has in a state.
    pub pieces: &'a dyn Fn(&S, Side) -> u32,
}

/// What is said about the moves or positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Of a move: the nearer to the end, the more it is to the winner's credit.
    Distance,
    /// Of a move: whether it is the winner's.
    WinLoss,
    /// Of a position: captures the first player still makes.
    Captures,
    /// Of a move: its distance, in a game whose winner is mistaken for the loser if the loser
    /// was wiped out.
    Parity,
}

/// What a loser's move counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossLabel {
    /// −1.
    #[default]
    Negative,
    /// 0.
    Zero,
}

/// A name that is no label's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown label {0:?}; there are distance, winloss, captures, parity")]
pub struct UnknownLabelError(String);

impl std::str::FromStr for Label {
    type Err = UnknownLabelError;

    fn from_str(name: &str) -> Result<Self, UnknownLabelError> {
        let found = Label::ALL.into_iter().find(|label| label.name() == name);
        found.ok_or_else(|| UnknownLabelError(name.to_owned()))
    }
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 4] = [Label::Distance, Label::WinLoss, Label::Captures, Label::Parity];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Label::Distance => "distance",
            Label::WinLoss => "winloss",
            Label::Captures => "captures",
            Label::Parity => "parity",
        }
    }

    /// Whether it is said of moves; if not, of positions.
    #[must_use]
    pub fn is_of_moves(self) -> bool {
        self != Label::Captures
    }

    /// The labels of a game: of moves, one for each state but the last, from which it is played;
    /// of positions, one for each state.
    #[must_use]
    pub fn values<S>(self, game: &FinishedGame<'_, S>, lost: LossLabel) -> Vec<f64> {
        let Some(end) = game.states.last() else { return Vec::new() };
        let plies = game.states.len() - 1;
        let worth = |ply: usize, winner: Side| {
            let mover = if ply.is_multiple_of(2) { game.starts } else { game.starts.other() };
            match lost {
                _ if mover == winner => 1.0,
                LossLabel::Negative => -1.0,
                LossLabel::Zero => 0.0,
            }
        };
        let distance = |winner: Side| {
            (0..plies).map(|ply| worth(ply, winner) / ((plies - ply) as f64).sqrt()).collect()
        };
        let wiped_out = || (game.pieces)(end, game.winner.other()) == 0;
        match self {
            Label::Distance => distance(game.winner),
            Label::WinLoss => (0..plies).map(|ply| worth(ply, game.winner)).collect(),
            Label::Parity if wiped_out() => distance(game.winner.other()),
            Label::Parity => distance(game.winner),
            Label::Captures => {
                let there = |s: &S| f64::from((game.pieces)(s, Side::Second));
                game.states.iter().map(|s| there(s) - there(end)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of the first and of the second, state by state.
    fn labels(label: Label, states: &[[u32; 2]], lost: LossLabel) -> Vec<f64> {
        let pieces = |s: &[u32; 2], side| s[usize::from(side == Side::Second)];
        let game =
            FinishedGame { states, starts: Side::First, winner: Side::First, pieces: &pieces };
        label.values(&game, lost)
    }

    const WIPED_OUT: [[u32; 2]; 6] = [[3, 3], [3, 2], [2, 2], [2, 1], [2, 1], [2, 0]];
    const BLOCKED: [[u32; 2]; 2] = [[3, 3], [3, 2]];

    #[test]
    fn moves_count_by_their_distance_to_the_end() {
        let root = |d: f64| 1.0 / d.sqrt();
        let all = labels(Label::Distance, &WIPED_OUT, LossLabel::Negative);
        assert_eq!(all, [root(5.0), -root(4.0), root(3.0), -root(2.0), 1.0]);
        let all = labels(Label::Distance, &WIPED_OUT, LossLabel::Zero);
        assert_eq!(all, [root(5.0), 0.0, root(3.0), 0.0, 1.0]);
        let all = labels(Label::WinLoss, &WIPED_OUT, LossLabel::Negative);
        assert_eq!(all, [1.0, -1.0, 1.0, -1.0, 1.0]);
    }

    #[test]
    fn captures_are_those_still_to_come() {
        let all = labels(Label::Captures, &WIPED_OUT, LossLabel::Negative);
        assert_eq!(all, [3.0, 2.0, 2.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn parity_is_wrong_for_every_wipe_out_and_right_for_the_blocked() {
        let right = labels(Label::Distance, &WIPED_OUT, LossLabel::Negative);
        let wrong = labels(Label::Parity, &WIPED_OUT, LossLabel::Negative);
        assert!(right.iter().zip(&wrong).all(|(a, b)| *a == -b));
        let right = labels(Label::Distance, &BLOCKED, LossLabel::Negative);
        assert_eq!(labels(Label::Parity, &BLOCKED, LossLabel::Negative), right);
    }

    #[test]
    fn labels_are_known_by_their_names_alone() {
        for label in Label::ALL {
            assert_eq!(label.name().parse(), Ok(label));
        }
        assert_eq!(
            "wins".parse::<Label>().unwrap_err().to_string(),
            "unknown label \"wins\"; there are distance, winloss, captures, parity"
        );
    }
}
