//! Waits for a line of a bot. The wait has a time limit and a maximum number of lines, so that a bot
//! that hangs or floods its output is detected.

use std::time::{Duration, Instant};

use crate::error::{BotError, excerpt};
use crate::process::BotProcess;

/// Maximum number of lines that a bot may write before the expected reply.
const MAX_LINES: usize = 100_000;
/// Interval at which the stop condition is checked while a reply is awaited.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The reply that is awaited, and how long.
pub(crate) struct ReplyWait<'a> {
    /// The awaited reply, for messages.
    pub(crate) expected: &'static str,
    /// Time limit for the reply.
    pub(crate) limit: Duration,
    /// Time that the bot may take after it was told to stop.
    pub(crate) margin: Duration,
    /// Time limit for writing a line.
    pub(crate) write_limit: Duration,
    /// Returns whether the bot should be told to stop.
    pub(crate) stop: &'a dyn Fn() -> bool,
}

/// What a line means for a wait.
pub(crate) enum LineMeaning<T> {
    /// The awaited reply.
    Reply(T),
    /// A line of the protocol, after which the wait goes on.
    Other,
    /// Not a line of the protocol.
    Unknown,
}

impl ReplyWait<'_> {
    /// Reads lines until `read` finds the reply, and returns it. Sends the line `stop` once the stop
    /// condition holds.
    pub(crate) fn run<T>(
        &self,
        process: &mut BotProcess,
        mut read: impl FnMut(&str) -> Result<LineMeaning<T>, BotError>,
    ) -> Result<T, BotError> {
        let (start, expected) = (Instant::now(), self.expected);
        let (mut limit, mut stopped) = (self.limit, false);
        let (mut lines, mut last_unknown) = (0, String::new());
        loop {
            if !stopped && (self.stop)() {
                stopped = true;
                limit = limit.min(start.elapsed() + self.margin);
                process.write_line("stop", Instant::now() + self.write_limit)?;
            }
            let now = Instant::now();
            let deadline = start + limit;
            let line = process.read_line(expected, deadline.min(now + STOP_POLL_INTERVAL))?;
            // The time limit also applies to a bot that writes without pause.
            if Instant::now() >= deadline && (line.is_none() || now >= deadline) {
                let seconds = (limit.as_secs_f64() * 1e3).round() / 1e3;
                let (line, stderr) = (excerpt(&last_unknown), process.last_stderr_line());
                return Err(BotError::Timeout { expected, seconds, line, stderr });
            }
            let Some(line) = line else { continue };
            lines += 1;
            if lines > MAX_LINES {
                return Err(BotError::TooManyLines { lines: MAX_LINES, expected });
            }
            match read(&line)? {
                LineMeaning::Reply(reply) => return Ok(reply),
                LineMeaning::Other => {}
                LineMeaning::Unknown => last_unknown = line,
            }
        }
    }
}
