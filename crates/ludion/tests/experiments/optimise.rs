//! Maximisers on functions with known maxima, after saving and resuming, and on the guessing of
//! hidden words from which their cross-entropy method comes.

use ludion::optimise::cross_entropy::categorical::CategoricalDistribution;
use ludion::optimise::cross_entropy::gaussian::GaussianDistribution;
use ludion::optimise::cross_entropy::mallows::{
    CentreUpdate, LambdaUpdate, MallowsDistribution, MallowsOptions, MallowsSampling,
};
use ludion::optimise::cross_entropy::permutation::PermutationDistribution;
use ludion::optimise::cross_entropy::points::PointDistribution;
use ludion::optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions, DistributionFamily, EliteWeights, SampleSize, TargetScore,
};
use ludion::optimise::genetic::{self, GeneticSearch};
use ludion::optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis, SpacePoint};
use ludion::optimise::{Maximiser, StopReason, maximise};
use ludion::random::Rng;

/// Returns a space of two numbers, one on a logarithmic axis, an integer and a word.
fn mixed_space() -> SearchSpace {
    SearchSpace::new(vec![
        SpaceAxis::real("x", -2.0, 3.0, AxisScale::Linear),
        SpaceAxis::real("c", 0.01, 100.0, AxisScale::Logarithmic),
        SpaceAxis::integer("n", 0, 20, AxisScale::Linear),
        SpaceAxis::choice("w", &["bad", "good", "worse"]),
    ])
    .unwrap()
}

/// A function with its maximum, 0, at x = 1, c = 0.5, n = 13, w = good.
fn mixed(point: &SpacePoint) -> f64 {
    let [AxisValue::Real(x), AxisValue::Real(c), AxisValue::Integer(n), AxisValue::Choice(w)] =
        point.values()
    else {
        panic!("the values of the axes")
    };
    let word = if w == "good" { 0.0 } else { 1.0 };
    -(x - 1.0).powi(2) - (c / 0.5).ln().powi(2) - ((n - 13) as f64 / 10.0).powi(2) - word
}

fn genetic(generations: u32, seed: u64) -> GeneticSearch {
    let options = genetic::GeneticOptions { generations, ..genetic::GeneticOptions::default() };
    GeneticSearch::new(mixed_space(), options, Vec::new(), seed).unwrap()
}

fn search<F: DistributionFamily>(family: F, seed: u64) -> CrossEntropy<F> {
    let options = family.defaults();
    CrossEntropy::new(family, options, seed).unwrap()
}

#[test]
fn both_methods_find_the_maximum_over_numbers_and_words() {
    for seed in 0..10 {
        let points = PointDistribution::wide(mixed_space()).unwrap();
        let tuners: [(&str, Box<dyn Maximiser<Candidate = SpacePoint>>, f64); 2] = [
            ("genetic", Box::new(genetic(60, seed)), -0.1),
            ("cross-entropy", Box::new(search(points, seed)), -0.01),
        ];
        for (name, mut tuner, enough) in tuners {
            maximise(&mut *tuner, mixed).unwrap();
            let (best, score) = tuner.best().unwrap();
            assert!(score > enough, "{name}, seed {seed}: {}", mixed_space().show(&best));
            assert_eq!(mixed(&best), score);
            let generations = tuner.generations();
            assert_eq!(generations.last().unwrap().leader, score);
            assert!(generations.windows(2).all(|g| g[0].leader <= g[1].leader));
            assert!(generations.iter().enumerate().all(|(i, g)| g.number as usize == i + 1));
        }
    }
}

#[test]
fn a_search_can_start_near_given_parameters() {
    let space = mixed_space();
    let word = AxisValue::Choice("bad".to_owned());
    let values = [AxisValue::Real(0.9), AxisValue::Real(0.6), AxisValue::Integer(12), word];
    let today = space.point(&values).unwrap();
    let mut near = search(PointDistribution::around(space.clone(), &today, 0.05).unwrap(), 2);
    let first: f64 = near.ask().iter().map(mixed).sum::<f64>() / near.ask().len() as f64;
    let mut wide = search(PointDistribution::wide(space.clone()).unwrap(), 2);
    let random: f64 = wide.ask().iter().map(mixed).sum::<f64>() / wide.ask().len() as f64;
    assert!(first > -1.0 && random < -3.0, "{first} and {random}");
    let starts = vec![today.clone()];
    let mut genetic =
        GeneticSearch::new(space.clone(), genetic::GeneticOptions::default(), starts, 2).unwrap();
    assert_eq!(genetic.ask()[0], today);
    assert!(PointDistribution::around(space, &today, 1.5).is_err());
}

