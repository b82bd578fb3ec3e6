//! What the registry knows of a game, a player or an evaluator beyond its rules: a name, a line
//! of help, parameters, old spellings and how it is built.
//!
//! The traits [`NamedGame`], [`NamedPlayer`] and [`NamedRiddle`] are the short way for what is
//! known at compile time; they are implemented beside the thing itself. [`GameInfo`] and
//! [`PlayerInfo`] hold the same for names and parameters that are made at run time.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use crate::aliases::{self, Alias};
use crate::assets::Assets;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{BudgetUnit, Player};
use crate::riddle::Riddle;

/// A game with a name known at compile time.
pub trait NamedGame: Game + Sized {
    /// Its name, as users type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// Specs of variants to show; the laws are checked on each of them.
    const EXAMPLES: &'static [&'static str];
    /// Old spellings of its name, parameters and options.
    const ALIASES: &'static [Alias] = &[];

    /// Builds the game with these parameters.
    ///
    /// # Errors
    /// When values that are allowed one by one do not go together.
    fn build(args: &Args) -> Result<Self, ParamError>;
}

/// A riddle with a name known at compile time.
pub trait NamedRiddle: Riddle + Sized {
    /// Its name, as users type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// Specs of variants to show.
    const EXAMPLES: &'static [&'static str];
    /// Old spellings of its name, parameters and options.
    const ALIASES: &'static [Alias] = &[];

    /// Builds the riddle with these parameters.
    ///
    /// # Errors
    /// When values that are allowed one by one do not go together.
    fn build(args: &Args) -> Result<Self, ParamError>;
}

/// A player with a name known at compile time, for the games `G` that it can play.
pub trait NamedPlayer<G: Game>: Player<G> + Sized + 'static {
    /// Its name, as users type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// The limits of a budget that it keeps to; it ignores the others.
    const SPENDS: &'static [BudgetUnit] = &BudgetUnit::ALL;
    /// Old spellings of its name, parameters and options.
    const ALIASES: &'static [Alias] = &[];
    /// How it plays well within a second, if it does.
    const QUICK: Option<QuickSpec> = None;

    /// Builds the player with these parameters, from what the game provides.
    ///
    /// # Errors
    /// When the values do not go together or the game lacks what they ask for.
    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError>;
}

/// The listing of a game: what tables, help and forms show, and what its spec is read by.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameInfo {
    /// Its name.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Its parameters.
    pub params: Cow<'static, [Param]>,
    /// Specs of variants to show; the laws are checked on each of them.
    pub examples: Vec<Cow<'static, str>>,
    /// Old spellings of its name, parameters and options.
    pub aliases: Cow<'static, [Alias]>,
}

impl GameInfo {
    /// Returns the listing of a game that is known at compile time.
    #[must_use]
    pub fn of<G: NamedGame>() -> Self {
        GameInfo {
            name: G::NAME.into(),
            help: G::HELP.into(),
            params: G::PARAMS.into(),
            examples: G::EXAMPLES.iter().map(|&example| example.into()).collect(),
            aliases: G::ALIASES.into(),
        }
    }
}

/// The listing of a player: what tables, help and forms show, and what its spec is read by.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct PlayerInfo {
    /// Its name.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Its parameters.
    pub params: Cow<'static, [Param]>,
    /// The limits of a budget that it keeps to.
    pub spends: Cow<'static, [BudgetUnit]>,
    /// Old spellings of its name, parameters and options.
    #[serde(skip)]
    pub aliases: Cow<'static, [Alias]>,
    /// How it plays well within a second, if it does.
    #[serde(skip)]
    pub quick: Option<QuickSpec>,
    /// The games it plays; set by [`GameBuilder`](crate::erased::GameBuilder) and
    /// [`Registry`](crate::registry::Registry) when the player is added.
    #[serde(skip)]
    pub scope: PlayerScope,
}

