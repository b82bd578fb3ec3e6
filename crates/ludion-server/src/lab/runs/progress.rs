//! The progress of a run, sent to its clients a few times a second at most.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludion_players::arena::plan::{GamesPlan, PlanTally};
use ludion_runs::studies::{RunReport, StudyProgress};
use ludion_runs::tuning::TuningProgress;
use ludion_runs::{PlanReport, PlayedPlan, matches};
use ludion_store::{RunId, RunState};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::manager::LiveRun;

/// The progress of a run as it is sent to clients.
#[derive(Clone, Serialize)]
pub(crate) struct RunProgress {
    pub(super) run: RunId,
    pub(super) phase: RunPhase,
    /// Number of pairs or jobs done: of a tuning, in the current match; of a study, in the current
    /// stage.
    pub(super) done: u64,
    /// Number of pairs or jobs of the run, of the current match (of a tuning) or of the current
    /// stage (of a study).
    pub(super) total: u64,
    /// Seconds for which this program has executed the run.
    pub(super) seconds: f64,
    /// Estimated seconds left, an upper bound where a sequential test may end the run early; `None`
    /// if not known.
    pub(super) left: Option<f64>,
    /// The current step in words.
    pub(super) what: String,
    /// The current generation of a tuning, from 1; it stays the last one while the best candidate
    /// is played again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generation: Option<u32>,
    /// The number of generations of a tuning; `None` for other runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generations: Option<u32>,
    /// The report so far, as in the details of the run; `None` if there is none yet or it was sent
    /// before.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "serialize_shared")]
    pub(super) figures: Option<Arc<Value>>,
    /// Why the run failed; `None` if it did not.
    pub(super) error: Option<String>,
}

/// Serializes a shared JSON value.
fn serialize_shared<S: Serializer>(
    value: &Option<Arc<Value>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_deref().serialize(serializer)
}

/// The phase of a run as the page shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunPhase {
    /// Waiting in the queue until fewer runs are in progress.
    Queued,
    /// In progress in this program.
    Running,
    /// Asked to stop; the jobs that have begun are finished first.
    Stopping,
    /// In progress in another program.
    Elsewhere,
    /// Not in progress and not finished; can be resumed.
    Stopped,
    /// All games or jobs are done, or a sequential test has ended the run.
    Finished,
}

impl RunPhase {
    /// Returns whether this program sends no further progress of the run.
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

/// Shortest time between two messages of progress.
const SEND_INTERVAL: Duration = Duration::from_millis(250);

/// Sends the progress of a run to its subscribers, and stops the run at its deadline.
pub(super) struct ProgressReporter {
    live: Arc<LiveRun>,
    began: Instant,
    /// When progress may be sent again.
    next: Instant,
    /// Decides when the report is computed again. Reports are computed on another thread, so that
    /// the run does not wait.
    pacing: Arc<Mutex<FigurePacing>>,
    /// Number of pairs or jobs that were done before this program began (of a study, in the current
    /// stage); `None` before the first report of progress.
    before: Option<u64>,
    /// When the run has to stop.
    deadline: Instant,
    /// Number of the current stage of a study.
    stage: u64,
    /// When the current stage began.
    stage_began: Instant,
}

/// Decides when the report is computed: one computation at a time, and a new one when the pause
/// after the last is over or the number of results has doubled. The report of many games can take
/// longer to compute than many games to play.
#[derive(Clone, Copy, Default)]
struct FigurePacing {
    /// Whether a report is being computed.
    is_running: bool,
    /// The end of the pause after the last computation.
    next: Option<Instant>,
    /// Number of results in the last report.
    reported: u64,
}

/// The pause after a computation, as a multiple of its duration.
const PAUSE_FACTOR: u32 = 4;

impl FigurePacing {
    /// Returns whether a computation is due now that `done` results exist, and marks it as begun.
    fn begin(&mut self, now: Instant, done: u64) -> bool {
        let is_due = self.next.is_none_or(|next| now >= next) || done >= 2 * self.reported.max(1);
        let begins = is_due && !self.is_running;
        if begins {
            (self.is_running, self.reported) = (true, done);
        }
        begins
    }

