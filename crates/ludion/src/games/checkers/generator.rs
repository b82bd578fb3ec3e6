//! The legal moves of a state. Where the side to move has men alone and no chain of captures
//! is longer than two, all moves are found by a few shifts of whole sets; what is rarer goes
//! to [`CaptureSearch`].

use super::board::{DIAGONAL, DOWNWARDS, EVERYWHERE, PaddedBoard, UPWARDS, opposite};
use super::capture_search::CaptureSearch;
use super::rules::{CapturePriority, CheckersRules, KingRange, PromotionRule};
use super::{CheckersMove, CheckersState};
use crate::game::Side;
use crate::games::bits::bits;

impl CheckersRules {
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
        crowned != 0 && self.promotion != PromotionRule::Never
    }
}

impl<const W: u32> PaddedBoard<W> {
    /// The row on which men of `side` become kings.
    #[inline(always)]
    pub(super) const fn crown(side: Side) -> u64 {
        match side {
            Side::First => Self::row(0),
            Side::Second => Self::row(2 * W - 1),
        }
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

/// Those of `men` that can step forwards left, and right.
#[inline(always)]
pub(super) fn steppers<const W: u32>(men: u64, empty: u64, side: Side) -> [u64; 2] {
    forwards(side).map(|d| men & PaddedBoard::<W>::step(empty, opposite(d)))
}

/// By diagonal direction, the squares from which a man jumps over one of `prey`.
#[inline(always)]
pub(super) fn springs<const W: u32>(prey: u64, empty: u64, ways: u8) -> [u64; 4] {
    let mut springs = [0; 4];
    for (d, springs) in springs.iter_mut().enumerate() {
        if ways >> d & 1 == 1 {
            *springs = PaddedBoard::<W>::jumpers(u64::MAX, prey, empty, d);
        }
    }
    springs
}

/// The squares two steps on.
#[inline(always)]
pub(super) fn land<const W: u32>(set: u64, d: usize) -> u64 {
    PaddedBoard::<W>::step(PaddedBoard::<W>::step(set, d), d)
}

/// The squares from which jumps lead on after one in direction `d`: any but back. Neither the
/// square that was left nor the piece taken lies on those ways before the fourth jump, so
/// all men are asked together.
#[inline(always)]
pub(super) fn onwards(springs: &[u64; 4], d: usize) -> u64 {
    let mut on = 0;
    for (e, &springs) in springs.iter().enumerate() {
        on |= if e == 3 - d { 0 } else { springs };
    }
    on
}

/// What men can do, as far as it is seen by shifts of whole sets.
#[derive(Clone, Copy)]
pub(super) struct ManMoves {
    /// The men that can go each way: all captures, or where there are none all steps.
    pub(super) sets: [u64; 4],
    /// From where a capture leads which way.
    pub(super) springs: [u64; 4],
    /// All bits set if the sets are of captures.
    pub(super) jump: u64,
    /// Where a capture ends that leads on to a second.
    pub(super) chain: u64,
}

impl ManMoves {
    /// Without a branch, for games side by side.
    #[inline(always)]
    pub(super) fn at<const W: u32>(men: u64, prey: u64, empty: u64, side: Side, ways: u8) -> Self {
        let springs = springs::<W>(prey, empty, ways);
        let mut look = ManMoves::at_captures::<W>(springs.map(|springs| men & springs), springs);
        look.jump = mask(union(&look.sets) != 0);
        let [left, right] = steppers::<W>(men, empty, side).map(|set| set & !look.jump);
        let [l, r] = forwards(side);
        look.sets[l] |= left;
        look.sets[r] |= right;
        look
    }

    /// Where there are captures.
    #[inline(always)]
    pub(super) fn at_captures<const W: u32>(sets: [u64; 4], springs: [u64; 4]) -> Self {
        let mut chain = 0;
        for (d, &jumpers) in sets.iter().enumerate() {
            chain |= land::<W>(jumpers, d) & onwards(&springs, d);
        }
        ManMoves { sets, springs, jump: u64::MAX, chain }
    }

    /// Whether some capture ends on the far row, from where the man may go on as a king.
    #[inline(always)]
    fn passes<const W: u32>(&self, side: Side) -> bool {
        let landed = (0..4).fold(0, |set, d| set | land::<W>(self.sets[d], d));
        landed & PaddedBoard::<W>::crown(side) != 0
    }
}

/// All that is in any of these sets.
#[inline(always)]
pub(super) const fn union(sets: &[u64; 4]) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// All bits set, or none: for choosing without a branch.
#[inline(always)]
pub(super) const fn mask(yes: bool) -> u64 {
    (yes as u64).wrapping_neg()
}

/// What to do about a state.
pub(super) enum MoveSearchPlan {
    /// Steps by men, left and right: there is nothing to capture.
    Steps([u64; 2]),
    /// Captures of one by men, by direction.
    Singles([u64; 4]),
    /// Captures of two by men.
    Doubles(DoubleJumps),
    /// Captures by these men, followed one by one.
    Chains(u64),
    /// All captures, followed one by one; where there are none, steps.
    Hunt,
}

#[inline(always)]
pub(super) fn plan<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> MoveSearchPlan {
    if s.mine() & s.kings != 0 || rules.orthogonal {
        return MoveSearchPlan::Hunt;
    }
    let empty = PaddedBoard::<W>::ALL & !s.occupied();
    let (prey, ways) = (man_prey(rules, s), rules.man_captures(s.turn));
    let springs = springs::<W>(prey, empty, ways);
    let captures = springs.map(|springs| s.mine() & springs);
    if union(&captures) == 0 {
        return MoveSearchPlan::Steps(steppers::<W>(s.mine(), empty, s.turn));
    }
    let look = ManMoves::at_captures::<W>(captures, springs);
    let passing = rules.promotion == PromotionRule::InPassing && look.passes::<W>(s.turn);
    if look.chain == 0 && !passing {
        MoveSearchPlan::Singles(captures)
    } else if rules.priority == CapturePriority::Most {
        doubles::<W>(&look).map_or_else(MoveSearchPlan::Chains, MoveSearchPlan::Doubles)
    } else {
        MoveSearchPlan::Hunt
    }
}

/// Captures of two, by both directions.
#[derive(Clone, Copy)]
pub(super) struct DoubleJumps {
    /// The squares between the two jumps, the directions `ways / 4` and `ways % 4`.
    pub(super) middles: [u64; 16],
    /// How many there are by these and all earlier ways.
    pub(super) counts: [u32; 16],
}

/// The captures of two; or else the men whose captures lead on to a third.
#[inline(always)]
pub(super) fn doubles<const W: u32>(look: &ManMoves) -> Result<DoubleJumps, u64> {
    let (mut middles, mut counts) = ([0; 16], [0; 16]);
    let (mut thirds, mut total) = (0, 0);
    for d in 0..4 {
        let landed = land::<W>(look.sets[d], d);
        for e in 0..4 {
            if e != opposite(d) {
                let middle = landed & look.springs[e];
                thirds |= land::<W>(middle, e) & onwards(&look.springs, e);
                middles[4 * d + e] = middle;
                total += middle.count_ones();
            }
            counts[4 * d + e] = total;
        }
    }
    let doubles = DoubleJumps { middles, counts };
    if thirds == 0 { Ok(doubles) } else { Err(triples::<W>(&middles, &look.springs)) }
}

/// The men whose captures by these squares lead on to a third.
#[inline(never)]
fn triples<const W: u32>(middles: &[u64; 16], springs: &[u64; 4]) -> u64 {
    let mut men = 0;
    for d in 0..4 {
        for e in 0..4 {
            let third = land::<W>(middles[4 * d + e], e) & onwards(springs, e);
            men |= land::<W>(land::<W>(third, opposite(e)), opposite(d));
        }
    }
    men
}

/// Appends the moves of a state in which the game is not drawn; `by_path` lists a capture
/// once for every order in which it can be made.
#[inline(always)]
pub(super) fn list<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    list_of::<W>(plan::<W>(rules, s), rules, s, by_path, out);
}

/// [`list`] by a plan that was made for this state.
#[inline(always)]
pub(super) fn list_of<const W: u32>(
    plan: MoveSearchPlan,
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    match plan {
        MoveSearchPlan::Steps(steppers) => {
            for (d, movers) in forwards(s.turn).into_iter().zip(steppers) {
                for from in bits(movers) {
                    let to = PaddedBoard::<W>::step(1 << from, d);
                    out.push(man_move::<W>(rules, s.turn, from, to, 0));
                }
            }
        }
        MoveSearchPlan::Singles(captures) => {
            for (d, jumpers) in captures.into_iter().enumerate() {
                for from in bits(jumpers) {
                    let over = PaddedBoard::<W>::step(1 << from, d);
                    let to = PaddedBoard::<W>::step(over, d);
                    out.push(man_move::<W>(rules, s.turn, from, to, over));
                }
            }
        }
        MoveSearchPlan::Doubles(doubles) => {
            for (ways, middles) in doubles.middles.into_iter().enumerate() {
                for middle in bits(middles) {
                    let (from, taken, to) = double::<W>(1 << middle, ways);
                    let from = from.trailing_zeros() as u8;
                    out.push(man_move::<W>(rules, s.turn, from, to, taken));
                }
            }
        }
        MoveSearchPlan::Chains(men) => chase::<W>(rules, s, (men, 0), by_path, out),
        MoveSearchPlan::Hunt => hunt::<W>(rules, s, by_path, out),
    }
}

/// A capture of two through a square in the directions `ways / 4` and `ways % 4`: where it
/// starts, what it takes, and where it ends.
#[inline(always)]
pub(super) fn double<const W: u32>(middle: u64, ways: usize) -> (u64, u64, u64) {
    let (back, on) = (opposite(ways / 4), ways % 4);
    let (first, second) =
        (PaddedBoard::<W>::walk(middle, back), PaddedBoard::<W>::walk(middle, on));
    (PaddedBoard::<W>::walk(first, back), first | second, PaddedBoard::<W>::walk(second, on))
}

#[inline(always)]
fn man_move<const W: u32>(
    rules: &CheckersRules,
    side: Side,
    from: u8,
    to: u64,
    taken: u64,
) -> CheckersMove {
    let crowned = rules.promotes(to & PaddedBoard::<W>::crown(side));
    CheckersMove { taken, from, to: to.trailing_zeros() as u8, crowned }
}

/// Appends the captures by these men and kings.
#[inline(never)]
pub(super) fn chase<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    (men, kings): (u64, u64),
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    if rules.orthogonal {
        CaptureSearch::<W, 8, false>::new(rules, s, by_path, out).run(men, kings);
    } else if kings == 0 && *rules == super::rules::SEED {
        CaptureSearch::<W, 4, true>::new(rules, s, by_path, out).run(men, 0);
    } else {
        CaptureSearch::<W, 4, false>::new(rules, s, by_path, out).run(men, kings);
    }
}

