//! Hex: winners by depth-first search, exact results of all openings of small boards, the swap.

use ludion::game::{Game, Side, Status};
use ludion::games::hex::Hex;
use ludion::outcome::{Duel, Wdl};
use ludion::player::NoObserver;
use ludion::random::Rng;
use ludion::registry;
use ludion::solution::SolveLimits;

/// Returns whether the stones `mark` of a shown board join the edges of their side, by depth-first
/// search.
fn joins(board: &str, mark: char) -> bool {
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let size = rows.len() as i32;
    let at = |x: i32, y: i32| {
        (0..size).contains(&x) && (0..size).contains(&y) && rows[y as usize][x as usize] == mark
    };
    let begins = |i: i32| if mark == 'x' { (i, 0) } else { (0, i) };
    let mut stack: Vec<(i32, i32)> = (0..size).map(begins).filter(|&(x, y)| at(x, y)).collect();
    let mut seen = stack.clone();
    while let Some((x, y)) = stack.pop() {
        if (if mark == 'x' { y } else { x }) == size - 1 {
            return true;
        }
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let next = (x + dx, y + dy);
            if at(next.0, next.1) && !seen.contains(&next) {
                seen.push(next);
                stack.push(next);
            }
        }
    }
    false
}

#[test]
fn games_end_with_the_first_chain() {
    let (mut rng, mut moves) = (Rng::new(4), Vec::new());
    for size in [2, 3, 5, 8, 11, 13] {
        let g = Hex::new(size, false);
        for _ in 0..30 {
            let mut s = g.start();
            loop {
                let shown = g.show_state(&s);
                let board = shown.split(' ').next().unwrap();
                let chains = ['x', 'o'].map(|mark| joins(board, mark));
                let expected = match chains {
                    [true, false] => Some(Duel::Won(Side::First)),
                    [false, true] => Some(Duel::Won(Side::Second)),
                    [false, false] => None,
                    [true, true] => panic!("two chains in {shown}"),
                };
                assert_eq!(g.status(&s).outcome(), expected, "{shown}");
                moves.clear();
                g.moves(&s, &mut moves);
                if moves.is_empty() {
                    break;
                }
                g.play(&mut s, moves[rng.below(moves.len())]);
            }
        }
    }
}

/// Returns the board with `x` for every opening that wins and `.` for the others.
fn winning_openings(size: usize) -> String {
    let start = registry::standard().game(&format!("hex({size})")).unwrap().start();
    let solution = start.solve(SolveLimits::default(), &NoObserver).unwrap();
    let wins = solution
        .lines
        .iter()
        .map(|line| if line.proven.unwrap().verdict == Wdl::Win { 'x' } else { '.' });
    wins.collect::<Vec<char>>()
        .chunks(size)
        .map(|row| row.iter().collect::<String>() + "/")
        .collect()
}

/// The openings that win for the first side are listed in the Hex Wiki ("Small boards"): b1 and a2 on
/// 2×2, all but a1, b1 and their images on 3×3, and the short diagonal on 4×4.
#[test]
fn winning_openings_of_2x2_and_3x3_are_known() {
    assert_eq!(winning_openings(2), ".x/x./");
    assert_eq!(winning_openings(3), "..x/xxx/x../");
}

#[test]
#[ignore = "takes half a minute; ./test --all runs it"]
fn winning_openings_of_4x4_are_the_short_diagonal() {
    assert_eq!(winning_openings(4), "...x/..x./.x../x.../");
}

#[test]
fn a_swapped_stone_means_the_same_to_the_second_side() {
    let g = Hex::new(3, true);
    let start = g.start();
    assert!(g.read_move(&start, "swap").is_err(), "there is no stone yet");
    let s = g.after(&start, g.read_move(&start, "c1").unwrap());
    let swapped = g.after(&s, g.read_move(&s, "swap").unwrap());
    assert_eq!(g.show_state(&swapped), ".../.../o.. first");
    assert_eq!(g.status(&swapped), Status::Turn(Side::First));
    assert!(g.read_move(&swapped, "swap").is_err(), "once is enough");
    let declined = g.after(&s, g.read_move(&s, "b2").unwrap());
    assert_eq!(g.show_state(&declined), "..x/.o./... first");
    assert!(g.read_move(&declined, "swap").is_err());
    // With the swap the second side wins every board.
    for size in [2, 3] {
        let start = registry::standard().game(&format!("hex({size}, swap)")).unwrap().start();
        let solution = start.solve(SolveLimits::default(), &NoObserver).unwrap();
        assert_eq!(solution.value.verdict, Wdl::Loss, "{size}");
    }
}

#[test]
fn impossible_boards_are_refused() {
    let g = Hex::new(3, false);
    for text in ["", ".../.../...", "xx./.../... first", "x../x../x.. first", ".../.../..o first"] {
        assert!(g.read_state(text).is_err(), "{text:?}");
    }
    assert!(Hex::new(3, true).read_state(".../.../..o first").is_ok());
}
