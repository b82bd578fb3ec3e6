//! A player made for the game, with a parameter: `careful(error=0.2)`.

use ludion::game::Game;
use ludion::named::{NamedPlayer, PlayerParts};
use ludion::param::{Args, Param, ParamError};
use ludion::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError, RootLine};
use ludion::random::Rng;

use super::rules::{MyGameRules, MyGameState};

/// Wins with one move if it can; otherwise plays a random move after which the opponent cannot.
pub struct CarefulPlayer {
    /// Probability that a move is not thought about and drawn from all legal ones.
    error: f64,
    rng: Rng,
}

/// Returns what the player thinks of a move: 1 if it wins, -1 if it lets the opponent win, else 0.
fn worth(g: &MyGameRules, s: &MyGameState, cell: usize) -> f64 {
    let after = g.after(s, cell);
    if g.has_line(&after) {
        1.0
    } else if g.can_win(&after) {
        -1.0
    } else {
        0.0
    }
}

impl Player<MyGameRules> for CarefulPlayer {
    /// Starts a new game. Random numbers come from the seed, so that every game can be repeated.
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Chooses a move. A player that searches also looks at `request.budget` and asks
    /// `request.observer.should_stop()` now and then.
    fn choose(
        &mut self,
        request: &MoveRequest<'_, MyGameRules>,
    ) -> Result<Choice<usize>, PlayerError> {
        let (g, s) = (request.game, request.state);
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        // A line says what the player found out about one move; the web page shows it.
        let line = |&m: &usize| RootLine { value: Some(worth(g, s, m)), ..RootLine::new(m) };
        let lines: Vec<RootLine<usize>> = moves.iter().map(line).collect();
        if self.rng.unit() >= self.error {
            let best = lines.iter().filter_map(|line| line.value).fold(-1.0, f64::max);
            moves.retain(|&m| worth(g, s, m) >= best);
        }
        if moves.is_empty() {
            return Err(PlayerError::Over);
        }
        let best = moves[self.rng.below(moves.len())];
        Ok(Choice { lines, nodes: moves.len() as u64, depth: 2, ..Choice::bare(best) })
    }
}

impl NamedPlayer<MyGameRules> for CarefulPlayer {
    const NAME: &'static str = "careful";
    const HELP: &'static str = "wins at once if it can, and does not let the opponent do so";
    const PARAMS: &'static [Param] =
        &[Param::real("error", 0.0, 0.0, 1.0, "probability of a move without thought")];
    /// The limits of a budget that the player observes: none, because it does not search.
    const SPENDS: &'static [BudgetUnit] = &[];

    fn build(args: &Args, _parts: &PlayerParts<MyGameRules>) -> Result<Self, ParamError> {
        Ok(CarefulPlayer { error: args.real("error"), rng: Rng::new(0) })
    }
}
