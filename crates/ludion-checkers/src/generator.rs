//! The move generator. If the side to move has only men and no capture takes more than two pieces,
//! all moves are found by a few shifts of whole bitboards; other captures are found by
//! [`CaptureSearch`].

use super::board::{ALL_DIRECTIONS, DIAGONAL, DOWNWARDS, PaddedBoard, UPWARDS, opposite};
use super::capture_search::CaptureSearch;
use super::rules::{CapturePriority, CheckersRules, KingRange, PromotionRule};
use super::{CheckersMove, CheckersState};
use ludion_core::bits::{bits, map_sets};
use ludion_core::game::Side;

impl CheckersRules {
    /// Returns the set of directions in which the men of a side step.
    #[inline(always)]
    pub(super) const fn man_step_directions(&self, side: Side) -> u8 {
        match side {
            Side::First => UPWARDS,
            Side::Second => DOWNWARDS,
        }
    }

    /// Returns the set of directions in which the men of a side capture.
    #[inline(always)]
    pub(super) const fn man_capture_directions(&self, side: Side) -> u8 {
        match (self.orthogonal, self.men_capture_backwards) {
            (true, _) => ALL_DIRECTIONS,
            (_, true) => DIAGONAL,
            _ => self.man_step_directions(side),
        }
    }

    /// Returns whether a man is promoted at the end of its move. `far_row_squares` is its target
    /// square if this is on the far row, else empty.
    #[inline(always)]
    pub(super) fn promotes(&self, far_row_squares: u64) -> bool {
        far_row_squares != 0 && self.promotion != PromotionRule::Never
    }
}

impl<const W: u32> PaddedBoard<W> {
    /// Returns the squares of the row on which men of `side` become kings.
    #[inline(always)]
    pub(super) const fn promotion_row(side: Side) -> u64 {
        match side {
            Side::First => Self::row(0),
            Side::Second => Self::row(2 * W - 1),
        }
    }
}

/// Returns the two forward directions of a side, left first.
#[inline(always)]
pub(super) const fn forwards(side: Side) -> [usize; 2] {
    match side {
        Side::First => [0, 1],
        Side::Second => [2, 3],
    }
}

/// Returns those of `men` that can step forward to the left, and to the right.
#[inline(always)]
pub(super) fn steppers<const W: u32>(men: u64, empty: u64, side: Side) -> [u64; 2] {
    let [left, right] = forwards(side);
    let stepper = |d| men & PaddedBoard::<W>::step(empty, opposite(d));
    [stepper(left), stepper(right)]
}

/// Returns, for each diagonal direction, the squares from which a man can jump over one of
/// `targets`; none for directions that are not in `directions`.
#[inline(always)]
pub(super) fn jump_origins<const W: u32>(targets: u64, empty: u64, directions: u8) -> [u64; 4] {
    let mut jump_origins = [0; 4];
    for (d, origins) in jump_origins.iter_mut().enumerate() {
        if directions >> d & 1 == 1 {
            *origins = PaddedBoard::<W>::jumpers(u64::MAX, targets, empty, d);
        }
    }
    jump_origins
}

/// Returns the squares on which jumps from `set` in direction `d` land.
#[inline(always)]
pub(super) fn landing<const W: u32>(set: u64, d: usize) -> u64 {
    PaddedBoard::<W>::step(PaddedBoard::<W>::step(set, d), d)
}

/// Returns the squares from which a man that has just jumped in direction `d` can jump again, in
/// any direction but back. Up to the third jump neither the square that the man left nor a captured
/// piece is in the way, so the squares are the same for all men.
#[inline(always)]
pub(super) fn continuing_origins(jump_origins: &[u64; 4], d: usize) -> u64 {
    let mut continuing = 0;
    for (e, &origins) in jump_origins.iter().enumerate() {
        continuing |= if e == 3 - d { 0 } else { origins };
    }
    continuing
}

