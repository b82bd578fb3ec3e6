//! The values of parameters: read from a spec by the definitions, asked for by name, and written
//! back as short as they can be.

use std::fmt;

use crate::notation::nearest;
use crate::param::{Param, ParamError, ParamKind, ParamValue, Spec};
use crate::spec::SpecValue;

/// The values of all parameters of one game or player.
#[derive(Clone, PartialEq, Debug)]
pub struct Args {
    owner: &'static str,
    params: &'static [Param],
    values: Vec<ParamValue>,
}

impl Args {
    /// The values of `spec` by the definitions `params` of `owner`, defaults for the rest.
    ///
    /// # Errors
    /// Names the parameter, the value and what is allowed.
    pub fn new(
        owner: &'static str,
        params: &'static [Param],
        spec: &Spec,
    ) -> Result<Self, ParamError> {
        let mut given: Vec<Option<ParamValue>> = vec![None; params.len()];
        let mut next = 0;
        let args = Args { owner, params, values: params.iter().map(Param::default).collect() };
        for SpecValue { name, text, .. } in &spec.values {
            let (i, value) = match name {
                Some(name) => args.by_name(name, text)?,
                None => match args.by_word(text) {
                    Some(found) => found,
                    None => args.by_place(&given, &mut next, text)?,
                },
            };
            if given[i].replace(value).is_some() {
                return Err(ParamError::Twice {
                    owner: owner.to_owned(),
                    name: params[i].name.to_owned(),
                });
            }
        }
        let values = given.into_iter().zip(args.values).map(|(g, d)| g.unwrap_or(d)).collect();
        Ok(Args { owner, params, values })
    }

    fn by_name(&self, name: &str, text: &str) -> Result<(usize, ParamValue), ParamError> {
        let i =
            self.params.iter().position(|p| p.name == name).ok_or_else(|| ParamError::Unknown {
                owner: self.owner.to_owned(),
                name: name.to_owned(),
                meant: nearest(name, self.params.iter().map(|p| p.name))
                    .into_iter()
                    .map(str::to_owned)
                    .collect(),
                known: self.known(),
            })?;
        Ok((i, self.read(i, text)?))
    }

    /// A bare word that is the name of a flag or an option.
    fn by_word(&self, text: &str) -> Option<(usize, ParamValue)> {
        self.params.iter().enumerate().find_map(|(i, p)| match p.kind {
            ParamKind::Flag if p.name == text => Some((i, ParamValue::Flag(true))),
            ParamKind::Choice { options, .. } if options.contains(&text) => {
                Some((i, ParamValue::Text(text.to_owned())))
            }
            _ => None,
        })
    }

    fn by_place(
        &self,
        given: &[Option<ParamValue>],
        next: &mut usize,
        text: &str,
    ) -> Result<(usize, ParamValue), ParamError> {
        while given.get(*next).is_some_and(Option::is_some) {
            *next += 1;
        }
        if *next == self.params.len() {
            let (owner, value) = (self.owner.to_owned(), text.to_owned());
            return Err(ParamError::TooMany { owner, value, known: self.known() });
        }
        let value = self.read(*next, text)?;
        Ok((*next, value))
    }

    fn read(&self, i: usize, text: &str) -> Result<ParamValue, ParamError> {
        self.params[i]
            .read(text)
            .ok_or_else(|| self.refuse(self.params[i].name, text, self.params[i].allowed()))
    }

