//! Diagnostics of a Markov chain from a series of its values: autocorrelation, effective sample
//! size, and χ² tests of independence and of goodness of fit.
//!
//! The autocorrelation at lag k is `Σ (x_t − x̄)(x_{t+k} − x̄) / Σ (x_t − x̄)²`. The test of Ljung
//! and Box (1978) has the null hypothesis that the series is independent: then `Q = N(N+2) Σ
//! r_k²/(N−k)` over the first h lags is χ² distributed with h degrees of freedom. The effective
//! sample size is `N / (1 + 2 Σ r_k)`, where the sum stops before the first pair of consecutive
//! autocorrelations whose sum is not positive (Geyer 1992).

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Result of a test whose statistic is χ² distributed under the null hypothesis.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChiSquaredTest {
    /// Value of the test statistic.
    pub statistic: f64,
    /// Number of degrees of freedom.
    pub freedom: usize,
    /// p-value: the probability of a statistic at least this large under the null hypothesis.
    pub p: f64,
}

impl ChiSquaredTest {
    fn new(statistic: f64, freedom: usize) -> Self {
        let distribution =
            ChiSquared::new(freedom.max(1) as f64).expect("at least one degree of freedom");
        ChiSquaredTest { statistic, freedom, p: distribution.sf(statistic) }
    }
}

/// Returns the autocorrelations at lags 0 to `lags`, or fewer if the series is shorter.
///
/// Returns `None` if the series is empty or constant.
#[must_use]
pub fn autocorrelation(series: &[f64], lags: usize) -> Option<Vec<f64>> {
    let centred = CentredSeries::new(series)?;
    Some((0..=lags.min(series.len() - 1)).map(|lag| centred.autocorrelation(lag)).collect())
}

/// A series with its mean subtracted.
struct CentredSeries {
    values: Vec<f64>,
    squares: f64,
}

impl CentredSeries {
    fn new(series: &[f64]) -> Option<Self> {
        let mean = series.iter().sum::<f64>() / series.len() as f64;
        let values: Vec<f64> = series.iter().map(|x| x - mean).collect();
        let squares = values.iter().map(|x| x * x).sum::<f64>();
        (squares > 0.0).then_some(CentredSeries { values, squares })
    }

    fn autocorrelation(&self, lag: usize) -> f64 {
        let products = self.values.iter().zip(&self.values[lag..]).map(|(a, b)| a * b);
        products.sum::<f64>() / self.squares
    }
}

/// Tests whether the first `lags` autocorrelations are those of independent values (Ljung and Box).
///
/// Returns `None` if the series has at most `lags` values or is constant.
#[must_use]
pub fn ljung_box(series: &[f64], lags: usize) -> Option<ChiSquaredTest> {
    if lags == 0 || series.len() <= lags {
        return None;
    }
    let count = series.len() as f64;
    let correlations = autocorrelation(series, lags)?;
    let terms = correlations.iter().enumerate().skip(1).map(|(k, r)| r * r / (count - k as f64));
    Some(ChiSquaredTest::new(count * (count + 2.0) * terms.sum::<f64>(), lags))
}

/// Returns the effective sample size: the number of independent draws whose mean would vary as much
/// as the mean of this series.
///
/// Returns `None` if the series is empty or constant.
#[must_use]
pub fn effective_size(series: &[f64]) -> Option<f64> {
    let centred = CentredSeries::new(series)?;
    let mut sum = -1.0;
    for lag in (0..series.len() - 1).step_by(2) {
        let pair = centred.autocorrelation(lag) + centred.autocorrelation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        sum += 2.0 * pair;
    }
    // Negative correlation can make the effective size exceed the length of the series, but only up
    // to a factor of log10(N).
    let count = series.len() as f64;
    Some(count / sum.max(1.0 / count.log10().max(1.0)))
}

/// Returns every `step`-th value of the series, starting with the `step`-th.
#[must_use]
pub fn thinned(series: &[f64], step: usize) -> Vec<f64> {
    series.iter().skip(step.max(1) - 1).step_by(step.max(1)).copied().collect()
}

