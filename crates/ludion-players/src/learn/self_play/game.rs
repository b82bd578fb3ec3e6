//! One self-play game in progress: it waits for the evaluation of a leaf, move after move.

use super::search::SelfPlaySearch;
use super::{
    PLAYED_ON, RESIGN_MOVES, RESIGN_VALUE, Resignation, SearchedMove, SelfPlayOptions,
    SelfPlayRecord,
};
use crate::game::{Game, Side, Status};
use crate::learn::policy_value::WdlProbabilities;
use crate::outcome::{Duel, Wdl};
use crate::random::{Rng, derive_seed};
use crate::repetition::GamePath;

/// A self-play game whose search waits for the evaluation of a leaf.
pub(super) struct GameInProgress<G: Game> {
    pub(super) search: SelfPlaySearch<G>,
    state: G::State,
    path: GamePath,
    turn: Side,
    /// Whether the current move is searched fully.
    full: bool,
    rng: Rng,
    record: SelfPlayRecord,
    /// Number of consecutive moves that each side made with a value at which it resigns.
    low_values: [u32; 2],
    /// Whether the game is played on after a resignation.
    plays_on: bool,
}

impl<G: Game<Outcome = Duel>> GameInProgress<G> {
    /// Begins the game with this number: plays its random opening and begins the search of its first
    /// move. Returns the record at once if the game ends in the opening.
    pub(super) fn begin(
        g: &G,
        options: &SelfPlayOptions,
        seed: u64,
        number: u64,
    ) -> Result<Self, SelfPlayRecord> {
        let rng = Rng::new(derive_seed(seed, &[number]));
        let mut game = GameInProgress {
            search: SelfPlaySearch::new(g),
            state: g.start(),
            path: GamePath::new(),
            turn: Side::First,
            full: false,
            rng,
            record: SelfPlayRecord::default(),
            low_values: [0; 2],
            plays_on: false,
        };
        game.plays_on = game.rng.unit() < PLAYED_ON;
        let is_long = game.rng.unit() < options.long_openings;
        let most = if is_long { options.long_opening } else { options.short_opening };
        let mut moves = Vec::new();
        for _ in 0..game.rng.below(most as usize + 1) {
            moves.clear();
            game.path.moves(g, &game.state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let index = game.rng.below(moves.len());
            game.play(g, index, moves[index]);
        }
        if game.begin_move(g, options) { Ok(game) } else { Err(game.record) }
    }

    fn play(&mut self, g: &G, index: usize, m: G::Move) {
        self.record.moves.push(index as u16);
        self.path.play(g, &mut self.state, m);
    }

    /// Begins the search of the next move. Returns `false` if the game is over.
    fn begin_move(&mut self, g: &G, options: &SelfPlayOptions) -> bool {
        match self.path.status(g, &self.state) {
            Status::Over(end) => {
                self.record.end = end;
                false
            }
            Status::Turn(_) if self.record.moves.len() >= options.longest => false,
            Status::Turn(turn) => {
                self.turn = turn;
                self.full = self.rng.unit() < options.full_share;
                let sims = if self.full { options.full_sims } else { options.cheap_sims };
                self.search.begin(g, (&self.state, &self.path), turn, sims);
                true
            }
        }
    }

    /// Takes the evaluation of the leaf. Returns the record of the game when it is over.
    pub(super) fn advance(
        &mut self,
        g: &G,
        options: &SelfPlayOptions,
        evaluation: (WdlProbabilities, &[f32]),
    ) -> Option<SelfPlayRecord> {
        if self.search.advance(g, (&self.state, &self.path), options, &mut self.rng, evaluation) {
            return None;
        }
        let result = self.search.result();
        let expected = result.value.expected_result();
        let mut moves = Vec::new();
        self.path.moves(g, &self.state, &mut moves);
        if self.full || result.proof.is_some() {
            let ply = self.record.moves.len();
            let (policy, value) = (result.policy, result.value);
            self.record.searched.push(SearchedMove { ply, policy, value });
        }
        self.play(g, result.best, moves[result.best]);
        if let Some(verdict) = result.proof {
            // The move is part of the record, so that every searched state has one.
            self.record.end = verdict.to_duel(self.turn);
            return Some(std::mem::take(&mut self.record));
        }
        if options.resign && self.resigns(expected) {
            self.record.end = Wdl::Loss.to_duel(self.turn);
            return Some(std::mem::take(&mut self.record));
        }
        if self.begin_move(g, options) { None } else { Some(std::mem::take(&mut self.record)) }
    }

    /// Notes the value of the move that the side to move has just made, and returns whether that side
    /// resigns and the game ends.
    fn resigns(&mut self, expected: f32) -> bool {
        let low = &mut self.low_values[self.turn as usize];
        *low = if expected <= RESIGN_VALUE { *low + 1 } else { 0 };
        if *low < RESIGN_MOVES || self.record.resignation.is_some() {
            return false;
        }
        self.record.resignation = Some(Resignation { side: self.turn, played_on: self.plays_on });
        !self.plays_on
    }
}
