//! Tests of the gradient: against finite differences, and sparse against dense.

use ludion_players::learn::policy_value::{PolicyValueLayers, PolicyValueParameters};
use ludion_players::random::Rng;

use super::gradient::{GradientPass, LossSums};
use super::*;

const FEATURES: usize = 9;
const ACTIONS: usize = 6;
const SAMPLES: usize = 23;

/// Returns random samples; one in four has no target of the policy.
fn random_samples() -> PolicyValueSamples {
    let mut rng = Rng::new(8);
    let mut samples = PolicyValueSamples::new(FEATURES, ACTIONS);
    for i in 0..SAMPLES {
        let features: Vec<u32> = (0..FEATURES as u32).filter(|_| rng.below(3) == 0).collect();
        let legal = (0..ACTIONS as u32).filter(|_| i % 4 != 0 && rng.below(2) == 0);
        let legal: Vec<u32> = legal.collect();
        let policy: Vec<(u32, f32)> =
            legal.into_iter().map(|action| (action, rng.below(4) as f32 + 0.1)).collect();
        let wdl = [rng.unit() as f32, rng.unit() as f32, 0.0];
        samples.push(&features, &policy, wdl, 0.5 + rng.unit() as f32).unwrap();
    }
    samples
}

/// Returns the softmax cross-entropy by definition.
fn cross_entropy(logits: &[f64], targets: &[f32]) -> f64 {
    let sum: f64 = logits.iter().map(|z| z.exp()).sum();
    let terms = logits.iter().zip(targets);
    terms.map(|(z, &t)| -f64::from(t) * (z - sum.ln())).sum()
}

/// A layer in double precision: its inputs, weights and biases.
type DoubleLayer = (usize, Vec<f64>, Vec<f64>);

/// Returns all layers in double precision.
fn doubles(layers: &PolicyValueLayers) -> Vec<DoubleLayer> {
    let wide = |numbers: &[f32]| numbers.iter().map(|&x| f64::from(x)).collect();
    layers.iter().map(|l| (l.inputs, wide(&l.weights), wide(&l.biases))).collect()
}

/// Computes the loss of all samples by definition, in double precision.
fn naive_loss(layers: &[DoubleLayer], samples: &PolicyValueSamples, weights: [f64; 2]) -> f64 {
    let apply = |(inputs, w, b): &DoubleLayer, x: &[f64]| -> Vec<f64> {
        let rows = w.chunks(*inputs).zip(b);
        rows.map(|(row, b)| b + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>()).collect()
    };
    let (trunk, heads) = layers.split_at(layers.len() - 2);
    let each = (0..samples.len()).map(|index| {
        let sample = samples.get(index);
        let is_active = |feature| sample.features.contains(&(feature as u16));
        let mut x: Vec<f64> = (0..FEATURES).map(|f| f64::from(u8::from(is_active(f)))).collect();
        for layer in trunk {
            x = apply(layer, &x).into_iter().map(|y| y.max(0.0)).collect();
        }
        let policy = apply(&heads[1], &x);
        let legal: Vec<f64> = sample.actions.iter().map(|&a| policy[usize::from(a)]).collect();
        let losses = weights[0] * cross_entropy(&legal, sample.probabilities)
            + weights[1] * cross_entropy(&apply(&heads[0], &x), &sample.wdl);
        f64::from(sample.weight) * losses
    });
    each.sum::<f64>() / samples.len() as f64
}

#[test]
fn gradients_agree_with_finite_differences() {
    const STEP: f64 = 1e-6;
    let samples = random_samples();
    let hidden = vec![19, 17, 5];
    let shape = PolicyValueShape { features: FEATURES, actions: ACTIONS, hidden, active: 3 };
    let mut network = shape.random_network(4).unwrap().layers();
    // A sum of 0 is where ReLU has no derivative, so biases are not 0.
    let mut rng = Rng::new(6);
    for layer in network.iter_mut() {
        layer.biases.iter_mut().for_each(|b| *b = rng.unit() as f32 - 0.4);
    }
    // Heads as large as other layers have gradients that are large enough for the test.
    for layer in network.iter_mut().skip(3) {
        layer.weights.iter_mut().for_each(|w| *w *= 10.0);
    }
    let parameters = PolicyValueParameters::new(&network).unwrap();
    let options =
        PolicyValueOptions { policy_weight: 0.7, value_weight: 1.3, ..Default::default() };
    let mut pass = GradientPass::new(&parameters);
    let order: Vec<u32> = (0..SAMPLES as u32).collect();
    // The second run must not see anything of the first one.
    for batch in [&order[..7], &order] {
        pass.run(&parameters, &samples, batch, &options, &mut LossSums::default());
    }
    let found = doubles(&pass.gradient.layers());
    let mut layers = doubles(&network);
    let mut loss = |layer: usize, index: usize, step: f64| {
        let change = |layers: &mut Vec<DoubleLayer>, step: f64| {
            let (_, weights, biases) = &mut layers[layer];
            *weights.iter_mut().chain(biases).nth(index).unwrap() += step;
        };
        change(&mut layers, step);
        let loss = naive_loss(&layers, &samples, [0.7, 1.3]);
        change(&mut layers, -step);
        loss
    };
    let mut large = 0;
    for (layer, (_, weights, biases)) in found.iter().enumerate() {
        for (index, gradient) in weights.iter().chain(biases).enumerate() {
            let difference = (loss(layer, index, STEP) - loss(layer, index, -STEP)) / (2.0 * STEP);
            assert!((gradient - difference).abs() < 1e-5, "layer {layer}, parameter {index}");
            large += usize::from(difference.abs() > 1e-3);
        }
    }
    assert!(large > 200, "only {large} gradients are large enough for the test");
}

#[test]
fn losses_are_those_of_the_definition() {
    let samples = random_samples();
    let shape =
        PolicyValueShape { features: FEATURES, actions: ACTIONS, hidden: vec![8], active: 3 };
    let network = shape.random_network(5).unwrap();
    let layers = doubles(&network.layers());
    let mut trainer = PolicyValueTrainer::new(&network, PolicyValueOptions::default()).unwrap();
    let report = trainer.measure(&samples).unwrap();
    let weight = |with: fn(&PolicyValueSample<'_>) -> bool| -> f64 {
        let all = (0..SAMPLES).map(|index| samples.get(index)).filter(with);
        all.map(|sample| f64::from(sample.weight)).sum::<f64>() / SAMPLES as f64
    };
    let policy = naive_loss(&layers, &samples, [1.0, 0.0]) / weight(|s| !s.actions.is_empty());
    let value = naive_loss(&layers, &samples, [0.0, 1.0]) / weight(|_| true);
    assert!((report.policy - policy).abs() < 1e-6, "{report:?}, {policy}");
    assert!((report.value - value).abs() < 1e-6, "{report:?}, {value}");
    assert!(report.entropy > 0.1 && report.entropy < report.policy);
    assert_eq!(report.samples, SAMPLES as u64);
}
