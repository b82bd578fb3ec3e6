//! One game of the registry: first with its type, to which players and evaluators can be
//! added ([`Entry`]), then without ([`GameEntry`]).

use std::sync::Arc;

use serde::Serialize;

use super::Error;
use super::any::{AnyGame, AnyPlayer};
use super::typed::{Typed, TypedPlayer};
use super::voices::Voices;
use crate::archive::{Cast, Seats, Simulate, Simulator};
use crate::arena::pair::{Referee, TypedReferee};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::grid::Grid;
use crate::learn::choosers::{Judge, Knn, Mlp};
use crate::learn::lessons::{Lesson, LessonError, VisitLesson};
use crate::learn::patterns::{Learner, Learning, Patterns};
use crate::listing::{EvaluatorMaker, Kit, ListedGame, ListedPlayer, NamedEvaluator, NamedGame};
use crate::men::Men;
use crate::outcome::{Duel, Points};
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{Player, Turn, Unit};
use crate::players::{
    alphabeta::AlphaBeta, deepening::Deepening, mcts::Mcts, memory::Memory, minimax::Minimax,
    montecarlo::MonteCarlo, negalphabeta::NegAlphaBeta, negamax::Negamax, random::Random, ucb::Ucb,
    uct::Uct, ultimate::Ultimate,
};
use crate::search::playout_evaluator::Playouts;
use crate::search::solve::{Effort, Solution, SolveError, solve};
use crate::shelf::Shelf;

/// A player as tables, help and forms show it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerInfo {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The limits of a budget that it keeps to.
    pub spends: &'static [Unit],
}

impl PlayerInfo {
    fn of<G: Game, P: ListedPlayer<G>>() -> Self {
        PlayerInfo { name: P::NAME, help: P::HELP, params: P::PARAMS, spends: P::SPENDS }
    }
}

/// Builds a player of one kind for games of one type.
type BuildPlayer<G> = fn(&Args, &Kit<G>) -> Result<Box<dyn Player<G>>, ParamError>;

/// Solves states of games of one type.
pub type SolveGame<G> = fn(&Turn<'_, G>, Effort) -> Result<Solution<<G as Game>::Move>, SolveError>;

/// The players, the evaluators and the solver of one game.
pub(super) struct Roster<G: Game> {
    /// Duels have one.
    pub(super) solve: Option<SolveGame<G>>,
    kit: Kit<G>,
    players: Vec<(PlayerInfo, BuildPlayer<G>)>,
    /// Players that exist, but play duels only while this is a puzzle.
    duels_only: &'static [&'static str],
    /// Learns patterns; games on a board can have it.
    pub(super) learning: Option<MakeLearning<G>>,
    /// Labels finished games; games of men can have it.
    pub(super) lessons: Option<GiveLessons<G>>,
    /// Makes a referee for matches; a puzzle has none.
    referee: Option<MakeReferee<G>>,
}

