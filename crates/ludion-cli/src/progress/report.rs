//! What a report of progress says, and when it is due. Times are given by the caller, counted from
//! the beginning of the work.

use std::time::Duration;

use crate::output::{rate, time};

/// Control sequence that moves to the beginning of the line and clears it.
pub(super) const CLEAR_LINE: &str = "\r\x1b[K";

/// Time of the first line in a log, and of the first estimate.
const FIRST: Duration = Duration::from_secs(1);
/// Time of the first line on a terminal; work that is shorter shows none.
const FIRST_DRAWN: Duration = Duration::from_millis(300);
/// Times of the next lines in a log; after the last of them the times double.
const NEXT: [Duration; 3] =
    [Duration::from_secs(10), Duration::from_secs(30), Duration::from_secs(60)];
/// Longest time between two lines in a log.
const MAX_INTERVAL: Duration = Duration::from_secs(600);
/// Time left below which a first line is not worth writing.
const ALMOST_DONE: Duration = Duration::from_millis(800);
/// Time from which the first line is written although the work seems almost done.
const LATE: Duration = Duration::from_secs(2);

/// How far a piece of work is.
#[derive(Debug)]
pub(super) struct WorkProgress {
    /// Plural noun for what is counted.
    unit: &'static str,
    done: u64,
    /// `None` if it is not known how much there is to do.
    total: Option<u64>,
    /// Whether the work can end before the total is done.
    pub(super) is_maximum: bool,
    /// Description of the results so far.
    pub(super) detail: String,
    /// What the time depends on if the total is not known.
    pub(super) depends_on: &'static str,
    /// The time at which the work ends, if it is known.
    pub(super) ends: Option<Duration>,
    /// The time at which the work is expected to end; counts only until there is a result.
    pub(super) expected_end: Option<Duration>,
    stage: StageStart,
    /// Number of stages begun; 0 for work that has none.
    stages: u64,
    rounds: Option<RoundCount>,
}

/// Beginning of a stage, or of work without stages.
#[derive(Clone, Copy, Debug)]
struct StageStart {
    at: Duration,
    /// What was done before it began, by an earlier program.
    done_before: u64,
}

/// Rounds of a work that repeats like stages.
#[derive(Clone, Copy, Debug)]
struct RoundCount {
    /// Number of rounds that were finished when the work began.
    first: u64,
    done: u64,
    total: u64,
    began: Duration,
    /// When the last round was finished.
    changed: Duration,
}

impl WorkProgress {
    pub(super) fn new(unit: &'static str) -> Self {
        WorkProgress {
            unit,
            done: 0,
            total: None,
            is_maximum: false,
            detail: "preparing".to_owned(),
            depends_on: "",
            ends: None,
            expected_end: None,
            stage: StageStart { at: Duration::ZERO, done_before: 0 },
            stages: 0,
            rounds: None,
        }
    }

    /// Sets what is done, and its description if it is computed anew.
    pub(super) fn update(&mut self, done: u64, total: Option<u64>, detail: Option<String>) {
        (self.done, self.total) = (done, total);
        if let Some(detail) = detail {
            self.detail = detail;
        }
    }

    /// Sets what was done before the work began, by an earlier program.
    pub(super) fn resume_from(&mut self, done: u64) {
        self.stage.done_before = done;
    }

    /// Begins a stage of `total` units, of which `done` were done before.
    pub(super) fn begin_stage(&mut self, now: Duration, done: u64, total: u64) {
        self.stages += 1;
        self.stage = StageStart { at: now, done_before: done };
        (self.done, self.total) = (done, Some(total));
    }

    pub(super) fn set_rounds(&mut self, now: Duration, done: u64, total: u64) {
        let first = RoundCount { first: done, done, total, began: now, changed: now };
        let rounds = self.rounds.get_or_insert(first);
        if rounds.done != done {
            (rounds.done, rounds.changed) = (done, now);
        }
        rounds.total = total;
    }

    /// Returns the number of units done in this stage by this program.
    fn done_now(&self) -> u64 {
        self.done.saturating_sub(self.stage.done_before)
    }

    /// Returns whether there is more than one stage, as far as is known.
    fn is_staged(&self) -> bool {
        self.rounds.is_some() || self.stages > 1
    }

    /// Returns the time left for the current stage, or for the whole work if its end is known;
    /// `None` if it cannot be told yet.
    fn left(&self, now: Duration) -> Option<Duration> {
        if let Some(ends) = self.ends {
            return Some(ends.saturating_sub(now));
        }
        let (total, done) = (self.total?, self.done_now());
        if done == 0 {
            return self.expected_end?.checked_sub(now);
        }
        let ratio = total.saturating_sub(self.done) as f64 / done as f64;
        Some(scaled(now.saturating_sub(self.stage.at), ratio))
    }

