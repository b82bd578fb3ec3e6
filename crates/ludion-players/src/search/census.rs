//! Exhaustive walks over all positions of a game: the numbers of positions and of complete games,
//! the exact probability of each outcome under random play, and the outcome under perfect play.
//!
//! Every position is visited once, children before parents, without recursion. Numbers are exact
//! big integers and fractions. Games that can return to a position have infinitely many complete
//! games and are refused.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::game::{Game, Side, Status};
use crate::memory::{self, TryGrow};
use crate::outcome::Outcome;

/// The results of a census, a walk over all positions of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Census<O: Ord> {
    /// Number of distinct positions, including finished games.
    pub positions: u64,
    /// The length in plies of the longest game.
    pub longest: u32,
    /// The outcome under perfect play by both sides.
    pub perfect: O,
    /// Each possible outcome, with the number of games that end in it and its probability.
    pub ends: BTreeMap<O, OutcomeFrequency>,
}

/// How often one outcome occurs among all complete games, and in random play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutcomeFrequency {
    /// Number of complete games (move sequences to the end) with this outcome.
    pub games: BigUint,
    /// The probability of this outcome under uniformly random moves.
    pub chance: BigRational,
}

impl<O: Ord> Census<O> {
    /// Returns the number of complete games (move sequences to the end).
    pub fn games(&self) -> BigUint {
        self.ends.values().map(|end| &end.games).sum()
    }
}

/// Reasons why a census of a game is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CensusError {
    /// The game has more moves between positions than this limit.
    #[error("there are more than {0} moves between positions, too many to walk them all")]
    TooMany(u64),
    /// Play can return to a position, so the number of games is infinite.
    #[error("the game can return to a position, so its complete games cannot be counted")]
    Cycle,
    /// There is no memory for more than this many positions.
    #[error("there is not enough memory for more than {0} positions")]
    NoMemory(u64),
}

/// Counts all positions and complete games that are reachable from `s`. The walk follows every move
/// between positions, at most `limit` moves.
///
/// # Errors
/// When there are more moves, when play can return to a position, or when memory is short.
///
/// ```
/// use ludion::{game::{Game, Side}, games::tictactoe::TicTacToe, outcome::Duel};
/// use ludion::search::census::census;
/// let g = TicTacToe;
/// let all = census(&g, &g.start(), 100_000).unwrap();
/// assert_eq!(all.positions, 5478);
/// assert_eq!(all.perfect, Duel::Drawn);
/// assert_eq!(all.ends[&Duel::Won(Side::First)].chance.to_string(), "737/1260");
/// ```
pub fn census<G: Game>(g: &G, s: &G::State, limit: u64) -> Result<Census<G::Outcome>, CensusError> {
    census_with_progress(g, s, limit, &mut |_, _| ())
}

/// Callback of a census: gets the number of positions so far and the number of all positions, which
/// is `None` until the first walk has counted them.
pub type OnCensusProgress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Number of positions between two calls of a callback.
const PROGRESS_INTERVAL: usize = 4096;

/// Computes a [`census`] and calls `on_progress` every few thousand positions.
///
/// # Errors
/// As [`census`].
pub fn census_with_progress<G: Game>(
    g: &G,
    s: &G::State,
    limit: u64,
    on_progress: OnCensusProgress<'_>,
) -> Result<Census<G::Outcome>, CensusError> {
    let total = check_size(g, s, limit, on_progress)?;
    let (mut walk, mut finished) = (CensusWalk::new(g), 0_u64);
    walk.enter(s.clone())?;
    loop {
        let frame = walk.path.last_mut().expect("the walk ends when its first frame is finished");
        if let Some(m) = frame.moves.pop() {
            let child = g.after(&frame.state, m);
            match walk.seen.get(&child) {
                Some(Some(done)) => frame.sum.add(done, frame.side),
                Some(None) => return Err(CensusError::Cycle),
                None => walk.enter(child)?,
            }
            continue;
        }
        let frame = walk.path.pop().expect("the path is not empty");
        let (state, done) = frame.finish();
        finished += 1;
        if finished.is_multiple_of(PROGRESS_INTERVAL as u64) {
            on_progress(finished, Some(total));
            // The sums have allocations of their own.
            if !memory::has_room(0) {
                return Err(CensusError::NoMemory(finished));
            }
        }
        if let Some(parent) = walk.path.last_mut() {
            parent.sum.add(&done, parent.side);
            // An insertion would make room for one more position, even though this one is there.
            *walk.seen.get_mut(&state).expect("the position was entered") = Some(done);
        } else {
            let perfect = done.perfect.expect("a finished position has a value");
            let (positions, longest) = (walk.seen.len() as u64, done.longest);
            return Ok(Census { positions, longest, perfect, ends: done.frequencies() });
        }
    }
}

