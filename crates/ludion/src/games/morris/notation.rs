//! States of Nine Men's Morris as text, and which of them are possible.

use super::board::{PLACES, in_mill};
use super::{MEN, Morris, MorrisState, NO_POINT, bits};
use crate::game::Side;
use crate::notation::{NotationError, NotationReader};
use crate::scene::{Coord, Piece};

impl Morris {
    /// Writes the points row by row, the men to place, the side to move, and whether it takes a man:
    /// `x../.../.../....../.../.../... 8-9 second`.
    pub(super) fn state_text(&self, s: &MorrisState) -> String {
        let mut text = String::new();
        for point in 0..NO_POINT {
            if point > 0 && PLACES[usize::from(point)].1 != PLACES[usize::from(point) - 1].1 {
                text.push('/');
            }
            let owner = Side::BOTH.into_iter().find(|side| s.men[side.index()] >> point & 1 == 1);
            text.push(owner.map_or('.', |side| ['x', 'o'][side.index()]));
        }
        let takes = if s.takes { " takes" } else { "" };
        format!("{text} {}-{} {}{takes}", s.hand[0], s.hand[1], s.turn)
    }

    /// Returns the state with these men on the board and none to place.
    pub(super) fn put_up(
        &self,
        pieces: &[Piece],
        turn: Side,
    ) -> Result<MorrisState, NotationError> {
        let mut s = MorrisState { men: [0; 2], hand: [0; 2], turn, takes: false };
        for Piece { at, owner, .. } in pieces {
            let point = PLACES.iter().position(|&(x, y)| Coord::new(x.into(), y.into()) == *at);
            let (Some(point), Some(side)) = (point, owner) else {
                return Err(NotationError::new("", "men stand on the crossings of lines"));
            };
            s.men[side.index()] |= 1 << point;
        }
        self.parse_state(&self.state_text(&s))
    }

    /// Parses a state as [`state_text`](Morris::state_text) writes it.
    pub(super) fn parse_state(&self, text: &str) -> Result<MorrisState, NotationError> {
        let mut reader = NotationReader::new(text);
        let (mut men, mut last) = ([0; 2], 0);
        for (point, &(_, y)) in PLACES.iter().enumerate() {
            if y != last {
                reader.expect("/")?;
                last = y;
            }
            match reader.grid(1, 1, ".xo")?[0] {
                0 => {}
                owner => men[owner - 1] |= 1 << point,
            }
        }
        reader.skip_spaces();
        let first = reader.number("the men to place", 0, MEN.into())? as u8;
        reader.expect("-")?;
        let hand = [first, reader.number("the men to place", 0, MEN.into())? as u8];
        let turn = reader.side()?;
        reader.skip_spaces();
        let s = MorrisState { men, hand, turn, takes: reader.takes("takes") };
        reader.end()?;
        check_hands(&s).map_err(|problem| reader.whole(problem))?;
        check_men(&s).map_err(|problem| reader.whole(problem))?;
        Ok(s)
    }
}

/// Checks that the sides have placed their men in turn.
fn check_hands(s: &MorrisState) -> Result<(), String> {
    let [first, second] = s.hand;
    // The side that has placed the last man: it takes a man now, or the other side moves.
    let placed_last = if s.takes { s.turn } else { s.turn.other() };
    let is_possible = match placed_last {
        Side::First => second == first + 1,
        Side::Second => second == first,
    };
    if is_possible || s.hand == [0; 2] {
        return Ok(());
    }
    let takes = if s.takes { "taking a man" } else { "to move" };
    Err(format!("{first} and {second} men to place are impossible with {} {takes}", s.turn))
}

/// Checks the numbers of men of both sides, and that a man is taken for a mill.
fn check_men(s: &MorrisState) -> Result<(), String> {
    for side in Side::BOTH {
        let (me, other) = (side.index(), side.other().index());
        let men = s.men[me].count_ones() as u8;
        let all = men + s.hand[me];
        if all > MEN {
            return Err(format!("{side} has {all} men, and at most {MEN} are allowed"));
        }
        // The first two men that a side places close no mill, and each other one closes one at most.
        let is_taken_from = s.takes && side != s.turn;
        let lost = MEN - all + u8::from(is_taken_from);
        let mills = (MEN - s.hand[other]).saturating_sub(2);
        if s.hand != [0; 2] && lost > mills {
            return Err(format!(
                "{side} has {all} men; the {} men that {} has placed close at most {mills} mills",
                MEN - s.hand[other],
                side.other()
            ));
        }
        // A game ends when a side that is to move has two men.
        let least = if side == s.turn && !s.takes { 2 } else { 3 };
        if s.hand == [0; 2] && men < least {
            return Err(format!("{side} has {men} men; at least {least} must be left"));
        }
    }
    let mine = s.men[s.turn.index()];
    if s.takes && !bits(mine.into()).any(|point| in_mill(mine, point)) {
        return Err(format!("{} takes a man without a mill", s.turn));
    }
    if s.takes && s.men[s.turn.other().index()] == 0 {
        return Err(format!("{} has no man to take", s.turn));
    }
    Ok(())
}
