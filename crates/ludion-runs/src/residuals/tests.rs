use ludion_players::random::Rng;

use super::*;

/// Adds results of a worker in a group.
fn add(results: &mut WorkerResults, worker: &str, group: u32, counts: [u64; CLASSES]) {
    for (class, count) in (0..).zip(counts) {
        (0..count).for_each(|_| results.add(worker, ResultClass { group, class }));
    }
}

fn named(results: &WorkerResults) -> Vec<String> {
    let residuals = results.residuals().into_iter();
    residuals.filter(WorkerResidual::is_named).map(|residual| residual.worker).collect()
}

#[test]
fn the_test_of_two_classes_is_that_of_a_table_of_four_numbers() {
    let mut results = WorkerResults::default();
    add(&mut results, "anna", 7, [200, 0, 0, 0, 200]);
    add(&mut results, "bert", 7, [300, 0, 0, 0, 100]);
    let [anna, bert] = &results.residuals()[..] else { panic!("two workers") };
    // χ² of the table is 800·(200·100 − 200·300)²/(400·400·500·300) = 160/3.
    let chi_squared: f64 = 160.0 / 3.0 * 799.0 / 800.0;
    let residual = anna.residual.expect("enough results");
    assert!((residual - chi_squared.sqrt()).abs() < 1e-9, "{residual}");
    assert_eq!(bert.residual.map(|bert| (bert + residual).abs() < 1e-9), Some(true));
    // The probability of 7.298 standard deviations, on either side.
    let probability = anna.probability.expect("enough results");
    assert!((probability / 2.91e-13 - 1.0).abs() < 0.01, "{probability}");
    assert_eq!((anna.results, anna.mean, anna.others), (400, 0.5, Some(0.25)));
    let sentence = "its results differ from the others' (mean 0.50 against 0.25 in 400 pairs; by chance 3e-13)";
    assert_eq!(anna.describe(), sentence);
}

#[test]
fn without_others_or_with_few_results_there_is_no_probability() {
    let mut results = WorkerResults::default();
    add(&mut results, "anna", 0, [300, 10, 20, 400, 500]);
    add(&mut results, "bert", 1, [500, 400, 20, 10, 300]);
    for residual in results.residuals() {
        assert_eq!((residual.others, residual.residual, residual.probability), (None, None, None));
    }
    add(&mut results, "cleo", 0, [0, 0, 0, 0, 3]);
    let residuals = results.residuals();
    assert!(residuals.iter().all(|residual| residual.probability.is_none()), "{residuals:?}");
    assert_eq!(
        residuals[2].others,
        Some((10.0 * 0.25 + 20.0 * 0.5 + 400.0 * 0.75 + 500.0) / 1230.0)
    );
    assert_eq!(WorkerResults::default().residuals(), []);
}

/// Draws numbers from a Poisson distribution.
struct Poisson {
    /// Probability of at most 0, 1, 2 and so on.
    at_most: Vec<f64>,
}

impl Poisson {
    fn new(mean: f64) -> Self {
        // Logarithms, because the probability of 0 is too small for a number where the mean is large.
        let (mut log, mut sum) = (-mean, 0.0);
        let limit = (mean + 12.0 * mean.sqrt() + 20.0) as usize;
        let next = |i| {
            sum += f64::exp(log);
            log += mean.ln() - ((i + 1) as f64).ln();
            sum
        };
        Poisson { at_most: (0..limit).map(next).collect() }
    }

    fn draw(&self, rng: &mut Rng) -> u64 {
        let unit = rng.unit();
        self.at_most.partition_point(|&sum| sum < unit) as u64
    }
}

/// Runs with sound workers: the expected number of results of each worker in each group, and the
/// shares of the classes in each group. Given its number, the results of a worker are a random sample.
struct SoundWorkers {
    draws: Vec<Vec<[Poisson; CLASSES]>>,
}

impl SoundWorkers {
    fn new(workers: &[f64], groups: &[[f64; CLASSES]]) -> Self {
        let of_group = |results: f64, shares: &[f64; CLASSES]| {
            shares.map(|share| Poisson::new(results * share))
        };
        let of_worker =
            |results: &f64| groups.iter().map(|shares| of_group(*results, shares)).collect();
        SoundWorkers { draws: workers.iter().map(of_worker).collect() }
    }

