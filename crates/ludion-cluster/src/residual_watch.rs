//! Watches the residuals of the workers of a run: counts their results, compares them now and then,
//! and tells once of each worker whose results differ from the others'. It excludes no worker.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use ludion_runs::residuals::{ResultClass, WorkerResidual, WorkerResults, describe_probability};

/// Least time between two comparisons.
const INTERVAL: Duration = Duration::from_secs(2);
/// Largest part of the time that comparisons take, as a divisor.
const TIME_SHARE: u32 = 20;
/// Number of workers whose residuals are shown; of more workers those that differ most.
const MAX_SHOWN: usize = 1000;
/// Number of workers in the notice at the end of a run.
const MAX_IN_NOTICE: usize = 12;
/// Number of series that are kept.
const MAX_SERIES: usize = 4;

/// Results of the workers of a run, and how they differ.
pub(crate) struct ResidualWatch {
    results: WorkerResults,
    /// Number of results.
    count: u64,
    /// Number of results at which workers are named next. Workers are named each time the results
    /// have grown by half, because each look is another chance for a sound worker to be named.
    next_naming: u64,
    /// Residuals at the last look.
    residuals: Vec<WorkerResidual>,
    /// Number of results at the last look.
    seen: u64,
    next_look: Instant,
    named: BTreeSet<String>,
}

impl ResidualWatch {
    pub(crate) fn new(now: Instant) -> Self {
        ResidualWatch {
            results: WorkerResults::default(),
            count: 0,
            next_naming: 0,
            residuals: Vec::new(),
            seen: 0,
            next_look: now + INTERVAL,
            named: BTreeSet::new(),
        }
    }

    /// Counts accepted results of a worker.
    pub(crate) fn add(&mut self, worker: &str, classes: &[ResultClass]) {
        classes.iter().for_each(|&class| self.results.add(worker, class));
        self.count += classes.len() as u64;
    }

    /// Compares the workers if it is time to. Returns notices about workers that are named now.
    pub(crate) fn look(&mut self, now: Instant) -> Vec<String> {
        if now < self.next_look {
            return Vec::new();
        }
        self.compare();
        self.next_look = now + INTERVAL.max(now.elapsed() * TIME_SHARE);
        if self.count < self.next_naming {
            return Vec::new();
        }
        self.name_workers()
    }

    /// Compares the workers at the end of a run. If a worker was ever named, the notices end with the
    /// residuals of all workers.
    pub(crate) fn last_look(&mut self) -> Vec<String> {
        self.compare();
        let mut notices = self.name_workers();
        if !self.named.is_empty() {
            notices.push(describe(&self.residuals));
        }
        notices
    }

    fn compare(&mut self) {
        if self.seen < self.count {
            self.seen = self.count;
            self.residuals = self.results.residuals();
        }
    }

    /// Returns notices about the workers that differ from the others and were not named before.
    fn name_workers(&mut self) -> Vec<String> {
        self.next_naming = self.count + self.count / 2;
        let named = self.residuals.iter().filter(|residual| residual.is_named());
        let new = named.filter(|residual| self.named.insert(residual.worker.clone()));
        new.map(|residual| format!("worker {}: {}", residual.worker, residual.describe())).collect()
    }

    /// Returns the residuals at the last look, sorted by name; of many workers only those that differ
    /// most.
    pub(crate) fn shown(&self) -> Vec<WorkerResidual> {
        let mut shown = most_different(&self.residuals, MAX_SHOWN);
        shown.sort_by(|a, b| a.worker.cmp(&b.worker));
        shown.into_iter().cloned().collect()
    }
}

/// Returns the workers that differ most, in this order.
fn most_different(residuals: &[WorkerResidual], limit: usize) -> Vec<&WorkerResidual> {
    let mut workers: Vec<&WorkerResidual> = residuals.iter().collect();
    let probability = |residual: &WorkerResidual| residual.probability.unwrap_or(f64::INFINITY);
    workers.sort_by(|a, b| probability(a).total_cmp(&probability(b)));
    workers.truncate(limit);
    workers
}

