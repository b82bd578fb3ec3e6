//! Measures self-play of the network that comes with Connect Four on one thread: positions a second
//! when every move is searched with the same number of simulations, and the time that the network
//! alone takes for as many states. The fastest of several rounds counts.
//!
//! `cargo run --release -p ludion-train --example self_play_speed`

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludion::game::{Game, Status};
use ludion::games::connect4::{Connect4, learned};
use ludion::learn::policy_value::{
    NetworkEvaluator, NetworkInputs, PolicyValueBatch, PolicyValueModel,
};
use ludion::learn::self_play::{SelfPlayOptions, SelfPlayer};

const SIMULATIONS: u32 = 100;
/// The number of games of a round, all of them at the same time.
const GAMES: u64 = 64;
const ROUNDS: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Connect4::STANDARD;
    let model = PolicyValueModel::from_bytes(learned::NETWORK)?;
    let inputs = NetworkInputs::from_name(model.encoding(), game.encoding());
    let inputs = inputs.ok_or("the network has other inputs")?;
    let evaluator = NetworkEvaluator::new(Arc::new(model.network().clone()), Arc::new(inputs));
    let options = SelfPlayOptions {
        full_sims: SIMULATIONS,
        full_share: 1.0,
        resign: false,
        ..SelfPlayOptions::DEFAULT
    };
    let never = AtomicBool::new(false);
    let mut fastest = f64::INFINITY;
    let mut states = Vec::new();
    for seed in 0..ROUNDS {
        let player = SelfPlayer::new(&game, &evaluator, options, seed);
        let start = Instant::now();
        let records = player.play(0..GAMES, &never).ok_or("stopped")?;
        let seconds = start.elapsed().as_secs_f64();
        let searched: usize = records.iter().map(|record| record.searched.len()).sum();
        fastest = fastest.min(seconds / searched as f64);
        states.extend(records.iter().flat_map(|record| encoded_states(&game, &record.moves)));
    }
    let alone = network_seconds(&evaluator, &states);
    let most = alone * f64::from(SIMULATIONS + 1);
    println!("{SIMULATIONS} simulations a position: {:.0} positions a second", 1.0 / fastest);
    println!("the network alone: {:.2} µs a state, in batches of {GAMES}", alone * 1e6);
    println!(
        "that many evaluations alone: {:.0} positions a second at least; {:.0} % of the time",
        1.0 / most,
        100.0 * most / fastest
    );
    Ok(())
}

/// The features and the legal actions of a state.
type EncodedState = (Vec<u32>, Vec<u32>);

/// Returns all states of a game, encoded.
fn encoded_states(game: &Connect4, moves: &[u16]) -> Vec<EncodedState> {
    let (mut state, mut states) = (game.start(), Vec::new());
    for &index in moves {
        let Status::Turn(turn) = game.status(&state) else { break };
        let (mut legal, mut features, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        game.moves(&state, &mut legal);
        game.features(&state, turn, &mut features);
        game.actions(&state, &legal, &mut actions);
        states.push((features, actions));
        game.play(&mut state, legal[usize::from(index)]);
    }
    states
}

/// Returns the seconds for one state, evaluated in batches, with the time to make the inputs of the
/// network from the features.
fn network_seconds(evaluator: &NetworkEvaluator, states: &[EncodedState]) -> f64 {
    let mut batch = PolicyValueBatch::default();
    let (mut contents, mut active) = (Vec::new(), Vec::new());
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        for states in states.chunks(GAMES as usize) {
            batch.clear();
            for (features, actions) in states {
                evaluator.inputs().activate(features, &mut contents, &mut active);
                batch.push(&active, actions);
            }
            evaluator.network().evaluate_batch(&mut batch);
            black_box(batch.value(0));
        }
        start.elapsed().as_secs_f64() / states.len() as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}
