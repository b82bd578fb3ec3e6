//! Options for the numbers of pegs and colours that all Mastermind commands share, and texts about
//! codes.

use clap::Args;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::strategy::StrategyError;
use ludion::riddles::mastermind::breaker::{GuessAndFeedback, NoCodeLeftError};
use ludion::riddles::mastermind::{Code, Mastermind, PegFeedback};
use serde::Serialize;

use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::plural;

/// Numbers of pegs and colours.
#[derive(Args)]
pub(super) struct SizeArgs {
    /// Number of pegs of a code
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: usize,
    /// Number of colours that a peg can have
    #[arg(long, value_name = "N", default_value_t = 6)]
    colours: usize,
    /// No colour occurs twice in a code
    #[arg(long)]
    no_repeats: bool,
}

impl SizeArgs {
    /// Returns the rules with these numbers of pegs and colours.
    pub(super) fn rules(&self) -> Result<Mastermind, CommandFailure> {
        Mastermind::new(self.pegs, self.colours, !self.no_repeats)
            .map_err(|error| CommandFailure::Usage(error.to_string()))
    }
}

impl From<StrategyError> for CommandFailure {
    fn from(error: StrategyError) -> Self {
        CommandFailure::Usage(error.to_string())
    }
}

impl From<NoCodeLeftError> for CommandFailure {
    fn from(error: NoCodeLeftError) -> Self {
        CommandFailure::Failed(error.to_string())
    }
}

/// Returns the canonical spec of the riddle `mastermind` with these rules.
pub(super) fn spec(rules: &Mastermind) -> String {
    let repeats = if rules.repeats { "" } else { ", repeats=no" };
    format!("mastermind({}, {}{repeats})", rules.pegs, rules.colours)
}

/// A guess and its feedback in a report.
#[derive(Serialize)]
pub(super) struct AskedReport {
    guess: String,
    answer: String,
    /// Number of codes consistent with this feedback and all before, if it can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<usize>,
}

/// Converts guesses and feedback for a report, each with the number of codes left.
pub(super) fn said(
    rules: &Mastermind,
    codes: Option<&CodeTable>,
    asked: &[GuessAndFeedback],
) -> Vec<AskedReport> {
    let say = |(i, (guess, answer)): (usize, &(Code, PegFeedback))| AskedReport {
        guess: rules.show_code(guess),
        answer: answer.to_string(),
        left: codes.map(|codes| codes.consistent(&asked[..=i]).len()),
    };
    asked.iter().enumerate().map(say).collect()
}

/// Draws the guesses so far; returns an empty text before the first.
pub(super) fn board(rules: &Mastermind, asked: &[GuessAndFeedback]) -> String {
    if asked.is_empty() { String::new() } else { draw(&rules.scene(asked)) }
}

/// Describes the number of codes left and its logarithm in bits.
pub(super) fn left(count: usize) -> String {
    format!("{} left, {:.2} bits", plural(count as u64, "code"), (count.max(1) as f64).log2())
}

/// Largest number of codes that is written with all digits.
const WRITTEN: u128 = 1_000_000_000_000;

/// Describes the number of codes before the first guess.
pub(super) fn at_first(rules: &Mastermind) -> String {
    let colours = |place| if rules.repeats { rules.colours } else { rules.colours - place };
    let bits: f64 = (0..rules.pegs).map(|place| (colours(place) as f64).log2()).sum();
    match rules.size().filter(|&size| size <= WRITTEN) {
        Some(size) => format!("{size} codes at first, {bits:.2} bits"),
        None => {
            format!(
                "about 10^{:.0} codes at first, {bits:.2} bits",
                bits * std::f64::consts::LOG10_2
            )
        }
    }
}

/// Formats a number of guesses with its noun.
pub(super) fn guesses(count: usize) -> String {
    format!("{count} {}", if count == 1 { "guess" } else { "guesses" })
}
