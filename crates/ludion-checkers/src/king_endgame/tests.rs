use std::collections::HashMap;
use std::sync::Arc;

use super::index::{KingIndex, sets_of, state_of};
use super::{KingTable, KingTableError, KingTableEvaluator, KingTableValue, build_king_table};
use crate::evaluator::MaterialEvaluator;
use crate::{Checkers, CheckersState};
use ludion_core::evaluator::Evaluator;
use ludion_core::game::Game;
use ludion_core::outcome::Wdl;

fn game(spec: &str) -> Checkers {
    Checkers::named(spec).unwrap()
}

#[test]
fn every_position_has_a_number_of_its_own() {
    for spec in ["checkers(english)", "checkers(international, 6)"] {
        let g = game(spec);
        let index = KingIndex::new(&g, 3);
        let mut next = 0;
        for class in &index.classes {
            assert_eq!(class.start, next);
            next += class.size;
            for within in (0..class.size).step_by(7) {
                if let Some(sets) = index.sets(class, within) {
                    assert_eq!(index.number(sets), Some(class.start + within));
                    assert_eq!(sets_of(&g, &state_of(sets)), sets);
                }
            }
        }
        assert_eq!(next, index.size);
    }
}

#[test]
fn positions_of_english_checkers_are_as_many_as_chinook_counted() {
    // https://webdocs.cs.ualberta.ca/~chinook/databases/total.html counts 6,972 and 261,224
    // positions with 2 and 3 pieces, of which 3,484 and 65,192 have pieces of one side only.
    let g = game("checkers(english)");
    let index = KingIndex::new(&g, 3);
    for (pieces, expected) in [(2, 6_972 - 3_484), (3, 261_224 - 65_192)] {
        let classes = index.classes.iter().filter(|c| c.counts.iter().sum::<usize>() == pieces);
        let possible = classes.flat_map(|class| {
            let index = &index;
            (0..class.size).filter_map(move |within| index.sets(class, within))
        });
        let count = possible.filter(|sets| g.is_possible_ending(sets)).count();
        assert_eq!(count, expected);
    }
}

/// Solves positions by depth alone: whether the side to move can win within `depth` plies, whatever
/// the opponent does. It shares nothing with the table but the rules.
fn wins_within(
    g: &Checkers,
    s: &CheckersState,
    depth: u32,
    seen: &mut HashMap<(CheckersState, u32), bool>,
) -> bool {
    let s = CheckersState { quiet: 0, ..*s };
    if depth == 0 {
        return false;
    }
    if let Some(&known) = seen.get(&(s, depth)) {
        return known;
    }
    let mut moves = Vec::new();
    g.moves(&s, &mut moves);
    let wins = moves.iter().any(|&m| loses_within(g, &g.after(&s, m), depth - 1, seen));
    seen.insert((s, depth), wins);
    wins
}

fn loses_within(
    g: &Checkers,
    s: &CheckersState,
    depth: u32,
    seen: &mut HashMap<(CheckersState, u32), bool>,
) -> bool {
    let s = CheckersState { quiet: 0, ..*s };
    let mut moves = Vec::new();
    g.moves(&s, &mut moves);
    moves.is_empty()
        || depth > 0 && moves.iter().all(|&m| wins_within(g, &g.after(&s, m), depth - 1, seen))
}

#[test]
fn small_tables_agree_with_a_search_of_all_lines() {
    // On 6×6 every win with three pieces is short.
    for rules in ["english", "russian", "brazilian", "international", "italian"] {
        let g = game(&format!("checkers({rules}, 6)"));
        let table = KingTable::build(&g, 3).unwrap();
        let (index, mut seen) = (KingIndex::new(&g, 3), HashMap::new());
        let mut counts = [0; 3];
        for class in &index.classes {
            for within in (0..class.size).step_by(61) {
                let Some(sets) = index.sets(class, within) else { continue };
                let s = state_of(sets);
                if g.read_state(&g.show_state(&s)).is_err() {
                    continue;
                }
                let expected = if wins_within(&g, &s, 13, &mut seen) {
                    Wdl::Win
                } else if loses_within(&g, &s, 12, &mut seen) {
                    Wdl::Loss
                } else {
                    Wdl::Draw
                };
                let found = table.value(&g, &s).unwrap().result();
                // A longer win or loss is a draw for the search.
                let agrees = found == expected || expected == Wdl::Draw;
                assert!(agrees, "{rules} {}: {found} {expected}", g.show_state(&s));
                counts[(found.sign() + 1) as usize] += i32::from(found == expected);
            }
        }
        assert!(counts.iter().all(|&count| count > 20), "{rules}: {counts:?}");
    }
}

