//! The legal moves of a state. Where the side to move has men alone and no chain of captures
//! is longer than one, all moves are found by a few shifts of whole sets; what is rarer goes
//! to [`Hunt`].

use super::board::{Board, DIAGONAL, DOWNWARDS, EVERYWHERE, UPWARDS};
use super::hunt::Hunt;
use super::rules::{Promotion, Reach, Rules};
use super::{Move, State};
use crate::game::Side;
use crate::games::bits::bits;

impl Rules {
    /// Where the men of a side step to.
    #[inline(always)]
    pub(super) const fn man_steps(&self, side: Side) -> u8 {
        match side {
            Side::First => UPWARDS,
            Side::Second => DOWNWARDS,
        }
    }

    /// Where the men of a side capture.
    #[inline(always)]
    pub(super) const fn man_captures(&self, side: Side) -> u8 {
        match (self.orthogonal, self.men_capture_backwards) {
            (true, _) => EVERYWHERE,
            (_, true) => DIAGONAL,
            _ => self.man_steps(side),
        }
    }

    /// Whether a man that ends its move on these squares of the far row becomes a king.
    #[inline(always)]
    pub(super) fn promotes(&self, crowned: u64) -> bool {
        crowned != 0 && self.promotion != Promotion::Never
    }
}

impl<const W: u32> Board<W> {
    /// The row on which men of `side` become kings.
    #[inline(always)]
    pub(super) const fn crown(side: Side) -> u64 {
        match side {
            Side::First => Self::row(0),
            Side::Second => Self::row(2 * W - 1),
        }
    }
}

/// What the men of the side to move can do, by diagonal direction.
pub(super) struct Sets {
    /// Where they stand who can capture.
    pub(super) jumpers: [u64; 4],
    /// Where they stand who can step, if nobody can capture: forwards left, forwards right.
    pub(super) steppers: [u64; 2],
}

impl Sets {
    #[inline(always)]
    fn any_jumper(&self) -> bool {
        self.jumpers != [0; 4]
    }
}

/// The directions forwards, left first.
#[inline(always)]
pub(super) const fn forwards(side: Side) -> [usize; 2] {
    match side {
        Side::First => [0, 1],
        Side::Second => [2, 3],
    }
}

/// The sets of a state whose side to move has these men.
#[inline(always)]
pub(super) fn sets<const W: u32>(men: u64, prey: u64, empty: u64, side: Side, ways: u8) -> Sets {
    let mut jumpers = [0; 4];
    for (d, jumpers) in jumpers.iter_mut().enumerate() {
        if ways >> d & 1 == 1 {
            *jumpers = Board::<W>::jumpers(men, prey, empty, d);
        }
    }
    let steppers = match side {
        Side::First => [men & empty << (W + 1), men & empty << W],
        Side::Second => [men & empty >> W, men & empty >> (W + 1)],
    };
    Sets { jumpers, steppers }
}

/// Whether some jump can be followed by a second. The square left and the piece taken matter
/// only to going back at once, which is no second jump; so all men are asked together.
#[inline(always)]
pub(super) fn chains<const W: u32>(sets: &Sets, prey: u64, empty: u64, ways: u8) -> bool {
    let mut second = 0;
    for d in 0..4 {
        let landed = Board::<W>::step(Board::<W>::step(sets.jumpers[d], d), d);
        for e in 0..4 {
            if ways >> e & 1 == 1 && e != 3 - d {
                second |= Board::<W>::jumpers(landed, prey, empty, e);
            }
        }
    }
    second != 0
}

/// What to do about a state.
enum Plan {
    /// The men's steps.
    Steps([u64; 2]),
    /// Single captures by men.
    Jumps([u64; 4]),
    /// All captures, followed one by one; where there are none, steps.
    Hunt,
}

#[inline(always)]
fn plan<const W: u32>(rules: &Rules, s: &State) -> Plan {
    if s.mine() & s.kings != 0 || rules.orthogonal {
        return Plan::Hunt;
    }
    let (men, prey, ways) = (s.mine(), man_prey(rules, s), rules.man_captures(s.turn));
    let empty = Board::<W>::ALL & !s.occupied();
    let sets = sets::<W>(men, prey, empty, s.turn, ways);
    if !sets.any_jumper() {
        return Plan::Steps(sets.steppers);
    }
    let passing = || {
        // A man that jumps to the far row may go on as a king.
        let jumps = |d: usize| Board::<W>::step(Board::<W>::step(sets.jumpers[d], d), d);
        (0..4).any(|d| jumps(d) & Board::<W>::crown(s.turn) != 0)
    };
    if chains::<W>(&sets, prey, empty, ways) || rules.promotion == Promotion::InPassing && passing()
    {
        Plan::Hunt
    } else {
        Plan::Jumps(sets.jumpers)
    }
}

