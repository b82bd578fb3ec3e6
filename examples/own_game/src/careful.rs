//! A player for all games. It sees type-erased positions: it lists the legal moves, plays them on
//! copies and asks for the status of the game, all in text.

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};
use ludion::param::{Args, ParamError};
use ludion::player::{Choice, PlayerError};
use ludion::random::Rng;
use ludion::registry::{AnyPosition, PlayerInfo, PositionPlayer, PositionRequest};

/// A player that wins with one move if it can; otherwise it plays a random move after which the
/// opponent cannot win with one move, if there is one.
struct CarefulPlayer {
    rng: Rng,
}

impl PositionPlayer for CarefulPlayer {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError> {
        let me = request.position.status().turn().ok_or(PlayerError::Over)?;
        let mut choices = Vec::new();
        for (m, after) in children(request.position) {
            if wins(&*after, me) {
                return Ok(Choice::bare(m));
            }
            let safe = !children(&*after).any(|(_, reply)| wins(&*reply, me.other()));
            choices.push((m, safe && !wins(&*after, me.other())));
            if request.observer.should_stop() {
                break;
            }
        }
        if choices.iter().any(|(_, safe)| *safe) {
            choices.retain(|(_, safe)| *safe);
        }
        let (best, _) = choices.swap_remove(self.rng.below(choices.len()));
        Ok(Choice::bare(best))
    }
}

/// Returns the legal moves, each with the position after it.
fn children(position: &dyn AnyPosition) -> impl Iterator<Item = (String, Box<dyn AnyPosition>)> {
    position.moves().into_iter().map(|m| {
        let mut after = position.copy();
        after.play(&m).expect("a listed move is legal");
        (m, after)
    })
}

/// Returns whether the game is over and `side` has won it. A puzzle has points and no winner, so
/// the player plays random moves there.
fn wins(position: &dyn AnyPosition, side: Side) -> bool {
    position.status() == Status::Over(AnyOutcome::Duel(Duel::Won(side)))
}

/// Returns the name and the help of the player, as `ludion players` lists them.
pub(crate) fn info() -> PlayerInfo {
    PlayerInfo {
        name: "careful".into(),
        help: "wins at once if it can, and does not let the opponent do so".into(),
        ..PlayerInfo::default()
    }
}

/// Builds the player; it has no parameters.
pub(crate) fn build(_args: &Args) -> Result<Box<dyn PositionPlayer>, ParamError> {
    Ok(Box::new(CarefulPlayer { rng: Rng::new(0) }))
}