    /// Marks the computation as ended and begins the pause after it.
    fn end(&mut self, now: Instant, took: Duration) {
        (self.is_running, self.next) = (false, Some(now + PAUSE_FACTOR * took));
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressReporter {
    pub(super) fn new(live: &Arc<LiveRun>, time_limit: Duration) -> Self {
        let (live, began) = (Arc::clone(live), Instant::now());
        ProgressReporter {
            live,
            began,
            next: began,
            pacing: Arc::default(),
            before: None,
            deadline: began + time_limit,
            stage: 0,
            stage_began: began,
        }
    }

    /// Returns whether progress is to be sent now. Also stops the run at its deadline.
    fn is_due(&mut self, done: u64) -> bool {
        self.before.get_or_insert(done.saturating_sub(1));
        let now = Instant::now();
        if now >= self.deadline {
            self.live.stop.store(true, Ordering::Relaxed);
        }
        if now < self.next {
            return false;
        }
        self.next = now + SEND_INTERVAL;
        true
    }

    /// Sends how much is done. Also sends the estimated time left if `is_whole`, which says that
    /// `total` is that of the whole run or stage.
    fn send(&mut self, done: u64, total: u64, what: String, is_whole: bool) {
        let seconds = self.began.elapsed().as_secs_f64();
        let done_here = done.saturating_sub(self.before.unwrap_or_default()).max(1);
        let left = self.stage_began.elapsed().as_secs_f64() * total.saturating_sub(done) as f64
            / done_here as f64;
        let left = is_whole.then_some(left);
        self.live.update(|progress| {
            *progress = RunProgress { done, total, seconds, left, what, ..progress.clone() };
        });
    }

    /// Computes the report with `make` and sends it, if one is due now that `done` results exist.
    fn send_findings(
        &mut self,
        done: u64,
        make: impl FnOnce() -> Option<RunReport> + Send + 'static,
    ) {
        let began = Instant::now();
        if !lock(&self.pacing).begin(began, done) {
            return;
        }
        let (live, pacing) = (Arc::clone(&self.live), Arc::clone(&self.pacing));
        let compute = move || {
            let (figures, picture) =
                make().map(|findings| (findings.figures, findings.picture)).unzip();
            *lock(&live.picture) = picture.flatten();
            live.update(|progress| {
                // Figures are replaced only if they differ: `live` sends each object once.
                if progress.figures.as_deref() != figures.as_ref() {
                    progress.figures = figures.map(Arc::new);
                }
            });
            lock(&pacing).end(Instant::now(), began.elapsed());
        };
        if std::thread::Builder::new().spawn(compute).is_err() {
            // Without a thread for it, this report is left out.
            lock(&self.pacing).end(Instant::now(), Duration::ZERO);
        }
    }

    /// Reports that a pair of a match, tournament or championship was played.
    pub(super) fn pair(&mut self, plan: &GamesPlan, tally: &PlanTally) {
        let (done, total) = (tally.pairs, plan.schedule.total());
        if !self.is_due(done) {
            return;
        }
        self.send(done, total, String::new(), true);
        let (run, began) = (Some(self.live.run), self.began);
        let games = 2 * done.saturating_sub(self.before.unwrap_or_default());
        let (plan, tally) = (plan.clone(), tally.clone());
        self.send_findings(done, move || {
            let (state, seconds) = (RunState::Running, Some(began.elapsed().as_secs_f64()));
            let played = PlayedPlan { run, state, tally, games, seconds };
            PlanReport::new(&plan, &played).and_then(|figures| figures.findings()).ok()
        });
    }

    /// Reports that a pair of a tuning's candidate was played. The time left is not known.
    pub(super) fn candidate(&mut self, standing: &TuningProgress<'_>) {
        let TuningProgress { place, player, plan, tally, so_far, .. } = standing;
        let (done, total) = (tally.pairs, plan.schedule.total());
        if !self.is_due(done) {
            return;
        }
        let what = format!("{place}: {player}  {}", matches::describe_progress(tally));
        self.send(done, total, what, false);
        let (past, generations) = (so_far.generations.len() as u32, so_far.tuning.generations);
        self.live.update(|progress| {
            progress.generation = Some((past + 1).min(generations));
            progress.generations = Some(generations);
        });
        let (so_far, candidates) = ((*so_far).clone(), so_far.candidates.len() as u64);
        self.send_findings(candidates, move || {
            RunReport::new(&so_far, Some(so_far.picture())).ok()
        });
    }

    /// Reports that a job of a study is done. The time left is that of the current stage.
    pub(super) fn job(&mut self, progress: &StudyProgress<'_>) {
        let StudyProgress { stage, done, total, status, .. } = *progress;
        if stage != self.stage {
            (self.stage, self.stage_began, self.before) = (stage, Instant::now(), None);
        }
        if self.is_due(done) {
            self.send(done, total, status(), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_made_after_a_pause_or_when_the_results_have_doubled() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut pacing = FigurePacing::default();
        assert!(pacing.begin(start, 1), "the first pair");
        assert!(!pacing.begin(start + 90 * second, 1000), "one after the other");
        pacing.end(start + second, second);
        assert!(!pacing.begin(start + second, 1));
        assert!(pacing.begin(start + second, 2), "twice as many results");
        pacing.end(start + 2 * second, second);
        assert!(!pacing.begin(start + 3 * second, 3));
        assert!(pacing.begin(start + 6 * second, 3), "the pause is over");
    }
}
