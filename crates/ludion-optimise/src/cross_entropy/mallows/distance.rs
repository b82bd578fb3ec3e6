//! The distribution of the distance between the centre and a word drawn from the Mallows
//! distribution.
//!
//! `C(n,d)·a_d` words of n distinct symbols out of m differ from a given one in exactly d places:
//! the choices of the places, times the ways to refill them so that none keeps its symbol, `a_0 =
//! 1, a_1 = m−n, a_d = (m−n+d−1)·a_{d−1} + (d−1)·a_{d−2}`. Each word has the weight
//! `e^{−lambda·d}`. The sum of all weights is the normaliser, for which there is also the closed
//! form `Z = e^{−lambda·n} Σ_k C(n,k)·(e^lambda − 1)^k·(m−k)!/(m−n)!`. All quantities are kept as
//! logarithms, because the counts overflow floating-point numbers.

/// Distribution of the Hamming distance between the centre of a Mallows distribution and the words
/// (sequences of distinct symbols) drawn from it.
pub(super) struct DistanceDistribution {
    /// Logarithms of `a_0` to `a_n`, where `a_d` is the number of ways to put new symbols at d
    /// given places of a word so that none of them keeps its symbol.
    fillings: Vec<f64>,
    /// Logarithms of the unnormalised weights of the distances 0 to n, for words of n symbols.
    weights: Vec<f64>,
    symbols: usize,
}

impl DistanceDistribution {
    /// Computes the distribution for words of `places` distinct symbols out of `symbols`; `places`
    /// is at most `symbols`.
    pub(super) fn new(places: usize, symbols: usize, lambda: f64) -> Self {
        let fillings = fillings(places, symbols);
        let mut choices = 0.0;
        let mut weights = Vec::with_capacity(places + 1);
        for (d, filling) in fillings.iter().enumerate() {
            weights.push(choices + filling - lambda * d as f64);
            choices += ((places - d) as f64).ln() - ((d + 1) as f64).ln();
        }
        DistanceDistribution { fillings, weights, symbols }
    }

    /// Returns the logarithm of the normaliser, which is the sum of the weights of all words.
    pub(super) fn log_normaliser(&self) -> f64 {
        let max = self.weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        max + self.weights.iter().map(|w| (w - max).exp()).sum::<f64>().ln()
    }

    /// Returns the probabilities of the distances 0 to n, for words of n symbols.
    pub(super) fn probabilities(&self) -> Vec<f64> {
        let normaliser = self.log_normaliser();
        self.weights.iter().map(|w| (w - normaliser).exp()).collect()
    }

    /// Returns the mean distance between the centre and a drawn word.
    pub(super) fn mean(&self) -> f64 {
        self.probabilities().iter().enumerate().map(|(d, p)| d as f64 * p).sum()
    }

    /// Returns three probabilities for one place of a drawn word: that it holds the centre's symbol
    /// at this place, that it holds a given symbol from another place of the centre, and that it
    /// holds a given symbol outside the centre.
    ///
    /// Once a place holds a symbol from outside the centre, there are `a_{d−1}` ways to fill the
    /// other places, because the symbol that it lost now counts as one from outside for them.
    pub(super) fn symbol_probabilities(&self) -> [f64; 3] {
        let (distances, places) = (self.probabilities(), self.fillings.len() - 1);
        let (n, outside) = (places as f64, self.symbols - places);
        let differs = self.mean() / n;
        let each_outside: f64 = (1..=places)
            .filter(|&d| outside > 0 && distances[d] > 0.0)
            .map(|d| distances[d] * d as f64 / n * (self.fillings[d - 1] - self.fillings[d]).exp())
            .sum();
        let inside = differs - outside as f64 * each_outside;
        let each_inside = if places > 1 { inside / (n - 1.0) } else { 0.0 };
        [1.0 - differs, each_inside, each_outside]
    }
}

/// Returns the logarithms of `a_0` to `a_n`, where `a_d` is the number of ways to put new symbols
/// at d given places of a word so that none of them keeps its symbol.
fn fillings(places: usize, symbols: usize) -> Vec<f64> {
    let mut logs = vec![0.0, ((symbols - places) as f64).ln()];
    for d in 2..=places {
        let (one, two) = (((symbols - places + d - 1) as f64).ln(), ((d - 1) as f64).ln());
        let (one, two) = (one + logs[d - 1], two + logs[d - 2]);
        let max = one.max(two);
        logs.push(max + ((one - max).exp() + (two - max).exp()).ln());
    }
    logs.truncate(places + 1);
    logs
}

