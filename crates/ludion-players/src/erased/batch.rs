//! Many states of one game that are stepped together, for environments and networks: one virtual
//! call moves all of them, and the loop is compiled for the type of the game.

use std::sync::Arc;

use super::any::AnyPosition;
use super::builder::GameParts;
use super::dyn_game::DynGame;
use super::dyn_value::DynState;
use super::game::ErasedPosition;
use crate::encoding::EncodingShape;
use crate::game::{Game, Side, Status};
use crate::outcome::Outcome;
use crate::repetition::{GamePath, RepetitionRule};

/// Where a batch writes what is known of each of its states after a step.
pub struct BatchOutputs<'a> {
    /// For each state one byte per action: 1 if the action is legal, otherwise 0.
    pub legal: &'a mut [u8],
    /// The side to move of each state, 0 or 1; −1 if the game is over.
    pub to_play: &'a mut [i8],
    /// The result of each state for the first side: +1, 0 or −1 for a duel, the points for a puzzle;
    /// 0 while the game is not over.
    pub outcome: &'a mut [f32],
    /// For each state 1 if the game is over, otherwise 0.
    pub done: &'a mut [u8],
}

/// Error of an action that is not legal in its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("action {action} is not legal in state {index}")]
pub struct IllegalActionError {
    /// The number of the state in the batch, from 0.
    pub index: usize,
    /// The action that is not legal.
    pub action: i64,
}

/// Many states of one game, type-erased.
pub trait AnyBatch: Send + Sync {
    /// Returns the number of states.
    fn len(&self) -> usize;
    /// Returns whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Plays one action in each state whose game is not over and writes what is known afterwards.
    /// The action of a state whose game is over is ignored: the state stays as it is, or begins
    /// again if `restart` is set.
    ///
    /// # Errors
    /// When an action is not legal; then no state is changed.
    ///
    /// # Panics
    /// When the number of actions or the length of an output is wrong.
    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        out: BatchOutputs<'_>,
    ) -> Result<(), IllegalActionError>;
    /// Writes what is known of the states.
    ///
    /// # Panics
    /// When the length of an output is wrong.
    fn write(&self, out: BatchOutputs<'_>);
    /// Writes the planes of all states, as the side to move sees them, see
    /// [`EncodingShape::write_planes`].
    ///
    /// # Panics
    /// When the length of `out` is wrong.
    fn write_planes(&self, out: &mut [f32]);
    /// Sets state number `index` to the start.
    fn restart(&mut self, index: usize);
    /// Returns state number `index` as a position.
    fn position(&self, index: usize) -> Box<dyn AnyPosition>;
    /// Sets state number `index` to `position`. Returns `false` and changes nothing if the position
    /// is of another type of game.
    fn set(&mut self, index: usize, position: &dyn AnyPosition) -> bool;
}

/// The states of a batch of a [`DynGame`].
pub(super) trait DynBatch: Send + Sync {
    fn len(&self) -> usize;
    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        out: BatchOutputs<'_>,
    ) -> Result<(), IllegalActionError>;
    fn write(&self, out: BatchOutputs<'_>);
    fn write_planes(&self, out: &mut [f32]);
    fn restart(&mut self, index: usize);
    fn state(&self, index: usize) -> (DynState, GamePath);
    fn set(&mut self, index: usize, state: &DynState, path: &GamePath);
}

/// The states of a batch of games of type `G`.
pub(super) struct TypedBatch<G: Game> {
    game: Arc<G>,
    shape: EncodingShape,
    states: Vec<G::State>,
    /// The path of each state; empty if the game ignores repetitions.
    paths: Vec<GamePath>,
    /// The moves of the step under way; `None` for a game that is over.
    chosen: Vec<Option<G::Move>>,
}

/// Lists of one thread for the moves of a state.
struct MoveLists<M> {
    moves: Vec<M>,
    actions: Vec<u32>,
}

impl<G: Game> TypedBatch<G> {
    pub(super) fn new(game: Arc<G>, count: usize) -> Self {
        let (shape, start) = (game.encoding(), game.start());
        let needs_paths = game.repetition_rule() != RepetitionRule::Ignored;
        let paths = vec![GamePath::new(); if needs_paths { count } else { 0 }];
        let (states, chosen) = (vec![start; count], Vec::with_capacity(count));
        TypedBatch { game, shape, states, paths, chosen }
    }

    /// Returns the path of the state at this index.
    #[inline]
    fn path(&self, index: usize) -> &GamePath {
        self.paths.get(index).unwrap_or(GamePath::EMPTY)
    }

    /// Finds the move of each action before any is played, so that an error changes nothing.
    fn choose(&mut self, actions: &[i64]) -> Result<(), IllegalActionError> {
        self.chosen.clear();
        for (index, (s, &action)) in self.states.iter().zip(actions).enumerate() {
            let (g, path) = (&*self.game, self.path(index));
            let is_over = || path.status(g, s).turn().is_none();
            let found = u32::try_from(action).ok().and_then(|a| g.move_of_action(s, a));
            let found = found.filter(|&m| path.allows(g, s, m) && (path.is_empty() || !is_over()));
            if found.is_none() && !is_over() {
                return Err(IllegalActionError { index, action });
            }
            self.chosen.push(found);
        }
        Ok(())
    }

