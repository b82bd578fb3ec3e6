//! Adjudication: the arena ends a game before its rules do, because both players agree about the
//! result for some moves, or because the exact solver knows it. It is off unless it is asked for, and
//! every adjudicated game says so.

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::outcome::Duel;

/// The rules by which games are adjudicated; a rule that is `None` does not apply.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// When a game counts as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game counts as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The number of states that the exact solver of the game may visit after every move. Where it
    /// finds the result, the game ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_nodes: Option<u64>,
}

impl AdjudicationRules {
    /// Returns whether no rule applies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == AdjudicationRules::default()
    }
}

/// A game is lost for a side if for some moves in a row it has judged the position as lost, and its
/// opponent as won.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// The number of moves of each side.
    pub moves: u32,
    /// The value from 0 to 1: the winner's is at least this, the loser's at most its opposite.
    pub value: f64,
}

/// A game is drawn if for some moves in a row both sides have judged the position as even.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The number of moves of each side.
    pub moves: u32,
    /// The value from 0 to 1 that the values of both sides do not exceed, whatever their sign.
    pub value: f64,
    /// The number of plies before which no game is drawn.
    pub from: u32,
}

/// The values of both players in the current game, as far as the rules need them.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    rules: AdjudicationRules,
    /// For each side, the numbers of its last moves in a row with a value of a win, of a loss and of
    /// a draw.
    won: [u32; 2],
    lost: [u32; 2],
    even: [u32; 2],
}

impl Adjudicator {
    pub(crate) fn new(rules: AdjudicationRules) -> Self {
        Adjudicator { rules, won: [0; 2], lost: [0; 2], even: [0; 2] }
    }

    /// Notes the value that `side` gave its move, which was ply number `ply` of the game, and returns
    /// the result of the game with the reason, if it is over.
    pub(crate) fn judge(
        &mut self,
        side: Side,
        value: Option<f64>,
        ply: usize,
    ) -> Option<(Duel, String)> {
        let (i, value) = (side.index(), value.unwrap_or(f64::NAN));
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(ResignRule { moves, value: limit }) = self.rules.resign {
            count(&mut self.won[i], value >= limit);
            count(&mut self.lost[i], value <= -limit);
            for winner in Side::BOTH {
                let (w, l) = (winner.index(), winner.other().index());
                if self.won[w] >= moves && self.lost[l] >= moves {
                    let reason = format!("both players judged it decided for {moves} moves");
                    return Some((Duel::Won(winner), reason));
                }
            }
        }
        if let Some(DrawRule { moves, value: limit, from }) = self.rules.draw {
            count(&mut self.even[i], value.abs() <= limit);
            if ply >= from as usize && self.even.iter().all(|&even| even >= moves) {
                return Some((
                    Duel::Drawn,
                    format!("both players judged it even for {moves} moves"),
                ));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(rules: AdjudicationRules, values: &[f64]) -> Option<(usize, Duel)> {
        let mut adjudicator = Adjudicator::new(rules);
        values.iter().enumerate().find_map(|(i, &value)| {
            let (duel, _) = adjudicator.judge(Side::BOTH[i % 2], Some(value), i + 1)?;
            Some((i, duel))
        })
    }

    #[test]
    fn a_game_is_lost_when_both_players_agree_for_enough_moves() {
        let resign = Some(ResignRule { moves: 2, value: 0.9 });
        let rules = AdjudicationRules { resign, ..AdjudicationRules::default() };
        let lost = judged(rules, &[-0.95, 0.5, -0.95, 0.95, -1.0, 0.9, -1.0]);
        assert_eq!(lost, Some((5, Duel::Won(Side::Second))));
        assert_eq!(judged(rules, &[0.95, -0.95, 0.95, -0.8, 0.95, -0.95, 0.95]), None);
        assert_eq!(judged(rules, &[-1.0, -1.0, -1.0, -1.0, -1.0]), None, "one of them is wrong");
        assert_eq!(judged(rules, &[f64::NAN; 9]), None);
    }

    #[test]
    fn a_game_is_drawn_when_both_players_agree_for_enough_moves_and_it_is_long_enough() {
        let draw = Some(DrawRule { moves: 2, value: 0.05, from: 6 });
        let rules = AdjudicationRules { draw, ..AdjudicationRules::default() };
        assert_eq!(judged(rules, &[0.0; 9]), Some((5, Duel::Drawn)));
        assert_eq!(
            judged(rules, &[0.0, 0.0, 0.0, 0.3, 0.0, -0.05, 0.0, 0.0]),
            Some((7, Duel::Drawn))
        );
    }
}
