//! How a game ends, absolutely ([`Duel`], [`Points`]) and seen from one side
//! ([`Wdl`]). Two types, so that nobody mixes up whose win it is.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// The end of a game.
pub trait Outcome: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// Counts many ends.
    type Tally: OutcomeTally;

    /// Adds this end to a tally.
    fn count(self, tally: &mut Self::Tally);

    /// The tally as counts of kinds of ends that exclude each other.
    fn kinds(tally: &Self::Tally) -> Vec<u64>;

    /// What the end is worth to `side`: for a duel +1, 0 or −1, for a puzzle its points.
    fn worth(self, side: Side) -> f64;

    /// The outcome as one plain value that every kind of game shares.
    fn any(self) -> AnyOutcome;
}

/// Counts of many ends, and what they come to for one side.
pub trait OutcomeTally: Default + Copy + Eq + Debug + Send + Sync + 'static {
    /// Ends counted.
    fn games(&self) -> u64;

    /// What the ends are worth to `side` on the average; 0 when none is counted. Unlike
    /// [`Outcome::worth`] a drawn duel is worth half a won one: see [`scoring`].
    fn utility(&self, side: Side) -> f64;

    /// Half the distance between the least and the greatest worth: 1 in a duel, in a
    /// puzzle that of the points counted so far. What is added to a utility as a bonus is
    /// measured in it.
    fn half_range(&self) -> f64;
}

/// The utility of `win` won, `loss` lost and `draw` drawn games, the course's `scoring`:
/// `(win − loss + draw/2) / (win + loss + draw)`, from −1 to 1; 0 without games.
///
/// ```
/// assert_eq!(ludion::outcome::scoring(5, 2, 1), 0.4375);
/// ```
#[inline]
#[must_use]
pub fn mean_utility(win: u64, loss: u64, draw: u64) -> f64 {
    match win + loss + draw {
        0 => 0.0,
        games => (win as f64 - loss as f64 + 0.5 * draw as f64) / games as f64,
    }
}

/// The end of a game between two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Duel {
    /// This side won.
    Won(Side),
    /// Nobody won.
    Drawn,
}

impl Duel {
    /// The same end as `side` sees it.
    #[inline]
    #[must_use]
    pub fn seen_by(self, side: Side) -> Wdl {
        match self {
            Duel::Drawn => Wdl::Draw,
            Duel::Won(winner) if winner == side => Wdl::Win,
            Duel::Won(_) => Wdl::Loss,
        }
    }
}

impl Outcome for Duel {
    type Tally = DuelTally;

    #[inline]
    fn count(self, tally: &mut DuelTally) {
        match self {
            Duel::Won(side) => tally.wins[side.index()] += 1,
            Duel::Drawn => tally.draws += 1,
        }
    }

    fn kinds(tally: &DuelTally) -> Vec<u64> {
        vec![tally.wins[0], tally.wins[1], tally.draws]
    }

    #[inline]
    fn worth(self, side: Side) -> f64 {
        f64::from(self.seen_by(side).sign())
    }

    fn any(self) -> AnyOutcome {
        AnyOutcome::Duel(self)
    }
}

impl Display for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Duel::Won(side) => write!(f, "{side} wins"),
            Duel::Drawn => f.write_str("draw"),
        }
    }
}

/// How many duels each side won, and how many nobody won.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct DuelTally {
    /// Games won by the first and by the second side.
    pub wins: [u64; 2],
    /// Games nobody won.
    pub draws: u64,
}

impl DuelTally {
    /// All games counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }
}

impl OutcomeTally for DuelTally {
    #[inline]
    fn games(&self) -> u64 {
        DuelTally::games(self)
    }

    #[inline]
    fn utility(&self, side: Side) -> f64 {
        mean_utility(self.wins[side.index()], self.wins[side.other().index()], self.draws)
    }

    #[inline]
    fn half_range(&self) -> f64 {
        1.0
    }
}

impl AddAssign for DuelTally {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
    }
}

/// The end of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Points(pub i64);

impl Outcome for Points {
    type Tally = PointsTally;

    fn count(self, tally: &mut PointsTally) {
        tally.games += 1;
        tally.sum += i128::from(self.0);
        tally.best = Some(tally.best.map_or(self.0, |best| best.max(self.0)));
        tally.worst = Some(tally.worst.map_or(self.0, |worst| worst.min(self.0)));
    }

    fn kinds(tally: &PointsTally) -> Vec<u64> {
        vec![tally.games]
    }

    fn worth(self, _side: Side) -> f64 {
        self.0 as f64
    }

    fn any(self) -> AnyOutcome {
        AnyOutcome::Points(self.0)
    }
}

impl Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} points", self.0)
    }
}

/// What many puzzles came to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PointsTally {
    /// Games counted.
    pub games: u64,
    /// Their points together.
    pub sum: i128,
    /// The highest of them.
    pub best: Option<i64>,
    /// The lowest of them.
    pub worst: Option<i64>,
}

impl OutcomeTally for PointsTally {
    #[inline]
    fn games(&self) -> u64 {
        self.games
    }

    #[inline]
    fn utility(&self, _side: Side) -> f64 {
        if self.games == 0 { 0.0 } else { self.sum as f64 / self.games as f64 }
    }

    #[inline]
    fn half_range(&self) -> f64 {
        match (self.worst, self.best) {
            (Some(worst), Some(best)) => (best as f64 - worst as f64) / 2.0,
            _ => 0.0,
        }
    }
}

/// The outcome of any game, once its type is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnyOutcome {
    /// Of a game between two sides.
    Duel(Duel),
    /// Of a puzzle.
    Points(i64),
}

impl Display for AnyOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AnyOutcome::Duel(duel) => Display::fmt(&duel, f),
            AnyOutcome::Points(points) => Display::fmt(&Points(points), f),
        }
    }
}

/// A duel's end, or its value under perfect play, from one side's point of view.
/// Ordered: a loss is less than a draw, a draw less than a win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wdl {
    /// This side loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// This side wins.
    Win,
}

impl Wdl {
    /// +1, 0 or −1.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        self as i32 - 1
    }

    /// The same end as the opponent sees it.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The absolute end that `side` sees so.
    #[inline]
    #[must_use]
    pub const fn of(self, side: Side) -> Duel {
        match self {
            Wdl::Win => Duel::Won(side),
            Wdl::Draw => Duel::Drawn,
            Wdl::Loss => Duel::Won(side.other()),
        }
    }
}

impl Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        })
    }
}