#[inline(never)]
fn hunt<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    let base = out.len();
    let (men, kings) = (s.mine() & !s.kings, s.mine() & s.kings);
    chase::<W>(rules, s, (jumping_men::<W>(rules, s), kings), by_path, out);
    if out.len() > base {
        return;
    }
    let empty = PaddedBoard::<W>::ALL & !s.occupied();
    for (d, movers) in forwards(s.turn).into_iter().zip(steppers::<W>(men, empty, s.turn)) {
        let to = |from: u8| PaddedBoard::<W>::step(1 << from, d);
        out.extend(bits(movers).map(|from| man_move::<W>(rules, s.turn, from, to(from), 0)));
    }
    for d in 0..4 {
        for from in bits(kings) {
            let targets = match rules.kings {
                KingRange::Short => PaddedBoard::<W>::step(1 << from, d) & empty,
                KingRange::Flying => PaddedBoard::<W>::slide(1 << from, empty, d).0,
            };
            out.extend(bits(targets).map(|to| CheckersMove { taken: 0, from, to, crowned: false }));
        }
    }
}

/// How many moves [`list`] lists, paths apart.
#[inline(always)]
fn count_plainly<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    let all = |sets: &[u64]| sets.iter().map(|set| set.count_ones()).sum::<u32>() as usize;
    let plan = plan::<W>(rules, s);
    match &plan {
        MoveSearchPlan::Steps(steppers) => all(steppers),
        MoveSearchPlan::Singles(captures) => all(captures),
        MoveSearchPlan::Doubles(doubles) => doubles.counts[15] as usize,
        MoveSearchPlan::Chains(_) | MoveSearchPlan::Hunt => {
            let base = scratch.len();
            match plan {
                MoveSearchPlan::Chains(men) => chase::<W>(rules, s, (men, 0), false, scratch),
                _ => hunt::<W>(rules, s, false, scratch),
            }
            let count = scratch.len() - base;
            scratch.truncate(base);
            count
        }
    }
}

