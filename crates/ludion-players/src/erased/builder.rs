//! [`GameBuilder`]: a game, still with its type, to which players, evaluators, a solver and
//! learning are added before it becomes a type-erased [`GameEntry`].

use std::borrow::Cow;
use std::sync::Arc;

use super::any::AnyGame;
use super::dyn_game::DynGame;
use super::entry::{GameContext, GameEntry};
use super::game::ErasedGame;
use super::typed_parts::{DynGameOf, DynSolve, TypedPlayer, dyn_parts, dyn_solver, typed_parts};
use crate::arena::pair::{AnyReferee, Referee};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::grid::GridGame;
use crate::learn::labelling::{Labelling, LabellingError, RowVisitor};
use crate::learn::learned_players::{KnnPlayer, MlpEvaluator, MlpPlayer, PolicyPlayer};
use crate::learn::patterns::{AnyLearner, PatternEvaluator, PatternLearner};
use crate::learn::policy_value::NetworkEvaluator;
use crate::learn::self_play::{AnyNetworkLearner, NetworkLearner};
use crate::named::{
    BundledNetwork, EvaluatorFactory, GameInfo, NamedEvaluator, NamedGame, NamedPlayer, PlayerInfo,
    PlayerParts, PlayerScope,
};
use crate::outcome::{Duel, Outcome, Points};
use crate::param::{Args, ParamError};
use crate::player::Player;
use crate::players::{
    alphabeta::AlphaBetaPlayer, deepening::DeepeningPlayer, mcts::MctsPlayer,
    memory::TranspositionPlayer, minimax::MinimaxPlayer, montecarlo::MonteCarloPlayer,
    negalphabeta::NegAlphaBetaPlayer, negamax::NegamaxPlayer, random::RandomPlayer, ucb::UcbPlayer,
    uct::UctPlayer, ultimate::GameEvaluatorPlayer,
};
use crate::search::playout_evaluator::PlayoutEvaluator;
use crate::search::solve::solve;
use crate::solution::{SolveFn, SolveLimits};

type BuildGame<G> = dyn Fn(&Args) -> Result<G, ParamError> + Send + Sync;
type BuildPlayer<G> =
    dyn Fn(&Args, &PlayerParts<G>) -> Result<Box<dyn Player<G>>, ParamError> + Send + Sync;
