//! The [`Player`] trait. A player answers a [`MoveRequest`] (a state with a budget) with a
//! [`Choice`]: a move and what the player found out about each move. The terminal, the arena and
//! the web pages show these choices.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use crate::details::{MemoryBound, MemoryEntry, MoveGames, PositionGames, SearchDetails};
use crate::game::{Game, Side, Status};
use crate::notation::quoted_excerpt;
use crate::outcome::Wdl;
use crate::repetition::GamePath;

/// Limits of what a player may spend on one move. A limit that is `None` does not apply; the player
/// then uses its own parameters.
///
/// ```
/// use ludion_core::player::Budget;
/// let budget: Budget = "100ms, 5000 sims".parse().unwrap();
/// assert_eq!(budget.simulations, Some(5000));
/// assert_eq!(budget.to_string(), "100ms,5000sims");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Maximum wall-clock time.
    pub time: Option<Duration>,
    /// Maximum number of simulations, each with one playout.
    pub simulations: Option<u64>,
    /// Maximum number of states visited by the search.
    pub nodes: Option<u64>,
    /// Maximum search depth in plies.
    pub depth: Option<u32>,
}

impl Budget {
    /// A budget without limits: the player's own parameters decide.
    pub const UNLIMITED: Budget =
        Budget { time: None, simulations: None, nodes: None, depth: None };
}

/// A quantity that a budget can limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BudgetUnit {
    /// Wall-clock time.
    Time,
    /// Number of simulations, each with one playout.
    Simulations,
    /// Number of states visited by the search.
    Nodes,
    /// Search depth in plies.
    Depth,
}

impl BudgetUnit {
    /// All units, in the order in which budgets are written.
    pub const ALL: [BudgetUnit; 4] =
        [BudgetUnit::Time, BudgetUnit::Simulations, BudgetUnit::Nodes, BudgetUnit::Depth];

    /// Returns the unit in words, such as `simulations`, for help and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BudgetUnit::Time => "time",
            BudgetUnit::Simulations => "simulations",
            BudgetUnit::Nodes => "nodes",
            BudgetUnit::Depth => "depth",
        }
    }
}

impl Budget {
    /// Returns the units that this budget limits.
    #[must_use]
    pub fn units(&self) -> Vec<BudgetUnit> {
        let given = |unit: &BudgetUnit| match unit {
            BudgetUnit::Time => self.time.is_some(),
            BudgetUnit::Simulations => self.simulations.is_some(),
            BudgetUnit::Nodes => self.nodes.is_some(),
            BudgetUnit::Depth => self.depth.is_some(),
        };
        BudgetUnit::ALL.into_iter().filter(given).collect()
    }
}

/// Error of a text that is not a budget; it holds the part that does not parse.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} is not a budget; write a number and a unit, such as 100ms, 2s, 1000sims, 50000nodes \
     or 8plies, or several of them separated by commas",
    quoted_excerpt(.0)
)]
pub struct ParseBudgetError(String);

impl FromStr for Budget {
    type Err = ParseBudgetError;

    fn from_str(text: &str) -> Result<Self, ParseBudgetError> {
        let mut budget = Budget::UNLIMITED;
        for part in text.split(',').map(str::trim) {
            let error = || ParseBudgetError(part.to_owned());
            let unit_at = part.find(|c: char| c.is_alphabetic()).ok_or_else(error)?;
            let (number, unit) = (part[..unit_at].trim(), &part[unit_at..]);
            let whole = || number.parse::<u64>().ok().filter(|&n| n > 0).ok_or_else(error);
            let seconds = |unit| duration(number, unit).filter(|t| !t.is_zero()).ok_or_else(error);
            let repeated = match unit {
                "ms" => budget.time.replace(seconds(Duration::from_millis(1))?).is_some(),
                "s" => budget.time.replace(seconds(Duration::from_secs(1))?).is_some(),
                "sims" | "sim" => budget.simulations.replace(whole()?).is_some(),
                "nodes" | "node" => budget.nodes.replace(whole()?).is_some(),
                "plies" | "ply" => {
                    let plies = u32::try_from(whole()?).map_err(|_| error())?;
                    budget.depth.replace(plies).is_some()
                }
                _ => true,
            };
            if repeated {
                return Err(error());
            }
        }
        Ok(budget)
    }
}

