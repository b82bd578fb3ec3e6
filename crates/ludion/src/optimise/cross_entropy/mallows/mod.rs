//! The Mallows law under the Hamming distance: words of n different symbols out of m, with
//! chances that fall as `e^{−lambda·d}` with the number d of places in which they differ from a
//! centre.
//!
//! The centre that makes the elite most likely is the assignment that takes most from the table
//! of the elite's shares, whatever lambda is; lambda follows from the mean distance to it. See
//! [`CentreUpdate`] for why the shares alone are not the best of tables.

mod chain;
mod distance;
mod options;
mod sampler;

use serde::{Deserialize, Serialize};

pub use chain::MallowsChain;
pub use options::{CentreUpdate, LambdaUpdate, MallowsOptions, MallowsSampling};

use super::super::{SetupError, check_setting};
use super::assignment;
use super::family::{DistributionFamily, EliteCandidate, emptied};
use super::options::CrossEntropyOptions;
use super::rows::shares;
use crate::random::Rng;
use distance::{DistanceDistribution, likeliest_lambda};
use sampler::{MallowsSampler, shuffle_front};

/// What is known of a Mallows law.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MallowsState {
    options: MallowsOptions,
    symbols: usize,
    centre: Vec<u16>,
    centre_score: Option<f64>,
    lambda: f64,
    /// The smoothed table the centre is taken from.
    table: Vec<Vec<f64>>,
    trial: Option<CentreTrial>,
}

/// A centre to be scored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct CentreTrial {
    word: Vec<u16>,
    /// Lambda if the law goes there, and if it stays.
    lambda_there: f64,
    lambda_here: f64,
}

/// A Mallows law around a centre.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "MallowsState", into = "MallowsState")]
pub struct MallowsDistribution(MallowsState);

/// What a Mallows law says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MallowsFigures {
    /// Lambda.
    pub lambda: f64,
    /// The centre.
    pub centre: Vec<u16>,
    /// Its score.
    pub centre_score: Option<f64>,
}

impl From<MallowsDistribution> for MallowsState {
    fn from(law: MallowsDistribution) -> Self {
        law.0
    }
}

impl TryFrom<MallowsState> for MallowsDistribution {
    type Error = SetupError;

    fn try_from(state: MallowsState) -> Result<Self, SetupError> {
        state.options.check()?;
        let (places, symbols) = (state.centre.len(), state.symbols);
        check_setting("symbols", symbols, "1 to 65536", (1..=1 << 16).contains(&symbols))?;
        check_setting(
            "places",
            places,
            "1 to the number of symbols",
            (1..=symbols).contains(&places),
        )?;
        let is_word = |word: &[u16]| {
            let mut used = vec![false; symbols];
            word.len() == places
                && word.iter().all(|&symbol| {
                    used.get_mut(usize::from(symbol)).is_some_and(|u| !std::mem::replace(u, true))
                })
        };
        if !is_word(&state.centre) || state.trial.as_ref().is_some_and(|t| !is_word(&t.word)) {
            return Err(SetupError::Inconsistent("a centre has different symbols, all allowed"));
        }
        let table = &state.table;
        if table.len() != places || table.iter().any(|row| row.len() != symbols) {
            return Err(SetupError::Inconsistent("the table has a row a place, a column a symbol"));
        }
        let numbers = table.iter().flatten().all(|x| x.abs() <= assignment::LARGEST);
        if !numbers || !state.lambda.is_finite() || state.lambda < 0.0 {
            return Err(SetupError::Inconsistent("shares are up to 1 and lambda at least 0"));
        }
        Ok(MallowsDistribution(state))
    }
}

impl MallowsDistribution {
    /// A law around a random word of `places` different symbols out of `symbols`.
    pub fn new(
        places: usize,
        symbols: usize,
        options: MallowsOptions,
        seed: u64,
    ) -> Result<Self, SetupError> {
        let fits = (1..=1 << 16).contains(&symbols) && (1..=symbols).contains(&places);
        check_setting("places", places, "1 to the number of symbols, which is up to 65536", fits)?;
        let mut centre: Vec<u16> = (0..symbols).map(|symbol| symbol as u16).collect();
        shuffle_front(&mut centre, places, &mut Rng::new(seed));
        centre.truncate(places);
        MallowsDistribution::around(centre, symbols, options)
    }

    /// A law around a word of different symbols out of `symbols`.
    pub fn around(
        centre: Vec<u16>,
        symbols: usize,
        options: MallowsOptions,
    ) -> Result<Self, SetupError> {
        let lambda = options.lambda.start();
        let table = vec![vec![0.0; symbols]; centre.len()];
        let trial =
            Some(CentreTrial { word: centre.clone(), lambda_there: lambda, lambda_here: lambda });
        let centre_score = None;
        MallowsDistribution::try_from(MallowsState {
            options,
            symbols,
            centre,
            centre_score,
            lambda,
            table,
            trial,
        })
    }

    /// The centre.
    #[must_use]
    pub fn centre(&self) -> &[u16] {
        &self.0.centre
    }

