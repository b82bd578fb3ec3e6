//! Progress of long commands on standard error: how long the work takes, how far it is, how fast,
//! and how much time is left. This is the only place that writes about work under way.
//!
//! A command tells its [`Progress`] what is done; a thread beside it decides when something is
//! written. So a line also appears while the command waits for its first result. On a terminal the
//! line is rewritten in place; in a log there is a line now and then. Work of less than a second
//! writes nothing. What a line says and when it is due is in `report`, which reads no clock.

mod report;
#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ludion::threads;
pub(crate) use report::scaled;
use report::{ProgressReporter, ReportForm, WorkProgress, in_words};

use crate::embedded::TextSink;

/// Where progress is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgressMode {
    /// Nowhere.
    Silent,
    /// To a terminal, as a line that is rewritten in place.
    Terminal,
    /// To a file or a pipe, as a line now and then.
    Log,
}

impl ProgressMode {
    /// Returns the mode for standard error as it is; `quiet` is the option of the user.
    pub(crate) fn of_standard_error(quiet: bool) -> Self {
        match quiet {
            true => ProgressMode::Silent,
            false if std::io::stderr().is_terminal() => ProgressMode::Terminal,
            false => ProgressMode::Log,
        }
    }
}

/// Interval at which the thread checks whether a line is due.
const TICK: Duration = Duration::from_millis(100);
/// Expected time from which a command says it before it begins.
const LONG: Duration = Duration::from_secs(2);
/// Width that is assumed for a terminal of unknown width, in characters.
const DEFAULT_WIDTH: usize = 80;

/// The progress of one command. Dropping it ends the reports and removes the line from a terminal.
pub(crate) struct Progress {
    /// State shared with the reporting thread; `None` if nothing is written.
    shared: Option<Arc<SharedProgress>>,
    thread: Option<JoinHandle<()>>,
}

struct SharedProgress {
    began: Instant,
    state: Mutex<ProgressState>,
    /// Wakes the reporting thread when the work is over.
    over: Condvar,
    /// Whether the description of the work should be computed anew; it is not computed for every
    /// update, because there may be millions of them in a second.
    wants_detail: AtomicBool,
}

struct ProgressState {
    work: WorkProgress,
    reporter: ProgressReporter,
    is_over: bool,
}

impl Progress {
    /// Begins to report work that is counted in `unit`, a plural noun such as `games`.
    pub(crate) fn new(mode: ProgressMode, unit: &'static str) -> Self {
        let form = match mode {
            ProgressMode::Silent => return Progress { shared: None, thread: None },
            ProgressMode::Terminal => ReportForm::Line,
            ProgressMode::Log => ReportForm::Log,
        };
        let state = ProgressState {
            work: WorkProgress::new(unit),
            reporter: ProgressReporter::new(form),
            is_over: false,
        };
        let shared = Arc::new(SharedProgress {
            began: Instant::now(),
            state: Mutex::new(state),
            over: Condvar::new(),
            wants_detail: AtomicBool::new(true),
        });
        let report = {
            let shared = Arc::clone(&shared);
            move || shared.report_until_over()
        };
        // Without a thread for it, progress is not reported; the work does not need it.
        let thread = threads::start_service("progress", report);
        Progress { shared: Some(shared), thread }
    }

    /// Returns whether nothing is written, so that no time has to be estimated.
    pub(crate) fn is_silent(&self) -> bool {
        self.shared.is_none()
    }

    /// Says that the total is a maximum, because the work can end earlier.
    pub(crate) fn at_most(self) -> Self {
        self.change(|work, _| work.is_maximum = true);
        self
    }

    /// Says what the time of work without a known total depends on, such as `the number of
    /// positions`.
    pub(crate) fn depends_on(self, what: &'static str) -> Self {
        self.change(|work, _| work.depends_on = what);
        self
    }

    /// Says what is done before the first result, such as `reading games`.
    pub(crate) fn begin(&self, detail: &str) {
        self.change(|work, _| work.detail = detail.to_owned());
    }

    /// Writes at once how long the work is expected to take, if it is long; `reason` says where the
    /// time comes from. The results then give a better estimate.
    pub(crate) fn expect(&self, time: Duration, reason: impl Display) {
        self.change(|work, now| work.expected_end = Some(now.saturating_add(time)));
        let is_maximum = self.shared.as_ref().is_some_and(|shared| shared.state().work.is_maximum);
        let most = if is_maximum { "at most " } else { "" };
        self.announce(time, &format!("takes {most}about {} ({reason})", in_words(time)));
    }

