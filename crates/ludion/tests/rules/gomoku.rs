//! Gomoku and m,n,k-games: solved values, and a slow implementation of the rules beside the fast one.

use ludion::game::{Game, Side, Status};
use ludion::games::gomoku::Gomoku;
use ludion::outcome::{Duel, Wdl};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry;
use ludion::search::perft::perft;
use ludion::solution::SolveLimits;

/// A board as rows of cells: 0 empty, 1 and 2 the stones of the sides.
struct SlowBoard {
    cells: Vec<Vec<u8>>,
}

impl SlowBoard {
    /// Returns whether a side has a row: it tries every first cell and direction.
    fn has_row(&self, stone: u8, length: i32, exact: bool) -> bool {
        let (rows, cols) = (self.cells.len() as i32, self.cells[0].len() as i32);
        let is = |x: i32, y: i32| {
            (0..cols).contains(&x)
                && (0..rows).contains(&y)
                && self.cells[y as usize][x as usize] == stone
        };
        let starts = (0..rows).flat_map(|y| (0..cols).map(move |x| (x, y)));
        starts.into_iter().any(|(x, y)| {
            [(1, 0), (0, 1), (1, 1), (-1, 1)].iter().any(|&(dx, dy)| {
                (0..length).all(|i| is(x + i * dx, y + i * dy))
                    && !(exact && (is(x - dx, y - dy) || is(x + length * dx, y + length * dy)))
            })
        })
    }
}

#[test]
fn the_rules_are_those_of_a_slow_implementation() {
    let mut rng = Rng::new(22);
    let boards = [
        (3, 3, 3, 30),
        (5, 4, 3, 60),
        (7, 7, 4, 60),
        (15, 15, 5, 20),
        (19, 19, 4, 20),
        (1, 9, 3, 60),
    ];
    for (cols, rows, length, games) in boards {
        for exact in [false, true] {
            let g = Gomoku::new(cols, rows, length as usize, exact);
            for _ in 0..games {
                let (mut s, mut slow) = (g.start(), SlowBoard { cells: vec![vec![0; cols]; rows] });
                for ply in 0.. {
                    let mut moves = Vec::new();
                    g.moves(&s, &mut moves);
                    let Some(&m) = moves.get(rng.below(moves.len().max(1))) else { break };
                    let at = g.touches(&s, m)[0];
                    let cell = &mut slow.cells[usize::from(at.y)][usize::from(at.x)];
                    assert_eq!(*cell, 0);
                    *cell = 1 + ply % 2;
                    g.play(&mut s, m);
                    let free = slow.cells.iter().flatten().filter(|&&cell| cell == 0).count();
                    let mover = Side::BOTH[usize::from(ply % 2)];
                    let expected = if slow.has_row(1 + ply % 2, length, exact) {
                        Status::Over(Duel::Won(mover))
                    } else if free == 0 {
                        Status::Over(Duel::Drawn)
                    } else {
                        Status::Turn(mover.other())
                    };
                    assert_eq!(g.status(&s), expected, "{}", g.show_state(&s));
                }
            }
        }
    }
}

fn verdict(game: &str) -> Wdl {
    let start = registry::standard().game(&format!("gomoku({game})")).unwrap().start();
    start.solve(SolveLimits::default(), &NoObserver).unwrap().value.verdict
}

/// Values of Uiterwijk and van den Herik, *The advantage of the initiative*, Information Sciences 122
/// (2000), for columns, rows and stones in a row.
#[test]
fn small_boards_have_the_published_values() {
    assert_eq!(verdict("3, 3, 3"), Wdl::Draw);
    for game in ["4, 3, 3", "3, 4, 3", "4, 4, 3", "5, 5, 3"] {
        assert_eq!(verdict(game), Wdl::Win, "{game}");
    }
}

#[test]
#[ignore = "takes some seconds; ./test --all runs it"]
fn a_larger_board_has_the_published_value() {
    assert_eq!(verdict("4, 4, 4"), Wdl::Draw);
}

/// Tic-tac-toe has 255,168 games of known lengths.
#[test]
fn perft_counts_the_games_of_tic_tac_toe() {
    let g = Gomoku::new(3, 3, 3, false);
    let counts = [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&g, &g.start(), depth), count, "depth {depth}");
    }
}

/// Returns the moves that a player finds on a board of 9 × 9 with these stones of both sides.
fn answer(player: &str, first: &str, second: &str) -> String {
    let game = registry::standard().game("gomoku(9, 9)").unwrap();
    let mut position = game.start();
    let (first, second): (Vec<_>, Vec<_>) =
        (first.split(' ').collect(), second.split(' ').collect());
    for (i, stone) in first.iter().enumerate() {
        position.play(stone).unwrap();
        if let Some(stone) = second.get(i) {
            position.play(stone).unwrap();
        }
    }
    let mut player = game.player(player).unwrap();
    player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap().best
}

#[test]
fn players_win_block_and_see_open_threes() {
    for player in ["mcts(sims=4000, eval=threats)", "deepening(depth=3, eval=threats)"] {
        // Four in a row, with one end blocked: the side to move wins, or must block.
        let found = answer(player, "c5 d5 e5 f5", "b5 a1 i1 a9");
        assert_eq!(found, "g5", "{player} wins");
        let found = answer(player, "c5 d5 e5 f5", "b5 a1 i1");
        assert_eq!(found, "g5", "{player} blocks");
        // An open three: a stone at either end wins, and the opponent must answer at it.
        let found = answer(player, "d5 e5 f5", "a1 i1 a9");
        assert!(["c5", "g5"].contains(&&*found), "{player} makes an open four, not {found}");
        let found = answer(player, "d5 e5 f5", "a1 i1");
        assert!(
            ["b5", "c5", "g5", "h5"].contains(&&*found),
            "{player} stops an open three, not by {found}"
        );
    }
}

#[test]
fn bad_boards_are_refused_with_a_sentence() {
    let error = |game: &str| registry::standard().game(game).err().unwrap().to_string();
    assert_eq!(error("gomoku(4, 3, 5)"), "gomoku: no row of 5 stones fits on 4 columns and 3 rows");
    let game = registry::standard().game("gomoku(3, 3, 3)").unwrap();
    let error = |state: &str| game.read(state).err().unwrap().to_string();
    assert_eq!(error("xxx/oo./o.."), "\"xxx/oo./o..\": first had already won before the last move");
}
