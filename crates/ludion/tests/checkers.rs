//! Checkers against facts from outside: published perft tables of every rule set.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ludion::game::Game;
use ludion::games::checkers::rules::Rules;
use ludion::games::checkers::{Checkers, Move, State};
use ludion::search::perft::perft;

fn checkers(rules: &str, size: u8) -> Checkers {
    Checkers::new(Rules::named(rules).unwrap(), size)
}

/// Lines of so many moves, captures that differ by their path alone counted apart.
fn perft_by_path(g: &Checkers, s: &State, depth: u32, moves: &mut Vec<Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let base = moves.len();
    g.paths(s, moves);
    let mut lines = if depth == 1 { (moves.len() - base) as u64 } else { 0 };
    for i in base..if depth == 1 { base } else { moves.len() } {
        lines += perft_by_path(g, &g.after(s, moves[i]), depth - 1, moves);
    }
    moves.truncate(base);
    lines
}

fn holds(rules: &str, size: u8, from: Option<&str>, table: &[u64]) {
    let g = checkers(rules, size);
    let s = from.map_or(g.start(), |fen| g.read_state(fen).unwrap());
    let found: Vec<u64> = (1..=table.len() as u32).map(|depth| perft(&g, &s, depth)).collect();
    assert_eq!(found, table, "{rules} {size} from {from:?}");
}

fn holds_by_path(rules: &str, size: u8, table: &[u64]) {
    let g = checkers(rules, size);
    let found: Vec<u64> = (1..=table.len() as u32)
        .map(|depth| perft_by_path(&g, &g.start(), depth, &mut Vec::new()))
        .collect();
    assert_eq!(found, table, "{rules} {size} by path");
}

#[test]
fn lines_from_the_start_are_as_many_as_published() {
    let seed = [7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431739, 21567502];
    holds("seed", 8, None, &seed);
    let brazilian = [7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766, 21560022];
    holds("brazilian", 8, None, &brazilian);
    let russian = [7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586, 22444032];
    holds("russian", 8, None, &russian);
    let international = [9, 81, 658, 4265, 27117, 167140, 1049442, 6483961];
    holds("international", 10, None, &international);
    holds("international", 6, None, &[5, 25, 106, 369, 1301, 4214, 12912, 39526]);
}

#[test]
fn lines_by_path_from_the_start_are_as_many_as_published() {
    let seed = [7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431820, 21574086];
    holds_by_path("seed", 8, &seed);
    holds_by_path("brazilian", 8, &[7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847]);
    holds_by_path("russian", 8, &[7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667]);
    let english = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564];
    holds_by_path("english", 8, &english);
    let italian = [7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384];
    holds_by_path("italian", 8, &italian);
    let international = [9, 81, 658, 4265, 27117, 167140, 1049442, 6483971];
    holds_by_path("international", 10, &international);
    holds_by_path("frisian", 10, &[9, 81, 658, 3880, 21345, 103584, 550314, 2907905]);
    holds_by_path("english", 6, &[5, 25, 106, 369, 1271, 4104, 12495, 37474]);
}

#[test]
fn lines_from_positions_with_kings_are_as_many_as_published() {
    let woldouby = "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38";
    let table = [6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436];
    holds("international", 10, Some(woldouby), &table);
    let wild = "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46";
    holds("international", 10, Some(wild), &[14, 55, 1168, 5432, 87195, 629010]);
    let kings = "W:WK31..K50:BK1..K20";
    holds("international", 10, Some(kings), &[17, 79, 352, 1399, 7062, 37589, 217575]);
}
