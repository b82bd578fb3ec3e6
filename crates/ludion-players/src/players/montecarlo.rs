//! Flat Monte-Carlo (French: *Randy_MC*): the same number of random games after every move; the
//! choice is the first move with the greatest utility (mean result).
//!
//! A budget in simulations is divided evenly between the moves; the first moves get one more if
//! there is a remainder. A budget in time is spent in rounds over all moves.

use std::time::Duration;

use crate::effective::BudgetOverride;
use crate::game::Game;
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::OutcomeTally;
use crate::param::{Args, Param, ParamError};
use crate::player::{Budget, BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::random::Rng;
use crate::search::details::report_root_games;
use crate::search::sampling::BanditArms;
use crate::search::timer::DecisionTimer;

/// Maximum number of random games after one move between two checks of the clock.
const MAX_BATCH: u64 = 256;
/// With a time limit, batches of games grow only while a round over all moves is shorter than this.
const MAX_ROUND_TIME: Duration = Duration::from_millis(1);

/// Chooses the move with the best mean result of random games.
pub struct MonteCarloPlayer {
    sims: u64,
    rng: Rng,
}

impl MonteCarloPlayer {
    /// Creates a player that plays `sims` random games after each move, unless the budget limits
    /// simulations or time.
    #[must_use]
    pub fn new(sims: u64) -> Self {
        MonteCarloPlayer { sims: sims.max(1), rng: Rng::new(0) }
    }

    /// Returns the number of random games for the move with index `i` of `count` moves.
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
        request: &MoveRequest<'_, G>,
        arms: &mut BanditArms<G>,
        timer: &mut DecisionTimer<'_, G::Move>,
    ) {
        let timed = request.budget.time.is_some();
        let mut batch = 1;
        loop {
            let began = if timed { timer.elapsed() } else { Duration::ZERO };
            let mut played = false;
            for i in 0..arms.count() {
                let left = self.share(&request.budget, i, arms.count()) - arms.tallies()[i].games();
                if left == 0 {
                    continue;
                }
                arms.play(request.game, i, batch.min(left), &mut self.rng);
                played = true;
                if !timer.should_continue(|time| arms.choice(time)) {
                    return;
                }
            }
            if !played {
                return;
            }
            if !timed || timer.elapsed() - began < MAX_ROUND_TIME {
                batch = (2 * batch).min(MAX_BATCH);
            }
        }
    }
}

impl<G: Game> Player<G> for MonteCarloPlayer {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let mut timer = DecisionTimer::start(request);
        let mut arms = BanditArms::new(request)?;
        self.sample(request, &mut arms, &mut timer);
        report_root_games(request, arms.side(), arms.tallies());
        Ok(arms.choice(timer.elapsed()))
    }
}

impl<G: Game> NamedPlayer<G> for MonteCarloPlayer {
    const NAME: &'static str = "montecarlo";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Simulations];
    // A budget in simulations is a total for the move; the parameter counts games per action.
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::disables("sims", BudgetUnit::Time),
        BudgetOverride::disables("sims", BudgetUnit::Simulations),
    ];
    const HELP: &'static str =
        "the same number of random games after every move, then the best average";
    const PARAMS: &'static [Param] = &[Param::int(
        "sims",
        100,
        1,
        1_000_000_000,
        "random games after each action; a budget in simulations is a total for all actions instead",
    )];

    fn build(args: &Args, _parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(MonteCarloPlayer::new(args.size("sims") as u64))
    }
}
