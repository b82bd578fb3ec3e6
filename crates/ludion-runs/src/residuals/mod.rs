//! Compares the results of each worker of a run with those of the others, as fishtest does, and
//! names a worker whose results differ by more than chance.
//!
//! The unit is a pair of games, with five classes from 0 to 2 points of the first player. Pairs
//! between the same players form a group. If all workers are sound, the n results of a worker in a
//! group are a random sample, without replacement, of all N results of the group. With p the shares
//! of the classes among these N, and sums over the groups,
//!
//! ```text
//! d = Σ (counts − n·p)      C = Σ n·(N − n)/(N − 1)·(diag(p) − p·pᵀ)      T = dᵀ·C⁻¹·d
//! ```
//!
//! T has a chi-squared distribution with the rank of C as degrees of freedom. This is the test of
//! Cochran, Mantel and Haenszel (Landis, Heyman and Koch 1978). Its far tail holds only if no class
//! is rare: a class with an expected count of 5 passes the limit of 10⁻⁴ with a chance of up to
//! 9·10⁻⁴. So neighbouring classes are merged until the variance of each count is at least
//! [`MIN_VARIANCE`].
//!
//! A probability is that of one look at one worker. In simulated runs of up to 100,000 results a
//! worker, looked at each time the results had grown by half, 1.5 in 1000 sound workers came to 10⁻⁴
//! at some look; 3.9 in 1000 with a look at every 250 results; 0.1 in 1000 at the last look. The test
//! assumes that a result does not depend on who runs the job; with budgets in time it does.

mod deviation;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plural;
use deviation::Deviation;

/// Number of classes of results: the pair scores 0, ½, 1, 1½ and 2.
pub const CLASSES: usize = 5;
/// Probability at which a worker is named, or below.
pub const NAMED_PROBABILITY: f64 = 1e-4;
/// Least variance of the count of a class, after classes were merged. With 40 the chance of a sound
/// worker to be named at one look is about 2·10⁻⁴ at most, however rare the classes.
pub const MIN_VARIANCE: f64 = 40.0;
/// Largest number of counters, one for each worker and group that have met.
const MAX_COUNTERS: usize = 1 << 20;

/// The class of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultClass {
    /// Number of the group: results of the same group can be compared with each other.
    pub group: u32,
    /// Half points of the first player in the two games, from 0 to 4.
    pub class: u8,
}

/// Numbers of results by class.
type ClassCounts = [u64; CLASSES];

/// Counts the results of a run by worker, group and class.
#[derive(Clone, Default, Debug)]
pub struct WorkerResults {
    by_worker: BTreeMap<String, BTreeMap<u32, ClassCounts>>,
    counters: usize,
}

/// How the results of a worker differ from those of the others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerResidual {
    /// Name of the worker.
    pub worker: String,
    /// Number of its results.
    pub results: u64,
    /// Mean score of a game for the first player, from 0 to 1.
    pub mean: f64,
    /// Mean score of the other workers in the same groups; `None` if there is no such result.
    pub others: Option<f64>,
    /// How far the mean score is from that of all workers, in standard deviations; `None` if there
    /// are too few results.
    pub residual: Option<f64>,
    /// Probability that the results of a sound worker differ as much or more; `None` if there are too
    /// few results. It is that of one look at one worker: where many workers are looked at, or one
    /// worker many times during a run, small probabilities occur more often by chance.
    pub probability: Option<f64>,
}

impl WorkerResults {
    /// Counts a result of a worker. The number of counters is limited: results beyond the limit, in
    /// groups that are new for the worker, are left out.
    pub fn add(&mut self, worker: &str, result: ResultClass) {
        let class = usize::from(result.class);
        if class >= CLASSES {
            return;
        }
        let groups = self.by_worker.get_mut(worker);
        if let Some(counts) = groups.and_then(|groups| groups.get_mut(&result.group)) {
            counts[class] += 1;
        } else if self.counters < MAX_COUNTERS {
            self.counters += 1;
            let groups = self.by_worker.entry(worker.to_owned()).or_default();
            groups.entry(result.group).or_default()[class] += 1;
        }
    }

