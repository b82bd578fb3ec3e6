//! The same seed gives the same search, and threads lose no simulation.

use ludion::game::Game;
use ludion::games::connect4::Connect4;
use ludion::player::Player;
use ludion::players::mcts::{MctsPlayer, ParallelMode};

use super::*;

#[test]
fn the_same_seed_gives_the_same_choice() {
    let g = Connect4::STANDARD;
    // A shared tree depends on the timing of threads; the other modes do not.
    for options in [PLAIN, on_threads(3, ParallelMode::Root), on_threads(3, ParallelMode::Leaf)] {
        let play = |seed| {
            let mut player = MctsPlayer::new(options, None);
            player.begin(seed);
            let first = choose(&mut player, &g, &g.start(), 20_000);
            let s = after(&g, &after(&g, &g.start(), first.best), 3);
            (without_time(first), without_time(choose(&mut player, &g, &s, 5000)))
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }
}

#[test]
fn one_thread_does_the_same_in_every_mode() {
    let g = Connect4::STANDARD;
    let play = |way| {
        let mut player = MctsPlayer::new(on_threads(1, way), None);
        player.begin(3);
        let first = without_time(choose(&mut player, &g, &g.start(), 20_000));
        let s = after(&g, &after(&g, &g.start(), first.best), 2);
        (first, without_time(choose(&mut player, &g, &s, 5000)))
    };
    assert_eq!(play(ParallelMode::Tree), play(ParallelMode::Root));
    assert_eq!(play(ParallelMode::Tree), play(ParallelMode::Leaf));
}

#[test]
fn every_simulation_is_counted_once_on_any_number_of_threads() {
    let g = Connect4::STANDARD;
    for way in MODES {
        for threads in [1, 2, 3, 8] {
            let mut player = MctsPlayer::new(on_threads(threads, way), None);
            let choice = choose(&mut player, &g, &g.start(), 10_001);
            let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
            assert_eq!((choice.simulations, visits), (10_001, 10_001), "{way:?} on {threads}");
        }
    }
}