/// The moves of men as sets of squares by direction: captures, or steps if there are none.
#[derive(Clone, Copy)]
pub(super) struct ManMoveSets {
    /// The men that can move in each direction.
    pub(super) sets: [u64; 4],
    /// The squares from which a man could jump in each direction, whether there is a man or not.
    pub(super) jump_origins: [u64; 4],
    /// A mask with all bits set if the moves are captures, and none if they are steps.
    pub(super) capture_mask: u64,
    /// The landing squares of first jumps from which a second jump is possible.
    pub(super) chain: u64,
}

impl ManMoveSets {
    /// Finds the moves of `men` against `targets` without a branch, for playouts in vector lanes.
    #[inline(always)]
    pub(super) fn new<const W: u32>(
        men: u64,
        targets: u64,
        empty: u64,
        side: Side,
        directions: u8,
    ) -> Self {
        let jump_origins = jump_origins::<W>(targets, empty, directions);
        let captures = map_sets(jump_origins, |origins| men & origins);
        let mut moves = ManMoveSets::from_captures::<W>(captures, jump_origins);
        moves.capture_mask = mask(union(&moves.sets) != 0);
        let [left, right] =
            map_sets(steppers::<W>(men, empty, side), |set| set & !moves.capture_mask);
        let [l, r] = forwards(side);
        moves.sets[l] |= left;
        moves.sets[r] |= right;
        moves
    }

    /// Returns the moves if there are captures: `sets` are the men that can capture in each
    /// direction, at least one in all.
    #[inline(always)]
    pub(super) fn from_captures<const W: u32>(sets: [u64; 4], jump_origins: [u64; 4]) -> Self {
        let mut chain = 0;
        for (d, &jumpers) in sets.iter().enumerate() {
            chain |= landing::<W>(jumpers, d) & continuing_origins(&jump_origins, d);
        }
        ManMoveSets { sets, jump_origins, capture_mask: u64::MAX, chain }
    }

    /// Returns whether a first jump lands on the far row, from where the man may continue as a
    /// king.
    #[inline(always)]
    fn reaches_promotion_row<const W: u32>(&self, side: Side) -> bool {
        let landed = (0..4).fold(0, |set, d| set | landing::<W>(self.sets[d], d));
        landed & PaddedBoard::<W>::promotion_row(side) != 0
    }
}

/// Returns the union of four sets.
#[inline(always)]
pub(super) const fn union(sets: &[u64; 4]) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Returns all bits set if `condition` holds and none otherwise, for selection without a branch.
#[inline(always)]
pub(super) const fn mask(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

/// How the moves of a state are generated, with the sets of men that are already known.
pub(super) enum GenerationMethod {
    /// There are no captures: the sets are the men that can step forward to the left, and to the
    /// right.
    Steps([u64; 2]),
    /// All captures take one piece: the sets are the men that can capture in each direction.
    SingleCaptures([u64; 4]),
    /// The legal moves are captures of two pieces by men.
    DoubleCaptures(DoubleJumps),
    /// The legal moves are captures of three or more pieces by this set of men, which must be
    /// searched for.
    LongCaptures(u64),
    /// No other method applies, for example because the side to move has kings: captures are found
    /// by a search, and steps are listed only if there are no captures.
    General,
}

/// Chooses how the moves of a state are generated.
#[inline(always)]
pub(super) fn generation_method<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
) -> GenerationMethod {
    if s.mine() & s.kings != 0 || rules.orthogonal {
        return GenerationMethod::General;
    }
    let empty = PaddedBoard::<W>::ALL & !s.occupied();
    let (targets, directions) = (man_targets(rules, s), rules.man_capture_directions(s.turn));
    let jump_origins = jump_origins::<W>(targets, empty, directions);
    let captures = map_sets(jump_origins, |origins| s.mine() & origins);
    if union(&captures) == 0 {
        return GenerationMethod::Steps(steppers::<W>(s.mine(), empty, s.turn));
    }
    let moves = ManMoveSets::from_captures::<W>(captures, jump_origins);
    let passing =
        rules.promotion == PromotionRule::InPassing && moves.reaches_promotion_row::<W>(s.turn);
    if moves.chain == 0 && !passing {
        GenerationMethod::SingleCaptures(captures)
    } else if rules.priority == CapturePriority::Most {
        double_jumps::<W>(&moves)
            .map_or_else(GenerationMethod::LongCaptures, GenerationMethod::DoubleCaptures)
    } else {
        GenerationMethod::General
    }
}