type GiveLessons<G> =
    fn(Lesson, (&G, &str), &[u8], &mut VisitLesson<'_>) -> Result<(), LessonError>;
type MakeLearning<G> = fn(Arc<G>, &str) -> Box<dyn Learning>;
type MakeReferee<G> = fn(Arc<G>, Vec<Box<dyn Player<G>>>) -> Box<dyn Referee>;

impl<G: Game> Roster<G> {
    fn new() -> Self {
        let kit = Kit::default();
        Roster {
            solve: None,
            kit,
            players: Vec::new(),
            duels_only: &[],
            learning: None,
            lessons: None,
            referee: None,
        }
        .with::<Random<G>>()
        .with::<MonteCarlo>()
        .with::<Ucb>()
    }

    fn with<P: ListedPlayer<G>>(mut self) -> Self {
        self.players.retain(|(info, _)| info.name != P::NAME);
        self.players
            .push((PlayerInfo::of::<G, P>(), |args, kit| Ok(Box::new(P::build(args, kit)?))));
        self
    }

    /// What the game brings for its players, with the game itself and a shelf.
    pub(super) fn kit(&self, game: NamedGame<G>, shelf: Shelf) -> Kit<G> {
        self.kit.at_hand(game, shelf)
    }

    /// The player that `text` names, its type forgotten.
    pub(super) fn player(
        &self,
        (game, kit): (&str, &Kit<G>),
        voices: &Voices,
        text: &str,
    ) -> Result<Box<dyn AnyPlayer>, Error> {
        let (spec, player) = self.typed_player((game, kit), voices, text)?;
        Ok(Box::new(TypedPlayer { spec, player }))
    }

    /// A referee for matches between the players that `texts` name.
    pub(super) fn referee(
        &self,
        game: &Arc<G>,
        (spec, kit): (&str, &Kit<G>),
        voices: &Voices,
        texts: &[String],
    ) -> Result<Box<dyn Referee>, Error> {
        let make = self.referee.ok_or_else(|| Error::NoOpponent { game: spec.to_owned() })?;
        let players: Result<Vec<_>, Error> =
            texts.iter().map(|text| Ok(self.typed_player((spec, kit), voices, text)?.1)).collect();
        Ok(make(Arc::clone(game), players?))
    }

    /// Somebody who plays games for an archive. Random moves on both sides need no player.
    pub(super) fn simulator(
        &self,
        game: &Arc<G>,
        named: (&str, &Kit<G>),
        voices: &Voices,
        cast: &Cast,
    ) -> Result<Box<dyn Simulate>, Error> {
        let [first, second] = &cast.players;
        let (first, a) = self.typed_player(named, voices, first)?;
        let (second, b) = self.typed_player(named, voices, second)?;
        let random = <Random<G> as ListedPlayer<G>>::NAME;
        let seats = if first == random && second == random {
            Seats::Random
        } else {
            Seats::Players { players: [a, b], budget: cast.budget, opening: cast.opening }
        };
        Ok(Box::new(Simulator::new(Arc::clone(game), seats)))
    }

    /// The player that `text` names, with the shortest text that names it.
    fn typed_player(
        &self,
        (game, kit): (&str, &Kit<G>),
        voices: &Voices,
        text: &str,
    ) -> Result<(String, Box<dyn Player<G>>), Error> {
        let spec = Spec::parse(text)?;
        if let Some(voice) = voices.find(&spec.name) {
            let (args, remote) = voice.build(game, &spec)?;
            return Ok((args.to_string(), Box::new(remote)));
        }
        let named = self.players.iter().map(|(info, _)| info.name);
        let names = named.chain(voices.iter().map(|voice| voice.info.name));
        let (info, build) = self
            .players
            .iter()
            .find(|(info, _)| info.name == spec.name)
            .ok_or_else(|| self.missing(&spec.name, game, names))?;
        let args = Args::new(info.name, info.params, &spec)?;
        let player = build(&args, kit)?;
        Ok((args.to_string(), player))
    }

    /// Why nobody of this name plays the game, as `names` do.
    fn missing<'a>(
        &self,
        name: &str,
        game: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Error {
        let (player, game) = (name.to_owned(), game.to_owned());
        let known = || names.clone().collect::<Vec<_>>().join(", ");
        if self.duels_only.contains(&name) {
            Error::DuelsOnly { player, game, known: known() }
        } else if MEN_ONLY.contains(&name) {
            Error::MenOnly { player, game, known: known() }
        } else {
            Error::unknown("player", name, names)
        }
    }
}

/// A game with its type, its players and its evaluators: what [`Registry::with`]
/// takes.
///
/// [`Registry::with`]: super::Registry::with
pub struct Entry<G: ListedGame> {
    roster: Roster<G>,
    puzzle: bool,
}

/// The players that need an opponent: those that [`Entry::duel`] adds.
const DUELISTS: &[&str] =
    &["uct", "minimax", "negamax", "alphabeta", "negalphabeta", "memory", "ultimate", "deepening"];

/// The players that [`Entry::men`] adds.
const MEN_ONLY: &[&str] = &["knn", "mlp"];

impl<G: ListedGame<Outcome = Duel>> Entry<G> {
    /// A game for two, with every player that plays duels.
    #[must_use]
    pub fn duel() -> Self {
        let mut roster = Roster { solve: Some(solve), ..Roster::new() }
            .with::<Mcts<G>>()
            .with::<Uct<G>>()
            .with::<Minimax<G>>()
            .with::<Negamax<G>>()
            .with::<AlphaBeta<G>>()
            .with::<NegAlphaBeta<G>>()
            .with::<Memory<G>>()
            .with::<Ultimate<G>>()
            .with::<Deepening<G>>();
        roster.kit.makers.push(Playouts::maker());
        roster.referee = Some(|game, players| Box::new(TypedReferee::new(game, players)));
        Entry { roster, puzzle: false }
    }
}

impl<G: ListedGame<Outcome = Points>> Entry<G> {
    /// A puzzle for one, with every player that needs no opponent.
    #[must_use]
    pub fn puzzle() -> Self {
        let roster = Roster::new().with::<Mcts<G>>();
        Entry { roster: Roster { duels_only: DUELISTS, ..roster }, puzzle: true }
    }
}

impl<G: ListedGame<Outcome = Duel> + Grid> Entry<G> {
    /// Judges by patterns, which can be learned.
    #[must_use]
    pub fn grid(mut self) -> Self {
        self.roster.kit.makers.push(Patterns::maker());
        self.roster.learning = Some(|game, spec| Box::new(Learner::new(game, spec)));
        self
    }
}

impl<G: ListedGame<Outcome = Duel> + Men> Entry<G> {
    /// Plays and judges by what neighbours and networks learned.
    #[must_use]
    pub fn men(mut self) -> Self {
        self.roster = self.roster.with::<Knn>().with::<Mlp>();
        self.roster.kit.makers.push(Judge::maker());
        self.roster.lessons = Some(Lesson::each_game);
        self
    }
}

impl<G: ListedGame> Entry<G> {
    /// Solves states by a method made for this game, instead of the general one.
    #[must_use]
    pub fn solver(mut self, solve: SolveGame<G>) -> Self {
        self.roster.solve = Some(solve);
        self
    }

    /// Adds a player made for this game.
    #[must_use]
    pub fn player<P: ListedPlayer<G>>(mut self) -> Self {
        self.roster = self.roster.with::<P>();
        self
    }

    /// Adds an evaluator that is made of parameters.
    #[must_use]
    pub fn maker(mut self, maker: EvaluatorMaker<G>) -> Self {
        self.roster.kit.makers.push(maker);
        self
    }

    /// Adds an evaluator made for this game.
    #[must_use]
    pub fn evaluator(
        mut self,
        name: &'static str,
        help: &'static str,
        evaluator: impl Evaluator<G> + 'static,
    ) -> Self {
        self.roster.kit.evaluators.push(NamedEvaluator {
            name,
            help,
            evaluator: Arc::new(evaluator),
        });
        self
    }
}

/// Players from the strongest, with parameters that let them answer within a second; which of
/// them a game has is the game's business.
const STRONGEST: &[(&str, &str)] =
    &[("expert", "expert"), ("deepening", "deepening(secs=0.5)"), ("mcts", "mcts(sims=100000)")];

type BuildGame = dyn Fn(Args, Voices, Shelf) -> Result<Arc<dyn AnyGame>, ParamError> + Send + Sync;

/// A game of the registry, its type forgotten.
#[derive(Clone)]
pub struct GameEntry {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Variants worth showing; the laws are checked on each of them.
    pub examples: &'static [&'static str],
    /// Whether it is played by one side alone, for points.
    pub puzzle: bool,
    players: Vec<PlayerInfo>,
    build: Arc<BuildGame>,
}