/// Returns the number of positions of a game, or an error if it has more than `limit` moves between
/// positions. Counting them first takes a small part of the time and memory of the walk with big
/// numbers.
fn check_size<G: Game>(
    g: &G,
    s: &G::State,
    limit: u64,
    on_progress: OnCensusProgress<'_>,
) -> Result<u64, CensusError> {
    let mut seen = HashSet::with_hasher(FixedState::default());
    seen.insert(s.clone());
    let mut enter = vec![s.clone()];
    let (mut moves, mut walked) = (Vec::new(), 0);
    while let Some(s) = enter.pop() {
        moves.clear();
        g.moves(&s, &mut moves);
        walked += moves.len() as u64;
        if walked > limit {
            return Err(CensusError::TooMany(limit));
        }
        for &m in &moves {
            if !seen.try_grow(1) || !enter.try_grow(1) {
                return Err(CensusError::NoMemory(seen.len() as u64));
            }
            let child = g.after(&s, m);
            if seen.insert(child.clone()) {
                enter.push(child);
                if seen.len().is_multiple_of(PROGRESS_INTERVAL) {
                    on_progress(seen.len() as u64, None);
                }
            }
        }
    }
    Ok(seen.len() as u64)
}

/// The sums over all games below one position. Until all children are added, probabilities are not
/// yet divided by the number of moves.
#[derive(Clone)]
struct SubtreeSums<O: Ord> {
    longest: u32,
    perfect: Option<O>,
    /// The denominator of all probabilities. With one in common they are reduced once for each
    /// position, not once for each move.
    denominator: BigUint,
    ends: BTreeMap<O, OutcomeSums>,
}

/// The sums over the games that end in one outcome.
#[derive(Clone)]
struct OutcomeSums {
    games: BigUint,
    /// The numerator of the probability.
    chance: BigUint,
}

impl<O: Outcome> SubtreeSums<O> {
    fn new() -> Self {
        let (denominator, ends) = (BigUint::one(), BTreeMap::new());
        SubtreeSums { longest: 0, perfect: None, denominator, ends }
    }

    /// Returns the sums of a finished game.
    fn finished(outcome: O) -> Self {
        let one = OutcomeSums { games: BigUint::one(), chance: BigUint::one() };
        let ends = BTreeMap::from([(outcome, one)]);
        SubtreeSums { perfect: Some(outcome), ends, ..SubtreeSums::new() }
    }

    fn add(&mut self, child: &SubtreeSums<O>, side: Side) {
        self.longest = self.longest.max(child.longest + 1);
        let better = |a: O, b: O| if b.worth(side) > a.worth(side) { b } else { a };
        self.perfect = match (self.perfect, child.perfect) {
            (Some(a), Some(b)) => Some(better(a, b)),
            (a, b) => a.or(b),
        };
        let factor = self.extend_denominator(&child.denominator);
        for (&outcome, end) in &child.ends {
            let none = || OutcomeSums { games: BigUint::zero(), chance: BigUint::zero() };
            let sum = self.ends.entry(outcome).or_insert_with(none);
            sum.games += &end.games;
            match &factor {
                Some(factor) => sum.chance += &end.chance * factor,
                None => sum.chance += &end.chance,
            }
        }
    }

    /// Makes the denominator a multiple of `other`. Returns the quotient of both, or `None` if it is 1.
    fn extend_denominator(&mut self, other: &BigUint) -> Option<BigUint> {
        if self.denominator == *other {
            return None;
        }
        let common = self.denominator.gcd(other);
        let factor = &self.denominator / &common;
        let own = other / common;
        if !own.is_one() {
            self.denominator *= &own;
            self.ends.values_mut().for_each(|end| end.chance *= &own);
        }
        Some(factor).filter(|factor| !factor.is_one())
    }