/// Parses a number of time units. A number in digits is exact; one with an exponent is rounded.
fn duration(number: &str, unit: Duration) -> Option<Duration> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_exact =
        is_plain(whole) && is_plain(fraction) && whole.len() <= 23 && fraction.len() <= 9;
    if !is_exact || whole.is_empty() {
        let value = number.parse::<f64>().ok().filter(|value| *value > 0.0)?;
        return Duration::try_from_secs_f64(value * unit.as_secs_f64()).ok();
    }
    // In billionths of the unit.
    let digits: u128 = format!("{whole}{fraction:0<9}").parse().ok()?;
    let nanos = digits.checked_mul(unit.as_nanos())? / 1_000_000_000;
    let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
    Some(Duration::new(seconds, (nanos % 1_000_000_000) as u32))
}

/// Writes a time in milliseconds with all its digits.
fn milliseconds(time: Duration) -> String {
    let nanos = time.as_nanos();
    let text = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
    format!("{}ms", text.trim_end_matches('0').trim_end_matches('.'))
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [
            self.time.map(milliseconds),
            self.simulations.map(|n| format!("{n}sims")),
            self.nodes.map(|n| format!("{n}nodes")),
            self.depth.map(|n| format!("{n}plies")),
        ]
        .into_iter()
        .flatten()
        .collect();
        f.write_str(if parts.is_empty() { "unlimited" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

/// What a player found out about one root move: a legal move of the state in which it chooses.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RootLine<M> {
    /// The root move that the line is about.
    #[serde(rename = "move")]
    pub play: M,
    /// The estimated value for the side to move: −1 to +1 in a duel, points in a puzzle.
    pub value: Option<f64>,
    /// The number of times that the search visited the move; 0 if the player does not count visits.
    pub visits: u64,
    /// The exact result for the side to move, if the player proved it.
    pub proven: Option<Proof>,
    /// The probability that a network gives the move before the search; `None` without a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The expected continuation, beginning with the move itself.
    pub variation: Vec<M>,
}

impl<M: Clone> RootLine<M> {
    /// Creates a line without value, visits and proof.
    pub fn new(play: M) -> Self {
        let variation = vec![play.clone()];
        RootLine { play, value: None, visits: 0, proven: None, prior: None, variation }
    }
}

impl<M> RootLine<M> {
    /// Returns the line with `f` of every move.
    pub fn map<N>(&self, f: &dyn Fn(&M) -> N) -> RootLine<N> {
        RootLine {
            play: f(&self.play),
            value: self.value,
            visits: self.visits,
            proven: self.proven,
            prior: self.prior,
            variation: self.variation.iter().map(f).collect(),
        }
    }
}

/// An exact result under perfect play, from the point of view of the side to move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The result for the side to move at the root.
    pub verdict: Wdl,
    /// The number of plies from the root to the end of the game, if the player knows it.
    pub plies: Option<u32>,
}

/// The move that a player chose, with what it found out about all moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice<M> {
    /// The chosen move.
    pub best: M,
    /// A line for every root move that the player examined, in the order of [`Game::moves`]; empty
    /// for players that examine none.
    pub lines: Vec<RootLine<M>>,
    /// Number of states visited by the search.
    pub nodes: u64,
    /// Number of simulations run.
    pub simulations: u64,
    /// Search depth reached, in plies; 0 for players that do not search by depth.
    pub depth: u32,
    /// Time that the choice took.
    #[serde(rename = "seconds", serialize_with = "in_seconds")]
    pub time: Duration,
}

/// Serializes a duration as a floating-point number of seconds.
fn in_seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl<M> Choice<M> {
    /// Returns the choice with `f` of every move.
    pub fn map<N>(&self, f: &dyn Fn(&M) -> N) -> Choice<N> {
        Choice {
            best: f(&self.best),
            lines: self.lines.iter().map(|line| line.map(f)).collect(),
            nodes: self.nodes,
            simulations: self.simulations,
            depth: self.depth,
            time: self.time,
        }
    }
}

