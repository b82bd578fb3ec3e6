//! What a game is: rules with their parameters, apart from the states they act on.
//!
//! A [`Game`] is a value (`connect4` on seven columns), a state is a small plain
//! value beside it. Nothing here undoes a move: a search copies the state, which was
//! measured to be faster than taking moves back. How states and moves are written is
//! in [`crate::notation`], what a state looks like in [`crate::scene`].

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::notation::{NotationError, read_shown_move};
use crate::outcome::Outcome;
use crate::random::Rng;
use crate::scene::{Coord, Scene, Symmetry};

/// One of the two seats. A puzzle is played by [`Side::First`] alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Moves first from the start.
    First,
    /// Moves second from the start.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second: for arrays of two.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose turn it is after `plies` plies of strict alternation.
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

/// Whose turn it is, or how it ended: one enum, so that the two never disagree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status<O> {
    /// The game goes on and this side moves.
    Turn(Side),
    /// The game is over.
    Over(O),
}

impl<O> Status<O> {
    /// The side to move, if the game goes on.
    #[inline]
    pub fn turn(&self) -> Option<Side> {
        match self {
            Status::Turn(side) => Some(*side),
            Status::Over(_) => None,
        }
    }

    /// The outcome, if the game is over.
    #[inline]
    pub fn outcome(self) -> Option<O> {
        match self {
            Status::Turn(_) => None,
            Status::Over(outcome) => Some(outcome),
        }
    }
}

/// The rules of one game, its parameters included.
///
/// What every implementation must keep is written down as code in [`crate::laws`]
/// and checked for each registered game.
pub trait Game: Send + Sync + 'static {
    /// A position; small and plain, `Copy` where it can be.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// One legal action in a state.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// [`Duel`](crate::outcome::Duel) or [`Points`](crate::outcome::Points). Alpha-beta
    /// asks for a duel, so handing it a puzzle does not compile.
    type Outcome: Outcome;

    /// The state in which every game begins.
    fn start(&self) -> Self::State;

    /// Whose turn it is, or how the game ended.
    fn status(&self, s: &Self::State) -> Status<Self::Outcome>;

    /// Appends the legal moves of `s` to `out`, in an order that never changes (players
    /// break ties by it); none exactly when the game is over.
    fn moves(&self, s: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays `m`, which must be a legal move of `s`.
    fn play(&self, s: &mut Self::State, m: Self::Move);

    /// The state after `m`, a legal move of `s`.
    #[inline]
    fn after(&self, s: &Self::State, m: Self::Move) -> Self::State {
        let mut next = s.clone();
        self.play(&mut next, m);
        next
    }

    /// A number for the state: equal states have equal keys, and everything that
    /// matters for the rest of the game, the side to move included, goes into it.
    /// Where a state fits in 64 bits the key is exact. Tables mix it themselves.
    fn key(&self, s: &Self::State) -> u64;

    /// How many legal moves `s` has. Override it where counting is cheaper than
    /// listing: perft counts its last ply with it.
    #[inline]
    fn count_moves(&self, s: &Self::State, scratch: &mut Vec<Self::Move>) -> usize {
        let before = scratch.len();
        self.moves(s, scratch);
        let count = scratch.len() - before;
        scratch.truncate(before);
        count
    }

    /// How many lines of two moves start in `s`: what counting lines comes down to. Override
    /// it where that is cheaper than listing the moves.
    #[inline]
    fn count_replies(&self, s: &Self::State, scratch: &mut Vec<Self::Move>) -> u64 {
        count_replies(self, s, scratch)
    }

    /// Whether the side to move can win with one move, where the game sees that at a glance;
    /// `None` where it does not. Asked only while the game goes on. A search that gets an
    /// answer here and from [`Game::safe_moves`] is faster and finds the same.
    #[inline]
    fn wins_at_once(&self, s: &Self::State) -> Option<bool> {
        let _ = s;
        None
    }

    /// Appends, in the order of [`Game::moves`], the moves after which the opponent cannot
    /// win with one move, and says so; or says `false` and appends nothing, where the game
    /// does not see that at a glance. Asked only while the game goes on and the side to move
    /// cannot win at once.
    #[inline]
    fn safe_moves(&self, s: &Self::State, out: &mut Vec<Self::Move>) -> bool {
        let _ = (s, out);
        false
    }

    /// Whether the sides move in turn and nobody loses by his own move: a game that ends is
    /// drawn, or won by who moved last. Searches for a win then look no farther than the last
    /// move of one's own.
    #[inline]
    fn last_mover_wins(&self) -> bool {
        false
    }

    /// A small number for where a move acts, a column or a cell, the same in every state:
    /// searches keep statistics of moves by it. Moves may share a number; 0 for all of them
    /// does without.
    #[inline]
    fn slot(&self, m: Self::Move) -> usize {
        let _ = m;
        0
    }

    /// Plays uniformly random moves until the game is over. Override it where the state
    /// allows a faster draw from the same law. `scratch` saves an allocation.
    #[inline]
    fn playout(
        &self,
        s: Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Self::Outcome {
        random_game(self, s, rng, scratch)
    }

    /// Adds `count` independent playouts from `s` to `tally`. Override it where many
    /// games at once are cheaper than one after the other.
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

    /// The state in its notation, on one line.
    fn show_state(&self, s: &Self::State) -> String;

    /// Reads a state back: `read_state(show_state(s)) == s`.
    ///
    /// # Errors
    /// What does not read, and where.
    fn read_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The move in its notation; two legal moves of one state are never written alike.
    fn show_move(&self, s: &Self::State, m: Self::Move) -> String;

    /// Reads a legal move of `s`.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn read_move(&self, s: &Self::State, text: &str) -> Result<Self::Move, NotationError> {
        read_shown_move(self, s, text)
    }

    /// The state as a picture.
    fn scene(&self, s: &Self::State) -> Scene;

    /// The cells of the scene a person touches, in order, to play `m`. Two legal moves
    /// of one state never have the same touches.
    fn touches(&self, s: &Self::State, m: Self::Move) -> Vec<Coord>;

    /// The symmetries of the board that the rules respect, the identity left out.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// The image of `s` under one of [`Game::symmetries`].
    fn transform(&self, s: &Self::State, symmetry: Symmetry) -> Self::State {
        debug_assert!(self.symmetries().contains(&symmetry), "a symmetry of this game");
        s.clone()
    }
}

/// What counts the outcomes of a game.
pub type TallyOf<G> = <<G as Game>::Outcome as Outcome>::Tally;

/// Lines of two moves by the rules alone: what every [`Game::count_replies`] must agree with.
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

/// A uniformly random game by the rules alone: the law that every
/// [`Game::playout`] must follow.
#[inline]
pub fn random_game<G: Game + ?Sized>(
    g: &G,
    mut s: G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> G::Outcome {
    let base = scratch.len();
    loop {
        if let Status::Over(outcome) = g.status(&s) {
            return outcome;
        }
        g.moves(&s, scratch);
        let m = scratch[base + rng.below(scratch.len() - base)];
        scratch.truncate(base);
        g.play(&mut s, m);
    }
}
