//! Ultimate tic-tac-toe: published counts, and a slow implementation of the rules beside the fast one.

use ludion::game::{Game, Side, Status};
use ludion::games::ultimate_tictactoe::UltimateTicTacToe;
use ludion::outcome::Duel;
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry;
use ludion::search::perft::perft;

/// Nine boards of nine cells: 0 empty, 1 and 2 the stones of the sides.
struct SlowGame {
    boards: [[u8; 9]; 9],
    next: Option<usize>,
    turn: u8,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Returns the side, 1 or 2, with three in a row; 0 if there is none.
fn winner(cells: &[u8; 9]) -> u8 {
    let found = LINES
        .iter()
        .find(|line| cells[line[0]] != 0 && line.iter().all(|&i| cells[i] == cells[line[0]]));
    found.map_or(0, |line| cells[line[0]])
}

impl SlowGame {
    fn is_open(&self, board: usize) -> bool {
        winner(&self.boards[board]) == 0 && self.boards[board].contains(&0)
    }

    fn game_winner(&self) -> u8 {
        winner(&self.boards.map(|board| winner(&board)))
    }

    fn moves(&self) -> Vec<(usize, usize)> {
        if self.game_winner() != 0 {
            return Vec::new();
        }
        let sent = self.next.filter(|&board| self.is_open(board));
        let cells = (0..9).flat_map(|board| (0..9).map(move |cell| (board, cell)));
        cells
            .filter(|&(board, cell)| {
                sent.is_none_or(|sent| board == sent)
                    && self.is_open(board)
                    && self.boards[board][cell] == 0
            })
            .collect()
    }
}

#[test]
fn the_rules_are_those_of_a_slow_implementation() {
    let (g, mut rng) = (UltimateTicTacToe, Rng::new(22));
    let mut ends = [0; 3];
    for _ in 0..300 {
        let (mut s, mut slow) = (g.start(), SlowGame { boards: [[0; 9]; 9], next: None, turn: 1 });
        loop {
            let mut moves = Vec::new();
            g.moves(&s, &mut moves);
            let expected = slow.moves();
            assert_eq!(
                moves.iter().map(|m| (usize::from(m / 9), usize::from(m % 9))).collect::<Vec<_>>(),
                expected
            );
            if moves.is_empty() {
                break;
            }
            let i = rng.below(moves.len());
            let (board, cell) = expected[i];
            slow.boards[board][cell] = slow.turn;
            (slow.next, slow.turn) = (Some(cell), 3 - slow.turn);
            g.play(&mut s, moves[i]);
        }
        let end = slow.game_winner();
        let outcome = match end {
            0 => Duel::Drawn,
            side => Duel::Won(Side::BOTH[usize::from(side - 1)]),
        };
        assert_eq!(g.status(&s), Status::Over(outcome));
        ends[usize::from(end)] += 1;
    }
    assert!(ends.iter().all(|&count| count > 0), "{ends:?}");
}

/// The counts to depth 4 are those of `OpenSpiel` 2.0.2, in which the choice of a board is a move of
/// its own that is not counted here; that of depth 6 is also counted by the crate `board-game` 0.8.
#[test]
fn perft_agrees_with_another_implementation() {
    let (g, counts) = (UltimateTicTacToe, [81, 720, 6336, 55_080, 473_256, 4_020_960]);
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&g, &g.start(), depth), count, "depth {depth}");
    }
}

#[test]
fn players_take_a_win() {
    let game = registry::standard().game("ultimate-tictactoe").unwrap();
    // The first side has the two upper boards at the left and needs the third.
    let state =
        "xxxxxxxx./...o..o../o..o...../......o../.o......./........./...o.o.../........./.........";
    let position = game.read(&format!("{state} c3")).unwrap();
    for player in ["mcts(sims=2000)", "deepening(depth=3, eval=boards)"] {
        let mut player = game.player(player).unwrap();
        let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
        assert_eq!(choice.best, "i9");
    }
}

#[test]
fn bad_states_are_refused_with_a_sentence() {
    let game = registry::standard().game("ultimate-tictactoe").unwrap();
    let error = |state: &str| game.read(state).err().unwrap().to_string();
    let empty =
        "........./........./........./........./........./........./........./........./.........";
    assert!(error(empty).starts_with("expected the board of the next move, one of a3 b3 c3 a2"));
    assert!(error(&format!("x{} d4", &empty[1..])).starts_with("expected the board"));
    assert!(error(&format!("xx{} any", &empty[2..])).contains("x and o alternate"));
    assert!(game.read(&format!("x{} a3", &empty[1..])).is_ok());
}
