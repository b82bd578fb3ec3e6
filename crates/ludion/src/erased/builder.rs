//! [`GameBuilder`]: a game, still with its type, to which players, evaluators, a solver and
//! learning are added before it becomes a type-erased [`GameEntry`].

use std::borrow::Cow;
use std::sync::Arc;

use super::entry::GameEntry;
use super::typed::TypedGame;
use crate::arena::pair::{AnyReferee, Referee};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::grid::GridGame;
use crate::learn::labelling::{Labelling, LabellingError, SampleVisitor};
use crate::learn::learned_players::{KnnPlayer, MlpEvaluator, MlpPlayer};
use crate::learn::patterns::{AnyLearner, PatternEvaluator, PatternLearner};
use crate::men::MenOnlyGame;
use crate::named::{
    EvaluatorFactory, GameInfo, NamedEvaluator, NamedGame, NamedPlayer, PlayerInfo, PlayerParts,
    PlayerScope,
};
use crate::outcome::{Duel, Points};
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
use crate::solution::SolveFn;

type BuildGame<G> = dyn Fn(&Args) -> Result<G, ParamError> + Send + Sync;
pub(super) type BuildPlayer<G> =
    dyn Fn(&Args, &PlayerParts<G>) -> Result<Box<dyn Player<G>>, ParamError> + Send + Sync;