    /// Lambda.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.0.lambda
    }

    /// The smoothed table, a row a place and a column a symbol, in which the best assignment is
    /// the next centre.
    #[must_use]
    pub fn table(&self) -> &[Vec<f64>] {
        &self.0.table
    }

    /// The probabilities of the distances 0 to n from the centre.
    #[must_use]
    pub fn distance_law(&self) -> Vec<f64> {
        self.distances().law()
    }

    /// A chain that will draw from this law, from a random word on, to be looked at step by step.
    pub fn chain(&self, rng: &mut Rng) -> MallowsChain<'_> {
        MallowsChain::new(&self.0.centre, self.0.symbols, self.0.lambda, rng)
    }

    fn distances(&self) -> DistanceDistribution {
        DistanceDistribution::new(self.0.centre.len(), self.0.symbols, self.0.lambda)
    }

    /// What the elite has more of than this law gives.
    fn excess(&self, mut shares: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let [same, inside, outside] = self.distances().expected();
        let mut expected = vec![outside; self.0.symbols];
        for &symbol in &self.0.centre {
            expected[usize::from(symbol)] = inside;
        }
        for (row, &symbol) in shares.iter_mut().zip(&self.0.centre) {
            for (cell, expected) in row.iter_mut().zip(&expected) {
                *cell -= expected;
            }
            row[usize::from(symbol)] += inside - same;
        }
        shares
    }

    /// The next lambda if the law is around `word`.
    fn next_lambda(&self, word: &[u16], shares: &[Vec<f64>], smoothing: f64) -> f64 {
        match self.0.options.lambda {
            LambdaUpdate::Constant(lambda) => lambda,
            LambdaUpdate::Growing { step, .. } => self.0.lambda + step,
            LambdaUpdate::Likelihood { most, .. } => {
                let equal: f64 = word.iter().zip(shares).map(|(&s, row)| row[usize::from(s)]).sum();
                let distance = word.len() as f64 - equal;
                let fitted = likeliest_lambda(word.len(), self.0.symbols, distance, most);
                smoothing * fitted + (1.0 - smoothing) * self.0.lambda
            }
        }
    }
}

impl DistributionFamily for MallowsDistribution {
    type Sample = Vec<u16>;
    type Figures = MallowsFigures;

    /// The places of the centre, and lambda.
    fn parameters(&self) -> usize {
        self.0.centre.len() + 1
    }

    /// No smoothing and ten equal gammas, as in the original study. A table of excess is smoothed
    /// by 0.1, because it must add up over the iterations; and there gamma is no rule, because
    /// with a lambda that does not grow it stands still long before the centre is found.
    fn defaults(&self) -> CrossEntropyOptions {
        let (smoothing, unchanged) = match self.0.options.update {
            CentreUpdate::Shares => (None, Some(10)),
            CentreUpdate::Excess => (Some(0.1), None),
        };
        CrossEntropyOptions { smoothing, unchanged, ..CrossEntropyOptions::default() }
    }

    fn redraw(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<u16>>) {
        match self.0.options.sampler {
            MallowsSampling::Exact => {
                let mut sampler =
                    MallowsSampler::new(&self.0.centre, self.0.symbols, self.0.lambda);
                emptied(samples, count).for_each(|word| sampler.draw(rng, word));
            }
            MallowsSampling::Chain { burn_in, thinning } => {
                let mut chain = self.chain(rng);
                (0..burn_in * self.0.symbols).for_each(|_| chain.step(rng));
                for word in emptied(samples, count) {
                    (0..thinning).for_each(|_| chain.step(rng));
                    word.extend(chain.word());
                }
            }
        }
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        let shares = shares(self.0.centre.iter().map(|_| self.0.symbols), elite);
        let fitted = match self.0.options.update {
            CentreUpdate::Shares => shares.clone(),
            CentreUpdate::Excess => self.excess(shares.clone()),
        };
        for (cell, fitted) in self.0.table.iter_mut().flatten().zip(fitted.iter().flatten()) {
            *cell = smoothing * fitted + (1.0 - smoothing) * *cell;
        }
        let word = assignment::best(&self.0.table);
        let lambda_here = self.next_lambda(&self.0.centre, &shares, smoothing);
        if word == self.0.centre {
            self.0.lambda = lambda_here;
        } else {
            let lambda_there = self.next_lambda(&word, &shares, smoothing);
            self.0.trial = Some(CentreTrial { word, lambda_there, lambda_here });
        }
    }

    fn figures(&self) -> MallowsFigures {
        let MallowsState { lambda, centre, centre_score, .. } = &self.0;
        MallowsFigures { lambda: *lambda, centre: centre.clone(), centre_score: *centre_score }
    }

    /// The chance of the centre.
    fn concentration(&self) -> f64 {
        self.distances().law()[0]
    }

    fn trial(&self) -> Option<Vec<u16>> {
        self.0.trial.as_ref().map(|trial| trial.word.clone())
    }

    fn judge(&mut self, score: f64) {
        let Some(trial) = self.0.trial.take() else { return };
        let better = self.0.centre_score.is_none_or(|centre| score > centre);
        if better {
            self.0.centre = trial.word;
            self.0.centre_score = Some(score);
            self.0.lambda = trial.lambda_there;
        } else {
            self.0.lambda = trial.lambda_here;
        }
    }

    fn centre_score(&self) -> Option<f64> {
        self.0.centre_score
    }
}

#[cfg(test)]
mod tests;
