//! What a series of numbers says of the chain it comes from: how long it remembers, what it is
//! worth in independent draws, and whether counts follow a law.
//!
//! The autocorrelation at lag k is `Σ (x_t − x̄)(x_{t+k} − x̄) / Σ (x_t − x̄)²`. Ljung and Box
//! (1978) test that the first h of them are those of noise: `Q = N(N+2) Σ r_k²/(N−k)` is χ² with
//! h degrees of freedom. The effective size is `N / (1 + 2 Σ r_k)`, where the sum ends before the
//! first pair of neighbours that is not positive together (Geyer 1992).

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A statistic that is χ² if nothing is the matter.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChiSquaredTest {
    /// Its value.
    pub statistic: f64,
    /// Degrees of freedom.
    pub freedom: usize,
    /// The chance of as much or more if nothing is the matter.
    pub p: f64,
}

impl ChiSquaredTest {
    fn new(statistic: f64, freedom: usize) -> Self {
        let law = ChiSquared::new(freedom.max(1) as f64).expect("at least one degree of freedom");
        ChiSquaredTest { statistic, freedom, p: law.sf(statistic) }
    }
}

/// The autocorrelations at the lags 0 to `lags`, as far as the series goes; `None` if it never
/// changes.
#[must_use]
pub fn autocorrelation(series: &[f64], lags: usize) -> Option<Vec<f64>> {
    let centred = CentredSeries::new(series)?;
    Some((0..=lags.min(series.len() - 1)).map(|lag| centred.at(lag)).collect())
}

/// A series around its mean.
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

    fn at(&self, lag: usize) -> f64 {
        let products = self.values.iter().zip(&self.values[lag..]).map(|(a, b)| a * b);
        products.sum::<f64>() / self.squares
    }
}

/// Whether the first `lags` autocorrelations are those of noise; `None` if the series is not
/// longer than that, or never changes.
#[must_use]
pub fn ljung_box(series: &[f64], lags: usize) -> Option<ChiSquaredTest> {
    if lags == 0 || series.len() <= lags {
        return None;
    }
    let count = series.len() as f64;
    let squares = autocorrelation(series, lags)?;
    let terms = squares.iter().enumerate().skip(1).map(|(k, r)| r * r / (count - k as f64));
    Some(ChiSquaredTest::new(count * (count + 2.0) * terms.sum::<f64>(), lags))
}

/// How many independent draws the mean of the series is worth; `None` if it never changes.
#[must_use]
pub fn effective_size(series: &[f64]) -> Option<f64> {
    let centred = CentredSeries::new(series)?;
    let mut sum = -1.0;
    for lag in (0..series.len() - 1).step_by(2) {
        let pair = centred.at(lag) + centred.at(lag + 1);
        if pair <= 0.0 {
            break;
        }
        sum += 2.0 * pair;
    }
    // A series that swings about its mean can be worth more than its length, but not without end.
    let count = series.len() as f64;
    Some(count / sum.max(1.0 / count.log10().max(1.0)))
}

/// Every `step`-th of the series, the `step`-th first.
#[must_use]
pub fn thinned(series: &[f64], step: usize) -> Vec<f64> {
    series.iter().skip(step.max(1) - 1).step_by(step.max(1)).copied().collect()
}

/// Whether counts follow a law of these probabilities: Pearson's χ², in which cells that expect
/// fewer than 5 are taken together. `None` where there is nothing to compare.
#[must_use]
pub fn chi_squared(counts: &[u64], law: &[f64]) -> Option<ChiSquaredTest> {
    let total = counts.iter().sum::<u64>() as f64;
    let (mut cells, mut rest) = (Vec::new(), (0.0, 0.0));
    for (&count, &p) in counts.iter().zip(law) {
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
    use crate::random::Rng;

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
    fn a_series_that_remembers_is_worth_as_little_as_theory_says() {
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
            // 0.9^100 is nothing: thinned by as much, it is noise.
            assert!(ljung_box(&thinned(&series, 100), 10).unwrap().p > 1e-3);
        }
    }

    #[test]
    fn counts_are_held_against_their_law() {
        // The textbook die: 60 throws, expected 10 each; 25 + 9 + 4 + 4 + 1 + 1 in tenths.
        let test = chi_squared(&[5, 13, 8, 12, 11, 11], &[1.0 / 6.0; 6]).unwrap();
        assert!(close(test.statistic, 4.4) && test.freedom == 5, "{test:?}");
        assert!((test.p - 0.493).abs() < 1e-3, "{test:?}");
        // The last two expect fewer than 5 and are one cell together.
        let test = chi_squared(&[60, 34, 3, 3], &[0.6, 0.32, 0.04, 0.04]).unwrap();
        assert_eq!(test.freedom, 2);
    }

    #[test]
    fn what_never_changes_or_is_too_short_has_no_figures() {
        assert_eq!(autocorrelation(&[2.0; 9], 3), None);
        assert_eq!(effective_size(&[2.0; 9]), None);
        assert_eq!(autocorrelation(&[], 3), None);
        assert_eq!(ljung_box(&[1.0, 2.0], 2), None);
        assert_eq!(chi_squared(&[4], &[1.0]), None);
    }
}
