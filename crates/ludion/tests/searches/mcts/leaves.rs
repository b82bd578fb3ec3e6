//! Leaves valued by an evaluator, and exploration that grows with the simulations of a move.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ludion::evaluator::{Evaluator, WIN};
use ludion::game::Game;
use ludion::games::connect4::{Connect4, Connect4State};
use ludion::games::matches::{Matches, Mod4Evaluator};
use ludion::player::{Budget, Choice, MoveRequest, NoObserver, Player};
use ludion::players::mcts::{
    EvaluatorRole, GROWTH_FROM, MctsOptions, MctsPlayer, SelectionFormula,
};
use ludion::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};
use ludion::random::derive_seed;
use ludion::registry;

use super::*;

/// Gives every position the same value for the side to move.
struct Constant(i32);

impl Evaluator<Connect4> for Constant {
    fn value(&self, _g: &Connect4, _s: &Connect4State) -> i32 {
        self.0
    }
}

fn valued<G: Game<Outcome = Duel>>(
    options: MctsOptions,
    evaluator: impl Evaluator<G> + 'static,
) -> MctsPlayer<G> {
    MctsPlayer::with_evaluator(options, EvaluatorRole::Leaves(Arc::new(evaluator)))
}

#[test]
fn a_leaf_has_the_value_of_the_evaluator_for_the_side_to_move() {
    let g = Connect4::STANDARD;
    for value in [3000, -9999, 0] {
        for depth in [1, 2] {
            let mut player = valued(PLAIN, Constant(value));
            let budget = Budget { depth: Some(depth), ..sims(2000) };
            let choice = player.choose(&MoveRequest::new(&g, &g.start(), budget)).unwrap();
            // After one ply the opponent is to move, after two the side at the root.
            let expected = f64::from(if depth == 1 { -value } else { value }) / f64::from(WIN);
            // φ does not leave the first move while every visit of it is won.
            for found in choice.lines.iter().filter_map(|line| line.value) {
                assert!((found - expected).abs() < 0.04, "{value} {depth}: {found}");
            }
            let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
            assert_eq!((choice.simulations, visits), (2000, 2000));
        }
    }
}

#[test]
fn a_perfect_evaluator_finds_the_winning_move_in_every_mode() {
    let selections =
        [PLAIN.select, SelectionFormula::Ucb1 { c: 1.0 }, SelectionFormula::Puct { c: 2.0 }];
    for n in [18, 19, 20, 42] {
        let g = Matches { n, misere: true };
        for way in MODES {
            for (threads, select) in [1, 2, 3].into_iter().zip(selections) {
                let options = MctsOptions { select, ..on_threads(threads, way) };
                let choice = choose(&mut valued(options, Mod4Evaluator), &g, &g.start(), 300);
                assert_eq!(u16::from(choice.best), (n - 1) % 4, "{n} {way:?} {select:?}");
                assert!(choice.simulations <= 300);
            }
        }
    }
}

#[test]
fn evaluations_of_leaf_and_root_parallelism_are_repeatable_and_proofs_are_kept() {
    let g = Matches { n: 9, misere: true };
    for way in [ParallelMode::Root, ParallelMode::Leaf] {
        let ask = || {
            let mut player = valued(on_threads(3, way), Mod4Evaluator);
            without_time(choose(&mut player, &g, &g.start(), 5000))
        };
        let choice = ask();
        assert_eq!(choice, ask(), "{way:?}");
        for line in &choice.lines {
            let verdict = exact(&g, &after(&g, &g.start(), line.play), Side::First);
            assert_eq!(line.proven.map(|proof| proof.verdict), Some(verdict), "{way:?}");
        }
    }
}

/// A policy without a network: values and priors from the number of features and the actions.
struct CountingPolicy;

impl PolicyEvaluator for CountingPolicy {
    fn evaluate(&self, batch: &EncodedBatch, out: &mut PolicyOutputs) {
        for i in 0..batch.len() {
            let actions = batch.actions(i);
            let sum: u32 = actions.iter().map(|action| 1 + action).sum();
            out.values.push((batch.features(i).iter().sum::<u32>() % 7) as f32 / 7.0 - 0.4);
            out.priors.extend(actions.iter().map(|action| (1 + action) as f32 / sum as f32));
        }
    }
}

impl Evaluator<Connect4> for CountingPolicy {
    fn value(&self, _g: &Connect4, _s: &Connect4State) -> i32 {
        0
    }

    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        Some(self)
    }
}

#[test]
fn leaves_with_a_policy_are_divided_between_threads_without_another_result() {
    let g = Connect4::STANDARD;
    let select = SelectionFormula::Puct { c: 1.0 };
    let search = |threads, way| {
        let options = MctsOptions { select, max_wave: 32, ..on_threads(threads, way) };
        let mut player = valued(options, CountingPolicy);
        let first = choose(&mut player, &g, &g.start(), 3000);
        let s = after(&g, &after(&g, &g.start(), first.best), 3);
        (without_time(first), without_time(choose(&mut player, &g, &s, 1000)))
    };
    let alone = search(1, ParallelMode::Tree);
    for threads in [2, 3, 8] {
        assert_eq!(search(threads, ParallelMode::Leaf), alone, "{threads}");
    }
}

