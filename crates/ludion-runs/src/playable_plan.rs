//! A plan whose game and players exist. Opening a plan makes its players once, so that an unknown
//! name is an error before anything is stored, and later steps need no check.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::pair::AnyReferee;
use ludion_players::arena::plan::GamesPlan;
use ludion_players::assets::Assets;
use ludion_players::registry::{AnyGame, Registry};

use crate::{GamePair, RunError, player_files, present_plan};

/// A plan with its game; its players were made once, so making them again cannot fail.
pub struct PlayablePlan {
    pub(crate) plan: GamesPlan,
    pub(crate) game: Arc<dyn AnyGame>,
}

impl PlayablePlan {
    /// Opens a plan that was stored. Its players are those that were stored, also if defaults have
    /// changed since.
    ///
    /// # Errors
    /// When the registry does not know the game or a player, or cannot make it as it was, or a file
    /// that a player reads has changed.
    pub fn open(registry: &Registry, plan: &GamesPlan) -> Result<Self, RunError> {
        let plan = present_plan(registry, plan)?;
        player_files::check(registry, &plan)?;
        PlayablePlan::open_with(registry, registry.assets(), plan).map_err(|error| match error {
            RunError::Name(error) => RunError::Changed(error.to_string()),
            error => error,
        })
    }

    /// Opens a plan that another program of the same sources sent, whose players find their models and data in `assets`.
    pub(crate) fn open_with(
        registry: &Registry,
        assets: &Assets,
        plan: GamesPlan,
    ) -> Result<Self, RunError> {
        let game = registry.game_with(&plan.game, assets)?;
        let playable = PlayablePlan { plan, game };
        playable.make_referee()?;
        Ok(playable)
    }

    /// Returns an error if an opening of the plan cannot be played.
    pub(crate) fn check_conditions(&self) -> Result<(), RunError> {
        self.set_conditions(&mut *self.game.referee(&[])?)
    }

    fn make_referee(&self) -> Result<Box<dyn AnyReferee>, RunError> {
        let mut referee = self.game.referee(&self.plan.players)?;
        self.set_conditions(&mut *referee)?;
        Ok(referee)
    }

    fn set_conditions(&self, referee: &mut dyn AnyReferee) -> Result<(), RunError> {
        let Some(conditions) = &self.plan.conditions else { return Ok(()) };
        referee.set_conditions(conditions).map_err(|error| RunError::Wrong(error.to_string()))
    }

    /// Returns the plan.
    #[must_use]
    pub fn plan(&self) -> &GamesPlan {
        &self.plan
    }

    /// Drops the opened game and returns the plan, to be stored and opened later.
    #[must_use]
    pub fn into_plan(self) -> GamesPlan {
        self.plan
    }

    /// Makes the players and returns a referee that plays with them, for one thread.
    pub(crate) fn referee(&self) -> Box<dyn AnyReferee> {
        self.make_referee().expect("the same plan made a referee before")
    }

    /// Plays the pair with this number; the results include the moves if `keep` is set. Returns
    /// `None` if `stop` is set before the end.
    pub(crate) fn play_pair(
        &self,
        referee: &mut dyn AnyReferee,
        number: u64,
        keep: bool,
        stop: &AtomicBool,
    ) -> Option<GamePair> {
        let pair = self.plan.schedule.pair(number);
        referee.play_pair_or_stop(&self.plan.terms, pair, keep, stop)
    }
}
