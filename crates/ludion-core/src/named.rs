//! What the registry knows of a game, a player or an evaluator beyond its rules: name, help,
//! parameters, old names, and how it is built.
//!
//! Types whose name and parameters are known at compile time declare them by the traits
//! [`NamedGame`], [`NamedPlayer`] and [`NamedRiddle`]. [`GameInfo`] and [`PlayerInfo`] hold the
//! same data for names and parameters that are made at run time.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use crate::aliases::{self, Alias};
use crate::assets::Assets;
use crate::effective::{BudgetOverride, RepeatHazard};
use crate::encoding::EncodingShape;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{BudgetUnit, Player};
use crate::policy::{EncodedEvaluator, PolicyEvaluator};
use crate::presentation::{DEFAULT_ADVANTAGE, GamePresentation, StrengthLevel};
use crate::riddle::Riddle;

/// A game whose name and parameters are known at compile time.
pub trait NamedGame: Game + Sized {
    /// The name of the game in specs, such as `connect4`.
    const NAME: &'static str;
    /// One line that describes the game in lists and help texts.
    const HELP: &'static str;
    /// The parameters that a spec of the game can set.
    const PARAMS: &'static [Param];
    /// Specs of typical variants of the game, shown in lists. Tests check each of them with
    /// [`crate::laws`].
    const EXAMPLES: &'static [&'static str];
    /// Old names of the game, its parameters and their options, which specs may still use.
    const ALIASES: &'static [Alias] = &[];
    /// The name that people use for the game, such as `Connect Four`.
    const TITLE: &'static str = Self::NAME;
    /// Names that people use for variants: pairs of a shortest spec and its title.
    const VARIANTS: &'static [(&'static str, &'static str)] = &[];
    /// The rules in a few sentences, for people who do not know the game; empty for none.
    const RULES: &'static str = "";
    /// The advantage, in units of a win, that evaluators of the game which count points give a position
    /// whose expected score is 0.7 on the scale from −1 to 1. Pages show points as expected scores.
    const ADVANTAGE: f64 = DEFAULT_ADVANTAGE;
    /// Players by their strength, in addition to or in place of those that every game has.
    const LEVELS: &'static [StrengthLevel] = &[];

    /// Builds the game with these parameters.
    ///
    /// # Errors
    /// When values are allowed one by one but not in combination.
    fn build(args: &Args) -> Result<Self, ParamError>;

    /// Returns whether `name` is the present name of the game or an old one.
    #[must_use]
    fn is_called(name: &str) -> bool {
        aliases::is_called(name, Self::NAME, Self::ALIASES)
    }

    /// Builds the game with the parameters of `spec`; the name in `spec` is ignored.
    ///
    /// # Errors
    /// When a parameter is unknown or its value is not allowed.
    fn from_spec(spec: &Spec) -> Result<Self, ParamError> {
        let spec = aliases::canonical(spec, Self::NAME, Self::PARAMS, Self::ALIASES);
        Self::build(&Args::new(Self::NAME, Self::PARAMS, &spec)?)
    }
}

/// A riddle whose name and parameters are known at compile time.
pub trait NamedRiddle: Riddle + Sized {
    /// The name of the riddle in specs, such as `mastermind`.
    const NAME: &'static str;
    /// One line that describes the riddle in lists and help texts.
    const HELP: &'static str;
    /// The parameters that a spec of the riddle can set.
    const PARAMS: &'static [Param];
    /// Specs of typical variants of the riddle, shown in lists.
    const EXAMPLES: &'static [&'static str];
    /// Old names of the riddle, its parameters and their options, which specs may still use.
    const ALIASES: &'static [Alias] = &[];

    /// Builds the riddle with these parameters.
    ///
    /// # Errors
    /// When values are allowed one by one but not in combination.
    fn build(args: &Args) -> Result<Self, ParamError>;
}

/// A player whose name and parameters are known at compile time, for the games `G` that it can
/// play.
pub trait NamedPlayer<G: Game>: Player<G> + Sized + 'static {
    /// The name of the player in specs, such as `minimax`.
    const NAME: &'static str;
    /// One line that describes the player in lists and help texts.
    const HELP: &'static str;
    /// The parameters that a spec of the player can set.
    const PARAMS: &'static [Param];
    /// The limits of a [`Budget`](crate::player::Budget) that the player observes; it ignores the
    /// others.
    const SPENDS: &'static [BudgetUnit] = &BudgetUnit::ALL;
    /// Old names of the player, its parameters and their options, which specs may still use.
    const ALIASES: &'static [Alias] = &[];
    /// The parameters that a budget overrides. Results are shown and stored with what is left, see
    /// [`crate::effective`].
    const OVERRIDES: &'static [BudgetOverride] = &[];
    /// What can keep the player from choosing the same moves again with the same seed, beyond a
    /// budget in time.
    const HAZARDS: &'static [RepeatHazard] = &[];
    /// A spec with which the player is strong and answers within a second; `None` if there is none.
    const QUICK: Option<RecommendedSpec> = None;

    /// Builds the player with the parameters `args` and the evaluators and assets in `parts`.
    ///
    /// # Errors
    /// When the values are not allowed in combination, or the game has no such evaluator or asset.
    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError>;
}

