//! The players of a championship: parses a player spec in which one or two parameters are *open*,
//! that is, have several values, and makes a player of each combination of values.
//!
//! | written | stands for |
//! |---|---|
//! | `a=1..50` | 1, 2, 3, … 50 |
//! | `a=1..50:7` | 1, 8, 15, … 50: a step of 7 |
//! | `c=0.5..3:0.5` | 0.5, 1, 1.5, … 3 |
//! | `sims=1..1000*10` | 1, 10, 100, 1000: a factor of 10 |
//! | `a=1\|2\|5\|10..50:10` | 1, 2, 5, 10, 20, … 50: values and ranges in a list |
//! | `select=puct\|phi` | words |
//!
//! Values in quotes and values with parentheses are never open. The registry checks that the player
//! has these parameters and accepts these values when it builds the players.

use serde::{Deserialize, Serialize};

use super::range::{self, ParameterRangeError};
use crate::param::ParamError;
use crate::spec::{Spec, SpecValue};

/// The maximum number of players of a championship.
pub const MAX_PLAYERS: usize = 1000;

/// Examples of how open parameters are written, used in error messages.
const OPEN_PARAMETER_SYNTAX: &str =
    "name=1..50, name=0.5..3:0.5 (step), name=1..1000*10 (factor) or name=1|2|5";

/// One of the values of an open parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpenParameterValue {
    /// The value as it is written in a player spec.
    pub text: String,
    /// The value as a number; for a word its position in the list of values, from 1.
    pub number: f64,
}

/// An open parameter of a player spec: its name and the values to compare.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpenParameter {
    /// The name of the open parameter.
    pub name: String,
    /// The two or more distinct values of the parameter: numbers in ascending order, words in the
    /// order given.
    pub values: Vec<OpenParameterValue>,
    /// Whether all values are numbers.
    pub numeric: bool,
}

impl OpenParameter {
    /// Returns [`OpenParameterValue::number`] of each value.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.number).collect()
    }
}

/// One player of a championship: a spec without open parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// The player spec with one value for each open parameter.
    pub text: String,
    /// The values of this player for the open parameters, in the order of [`Entrants::axes`].
    pub values: Vec<OpenParameterValue>,
}

/// The players of a championship and the open parameters in which they differ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entrants {
    /// The open parameters of the player spec, one or two.
    pub axes: Vec<OpenParameter>,
    /// The players, one for each combination of values, ordered so that the value of the last
    /// parameter varies fastest.
    pub entrants: Vec<Entrant>,
}

/// Reasons why a text does not describe the players of a championship.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EntrantsError {
    /// The text cannot be parsed as a player spec.
    #[error(transparent)]
    Spec(#[from] ParamError),
    /// No parameter of the spec has several values.
    #[error(
        "{text:?} has no open parameter; a championship needs one, written {OPEN_PARAMETER_SYNTAX}"
    )]
    NothingOpen {
        /// The player spec as it was given.
        text: String,
    },
    /// More than two parameters have several values.
    #[error("{} are {} open parameters; a championship has one or two",
        names.join(", "), names.len())]
    TooManyOpen {
        /// The names of all open parameters.
        names: Vec<String>,
    },
    /// A list or range of values is given without the name of a parameter.
    #[error(
        "the values {values} have no name; an open parameter is written {OPEN_PARAMETER_SYNTAX}"
    )]
    NoName {
        /// The list or range as it was written.
        values: String,
    },
    /// An open parameter is given twice in the spec.
    #[error("{name} is given twice; values of one parameter go into one list, {name}=1|2|5")]
    Twice {
        /// The name of the parameter.
        name: String,
    },
    /// A range of values of a parameter is invalid.
    #[error("{name}: {problem}")]
    Range {
        /// The name of the parameter.
        name: String,
        /// The reason why the range is invalid.
        problem: ParameterRangeError,
    },
    /// A list of values has an empty element, such as in `1||2`.
    #[error("{name}={values}: a value is missing beside a |; a list is written 1|2|5")]
    Missing {
        /// The name of the parameter.
        name: String,
        /// The list of values as it was written.
        values: String,
    },
    /// The values of an open parameter are all the same.
    #[error("{name}={values} is one value; a championship compares two or more")]
    Single {
        /// The name of the parameter.
        name: String,
        /// The list or range as it was written.
        values: String,
    },
    /// The values make more than [`MAX_PLAYERS`] players.
    #[error("{players} players are too many; a championship has at most {MAX_PLAYERS}")]
    TooMany {
        /// The number of players that the spec describes.
        players: usize,
    },
}

