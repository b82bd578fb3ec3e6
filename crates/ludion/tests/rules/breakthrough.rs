//! Breakthrough: counts of another implementation, captures, the end of a game.

use ludion::game::{Game, Side, Status};
use ludion::games::breakthrough::Breakthrough;
use ludion::outcome::{Duel, Wdl};
use ludion::player::{Budget, MoveRequest};
use ludion::search::perft::perft;
use ludion::search::solve::{SolveLimits, solve};

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

fn result(rows: usize, cols: usize, megabytes: usize) -> Wdl {
    let g = Breakthrough::new(rows, cols);
    let start = g.start();
    let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
    let limits = SolveLimits { megabytes, result_only: true, ..SolveLimits::default() };
    solve(&request, limits).unwrap().value.verdict
}

#[test]
fn small_boards_have_the_winners_of_the_complete_search() {
    for ((rows, cols), expected) in
        [((4, 4), Wdl::Loss), ((4, 5), Wdl::Loss), ((5, 3), Wdl::Loss), ((6, 3), Wdl::Win)]
    {
        assert_eq!(result(rows, cols, 64), expected, "{rows}×{cols}");
    }
}

#[test]
#[ignore = "takes some minutes; ./test --all runs it"]
fn the_second_side_wins_five_by_five() {
    assert_eq!(result(5, 5, 4096), Wdl::Loss);
}
