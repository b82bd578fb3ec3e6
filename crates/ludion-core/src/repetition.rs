//! Repeated positions: the rules about them, and the path of a game that these rules need.
//!
//! A state has no past, so it stays small, and equal states have equal keys and share their entries
//! in tables. What happened before is a [`GamePath`] beside the state. The arena, the searches and
//! the pages keep one for each game under way; [`GamePath::status`] and [`GamePath::moves`] are the
//! status and the moves of a state after this path.

use crate::game::{Game, Status};
use crate::notation::NotationError;
use crate::random::mix;

/// What the rules of a game say about a position that occurred before in the same game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionRule<O> {
    /// Positions may repeat.
    Ignored,
    /// The game ends when a position occurs for the given number of times, as in draughts.
    Ends {
        /// The number of occurrences that ends the game, at least 2.
        occurrences: u8,
        /// The outcome of a game that ends so.
        outcome: O,
    },
    /// A move to an earlier position is illegal, as by positional superko in Go. A move that leaves
    /// the position as it is, such as a pass, is legal. Every state must have such a move, or one
    /// that leads to no earlier position.
    Forbidden,
}

/// The positions of a game before its current state, by their [`Game::repetition_key`]. It stays
/// empty in games that ignore repetitions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GamePath {
    keys: Vec<u64>,
    /// For each position, how often it has occurred up to there, and [`BARRIER`].
    occurrences: Vec<u8>,
    /// The exclusive or of the mixed keys of all positions whose next occurrence is illegal or ends the
    /// game.
    salt: u64,
}

/// Marks a position that a move which cannot be undone has led to: none of the positions before it can
/// occur after it.
const BARRIER: u8 = 0x80;

impl GamePath {
    /// A path without positions: the past of a game at its first state.
    pub const EMPTY: &'static GamePath = &GamePath::new();

    /// Creates a path without positions.
    #[must_use]
    pub const fn new() -> Self {
        GamePath { keys: Vec::new(), occurrences: Vec::new(), salt: 0 }
    }

    /// Returns the number of positions on the path.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether the path has no positions.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the keys of the positions that this path has after those of `start`; `None` if it does
    /// not begin with `start`.
    #[must_use]
    pub fn keys_after(&self, start: &GamePath) -> Option<&[u64]> {
        self.keys.strip_prefix(&start.keys[..])
    }

    /// Makes the path that of `other`, without allocating if it has room.
    #[inline]
    pub fn copy_from(&mut self, other: &GamePath) {
        self.salt = other.salt;
        // A search copies the path for every simulation, and in most games it is empty.
        if !(self.keys.is_empty() && other.keys.is_empty()) {
            self.keys.clone_from(&other.keys);
            self.occurrences.clone_from(&other.occurrences);
        }
    }

    /// Adds `s`, in which a move is about to be played.
    #[inline]
    pub fn push<G: Game + ?Sized>(&mut self, g: &G, s: &G::State) {
        if let Some(last) = last_occurrence(g) {
            self.push_position(g, s, last);
        }
    }

    /// Adds `s` to the path of a game whose rules know repetitions. Its own function keeps loops over
    /// the moves of other games short.
    #[inline(never)]
    fn push_position<G: Game + ?Sized>(&mut self, g: &G, s: &G::State, last: u8) {
        let key = g.repetition_key(s);
        let occurrence = (self.occurrences_of(g, s, key) + 1).min(BARRIER - 1);
        let barrier = if g.reversible_plies(s) == 0 { BARRIER } else { 0 };
        self.keys.push(key);
        self.occurrences.push(occurrence | barrier);
        if occurrence == last {
            self.salt ^= mix(key);
        }
    }

    /// Removes the positions after the first `len`.
    #[inline]
    pub fn truncate<G: Game + ?Sized>(&mut self, g: &G, len: usize) {
        let Some(last) = last_occurrence(g) else { return };
        while self.keys.len() > len {
            let popped = (self.keys.pop(), self.occurrences.pop());
            if let (Some(key), Some(occurrence)) = popped
                && occurrence & !BARRIER == last
            {
                self.salt ^= mix(key);
            }
        }
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.occurrences.clear();
        self.salt = 0;
    }

    /// Adds `s` to the path and changes it to the state after `m`.
    #[inline]
    pub fn play<G: Game + ?Sized>(&mut self, g: &G, s: &mut G::State, m: G::Move) {
        self.push(g, s);
        g.play(s, m);
    }

    /// Returns the index of the last position on the path that may equal `s`, and equals it.
    #[inline]
    fn last_index<G: Game + ?Sized>(&self, g: &G, s: &G::State, key: u64) -> Option<usize> {
        let first = self.len().saturating_sub(g.reversible_plies(s));
        for index in (first..self.len()).rev() {
            if self.keys[index] == key {
                return Some(index);
            }
            if self.occurrences[index] & BARRIER != 0 {
                break;
            }
        }
        None
    }

    /// Returns how often the position of `s`, whose key is given, is on the path.
    #[inline]
    fn occurrences_of<G: Game + ?Sized>(&self, g: &G, s: &G::State, key: u64) -> u8 {
        self.last_index(g, s, key).map_or(0, |index| self.occurrences[index] & !BARRIER)
    }

    /// Returns the status of `s` after this path.
    #[inline]
    pub fn status<G: Game + ?Sized>(&self, g: &G, s: &G::State) -> Status<G::Outcome> {
        self.search_status(g, s, usize::MAX).0
    }

