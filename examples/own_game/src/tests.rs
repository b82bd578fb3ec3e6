//! The laws that every game must keep, and what is known of this one.

use ludion::search::census::census;

use super::*;

/// Who wins from `s` when both play their best.
fn winner(g: &Chomp, s: &State) -> Duel {
    census(g, s, 100_000).unwrap().perfect
}

/// The winning first moves, in their notation.
fn winning(cols: usize, rows: usize) -> Vec<String> {
    let g = Chomp { cols, rows };
    let mut moves = Vec::new();
    g.moves(&g.start(), &mut moves);
    moves.retain(|&m| {
        let mut s = g.start();
        g.play(&mut s, m);
        winner(&g, &s) == Duel::Won(Side::First)
    });
    moves.into_iter().map(|m| g.show_move(&g.start(), m)).collect()
}

#[test]
fn the_laws_of_games_hold() {
    let registry = Registry::empty().with(GameBuilder::<Chomp>::duel());
    for example in Chomp::EXAMPLES {
        let game = registry.game(example).unwrap();
        game.check_laws(200, 1).unwrap_or_else(|broken| panic!("{example}: {broken}"));
    }
}

#[test]
fn the_first_side_wins_every_bar_but_the_single_square() {
    for (cols, rows) in (1..=5).flat_map(|cols| (1..=5).map(move |rows| (cols, rows))) {
        let g = Chomp { cols, rows };
        let expected = if cols * rows == 1 { Side::Second } else { Side::First };
        assert_eq!(winner(&g, &g.start()), Duel::Won(expected), "{cols}×{rows}");
    }
}

#[test]
fn squares_and_double_rows_are_won_by_one_move_only() {
    for n in 2..=5 {
        assert_eq!(winning(n, n), ["b2"], "{n}×{n}");
    }
    for (cols, corner) in [(2, "b2"), (3, "c2"), (5, "e2"), (8, "h2")] {
        assert_eq!(winning(cols, 2), [corner], "{cols}×2");
    }
}

#[test]
fn a_bar_with_a_hole_is_refused() {
    let g = Chomp { cols: 3, rows: 2 };
    for text in ["###/##. first", "#.#/### first", "###/### nobody", "##/### first"] {
        assert!(g.read_state(text).is_err(), "{text}");
    }
    assert_eq!(g.read_state("###/### first").unwrap(), g.start());
}
