//! Output of a command, on standard output or captured: its report as text, in colour on a terminal, or as one JSON
//! object. Also formats times and rates.

use std::io::Write;
use std::time::Duration;

use anstyle::{Effects, Style};
use clap::ColorChoice;
use ludion::player::Budget;
use ludion_runs::ConditionsReport;
pub(crate) use ludion_runs::plural;
use serde::Serialize;

use crate::embedded::TextSink;
use crate::failure::CommandFailure;

/// Style of less important text.
pub(crate) const QUIET: Style = Style::new().effects(Effects::DIMMED);
/// Style of headings and results.
pub(crate) const LOUD: Style = Style::new().effects(Effects::BOLD);

/// Surrounds a text with the codes of a style; blank text gets no codes.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if text.trim().is_empty() { text.to_owned() } else { format!("{style}{text}{style:#}") }
}

/// Sets for the whole program when colour is used; `auto` depends on the terminal and the
/// environment.
pub(crate) fn use_colour(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Report of a command, which can be written as JSON or as text.
pub(crate) trait CommandReport: Serialize {
    /// Returns the report as text; the last line ends with a newline.
    fn text(&self) -> String;
}

/// Standard output in the format that the user chose.
pub(crate) struct Output {
    /// Whether reports are written as JSON.
    pub(crate) json: bool,
    /// Where the text goes instead of standard output; `None` for standard output.
    pub(crate) captured: Option<TextSink>,
}

impl Output {
    /// Writes the report of a command.
    pub(crate) fn report(&self, report: &impl CommandReport) -> Result<(), CommandFailure> {
        if !self.json {
            return self.write(&report.text());
        }
        let object = serde_json::to_string(report)
            .map_err(|error| CommandFailure::Failed(format!("the answer is no JSON: {error}")))?;
        self.write(&(object + "\n"))
    }

    /// Writes text and flushes it, so that a prompt appears at once and a closed pipe is detected.
    pub(crate) fn write(&self, text: &str) -> Result<(), CommandFailure> {
        if let Some(captured) = &self.captured {
            captured(text);
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }
}

/// Formats the sentence that says what follows from a report, as a line of its own.
pub(crate) fn verdict_line(verdict: Option<&str>) -> String {
    verdict.map_or_else(String::new, |verdict| paint(LOUD, verdict) + "\n")
}

/// Formats a warning about the results of a report, as a line of its own.
pub(crate) fn warning_line(warning: Option<&str>) -> String {
    warning.map_or_else(String::new, |warning| format!("warning: {warning}\n"))
}

/// Formats a duration: `40 µs`, `1.2 ms`, `12 ms`, `3.2 s`.
pub(crate) fn time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ms if ms < 1.0 => format!("{:.0} µs", ms * 1e3),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}

/// Formats a rate in at most four characters and a unit: `11.2 M/s`.
pub(crate) fn rate(per_second: f64) -> String {
    let (value, unit) = match per_second {
        r if r < 1e3 => (r, ""),
        r if r < 1e6 => (r / 1e3, " k"),
        r if r < 1e9 => (r / 1e6, " M"),
        r => (r / 1e9, " G"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$}{unit}/s")
}

/// Formats a number of pairs with the number of their games: `20 pairs, 40 games`.
pub(crate) fn pairs_and_games(pairs: u64) -> String {
    format!("{}, {}", plural(pairs, "pair"), plural(2 * pairs, "game"))
}

/// Formats the budget of a move as the end of a phrase: `, 500sims a move`; empty if there is none.
pub(crate) fn budget_words(budget: &Budget) -> String {
    if budget.units().is_empty() { String::new() } else { format!(", {budget} a move") }
}

/// Formats the conditions of games as the end of a phrase: `, clocks 10+0.1`; empty if there are none.
pub(crate) fn condition_words(conditions: Option<&ConditionsReport>) -> String {
    let phrases = conditions.map(ConditionsReport::phrases).unwrap_or_default();
    phrases.iter().map(|phrase| format!(", {phrase}")).collect()
}

/// Formats the end of a phrase about `all` games: how many were played by this program (`now`; the
/// others in earlier sessions), in what time and how fast.
pub(crate) fn games_rate(all: u64, now: u64, seconds: Option<f64>) -> String {
    let Some(seconds) = seconds else { return String::new() };
    let speed = rate(now as f64 / seconds.max(1e-9));
    match now {
        0 => ", none of them now".to_owned(),
        _ if now == all => format!(" in {seconds:.1} s, {speed}"),
        _ => format!(", {now} of them now in {seconds:.1} s, {speed}"),
    }
}