impl PlayerInfo {
    /// Returns the listing of a player that is known at compile time.
    #[must_use]
    pub fn of<G: Game, P: NamedPlayer<G>>() -> Self {
        PlayerInfo {
            name: P::NAME.into(),
            help: P::HELP.into(),
            params: P::PARAMS.into(),
            spends: P::SPENDS.into(),
            aliases: P::ALIASES.into(),
            quick: P::QUICK,
            scope: PlayerScope::default(),
        }
    }

    /// Returns whether `name` is the player's name or an old spelling of it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    /// Returns `spec` in present spellings.
    #[must_use]
    pub fn canonical(&self, spec: &Spec) -> Spec {
        aliases::canonical(spec, &self.name, &self.params, &self.aliases)
    }

    /// Reads the values of the parameters from `spec`.
    ///
    /// # Errors
    /// Names the parameter, the value and what is allowed.
    pub fn args(&self, spec: &Spec) -> Result<Args, ParamError> {
        Args::new(self.name.clone(), self.params.clone(), &self.canonical(spec))
    }
}

/// A spec with which a player answers within a second, and how strong it then is among others.
/// A game's default player is the one of the highest rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuickSpec {
    /// Higher is stronger.
    pub rank: u32,
    /// The player with its parameters.
    pub spec: Cow<'static, str>,
}

impl QuickSpec {
    /// Declares that `spec` answers within a second.
    #[must_use]
    pub const fn new(rank: u32, spec: &'static str) -> Self {
        QuickSpec { rank, spec: Cow::Borrowed(spec) }
    }
}

/// The games that a player plays.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlayerScope {
    /// The games that list it, and no others.
    #[default]
    ListedGames,
    /// Every game.
    AllGames,
    /// Every game for two.
    Duels,
    /// Every game of men alone on 32 squares.
    MenGames,
}

/// An evaluator of one game under its name.
pub struct NamedEvaluator<G: Game> {
    /// Its name, as users type it.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Old spellings of its name.
    pub aliases: Cow<'static, [Alias]>,
    /// The evaluator.
    pub evaluator: Arc<dyn Evaluator<G>>,
}

/// An evaluator that is built from parameters, such as `playouts(sims, seed)`.
pub struct EvaluatorFactory<G: Game> {
    /// Its name, as users type it.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Its parameters.
    pub params: Cow<'static, [Param]>,
    /// Old spellings of its name, parameters and options.
    pub aliases: Cow<'static, [Alias]>,
    /// Builds it.
    pub build: Arc<BuildEvaluator<G>>,
}

/// Builds an evaluator from its parameters and what the game provides.
pub type BuildEvaluator<G> =
    dyn Fn(&Args, &PlayerParts<G>) -> Result<Arc<dyn Evaluator<G>>, ParamError> + Send + Sync;

impl<G: Game> EvaluatorFactory<G> {
    /// Lists an evaluator that `build` makes from its parameters.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        params: impl Into<Cow<'static, [Param]>>,
        build: impl Fn(&Args, &PlayerParts<G>) -> Result<Arc<dyn Evaluator<G>>, ParamError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        EvaluatorFactory {
            name: name.into(),
            help: help.into(),
            params: params.into(),
            aliases: Cow::Borrowed(&[]),
            build: Arc::new(build),
        }
    }
}

/// What one game provides for its players.
pub struct PlayerParts<G: Game> {
    /// Evaluators made for this game, the best first.
    pub evaluators: Vec<NamedEvaluator<G>>,
    /// Evaluators that are built from parameters.
    pub factories: Vec<EvaluatorFactory<G>>,
    /// The game itself, if it is known: some evaluators are made for its board.
    pub game: Option<GameWithSpec<G>>,
    /// The models and data files that evaluators load.
    pub assets: Assets,
}

/// A game with its shortest spec.
pub struct GameWithSpec<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// Its name with its parameters.
    pub spec: String,
}

/// The name of the parameter [`EVAL`].
pub const EVAL_NAME: &str = "eval";

/// The parameter that gives a player an evaluator, `none` by default; see
/// [`PlayerParts::evaluator`].
pub const EVAL: Param = eval_param("none");