    fn known(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|p| p.name).collect();
        if names.is_empty() { "no parameters".to_owned() } else { names.join(", ") }
    }

    /// The error for a value that is within its range but not allowed all the same.
    pub fn refuse(
        &self,
        name: &str,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> ParamError {
        ParamError::Value {
            owner: self.owner.to_owned(),
            name: name.to_owned(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }

    /// The error for values that do not go together.
    pub fn together(&self, problem: impl Into<String>) -> ParamError {
        ParamError::Together { owner: self.owner.to_owned(), problem: problem.into() }
    }

    fn value(&self, name: &str) -> &ParamValue {
        let i = self.params.iter().position(|p| p.name == name);
        &self.values[i.expect("a parameter is read by the name it is defined with")]
    }

    /// The value of a whole number.
    #[must_use]
    pub fn int(&self, name: &str) -> i64 {
        match self.value(name) {
            ParamValue::Int(v) => *v,
            other => unreachable!("{name} is defined as a whole number, not {other:?}"),
        }
    }

    /// The value of a whole number whose range has no negative part.
    #[must_use]
    pub fn size(&self, name: &str) -> usize {
        usize::try_from(self.int(name)).expect("a size is defined with a range from 0 up")
    }

    /// The value of a number.
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            ParamValue::Real(v) => *v,
            other => unreachable!("{name} is defined as a number, not {other:?}"),
        }
    }

    /// The value of a flag.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            ParamValue::Flag(v) => *v,
            other => unreachable!("{name} is defined as a flag, not {other:?}"),
        }
    }

    /// The value of a choice or a text.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            ParamValue::Text(v) => v,
            other => unreachable!("{name} is defined as a text, not {other:?}"),
        }
    }

    /// Every parameter with its value, in the order of the definitions.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Param, &ParamValue)> {
        self.params.iter().zip(&self.values)
    }
}

/// The shortest text that means these values: what differs from the defaults, by name.
impl fmt::Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said: Vec<String> = self
            .iter()
            .filter(|(param, value)| param.default() != **value)
            .map(|(param, value)| match value {
                ParamValue::Flag(true) => param.name.to_owned(),
                _ => format!("{}={value}", param.name),
            })
            .collect();
        f.write_str(self.owner)?;
        if said.is_empty() { Ok(()) } else { write!(f, "({})", said.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARAMS: &[Param] = &[
        Param::int("n", 13, 1, 100, "a number"),
        Param::choice("rows", &["triple", "random"], "a choice"),
        Param::flag("misere", "a flag"),
        Param::real("c", 0.3, 0.0, 10.0, "a real"),
        Param::text("cmd", "", "a text"),
    ];

    fn args(text: &str) -> Result<Args, ParamError> {
        Args::new("toy", PARAMS, &Spec::parse(text)?)
    }

    #[test]
    fn values_come_by_place_by_name_and_by_word() {
        let a = args("toy(20, misere, c=0.5)").unwrap();
        assert_eq!((a.int("n"), a.flag("misere"), a.real("c")), (20, true, 0.5));
        let a = args("toy(misere, 20, random)").unwrap();
        assert_eq!((a.int("n"), a.text("rows"), a.flag("misere")), (20, "random", true));
        let a = args(r#"toy(cmd="python3 a.py, \"x\"", misere=no)"#).unwrap();
        assert_eq!(a.text("cmd"), r#"python3 a.py, "x""#);
        assert_eq!(args("toy").unwrap().to_string(), "toy");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        let message = |text| args(text).unwrap_err().to_string();
        assert_eq!(message("toy(0)"), "toy: n = 0 is not allowed; n is 1 to 100");
        assert_eq!(
            message("toy(miser=yes)"),
            "toy has no parameter \"miser\", did you mean misere?; it has n, rows, misere, c, cmd"
        );
        assert_eq!(message("toy(n=3, n=4)"), "toy: n is given twice");
        assert_eq!(message("toy(c=nan)"), "toy: c = nan is not allowed; c is 0 to 10");
        assert!(message("toy(1").contains("expected ) or , at character 6"));
        assert!(message("toy(1))").contains("expected nothing more at character 7"));
        assert!(message("(1)").contains("expected a name at character 1"));
        assert!(message("toy(1, random, misere, 0.1, x, y)").contains("one value too many"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_spec_or_an_error_and_values_survive_showing(text in ".{0,60}") {
            let _ = args(&text);
            let quoted = format!("toy(cmd={})", ParamValue::Text(text.clone()));
            let a = args(&quoted).unwrap();
            prop_assert_eq!(a.text("cmd"), text);
            prop_assert_eq!(args(&a.to_string()).unwrap(), a);
        }

        #[test]
        fn shapes_close_to_a_spec_never_panic(text in "toy\\([a-z0-9=,.() \"\\\\-]{0,30}\\)?") {
            if let Ok(a) = args(&text) {
                prop_assert_eq!(args(&a.to_string()).unwrap(), a);
            }
        }
    }
}
