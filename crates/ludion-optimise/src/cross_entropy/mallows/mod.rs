//! The Mallows distribution under the Hamming distance: words of n distinct symbols out of m, with
//! probability proportional to `e^{−lambda·d}`, where d is the number of places in which the word
//! differs from a centre.
//!
//! The maximum likelihood centre is the best assignment in the table of symbol frequencies of the
//! elite, for every lambda; lambda follows from the mean distance to the centre. See
//! [`CentreUpdate`] for an alternative to the frequencies.

mod chain;
mod distance;
mod options;
mod sampler;

use serde::{Deserialize, Serialize};

pub use chain::MallowsChain;
pub use options::{CentreUpdate, LambdaUpdate, MallowsOptions, MallowsSampling};

use super::super::{SetupError, check_setting};
use super::assignment;
use super::family::{DistributionFamily, EliteCandidate, cleared_words};
use super::options::CrossEntropyOptions;
use super::probability_table::frequencies;
use distance::{DistanceDistribution, likeliest_lambda};
use ludion_core::random::Rng;
use sampler::{MallowsSampler, shuffle_front};

/// Serialised state of a [`MallowsDistribution`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct MallowsState {
    options: MallowsOptions,
    symbols: usize,
    centre: Vec<u16>,
    centre_score: Option<f64>,
    lambda: f64,
    /// Smoothed table that determines the next centre (see [`CentreUpdate`]): one row for each
    /// place, one column for each symbol.
    table: Vec<Vec<f64>>,
    trial: Option<CentreTrial>,
}

/// A proposed centre that must be scored before it is accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct CentreTrial {
    word: Vec<u16>,
    /// Lambda of the distribution if the proposed centre is accepted.
    lambda_there: f64,
    /// Lambda of the distribution if the old centre is kept.
    lambda_here: f64,
}

/// A Mallows distribution of words (sequences of distinct symbols), with the rules that update its
/// centre and its spread parameter lambda.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "MallowsState", into = "MallowsState")]
pub struct MallowsDistribution(MallowsState);

/// Parameters of a [`MallowsDistribution`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MallowsSummary {
    /// Spread parameter: the larger, the closer words are to the centre.
    pub lambda: f64,
    /// Centre of the distribution, the word from which distances are counted.
    pub centre: Vec<u16>,
    /// Score of the centre, if it was scored.
    pub centre_score: Option<f64>,
}

impl From<MallowsDistribution> for MallowsState {
    fn from(distribution: MallowsDistribution) -> Self {
        distribution.0
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
            return Err(SetupError::Inconsistent("a centre has distinct symbols, all allowed"));
        }
        let table = &state.table;
        if table.len() != places || table.iter().any(|row| row.len() != symbols) {
            return Err(SetupError::Inconsistent(
                "the table needs a row for each place and a column for each symbol",
            ));
        }
        let numbers = table.iter().flatten().all(|x| x.abs() <= assignment::MAX_ENTRY);
        if !numbers || !state.lambda.is_finite() || state.lambda < 0.0 {
            return Err(SetupError::Inconsistent(
                "frequencies are at most 1 and lambda at least 0",
            ));
        }
        Ok(MallowsDistribution(state))
    }
}

impl MallowsDistribution {
    /// Creates a distribution whose centre is a random word of `places` distinct symbols out of
    /// `symbols`.
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

    /// Creates a distribution with the given centre, a word of distinct symbols out of `symbols`.
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

    /// Returns the centre of the distribution, the word from which distances are counted.
    #[must_use]
    pub fn centre(&self) -> &[u16] {
        &self.0.centre
    }

    /// Returns lambda, the spread parameter: the larger, the closer drawn words are to the centre.
    #[must_use]
    pub fn lambda(&self) -> f64 {
        self.0.lambda
    }

    /// Returns the smoothed table that determines the next centre (see [`CentreUpdate`]): one row
    /// for each place, one column for each symbol.
    #[must_use]
    pub fn table(&self) -> &[Vec<f64>] {
        &self.0.table
    }

    /// Returns the probabilities of the distances 0 to n between the centre and a drawn word of n
    /// symbols.
    #[must_use]
    pub fn distance_distribution(&self) -> Vec<f64> {
        self.distances().probabilities()
    }

