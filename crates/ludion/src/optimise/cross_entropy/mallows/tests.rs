//! The samplers against the exact law, and how the centre and lambda move.

use super::*;
use crate::optimise::diagnostics::chi_squared;

const CELLS: [(usize, usize); 5] = [(2, 2), (4, 4), (4, 9), (10, 10), (10, 20)];

fn law(
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

fn distances_follow_the_law(sampler: MallowsSampling, count: usize) {
    for (places, symbols) in CELLS {
        for lambda in [0.3, 1.0, 2.0] {
            let law = law(places, symbols, lambda, sampler);
            let mut counts = vec![0; places + 1];
            for word in law.draw(count, &mut Rng::new(12)) {
                counts[distance(&word, law.centre())] += 1;
            }
            let test = chi_squared(&counts, &law.distance_law()).unwrap();
            assert!(test.p > 1e-3, "{places} of {symbols}, {lambda}: {counts:?} {test:?}");
        }
    }
}

#[test]
fn the_exact_sampler_has_the_exact_law_of_distances() {
    distances_follow_the_law(MallowsSampling::Exact, 20_000);
}

#[test]
fn the_chain_comes_to_the_exact_law_of_distances() {
    distances_follow_the_law(MallowsSampling::Chain { burn_in: 250, thinning: 80 }, 4_000);
}

#[test]
fn words_at_one_distance_are_equally_likely() {
    let law = law(3, 5, 1.0, MallowsSampling::Exact);
    let mut counts = std::collections::HashMap::new();
    for word in law.draw(60_000, &mut Rng::new(4)) {
        *counts.entry(word).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 60, "all words of 3 out of 5");
    let normaliser = law.distances().log_normaliser();
    let chance = |w: &Vec<u16>| (-(distance(w, law.centre()) as f64) - normaliser).exp();
    let (seen, chances): (Vec<u64>, Vec<f64>) =
        counts.iter().map(|(word, count)| (*count, chance(word))).unzip();
    assert!(chi_squared(&seen, &chances).unwrap().p > 1e-3);
}

#[test]
fn lambda_is_recovered_from_words_drawn_with_it() {
    for (places, symbols) in [(6, 6), (10, 20), (4, 40)] {
        let lambda = LambdaUpdate::Likelihood { start: 2.0, most: 20.0 };
        let options = MallowsOptions { lambda, ..MallowsOptions::default() };
        let mut law = MallowsDistribution::new(places, symbols, options, 3).unwrap();
        law.judge(1.0);
        let centre = law.centre().to_vec();
        let words = law.draw(20_000, &mut Rng::new(9));
        let elite: Vec<_> =
            words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
        // The excess of the law over itself is noise; the centre stays because nothing is better.
        law.fit(&elite, 1.0);
        law.judge(0.0);
        assert_eq!(law.centre(), centre);
        assert!((law.lambda() - 2.0).abs() < 0.05, "{places} of {symbols}: {}", law.lambda());
    }
}

#[test]
fn the_shares_of_words_drawn_lead_back_to_their_centre() {
    let (start, hidden) = (vec![0, 1, 2, 3, 4], vec![7, 3, 0, 5, 2]);
    let options = MallowsOptions { update: CentreUpdate::Shares, ..MallowsOptions::default() };
    let lambda = MallowsOptions { lambda: LambdaUpdate::Constant(3.0), ..options };
    let hidden_law = MallowsDistribution::around(hidden.clone(), 8, lambda).unwrap();
    let words = hidden_law.draw(400, &mut Rng::new(1));
    let elite: Vec<_> = words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
    let mut law = MallowsDistribution::around(start.clone(), 8, options).unwrap();
    assert_eq!(law.trial(), Some(start.clone()), "the first centre is scored first");
    law.judge(0.5);
    law.fit(&elite, 1.0);
    assert_eq!(law.trial(), Some(hidden.clone()));
    let mut stays = law.clone();
    stays.judge(0.5);
    assert_eq!((stays.centre(), stays.centre_score()), (&start[..], Some(0.5)));
    law.judge(0.6);
    assert_eq!((law.centre(), law.centre_score()), (&hidden[..], Some(0.6)));
}

#[test]
fn the_excess_of_a_whole_sample_is_nothing() {
    let law = law(4, 6, 1.0, MallowsSampling::Exact);
    let words = law.draw(200_000, &mut Rng::new(21));
    let elite: Vec<_> = words.iter().map(|sample| EliteCandidate { sample, weight: 1.0 }).collect();
    let excess = law.excess(shares([6; 4], &elite));
    assert!(excess.iter().flatten().all(|x| x.abs() < 0.005), "{excess:?}");
}

#[test]
fn a_growing_lambda_grows_by_its_step() {
    let lambda = LambdaUpdate::Growing { start: 0.5, step: 0.25 };
    let options = MallowsOptions { lambda, ..MallowsOptions::default() };
    let mut law = MallowsDistribution::new(4, 4, options, 1).unwrap();
    law.judge(0.0);
    for lambda in [0.5, 0.75, 1.0] {
        assert_eq!(law.lambda(), lambda);
        let words = law.draw(10, &mut Rng::new(2));
        law.fit(&[EliteCandidate { sample: &words[0], weight: 1.0 }], 0.1);
        law.judge(0.0);
    }
}

#[test]
fn laws_that_make_no_sense_are_refused() {
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
