//! Diagnostics of the Metropolis-Hastings chain of the Mallows distribution: the time series of the
//! colours of the first pegs, their autocorrelation, and a test of the distances to the centre
//! against the exact distribution.

use serde::{Deserialize, Serialize};

use super::super::{Code, MAX_SIZE, Mastermind};
use super::settings::ExperimentSettingsError;
use ludion_core::random::{Rng, derive_seed};
use ludion_optimise::SetupError;
use ludion_optimise::cross_entropy::mallows::{
    LambdaUpdate, MallowsDistribution, MallowsOptions, MallowsSampling,
};
use ludion_optimise::diagnostics::{
    ChiSquaredTest, autocorrelation, chi_squared, effective_size, ljung_box, thinned,
};

/// Settings of a Metropolis-Hastings chain of codes and of its diagnostics.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainOptions {
    /// Number of pegs of a code.
    pub pegs: usize,
    /// Number of colours.
    pub colours: usize,
    /// Spread parameter of the Mallows distribution: the larger, the closer codes are to the
    /// centre.
    pub lambda: f64,
    /// Number of steps discarded at the start, divided by the number of colours.
    pub burn_in: usize,
    /// Number of steps from one code of the thinned chain to the next.
    pub thinning: usize,
    /// Number of steps after the burn-in.
    pub length: usize,
    /// Number of lags of the autocorrelations and of their test.
    pub lags: usize,
    /// Number of pegs to diagnose, starting with the first.
    pub coordinates: usize,
}

/// Maximum number of steps of a chain after the burn-in, and maximum number in the burn-in.
const MAX_STEPS: usize = 100_000_000;
/// Number of steps of a chain between two reports of progress.
const STEPS_PER_REPORT: usize = 1 << 16;

/// Minimum number of steps after the burn-in whose colours are kept.
const MIN_SHOWN_AFTER: usize = 100;

impl ChainOptions {
    /// Returns the settings of the experiment by ARKEnsae (*Mastermind_Simulation*): lambda 1, a
    /// burn-in of 250 steps per colour, a thinning of 80, diagnostics of four pegs.
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

    /// Runs the chain around a random centre and computes its diagnostics.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub fn diagnose(&self, seed: u64) -> Result<ChainDiagnostics, ExperimentSettingsError> {
        self.diagnose_with_progress(seed, &mut |_, _| ())
    }

    /// Computes the diagnostics and calls `on_steps` now and then with the number of steps so far
    /// and the number of all steps.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub fn diagnose_with_progress(
        &self,
        seed: u64,
        on_steps: &mut dyn FnMut(u64, u64),
    ) -> Result<ChainDiagnostics, ExperimentSettingsError> {
        Mastermind::new(self.pegs, self.colours, false)?;
        let burn_in = (MAX_STEPS / self.colours).min(1_000_000);
        for (name, value, range, allowed) in [
            ("length", self.length, 1..=MAX_STEPS, "1 to 100000000"),
            ("burn-in", self.burn_in, 0..=burn_in, "0 to 1000000, and 100000000 steps in all"),
            ("lags", self.lags, 1..=10_000, "1 to 10000"),
            ("coordinates", self.coordinates, 1..=MAX_SIZE, "1 to 256"),
        ] {
            if !range.contains(&value) {
                let value = value.to_string();
                return Err(SetupError::Setting { name, value, allowed }.into());
            }
        }
        let sampler = MallowsSampling::Chain { burn_in: self.burn_in, thinning: self.thinning };
        let lambda = LambdaUpdate::Constant(self.lambda);
        let options = MallowsOptions { sampler, lambda, ..MallowsOptions::default() };
        let distribution =
            MallowsDistribution::new(self.pegs, self.colours, options, derive_seed(seed, &[0]))?;
        Ok(self.run_chain(&distribution, &mut Rng::new(derive_seed(seed, &[1])), on_steps))
    }

    /// Runs the chain, collects the colours of the first pegs and the counts of the distances to
    /// the centre, and computes the diagnostics.
    fn run_chain(
        &self,
        distribution: &MallowsDistribution,
        rng: &mut Rng,
        on_steps: &mut dyn FnMut(u64, u64),
    ) -> ChainDiagnostics {
        let burn_in = self.burn_in * self.colours;
        let mut count_step = |step: usize| {
            if step.is_multiple_of(STEPS_PER_REPORT) {
                on_steps(step as u64, (burn_in + self.length) as u64);
            }
        };
        let mut chain = distribution.chain(rng);
        let mut beginning = vec![Vec::new(); self.coordinates.min(self.pegs)];
        let mut series = beginning.clone();
        let mut counts = vec![0; self.pegs + 1];
        let record = |series: &mut [Vec<f64>], word: &[u16]| {
            for (series, &colour) in series.iter_mut().zip(word) {
                series.push(f64::from(colour) + 1.0);
            }
        };
        let start = chain.word().to_vec();
        for step in 1..=burn_in {
            count_step(step);
            chain.step(rng);
            record(&mut beginning, chain.word());
        }
        for step in 1..=self.length {
            count_step(burn_in + step);
            chain.step(rng);
            record(&mut series, chain.word());
            if step % self.thinning == 0 {
                let differs =
                    chain.word().iter().zip(distribution.centre()).filter(|(a, b)| a != b);
                counts[differs.count()] += 1;
            }
        }
        let coordinates = beginning
            .into_iter()
            .zip(series)
            .zip(start)
            .map(|((beginning, series), start)| PegColourSeries {
                start: Some(f64::from(start) + 1.0),
                ..self.coordinate(beginning, &series)
            })
            .collect();
        let exact = distribution.distance_distribution();
        let fit = chi_squared(&counts, &exact);
        ChainDiagnostics {
            options: *self,
            centre: distribution.centre().to_vec(),
            coordinates,
            exact,
            counts,
            fit,
        }
    }

    /// Computes the diagnostics of one peg from its colours during the burn-in and after it.
    fn coordinate(&self, beginning: Vec<f64>, series: &[f64]) -> PegColourSeries {
        let diagnostics = |series: &[f64]| SeriesDiagnostics {
            values: series.len(),
            autocorrelation: autocorrelation(series, self.lags).unwrap_or_default(),
            ljung_box: ljung_box(series, self.lags),
            effective_size: effective_size(series),
        };
        let all = diagnostics(series);
        let thinned = diagnostics(&thinned(series, self.thinning));
        let shown = (beginning.len() / 4).max(MIN_SHOWN_AFTER).min(series.len());
        PegColourSeries { start: None, beginning, after: series[..shown].to_vec(), all, thinned }
    }
}

