//! Flat Monte-Carlo (French: *Randy_MC*): the same number of random games after every
//! move, then the first move of greatest utility.
//!
//! A budget in simulations is spread evenly over the moves, the first ones getting what is
//! left over; a budget in time is spent in rounds over all moves.

use std::time::Duration;

use crate::game::Game;
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Tally;
use crate::param::{Args, Param, ParamError};
use crate::player::{Budget, Choice, Player, Refusal, Turn, Unit};
use crate::random::Rng;
use crate::search::meter::Meter;
use crate::search::sampling::Arms;

/// The most games played after one move before the clock is looked at.
const BATCH: u64 = 256;
/// Under a time limit batches grow only while a round over all moves is shorter than this.
const ROUND: Duration = Duration::from_millis(1);

/// Plays the same number of random games after every move.
pub struct MonteCarlo {
    sims: u64,
    rng: Rng,
}

impl MonteCarlo {
    /// Plays `sims` games after each move where the budget does not say how many.
    #[must_use]
    pub fn new(sims: u64) -> Self {
        MonteCarlo { sims: sims.max(1), rng: Rng::new(0) }
    }

    /// How many games move number `i` of `count` may have.
    fn share(&self, budget: &Budget, i: usize, count: usize) -> u64 {
        let (i, count) = (i as u64, count as u64);
        match budget.simulations {
            Some(total) => total.max(1) / count + u64::from(i < total.max(1) % count),
            None if budget.time.is_some() => u64::MAX,
            None => self.sims,
        }
    }

    fn sample<G: Game>(
        &mut self,
        turn: &Turn<'_, G>,
        arms: &mut Arms<G>,
        meter: &mut Meter<'_, G::Move>,
    ) {
        let timed = turn.budget.time.is_some();
        let mut batch = 1;
        loop {
            let began = if timed { meter.elapsed() } else { Duration::ZERO };
            let mut played = false;
            for i in 0..arms.count() {
                let left = self.share(&turn.budget, i, arms.count()) - arms.tallies()[i].games();
                if left == 0 {
                    continue;
                }
                arms.play(turn.game, i, batch.min(left), &mut self.rng);
                played = true;
                if !meter.go_on(|time| arms.choice(time)) {
                    return;
                }
            }
            if !played {
                return;
            }
            if !timed || meter.elapsed() - began < ROUND {
                batch = (2 * batch).min(BATCH);
            }
        }
    }
}

impl<G: Game> Player<G> for MonteCarlo {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let mut meter = Meter::start(turn);
        let mut arms = Arms::new(turn.game, turn.state)?;
        self.sample(turn, &mut arms, &mut meter);
        Ok(arms.choice(meter.elapsed()))
    }
}

impl<G: Game> ListedPlayer<G> for MonteCarlo {
    const NAME: &'static str = "montecarlo";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Simulations];
    const HELP: &'static str = "as many random games after every move, then the best average";
    const PARAMS: &'static [Param] = &[Param::int(
        "sims",
        100,
        1,
        1_000_000_000,
        "random games after each move, unless the budget is in simulations or time",
    )];

    fn build(args: &Args, _kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(MonteCarlo::new(args.size("sims") as u64))
    }
}
