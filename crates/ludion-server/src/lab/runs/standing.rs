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

/// Told at most this often, and less often where telling takes time.
const PACE: Duration = Duration::from_millis(250);
/// The share of its time that a run may spend on telling, as 1 of so many.
const SHARE: u32 = 20;

/// Tells how a run stands.
pub(super) struct Reporter<'a> {
    live: &'a Live,
    began: Instant,
    next: Instant,
    /// What was done before this program began.
    known: Option<u64>,
    /// When it has to stop.
    last: Instant,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(live: &'a Live, most: Duration) -> Self {
        let began = Instant::now();
        Reporter { live, began, next: began, known: None, last: began + most }
    }

    /// Whether it is time to tell something. What takes too long is stopped.
    fn is_time(&mut self, done: u64) -> bool {
        self.known.get_or_insert(done.saturating_sub(1));
        let now = Instant::now();
        if now >= self.last {
            self.live.stop.store(true, Ordering::Relaxed);
        }
        now >= self.next
    }

    fn draw(&self, picture: Option<Picture>) {
        *self.live.picture.lock().unwrap_or_else(PoisonError::into_inner) = picture;
    }

    fn tell(&mut self, done: u64, total: u64, what: String, figures: Value) {
        let seconds = self.began.elapsed().as_secs_f64();
        let now_done = done.saturating_sub(self.known.unwrap_or_default()).max(1);
        let left = seconds * total.saturating_sub(done) as f64 / now_done as f64;
        self.live.tell(|standing| {
            *standing = Standing {
                done,
                total,
                seconds,
                left: Some(left),
                what,
                figures,
                ..standing.clone()
            };
        });
    }

    /// The next time, after telling took so long.
    fn rest(&mut self, since: Instant) {
        let now = Instant::now();
        self.next = now + PACE.max(SHARE * (now - since));
    }

    /// A pair of a plan is counted.
    pub(super) fn pair(&mut self, plan: &Plan, ledger: &Ledger) {
        let (done, total) = (ledger.pairs, plan.schedule.total());
        if !self.is_time(done) {
            return;
        }
        let since = Instant::now();
        let played = Played {
            run: Some(self.live.run),
            state: State::Running,
            ledger: ledger.clone(),
            games: 2 * done.saturating_sub(self.known.unwrap_or_default()),
            seconds: Some(self.began.elapsed().as_secs_f64()),
        };
        let figures = Figures::of(plan, &played).ok();
        self.draw(figures.as_ref().and_then(Figures::picture));
        let figures = figures.and_then(|figures| serde_json::to_value(figures).ok());
        self.tell(done, total, String::new(), figures.unwrap_or_default());
        self.rest(since);
    }

    /// A pair of a candidate of a tuning is counted.
    pub(super) fn candidate(&mut self, standing: &TuningStanding<'_>) {
        let TuningStanding { place, player, plan, ledger, so_far } = standing;
        let (done, total) = (ledger.pairs, plan.schedule.total());
        if !self.is_time(done) {
            return;
        }
        let since = Instant::now();
        let what = format!("{place}: {player}  {}", matches::live(plan, ledger));
        let figures = serde_json::to_value(so_far).unwrap_or_default();
        self.draw(Some(so_far.picture()));
        self.tell(done, total, what, figures);
        // Nobody knows how many candidates are still to come.
        self.live.tell(|standing| standing.left = None);
        self.rest(since);
    }

    /// A job of a study is done.
    pub(super) fn job(&mut self, done: u64, total: u64, what: &dyn Fn() -> String) {
        if self.is_time(done) {
            let since = Instant::now();
            self.tell(done, total, what(), Value::Null);
            self.rest(since);
        }
    }
}
