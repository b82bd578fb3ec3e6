//! Quarto: the rules against a plain implementation, and the order of placing and giving.

use ludion::game::{Game, Side, Status};
use ludion::games::quarto::Quarto;
use ludion::outcome::Duel;
use ludion::random::Rng;
use ludion::search::perft::perft;

/// Returns whether a shown board has a line of four pieces with a common property.
fn has_line(board: &str) -> bool {
    let cells: Vec<Option<u32>> =
        board.chars().filter(|&c| c != '/').map(|c| c.to_digit(16)).collect();
    let row = |i: usize| (0..4).map(move |j| 4 * i + j).collect::<Vec<_>>();
    let column = |i: usize| (0..4).map(move |j| 4 * j + i).collect::<Vec<_>>();
    let lines = (0..4).flat_map(|i| [row(i), column(i)]);
    let diagonals = [vec![0, 5, 10, 15], vec![3, 6, 9, 12]];
    lines.chain(diagonals).any(|line| {
        let pieces: Option<Vec<u32>> = line.iter().map(|&cell| cells[cell]).collect();
        pieces.is_some_and(|pieces| {
            let (all, any) = pieces.iter().fold((15, 0), |(all, any), p| (all & p, any | p));
            all != 0 || any != 15
        })
    })
}

#[test]
fn random_games_follow_the_rules() {
    let (mut rng, mut moves, mut draws) = (Rng::new(2), Vec::new(), 0);
    for _ in 0..500 {
        let (mut s, mut plies) = (Quarto.start(), 0);
        let end = loop {
            // First gives; then each side places and gives.
            let turn = if usize::div_ceil(plies, 2) % 2 == 0 { Side::First } else { Side::Second };
            let is_placing = plies % 2 == 1;
            moves.clear();
            Quarto.moves(&s, &mut moves);
            match Quarto.status(&s) {
                Status::Over(end) => break end,
                Status::Turn(side) => assert_eq!(side, turn, "after {plies} plies"),
            }
            let placed = plies / 2;
            assert_eq!(moves.len(), 16 - placed, "after {plies} plies");
            assert!(
                moves.iter().all(|&m| Quarto.show_move(&s, m).len() == 1 + usize::from(is_placing))
            );
            s = Quarto.after(&s, moves[rng.below(moves.len())]);
            plies += 1;
            let shown = Quarto.show_state(&s);
            let is_won = has_line(shown.split(' ').next().unwrap());
            let expected = match (is_won, plies == 32) {
                (true, _) => Some(Duel::Won(turn)),
                (false, true) => Some(Duel::Drawn),
                (false, false) => None,
            };
            assert_eq!(Quarto.status(&s).outcome(), expected, "{shown}");
        };
        draws += usize::from(end == Duel::Drawn);
    }
    assert!((1..100).contains(&draws), "{draws} draws");
}

#[test]
fn no_line_is_possible_before_the_fourth_piece() {
    let counts: Vec<u64> = (1..=6).map(|depth| perft(&Quarto, &Quarto.start(), depth)).collect();
    let expected: Vec<u64> = [16, 16, 15, 15, 14, 14]
        .iter()
        .scan(1, |all, n| {
            *all *= n;
            Some(*all)
        })
        .collect();
    assert_eq!(counts, expected);
}

#[test]
fn states_and_moves_are_read_back_or_refused() {
    let text = "..../..a./.5../.... 0 second";
    let s = Quarto.read_state(text).unwrap();
    assert_eq!(Quarto.show_state(&s), text);
    let refused = Quarto.read_state("..../..a./.5../.... 0 first").unwrap_err();
    assert!(refused.to_string().contains("second moves"), "{refused}");
    for wrong in [
        "",
        "..../..../..../.... 0 first",
        "0.../0.../..../.... - first",
        "..../..../..../.... g first",
    ] {
        assert!(Quarto.read_state(wrong).is_err(), "{wrong:?}");
    }
}
