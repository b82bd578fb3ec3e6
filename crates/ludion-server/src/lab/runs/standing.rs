//! How a run stands while it is conducted, told now and then.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ludion::arena::plan::{Ledger, Plan};
use ludion_runs::tuning::Standing as TuningStanding;
use ludion_runs::{Figures, Picture, Played, matches};
use ludion_store::{RunId, State};
use serde::Serialize;
use serde_json::Value;

use super::desk::Live;

/// What is told of a run.
#[derive(Clone, Serialize)]
pub(crate) struct Standing {
    pub(super) run: RunId,
    pub(super) phase: Phase,
    /// Pairs or jobs that are done; of a tuning, of the match that is being played.
    pub(super) done: u64,
    pub(super) total: u64,
    /// Seconds that this program has worked at it, and may still have to; the most, where a test
    /// may end it.
    pub(super) seconds: f64,
    pub(super) left: Option<f64>,
    /// What it is at, in a few words.
    pub(super) what: String,
    /// What came of it so far, as its details have it.
    pub(super) figures: Value,
    /// Why it ended before its time.
    pub(super) error: Option<String>,
}

/// How far a run has come, as a page shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    /// It waits for its turn.
    Queued,
    /// It is conducted here.
    Running,
    /// It was asked to stop, and ends what is under way.
    Stopping,
    /// Another program is at it.
    Elsewhere,
    /// It can be resumed.
    Stopped,
    Finished,
}

impl Phase {
    /// Whether nothing more comes.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Phase::Elsewhere | Phase::Stopped | Phase::Finished)
    }
}

impl From<State> for Phase {
    fn from(state: State) -> Self {
        if state == State::Finished { Phase::Finished } else { Phase::Stopped }
    }
}

impl Standing {
    pub(super) fn new(run: RunId, phase: Phase) -> Self {
        let what = String::new();
        let (figures, error) = (Value::Null, None);
        Standing { run, phase, done: 0, total: 0, seconds: 0.0, left: None, what, figures, error }
    }
}

/// Told at most this often.
const PACE: Duration = Duration::from_millis(250);
/// Figures that take long are told less often: they have 1 of so many parts of the time.
const SHARE: u32 = 20;

/// Tells how a run stands.
pub(super) struct Reporter<'a> {
    live: &'a Live,
    began: Instant,
    next: Instant,
    next_figures: Instant,
    /// What was done before this program began.
    known: Option<u64>,
    /// When it has to stop.
    last: Instant,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(live: &'a Live, most: Duration) -> Self {
        let began = Instant::now();
        let (next, next_figures) = (began, began);
        Reporter { live, began, next, next_figures, known: None, last: began + most }
    }

    /// Whether it is time to tell something. What takes too long is stopped.
    fn is_time(&mut self, done: u64) -> bool {
        self.known.get_or_insert(done.saturating_sub(1));
        let now = Instant::now();
        if now >= self.last {
            self.live.stop.store(true, Ordering::Relaxed);
        }
        if now < self.next {
            return false;
        }
        self.next = now + PACE;
        true
    }

    /// Tells how far it has come; how long it may still take, where that is known.
    fn tell(&mut self, done: u64, total: u64, what: String, is_whole: bool) {
        let seconds = self.began.elapsed().as_secs_f64();
        let now_done = done.saturating_sub(self.known.unwrap_or_default()).max(1);
        let left = seconds * total.saturating_sub(done) as f64 / now_done as f64;
        let left = is_whole.then_some(left);
        self.live.tell(|standing| {
            *standing = Standing { done, total, seconds, left, what, ..standing.clone() };
        });
    }

    /// Tells what came of it, unless that was told a moment ago.
    fn figures(&mut self, make: impl FnOnce() -> (Value, Option<Picture>)) {
        let since = Instant::now();
        if since < self.next_figures {
            return;
        }
        let (figures, picture) = make();
        *self.live.picture.lock().unwrap_or_else(PoisonError::into_inner) = picture;
        self.live.tell(|standing| standing.figures = figures);
        self.next_figures = Instant::now() + SHARE * since.elapsed();
    }

    /// A pair of a plan is counted.
    pub(super) fn pair(&mut self, plan: &Plan, ledger: &Ledger) {
        let (done, total) = (ledger.pairs, plan.schedule.total());
        if !self.is_time(done) {
            return;
        }
        self.tell(done, total, String::new(), true);
        let (run, began) = (Some(self.live.run), self.began);
        let games = 2 * done.saturating_sub(self.known.unwrap_or_default());
        self.figures(|| {
            let seconds = Some(began.elapsed().as_secs_f64());
            let (state, ledger) = (State::Running, ledger.clone());
            let figures = Figures::of(plan, &Played { run, state, ledger, games, seconds }).ok();
            let picture = figures.as_ref().and_then(Figures::picture);
            (serde_json::to_value(figures).unwrap_or_default(), picture)
        });
    }

    /// A pair of a candidate of a tuning is counted. Nobody knows how many are still to come.
    pub(super) fn candidate(&mut self, standing: &TuningStanding<'_>) {
        let TuningStanding { place, player, plan, ledger, so_far } = standing;
        let (done, total) = (ledger.pairs, plan.schedule.total());
        if !self.is_time(done) {
            return;
        }
        let what = format!("{place}: {player}  {}", matches::live(plan, ledger));
        self.tell(done, total, what, false);
        self.figures(|| (serde_json::to_value(so_far).unwrap_or_default(), Some(so_far.picture())));
    }

    /// A job of a study is done.
    pub(super) fn job(&mut self, done: u64, total: u64, what: &dyn Fn() -> String) {
        if self.is_time(done) {
            self.tell(done, total, what(), true);
        }
    }
}
