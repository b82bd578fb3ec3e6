use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::evaluator::Evaluator;
use crate::game::{Game, Side};
use crate::learn::network::Layer;
use crate::learn::policy_value::{
    NetworkEvaluator, NetworkInputs, PolicyValueLayers, PolicyValueNetwork,
};
use crate::outcome::Duel;
use crate::player::{Budget, MoveRequest, Player};
use crate::players::mcts::{
    EvaluatorRole, FinalMoveRule, MctsOptions, MctsPlayer, ParallelMode, SelectionFormula,
};
use crate::random::Rng;
use crate::search::solve::solve;
use crate::solution::SolveLimits;
use ludion::games::connect4::Connect4;
use ludion::games::tictactoe::TicTacToe;

/// Returns a network of the right sizes with small random weights.
fn random_network<G: Game>(g: &G, seed: u64) -> NetworkEvaluator {
    let shape = g.encoding();
    let inputs = NetworkInputs::new(shape, "lines3".parse().unwrap());
    let mut rng = Rng::new(seed);
    let mut layer = |inputs: usize, outputs: usize| Layer {
        inputs,
        outputs,
        weights: (0..inputs * outputs).map(|_| (rng.unit() - 0.5) as f32 * 0.6).collect(),
        biases: vec![0.0; outputs],
    };
    let network = PolicyValueNetwork::new(&PolicyValueLayers {
        trunk: vec![layer(inputs.count(), 16)],
        value: layer(16, 3),
        policy: layer(16, shape.actions),
    });
    NetworkEvaluator::new(Arc::new(network.unwrap()), Arc::new(inputs))
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn a_game_depends_on_its_number_alone() {
    let g = Connect4::STANDARD;
    let network = random_network(&g, 1);
    let player = SelfPlayer::new(&g, &network, SelfPlayOptions::DEFAULT, 7);
    let together = player.play(0..40, &NEVER).unwrap();
    let alone: Vec<SelfPlayRecord> =
        (0..40).map(|number| player.play(number..number + 1, &NEVER).unwrap().remove(0)).collect();
    assert_eq!(together, alone);
    assert_eq!(player.play(0..40, &AtomicBool::new(true)), None);
}

#[test]
fn records_come_back_from_bytes_and_cut_ones_are_refused() {
    let g = Connect4::STANDARD;
    let network = random_network(&g, 2);
    let player = SelfPlayer::new(&g, &network, SelfPlayOptions::DEFAULT, 3);
    for record in player.play(0..20, &NEVER).unwrap() {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let mut rest = bytes.as_slice();
        let back = SelfPlayRecord::take(&mut rest).unwrap();
        assert!(rest.is_empty());
        assert_eq!((&back.moves, back.end), (&record.moves, record.end));
        assert_eq!(back.resignation, record.resignation);
        for (a, b) in back.searched.iter().zip(&record.searched) {
            assert_eq!(a.ply, b.ply);
            assert!(a.policy.iter().zip(&b.policy).all(|(a, b)| (a - b).abs() < 1e-4));
            assert!((a.value.draw - b.value.draw).abs() < 3e-4);
        }
        assert!(SelfPlayRecord::take(&mut &bytes[..bytes.len() - 1]).is_err());
    }
}

/// A search with many simulations proves tic-tac-toe, so games without random moves are drawn and
/// every target is exact.
#[test]
fn proven_games_have_exact_results_and_targets() {
    let g = TicTacToe;
    let network = random_network(&g, 4);
    let options = SelfPlayOptions {
        full_sims: 20_000,
        full_share: 1.0,
        long_openings: 0.0,
        short_opening: 0,
        ..SelfPlayOptions::DEFAULT
    };
    let player = SelfPlayer::new(&g, &network, options, 5);
    for record in player.play(0..3, &NEVER).unwrap() {
        assert_eq!(record.end, Duel::Drawn);
        let last = record.searched.last().unwrap();
        assert_eq!(last.value.draw, 1.0);
    }
}

#[test]
fn samples_of_symmetric_states_have_symmetric_targets() {
    let g = Connect4::STANDARD;
    let network = random_network(&g, 6);
    let player = SelfPlayer::new(&g, &network, SelfPlayOptions::DEFAULT, 8);
    let records = player.play(0..10, &NEVER).unwrap();
    let mut samples = Vec::new();
    for record in &records {
        for_each_sample(&g, network.inputs(), record, 0.5, &mut |sample| {
            samples.push((sample.policy.to_vec(), sample.value.expected_result()));
        })
        .unwrap();
    }
    let searched: usize = records.iter().map(|record| record.searched.len()).sum();
    assert_eq!(samples.len(), 2 * searched);
    for pair in samples.chunks(2) {
        let mirrored: Vec<(u32, f32)> = pair[0].0.iter().rev().map(|&(a, p)| (6 - a, p)).collect();
        assert_eq!(pair[1].0, mirrored);
        assert_eq!(pair[1].1, pair[0].1);
        let sum: f32 = pair[0].0.iter().map(|&(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-3);
    }
}

#[test]
fn illegal_records_are_refused() {
    let record = SelfPlayRecord { moves: vec![0, 99], ..SelfPlayRecord::default() };
    let network = random_network(&TicTacToe, 1);
    assert!(for_each_sample(&TicTacToe, network.inputs(), &record, 0.0, &mut |_| ()).is_err());
}

/// The search with a network proves what it has searched, so with enough simulations it keeps the
/// value of every position of tic-tac-toe, however bad the network is.
#[test]
fn mcts_with_an_untrained_network_keeps_every_value_of_tictactoe() {
    let g = TicTacToe;
    let evaluator = Arc::new(random_network(&g, 9));
    let (mut rng, mut moves) = (Rng::new(2), Vec::new());
    for game in 0..60 {
        let mut s = g.start();
        while g.status(&s).turn().is_some() {
            let request = MoveRequest::new(&g, &s, Budget::UNLIMITED);
            let solution = solve(&request, SolveLimits::default()).unwrap();
            let role = EvaluatorRole::Leaves(Arc::clone(&evaluator) as Arc<dyn Evaluator<_>>);
            let options = MctsOptions {
                sims: 3_000,
                select: SelectionFormula::Puct { c: 2.0 },
                growth: 0.0,
                final_move: FinalMoveRule::Proof,
                fresh: true,
                memory: 1 << 22,
                threads: NonZero::new(1).unwrap(),
                parallel: ParallelMode::Tree,
                max_wave: 8,
            };
            let choice = MctsPlayer::with_evaluator(options, role).choose(&request).unwrap();
            let line = solution.lines.iter().find(|line| line.play == choice.best).unwrap();
            let kept = line.proven.unwrap().verdict;
            assert_eq!(kept, solution.value.verdict, "{} {game}: {choice:?}", g.show_state(&s));
            moves.clear();
            g.moves(&s, &mut moves);
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }
}

/// Returns a network for Connect Four that is sure of a win of the first side: the first side is to
/// move when both have as many stones.
fn sure_network(g: &Connect4) -> NetworkEvaluator {
    let shape = g.encoding();
    let inputs = NetworkInputs::new(shape, "cells".parse().unwrap());
    let own_minus_other =
        (0..2 * shape.cells()).map(|i| if i < shape.cells() { 1.0 } else { -1.0 });
    let layer = |inputs: usize, weights: Vec<f32>, biases: Vec<f32>| Layer {
        inputs,
        outputs: biases.len(),
        weights,
        biases,
    };
    let network = PolicyValueNetwork::new(&PolicyValueLayers {
        // 1 if the first side is to move, otherwise 0.
        trunk: vec![layer(inputs.count(), own_minus_other.collect(), vec![1.0])],
        value: layer(1, vec![40.0, 0.0, -40.0], vec![-20.0, 0.0, 20.0]),
        policy: layer(1, vec![0.0; shape.actions], vec![0.0; shape.actions]),
    });
    NetworkEvaluator::new(Arc::new(network.unwrap()), Arc::new(inputs))
}

#[test]
fn hopeless_games_are_resigned_and_some_of_them_played_on() {
    let g = Connect4::STANDARD;
    let options = SelfPlayOptions {
        full_sims: 8,
        cheap_sims: 8,
        long_openings: 0.0,
        short_opening: 0,
        ..SelfPlayOptions::DEFAULT
    };
    let network = sure_network(&g);
    let play = |options| SelfPlayer::new(&g, &network, options, 5).play(0..300, &NEVER).unwrap();
    let records = play(options);
    let by = |played_on| Some(Resignation { side: Side::Second, played_on });
    let ended: Vec<_> = records.iter().filter(|r| r.resignation == by(false)).collect();
    // The second side resigns with its third move, or later if it sees a threat of its own.
    assert!(ended.iter().all(|r| r.moves.len() >= 6 && r.end == Duel::Won(Side::First)));
    assert!(ended.iter().filter(|r| r.moves.len() == 6).count() > 150);
    let played_on = records.iter().filter(|r| r.resignation == by(true));
    assert!(played_on.clone().all(|r| r.moves.len() >= 6));
    assert!((10..=60).contains(&played_on.count()) && ended.len() > 200);
    let without = play(SelfPlayOptions { resign: false, ..options });
    assert!(without.iter().all(|r| r.resignation.is_none()));
}
