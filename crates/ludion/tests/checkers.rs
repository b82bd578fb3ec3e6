//! Checkers against facts from outside: published perft tables of every rule set, statistics
//! of random games; and how it is written and judged.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ludion::evaluator::Evaluator;
use ludion::game::{Game, Side, Status};
use ludion::games::checkers::evaluator::Material;
use ludion::games::checkers::rules::Rules;
use ludion::games::checkers::{Checkers, Move, State};
use ludion::outcome::{Duel, DuelTally, Outcome};
use ludion::random::Rng;
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
    let seed = [7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431820];
    holds_by_path("seed", 8, &seed);
    holds_by_path("brazilian", 8, &[7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847]);
    holds_by_path("russian", 8, &[7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667]);
    let english = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680];
    holds_by_path("english", 8, &english);
    let italian = [7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875];
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

/// Shares of games won by the first side and ended by a wipe-out, and plies a game.
fn random_play(g: &Checkers, games: u32) -> [f64; 3] {
    let (mut rng, mut moves, mut sums) = (Rng::new(11), Vec::new(), [0u32; 3]);
    for _ in 0..games {
        let mut s = g.start();
        loop {
            moves.clear();
            g.moves(&s, &mut moves);
            if moves.is_empty() {
                break;
            }
            g.play(&mut s, moves[rng.below(moves.len())]);
            sums[2] += 1;
        }
        sums[0] += u32::from(s.turn == Side::Second);
        sums[1] += u32::from(s.mine() == 0);
    }
    sums.map(|sum| f64::from(sum) / f64::from(games))
}

#[test]
fn random_games_by_the_seeds_rules_have_the_seeds_statistics() {
    let g = checkers("seed", 8);
    // Three standard errors of 20 000 games.
    let [first, wiped_out, plies] = random_play(&g, 20_000);
    assert!((first - 0.4865).abs() < 0.0107, "the first side wins {first}");
    assert!((wiped_out - 0.57).abs() < 0.015, "wiped out {wiped_out}");
    assert!((plies - 48.18).abs() < 0.2, "{plies} plies");

    let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
    let mut tallies = [DuelTally::default(); 2];
    for _ in 0..100_000 {
        g.playout(g.start(), &mut rng, &mut scratch).count(&mut tallies[0]);
    }
    g.playouts(&g.start(), 100_000, &mut rng, &mut scratch, &mut tallies[1]);
    for tally in tallies {
        assert_eq!((tally.games(), tally.draws), (100_000, 0));
        let first = tally.wins[0] as f64 / 1e5;
        assert!((first - 0.4865).abs() < 0.0048, "the first side wins {first}");
    }
}

#[test]
fn squares_are_numbered_as_each_rule_set_does() {
    let start = |rules, size| {
        let g = checkers(rules, size);
        g.show_state(&g.start())
    };
    let men = |from: u8, to: u8| (from..=to).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let eight = format!("W:W{}:B{}", men(21, 32), men(1, 12));
    assert_eq!(start("russian", 8), eight);
    assert_eq!(start("italian", 8), eight);
    assert_eq!(start("english", 8), eight.replacen('W', "B", 1));
    assert_eq!(start("frisian", 10), format!("W:W{}:B{}", men(31, 50), men(1, 20)));
    let moves = |rules| {
        let (g, mut moves) = (checkers(rules, 8), Vec::new());
        g.moves(&g.start(), &mut moves);
        let mut shown: Vec<String> = moves.iter().map(|&m| g.show_move(&g.start(), m)).collect();
        shown.sort();
        shown.join(" ")
    };
    assert_eq!(moves("english"), "10-14 10-15 11-15 11-16 12-16 9-13 9-14");
    assert_eq!(moves("brazilian"), "21-17 22-17 22-18 23-18 23-19 24-19 24-20");
    assert_eq!(moves("italian"), "21-17 21-18 22-18 22-19 23-19 23-20 24-20");
}

