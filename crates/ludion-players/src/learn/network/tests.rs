//! Tests of networks: results agree with the definition, and invalid layers are rejected.

use super::super::linear::SimdLevel;
use super::*;
use crate::random::Rng;

fn random_network(widths: &[usize], rng: &mut Rng) -> Network {
    let mut draw = |n: usize| (0..n).map(|_| rng.unit() as f32 - 0.45).collect::<Vec<_>>();
    let layers: Vec<Layer> = widths
        .windows(2)
        .map(|w| Layer {
            inputs: w[0],
            outputs: w[1],
            weights: draw(w[0] * w[1]),
            biases: draw(w[1]),
        })
        .collect();
    Network::new(&layers).unwrap()
}

fn bit(bits: &[u64], i: usize) -> f32 {
    (bits[i / 64] >> (i % 64) & 1) as f32
}

/// Computes the network's output by definition, in double precision.
fn naive(network: &Network, bits: &[u64]) -> f64 {
    let mut current: Vec<f64> = (0..network.inputs()).map(|i| bit(bits, i).into()).collect();
    let layers = network.layers();
    for (number, layer) in layers.iter().enumerate() {
        let rows = layer.weights.chunks(layer.inputs).zip(&layer.biases);
        let sum = |(row, &bias): (&[f32], &f32)| {
            let products = row.iter().zip(&current).map(|(&w, x)| f64::from(w) * x);
            f64::from(bias) + products.sum::<f64>()
        };
        let sums = rows.map(sum);
        let last = number + 1 == layers.len();
        current = sums.map(|y| if last { y } else { y.max(0.0) }).collect();
    }
    current[0]
}

#[test]
fn bits_batches_and_all_instruction_sets_agree_bit_for_bit_and_with_the_definition() {
    let mut rng = Rng::new(5);
    let shapes: [&[usize]; 6] = [
        &[64, 64, 64, 32, 16, 1],
        &[128, 1],
        &[7, 3, 2],
        &[100, 200, 17, 3],
        &[1, 1, 1],
        &[1000, 40, 8, 1],
    ];
    for widths in shapes {
        let network = random_network(widths, &mut rng);
        assert_eq!(network.widths(), widths);
        for _ in 0..20 {
            let mut bits = vec![0; widths[0].div_ceil(64)];
            for word in &mut bits {
                *word = rng.bits() & rng.bits();
            }
            *bits.last_mut().unwrap() &= u64::MAX >> (widths[0].wrapping_neg() % 64);
            let value = network.value(&bits);
            let expected = naive(&network, &bits);
            assert!((f64::from(value) - expected).abs() <= 1e-5 * expected.abs().max(1.0));
            let mut row = Matrix::zeros(1, network.inputs());
            for (i, x) in row.row_mut(0)[..widths[0]].iter_mut().enumerate() {
                *x = bit(&bits, i);
            }
            assert_eq!(network.forward(&row).row(0)[0].to_bits(), value.to_bits());
            for width in SimdLevel::ALL.into_iter().filter(|width| width.is_supported()) {
                let mut memory = [[FloatBlock::default(); 16]; 2];
                let [current, other] = &mut memory;
                let found =
                    width.run(ForwardPass { network: &network, bits: &bits, current, other });
                assert_eq!(found.to_bits(), value.to_bits(), "{widths:?} with {width:?}");
            }
        }
    }
}

#[test]
fn invalid_layers_are_rejected() {
    let layer = |inputs, outputs, weights| Layer {
        inputs,
        outputs,
        weights: vec![1.0; weights],
        biases: vec![0.0; outputs],
    };
    let message = |layers: &[Layer]| Network::new(layers).unwrap_err().to_string();
    assert_eq!(message(&[]), "a network of 0 layers; from 1 to 64 are allowed");
    assert_eq!(message(&[layer(0, 1, 0)]), "layer 1 has 0 inputs; from 1 to 65536 are allowed");
    assert_eq!(message(&[layer(2, 2, 3)]), "layer 1 has 3 weights; its shape needs 4");
    assert_eq!(
        message(&[layer(2, 2, 4), layer(3, 1, 3)]),
        "layer 2 has 3 inputs, but the previous layer has 2 outputs"
    );
    let mut odd = layer(2, 2, 4);
    odd.weights[2] = f32::NAN;
    assert_eq!(message(&[odd]), "weight 3 of layer 1 is NaN; finite numbers are allowed");
}
