//! Checkers compared with published facts: perft tables of every rule set and statistics of random
//! games; also its notation and evaluation.

use ludion::evaluator::Evaluator;
use ludion::game::{Game, Side, Status};
use ludion::games::checkers::Checkers;
use ludion::games::checkers::evaluator::MaterialEvaluator;
use ludion::games::checkers::pdn::{PdnFile, PdnGame, RulesTagPolicy, game_from_tags};
use ludion::games::checkers::rules::CheckersRules;
use ludion::outcome::{Duel, DuelTally, Outcome};
use ludion::random::Rng;
use ludion::search::perft::perft;
use proptest::prelude::*;

fn checkers(rules: &str, size: u8) -> Checkers {
    Checkers::new(CheckersRules::named(rules).unwrap(), size)
}

/// Parses a PDN text without errors.
fn read(g: &Checkers, text: &str) -> Vec<PdnGame> {
    let found = g.read_pdn(text, RulesTagPolicy::Reject);
    assert_eq!(found.errors, []);
    found.games
}

fn check_perft(rules: &str, size: u8, from: Option<&str>, table: &[u64]) {
    let g = checkers(rules, size);
    let s = from.map_or(g.start(), |fen| g.read_state(fen).unwrap());
    let found: Vec<u64> = (1..=table.len() as u32).map(|depth| perft(&g, &s, depth)).collect();
    assert_eq!(found, table, "{rules} {size} from {from:?}");
}

fn check_perft_by_path(rules: &str, size: u8, table: &[u64]) {
    let g = checkers(rules, size);
    let found: Vec<u64> =
        (1..=table.len() as u32).map(|depth| g.perft_by_path(&g.start(), depth)).collect();
    assert_eq!(found, table, "{rules} {size} by path");
}

#[test]
fn perft_from_the_start_is_as_published() {
    let simple = [7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431739, 21567502];
    check_perft("simple", 8, None, &simple);
    let brazilian = [7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766, 21560022];
    check_perft("brazilian", 8, None, &brazilian);
    let russian = [7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586, 22444032];
    check_perft("russian", 8, None, &russian);
    let international = [9, 81, 658, 4265, 27117, 167140, 1049442, 6483961];
    check_perft("international", 10, None, &international);
    check_perft("international", 6, None, &[5, 25, 106, 369, 1301, 4214, 12912, 39526]);
}

#[test]
fn perft_by_capture_path_from_the_start_is_as_published() {
    let simple = [7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431820];
    check_perft_by_path("simple", 8, &simple);
    check_perft_by_path("brazilian", 8, &[7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847]);
    check_perft_by_path("russian", 8, &[7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667]);
    let english = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680];
    check_perft_by_path("english", 8, &english);
    let italian = [7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875];
    check_perft_by_path("italian", 8, &italian);
    let international = [9, 81, 658, 4265, 27117, 167140, 1049442, 6483971];
    check_perft_by_path("international", 10, &international);
    check_perft_by_path("frisian", 10, &[9, 81, 658, 3880, 21345, 103584, 550314, 2907905]);
    check_perft_by_path("english", 6, &[5, 25, 106, 369, 1271, 4104, 12495, 37474]);
}

#[test]
fn perft_from_positions_with_kings_is_as_published() {
    let woldouby = "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38";
    let table = [6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436];
    check_perft("international", 10, Some(woldouby), &table);
    let wild = "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46";
    check_perft("international", 10, Some(wild), &[14, 55, 1168, 5432, 87195, 629010]);
    let kings = "W:WK31..K50:BK1..K20";
    check_perft("international", 10, Some(kings), &[17, 79, 352, 1399, 7062, 37589, 217575]);
}

