//! Any legal move, each as likely as the others (French: *Randy*, *aléatoire*).

use crate::game::Game;
use crate::listing::{Kit, ListedPlayer};
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::random::Rng;

/// Plays at random.
pub struct Random<G: Game> {
    rng: Rng,
    moves: Vec<G::Move>,
}

impl<G: Game> Random<G> {
    /// Draws from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random { rng: Rng::new(seed), moves: Vec::new() }
    }
}

impl<G: Game> Player<G> for Random<G> {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        self.moves.clear();
        turn.game.moves(turn.state, &mut self.moves);
        if self.moves.is_empty() {
            return Err(Refusal::Over);
        }
        Ok(Choice::bare(self.moves[self.rng.below(self.moves.len())]))
    }
}

impl<G: Game> ListedPlayer<G> for Random<G> {
    const NAME: &'static str = "random";
    const SPENDS: &'static [Unit] = &[];
    const HELP: &'static str = "any legal move, each as likely as the others";
    const PARAMS: &'static [Param] = &[];

    fn build(_args: &Args, _kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(Random::new(0))
    }
}