    /// Writes at once how long the work takes, if it is long and ends at a time that is known;
    /// `reason` says where the time comes from.
    pub(crate) fn lasts(&self, time: Duration, reason: impl Display) {
        self.change(|work, now| work.ends = Some(now.saturating_add(time)));
        self.announce(time, &format!("takes {} ({reason})", in_words(time)));
    }

    /// Writes a sentence at once, such as what is to be known before the work begins.
    pub(crate) fn say(&self, sentence: &str) {
        if let Some(shared) = &self.shared {
            let text = shared.state().reporter.note(sentence);
            write_now(&text);
        }
    }

    fn announce(&self, time: Duration, sentence: &str) {
        if time >= LONG {
            self.say(sentence);
        }
    }

    /// Sets how much of the work is done. `detail` describes the results so far; it is called only
    /// a few times in a second.
    pub(crate) fn update(&self, done: u64, total: Option<u64>, detail: impl FnOnce() -> String) {
        let Some(shared) = &self.shared else { return };
        let detail = shared.wants_detail.swap(false, Ordering::Relaxed).then(detail);
        shared.state().work.update(done, total, detail);
    }

    /// Says that `done` units were done before this program began, which do not count for the rate.
    pub(crate) fn resume_from(&self, done: u64) {
        self.change(|work, _| work.resume_from(done));
    }

    /// Begins a stage of `total` units, of which `done` were done before: the rate and the time left
    /// are those of the stage from now on.
    pub(crate) fn begin_stage(&self, done: u64, total: u64) {
        if let Some(shared) = &self.shared {
            shared.wants_detail.store(true, Ordering::Relaxed);
        }
        self.change(|work, now| work.begin_stage(now, done, total));
    }

    /// Sets how many like rounds of stages are finished and how many there are.
    pub(crate) fn set_rounds(&self, done: u64, total: u64) {
        self.change(|work, now| work.set_rounds(now, done, total));
    }

    fn change(&self, change: impl FnOnce(&mut WorkProgress, Duration)) {
        if let Some(shared) = &self.shared {
            change(&mut shared.state().work, shared.began.elapsed());
        }
    }

    /// Removes the line from the terminal until the next report, so that the command can write to
    /// standard output.
    #[cfg(feature = "cluster")]
    pub(crate) fn clear_line(&self) {
        if let Some(shared) = &self.shared {
            let text = shared.state().reporter.end();
            write_now(&text);
        }
    }

    /// Ends the reports; must be called before the report of the command is written.
    pub(crate) fn finish(self) {
        drop(self);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(shared) = &self.shared else { return };
        shared.state().is_over = true;
        shared.over.notify_all();
        if let Some(thread) = self.thread.take() {
            // The thread does not panic, and if it did, the work is done anyway.
            let _ = thread.join();
        }
    }
}

impl SharedProgress {
    fn state(&self) -> MutexGuard<'_, ProgressState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is due until the work is over.
    fn report_until_over(&self) {
        loop {
            let waited = self.over.wait_timeout_while(self.state(), TICK, |state| !state.is_over);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let ProgressState { work, reporter, is_over } = &mut *state;
            let is_over = *is_over;
            let text = match is_over {
                true => reporter.end(),
                false => reporter.tick(self.began.elapsed(), work, width()),
            };
            // A terminal that is paused blocks this thread; it must not block the work.
            drop(state);
            write_now(&text);
            if is_over {
                return;
            }
            self.wants_detail.store(true, Ordering::Relaxed);
        }
    }
}

/// Writes a message to standard error; on a terminal it replaces the progress line, which is drawn
/// again below it.
#[cfg(any(unix, feature = "cluster"))]
pub(crate) fn note(sentence: &str) {
    let clear = if std::io::stderr().is_terminal() { report::CLEAR_LINE } else { "" };
    write_now(&format!("{clear}{sentence}\n"));
}

/// The receiver of progress reports; `None` for standard error.
static SINK: Mutex<Option<Arc<TextSink>>> = Mutex::new(None);

/// Sets the receiver of progress reports; `None` for standard error.
pub(crate) fn send_to(sink: Option<TextSink>) {
    *SINK.lock().unwrap_or_else(PoisonError::into_inner) = sink.map(Arc::new);
}

fn write_now(text: &str) {
    if text.is_empty() {
        return;
    }
    let sink = SINK.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match sink {
        Some(sink) => sink(text),
        None => {
            // A closed terminal is no reason to stop working.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    }
}

/// Returns the width of the terminal at standard error in characters.
fn width() -> usize {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stderr())
        && size.ws_col > 0
    {
        return size.ws_col.into();
    }
    DEFAULT_WIDTH
}
