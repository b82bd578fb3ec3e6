//! Command `go`: the budget of a bot for one move. `movetime`, `depth`, `nodes`, `infinite` and the
//! clocks `p1time`… are plain UGI; `simulations` is an extension.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ludion_players::game::Side;
use ludion_players::player::{Budget, ClockTimes};

use super::command::{BotCommandError, malformed};

/// Arguments of `go`. Times are in milliseconds; `None` means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GoParameters {
    /// Time for this move, in milliseconds.
    pub movetime: Option<u64>,
    /// Maximum search depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of states to visit.
    pub nodes: Option<u64>,
    /// Maximum number of simulations. An extension of UGI.
    pub simulations: Option<u64>,
    /// Whether to search until the command `stop`.
    pub infinite: bool,
    /// Clocks of both sides for the rest of the game.
    pub clock: GameClock,
}

/// Time that both sides have left for the rest of a game, in milliseconds. `None` means that the
/// command does not say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameClock {
    /// Remaining time of the first and the second side.
    pub time: [Option<u64>; 2],
    /// Time that the first and the second side gain with every move.
    pub increment: [Option<u64>; 2],
    /// Number of moves until the side to move gets more time.
    pub moves_to_go: Option<u32>,
}

impl GoParameters {
    /// Converts a budget to arguments that a bot supports. Simulations become nodes if the bot does
    /// not support simulations. An unlimited budget becomes `default_movetime` milliseconds, if
    /// given, because a plain UGI bot may treat `go` without arguments as an infinite search.
    #[must_use]
    pub fn from_budget(
        budget: &Budget,
        supports_simulations: bool,
        default_movetime: Option<u64>,
    ) -> Self {
        let simulations = budget.simulations.filter(|_| supports_simulations);
        let as_nodes = budget.simulations.filter(|_| !supports_simulations);
        let mut go = GoParameters {
            movetime: budget.time.map(milliseconds),
            depth: budget.depth,
            nodes: budget.nodes.or(as_nodes),
            simulations,
            ..GoParameters::default()
        };
        if go == GoParameters::default() {
            go.movetime = default_movetime;
        }
        go
    }

    /// Replaces the time for the move by the clocks of the game.
    #[must_use]
    pub fn with_clock(self, clock: &ClockTimes) -> Self {
        let clock = GameClock {
            time: clock.remaining.map(|time| Some(milliseconds(time))),
            increment: clock.increment.map(|time| Some(time.as_millis() as u64)),
            moves_to_go: clock.moves_to_go,
        };
        GoParameters { movetime: None, clock, ..self }
    }

