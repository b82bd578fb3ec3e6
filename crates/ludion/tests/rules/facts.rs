//! Known facts about the games: published counts, solved values, theory. All numbers are computed
//! exactly by walks over the rules.

use ludion::game::{Game, Side, Status};
use ludion::games::connect4::Connect4;
use ludion::outcome::{AnyOutcome, Duel};
use ludion::registry::{self, AnyCensus, AnyPosition};
use ludion::search::{census::census, perft::perft};

const FIRST: Duel = Duel::Won(Side::First);
const SECOND: Duel = Duel::Won(Side::Second);

fn start(game: &str) -> Box<dyn AnyPosition> {
    registry::standard().game(game).unwrap().start()
}

fn all(game: &str) -> AnyCensus {
    start(game).census(30_000_000).unwrap_or_else(|error| panic!("{game}: {error}"))
}

fn winner(game: &str) -> Duel {
    match all(game).perfect {
        AnyOutcome::Duel(duel) => duel,
        AnyOutcome::Points(_) => panic!("{game} is a duel"),
    }
}

/// Returns the numbers of games and their probabilities under random play, as `first, second,
/// draw`.
fn ends(game: &str) -> ([String; 3], [String; 3]) {
    let all = all(game);
    let end = |duel| all.ends.iter().find(|end| end.outcome == AnyOutcome::Duel(duel));
    let each = [FIRST, SECOND, Duel::Drawn];
    (
        each.map(|duel| end(duel).map_or("0".into(), |end| end.games.to_string())),
        each.map(|duel| end(duel).map_or("0".into(), |end| end.chance.to_string())),
    )
}

#[test]
fn matches_are_lost_at_0_mod_4_and_misere_at_1_mod_4() {
    for n in 1..=30 {
        let lost = |lost| if lost { SECOND } else { FIRST };
        assert_eq!(winner(&format!("matches({n})")), lost(n % 4 == 0), "{n}");
        assert_eq!(winner(&format!("matches({n}, misere)")), lost(n % 4 == 1), "{n} misère");
    }
}

#[test]
fn the_winning_move_of_matches_is_unique() {
    for (rules, losing) in [("", 0), (", misere", 1)] {
        let game = registry::standard().game(&format!("matches(30{rules})")).unwrap();
        for n in 2..=30 {
            let position = game.read(&format!("{n} first")).unwrap();
            let wins = position
                .moves()
                .into_iter()
                .filter(|m| {
                    let mut child = position.copy();
                    child.play(m).unwrap();
                    child.census(1000).unwrap().perfect == AnyOutcome::Duel(FIRST)
                })
                .count();
            assert_eq!(wins, usize::from(n % 4 != losing), "{n}{rules}");
        }
    }
}

#[test]
fn matches_has_the_known_numbers_of_games_and_probabilities() {
    assert_eq!(all("matches(13)").games.to_string(), "1705");
    assert_eq!(all("matches(21)").games.to_string(), "223317");
    for (n, odds) in [(4, "2/3"), (5, "4/9"), (7, "77/162")] {
        assert_eq!(ends(&format!("matches({n}, misere)")).1[0], odds);
    }
}

#[test]
fn divide_is_lost_exactly_when_both_boxes_are_odd() {
    for variant in ["", ", sorted"] {
        for (a, b) in (1..=12).flat_map(|a| (1..=12).map(move |b| (a, b))) {
            let expected = if a % 2 == 1 && b % 2 == 1 { SECOND } else { FIRST };
            assert_eq!(winner(&format!("divide({a}, {b}{variant})")), expected, "{a} {b}{variant}");
        }
    }
    assert_eq!(all("divide(7, 17, sorted)").games.to_string(), "22918");
}

#[test]
fn dice_turn_by_a_quarter_and_a_count_below_zero_loses() {
    let mut position = start("dice(7, 3)");
    assert_eq!(position.moves(), ["1", "2", "5", "6"]);
    position.play_line("6 5").unwrap();
    assert_eq!(position.show(), "-4 face 5 first");
    assert_eq!(position.status(), Status::Over(AnyOutcome::Duel(FIRST)));
    // The values by recursion over the rules: at count 0 every move loses.
    fn mover_wins(count: i64, face: i64) -> bool {
        (1..=6)
            .filter(|&x| x != face && x != 7 - face)
            .any(|x| x <= count && !mover_wins(count - x, x))
    }
    for count in 7..=24 {
        for face in 1..=6 {
            let expected = if mover_wins(count, face) { FIRST } else { SECOND };
            assert_eq!(winner(&format!("dice({count}, {face})")), expected, "{count} {face}");
        }
    }
}

