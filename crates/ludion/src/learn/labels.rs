//! The labels of the moves and positions of a finished game.
//!
//! `distance` labels a move that is d plies before the end of the game with v/√d, where d is 1 for
//! the last move; v is 1 for moves of the winner, and −1 or 0 for moves of the loser. `winloss`
//! labels a move with v alone. `captures` labels a position with the number of pieces that the
//! first side still captures. `parity` is `distance` with a mistake, kept to show its effect: it
//! derives the winner from the parity of the number of moves. That is wrong for games that end when
//! a side has no piece left, so in these games the loser's moves get the winner's labels.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::param::{Args, ChoiceOptions, Param, ParamKind};

/// A finished game with its winner, to be labelled.
pub struct FinishedGame<'a, S> {
    /// All states of the game in order, the start first.
    pub states: &'a [S],
    /// The side that made the first move; the sides move alternately.
    pub first_mover: Side,
    /// The side that won the game.
    pub winner: Side,
    /// A function that returns the number of pieces of a side in a state.
    pub pieces: &'a dyn Fn(&S, Side) -> u32,
}

/// The kinds of labels that training can predict for moves or positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Labels a move with 1/√d if the winner made it, otherwise with −1/√d or 0 (see
    /// [`LoserLabel`]); d is 1 for the last move and grows by 1 for each ply before it.
    Distance,
    /// Labels a move with 1 if the winner made it, otherwise with −1 or 0 (see [`LoserLabel`]).
    WinLoss,
    /// Labels a position with the number of pieces that the first side still captures.
    Captures,
    /// Labels a move like `Distance`, but takes the loser for the winner if the loser lost all its
    /// pieces. Kept to show the effect of this mistake.
    Parity,
}

/// The rule by which moves of the loser are labelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoserLabel {
    /// The loser's moves are labelled −1, or −1/√d with the labels `Distance` and `Parity`: the
    /// variant of the program of *Deep Checker* (2021).
    Negative,
    /// The loser's moves are labelled 0: the variant of the text of *Deep Checker* (2021).
    #[default]
    Zero,
}

impl LoserLabel {
    /// The player parameter that selects the variant.
    pub const PARAM: Param = Param {
        name: Cow::Borrowed("lost"),
        kind: ParamKind::Choice {
            default: Cow::Borrowed("zero"),
            options: ChoiceOptions::Static(&["negative", "zero"]),
        },
        help: Cow::Borrowed("label of a loser's move: the negative of a winner's, or 0"),
        needs: None,
        former_default: Some("negative"),
    };

    /// Reads the variant from the player parameter `lost`.
    pub(super) fn build(args: &Args) -> Self {
        if args.text("lost") == "negative" { LoserLabel::Negative } else { LoserLabel::Zero }
    }
}

impl std::str::FromStr for LoserLabel {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "zero" => Ok(LoserLabel::Zero),
            "negative" => Ok(LoserLabel::Negative),
            _ => {
                Err(format!("unknown label {name:?} of a loser's move; allowed are zero, negative"))
            }
        }
    }
}

/// Error of parsing the name of a label; the field is the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown label {0:?}; allowed are distance, winloss, captures and parity")]
pub struct UnknownLabelError(String);

impl std::str::FromStr for Label {
    type Err = UnknownLabelError;

    fn from_str(name: &str) -> Result<Self, UnknownLabelError> {
        let found = Label::ALL.into_iter().find(|label| label.name() == name);
        found.ok_or_else(|| UnknownLabelError(name.to_owned()))
    }
}

impl Label {
    /// All kinds of labels.
    pub const ALL: [Label; 4] = [Label::Distance, Label::WinLoss, Label::Captures, Label::Parity];