#[test]
fn the_gaussian_distribution_finds_the_maximum_of_the_sphere() {
    let top = [0.2, 0.5, 0.9, 0.0, 1.0];
    let mut search = search(GaussianDistribution::wide(5), 3);
    let sphere = |x: &Vec<f64>| -x.iter().zip(top).map(|(x, t)| (x - t).powi(2)).sum::<f64>();
    maximise(&mut search, sphere).unwrap();
    assert_eq!(search.finished(), Some(StopReason::Concentrated));
    assert!(search.best().unwrap().1 > -1e-3, "{:?}", search.best());
}

#[test]
fn noise_is_averaged_away() {
    let space = SearchSpace::new(vec![SpaceAxis::integer("n", 0, 100, AxisScale::Linear)]).unwrap();
    let value = |point: &SpacePoint| {
        let AxisValue::Integer(n) = point.values()[0] else { panic!("a whole number") };
        -((n - 63) as f64 / 20.0).powi(2)
    };
    // The noise has a standard deviation of 0.29, the difference between the maximum and a point 11
    // away.
    let error = |reevaluate: bool| {
        let runs = (0..40).map(|seed| {
            let options =
                genetic::GeneticOptions { reevaluate, ..genetic::GeneticOptions::default() };
            let mut genetic = GeneticSearch::new(space.clone(), options, Vec::new(), seed).unwrap();
            let mut rng = Rng::new(seed);
            maximise(&mut genetic, |point| value(point) + rng.unit() - 0.5).unwrap();
            -value(&genetic.best().unwrap().0)
        });
        runs.sum::<f64>() / 40.0
    };
    let (averaged, lucky) = (error(true), error(false));
    assert!(averaged < 0.02 && averaged < 0.6 * lucky, "{averaged} for {lucky}");
    let mut search = search(PointDistribution::wide(space.clone()).unwrap(), 1);
    let mut rng = Rng::new(1);
    maximise(&mut search, |point| value(point) + rng.unit() - 0.5).unwrap();
    let middle = search.history().last().unwrap().summary.numbers.mean.clone();
    assert!(-value(&space.point_at(&middle)) < 0.05, "{middle:?}");
}

#[test]
fn one_max_is_solved_by_independent_positions_with_both_weights() {
    for weights in [EliteWeights::Equal, EliteWeights::Rank] {
        let law = CategoricalDistribution::uniform(30, 2).unwrap();
        let options =
            CrossEntropyOptions { weights, concentration: Some(0.9999), ..law.defaults() };
        let mut search = CrossEntropy::new(law, options, 1).unwrap();
        maximise(&mut search, |word| word.iter().map(|&bit| f64::from(bit)).sum()).unwrap();
        assert_eq!(search.best(), Some((vec![1; 30], 30.0)));
        assert!(search.family().rows().iter().all(|row| row[1] > 0.9));
    }
}

/// Returns a random table of 8 by 8 and the value of its best assignment, by brute force.
fn assignment() -> (Vec<Vec<f64>>, f64) {
    let mut rng = Rng::new(77);
    let table: Vec<Vec<f64>> = (0..8).map(|_| (0..8).map(|_| rng.unit()).collect()).collect();
    fn best(table: &[Vec<f64>], used: u32) -> f64 {
        let Some((row, rest)) = table.split_first() else { return 0.0 };
        let free = (0..row.len()).filter(|column| used & 1 << column == 0);
        free.map(|c| row[c] + best(rest, used | 1 << c)).fold(f64::NEG_INFINITY, f64::max)
    }
    let most = best(&table, 0);
    (table, most)
}

fn assignment_value(table: &[Vec<f64>], word: &[u16]) -> f64 {
    word.iter().zip(table).map(|(&symbol, row)| row[usize::from(symbol)]).sum()
}

