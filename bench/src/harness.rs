//! Interleaved measurements: in every round each contender works for a short time, in an order that
//! rotates from round to round. Ratios are computed within a round, so that a temporary slowdown of
//! the machine affects both sides of a ratio.

use std::fmt;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::{Value, json};

/// The time that a contender works in one round.
const SLICE: Duration = Duration::from_millis(150);

/// One of several programs that do the same work.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Does some work and returns the number of units done.
    pub(crate) work: Box<dyn FnMut() -> u64>,
}

impl Contender {
    pub(crate) fn new(name: &'static str, work: impl FnMut() -> u64 + 'static) -> Self {
        Contender { name, work: Box::new(work) }
    }
}

/// The same work done by several contenders; ratios are relative to the last.
pub(crate) struct Suite {
    /// The unit of work, such as games or nodes.
    pub(crate) unit: &'static str,
    pub(crate) contenders: Vec<Contender>,
    /// Number of rounds; odd, so that there is a median.
    pub(crate) rounds: usize,
    pub(crate) clock: Clock,
}

/// The clock that measures the work.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    /// CPU time of the whole process, because some libraries start threads of their own; one
    /// contender works at a time.
    Processor,
    /// Wall-clock time, for comparing numbers of threads.
    Wall,
}

impl Clock {
    /// Starts a stopwatch; the function returned reads it.
    fn start(self) -> Box<dyn Fn() -> Duration> {
        match self {
            Clock::Processor => {
                let began = ProcessTime::now();
                Box::new(move || began.elapsed())
            }
            Clock::Wall => {
                let began = Instant::now();
                Box::new(move || began.elapsed())
            }
        }
    }
}

/// The measurements of a suite.
pub(crate) struct Measurements {
    unit: &'static str,
    /// The name of each contender with its rates by round, in units per second.
    rates: Vec<(&'static str, Vec<f64>)>,
}

impl Suite {
    pub(crate) fn run(mut self) -> Measurements {
        let count = self.contenders.len();
        let mut rates: Vec<_> = self.contenders.iter().map(|c| (c.name, Vec::new())).collect();
        for round in 0..self.rounds {
            for i in (0..count).map(|i| (i + round) % count) {
                rates[i].1.push(rate(&mut self.contenders[i], self.clock));
            }
        }
        Measurements { unit: self.unit, rates }
    }
}

fn rate(contender: &mut Contender, clock: Clock) -> f64 {
    let (elapsed, mut units) = (clock.start(), 0);
    while elapsed() < SLICE {
        units += (contender.work)();
    }
    units as f64 / elapsed().as_secs_f64()
}

/// Formats a rate in a few characters.
fn short(rate: f64) -> String {
    match rate {
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e3 => format!("{:.2} k", r / 1e3),
        r => format!("{r:.2}"),
    }
}

/// Returns minimum, median and maximum.
fn spread(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]]
}

impl Measurements {
    fn ratios(&self, rates: &[f64]) -> [f64; 3] {
        let (_, peer) = self.rates.last().expect("a suite has contenders");
        spread(&rates.iter().zip(peer).map(|(ours, theirs)| ours / theirs).collect::<Vec<_>>())
    }

    pub(crate) fn json(&self) -> Value {
        let contenders: Vec<Value> = self
            .rates
            .iter()
            .map(|(name, rates)| {
                let ([low, mid, high], [least, ratio, most]) = (spread(rates), self.ratios(rates));
                json!({
                    "name": name,
                    "per_second": { "min": low, "median": mid, "max": high },
                    "ratio": { "min": least, "median": ratio, "max": most },
                })
            })
            .collect();
        json!({ "unit": self.unit, "contenders": contenders })
    }
}

impl fmt::Display for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (peer, _) = self.rates.last().expect("a suite has contenders");
        writeln!(
            f,
            "  {}/s, and ratio to {peer}: median, minimum to maximum of {} rounds",
            self.unit,
            self.rates[0].1.len()
        )?;
        for (name, rates) in &self.rates {
            let ([low, mid, high], [least, ratio, most]) =
                (spread(rates).map(short), self.ratios(rates));
            writeln!(
                f,
                "  {name:<24} {mid:>8}  ({low} to {high})   ratio {ratio:.2}  ({least:.2} to {most:.2})"
            )?;
        }
        Ok(())
    }
}
