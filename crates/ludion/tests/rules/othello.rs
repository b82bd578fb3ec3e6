//! Othello: published counts and solved positions, the notation, and the endgame solver against plain
//! minimax.

use std::sync::Mutex;
use std::time::Instant;

use ludion::game::{Game, Side, Status};
use ludion::games::othello::endgame::{EndgameLimits, EndgameSolver};
use ludion::games::othello::{Othello, OthelloState};
use ludion::outcome::Duel;
use ludion::player::{Budget, Observer, SearchDetails};
use ludion::random::Rng;
use ludion::registry;
use ludion::search::perft::perft;

const OTHELLO: Othello = Othello::new(8);
const UNLIMITED: EndgameLimits<'static> = EndgameLimits { nodes: None, deadline: None, stop: None };

/// The published numbers of games of each length (Aart Bik, "Computing deep perft and divide numbers
/// for checkers and Othello"); a pass counts as a ply. He counts finished games at every later depth,
/// too, which are the second numbers here; Ludion does not.
const PERFT: [(u64, u64); 11] = [
    (4, 0),
    (12, 0),
    (56, 0),
    (244, 0),
    (1_396, 0),
    (8_200, 0),
    (55_092, 0),
    (390_216, 0),
    (3_005_288, 0),
    (24_571_284, 228),
    (212_258_800, 584),
];

fn count_finished(s: &OthelloState, depth: u32) -> u64 {
    let mut moves = Vec::new();
    OTHELLO.moves(s, &mut moves);
    match depth {
        0 => 0,
        _ if moves.is_empty() => 1,
        _ => moves.iter().map(|&m| count_finished(&OTHELLO.after(s, m), depth - 1)).sum(),
    }
}

#[test]
fn games_of_each_length_are_as_many_as_published() {
    for (depth, (published, finished)) in (1..).zip(PERFT).take(10) {
        assert_eq!(perft(&OTHELLO, &OTHELLO.start(), depth) + finished, published, "{depth}");
    }
    assert_eq!(count_finished(&OTHELLO.start(), 9), 0);
}

#[test]
#[ignore = "takes half a minute; ./test --all runs it"]
fn longer_games_and_finished_ones_are_as_many_as_published() {
    for (depth, (published, finished)) in (10..).zip(PERFT[9..].iter().copied()) {
        assert_eq!(perft(&OTHELLO, &OTHELLO.start(), depth) + finished, published, "{depth}");
        assert_eq!(count_finished(&OTHELLO.start(), depth), finished, "{depth}");
    }
}

#[test]
fn passes_may_be_written_among_the_moves_of_a_game_or_left_out() {
    let mut rng = Rng::new(5);
    let (mut passes, mut moves) = (0, Vec::new());
    for _ in 0..20 {
        let (mut s, mut lines) = (OTHELLO.start(), [String::new(), String::new()]);
        while let Status::Turn(_) = OTHELLO.status(&s) {
            moves.clear();
            OTHELLO.moves(&s, &mut moves);
            let m = moves[rng.below(moves.len())];
            let name = OTHELLO.show_move(&s, m);
            passes += usize::from(name == "pass");
            lines[0] += &name;
            lines[1] += if name == "pass" { "" } else { &name };
            OTHELLO.play(&mut s, m);
        }
        assert!(lines.iter().all(|line| OTHELLO.read_state(line) == Ok(s)), "{lines:?}");
    }
    assert!(passes > 3);
    assert!(OTHELLO.read_state("pass").is_err() && OTHELLO.read_state("f5pass").is_err());
}

#[test]
fn a_side_without_a_move_passes_and_then_the_other_moves_again() {
    // One of the shortest games: the second side has no disc left.
    let s = OTHELLO.read_state("e6f4e3f6g5d6e7f5c5").unwrap();
    assert_eq!(OTHELLO.disc_difference(&s), -13);
    assert_eq!(OTHELLO.status(&s), Status::Over(Duel::Won(Side::First)), "neither side has a move");
    let s = OTHELLO
        .read_state(
            "......../......../......../xxxxxo../...xx.../...x..../..x...../.x...... second",
        )
        .unwrap();
    assert_eq!(OTHELLO.status(&s), Status::Turn(Side::Second));
    let pass = OTHELLO.read_move(&s, "pass").unwrap();
    let passed = OTHELLO.after(&s, pass);
    assert_eq!(OTHELLO.status(&passed), Status::Turn(Side::First));
    assert!(OTHELLO.read_move(&passed, "pass").is_err(), "no pass with a move");
    assert!(OTHELLO.read_move(&passed, "g4").is_ok());
}