impl Entrants {
    /// Parses a player spec with one or two open parameters and lists its players.
    ///
    /// ```
    /// use ludion::arena::championship::entrants::Entrants;
    /// let field = Entrants::read("mcts(select=phi, a=1|2|5, sims=100)")?;
    /// let players: Vec<&str> = field.entrants.iter().map(|e| e.text.as_str()).collect();
    /// assert_eq!(players[2], "mcts(select=phi, a=5, sims=100)");
    /// assert_eq!(field.entrants[2].values[0].number, 5.0);
    /// # Ok::<(), ludion::arena::championship::entrants::EntrantsError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not a spec, when none or more than two parameters are open, or when their
    /// values are invalid or make more than [`MAX_PLAYERS`] players.
    pub fn read(text: &str) -> Result<Self, EntrantsError> {
        let spec = Spec::parse(text)?;
        let places: Vec<usize> =
            (0..spec.values.len()).filter(|&i| is_open(&spec.values[i])).collect();
        let axes: Vec<OpenParameter> =
            places.iter().map(|&i| axis(&spec, i)).collect::<Result<_, EntrantsError>>()?;
        match axes.len() {
            0 => return Err(EntrantsError::NothingOpen { text: text.to_owned() }),
            1 | 2 => {}
            _ => {
                let names = axes.into_iter().map(|axis| axis.name).collect();
                return Err(EntrantsError::TooManyOpen { names });
            }
        }
        let players = axes.iter().map(|axis| axis.values.len()).product();
        if players > MAX_PLAYERS {
            return Err(EntrantsError::TooMany { players });
        }
        let entrants = combinations(&axes).map(|values| entrant(&spec, &places, values)).collect();
        Ok(Entrants { axes, entrants })
    }
}

/// Returns whether a value of a spec makes its parameter open: it is a list (`1|2`) or begins like
/// a range (`1..`), and has no quotes or parentheses.
fn is_open(given: &SpecValue) -> bool {
    let plain = !given.quoted && !given.text.contains(['(', ')', '"']);
    plain && (given.text.contains('|') || range::is_range(&given.text))
}

fn axis(spec: &Spec, place: usize) -> Result<OpenParameter, EntrantsError> {
    let SpecValue { name, text, .. } = &spec.values[place];
    let Some(name) = name.clone() else {
        return Err(EntrantsError::NoName { values: text.clone() });
    };
    if spec.values.iter().filter(|other| other.name.as_ref() == Some(&name)).count() > 1 {
        return Err(EntrantsError::Twice { name });
    }
    let mut texts: Vec<String> = Vec::new();
    for part in text.split('|').map(str::trim) {
        if part.is_empty() {
            return Err(EntrantsError::Missing { name, values: text.clone() });
        } else if range::is_range(part) {
            let room = MAX_PLAYERS.saturating_sub(texts.len());
            texts.extend(range::values(part, room).map_err(|problem| match problem {
                ParameterRangeError::TooMany { count } => EntrantsError::TooMany { players: count },
                problem => EntrantsError::Range { name: name.clone(), problem },
            })?);
        } else {
            texts.push(part.to_owned());
        }
    }
    let axis = open_parameter(name, texts);
    if axis.values.len() < 2 {
        return Err(EntrantsError::Single { name: axis.name, values: text.clone() });
    }
    Ok(axis)
}

/// Creates an open parameter from its values as text. Removes duplicates, and sorts the values if
/// all are numbers.
fn open_parameter(name: String, texts: Vec<String>) -> OpenParameter {
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| range::number(text)).collect();
    let numeric = numbers.is_some();
    let mut values: Vec<OpenParameterValue> = Vec::with_capacity(texts.len());
    match numbers {
        Some(numbers) => {
            let pairs = texts.into_iter().zip(numbers);
            values.extend(pairs.map(|(text, number)| OpenParameterValue { text, number }));
            values.sort_by(|a, b| a.number.total_cmp(&b.number));
            values.dedup_by(|a, b| a.number == b.number);
        }
        None => {
            for text in texts {
                if values.iter().all(|value| value.text != text) {
                    let number = (values.len() + 1) as f64;
                    values.push(OpenParameterValue { text, number });
                }
            }
        }
    }
    OpenParameter { name, values, numeric }
}

