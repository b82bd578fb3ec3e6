//! The clock of one decision: when it must end, and when somebody is to be told how far
//! it has come. Random games and nodes are counted by the players themselves.

use std::time::{Duration, Instant};

use crate::game::Game;
use crate::player::{Choice, MoveRequest, Observer};

/// Keeps the time of one decision.
pub struct DecisionTimer<'a, M> {
    began: Instant,
    limit: Option<Duration>,
    observer: &'a dyn Observer<M>,
    /// When the next report is due, if there are reports.
    due: Option<Duration>,
}

impl<'a, M> DecisionTimer<'a, M> {
    /// Starts the clock for `turn`.
    #[must_use]
    pub fn start<G: Game<Move = M>>(turn: &MoveRequest<'a, G>) -> Self {
        DecisionTimer {
            began: Instant::now(),
            limit: turn.budget.time,
            observer: turn.observer,
            due: turn.observer.interval(),
        }
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the player may go on: the time is not up and the watcher does not say
    /// stop. Reports `so_far` where that is due. Reads no clock when none is asked for.
    #[inline]
    pub fn go_on(&mut self, so_far: impl FnOnce(Duration) -> Choice<M>) -> bool {
        if self.limit.is_some() || self.due.is_some() {
            let elapsed = self.elapsed();
            if self.limit.is_some_and(|limit| elapsed >= limit) {
                return false;
            }
            if self.due.is_some_and(|due| elapsed >= due) {
                self.observer.report(&so_far(elapsed));
                self.due = self.observer.interval().map(|interval| elapsed + interval);
            }
        }
        !self.observer.stop()
    }
}