/// How many moves [`list`] lists, paths apart; the rules are the seed's if `SEED`.
#[inline(always)]
pub(super) fn count<const W: u32, const SEED: bool>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the feature the function was compiled for.
        return unsafe { count_with_popcnt::<W, SEED>(rules, s, scratch) };
    }
    count_plainly::<W>(if SEED { &super::rules::SEED } else { rules }, s, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn count_with_popcnt<const W: u32, const SEED: bool>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    count_plainly::<W>(if SEED { &super::rules::SEED } else { rules }, s, scratch)
}

/// Whether the side to move can move at all.
#[inline(always)]
pub(super) fn can_move<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (mine, empty) = (s.mine(), PaddedBoard::<W>::ALL & !s.occupied());
    steppers::<W>(mine, empty, s.turn) != [0; 2] || blocked_can_move::<W>(rules, s)
}

/// Whether a capture or a king's step backwards is left.
#[cold]
fn blocked_can_move<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (kings, empty) = (s.mine() & s.kings, PaddedBoard::<W>::ALL & !s.occupied());
    (0..4).any(|d| PaddedBoard::<W>::step(kings, d) & empty != 0) || must_capture::<W>(rules, s)
}

/// The steps to neighbouring squares that the pieces of a side could make.
#[inline(always)]
pub(super) fn steps<const W: u32>(_rules: &CheckersRules, s: &CheckersState, side: Side) -> u32 {
    let (pieces, empty) = (s.pieces[side.index()], PaddedBoard::<W>::ALL & !s.occupied());
    let [left, right] = steppers::<W>(pieces, empty, side);
    let back = steppers::<W>(pieces & s.kings, empty, side.other());
    left.count_ones() + right.count_ones() + back[0].count_ones() + back[1].count_ones()
}