/// Captures of two pieces by men, by the directions of the two jumps.
#[derive(Clone, Copy)]
pub(super) struct DoubleJumps {
    /// The landing squares of the first jump, at index 4 · first direction + second direction.
    pub(super) middles: [u64; 16],
    /// The cumulative number of captures up to each pair of directions, in the same order.
    pub(super) counts: [u32; 16],
}

/// Finds the captures of two pieces. If some capture continues with a third jump, returns the
/// men that can make such a capture as the error.
#[inline(always)]
pub(super) fn double_jumps<const W: u32>(moves: &ManMoveSets) -> Result<DoubleJumps, u64> {
    let (mut middles, mut counts) = ([0; 16], [0; 16]);
    let (mut thirds, mut total) = (0, 0);
    for d in 0..4 {
        let landed = landing::<W>(moves.sets[d], d);
        for e in 0..4 {
            if e != opposite(d) {
                let middle = landed & moves.jump_origins[e];
                thirds |= landing::<W>(middle, e) & continuing_origins(&moves.jump_origins, e);
                middles[4 * d + e] = middle;
                total += middle.count_ones();
            }
            counts[4 * d + e] = total;
        }
    }
    let doubles = DoubleJumps { middles, counts };
    if thirds == 0 {
        Ok(doubles)
    } else {
        Err(men_with_triple_jumps::<W>(&middles, &moves.jump_origins))
    }
}

/// Returns the men whose captures through `middles` continue with a third jump.
#[inline(never)]
fn men_with_triple_jumps<const W: u32>(middles: &[u64; 16], jump_origins: &[u64; 4]) -> u64 {
    let mut men = 0;
    for d in 0..4 {
        for e in 0..4 {
            let third = landing::<W>(middles[4 * d + e], e) & continuing_origins(jump_origins, e);
            men |= landing::<W>(landing::<W>(third, opposite(e)), opposite(d));
        }
    }
    men
}

/// Appends the legal moves of a state in which the game is not drawn. With `by_path`, a capture is
/// repeated for every path by which it can be made.
#[inline(always)]
pub(super) fn list_moves<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    list_moves_by::<W>(generation_method::<W>(rules, s), rules, s, by_path, out);
}

/// Implements [`list_moves`] with the method that was chosen for this state.
#[inline(always)]
pub(super) fn list_moves_by<const W: u32>(
    method: GenerationMethod,
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    match method {
        GenerationMethod::Steps(steppers) => {
            for (d, movers) in forwards(s.turn).into_iter().zip(steppers) {
                for from in bits(movers) {
                    let to = PaddedBoard::<W>::step(1 << from, d);
                    out.push(man_move::<W>(rules, s.turn, from, to, 0));
                }
            }
        }
        GenerationMethod::SingleCaptures(captures) => {
            for (d, jumpers) in captures.into_iter().enumerate() {
                for from in bits(jumpers) {
                    let over = PaddedBoard::<W>::step(1 << from, d);
                    let to = PaddedBoard::<W>::step(over, d);
                    out.push(man_move::<W>(rules, s.turn, from, to, over));
                }
            }
        }
        GenerationMethod::DoubleCaptures(doubles) => {
            for (directions, middles) in doubles.middles.into_iter().enumerate() {
                for middle in bits(middles) {
                    let (from, taken, to) = double_jump::<W>(1 << middle, directions);
                    let from = from.trailing_zeros() as u8;
                    out.push(man_move::<W>(rules, s.turn, from, to, taken));
                }
            }
        }
        GenerationMethod::LongCaptures(men) => {
            list_captures::<W>(rules, s, (men, 0), by_path, out);
        }
        GenerationMethod::General => list_general::<W>(rules, s, by_path, out),
    }
}

