//! [`DynGame`]: a game of any type as one type, so that players, laws, walks and the arena are
//! compiled once for all games instead of once for each.
//!
//! A call of one of its methods is a virtual call, and a list of moves is copied. Where that matters
//! the inner loop belongs to the game: playouts, perft and evaluators are compiled for its type, and
//! [`GameBuilder::compiled_searches`](super::GameBuilder::compiled_searches) adds the searches.

use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;

use super::batch::{DynBatch, TypedBatch};
use super::dyn_value::{DynMove, DynState};
use crate::archive::{AnyArchiveGenerator, ArchiveGenerator, GeneratorPlayers};
use crate::encoding::EncodingShape;
use crate::game::{Game, Side, Status, TallyOf};
use crate::notation::NotationError;
use crate::outcome::Outcome;
use crate::random::Rng;
use crate::repetition::RepetitionRule;
use crate::scene::{Coord, Piece, Scene, Symmetry};

/// A game of any type with outcomes of type `O`.
pub(super) struct DynGame<O: Outcome> {
    rules: Arc<dyn DynRules<O>>,
    /// The rule about repetitions, which is asked for at every ply.
    repetition_rule: RepetitionRule<O>,
}

/// The methods of [`Game`] that a trait object can have, with [`DynState`] and [`DynMove`].
trait DynRules<O: Outcome>: Send + Sync {
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
    fn as_any_ref(&self) -> &dyn Any;
    fn start(&self) -> DynState;
    fn status(&self, s: &DynState) -> Status<O>;
    fn moves(&self, s: &DynState, out: &mut Vec<DynMove>);
    fn play(&self, s: &mut DynState, m: DynMove);
    fn after(&self, s: &DynState, m: DynMove) -> DynState;
    fn key(&self, s: &DynState) -> u64;
    fn repetition_key(&self, s: &DynState) -> u64;
    fn reversible_plies(&self, s: &DynState) -> usize;
    fn count_moves(&self, s: &DynState) -> usize;
    fn count_replies(&self, s: &DynState) -> u64;
    fn perft(&self, s: &DynState, depth: u32) -> u64;
    fn wins_at_once(&self, s: &DynState) -> Option<bool>;
    fn safe_moves(&self, s: &DynState, out: &mut Vec<DynMove>) -> bool;
    fn last_mover_wins(&self) -> bool;
    fn suits_selective_search(&self) -> bool;
    fn slot(&self, m: DynMove) -> usize;
    fn playout(&self, s: &DynState, rng: &mut Rng) -> O;
    fn playouts(&self, s: &DynState, count: u64, rng: &mut Rng, tally: &mut O::Tally);
    fn playouts_one_by_one(&self, s: &DynState, count: u64, rng: &mut Rng) -> O::Tally;
    fn random_archive(self: Arc<Self>) -> Box<dyn AnyArchiveGenerator>;
    fn show_state(&self, s: &DynState) -> String;
    fn read_state(&self, text: &str) -> Result<DynState, NotationError>;
    fn show_move(&self, s: &DynState, m: DynMove) -> String;
    fn read_move(&self, s: &DynState, text: &str) -> Result<DynMove, NotationError>;
    fn scene(&self, s: &DynState) -> Scene;
    fn touches(&self, s: &DynState, m: DynMove) -> Vec<Coord>;
    fn side_names(&self) -> [&'static str; 2];
    fn ways(&self, s: &DynState, m: DynMove) -> Vec<Vec<Coord>>;
    fn removes(&self, s: &DynState, m: DynMove) -> Vec<Coord>;
    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<DynState, NotationError>;
    fn symmetries(&self) -> Vec<Symmetry>;
    fn transform(&self, s: &DynState, symmetry: Symmetry) -> DynState;
    fn encoding(&self) -> EncodingShape;
    fn features(&self, s: &DynState, seen_by: Side, out: &mut Vec<u32>);
    fn piece_counts(&self, s: &DynState) -> Option<[u32; 2]>;
    fn actions(&self, s: &DynState, moves: &[DynMove], out: &mut Vec<u32>);
    fn legal_actions(&self, s: &DynState, out: &mut Vec<u32>);
    fn move_of_action(&self, s: &DynState, action: u32) -> Option<DynMove>;
    fn points_so_far(&self, s: &DynState) -> Option<i64>;
    fn actions_key(&self, s: &DynState) -> Option<u64>;
    fn play_action(&self, s: &mut DynState, action: u32) -> bool;
    fn batch(self: Arc<Self>, count: usize) -> Box<dyn DynBatch>;
}

thread_local! {
    /// The buffer of [`with_buffer`] between two calls.
    static BUFFER: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// Calls `work` with an empty list of moves, that of the last call on this thread if it has the same
/// type.
fn with_buffer<M: 'static, R>(work: impl FnOnce(&mut Vec<M>) -> R) -> R {
    let kept = BUFFER.take().and_then(|buffer| buffer.downcast::<Vec<M>>().ok());
    let mut buffer = kept.unwrap_or_default();
    let result = work(&mut buffer);
    buffer.clear();
    put_back(buffer);
    result
}

/// Keeps a buffer for the next call of [`with_buffer`].
fn put_back(buffer: Box<dyn Any>) {
    // The place is empty, unless the work itself used it.
    drop(BUFFER.replace(Some(buffer)));
}

impl<G: Game> DynRules<G::Outcome> for G {
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn as_any_ref(&self) -> &dyn Any {
        self
    }