impl<M: PartialEq> Choice<M> {
    /// Creates a choice of a move without lines and with all counters at zero.
    #[inline]
    pub fn bare(best: M) -> Self {
        Choice { best, lines: Vec::new(), nodes: 0, simulations: 0, depth: 0, time: Duration::ZERO }
    }

    /// Returns the line of the chosen move, if there is one.
    pub fn best_line(&self) -> Option<&RootLine<M>> {
        self.lines.iter().find(|line| line.play == self.best)
    }
}

/// Limits of the part of the search tree that an observer receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeReportLimits {
    /// Maximum depth below the root, in plies.
    pub depth: u32,
    /// Maximum number of children of a node; the most visited ones are reported.
    pub width: usize,
}

/// A node of a reported search tree: a move with its statistics and the nodes after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeBranch<M> {
    /// The move that leads to the node.
    #[serde(rename = "move")]
    pub play: M,
    /// The estimated value for the side that plays the move: −1 to +1 in a duel, points in a
    /// puzzle.
    pub value: Option<f64>,
    /// The number of times that the search visited the node.
    pub visits: u64,
    /// The exact value for the side that plays the move, if it is proven.
    pub proven: Option<Wdl>,
    /// The visited children of the node, the most visited first.
    pub children: Vec<TreeBranch<M>>,
}

impl<M> TreeBranch<M> {
    /// Returns the branch with `f` of every move.
    pub fn map<N>(&self, f: &dyn Fn(&M) -> N) -> TreeBranch<N> {
        TreeBranch {
            play: f(&self.play),
            value: self.value,
            visits: self.visits,
            proven: self.proven,
            children: self.children.iter().map(|child| child.map(f)).collect(),
        }
    }
}

/// Reasons why a player returns no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The game is over.
    #[error("the game is over, there is no move to choose")]
    Over,
    /// The player failed; the text is a sentence with the reason.
    #[error("{0}")]
    Failed(String),
}

/// Receives progress reports while a player searches, and can stop the search.
pub trait Observer<M>: Sync {
    /// Returns the time between two progress reports; `None` for no reports.
    fn interval(&self) -> Option<Duration> {
        None
    }

    /// Receives the best choice so far, once per [`Observer::interval`].
    fn report(&self, so_far: &Choice<M>) {
        let _ = so_far;
    }

    /// Returns which part of the search tree to report with every progress report and at the end of
    /// the search; `None` for no tree.
    fn tree_limits(&self) -> Option<TreeReportLimits> {
        None
    }

    /// Receives the top of the search tree: the branches of the root. Only players that build a
    /// tree call it.
    fn report_tree(&self, branches: &[TreeBranch<M>]) {
        let _ = branches;
    }

    /// Returns whether the player should compute the value of every root move, even if it needs
    /// that of the best move only to choose; an analysis does, a game does not.
    fn wants_all_values(&self) -> bool {
        false
    }

    /// Returns the maximum number of positions about which the player reports details at the end of
    /// its search; `None` for no details.
    fn details_limit(&self) -> Option<usize> {
        None
    }

    /// Receives the details of a search, once at its end. Only players that have details call it.
    fn report_details(&self, details: &SearchDetails) {
        let _ = details;
    }

    /// Returns whether the player should stop and return the best choice so far.
    fn should_stop(&self) -> bool {
        false
    }
}

/// An observer that ignores all reports and never stops a search.
pub struct NoObserver;

impl<M> Observer<M> for NoObserver {}

/// An observer that stops a search when a flag is set.
pub struct StopOnFlag<'a>(pub &'a AtomicBool);

