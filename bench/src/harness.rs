//! Interleaved measuring: in every round each contender works for a moment, in an order
//! that turns from round to round; ratios are taken within a round, so that a machine that
//! is slow for a while slows both sides of it.

use std::fmt;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::{Value, json};

/// How long one contender works in one round.
const SLICE: Duration = Duration::from_millis(150);

/// One of those who do the same work.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Does a piece of work and says how many units it was.
    pub(crate) work: Box<dyn FnMut() -> u64>,
}

impl Contender {
    pub(crate) fn new(name: &'static str, work: impl FnMut() -> u64 + 'static) -> Self {
        Contender { name, work: Box::new(work) }
    }
}

/// The same work done by several; ratios are taken against the last of them.
pub(crate) struct Suite {
    /// What is counted: games, nodes.
    pub(crate) unit: &'static str,
    pub(crate) contenders: Vec<Contender>,
    /// How often everybody works; odd, so that there is a middle.
    pub(crate) rounds: usize,
    pub(crate) clock: Clock,
}

/// What the work is measured by.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    /// Time of the processors. Of the whole process, because some peers start a thread of
    /// their own; one works at a time.
    Processor,
    /// Time on the wall, where the threads are what is compared.
    Wall,
}

impl Clock {
    /// A stopwatch that is running.
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

/// What a suite measured.
pub(crate) struct Measured {
    unit: &'static str,
    /// Name and rates by round, in units a second.
    rates: Vec<(&'static str, Vec<f64>)>,
}

impl Suite {
    pub(crate) fn run(mut self) -> Measured {
        let count = self.contenders.len();
        let mut rates: Vec<_> = self.contenders.iter().map(|c| (c.name, Vec::new())).collect();
        for round in 0..self.rounds {
            for i in (0..count).map(|i| (i + round) % count) {
                rates[i].1.push(rate(&mut self.contenders[i], self.clock));
            }
        }
        Measured { unit: self.unit, rates }
    }
}

fn rate(contender: &mut Contender, clock: Clock) -> f64 {
    let (elapsed, mut units) = (clock.start(), 0);
    while elapsed() < SLICE {
        units += (contender.work)();
    }
    units as f64 / elapsed().as_secs_f64()
}

/// A rate in a few characters.
fn short(rate: f64) -> String {
    match rate {
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e3 => format!("{:.2} k", r / 1e3),
        r => format!("{r:.2}"),
    }
}

/// Least, median and greatest.
fn spread(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]]
}

impl Measured {
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

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (peer, _) = self.rates.last().expect("a suite has contenders");
        writeln!(
            f,
            "  {}/s, and ratio to {peer}: median, least to most of {}",
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