    fn draw(&self, rng: &mut Rng) -> WorkerResults {
        let mut results = WorkerResults::default();
        for (worker, groups) in self.draws.iter().enumerate() {
            let counts = groups.iter().map(|group| group.each_ref().map(|class| class.draw(rng)));
            let counts = (0..).zip(counts).collect();
            results.by_worker.insert(format!("w{worker:03}"), counts);
        }
        results
    }
}

/// Returns how many workers were looked at, of those with a probability, and how many were named.
fn count_named(workers: &SoundWorkers, runs: u32, seed: u64) -> (u32, u32) {
    let mut rng = Rng::new(seed);
    let (mut looks, mut named) = (0, 0);
    for _ in 0..runs {
        for residual in workers.draw(&mut rng).residuals() {
            looks += u32::from(residual.probability.is_some());
            named += u32::from(residual.is_named());
        }
    }
    (looks, named)
}

/// Number of runs of each case.
const RUNS: u32 = 1000;
const BALANCED: [f64; CLASSES] = [0.1, 0.2, 0.4, 0.2, 0.1];
const RARE: [f64; CLASSES] = [0.95, 0.02, 0.01, 0.01, 0.01];

/// Cases of sound workers that are hard for the approximation by a normal distribution.
fn hard_cases() -> Vec<(&'static str, SoundWorkers)> {
    let equal = vec![250.0; 20];
    let unequal: Vec<f64> = (0..20).map(|i| 60.0 * 1.45_f64.powi(i)).collect();
    let one_large: Vec<f64> = (0..10).map(|i| if i == 0 { 80_000.0 } else { 1500.0 }).collect();
    let small_groups = [BALANCED, [0.5, 0.0, 0.0, 0.0, 0.5], RARE].repeat(5);
    // Few results have a class of the other group, so one sum of counts hardly varies.
    let apart = [[0.5, 0.499, 0.0, 0.001, 0.0], [0.0, 0.001, 0.0, 0.499, 0.5]];
    vec![
        ("equal shares", SoundWorkers::new(&equal, &[BALANCED])),
        ("unequal shares", SoundWorkers::new(&unequal, &[BALANCED])),
        ("unequal shares and rare classes", SoundWorkers::new(&unequal, &[RARE])),
        ("one large worker and rare classes", SoundWorkers::new(&one_large, &[RARE])),
        ("many small groups", SoundWorkers::new(&[25.0; 20], &small_groups)),
        ("one rare class", SoundWorkers::new(&[45_000.0; 20], &[[0.999, 0.0, 0.0, 0.0, 0.001]])),
        ("groups with classes of their own", SoundWorkers::new(&unequal, &apart)),
    ]
}

#[test]
fn sound_workers_are_named_as_rarely_as_the_probability_says() {
    let (mut looks, mut named) = (0, 0);
    for (seed, (case, workers)) in (1..).zip(hard_cases()) {
        let (case_looks, case_named) = count_named(&workers, RUNS, seed);
        println!("{case}: {case_named} of {case_looks}");
        looks += case_looks;
        named += case_named;
    }
    assert!(looks > 100_000, "{looks}");
    assert!(named > 0 && f64::from(named) < 2e-4 * f64::from(looks), "{named} of {looks}");
}

/// Replaces the results of a worker by those that `falsify` makes of them.
fn falsify(results: &mut WorkerResults, worker: &str, falsify: impl Fn(&mut ClassCounts)) {
    let groups = results.by_worker.get_mut(worker).expect("a worker");
    groups.values_mut().for_each(falsify);
}

#[test]
fn a_worker_with_flipped_or_random_results_is_named_and_no_other() {
    let groups = [[0.05, 0.15, 0.4, 0.25, 0.15], [0.02, 0.08, 0.3, 0.3, 0.3]];
    let random = |counts: &mut ClassCounts| {
        let all: u64 = counts.iter().sum();
        *counts = [1, 4, 6, 4, 1].map(|share| all * share / 16);
    };
    let mut rng = Rng::new(11);
    for (shares, wrong) in [
        (&[600.0, 600.0, 600.0][..], "w001"),
        (&[600.0, 6000.0, 900.0], "w001"),
        (&[9000.0, 600.0, 9000.0, 50.0, 400.0], "w001"),
    ] {
        let workers = SoundWorkers::new(shares, &groups);
        for _ in 0..50 {
            let sound = workers.draw(&mut rng);
            assert_eq!(named(&sound), [""; 0]);
            let mut flipped = sound.clone();
            falsify(&mut flipped, wrong, |counts| counts.reverse());
            assert_eq!(named(&flipped), [wrong], "{:?}", flipped.residuals());
            let mut drawn = sound.clone();
            falsify(&mut drawn, wrong, random);
            assert_eq!(named(&drawn), [wrong], "{:?}", drawn.residuals());
        }
    }
}

