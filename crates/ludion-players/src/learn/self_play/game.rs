//! One self-play game in progress: it waits for the evaluation of a leaf, move after move.

use super::search::SelfPlaySearch;
use super::{SearchedMove, SelfPlayOptions, SelfPlayRecord};
use crate::game::{Game, Side, Status};
use crate::learn::policy_value::WdlProbabilities;
use crate::outcome::Duel;
use crate::random::{Rng, derive_seed};

/// A self-play game whose search waits for the evaluation of a leaf.
pub(super) struct GameInProgress<G: Game> {
    pub(super) search: SelfPlaySearch<G>,
    state: G::State,
    turn: Side,
    /// Whether the current move is searched fully.
    full: bool,
    rng: Rng,
    record: SelfPlayRecord,
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
        let record = SelfPlayRecord { moves: Vec::new(), searched: Vec::new(), end: Duel::Drawn };
        let (search, state) = (SelfPlaySearch::new(g), g.start());
        let mut game =
            GameInProgress { search, state, turn: Side::First, full: false, rng, record };
        let is_long = game.rng.unit() < options.long_openings;
        let most = if is_long { options.long_opening } else { options.short_opening };
        let mut moves = Vec::new();
        for _ in 0..game.rng.below(most as usize + 1) {
            moves.clear();
            g.moves(&game.state, &mut moves);
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
        g.play(&mut self.state, m);
    }

    /// Begins the search of the next move. Returns `false` if the game is over.
    fn begin_move(&mut self, g: &G, options: &SelfPlayOptions) -> bool {
        match g.status(&self.state) {
            Status::Over(end) => {
                self.record.end = end;
                false
            }
            Status::Turn(_) if self.record.moves.len() >= options.longest => false,
            Status::Turn(turn) => {
                self.turn = turn;
                self.full = self.rng.unit() < options.full_share;
                let sims = if self.full { options.full_sims } else { options.cheap_sims };
                self.search.begin(g, &self.state, turn, sims);
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
        if self.search.advance(g, &self.state, options, &mut self.rng, evaluation) {
            return None;
        }
        let result = self.search.result();
        let mut moves = Vec::new();
        g.moves(&self.state, &mut moves);
        if self.full || result.proof.is_some() {
            let ply = self.record.moves.len();
            let (policy, value) = (result.policy, result.value);
            self.record.searched.push(SearchedMove { ply, policy, value });
        }
        self.play(g, result.best, moves[result.best]);
        if let Some(verdict) = result.proof {
            // The move is part of the record, so that every searched state has one.
            self.record.end = verdict.to_duel(self.turn);
            return Some(self.take_record());
        }
        if self.begin_move(g, options) { None } else { Some(self.take_record()) }
    }

    fn take_record(&mut self) -> SelfPlayRecord {
        let empty = SelfPlayRecord { moves: Vec::new(), searched: Vec::new(), end: Duel::Drawn };
        std::mem::replace(&mut self.record, empty)
    }
}
