//! Definitions of the parameters of games, players and evaluators, and how their values are
//! written.
//!
//! In `connect4(7, 6)`, `matches(13, misere)` and `minimax(depth=4)`, a name is followed by values,
//! in the order of the definitions or by name. A bare word sets the flag of that name or selects
//! the option of that name. The parser, the help, the forms of the web pages and the tuners use the
//! same definitions. Definitions are constants for games and players known at compile time, and
//! ordinary values for others.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use crate::aliases::Alias;
pub use crate::args::Args;
use crate::notation::{excerpt, quoted_excerpt};
pub use crate::spec::Spec;
use crate::spec::quoted;

/// The definition of one parameter of a game, a player or an evaluator.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Param {
    /// The name of the parameter in specs.
    pub name: Cow<'static, str>,
    /// The type of the values, their range, and the default.
    #[serde(flatten)]
    pub kind: ParamKind,
    /// One line that says what the parameter does, shown in help texts and forms.
    pub help: Cow<'static, str>,
    /// The condition without which the parameter has no effect; `None` if it always has one. A
    /// value other than the default is refused unless the condition holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<ParamNeed>,
    /// The default of an earlier version; `None` if it was the same. Stored specs list it, so it is
    /// accepted where the parameter has no effect, as the default is.
    #[serde(skip)]
    pub former_default: Option<&'static str>,
}

/// A condition on another parameter of the same game, player or evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ParamNeed {
    /// The name of the other parameter.
    pub param: &'static str,
    /// The values of the other parameter that satisfy the condition.
    #[serde(flatten)]
    pub values: NeededValues,
}

/// The values of a parameter that satisfy a [`ParamNeed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeededValues {
    /// One of these values, as they are written in a spec.
    OneOf(&'static [&'static str]),
    /// A whole number that is at least this great.
    AtLeast(i64),
}

impl ParamNeed {
    fn is_satisfied_by(&self, value: &ParamValue) -> bool {
        match (self.values, value) {
            (NeededValues::OneOf(words), value) => words.contains(&value.to_string().as_str()),
            (NeededValues::AtLeast(least), ParamValue::Int(value)) => *value >= least,
            (NeededValues::AtLeast(_), _) => false,
        }
    }
}

/// Writes the condition as it stands in an error message: `select is puct or ucb1`.
impl fmt::Display for ParamNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values {
            NeededValues::OneOf(words) => write!(f, "{} is {}", self.param, words.join(" or ")),
            NeededValues::AtLeast(least) => write!(f, "{} is {least} or more", self.param),
        }
    }
}

/// The type of a parameter's values, with their range and default.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ParamKind {
    /// A whole number within a range, ends included.
    Int {
        /// The value if a spec does not give one.
        default: i64,
        /// The least allowed value.
        min: i64,
        /// The greatest allowed value.
        max: i64,
    },
    /// A real number within a range, ends included.
    Real {
        /// The value if a spec does not give one.
        default: f64,
        /// The least allowed value.
        min: f64,
        /// The greatest allowed value.
        max: f64,
    },
    /// Yes or no; the default is no.
    Flag,
    /// One word of a list.
    Choice {
        /// The value if a spec does not give one.
        default: Cow<'static, str>,
        /// The allowed words.
        options: ChoiceOptions,
    },
    /// Any text.
    Text {
        /// The value if a spec does not give one.
        default: Cow<'static, str>,
    },
}

/// The allowed words of a [`ParamKind::Choice`], in the order in which they are shown.
#[derive(Clone, Debug)]
pub enum ChoiceOptions {
    /// Words known at compile time.
    Static(&'static [&'static str]),
    /// Words made at run time.
    Shared(Arc<[String]>),
}

