//! Training as a whole: it is reproducible, learns learnable targets, stops early, and rejects
//! invalid settings and data.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use ludion::learn::dataset::Dataset;
use ludion::learn::model::NetworkModel;
use ludion::learn::rows::LabelledRows;
use ludion::random::Rng;
use ludion_train::{LossFunction, TrainedModel, Trainer, TrainingEnd, TrainingSettings};

/// The target of twelve bits: 3 for each pair of adjacent bits set, minus the bits of the upper
/// half.
fn target(bits: u64) -> f64 {
    let pairs = f64::from((bits & bits >> 1 & 0x3f).count_ones());
    3.0 * pairs - f64::from((bits >> 6).count_ones())
}

fn data() -> Dataset {
    let mut rng = Rng::new(2);
    let mut rows = LabelledRows::new(12);
    for _ in 0..3000 {
        let bits = rng.below(4096) as u64;
        rows.push(&[bits], target(bits) + rng.unit() - 0.5, 1.0);
    }
    Dataset::from_bits(&rows.merged()).unwrap()
}

fn spec() -> TrainingSettings {
    TrainingSettings {
        hidden: vec![24, 12],
        epochs: 30,
        batch: 32,
        rate: 3e-3,
        ..TrainingSettings::default()
    }
}

fn train(spec: TrainingSettings) -> TrainedModel {
    Trainer::new(spec).unwrap().train(&data(), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn equal_seeds_give_equal_models_and_different_seeds_different_ones() {
    let short = TrainingSettings { epochs: 4, ..spec() };
    let trained = train(short.clone());
    assert_eq!(train(short.clone()).model.to_bytes(), trained.model.to_bytes());
    let other = train(TrainingSettings { seed: 2, ..short });
    assert_ne!(other.model.network(), trained.model.network());
    assert_eq!(NetworkModel::from_bytes(&trained.model.to_bytes()).unwrap(), trained.model);
}

#[test]
fn a_learnable_target_is_learned_and_the_figures_are_those_of_the_kept_epoch() {
    let trained = train(spec());
    let outcome = trained.model.outcome();
    assert!(outcome.r2.unwrap() > 0.95, "{outcome:?}");
    assert!(trained.curve[0].training_loss > 5.0 * outcome.training_loss);
    let kept = trained.curve[outcome.best as usize - 1];
    assert_eq!(kept.validation_loss, outcome.validation_loss);
    assert!(trained.curve.iter().all(|e| e.validation_loss >= outcome.validation_loss));
    // The noise has variance 1/12, and less where rows were merged; the rest is learned.
    let error = |bits: u64| f64::from(trained.model.network().value(&[bits])) - target(bits);
    let error = (0..4096).map(|bits| error(bits).powi(2)).sum::<f64>() / 4096.0;
    assert!(error < 0.2, "the mean squared error to the truth is {error}");
}

#[test]
fn a_row_of_weight_n_counts_as_n_rows() {
    // The rows have equal features, so the best output is the weighted mean of their targets.
    let mut rows = LabelledRows::new(1);
    rows.push(&[1], 1.0, 9.0);
    rows.push(&[1], 5.0, 1.0);
    let data = Dataset::from_bits(&rows).unwrap();
    let spec = TrainingSettings {
        hidden: vec![],
        epochs: 600,
        batch: 2,
        rate: 0.05,
        held_back: 0.0,
        ..TrainingSettings::default()
    };
    let trained = Trainer::new(TrainingSettings { patience: None, ..spec }).unwrap();
    let trained = trained.train(&data, |_| ControlFlow::Continue(())).unwrap();
    assert!((trained.model.network().value(&[1]) - 1.4).abs() < 0.01);
    assert_eq!(trained.model.outcome().r2, None);
}

#[test]
fn logistic_outputs_are_log_odds() {
    // Three of eight rows with the bit have target 1, six of eight without it.
    let mut rows = LabelledRows::new(1);
    for i in 0..800 {
        rows.push(&[1], f64::from(u8::from(i % 8 < 3)), 1.0);
        rows.push(&[0], f64::from(u8::from(i % 8 < 6)), 1.0);
    }
    let data = Dataset::from_bits(&rows).unwrap();
    let hidden = vec![4];
    let spec = TrainingSettings {
        hidden,
        loss: LossFunction::Logistic,
        epochs: 60,
        held_back: 0.0,
        rate: 0.01,
        ..spec()
    };
    let trained = Trainer::new(spec).unwrap().train(&data, |_| ControlFlow::Continue(())).unwrap();
    for (bit, odds) in [(1, 3.0_f32 / 5.0), (0, 3.0)] {
        let output = trained.model.network().value(&[bit]);
        assert!((output - odds.ln()).abs() < 0.1, "{output} for {}", odds.ln());
    }
}

#[test]
fn training_stops_early_or_on_request_and_keeps_the_best_weights() {
    let stopped_early =
        train(TrainingSettings { epochs: 400, patience: Some(3), rate: 0.02, ..spec() });
    assert_eq!(stopped_early.finish, TrainingEnd::Patience);
    let outcome = stopped_early.model.outcome();
    assert_eq!(
        (outcome.best + 3, stopped_early.curve.len() as u32),
        (outcome.epochs, outcome.epochs)
    );
    let stopped = Trainer::new(spec()).unwrap().train(&data(), |epoch| match epoch.number {
        2 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    let stopped = stopped.unwrap();
    assert_eq!((stopped.finish, stopped.curve.len()), (TrainingEnd::Stopped, 2));
}

#[test]
fn invalid_settings_and_data_are_rejected() {
    let message = |spec: TrainingSettings| Trainer::new(spec).unwrap_err().to_string();
    assert_eq!(
        message(TrainingSettings { batch: 0, ..spec() }),
        "batch is 0; allowed is 1 or more"
    );
    assert_eq!(
        message(TrainingSettings { rate: f64::NAN, ..spec() }),
        "rate is NaN; allowed is more than 0, up to 1"
    );
    assert_eq!(
        message(TrainingSettings { hidden: vec![4, 0], ..spec() }),
        "hidden is [4, 0]; allowed is up to 63 widths from 1 to 65536"
    );
    assert_eq!(
        message(TrainingSettings { held_back: 1.0, ..spec() }),
        "held_back is 1; allowed is from 0 to less than 1"
    );
    let refused = |spec: TrainingSettings, data: &Dataset| {
        let trainer = Trainer::new(spec).unwrap();
        trainer.train(data, |_| ControlFlow::Continue(())).unwrap_err().to_string()
    };
    let empty = Dataset::from_bits(&LabelledRows::new(3)).unwrap();
    assert_eq!(
        refused(spec(), &empty),
        "none of 0 rows is left for training; at least one must not be held back"
    );
    let mut rows = LabelledRows::new(3);
    rows.push(&[1], 0.5, 1.0);
    rows.push(&[2], 1.5, 1.0);
    let data = Dataset::from_bits(&rows).unwrap();
    assert_eq!(
        refused(TrainingSettings { loss: LossFunction::Logistic, ..spec() }, &data),
        "the target of row 2 is 1.5; the logistic loss allows 0 to 1"
    );
    // Sums of such features overflow.
    let huge = Dataset::from_reals(40, vec![3e38; 80], vec![0.0, 1.0], None).unwrap();
    assert_eq!(
        refused(TrainingSettings { hidden: vec![24], held_back: 0.0, ..spec() }, &huge),
        "training diverged in epoch 1 at rate 0.003; a smaller rate may help"
    );
}
