//! An evaluator and a player made for Chomp. Both know which side wins three kinds of bars: those
//! of two rows, those of two columns, and those of one row with one column.

use ludion::evaluator::{Evaluator, WIN};
use ludion::game::{Game, Status};
use ludion::named::{NamedPlayer, PlayerParts};
use ludion::param::{Args, Param, ParamError};
use ludion::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError, RootLine};

use crate::{Chomp, ChompState};

/// The value of each pass that a side has more than its opponent.
const PASS: i32 = WIN / 10;
/// The value of a bar that the theory knows to be won.
const KNOWN: i32 = WIN / 2;

/// Returns whether the side to move loses this bar if neither side passes; `None` if the theory
/// does not cover the bar. `left` has the number of squares left in each row, from the bottom.
fn is_lost(left: &[u8; 8]) -> Option<bool> {
    let (width, second) = (left[0], left[1]);
    let height = left.iter().filter(|&&row| row > 0).count() as u8;
    let right = left.iter().filter(|&&row| row > 1).count() as u8;
    if second <= 1 {
        // A row and a column that meet at the poison: lost for the side to move if they are equally
        // long.
        Some(width == height)
    } else if height == 2 {
        Some(second + 1 == width)
    } else if width == 2 {
        Some(right + 1 == height)
    } else {
        None
    }
}

/// Evaluates a state by the theory of known bars and by the passes left.
///
/// If both sides have the same number of passes, a side can answer each pass by a pass, so that won
/// bars stay won and lost bars stay lost.
pub(crate) struct TheoryEvaluator;

impl Evaluator<Chomp> for TheoryEvaluator {
    fn value(&self, _g: &Chomp, s: &ChompState) -> i32 {
        let [mine, theirs] = [s.turn, s.turn.other()].map(|side| i32::from(s.passes[side.index()]));
        let bar = match is_lost(&s.left) {
            Some(true) => -KNOWN,
            Some(false) => KNOWN,
            None => 0,
        };
        match mine - theirs {
            _ if s.only_the_poison_is_left() => 1 - WIN,
            0 => bar,
            more => (bar / 2 + more * PASS).clamp(1 - WIN, WIN - 1),
        }
    }
}

/// Plays the move after which the state has the lowest value for the opponent, and among equal
/// moves the one that eats the fewest squares.
pub(crate) struct TheoryPlayer;

impl Player<Chomp> for TheoryPlayer {
    fn choose(
        &mut self,
        request: &MoveRequest<'_, Chomp>,
    ) -> Result<Choice<<Chomp as Game>::Move>, PlayerError> {
        let (g, s) = (request.game, request.state);
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        let worth = |m| {
            let after = g.after(s, m);
            match g.status(&after) {
                Status::Over(_) => -WIN,
                Status::Turn(_) => -TheoryEvaluator.value(g, &after),
            }
        };
        let squares = |m| g.after(s, m).left.iter().map(|&row| u32::from(row)).sum::<u32>();
        let best = moves.iter().copied().max_by_key(|&m| (worth(m), squares(m)));
        let line = |&m| RootLine {
            value: Some(f64::from(worth(m)) / f64::from(WIN)),
            visits: 1,
            ..RootLine::new(m)
        };
        Ok(Choice {
            lines: moves.iter().map(line).collect(),
            nodes: moves.len() as u64,
            depth: 1,
            ..Choice::bare(best.ok_or(PlayerError::Over)?)
        })
    }
}

impl NamedPlayer<Chomp> for TheoryPlayer {
    const NAME: &'static str = "theory";
    const HELP: &'static str = "leaves the opponent a bar that is known to be lost, if it can";
    const PARAMS: &'static [Param] = &[];
    const SPENDS: &'static [BudgetUnit] = &[];

    fn build(_args: &Args, _parts: &PlayerParts<Chomp>) -> Result<Self, ParamError> {
        Ok(TheoryPlayer)
    }
}