/// Returns all combinations of one value of each parameter; the last parameter varies fastest.
fn combinations(axes: &[OpenParameter]) -> impl Iterator<Item = Vec<OpenParameterValue>> {
    let total = axes.iter().map(|axis| axis.values.len()).product();
    (0..total).map(move |mut number: usize| {
        let mut values: Vec<OpenParameterValue> = axes
            .iter()
            .rev()
            .map(|axis| {
                let value = axis.values[number % axis.values.len()].clone();
                number /= axis.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    })
}

fn entrant(spec: &Spec, places: &[usize], values: Vec<OpenParameterValue>) -> Entrant {
    let mut spec = spec.clone();
    for (&place, value) in places.iter().zip(&values) {
        spec.values[place].text.clone_from(&value.text);
    }
    Entrant { text: spec.to_string(), values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        Entrants::read(text).unwrap().entrants.into_iter().map(|entrant| entrant.text).collect()
    }

    fn values(text: &str) -> String {
        let axis = Entrants::read(&format!("p(a={text})")).unwrap().axes.remove(0);
        axis.values.into_iter().map(|value| value.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ranges_steps_factors_and_lists_give_their_values() {
        assert_eq!(values("1..5"), "1 2 3 4 5");
        assert_eq!(values("1..50:7"), "1 8 15 22 29 36 43 50");
        assert_eq!(values("0.5..3:0.5"), "0.5 1 1.5 2 2.5 3");
        assert_eq!(values("0.1..0.5:0.1"), "0.1 0.2 0.3 0.4 0.5");
        assert_eq!(values("-0.3..0.3:0.1"), "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
        assert_eq!(values("1..1000*10"), "1 10 100 1000");
        assert_eq!(values("0.01..1*10"), "0.01 0.1 1");
        assert_eq!(values("5 | 1..3 | 3 | 10..30:10"), "1 2 3 5 10 20 30");
        assert_eq!(values("puct|phi|puct"), "puct phi");
    }

    #[test]
    fn every_entrant_has_its_text_and_its_numbers() {
        let field = Entrants::read("mcts(sims=100, a=1..2, c=0.5|2)").unwrap();
        assert_eq!(field.axes.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(
            field.entrants.iter().map(|e| e.text.as_str()).collect::<Vec<_>>(),
            [
                "mcts(sims=100, a=1, c=0.5)",
                "mcts(sims=100, a=1, c=2)",
                "mcts(sims=100, a=2, c=0.5)",
                "mcts(sims=100, a=2, c=2)",
            ]
        );
        let numbers: Vec<f64> = field.entrants[2].values.iter().map(|v| v.number).collect();
        assert_eq!(numbers, [2.0, 0.5]);
        assert!(field.axes.iter().all(|axis| axis.numeric));
        let words = Entrants::read("mcts(select=puct|phi)").unwrap();
        assert!(!words.axes[0].numeric);
        assert_eq!(words.axes[0].numbers(), [1.0, 2.0]);
    }

    #[test]
    fn quoted_and_nested_values_are_never_open() {
        assert_eq!(
            texts(r#"bot(cmd="a 1..3 | \"b\"", inner=mcts(a=1|2), file=../x, n=1|2)"#),
            [
                r#"bot(cmd="a 1..3 | \"b\"", inner=mcts(a=1|2), file=../x, n=1)"#,
                r#"bot(cmd="a 1..3 | \"b\"", inner=mcts(a=1|2), file=../x, n=2)"#,
            ]
        );
    }

    #[test]
    fn every_error_says_what_is_allowed() {
        let message = |text: &str| Entrants::read(text).unwrap_err().to_string();
        for (text, part) in [
            ("mcts(a=3)", "has no open parameter; a championship needs one, written name=1..50"),
            ("mcts(a=\"1|2\")", "has no open parameter"),
            ("mcts(a=1..2, b=1..2, c=1|2)", "a, b, c are 3 open parameters"),
            ("mcts(1..50)", "the values 1..50 have no name"),
            ("mcts(a=1..5, a=7)", "a is given twice; values of one parameter go into one list"),
            ("mcts(a=5..1)", "a: 5..1 is empty; the smaller end comes first"),
            ("mcts(a=1..x)", "a: x in 1..x is not a number"),
            ("mcts(a=1..5:0)", "a: the step 0 of 1..5:0 must be above 0"),
            ("mcts(a=1..5*1)", "a: the factor 1 of 1..5*1 must be above 1"),
            ("mcts(a=0..5*2)", "a: 0..5*2 starts at 0; a range with a factor starts above 0"),
            ("mcts(a=1..5:2*2)", "a: 2*2 in 1..5:2*2 is not a number"),
            ("mcts(a=1||2)", "a=1||2: a value is missing beside a |"),
            ("mcts(a=1..1)", "a=1..1 is one value; a championship compares two or more"),
            ("mcts(a=1..1001)", "1001 players are too many; a championship has at most 1000"),
            ("mcts(a=1..1e300)", "players are too many"),
            ("mcts(a=1..40, b=1..40)", "1600 players are too many"),
            ("mcts(a=1..5", "expected ) or ,"),
        ] {
            assert!(message(text).contains(part), "{text}: {}", message(text));
        }
    }

    proptest! {
        #[test]
        fn parsing_any_text_does_not_panic(text in "p\\(a=[0-9.|:*eE+ -]{0,20}(, b=[0-9.|]{1,8})?\\)") {
            if let Ok(field) = Entrants::read(&text) {
                prop_assert!(field.entrants.len() >= 2 && field.entrants.len() <= MAX_PLAYERS);
                for entrant in &field.entrants {
                    prop_assert!(Spec::parse(&entrant.text).is_ok(), "{}", entrant.text);
                    prop_assert!(entrant.values.iter().all(|value| value.number.is_finite()));
                }
            }
        }
    }
}