    /// Returns the time left for all rounds, `None` before the first is finished.
    fn left_in_all(&self, now: Duration) -> Option<Duration> {
        let RoundCount { first, done, total, began, changed } = self.rounds?;
        let finished = done.saturating_sub(first);
        if finished == 0 {
            return None;
        }
        let ratio = total.saturating_sub(done) as f64 / finished as f64;
        let rest = scaled(changed.saturating_sub(began), ratio);
        let rest = rest.saturating_sub(now.saturating_sub(changed));
        Some(rest.max(self.left(now).unwrap_or_default()))
    }

    /// Returns the count, such as `12/400 games` or `512 positions`; empty if nothing is counted
    /// yet.
    fn count(&self) -> String {
        match self.total {
            Some(total) => format!("{}/{} {}", number(self.done), number(total), self.unit),
            None if self.done > 0 => format!("{} {}", number(self.done), self.unit),
            None => String::new(),
        }
    }

    /// Returns the line that says how far the work is.
    pub(super) fn line(&self, now: Duration) -> String {
        let stage_time = now.saturating_sub(self.stage.at).as_secs_f64().max(1e-9);
        let speed = match self.done_now() {
            0 => String::new(),
            done => rate(done as f64 / stage_time),
        };
        let about = if self.is_maximum { "at most " } else { "" };
        let left = match (self.left_in_all(now), self.left(now)) {
            (Some(left), _) => format!("{about}{} left in all", in_words(left)),
            (None, None) => format!("{} so far", in_words(now)),
            (None, Some(left)) if self.is_staged() => {
                format!("{about}{} left of this stage", in_words(left))
            }
            (None, Some(left)) => format!("{about}{} left", in_words(left)),
        };
        let parts = [self.count(), self.detail.clone(), speed, left];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("  ")
    }

    /// Returns the sentence that says how long the stage takes, extrapolated from the results so
    /// far, or what the time depends on; `None` if there are no results yet.
    fn estimate(&self, now: Duration) -> Option<String> {
        let spent = now.saturating_sub(self.stage.at);
        let count = self.count();
        if self.done_now() == 0 || self.ends.is_some() {
            return None;
        }
        let Some(left) = self.left(now) else {
            let so_far = format!("{count} in {}", time(spent));
            return Some(match self.depends_on {
                "" => so_far,
                what => format!("{so_far}; how long it takes depends on {what}"),
            });
        };
        let most = if self.is_maximum { "at most " } else { "" };
        let takes = if self.is_staged() { "this stage takes" } else { "takes" };
        let detail = match self.detail.as_str() {
            "" => String::new(),
            detail => format!(", {detail}"),
        };
        let (whole, spent) = (in_words(spent.saturating_add(left)), time(spent));
        Some(format!("{takes} {most}about {whole} ({count} in {spent}{detail})"))
    }

    /// Returns the sentence that says how long all rounds take, once the first is finished.
    fn estimate_in_all(&self, now: Duration) -> Option<String> {
        let (left, rounds) = (self.left_in_all(now)?, self.rounds?);
        let most = if self.is_maximum { "at most " } else { "" };
        let whole = in_words(now.saturating_sub(rounds.began).saturating_add(left));
        Some(format!("takes {most}about {whole} in all"))
    }

    /// Returns the sentence for work without a result so far.
    fn waiting(&self, now: Duration) -> String {
        let dependence = match (self.total, self.depends_on, self.left(now)) {
            (.., Some(_)) => String::new(),
            (None, "", _) => String::new(),
            (None, what, _) => format!("; how long it takes depends on {what}"),
            (Some(_), ..) => "; the first result will tell how long it takes".to_owned(),
        };
        format!("{}{dependence}", self.line(now))
    }
}

/// How progress is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReportForm {
    /// One line that is rewritten in place.
    Line,
    /// A line now and then.
    Log,
}

/// Decides when progress is reported, and keeps track of what was written.
#[derive(Debug)]
pub(super) struct ProgressReporter {
    form: ReportForm,
    /// Whether a line is on the terminal that has to be cleared.
    is_drawn: bool,
    /// The stage for which an estimate was written.
    estimated: Option<u64>,
    is_estimated_in_all: bool,
    has_waited: bool,
    /// When the next line of a log is due.
    next: Duration,
    /// The number of lines of a log whose times are in `NEXT`.
    lines: usize,
}

impl ProgressReporter {
    pub(super) fn new(form: ReportForm) -> Self {
        ProgressReporter {
            form,
            is_drawn: false,
            estimated: None,
            is_estimated_in_all: false,
            has_waited: false,
            next: FIRST,
            lines: 0,
        }
    }