    /// Returns the name of the label, as users write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Label::Distance => "distance",
            Label::WinLoss => "winloss",
            Label::Captures => "captures",
            Label::Parity => "parity",
        }
    }

    /// Returns whether the label is given to moves; otherwise it is given to positions.
    #[must_use]
    pub fn is_of_moves(self) -> bool {
        self != Label::Captures
    }

    /// Returns the labels of a game in the order of its states: for labels of positions one for
    /// each state, for labels of moves one for each state but the last.
    #[must_use]
    pub fn values<S>(self, game: &FinishedGame<'_, S>, lost: LoserLabel) -> Vec<f64> {
        let Some(end) = game.states.last() else { return Vec::new() };
        let plies = game.states.len() - 1;
        let sign = |ply: usize, winner: Side| {
            let mover =
                if ply.is_multiple_of(2) { game.first_mover } else { game.first_mover.other() };
            match lost {
                _ if mover == winner => 1.0,
                LoserLabel::Negative => -1.0,
                LoserLabel::Zero => 0.0,
            }
        };
        let distance = |winner: Side| {
            (0..plies).map(|ply| sign(ply, winner) / ((plies - ply) as f64).sqrt()).collect()
        };
        let loser_has_no_pieces = || (game.pieces)(end, game.winner.other()) == 0;
        match self {
            Label::Distance => distance(game.winner),
            Label::WinLoss => (0..plies).map(|ply| sign(ply, game.winner)).collect(),
            Label::Parity if loser_has_no_pieces() => distance(game.winner.other()),
            Label::Parity => distance(game.winner),
            Label::Captures => {
                let left = |s: &S| f64::from((game.pieces)(s, Side::Second));
                game.states.iter().map(|s| left(s) - left(end)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the labels of a game that is given by the numbers of pieces of both sides in each
    /// state.
    fn labels(label: Label, states: &[[u32; 2]], lost: LoserLabel) -> Vec<f64> {
        let pieces = |s: &[u32; 2], side| s[usize::from(side == Side::Second)];
        let game =
            FinishedGame { states, first_mover: Side::First, winner: Side::First, pieces: &pieces };
        label.values(&game, lost)
    }

    const NO_PIECES_LEFT: [[u32; 2]; 6] = [[3, 3], [3, 2], [2, 2], [2, 1], [2, 1], [2, 0]];
    const BLOCKED: [[u32; 2]; 2] = [[3, 3], [3, 2]];

    #[test]
    fn moves_are_labelled_by_their_distance_to_the_end() {
        let root = |d: f64| 1.0 / d.sqrt();
        let all = labels(Label::Distance, &NO_PIECES_LEFT, LoserLabel::Negative);
        assert_eq!(all, [root(5.0), -root(4.0), root(3.0), -root(2.0), 1.0]);
        let all = labels(Label::Distance, &NO_PIECES_LEFT, LoserLabel::Zero);
        assert_eq!(all, [root(5.0), 0.0, root(3.0), 0.0, 1.0]);
        let all = labels(Label::WinLoss, &NO_PIECES_LEFT, LoserLabel::Negative);
        assert_eq!(all, [1.0, -1.0, 1.0, -1.0, 1.0]);
    }

    #[test]
    fn captures_counts_the_captures_still_to_come() {
        let all = labels(Label::Captures, &NO_PIECES_LEFT, LoserLabel::Negative);
        assert_eq!(all, [3.0, 2.0, 2.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn parity_is_wrong_if_the_loser_has_no_pieces_and_right_if_it_is_blocked() {
        let right = labels(Label::Distance, &NO_PIECES_LEFT, LoserLabel::Negative);
        let wrong = labels(Label::Parity, &NO_PIECES_LEFT, LoserLabel::Negative);
        assert!(right.iter().zip(&wrong).all(|(a, b)| *a == -b));
        let right = labels(Label::Distance, &BLOCKED, LoserLabel::Negative);
        assert_eq!(labels(Label::Parity, &BLOCKED, LoserLabel::Negative), right);
    }

    #[test]
    fn labels_parse_from_their_names() {
        for label in Label::ALL {
            assert_eq!(label.name().parse(), Ok(label));
        }
        assert_eq!(
            "wins".parse::<Label>().unwrap_err().to_string(),
            "unknown label \"wins\"; allowed are distance, winloss, captures and parity"
        );
    }
}
