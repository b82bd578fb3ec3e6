//! Random games of Connect Four.

use super::{Connect4, State};
use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, DuelTally, Outcome};
use crate::random::Rng;

/// One random game from `s`.
#[inline]
pub(super) fn one(g: &Connect4, mut s: State, rng: &mut Rng) -> Duel {
    if let Status::Over(end) = g.status(&s) {
        return end;
    }
    let mut turn = Side::after(s.plies());
    loop {
        let mut open = (s.all + g.bottom) & g.board();
        if open == 0 {
            return Duel::Drawn;
        }
        for _ in 0..rng.below(open.count_ones() as usize) {
            open &= open - 1;
        }
        let stone = open & open.wrapping_neg();
        let mine = s.mover | stone;
        if g.has_four(mine) {
            return Duel::Won(turn);
        }
        s = State { mover: s.moved(), all: s.all | stone };
        turn = turn.other();
    }
}

/// `count` random games from `s`.
pub(super) fn many(g: &Connect4, s: &State, count: u64, rng: &mut Rng, tally: &mut DuelTally) {
    for _ in 0..count {
        one(g, *s, rng).count(tally);
    }
}