    fn start(&self) -> DynState {
        DynState::new(Game::start(self))
    }

    fn status(&self, s: &DynState) -> Status<G::Outcome> {
        Game::status(self, s.get())
    }

    fn moves(&self, s: &DynState, out: &mut Vec<DynMove>) {
        with_buffer(|moves| {
            Game::moves(self, s.get(), moves);
            out.extend(moves.iter().map(|&m| DynMove::new(m)));
        });
    }

    fn play(&self, s: &mut DynState, m: DynMove) {
        Game::play(self, s.get_mut(), m.get());
    }

    fn after(&self, s: &DynState, m: DynMove) -> DynState {
        DynState::new(Game::after(self, s.get(), m.get()))
    }

    fn key(&self, s: &DynState) -> u64 {
        Game::key(self, s.get())
    }

    fn repetition_key(&self, s: &DynState) -> u64 {
        Game::repetition_key(self, s.get())
    }

    fn reversible_plies(&self, s: &DynState) -> usize {
        Game::reversible_plies(self, s.get())
    }

    fn count_moves(&self, s: &DynState) -> usize {
        with_buffer(|moves| Game::count_moves(self, s.get(), moves))
    }

    fn count_replies(&self, s: &DynState) -> u64 {
        with_buffer(|moves| Game::count_replies(self, s.get(), moves))
    }

    fn perft(&self, s: &DynState, depth: u32) -> u64 {
        with_buffer(|moves| Game::perft(self, s.get(), depth, moves))
    }

    fn wins_at_once(&self, s: &DynState) -> Option<bool> {
        Game::wins_at_once(self, s.get())
    }

    fn safe_moves(&self, s: &DynState, out: &mut Vec<DynMove>) -> bool {
        with_buffer(|moves| {
            let known = Game::safe_moves(self, s.get(), moves);
            out.extend(moves.iter().map(|&m| DynMove::new(m)));
            known
        })
    }

    fn last_mover_wins(&self) -> bool {
        Game::last_mover_wins(self)
    }

    fn suits_selective_search(&self) -> bool {
        Game::suits_selective_search(self)
    }

    fn slot(&self, m: DynMove) -> usize {
        Game::slot(self, m.get())
    }

    fn playout(&self, s: &DynState, rng: &mut Rng) -> G::Outcome {
        let s: &G::State = s.get();
        with_buffer(|moves| Game::playout(self, s.clone(), rng, moves))
    }

    fn playouts(&self, s: &DynState, count: u64, rng: &mut Rng, tally: &mut TallyOf<G>) {
        with_buffer(|moves| Game::playouts(self, s.get(), count, rng, moves, tally));
    }

    fn playouts_one_by_one(&self, s: &DynState, count: u64, rng: &mut Rng) -> TallyOf<G> {
        let (s, mut tally): (&G::State, _) = (s.get(), TallyOf::<G>::default());
        with_buffer(|moves| {
            for _ in 0..count {
                Game::playout(self, s.clone(), rng, moves).count(&mut tally);
            }
        });
        tally
    }

    fn random_archive(self: Arc<Self>) -> Box<dyn AnyArchiveGenerator> {
        Box::new(ArchiveGenerator::new(self, GeneratorPlayers::Random))
    }

    fn show_state(&self, s: &DynState) -> String {
        Game::show_state(self, s.get())
    }

    fn read_state(&self, text: &str) -> Result<DynState, NotationError> {
        Game::read_state(self, text).map(DynState::new)
    }

    fn show_move(&self, s: &DynState, m: DynMove) -> String {
        Game::show_move(self, s.get(), m.get())
    }

    fn read_move(&self, s: &DynState, text: &str) -> Result<DynMove, NotationError> {
        Game::read_move(self, s.get(), text).map(DynMove::new)
    }

    fn scene(&self, s: &DynState) -> Scene {
        Game::scene(self, s.get())
    }

    fn touches(&self, s: &DynState, m: DynMove) -> Vec<Coord> {
        Game::touches(self, s.get(), m.get())
    }

    fn side_names(&self) -> [&'static str; 2] {
        Game::side_names(self)
    }