/// Returns the maximum likelihood lambda, from 0 to `max`, for words with this mean distance to the
/// centre: the lambda at which the distribution has the same mean.
pub(super) fn likeliest_lambda(places: usize, symbols: usize, distance: f64, max: f64) -> f64 {
    let mean = |lambda: f64| DistanceDistribution::new(places, symbols, lambda).mean();
    let (mut low, mut high) = (0.0, max);
    if mean(low) <= distance {
        return low;
    }
    if mean(high) >= distance {
        return high;
    }
    // The mean decreases in lambda; 60 bisections exhaust the precision.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if mean(middle) > distance { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all words of `places` different symbols out of `symbols`.
    fn all_words(places: usize, symbols: usize) -> Vec<Vec<u16>> {
        let mut words = vec![Vec::new()];
        for _ in 0..places {
            words = words
                .iter()
                .flat_map(|word: &Vec<u16>| {
                    let unused = (0..symbols as u16).filter(|symbol| !word.contains(symbol));
                    unused.map(|symbol| [&word[..], &[symbol]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        words
    }

    fn distance_to_identity(word: &[u16]) -> usize {
        word.iter().enumerate().filter(|(i, symbol)| *i != usize::from(**symbol)).count()
    }

    fn factorial(n: usize) -> f64 {
        (1..=n).map(|k| k as f64).product()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-10 * (1.0 + a.abs().max(b.abs()))
    }

    #[test]
    fn the_normaliser_is_that_of_brute_force_and_of_the_closed_form() {
        for symbols in 1..=7 {
            for places in 1..=symbols {
                let words = all_words(places, symbols);
                for lambda in [0.0, 0.3, 1.0, 2.5] {
                    let weight = |w: &Vec<u16>| (-lambda * distance_to_identity(w) as f64).exp();
                    let brute: f64 = words.iter().map(weight).sum();
                    let choose = |k| factorial(places) / factorial(k) / factorial(places - k);
                    let term = |k: usize| {
                        choose(k) * (lambda.exp() - 1.0).powi(k as i32) * factorial(symbols - k)
                            / factorial(symbols - places)
                    };
                    let closed =
                        (-lambda * places as f64).exp() * (0..=places).map(term).sum::<f64>();
                    let distances = DistanceDistribution::new(places, symbols, lambda);
                    let ours = distances.log_normaliser().exp();
                    assert!(close(brute, closed), "{places} of {symbols}: {brute}, {closed}");
                    assert!(close(brute, ours), "{places} of {symbols}: {brute}, {ours}");
                }
            }
        }
    }

    #[test]
    fn counts_of_words_at_a_distance_are_the_known_ones() {
        // Permutations without a fixed point.
        let derangements: Vec<f64> = fillings(6, 6).iter().map(|log| log.exp()).collect();
        for (ours, known) in derangements.iter().zip([1.0, 0.0, 1.0, 2.0, 9.0, 44.0, 265.0]) {
            assert!(close(*ours, known), "{derangements:?}");
        }
        // 2 places out of 4 symbols, neither with its own symbol: of all 12 words, 3 keep the first
        // symbol, 3 the second, and 1 both.
        assert!(close(fillings(2, 4)[2].exp(), 7.0));
    }

    #[test]
    fn the_symbol_probabilities_are_those_of_brute_force() {
        for (places, symbols) in [(1, 1), (1, 4), (2, 2), (3, 5), (4, 4), (5, 7), (7, 7)] {
            for lambda in [0.0, 1.0, 3.0] {
                let [same, inside, outside] =
                    DistanceDistribution::new(places, symbols, lambda).symbol_probabilities();
                let (mut total, mut first) = (0.0, vec![0.0; symbols]);
                for word in all_words(places, symbols) {
                    let weight = (-lambda * distance_to_identity(&word) as f64).exp();
                    total += weight;
                    first[usize::from(word[0])] += weight;
                }
                for (symbol, weight) in first.iter().enumerate() {
                    let ours = match symbol {
                        0 => same,
                        s if s < places => inside,
                        _ => outside,
                    };
                    assert!(close(ours, weight / total), "{places} of {symbols}, {symbol}");
                }
            }
        }
    }

    #[test]
    fn large_words_do_not_overflow() {
        let distances = DistanceDistribution::new(400, 500, 1.0);
        assert!(close(distances.probabilities().iter().sum(), 1.0));
        // The number of unchanged places is nearly Poisson with mean n·e^lambda/m.
        let unchanged = 400.0 - distances.mean();
        assert!((unchanged - 400.0 * 1_f64.exp() / 500.0).abs() < 0.02, "{unchanged}");
        let [same, inside, outside] = distances.symbol_probabilities();
        assert!(close(same + 399.0 * inside + 100.0 * outside, 1.0));
    }

    #[test]
    fn the_likeliest_lambda_recovers_the_lambda_of_the_mean_distance() {
        for (places, symbols) in [(4, 4), (4, 40), (10, 20), (40, 40)] {
            for lambda in [0.5, 1.0, 3.0] {
                let mean = DistanceDistribution::new(places, symbols, lambda).mean();
                let found = likeliest_lambda(places, symbols, mean, 20.0);
                assert!((found - lambda).abs() < 1e-6, "{places} of {symbols}: {found}");
            }
            assert_eq!(likeliest_lambda(places, symbols, 0.0, 20.0), 20.0);
            assert_eq!(likeliest_lambda(places, symbols, places as f64, 20.0), 0.0);
        }
    }
}
