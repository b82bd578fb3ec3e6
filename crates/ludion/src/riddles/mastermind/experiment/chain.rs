//! The Metropolis-Hastings chain of the Mallows law looked at: how the first pegs move, how long
//! they remember, and whether the distances to the centre follow the exact law.

use serde::{Deserialize, Serialize};

use super::super::{Code, MOST, Mastermind};
use super::settings::ExperimentSettingsError;
use crate::optimise::SetupError;
use crate::optimise::cross_entropy::mallows::{
    LambdaUpdate, MallowsDistribution, MallowsOptions, MallowsSampling,
};
use crate::optimise::diagnostics::{
    ChiSquaredTest, autocorrelation, chi_squared, effective_size, ljung_box, thinned,
};
use crate::random::{Rng, derive_seed};

/// A look at a chain.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainOptions {
    /// Pegs of a code.
    pub pegs: usize,
    /// Colours of a peg.
    pub colours: usize,
    /// Lambda.
    pub lambda: f64,
    /// Steps before the first that counts, for each colour.
    pub burn_in: usize,
    /// Steps from one code to the next, where the chain is thinned.
    pub thinning: usize,
    /// Steps that count.
    pub length: usize,
    /// Lags of the autocorrelations, and of their test.
    pub lags: usize,
    /// How many pegs are looked at, from the first on.
    pub coordinates: usize,
}

/// Most steps of a chain.
const LONGEST: usize = 100_000_000;

impl ChainOptions {
    /// The study's: lambda 1, a burn-in of 250 steps a colour, a thinning of 80, four pegs.
    #[must_use]
    pub fn new(pegs: usize, colours: usize) -> Self {
        let (burn_in, thinning, length) = (250, 80, 80_000);
        ChainOptions {
            pegs,
            colours,
            lambda: 1.0,
            burn_in,
            thinning,
            length,
            lags: 40,
            coordinates: 4,
        }
    }

    /// Looks at the chain of a random centre.
    ///
    /// # Errors
    /// When a setting is outside its range.
    pub fn look(&self, seed: u64) -> Result<ChainDiagnostics, ExperimentSettingsError> {
        Mastermind::new(self.pegs, self.colours, false)?;
        let burn_in = (LONGEST / self.colours).min(1_000_000);
        for (name, value, range, allowed) in [
            ("length", self.length, 1..=LONGEST, "1 to 100000000"),
            ("burn-in", self.burn_in, 0..=burn_in, "0 to 1000000, and 100000000 steps in all"),
            ("lags", self.lags, 1..=10_000, "1 to 10000"),
            ("coordinates", self.coordinates, 1..=MOST, "1 to 256"),
        ] {
            if !range.contains(&value) {
                let value = value.to_string();
                return Err(SetupError::Setting { name, value, allowed }.into());
            }
        }
        let sampler = MallowsSampling::Chain { burn_in: self.burn_in, thinning: self.thinning };
        let lambda = LambdaUpdate::Constant(self.lambda);
        let options = MallowsOptions { sampler, lambda, ..MallowsOptions::default() };
        let law =
            MallowsDistribution::new(self.pegs, self.colours, options, derive_seed(seed, &[0]))?;
        Ok(self.follow(&law, &mut Rng::new(derive_seed(seed, &[1]))))
    }

    fn follow(&self, law: &MallowsDistribution, rng: &mut Rng) -> ChainDiagnostics {
        let mut chain = law.chain(rng);
        let mut beginning = vec![Vec::new(); self.coordinates.min(self.pegs)];
        let mut series = beginning.clone();
        let mut counts = vec![0; self.pegs + 1];
        let note = |series: &mut [Vec<f64>], word: &[u16]| {
            for (series, &colour) in series.iter_mut().zip(word) {
                series.push(f64::from(colour) + 1.0);
            }
        };
        for _ in 0..self.burn_in * self.colours {
            chain.step(rng);
            note(&mut beginning, chain.word());
        }
        for step in 1..=self.length {
            chain.step(rng);
            note(&mut series, chain.word());
            if step % self.thinning == 0 {
                let differs = chain.word().iter().zip(law.centre()).filter(|(a, b)| a != b);
                counts[differs.count()] += 1;
            }
        }
        let coordinates = beginning
            .into_iter()
            .zip(series)
            .map(|(beginning, series)| self.coordinate(beginning, &series))
            .collect();
        let exact = law.distance_distribution();
        let fit = chi_squared(&counts, &exact);
        ChainDiagnostics {
            look: *self,
            centre: law.centre().to_vec(),
            coordinates,
            exact,
            counts,
            fit,
        }
    }

    fn coordinate(&self, beginning: Vec<f64>, series: &[f64]) -> PegSeries {
        let memory = |series: &[f64]| SeriesMemory {
            values: series.len(),
            autocorrelation: autocorrelation(series, self.lags).unwrap_or_default(),
            ljung_box: ljung_box(series, self.lags),
            effective_size: effective_size(series),
        };
        let all = memory(series);
        PegSeries { beginning, all, thinned: memory(&thinned(series, self.thinning)) }
    }
}

/// What was seen of a chain.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainDiagnostics {
    /// What was asked for.
    pub look: ChainOptions,
    /// The centre of the law.
    pub centre: Code,
    /// The first pegs.
    pub coordinates: Vec<PegSeries>,
    /// The exact probabilities of the distances 0 to n from the centre.
    pub exact: Vec<f64>,
    /// How often the thinned chain was at each distance.
    pub counts: Vec<u64>,
    /// Whether that follows the exact law; the test takes the codes of the thinned chain as
    /// independent, so memory that is left makes it refuse.
    pub fit: Option<ChiSquaredTest>,
}

/// One peg of the chain, its colours as numbers from 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PegSeries {
    /// Its colours during the burn-in.
    pub beginning: Vec<f64>,
    /// All steps after it.
    pub all: SeriesMemory,
    /// Those that thinning leaves.
    pub thinned: SeriesMemory,
}

/// How long a series remembers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeriesMemory {
    /// How many values it has.
    pub values: usize,
    /// The autocorrelations from lag 0 on; none if it never changes.
    pub autocorrelation: Vec<f64>,
    /// Whether they are those of noise.
    pub ljung_box: Option<ChiSquaredTest>,
    /// How many independent draws it is worth.
    pub effective_size: Option<f64>,
}
