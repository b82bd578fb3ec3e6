//! Compares endgame tables with a plain solver that uses only the rules.

use std::collections::HashMap;
use std::sync::Arc;

use super::index::{rank, set_count, unrank};
use super::*;
use crate::{Checkers, CheckersState, rules};
use ludion_core::evaluator::{Evaluator, WIN};
use ludion_core::game::{Game, Side};
use ludion_core::random::Rng;

fn game() -> Checkers {
    Checkers::new(rules::SIMPLE, 8)
}

fn table(pieces: usize, threads: usize) -> EndgameTable {
    EndgameTable::read(Arc::new(build(pieces, threads, |_, _| {}).unwrap())).unwrap()
}

/// Draws a position with the given numbers of men of each side.
fn random_position([mine, theirs]: [usize; 2], rng: &mut Rng) -> CheckersState {
    loop {
        let mut side = |men| unrank(men, rng.below(set_count(men) as usize) as u32);
        let pieces = [side(mine), side(theirs)];
        if pieces[0] & pieces[1] == 0 {
            let turn = Side::BOTH[rng.below(2)];
            return CheckersState { pieces, kings: 0, turn, quiet: 0 };
        }
    }
}

/// Returns whether the side to move wins, by exhaustive search.
fn wins(g: &Checkers, s: &CheckersState, known: &mut HashMap<CheckersState, bool>) -> bool {
    if let Some(&wins) = known.get(s) {
        return wins;
    }
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    let found = moves.iter().any(|&m| !wins(g, &g.after(s, m), known));
    known.insert(*s, found);
    found
}

#[test]
fn ranks_number_all_sets_of_squares_and_steps_lower_the_rank() {
    let g = game();
    for men in 1..=4 {
        for number in 0..set_count(men) {
            let set = unrank(men, number);
            assert_eq!(rank(set), (men, number));
        }
    }
    let mut rng = Rng::new(5);
    let mut moves = Vec::new();
    for _ in 0..2000 {
        let men = 1 + rng.below(MAX_PIECES);
        let number = rng.below(set_count(men) as usize) as u32;
        assert_eq!(rank(unrank(men, number)), (men, number));
        let s = CheckersState { pieces: [unrank(men, number), 0], ..g.start() };
        g.moves(&s, &mut moves);
        for m in moves.drain(..) {
            assert!(rank(g.after(&s, m).pieces[0]).1 < number);
        }
    }
}

#[test]
fn every_position_up_to_three_men_agrees_with_exhaustive_search() {
    let (g, table, mut known) = (game(), table(3, 2), HashMap::new());
    let mut count = 0;
    for (mine, theirs) in [(1, 1), (1, 2), (2, 1)] {
        for m in 0..set_count(mine) {
            for t in 0..set_count(theirs) {
                let pieces = [unrank(mine, m), unrank(theirs, t)];
                if pieces[0] & pieces[1] != 0 {
                    continue;
                }
                for turn in Side::BOTH {
                    let s = CheckersState { pieces, kings: 0, turn, quiet: 0 };
                    assert_eq!(
                        table.wins(&s),
                        Some(wins(&g, &s, &mut known)),
                        "{}",
                        g.show_state(&s)
                    );
                }
                count += 1;
            }
        }
    }
    assert_eq!(count, position_count(3));
}

#[test]
fn samples_of_four_and_five_men_agree_with_exhaustive_search() {
    let (g, table, mut known) = (game(), table(5, 2), HashMap::new());
    let mut rng = Rng::new(11);
    for split in [[2, 2], [1, 3], [3, 1], [2, 3], [3, 2], [4, 1], [1, 4]] {
        for _ in 0..150 {
            let s = random_position(split, &mut rng);
            assert_eq!(table.wins(&s), Some(wins(&g, &s, &mut known)), "{}", g.show_state(&s));
        }
    }
}

#[test]
fn test_positions_are_won_can_be_lost_and_agree_with_the_evaluator() {
    let (g, table, mut rng) = (game(), table(4, 1), Rng::new(2));
    let evaluator = EndgameEvaluator { table: table.clone(), other: None };
    let mut moves = Vec::new();
    for _ in 0..100 {
        let EndgameTestPosition { state: s, winning_moves, move_count } =
            table.random_test_position(&g, 4, &mut rng);
        assert_eq!((table.wins(&s), s.occupied().count_ones()), (Some(true), 4));
        assert!(!winning_moves.is_empty() && winning_moves.len() < move_count);
        g.moves(&s, &mut moves);
        for m in moves.drain(..) {
            let after = g.after(&s, m);
            let lost = after.mine() == 0 || evaluator.value(&g, &after) == 1 - WIN;
            assert_eq!(lost, winning_moves.contains(&m), "{}", g.show_state(&s));
        }
    }
    assert_eq!((table.wins(&g.start()), evaluator.value(&g, &g.start())), (None, 0));
}

#[test]
fn the_bytes_do_not_depend_on_threads_and_damaged_bytes_are_rejected() {
    assert!(build(5, 1, |_, _| {}) == build(5, 3, |_, _| {}));
    let bytes = build(4, 1, |_, _| {}).unwrap();
    let refused =
        |bytes: &[u8]| EndgameTable::read(Arc::new(bytes.to_vec())).err().map(|e| e.to_string());
    assert_eq!(refused(&bytes), None);
    for cut in (0..bytes.len()).step_by(97) {
        assert!(refused(&bytes[..cut]).is_some(), "cut after {cut} bytes");
    }
    for at in (0..bytes.len()).step_by(89).chain(0..32) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(refused(&changed).is_some(), "byte {at} changed");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let wanted = bytes.len();
    let message = format!("the table has {} bytes and should have {wanted}", wanted + 1);
    assert_eq!(refused(&longer), Some(message));
    let g = Checkers::named("checkers(english, 6)").unwrap();
    let kings = crate::king_endgame::build_king_table(&g, 2, |_, _| true).unwrap();
    assert!(refused(&kings).unwrap().contains("with kings"), "{:?}", refused(&kings));
}
