//! Old names of games, players, evaluators, parameters and options that are still understood. A
//! spec that uses one is read as if it used the present name, so that plans and files written by
//! earlier versions keep their meaning.

use std::borrow::Cow;

use crate::param::{Param, ParamKind};
use crate::spec::{Spec, SpecValue};

/// An old name and the present name that replaced it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alias {
    /// An old name of the game, player, evaluator or riddle that declares the alias.
    Name {
        /// The old name of the game, player, evaluator or riddle.
        old: Cow<'static, str>,
    },
    /// An old name of a parameter.
    Param {
        /// The old name of the parameter.
        old: Cow<'static, str>,
        /// The present name of the parameter.
        new: Cow<'static, str>,
    },
    /// An old name of an option of a choice parameter.
    Option {
        /// The present name of the choice parameter.
        param: Cow<'static, str>,
        /// The old name of the option.
        old: Cow<'static, str>,
        /// The present name of the option.
        new: Cow<'static, str>,
    },
}

impl Alias {
    /// Declares `old` as an old name of the game, player, evaluator or riddle.
    #[must_use]
    pub const fn name(old: &'static str) -> Self {
        Alias::Name { old: Cow::Borrowed(old) }
    }

    /// Declares `old` as an old name of the parameter `new`.
    #[must_use]
    pub const fn param(old: &'static str, new: &'static str) -> Self {
        Alias::Param { old: Cow::Borrowed(old), new: Cow::Borrowed(new) }
    }

    /// Declares `old` as an old name of the option `new` of the parameter `param`.
    #[must_use]
    pub const fn option(param: &'static str, old: &'static str, new: &'static str) -> Self {
        let (old, new) = (Cow::Borrowed(old), Cow::Borrowed(new));
        Alias::Option { param: Cow::Borrowed(param), old, new }
    }
}

/// Returns whether `word` is `name` or an old name of it in `aliases`.
pub fn is_called(word: &str, name: &str, aliases: &[Alias]) -> bool {
    word == name || aliases.iter().any(|alias| matches!(alias, Alias::Name { old } if old == word))
}

/// Returns `spec` with old names replaced by present ones, for a game, player, evaluator or riddle
/// called `name` with the parameters `params`.
pub fn canonical(spec: &Spec, name: &str, params: &[Param], aliases: &[Alias]) -> Spec {
    let mut spec = spec.clone();
    if is_called(&spec.name, name, aliases) {
        name.clone_into(&mut spec.name);
    }
    if !aliases.is_empty() {
        spec.values.iter_mut().for_each(|value| rewrite(value, params, aliases));
    }
    spec
}

fn rewrite(value: &mut SpecValue, params: &[Param], aliases: &[Alias]) {
    let present = |word: &str| match &value.name {
        Some(_) => false,
        None => params.iter().any(|param| is_word_of(word, param)),
    };
    if present(&value.text) {
        return;
    }
    for alias in aliases {
        match (alias, &mut value.name) {
            (Alias::Param { old, new }, Some(name)) if old == name => {
                new.as_ref().clone_into(name);
            }
            // A flag can be set by its bare name, so an old flag name can be a value without a
            // name.
            (Alias::Param { old, new }, None)
                if *old == value.text
                    && params
                        .iter()
                        .any(|param| param.name == *new && param.kind == ParamKind::Flag) =>
            {
                new.as_ref().clone_into(&mut value.text);
            }
            _ => {}
        }
    }
    for alias in aliases {
        if let Alias::Option { param, old, new } = alias
            && *old == value.text
            && value.name.as_ref().is_none_or(|name| param == name)
        {
            new.as_ref().clone_into(&mut value.text);
        }
    }
}

/// Returns whether `word`, as a value without a name, sets `param`: it is the name of a flag or an
/// option of a choice.
fn is_word_of(word: &str, param: &Param) -> bool {
    match &param.kind {
        ParamKind::Flag => param.name == word,
        ParamKind::Choice { options, .. } => options.contains(word),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[Param] = &[
        Param::choice("rules", &["simple", "english"], "a choice"),
        Param::flag("fresh", "a flag"),
        Param::int("count", 1, 0, 9, "a number"),
        Param::choice("order", &["plain", "seed"], "a choice with a word that is old elsewhere"),
    ];
    const ALIASES: &[Alias] = &[
        Alias::name("toy"),
        Alias::param("new", "fresh"),
        Alias::param("n", "count"),
        Alias::option("rules", "sheet", "simple"),
        Alias::option("rules", "seed", "simple"),
    ];

    #[test]
    fn old_spellings_become_the_present_ones() {
        for (old, new) in [
            ("toy", "game"),
            ("game(sheet)", "game(simple)"),
            ("toy(rules=seed, n=3)", "game(rules=simple, count=3)"),
            ("toy(new)", "game(fresh)"),
            ("toy(new=yes)", "game(fresh=yes)"),
            ("game(english, 2)", "game(english, 2)"),
            // A present option has priority over an old option of the same name.
            ("game(seed)", "game(seed)"),
            ("game(order=seed)", "game(order=seed)"),
            // A number is not set by its bare name.
            ("game(n)", "game(n)"),
            ("other(sheet)", "other(simple)"),
        ] {
            let spec = canonical(&Spec::parse(old).unwrap(), "game", PARAMS, ALIASES);
            assert_eq!(spec.to_string(), new, "{old}");
        }
    }
}