#[test]
fn marienbad_follows_the_theory_of_nim() {
    for n in 1..=4u32 {
        let nim = |rows: [u32; 3]| rows[0] ^ rows[1] ^ rows[2];
        let rows = [n, 2 * n, 3 * n];
        let lost = |lost| if lost { SECOND } else { FIRST };
        assert_eq!(winner(&format!("marienbad({n})")), lost(nim(rows) == 0), "{n}");
        assert_eq!(
            winner(&format!("marienbad({n}, take=3)")),
            lost(nim(rows.map(|row| row % 4)) == 0),
            "{n}, at most 3"
        );
        // Misère Nim differs only if every row is a single match.
        let all_single = rows.iter().all(|&row| row <= 1);
        assert_eq!(
            winner(&format!("marienbad({n}, misere)")),
            lost((nim(rows) == 0) != all_single),
            "{n} misère"
        );
    }
    assert_eq!(start("marienbad(8, quarter)").show(), "2,4,8 first");
    let random = start("marienbad(9, random, seed=5)").show();
    assert_eq!(random, start("marienbad(9, random, seed=5)").show());
}

#[test]
fn hexapawn_has_the_known_winners() {
    let sizes = ["3, 3", "3, 4", "3, 5", "4, 3", "4, 4", "4, 5", "5, 3", "5, 4", "5, 5"];
    let plain = [2, 1, 1, 2, 1, 2, 1, 2, 1];
    let forced = [1, 2, 1, 2, 2, 2, 1, 1, 2];
    for (i, size) in sizes.iter().enumerate() {
        let won = |by| if by == 1 { FIRST } else { SECOND };
        if *size != "5, 5" {
            let game = format!("hexapawn({size}, forced)");
            assert_eq!(winner(&game), won(forced[i]), "{game}");
        }
        if !["5, 4", "5, 5"].contains(size) {
            assert_eq!(winner(&format!("hexapawn({size})")), won(plain[i]), "{size}");
        }
    }
}

#[test]
#[ignore = "takes ten seconds; ./test --all runs it"]
fn the_second_player_wins_two_large_boards_of_hexapawn() {
    assert_eq!(winner("hexapawn(5, 4)"), SECOND);
    assert_eq!(winner("hexapawn(5, 5, forced)"), SECOND);
}

#[test]
fn hexapawn_has_the_known_numbers_of_games_and_probabilities() {
    let (games, odds) = ends("hexapawn");
    assert_eq!(games, ["64", "70", "0"]);
    assert_eq!(odds[0], "259/432");
    assert_eq!(all("hexapawn(4, 4)").games.to_string(), "2330356");
}

#[test]
fn three_rows_with_forced_capture_are_dawsons_chess() {
    for n in 2..=12 {
        let expected = if n == 4 || n == 8 { SECOND } else { FIRST };
        assert_eq!(winner(&format!("hexapawn(3, {n}, forced)")), expected, "{n} columns");
    }
}

#[test]
fn tictactoe_has_the_known_numbers() {
    let all = all("tictactoe");
    assert_eq!((all.positions, all.games.to_string().as_str()), (5478, "255168"));
    assert_eq!(all.perfect, AnyOutcome::Duel(Duel::Drawn));
    let (games, odds) = ends("tictactoe");
    assert_eq!(games, ["131184", "77904", "46080"]);
    assert_eq!(odds, ["737/1260", "121/420", "8/63"]);
}

#[test]
fn morpion_has_the_known_numbers() {
    let plain = all("morpion(3)");
    assert_eq!(
        (plain.positions, plain.games.to_string().as_str(), plain.longest),
        (5400, "255168", 8)
    );
    assert_eq!(ends("morpion(3)").0, ["49392", "77904", "127872"]);
    assert_eq!(plain.perfect, AnyOutcome::Duel(Duel::Drawn));
    assert_eq!(winner("morpion(3, torus)"), FIRST);
}

/// Returns the outcome of a position given in its notation.
fn ended(game: &str, state: &str) -> Option<Duel> {
    match registry::standard().game(game).unwrap().read(state).unwrap().status() {
        Status::Over(AnyOutcome::Duel(duel)) => Some(duel),
        _ => None,
    }
}

fn legal(game: &str, state: &str) -> Vec<String> {
    registry::standard().game(game).unwrap().read(state).unwrap().moves()
}

#[test]
fn a_torus_has_twelve_lines_and_a_flat_board_eight() {
    // Three stones of the first side anywhere, two of the second in the first two free cells that
    // do not make a line.
    let lines = |game: &str| {
        let sets = (0..512u32).filter(|set| set.count_ones() == 3);
        sets.filter(|set| {
            let mut others = 2;
            let cell = |i: u32| match set >> i & 1 {
                1 => 'x',
                _ if others > 0 => {
                    others -= 1;
                    'o'
                }
                _ => '.',
            };
            let cells: Vec<char> = (0..9).map(cell).collect();
            let rows: Vec<String> = cells.chunks(3).map(|row| row.iter().collect()).collect();
            ended(game, &rows.join("/")) == Some(FIRST)
        })
        .count()
    };
    assert_eq!((lines("morpion"), lines("morpion(torus)")), (8, 12));
}