#[test]
fn sound_workers_are_hardly_ever_named_in_place_of_a_wrong_one() {
    let sound = [0.04, 0.01, 0.32, 0.03, 0.6];
    let wrong =
        [[0.22, 0.02, 0.52, 0.02, 0.22], [0.1, 0.02, 0.3, 0.02, 0.56], [0.3, 0.0, 0.0, 0.0, 0.7]];
    let mut rng = Rng::new(3);
    let (mut found, mut mistaken) = (0, 0);
    for i in 0..600 {
        let mut results = WorkerResults::default();
        for worker in 0..3 + rng.below(5) {
            let mean = 30.0 * 300_f64.powf(rng.unit());
            let shares = if worker == 0 { wrong[i % 3] } else { sound };
            let counts = shares.map(|share| Poisson::new(mean * share).draw(&mut rng));
            results.by_worker.insert(format!("w{worker}"), BTreeMap::from([(0, counts)]));
        }
        let named = named(&results);
        found += u32::from(named.contains(&"w0".to_owned()));
        mistaken += u32::from(named.iter().any(|name| name != "w0"));
    }
    assert!(found > 250 && mistaken <= 3, "{found} found, {mistaken} mistaken");
}

#[test]
fn a_wrong_worker_with_few_results_makes_no_other_worker_named() {
    let mut results = WorkerResults::default();
    add(&mut results, "anna", 0, [2, 1, 17, 0, 28]);
    add(&mut results, "bert", 0, [65, 14, 570, 54, 1002]);
    add(&mut results, "cleo", 0, [1, 2, 44, 4, 71]);
    add(&mut results, "wrong", 0, [40, 3, 76, 5, 36]);
    assert_eq!(named(&results), [""; 0]);
    let mut results = WorkerResults::default();
    add(&mut results, "wrong", 0, [144, 12, 344, 10, 146]);
    add(&mut results, "anna", 0, [20, 1, 180, 20, 290]);
    add(&mut results, "bert", 0, [21, 5, 119, 6, 231]);
    assert_eq!(named(&results), ["wrong"]);
}

#[test]
fn of_two_workers_that_differ_both_are_named_and_of_six_the_two_that_differ() {
    let mut results = WorkerResults::default();
    add(&mut results, "anna", 0, [300, 100, 200, 100, 300]);
    add(&mut results, "bert", 0, [400, 100, 200, 100, 200]);
    assert_eq!(named(&results), ["anna", "bert"]);
    for worker in ["cleo", "dora", "emil", "fred"] {
        add(&mut results, worker, 0, [200, 200, 200, 200, 200]);
    }
    assert_eq!(named(&results), ["anna", "bert"]);
    let residuals = results.residuals();
    assert_eq!(residuals[2].probability, Some(1.0), "the others are equal: {residuals:?}");
}

#[test]
fn the_number_of_counters_is_limited_and_unknown_classes_are_left_out() {
    let mut results = WorkerResults { counters: MAX_COUNTERS - 1, ..WorkerResults::default() };
    for group in [0, 1, 0] {
        results.add("anna", ResultClass { group, class: 1 });
    }
    results.add("anna", ResultClass { group: 0, class: 5 });
    assert_eq!(results.by_worker["anna"], BTreeMap::from([(0, [0, 2, 0, 0, 0])]));
}

#[test]
fn probabilities_are_short() {
    let texts = [0.374, 0.0123, 0.00123, 3.2e-7, 1e-120, 0.0].map(describe_probability);
    assert_eq!(texts, ["0.37", "0.01", "1e-3", "3e-7", "<1e-99", "<1e-99"]);
}