#[test]
fn the_best_assignment_is_found_by_permutations_and_by_mallows() {
    let (table, most) = assignment();
    let mut by_rows = search(PermutationDistribution::uniform(8, 8).unwrap(), 5);
    maximise(&mut by_rows, |word| assignment_value(&table, word)).unwrap();
    assert!((by_rows.best().unwrap().1 - most).abs() < 1e-9);
    // The marginals of the Mallows distribution do not separate near ties, so one order clearly
    // wins here.
    let (mut table, planted) = (table, vec![3, 7, 0, 4, 1, 6, 2, 5]);
    for (row, &symbol) in table.iter_mut().zip(&planted) {
        row[usize::from(symbol)] += 1.0;
    }
    let most = assignment_value(&table, &planted);
    for sampler in [MallowsSampling::Exact, MallowsSampling::Chain { burn_in: 250, thinning: 80 }] {
        let options = MallowsOptions { sampler, ..MallowsOptions::default() };
        let law = MallowsDistribution::new(8, 8, options, 5).unwrap();
        let options =
            CrossEntropyOptions { target: Some(TargetScore::Centre(most)), ..law.defaults() };
        let mut search = CrossEntropy::new(law, options, 5).unwrap();
        maximise(&mut search, |word| assignment_value(&table, word)).unwrap();
        assert_eq!(search.finished(), Some(StopReason::Target), "{sampler:?}");
        assert_eq!(search.family().centre(), planted);
    }
}

/// Returns all candidates until the end, or for 12 steps.
fn next_candidates<M: Maximiser>(
    search: &mut M,
    score: impl Fn(&M::Candidate) -> f64,
) -> Vec<Vec<f64>>
where
    M::Candidate: Clone,
{
    let mut all = Vec::new();
    for _ in 0..12 {
        let scores: Vec<f64> = search.ask().iter().map(&score).collect();
        search.tell(&scores).unwrap();
        all.push(scores);
    }
    all
}

/// Saves and restores a search between candidates and scores, and compares what follows.
fn check_resume<M>(mut search: M, score: impl Fn(&M::Candidate) -> f64)
where
    M: Maximiser<Candidate: Clone> + Clone + serde::Serialize + serde::de::DeserializeOwned,
{
    let mut twin = search.clone();
    for _ in 0..5 {
        let scores: Vec<f64> = search.ask().iter().map(&score).collect();
        search.tell(&scores).unwrap();
    }
    search.ask();
    let text = serde_json::to_string(&search).unwrap();
    let mut resumed: M = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&resumed).unwrap(), text);
    let expected = next_candidates(&mut search, &score);
    assert_eq!(next_candidates(&mut resumed, &score), expected);
    let begun = next_candidates(&mut twin, &score);
    assert_eq!(begun[5..], expected[..7], "the same seed gives the same candidates");
    assert_eq!(resumed.best().map(|b| b.1), search.best().map(|b| b.1));
    assert_eq!(resumed.generations(), search.generations());
}

#[test]
fn a_restored_search_continues_identically() {
    let (table, _) = assignment();
    let score = |word: &Vec<u16>| assignment_value(&table, word);
    check_resume(genetic(30, 9), mixed);
    let noisy = genetic::GeneticOptions { reevaluate: true, ..genetic::GeneticOptions::default() };
    check_resume(GeneticSearch::new(mixed_space(), noisy, Vec::new(), 2).unwrap(), mixed);
    check_resume(search(PointDistribution::wide(mixed_space()).unwrap(), 9), mixed);
    check_resume(search(GaussianDistribution::wide(3), 9), |x| -x.iter().sum::<f64>());
    check_resume(search(CategoricalDistribution::uniform(8, 8).unwrap(), 9), score);
    check_resume(search(PermutationDistribution::uniform(8, 8).unwrap(), 9), score);
    let lambda = LambdaUpdate::Likelihood { start: 1.0, max: 5.0 };
    for update in [CentreUpdate::Shares, CentreUpdate::Excess] {
        let options = MallowsOptions { update, lambda, ..MallowsOptions::original() };
        check_resume(search(MallowsDistribution::new(8, 8, options, 9).unwrap(), 9), score);
    }
}

