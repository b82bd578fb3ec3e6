//! The timer of one choice of a move: tells a player when to stop and when to report progress.
//! Players count simulations and nodes themselves.

use std::time::{Duration, Instant};

use crate::game::Game;
use crate::player::{Choice, MoveRequest, Observer};

/// Measures the time of one choice of a move against its time limit.
pub struct DecisionTimer<'a, M> {
    began: Instant,
    limit: Option<Duration>,
    observer: &'a dyn Observer<M>,
    /// Time from the start to the next progress report; `None` for no reports.
    next_report: Option<Duration>,
}

impl<'a, M> DecisionTimer<'a, M> {
    /// Starts the timer, with the time limit and the observer of `request`.
    #[must_use]
    pub fn start<G: Game<Move = M>>(request: &MoveRequest<'a, G>) -> Self {
        DecisionTimer {
            began: Instant::now(),
            limit: request.budget.time,
            observer: request.observer,
            next_report: request.observer.interval(),
        }
    }

    /// Returns the time since the timer was started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns whether the player may continue: the time limit is not reached and the observer does
    /// not stop it. If a report is due, sends the choice that `so_far` returns to the observer.
    /// Reads the clock only if there is a time limit or a report interval.
    #[inline]
    pub fn should_continue(&mut self, so_far: impl FnOnce(Duration) -> Choice<M>) -> bool {
        if self.limit.is_some() || self.next_report.is_some() {
            let elapsed = self.elapsed();
            if self.limit.is_some_and(|limit| elapsed >= limit) {
                return false;
            }
            if self.next_report.is_some_and(|next_report| elapsed >= next_report) {
                self.observer.report(&so_far(elapsed));
                self.next_report = self.observer.interval().map(|interval| elapsed + interval);
            }
        }
        !self.observer.should_stop()
    }
}