    fn ways(&self, s: &DynState, m: DynMove) -> Vec<Vec<Coord>> {
        Game::ways(self, s.get(), m.get())
    }

    fn removes(&self, s: &DynState, m: DynMove) -> Vec<Coord> {
        Game::removes(self, s.get(), m.get())
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<DynState, NotationError> {
        Ok(DynState::new(Game::state_of_pieces(self, pieces, turn)?))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Game::symmetries(self)
    }

    fn transform(&self, s: &DynState, symmetry: Symmetry) -> DynState {
        DynState::new(Game::transform(self, s.get(), symmetry))
    }

    fn encoding(&self) -> EncodingShape {
        Game::encoding(self)
    }

    fn features(&self, s: &DynState, seen_by: Side, out: &mut Vec<u32>) {
        Game::features(self, s.get(), seen_by, out);
    }

    fn piece_counts(&self, s: &DynState) -> Option<[u32; 2]> {
        Game::piece_counts(self, s.get())
    }

    fn actions(&self, s: &DynState, moves: &[DynMove], out: &mut Vec<u32>) {
        with_buffer(|typed| {
            typed.extend(moves.iter().map(DynMove::get::<G::Move>));
            Game::actions(self, s.get(), typed, out);
        });
    }

    fn legal_actions(&self, s: &DynState, out: &mut Vec<u32>) {
        with_buffer(|moves| {
            Game::moves(self, s.get(), moves);
            Game::actions(self, s.get(), moves, out);
        });
    }

    fn move_of_action(&self, s: &DynState, action: u32) -> Option<DynMove> {
        Game::move_of_action(self, s.get(), action).map(DynMove::new)
    }

    fn points_so_far(&self, s: &DynState) -> Option<i64> {
        Game::points_so_far(self, s.get())
    }

    fn actions_key(&self, s: &DynState) -> Option<u64> {
        Game::actions_key(self, s.get())
    }

    fn play_action(&self, s: &mut DynState, action: u32) -> bool {
        let s: &mut G::State = s.get_mut();
        let Some(m) = Game::move_of_action(self, s, action) else { return false };
        Game::play(self, s, m);
        true
    }

    fn batch(self: Arc<Self>, count: usize) -> Box<dyn DynBatch> {
        Box::new(TypedBatch::new(self, count))
    }
}

impl<O: Outcome> DynGame<O> {
    /// Hides the type of a game.
    #[must_use]
    pub(super) fn new<G: Game<Outcome = O>>(game: G) -> Self {
        DynGame { repetition_rule: game.repetition_rule(), rules: Arc::new(game) }
    }

    /// Plays random games one after the other, each by [`Game::playout`].
    pub(super) fn playouts_one_by_one(&self, s: &DynState, count: u64, rng: &mut Rng) -> O::Tally {
        self.rules.playouts_one_by_one(s, count, rng)
    }

    /// Returns a generator of archives of random games.
    pub(super) fn random_archive(&self) -> Box<dyn AnyArchiveGenerator> {
        Arc::clone(&self.rules).random_archive()
    }

    /// Appends the action numbers of the legal moves of `s`, in the order of [`Game::moves`].
    pub(super) fn legal_actions(&self, s: &DynState, out: &mut Vec<u32>) {
        self.rules.legal_actions(s, out);
    }

    /// Plays the legal move with this action number. Returns `false` and changes nothing if there is
    /// none.
    pub(super) fn play_action(&self, s: &mut DynState, action: u32) -> bool {
        self.rules.play_action(s, action)
    }

    /// Returns `count` states of the game at its start, which are stepped together.
    pub(super) fn batch(&self, count: usize) -> Box<dyn DynBatch> {
        Arc::clone(&self.rules).batch(count)
    }

    /// Returns whether the games inside both are of the same type.
    pub(super) fn is_of_type_of(&self, other: &Self) -> bool {
        self.rules.as_any_ref().type_id() == other.rules.as_any_ref().type_id()
    }

    /// Returns the game of type `G` inside.
    ///
    /// # Panics
    /// When it is of another type.
    pub(super) fn typed<G: Game>(&self) -> &G {
        self.rules.as_any_ref().downcast_ref().expect("the game that the parts were made for")
    }

    /// Returns the game of type `G` inside, shared.
    ///
    /// # Panics
    /// When it is of another type.
    pub(super) fn typed_arc<G: Game>(&self) -> Arc<G> {
        let rules = Arc::clone(&self.rules).as_any().downcast().ok();
        rules.expect("the game that the parts were made for")
    }
}

impl<O: Outcome> Game for DynGame<O> {
    type State = DynState;
    type Move = DynMove;
    type Outcome = O;

    fn start(&self) -> DynState {
        self.rules.start()
    }

