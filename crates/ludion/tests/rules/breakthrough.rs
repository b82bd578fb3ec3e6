//! Breakthrough: counts of another implementation, captures, the end of a game, solved boards.

use ludion::game::{Game, Side, Status};
use ludion::games::breakthrough::Breakthrough;
use ludion::outcome::{Duel, Wdl};
use ludion::player::NoObserver;
use ludion::registry;
use ludion::search::perft::perft;
use ludion::solution::SolveLimits;

#[test]
fn games_of_each_length_are_as_many_as_in_openspiel() {
    // Counted by walking over the states of OpenSpiel 2.0.2.
    for ((rows, cols), counts) in PERFT {
        let g = Breakthrough::new(rows, cols);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&g, &g.start(), depth), count, "{rows}×{cols}, {depth}");
        }
    }
}

const PERFT: [((usize, usize), &[u64]); 3] = [
    ((8, 8), &[22, 484, 11_132, 256_036]),
    ((6, 4), &[10, 100, 1_074, 11_232, 126_368]),
    ((6, 5), &[13, 169, 2_331, 31_545, 453_608]),
];

#[test]
fn pieces_capture_diagonally_only_and_win_by_capturing_all() {
    let g = Breakthrough::new(5, 3);
    let s = g.read_state(".../.oo/.x./.../... first").unwrap();
    let mut moves: Vec<_> = Vec::new();
    g.moves(&s, &mut moves);
    let shown: Vec<String> = moves.iter().map(|&m| g.show_move(&s, m)).collect();
    assert_eq!(shown, ["b3a4", "b3c4"], "straight ahead is blocked");
    let s = g.read_state(".../..o/.x./.../... first").unwrap();
    let won = g.after(&s, g.read_move(&s, "b3c4").unwrap());
    assert_eq!(g.status(&won), Status::Over(Duel::Won(Side::First)));
    for wrong in ["", ".../.../.../.../... first", "x../o../.../.../... first", "... first"] {
        assert!(g.read_state(wrong).is_err(), "{wrong:?}");
    }
}

/// Returns whether the side to move at the start wins, and after how many moves.
fn solved(rows: usize, cols: usize) -> (Wdl, Option<u32>) {
    let game = registry::standard().game(&format!("breakthrough({rows}, {cols})")).unwrap();
    let solution = game.start().solve(SolveLimits::default(), &NoObserver).unwrap();
    (solution.value.verdict, solution.value.plies)
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn the_second_side_wins_5x5_in_26_moves() {
    // Published in the forum of Little Golem on 3 December 2006 ("5x5 solved").
    assert_eq!(solved(5, 5), (Wdl::Loss, Some(26)));
}