/// Returns the share of games won by the first side, the share that ended with all pieces captured,
/// and the plies per game.
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
fn random_games_by_the_simple_rules_have_the_published_statistics() {
    let g = checkers("simple", 8);
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
fn squares_are_numbered_as_each_rule_set_prescribes() {
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
fn impossible_states_are_errors() {
    let refusal = |rules, fen: &str| {
        let g = checkers(rules, CheckersRules::named(rules).unwrap().size);
        g.read_state(fen).unwrap_err().to_string()
    };
    assert_eq!(
        refusal("english", "B:W33:B1"),
        "a square must be a number from 1 to 32 at character 4 of \"B:W33:B1\""
    );
    assert_eq!(
        refusal("english", "B:W30:B1,30"),
        "this square is already occupied at character 10 of \"B:W30:B1,30\""
    );
    assert_eq!(
        refusal("english", "B:W30:B1,29"),
        "\"B:W30:B1,29\": the man on 29 would have been promoted"
    );
    assert_eq!(refusal("simple", "W:WK30:B1"), "\"W:WK30:B1\": the simple rules have no kings");
    assert_eq!(
        refusal("international", "W:W30:W31"),
        "the pieces of this colour are listed twice at character 7 of \"W:W30:W31\""
    );
    assert_eq!(refusal("international", ""), "expected W or B at character 1 of \"\"");
    assert_eq!(
        refusal("international", "W:W50-31:B1-20"),
        "a range that begins with 50 cannot end before it, at character 7 of \"W:W50-31:B1-20\""
    );
    assert_eq!(refusal("english", "W:W:B"), "\"W:W:B\": the board is empty");
    let g = checkers("international", 10);
    assert_eq!(g.read_state("W:W31-50: B1, 2 ,3-20").unwrap(), g.start());
}

#[test]
fn captures_are_written_by_their_ends_or_by_their_whole_path() {
    let g = checkers("english", 8);
    let s = g.read_state("W:W31:B26,27,18,19").unwrap();
    let mut moves = Vec::new();
    g.moves(&s, &mut moves);
    let mut shown: Vec<String> = moves.iter().map(|&m| g.show_move(&s, m)).collect();
    shown.sort();
    assert_eq!(shown, ["31x22x15", "31x24x15"]);
    let error = g.read_move(&s, "31x15").unwrap_err().to_string();
    assert!(error.contains("ambiguous capture; one of: 31x"), "{error}");
    let alone = g.read_state("W:W31:B26,18").unwrap();
    for text in ["31x15", "31x22x15", " 31:22:15"] {
        let m = g.read_move(&alone, text).unwrap();
        assert_eq!(g.show_move(&alone, m), "31x15");
    }
    let error = g.read_move(&g.start(), "11x15").unwrap_err().to_string();
    assert!(error.contains("a move without capture is written with -"), "{error}");
    let error = g.read_move(&g.start(), "11-17").unwrap_err().to_string();
    assert!(error.starts_with("\"11-17\": not a legal move; legal: "), "{error}");
}

#[test]
fn games_survive_a_round_trip_through_pdn() {
    let g = checkers("english", 8);
    let text = "[Event \"a \\\"friendly\\\" game\"]\n[Result \"1-0\"]\n\n\
        1. 11-15 23-19 { a comment (with this) } 2. 8-11 22-17 (2... 26-23 3. 4-8) 3. 11-16$1 \
        24-20 ; the rest of the line\n4.16x23 27x11 5. 7x16! 20x11 1-0\n\n\
        [FEN \"W:WK29:B6,10\"]\n1... 29-25 2. 6-9 *";
    let games = read(&g, text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tags, [("Event".to_owned(), "a \"friendly\" game".to_owned())]);
    assert_eq!((games[0].moves.len(), games[1].moves.len()), (10, 2));
    assert_eq!(games[0].result, Some(Duel::Won(Side::Second)));
    for game in &games {
        let shown = g.show_pdn(game).unwrap();
        assert_eq!(read(&g, &shown), std::slice::from_ref(game), "{shown}");
    }
}

#[test]
fn games_of_every_board_name_their_rules_in_pdn() {
    for rules in CheckersRules::NAMES {
        for size in [6, 8, 10] {
            let g = checkers(rules, size);
            let (mut moves, mut s, mut rng) = (Vec::new(), g.start(), Rng::new(size.into()));
            let mut record =
                PdnGame { tags: Vec::new(), start: s, moves: Vec::new(), result: None };
            while moves.is_empty() {
                g.moves(&s, &mut moves);
                let Some(&m) = moves.get(rng.below(moves.len().max(1))) else { break };
                moves.clear();
                g.play(&mut s, m);
                record.moves.push(m);
            }
            let text = g.show_pdn(&record).unwrap();
            assert_eq!(game_from_tags(&text), Ok(Some(g)), "{text}");
            assert_eq!(read(&g, &text), [record], "{text}");
        }
    }
    let canadian = game_from_tags("[GameType \"27,W,12,12,N2,0\"]").unwrap_err();
    assert!(
        canadian.contains("is not supported; known are 26 brazilian, 25 russian"),
        "{canadian}"
    );
    let wide = game_from_tags("[GameType \"20,W,12,12,N2,0\"]").unwrap_err();
    assert!(wide.contains("a board of 12 by 12; 6, 8 and 10"), "{wide}");
    assert_eq!(game_from_tags("[Event \"none\"]\n1. 11-15 *"), Ok(None));
}

#[test]
fn an_invalid_game_in_pdn_is_reported_and_the_others_are_read() {
    let g = checkers("russian", 8);
    let text = "[Event \"by letters\"]\n1. c3-d4 b6-a5 2. b2-c3 2-0\n\n\
        [Event \"a wrong move\"]\n1. c3-d4\n   { and a comment }\n   c5-c6 2. b2-c3 *\n\
        [Event \"a wrong end\"]\n1. c3-d4 éa!\n\
        [Event a wrong tag]\n[Result \"*\"]\n1. c3-d4 *\n\
        [GameType \"21\"]\n1. 11-15 *\n\
        [Result \"0-2\"]\n[FEN \"W:Wa1,e1:Bd4\"]\n1. a1-b2\n[FEN \"W:W30:Bx\"]\n*\n\
        1. c3-d4 f6-g5 2. d4-e5 d6:f4 3. g3:e5 *";
    let found = g.read_pdn(text, RulesTagPolicy::Reject);
    let wrong: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    let begins = [
        "game 2, line 7: \"c5-c6\": not a legal move",
        "game 3, line 9: \"éa\": not a legal move",
        "game 4, line 10: expected a tag like [Name \"value\"]",
        "game 5, line 13: the game is checkers(english), not checkers(russian)",
        "game 7, line 18: a square must be a number from 1 to 32",
    ];
    assert_eq!(wrong.len(), begins.len(), "{wrong:#?}");
    for (wrong, begin) in wrong.iter().zip(begins) {
        assert!(wrong.starts_with(begin), "{wrong}");
    }
    let plies: Vec<usize> = found.games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [3, 1, 5]);
    let results = [Some(Duel::Won(Side::First)), Some(Duel::Won(Side::Second)), None];
    assert!(found.games.iter().map(|game| game.result).eq(results));
    assert_eq!(g.read_pdn(text, RulesTagPolicy::Ignore).errors.len(), 5);
}

/// Reads a PDN text on another thread; panics if that takes longer than any text of a few bytes can.
fn read_in_time(text: &str) -> PdnFile {
    let (send, receive) = std::sync::mpsc::channel();
    let given = text.to_owned();
    std::thread::spawn(move || {
        let found = checkers("russian", 8).read_pdn(&given, RulesTagPolicy::Reject);
        let _ = send.send(found);
    });
    let found = receive.recv_timeout(std::time::Duration::from_secs(3));
    found.unwrap_or_else(|_| panic!("{text:?} is read for ever"))
}

#[test]
fn brackets_between_tags_do_not_stop_the_reader() {
    let wrong = |text: &str| {
        let found = read_in_time(text);
        assert_eq!(found.games, [], "{text:?}");
        found.errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(wrong("} ["), ["game 1, line 1: expected a tag like [Name \"value\"]"]);
    assert_eq!(wrong(") } [\n} ["), ["game 1, line 1: expected a tag like [Name \"value\"]"]);
    for empty in ["", "}", "{", "( { )", "}}))", "; [", "% [Event \"x\"]", "$1"] {
        assert_eq!(wrong(empty), [""; 0], "{empty:?}");
    }
    // A comment between tags belongs to the tags, and one before them to no game.
    let found =
        read_in_time("{ one } [Event \"a\"] { two } [White \"b\"] } 1. c3-d4 * {} [Event \"c\"] *");
    assert_eq!(found.errors, []);
    let tags: Vec<usize> = found.games.iter().map(|game| game.tags.len()).collect();
    let plies: Vec<usize> = found.games.iter().map(|game| game.moves.len()).collect();
    assert_eq!((tags, plies), (vec![2, 1], vec![1, 0]));
}

proptest! {
    #[test]
    fn any_text_in_brackets_is_read_to_its_end(
        text in "([\\[\\]{}();%$\"*. \\n1ax-]|\\[Event \"x\"\\]|1\\. c3-d4|1-0|\\PC){0,24}"
    ) {
        let found = read_in_time(&text);
        prop_assert!(found.games.len() + found.errors.len() <= text.len());
    }
}

#[test]
fn captures_are_played_out_before_evaluation() {
    let g = checkers("simple", 8);
    let value = |fen: &str| MaterialEvaluator::default().value(&g, &g.read_state(fen).unwrap());
    assert_eq!(value("W:W21,30:B1,2"), 0);
    // White captures 17 and is not recaptured; then it captures and is recaptured.
    assert_eq!(value("W:W21,30:B17,2"), 100);
    assert_eq!(value("W:W21,30:B17,10,2,3"), -100);
    // The last man is captured.
    assert!(value("W:W21:B17") > 9_000);
}

#[test]
fn kings_alone_draw_and_a_side_without_moves_loses() {
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

#[test]
fn estimates_are_shared_between_counts_of_king_moves_that_are_far_from_a_draw() {
    let g = checkers("english", 8);
    let key = |fen: &str| g.estimate_key(&g.read_state(fen).unwrap());
    let without = "B:BK1,5:WK32,K31";
    assert_eq!(key(without), key(&format!("{without}:H3")));
    assert_eq!(key(without), key(&format!("{without}:H59")));
    let near = [60, 61, 79, 80, 254].map(|plies| key(&format!("{without}:H{plies}")));
    for (i, &count) in near.iter().enumerate() {
        assert!(count != key(without) && !near[..i].contains(&count), "{i}");
    }
    assert_ne!(key(without), key("W:BK1,5:WK32,K31"));
    assert_ne!(key(without), key("B:BK1,K5:WK32,K31"));
    // Two kings against one are drawn after ten plies, which any search sees.
    let g = checkers("international", 10);
    let key = |fen: &str| g.estimate_key(&g.read_state(fen).unwrap());
    assert_ne!(key("W:WK50,K49:BK1:H1"), key("W:WK50,K49:BK1:H2"));
}