/// Diagnostics of one run of a Metropolis-Hastings chain of codes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainDiagnostics {
    /// Settings of the chain.
    #[serde(rename = "look")]
    pub options: ChainOptions,
    /// Centre of the Mallows distribution.
    pub centre: Code,
    /// Diagnostics of the pegs 1 to [`ChainOptions::coordinates`], one entry for each peg. The
    /// other pegs are left out, because every peg behaves alike and each one takes space in the
    /// report.
    pub coordinates: Vec<PegColourSeries>,
    /// Exact probabilities of the distances 0 to n from the centre, for codes of n pegs.
    pub exact: Vec<f64>,
    /// Number of codes of the thinned chain at each distance from the centre, from 0.
    pub counts: Vec<u64>,
    /// Test of whether the counts follow the exact probabilities; `None` if there are too few
    /// codes.
    ///
    /// The test assumes that the codes of the thinned chain are independent, so remaining
    /// autocorrelation makes it reject.
    pub fit: Option<ChiSquaredTest>,
}

/// The colours of one peg along the chain, as numbers from 1, and their diagnostics.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PegColourSeries {
    /// Colour of the peg at step 0, before the first change.
    #[serde(default)]
    pub start: Option<f64>,
    /// Colours of the peg from step 1 to the end of the burn-in.
    pub beginning: Vec<f64>,
    /// Colours of the peg at the first steps after the burn-in, a quarter as many as in the burn-in.
    #[serde(default)]
    pub after: Vec<f64>,
    /// Diagnostics of the peg's colours at all steps after the burn-in.
    pub all: SeriesDiagnostics,
    /// Diagnostics of the peg's colours in the thinned chain after the burn-in.
    pub thinned: SeriesDiagnostics,
}

/// Autocorrelation and effective sample size of a time series.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeriesDiagnostics {
    /// Number of values in the series.
    pub values: usize,
    /// Autocorrelations from lag 0 on; empty if the series is constant.
    pub autocorrelation: Vec<f64>,
    /// Ljung-Box test of independence; `None` if the series is too short or constant.
    pub ljung_box: Option<ChiSquaredTest>,
    /// Effective sample size; `None` if the series is empty or constant.
    pub effective_size: Option<f64>,
}
