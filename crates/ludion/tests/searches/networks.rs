//! Networks that come with games.

use ludion::games::connect4;
use ludion::learn::policy_value::PolicyValueModel;
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry::{self, AnyGame, AnyPosition};
use ludion::solution::SolveLimits;

/// Returns the position after this many random moves, or an earlier one if the game ends before.
fn random_position(game: &dyn AnyGame, plies: usize, rng: &mut Rng) -> Box<dyn AnyPosition> {
    let mut position = game.start();
    for _ in 0..plies {
        let before = position.copy();
        let moves = position.moves();
        position.play(&moves[rng.below(moves.len())]).unwrap();
        if position.moves().is_empty() {
            return before;
        }
    }
    position
}

/// Returns in how many of `count` random positions of 16 to 30 plies each player keeps the value.
fn kept<const N: usize>(specs: [&str; N], count: usize) -> [usize; N] {
    let game = registry::standard().game("connect4").unwrap();
    let mut players = specs.map(|spec| game.player(spec).unwrap());
    let (mut kept, mut rng) = ([0; N], Rng::new(5));
    for _ in 0..count {
        let plies = 16 + rng.below(15);
        let position = random_position(&*game, plies, &mut rng);
        let solution = position.solve(SolveLimits::default(), &NoObserver).unwrap();
        for (player, kept) in players.iter_mut().zip(&mut kept) {
            player.begin(0);
            let best = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap().best;
            let line = solution.lines.iter().find(|line| line.play == best).unwrap();
            *kept += usize::from(line.proven.unwrap().verdict == solution.value.verdict);
        }
    }
    kept
}

#[test]
fn the_network_of_connect_four_keeps_most_values_and_opens_in_the_centre() {
    let [alone, playouts, search] =
        kept(["policy", "mcts(sims=300)", "mcts(sims=300, eval=net)"], 150);
    assert!(alone >= 132, "{alone}");
    assert!(search >= 142 && search > playouts, "{search} {playouts}");
    let game = registry::standard().game("connect4").unwrap();
    for spec in ["policy", "mcts(sims=1000, eval=net)", "mcts(sims=30000, eval=net)"] {
        let mut player = game.player(spec).unwrap();
        let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
        assert_eq!(choice.best, "4", "{spec}");
    }
}

#[test]
fn bundled_networks_are_small_and_only_for_their_game() {
    assert!(connect4::learned::NETWORK.len() <= 300_000);
    let model = PolicyValueModel::from_bytes(connect4::learned::NETWORK).unwrap();
    assert_eq!((model.game(), &model.training()["seed"]), ("connect4", &1.into()));
    for (game, spec) in [("connect4(5, 4)", "policy"), ("tictactoe", "mcts(eval=net)")] {
        let error = registry::standard().game(game).unwrap().player(spec).err().unwrap();
        assert!(error.to_string().contains("no network comes with this game"), "{error}");
    }
}