impl<M> Observer<M> for StopOnFlag<'_> {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The clocks of both sides when a player is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTimes {
    /// The time that the first and the second side have left.
    pub remaining: [Duration; 2],
    /// The time that each side gains with every move.
    pub increment: [Duration; 2],
    /// The number of moves, this one included, until the side to move gets more time; `None` if the
    /// time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl ClockTimes {
    /// The number of moves until the end of a game by which the time left is divided.
    const EXPECTED_MOVES_LEFT: u32 = 30;
    /// The shortest time for a move.
    const SHORTEST: Duration = Duration::from_millis(1);

    /// Returns the time that `side` should take for its next move: a share of the time left and most
    /// of the increment, at most half of the time left.
    #[must_use]
    pub fn share(&self, side: Side) -> Duration {
        let (left, added) = (self.remaining[side.index()], self.increment[side.index()]);
        let to_go = self.moves_to_go.unwrap_or(Self::EXPECTED_MOVES_LEFT).saturating_add(1);
        let moves = to_go.min(Self::EXPECTED_MOVES_LEFT);
        (left / moves).saturating_add(added / 4 * 3).min(left / 2).max(Self::SHORTEST)
    }
}

/// A request for a move: the game, the state with the path that led to it, the budget and an
/// observer.
pub struct MoveRequest<'a, G: Game> {
    /// The rules of the game.
    pub game: &'a G,
    /// The state to choose a move in.
    pub state: &'a G::State,
    /// The positions before `state`, which matter if the rules say something about repetitions.
    pub path: &'a GamePath,
    /// The limits of what the player may spend on this move. In a game with clocks they include a
    /// share of the time left.
    pub budget: Budget,
    /// The clocks of the game; `None` in a game without clocks.
    pub clock: Option<ClockTimes>,
    /// Receives progress reports and can stop the search.
    pub observer: &'a dyn Observer<G::Move>,
}

impl<'a, G: Game> MoveRequest<'a, G> {
    /// Creates a request in a state without a past, whose progress is not observed.
    #[inline]
    pub fn new(game: &'a G, state: &'a G::State, budget: Budget) -> Self {
        let (path, observer) = (GamePath::EMPTY, &NoObserver);
        MoveRequest { game, state, path, budget, clock: None, observer }
    }

    /// Returns the side to move, or the outcome if the game is over.
    #[inline]
    #[must_use]
    pub fn status(&self) -> Status<G::Outcome> {
        self.path.status(self.game, self.state)
    }

    /// Returns the legal moves, in the order of [`Game::moves`].
    #[must_use]
    pub fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.path.moves(self.game, self.state, &mut moves);
        moves
    }
}

/// Chooses moves in a game.
pub trait Player<G: Game>: Send {
    /// Starts a new game: forgets the previous one and seeds the random generator.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Chooses a move in the state of `request`.
    ///
    /// # Errors
    /// When the game is over, or the player fails.
    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError>;

    /// Returns the name that the player gives itself, as an external bot does; `None` if it is
    /// known by its spec.
    fn own_name(&mut self) -> Option<String> {
        None
    }

    /// Returns whether the player takes no time worth measuring, because it neither searches nor
    /// evaluates. The arena then reads no clock for it.
    fn is_instant(&self) -> bool {
        false
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `MoveRequest`")]
pub type Turn<'a, G> = MoveRequest<'a, G>;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `RootLine`")]
pub type Line<M> = RootLine<M>;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `PlayerError`")]
pub type Refusal = PlayerError;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `TreeBranch`")]
pub type Branch<M> = TreeBranch<M>;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_a_budget_or_an_error(text in ".{0,40}") {
            let _ = text.parse::<Budget>();
        }

        #[test]
        fn a_shown_budget_is_read_back(
            ms in proptest::option::of(1..1_000_000u64),
            simulations in proptest::option::of(1..u64::MAX),
            nodes in proptest::option::of(1..u64::MAX),
            depth in proptest::option::of(1..u32::MAX),
        ) {
            let budget = Budget { time: ms.map(Duration::from_millis), simulations, nodes, depth };
            if budget != Budget::UNLIMITED {
                prop_assert_eq!(budget.to_string().parse::<Budget>(), Ok(budget));
            }
        }
    }

    #[test]
    fn wrong_budgets_are_refused() {
        for text in [
            "",
            "100",
            "ms",
            "-5ms",
            "0sims",
            "1.5nodes",
            "5ms,6ms",
            "3 weeks",
            "0.0000000001s",
            "99999999999999999999999s",
        ] {
            assert!(text.parse::<Budget>().is_err(), "{text:?}");
        }
    }
}