#[test]
fn states_are_read_as_boards_as_lines_and_as_moves() {
    let start = OTHELLO.start();
    let line = "---------------------------OX------XO--------------------------- X";
    assert_eq!(OTHELLO.read_state(line), Ok(start));
    assert_eq!(
        OTHELLO.show_state(&start),
        "......../......../......../...ox.../...xo.../......../......../........ first"
    );
    let mut s = start;
    for m in ["f5", "d6", "c3"] {
        s = OTHELLO.after(&s, OTHELLO.read_move(&s, m).unwrap());
    }
    assert_eq!(OTHELLO.read_state("f5d6c3"), Ok(s));
    assert_eq!(OTHELLO.read_state("F5 D6 C3"), Ok(s));
    for wrong in ["", "f5f5", "a1", "f9", "h", "x", &line[..65], &line[..64]] {
        assert!(OTHELLO.read_state(wrong).is_err(), "{wrong:?}");
    }
    assert!(Othello::new(4).read_state("g1").is_err());
}

#[test]
fn boards_that_no_game_has_are_refused() {
    let g = Othello::new(4);
    for empty_middle in ["..../..../..../.... first", "xxxx/x.xx/xxxx/xxxx first"] {
        let error = g.read_state(empty_middle).unwrap_err().to_string();
        assert!(error.contains("a cell in the middle is empty"), "{error}");
    }
    assert!(g.read_state("...x/.ox./.xo./.... second").is_ok(), "diagonal neighbours are joined");
    let far = "x......./......../......../...ox.../...xo.../......../......../........ second";
    let error = OTHELLO.read_state(far).unwrap_err().to_string();
    assert!(error.contains("the disc on a1 is not joined to the middle"), "{error}");
}

/// Returns the difference of discs by plain minimax, the empty cells counted for the winner.
fn minimax(g: &Othello, s: &OthelloState) -> i32 {
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    let best = moves.iter().map(|&m| -minimax(g, &g.after(s, m))).max();
    best.unwrap_or_else(|| {
        let difference = g.disc_difference(s);
        difference + difference.signum() * g.empties(s) as i32
    })
}

/// Plays random moves until at most `empties` cells are empty.
fn random_position(g: &Othello, empties: u32, rng: &mut Rng) -> OthelloState {
    let (mut s, mut moves) = (g.start(), Vec::new());
    while g.empties(&s) > empties {
        moves.clear();
        g.moves(&s, &mut moves);
        if moves.is_empty() {
            s = g.start();
        } else {
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }
    s
}

#[test]
fn the_endgame_solver_agrees_with_plain_minimax() {
    let mut rng = Rng::new(11);
    for size in [6, 8] {
        let g = Othello::new(size);
        let mut solver = EndgameSolver::new(g, 1);
        for i in 0..60 {
            let s = random_position(&g, 1 + i % 8, &mut rng);
            let expected = minimax(&g, &s);
            assert_eq!(solver.solve(&s, &UNLIMITED), Some(expected), "{}", g.show_state(&s));
            let bound = solver.bound(&s, 3, 4, &UNLIMITED).unwrap();
            assert_eq!(bound > 3, expected > 3, "{}", g.show_state(&s));
        }
    }
}

#[test]
fn the_second_side_wins_4x4_by_11_to_3() {
    let g = Othello::new(4);
    let mut solver = EndgameSolver::new(g, 16);
    // The two cells that stay empty count for the winner: 11 − 3 + 2.
    assert_eq!(solver.solve(&g.start(), &UNLIMITED), Some(-10));
    assert_eq!(minimax_discs(&g, &g.start()), -8);
}

/// Returns the difference of the discs on the board under perfect play for it.
fn minimax_discs(g: &Othello, s: &OthelloState) -> i32 {
    fn search(g: &Othello, s: &OthelloState, alpha: i32, beta: i32) -> i32 {
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        if moves.is_empty() {
            return g.disc_difference(s);
        }
        let mut best = -64;
        for m in moves {
            best = best.max(-search(g, &g.after(s, m), -beta, -best.max(alpha)));
            if best >= beta {
                break;
            }
        }
        best
    }
    search(g, s, -64, 64)
}

/// The line of perfect play on 6×6 cells that Joel Feinstein published in 1993, which ends 16 to 20,
/// in the coordinates of the 6×6 board.
const FEINSTEIN: &str = "c2b4c5d2e4e3d1c1b1d5d6f4b3b2f3f2e2b6a4c6a6a2b5a5e6e5a3a1f5f6e1f1";

#[test]
fn the_published_line_of_6x6_ends_16_to_20_and_its_last_part_is_perfect() {
    check_line(14);
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn the_published_line_of_6x6_is_perfect_from_24_empty_cells_on() {
    check_line(24);
}

fn check_line(empties: u32) {
    let g = Othello::new(6);
    let end = g.read_state(FEINSTEIN).unwrap();
    assert_eq!(g.status(&end), Status::Over(Duel::Won(Side::Second)));
    assert_eq!((g.empties(&end), g.disc_difference(&end).abs()), (0, 4));
    let mut solver = EndgameSolver::new(g, 256);
    for plies in (32 - empties as usize)..32 {
        let began = Instant::now();
        let s = g.read_state(&FEINSTEIN[..2 * plies]).unwrap();
        let sign = if g.status(&s).turn() == Some(Side::First) { 1 } else { -1 };
        assert_eq!(solver.solve(&s, &UNLIMITED), Some(-4 * sign), "after {plies} plies");
        println!("{} empty cells: {:.1?}", g.empties(&s), began.elapsed());
    }
}

/// Positions 40 to 44 of the endgame test suite of the Fédération Française d'Othello: the board, the
/// side to move, the difference of discs, and the best moves.
const FFO: [(u32, &str, i32, &[&str]); 5] = [
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, &["a2"]),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, &["h4"]),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, &["g2"]),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, &["c7", "g3"]),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, &["d2", "b8"]),
];