    /// Starts a Metropolis-Hastings chain for this distribution at a random word.
    pub fn chain(&self, rng: &mut Rng) -> MallowsChain<'_> {
        MallowsChain::new(&self.0.centre, self.0.symbols, self.0.lambda, rng)
    }

    fn distances(&self) -> DistanceDistribution {
        DistanceDistribution::new(self.0.centre.len(), self.0.symbols, self.0.lambda)
    }

    /// Subtracts from the frequency of each symbol at each place in the elite the probability that
    /// this distribution gives it.
    fn excess(&self, mut frequencies: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let [same, inside, outside] = self.distances().symbol_probabilities();
        let mut expected = vec![outside; self.0.symbols];
        for &symbol in &self.0.centre {
            expected[usize::from(symbol)] = inside;
        }
        for (row, &symbol) in frequencies.iter_mut().zip(&self.0.centre) {
            for (cell, expected) in row.iter_mut().zip(&expected) {
                *cell -= expected;
            }
            row[usize::from(symbol)] += inside - same;
        }
        frequencies
    }

    /// Returns the spread parameter lambda of the next iteration if `word` becomes or stays the
    /// centre.
    fn next_lambda(&self, word: &[u16], frequencies: &[Vec<f64>], smoothing: f64) -> f64 {
        match self.0.options.lambda {
            LambdaUpdate::Constant(lambda) => lambda,
            LambdaUpdate::Growing { step, .. } => self.0.lambda + step,
            LambdaUpdate::Likelihood { max, .. } => {
                let equal: f64 =
                    word.iter().zip(frequencies).map(|(&s, row)| row[usize::from(s)]).sum();
                let distance = word.len() as f64 - equal;
                let fitted = likeliest_lambda(word.len(), self.0.symbols, distance, max);
                smoothing * fitted + (1.0 - smoothing) * self.0.lambda
            }
        }
    }
}

impl DistributionFamily for MallowsDistribution {
    type Sample = Vec<u16>;
    type Summary = MallowsSummary;

    /// Returns the number of places of the centre, plus 1 for lambda.
    fn parameters(&self) -> usize {
        self.0.centre.len() + 1
    }

    /// Returns options without smoothing and with a stop when gamma (the score threshold of the
    /// elite) was unchanged ten times in a row, as in the experiment by ARKEnsae
    /// (*Mastermind_Simulation*), if the update is [`CentreUpdate::Shares`].
    ///
    /// With [`CentreUpdate::Excess`] the table is smoothed by 0.1, because it accumulates over the
    /// iterations, and there is no stop rule on gamma, which with a constant lambda is unchanged
    /// long before the centre is found.
    fn defaults(&self) -> CrossEntropyOptions {
        let (smoothing, unchanged) = match self.0.options.update {
            CentreUpdate::Shares => (None, Some(10)),
            CentreUpdate::Excess => (Some(0.1), None),
        };
        CrossEntropyOptions { smoothing, unchanged, ..CrossEntropyOptions::default() }
    }

    fn draw_into(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<u16>>) {
        match self.0.options.sampler {
            MallowsSampling::Exact => {
                let mut sampler =
                    MallowsSampler::new(&self.0.centre, self.0.symbols, self.0.lambda);
                cleared_words(samples, count).for_each(|word| sampler.draw(rng, word));
            }
            MallowsSampling::Chain { burn_in, thinning } => {
                let mut chain = self.chain(rng);
                (0..burn_in * self.0.symbols).for_each(|_| chain.step(rng));
                for word in cleared_words(samples, count) {
                    (0..thinning).for_each(|_| chain.step(rng));
                    word.extend(chain.word());
                }
            }
        }
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        let frequencies = frequencies(self.0.centre.iter().map(|_| self.0.symbols), elite);
        let fitted = match self.0.options.update {
            CentreUpdate::Shares => frequencies.clone(),
            CentreUpdate::Excess => self.excess(frequencies.clone()),
        };
        for (cell, fitted) in self.0.table.iter_mut().flatten().zip(fitted.iter().flatten()) {
            *cell = smoothing * fitted + (1.0 - smoothing) * *cell;
        }
        let word = assignment::best_assignment(&self.0.table);
        let lambda_here = self.next_lambda(&self.0.centre, &frequencies, smoothing);
        if word == self.0.centre {
            self.0.lambda = lambda_here;
        } else {
            let lambda_there = self.next_lambda(&word, &frequencies, smoothing);
            self.0.trial = Some(CentreTrial { word, lambda_there, lambda_here });
        }
    }

    fn summary(&self) -> MallowsSummary {
        let MallowsState { lambda, centre, centre_score, .. } = &self.0;
        MallowsSummary { lambda: *lambda, centre: centre.clone(), centre_score: *centre_score }
    }

    /// Returns the probability of drawing the centre.
    fn concentration(&self) -> f64 {
        self.distances().probabilities()[0]
    }

    fn trial(&self) -> Option<Vec<u16>> {
        self.0.trial.as_ref().map(|trial| trial.word.clone())
    }

    fn set_trial_score(&mut self, score: f64) {
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
