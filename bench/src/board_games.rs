//! Board games beside the crates that have them: Othello by `magpie` and `othello`, Go by `board-game`,
//! Kalah by `mancala_board`.

use board_game::games::go::{GoBoard, Komi, Rules};
use board_game::util::game_stats::perft_naive;
use ludion::game::Game;
use ludion::games::{go::Go, kalah::Kalah, othello::Othello};
use ludion::random::Rng;
use ludion::search::perft::perft;
use magpie::othello::{Board as OthelloBoard, Stone};
use mancala_board::{MancalaBoard, MoveResult, Side as MancalaSide};
use othello::Game as OthelloGame;

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
            Contender::new("othello", move || {
                checked(othello_perft_by_crate(&OthelloGame::default(), 8))
            }),
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

/// Counts sequences of moves with the crate `othello`; the last ply is counted without playing it.
fn othello_perft_by_crate(game: &OthelloGame, depth: u32) -> u64 {
    let mut moves = game.available_moves();
    if moves == 0 {
        let mut passed = game.clone();
        passed.pass_move();
        return match (passed.available_moves(), depth) {
            (0, _) => 0,
            (_, 1) => 1,
            _ => othello_perft_by_crate(&passed, depth - 1),
        };
    }
    if depth == 1 {
        return moves.count_ones().into();
    }
    let mut lines = 0;
    while moves != 0 {
        let next = game.make_move(moves.trailing_zeros() as usize).expect("a legal move");
        lines += othello_perft_by_crate(&next, depth - 1);
        moves &= moves - 1;
    }
    lines
}

/// Plays a random game with the crate `othello`.
fn othello_playout_by_crate(rng: &mut Rng) -> OthelloGame {
    let (mut game, mut passed) = (OthelloGame::default(), false);
    loop {
        let mut moves = game.available_moves();
        if moves != 0 {
            for _ in 0..rng.below(moves.count_ones() as usize) {
                moves &= moves - 1;
            }
            game = game.make_move(moves.trailing_zeros() as usize).expect("a legal move");
        } else if passed {
            return game;
        } else {
            game.pass_move();
        }
        passed = moves == 0;
    }
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
            Contender::new("othello", {
                let mut rng = Rng::new(1);
                thousand(move || {
                    std::hint::black_box(othello_playout_by_crate(&mut rng));
                })
            }),
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

/// A position of Kalah in the crate `mancala_board`, which has no side to move.
#[derive(Clone, Copy)]
struct MancalaGame {
    board: MancalaBoard<6>,
    turn: MancalaSide,
}

impl MancalaGame {
    fn new() -> Self {
        MancalaGame { board: MancalaBoard::new(4), turn: MancalaSide::Left }
    }

    /// Returns the houses whose seeds the side to move can sow; none if the game is over.
    fn moves(&self) -> impl Iterator<Item = usize> {
        let houses = *self.board.side_to_dishes(self.turn);
        let is_over = self.board.game_over();
        (0..6).filter(move |&house| !is_over && houses[house] > 0)
    }

    fn play(&mut self, house: usize) {
        match self.board.move_piece(self.turn, house) {
            MoveResult::ExtraTurn => return,
            MoveResult::Capture(side, house) => self.board.capture(side, house),
            _ => {}
        }
        self.turn = !self.turn;
    }

    /// Counts sequences of moves; the last ply is counted without playing it.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 1 {
            return self.moves().count() as u64;
        }
        let after = |house| {
            let mut next = *self;
            next.play(house);
            next.perft(depth - 1)
        };
        self.moves().map(after).sum()
    }
}

/// Compares perft of depth 9, which counts 2,763,490 sequences; the count is checked each time.
pub(crate) fn kalah_perft() -> Suite {
    let checked = |lines: u64| {
        assert_eq!(lines, 2_763_490, "perft 9 of Kalah");
        lines
    };
    let g = Kalah::STANDARD;
    suite(
        "nodes",
        vec![
            Contender::new("ludion", move || checked(perft(&g, &g.start(), 9))),
            Contender::new("mancala_board", move || checked(MancalaGame::new().perft(9))),
        ],
    )
}

pub(crate) fn kalah_playouts() -> Suite {
    let mut rng = Rng::new(1);
    let playout = move || {
        let mut game = MancalaGame::new();
        loop {
            let count = game.moves().count();
            if count == 0 {
                break;
            }
            let chosen = game.moves().nth(rng.below(count)).expect("one of the moves");
            game.play(chosen);
        }
        std::hint::black_box(game.board.winner());
    };
    suite(
        "games",
        vec![
            Contender::new("ludion", one_by_one(Kalah::STANDARD)),
            Contender::new("mancala_board", thousand(playout)),
        ],
    )
}