    /// Returns the text that is to be written now, empty if nothing is due. `width` is the width of
    /// the terminal.
    pub(super) fn tick(&mut self, now: Duration, work: &WorkProgress, width: usize) -> String {
        let mut text = String::new();
        for sentence in self.sentences(now, work) {
            text += &self.note(&sentence);
        }
        match self.form {
            ReportForm::Log if text.is_empty() && now >= self.next && !self.can_wait(now, work) => {
                text = work.line(now) + "\n";
                self.wait(now);
            }
            ReportForm::Line if now >= FIRST_DRAWN => {
                // A line as wide as the terminal would wrap, and then could not be cleared.
                let line: String = work.line(now).chars().take(width.saturating_sub(1)).collect();
                text += &format!("{CLEAR_LINE}{line}");
                self.is_drawn = true;
            }
            ReportForm::Log | ReportForm::Line => {}
        }
        text
    }

    /// Returns the estimates that can be made now and were not written before.
    fn sentences(&mut self, now: Duration, work: &WorkProgress) -> Vec<String> {
        let mut sentences = Vec::new();
        if now < FIRST || self.can_wait(now, work) {
            return sentences;
        }
        // Of rounds of stages only the first stage gets an estimate; then the rounds get one.
        let stage = if work.rounds.is_some() { u64::MAX } else { work.stages };
        let is_new = self.estimated.is_none_or(|estimated| estimated < stage);
        let is_measured = now.saturating_sub(work.stage.at) >= FIRST / 2;
        if is_new
            && is_measured
            && let Some(sentence) = work.estimate(now)
        {
            self.estimated = Some(stage);
            sentences.push(sentence);
        }
        if !self.is_estimated_in_all
            && let Some(sentence) = work.estimate_in_all(now)
        {
            self.is_estimated_in_all = true;
            sentences.push(sentence);
        }
        let has_nothing = sentences.is_empty() && self.estimated.is_none();
        if has_nothing && !self.has_waited && work.done_now() == 0 && self.form == ReportForm::Log {
            self.has_waited = true;
            sentences.push(work.waiting(now));
        }
        if !sentences.is_empty() {
            self.wait(now);
        }
        sentences
    }

    /// Returns whether the work has just begun and seems almost done, so that its first line would
    /// come with its end.
    fn can_wait(&self, now: Duration, work: &WorkProgress) -> bool {
        now < LATE && work.left(now).is_some_and(|left| left < ALMOST_DONE)
    }

    /// Moves the time of the next line of a log beyond `now`.
    fn wait(&mut self, now: Duration) {
        while self.next <= now {
            self.next = match NEXT.get(self.lines) {
                Some(&next) => next,
                None => self.next + self.next.min(MAX_INTERVAL),
            };
            self.lines += 1;
        }
    }

    /// Returns a sentence as a line that stays, above the line of a terminal.
    pub(super) fn note(&mut self, sentence: &str) -> String {
        let clear = if std::mem::take(&mut self.is_drawn) { CLEAR_LINE } else { "" };
        format!("{clear}{sentence}\n")
    }

    /// Returns the text to write when the work is over.
    pub(super) fn end(&mut self) -> String {
        if std::mem::take(&mut self.is_drawn) { CLEAR_LINE.to_owned() } else { String::new() }
    }
}

/// Formats a count in few characters: `999999`, `12.3 M`.
fn number(count: u64) -> String {
    match count as f64 {
        value if value < 1e6 => count.to_string(),
        value if value < 1e9 => format!("{:.1} M", value / 1e6),
        value => format!("{:.1} G", value / 1e9),
    }
}

/// Multiplies a time; a result that is too long for a [`Duration`] becomes the longest.
pub(crate) fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// Formats a time as people say it: `0.4 s`, `40 s`, `2 min 30 s`, `12 min`, `3 h 20 min`, `4 days`.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (minutes, hours) = ((seconds / 60.0).round(), (seconds / 3600.0).floor());
    let tens = (seconds / 10.0).round();
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 99.5 {
        format!("{seconds:.0} s")
    } else if tens < 60.0 {
        match (tens / 6.0).floor() {
            minutes if tens % 6.0 == 0.0 => format!("{minutes} min"),
            minutes => format!("{minutes} min {} s", 10.0 * (tens % 6.0)),
        }
    } else if minutes < 100.0 {
        format!("{minutes} min")
    } else if hours < 48.0 {
        format!("{hours} h {:.0} min", ((seconds - 3600.0 * hours) / 60.0).floor())
    } else {
        format!("{:.0} days", seconds / 86_400.0)
    }
}
