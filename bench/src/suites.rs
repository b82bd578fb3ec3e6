//! The list of benchmark suites, and those of playouts and perft.

use board_game::games::{connect4::Connect4 as BoardGameConnect4, sttt::STTTBoard, ttt::TTTBoard};
use board_game::util::game_stats::perft_naive;
use ludion::game::Game;
use ludion::games::{
    connect4::Connect4, tictactoe::TicTacToe, ultimate_tictactoe::UltimateTicTacToe,
};
use ludion::outcome::DuelTally;
use ludion::random::Rng;
use ludion::search::perft::perft;

use crate::board_games;
use crate::harness::{Clock, Contender, Suite};
use crate::peers::{
    MinimaxConnect4, MinimaxTicTacToe, board_game_playout, minimax_perft, minimax_playout,
};
use crate::searches::{
    deepening, deepening_threads, solving, solving_threads, threads, tree_search,
};

/// Creates a suite.
type MakeSuite = fn() -> Suite;

/// All suites by name, in the order in which they run; each is created when it runs.
pub(crate) const ALL: &[(&str, MakeSuite)] = &[
    ("connect4-playouts", connect4_playouts),
    ("tictactoe-playouts", tictactoe_playouts),
    ("ultimate-tictactoe-playouts", ultimate_playouts),
    ("connect4-perft-9", connect4_perft),
    ("ultimate-tictactoe-perft-6", ultimate_perft),
    ("othello-playouts", board_games::othello_playouts),
    ("othello-perft-8", board_games::othello_perft),
    ("go-perft-3", board_games::go_perft),
    ("kalah-playouts", board_games::kalah_playouts),
    ("kalah-perft-9", board_games::kalah_perft),
    ("connect4-mcts-100k", || tree_search(100_000)),
    ("connect4-mcts-1M", || tree_search(1_000_000)),
    ("connect4-mcts-threads-100k", || threads(100_000)),
    ("connect4-mcts-threads-1M", || threads(1_000_000)),
    ("connect4-deepening-14", deepening),
    ("connect4-deepening-threads", deepening_threads),
    ("connect4-solve-middle", || solving(100, 15..29, 14..28, 5)),
    ("connect4-solve-early", || solving(20, 8..15, 14..28, 3)),
    ("connect4-solve-threads", solving_threads),
];

/// Runs playouts of Ludion from the start, in batches.
fn batched<G: Game<Outcome = ludion::outcome::Duel>>(g: G) -> impl FnMut() -> u64 {
    let (mut rng, mut scratch, mut tally) = (Rng::new(1), Vec::new(), DuelTally::default());
    move || {
        g.playouts(&g.start(), 10_000, &mut rng, &mut scratch, &mut tally);
        10_000
    }
}

/// Runs playouts of Ludion from the start, one after the other.
pub(crate) fn one_by_one<G: Game>(g: G) -> impl FnMut() -> u64 {
    let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
    move || {
        for _ in 0..1_000 {
            std::hint::black_box(g.playout(g.start(), &mut rng, &mut scratch));
        }
        1_000
    }
}

pub(crate) fn thousand(mut playout: impl FnMut()) -> impl FnMut() -> u64 {
    move || {
        (0..1_000).for_each(|_| playout());
        1_000
    }
}

fn connect4_playouts() -> Suite {
    let mut board_game_rng = rand08::SeedableRng::seed_from_u64(1);
    let (mut minimax_rng, mut moves) = (rand09::SeedableRng::seed_from_u64(1), Vec::new());
    Suite {
        unit: "games",
        contenders: vec![
            Contender::new("ludion, batched", batched(Connect4::STANDARD)),
            Contender::new("ludion, one by one", one_by_one(Connect4::STANDARD)),
            Contender::new(
                "board-game",
                thousand(move || {
                    board_game_playout(BoardGameConnect4::default(), &mut board_game_rng);
                }),
            ),
            Contender::new(
                "minimax",
                thousand(move || minimax_playout::<MinimaxConnect4>(&mut minimax_rng, &mut moves)),
            ),
        ],
        rounds: 11,
        clock: Clock::Processor,
    }
}

fn tictactoe_playouts() -> Suite {
    let mut board_game_rng = rand08::SeedableRng::seed_from_u64(1);
    let (mut minimax_rng, mut moves) = (rand09::SeedableRng::seed_from_u64(1), Vec::new());
    Suite {
        unit: "games",
        contenders: vec![
            Contender::new("ludion, batched", batched(TicTacToe)),
            Contender::new("ludion, one by one", one_by_one(TicTacToe)),
            Contender::new(
                "board-game",
                thousand(move || board_game_playout(TTTBoard::default(), &mut board_game_rng)),
            ),
            Contender::new(
                "minimax",
                thousand(move || minimax_playout::<MinimaxTicTacToe>(&mut minimax_rng, &mut moves)),
            ),
        ],
        rounds: 11,
        clock: Clock::Processor,
    }
}

fn ultimate_playouts() -> Suite {
    let mut board_game_rng = rand08::SeedableRng::seed_from_u64(1);
    Suite {
        unit: "games",
        contenders: vec![
            Contender::new("ludion", one_by_one(UltimateTicTacToe)),
            Contender::new(
                "board-game",
                thousand(move || board_game_playout(STTTBoard::default(), &mut board_game_rng)),
            ),
        ],
        rounds: 11,
        clock: Clock::Processor,
    }
}

/// Compares perft of depth 6, which counts 4,020,960 sequences; the count is checked each time.
fn ultimate_perft() -> Suite {
    let checked = |lines: u64| {
        assert_eq!(lines, 4_020_960, "perft 6 of ultimate tic-tac-toe");
        lines
    };
    Suite {
        unit: "nodes",
        contenders: vec![
            Contender::new("ludion", move || {
                checked(perft(&UltimateTicTacToe, &UltimateTicTacToe.start(), 6))
            }),
            Contender::new("board-game", move || checked(perft_naive(&STTTBoard::default(), 6))),
        ],
        rounds: 11,
        clock: Clock::Processor,
    }
}

/// Compares perft of depth 9, which counts 39,394,572 sequences; the count is checked each time.
fn connect4_perft() -> Suite {
    const LINES: u64 = 39_394_572;
    let checked = |lines: u64| {
        assert_eq!(lines, LINES, "perft 9 of Connect Four");
        lines
    };
    Suite {
        unit: "nodes",
        contenders: vec![
            Contender::new("ludion", move || {
                checked(perft(&Connect4::STANDARD, &Connect4::STANDARD.start(), 9))
            }),
            Contender::new("board-game", move || {
                checked(perft_naive(&BoardGameConnect4::default(), 9))
            }),
            Contender::new("minimax", move || checked(minimax_perft::<MinimaxConnect4>(9))),
        ],
        rounds: 11,
        clock: Clock::Processor,
    }
}