    #[inline]
    fn status(&self, s: &DynState) -> Status<O> {
        self.rules.status(s)
    }

    #[inline]
    fn moves(&self, s: &DynState, out: &mut Vec<DynMove>) {
        self.rules.moves(s, out);
    }

    #[inline]
    fn play(&self, s: &mut DynState, m: DynMove) {
        self.rules.play(s, m);
    }

    #[inline]
    fn after(&self, s: &DynState, m: DynMove) -> DynState {
        self.rules.after(s, m)
    }

    #[inline]
    fn key(&self, s: &DynState) -> u64 {
        self.rules.key(s)
    }

    #[inline]
    fn repetition_rule(&self) -> RepetitionRule<O> {
        self.repetition_rule
    }

    #[inline]
    fn repetition_key(&self, s: &DynState) -> u64 {
        self.rules.repetition_key(s)
    }

    #[inline]
    fn reversible_plies(&self, s: &DynState) -> usize {
        self.rules.reversible_plies(s)
    }

    #[inline]
    fn count_moves(&self, s: &DynState, _scratch: &mut Vec<DynMove>) -> usize {
        self.rules.count_moves(s)
    }

    #[inline]
    fn count_replies(&self, s: &DynState, _scratch: &mut Vec<DynMove>) -> u64 {
        self.rules.count_replies(s)
    }

    fn perft(&self, s: &DynState, depth: u32, _scratch: &mut Vec<DynMove>) -> u64 {
        self.rules.perft(s, depth)
    }

    #[inline]
    fn wins_at_once(&self, s: &DynState) -> Option<bool> {
        self.rules.wins_at_once(s)
    }

    #[inline]
    fn safe_moves(&self, s: &DynState, out: &mut Vec<DynMove>) -> bool {
        self.rules.safe_moves(s, out)
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        self.rules.last_mover_wins()
    }

    fn suits_selective_search(&self) -> bool {
        self.rules.suits_selective_search()
    }

    #[inline]
    fn slot(&self, m: DynMove) -> usize {
        self.rules.slot(m)
    }

    #[inline]
    fn playout(&self, s: DynState, rng: &mut Rng, _scratch: &mut Vec<DynMove>) -> O {
        self.rules.playout(&s, rng)
    }

    fn playouts(
        &self,
        s: &DynState,
        count: u64,
        rng: &mut Rng,
        _scratch: &mut Vec<DynMove>,
        tally: &mut O::Tally,
    ) {
        self.rules.playouts(s, count, rng, tally);
    }

    fn show_state(&self, s: &DynState) -> String {
        self.rules.show_state(s)
    }

    fn read_state(&self, text: &str) -> Result<DynState, NotationError> {
        self.rules.read_state(text)
    }

    fn show_move(&self, s: &DynState, m: DynMove) -> String {
        self.rules.show_move(s, m)
    }

    fn read_move(&self, s: &DynState, text: &str) -> Result<DynMove, NotationError> {
        self.rules.read_move(s, text)
    }

    fn scene(&self, s: &DynState) -> Scene {
        self.rules.scene(s)
    }

    fn touches(&self, s: &DynState, m: DynMove) -> Vec<Coord> {
        self.rules.touches(s, m)
    }

    fn side_names(&self) -> [&'static str; 2] {
        self.rules.side_names()
    }

    fn ways(&self, s: &DynState, m: DynMove) -> Vec<Vec<Coord>> {
        self.rules.ways(s, m)
    }

    fn removes(&self, s: &DynState, m: DynMove) -> Vec<Coord> {
        self.rules.removes(s, m)
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<DynState, NotationError> {
        self.rules.state_of_pieces(pieces, turn)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.rules.symmetries()
    }

    fn transform(&self, s: &DynState, symmetry: Symmetry) -> DynState {
        self.rules.transform(s, symmetry)
    }

    fn encoding(&self) -> EncodingShape {
        self.rules.encoding()
    }

    #[inline]
    fn features(&self, s: &DynState, seen_by: Side, out: &mut Vec<u32>) {
        self.rules.features(s, seen_by, out);
    }

    #[inline]
    fn piece_counts(&self, s: &DynState) -> Option<[u32; 2]> {
        self.rules.piece_counts(s)
    }

    #[inline]
    fn actions(&self, s: &DynState, moves: &[DynMove], out: &mut Vec<u32>) {
        self.rules.actions(s, moves, out);
    }

    #[inline]
    fn move_of_action(&self, s: &DynState, action: u32) -> Option<DynMove> {
        self.rules.move_of_action(s, action)
    }

    #[inline]
    fn points_so_far(&self, s: &DynState) -> Option<i64> {
        self.rules.points_so_far(s)
    }

    #[inline]
    fn actions_key(&self, s: &DynState) -> Option<u64> {
        self.rules.actions_key(s)
    }
}
