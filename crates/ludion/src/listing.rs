//! What the registry must know of a game, a player or an evaluator beyond its rules: a
//! name, a line of help, parameters, how it is built. Defined beside the thing itself,
//! once; tables, help, errors and forms are made from it.

use std::sync::Arc;

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{Player, Unit};
use crate::riddle::Riddle;

/// A game that can be named.
pub trait ListedGame: Game + Sized {
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
pub trait ListedRiddle: Riddle + Sized {
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
pub trait ListedPlayer<G: Game>: Player<G> + Sized + 'static {
    /// Its name, as people type it.
    const NAME: &'static str;
    /// One line of help.
    const HELP: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// The limits of a budget that it keeps to; others mean nothing to it.
    const SPENDS: &'static [Unit] = &Unit::ALL;

    /// The player with these parameters, with what the game brings for its players.
    ///
    /// # Errors
    /// When the values do not go together or the game lacks what they ask for.
    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError>;
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

/// What one game brings for its players.
pub struct Kit<G: Game> {
    /// Evaluators made for this game, the best first.
    pub evaluators: Vec<NamedEvaluator<G>>,
    /// Makes the evaluator that plays this many random games from this seed; duels have it.
    pub playouts: Option<MakePlayouts<G>>,
}

/// Makes an evaluator of a number of random games and a seed.
pub type MakePlayouts<G> = fn(u64, u64) -> Arc<dyn Evaluator<G>>;

/// The parameters of `playouts(sims, seed)` as an evaluator.
const PLAYOUTS: &[Param] = &[
    Param::int("sims", 10, 1, 1_000_000, "random games from each state judged"),
    Param::int("seed", 1, 0, i64::MAX, "what they are drawn from"),
];

/// The parameter by which a player is given an evaluator; see [`Kit::judge`].
pub const EVAL: Param = Param::text(
    "eval",
    "none",
    "who judges unfinished games: none, own (the game's best, if it has one), playouts(sims), \
     or one by name",
);

impl<G: Game> Kit<G> {
    /// The evaluator that the parameter [`EVAL`] names; none for `none`, and for `own` in a
    /// game that has no evaluator.
    ///
    /// # Errors
    /// Names the evaluators of the game when it has none of that name.
    pub fn judge(&self, args: &Args) -> Result<Option<Arc<dyn Evaluator<G>>>, ParamError> {
        let named = |name: &str| match name {
            "none" => Some(None),
            "own" => Some(self.evaluators.first()),
            _ => self.evaluators.iter().find(|e| e.name == name).map(Some),
        };
        let name = args.text(EVAL.name);
        if let (Some(make), Ok(spec)) = (self.playouts, Spec::parse(name))
            && spec.name == "playouts"
        {
            let games = Args::new("playouts", PLAYOUTS, &spec)?;
            return Ok(Some(make(games.size("sims") as u64, games.int("seed") as u64)));
        }
        let found = named(name).ok_or_else(|| {
            let names = self.evaluators.iter().map(|e| e.name);
            let known: Vec<&str> =
                ["none", "own", "playouts(sims)"].into_iter().chain(names).collect();
            args.refuse(EVAL.name, name, known.join(", "))
        })?;
        Ok(found.map(|named| Arc::clone(&named.evaluator)))
    }
}