/// Returns the origin, the captured pieces and the target of a capture of two pieces through the
/// square `middle`, with jumps in the directions `directions / 4` and `directions % 4`.
#[inline(always)]
pub(super) fn double_jump<const W: u32>(middle: u64, directions: usize) -> (u64, u64, u64) {
    let (back, on) = (opposite(directions / 4), directions % 4);
    let (first, second) =
        (PaddedBoard::<W>::step_square(middle, back), PaddedBoard::<W>::step_square(middle, on));
    (
        PaddedBoard::<W>::step_square(first, back),
        first | second,
        PaddedBoard::<W>::step_square(second, on),
    )
}

#[inline(always)]
fn man_move<const W: u32>(
    rules: &CheckersRules,
    side: Side,
    from: u8,
    to: u64,
    taken: u64,
) -> CheckersMove {
    let crowned = rules.promotes(to & PaddedBoard::<W>::promotion_row(side));
    CheckersMove { taken, from, to: to.trailing_zeros() as u8, crowned }
}

/// Appends the captures by `men` and `kings` that the rule set gives priority.
#[inline(never)]
pub(super) fn list_captures<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    (men, kings): (u64, u64),
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    if rules.orthogonal {
        CaptureSearch::<W, 8, false>::new(rules, s, by_path, out).run(men, kings);
    } else if kings == 0 && *rules == super::rules::SIMPLE {
        CaptureSearch::<W, 4, true>::new(rules, s, by_path, out).run(men, 0);
    } else {
        CaptureSearch::<W, 4, false>::new(rules, s, by_path, out).run(men, kings);
    }
}

/// Appends the captures of all men and kings, or their steps if there are no captures.
#[inline(never)]
fn list_general<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    by_path: bool,
    out: &mut Vec<CheckersMove>,
) {
    let base = out.len();
    let (men, kings) = (s.mine() & !s.kings, s.mine() & s.kings);
    list_captures::<W>(rules, s, (jumping_men::<W>(rules, s), kings), by_path, out);
    if out.len() > base {
        return;
    }
    let empty = PaddedBoard::<W>::ALL & !s.occupied();
    for (d, movers) in forwards(s.turn).into_iter().zip(steppers::<W>(men, empty, s.turn)) {
        let to = |from: u8| PaddedBoard::<W>::step(1 << from, d);
        for from in bits(movers) {
            out.push(man_move::<W>(rules, s.turn, from, to(from), 0));
        }
    }
    for d in 0..4 {
        for from in bits(kings) {
            let targets = match rules.kings {
                KingRange::Short => PaddedBoard::<W>::step(1 << from, d) & empty,
                KingRange::Flying => PaddedBoard::<W>::slide(1 << from, empty, d).0,
            };
            for to in bits(targets) {
                out.push(CheckersMove { taken: 0, from, to, crowned: false });
            }
        }
    }
}

/// Counts the moves that [`list_moves`] lists without `by_path`.
#[inline(always)]
fn count_portable<const W: u32>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    let all = |sets: &[u64]| sets.iter().map(|set| set.count_ones()).sum::<u32>() as usize;
    let method = generation_method::<W>(rules, s);
    match &method {
        GenerationMethod::Steps(steppers) => all(steppers),
        GenerationMethod::SingleCaptures(captures) => all(captures),
        GenerationMethod::DoubleCaptures(doubles) => doubles.counts[15] as usize,
        GenerationMethod::LongCaptures(_) | GenerationMethod::General => {
            let base = scratch.len();
            match method {
                GenerationMethod::LongCaptures(men) => {
                    list_captures::<W>(rules, s, (men, 0), false, scratch);
                }
                _ => list_general::<W>(rules, s, false, scratch),
            }
            let count = scratch.len() - base;
            scratch.truncate(base);
            count
        }
    }
}

