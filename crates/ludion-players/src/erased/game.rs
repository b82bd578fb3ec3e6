//! Implementations of the type-erased traits of [`super::any`] over [`DynGame`].

use std::any::Any;
use std::sync::Arc;

use super::any::{
    AnyCensus, AnyGame, AnyObserver, AnyOutcomeFrequency, AnyPlayer, AnyPosition, AnySolution,
};
use super::batch::{AnyBatch, ErasedBatch};
use super::builder::{GameParts, PlayerBuilder};
use super::decoded::VisitDecodedGame;
use super::dyn_game::DynGame;
use super::dyn_value::{DynMove, DynState};
use super::entry::GameContext;
use super::error::RegistryError;
use super::translate::{NotationObserver, choice_in_notation, line_in_notation};
use crate::archive::{
    self, AnyArchiveGenerator, ArchiveGenerator, BlockError, GameBlock, GeneratorPlayers,
    GeneratorSettings,
};
use crate::arena::pair::AnyReferee;
use crate::effective::EffectivePlayer;
use crate::encoding::EncodingShape;
use crate::game::{Game, Side, Status};
use crate::laws::{self, LawViolation};
use crate::learn::labelling::{Labelling, LabellingError, RowVisitor};
use crate::learn::patterns::AnyLearner;
use crate::learn::self_play::AnyNetworkLearner;
use crate::named::{EVAL_NAME, GameWithSpec, NamedPlayer, PlayerInfo, PlayerParts, PlayerScope};
use crate::notation::NotationError;
use crate::outcome::{AnyOutcome, Outcome};
use crate::param::{Args, Spec};
use crate::player::{Budget, Choice, MoveRequest, Player, PlayerError};
use crate::players::random::RandomPlayer;
use crate::random::Rng;
use crate::repetition::{GamePath, RepetitionRule};
use crate::scene::{Coord, Piece, Scene, Symmetry};
use crate::search::census::{self, CensusError, OnCensusProgress};
use crate::search::perft::{perft_parallel, perft_with_progress};
use crate::solution::{Solution, SolveError, SolveLimits};

/// The shortest spec of a player, and the player.
type SpecAndPlayer<O> = (String, Box<dyn Player<DynGame<O>>>);

/// Implements [`AnyGame`] for a [`DynGame`].
pub(super) struct ErasedGame<O: Outcome> {
    pub(super) game: Arc<DynGame<O>>,
    pub(super) spec: String,
    full_spec: String,
    pub(super) parts: Arc<GameParts<O>>,
    player_parts: PlayerParts<DynGame<O>>,
    context: GameContext,
}

impl<O: Outcome> ErasedGame<O> {
    pub(super) fn new(
        game: DynGame<O>,
        args: &Args,
        parts: &Arc<GameParts<O>>,
        context: GameContext,
    ) -> Self {
        let (game, parts) = (Arc::new(game), Arc::clone(parts));
        let (spec, full_spec) = (args.to_string(), args.full_spec(&[]));
        let with_spec = GameWithSpec { game: Arc::clone(&game), spec: spec.clone() };
        let mut player_parts = parts.player_parts.for_game(with_spec, context.assets.clone());
        if parts.make_referee.is_some() {
            player_parts = player_parts.with_shared_evaluators(&context.shared_evaluators);
        }
        ErasedGame { game, spec, full_spec, parts, player_parts, context }
    }

    fn position(&self, state: DynState) -> Box<dyn AnyPosition> {
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        Box::new(ErasedPosition { game, parts, state, path: GamePath::new() })
    }

    /// Builds the player that the spec `text` describes; returns its shortest spec and the player.
    fn dyn_player(&self, text: &str) -> Result<SpecAndPlayer<O>, RegistryError> {
        let spec = Spec::parse(text)?;
        if let Some(shared) = self.context.shared_players.find(&spec.name) {
            let args = shared.info.args(&spec)?;
            let player = shared.build(self, &args)?;
            args.check_all_read()?;
            return Ok((args.to_string(), player));
        }
        let (info, build) = self.find_player(&spec.name)?;
        let args = self.player_args(info, &spec)?;
        let player = build(&args, &self.player_parts)?;
        args.check_all_read()?;
        Ok((args.to_string(), player))
    }

    fn find_player(&self, name: &str) -> Result<&PlayerBuilder<DynGame<O>>, RegistryError> {
        let found = self.parts.players.iter().find(|(info, _)| info.is_called(name));
        found.ok_or_else(|| self.missing_player(name))
    }

