//! Parameters that describe themselves, and the text they are written in.
//!
//! `connect4(7, 6)`, `matches(13, misere)`, `minimax(depth=4)`: a name, then values in the
//! order of the definitions or by name; a bare word sets the flag of that name or picks
//! the option of that name. The parser, the help, the forms of the page and the tuners
//! are all made from the same definitions.

use std::fmt;

use serde::Serialize;

pub use crate::args::Args;
pub use crate::spec::Spec;
use crate::spec::quoted;

/// One parameter of a game or a player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What values it takes, and which it has when nobody says.
    #[serde(flatten)]
    pub kind: ParamKind,
    /// One line of help.
    pub help: &'static str,
}

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ParamKind {
    /// A whole number within a range, ends included.
    Int {
        /// Value when nobody says.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// A number within a range, ends included.
    Real {
        /// Value when nobody says.
        default: f64,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// Yes or no; no when nobody says.
    Flag,
    /// One of some words.
    Choice {
        /// Value when nobody says.
        default: &'static str,
        /// The words.
        options: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// Value when nobody says.
        default: &'static str,
    },
}

impl Param {
    /// A whole number from `min` to `max`.
    #[must_use]
    pub const fn int(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Self {
        Param { name, kind: ParamKind::Int { default, min, max }, help }
    }

    /// A number from `min` to `max`.
    #[must_use]
    pub const fn real(
        name: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Param { name, kind: ParamKind::Real { default, min, max }, help }
    }

    /// Yes or no; no when nobody says.
    #[must_use]
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Param { name, kind: ParamKind::Flag, help }
    }

    /// One of `options`; the first when nobody says.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        options: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Param { name, kind: ParamKind::Choice { default: options[0], options }, help }
    }

    /// Any text.
    #[must_use]
    pub const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Param { name, kind: ParamKind::Text { default }, help }
    }

    pub(crate) fn default(&self) -> ParamValue {
        match self.kind {
            ParamKind::Int { default, .. } => ParamValue::Int(default),
            ParamKind::Real { default, .. } => ParamValue::Real(default),
            ParamKind::Flag => ParamValue::Flag(false),
            ParamKind::Choice { default, .. } | ParamKind::Text { default } => {
                ParamValue::Text(default.to_owned())
            }
        }
    }

    /// The default as a person would write it.
    #[must_use]
    pub fn default_text(&self) -> String {
        self.default().to_string()
    }

    /// The allowed values in words: `1 to 200`, `yes or no`, `plain, sorted`.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self.kind {
            ParamKind::Int { min, max: i64::MAX, .. } => format!("{min} or more"),
            ParamKind::Int { min, max, .. } => format!("{min} to {max}"),
            ParamKind::Real { min, max, .. } => format!("{min} to {max}"),
            ParamKind::Flag => "yes or no".to_owned(),
            ParamKind::Choice { options, .. } => options.join(", "),
            ParamKind::Text { .. } => "any text".to_owned(),
        }
    }

    pub(crate) fn read(&self, text: &str) -> Option<ParamValue> {
        match self.kind {
            ParamKind::Int { min, max, .. } => {
                text.parse().ok().filter(|v| (min..=max).contains(v)).map(ParamValue::Int)
            }
            ParamKind::Real { min, max, .. } => {
                text.parse().ok().filter(|v| (min..=max).contains(v)).map(ParamValue::Real)
            }
            ParamKind::Flag => match text {
                "yes" | "true" => Some(ParamValue::Flag(true)),
                "no" | "false" => Some(ParamValue::Flag(false)),
                _ => None,
            },
            ParamKind::Choice { options, .. } => {
                options.contains(&text).then(|| ParamValue::Text(text.to_owned()))
            }
            ParamKind::Text { .. } => Some(ParamValue::Text(text.to_owned())),
        }
    }
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// Of a whole number.
    Int(i64),
    /// Of a number.
    Real(f64),
    /// Of a flag.
    Flag(bool),
    /// Of a choice or a text.
    Text(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::Int(v) => write!(f, "{v}"),
            ParamValue::Real(v) => write!(f, "{v}"),
            ParamValue::Flag(v) => f.write_str(if *v { "yes" } else { "no" }),
            ParamValue::Text(v) if !v.is_empty() && !v.contains(needs_quotes) => f.write_str(v),
            ParamValue::Text(v) => f.write_str(&quoted(v)),
        }
    }
}

fn needs_quotes(c: char) -> bool {
    matches!(c, ',' | '(' | ')' | '=' | '"' | '\\') || c.is_whitespace()
}

/// Why a text names no game or player.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParamError {
    /// The text has not the form `name(values)`.
    #[error("{problem} at character {} of {text:?}; the form is name(value, name=value)", at + 1)]
    Syntax {
        /// The whole text.
        text: String,
        /// Where, in characters from 0.
        at: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// No parameter of that name.
    #[error("{owner} has no parameter {name:?}{}; it has {known}", did_you_mean(meant))]
    Unknown {
        /// The game or player.
        owner: String,
        /// What was written.
        name: String,
        /// The nearest names.
        meant: Vec<String>,
        /// All names, in words.
        known: String,
    },
    /// A value outside what is allowed.
    #[error("{owner}: {name} = {value} is not allowed; {name} is {allowed}")]
    Value {
        /// The game or player.
        owner: String,
        /// The parameter.
        name: String,
        /// What was written.
        value: String,
        /// What is allowed, in words.
        allowed: String,
    },
    /// A parameter given twice.
    #[error("{owner}: {name} is given twice")]
    Twice {
        /// The game or player.
        owner: String,
        /// The parameter.
        name: String,
    },
    /// More values than parameters.
    #[error("{owner}: {value:?} is one value too many; it has {known}")]
    TooMany {
        /// The game or player.
        owner: String,
        /// The value.
        value: String,
        /// All names, in words.
        known: String,
    },
    /// Values that are allowed one by one, but not together.
    #[error("{owner}: {problem}")]
    Together {
        /// The game or player.
        owner: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
}

/// `, did you mean a or b?` or nothing.
pub(crate) fn did_you_mean(meant: &[String]) -> String {
    if meant.is_empty() { String::new() } else { format!(", did you mean {}?", meant.join(" or ")) }
}
