//! Runs an experiment: draws, has the keeper of the secret score every code, fits, writes down.

use std::ops::ControlFlow;

use super::super::{Code, Mastermind, SecretPegCounter};
use super::settings::{DistributionKind, ExperimentSettings, ExperimentSettingsError};
use super::trace::{DistributionFigures, ExperimentOutcome, ExperimentTrace, TraceStep};
use crate::notation::NotationError;
use crate::optimise::cross_entropy::categorical::CategoricalDistribution;
use crate::optimise::cross_entropy::mallows::{MallowsDistribution, MallowsSummary};
use crate::optimise::cross_entropy::permutation::PermutationDistribution;
use crate::optimise::cross_entropy::{CrossEntropy, DistributionFamily, ProbabilityTableSummary};
use crate::optimise::{Maximiser, SetupError};
use crate::random::{Rng, derive_seed};
use crate::riddle::Riddle;

/// An experiment that can be run.
#[derive(Clone, Debug)]
pub struct CrossEntropyExperiment {
    settings: ExperimentSettings,
    secret: Code,
    seed: u64,
    law: InitialDistribution,
}

/// The law before the first iteration.
#[derive(Clone, Debug)]
enum InitialDistribution {
    Independent(CrossEntropy<CategoricalDistribution>),
    Permutation(CrossEntropy<PermutationDistribution>),
    Mallows(CrossEntropy<MallowsDistribution>),
}

/// A law of codes with something to show.
trait TracedDistribution: DistributionFamily<Sample = Code> {
    fn table(&self) -> &[Vec<f64>];
    fn shown(figures: &Self::Summary) -> DistributionFigures;
}

impl TracedDistribution for CategoricalDistribution {
    fn table(&self) -> &[Vec<f64>] {
        self.rows()
    }
    fn shown(figures: &ProbabilityTableSummary) -> DistributionFigures {
        DistributionFigures::Rows(*figures)
    }
}

impl TracedDistribution for PermutationDistribution {
    fn table(&self) -> &[Vec<f64>] {
        self.rows()
    }
    fn shown(figures: &ProbabilityTableSummary) -> DistributionFigures {
        DistributionFigures::Rows(*figures)
    }
}

impl TracedDistribution for MallowsDistribution {
    fn table(&self) -> &[Vec<f64>] {
        MallowsDistribution::table(self)
    }
    fn shown(figures: &MallowsSummary) -> DistributionFigures {
        DistributionFigures::Mallows(figures.clone())
    }
}

/// What the parts of an experiment draw from.
const SECRET: u64 = 0;
const CENTRE: u64 = 1;
const SEARCH: u64 = 2;

impl CrossEntropyExperiment {
    /// Sets up an experiment with this secret, or with one drawn from the seed.
    ///
    /// # Errors
    /// When a setting is outside its range, or the secret is no code.
    pub fn new(
        settings: ExperimentSettings,
        secret: Option<Code>,
        seed: u64,
    ) -> Result<Self, ExperimentSettingsError> {
        let rules = settings.rules()?;
        let secret = match secret {
            Some(secret) => checked(&rules, &secret)?,
            None => rules.draw_secret(&mut Rng::new(derive_seed(seed, &[SECRET]))),
        };
        let (pegs, colours) = (settings.pegs, settings.colours);
        let law = match settings.law {
            DistributionKind::Independent => InitialDistribution::Independent(begin(
                &settings,
                CategoricalDistribution::uniform(pegs, colours)?,
                seed,
            )?),
            DistributionKind::Permutation => InitialDistribution::Permutation(begin(
                &settings,
                PermutationDistribution::uniform(pegs, colours)?,
                seed,
            )?),
            DistributionKind::Mallows(options) => {
                let seed_of_centre = derive_seed(seed, &[CENTRE]);
                let law = MallowsDistribution::new(pegs, colours, options, seed_of_centre)?;
                InitialDistribution::Mallows(begin(&settings, law, seed)?)
            }
        };
        Ok(CrossEntropyExperiment { settings, secret, seed, law })
    }

    /// The secret.
    #[must_use]
    pub fn secret(&self) -> &[u16] {
        &self.secret
    }

    /// Runs it; `observer` sees every iteration as it is done, with its table if `tables` are kept.
    #[must_use]
    pub fn run(&self, tables: bool, mut observer: impl FnMut(&TraceStep)) -> ExperimentTrace {
        self.run_until(tables, |step| {
            observer(step);
            ControlFlow::Continue(())
        })
    }

