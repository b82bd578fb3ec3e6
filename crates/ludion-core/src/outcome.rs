//! Outcomes of games. [`Duel`] and [`Points`] are absolute; [`Wdl`] (win, draw, loss) is relative
//! to one side. They are separate types, so that the two points of view cannot be confused.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// The outcome of a finished game.
pub trait Outcome: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The type that counts the outcomes of many games.
    type Tally: OutcomeTally;

    /// Adds this outcome to a tally.
    fn count(self, tally: &mut Self::Tally);

    /// Returns the number of games of each kind of outcome, which add up to all games. A duel has
    /// three kinds: won by the first side, won by the second side, drawn. A puzzle has one.
    fn kinds(tally: &Self::Tally) -> Vec<u64>;

    /// Returns the value of the outcome for `side`: +1, 0 or −1 for a duel, the points for a
    /// puzzle.
    fn worth(self, side: Side) -> f64;

    /// Converts the outcome to [`AnyOutcome`], the type for the outcomes of all games.
    fn any(self) -> AnyOutcome;
}

/// Counts of the outcomes of many games, and their mean for one side.
pub trait OutcomeTally: Default + Copy + Eq + Debug + Send + Sync + 'static {
    /// Returns the number of games counted.
    fn games(&self) -> u64;

    /// Returns the mean utility of the games for `side`; 0 without games. Unlike in
    /// [`Outcome::worth`], a drawn duel is worth half a win: see [`mean_utility`]. For puzzles it
    /// is the mean of the points.
    fn utility(&self, side: Side) -> f64;

    /// Returns half the distance between the lowest and the highest value of a game: 1 for duels,
    /// half the range of the points counted so far for puzzles. The exploration terms of tree
    /// search are scaled by it.
    fn half_range(&self) -> f64;
}

/// Returns the mean utility of `win` won, `loss` lost and `draw` drawn games, `(win − loss +
/// draw/2) / (win + loss + draw)`, from −1 to 1; 0 without games. The formula is that of the
/// function `scoring` in an exercise by M.-M. Corsini (see the README).
///
/// ```
/// assert_eq!(ludion_core::outcome::mean_utility(5, 2, 1), 0.4375);
/// ```
#[inline]
#[must_use]
pub fn mean_utility(win: u64, loss: u64, draw: u64) -> f64 {
    match win + loss + draw {
        0 => 0.0,
        games => (win as f64 - loss as f64 + 0.5 * draw as f64) / games as f64,
    }
}

/// The outcome of a game between two sides: won by one of them, or drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Duel {
    /// This side won.
    Won(Side),
    /// Neither side won.
    Drawn,
}

impl Duel {
    /// Returns the outcome from the point of view of `side`.
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

/// Numbers of duels won by each side and drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct DuelTally {
    /// Number of games won by the first side, then by the second side.
    pub wins: [u64; 2],
    /// Number of games drawn.
    pub draws: u64,
}

impl DuelTally {
    /// Returns the number of games counted.
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

/// The outcome of a puzzle: the points scored.
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

/// Number of puzzles played, with the sum, maximum and minimum of their points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PointsTally {
    /// Number of games counted.
    pub games: u64,
    /// Sum of the points of all games.
    pub sum: i128,
    /// Highest points of a game; `None` without games.
    pub best: Option<i64>,
    /// Lowest points of a game; `None` without games.
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

/// The outcome of a game of any type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnyOutcome {
    /// The outcome of a game between two sides.
    Duel(Duel),
    /// The points scored in a puzzle.
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

/// The outcome of a duel, or its value under perfect play, from one side's point of view. Ordered:
/// loss < draw < win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wdl {
    /// The side from whose point of view the game is seen loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side from whose point of view the game is seen wins.
    Win,
}

impl Wdl {
    /// Returns +1 for a win, 0 for a draw, −1 for a loss.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        self as i32 - 1
    }

    /// Returns the same result from the opponent's point of view.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// Returns the outcome of the duel if this is the result for `side`.
    #[inline]
    #[must_use]
    pub const fn to_duel(self, side: Side) -> Duel {
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

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `Wdl`")]
pub type Verdict = Wdl;