#[test]
fn the_positions_of_the_ffo_are_read() {
    assert!(FFO.iter().all(|(_, text, ..)| OTHELLO.read_state(text).is_ok()));
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn the_positions_40_to_44_of_the_ffo_are_solved_right() {
    for (number, text, expected, best) in FFO {
        let mut solver = EndgameSolver::new(OTHELLO, 512);
        let s = OTHELLO.read_state(text).unwrap();
        let began = Instant::now();
        assert_eq!(solver.solve(&s, &UNLIMITED), Some(expected), "position {number}");
        let found = OTHELLO.show_move(&s, solver.variation(&s)[0]);
        println!(
            "{number}: {found} {expected} in {:.1?}, {} positions",
            began.elapsed(),
            solver.nodes()
        );
        assert!(best.contains(&&found[..]), "position {number}: {found}");
    }
}

#[test]
fn a_stopped_search_gives_no_score() {
    let limits = EndgameLimits { nodes: Some(50_000), ..EndgameLimits::default() };
    assert_eq!(EndgameSolver::new(OTHELLO, 1).solve(&OTHELLO.start(), &limits), None);
}

/// An observer that keeps the notes of a search.
#[derive(Default)]
struct NoteKeeper(Mutex<Vec<String>>);

impl Observer<String> for NoteKeeper {
    fn details_limit(&self) -> Option<usize> {
        Some(1)
    }

    fn report_details(&self, details: &SearchDetails) {
        details.notes.clone_into(&mut self.0.lock().unwrap());
    }
}

#[test]
fn the_player_endgame_says_when_it_gives_up() {
    let game = registry::standard().game("othello").unwrap();
    let budget = Budget { nodes: Some(50_000), ..Budget::UNLIMITED };
    let start = OTHELLO.show_state(&OTHELLO.start());
    let late = OTHELLO.show_state(&random_position(&OTHELLO, 6, &mut Rng::new(1)));
    for (state, expected) in [(start, "gave up on 60 empty cells"), (late, "")] {
        let (mut player, notes) =
            (game.player("endgame(empties=60)").unwrap(), NoteKeeper::default());
        player.choose(&*game.read(&state).unwrap(), budget, &notes).unwrap();
        let notes = notes.0.into_inner().unwrap();
        assert_eq!(notes.is_empty(), expected.is_empty(), "{state}: {notes:?}");
        assert!(notes.iter().all(|note| note.contains(expected)), "{notes:?}");
    }
}
