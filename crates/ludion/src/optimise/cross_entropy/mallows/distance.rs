//! How far a word drawn from the Mallows law is from the centre.
//!
//! There are `C(n,d)·a_d` words of n different symbols out of m that differ from a given one in
//! d places: the d places, and the ways to refill them so that none keeps its symbol,
//! `a_0 = 1, a_1 = m−n, a_d = (m−n+d−1)·a_{d−1} + (d−1)·a_{d−2}`. Each has the weight
//! `e^{−lambda·d}`, and the sum of all is the normaliser, for which there is also the closed form
//! `Z = e^{−lambda·n} Σ_k C(n,k)·(e^lambda − 1)^k·(m−k)!/(m−n)!`. Everything is kept as
//! logarithms: the counts pass any machine number.

/// The law of the distance to the centre.
pub(super) struct DistanceDistribution {
    /// The logarithm of `a_d`, for d from 0 to n.
    fillings: Vec<f64>,
    /// The logarithms of the weights of the distances 0 to n, not yet of sum 1.
    weights: Vec<f64>,
    symbols: usize,
}

impl DistanceDistribution {
    /// For words of `places` symbols out of `symbols`, which are at least as many.
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

    /// The logarithm of the normaliser.
    pub(super) fn log_normaliser(&self) -> f64 {
        let most = self.weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + self.weights.iter().map(|w| (w - most).exp()).sum::<f64>().ln()
    }

    /// The probabilities of the distances 0 to n.
    pub(super) fn law(&self) -> Vec<f64> {
        let normaliser = self.log_normaliser();
        self.weights.iter().map(|w| (w - normaliser).exp()).collect()
    }

    /// The mean distance.
    pub(super) fn mean(&self) -> f64 {
        self.law().iter().enumerate().map(|(d, p)| d as f64 * p).sum()
    }

    /// The chance of a place to have a given symbol: of the centre there, of the centre at
    /// another place, outside the centre.
    ///
    /// Once a place has a symbol from outside, `a_{d−1}` ways are left for the others: its own
    /// symbol has become one from outside for them.
    pub(super) fn expected(&self) -> [f64; 3] {
        let (law, places) = (self.law(), self.fillings.len() - 1);
        let (n, outside) = (places as f64, self.symbols - places);
        let differs = self.mean() / n;
        let each_outside: f64 = (1..=places)
            .filter(|&d| outside > 0 && law[d] > 0.0)
            .map(|d| law[d] * d as f64 / n * (self.fillings[d - 1] - self.fillings[d]).exp())
            .sum();
        let inside = differs - outside as f64 * each_outside;
        let each_inside = if places > 1 { inside / (n - 1.0) } else { 0.0 };
        [1.0 - differs, each_inside, each_outside]
    }
}

/// The logarithms of `a_0` to `a_n`.
fn fillings(places: usize, symbols: usize) -> Vec<f64> {
    let mut logs = vec![0.0, ((symbols - places) as f64).ln()];
    for d in 2..=places {
        let (one, two) = (((symbols - places + d - 1) as f64).ln(), ((d - 1) as f64).ln());
        let (one, two) = (one + logs[d - 1], two + logs[d - 2]);
        let most = one.max(two);
        logs.push(most + ((one - most).exp() + (two - most).exp()).ln());
    }
    logs.truncate(places + 1);
    logs
}

/// The lambda under which words of the given mean distance from the centre are most likely:
/// where the mean of the law is the mean of the words. Never below 0 or above `most`.
pub(super) fn likeliest_lambda(places: usize, symbols: usize, distance: f64, most: f64) -> f64 {
    let mean = |lambda: f64| DistanceDistribution::new(places, symbols, lambda).mean();
    let (mut low, mut high) = (0.0, most);
    if mean(low) <= distance {
        return low;
    }
    if mean(high) >= distance {
        return high;
    }
    // The mean falls as lambda grows; 60 halvings leave nothing between the ends.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if mean(middle) > distance { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All words of `places` different symbols out of `symbols`.
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
        // 2 places out of 4 symbols, neither with its own: 12 words, less 3 and 3, plus 1.
        assert!(close(fillings(2, 4)[2].exp(), 7.0));
    }

    #[test]
    fn the_expected_chances_are_those_of_brute_force() {
        for (places, symbols) in [(1, 1), (1, 4), (2, 2), (3, 5), (4, 4), (5, 7), (7, 7)] {
            for lambda in [0.0, 1.0, 3.0] {
                let [same, inside, outside] =
                    DistanceDistribution::new(places, symbols, lambda).expected();
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
        assert!(close(distances.law().iter().sum(), 1.0));
        // The places that stay are nearly Poisson with the mean n·e^lambda/m.
        let stay = 400.0 - distances.mean();
        assert!((stay - 400.0 * 1_f64.exp() / 500.0).abs() < 0.02, "{stay}");
        let [same, inside, outside] = distances.expected();
        assert!(close(same + 399.0 * inside + 100.0 * outside, 1.0));
    }

    #[test]
    fn the_likeliest_lambda_is_the_one_words_were_drawn_with() {
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