    /// Reads the parameters of a player, with present names of the player's evaluator.
    fn player_args(&self, info: &PlayerInfo, spec: &Spec) -> Result<Args, RegistryError> {
        let mut args = info.args(spec)?;
        if info.params.iter().any(|param| param.name == EVAL_NAME)
            && let Some(present) = self.player_parts.canonical_evaluator(args.text(EVAL_NAME))
        {
            args.set_text(EVAL_NAME, present);
        }
        Ok(args)
    }

    /// Returns the error that says why there is no player of this name for the game.
    fn missing_player(&self, name: &str) -> RegistryError {
        let mut names: Vec<&str> = Vec::new();
        names.extend(self.parts.players.iter().map(|(info, _)| &*info.name));
        names.extend(self.context.shared_players.iter().map(|shared| &*shared.info.name));
        let (player, game) = (name.to_owned(), self.spec.clone());
        let known = names.join(", ");
        let elsewhere = self.context.all_players.iter().find(|info| info.is_called(name));
        let puzzle = self.parts.make_referee.is_none();
        match elsewhere.map(|info| info.scope) {
            Some(PlayerScope::Duels) if puzzle => RegistryError::DuelsOnly { player, game, known },
            _ => RegistryError::unknown("player", name, &names),
        }
    }
}

impl<O: Outcome> AnyGame for ErasedGame<O> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn has_repetition_rule(&self) -> bool {
        self.game.repetition_rule() != RepetitionRule::Ignored
    }

    fn side_names(&self) -> [&'static str; 2] {
        self.game.side_names()
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.position(self.game.start())
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(self.position(self.game.read_state(text)?))
    }

    fn put_up(&self, pieces: &[Piece], turn: Side) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(self.position(self.game.state_of_pieces(pieces, turn)?))
    }

    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, RegistryError> {
        let (spec, player) = self.dyn_player(text)?;
        Ok(Box::new(ErasedPlayer { game: Arc::clone(&self.game), spec, player }))
    }

    fn full_spec(&self) -> &str {
        &self.full_spec
    }

    fn effective_player(
        &self,
        text: &str,
        budget: &Budget,
    ) -> Result<EffectivePlayer, RegistryError> {
        let spec = Spec::parse(text)?;
        if let Some(shared) = self.context.shared_players.find(&spec.name) {
            return Ok(shared.info.effective(&shared.info.args(&spec)?, budget));
        }
        let (info, _) = self.find_player(&spec.name)?;
        let mut args = self.player_args(info, &spec)?;
        let mut player = info.effective(&args, budget);
        if info.params.iter().any(|param| param.name == EVAL_NAME) {
            let evaluator = self.player_parts.full_evaluator(args.text(EVAL_NAME));
            args.set_text(EVAL_NAME, evaluator);
            player.full = info.effective(&args, budget).full;
        }
        Ok(player)
    }

    fn referee(&self, texts: &[String]) -> Result<Box<dyn AnyReferee>, RegistryError> {
        let no_opponent = || RegistryError::NoOpponent { game: self.spec.clone() };
        let make = self.parts.make_referee.ok_or_else(no_opponent)?;
        let players = texts.iter().map(|text| Ok(self.dyn_player(text)?.1));
        let players = players.collect::<Result<Vec<_>, RegistryError>>()?;
        Ok(make(Arc::clone(&self.game), players, self.parts.solve.clone()))
    }

    /// If both players are `random`, the simulator draws the moves itself, without players.
    fn simulator(
        &self,
        settings: &GeneratorSettings,
    ) -> Result<Box<dyn AnyArchiveGenerator>, RegistryError> {
        let [first, second] = &settings.players;
        let (first, a) = self.dyn_player(first)?;
        let (second, b) = self.dyn_player(second)?;
        let random = <RandomPlayer<DynGame<O>> as NamedPlayer<DynGame<O>>>::NAME;
        if first == random && second == random {
            return Ok(self.game.random_archive());
        }
        let (budget, opening) = (settings.budget, settings.opening);
        let seats = GeneratorPlayers::Players { players: [a, b], budget, opening };
        Ok(Box::new(ArchiveGenerator::new(Arc::clone(&self.game), seats)))
    }

    fn each_game(
        &self,
        block: &GameBlock,
        visit: &mut VisitDecodedGame<'_>,
    ) -> Result<(), BlockError> {
        archive::for_each_game(&*self.game, block, &mut |replay| visit(&replay))
    }

    fn learner(&self) -> Option<Box<dyn AnyLearner>> {
        self.parts.make_learner.as_ref().map(|make| make(&self.game, &self.spec))
    }

    fn learns_patterns_best(&self) -> bool {
        self.parts.learns_patterns_best
    }

    fn network_learner(&self) -> Option<Box<dyn AnyNetworkLearner>> {
        self.parts.make_network_learner.as_ref().map(|make| make(&self.game))
    }

    fn label_games(
        &self,
        labelling: Labelling,
        bytes: &[u8],
        visit: &mut RowVisitor<'_>,
    ) -> Result<(), LabellingError> {
        let puzzle = || LabellingError::Puzzle(self.spec.clone());
        let label = self.parts.label_games.as_ref().ok_or_else(puzzle)?;
        label(labelling, (&self.game, &self.spec), bytes, visit)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn encoding(&self) -> EncodingShape {
        self.game.encoding()
    }

    fn batch(&self, count: usize) -> Box<dyn AnyBatch> {
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        Box::new(ErasedBatch { states: game.batch(count), game, parts })
    }

    fn check_laws_with_progress(
        &self,
        games: usize,
        seed: u64,
        on_game: &mut dyn FnMut(usize),
    ) -> Result<usize, LawViolation> {
        laws::check_with_progress(&*self.game, games, seed, on_game)
    }
}