#[test]
fn larger_boards_of_morpion_need_four_and_five_in_a_row() {
    assert_eq!(ended("morpion(5)", "xxx../ooo../...../...../....."), None);
    assert_eq!(ended("morpion(5)", "xxxx./ooo../...../...../....."), Some(FIRST));
    assert_eq!(ended("morpion(5)", "x.xxx/ooo../...../...../....."), None);
    assert_eq!(ended("morpion(5, torus)", "x.xxx/ooo../...../...../....."), Some(FIRST));
    let seven = |row: &str| format!("{row}/oooo.../......./......./......./......./.......");
    assert_eq!(ended("morpion(7)", &seven("xxxx...")), None);
    assert_eq!(ended("morpion(7)", &seven("xxxxx..")), Some(FIRST));
}

#[test]
fn slides_go_to_the_hole_and_end_in_a_draw_when_blocked_or_spent() {
    // The empty cell is in the corner; x moves, and only o is next to it.
    for phase in [1, 2] {
        assert_eq!(ended(&format!("morpion(phase={phase})"), "oxx/xoo/xo."), Some(Duel::Drawn));
    }
    assert_eq!(legal("morpion(phase=1)", "oxo/oxx/xo."), ["c2-c1"]);
    assert_eq!(legal("morpion(phase=2)", "oxo/oxx/xo."), ["b2-c1", "c2-c1"]);
    assert_eq!(ended("morpion(phase=0)", "oxo/oxx/xo."), Some(Duel::Drawn));
    assert_eq!(ended("morpion(phase=1)", "oxo/oxx/xo. slides 5"), None);
    assert_eq!(ended("morpion(phase=1)", "oxo/oxx/xo. slides 6"), Some(Duel::Drawn));
}

#[test]
fn moves_are_listed_in_the_order_of_the_exercise_sheet() {
    assert_eq!(legal("hexapawn", "x.x/xo./o.o first"), ["a3xb2", "c3xb2", "c3-c2"]);
    assert_eq!(legal("hexapawn(forced)", "x.x/xo./o.o first"), ["a3xb2", "c3xb2"]);
    assert_eq!(legal("hexapawn(3, 3, cylinder)", "x../..o/oo. first"), ["a3xc2", "a3-a2"]);
    assert_eq!(legal("hexapawn", "x../..o/oo. first"), ["a3-a2"]);
    assert_eq!(legal("divide(7, 17)", "2,3 first"), ["A1", "A2", "B1"]);
    assert_eq!(legal("divide(7, 17, sorted)", "2,3 first"), ["A1", "B1"]);
    assert_eq!(start("marienbad(6, quarter)").show(), "1,3,6 first");
    assert_eq!(legal("marienbad(take=3)", "0,1,5 second"), ["2:1", "3:1", "3:2", "3:3"]);
}

#[test]
fn morpion_with_slides_is_won_only_by_the_centre() {
    for phase in [1, 2] {
        let position = start(&format!("morpion(3, phase={phase})"));
        assert_eq!(position.census(1_000_000).unwrap().perfect, AnyOutcome::Duel(FIRST));
        let winning: Vec<String> = position
            .moves()
            .into_iter()
            .filter(|m| {
                let mut child = position.copy();
                child.play(m).unwrap();
                child.census(1_000_000).unwrap().perfect == AnyOutcome::Duel(FIRST)
            })
            .collect();
        assert_eq!(winning, ["b2"], "phase {phase}");
    }
}

#[test]
fn connect4_has_the_known_perft_and_positions() {
    let lines = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646];
    let start = start("connect4");
    for (depth, &count) in (1..).zip(&lines) {
        assert_eq!(start.perft(depth, 2), count, "depth {depth}");
    }
    let positions = start.positions_by_ply(9, 1_000_000).unwrap();
    assert_eq!(positions, [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]);
}

#[test]
fn random_connect4_has_the_known_probabilities() {
    let ends = start("connect4").playouts(1_000_000, 1);
    for (count, (known, within)) in ends.iter().zip([(0.556, 2e-3), (0.441, 2e-3), (0.0026, 2e-4)])
    {
        assert!((*count as f64 / 1e6 - known).abs() < within, "{ends:?}");
    }
}

#[test]
fn a_small_board_of_connect4_is_drawn() {
    for (cols, rows) in [(4, 4), (5, 3)] {
        let g = Connect4::new(cols, rows);
        let all = census(&g, &g.start(), 30_000_000).unwrap();
        assert_eq!(all.perfect, Duel::Drawn, "{cols}×{rows}");
        assert_eq!(u32::from(cols * rows), all.longest);
    }
}

#[test]
fn perft_on_threads_equals_perft_on_one() {
    for game in ["connect4(5, 5)", "hexapawn(4, 4)", "matches", "tictactoe", "morpion(3, phase=1)"]
    {
        for depth in 0..=6 {
            let start = start(game);
            assert_eq!(start.perft(depth, 3), start.perft(depth, 1), "{game} {depth}");
        }
    }
    let g = Connect4::STANDARD;
    assert_eq!(perft(&g, &g.start(), 0), 1);
}
