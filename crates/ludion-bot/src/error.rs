//! The error type of bots. Its message is recorded as the reason when a bot forfeits a game.

/// Error of a bot that does not start, does not answer, or breaks the protocol.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BotError {
    /// The process cannot be started; the message says why.
    #[error("the bot could not be started: {0}")]
    StartFailed(String),
    /// The process ended while a reply was expected.
    #[error("the bot {how} while {expected} was expected{}", stderr_suffix(stderr))]
    Exited {
        /// How the process ended, such as "ended with status 1".
        how: String,
        /// Reply that was expected, such as "bestmove".
        expected: &'static str,
        /// Last line that the bot wrote to standard error.
        stderr: String,
    },
    /// The expected reply did not come in time.
    #[error(
        "the bot gave no {expected} within {seconds} s{}{}",
        line_suffix(line),
        stderr_suffix(stderr)
    )]
    Timeout {
        /// Reply that was expected, such as "bestmove".
        expected: &'static str,
        /// Time limit in seconds.
        seconds: f64,
        /// Last line that the bot wrote and that is not part of the protocol.
        line: String,
        /// Last line that the bot wrote to standard error.
        stderr: String,
    },
    /// The bot wrote too many lines before the expected reply.
    #[error("the bot flooded: more than {lines} lines without {expected}")]
    TooManyLines {
        /// Maximum number of lines before a reply.
        lines: usize,
        /// Reply that was expected, such as "bestmove".
        expected: &'static str,
    },
    /// The bot wrote a line that is too long.
    #[error("the bot flooded: a line of more than {bytes} bytes")]
    LongLine {
        /// Maximum number of bytes in a line.
        bytes: usize,
    },
    /// The bot does not read its standard input, so that a command could not be written in time.
    #[error("the bot does not read its input")]
    InputBlocked,
    /// The bot announces games, but not the requested one.
    #[error("the bot plays {known}, not {game}")]
    OtherGame {
        /// Name of the requested game.
        game: String,
        /// Names of the games that the bot announces, separated by commas.
        known: String,
    },
    /// The protocol of the bot has no such game or position; the message says why.
    #[error("{0}")]
    Unplayable(String),
    /// The bot replied with `error` and this message.
    #[error("the bot says: {0}")]
    Reported(String),
}

/// Maximum number of characters of a bot's output that a message quotes.
const MAX_QUOTED_CHARACTERS: usize = 200;

/// Returns the beginning of a text that a bot wrote, without control characters.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_QUOTED_CHARACTERS).collect()
}

fn stderr_suffix(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its last error output: {stderr:?}") }
}

fn line_suffix(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("; it wrote {line:?} instead") }
}
