//! Plays many self-play games at a time, so that the network evaluates their leaves in batches.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::GameInProgress;
use super::{SelfPlayOptions, SelfPlayRecord};
use crate::game::Game;
use crate::learn::policy_value::{NetworkEvaluator, PolicyValueBatch};
use crate::outcome::Duel;

/// Maximum number of games that are played at a time.
const GAMES_AT_A_TIME: usize = 64;

/// Plays self-play games of one network.
pub struct SelfPlayer<'a, G: Game> {
    game: &'a G,
    evaluator: &'a NetworkEvaluator,
    options: SelfPlayOptions,
    seed: u64,
}

impl<'a, G: Game<Outcome = Duel>> SelfPlayer<'a, G> {
    /// Creates a self-player; the seeds of all games are derived from `seed`.
    #[must_use]
    pub fn new(
        game: &'a G,
        evaluator: &'a NetworkEvaluator,
        options: SelfPlayOptions,
        seed: u64,
    ) -> Self {
        SelfPlayer { game, evaluator, options, seed }
    }

    /// Plays the games with these numbers and returns their records in this order. Returns `None` if
    /// `stop` is set before the end.
    #[must_use]
    pub fn play(&self, numbers: Range<u64>, stop: &AtomicBool) -> Option<Vec<SelfPlayRecord>> {
        let first = numbers.start;
        let mut records: Vec<Option<SelfPlayRecord>> = numbers.clone().map(|_| None).collect();
        let mut waiting = numbers;
        let mut games: Vec<(u64, GameInProgress<G>)> = Vec::new();
        let mut batch = PolicyValueBatch::default();
        let (mut features, mut actions) = (Vec::new(), Vec::new());
        let (mut contents, mut active) = (Vec::new(), Vec::new());
        loop {
            self.begin_games(&mut waiting, &mut games, |number, record| {
                records[(number - first) as usize] = Some(record);
            });
            if games.is_empty() {
                break;
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            batch.clear();
            for (_, game) in &games {
                features.clear();
                actions.clear();
                let (leaf, moves) = (&game.search.leaf, &game.search.moves);
                let turn = self.game.status(leaf).turn().expect("a leaf is not over");
                self.game.features(leaf, turn, &mut features);
                self.game.actions(leaf, moves, &mut actions);
                self.evaluator.inputs().activate(&features, &mut contents, &mut active);
                batch.push(&active, &actions);
            }
            self.evaluator.network().evaluate_batch(&mut batch);
            let mut index = 0;
            games.retain_mut(|(number, game)| {
                let evaluation = (batch.value(index), batch.logits(index));
                index += 1;
                let record = game.advance(self.game, &self.options, evaluation);
                let is_over = record.is_some();
                if is_over {
                    records[(*number - first) as usize] = record;
                }
                !is_over
            });
        }
        Some(records.into_iter().map(|record| record.expect("every game has ended")).collect())
    }

    /// Begins games until the limit is reached; games that end in their opening are passed to
    /// `ended`.
    fn begin_games(
        &self,
        waiting: &mut Range<u64>,
        games: &mut Vec<(u64, GameInProgress<G>)>,
        mut ended: impl FnMut(u64, SelfPlayRecord),
    ) {
        while games.len() < GAMES_AT_A_TIME {
            let Some(number) = waiting.next() else { break };
            match GameInProgress::begin(self.game, &self.options, self.seed, number) {
                Ok(game) => games.push((number, game)),
                Err(record) => ended(number, record),
            }
        }
    }
}
