//! Tests of the samplers against the exact distribution, and of the updates of centre and lambda.

use super::*;
use crate::diagnostics::chi_squared;

const SIZES: [(usize, usize); 5] = [(2, 2), (4, 4), (4, 9), (10, 10), (10, 20)];

fn distribution(
    places: usize,
    symbols: usize,
    lambda: f64,
    sampler: MallowsSampling,
) -> MallowsDistribution {
    let lambda = LambdaUpdate::Constant(lambda);
    let options = MallowsOptions { sampler, lambda, ..MallowsOptions::default() };
    MallowsDistribution::new(places, symbols, options, 5).unwrap()
}

fn distance(a: &[u16], b: &[u16]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

fn check_distances(sampler: MallowsSampling, count: usize) {
    for (places, symbols) in SIZES {
        for lambda in [0.3, 1.0, 2.0] {
            let distribution = distribution(places, symbols, lambda, sampler);
            let mut counts = vec![0; places + 1];
            for word in distribution.draw(count, &mut Rng::new(12)) {
                counts[distance(&word, distribution.centre())] += 1;
            }
            let test = chi_squared(&counts, &distribution.distance_distribution()).unwrap();
            assert!(test.p > 1e-3, "{places} of {symbols}, {lambda}: {counts:?} {test:?}");
        }
    }
}

#[test]
fn the_exact_sampler_has_the_exact_distribution_of_distances() {
    check_distances(MallowsSampling::Exact, 20_000);
}

#[test]
fn the_chain_converges_to_the_exact_distribution_of_distances() {
    check_distances(MallowsSampling::Chain { burn_in: 250, thinning: 80 }, 4_000);
}

#[test]
fn words_at_one_distance_are_equally_likely() {
    let distribution = distribution(3, 5, 1.0, MallowsSampling::Exact);
    let mut counts = std::collections::HashMap::new();
    for word in distribution.draw(60_000, &mut Rng::new(4)) {
        *counts.entry(word).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 60, "all words of 3 out of 5");
    let normaliser = distribution.distances().log_normaliser();
    let chance = |w: &Vec<u16>| (-(distance(w, distribution.centre()) as f64) - normaliser).exp();
    let (seen, chances): (Vec<u64>, Vec<f64>) =
        counts.iter().map(|(word, count)| (*count, chance(word))).unzip();
    assert!(chi_squared(&seen, &chances).unwrap().p > 1e-3);
}

#[test]
fn lambda_is_recovered_from_words_drawn_with_it() {
    for (places, symbols) in [(6, 6), (10, 20), (4, 40)] {
        let lambda = LambdaUpdate::Likelihood { start: 2.0, max: 20.0 };
        let options = MallowsOptions { lambda, ..MallowsOptions::default() };
        let mut distribution = MallowsDistribution::new(places, symbols, options, 3).unwrap();
        distribution.set_trial_score(1.0);
        let centre = distribution.centre().to_vec();
        let words = distribution.draw(20_000, &mut Rng::new(9));
        let elite: Vec<_> =
            words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
        // If the whole sample is the elite, frequencies minus probabilities are noise; no other
        // word scores better, so the centre stays.
        distribution.fit(&elite, 1.0);
        distribution.set_trial_score(0.0);
        assert_eq!(distribution.centre(), centre);
        assert!(
            (distribution.lambda() - 2.0).abs() < 0.05,
            "{places} of {symbols}: {}",
            distribution.lambda()
        );
    }
}

#[test]
fn the_frequencies_of_drawn_words_recover_their_centre() {
    let (start, hidden) = (vec![0, 1, 2, 3, 4], vec![7, 3, 0, 5, 2]);
    let options = MallowsOptions { update: CentreUpdate::Shares, ..MallowsOptions::default() };
    let lambda = MallowsOptions { lambda: LambdaUpdate::Constant(3.0), ..options };
    let hidden_distribution = MallowsDistribution::around(hidden.clone(), 8, lambda).unwrap();
    let words = hidden_distribution.draw(400, &mut Rng::new(1));
    let elite: Vec<_> = words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
    let mut distribution = MallowsDistribution::around(start.clone(), 8, options).unwrap();
    assert_eq!(distribution.trial(), Some(start.clone()), "the first centre is scored first");
    distribution.set_trial_score(0.5);
    distribution.fit(&elite, 1.0);
    assert_eq!(distribution.trial(), Some(hidden.clone()));
    let mut stays = distribution.clone();
    stays.set_trial_score(0.5);
    assert_eq!((stays.centre(), stays.centre_score()), (&start[..], Some(0.5)));
    distribution.set_trial_score(0.6);
    assert_eq!((distribution.centre(), distribution.centre_score()), (&hidden[..], Some(0.6)));
}

#[test]
fn the_excess_of_a_whole_sample_is_zero() {
    let distribution = distribution(4, 6, 1.0, MallowsSampling::Exact);
    let words = distribution.draw(200_000, &mut Rng::new(21));
    let elite: Vec<_> = words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
    let excess = distribution.excess(frequencies([6; 4], &elite));
    assert!(excess.iter().flatten().all(|x| x.abs() < 0.005), "{excess:?}");
}

#[test]
fn a_growing_lambda_grows_by_its_step() {
    let lambda = LambdaUpdate::Growing { start: 0.5, step: 0.25 };
    let options = MallowsOptions { lambda, ..MallowsOptions::default() };
    let mut distribution = MallowsDistribution::new(4, 4, options, 1).unwrap();
    distribution.set_trial_score(0.0);
    for lambda in [0.5, 0.75, 1.0] {
        assert_eq!(distribution.lambda(), lambda);
        let words = distribution.draw(10, &mut Rng::new(2));
        distribution.fit(&[EliteCandidate { sample: &words[0], weight: 1.0 }], 0.1);
        distribution.set_trial_score(0.0);
    }
}

#[test]
fn invalid_distributions_are_refused() {
    let good = MallowsOptions::default();
    assert!(MallowsDistribution::new(5, 4, good, 1).is_err());
    assert!(MallowsDistribution::new(0, 4, good, 1).is_err());
    assert!(MallowsDistribution::around(vec![1, 1], 4, good).is_err());
    assert!(MallowsDistribution::around(vec![1, 4], 4, good).is_err());
    let negative = MallowsOptions { lambda: LambdaUpdate::Constant(-1.0), ..good };
    let error = MallowsDistribution::new(4, 4, negative, 1).unwrap_err();
    assert_eq!(error.to_string(), "lambda is -1; allowed is 0 to 100");
    let sampler = MallowsSampling::Chain { burn_in: 0, thinning: 0 };
    assert!(MallowsDistribution::new(4, 4, MallowsOptions { sampler, ..good }, 1).is_err());
}