/// Returns the choice of a player at the start of Connect Four, without its time.
fn opening(spec: &str, simulations: u64, seed: u64) -> Choice<String> {
    let game = registry::standard().game("connect4").unwrap();
    let mut player = game.player(spec).unwrap();
    player.begin(derive_seed(seed, &[0, 0]));
    let choice = player.choose(&*game.start(), sims(simulations), &NoObserver).unwrap();
    Choice { time: Duration::ZERO, ..choice }
}

#[test]
fn the_parameter_eval_says_what_values_leaves() {
    let plain = opening("mcts", 2000, 1);
    assert_eq!(opening("mcts(eval=none)", 2000, 1), plain);
    assert_eq!(opening("mcts(eval=auto)", 2000, 1), plain);
    let by_name = opening("mcts(eval=threats)", 2000, 1);
    assert_ne!(by_name, plain);
    assert_eq!(opening("mcts(eval=own)", 2000, 1), by_name);
    let game = |name: &str| registry::standard().game(name).unwrap();
    let error = |name: &str, spec: &str| game(name).player(spec).err().unwrap().to_string();
    for spec in ["mcts(eval=rubbish)", "mcts(prior, eval=rubbish)"] {
        assert_eq!(
            error("connect4", spec),
            "mcts: eval = rubbish is not allowed; eval is auto, none, own, playouts(sims), net(model), \
             mlp(model), patterns(model), threats"
        );
    }
    assert!(
        error("connect4", "mcts(eval=patterns(nofile))").starts_with("patterns: model = nofile")
    );
    assert!(error("dice", "mcts(eval=own)").contains("eval is auto, none, playouts(sims)"));
    assert_eq!(
        error("connect4", "mcts(prior, eval=none)"),
        "mcts: prior needs an evaluator, and eval is none"
    );
    assert_eq!(error("connect4", "mcts(a=3)"), "mcts: a = 3 has no effect unless select is phi");
}

#[test]
fn exploration_grows_only_in_large_trees() {
    for select in ["puct", "ucb1"] {
        let [grown, plain] = ["", ", growth=0"].map(|more| format!("mcts(select={select}{more})"));
        for (simulations, seed) in [(1000, 1), (10_000, 2), (GROWTH_FROM, 3)] {
            assert_eq!(opening(&grown, simulations, seed), opening(&plain, simulations, seed));
        }
        let large = 3 * GROWTH_FROM;
        assert_ne!(opening(&grown, large, 1).lines, opening(&plain, large, 1).lines);
    }
}

#[test]
fn a_million_simulations_open_connect_four_in_the_centre() {
    assert_eq!(opening("mcts", 1_000_000, 1).best, "4");
}

/// Plays the first plies of a game against itself with kept trees and returns its moves.
fn play_itself(spec: &str, simulations: u64, plies: usize) -> Vec<String> {
    let game = registry::standard().game("connect4").unwrap();
    let mut players = [0, 1].map(|seat| {
        let mut player = game.player(spec).unwrap();
        player.begin(seat);
        player
    });
    let (mut position, mut moves) = (game.start(), Vec::new());
    while moves.len() < plies
        && let ludion::game::Status::Turn(side) = position.status()
    {
        let choice = players[side.index()].choose(&*position, sims(simulations), &NoObserver);
        moves.push(choice.unwrap().best);
        position.play(moves.last().unwrap()).unwrap();
    }
    moves
}

/// Trees are kept between moves, and have more visits than a move has simulations.
#[test]
fn games_of_up_to_100_000_simulations_a_move_are_the_same_without_growth() {
    for (select, simulations, plies) in [
        ("puct", 1000, 42),
        ("ucb1", 1000, 42),
        ("puct", 10_000, 42),
        ("puct", GROWTH_FROM, 8),
        ("ucb1", GROWTH_FROM, 2),
    ] {
        let [grown, plain] = ["", ", growth=0"]
            .map(|more| play_itself(&format!("mcts(select={select}{more})"), simulations, plies));
        assert_eq!(grown, plain, "{select}, {simulations} simulations");
    }
}

#[test]
#[ignore = "takes minutes"]
fn millions_of_simulations_open_connect_four_in_the_centre_from_ten_seeds() {
    for select in ["puct", "ucb1"] {
        for simulations in [1_000_000, 3_000_000] {
            for seed in 1..=10 {
                let choice = opening(&format!("mcts(select={select})"), simulations, seed);
                assert_eq!(choice.best, "4", "{select}, {simulations} simulations, seed {seed}");
            }
        }
    }
}
