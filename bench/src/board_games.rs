//! Board games beside the crates that have them: Othello by `magpie`, Go by `board-game`.

use board_game::games::go::{GoBoard, Komi, Rules};
use board_game::util::game_stats::perft_naive;
use ludion::game::Game;
use ludion::games::{go::Go, othello::Othello};
use ludion::random::Rng;
use ludion::search::perft::perft;
use magpie::othello::{Board as OthelloBoard, Stone};

use crate::harness::{Clock, Contender, Suite};
use crate::suites::{one_by_one, thousand};

fn suite(unit: &'static str, contenders: Vec<Contender>) -> Suite {
    Suite { unit, contenders, rounds: 11, clock: Clock::Processor }
}

/// Compares perft of depth 8, which counts 390,216 sequences; the count is checked each time.
pub(crate) fn othello_perft() -> Suite {
    let checked = |lines: u64| {
        assert_eq!(lines, 390_216, "perft 8 of Othello");
        lines
    };
    let g = Othello::new(8);
    suite(
        "nodes",
        vec![
            Contender::new("ludion", move || checked(perft(&g, &g.start(), 8))),
            Contender::new("magpie", move || {
                checked(magpie_perft(&OthelloBoard::standard(), Stone::Black, 8))
            }),
        ],
    )
}

/// Counts sequences of moves; the last ply is counted without playing it.
fn magpie_perft(board: &OthelloBoard, stone: Stone, depth: u32) -> u64 {
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        let over = board.moves_for(stone.flip()).is_empty();
        return match (over, depth) {
            (true, _) => 0,
            (false, 1) => 1,
            (false, _) => magpie_perft(board, stone.flip(), depth - 1),
        };
    }
    if depth == 1 {
        return moves.count_set().into();
    }
    let after = |position| {
        let mut next = board.clone();
        next.play(stone, position);
        magpie_perft(&next, stone.flip(), depth - 1)
    };
    moves.hot_bits().map(after).sum()
}

pub(crate) fn othello_playouts() -> Suite {
    let mut rng = Rng::new(1);
    let playout = move || {
        let (mut board, mut stone, mut passed) = (OthelloBoard::standard(), Stone::Black, false);
        loop {
            let moves = board.moves_for(stone);
            if moves.is_empty() {
                if passed {
                    break;
                }
                passed = true;
            } else {
                passed = false;
                let mut positions = moves.hot_bits();
                let chosen = rng.below(moves.count_set().into());
                board.play(stone, positions.nth(chosen).expect("one of the moves"));
            }
            stone = stone.flip();
        }
        std::hint::black_box(board);
    };
    suite(
        "games",
        vec![
            Contender::new("ludion", one_by_one(Othello::new(8))),
            Contender::new("magpie", thousand(playout)),
        ],
    )
}

/// Compares perft of depth 3 on 9×9 points, which counts 531,522 sequences; the count is checked each
/// time.
pub(crate) fn go_perft() -> Suite {
    let checked = |lines: u64| {
        assert_eq!(lines, 531_522, "perft 3 of Go");
        lines
    };
    let g = Go::new(9, 7.5);
    suite(
        "nodes",
        vec![
            Contender::new("ludion", move || checked(perft(&g, &g.start(), 3))),
            Contender::new("board-game", move || {
                checked(perft_naive(&GoBoard::new(9, Komi::new(15), Rules::cgos()), 3))
            }),
        ],
    )
}
