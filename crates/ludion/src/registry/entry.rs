//! One game of the registry: first with its type, to which players and evaluators can be
//! added ([`GameBuilder`]), then without ([`GameEntry`]).

use std::sync::Arc;

use serde::Serialize;

use super::RegistryError;
use super::any::{AnyGame, AnyPlayer};
use super::text_players::TextPlayers;
use super::typed::{TypedGame, TypedPlayer};
use crate::archive::{AnySimulator, SimulatedPlayers, SimulationSettings, Simulator};
use crate::arena::pair::{AnyReferee, Referee};
use crate::assets::Assets;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::grid::GridGame;
use crate::learn::labelling::{Labelling, LabellingError, VisitLabels};
use crate::learn::learned_players::{KnnPlayer, MlpEvaluator, MlpPlayer};
use crate::learn::patterns::{AnyLearner, PatternEvaluator, PatternLearner};
use crate::men::MenOnlyGame;
use crate::named::{
    EvaluatorFactory, GameWithSpec, NamedEvaluator, NamedGame, NamedPlayer, PlayerParts,
};
use crate::outcome::{Duel, Points};
use crate::param::{Args, Param, ParamError, Spec};
use crate::player::{BudgetUnit, MoveRequest, Player};
use crate::players::{
    alphabeta::AlphaBetaPlayer, deepening::DeepeningPlayer, mcts::MctsPlayer, memory::MemoryPlayer,
    minimax::MinimaxPlayer, montecarlo::MonteCarloPlayer, negalphabeta::NegAlphaBetaPlayer,
    negamax::NegamaxPlayer, random::RandomPlayer, ucb::UcbPlayer, uct::UctPlayer,
    ultimate::UltimatePlayer,
};
use crate::search::playout_evaluator::PlayoutEvaluator;
use crate::search::solve::{Solution, SolveError, SolveLimits, solve};

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
    pub spends: &'static [BudgetUnit],
}

impl PlayerInfo {
    fn of<G: Game, P: NamedPlayer<G>>() -> Self {
        PlayerInfo { name: P::NAME, help: P::HELP, params: P::PARAMS, spends: P::SPENDS }
    }
}

/// Builds a player of one kind for games of one type.
type BuildPlayerFn<G> = fn(&Args, &PlayerParts<G>) -> Result<Box<dyn Player<G>>, ParamError>;

/// Solves states of games of one type.
pub type SolveFn<G> =
    fn(&MoveRequest<'_, G>, SolveLimits) -> Result<Solution<<G as Game>::Move>, SolveError>;

/// The players, the evaluators and the solver of one game.
pub(super) struct GameParts<G: Game> {
    /// Duels have one.
    pub(super) solve: Option<SolveFn<G>>,
    parts: PlayerParts<G>,
    players: Vec<(PlayerInfo, BuildPlayerFn<G>)>,
    /// Players that exist, but play duels only while this is a puzzle.
    duels_only: &'static [&'static str],
    /// Learns patterns; games on a board can have it.
    pub(super) learning: Option<MakeLearnerFn<G>>,
    /// Labels finished games; games of men can have it.
    pub(super) lessons: Option<LabelFn<G>>,
    /// Makes a referee for matches; a puzzle has none.
    referee: Option<MakeRefereeFn<G>>,
}