/// Whether the side to move must capture.
#[inline]
pub(super) fn must_capture<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    jumping_men::<W>(rules, s) != 0 || s.mine() & s.kings != 0 && king_captures::<W>(rules, s)
}

/// The men that can capture.
#[inline(always)]
fn jumping_men<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> u64 {
    let (men, empty) = (s.mine() & !s.kings, PaddedBoard::<W>::ALL & !s.occupied());
    let (prey, ways) = (man_prey(rules, s), rules.man_captures(s.turn));
    let jumpers = |d: usize| PaddedBoard::<W>::jumpers(men, prey, empty, d);
    (0..8).filter(|d| ways >> d & 1 == 1).fold(0, |set, d| set | jumpers(d))
}

fn king_captures<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (theirs, empty) = (s.theirs(), PaddedBoard::<W>::ALL & !s.occupied());
    let ways = if rules.orthogonal { 8 } else { 4 };
    let next = |at: u64, d| match rules.kings {
        KingRange::Short => PaddedBoard::<W>::step(at, d),
        KingRange::Flying => PaddedBoard::<W>::slide(at, empty, d).1,
    };
    bits(s.mine() & s.kings).any(|from| {
        (0..ways).any(|d| PaddedBoard::<W>::step(next(1 << from, d) & theirs, d) & empty != 0)
    })
}

/// What men may capture.
#[inline(always)]
fn man_prey(rules: &CheckersRules, s: &CheckersState) -> u64 {
    if rules.men_capture_kings { s.theirs() } else { s.theirs() & !s.kings }
}