/// Implements [`AnyPosition`] for a state of a [`DynGame`] and the path that led to it.
pub(super) struct ErasedPosition<O: Outcome> {
    pub(super) game: Arc<DynGame<O>>,
    pub(super) parts: Arc<GameParts<O>>,
    pub(super) state: DynState,
    pub(super) path: GamePath,
}

impl<O: Outcome> ErasedPosition<O> {
    /// Returns the move with this action number; `None` if it is not legal after the path.
    fn legal_move_of_action(&self, action: u32) -> Option<DynMove> {
        self.path.status(&*self.game, &self.state).turn()?;
        let m = self.game.move_of_action(&self.state, action)?;
        self.path.allows(&*self.game, &self.state, m).then_some(m)
    }
}

impl<O: Outcome> AnyPosition for ErasedPosition<O> {
    fn copy(&self) -> Box<dyn AnyPosition> {
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        let (state, path) = (self.state.clone(), self.path.clone());
        Box::new(ErasedPosition { game, parts, state, path })
    }

    fn set(&mut self, other: &dyn AnyPosition) -> bool {
        let other: &dyn Any = other;
        let other = other.downcast_ref::<ErasedPosition<O>>();
        let other = other.filter(|other| Arc::ptr_eq(&other.game, &self.game));
        let Some(other) = other else { return false };
        self.state.clone_from(&other.state);
        self.path.copy_from(&other.path);
        true
    }

    fn show(&self) -> String {
        self.game.show_state(&self.state)
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn status(&self) -> Status<AnyOutcome> {
        match self.path.status(&*self.game, &self.state) {
            Status::Turn(side) => Status::Turn(side),
            Status::Over(outcome) => Status::Over(outcome.any()),
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.path.moves(&*self.game, &self.state, &mut moves);
        moves.into_iter().map(|m| self.game.show_move(&self.state, m)).collect()
    }

    fn canonical_move(&self, text: &str) -> Result<String, NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        Ok(self.game.show_move(&self.state, m))
    }

    fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        self.path.play(&*self.game, &mut self.state, m);
        Ok(())
    }

    fn is_equal(&self, other: &dyn AnyPosition) -> bool {
        let other: &dyn Any = other;
        let other = other.downcast_ref::<ErasedPosition<O>>();
        other.is_some_and(|other| other.game.is_of_type_of(&self.game) && other.state == self.state)
    }

    fn actions(&self, out: &mut Vec<u32>) {
        if self.path.is_empty() {
            return self.game.legal_actions(&self.state, out);
        }
        let mut moves = Vec::new();
        self.path.moves(&*self.game, &self.state, &mut moves);
        self.game.actions(&self.state, &moves, out);
    }

    fn points_so_far(&self) -> Option<i64> {
        self.game.points_so_far(&self.state)
    }

    fn actions_key(&self) -> Option<u64> {
        self.game.actions_key(&self.state)
    }

    fn play_action(&mut self, action: u32) -> bool {
        if self.game.repetition_rule() == RepetitionRule::Ignored {
            return self.game.play_action(&mut self.state, action);
        }
        let legal = self.legal_move_of_action(action);
        if let Some(m) = legal {
            self.path.play(&*self.game, &mut self.state, m);
        }
        legal.is_some()
    }