type LabelFn<G> =
    fn(Labelling, (&G, &str), &[u8], &mut VisitLabels<'_>) -> Result<(), LabellingError>;
type MakeLearnerFn<G> = fn(Arc<G>, &str) -> Box<dyn AnyLearner>;
type MakeRefereeFn<G> = fn(Arc<G>, Vec<Box<dyn Player<G>>>) -> Box<dyn AnyReferee>;

impl<G: Game> GameParts<G> {
    fn new() -> Self {
        let parts = PlayerParts::default();
        GameParts {
            solve: None,
            parts,
            players: Vec::new(),
            duels_only: &[],
            learning: None,
            lessons: None,
            referee: None,
        }
        .with::<RandomPlayer<G>>()
        .with::<MonteCarloPlayer>()
        .with::<UcbPlayer>()
    }

    fn with<P: NamedPlayer<G>>(mut self) -> Self {
        self.players.retain(|(info, _)| info.name != P::NAME);
        self.players
            .push((PlayerInfo::of::<G, P>(), |args, parts| Ok(Box::new(P::build(args, parts)?))));
        self
    }

    /// What the game brings for its players, with the game itself and a shelf.
    pub(super) fn parts(&self, game: GameWithSpec<G>, assets: Assets) -> PlayerParts<G> {
        self.parts.at_hand(game, assets)
    }

    /// The player that `text` names, its type forgotten.
    pub(super) fn player(
        &self,
        (game, parts): (&str, &PlayerParts<G>),
        text_players: &TextPlayers,
        text: &str,
    ) -> Result<Box<dyn AnyPlayer>, RegistryError> {
        let (spec, player) = self.typed_player((game, parts), text_players, text)?;
        Ok(Box::new(TypedPlayer { spec, player }))
    }

    /// A referee for matches between the players that `texts` name.
    pub(super) fn referee(
        &self,
        game: &Arc<G>,
        (spec, parts): (&str, &PlayerParts<G>),
        text_players: &TextPlayers,
        texts: &[String],
    ) -> Result<Box<dyn AnyReferee>, RegistryError> {
        let make =
            self.referee.ok_or_else(|| RegistryError::NoOpponent { game: spec.to_owned() })?;
        let players: Result<Vec<_>, RegistryError> = texts
            .iter()
            .map(|text| Ok(self.typed_player((spec, parts), text_players, text)?.1))
            .collect();
        Ok(make(Arc::clone(game), players?))
    }

    /// Somebody who plays games for an archive. Random moves on both sides need no player.
    pub(super) fn simulator(
        &self,
        game: &Arc<G>,
        named: (&str, &PlayerParts<G>),
        text_players: &TextPlayers,
        cast: &SimulationSettings,
    ) -> Result<Box<dyn AnySimulator>, RegistryError> {
        let [first, second] = &cast.players;
        let (first, a) = self.typed_player(named, text_players, first)?;
        let (second, b) = self.typed_player(named, text_players, second)?;
        let random = <RandomPlayer<G> as NamedPlayer<G>>::NAME;
        let seats = if first == random && second == random {
            SimulatedPlayers::Random
        } else {
            SimulatedPlayers::Players {
                players: [a, b],
                budget: cast.budget,
                opening: cast.opening,
            }
        };
        Ok(Box::new(Simulator::new(Arc::clone(game), seats)))
    }

    /// The player that `text` names, with the shortest text that names it.
    fn typed_player(
        &self,
        (game, parts): (&str, &PlayerParts<G>),
        text_players: &TextPlayers,
        text: &str,
    ) -> Result<(String, Box<dyn Player<G>>), RegistryError> {
        let spec = Spec::parse(text)?;
        if let Some(text_player) = text_players.find(&spec.name) {
            let (args, remote) = text_player.build(game, &spec)?;
            return Ok((args.to_string(), Box::new(remote)));
        }
        let named = self.players.iter().map(|(info, _)| info.name);
        let names = named.chain(text_players.iter().map(|text_player| text_player.info.name));
        let (info, build) = self
            .players
            .iter()
            .find(|(info, _)| info.name == spec.name)
            .ok_or_else(|| self.missing(&spec.name, game, names))?;
        let args = Args::new(info.name, info.params, &spec)?;
        let player = build(&args, parts)?;
        Ok((args.to_string(), player))
    }

    /// Why nobody of this name plays the game, as `names` do.
    fn missing<'a>(
        &self,
        name: &str,
        game: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> RegistryError {
        let (player, game) = (name.to_owned(), game.to_owned());
        let known = || names.clone().collect::<Vec<_>>().join(", ");
        if self.duels_only.contains(&name) {
            RegistryError::DuelsOnly { player, game, known: known() }
        } else if MEN_ONLY.contains(&name) {
            RegistryError::MenOnly { player, game, known: known() }
        } else {
            RegistryError::unknown("player", name, names)
        }
    }
}

/// A game with its type, its players and its evaluators: what [`Registry::with`]
/// takes.
///
/// [`Registry::with`]: super::Registry::with
pub struct GameBuilder<G: NamedGame> {
    roster: GameParts<G>,
    puzzle: bool,
}

/// The players that need an opponent: those that [`GameBuilder::duel`] adds.
const DUELISTS: &[&str] =
    &["uct", "minimax", "negamax", "alphabeta", "negalphabeta", "memory", "ultimate", "deepening"];

/// The players that [`GameBuilder::men`] adds.
const MEN_ONLY: &[&str] = &["knn", "mlp"];

impl<G: NamedGame<Outcome = Duel>> GameBuilder<G> {
    /// A game for two, with every player that plays duels.
    #[must_use]
    pub fn duel() -> Self {
        let mut roster = GameParts { solve: Some(solve), ..GameParts::new() }
            .with::<MctsPlayer<G>>()
            .with::<UctPlayer<G>>()
            .with::<MinimaxPlayer<G>>()
            .with::<NegamaxPlayer<G>>()
            .with::<AlphaBetaPlayer<G>>()
            .with::<NegAlphaBetaPlayer<G>>()
            .with::<MemoryPlayer<G>>()
            .with::<UltimatePlayer<G>>()
            .with::<DeepeningPlayer<G>>();
        roster.parts.makers.push(PlayoutEvaluator::maker());
        roster.referee = Some(|game, players| Box::new(Referee::new(game, players)));
        GameBuilder { roster, puzzle: false }
    }
}

impl<G: NamedGame<Outcome = Points>> GameBuilder<G> {
    /// A puzzle for one, with every player that needs no opponent.
    #[must_use]
    pub fn puzzle() -> Self {
        let roster = GameParts::new().with::<MctsPlayer<G>>();
        GameBuilder { roster: GameParts { duels_only: DUELISTS, ..roster }, puzzle: true }
    }
}

impl<G: NamedGame<Outcome = Duel> + GridGame> GameBuilder<G> {
    /// Judges by patterns, which can be learned.
    #[must_use]
    pub fn grid(mut self) -> Self {
        self.roster.parts.makers.push(PatternEvaluator::maker());
        self.roster.learning = Some(|game, spec| Box::new(PatternLearner::new(game, spec)));
        self
    }
}

impl<G: NamedGame<Outcome = Duel> + MenOnlyGame> GameBuilder<G> {
    /// Plays and judges by what neighbours and networks learned.
    #[must_use]
    pub fn men(mut self) -> Self {
        self.roster = self.roster.with::<KnnPlayer>().with::<MlpPlayer>();
        self.roster.parts.makers.push(MlpEvaluator::maker());
        self.roster.lessons = Some(Labelling::each_game);
        self
    }
}

impl<G: NamedGame> GameBuilder<G> {
    /// Solves states by a method made for this game, instead of the general one.
    #[must_use]
    pub fn solver(mut self, solve: SolveFn<G>) -> Self {
        self.roster.solve = Some(solve);
        self
    }

    /// Adds a player made for this game.
    #[must_use]
    pub fn player<P: NamedPlayer<G>>(mut self) -> Self {
        self.roster = self.roster.with::<P>();
        self
    }

    /// Adds an evaluator that is made of parameters.
    #[must_use]
    pub fn maker(mut self, maker: EvaluatorFactory<G>) -> Self {
        self.roster.parts.makers.push(maker);
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
        self.roster.parts.evaluators.push(NamedEvaluator {
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

type BuildGameFn =
    dyn Fn(Args, TextPlayers, Assets) -> Result<Arc<dyn AnyGame>, ParamError> + Send + Sync;

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
    build: Arc<BuildGameFn>,
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
        text_players: TextPlayers,
        assets: Assets,
    ) -> Result<Arc<dyn AnyGame>, ParamError> {
        (self.build)(args, text_players, assets)
    }
}

impl<G: NamedGame> From<GameBuilder<G>> for GameEntry {
    fn from(entry: GameBuilder<G>) -> Self {
        let roster = Arc::new(entry.roster);
        GameEntry {
            name: G::NAME,
            help: G::HELP,
            params: G::PARAMS,
            examples: G::EXAMPLES,
            puzzle: entry.puzzle,
            players: roster.players.iter().map(|(info, _)| info.clone()).collect(),
            build: Arc::new(move |args, text_players, assets| {
                let (game, roster) = (Arc::new(G::build(&args)?), Arc::clone(&roster));
                let named = GameWithSpec { game: Arc::clone(&game), spec: args.to_string() };
                let parts = roster.parts(named, assets);
                Ok(Arc::new(TypedGame {
                    game,
                    spec: args.to_string(),
                    roster,
                    parts,
                    text_players,
                }))
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
            |roster: &GameParts<TicTacToe>| roster.players.iter().map(|(i, _)| i.name).collect();
        let anybody: Vec<&str> = names(&GameParts::new().with::<MctsPlayer<TicTacToe>>());
        let all: Vec<&str> = names(&GameBuilder::<TicTacToe>::duel().roster);
        assert_eq!(all, [&anybody[..], DUELISTS].concat());
    }

    #[test]
    fn players_for_men_alone_say_so_of_other_games() {
        let checkers = GameBuilder::<Checkers>::duel().men();
        let names: Vec<&str> = checkers.roster.players.iter().map(|(info, _)| info.name).collect();
        assert!(names.ends_with(MEN_ONLY), "{names:?}");
        let error =
            GameBuilder::<TicTacToe>::duel().roster.missing("knn", "tictactoe", [].into_iter());
        assert!(error.to_string().starts_with("knn is not for tictactoe: it plays games of men"));
    }
}
