//! Parameters that describe themselves, and the text they are written in.
//!
//! `connect4(7, 6)`, `matches(13, misere)`, `minimax(depth=4)`: a name, then values in the
//! order of the definitions or by name; a bare word sets the flag of that name or picks
//! the option of that name. The parser, the help, the forms of the page and the tuners
//! all work from the same definitions. Definitions are constants where a game or a player is
//! known at compile time, and ordinary values where it is not.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use crate::aliases::Alias;
pub use crate::args::Args;
pub use crate::spec::Spec;
use crate::spec::quoted;

/// One parameter of a game, a player or an evaluator.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Param {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The values it takes, and its default.
    #[serde(flatten)]
    pub kind: ParamKind,
    /// One line of help.
    pub help: Cow<'static, str>,
}

/// The values that a parameter takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ParamKind {
    /// A whole number within a range, ends included.
    Int {
        /// Default value.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// A number within a range, ends included.
    Real {
        /// Default value.
        default: f64,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// Yes or no; the default is no.
    Flag,
    /// One of some words.
    Choice {
        /// Default value.
        default: Cow<'static, str>,
        /// The words.
        options: ChoiceOptions,
    },
    /// Any text.
    Text {
        /// Default value.
        default: Cow<'static, str>,
    },
}

/// The words that a [`ParamKind::Choice`] allows, in order.
#[derive(Clone, Debug)]
pub enum ChoiceOptions {
    /// Words known at compile time.
    Static(&'static [&'static str]),
    /// Words made at run time.
    Shared(Arc<[String]>),
}

impl ChoiceOptions {
    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (fixed, made): (&[&str], &[String]) = match self {
            ChoiceOptions::Static(words) => (words, &[]),
            ChoiceOptions::Shared(words) => (&[], words),
        };
        fixed.iter().copied().chain(made.iter().map(String::as_str))
    }

    /// Whether `word` is one of them.
    #[must_use]
    pub fn contains(&self, word: &str) -> bool {
        self.iter().any(|option| option == word)
    }
}

impl From<Vec<String>> for ChoiceOptions {
    fn from(words: Vec<String>) -> Self {
        ChoiceOptions::Shared(words.into())
    }
}

impl PartialEq for ChoiceOptions {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Serialize for ChoiceOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Param {
    /// Defines a whole number from `min` to `max`.
    #[must_use]
    pub const fn int(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Self {
        Param::of_kind(name, ParamKind::Int { default, min, max }, help)
    }

    /// Defines a number from `min` to `max`.
    #[must_use]
    pub const fn real(
        name: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        Param::of_kind(name, ParamKind::Real { default, min, max }, help)
    }

    /// Defines a flag; the default is no.
    #[must_use]
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Param::of_kind(name, ParamKind::Flag, help)
    }

    /// Defines one of `options`; the first is the default.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        options: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        let default = Cow::Borrowed(options[0]);
        let options = ChoiceOptions::Static(options);
        Param::of_kind(name, ParamKind::Choice { default, options }, help)
    }

    /// Defines any text.
    #[must_use]
    pub const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Param::of_kind(name, ParamKind::Text { default: Cow::Borrowed(default) }, help)
    }

    const fn of_kind(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        Param { name: Cow::Borrowed(name), kind, help: Cow::Borrowed(help) }
    }

    pub(crate) fn default(&self) -> ParamValue {
        match &self.kind {
            ParamKind::Int { default, .. } => ParamValue::Int(*default),
            ParamKind::Real { default, .. } => ParamValue::Real(*default),
            ParamKind::Flag => ParamValue::Flag(false),
            ParamKind::Choice { default, .. } | ParamKind::Text { default } => {
                ParamValue::Text(default.clone().into_owned())
            }
        }
    }

    /// Returns the default as a person would write it.
    #[must_use]
    pub fn default_text(&self) -> String {
        self.default().to_string()
    }

    /// Returns the allowed values in words: `1 to 200`, `yes or no`, `plain, sorted`.
    #[must_use]
    pub fn allowed(&self) -> String {
        match &self.kind {
            ParamKind::Int { min, max: i64::MAX, .. } => format!("{min} or more"),
            ParamKind::Int { min, max, .. } => format!("{min} to {max}"),
            ParamKind::Real { min, max, .. } => format!("{min} to {max}"),
            ParamKind::Flag => "yes or no".to_owned(),
            ParamKind::Choice { options, .. } => options.iter().collect::<Vec<_>>().join(", "),
            ParamKind::Text { .. } => "any text".to_owned(),
        }
    }

    pub(crate) fn read(&self, text: &str) -> Option<ParamValue> {
        match &self.kind {
            ParamKind::Int { min, max, .. } => {
                text.parse().ok().filter(|v| (min..=max).contains(&v)).map(ParamValue::Int)
            }
            ParamKind::Real { min, max, .. } => {
                text.parse().ok().filter(|v| (min..=max).contains(&v)).map(ParamValue::Real)
            }
            ParamKind::Flag => match text {
                "yes" | "true" => Some(ParamValue::Flag(true)),
                "no" | "false" => Some(ParamValue::Flag(false)),
                _ => None,
            },
            ParamKind::Choice { options, .. } => {
                options.contains(text).then(|| ParamValue::Text(text.to_owned()))
            }
            ParamKind::Text { .. } => Some(ParamValue::Text(text.to_owned())),
        }
    }
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A flag.
    Flag(bool),
    /// A word of a choice, or a text.
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

/// Reasons why a spec does not parse, or its values are not allowed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParamError {
    /// The text does not have the form `name(values)`.
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
        /// The game, player or evaluator.
        owner: String,
        /// What was written.
        name: String,
        /// The names nearest to it.
        meant: Vec<String>,
        /// All names, with commas between.
        known: String,
    },
    /// A value that is not allowed.
    #[error("{owner}: {name} = {value} is not allowed; {name} is {allowed}")]
    Value {
        /// The game, player or evaluator.
        owner: String,
        /// The parameter.
        name: String,
        /// What was written.
        value: String,
        /// What is allowed, in words.
        allowed: String,
    },
    /// A parameter that is given twice.
    #[error("{owner}: {name} is given twice")]
    Twice {
        /// The game, player or evaluator.
        owner: String,
        /// The parameter.
        name: String,
    },
    /// More values than there are parameters.
    #[error("{owner}: {value:?} is one value too many; it has {known}")]
    TooMany {
        /// The game, player or evaluator.
        owner: String,
        /// The value.
        value: String,
        /// All names, with commas between.
        known: String,
    },
    /// Values that are allowed one by one, but do not go together.
    #[error("{owner}: {problem}")]
    Together {
        /// The game, player or evaluator.
        owner: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
}

/// Returns `, did you mean a or b?`, or nothing if there are no suggestions.
pub(crate) fn did_you_mean(meant: &[String]) -> String {
    if meant.is_empty() { String::new() } else { format!(", did you mean {}?", meant.join(" or ")) }
}