    fn write_all(&self, out: BatchOutputs<'_>) {
        let (count, actions) = (self.states.len(), self.shape.actions);
        let BatchOutputs { legal, to_play, outcome, done } = out;
        assert_eq!(legal.len(), count * actions, "a byte for each action of each state");
        assert!([to_play.len(), outcome.len(), done.len()] == [count; 3], "one entry per state");
        let mut lists = MoveLists { moves: Vec::new(), actions: Vec::new() };
        legal.fill(0);
        let rows = legal.chunks_exact_mut(actions.max(1));
        let columns = to_play.iter_mut().zip(outcome).zip(done);
        let states = self.states.iter().enumerate();
        for (((i, s), legal), ((to_play, outcome), done)) in states.zip(rows).zip(columns) {
            let path = self.path(i);
            match path.status(&*self.game, s) {
                Status::Over(end) => {
                    (*to_play, *outcome, *done) = (-1, end.worth(Side::First) as f32, 1);
                }
                Status::Turn(side) => {
                    (*to_play, *outcome, *done) = (side.index() as i8, 0.0, 0);
                    lists.mark_legal(&*self.game, s, path, legal);
                }
            }
        }
    }
}

impl<M> MoveLists<M> {
    /// Sets the bytes of the legal actions of `s` to 1.
    #[inline]
    fn mark_legal<G: Game<Move = M>>(
        &mut self,
        g: &G,
        s: &G::State,
        path: &GamePath,
        legal: &mut [u8],
    ) {
        self.moves.clear();
        self.actions.clear();
        path.moves(g, s, &mut self.moves);
        g.actions(s, &self.moves, &mut self.actions);
        self.actions.iter().for_each(|&action| legal[action as usize] = 1);
    }
}

impl<G: Game> DynBatch for TypedBatch<G> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        out: BatchOutputs<'_>,
    ) -> Result<(), IllegalActionError> {
        assert_eq!(actions.len(), self.states.len(), "an action for each state");
        self.choose(actions)?;
        for (i, (s, chosen)) in self.states.iter_mut().zip(&self.chosen).enumerate() {
            let path = self.paths.get_mut(i);
            match (chosen, path) {
                (Some(m), None) => self.game.play(s, *m),
                (Some(m), Some(path)) => path.play(&*self.game, s, *m),
                (None, path) if restart => {
                    *s = self.game.start();
                    path.into_iter().for_each(GamePath::clear);
                }
                (None, _) => (),
            }
        }
        self.write_all(out);
        Ok(())
    }

    fn write(&self, out: BatchOutputs<'_>) {
        self.write_all(out);
    }

    fn write_planes(&self, out: &mut [f32]) {
        let size = (self.shape.planes + self.shape.extras) * self.shape.cells();
        assert_eq!(out.len(), size * self.states.len(), "planes and extras of each state");
        let mut features = Vec::new();
        for (s, planes) in self.states.iter().zip(out.chunks_exact_mut(size.max(1))) {
            features.clear();
            let side = self.game.status(s).turn().unwrap_or(Side::First);
            self.game.features(s, side, &mut features);
            self.shape.write_planes(&features, planes);
        }
    }

    fn restart(&mut self, index: usize) {
        self.states[index] = self.game.start();
        self.paths.get_mut(index).into_iter().for_each(GamePath::clear);
    }

    fn state(&self, index: usize) -> (DynState, GamePath) {
        (DynState::new(self.states[index].clone()), self.path(index).clone())
    }

    fn set(&mut self, index: usize, state: &DynState, path: &GamePath) {
        self.states[index] = state.get::<G::State>().clone();
        self.paths.get_mut(index).into_iter().for_each(|kept| kept.copy_from(path));
    }
}

/// Implements [`AnyBatch`] for the states of a [`DynGame`].
pub(super) struct ErasedBatch<O: Outcome> {
    pub(super) game: Arc<DynGame<O>>,
    pub(super) parts: Arc<GameParts<O>>,
    pub(super) states: Box<dyn DynBatch>,
}

impl<O: Outcome> AnyBatch for ErasedBatch<O> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn step(
        &mut self,
        actions: &[i64],
        restart: bool,
        out: BatchOutputs<'_>,
    ) -> Result<(), IllegalActionError> {
        self.states.step(actions, restart, out)
    }

    fn write(&self, out: BatchOutputs<'_>) {
        self.states.write(out);
    }

    fn write_planes(&self, out: &mut [f32]) {
        self.states.write_planes(out);
    }

    fn restart(&mut self, index: usize) {
        self.states.restart(index);
    }

    fn position(&self, index: usize) -> Box<dyn AnyPosition> {
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        let (state, path) = self.states.state(index);
        Box::new(ErasedPosition { game, parts, state, path })
    }

    fn set(&mut self, index: usize, position: &dyn AnyPosition) -> bool {
        let position: &dyn std::any::Any = position;
        let position = position.downcast_ref::<ErasedPosition<O>>();
        let position = position.filter(|position| position.game.is_of_type_of(&self.game));
        position.is_some_and(|position| {
            self.states.set(index, &position.state, &position.path);
            true
        })
    }
}
