//! How a run stands while it is conducted, told now and then.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion_runs::tuning::TuningStanding;
use ludion_runs::{PlayedPlan, RunFigures, RunPicture, matches};
use ludion_store::{RunId, RunState};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::manager::LiveRun;

/// What is told of a run.
#[derive(Clone, Serialize)]
pub(crate) struct RunProgress {
    pub(super) run: RunId,
    pub(super) phase: RunPhase,
    /// Pairs or jobs that are done; of a tuning, of the match that is being played.
    pub(super) done: u64,
    pub(super) total: u64,
    /// Seconds that this program has worked at it, and may still have to; the most, where a test
    /// may end it.
    pub(super) seconds: f64,
    pub(super) left: Option<f64>,
    /// What it is at, in a few words.
    pub(super) what: String,
    /// The generation that a tuning is at, and how many there are; after the last the best
    /// candidate plays once more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generation: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generations: Option<u32>,
    /// What came of it so far, as its details have it; nothing where it is as it was told before.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    pub(super) figures: Option<Arc<Value>>,
    /// Why it ended before its time.
    pub(super) error: Option<String>,
}

fn shared<S: Serializer>(value: &Option<Arc<Value>>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_deref().serialize(serializer)
}

/// How far a run has come, as a page shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunPhase {
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

impl RunPhase {
    /// Whether nothing more comes.
    pub(super) fn is_over(self) -> bool {
        matches!(self, RunPhase::Elsewhere | RunPhase::Stopped | RunPhase::Finished)
    }
}

impl From<RunState> for RunPhase {
    fn from(state: RunState) -> Self {
        if state == RunState::Finished { RunPhase::Finished } else { RunPhase::Stopped }
    }
}

impl RunProgress {
    pub(super) fn new(run: RunId, phase: RunPhase) -> Self {
        RunProgress {
            run,
            phase,
            done: 0,
            total: 0,
            seconds: 0.0,
            left: None,
            what: String::new(),
            generation: None,
            generations: None,
            figures: None,
            error: None,
        }
    }
}

/// Told at most this often.
const PACE: Duration = Duration::from_millis(250);

/// Tells how a run stands.
pub(super) struct ProgressReporter {
    live: Arc<LiveRun>,
    began: Instant,
    next: Instant,
    /// When figures are made again. They are made beside the run, which does not wait for them.
    figures: Arc<Mutex<FigurePacing>>,
    /// What was done before this program began.
    known: Option<u64>,
    /// When it has to stop.
    last: Instant,
}

/// Figures are made one after the other, and again when they had a small share of the time or
/// tell of less than half of what is done: the figures of many games may take longer than many
/// games.
#[derive(Clone, Copy, Default)]
struct FigurePacing {
    under_way: bool,
    /// Not before this, unless much was done since.
    next: Option<Instant>,
    /// How much was done when they were made.
    told: u64,
}

/// Figures rest for so many times what they took.
const REST: u32 = 4;

impl FigurePacing {
    /// Whether figures are to be made now that so much is done.
    fn begin(&mut self, now: Instant, done: u64) -> bool {
        let is_due = self.next.is_none_or(|next| now >= next) || done >= 2 * self.told.max(1);
        let begins = is_due && !self.under_way;
        if begins {
            (self.under_way, self.told) = (true, done);
        }
        begins
    }

    fn end(&mut self, now: Instant, took: Duration) {
        (self.under_way, self.next) = (false, Some(now + REST * took));
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressReporter {
    pub(super) fn new(live: &Arc<LiveRun>, most: Duration) -> Self {
        let (live, began) = (Arc::clone(live), Instant::now());
        ProgressReporter {
            live,
            began,
            next: began,
            figures: Arc::default(),
            known: None,
            last: began + most,
        }
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
            *standing = RunProgress { done, total, seconds, left, what, ..standing.clone() };
        });
    }

    /// Tells what came of it when so much was done, unless that is being found out already or
    /// was told a moment ago.
    fn figures(
        &mut self,
        done: u64,
        make: impl FnOnce() -> (Option<Value>, Option<RunPicture>) + Send + 'static,
    ) {
        let began = Instant::now();
        if !locked(&self.figures).begin(began, done) {
            return;
        }
        let (live, rhythm) = (Arc::clone(&self.live), Arc::clone(&self.figures));
        std::thread::spawn(move || {
            let (figures, picture) = make();
            *locked(&live.picture) = picture;
            live.tell(|standing| {
                // The same figures stay the same thing, so that nobody is told of them again.
                if standing.figures.as_deref() != figures.as_ref() {
                    standing.figures = figures.map(Arc::new);
                }
            });
            locked(&rhythm).end(Instant::now(), began.elapsed());
        });
    }

    /// A pair of a plan is counted.
    pub(super) fn pair(&mut self, plan: &MatchPlan, ledger: &MatchTally) {
        let (done, total) = (ledger.pairs, plan.schedule.total());
        if !self.is_time(done) {
            return;
        }
        self.tell(done, total, String::new(), true);
        let (run, began) = (Some(self.live.run), self.began);
        let games = 2 * done.saturating_sub(self.known.unwrap_or_default());
        let (plan, ledger) = (plan.clone(), ledger.clone());
        self.figures(done, move || {
            let (state, seconds) = (RunState::Running, Some(began.elapsed().as_secs_f64()));
            let figures =
                RunFigures::of(&plan, &PlayedPlan { run, state, ledger, games, seconds }).ok();
            let picture = figures.as_ref().and_then(RunFigures::picture);
            (serde_json::to_value(figures).ok(), picture)
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
        let (met, generations) = (so_far.generations.len() as u32, so_far.tuning.generations);
        self.live.tell(|standing| {
            standing.generation = Some((met + 1).min(generations));
            standing.generations = Some(generations);
        });
        let (so_far, met) = ((*so_far).clone(), so_far.candidates.len() as u64);
        self.figures(met, move || (serde_json::to_value(&so_far).ok(), Some(so_far.picture())));
    }

    /// A job of a study is done.
    pub(super) fn job(&mut self, done: u64, total: u64, what: &dyn Fn() -> String) {
        if self.is_time(done) {
            self.tell(done, total, what(), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_rest_after_they_were_made_unless_twice_as_much_is_done() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut rhythm = FigurePacing::default();
        assert!(rhythm.begin(start, 1), "the first pair is told");
        assert!(!rhythm.begin(start + 90 * second, 1000), "one after the other");
        rhythm.end(start + second, second);
        assert!(!rhythm.begin(start + second, 1));
        assert!(rhythm.begin(start + second, 2), "twice as much is done");
        rhythm.end(start + 2 * second, second);
        assert!(!rhythm.begin(start + 3 * second, 3));
        assert!(rhythm.begin(start + 6 * second, 3), "they have rested");
    }
}