/// The description of a game: its name and help for lists and forms, and the definitions by which
/// its specs are read.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameInfo {
    /// The name of the game in specs.
    pub name: Cow<'static, str>,
    /// One line that describes the game in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the game can set.
    pub params: Cow<'static, [Param]>,
    /// Specs of typical variants of the game, shown in lists. Tests check each of them with
    /// [`crate::laws`].
    pub examples: Vec<Cow<'static, str>>,
    /// Old names of the game, its parameters and their options, which specs may still use.
    pub aliases: Cow<'static, [Alias]>,
    /// What people are told about the game.
    pub presentation: GamePresentation,
}

impl GameInfo {
    /// Returns the description of a game from its constants.
    #[must_use]
    pub fn of<G: NamedGame>() -> Self {
        GameInfo {
            name: G::NAME.into(),
            help: G::HELP.into(),
            params: G::PARAMS.into(),
            examples: G::EXAMPLES.iter().map(|&example| example.into()).collect(),
            aliases: G::ALIASES.into(),
            presentation: GamePresentation::of::<G>(),
        }
    }
}

/// The description of a player: its name and help for lists and forms, and the definitions by which
/// its specs are read.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct PlayerInfo {
    /// The name of the player in specs.
    pub name: Cow<'static, str>,
    /// One line that describes the player in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the player can set.
    pub params: Cow<'static, [Param]>,
    /// The limits of a [`Budget`](crate::player::Budget) that the player observes; it ignores the
    /// others.
    pub spends: Cow<'static, [BudgetUnit]>,
    /// Old names of the player, its parameters and their options, which specs may still use.
    #[serde(skip)]
    pub aliases: Cow<'static, [Alias]>,
    /// The parameters that a budget overrides.
    #[serde(skip)]
    pub overrides: Cow<'static, [BudgetOverride]>,
    /// What can keep the player from choosing the same moves again with the same seed, beyond a
    /// budget in time.
    #[serde(skip)]
    pub hazards: Cow<'static, [RepeatHazard]>,
    /// A spec with which the player is strong and answers within a second; `None` if there is none.
    #[serde(skip)]
    pub quick: Option<RecommendedSpec>,
    /// The games that the player can play; set by `GameBuilder` and
    /// `Registry` when the player is added.
    #[serde(skip)]
    pub scope: PlayerScope,
}

impl PlayerInfo {
    /// Returns the description of a player from its constants.
    #[must_use]
    pub fn of<G: Game, P: NamedPlayer<G>>() -> Self {
        PlayerInfo {
            name: P::NAME.into(),
            help: P::HELP.into(),
            params: P::PARAMS.into(),
            spends: P::SPENDS.into(),
            aliases: P::ALIASES.into(),
            overrides: P::OVERRIDES.into(),
            hazards: P::HAZARDS.into(),
            quick: P::QUICK,
            scope: PlayerScope::default(),
        }
    }

    /// Returns whether `name` is the present name of the player or an old one.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    /// Returns `spec`, a spec of this player, with old names replaced by present ones.
    #[must_use]
    pub fn canonical(&self, spec: &Spec) -> Spec {
        aliases::canonical(spec, &self.name, &self.params, &self.aliases)
    }

    /// Reads the values of the player's parameters from `spec`.
    ///
    /// # Errors
    /// When a parameter is unknown or its value is not allowed.
    pub fn args(&self, spec: &Spec) -> Result<Args, ParamError> {
        Args::new(self.name.clone(), self.params.clone(), &self.canonical(spec))
    }
}

/// The recommended spec of a player: with it the player is strong and answers within a second. The
/// default player of a game is the one whose recommended spec has the highest rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecommendedSpec {
    /// Strength of the player with this spec relative to the recommended specs of other
    /// players; higher is stronger.
    pub rank: u32,
    /// The spec of the player, such as `mcts(sims=100000)`.
    pub spec: Cow<'static, str>,
}

impl RecommendedSpec {
    /// Creates a recommended spec of this rank.
    #[must_use]
    pub const fn new(rank: u32, spec: &'static str) -> Self {
        RecommendedSpec { rank, spec: Cow::Borrowed(spec) }
    }
}

