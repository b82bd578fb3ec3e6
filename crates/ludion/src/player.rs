//! What a player is: asked for a move in a state, within a budget, it answers with a
//! [`Choice`] that explains itself. The terminal, the arena and the web page show the
//! same choice.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::outcome::Wdl;

/// What a player may spend on one move. What is `None` is not limited by the budget; a
/// player then falls back on its own parameters.
///
/// ```
/// use ludion::player::Budget;
/// let budget: Budget = "100ms, 5000 sims".parse().unwrap();
/// assert_eq!(budget.simulations, Some(5000));
/// assert_eq!(budget.to_string(), "100ms,5000sims");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Random games.
    pub simulations: Option<u64>,
    /// States visited.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
}

impl Budget {
    /// Whatever the player's own parameters say.
    pub const UNLIMITED: Budget =
        Budget { time: None, simulations: None, nodes: None, depth: None };
}

/// What a budget can limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BudgetUnit {
    /// Time on the clock.
    Time,
    /// Random games.
    Simulations,
    /// States visited.
    Nodes,
    /// Plies looked ahead.
    Depth,
}

impl BudgetUnit {
    /// All of them.
    pub const ALL: [BudgetUnit; 4] =
        [BudgetUnit::Time, BudgetUnit::Simulations, BudgetUnit::Nodes, BudgetUnit::Depth];

    /// Its name.
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
    /// What it limits.
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

/// Why a text is no budget.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no budget; write a number and a unit, such as 100ms, 2s, 1000sims, 50000nodes or \
     8plies, several with commas between"
)]
pub struct BudgetError(String);

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Self, BudgetError> {
        let mut budget = Budget::UNLIMITED;
        for part in text.split(',').map(str::trim) {
            let error = || BudgetError(part.to_owned());
            let unit_at = part.find(|c: char| c.is_alphabetic()).ok_or_else(error)?;
            let (number, unit) = (part[..unit_at].trim(), &part[unit_at..]);
            let whole = || number.parse::<u64>().ok().filter(|&n| n > 0).ok_or_else(error);
            let seconds = |scale: f64| {
                let value = number.parse::<f64>().ok().filter(|v| *v > 0.0).ok_or_else(error)?;
                let time = Duration::try_from_secs_f64(value * scale).map_err(|_| error())?;
                if time.is_zero() { Err(error()) } else { Ok(time) }
            };
            let repeated = match unit {
                "ms" => budget.time.replace(seconds(1e-3)?).is_some(),
                "s" => budget.time.replace(seconds(1.0)?).is_some(),
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

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [
            self.time.map(|t| format!("{}ms", t.as_secs_f64() * 1e3)),
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

/// What a player found out about one move of the root.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RootLine<M> {
    /// The move.
    #[serde(rename = "move")]
    pub play: M,
    /// What it is worth to the side that moves: −1 to +1 in a duel, points in a puzzle.
    pub value: Option<f64>,
    /// How often it was tried, where the player counts that.
    pub visits: u64,
    /// Its exact worth, where the player proved it.
    pub proven: Option<Proof>,
    /// The moves expected after it; it stands itself first.
    pub variation: Vec<M>,
}

impl<M: Clone> RootLine<M> {
    /// A line about which only its move is known.
    pub fn of(play: M) -> Self {
        let variation = vec![play.clone()];
        RootLine { play, value: None, visits: 0, proven: None, variation }
    }
}

/// An exact result, for the side that moves at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// What perfect play by both comes to.
    pub verdict: Wdl,
    /// In how many plies from the root, where the player knows.
    pub plies: Option<u32>,
}

/// A decision that explains itself.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice<M> {
    /// The move chosen.
    pub best: M,
    /// Every move of the root the player looked at, in the order of the game; empty for
    /// players that look at nothing.
    pub lines: Vec<RootLine<M>>,
    /// States visited.
    pub nodes: u64,
    /// Random games played.
    pub simulations: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Time it took.
    #[serde(rename = "seconds", serialize_with = "in_seconds")]
    pub time: Duration,
}

/// A time as machines read it: seconds, as a number.
fn in_seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl<M: PartialEq> Choice<M> {
    /// A bare choice: nothing looked at, nothing spent.
    pub fn bare(best: M) -> Self {
        Choice { best, lines: Vec::new(), nodes: 0, simulations: 0, depth: 0, time: Duration::ZERO }
    }

    /// The line of the chosen move, if the player explains it.
    pub fn best_line(&self) -> Option<&RootLine<M>> {
        self.lines.iter().find(|line| line.play == self.best)
    }
}

/// How much of a search tree somebody wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// Plies below the root.
    pub depth: u32,
    /// Moves of one state, those visited most.
    pub width: usize,
}

/// One move of a search tree, with what was found below it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeBranch<M> {
    /// The move.
    #[serde(rename = "move")]
    pub play: M,
    /// What it is worth to the side that plays it.
    pub value: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// Its exact worth to the side that plays it, where it is proven.
    pub proven: Option<Wdl>,
    /// The moves after it that were tried, the most visited first.
    pub children: Vec<TreeBranch<M>>,
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The game is over.
    #[error("the game is over, there is no move to choose")]
    Over,
    /// The player could not do its work.
    #[error("{0}")]
    Failed(String),
}

/// Somebody who looks on while a player thinks, and may stop it.
pub trait Observer<M>: Sync {
    /// How often to report; `None`: never.
    fn interval(&self) -> Option<Duration> {
        None
    }

    /// What the player thinks at the moment.
    fn report(&self, so_far: &Choice<M>) {
        let _ = so_far;
    }

    /// How much of the search tree to show with every report and in the end; `None`: nothing.
    fn pruning(&self) -> Option<TreeLimits> {
        None
    }

    /// The top of the search tree, from a player that has one.
    fn tree(&self, branches: &[TreeBranch<M>]) {
        let _ = branches;
    }

    /// Whether the player should answer now with what it has.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody looks on.
pub struct NoObserver;

impl<M> Observer<M> for NoObserver {}

/// One question to a player.
pub struct MoveRequest<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The state to choose a move in.
    pub state: &'a G::State,
    /// What may be spent.
    pub budget: Budget,
    /// Who looks on.
    pub observer: &'a dyn Observer<G::Move>,
}

impl<'a, G: Game> MoveRequest<'a, G> {
    /// A question that nobody watches.
    pub fn new(game: &'a G, state: &'a G::State, budget: Budget) -> Self {
        MoveRequest { game, state, budget, observer: &NoObserver }
    }
}

/// Chooses moves in a game.
pub trait Player<G: Game>: Send {
    /// A new game begins: forget the last one and draw from `seed` from now on.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// When the game is over, or the player cannot do its work.
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError>;
}

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
