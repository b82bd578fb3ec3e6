//! The labels of the moves of a finished game.
//!
//! `distance` labels a move that is d plies before the end of the game with v/√d, where d is 1 for
//! the last move; v is 1 for moves of the winner, and −1 or 0 for moves of the loser. `winloss`
//! labels a move with v alone. In a drawn game v is the mean of a winner's and a loser's. `captures`
//! labels the position after a move with the number of pieces that the side that moved still
//! captures. `parity` is `distance` with a mistake, kept to show its effect: it derives the winner
//! from the parity of the number of moves. That is wrong for games that end when a side has no piece
//! left, so in these games the loser's moves get the winner's labels. `captures` and `parity` need a
//! game with [`Game::piece_counts`](crate::game::Game::piece_counts).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::outcome::{Duel, Wdl};
use crate::param::{Args, ChoiceOptions, Param, ParamKind};

/// A finished game to be labelled.
pub struct FinishedGame<'a> {
    /// The side that made each move, in order.
    pub movers: &'a [Side],
    /// The numbers of pieces of the first and of the second side at the start and after each move;
    /// may be empty for labels without [`Label::needs_pieces`].
    pub pieces: &'a [[u32; 2]],
    /// How the game ended.
    pub outcome: Duel,
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
    /// Labels the position after a move with the number of pieces that the side that moved still
    /// captures.
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

    /// Returns whether the label depends on the numbers of pieces, so that it exists only in games
    /// in which pieces are captured.
    #[must_use]
    pub fn needs_pieces(self) -> bool {
        matches!(self, Label::Captures | Label::Parity)
    }

    /// Returns the labels of a game, one for each move; a label of positions is that of the position
    /// after the move.
    ///
    /// # Panics
    /// When the label needs numbers of pieces and `game` does not have them for every state.
    #[must_use]
    pub fn values(self, game: &FinishedGame<'_>, lost: LoserLabel) -> Vec<f64> {
        let plies = game.movers.len();
        let sign = |mover: Side, outcome: Duel| match (outcome.seen_by(mover), lost) {
            (Wdl::Win, _) => 1.0,
            (Wdl::Draw, LoserLabel::Zero) => 0.5,
            (Wdl::Draw, LoserLabel::Negative) | (Wdl::Loss, LoserLabel::Zero) => 0.0,
            (Wdl::Loss, LoserLabel::Negative) => -1.0,
        };
        let movers = game.movers.iter();
        let distance = |outcome: Duel| {
            let of = |(ply, &mover)| sign(mover, outcome) / ((plies - ply) as f64).sqrt();
            movers.clone().enumerate().map(of).collect()
        };
        match (self, game.outcome) {
            (Label::Distance, outcome) => distance(outcome),
            (Label::WinLoss, outcome) => movers.map(|&mover| sign(mover, outcome)).collect(),
            (Label::Parity, Duel::Won(winner))
                if game.pieces[plies][winner.other().index()] == 0 =>
            {
                distance(Duel::Won(winner.other()))
            }
            (Label::Parity, outcome) => distance(outcome),
            (Label::Captures, _) => {
                let left = |ply: usize, side: Side| f64::from(game.pieces[ply][side.index()]);
                let of = |(ply, &mover): (usize, &Side)| {
                    left(ply + 1, mover.other()) - left(plies, mover.other())
                };
                movers.enumerate().map(of).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the labels of a game that the first side wins; it is given by the numbers of pieces of
    /// both sides in each state, and the sides alternate.
    fn labels(label: Label, pieces: &[[u32; 2]], lost: LoserLabel) -> Vec<f64> {
        let movers: Vec<Side> = (0..pieces.len() as u32 - 1).map(Side::after).collect();
        let outcome = Duel::Won(Side::First);
        label.values(&FinishedGame { movers: &movers, pieces, outcome }, lost)
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
    fn a_side_that_moves_twice_gets_its_own_labels_and_a_draw_is_between_win_and_loss() {
        let movers = [Side::First, Side::First, Side::Second];
        let labels = |label: Label, outcome, lost| {
            label.values(&FinishedGame { movers: &movers, pieces: &[], outcome }, lost)
        };
        let won = Duel::Won(Side::First);
        assert_eq!(labels(Label::WinLoss, won, LoserLabel::Negative), [1.0, 1.0, -1.0]);
        assert_eq!(labels(Label::WinLoss, won, LoserLabel::Zero), [1.0, 1.0, 0.0]);
        assert_eq!(labels(Label::WinLoss, Duel::Drawn, LoserLabel::Negative), [0.0; 3]);
        assert_eq!(labels(Label::WinLoss, Duel::Drawn, LoserLabel::Zero), [0.5; 3]);
        let root = |d: f64| 1.0 / d.sqrt();
        let distances = labels(Label::Distance, won, LoserLabel::Negative);
        assert_eq!(distances, [root(3.0), root(2.0), -1.0]);
    }

    #[test]
    fn captures_counts_the_captures_still_to_come() {
        let all = labels(Label::Captures, &NO_PIECES_LEFT, LoserLabel::Negative);
        assert_eq!(all, [2.0, 0.0, 1.0, 0.0, 0.0]);
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