    /// Returns the budget of `side` for the move. Without `movetime`, the time budget is a share of
    /// the time on the clock of `side`.
    #[must_use]
    pub fn budget(&self, side: Side) -> Budget {
        let times =
            |given: [Option<u64>; 2]| given.map(|ms| Duration::from_millis(ms.unwrap_or(0)));
        let clock = ClockTimes {
            remaining: times(self.clock.time),
            increment: times(self.clock.increment),
            moves_to_go: self.clock.moves_to_go,
        };
        let share = self.clock.time[side.index()].map(|_| clock.share(side));
        Budget {
            time: self.movetime.map(Duration::from_millis).or(share),
            simulations: self.simulations,
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

/// Converts a time to milliseconds, at least one.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

impl fmt::Display for GoParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [time, increment] = [self.clock.time, self.clock.increment];
        let numbers = [
            ("p1time", time[0]),
            ("p2time", time[1]),
            ("p1inc", increment[0]),
            ("p2inc", increment[1]),
            ("movestogo", self.clock.moves_to_go.map(u64::from)),
            ("movetime", self.movetime),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("simulations", self.simulations),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        f.write_str(if self.infinite { " infinite" } else { "" })
    }
}

impl FromStr for GoParameters {
    type Err = BotCommandError;

    fn from_str(text: &str) -> Result<Self, BotCommandError> {
        const FORM: &str = "go [movetime MS] [depth N] [nodes N] [simulations N] [infinite] \
                            [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [movestogo N]";
        let form = || malformed(FORM, text);
        let mut go = GoParameters::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or_else(form);
            match word {
                "movetime" => go.movetime = Some(number()?),
                "depth" => go.depth = Some(u32::try_from(number()?).map_err(|_| form())?),
                "nodes" => go.nodes = Some(number()?),
                "simulations" => go.simulations = Some(number()?),
                "infinite" => go.infinite = true,
                "p1time" => go.clock.time[0] = Some(number()?),
                "p2time" => go.clock.time[1] = Some(number()?),
                "p1inc" => go.clock.increment[0] = Some(number()?),
                "p2inc" => go.clock.increment[1] = Some(number()?),
                "movestogo" => {
                    go.clock.moves_to_go = Some(u32::try_from(number()?).map_err(|_| form())?);
                }
                _ => return Err(form()),
            }
        }
        Ok(go)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = Option<u64>> {
        proptest::option::of(any::<u64>())
    }

    proptest! {
        #[test]
        fn the_text_of_go_parses_as_the_same_arguments(
            movetime in number(),
            depth in proptest::option::of(any::<u32>()),
            nodes in number(),
            simulations in number(),
            infinite: bool,
            time in [number(), number()],
            increment in [number(), number()],
            moves_to_go in proptest::option::of(any::<u32>()),
        ) {
            let clock = GameClock { time, increment, moves_to_go };
            let go = GoParameters { movetime, depth, nodes, simulations, infinite, clock };
            prop_assert_eq!(go.to_string().parse(), Ok(go));
            let _ = go.budget(Side::First);
        }
    }

    #[test]
    fn a_budget_is_converted_to_arguments_that_the_bot_supports() {
        let budget: Budget = "0.2ms,500sims".parse().unwrap();
        assert_eq!(
            GoParameters::from_budget(&budget, true, None).to_string(),
            " movetime 1 simulations 500"
        );
        assert_eq!(
            GoParameters::from_budget(&budget, false, None).to_string(),
            " movetime 1 nodes 500"
        );
        assert_eq!(GoParameters::from_budget(&Budget::UNLIMITED, true, None).to_string(), "");
        assert_eq!(
            GoParameters::from_budget(&Budget::UNLIMITED, false, Some(9)).to_string(),
            " movetime 9"
        );
        let budget: Budget = "8plies,3nodes".parse().unwrap();
        assert_eq!(GoParameters::from_budget(&budget, false, Some(9)).budget(Side::First), budget);
    }

    #[test]
    fn a_clock_is_shared_among_the_expected_moves_and_never_overdrawn() {
        let time = |text: &str, side| text.parse::<GoParameters>().unwrap().budget(side).time;
        let clock = "p1time 30000 p2time 60000 p1inc 400 p2inc 0";
        assert_eq!(time(clock, Side::First), Some(Duration::from_millis(1300)));
        assert_eq!(time(clock, Side::Second), Some(Duration::from_millis(2000)));
        assert_eq!(time("p1time 10 p1inc 5000", Side::First), Some(Duration::from_millis(5)));
        assert_eq!(time("p1time 0", Side::First), Some(Duration::from_millis(1)));
        let few = "p1time 30000 movestogo 9";
        assert_eq!(time(few, Side::First), Some(Duration::from_millis(3000)));
    }

    #[test]
    fn the_clocks_of_a_game_take_the_place_of_the_time_for_the_move() {
        let clock = ClockTimes {
            remaining: [Duration::from_millis(9500), Duration::from_micros(300)],
            increment: [Duration::from_millis(100); 2],
            moves_to_go: Some(12),
        };
        let budget: Budget = "300ms,7nodes".parse().unwrap();
        assert_eq!(
            GoParameters::from_budget(&budget, false, None).with_clock(&clock).to_string(),
            " p1time 9500 p2time 1 p1inc 100 p2inc 100 movestogo 12 nodes 7"
        );
    }
}
