//! Measures networks with policy and value on states like those of Connect Four (84 features, about
//! 20 of them active, 7 actions): the time of an evaluation, and the samples per second of training,
//! on one thread, the fastest of several rounds.
//!
//! `cargo run --release -p ludion-train --example policy_value_speed`

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludion::learn::policy_value::{PolicyValueBatch, PolicyValueNetwork, PolicyValueScratch};
use ludion::random::Rng;
use ludion_train::policy_value::{
    PolicyValueOptions, PolicyValueSamples, PolicyValueShape, PolicyValueTrainer,
};

const ACTIONS: [u32; 7] = [0, 1, 2, 3, 4, 5, 6];
/// The number of states of a round, small enough that other programs seldom interrupt it.
const STATES: usize = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = Rng::new(1);
    let states: Vec<Vec<u32>> = (0..STATES).map(|_| random_state(&mut rng)).collect();
    let mut samples = PolicyValueSamples::new(84, 7);
    for features in &states {
        let policy = ACTIONS.map(|action| (action, rng.unit() as f32));
        samples.push(features, &policy, [rng.unit() as f32, 0.1, 0.5], 1.0)?;
    }
    for hidden in [vec![128, 64], vec![256, 64], vec![256, 64, 32]] {
        let shape = PolicyValueShape { features: 84, actions: 7, hidden, active: 20 };
        let network = shape.random_network(1)?;
        println!("84-{:?}-7: one state {:.2} µs", shape.hidden, single(&network, &states));
        for size in [8, 32, 256] {
            println!("  batches of {size}: {:.2} µs a state", batches(&network, &states, size));
        }
        for batch in [256, 512] {
            let options = PolicyValueOptions { batch, ..PolicyValueOptions::default() };
            let mut trainer = PolicyValueTrainer::new(&network, options)?;
            let mut order = 0;
            let seconds = fastest(100, || {
                order += 1;
                black_box(trainer.train_epoch(&samples, order, &AtomicBool::new(false)).is_ok());
            });
            let rate = samples.len() as f64 / seconds;
            println!("  training in batches of {batch}: {rate:.0} samples a second");
        }
    }
    Ok(())
}

/// Returns the active features of a random board: each cell has a stone with probability 20/42.
fn random_state(rng: &mut Rng) -> Vec<u32> {
    let mut features = Vec::new();
    for cell in 0..42 {
        if rng.below(42) < 20 {
            features.push(2 * cell + rng.below(2) as u32);
        }
    }
    features
}

/// Returns the seconds of the fastest of some rounds.
fn fastest(rounds: usize, mut round: impl FnMut()) -> f64 {
    let seconds = (0..rounds).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}

/// Returns the microseconds for one state, evaluated alone.
fn single(network: &PolicyValueNetwork, states: &[Vec<u32>]) -> f64 {
    let (mut scratch, mut priors) = (PolicyValueScratch::default(), [0.0; 7]);
    let seconds = fastest(50, || {
        for features in states {
            black_box(network.evaluate(features, &ACTIONS, &mut scratch, &mut priors));
        }
    });
    seconds * 1e6 / states.len() as f64
}

/// Returns the microseconds for one state, evaluated in batches of this size, with the time to fill
/// them.
fn batches(network: &PolicyValueNetwork, states: &[Vec<u32>], size: usize) -> f64 {
    let mut batch = PolicyValueBatch::default();
    let seconds = fastest(50, || {
        for states in states.chunks(size) {
            batch.clear();
            for features in states {
                batch.push(features, &ACTIONS);
            }
            network.evaluate_batch(&mut batch);
            black_box(batch.value(0));
        }
    });
    seconds * 1e6 / states.len() as f64
}
