//! Training as a whole: repeatable, learning what can be learned, stopping when told, refusing
//! what makes no sense.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use ludion::learn::dataset::{Dataset, LabelledPosition, merge};
use ludion::learn::model::NetworkModel;
use ludion::random::Rng;
use ludion_train::{LossFunction, TrainedModel, Trainer, TrainingEnd, TrainingSpec};

/// Twelve bits; the target is 3 for two neighbours set, minus the bits of the upper half.
fn target(bits: u128) -> f64 {
    let pairs = f64::from((bits & bits >> 1 & 0x3f).count_ones());
    3.0 * pairs - f64::from((bits >> 6).count_ones())
}

fn data() -> Dataset {
    let mut rng = Rng::new(2);
    let draw = |_| {
        let bits = rng.below(4096) as u128;
        LabelledPosition::new(bits, target(bits) + rng.unit() - 0.5)
    };
    let samples: Vec<LabelledPosition> = (0..3000).map(draw).collect();
    Dataset::from_bits(12, &merge(samples)).unwrap()
}

fn spec() -> TrainingSpec {
    TrainingSpec {
        hidden: vec![24, 12],
        epochs: 30,
        batch: 32,
        rate: 3e-3,
        ..TrainingSpec::default()
    }
}

fn train(spec: TrainingSpec) -> TrainedModel {
    Trainer::new(spec).unwrap().train(&data(), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let short = TrainingSpec { epochs: 4, ..spec() };
    let trained = train(short.clone());
    assert_eq!(train(short.clone()).model.to_bytes(), trained.model.to_bytes());
    let other = train(TrainingSpec { seed: 2, ..short });
    assert_ne!(other.model.network(), trained.model.network());
    assert_eq!(NetworkModel::from_bytes(&trained.model.to_bytes()).unwrap(), trained.model);
}

#[test]
fn what_can_be_learned_is_learned_and_the_figures_are_those_of_the_model() {
    let trained = train(spec());
    let outcome = trained.model.outcome();
    assert!(outcome.r2.unwrap() > 0.95, "{outcome:?}");
    assert!(trained.curve[0].training_loss > 5.0 * outcome.training_loss);
    let kept = trained.curve[outcome.best as usize - 1];
    assert_eq!(kept.validation_loss, outcome.validation_loss);
    assert!(trained.curve.iter().all(|e| e.validation_loss >= outcome.validation_loss));
    // The noise has variance 1/12 and is halved by merging where rows met; the rest is learned.
    let error = |bits: u128| f64::from(trained.model.network().value(bits)) - target(bits);
    let error = (0..4096).map(|bits| error(bits).powi(2)).sum::<f64>() / 4096.0;
    assert!(error < 0.2, "the mean squared error to the truth is {error}");
}

#[test]
fn a_weight_counts_as_so_many_rows() {
    // A constant bit pattern cannot be told apart: the best output is the weighted mean.
    let rows = [(1.0, 9.0), (5.0, 1.0)];
    let rows = rows.map(|(target, weight)| LabelledPosition { bits: 1, target, weight });
    let data = Dataset::from_bits(1, &rows).unwrap();
    let spec = TrainingSpec {
        hidden: vec![],
        epochs: 600,
        batch: 2,
        rate: 0.05,
        held_back: 0.0,
        ..TrainingSpec::default()
    };
    let trained = Trainer::new(TrainingSpec { patience: None, ..spec }).unwrap();
    let trained = trained.train(&data, |_| ControlFlow::Continue(())).unwrap();
    assert!((trained.model.network().value(1) - 1.4).abs() < 0.01);
    assert_eq!(trained.model.outcome().r2, None);
}

#[test]
fn logistic_outputs_are_the_logarithm_of_odds() {
    // Three of eight rows with the bit have target 1, six of eight without it.
    let row = |i: u32, bit: u128, ones: u32| {
        LabelledPosition::new(bit, f64::from(u8::from(i % 8 < ones)))
    };
    let rows: Vec<LabelledPosition> = (0..800).flat_map(|i| [row(i, 1, 3), row(i, 0, 6)]).collect();
    let data = Dataset::from_bits(1, &rows).unwrap();
    let hidden = vec![4];
    let spec = TrainingSpec {
        hidden,
        loss: LossFunction::Logistic,
        epochs: 60,
        held_back: 0.0,
        rate: 0.01,
        ..spec()
    };
    let trained = Trainer::new(spec).unwrap().train(&data, |_| ControlFlow::Continue(())).unwrap();
    for (bit, odds) in [(1, 3.0_f32 / 5.0), (0, 3.0)] {
        let output = trained.model.network().value(bit);
        assert!((output - odds.ln()).abs() < 0.1, "{output} for {}", odds.ln());
    }
}

#[test]
fn training_ends_by_patience_or_when_told_with_the_best_weights() {
    let patient = train(TrainingSpec { epochs: 400, patience: Some(3), rate: 0.02, ..spec() });
    assert_eq!(patient.finish, TrainingEnd::Patience);
    let outcome = patient.model.outcome();
    assert_eq!((outcome.best + 3, patient.curve.len() as u32), (outcome.epochs, outcome.epochs));
    let told = Trainer::new(spec()).unwrap().train(&data(), |epoch| match epoch.number {
        2 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    let told = told.unwrap();
    assert_eq!((told.finish, told.curve.len()), (TrainingEnd::Stopped, 2));
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    let said = |spec: TrainingSpec| Trainer::new(spec).unwrap_err().to_string();
    assert_eq!(said(TrainingSpec { batch: 0, ..spec() }), "batch is 0; allowed is 1 or more");
    assert_eq!(
        said(TrainingSpec { rate: f64::NAN, ..spec() }),
        "rate is NaN; allowed is more than 0, up to 1"
    );
    assert_eq!(
        said(TrainingSpec { hidden: vec![4, 0], ..spec() }),
        "hidden is [4, 0]; allowed is up to 63 widths from 1 to 65536"
    );
    assert_eq!(
        said(TrainingSpec { held_back: 1.0, ..spec() }),
        "held_back is 1; allowed is from 0 to less than 1"
    );
    let refused = |spec: TrainingSpec, data: &Dataset| {
        let trainer = Trainer::new(spec).unwrap();
        trainer.train(data, |_| ControlFlow::Continue(())).unwrap_err().to_string()
    };
    let empty = Dataset::from_bits(3, &[]).unwrap();
    assert_eq!(
        refused(spec(), &empty),
        "0 rows leave none to train on; at least one must not be held back"
    );
    let data =
        Dataset::from_bits(3, &[LabelledPosition::new(1, 0.5), LabelledPosition::new(2, 1.5)])
            .unwrap();
    assert_eq!(
        refused(TrainingSpec { loss: LossFunction::Logistic, ..spec() }, &data),
        "the target of row 2 is 1.5; the logistic loss allows 0 to 1"
    );
    // Sums of such features are beyond all floats.
    let huge = Dataset::from_reals(40, vec![3e38; 80], vec![0.0, 1.0], None).unwrap();
    assert_eq!(
        refused(TrainingSpec { hidden: vec![24], held_back: 0.0, ..spec() }, &huge),
        "the loss is no number in epoch 1 at rate 0.003; a smaller rate may help"
    );
}