#[test]
fn results_are_those_that_handbooks_give() {
    let result = |table: &KingTable, g: &Checkers, fen: &str| {
        table.value(g, &g.read_state(fen).unwrap()).unwrap().result()
    };
    // English: two kings beat one in the open, but not in the double corner (1 and 5, 28 and 32).
    let g = game("checkers(english)");
    let table = KingTable::build(&g, 3).unwrap();
    assert_eq!(result(&table, &g, "W:WK14,K15:BK4"), Wdl::Win);
    assert_eq!(result(&table, &g, "W:WK14:BK23"), Wdl::Draw);
    assert_eq!(table.value(&g, &g.start()), None);
    // Flying kings: one holds against two on the main diagonal, and everywhere but in traps.
    let g = game("checkers(brazilian)");
    let table = KingTable::build(&g, 3).unwrap();
    assert_eq!(result(&table, &g, "B:WK1,K5:BK29"), Wdl::Draw);
    // A man that cannot be stopped becomes a king, which alone does not win against a king.
    assert_eq!(result(&table, &g, "W:W5:BK28"), Wdl::Draw);
}

#[test]
fn the_numbers_of_moves_follow_from_those_of_the_successors() {
    for spec in ["checkers(russian)", "checkers(english)"] {
        let g = game(spec);
        let table = KingTable::build(&g, 3).unwrap();
        let index = KingIndex::new(&g, 3);
        let (mut moves, mut longest) = (Vec::new(), 0);
        for class in &index.classes {
            for within in (0..class.size).step_by(97) {
                let Some(sets) = index.sets(class, within) else { continue };
                let s = state_of(sets);
                if g.read_state(&g.show_state(&s)).is_err() {
                    continue;
                }
                moves.clear();
                g.moves(&s, &mut moves);
                let (mut win, mut loss, mut is_lost) = (u8::MAX, 0, true);
                for &m in &moves {
                    let child = g.after(&s, m);
                    let no_pieces = KingTableValue::Loss { moves: 0 };
                    match table.value(&g, &child).unwrap_or(no_pieces) {
                        KingTableValue::Loss { moves } => win = win.min(moves + 1),
                        KingTableValue::Draw => is_lost = false,
                        KingTableValue::Win { moves } => loss = loss.max(moves),
                    }
                }
                let expected = match (win, is_lost) {
                    (u8::MAX, false) => KingTableValue::Draw,
                    (u8::MAX, true) => KingTableValue::Loss { moves: loss },
                    _ => KingTableValue::Win { moves: win },
                };
                assert_eq!(table.value(&g, &s), Some(expected), "{spec} {}", g.show_state(&s));
                longest = longest.max(loss);
            }
        }
        assert!(longest > 5, "{spec}: {longest} moves");
    }
}

#[test]
fn the_evaluator_orders_known_and_unknown_positions() {
    let g = game("checkers(english)");
    let table = KingTable::build(&g, 3).unwrap();
    let other = Arc::new(MaterialEvaluator { mobility: false });
    let evaluator = KingTableEvaluator { table, other };
    let value = |fen: &str| evaluator.value(&g, &g.read_state(fen).unwrap());
    assert!(value("W:WK14:BK23").abs() < 100, "a draw");
    assert!(value("W:WK14,K15:BK4") > 9800);
    let unknown = value("W:WK14,K15,K18,K19:BK4,K1");
    assert!((100..9800).contains(&unknown), "{unknown}");
}

#[test]
fn damaged_tables_and_those_of_other_rules_are_refused() {
    let (g, other) = (game("checkers(english, 6)"), game("checkers(russian, 6)"));
    let bytes = build_king_table(&g, 2, |_, _| true).unwrap();
    let read = |g: &Checkers, bytes: &[u8]| KingTable::read(g, Arc::new(bytes.to_vec())).err();
    assert_eq!(read(&g, &bytes), None);
    assert!(matches!(read(&other, &bytes), Some(KingTableError::OtherRules { .. })));
    for cut in [0, 10, 60, bytes.len() - 1] {
        assert!(read(&g, &bytes[..cut]).is_some(), "cut after {cut} bytes");
    }
    for at in [0, 30, 57, 61, 70, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(read(&g, &changed).is_some(), "byte {at} changed");
    }
    assert!(build_king_table(&g, 2, |_, _| false).is_none(), "stopped");
}
