//! The [`Game`] trait: the rules of a game with their parameters, separate from its states.
//!
//! A [`Game`] is a value, such as Connect Four on seven columns; its states are small plain values
//! of their own. There is no `undo`: searches copy the state, which was measured to be faster than
//! taking moves back. [`crate::notation`] reads and writes states and moves; [`crate::scene`]
//! describes pictures of states.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::encoding::{self, EncodingShape};
use crate::notation::{NotationError, read_pieces, read_shown_move};
use crate::outcome::Outcome;
use crate::random::Rng;
use crate::repetition::{GamePath, RepetitionRule};
use crate::scene::{Coord, Piece, Scene, Symmetry};

/// One of the two sides of a game. A puzzle is played by [`Side::First`] alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first at the start.
    First,
    /// The side that moves second at the start.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Returns the opponent of this side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns 0 for the first side and 1 for the second, as an array index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the side to move after `plies` plies if the sides alternate strictly.
    #[inline]
    #[must_use]
    pub const fn after(plies: u32) -> Side {
        if plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// The side to move or the outcome: one enum, so that the two never contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status<O> {
    /// The game is not over and this side moves.
    Turn(Side),
    /// The game is over with this outcome.
    Over(O),
}

impl<O> Status<O> {
    /// Returns the side to move; `None` if the game is over.
    #[inline]
    pub fn turn(&self) -> Option<Side> {
        match self {
            Status::Turn(side) => Some(*side),
            Status::Over(_) => None,
        }
    }

    /// Returns the outcome; `None` if the game is not over.
    #[inline]
    pub fn outcome(self) -> Option<O> {
        match self {
            Status::Turn(_) => None,
            Status::Over(outcome) => Some(outcome),
        }
    }
}