/// The games that a player can play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlayerScope {
    /// Only the games to which the player was added individually.
    #[default]
    ListedGames,
    /// Every game.
    AllGames,
    /// Every game for two sides.
    Duels,
}

/// An evaluator without parameters, made for one game, with its name.
pub struct NamedEvaluator<G: Game> {
    /// The name of the evaluator, as users write it after `eval=`.
    pub name: Cow<'static, str>,
    /// One line that describes the evaluator in lists and help texts.
    pub help: Cow<'static, str>,
    /// Old names of the evaluator, which specs may still use.
    pub aliases: Cow<'static, [Alias]>,
    /// The evaluator that this name selects.
    pub evaluator: Arc<dyn Evaluator<G>>,
}

/// An evaluator that is built from parameters, such as `playouts(sims, seed)`.
pub struct EvaluatorFactory<G: Game> {
    /// The name of the evaluator, as users write it after `eval=`.
    pub name: Cow<'static, str>,
    /// One line that describes the evaluator in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the evaluator can set.
    pub params: Cow<'static, [Param]>,
    /// Old names of the evaluator, its parameters and their options, which specs may still use.
    pub aliases: Cow<'static, [Alias]>,
    /// Builds the evaluator from its parameters.
    pub build: Arc<BuildEvaluator<G>>,
}

/// Function that builds an evaluator from its parameters and the parts of the game.
pub type BuildEvaluator<G> =
    dyn Fn(&Args, &PlayerParts<G>) -> Result<Arc<dyn Evaluator<G>>, ParamError> + Send + Sync;

impl<G: Game> EvaluatorFactory<G> {
    /// Creates the description of an evaluator that `build` makes from its parameters.
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

/// An evaluator of values and policies that a registry adds to every game for two sides. It sees
/// states and moves in their encoding, so it does not depend on the type of the game.
#[derive(Clone)]
pub struct SharedEvaluator {
    /// The name of the evaluator, as users write it after `eval=`.
    pub name: Cow<'static, str>,
    /// One line that describes the evaluator in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the evaluator can set.
    pub params: Cow<'static, [Param]>,
    /// Builds the evaluator from its parameters, for a game with this encoding.
    pub build: Arc<BuildSharedEvaluator>,
}

/// Function that builds an evaluator of values and policies for a game with a given encoding.
pub type BuildSharedEvaluator =
    dyn Fn(&Args, &EncodingShape) -> Result<Arc<dyn PolicyEvaluator>, ParamError> + Send + Sync;

impl SharedEvaluator {
    /// Returns the factory of the evaluator for games of type `G`.
    #[must_use]
    pub fn factory<G: Game>(&self) -> EvaluatorFactory<G> {
        let build = Arc::clone(&self.build);
        let (name, help, params) = (self.name.clone(), self.help.clone(), self.params.clone());
        EvaluatorFactory::new(name, help, params, move |args, parts: &PlayerParts<G>| {
            let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
            Ok(Arc::new(EncodedEvaluator(build(args, &game.game.encoding())?)))
        })
    }
}

/// The parts of a game from which its players are built: evaluators, the game itself and assets.
pub struct PlayerParts<G: Game> {
    /// Evaluators without parameters, made for this game. The first is the best; `eval=own` selects
    /// it.
    pub evaluators: Vec<NamedEvaluator<G>>,
    /// Evaluators that are built from parameters, such as `playouts(sims)`.
    pub factories: Vec<EvaluatorFactory<G>>,
    /// The game, for evaluators that depend on its board; `None` until its parameters are known.
    pub game: Option<GameWithSpec<G>>,
    /// The models and data files that evaluators and players load.
    pub assets: Assets,
    /// The networks that come with the game.
    pub networks: Vec<BundledNetwork>,
    /// The evaluators that the registry adds to every game; their factories are among the factories.
    pub shared_evaluators: Vec<SharedEvaluator>,
}

/// A network with policy and value that comes with a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BundledNetwork {
    /// The shortest spec of the game that the network plays.
    pub spec: &'static str,
    /// The bytes of its file.
    pub bytes: &'static [u8],
}

/// The rules of a game with their shortest spec.
pub struct GameWithSpec<G: Game> {
    /// The rules of the game.
    pub game: Arc<G>,
    /// The shortest spec of the game: its name and the parameters that differ from their defaults.
    pub spec: String,
}

/// The name of the parameter [`EVAL`], which selects a player's evaluator.
pub const EVAL_NAME: &str = "eval";

/// The parameter that selects a player's evaluator, `none` by default; see
/// [`PlayerParts::evaluator`].
pub const EVAL: Param = eval_param("none");