/// The description of a player, with the function that builds it.
pub(super) type PlayerBuilder<G> = (PlayerInfo, Arc<BuildPlayer<G>>);
type MakeLearner<O> = dyn Fn(&DynGame<O>, &str) -> Box<dyn AnyLearner> + Send + Sync;
type LabelGames<O> = dyn Fn(Labelling, (&DynGame<O>, &str), &[u8], &mut RowVisitor<'_>) -> Result<(), LabellingError>
    + Send
    + Sync;
type MakeNetworkLearner<O> = dyn Fn(&Arc<DynGame<O>>) -> Box<dyn AnyNetworkLearner> + Send + Sync;
type EraseGame<O> = fn(DynGame<O>, &Args, &Arc<GameParts<O>>, GameContext) -> Arc<dyn AnyGame>;
type MakeReferee<O> = fn(
    Arc<DynGame<O>>,
    Vec<Box<dyn Player<DynGame<O>>>>,
    Option<Arc<DynSolve<O>>>,
) -> Box<dyn AnyReferee>;

/// The players, the evaluators, the solver and the learning of one game.
pub(super) struct GameParts<O: Outcome> {
    /// Makes the type-erased game. A function value, so that it is compiled in this crate and not
    /// in every crate that has a game.
    erase: EraseGame<O>,
    /// The evaluators that players of the game can use.
    pub(super) player_parts: PlayerParts<DynGame<O>>,
    /// The players of the game, each with the function that builds it.
    pub(super) players: Vec<PlayerBuilder<DynGame<O>>>,
    /// The solver of the game; `None` for a puzzle.
    pub(super) solve: Option<Arc<DynSolve<O>>>,
    /// Makes a referee for games between two players; `None` for a puzzle.
    pub(super) make_referee: Option<MakeReferee<O>>,
    /// Makes a learner of pattern models; `None` unless the game is a [`GridGame`].
    pub(super) make_learner: Option<Arc<MakeLearner<O>>>,
    /// Whether patterns win more than a network after learning of the same time.
    pub(super) learns_patterns_best: bool,
    /// Makes a learner of networks; `None` for a puzzle.
    pub(super) make_network_learner: Option<Arc<MakeNetworkLearner<O>>>,
    /// Labels the games of an archive; `None` for a puzzle.
    pub(super) label_games: Option<Arc<LabelGames<O>>>,
}

impl<O: Outcome> GameParts<O> {
    /// Creates the parts of a game with the players that suit any type of outcome, and without a
    /// solver, a referee and learning.
    fn new() -> Self {
        GameParts {
            erase: |game, args, parts, context| {
                Arc::new(ErasedGame::new(game, args, parts, context))
            },
            player_parts: PlayerParts::default(),
            players: Vec::new(),
            solve: None,
            make_referee: None,
            make_learner: None,
            learns_patterns_best: false,
            make_network_learner: None,
            label_games: None,
        }
        .with::<RandomPlayer<DynGame<O>>>(PlayerScope::AllGames)
        .with::<MonteCarloPlayer>(PlayerScope::AllGames)
        .with::<UcbPlayer>(PlayerScope::AllGames)
    }

    fn with<P: NamedPlayer<DynGame<O>>>(mut self, scope: PlayerScope) -> Self {
        self.add(
            PlayerInfo { scope, ..PlayerInfo::of::<DynGame<O>, P>() },
            Arc::new(|args, parts| Ok(Box::new(P::build(args, parts)?))),
        );
        self
    }

    /// Adds a player; it replaces a player of the same name.
    fn add(&mut self, info: PlayerInfo, build: Arc<BuildPlayer<DynGame<O>>>) {
        match self.players.iter_mut().find(|(known, _)| known.name == info.name) {
            Some(known) => *known = (info, build),
            None => self.players.push((info, build)),
        }
    }
}

impl GameParts<Duel> {
    /// Creates the parts of a game for two sides, with all players for duels.
    fn duel() -> Self {
        let mut parts = GameParts::new()
            .with::<MctsPlayer<DynGame<Duel>>>(PlayerScope::AllGames)
            .with::<UctPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<MinimaxPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<NegamaxPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<AlphaBetaPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<NegAlphaBetaPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<TranspositionPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<GameEvaluatorPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<DeepeningPlayer<DynGame<Duel>>>(PlayerScope::Duels)
            .with::<KnnPlayer>(PlayerScope::Duels)
            .with::<MlpPlayer>(PlayerScope::Duels)
            .with::<PolicyPlayer>(PlayerScope::Duels);
        parts.solve = Some(Arc::new(solve));
        parts.make_network_learner =
            Some(Arc::new(|game| Box::new(NetworkLearner::new(Arc::clone(game)))));
        parts.make_referee = Some(|game, players, solver| {
            let referee = Referee::new(game, players);
            Box::new(solver.into_iter().fold(referee, Referee::with_solver))
        });
        parts
    }
}

impl GameParts<Points> {
    /// Creates the parts of a puzzle, with all players that need no opponent.
    fn puzzle() -> Self {
        GameParts::new().with::<MctsPlayer<DynGame<Points>>>(PlayerScope::AllGames)
    }
}

/// Builder of a game for the registry, with its players and evaluators; pass it to
/// [`Registry::with`](crate::registry::Registry::with).
///
/// [`duel`](Self::duel) and [`puzzle`](Self::puzzle) start from a [`NamedGame`], whose name and
/// parameters are constants; [`duel_with`](Self::duel_with) and
/// [`puzzle_with`](Self::puzzle_with) take them as values, so that one type can be registered
/// under several names.
pub struct GameBuilder<G: Game> {
    info: GameInfo,
    build: Arc<BuildGame<G>>,
    parts: GameParts<G::Outcome>,
    /// The evaluators made for this type of game.
    typed_parts: PlayerParts<G>,
    /// The players made for this type of game.
    typed_players: Vec<PlayerBuilder<G>>,
    puzzle: bool,
}

impl<G: NamedGame<Outcome = Duel>> GameBuilder<G> {
    /// Creates the builder of a game for two sides, with all players for duels.
    #[must_use]
    pub fn duel() -> Self {
        GameBuilder::duel_with(GameInfo::of::<G>(), G::build)
    }
}

impl<G: NamedGame<Outcome = Points>> GameBuilder<G> {
    /// Creates the builder of a puzzle for one side, with all players that need no opponent.
    #[must_use]
    pub fn puzzle() -> Self {
        GameBuilder::puzzle_with(GameInfo::of::<G>(), G::build)
    }
}

impl<G: Game<Outcome = Duel>> GameBuilder<G> {
    /// Creates the builder of a game for two sides from a name and parameters made at run time;
    /// `build` makes the game from the values of its parameters.
    pub fn duel_with(
        info: GameInfo,
        build: impl Fn(&Args) -> Result<G, ParamError> + Send + Sync + 'static,
    ) -> Self {
        let mut typed_parts = PlayerParts::default();
        typed_parts.factories.push(PlayoutEvaluator::factory());
        typed_parts.factories.push(NetworkEvaluator::factory());
        typed_parts.factories.push(MlpEvaluator::factory());
        let mut parts = GameParts::duel();
        parts.label_games = Some(Arc::new(|labelling, (game, spec), bytes, visit| {
            labelling.each_game((game.typed::<G>(), spec), bytes, visit)
        }));
        GameBuilder {
            info,
            build: Arc::new(build),
            parts,
            typed_parts,
            typed_players: Vec::new(),
            puzzle: false,
        }
    }
}

impl<G: Game<Outcome = Points>> GameBuilder<G> {
    /// Creates the builder of a puzzle for one side from a name and parameters made at run time;
    /// `build` makes the game from the values of its parameters.
    pub fn puzzle_with(
        info: GameInfo,
        build: impl Fn(&Args) -> Result<G, ParamError> + Send + Sync + 'static,
    ) -> Self {
        GameBuilder {
            info,
            build: Arc::new(build),
            parts: GameParts::puzzle(),
            typed_parts: PlayerParts::default(),
            typed_players: Vec::new(),
            puzzle: true,
        }
    }
}

impl<G: Game<Outcome = Duel>> GameBuilder<G> {
    /// Compiles `mcts`, the alpha-beta players, `knn`, `mlp`, the general solver and the self-play of
    /// networks for this type of game. They
    /// give the same results as those that all games share, and alpha-beta is up to twice as fast;
    /// the program compiles some seconds longer.
    #[must_use]
    pub fn compiled_searches(mut self) -> Self {
        self.parts.make_network_learner =
            Some(Arc::new(|game| Box::new(NetworkLearner::<G>::new(game.typed_arc()))));
        self.typed_player::<MctsPlayer<G>>(PlayerScope::AllGames)
            .typed_player::<MinimaxPlayer<G>>(PlayerScope::Duels)
            .typed_player::<NegamaxPlayer<G>>(PlayerScope::Duels)
            .typed_player::<AlphaBetaPlayer<G>>(PlayerScope::Duels)
            .typed_player::<NegAlphaBetaPlayer<G>>(PlayerScope::Duels)
            .typed_player::<TranspositionPlayer<G>>(PlayerScope::Duels)
            .typed_player::<DeepeningPlayer<G>>(PlayerScope::Duels)
            .typed_player::<KnnPlayer>(PlayerScope::Duels)
            .typed_player::<MlpPlayer>(PlayerScope::Duels)
            .solver(solve)
    }

    /// Solves the game by search alone, without an enumeration of its states before. This pays where
    /// [`Game::wins_at_once`] and [`Game::safe_moves`] leave out most states.
    #[must_use]
    pub fn solved_by_search(self) -> Self {
        self.solver(|request, limits| solve(request, SolveLimits { walk: 0, ..limits }))
    }
}

impl<G: GridGame<Outcome = Duel>> GameBuilder<G> {
    /// Adds the evaluator `patterns`, and the learning of pattern models by self-play. The search of
    /// self-play is compiled for this type of game, so the player `deepening` is, too.
    #[must_use]
    pub fn grid(mut self) -> Self {
        self.typed_parts.factories.push(PatternEvaluator::factory());
        self.parts.make_learner =
            Some(Arc::new(|game, spec| Box::new(PatternLearner::<G>::new(game.typed_arc(), spec))));
        self
    }

    /// Makes patterns what `ludion learn` learns unless it is told otherwise. For games in which they were
    /// measured to win more than a network after learning of the same time.
    #[must_use]
    pub fn learns_patterns_best(mut self) -> Self {
        self.parts.learns_patterns_best = true;
        self
    }
}

impl<G: Game> GameBuilder<G> {
    /// Sets a solver made for this game, in place of the general one.
    #[must_use]
    pub fn solver(mut self, solve: SolveFn<G>) -> Self {
        self.parts.solve = Some(dyn_solver(solve));
        self
    }

    /// Adds a player made for this game; it replaces a player of the same name.
    #[must_use]
    pub fn player<P: NamedPlayer<G>>(self) -> Self {
        self.typed_player::<P>(PlayerScope::ListedGames)
    }

    fn typed_player<P: NamedPlayer<G>>(mut self, scope: PlayerScope) -> Self {
        self.typed_players.push((
            PlayerInfo { scope, ..PlayerInfo::of::<G, P>() },
            Arc::new(|args, parts| Ok(Box::new(P::build(args, parts)?))),
        ));
        self
    }

    /// Adds a player whose name and parameters are made at run time; `build` makes the player from
    /// the values of its parameters.
    #[must_use]
    pub fn player_with(
        mut self,
        info: PlayerInfo,
        build: impl Fn(&Args, &PlayerParts<G>) -> Result<Box<dyn Player<G>>, ParamError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let info = PlayerInfo { scope: PlayerScope::ListedGames, ..info };
        self.typed_players.push((info, Arc::new(build)));
        self
    }

    /// Adds an evaluator made for this game. The first one added counts as the best; players use it
    /// with `eval=own`.
    #[must_use]
    pub fn evaluator(
        self,
        name: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
        evaluator: impl Evaluator<G> + 'static,
    ) -> Self {
        self.named_evaluator(NamedEvaluator {
            name: name.into(),
            help: help.into(),
            aliases: Cow::Borrowed(&[]),
            evaluator: Arc::new(evaluator),
        })
    }

    /// Adds an evaluator made for this game, given with its name, help and old names.
    #[must_use]
    pub fn named_evaluator(mut self, named: NamedEvaluator<G>) -> Self {
        self.typed_parts.evaluators.push(named);
        self
    }

    /// Adds a network that comes with the game: the bytes of a file of `ludion learn` for the variant
    /// with this shortest spec. `net` and `policy` use it if they are given no file.
    #[must_use]
    pub fn network(mut self, spec: &'static str, bytes: &'static [u8]) -> Self {
        self.typed_parts.networks.push(BundledNetwork { spec, bytes });
        self
    }

    /// Adds an evaluator that is built from parameters.
    #[must_use]
    pub fn evaluator_factory(mut self, factory: EvaluatorFactory<G>) -> Self {
        self.typed_parts.factories.push(factory);
        self
    }
}

impl<G: Game> From<GameBuilder<G>> for GameEntry {
    fn from(builder: GameBuilder<G>) -> Self {
        let GameBuilder { info, build, mut parts, typed_parts, typed_players, puzzle } = builder;
        let typed = Arc::new(typed_parts);
        parts.player_parts = dyn_parts(&typed);
        for (info, build) in typed_players {
            parts.add(info, dyn_builder(build, Arc::clone(&typed)));
        }
        let players = parts.players.iter().map(|(player, _)| player.clone()).collect();
        let parts = Arc::new(parts);
        let build_any = move |args: Args, context| {
            let game = DynGame::new(build(&args)?);
            args.check_all_read()?;
            Ok((parts.erase)(game, &args, &parts, context))
        };
        GameEntry::new(info, puzzle, players, Arc::new(build_any))
    }
}

/// Returns the function that builds a typed player for the [`DynGame`] of its game.
fn dyn_builder<G: Game>(
    build: Arc<BuildPlayer<G>>,
    typed: Arc<PlayerParts<G>>,
) -> Arc<BuildPlayer<DynGameOf<G>>> {
    Arc::new(move |args, parts| {
        Ok(Box::new(TypedPlayer(build(args, &typed_parts(&typed, parts))?)))
    })
}