/// The rules of one game, with their parameters.
///
/// [`crate::laws`] checks the properties that every implementation must have.
pub trait Game: Send + Sync + 'static {
    /// The type of states: all that matters for the rest of a game, small and plain, `Copy` where
    /// possible.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The type of moves; in a registry at most 32 bytes.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// The type of outcome: [`Duel`](crate::outcome::Duel) for two sides,
    /// [`Points`](crate::outcome::Points) for puzzles. Alpha-beta requires a duel, so searching a
    /// puzzle with it does not compile.
    type Outcome: Outcome;

    /// Returns the state in which every game begins.
    fn start(&self) -> Self::State;

    /// Returns the side to move, or the outcome if the game is over.
    fn status(&self, s: &Self::State) -> Status<Self::Outcome>;

    /// Appends the legal moves of `s` to `out`, always in the same order, because players break
    /// ties by it. There are no legal moves exactly when the game is over.
    fn moves(&self, s: &Self::State, out: &mut Vec<Self::Move>);

    /// Changes `s` to the state after `m`, which must be a legal move of `s`.
    fn play(&self, s: &mut Self::State, m: Self::Move);

    /// Returns the state after `m`, which must be a legal move of `s`; `s` stays unchanged.
    #[inline]
    fn after(&self, s: &Self::State, m: Self::Move) -> Self::State {
        let mut next = s.clone();
        self.play(&mut next, m);
        next
    }

    /// Returns a hash key of the state. Equal states have equal keys. The key covers everything
    /// that matters for the rest of the game, including the side to move. If a state fits in 64
    /// bits, different states have different keys. Hash tables mix the bits themselves.
    fn key(&self, s: &Self::State) -> u64;

    /// Returns what the rules say about a position that occurred before in the same game. A state has
    /// no past: [`Game::status`] and [`Game::moves`] know nothing of repetitions, and
    /// [`GamePath`](crate::repetition::GamePath) applies this rule to them.
    #[inline]
    fn repetition_rule(&self) -> RepetitionRule<Self::Outcome> {
        RepetitionRule::Ignored
    }

    /// Returns a key of what must be equal in two states for them to be the same position by
    /// [`Game::repetition_rule`]: the key of the state without its counters, or the board alone.
    #[inline]
    fn repetition_key(&self, s: &Self::State) -> u64 {
        self.key(s)
    }

    /// Returns a key under which a search may keep estimates instead of [`Game::key`]: states share it if
    /// they differ only in counters that are far from their limits.
    #[inline]
    fn estimate_key(&self, s: &Self::State) -> u64 {
        self.key(s)
    }

    /// Returns the number of plies before `s` in which the position of `s` may have occurred: those
    /// since the last move that cannot be undone, such as a capture. It saves looking further back. If
    /// it is 0, no position of a game before `s` occurs again after it.
    #[inline]
    fn reversible_plies(&self, s: &Self::State) -> usize {
        let _ = s;
        usize::MAX
    }

    /// Counts the legal moves of `s`. Override it where counting is cheaper than listing: perft
    /// uses it for its last ply. `scratch` is a buffer whose content is unchanged afterwards.
    #[inline]
    fn count_moves(&self, s: &Self::State, scratch: &mut Vec<Self::Move>) -> usize {
        let before = scratch.len();
        self.moves(s, scratch);
        let count = scratch.len() - before;
        scratch.truncate(before);
        count
    }

    /// Counts the sequences of two moves from `s`; perft spends most of its time here. Override it
    /// where counting is cheaper than listing the moves.
    #[inline]
    fn count_replies(&self, s: &Self::State, scratch: &mut Vec<Self::Move>) -> u64 {
        count_replies(self, s, scratch)
    }

    /// Counts the sequences of exactly `depth` moves from `s`; games that end earlier count 0.
    /// `scratch` is a buffer whose content is unchanged afterwards.
    fn perft(&self, s: &Self::State, depth: u32, scratch: &mut Vec<Self::Move>) -> u64 {
        perft(self, s, depth, scratch)
    }

    /// Returns whether the side to move can win with one move; `None` if the game cannot tell
    /// without trying the moves. It is called only while the game is not over. Searches that can
    /// use this and [`Game::safe_moves`] are faster and find the same values.
    #[inline]
    fn wins_at_once(&self, s: &Self::State) -> Option<bool> {
        let _ = s;
        None
    }

    /// Appends the moves after which the opponent cannot win with one move, in the order of
    /// [`Game::moves`], and returns `true`. Returns `false` and appends nothing if the game cannot
    /// tell without trying the moves. It is called only while the game is not over and the side to
    /// move cannot win with one move.
    #[inline]
    fn safe_moves(&self, s: &Self::State, out: &mut Vec<Self::Move>) -> bool {
        let _ = (s, out);
        false
    }

    /// Returns whether the sides alternate strictly and no side ever loses by its own move, so that
    /// a finished game is drawn or won by the side that moved last. A search that asks only whether
    /// one side wins can then omit a last ply in which the other side moves.
    #[inline]
    fn last_mover_wins(&self) -> bool {
        false
    }

    /// Returns whether a search that is not told otherwise looks deeper at moves that seem to matter
    /// than at others, instead of at all moves to the same depth.
    fn suits_selective_search(&self) -> bool {
        false
    }

    /// Returns a small number for the place where a move acts, such as its column or cell,
    /// independent of the state. Searches index their move statistics by it. Several moves may
    /// share a number; if all moves have the number 0, the statistics are off.
    #[inline]
    fn slot(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// Plays uniformly random moves from `s` until the game is over and returns the outcome.
    /// Override it where the outcome can be drawn faster from the same distribution. Where the rules
    /// say something about repetitions, an override may ignore that, leave out senseless moves and
    /// limit the number of moves; it documents its rules. `scratch` is a buffer that saves an
    /// allocation.
    #[inline]
    fn playout(
        &self,
        s: Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Self::Outcome {
        random_game(self, s, rng, scratch)
    }

    /// Adds the outcomes of `count` independent playouts from `s` to `tally`. Override it where
    /// playing many games at once is cheaper than one after the other.
    fn playouts(
        &self,
        s: &Self::State,
        count: u64,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
        tally: &mut TallyOf<Self>,
    ) {
        for _ in 0..count {
            self.playout(s.clone(), rng, scratch).count(tally);
        }
    }

    /// Writes the state in its notation, on one line.
    fn show_state(&self, s: &Self::State) -> String;

    /// Parses a state from its notation, so that `read_state(show_state(s)) == s`.
    ///
    /// # Errors
    /// When `text` is not a state; the error says what is wrong and where.
    fn read_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// Writes the move in its notation. Two legal moves of one state are never written alike.
    fn show_move(&self, s: &Self::State, m: Self::Move) -> String;

    /// Parses a legal move of `s` from its notation.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn read_move(&self, s: &Self::State, text: &str) -> Result<Self::Move, NotationError> {
        read_shown_move(self, s, text)
    }

    /// Returns a picture of the state, as data.
    fn scene(&self, s: &Self::State) -> Scene;

    /// Returns the cells of the scene that a person clicks, in order, to play `m`. Two legal moves
    /// of one state never have the same cells.
    fn touches(&self, s: &Self::State, m: Self::Move) -> Vec<Coord>;

    /// Returns what people call the first and the second side, such as `Black` and `White`. Pages draw
    /// the pieces of a side that is called like a colour in this colour, and others in blue and
    /// orange.
    fn side_names(&self) -> [&'static str; 2] {
        ["Blue", "Orange"]
    }

    /// Returns the ways of `m` across the board, each as the cells on which the piece lands, from the
    /// first to the last. Boards take the cells of a way as clicks, too, and draw arrows along the
    /// first one. No two legal moves of one state share a way.
    fn ways(&self, s: &Self::State, m: Self::Move) -> Vec<Vec<Coord>> {
        vec![self.touches(s, m)]
    }

    /// Returns the cells of the scene whose pieces `m` removes, such as captured ones. Boards show
    /// them before the move is played.
    fn removes(&self, s: &Self::State, m: Self::Move) -> Vec<Coord> {
        let _ = (s, m);
        Vec::new()
    }

    /// Returns the state with these pieces and this side to move, for board editors. By default the
    /// pieces are written as an owner for each cell, as [`show_owners`](crate::notation::show_owners)
    /// does, and read again.
    ///
    /// # Errors
    /// When there is no such state, or the notation of the game is another one.
    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<Self::State, NotationError> {
        read_pieces(self, pieces, turn)
    }

    /// Returns the symmetries of the board that the rules preserve, without the identity.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Returns the image of `s` under `symmetry`, one of [`Game::symmetries`].
    fn transform(&self, s: &Self::State, symmetry: Symmetry) -> Self::State {
        debug_assert!(self.symmetries().contains(&symmetry), "a symmetry of this game");
        s.clone()
    }

    /// Returns the sizes of the encoding for learning. By default it is read from scenes and
    /// touched cells; it may take some milliseconds, so callers keep it.
    fn encoding(&self) -> EncodingShape {
        encoding::scene_encoding(self)
    }

    /// Appends the features of `s` that are set, as `seen_by` sees the state, in ascending order.
    /// Where the sides move in opposite directions, the board is rotated for the second side.
    fn features(&self, s: &Self::State, seen_by: Side, out: &mut Vec<u32>) {
        encoding::scene_features(self, s, seen_by, out);
    }

    /// Returns the numbers of pieces of the first and of the second side; `None` if the game has no
    /// pieces that are captured. A move never adds pieces, so the difference between two states of a
    /// game is the number of captures between them. Learning can predict these captures.
    #[inline]
    fn piece_counts(&self, s: &Self::State) -> Option<[u32; 2]> {
        let _ = s;
        None
    }

    /// Appends the action number of each of `moves`, which are the legal moves of `s` in the order of
    /// [`Game::moves`]. Moves of one state have different numbers. The moves of a state that the
    /// second side sees rotated are rotated, too.
    fn actions(&self, s: &Self::State, moves: &[Self::Move], out: &mut Vec<u32>) {
        encoding::touch_actions(self, s, moves, out);
    }

    /// Returns the legal move of `s` with this action number; `None` if there is none. Override it
    /// where the move follows from its number without listing all moves.
    fn move_of_action(&self, s: &Self::State, action: u32) -> Option<Self::Move> {
        encoding::move_of_action(self, s, action)
    }

    /// Returns the points that a puzzle has given so far; at its end they are its outcome. `None` in a
    /// duel, and in a puzzle that counts its points at the end.
    #[inline]
    fn points_so_far(&self, s: &Self::State) -> Option<i64> {
        let _ = s;
        None
    }

    /// Returns a number that tells which actions are legal: states of this game with the same number
    /// have the same actions in the same order. Callers that keep lists of actions then need not list
    /// them again. `None` if nothing is known without listing the moves.
    #[inline]
    fn actions_key(&self, s: &Self::State) -> Option<u64> {
        let _ = s;
        None
    }
}