/// Defines the parameter [`EVAL`] with another default.
#[must_use]
pub const fn eval_param(default: &'static str) -> Param {
    Param::text(
        EVAL_NAME,
        default,
        "who judges unfinished games: none, own (the game's best, if it has one), playouts(sims), \
         or one by name",
    )
}

impl<G: Game> Default for PlayerParts<G> {
    fn default() -> Self {
        PlayerParts {
            evaluators: Vec::new(),
            factories: Vec::new(),
            game: None,
            assets: Assets::default(),
        }
    }
}

// Derived implementations would require `G: Clone`.
impl<G: Game> Clone for NamedEvaluator<G> {
    fn clone(&self) -> Self {
        NamedEvaluator {
            name: self.name.clone(),
            help: self.help.clone(),
            aliases: self.aliases.clone(),
            evaluator: Arc::clone(&self.evaluator),
        }
    }
}

impl<G: Game> Clone for EvaluatorFactory<G> {
    fn clone(&self) -> Self {
        EvaluatorFactory {
            name: self.name.clone(),
            help: self.help.clone(),
            params: self.params.clone(),
            aliases: self.aliases.clone(),
            build: Arc::clone(&self.build),
        }
    }
}

impl<G: Game> PlayerParts<G> {
    /// Returns the same parts with a game and assets.
    #[must_use]
    pub fn for_game(&self, game: GameWithSpec<G>, assets: Assets) -> Self {
        let (evaluators, factories) = (self.evaluators.clone(), self.factories.clone());
        PlayerParts { evaluators, factories, game: Some(game), assets }
    }

    /// Returns the evaluator that the parameter [`EVAL`] names; none for `none`, and for `own` in
    /// a game that has no evaluator.
    ///
    /// # Errors
    /// When the game has no evaluator of that name, or its parameters are wrong.
    pub fn evaluator(&self, args: &Args) -> Result<Option<Arc<dyn Evaluator<G>>>, ParamError> {
        let name = args.text(EVAL_NAME);
        if let Ok(spec) = Spec::parse(name)
            && let Some(factory) = self.factory(&spec.name)
        {
            let spec = aliases::canonical(&spec, &factory.name, &factory.params, &factory.aliases);
            let args = Args::new(factory.name.clone(), factory.params.clone(), &spec)?;
            return (factory.build)(&args, self).map(Some);
        }
        let found = match name {
            "none" => return Ok(None),
            "own" => self.evaluators.first(),
            _ => Some(
                self.named(name)
                    .ok_or_else(|| args.refuse(EVAL_NAME, name, self.names().join(", ")))?,
            ),
        };
        Ok(found.map(|named| Arc::clone(&named.evaluator)))
    }

    /// Returns the value of [`EVAL`] in present spellings, where `text` uses an old one.
    pub(crate) fn canonical_evaluator(&self, text: &str) -> Option<String> {
        if let Some(named) = self.named(text) {
            return (named.name != text).then(|| named.name.clone().into_owned());
        }
        let spec = Spec::parse(text).ok()?;
        let factory = self.factory(&spec.name)?;
        let present = aliases::canonical(&spec, &factory.name, &factory.params, &factory.aliases);
        (present != spec).then(|| present.to_string())
    }

    fn factory(&self, name: &str) -> Option<&EvaluatorFactory<G>> {
        self.factories.iter().find(|made| aliases::is_called(name, &made.name, &made.aliases))
    }

    fn named(&self, name: &str) -> Option<&NamedEvaluator<G>> {
        self.evaluators.iter().find(|known| aliases::is_called(name, &known.name, &known.aliases))
    }

    /// Returns the values that [`EVAL`] allows, factories with their first parameter.
    fn names(&self) -> Vec<String> {
        let with_param = |factory: &EvaluatorFactory<G>| match factory.params.first() {
            Some(first) => format!("{}({})", factory.name, first.name),
            None => factory.name.clone().into_owned(),
        };
        let mut names = vec!["none".to_owned(), "own".to_owned()];
        names.extend(self.factories.iter().map(with_param));
        names.extend(self.evaluators.iter().map(|named| named.name.clone().into_owned()));
        names
    }
}