    /// Compares each worker with the others; sorted by name. The results of a wrong worker make the
    /// others differ from the mean as well. So as long as a worker is named, the one that differs
    /// most is left out of what the rest is compared with, even if it has too few results to be named
    /// itself. Of two workers that differ from each other both are named, because nothing tells which
    /// one is right.
    #[must_use]
    pub fn residuals(&self) -> Vec<WorkerResidual> {
        let mut totals: BTreeMap<u32, ClassCounts> = BTreeMap::new();
        for (&group, counts) in self.by_worker.values().flatten() {
            add_counts(totals.entry(group).or_default(), counts);
        }
        let mut workers: Vec<_> = self.by_worker.iter().collect();
        let mut done = Vec::with_capacity(workers.len());
        loop {
            let compared =
                workers.iter().map(|(name, groups)| Comparison::new(name, groups, &totals));
            let mut compared: Vec<Comparison> = compared.collect();
            let is_one_named = compared.iter().any(|worker| worker.residual.is_named());
            let most = (0..compared.len())
                .max_by(|&i, &j| compared[i].deviation.total_cmp(&compared[j].deviation));
            let Some(most) = most.filter(|_| is_one_named && workers.len() > 2) else {
                done.append(&mut compared);
                break;
            };
            done.push(compared.swap_remove(most));
            for (group, counts) in workers.remove(most).1 {
                let total = totals.entry(*group).or_default();
                total.iter_mut().zip(counts).for_each(|(total, count)| *total -= count);
            }
        }
        let mut residuals: Vec<_> = done.into_iter().map(|worker| worker.residual).collect();
        residuals.sort_by(|a, b| a.worker.cmp(&b.worker));
        residuals
    }
}

fn add_counts(total: &mut ClassCounts, counts: &ClassCounts) {
    total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
}

/// Returns the sum of the scores of results, each from 0 to 1.
fn score(counts: &ClassCounts) -> f64 {
    let halves: u64 = counts.iter().zip(0..).map(|(count, halves)| count * halves).sum();
    halves as f64 / (CLASSES - 1) as f64
}

/// A worker compared with all workers.
struct Comparison {
    residual: WorkerResidual,
    /// How much the worker differs from the others.
    deviation: f64,
}

impl Comparison {
    /// Compares the results of a worker with `totals`, those of all workers, its own included.
    fn new(
        name: &str,
        groups: &BTreeMap<u32, ClassCounts>,
        totals: &BTreeMap<u32, ClassCounts>,
    ) -> Self {
        let mut deviation = Deviation::default();
        let (mut own, mut others, mut compared) = (ClassCounts::default(), 0.0, 0);
        for (group, counts) in groups {
            add_counts(&mut own, counts);
            let Some(total) = totals.get(group) else { continue };
            deviation.add_group(counts, total);
            let [n, all] = [counts, total].map(|counts| counts.iter().sum::<u64>());
            if all > n {
                others += n as f64 * (score(total) - score(counts)) / (all - n) as f64;
                compared += n;
            }
        }
        let results: u64 = own.iter().sum();
        let probability = deviation.probability();
        let residual = WorkerResidual {
            worker: name.to_owned(),
            results,
            mean: score(&own) / results.max(1) as f64,
            others: (compared > 0).then(|| others / compared as f64),
            residual: deviation.of_mean_score().filter(|_| probability.is_some()),
            probability,
        };
        Comparison { residual, deviation: deviation.size() }
    }
}

impl WorkerResidual {
    /// Returns whether the worker is named: its results differ from the others' by more than chance.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.probability.is_some_and(|probability| probability <= NAMED_PROBABILITY)
    }

    /// Says how the results differ, such as `its results differ from the others' (mean 0.71 against
    /// 0.52 in 1200 pairs; by chance 3e-7)`.
    #[must_use]
    pub fn describe(&self) -> String {
        let others = self.others.map_or_else(String::new, |others| format!(" against {others:.2}"));
        let pairs = plural(self.results, "pair");
        let chance = self.probability.map(describe_probability);
        let chance = chance.map_or_else(String::new, |chance| format!("; by chance {chance}"));
        format!(
            "its results differ from the others' (mean {:.2}{others} in {pairs}{chance})",
            self.mean
        )
    }
}

/// Formats a probability in few characters: `0.37`, `3e-7`.
#[must_use]
pub fn describe_probability(probability: f64) -> String {
    match probability {
        p if p >= 0.01 => format!("{p:.2}"),
        p if p >= 1e-99 => format!("{p:.0e}"),
        _ => "<1e-99".to_owned(),
    }
}

#[cfg(test)]
mod tests;
