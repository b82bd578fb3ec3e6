//! Random games of Go for Monte-Carlo search, by the rules of most programs: a side does not fill
//! its own eyes and passes only if it has no other move; an immediate recapture of a ko is illegal,
//! longer repetitions are not looked for. A game ends when both sides pass, or after three moves for
//! each point of the board, and is scored as it stands.

use super::board::{GoBoard, Points, STRIDE, points};
use super::{GoState, NO_POINT};
use crate::random::Rng;

/// Number of moves of a random game for each point of the board, at most.
const MOVES_PER_POINT: usize = 3;
/// Number of points of the largest board.
const MAX_POINTS: usize = 81;

/// A random game under way. `stones[0]` are those of the side to move.
struct RandomGame {
    stones: [Points; 2],
    empty: Points,
    /// The point that may not be played because of a ko.
    ko: Points,
    /// The empty points as a list, for drawing.
    list: [u8; MAX_POINTS],
    count: usize,
}

/// Plays a random game from `s` and returns the stones of the first and of the second side.
pub(super) fn play(board: &GoBoard, s: &GoState, rng: &mut Rng) -> [Points; 2] {
    let (turn, stones) = (s.turn.index(), s.stones());
    let mut game = RandomGame {
        stones: [stones[turn], stones[1 - turn]],
        empty: board.all & !(stones[0] | stones[1]),
        ko: if s.ko == NO_POINT { 0 } else { 1 << s.ko },
        list: [0; MAX_POINTS],
        count: 0,
    };
    for point in points(game.empty) {
        game.add_empty(point);
    }
    let mut passes = usize::from(s.passed);
    let most = MOVES_PER_POINT * board.size * board.size;
    let mut moves = 0;
    while passes < 2 && moves < most {
        if game.step(board, rng) {
            passes = 0;
        } else {
            passes += 1;
            game.ko = 0;
        }
        game.stones.swap(0, 1);
        moves += 1;
    }
    let first = turn ^ (moves & 1);
    [game.stones[first], game.stones[1 - first]]
}

impl RandomGame {
    #[inline]
    fn add_empty(&mut self, point: u8) {
        self.list[self.count] = point;
        self.count += 1;
    }

    /// Plays a random move for the side to move. Returns `false` if it has none and passes.
    #[inline]
    fn step(&mut self, board: &GoBoard, rng: &mut Rng) -> bool {
        let mut left = self.count;
        while left > 0 {
            let i = rng.below(left);
            let point = self.list[i];
            if let Some(captured) = self.try_move(board, 1 << point) {
                self.count -= 1;
                self.list[i] = self.list[left - 1];
                self.list[left - 1] = self.list[self.count];
                for point in points(captured) {
                    self.add_empty(point);
                }
                return true;
            }
            left -= 1;
            self.list.swap(i, left);
        }
        false
    }

    /// Plays on the point `at` unless that is illegal or fills an eye. Returns the captured stones.
    #[inline]
    fn try_move(&mut self, board: &GoBoard, at: Points) -> Option<Points> {
        if at & self.ko != 0 {
            return None;
        }
        let [mine, theirs] = self.stones;
        let next = GoBoard::spread(at) & !at & board.all;
        let empty = self.empty & !at;
        if next & empty != 0 {
            let captured =
                if next & theirs == 0 { 0 } else { GoBoard::captured(at, theirs, empty) };
            self.place(at, captured);
            self.ko = 0;
            return Some(captured);
        }
        if next & theirs == 0 && is_eye(board, at, theirs) {
            return None;
        }
        let captured = GoBoard::captured(at, theirs, empty);
        if captured == 0 && GoBoard::dead_chain(at, mine | at, empty) != 0 {
            return None;
        }
        self.place(at, captured);
        let is_ko = captured.is_power_of_two() && next & mine == 0;
        self.ko = if is_ko { captured } else { 0 };
        Some(captured)
    }

    #[inline]
    fn place(&mut self, at: Points, captured: Points) {
        self.stones[0] |= at;
        self.stones[1] ^= captured;
        self.empty = self.empty & !at | captured;
    }
}

/// Returns whether the point `at`, whose neighbours are all of one side, is an eye of that side: the
/// opponent has at most one of its diagonal neighbours, at the edge none.
#[inline]
fn is_eye(board: &GoBoard, at: Points, theirs: Points) -> bool {
    let sides = at << 1 | at >> 1;
    let diagonal = (sides << STRIDE | sides >> STRIDE) & board.all;
    let allowed = u32::from(diagonal.count_ones() == 4);
    (diagonal & theirs).count_ones() <= allowed
}