#[test]
fn states_that_cannot_be_are_refused() {
    let refusal = |rules, fen: &str| {
        let g = checkers(rules, Rules::named(rules).unwrap().size);
        g.read_state(fen).unwrap_err().to_string()
    };
    assert_eq!(
        refusal("english", "B:W33:B1"),
        "a square must be a number from 1 to 32 at character 4 of \"B:W33:B1\""
    );
    assert_eq!(
        refusal("english", "B:W30:B1,30"),
        "this square is taken already at character 10 of \"B:W30:B1,30\""
    );
    assert_eq!(
        refusal("english", "B:W30:B1,29"),
        "\"B:W30:B1,29\": the man on 29 would have become a king there"
    );
    assert_eq!(refusal("seed", "W:WK30:B1"), "\"W:WK30:B1\": there are no kings by seed rules");
    assert_eq!(
        refusal("international", "W:W30:W31"),
        "the pieces of this colour came already at character 7 of \"W:W30:W31\""
    );
    assert_eq!(refusal("international", ""), "expected W or B at character 1 of \"\"");
}

#[test]
fn captures_are_written_by_their_ends_or_by_their_whole_way() {
    let g = checkers("english", 8);
    let s = g.read_state("W:W31:B26,27,18,19").unwrap();
    let mut moves = Vec::new();
    g.moves(&s, &mut moves);
    let mut shown: Vec<String> = moves.iter().map(|&m| g.show_move(&s, m)).collect();
    shown.sort();
    assert_eq!(shown, ["31x22x15", "31x24x15"]);
    let error = g.read_move(&s, "31x15").unwrap_err().to_string();
    assert!(error.contains("several captures are written so; say which: 31x"), "{error}");
    let alone = g.read_state("W:W31:B26,18").unwrap();
    for text in ["31x15", "31x22x15", " 31:22:15"] {
        let m = g.read_move(&alone, text).unwrap();
        assert_eq!(g.show_move(&alone, m), "31x15");
    }
    let error = g.read_move(&g.start(), "11-17").unwrap_err().to_string();
    assert!(error.starts_with("\"11-17\": not a legal move; legal: "), "{error}");
}

#[test]
fn games_in_pdn_come_back_as_they_were() {
    let g = checkers("english", 8);
    let text = "[Event \"a \\\"friendly\\\" game\"]\n[Result \"1-0\"]\n\n\
        1. 11-15 23-19 { a comment (with this) } 2. 8-11 22-17 (2... 26-23 3. 4-8) 3. 11-16$1 \
        24-20 ; the rest of the line\n4.16x23 27x11 5. 7x16! 20x11 1-0\n\n\
        [FEN \"W:WK29:B6,10\"]\n1... 29-25 2. 6-9 *";
    let games = g.read_pdn(text).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tags, [("Event".to_owned(), "a \"friendly\" game".to_owned())]);
    assert_eq!((games[0].moves.len(), games[1].moves.len()), (10, 2));
    assert_eq!(games[0].result, Some(Duel::Won(Side::Second)));
    for game in &games {
        let shown = g.show_pdn(game).unwrap();
        assert_eq!(g.read_pdn(&shown).unwrap(), std::slice::from_ref(game), "{shown}");
    }
    let error = g.read_pdn("1. 11-15 11-15 *").unwrap_err().to_string();
    assert!(error.contains("game 1: \"11-15\": not a legal move; legal: "), "{error}");
}

#[test]
fn captures_are_made_before_pieces_are_counted() {
    let g = checkers("seed", 8);
    let value = |fen: &str| Material::default().value(&g, &g.read_state(fen).unwrap());
    assert_eq!(value("W:W21,30:B1,2"), 0);
    // White takes 17 and is not retaken; then it does, and is.
    assert_eq!(value("W:W21,30:B17,2"), 100);
    assert_eq!(value("W:W21,30:B17,10,2,3"), -100);
    // The last man is taken.
    assert!(value("W:W21:B17") > 9_000);
}

#[test]
fn kings_alone_draw_and_who_cannot_move_loses() {
    let g = checkers("international", 10);
    let status = |fen: &str| g.status(&g.read_state(fen).unwrap());
    assert_eq!(status("W:WK50:BK1:H9"), Status::Turn(Side::First));
    assert_eq!(status("W:WK50:BK1:H10"), Status::Over(Duel::Drawn));
    assert_eq!(status("W:WK50,K49,K48:BK1:H31"), Status::Turn(Side::First));
    assert_eq!(status("W:WK50,K49,K48:BK1:H32"), Status::Over(Duel::Drawn));
    assert_eq!(status("W:W:B1"), Status::Over(Duel::Won(Side::Second)));
    assert_eq!(status("W:W6:B1,2"), Status::Over(Duel::Won(Side::Second)));
    assert_eq!(status("W:W6:B1"), Status::Over(Duel::Won(Side::Second)));
    assert_eq!(status("W:W7:B1"), Status::Turn(Side::First));
}
