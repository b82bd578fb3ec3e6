//! Every registered game keeps the laws of games, in each of its example variants.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ludion::registry::Registry;

#[test]
fn every_registered_game_keeps_the_laws() {
    for entry in Registry::standard().games() {
        assert!(!entry.examples.is_empty(), "{} has no example", entry.name);
        for example in entry.examples {
            let game = Registry::standard().game(example).unwrap();
            let states =
                game.check_laws(60, 2024).unwrap_or_else(|broken| panic!("{example}: {broken}"));
            assert!(states > 1, "{example}: only {states} state was reached");
        }
    }
}
