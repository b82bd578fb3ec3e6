//! Runs a cross-entropy experiment: draws codes, scores each against the secret, fits the
//! distribution, and records the iteration.

use std::ops::ControlFlow;

use super::super::{Code, Mastermind, SecretPegCounter};
use super::settings::{DistributionKind, ExperimentSettings, ExperimentSettingsError};
use super::trace::{DistributionSummary, ExperimentOutcome, ExperimentTrace, TraceStep};
use ludion_core::notation::NotationError;
use ludion_core::random::{Rng, derive_seed};
use ludion_core::riddle::Riddle;
use ludion_optimise::cross_entropy::categorical::CategoricalDistribution;
use ludion_optimise::cross_entropy::discarding::DiscardingDistribution;
use ludion_optimise::cross_entropy::mallows::{MallowsDistribution, MallowsSummary};
use ludion_optimise::cross_entropy::permutation::PermutationDistribution;
use ludion_optimise::cross_entropy::{CrossEntropy, DistributionFamily, ProbabilityTableSummary};
use ludion_optimise::{Maximiser, SetupError};

/// An experiment that is ready to run: settings, secret and initial distribution.
#[derive(Clone, Debug)]
pub struct CrossEntropyRun {
    settings: ExperimentSettings,
    secret: Code,
    seed: u64,
    search: InitialSearch,
}

/// The cross-entropy search before its first iteration; one variant for each family of
/// distributions.
#[derive(Clone, Debug)]
enum InitialSearch {
    Independent(CrossEntropy<CategoricalDistribution>),
    Discarding(CrossEntropy<DiscardingDistribution>),
    Permutation(CrossEntropy<PermutationDistribution>),
    Mallows(CrossEntropy<MallowsDistribution>),
}

/// A distribution of codes that can be recorded in a trace.
trait CodeDistribution: DistributionFamily<Sample = Code> {
    fn table(&self) -> &[Vec<f64>];
    fn summarise(summary: &Self::Summary) -> DistributionSummary;
}

impl CodeDistribution for CategoricalDistribution {
    fn table(&self) -> &[Vec<f64>] {
        self.rows()
    }
    fn summarise(summary: &ProbabilityTableSummary) -> DistributionSummary {
        DistributionSummary::Rows(*summary)
    }
}

impl CodeDistribution for DiscardingDistribution {
    fn table(&self) -> &[Vec<f64>] {
        self.rows()
    }
    fn summarise(summary: &ProbabilityTableSummary) -> DistributionSummary {
        DistributionSummary::Rows(*summary)
    }
}

impl CodeDistribution for PermutationDistribution {
    fn table(&self) -> &[Vec<f64>] {
        self.rows()
    }
    fn summarise(summary: &ProbabilityTableSummary) -> DistributionSummary {
        DistributionSummary::Rows(*summary)
    }
}

impl CodeDistribution for MallowsDistribution {
    fn table(&self) -> &[Vec<f64>] {
        MallowsDistribution::table(self)
    }
    fn summarise(summary: &MallowsSummary) -> DistributionSummary {
        DistributionSummary::Mallows(summary.clone())
    }
}

// Numbers of the random streams that are derived from the seed of an experiment.
const SECRET_STREAM: u64 = 0;
const CENTRE_STREAM: u64 = 1;
const SEARCH_STREAM: u64 = 2;

/// Callback after an iteration; it can end the experiment.
type OnStep<'a> = dyn FnMut(&TraceStep) -> ControlFlow<()> + 'a;

impl CrossEntropyRun {
    /// Sets up an experiment with this secret; if it is `None`, a secret is drawn from the seed.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range or the secret is not a valid code.
    pub fn new(
        settings: ExperimentSettings,
        secret: Option<Code>,
        seed: u64,
    ) -> Result<Self, ExperimentSettingsError> {
        let rules = settings.rules()?;
        let secret = match secret {
            Some(secret) => check_secret(&rules, &secret)?,
            None => rules.draw_secret(&mut Rng::new(derive_seed(seed, &[SECRET_STREAM]))),
        };
        let (pegs, colours) = (settings.pegs, settings.colours);
        let search = match settings.distribution {
            DistributionKind::Independent => InitialSearch::Independent(new_search(
                &settings,
                CategoricalDistribution::uniform(pegs, colours)?,
                seed,
            )?),
            DistributionKind::Discarding => InitialSearch::Discarding(new_search(
                &settings,
                DiscardingDistribution::uniform(pegs, colours)?,
                seed,
            )?),
            DistributionKind::Permutation => InitialSearch::Permutation(new_search(
                &settings,
                PermutationDistribution::uniform(pegs, colours)?,
                seed,
            )?),
            DistributionKind::Mallows(options) => {
                let centre_seed = derive_seed(seed, &[CENTRE_STREAM]);
                let initial = MallowsDistribution::new(pegs, colours, options, centre_seed)?;
                InitialSearch::Mallows(new_search(&settings, initial, seed)?)
            }
        };
        Ok(CrossEntropyRun { settings, secret, seed, search })
    }

    /// Returns the secret code that the experiment searches for.
    #[must_use]
    pub fn secret(&self) -> &[u16] {
        &self.secret
    }