    /// Divides the probabilities by the number of moves, and reduces them.
    fn divide(&mut self, moves: usize) {
        self.denominator *= moves;
        let mut common = self.denominator.clone();
        for end in self.ends.values() {
            if common.is_one() {
                return;
            }
            common = common.gcd(&end.chance);
        }
        if !common.is_one() {
            self.denominator /= &common;
            self.ends.values_mut().for_each(|end| end.chance /= &common);
        }
    }

    fn frequencies(self) -> BTreeMap<O, OutcomeFrequency> {
        let denominator = BigInt::from(self.denominator);
        let frequency = |end: OutcomeSums| OutcomeFrequency {
            games: end.games,
            chance: BigRational::new(BigInt::from(end.chance), denominator.clone()),
        };
        self.ends.into_iter().map(|(outcome, end)| (outcome, frequency(end))).collect()
    }
}

/// A position on the current path of the walk.
struct CensusFrame<G: Game> {
    state: G::State,
    side: Side,
    /// Moves that the walk has not yet followed.
    moves: Vec<G::Move>,
    /// Number of legal moves of the position.
    count: usize,
    sum: SubtreeSums<G::Outcome>,
}

impl<G: Game> CensusFrame<G> {
    fn finish(mut self) -> (G::State, SubtreeSums<G::Outcome>) {
        if self.count > 0 {
            self.sum.divide(self.count);
        }
        (self.state, self.sum)
    }
}

/// The data of a walk over all positions.
struct CensusWalk<'a, G: Game> {
    game: &'a G,
    /// The sums of every position visited; `None` while the position is on the current path.
    seen: HashMap<G::State, Option<SubtreeSums<G::Outcome>>, FixedState>,
    path: Vec<CensusFrame<G>>,
}

impl<'a, G: Game> CensusWalk<'a, G> {
    fn new(game: &'a G) -> Self {
        CensusWalk { game, seen: HashMap::default(), path: Vec::new() }
    }

    fn enter(&mut self, s: G::State) -> Result<(), CensusError> {
        if !self.seen.try_grow(1) {
            return Err(CensusError::NoMemory(self.seen.len() as u64));
        }
        self.seen.insert(s.clone(), None);
        let mut moves = Vec::new();
        let (side, sum) = match self.game.status(&s) {
            Status::Turn(side) => {
                self.game.moves(&s, &mut moves);
                (side, SubtreeSums::new())
            }
            Status::Over(outcome) => (Side::First, SubtreeSums::finished(outcome)),
        };
        self.path.push(CensusFrame { state: s, side, count: moves.len(), moves, sum });
        Ok(())
    }
}

/// Returns the numbers of distinct positions after exactly 0, 1, … `depth` plies from `s`.
///
/// # Errors
/// When a ply has more than `limit` positions, or memory is short.
pub fn positions_by_ply<G: Game>(
    g: &G,
    s: &G::State,
    depth: u32,
    limit: u64,
) -> Result<Vec<u64>, CensusError> {
    positions_by_ply_with_progress(g, s, depth, limit, &mut |_, _| ())
}

/// Computes [`positions_by_ply`] and calls `on_progress` every few thousand positions with the ply
/// and the number of its positions so far.
///
/// # Errors
/// As [`positions_by_ply`].
pub fn positions_by_ply_with_progress<G: Game>(
    g: &G,
    s: &G::State,
    depth: u32,
    limit: u64,
    on_progress: &mut dyn FnMut(u32, u64),
) -> Result<Vec<u64>, CensusError> {
    let mut layer = HashSet::with_hasher(FixedState::default());
    layer.insert(s.clone());
    let mut counts = vec![1];
    let mut moves = Vec::new();
    for ply in 1..=depth {
        let mut next = HashSet::with_hasher(FixedState::default());
        for (number, s) in layer.iter().enumerate() {
            if number % PROGRESS_INTERVAL == PROGRESS_INTERVAL - 1 {
                on_progress(ply, next.len() as u64);
            }
            moves.clear();
            g.moves(s, &mut moves);
            for &m in &moves {
                if !next.try_grow(1) {
                    return Err(CensusError::NoMemory(next.len() as u64));
                }
                next.insert(g.after(s, m));
            }
            if next.len() as u64 > limit {
                return Err(CensusError::TooMany(limit));
            }
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    Ok(counts)
}