/// Tests whether counts follow a distribution with these probabilities (Pearson's χ²).
///
/// Cells with an expected count below 5 are merged into one. Returns `None` if fewer than two cells
/// remain.
#[must_use]
pub fn chi_squared(counts: &[u64], probabilities: &[f64]) -> Option<ChiSquaredTest> {
    let total = counts.iter().sum::<u64>() as f64;
    let (mut cells, mut rest) = (Vec::new(), (0.0, 0.0));
    for (&count, &p) in counts.iter().zip(probabilities) {
        let (count, expected) = (count as f64, total * p);
        if expected < 5.0 {
            rest = (rest.0 + count, rest.1 + expected);
        } else {
            cells.push((count, expected));
        }
    }
    if rest.1 >= 5.0 {
        cells.push(rest);
    }
    let statistic = cells.iter().map(|(count, mean)| (count - mean).powi(2) / mean).sum();
    (cells.len() > 1).then(|| ChiSquaredTest::new(statistic, cells.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::random::Rng;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_short_series_is_as_computed_by_hand() {
        // Around the mean 3: −2, −1, 0, 1, 2; squares 10; lag 1: 2+0+0+2 = 4; lag 2: 0−1+0 = −1.
        let series = [1.0, 2.0, 3.0, 4.0, 5.0];
        let r = autocorrelation(&series, 2).unwrap();
        assert!(close(r[0], 1.0) && close(r[1], 0.4) && close(r[2], -0.1), "{r:?}");
        // 5·7·(0.16/4 + 0.01/3), and e^{−Q/2} is the chance beyond Q with two degrees of freedom.
        let test = ljung_box(&series, 2).unwrap();
        assert!(close(test.statistic, 35.0 * (0.04 + 0.01 / 3.0)), "{test:?}");
        assert!(close(test.p, (-test.statistic / 2.0).exp()) && test.freedom == 2);
        assert_eq!(thinned(&series, 2), [2.0, 4.0]);
    }

    #[test]
    fn the_effective_size_of_an_autoregressive_series_is_the_theoretical_one() {
        // x ← φx + noise has r_k = φ^k, and N(1−φ)/(1+φ) is its effective size.
        let (mut rng, mut x) = (Rng::new(4), 0.0);
        for phi in [0.0, 0.5, 0.9] {
            let mut next = || {
                let noise: f64 = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
                x = phi * x + noise;
                x
            };
            let series: Vec<f64> = (0..100_000).map(|_| next()).collect();
            let r = autocorrelation(&series, 5).unwrap();
            assert!(r.iter().enumerate().all(|(k, r)| (r - phi.powi(k as i32)).abs() < 0.02));
            let expected = 1e5 * (1.0 - phi) / (1.0 + phi);
            let size = effective_size(&series).unwrap();
            assert!((size / expected - 1.0).abs() < 0.1, "{phi}: {size} for {expected}");
            let p = ljung_box(&series, 10).unwrap().p;
            assert!(if phi == 0.0 { p > 1e-3 } else { p < 1e-12 }, "{phi}: {p}");
            // 0.9^100 is negligible: thinned by 100, the series is independent.
            assert!(ljung_box(&thinned(&series, 100), 10).unwrap().p > 1e-3);
        }
    }

    #[test]
    fn counts_are_compared_with_their_expected_values() {
        // The textbook die: 60 throws, expected 10 each; 25 + 9 + 4 + 4 + 1 + 1 in tenths.
        let test = chi_squared(&[5, 13, 8, 12, 11, 11], &[1.0 / 6.0; 6]).unwrap();
        assert!(close(test.statistic, 4.4) && test.freedom == 5, "{test:?}");
        assert!((test.p - 0.493).abs() < 1e-3, "{test:?}");
        // The last two cells expect fewer than 5 and are merged.
        let test = chi_squared(&[60, 34, 3, 3], &[0.6, 0.32, 0.04, 0.04]).unwrap();
        assert_eq!(test.freedom, 2);
    }

    #[test]
    fn constant_and_short_series_have_no_diagnostics() {
        assert_eq!(autocorrelation(&[2.0; 9], 3), None);
        assert_eq!(effective_size(&[2.0; 9]), None);
        assert_eq!(autocorrelation(&[], 3), None);
        assert_eq!(ljung_box(&[1.0, 2.0], 2), None);
        assert_eq!(chi_squared(&[4], &[1.0]), None);
    }
}