    /// Runs the experiment and calls `observer` after every iteration; if `tables` is true, each
    /// step records the table of the distribution.
    #[must_use]
    pub fn run(&self, tables: bool, mut observer: impl FnMut(&TraceStep)) -> ExperimentTrace {
        self.run_until(tables, |step| {
            observer(step);
            ControlFlow::Continue(())
        })
    }

    /// Runs the experiment until it ends or `observer` returns `Break`; in that case the outcome is
    /// that of the iterations so far. If `tables` is true, each step records the table of the
    /// distribution.
    #[must_use]
    pub fn run_until(
        &self,
        tables: bool,
        mut observer: impl FnMut(&TraceStep) -> ControlFlow<()>,
    ) -> ExperimentTrace {
        self.run_observed(tables, &mut observer)
    }

    /// Compiled here and not for every observer: its inner loop belongs to this crate.
    fn run_observed(&self, tables: bool, observer: &mut OnStep<'_>) -> ExperimentTrace {
        let (steps, outcome) = match self.search.clone() {
            InitialSearch::Independent(search) => self.run_search(search, tables, observer),
            InitialSearch::Discarding(search) => self.run_search(search, tables, observer),
            InitialSearch::Permutation(search) => self.run_search(search, tables, observer),
            InitialSearch::Mallows(search) => self.run_search(search, tables, observer),
        };
        let (settings, secret) = (self.settings.clone(), self.secret.clone());
        ExperimentTrace { settings, seed: self.seed, secret, steps, outcome }
    }

    fn run_search<F: CodeDistribution>(
        &self,
        mut search: CrossEntropy<F>,
        tables: bool,
        observer: &mut OnStep<'_>,
    ) -> (Vec<TraceStep>, ExperimentOutcome) {
        let counter =
            SecretPegCounter::new(&self.secret, self.settings.colours, self.settings.counting);
        let (mut steps, mut scores, mut answers) = (Vec::new(), Vec::new(), 0);
        while search.finished().is_none() {
            scores.clear();
            let codes = search.ask().iter();
            scores.extend(codes.map(|code| self.score(&counter, code)));
            answers += scores.len() as u64;
            search.tell(&scores).expect("a score for every code");
            // An iteration ends after the new centre, if there is one, was scored.
            if search.history().len() > steps.len() && search.family().trial().is_none() {
                let step = last_step(&search, tables, answers);
                let next = observer(&step);
                steps.push(step);
                if next.is_break() {
                    break;
                }
            }
        }
        let outcome = self.outcome(&search, &counter, answers);
        (steps, outcome)
    }

    /// Returns the score of a code, which is 1 only if it is the secret.
    fn score(&self, counter: &SecretPegCounter, code: &[u16]) -> f64 {
        counter.feedback(code).weighted_score(self.settings.pegs, self.settings.weights)
    }

    fn outcome<F: CodeDistribution>(
        &self,
        search: &CrossEntropy<F>,
        counter: &SecretPegCounter,
        answers: u64,
    ) -> ExperimentOutcome {
        let iterations = search.history().len() as u32;
        let last = search.history().last();
        let gamma = last.map(|last| last.gamma);
        let (proposal, found, stop) = match F::summarise(&search.family().summary()) {
            DistributionSummary::Mallows(mallows) => {
                let found = mallows.centre_score.is_some_and(|score| score >= 1.0);
                (mallows.centre, found, found.then_some(iterations))
            }
            DistributionSummary::Rows(_) => {
                let proposal = last.map_or_else(Code::new, |last| last.proposal.clone());
                (proposal, gamma.is_some_and(|gamma| gamma >= 1.0), search.iteration_reaching(1.0))
            }
        };
        ExperimentOutcome {
            convergence: search.converged_at(self.settings.d),
            stop,
            iterations,
            found,
            error: 1.0 - self.score(counter, &proposal),
            proposal,
            quantile_error: gamma.map_or(0.0, |gamma| 1.0 - gamma),
            answers,
        }
    }
}

/// Returns the secret if it is a valid code.
fn check_secret(rules: &Mastermind, secret: &[u16]) -> Result<Code, NotationError> {
    let text = rules.show_code(&secret.to_vec());
    if let Some(colour) = secret.iter().find(|colour| usize::from(**colour) >= rules.colours) {
        let (number, colours) = (u32::from(*colour) + 1, rules.colours);
        return Err(NotationError::new(
            &text,
            format!("colour {number}, and colours are 1 to {colours}"),
        ));
    }
    // Reading the text back checks the other rules of a code.
    rules.read_code(&text)
}

fn new_search<F: DistributionFamily>(
    settings: &ExperimentSettings,
    family: F,
    seed: u64,
) -> Result<CrossEntropy<F>, SetupError> {
    CrossEntropy::new(family, settings.options()?, derive_seed(seed, &[SEARCH_STREAM]))
}

/// Returns the record of the last iteration, with the table of the distribution if `tables` is
/// true.
fn last_step<F: CodeDistribution>(
    search: &CrossEntropy<F>,
    tables: bool,
    answers: u64,
) -> TraceStep {
    let last = search.history().last().expect("an iteration is over");
    TraceStep {
        iteration: last.generation.number,
        gamma: last.gamma,
        best: last.generation.best,
        proposal: last.proposal.clone(),
        elite: last.elite,
        answers,
        summary: F::summarise(&last.summary),
        table: tables.then(|| search.family().table().to_vec()),
    }
}
