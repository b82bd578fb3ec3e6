//! Clocks of games: the time that each side has, as in chess. `10+0.1` is ten seconds for the game and
//! a tenth more with every move; `40/60+0.5` is sixty seconds for every forty moves.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::notation::quoted_excerpt;
use crate::player::ClockTimes;

/// The time that each side has for a game.
///
/// ```
/// use ludion_players::arena::clock::TimeControl;
/// let control: TimeControl = "40/60+0.5".parse().unwrap();
/// assert_eq!((control.moves, control.time.as_secs()), (Some(40), 60));
/// assert_eq!(control.to_string(), "40/60+0.5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The number of moves after which the time is given anew; `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start, and after every `moves` moves.
    pub time: Duration,
    /// The time that a side gains with every move.
    pub increment: Duration,
}

/// Error of a text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} is not a time control; write seconds with an increment, such as 10+0.1, and moves before a \
     slash if the time is given anew after so many, such as 40/60+0.5",
    quoted_excerpt(.0)
)]
pub struct ParseTimeControlError(String);

/// The longest time of a clock: a day.
const MAX_TIME: Duration = Duration::from_secs(86_400);

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let error = || ParseTimeControlError(text.to_owned());
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => (Some(moves.trim()), times),
            None => (None, text),
        };
        let moves = moves.map(|moves| moves.parse::<u32>().ok().filter(|&moves| moves > 0));
        let (time, increment) = times.split_once('+').unwrap_or((times, "0"));
        let time = seconds(time).filter(|time| !time.is_zero()).ok_or_else(error)?;
        let increment = seconds(increment).ok_or_else(error)?;
        match moves {
            Some(None) => Err(error()),
            moves => Ok(TimeControl { moves: moves.flatten(), time, increment }),
        }
    }
}

/// Parses a number of seconds, to the microsecond.
fn seconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_number)?;
    let time = Duration::try_from_secs_f64(value).ok().filter(|time| *time <= MAX_TIME)?;
    Some(Duration::from_micros((time.as_nanos() as u64 + 500) / 1000))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.time.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = ParseTimeControlError;

    fn try_from(text: String) -> Result<Self, ParseTimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// The clocks of one game under way.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    margin: Duration,
    remaining: [Duration; 2],
    moves: [u32; 2],
}

impl GameClock {
    /// Creates the clocks of a new game. A side may overstep its time by `margin` before it loses.
    #[must_use]
    pub fn new(control: TimeControl, margin: Duration) -> Self {
        GameClock { control, margin, remaining: [control.time; 2], moves: [0; 2] }
    }

    /// Returns what the clocks show to a player of `side`.
    #[must_use]
    pub fn times(&self, side: Side) -> ClockTimes {
        let made = self.moves[side.index()];
        ClockTimes {
            remaining: self.remaining,
            increment: [self.control.increment; 2],
            moves_to_go: self.control.moves.map(|moves| moves - made % moves),
        }
    }

    /// Takes the time of a move from the clock of `side`, and adds the increment. Returns whether the
    /// side was in time.
    pub fn spend(&mut self, side: Side, time: Duration) -> bool {
        let (left, made) = (&mut self.remaining[side.index()], &mut self.moves[side.index()]);
        if time > *left + self.margin {
            *left = Duration::ZERO;
            return false;
        }
        *made = made.saturating_add(1);
        *left = left.saturating_sub(time) + self.control.increment;
        if self.control.moves.is_some_and(|moves| made.is_multiple_of(moves)) {
            *left += self.control.time;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_read_as_it_is_written() {
        for text in ["10+0.1", "40/60+0.5", "0.25+0", "1/0.001+3600"] {
            let control: TimeControl = text.parse().expect("a time control");
            assert_eq!(control.to_string(), text);
            let json = serde_json::to_string(&control).expect("JSON");
            assert_eq!(serde_json::from_str::<TimeControl>(&json).expect("a control"), control);
        }
        assert_eq!("10".parse::<TimeControl>().expect("a time control").to_string(), "10+0");
        for text in ["", "0+1", "x", "10+", "0/10", "-1+0", "1e3", "10+0.1+2", "a/10", "99999999"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_loses_the_time_of_each_move_and_gains_the_increment() {
        let ms = Duration::from_millis;
        let mut clock = GameClock::new("2/1+0.1".parse().expect("a time control"), ms(5));
        assert_eq!(clock.times(Side::First).moves_to_go, Some(2));
        assert!(clock.spend(Side::First, ms(400)));
        assert_eq!(clock.times(Side::First).remaining, [ms(700), ms(1000)]);
        assert_eq!(clock.times(Side::First).moves_to_go, Some(1));
        assert_eq!(clock.times(Side::Second).moves_to_go, Some(2));
        assert!(clock.spend(Side::First, ms(704)), "within the margin");
        assert_eq!(clock.times(Side::First).remaining[0], ms(1100), "time for two more moves");
        assert!(!clock.spend(Side::Second, ms(1006)));
    }

    #[test]
    fn shares_of_a_clock_never_add_up_to_more_than_its_time() {
        for text in ["1+0", "0.1+0.01", "40/2+0"] {
            let mut clock = GameClock::new(text.parse().expect("a time control"), Duration::ZERO);
            for _ in 0..150 {
                let share = clock.times(Side::Second).share(Side::Second);
                assert!(clock.spend(Side::Second, share.min(clock.remaining[1])), "{text}");
            }
        }
    }
}
