//! Tests of networks with policy and value: outputs computed on paper, batches against single
//! states, and the rejection of invalid layers.

use super::*;
use crate::learn::network::Layer;
use crate::random::Rng;

/// Returns a network of three features, a hidden layer of two units and four actions, whose outputs
/// are computed on paper in `a_network_gives_the_outputs_computed_on_paper`.
pub(super) fn paper_network() -> PolicyValueNetwork {
    let layer = |inputs, outputs, weights: &[f32], biases: &[f32]| Layer {
        inputs,
        outputs,
        weights: weights.to_vec(),
        biases: biases.to_vec(),
    };
    PolicyValueNetwork::new(&PolicyValueLayers {
        trunk: vec![
            layer(3, 2, &[1.0, 2.0, -4.0, 0.5, -1.0, 0.25], &[0.5, 0.0]),
            layer(2, 2, &[1.0, 1.0, -1.0, 2.0], &[0.0, 1.0]),
        ],
        value: layer(2, 3, &[1.0, 0.0, 0.0, 1.0, -0.5, 0.0], &[0.0, 0.0, 0.25]),
        policy: layer(2, 4, &[1.0, 0.0, 0.0, 1.0, 2.0, -1.0, 0.0, 0.0], &[0.0, 1.0, 0.0, -1.0]),
    })
    .unwrap()
}

pub(super) fn random_network(
    features: usize,
    hidden: &[usize],
    actions: usize,
    rng: &mut Rng,
) -> PolicyValueNetwork {
    let mut layer = |inputs: usize, outputs: usize| {
        let mut draw = |n: usize| (0..n).map(|_| rng.unit() as f32 - 0.45).collect();
        Layer { inputs, outputs, weights: draw(inputs * outputs), biases: draw(outputs) }
    };
    let widths: Vec<usize> = [features].iter().chain(hidden).copied().collect();
    let trunk = widths.windows(2).map(|pair| layer(pair[0], pair[1])).collect();
    let last = hidden[hidden.len() - 1];
    let layers = PolicyValueLayers { trunk, value: layer(last, 3), policy: layer(last, actions) };
    PolicyValueNetwork::new(&layers).unwrap()
}

#[test]
fn a_network_gives_the_outputs_computed_on_paper() {
    let network = paper_network();
    assert_eq!((network.features(), network.actions(), network.hidden()), (3, 4, vec![2, 2]));
    // Features 0 and 1. First layer: 1 + 2 + 0.5 = 3.5 and 0.5 − 1 = −0.5, after ReLU 3.5 and 0.
    // Second layer: 3.5 and 1 − 3.5 = −2.5, after ReLU 3.5 and 0. Logits of the value: 3.5, 0 and
    // 0.25 − 1.75 = −1.5. Logits of the policy: 3.5, 1, 7, −1.
    let mut batch = PolicyValueBatch::default();
    batch.push(&[0, 1], &[0, 1, 2, 3]);
    // Feature 2: 0.5 − 4 = −3.5 and 0.25, after ReLU 0 and 0.25; then 0.25 and 1.5. Logits of the
    // value: 0.25, 1.5 and 0.25 − 0.125; of actions 3 and 2: −1 and 0.5 − 1.5 = −1.
    batch.push(&[2], &[3, 2]);
    // No feature: 0.5 and 0; then 0.5 and 0.5. Logits of the value: 0.5, 0.5, 0.
    batch.push(&[], &[]);
    network.evaluate_batch(&mut batch);
    assert_eq!(batch.logits(0), [3.5, 1.0, 7.0, -1.0]);
    assert_eq!((batch.logits(1), batch.priors(1)), (&[-1.0, -1.0][..], &[0.5, 0.5][..]));
    assert!(batch.priors(2).is_empty());
    let close = |found: f32, exact: f64| {
        assert!((f64::from(found) - exact).abs() < 1e-6, "{found} instead of {exact}");
    };
    let logits = [[3.5, 0.0, -1.5], [0.25, 1.5, 0.125], [0.5, 0.5, 0.0_f64]];
    for (index, logits) in logits.into_iter().enumerate() {
        let [win, draw, loss] = logits.map(f64::exp);
        let (sum, found) = (win + draw + loss, batch.value(index));
        close(found.win, win / sum);
        close(found.draw, draw / sum);
        close(found.loss, loss / sum);
        close(found.expected_result(), (win - loss) / sum);
    }
    // The softmax is over the legal actions alone: 1/(1 + e^−3.5) without action 0.
    let mut priors = [0.0; 2];
    network.evaluate(&[0, 1], &[2, 0], &mut PolicyValueScratch::default(), &mut priors);
    close(priors[0], 1.0 / (1.0 + (-3.5_f64).exp()));
}

#[test]
fn batches_of_any_size_and_single_states_agree_bit_for_bit() {
    let mut rng = Rng::new(11);
    let shapes: [(usize, &[usize], usize); 4] =
        [(84, &[128, 64], 7), (84, &[256, 64, 32], 7), (1000, &[40, 17], 1024), (5, &[3], 2)];
    let mut scratch = PolicyValueScratch::default();
    for (features, hidden, actions) in shapes {
        let network = random_network(features, hidden, actions, &mut rng);
        let mut draw = |below: usize, share: usize| -> Vec<u32> {
            (0..below as u32).filter(|_| rng.below(share) == 0).collect()
        };
        let states: Vec<_> = (0..61).map(|_| (draw(features, 4), draw(actions, 3))).collect();
        for size in [1, 2, 5, 8, 24, 25, 61] {
            let mut batch = PolicyValueBatch::default();
            for states in states.chunks(size) {
                batch.clear();
                for (at, (features, legal)) in states.iter().enumerate() {
                    assert_eq!(batch.push(features, legal), at);
                }
                network.evaluate_batch(&mut batch);
                for (at, (features, legal)) in states.iter().enumerate() {
                    let mut priors = vec![0.0; legal.len()];
                    let value = network.evaluate(features, legal, &mut scratch, &mut priors);
                    assert_eq!((batch.value(at), batch.priors(at)), (value, &priors[..]));
                    assert_eq!(network.value(features, &mut scratch), value);
                }
            }
        }
    }
}

#[test]
fn invalid_layers_are_rejected() {
    let layers = paper_network().layers();
    let message = |change: fn(&mut PolicyValueLayers)| {
        let mut changed = layers.clone();
        change(&mut changed);
        PolicyValueNetwork::new(&changed).unwrap_err().to_string()
    };
    assert_eq!(PolicyValueNetwork::new(&layers).unwrap(), paper_network());
    assert_eq!(message(|l| l.trunk.clear()), "a network of 0 layers; from 1 to 64 are allowed");
    assert_eq!(message(|l| l.trunk[1].biases.clear()), "layer 2 has 0 biases; its shape needs 2");
    assert_eq!(
        message(|l| l.trunk[0] = l.value.clone()),
        "layer 2 has 2 inputs, but the previous layer has 3 outputs"
    );
    assert_eq!(
        message(|l| l.value = l.policy.clone()),
        "the value head has 4 outputs; 3 are needed, for win, draw and loss"
    );
    assert_eq!(
        message(|l| l.policy.weights[2] = f32::NAN),
        "weight 3 of the policy head is NaN; finite numbers are allowed"
    );
    assert_eq!(
        message(|l| l.policy.inputs = 1 << 20),
        "the policy head has 1048576 inputs; from 1 to 65536 are allowed"
    );
}
