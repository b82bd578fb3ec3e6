//! The random player: plays a uniformly random legal move (French: *Randy*, *aléatoire*).

use crate::game::Game;
use crate::named::{NamedPlayer, PlayerParts};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::random::Rng;

/// Plays uniformly random moves.
pub struct RandomPlayer<G: Game> {
    rng: Rng,
    moves: Vec<G::Move>,
}

impl<G: Game> RandomPlayer<G> {
    /// Creates a player whose random moves are determined by `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        RandomPlayer { rng: Rng::new(seed), moves: Vec::new() }
    }
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        self.moves.clear();
        request.path.moves(request.game, request.state, &mut self.moves);
        if self.moves.is_empty() {
            return Err(PlayerError::Over);
        }
        Ok(Choice::bare(self.moves[self.rng.below(self.moves.len())]))
    }

    fn is_instant(&self) -> bool {
        true
    }
}

impl<G: Game> NamedPlayer<G> for RandomPlayer<G> {
    const NAME: &'static str = "random";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str = "plays a uniformly random legal move";
    const PARAMS: &'static [Param] = &[];

    fn build(_args: &Args, _parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(RandomPlayer::new(0))
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `RandomPlayer`")]
pub type Random<G> = RandomPlayer<G>;