    /// Runs it until `observer`, who sees every iteration as it is done, breaks it off; the outcome
    /// is then that of the iterations done.
    #[must_use]
    pub fn run_until(
        &self,
        tables: bool,
        observer: impl FnMut(&TraceStep) -> ControlFlow<()>,
    ) -> ExperimentTrace {
        let (steps, outcome) = match self.law.clone() {
            InitialDistribution::Independent(search) => self.go(search, tables, observer),
            InitialDistribution::Permutation(search) => self.go(search, tables, observer),
            InitialDistribution::Mallows(search) => self.go(search, tables, observer),
        };
        let (settings, secret) = (self.settings.clone(), self.secret.clone());
        ExperimentTrace { settings, seed: self.seed, secret, steps, outcome }
    }

    fn go<F: TracedDistribution>(
        &self,
        mut search: CrossEntropy<F>,
        tables: bool,
        mut observer: impl FnMut(&TraceStep) -> ControlFlow<()>,
    ) -> (Vec<TraceStep>, ExperimentOutcome) {
        let keeper =
            SecretPegCounter::new(&self.secret, self.settings.colours, self.settings.counting);
        let (mut steps, mut scores, mut answers) = (Vec::new(), Vec::new(), 0);
        while search.finished().is_none() {
            scores.clear();
            let codes = search.ask().iter();
            scores.extend(codes.map(|code| keeper.answer(code).score(self.settings.pegs)));
            answers += scores.len() as u64;
            search.tell(&scores).expect("a score for every code");
            // An iteration is over when the law has judged its new centre too.
            if search.history().len() > steps.len() && search.family().trial().is_none() {
                let step = step(&search, tables, answers);
                let next = observer(&step);
                steps.push(step);
                if next.is_break() {
                    break;
                }
            }
        }
        let outcome = self.outcome(&search, &keeper, answers);
        (steps, outcome)
    }

    fn outcome<F: TracedDistribution>(
        &self,
        search: &CrossEntropy<F>,
        keeper: &SecretPegCounter,
        answers: u64,
    ) -> ExperimentOutcome {
        let iterations = search.history().len() as u32;
        let last = search.history().last();
        let gamma = last.map(|last| last.gamma);
        let (proposal, found, stop) = match F::shown(&search.family().summary()) {
            DistributionFigures::Mallows(law) => {
                let found = law.centre_score.is_some_and(|score| score >= 1.0);
                (law.centre, found, found.then_some(iterations))
            }
            DistributionFigures::Rows(_) => {
                let proposal = last.map_or_else(Code::new, |last| last.proposal.clone());
                (proposal, gamma.is_some_and(|gamma| gamma >= 1.0), search.iteration_reaching(1.0))
            }
        };
        ExperimentOutcome {
            convergence: search.converged_at(self.settings.d),
            stop,
            iterations,
            found,
            error: 1.0 - keeper.answer(&proposal).score(self.settings.pegs),
            proposal,
            quantile_error: gamma.map_or(0.0, |gamma| 1.0 - gamma),
            answers,
        }
    }
}

/// The secret, if it is a code by the rules.
fn checked(rules: &Mastermind, secret: &[u16]) -> Result<Code, NotationError> {
    let text = rules.show_code(&secret.to_vec());
    if let Some(colour) = secret.iter().find(|colour| usize::from(**colour) >= rules.colours) {
        let (number, colours) = (u32::from(*colour) + 1, rules.colours);
        return Err(NotationError::new(
            &text,
            format!("colour {number}, and colours are 1 to {colours}"),
        ));
    }
    // Reading back what it is shown as asks all else that a code must be.
    rules.read_code(&text)
}

fn begin<F: DistributionFamily>(
    settings: &ExperimentSettings,
    family: F,
    seed: u64,
) -> Result<CrossEntropy<F>, SetupError> {
    CrossEntropy::new(family, settings.options()?, derive_seed(seed, &[SEARCH]))
}

/// The last iteration.
fn step<F: TracedDistribution>(search: &CrossEntropy<F>, tables: bool, answers: u64) -> TraceStep {
    let last = search.history().last().expect("an iteration is over");
    TraceStep {
        iteration: last.generation.number,
        gamma: last.gamma,
        best: last.generation.best,
        proposal: last.proposal.clone(),
        elite: last.elite,
        answers,
        figures: F::shown(&last.summary),
        table: tables.then(|| search.family().table().to_vec()),
    }
}