/// Describes the residuals at the end of a run in one sentence.
fn describe(residuals: &[WorkerResidual]) -> String {
    let describe = |residual: &&WorkerResidual| {
        let WorkerResidual { worker, mean, residual, probability, .. } = residual;
        match (residual, probability) {
            (Some(deviations), &Some(probability)) => {
                let chance = describe_probability(probability);
                format!("{worker} {mean:.2} ({deviations:+.1} σ, by chance {chance})")
            }
            _ => format!("{worker} {mean:.2} (too few results)"),
        }
    };
    let workers = most_different(residuals, MAX_IN_NOTICE);
    let mut words: Vec<String> = workers.iter().map(describe).collect();
    let left_out = residuals.len().saturating_sub(MAX_IN_NOTICE);
    if left_out > 0 {
        words.push(format!("and {left_out} more"));
    }
    format!("mean scores by worker at the end: {}", words.join(", "))
}

/// The watches of the last series of job sets, such as the rounds of a study.
#[derive(Default)]
pub(crate) struct SeriesWatches {
    watches: VecDeque<(String, ResidualWatch)>,
}

impl SeriesWatches {
    /// Takes the watch of a series, if the series was watched before.
    pub(crate) fn take(&mut self, series: &str) -> Option<ResidualWatch> {
        let place = self.watches.iter().position(|(name, _)| name == series)?;
        self.watches.remove(place).map(|(_, watch)| watch)
    }

    /// Keeps the watch of a series for its next job set.
    pub(crate) fn put(&mut self, series: &str, watch: ResidualWatch) {
        self.watches.push_back((series.to_owned(), watch));
        if self.watches.len() > MAX_SERIES {
            self.watches.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds results of which every `losses`-th is lost and the others are won.
    fn add(watch: &mut ResidualWatch, worker: &str, results: u64, losses: u64) {
        let class = |i: u64| if i.is_multiple_of(losses) { 0 } else { 4 };
        let classes: Vec<_> =
            (0..results).map(|i| ResultClass { group: 0, class: class(i) }).collect();
        watch.add(worker, &classes);
    }

    #[test]
    fn a_worker_is_named_once_when_results_have_grown_by_half_or_at_the_end() {
        let start = Instant::now();
        let mut watch = ResidualWatch::new(start);
        let at = |seconds| start + Duration::from_secs(seconds);
        for worker in ["anna", "bert", "cleo"] {
            add(&mut watch, worker, 400, 2);
        }
        assert_eq!(watch.look(at(1)), [""; 0]);
        assert_eq!(watch.shown(), [], "the first look is after two seconds");
        assert_eq!(watch.look(at(3)), [""; 0]);
        assert_eq!(watch.shown().len(), 3);
        add(&mut watch, "cleo", 400, 10);
        assert_eq!(watch.look(at(6)), [""; 0], "the results have grown by a third");
        let shown = watch.shown();
        assert!(shown[2].is_named() && !shown[0].is_named() && !shown[1].is_named(), "{shown:?}");
        add(&mut watch, "anna", 200, 2);
        let named = watch.look(at(9));
        let notice = "worker cleo: its results differ from the others' (mean 0.70 against 0.50 in \
                      800 pairs; by chance 1e-17)";
        assert_eq!(named, [notice]);
        add(&mut watch, "anna", 1000, 2);
        assert_eq!(watch.look(at(12)), [""; 0], "it was named before");
        let end = watch.last_look();
        let [end] = &end[..] else { panic!("{end:?}") };
        assert!(end.starts_with("mean scores by worker at the end: cleo 0.70 (+"), "{end}");
        assert!(end.contains(" anna 0.50 ("), "{end}");
    }

    #[test]
    fn a_run_without_a_named_worker_ends_without_a_notice() {
        let mut watch = ResidualWatch::new(Instant::now());
        add(&mut watch, "anna", 400, 2);
        add(&mut watch, "bert", 500, 2);
        assert_eq!(watch.last_look(), [""; 0]);
    }

    #[test]
    fn the_watches_of_the_last_series_are_kept() {
        let mut watches = SeriesWatches::default();
        for series in 0..=MAX_SERIES {
            watches.put(&series.to_string(), ResidualWatch::new(Instant::now()));
        }
        assert!(watches.take("0").is_none() && watches.take("1").is_some());
        assert!(watches.take("1").is_none(), "it was taken");
    }
}