/// Appends the moves of a state in which the game is not drawn; `by_path` lists a capture
/// once for every order in which it can be made.
#[inline(always)]
pub(super) fn list<const W: u32>(rules: &Rules, s: &State, by_path: bool, out: &mut Vec<Move>) {
    match plan::<W>(rules, s) {
        Plan::Steps(steppers) => list_steps::<W>(rules, s, steppers, out),
        Plan::Jumps(jumpers) => {
            for (d, jumpers) in jumpers.into_iter().enumerate() {
                for from in bits(jumpers) {
                    let taken = Board::<W>::step(1 << from, d);
                    let to = Board::<W>::step(taken, d);
                    out.push(man_move::<W>(rules, s.turn, from, to, taken));
                }
            }
        }
        Plan::Hunt => hunt::<W>(rules, s, by_path, out),
    }
}

#[inline(always)]
fn list_steps<const W: u32>(rules: &Rules, s: &State, steppers: [u64; 2], out: &mut Vec<Move>) {
    for (d, movers) in forwards(s.turn).into_iter().zip(steppers) {
        for from in bits(movers) {
            out.push(man_move::<W>(rules, s.turn, from, Board::<W>::step(1 << from, d), 0));
        }
    }
}

#[inline(always)]
fn man_move<const W: u32>(rules: &Rules, side: Side, from: u8, to: u64, taken: u64) -> Move {
    let crowned = rules.promotes(to & Board::<W>::crown(side));
    Move { taken, from, to: to.trailing_zeros() as u8, crowned }
}

#[inline(never)]
fn hunt<const W: u32>(rules: &Rules, s: &State, by_path: bool, out: &mut Vec<Move>) {
    let base = out.len();
    let (men, kings) = (s.mine() & !s.kings, s.mine() & s.kings);
    Hunt::<W>::new(rules, s, by_path, out).run(jumping_men::<W>(rules, s), kings);
    if out.len() > base {
        return;
    }
    let empty = Board::<W>::ALL & !s.occupied();
    let steppers = sets::<W>(men, 0, empty, s.turn, 0).steppers;
    list_steps::<W>(rules, s, steppers, out);
    for d in 0..4 {
        for from in bits(kings) {
            let targets = match rules.kings {
                Reach::Short => Board::<W>::step(1 << from, d) & empty,
                Reach::Flying => Board::<W>::slide(1 << from, empty, d).0,
            };
            out.extend(bits(targets).map(|to| Move { taken: 0, from, to, crowned: false }));
        }
    }
}

/// How many moves [`list`] lists, paths apart.
#[inline(always)]
pub(super) fn count<const W: u32>(rules: &Rules, s: &State, scratch: &mut Vec<Move>) -> usize {
    match plan::<W>(rules, s) {
        Plan::Steps([left, right]) => (left.count_ones() + right.count_ones()) as usize,
        Plan::Jumps(jumpers) => jumpers.map(u64::count_ones).iter().sum::<u32>() as usize,
        Plan::Hunt => {
            let base = scratch.len();
            hunt::<W>(rules, s, false, scratch);
            let count = scratch.len() - base;
            scratch.truncate(base);
            count
        }
    }
}

/// Whether the side to move can move at all.
#[inline(always)]
pub(super) fn can_move<const W: u32>(rules: &Rules, s: &State) -> bool {
    let (mine, empty) = (s.mine(), Board::<W>::ALL & !s.occupied());
    let steppers = sets::<W>(mine, 0, empty, s.turn, 0).steppers;
    steppers != [0; 2] || blocked_can_move::<W>(rules, s)
}

/// Whether a capture or a king's step backwards is left.
#[cold]
fn blocked_can_move<const W: u32>(rules: &Rules, s: &State) -> bool {
    let (kings, empty) = (s.mine() & s.kings, Board::<W>::ALL & !s.occupied());
    (0..4).any(|d| Board::<W>::step(kings, d) & empty != 0) || must_capture::<W>(rules, s)
}

/// Whether the side to move must capture.
#[inline]
pub(super) fn must_capture<const W: u32>(rules: &Rules, s: &State) -> bool {
    jumping_men::<W>(rules, s) != 0 || s.mine() & s.kings != 0 && king_captures::<W>(rules, s)
}

/// The men that can capture.
#[inline(always)]
fn jumping_men<const W: u32>(rules: &Rules, s: &State) -> u64 {
    let (men, empty) = (s.mine() & !s.kings, Board::<W>::ALL & !s.occupied());
    let (prey, ways) = (man_prey(rules, s), rules.man_captures(s.turn));
    let jumpers = |d: usize| Board::<W>::jumpers(men, prey, empty, d);
    (0..8).filter(|d| ways >> d & 1 == 1).fold(0, |set, d| set | jumpers(d))
}

fn king_captures<const W: u32>(rules: &Rules, s: &State) -> bool {
    let (theirs, empty) = (s.theirs(), Board::<W>::ALL & !s.occupied());
    let ways = if rules.orthogonal { 8 } else { 4 };
    let next = |at: u64, d| match rules.kings {
        Reach::Short => Board::<W>::step(at, d),
        Reach::Flying => Board::<W>::slide(at, empty, d).1,
    };
    bits(s.mine() & s.kings).any(|from| {
        (0..ways).any(|d| Board::<W>::step(next(1 << from, d) & theirs, d) & empty != 0)
    })
}

/// What men may capture.
#[inline(always)]
fn man_prey(rules: &Rules, s: &State) -> u64 {
    if rules.men_capture_kings { s.theirs() } else { s.theirs() & !s.kings }
}