#[test]
fn different_seeds_ask_for_different_candidates() {
    assert_eq!(genetic(5, 1).ask(), genetic(5, 1).ask());
    assert_ne!(genetic(5, 1).ask(), genetic(5, 2).ask());
    let law = PermutationDistribution::uniform(8, 8).unwrap();
    assert_ne!(search(law.clone(), 1).ask(), search(law, 2).ask());
}

#[test]
fn a_damaged_saved_search_is_an_error() {
    let mut search = search(CategoricalDistribution::uniform(2, 2).unwrap(), 1);
    search.ask();
    let text = serde_json::to_string(&search).unwrap();
    let read = |text: &str| serde_json::from_str::<CrossEntropy<CategoricalDistribution>>(text);
    assert!(read(&text).is_ok());
    let spoilt = read(&text.replace("[0.5,0.5]", "[0.5,0.75]")).unwrap_err().to_string();
    assert!(spoilt.contains("the sum of a row is 1.25; allowed is 1"), "{spoilt}");
    let spoilt = read(&text.replace("\"rho\":0.1", "\"rho\":0.0")).unwrap_err().to_string();
    assert!(spoilt.contains("rho is 0; allowed is above 0 and at most 1"), "{spoilt}");
    let mut genetic = genetic(5, 1);
    let scores: Vec<f64> = genetic.ask().iter().map(mixed).collect();
    genetic.tell(&scores).unwrap();
    let text = serde_json::to_string(&genetic).unwrap();
    let spoilt = text.replacen("\"good\"", "\"ugly\"", 2);
    assert!(serde_json::from_str::<GeneticSearch>(&spoilt).is_err());
    let spoilt = text.replace("\"kept\":[", "\"kept\":[99,");
    assert!(serde_json::from_str::<GeneticSearch>(&spoilt).is_err());
}

#[test]
fn every_stop_rule_ends_the_search_on_time() {
    let run = |options: CrossEntropyOptions, score: fn(&Vec<u16>) -> f64| {
        let law = CategoricalDistribution::uniform(4, 6).unwrap();
        let mut search = CrossEntropy::new(law, options, 1).unwrap();
        maximise(&mut search, score).unwrap();
        assert!(search.ask().is_empty());
        search
    };
    let default = CrossEntropyOptions::default();
    let constant: fn(&Vec<u16>) -> f64 = |_| 0.25;
    let search = run(default, constant);
    assert_eq!((search.finished(), search.history().len()), (Some(StopReason::Converged), 6));
    assert_eq!(search.converged_at(3), Some(4));
    assert_eq!(search.history()[0].elite, 120, "all tie");
    let last = run(CrossEntropyOptions { unchanged: None, iterations: 7, ..default }, constant);
    assert_eq!((last.finished(), last.history().len()), (Some(StopReason::Generations), 7));
    let ones: fn(&Vec<u16>) -> f64 =
        |word| word.iter().filter(|&&symbol| symbol == 1).count() as f64;
    let gamma = run(CrossEntropyOptions { target: Some(TargetScore::Gamma(4.0)), ..default }, ones);
    assert_eq!(gamma.finished(), Some(StopReason::Target));
    assert_eq!(gamma.iteration_reaching(4.0), Some(gamma.history().len() as u32));
    let best = run(CrossEntropyOptions { target: Some(TargetScore::Best(4.0)), ..default }, ones);
    assert!(best.history().len() <= gamma.history().len());
    let options = CrossEntropyOptions { unchanged: None, concentration: Some(0.999), ..default };
    let concentrated = run(options, ones);
    assert_eq!(concentrated.finished(), Some(StopReason::Concentrated));
    assert!(concentrated.history().last().unwrap().summary.min_max >= 0.999);
}

/// Returns a random word of distinct symbols.
fn secret(places: usize, symbols: usize, seed: u64) -> Vec<u16> {
    let (mut rng, mut order) = (Rng::new(seed), (0..symbols as u16).collect::<Vec<_>>());
    for i in 0..places {
        let j = i + rng.below(symbols - i);
        order.swap(i, j);
    }
    order.truncate(places);
    order
}