type MakeLearner<G> = fn(Arc<G>, &str) -> Box<dyn AnyLearner>;
type LabelGames<G> =
    fn(Labelling, (&G, &str), &[u8], &mut SampleVisitor<'_>) -> Result<(), LabellingError>;
type MakeReferee<G> = fn(Arc<G>, Vec<Box<dyn Player<G>>>) -> Box<dyn AnyReferee>;

/// The players, the evaluators, the solver and the learning of one game.
pub(super) struct GameParts<G: Game> {
    /// The evaluators that players of the game can use.
    pub(super) player_parts: PlayerParts<G>,
    /// The players of the game, each with the function that builds it.
    pub(super) players: Vec<(PlayerInfo, Arc<BuildPlayer<G>>)>,
    /// The solver of the game; `None` for a puzzle.
    pub(super) solve: Option<SolveFn<G>>,
    /// Makes a referee for games between two players; `None` for a puzzle.
    pub(super) make_referee: Option<MakeReferee<G>>,
    /// Makes a learner of pattern models; `None` unless the game is a [`GridGame`].
    pub(super) make_learner: Option<MakeLearner<G>>,
    /// Labels the games of an archive; `None` unless the game is a [`MenOnlyGame`].
    pub(super) label_games: Option<LabelGames<G>>,
}

impl<G: Game> GameParts<G> {
    /// Creates the parts of a game with the players that suit any type of outcome, and without a
    /// solver, a referee and learning.
    fn new() -> Self {
        GameParts {
            player_parts: PlayerParts::default(),
            players: Vec::new(),
            solve: None,
            make_referee: None,
            make_learner: None,
            label_games: None,
        }
        .with::<RandomPlayer<G>>(PlayerScope::AllGames)
        .with::<MonteCarloPlayer>(PlayerScope::AllGames)
        .with::<UcbPlayer>(PlayerScope::AllGames)
    }

    fn with<P: NamedPlayer<G>>(mut self, scope: PlayerScope) -> Self {
        self.add(
            PlayerInfo { scope, ..PlayerInfo::of::<G, P>() },
            Arc::new(|args, parts| Ok(Box::new(P::build(args, parts)?))),
        );
        self
    }

    fn add(&mut self, info: PlayerInfo, build: Arc<BuildPlayer<G>>) {
        self.players.retain(|(known, _)| known.name != info.name);
        self.players.push((info, build));
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
    parts: GameParts<G>,
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
        let mut parts = GameParts::new()
            .with::<MctsPlayer<G>>(PlayerScope::AllGames)
            .with::<UctPlayer<G>>(PlayerScope::Duels)
            .with::<MinimaxPlayer<G>>(PlayerScope::Duels)
            .with::<NegamaxPlayer<G>>(PlayerScope::Duels)
            .with::<AlphaBetaPlayer<G>>(PlayerScope::Duels)
            .with::<NegAlphaBetaPlayer<G>>(PlayerScope::Duels)
            .with::<TranspositionPlayer<G>>(PlayerScope::Duels)
            .with::<GameEvaluatorPlayer<G>>(PlayerScope::Duels)
            .with::<DeepeningPlayer<G>>(PlayerScope::Duels);
        parts.player_parts.factories.push(PlayoutEvaluator::factory());
        parts.solve = Some(solve);
        parts.make_referee = Some(|game, players| Box::new(Referee::new(game, players)));
        GameBuilder { info, build: Arc::new(build), parts, puzzle: false }
    }
}

impl<G: Game<Outcome = Points>> GameBuilder<G> {
    /// Creates the builder of a puzzle for one side from a name and parameters made at run time;
    /// `build` makes the game from the values of its parameters.
    pub fn puzzle_with(
        info: GameInfo,
        build: impl Fn(&Args) -> Result<G, ParamError> + Send + Sync + 'static,
    ) -> Self {
        let parts = GameParts::new().with::<MctsPlayer<G>>(PlayerScope::AllGames);
        GameBuilder { info, build: Arc::new(build), parts, puzzle: true }
    }
}

impl<G: GridGame<Outcome = Duel>> GameBuilder<G> {
    /// Adds the evaluator `patterns`, and the learning of pattern models by self-play.
    #[must_use]
    pub fn grid(mut self) -> Self {
        self.parts.player_parts.factories.push(PatternEvaluator::factory());
        self.parts.make_learner = Some(|game, spec| Box::new(PatternLearner::new(game, spec)));
        self
    }
}

impl<G: MenOnlyGame> GameBuilder<G> {
    /// Adds the players `knn` and `mlp`, the evaluator `mlp`, and the labelling of archived games
    /// for their training.
    #[must_use]
    pub fn men(mut self) -> Self {
        self.parts = self
            .parts
            .with::<KnnPlayer>(PlayerScope::MenGames)
            .with::<MlpPlayer>(PlayerScope::MenGames);
        self.parts.player_parts.factories.push(MlpEvaluator::factory());
        self.parts.label_games = Some(Labelling::each_game);
        self
    }
}

impl<G: Game> GameBuilder<G> {
    /// Sets a solver made for this game, in place of the general one.
    #[must_use]
    pub fn solver(mut self, solve: SolveFn<G>) -> Self {
        self.parts.solve = Some(solve);
        self
    }

    /// Adds a player made for this game; it replaces a player of the same name.
    #[must_use]
    pub fn player<P: NamedPlayer<G>>(mut self) -> Self {
        self.parts = self.parts.with::<P>(PlayerScope::ListedGames);
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
        self.parts.add(PlayerInfo { scope: PlayerScope::ListedGames, ..info }, Arc::new(build));
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
        self.parts.player_parts.evaluators.push(named);
        self
    }

    /// Adds an evaluator that is built from parameters.
    #[must_use]
    pub fn evaluator_factory(mut self, factory: EvaluatorFactory<G>) -> Self {
        self.parts.player_parts.factories.push(factory);
        self
    }
}

impl<G: Game> From<GameBuilder<G>> for GameEntry {
    fn from(builder: GameBuilder<G>) -> Self {
        let GameBuilder { info, build, parts, puzzle } = builder;
        let players = parts.players.iter().map(|(player, _)| player.clone()).collect();
        let parts = Arc::new(parts);
        let build_any = move |args: Args, context| {
            let game = TypedGame::new(build(&args)?, &args, &parts, context);
            Ok(Arc::new(game) as _)
        };
        GameEntry::new(info, puzzle, players, Arc::new(build_any))
    }
}
