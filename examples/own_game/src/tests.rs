//! Tests: the laws that every game must keep, known facts about Chomp, and its parts by name.

use std::sync::atomic::AtomicBool;

use std::sync::Arc;

use ludion::arena::pair::{GameSettings, PairId};
use ludion::assets::Assets;
use ludion::learn::patterns::{LearningOptions, PatternTrainingOptions, SelfPlayGame};
use ludion::player::Budget;
use ludion::search::census::census;

use super::*;

fn chomp(cols: usize, rows: usize, passes: u8) -> Chomp {
    Chomp { cols, rows, passes }
}

/// Returns the winner from `s` under perfect play by both sides.
fn winner(g: &Chomp, s: &ChompState) -> Duel {
    census(g, s, 1_000_000).unwrap().perfect
}

/// Returns the first moves that win under perfect play, in notation.
fn winning(g: &Chomp) -> Vec<String> {
    let (start, mut moves) = (g.start(), Vec::new());
    g.moves(&start, &mut moves);
    moves.retain(|&m| winner(g, &g.after(&start, m)) == Duel::Won(Side::First));
    moves.into_iter().map(|m| g.show_move(&start, m)).collect()
}

/// Returns the mean score, from 0 to 1, of the first player over 30 pairs of games with seats
/// swapped.
fn score(registry: &Registry, game: &str, players: [&str; 2]) -> f64 {
    let mut referee = registry.game(game).unwrap().referee(&players.map(str::to_owned)).unwrap();
    let terms = GameSettings { budget: Budget::UNLIMITED, opening: 1, longest: 200, seed: 1 };
    let play = |number| referee.play_pair(&terms, PairId { players: [0, 1], number }, false);
    let games: Vec<_> = (0..30).flat_map(play).collect();
    games.iter().map(|game| game.score(0)).sum::<f64>() / games.len() as f64
}

#[test]
fn the_laws_of_games_hold() {
    for example in Chomp::EXAMPLES {
        let game = registry().game(example).unwrap();
        game.check_laws(200, 1).unwrap_or_else(|broken| panic!("{example}: {broken}"));
    }
}

#[test]
fn the_first_side_wins_every_bar_but_the_single_square_also_with_passes() {
    for (cols, rows) in (1..=4).flat_map(|cols| (1..=4).map(move |rows| (cols, rows))) {
        for g in [chomp(cols, rows, 0), chomp(cols, rows, 1)] {
            let expected = if cols * rows == 1 { Side::Second } else { Side::First };
            assert_eq!(winner(&g, &g.start()), Duel::Won(expected), "{cols}×{rows}");
        }
    }
}

#[test]
fn squares_and_double_rows_are_won_by_one_bite_only() {
    for n in 2..=4 {
        assert_eq!(winning(&chomp(n, n, 0)), ["b2"], "{n}×{n}");
        assert_eq!(winning(&chomp(n, n, 1)), ["b2"], "{n}×{n} with a pass");
    }
    for (cols, corner) in [(2, "b2"), (3, "c2"), (5, "e2"), (8, "h2")] {
        assert_eq!(winning(&chomp(cols, 2, 0)), [corner], "{cols}×2");
    }
}

#[test]
fn a_side_passes_as_often_as_it_may_and_not_when_only_the_poison_is_left() {
    let game = registry().game("chomp(2, 1)").unwrap();
    let mut position = game.start();
    assert_eq!(position.moves(), ["a1", "b1", "pass"]);
    position.play_line("pass pass").unwrap();
    assert_eq!((position.show().as_str(), position.moves().len()), ("## first 0 0", 2));
    let alone = game.read("#. second 1 1").unwrap();
    assert_eq!(alone.moves(), ["a1"]);
}

#[test]
fn states_that_cannot_occur_are_refused() {
    let g = chomp(3, 2, 1);
    for text in [
        "###/##. first 1 1",
        "#.#/### first 1 1",
        "###/### third 1 1",
        "##/### first 1 1",
        "###/### first 2 1",
        "###/### first",
    ] {
        assert!(g.read_state(text).is_err(), "{text}");
    }
    assert_eq!(g.read_state("###/### first 1 1").unwrap(), g.start());
}

#[test]
fn the_evaluator_and_the_player_of_the_game_are_known_by_name() {
    let registry = registry();
    let wide = "chomp(8, 2)";
    assert!(score(&registry, wide, ["theory", "random"]) > 0.9);
    let players = ["alphabeta(2, eval=theory)", "alphabeta(2)"];
    assert!(score(&registry, wide, players) > 0.6);
    // `own` is the game's best evaluator, which `deepening` uses by default.
    assert!(registry.game("chomp").unwrap().player("alphabeta(eval=own)").is_ok());
    assert!(registry.game("tictactoe").unwrap().player("theory").is_err());
}

#[test]
fn the_player_for_all_games_beats_random_moves() {
    for game in ["chomp", "tictactoe", "connect4"] {
        let score = score(&registry(), game, ["careful", "random"]);
        assert!(score > 0.6, "{game}: {score}");
    }
    assert!(registry().game("hextris").unwrap().player("careful").is_ok());
}

#[test]
fn patterns_are_learned_by_self_play_and_used_by_name() {
    let terms = LearningOptions {
        phases: 2,
        depth: 2,
        nodes: None,
        opening: 2,
        longest: 100,
        training: PatternTrainingOptions::DEFAULT,
    };
    let learner = registry().game("chomp(4, 3)").unwrap().learner().unwrap();
    let mut model = learner.blank(terms.phases);
    let mut play = learner.self_play(&model, &terms, 1);
    let stop = AtomicBool::new(false);
    let games: Vec<SelfPlayGame> =
        (0..200).map(|n| play(n, &stop).expect("nothing stops the game")).collect();
    learner.train(&mut model, &mut games.iter(), &terms.training, 1).unwrap();
    assert!(!model.is_blank());
    let bytes = model.write();
    let registry = registry().with_assets(Assets::new(move |_| Ok(Arc::new(bytes.clone()))));
    let players = ["alphabeta(1, eval=patterns(model))", "random"];
    assert!(score(&registry, "chomp(4, 3)", players) > 0.5);
}
