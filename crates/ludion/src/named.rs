//! What the registry must know of a game, a player or an evaluator beyond its rules: a
//! name, a line of help, parameters, how it is built. Defined beside the thing itself,
//! once; tables, help, errors and forms are made from it.

use std::sync::Arc;

use crate::assets::Assets;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{BudgetUnit, Player};
use crate::riddle::Riddle;

/// A game that can be named.
pub trait NamedGame: Game + Sized {
    /// Its name, as people type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// Variants worth showing; the laws are checked on each of them.
    const EXAMPLES: &'static [&'static str];

    /// The game with these parameters.
    ///
    /// # Errors
    /// When values that are allowed one by one do not go together.
    fn build(args: &Args) -> Result<Self, ParamError>;
}

/// A riddle that can be named.
pub trait NamedRiddle: Riddle + Sized {
    /// Its name, as people type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// Variants worth showing.
    const EXAMPLES: &'static [&'static str];

    /// The riddle with these parameters.
    ///
    /// # Errors
    /// When values that are allowed one by one do not go together.
    fn build(args: &Args) -> Result<Self, ParamError>;
}

/// A player that can be named, for the games `G` it can play.
pub trait NamedPlayer<G: Game>: Player<G> + Sized + 'static {
    /// Its name, as people type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// The limits of a budget that it keeps to; others mean nothing to it.
    const SPENDS: &'static [BudgetUnit] = &BudgetUnit::ALL;

    /// The player with these parameters, with what the game brings for its players.
    ///
    /// # Errors
    /// When the values do not go together or the game lacks what they ask for.
    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError>;
}

/// An evaluator of one game under its name.
pub struct NamedEvaluator<G: Game> {
    /// Its name, as people type it.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The evaluator.
    pub evaluator: Arc<dyn Evaluator<G>>,
}

/// An evaluator that is made of parameters, such as `playouts(sims, seed)`.
pub struct EvaluatorFactory<G: Game> {
    /// Its name, as people type it.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Makes it.
    pub make: BuildEvaluator<G>,
}

/// Makes an evaluator of its parameters, with what is at hand.
pub type BuildEvaluator<G> =
    fn(&Args, &PlayerParts<G>) -> Result<Arc<dyn Evaluator<G>>, ParamError>;

/// What one game brings for its players.
pub struct PlayerParts<G: Game> {
    /// Evaluators made for this game, the best first.
    pub evaluators: Vec<NamedEvaluator<G>>,
    /// Evaluators that are made of parameters.
    pub makers: Vec<EvaluatorFactory<G>>,
    /// The game itself, where one is at hand: some evaluators are made for its board.
    pub game: Option<GameWithSpec<G>>,
    /// Where models and data are found.
    pub assets: Assets,
}

/// A game with the shortest text that names it.
pub struct GameWithSpec<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// Its name with its parameters.
    pub spec: String,
}

/// The parameter by which a player is given an evaluator; see [`PlayerParts::judge`].
pub const EVAL: Param = Param::text(
    "eval",
    "none",
    "who judges unfinished games: none, own (the game's best, if it has one), playouts(sims), \
     or one by name",
);

impl<G: Game> Default for PlayerParts<G> {
    fn default() -> Self {
        PlayerParts {
            evaluators: Vec::new(),
            makers: Vec::new(),
            game: None,
            assets: Assets::default(),
        }
    }
}

// Derived, these would ask for games that can be copied.
impl<G: Game> Clone for NamedEvaluator<G> {
    fn clone(&self) -> Self {
        NamedEvaluator { evaluator: Arc::clone(&self.evaluator), ..*self }
    }
}

impl<G: Game> Clone for EvaluatorFactory<G> {
    fn clone(&self) -> Self {
        EvaluatorFactory { ..*self }
    }
}

impl<G: Game> PlayerParts<G> {
    /// The same with a game and a shelf at hand.
    #[must_use]
    pub fn at_hand(&self, game: GameWithSpec<G>, assets: Assets) -> Self {
        let (evaluators, makers) = (self.evaluators.clone(), self.makers.clone());
        PlayerParts { evaluators, makers, game: Some(game), assets }
    }

    /// The evaluator that the parameter [`EVAL`] names; none for `none`, and for `own` in a
    /// game that has no evaluator.
    ///
    /// # Errors
    /// Names the evaluators of the game when it has none of that name; and what is wrong with
    /// the parameters of one that has some.
    pub fn judge(&self, args: &Args) -> Result<Option<Arc<dyn Evaluator<G>>>, ParamError> {
        let name = args.text(EVAL.name);
        if let Ok(spec) = Spec::parse(name)
            && let Some(maker) = self.makers.iter().find(|maker| maker.name == spec.name)
        {
            let args = Args::new(maker.name, maker.params, &spec)?;
            return (maker.make)(&args, self).map(Some);
        }
        let found = match name {
            "none" => return Ok(None),
            "own" => self.evaluators.first(),
            _ => Some(
                self.evaluators
                    .iter()
                    .find(|e| e.name == name)
                    .ok_or_else(|| args.refuse(EVAL.name, name, self.names().join(", ")))?,
            ),
        };
        Ok(found.map(|named| Arc::clone(&named.evaluator)))
    }

    /// What [`EVAL`] may say, makers with their first parameter.
    fn names(&self) -> Vec<String> {
        let made = |maker: &EvaluatorFactory<G>| match maker.params.first() {
            Some(first) => format!("{}({})", maker.name, first.name),
            None => maker.name.to_owned(),
        };
        let mut names = vec!["none".to_owned(), "own".to_owned()];
        names.extend(self.makers.iter().map(made));
        names.extend(self.evaluators.iter().map(|named| named.name.to_owned()));
        names
    }
}