/// Returns the parameter [`EVAL`] with another default.
#[must_use]
pub const fn eval_param(default: &'static str) -> Param {
    Param::text(
        EVAL_NAME,
        default,
        "what judges unfinished games: none, own (the best one made for the game), \
         playouts(sims), or one by name",
    )
}

impl<G: Game> Default for PlayerParts<G> {
    fn default() -> Self {
        PlayerParts {
            evaluators: Vec::new(),
            factories: Vec::new(),
            game: None,
            assets: Assets::default(),
            networks: Vec::new(),
            shared_evaluators: Vec::new(),
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
    /// Returns these evaluators together with the game and the assets that they use.
    #[must_use]
    pub fn for_game(&self, game: GameWithSpec<G>, assets: Assets) -> Self {
        let (evaluators, factories) = (self.evaluators.clone(), self.factories.clone());
        let (networks, shared_evaluators) = (self.networks.clone(), self.shared_evaluators.clone());
        let game = Some(game);
        PlayerParts { evaluators, factories, game, assets, networks, shared_evaluators }
    }

    /// Adds evaluators for every game; each replaces one of the same name.
    #[must_use]
    pub fn with_shared_evaluators(mut self, shared: &[SharedEvaluator]) -> Self {
        for evaluator in shared {
            self.factories.retain(|known| known.name != evaluator.name);
            self.factories.push(evaluator.factory());
        }
        self.shared_evaluators.extend_from_slice(shared);
        self
    }

    /// Returns the evaluator that the parameter [`EVAL`] of `args` selects. It is `None` for
    /// `none`, and for `own` if that is the default and the game has no evaluator made for it.
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
            let evaluator = (factory.build)(&args, self)?;
            args.check_all_read()?;
            return Ok(Some(evaluator));
        }
        let found = match name {
            "none" => return Ok(None),
            "own" => self.evaluators.first(),
            _ => self.named(name),
        };
        match found {
            Some(named) => Ok(Some(Arc::clone(&named.evaluator))),
            None if name == "own" && args.is_default(EVAL_NAME) => Ok(None),
            None => Err(args.refuse(EVAL_NAME, name, self.names(args).join(", "))),
        }
    }

    /// Returns the best evaluator made for the game; `None` if there is none.
    #[must_use]
    pub fn own_evaluator(&self) -> Option<Arc<dyn Evaluator<G>>> {
        self.evaluators.first().map(|named| Arc::clone(&named.evaluator))
    }

    /// Returns `text`, a value of [`EVAL`], with old names replaced by present ones; `None` if it
    /// has no old name.
    pub fn canonical_evaluator(&self, text: &str) -> Option<String> {
        if let Some(named) = self.named(text) {
            return (named.name != text).then(|| named.name.clone().into_owned());
        }
        let spec = Spec::parse(text).ok()?;
        let factory = self.factory(&spec.name)?;
        let present = aliases::canonical(&spec, &factory.name, &factory.params, &factory.aliases);
        (present != spec).then(|| present.to_string())
    }

    /// Returns `text`, a value of [`EVAL`], with all parameters of the evaluator, defaults included;
    /// unchanged if the evaluator has no parameters.
    pub fn full_evaluator(&self, text: &str) -> String {
        let full = || {
            let spec = Spec::parse(text).ok()?;
            let factory = self.factory(&spec.name)?;
            let spec = aliases::canonical(&spec, &factory.name, &factory.params, &factory.aliases);
            let args = Args::new(factory.name.clone(), factory.params.clone(), &spec).ok()?;
            Some(args.full_spec(&[]))
        };
        full().unwrap_or_else(|| text.to_owned())
    }

    fn factory(&self, name: &str) -> Option<&EvaluatorFactory<G>> {
        self.factories.iter().find(|made| aliases::is_called(name, &made.name, &made.aliases))
    }

    fn named(&self, name: &str) -> Option<&NamedEvaluator<G>> {
        self.evaluators.iter().find(|known| aliases::is_called(name, &known.name, &known.aliases))
    }

    /// Returns the values of [`EVAL`] for an error message: the default, `none`, `own` if it is
    /// allowed, and every evaluator, with the name of its first parameter if it has parameters.
    fn names(&self, args: &Args) -> Vec<String> {
        let with_param = |factory: &EvaluatorFactory<G>| match factory.params.first() {
            Some(first) => format!("{}({})", factory.name, first.name),
            None => factory.name.clone().into_owned(),
        };
        let default = args.default_text(EVAL_NAME);
        let mut names = vec!["none".to_owned()];
        if !self.evaluators.is_empty() || default == "own" {
            names.push("own".to_owned());
        }
        if !names.contains(&default) {
            names.insert(0, default);
        }
        names.extend(self.factories.iter().map(with_param));
        names.extend(self.evaluators.iter().map(|named| named.name.clone().into_owned()));
        names
    }
}