/// Counts the moves that [`list_moves`] lists without `by_path`. With `SIMPLE`, the simple rules
/// replace `rules` as constants.
#[inline(always)]
pub(super) fn count<const W: u32, const SIMPLE: bool>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the feature the function was compiled for.
        return unsafe { count_with_popcnt::<W, SIMPLE>(rules, s, scratch) };
    }
    count_portable::<W>(if SIMPLE { &super::rules::SIMPLE } else { rules }, s, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn count_with_popcnt<const W: u32, const SIMPLE: bool>(
    rules: &CheckersRules,
    s: &CheckersState,
    scratch: &mut Vec<CheckersMove>,
) -> usize {
    count_portable::<W>(if SIMPLE { &super::rules::SIMPLE } else { rules }, s, scratch)
}

/// Returns whether the side to move has a legal move.
#[inline(always)]
pub(super) fn can_move<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (mine, empty) = (s.mine(), PaddedBoard::<W>::ALL & !s.occupied());
    steppers::<W>(mine, empty, s.turn) != [0; 2] || blocked_can_move::<W>(rules, s)
}

/// Implements [`can_move`] for a side that has no step forwards.
#[cold]
fn blocked_can_move<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (kings, empty) = (s.mine() & s.kings, PaddedBoard::<W>::ALL & !s.occupied());
    (0..4).any(|d| PaddedBoard::<W>::step(kings, d) & empty != 0) || must_capture::<W>(rules, s)
}

/// Counts the steps to neighbouring squares that the pieces of a side could make.
#[inline(always)]
pub(super) fn steps<const W: u32>(_rules: &CheckersRules, s: &CheckersState, side: Side) -> u32 {
    let (pieces, empty) = (s.pieces[side.index()], PaddedBoard::<W>::ALL & !s.occupied());
    let [left, right] = steppers::<W>(pieces, empty, side);
    let back = steppers::<W>(pieces & s.kings, empty, side.other());
    left.count_ones() + right.count_ones() + back[0].count_ones() + back[1].count_ones()
}

/// Returns whether the side to move must capture.
#[inline]
pub(super) fn must_capture<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    jumping_men::<W>(rules, s) != 0 || s.mine() & s.kings != 0 && king_captures::<W>(rules, s)
}

/// Returns the men of the side to move that can capture.
#[inline(always)]
fn jumping_men<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> u64 {
    let (men, empty) = (s.mine() & !s.kings, PaddedBoard::<W>::ALL & !s.occupied());
    let (targets, directions) = (man_targets(rules, s), rules.man_capture_directions(s.turn));
    let jumpers = |d: usize| PaddedBoard::<W>::jumpers(men, targets, empty, d);
    (0..8).filter(|d| directions >> d & 1 == 1).fold(0, |set, d| set | jumpers(d))
}

/// Returns whether a king of the side to move can capture.
fn king_captures<const W: u32>(rules: &CheckersRules, s: &CheckersState) -> bool {
    let (theirs, empty) = (s.theirs(), PaddedBoard::<W>::ALL & !s.occupied());
    let directions = if rules.orthogonal { 8 } else { 4 };
    let next = |at: u64, d| match rules.kings {
        KingRange::Short => PaddedBoard::<W>::step(at, d),
        KingRange::Flying => PaddedBoard::<W>::slide(at, empty, d).1,
    };
    bits(s.mine() & s.kings).any(|from| {
        (0..directions).any(|d| PaddedBoard::<W>::step(next(1 << from, d) & theirs, d) & empty != 0)
    })
}

/// Returns the pieces that men of the side to move may capture.
#[inline(always)]
fn man_targets(rules: &CheckersRules, s: &CheckersState) -> u64 {
    if rules.men_capture_kings { s.theirs() } else { s.theirs() & !s.kings }
}