    fn action_of(&self, text: &str) -> Result<u32, NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        let (mut moves, mut actions) = (Vec::new(), Vec::new());
        self.game.moves(&self.state, &mut moves);
        self.game.actions(&self.state, &moves, &mut actions);
        let index = moves.iter().position(|&legal| legal == m).expect("a legal move");
        Ok(actions[index])
    }

    fn move_of_action(&self, action: u32) -> Option<String> {
        let m = self.legal_move_of_action(action)?;
        Some(self.game.show_move(&self.state, m))
    }

    fn features(&self, seen_by: Side, out: &mut Vec<u32>) {
        self.game.features(&self.state, seen_by, out);
    }

    fn scene(&self) -> Scene {
        self.game.scene(&self.state)
    }

    fn touches(&self, text: &str) -> Result<Vec<Coord>, NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        Ok(self.game.touches(&self.state, m))
    }

    fn ways(&self, text: &str) -> Result<Vec<Vec<Coord>>, NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        Ok(self.game.ways(&self.state, m))
    }

    fn removes(&self, text: &str) -> Result<Vec<Coord>, NotationError> {
        let m = self.path.read_move(&*self.game, &self.state, text)?;
        Ok(self.game.removes(&self.state, m))
    }

    fn perft(&self, depth: u32, threads: usize) -> u64 {
        perft_parallel(&*self.game, &self.state, depth, threads)
    }

    fn perft_with_progress(
        &self,
        depth: u32,
        threads: usize,
        on_part: &(dyn Fn(u64, u64) + Sync),
    ) -> u64 {
        perft_with_progress(&*self.game, &self.state, depth, threads, on_part)
    }

    fn census_with_progress(
        &self,
        limit: u64,
        on_progress: OnCensusProgress<'_>,
    ) -> Result<AnyCensus, CensusError> {
        let all = census::census_with_progress(&*self.game, &self.state, limit, on_progress)?;
        Ok(AnyCensus {
            positions: all.positions,
            longest: all.longest,
            games: all.games(),
            perfect: all.perfect.any(),
            ends: all
                .ends
                .into_iter()
                .map(|(o, end)| AnyOutcomeFrequency {
                    outcome: o.any(),
                    games: end.games,
                    chance: end.chance,
                })
                .collect(),
        })
    }

    fn positions_by_ply_with_progress(
        &self,
        depth: u32,
        limit: u64,
        on_progress: &mut dyn FnMut(u32, u64),
    ) -> Result<Vec<u64>, CensusError> {
        let (game, state) = (&*self.game, &self.state);
        census::positions_by_ply_with_progress(game, state, depth, limit, on_progress)
    }

    fn solve(
        &self,
        limits: SolveLimits,
        observer: &AnyObserver<'_>,
    ) -> Result<AnySolution, SolveError> {
        let (game, state, path) = (&*self.game, &self.state, &self.path);
        let observer = NotationObserver { game, state, observer };
        let budget = Budget::UNLIMITED;
        let request =
            MoveRequest { path, observer: &observer, ..MoveRequest::new(game, state, budget) };
        let solve = self.parts.solve.as_ref().ok_or(SolveError::Puzzle)?;
        let solution = solve(&request, limits)?;
        Ok(Solution {
            value: solution.value,
            best: solution.best.into_iter().map(|m| game.show_move(state, m)).collect(),
            lines: solution.lines.iter().map(|line| line_in_notation(game, state, line)).collect(),
            nodes: solution.nodes,
        })
    }

    fn playouts_with(&self, count: u64, rng: &mut Rng) -> Vec<u64> {
        let mut tally = O::Tally::default();
        self.game.playouts(&self.state, count, rng, &mut Vec::new(), &mut tally);
        O::kinds(&tally)
    }

    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64> {
        O::kinds(&self.game.playouts_one_by_one(&self.state, count, &mut Rng::new(seed)))
    }
}

/// Implements [`AnyPlayer`] for a player of a [`DynGame`].
struct ErasedPlayer<O: Outcome> {
    game: Arc<DynGame<O>>,
    spec: String,
    player: Box<dyn Player<DynGame<O>>>,
}

impl<O: Outcome> AnyPlayer for ErasedPlayer<O> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn begin(&mut self, seed: u64) {
        self.player.begin(seed);
    }

    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: Budget,
        observer: &AnyObserver<'_>,
    ) -> Result<Choice<String>, PlayerError> {
        let position: &dyn Any = position;
        let position = position.downcast_ref::<ErasedPosition<O>>();
        let position = position.filter(|position| position.game.is_of_type_of(&self.game));
        let Some(ErasedPosition { game, state, path, .. }) = position else {
            return Err(PlayerError::Failed(
                "the position is of another game than the player".to_owned(),
            ));
        };
        let observer = NotationObserver { game: &**game, state, observer };
        let request =
            MoveRequest { path, observer: &observer, ..MoveRequest::new(&**game, state, budget) };
        let choice = self.player.choose(&request)?;
        Ok(choice_in_notation(&**game, state, &choice))
    }

    fn own_name(&mut self) -> Option<String> {
        self.player.own_name()
    }
}