    /// Returns the status of `s` in a search that began after the first `root` positions of this
    /// path. There a single repetition ends the game, as it does in other programs, because what
    /// follows a repeated position may follow again. The second value says whether the game ended
    /// so.
    #[inline]
    pub fn search_status<G: Game + ?Sized>(
        &self,
        g: &G,
        s: &G::State,
        root: usize,
    ) -> (Status<G::Outcome>, bool) {
        let status = g.status(s);
        match (status, g.repetition_rule()) {
            (Status::Turn(_), RepetitionRule::Ends { occurrences, outcome }) => {
                self.repeated_status(g, s, (status, root), (occurrences, outcome))
            }
            _ => (status, false),
        }
    }

    /// Returns the result of [`GamePath::search_status`] for a position in which the game goes on if it
    /// does not repeat another. Its own function keeps loops over the positions of other games short.
    #[inline(never)]
    fn repeated_status<G: Game + ?Sized>(
        &self,
        g: &G,
        s: &G::State,
        (status, root): (Status<G::Outcome>, usize),
        (occurrences, outcome): (u8, G::Outcome),
    ) -> (Status<G::Outcome>, bool) {
        if self.is_empty() {
            return (status, false);
        }
        match self.last_index(g, s, g.repetition_key(s)) {
            Some(index) if (self.occurrences[index] & !BARRIER) + 1 >= occurrences => {
                (Status::Over(outcome), false)
            }
            Some(index) if index >= root => (Status::Over(outcome), true),
            _ => (status, false),
        }
    }

    /// Returns whether `m`, a legal move of `s` by the rules of states alone, is legal after this
    /// path.
    #[inline]
    pub fn allows<G: Game + ?Sized>(&self, g: &G, s: &G::State, m: G::Move) -> bool {
        match g.repetition_rule() {
            RepetitionRule::Ignored | RepetitionRule::Ends { .. } => true,
            RepetitionRule::Forbidden if self.is_empty() => true,
            RepetitionRule::Forbidden => {
                let next = g.after(s, m);
                let key = g.repetition_key(&next);
                self.last_index(g, &next, key).is_none() || key == g.repetition_key(s)
            }
        }
    }

    /// Appends the legal moves of `s` after this path to `out`, in the order of [`Game::moves`].
    /// There are none exactly when [`GamePath::status`] says that the game is over.
    #[inline]
    pub fn moves<G: Game + ?Sized>(&self, g: &G, s: &G::State, out: &mut Vec<G::Move>) {
        match g.repetition_rule() {
            RepetitionRule::Ends { .. } if self.status(g, s).turn().is_none() => {}
            RepetitionRule::Ignored | RepetitionRule::Ends { .. } => g.moves(s, out),
            RepetitionRule::Forbidden => {
                let base = out.len();
                g.moves(s, out);
                if self.is_empty() {
                    return;
                }
                let mut kept = base;
                for i in base..out.len() {
                    if self.allows(g, s, out[i]) {
                        out[kept] = out[i];
                        kept += 1;
                    }
                }
                out.truncate(kept);
            }
        }
    }

    /// Parses a move of `s` from its notation that is legal after this path.
    ///
    /// # Errors
    /// When `text` is not a legal move, or repeats a position where that is not allowed.
    pub fn read_move<G: Game>(
        &self,
        g: &G,
        s: &G::State,
        text: &str,
    ) -> Result<G::Move, NotationError> {
        if !self.is_empty() && self.status(g, s).turn().is_none() {
            return Err(NotationError::new(text, "the game is over, no move is legal"));
        }
        let m = g.read_move(s, text)?;
        if !self.allows(g, s, m) {
            return Err(NotationError::new(text, "repeats an earlier position, which is illegal"));
        }
        Ok(m)
    }

    /// Parses a move like [`GamePath::read_move`], and checks that it is among the legal moves, because
    /// a game may also parse moves that are not.
    ///
    /// # Errors
    /// When `text` is not a legal move.
    pub fn read_legal_move<G: Game>(
        &self,
        g: &G,
        s: &G::State,
        text: &str,
    ) -> Result<G::Move, NotationError> {
        let m = self.read_move(g, s, text)?;
        let mut moves = Vec::new();
        self.moves(g, s, &mut moves);
        if moves.contains(&m) { Ok(m) } else { Err(NotationError::new(text, "not a legal move")) }
    }

    /// Returns the key under which a search keeps its result for `s`, which it reached by this path.
    /// It is [`Game::key`] unless the next occurrence of some position on the path is illegal or ends
    /// the game.
    #[inline]
    pub fn table_key<G: Game>(&self, g: &G, s: &G::State) -> u64 {
        g.key(s) ^ self.salt
    }

    /// As [`GamePath::table_key`], for a search of estimates.
    #[inline]
    pub fn estimate_key<G: Game>(&self, g: &G, s: &G::State) -> u64 {
        g.estimate_key(s) ^ self.salt
    }
}

/// Returns the number of occurrences of a position after which the next one is illegal or ends the
/// game; `None` if repetitions are ignored.
#[inline]
fn last_occurrence<G: Game + ?Sized>(g: &G) -> Option<u8> {
    match g.repetition_rule() {
        RepetitionRule::Ignored => None,
        RepetitionRule::Ends { occurrences, .. } => Some(occurrences - 1),
        RepetitionRule::Forbidden => Some(1),
    }
}
