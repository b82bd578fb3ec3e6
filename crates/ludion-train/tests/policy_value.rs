//! Training of networks with policy and value as a whole: it learns, is reproducible, continues from
//! stored bytes, can be stopped, and refuses invalid input.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::AtomicBool;

use ludion::learn::policy_value::{
    PolicyValueBatch, PolicyValueModel, PolicyValueNetwork, PolicyValueScratch,
};
use ludion::random::Rng;
use ludion_train::policy_value::{
    LearningRate, LossReport, PolicyValueOptions, PolicyValueSamples, PolicyValueShape,
    PolicyValueTrainer,
};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The lines of tic-tac-toe.
const LINES: [[u32; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Returns random boards of tic-tac-toe with two to six stones. The features are own stones (0 to 8)
/// and those of the opponent (9 to 17), the actions the free cells. A cell that completes a line wins,
/// and the target of the policy is such cells; if there is none it is all free cells, and the result
/// is called a draw.
fn boards(count: usize, seed: u64) -> PolicyValueSamples {
    let mut rng = Rng::new(seed);
    let mut samples = PolicyValueSamples::new(18, 9);
    while samples.len() < count {
        let mut cells: Vec<u32> = (0..9).collect();
        for i in (1..9).rev() {
            cells.swap(i, rng.below(i + 1));
        }
        let stones = 1 + rng.below(3);
        let (own, rest) = cells.split_at(stones);
        let (other, free) = rest.split_at(stones);
        let has_line = |stones: &[u32]| LINES.iter().any(|l| l.iter().all(|c| stones.contains(c)));
        if has_line(own) || has_line(other) {
            continue;
        }
        let wins = |cell: u32| has_line(&[own, &[cell]].concat());
        let any = free.iter().any(|&cell| wins(cell));
        let target = |&cell: &u32| (cell, f32::from(u8::from(!any || wins(cell))));
        let mut features: Vec<u32> =
            own.iter().copied().chain(other.iter().map(|cell| cell + 9)).collect();
        features.sort_unstable();
        let policy: Vec<(u32, f32)> = free.iter().map(target).collect();
        let wdl = if any { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        samples.push(&features, &policy, wdl, 1.0).unwrap();
    }
    samples
}

fn network() -> PolicyValueNetwork {
    let shape = PolicyValueShape { features: 18, actions: 9, hidden: vec![64, 32], active: 4 };
    shape.random_network(3).unwrap()
}

fn options() -> PolicyValueOptions {
    let rate = LearningRate { first: 5e-3, last: 5e-4, warm_up: 10, steps: 1200 };
    PolicyValueOptions { batch: 64, rate, ..PolicyValueOptions::default() }
}

fn train(
    trainer: &mut PolicyValueTrainer,
    samples: &PolicyValueSamples,
    epochs: std::ops::Range<u64>,
) -> LossReport {
    let mut epochs = epochs.map(|epoch| trainer.train_epoch(samples, epoch, &NEVER).unwrap());
    let first = epochs.next().unwrap();
    epochs.last().unwrap_or(first).unwrap()
}

#[test]
fn winning_moves_of_tic_tac_toe_are_learned() {
    let (samples, others) = (boards(3000, 1), boards(500, 2));
    for averaging in [0.0, 0.99] {
        let options = PolicyValueOptions { averaging, ..options() };
        let mut trainer = PolicyValueTrainer::new(&network(), options).unwrap();
        let before = trainer.measure(&others).unwrap();
        assert!((before.value - 3.0_f64.ln()).abs() < 0.1, "{before:?}");
        train(&mut trainer, &samples, 0..25);
        let after = trainer.measure(&others).unwrap();
        assert!(after.policy - after.entropy < 0.1 && after.value < 0.1, "{after:?}");
        let right = right_choices(&trainer.network(), &others);
        assert!(right > 0.97, "the share of right choices is {right}");
    }
}

/// Returns the share of samples in which the most probable action is a target, and the more probable
/// of win and draw the result.
fn right_choices(network: &PolicyValueNetwork, samples: &PolicyValueSamples) -> f64 {
    let mut batch = PolicyValueBatch::default();
    for sample in (0..samples.len()).map(|index| samples.get(index)) {
        let wide = |numbers: &[u16]| numbers.iter().map(|&x| x.into()).collect::<Vec<u32>>();
        batch.push(&wide(sample.features), &wide(sample.actions));
    }
    network.evaluate_batch(&mut batch);
    let is_right = |&index: &usize| {
        let (sample, value) = (samples.get(index), batch.value(index));
        let priors = batch.priors(index).iter().enumerate();
        let (best, _) = priors.max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        sample.probabilities[best] > 0.0 && (value.win > value.draw) == (sample.wdl[0] > 0.0)
    };
    (0..samples.len()).filter(is_right).count() as f64 / samples.len() as f64
}

#[test]
fn equal_seeds_give_equal_networks_and_different_ones_different_networks() {
    let samples = boards(500, 1);
    let trained = |seed: u64| {
        let mut trainer = PolicyValueTrainer::new(&network(), options()).unwrap();
        let report = trainer.train_epoch(&samples, seed, &NEVER).unwrap();
        (trainer.to_bytes(), report)
    };
    assert_eq!(trained(1), trained(1));
    assert_ne!(trained(1).0, trained(2).0);
}

#[test]
fn a_training_that_was_stored_has_the_same_future() {
    let samples = boards(500, 1);
    let options = PolicyValueOptions { averaging: 0.9, ..options() };
    let mut trainer = PolicyValueTrainer::new(&network(), options.clone()).unwrap();
    train(&mut trainer, &samples, 0..3);
    let bytes = trainer.to_bytes();
    let mut resumed = PolicyValueTrainer::from_bytes(&bytes, options).unwrap();
    assert_eq!((resumed.steps(), resumed.to_bytes()), (24, bytes));
    let reports = [&mut trainer, &mut resumed].map(|t| train(t, &samples, 3..6));
    assert_eq!(reports[0], reports[1]);
    assert_eq!(trainer.network(), resumed.network());
    assert_eq!(trainer.to_bytes(), resumed.to_bytes());
}

#[test]
fn an_epoch_that_is_stopped_or_diverges_changes_nothing() {
    let samples = boards(500, 1);
    let mut trainer = PolicyValueTrainer::new(&network(), options()).unwrap();
    train(&mut trainer, &samples, 0..1);
    let before = trainer.to_bytes();
    assert_eq!(trainer.train_epoch(&samples, 1, &AtomicBool::new(true)), Ok(None));
    assert_eq!(trainer.to_bytes(), before);
    let mut heavy = PolicyValueSamples::new(18, 9);
    heavy.push(&[0], &[(1, 1.0)], [1.0, 0.0, 0.0], f32::MAX).unwrap();
    let error = trainer.train_on(&heavy, &[0], &NEVER).unwrap_err().to_string();
    assert!(error.starts_with("training diverged at step 9 at rate 0.00"), "{error}");
    assert_eq!(trainer.to_bytes(), before);
}

#[test]
fn samples_of_value_alone_train_the_value_alone() {
    let mut samples = PolicyValueSamples::new(18, 9);
    samples.push(&[0], &[], [1.0, 0.0, 0.0], 1.0).unwrap();
    samples.push(&[1], &[], [0.0, 0.0, 2.0], 1.0).unwrap();
    let mut trainer = PolicyValueTrainer::new(&network(), options()).unwrap();
    let report = train(&mut trainer, &samples, 0..100);
    assert_eq!((report.policy, report.entropy), (0.0, 0.0));
    let (trained, mut scratch) = (trainer.network(), PolicyValueScratch::default());
    assert!(trained.value(&[0], &mut scratch).expected_result() > 0.9);
    assert!(trained.value(&[1], &mut scratch).expected_result() < -0.9);
}

#[test]
fn the_oldest_samples_are_dropped() {
    let (mut samples, all) = (boards(40, 1), boards(40, 1));
    samples.drop_oldest(15);
    assert_eq!(samples.len(), 25);
    assert!((0..25).all(|index| samples.get(index) == all.get(index + 15)));
    samples.push(&[0, 17], &[(3, 1.0), (1, 3.0)], [0.0, 1.0, 1.0], 2.0).unwrap();
    let last = samples.get(25);
    assert_eq!((last.features, last.actions), (&[0, 17][..], &[3, 1][..]));
    assert_eq!((last.probabilities, last.wdl), (&[0.25, 0.75][..], [0.0, 0.5, 0.5]));
    samples.drop_oldest(100);
    assert!(samples.is_empty());
    assert_eq!(samples, PolicyValueSamples::new(18, 9));
}

#[test]
fn the_rate_rises_and_falls_on_lines() {
    let rate = LearningRate { first: 1.0, last: 0.5, warm_up: 3, steps: 13 };
    let at: Vec<f64> = [0, 2, 3, 8, 13, 99].map(|step| rate.at(step)).to_vec();
    assert_eq!(at, [0.25, 0.75, 1.0, 0.75, 0.5, 0.5]);
    assert_eq!(LearningRate::constant(0.1).at(0), 0.1);
}

#[test]
fn invalid_input_is_refused() {
    let mut samples = PolicyValueSamples::new(4, 3);
    let mut push = |features: &[u32], policy: &[(u32, f32)], wdl, weight| {
        samples.push(features, policy, wdl, weight).unwrap_err().to_string()
    };
    let win = [1.0, 0.0, 0.0];
    assert_eq!(push(&[4], &[], win, 1.0), "a sample has feature 4; there are 4, counted from 0");
    assert_eq!(
        push(&[], &[(3, 1.0)], win, 1.0),
        "a sample has action 3; there are 3, counted from 0"
    );
    assert_eq!(
        push(&[2, 2], &[], win, 1.0),
        "feature 2 of a sample is out of order; they must be ascending"
    );
    assert_eq!(
        push(&[0], &[(0, 0.0), (1, 0.0)], win, 1.0),
        "the target of the policy is [0.0, 0.0]; at least one part must be positive, none negative"
    );
    assert_eq!(
        push(&[0], &[], [1.0, -1.0, 0.0], 1.0),
        "the target of the value is [1.0, -1.0, 0.0]; at least one part must be positive, none \
         negative"
    );
    assert_eq!(
        push(&[0], &[], win, f32::NAN),
        "the weight of a sample is NaN; it must be a finite number from 0"
    );
    assert!(samples.is_empty());
    let mut trainer = PolicyValueTrainer::new(&network(), options()).unwrap();
    assert_eq!(
        trainer.train_epoch(&samples, 1, &NEVER).unwrap_err().to_string(),
        "the samples have 4 features and 3 actions; the network needs 18 and 9"
    );
    let none = PolicyValueSamples::new(18, 9);
    let error = trainer.train_epoch(&none, 1, &NEVER).unwrap_err().to_string();
    assert_eq!(error, "there are no samples to train on");
    let error = |options: PolicyValueOptions| {
        PolicyValueTrainer::new(&network(), options).unwrap_err().to_string()
    };
    assert_eq!(
        error(PolicyValueOptions { batch: 0, ..options() }),
        "batch is 0; allowed is from 1 to 1048576"
    );
    assert_eq!(
        error(PolicyValueOptions { rate: LearningRate::constant(f64::NAN), ..options() }),
        "rate.first is NaN; allowed is more than 0, up to 1"
    );
    let shape = |hidden| PolicyValueShape { features: 4, actions: 3, hidden, active: 2 };
    let error = shape(vec![4, 0]).random_network(1).unwrap_err().to_string();
    assert_eq!(error, "layer 2 has 0 outputs; from 1 to 65536 are allowed");
    assert!(shape(vec![usize::MAX]).random_network(1).is_err());
    assert!(shape(vec![]).random_network(1).is_err());
}

#[test]
fn bytes_that_are_no_training_are_refused() {
    let trainer = PolicyValueTrainer::new(&network(), options()).unwrap();
    let error =
        |bytes: &[u8]| PolicyValueTrainer::from_bytes(bytes, options()).unwrap_err().to_string();
    let mut bytes = trainer.to_bytes();
    let none = "this is not a model: not a complete safetensors file";
    assert_eq!(error(&bytes[..bytes.len() - 4]), none);
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    assert_eq!(error(&bytes), "the model is damaged: the checksum of its weights does not match");
    let model = PolicyValueModel::new(trainer.network(), "g", "e", Default::default());
    assert_eq!(
        error(&model.to_bytes()),
        "the file is a network with policy and value; a training of a network with policy and value \
         is needed"
    );
}