/// Returns the similarity of two words, at most 1: equal positions count twice, common symbols
/// once.
fn similarity(word: &[u16], secret: &[u16]) -> f64 {
    let equal = word.iter().zip(secret).filter(|(a, b)| a == b).count();
    let count = |word: &[u16], symbol: u16| word.iter().filter(|&&s| s == symbol).count();
    let mut symbols = word.to_vec();
    symbols.sort_unstable();
    symbols.dedup();
    let common: usize = symbols.iter().map(|&s| count(word, s).min(count(secret, s))).sum();
    (equal + common) as f64 / (2 * secret.len()) as f64
}

fn median(mut numbers: Vec<usize>) -> f64 {
    numbers.sort_unstable();
    (numbers[numbers.len() / 2] + numbers[(numbers.len() - 1) / 2]) as f64 / 2.0
}

/// Returns the median iteration of convergence, which must be to the secret.
fn convergence<F: DistributionFamily<Sample = Vec<u16>>>(
    family: &F,
    places: usize,
    symbols: usize,
) -> f64 {
    let iterations = (0..10).map(|seed| {
        let secret = secret(places, symbols, seed);
        let mut search = search(family.clone(), seed);
        maximise(&mut search, |word| similarity(word, &secret)).unwrap();
        assert_eq!(search.finished(), Some(StopReason::Converged));
        assert_eq!(search.history().last().unwrap().gamma, 1.0, "{places} of {symbols}");
        search.history().len()
    });
    median(iterations.collect())
}

#[test]
fn hidden_words_are_found_as_fast_as_published() {
    // Published medians of the convergence iteration; independent positions converged a little
    // later there, because the score counted common symbols incorrectly.
    for (places, symbols, independent, permutations) in [
        (4, 4, 8.0, 7.0),
        (4, 10, 9.0, 9.0),
        (6, 10, 11.0, 9.5),
        (10, 10, 13.0, 10.0),
        (10, 20, 14.0, 13.0),
    ] {
        let ours = convergence(
            &CategoricalDistribution::uniform(places, symbols).unwrap(),
            places,
            symbols,
        );
        let range = independent - 2.5..=independent + 1.0;
        assert!(range.contains(&ours), "{places} of {symbols}: {ours} for {independent}");
        let ours = convergence(
            &PermutationDistribution::uniform(places, symbols).unwrap(),
            places,
            symbols,
        );
        assert!((ours - permutations).abs() <= 1.0, "{places} of {symbols}: {ours}");
    }
}

/// Returns how many of ten secrets are found, and the median iteration.
fn count_found(places: usize, symbols: usize, options: MallowsOptions) -> (usize, f64) {
    let runs = (0..10).filter_map(|seed| {
        let secret = secret(places, symbols, 100 + seed);
        let law = MallowsDistribution::new(places, symbols, options, seed).unwrap();
        let target = Some(TargetScore::Centre(1.0));
        let options = CrossEntropyOptions { target, unchanged: None, ..law.defaults() };
        assert_eq!(options.samples, SampleSize::PerParameter(5));
        let mut search = CrossEntropy::new(law, options, seed).unwrap();
        maximise(&mut search, |word| similarity(word, &secret)).unwrap();
        (search.finished() == Some(StopReason::Target)).then(|| search.history().len())
    });
    let runs: Vec<usize> = runs.collect();
    (runs.len(), if runs.is_empty() { 0.0 } else { median(runs) })
}

#[test]
fn excess_weights_find_every_hidden_word_where_shares_do_not() {
    for (places, symbols, most) in
        [(4, 4, 4.0), (4, 40, 18.5), (10, 20, 22.0), (20, 20, 15.0), (40, 40, 17.5)]
    {
        let (count, median) = count_found(places, symbols, MallowsOptions::default());
        assert_eq!(count, 10, "{places} of {symbols}");
        assert!(median <= most, "{places} of {symbols}: {median}");
    }
    // Published for the shares: all found at (10,10) and (15,15), none at (20,30) and (40,40).
    assert_eq!(count_found(10, 10, MallowsOptions::original()).0, 10);
    assert_eq!(count_found(15, 15, MallowsOptions::original()).0, 10);
    assert_eq!(count_found(20, 30, MallowsOptions::original()).0, 0);
    assert_eq!(count_found(40, 40, MallowsOptions::original()).0, 0);
}