/// The type that counts the outcomes of games of type `G`.
pub type TallyOf<G> = <<G as Game>::Outcome as Outcome>::Tally;

/// Counts the sequences of two moves from `s` by listing them. Every [`Game::count_replies`] must
/// return the same number.
#[inline]
pub fn count_replies<G: Game + ?Sized>(g: &G, s: &G::State, scratch: &mut Vec<G::Move>) -> u64 {
    let base = scratch.len();
    g.moves(s, scratch);
    let mut lines = 0;
    for i in base..scratch.len() {
        let child = g.after(s, scratch[i]);
        lines += g.count_moves(&child, scratch) as u64;
    }
    scratch.truncate(base);
    lines
}

/// Counts the sequences of exactly `depth` moves from `s`. Every [`Game::perft`] must return the same
/// number. A game that calls it in its own [`Game::perft`] has it compiled in its own crate.
pub fn perft<G: Game + ?Sized>(g: &G, s: &G::State, depth: u32, scratch: &mut Vec<G::Move>) -> u64 {
    match depth {
        0 => 1,
        1 => g.count_moves(s, scratch) as u64,
        2 => g.count_replies(s, scratch),
        _ => {
            let base = scratch.len();
            g.moves(s, scratch);
            let mut lines = 0;
            for i in base..scratch.len() {
                let child = g.after(s, scratch[i]);
                // The last two plies are counted here without a recursive call, because most
                // children are at this depth.
                lines += match depth {
                    3 => g.count_replies(&child, scratch),
                    _ => perft(g, &child, depth - 1, scratch),
                };
            }
            scratch.truncate(base);
            lines
        }
    }
}

/// Plays uniformly random moves of [`Game::moves`] from `s`, the first state of its path, and returns
/// the outcome. Every [`Game::playout`] must have the same distribution of outcomes, except where
/// the rules say something about repetitions.
#[inline]
pub fn random_game<G: Game + ?Sized>(
    g: &G,
    mut s: G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> G::Outcome {
    let (mut path, base) = (GamePath::new(), scratch.len());
    loop {
        if let Status::Over(outcome) = path.status(g, &s) {
            return outcome;
        }
        path.moves(g, &s, scratch);
        let m = scratch[base + rng.below(scratch.len() - base)];
        scratch.truncate(base);
        path.play(g, &mut s, m);
    }
}