impl ChoiceOptions {
    /// Returns the allowed words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (fixed, made): (&[&str], &[String]) = match self {
            ChoiceOptions::Static(words) => (words, &[]),
            ChoiceOptions::Shared(words) => (&[], words),
        };
        fixed.iter().copied().chain(made.iter().map(String::as_str))
    }

    /// Returns whether `word` is one of the allowed words.
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
    /// Defines a parameter whose values are whole numbers from `min` to `max`.
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

    /// Defines a parameter whose values are real numbers from `min` to `max`.
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

    /// Defines a parameter that is yes or no; the default is no.
    #[must_use]
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Param::of_kind(name, ParamKind::Flag, help)
    }

    /// Defines a parameter whose value is one of `options`; the first is the default.
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

    /// Defines a parameter whose value can be any text.
    #[must_use]
    pub const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Param::of_kind(name, ParamKind::Text { default: Cow::Borrowed(default) }, help)
    }

    const fn of_kind(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        let (name, help) = (Cow::Borrowed(name), Cow::Borrowed(help));
        Param { name, kind, help, needs: None, former_default: None }
    }

    /// Declares that the parameter has an effect only if the parameter `param` has one of these
    /// values, written as in a spec.
    #[must_use]
    pub const fn only_if(mut self, param: &'static str, values: &'static [&'static str]) -> Self {
        self.needs = Some(ParamNeed { param, values: NeededValues::OneOf(values) });
        self
    }

    /// Declares that the parameter has an effect only if the whole number `param` is at least
    /// `least`.
    #[must_use]
    pub const fn only_from(mut self, param: &'static str, least: i64) -> Self {
        self.needs = Some(ParamNeed { param, values: NeededValues::AtLeast(least) });
        self
    }

    /// Declares the default that the parameter had in an earlier version.
    #[must_use]
    pub const fn formerly(mut self, default: &'static str) -> Self {
        self.former_default = Some(default);
        self
    }

    /// Returns whether a spec may give this value where the parameter has no effect: it is the
    /// default, or that of an earlier version.
    pub(crate) fn is_idle(&self, value: &ParamValue) -> bool {
        self.default() == *value
            || self.former_default.is_some_and(|former| former == value.to_string())
    }

    /// Returns whether the condition of the parameter holds; `value_of` returns the value of
    /// another parameter by its name.
    pub(crate) fn has_effect<'a>(
        &self,
        value_of: impl FnOnce(&str) -> Option<&'a ParamValue>,
    ) -> bool {
        self.needs.is_none_or(|need| {
            value_of(need.param).is_some_and(|value| need.is_satisfied_by(value))
        })
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

    /// Returns the default value as it is written in a spec.
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
    /// A real number.
    Real(f64),
    /// Whether a flag is set.
    Flag(bool),
    /// The word chosen for a choice, or any text.
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

/// Reasons why a spec does not parse or its values are not allowed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParamError {
    /// The text does not have the form of a spec, `name(value, name=value)`.
    #[error("{problem} at character {} of {}; the form is name(value, name=value)", at + 1, quoted_excerpt(text))]
    Syntax {
        /// The whole text that does not parse.
        text: String,
        /// Index of the character at which parsing fails, from 0.
        at: usize,
        /// What is wrong there, such as `expected a name`.
        problem: &'static str,
    },
    /// The spec gives a parameter that does not exist.
    #[error(
        "{owner} has no parameter {}{}; it has {known}",
        quoted_excerpt(name),
        did_you_mean(meant)
    )]
    Unknown {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// The unknown name of the parameter, as written.
        name: String,
        /// Names of existing parameters similar to the unknown one, most similar first.
        meant: Vec<String>,
        /// The names of all existing parameters, separated by commas.
        known: String,
    },
    /// A value is not allowed.
    #[error("{owner}: {name} = {} is not allowed; {name} is {allowed}", excerpt(value))]
    Value {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// The name of the parameter.
        name: String,
        /// The value that is not allowed, as written.
        value: String,
        /// The values that are allowed, in words, such as `1 to 200`.
        allowed: String,
    },
    /// A parameter is given twice in one spec.
    #[error("{owner}: {name} is given twice; each parameter is given once")]
    Twice {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// The name of the parameter.
        name: String,
    },
    /// The spec has more values than there are parameters.
    #[error("{owner}: {} is one value too many; it has {known}", quoted_excerpt(value))]
    TooMany {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// The first value for which there is no parameter.
        value: String,
        /// The names of all existing parameters, separated by commas.
        known: String,
    },
    /// A value is given to a parameter that has no effect beside the other values.
    #[error("{owner}: {name} = {value} has no effect{}", unless(needs))]
    NoEffect {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// The name of the parameter.
        name: String,
        /// The value that is given.
        value: String,
        /// The condition under which the parameter has an effect; `None` if it has none with these
        /// values of the others.
        needs: Option<ParamNeed>,
    },
    /// Each value is allowed, but not the combination of them.
    #[error("{owner}: {problem}")]
    Together {
        /// The name of the game, player, evaluator or riddle of the spec.
        owner: String,
        /// What is wrong with the combination, and what is allowed.
        problem: String,
    },
}

/// Returns the text ` unless select is phi` for an error message, or a text without a condition.
fn unless(needs: &Option<ParamNeed>) -> String {
    match needs {
        Some(need) => format!(" unless {need}"),
        None => " with these values of the other parameters".to_owned(),
    }
}

/// Returns the text `, did you mean a or b?` for an error message, or an empty text without
/// suggestions.
pub fn did_you_mean(meant: &[String]) -> String {
    if meant.is_empty() { String::new() } else { format!(", did you mean {}?", meant.join(" or ")) }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `ParamValue`")]
pub type Value = ParamValue;