impl GameEntry {
    /// The players that can play it.
    #[must_use]
    pub fn players(&self) -> &[PlayerInfo] {
        &self.players
    }

    /// The strongest player of the game that answers at once.
    #[must_use]
    pub fn capable(&self) -> &'static str {
        let has = |name: &str| self.players.iter().any(|player| player.name == name);
        STRONGEST.iter().find(|(name, _)| has(name)).map_or("random", |(_, spec)| spec)
    }

    /// Takes players off the list again.
    pub(super) fn unlist(&mut self, is_gone: impl Fn(&str) -> bool) {
        self.players.retain(|info| !is_gone(info.name));
    }

    /// Lists one more player; one of the same name is replaced.
    pub(super) fn list(&mut self, info: &PlayerInfo) {
        self.players.retain(|known| known.name != info.name);
        self.players.push(info.clone());
    }

    pub(super) fn build(
        &self,
        args: Args,
        voices: Voices,
        shelf: Shelf,
    ) -> Result<Arc<dyn AnyGame>, ParamError> {
        (self.build)(args, voices, shelf)
    }
}

impl<G: ListedGame> From<Entry<G>> for GameEntry {
    fn from(entry: Entry<G>) -> Self {
        let roster = Arc::new(entry.roster);
        GameEntry {
            name: G::NAME,
            help: G::HELP,
            params: G::PARAMS,
            examples: G::EXAMPLES,
            puzzle: entry.puzzle,
            players: roster.players.iter().map(|(info, _)| info.clone()).collect(),
            build: Arc::new(move |args, voices, shelf| {
                let (game, roster) = (Arc::new(G::build(&args)?), Arc::clone(&roster));
                let named = NamedGame { game: Arc::clone(&game), spec: args.to_string() };
                let kit = roster.kit(named, shelf);
                Ok(Arc::new(Typed { game, spec: args.to_string(), roster, kit, voices }))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::Checkers;
    use crate::games::tictactoe::TicTacToe;

    #[test]
    fn the_duelists_are_those_that_a_duel_adds() {
        let names =
            |roster: &Roster<TicTacToe>| roster.players.iter().map(|(i, _)| i.name).collect();
        let anybody: Vec<&str> = names(&Roster::new().with::<Mcts<TicTacToe>>());
        let all: Vec<&str> = names(&Entry::<TicTacToe>::duel().roster);
        assert_eq!(all, [&anybody[..], DUELISTS].concat());
    }

    #[test]
    fn players_for_men_alone_say_so_of_other_games() {
        let checkers = Entry::<Checkers>::duel().men();
        let names: Vec<&str> = checkers.roster.players.iter().map(|(info, _)| info.name).collect();
        assert!(names.ends_with(MEN_ONLY), "{names:?}");
        let error = Entry::<TicTacToe>::duel().roster.missing("knn", "tictactoe", [].into_iter());
        assert!(error.to_string().starts_with("knn is not for tictactoe: it plays games of men"));
    }
}
