//! The driver: gives every target mutated inputs of its corpus for some time and reports what was
//! found. The sequence of inputs of a target follows from the seed alone, so a finding is found
//! again by the same command.
//!
//! There is no coverage to guide it. In its place, an input whose error text is new joins the
//! inputs that are mutated, and so do some of those that are accepted.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

use ludion::random::{Rng, derive_seed};

use crate::mutator::mutate;
use crate::watch::{keep_panics, last_panic, save, start_watchdog, watched};
use crate::{FuzzTarget, check, corpus};

/// Settings of a campaign.
pub struct CampaignOptions {
    /// Time for all targets together, on one thread.
    pub time: Duration,
    /// Seed of the mutations.
    pub seed: u64,
    /// Number of threads; each runs one target at a time.
    pub threads: usize,
}

/// What a campaign found out about one target.
pub struct TargetReport {
    /// Name of the target.
    pub name: &'static str,
    /// Number of inputs that were run.
    pub executions: u64,
    /// Number of them that the parser accepted.
    pub accepted: u64,
    /// Number of different error texts, numbers and quotations aside.
    pub error_texts: usize,
    /// Time of the slowest input.
    pub slowest: Duration,
    /// Bugs, one for each different message.
    pub findings: Vec<Finding>,
}

/// A bug with an input that shows it.
pub struct Finding {
    /// Message of the panic.
    pub message: String,
    /// File with the input, made as short as possible in a short time.
    pub file: PathBuf,
}

impl fmt::Display for TargetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:22} {:>9} inputs, {:>8} accepted, {:>4} error texts, slowest {:>6.1} ms, {} bugs",
            self.name,
            self.executions,
            self.accepted,
            self.error_texts,
            self.slowest.as_secs_f64() * 1e3,
            self.findings.len()
        )
    }
}

/// Largest number of inputs of a target that are mutated.
const MAX_POOL: usize = 1000;
/// Number of bugs after which a target is not run any more.
const MAX_FINDINGS: usize = 5;
/// Time for making an input that shows a bug shorter.
const SHORTENING_TIME: Duration = Duration::from_secs(2);

/// Runs all targets, each for the same share of the time.
///
/// # Errors
/// When the corpus cannot be read.
pub fn run(
    targets: &[&'static FuzzTarget],
    options: &CampaignOptions,
) -> io::Result<Vec<TargetReport>> {
    keep_panics();
    start_watchdog();
    let share = options.time / targets.len().max(1) as u32;
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> io::Result<()> {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = run_target(target, share, options.seed)?;
            reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(report);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("panics are caught"))
    })?;
    let mut reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    reports.sort_by_key(|report| targets.iter().position(|target| target.name == report.name));
    Ok(reports)
}

/// Runs the inputs of the corpus of a target, then mutations of them until the time is over.
fn run_target(target: &'static FuzzTarget, time: Duration, seed: u64) -> io::Result<TargetReport> {
    let began = Instant::now();
    let mut seeds: Vec<Vec<u8>> =
        corpus::read(target)?.into_iter().map(|input| input.bytes).collect();
    seeds.push(Vec::new());
    let mut campaign = TargetCampaign::new(target);
    for input in &seeds {
        campaign.execute(input);
    }
    let mut pool = seeds.clone();
    let name_seed = u64::from(crc32fast::hash(target.name.as_bytes()));
    let mut rng = Rng::new(derive_seed(seed, &[name_seed]));
    while began.elapsed() < time && campaign.report.findings.len() < MAX_FINDINGS {
        // Half of the inputs are close to valid ones.
        let from = if rng.below(2) == 0 { &seeds } else { &pool };
        let input = mutate(from, target.tokens, &mut rng);
        if campaign.execute(&input) && pool.len() < MAX_POOL {
            pool.push(input);
        }
    }
    Ok(campaign.report)
}

/// The state of a campaign against one target.
struct TargetCampaign {
    target: &'static FuzzTarget,
    report: TargetReport,
    error_texts: HashSet<String>,
    messages: HashSet<String>,
}

impl TargetCampaign {
    fn new(target: &'static FuzzTarget) -> Self {
        let report = TargetReport {
            name: target.name,
            executions: 0,
            accepted: 0,
            error_texts: 0,
            slowest: Duration::ZERO,
            findings: Vec::new(),
        };
        TargetCampaign { target, report, error_texts: HashSet::new(), messages: HashSet::new() }
    }

    /// Runs an input; returns whether it is worth mutating.
    fn execute(&mut self, input: &[u8]) -> bool {
        let began = Instant::now();
        let result = execute(self.target, input);
        self.report.executions += 1;
        self.report.slowest = self.report.slowest.max(began.elapsed());
        match result {
            Ok(Ok(())) => {
                self.report.accepted += 1;
                self.report.accepted.is_power_of_two() || self.report.accepted.is_multiple_of(512)
            }
            Ok(Err(text)) => {
                let is_new = self.error_texts.insert(skeleton(&text, input));
                self.report.error_texts = self.error_texts.len();
                is_new
            }
            Err(message) => {
                if self.messages.insert(skeleton(&message, input)) {
                    let input = shortened(self.target, input, &message);
                    let file = save(self.target.name, &input);
                    self.report.findings.push(Finding { message, file });
                }
                false
            }
        }
    }
}

/// Runs an input; an error is the message of a panic.
fn execute(target: &'static FuzzTarget, input: &[u8]) -> Result<Result<(), String>, String> {
    let run = || catch_unwind(AssertUnwindSafe(|| check(target, input)));
    watched(target.name, input, run).map_err(|_| last_panic())
}

/// Returns the words of a text that do not come from the input, which is what the program says.
fn skeleton(text: &str, input: &[u8]) -> String {
    let given = String::from_utf8_lossy(input);
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).take(20);
    let own = words.filter(|word| !given.contains(word));
    own.collect::<Vec<_>>().join(" ")
}

/// Returns the place of a panic in the sources, which is the first line of its message.
fn place_of(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Removes parts of an input as long as the same bug shows.
fn shortened(target: &'static FuzzTarget, input: &[u8], message: &str) -> Vec<u8> {
    let (began, place) = (Instant::now(), place_of(message));
    let mut input = input.to_vec();
    let mut size = (input.len() / 2).max(1);
    loop {
        let mut at = 0;
        while at < input.len() {
            if began.elapsed() > SHORTENING_TIME {
                return input;
            }
            let mut shorter = input.clone();
            shorter.drain(at..(at + size).min(input.len()));
            match execute(target, &shorter) {
                Err(message) if place_of(&message) == place => input = shorter,
                _ => at += size,
            }
        }
        if size == 1 {
            return input;
        }
        size /= 2;
    }
}
