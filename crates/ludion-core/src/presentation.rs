//! What people are told about a game beside its rules in code: the name they use for it, the rules
//! in sentences, and players by their strength. All of it has defaults.

use std::borrow::Cow;

use serde::Serialize;

use crate::named::NamedGame;

/// A player that is offered under a word for its strength instead of its spec.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StrengthLevel {
    /// The word for the strength: `beginner`, `club`, `strong` or `perfect`.
    pub name: Cow<'static, str>,
    /// The spec of the player.
    pub spec: Cow<'static, str>,
    /// Specs of the variants of the game that have the level; empty for the default variant alone, and
    /// for all variants if the level is `strong`. What is perfect on a small board is not on a large one.
    #[serde(skip)]
    pub variants: Cow<'static, [&'static str]>,
}

impl StrengthLevel {
    /// Creates a level with the player of a spec.
    #[must_use]
    pub const fn new(name: &'static str, spec: &'static str) -> Self {
        StrengthLevel {
            name: Cow::Borrowed(name),
            spec: Cow::Borrowed(spec),
            variants: Cow::Borrowed(&[]),
        }
    }

    /// Creates the level of a player that never gives away a result.
    #[must_use]
    pub const fn perfect(spec: &'static str) -> Self {
        StrengthLevel::new("perfect", spec)
    }

    /// Creates the level of a player that never gives away a result in these variants of the game; the
    /// others do not have the level.
    #[must_use]
    pub const fn perfect_in(spec: &'static str, variants: &'static [&'static str]) -> Self {
        StrengthLevel::of_variants("perfect", spec, variants)
    }

    /// Creates the level `name` for these variants of the game alone.
    #[must_use]
    pub const fn of_variants(
        name: &'static str,
        spec: &'static str,
        variants: &'static [&'static str],
    ) -> Self {
        StrengthLevel {
            name: Cow::Borrowed(name),
            spec: Cow::Borrowed(spec),
            variants: Cow::Borrowed(variants),
        }
    }
}

/// The advantage of games that name none: one and a half men of draughts, which count 100 points each
/// of the 10,000 of a win.
pub const DEFAULT_ADVANTAGE: f64 = 0.015;

/// What people are told about a game.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GamePresentation {
    /// The name that people use for the game; empty for the name in specs.
    pub title: Cow<'static, str>,
    /// Pairs of a shortest spec and the name that people use for this variant.
    pub variants: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// The rules in a few sentences; empty for none.
    pub rules: Cow<'static, str>,
    /// The advantage, in units of a win, whose expected score is 0.7; `None` for the usual one.
    pub advantage: Option<f64>,
    /// Players by their strength, in addition to or in place of those that every game has.
    pub levels: Vec<StrengthLevel>,
}

impl GamePresentation {
    /// Returns what people are told about a game from its constants.
    #[must_use]
    pub fn of<G: NamedGame>() -> Self {
        let variants = G::VARIANTS.iter().map(|&(spec, title)| (spec.into(), title.into()));
        GamePresentation {
            title: G::TITLE.into(),
            variants: variants.collect(),
            rules: G::RULES.into(),
            advantage: Some(G::ADVANTAGE),
            levels: G::LEVELS.to_vec(),
        }
    }
}
