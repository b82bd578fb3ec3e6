//! What can go wrong with a bot, in the sentence that is recorded when it forfeits.

/// Why a bot does not do what it should.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BotError {
    /// Its process cannot be started.
    #[error("the bot could not be started: {0}")]
    Start(String),
    /// Its process is gone.
    #[error("the bot {how} while {wanted} was expected{}", last_words(words))]
    Ended {
        /// How it ended.
        how: String,
        /// What it was to say.
        wanted: &'static str,
        /// The last line it wrote to standard error.
        words: String,
    },
    /// It says nothing, or nothing that was asked.
    #[error("the bot gave no {wanted} within {seconds} s{}{}", last_line(line), last_words(words))]
    Silent {
        /// What it was to say.
        wanted: &'static str,
        /// How long it had.
        seconds: f64,
        /// The last line it said instead.
        line: String,
        /// The last line it wrote to standard error.
        words: String,
    },
    /// It says too much.
    #[error("the bot flooded: more than {lines} lines without {wanted}")]
    Flood {
        /// How many lines are borne.
        lines: usize,
        /// What it was to say.
        wanted: &'static str,
    },
    /// It writes a line without end.
    #[error("the bot flooded: a line of more than {bytes} bytes")]
    LongLine {
        /// How many bytes are borne.
        bytes: usize,
    },
    /// It does not read what it is told.
    #[error("the bot does not read its input")]
    Deaf,
    /// It plays other games.
    #[error("the bot plays {known}, not {game}")]
    OtherGame {
        /// What it was to play.
        game: String,
        /// What it plays, in words.
        known: String,
    },
    /// It says itself that it cannot.
    #[error("the bot says: {0}")]
    Says(String),
}

/// Characters of a bot's own words that a reason holds.
const SHOWN_CHARACTERS: usize = 200;

/// The beginning of a text that a bot wrote, without control characters.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(SHOWN_CHARACTERS).collect()
}

fn last_words(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("; its last words: {words:?}") }
}

fn last_line(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("; it said {line:?} instead") }
}
