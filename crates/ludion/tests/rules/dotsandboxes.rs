//! Dots and Boxes: exact scores, and a slow implementation of the rules beside the fast one.

use ludion::game::{Game, Side, Status};
use ludion::games::dotsandboxes::DotsAndBoxes;
use ludion::outcome::{AnyOutcome, Duel, Wdl};
use ludion::player::NoObserver;
use ludion::random::Rng;
use ludion::registry;
use ludion::search::perft::perft;
use ludion::solution::SolveLimits;

/// A board of dots, edges and boxes as a grid of `(2·rows + 1)` × `(2·cols + 1)` cells, which are
/// true where an edge is drawn.
#[derive(Clone)]
struct SlowBoard {
    cells: Vec<Vec<bool>>,
    scores: [u32; 2],
    turn: usize,
}

impl SlowBoard {
    fn new(rows: usize, cols: usize) -> Self {
        SlowBoard { cells: vec![vec![false; 2 * cols + 1]; 2 * rows + 1], scores: [0; 2], turn: 0 }
    }

    fn complete_boxes(&self) -> u32 {
        let c = &self.cells;
        let is_complete =
            |y: usize, x: usize| c[y - 1][x] && c[y + 1][x] && c[y][x - 1] && c[y][x + 1];
        let boxes = (1..c.len())
            .step_by(2)
            .flat_map(|y| (1..c[0].len()).step_by(2).filter(move |&x| is_complete(y, x)));
        boxes.count() as u32
    }

    /// Returns the free edges as row and column.
    fn moves(&self) -> Vec<(usize, usize)> {
        let cells =
            (0..self.cells.len()).flat_map(|y| (0..self.cells[0].len()).map(move |x| (y, x)));
        cells.filter(|&(y, x)| (x + y) % 2 == 1 && !self.cells[y][x]).collect()
    }

    fn play(&mut self, (y, x): (usize, usize)) {
        let before = self.complete_boxes();
        self.cells[y][x] = true;
        let boxes = self.complete_boxes() - before;
        self.scores[self.turn] += boxes;
        if boxes == 0 {
            self.turn = 1 - self.turn;
        }
    }
}

#[test]
fn the_rules_are_those_of_a_slow_implementation() {
    let mut rng = Rng::new(22);
    for (rows, cols) in [(1, 1), (1, 5), (3, 2), (4, 4), (5, 6), (7, 8)] {
        let g = DotsAndBoxes::new(rows, cols, false);
        for _ in 0..40 {
            let (mut s, mut slow) = (g.start(), SlowBoard::new(rows, cols));
            loop {
                let mut moves = Vec::new();
                g.moves(&s, &mut moves);
                let places = slow.moves();
                let cell = |m: &u8| (g.touches(&s, *m)[0].y.into(), g.touches(&s, *m)[0].x.into());
                assert_eq!(moves.iter().map(cell).collect::<Vec<_>>(), places);
                let side = Side::BOTH[slow.turn];
                if moves.is_empty() {
                    break;
                }
                assert_eq!(g.status(&s), Status::Turn(side));
                let i = rng.below(moves.len());
                g.play(&mut s, moves[i]);
                slow.play(places[i]);
                let score = format!(" {}:{} ", slow.scores[0], slow.scores[1]);
                assert!(g.show_state(&s).contains(&score));
            }
            let [first, second] = slow.scores;
            let expected = match first.cmp(&second) {
                std::cmp::Ordering::Greater => Duel::Won(Side::First),
                std::cmp::Ordering::Equal => Duel::Drawn,
                std::cmp::Ordering::Less => Duel::Won(Side::Second),
            };
            assert_eq!(g.status(&s), Status::Over(expected));
        }
    }
}

/// Returns the lead in boxes of the side that moves first under perfect play by both: the value of
/// every set of edges, from the full board down to the empty one.
fn best_lead(rows: usize, cols: usize) -> i8 {
    let slow = SlowBoard::new(rows, cols);
    let edges = slow.moves();
    let number = |y: usize, x: usize| edges.iter().position(|&edge| edge == (y, x)).unwrap();
    let boxes: Vec<u32> = (0..rows * cols)
        .map(|i| {
            let (y, x) = (2 * (i / cols) + 1, 2 * (i % cols) + 1);
            [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
                .iter()
                .fold(0, |mask, &(y, x)| mask | 1 << number(y, x))
        })
        .collect();
    let beside: Vec<Vec<u32>> = (0..edges.len())
        .map(|edge| boxes.iter().copied().filter(|mask| mask >> edge & 1 == 1).collect())
        .collect();
    let mut leads = vec![0i8; 1 << edges.len()];
    for drawn in (0..leads.len() - 1).rev() {
        let mut best = i8::MIN;
        for edge in (0..edges.len()).filter(|edge| drawn >> edge & 1 == 0) {
            let after = drawn | 1 << edge;
            let full = |mask: &&u32| after & **mask as usize == **mask as usize;
            let gain = beside[edge].iter().filter(full).count() as i8;
            best = best.max(if gain > 0 { gain + leads[after] } else { -leads[after] });
        }
        leads[drawn] = best;
    }
    leads[0]
}

/// The leads are computed here from the rules. The win of the first side on 2 × 2 boxes is that of
/// Berlekamp, Conway and Guy, *Winning Ways*, chapter 16.
#[test]
fn small_boards_have_their_exact_scores() {
    let leads = [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (1, 5, -1), (2, 2, 2), (2, 3, -2)];
    for (rows, cols, lead) in leads {
        assert_eq!(best_lead(rows, cols), lead, "{rows} × {cols}");
    }
}

/// The first side wins 2 × 4 boxes by 5 to 3, the second side 3 × 3 boxes by 6 to 3; computed here.
#[test]
#[ignore = "takes some seconds; ./test --all runs it"]
fn larger_boards_have_their_exact_scores() {
    assert_eq!((best_lead(2, 4), best_lead(3, 3)), (2, -3));
}

fn verdict(size: &str) -> Wdl {
    let start = registry::standard().game(&format!("dotsandboxes({size})")).unwrap().start();
    start.solve(SolveLimits::default(), &NoObserver).unwrap().value.verdict
}

#[test]
fn the_general_solver_finds_the_same_winners() {
    for (size, expected) in [("1, 2", Wdl::Draw), ("2, 2", Wdl::Win), ("1, 5", Wdl::Loss)] {
        assert_eq!(verdict(size), expected, "{size}");
        assert_eq!(verdict(&format!("{size}, majority")), expected, "{size}");
    }
    assert_eq!(verdict("2, 3, majority"), Wdl::Loss);
}

#[test]
fn notation_and_refusals() {
    let game = registry::standard().game("dotsandboxes(1, 2)").unwrap();
    let mut position = game.start();
    assert_eq!(position.moves(), ["a2b2", "b2c2", "a1a2", "b1b2", "c1c2", "a1b1", "b1c1"]);
    position.play_line("a1b1 a1a2 b1b2").unwrap();
    assert_eq!(position.show(), "../||./-. 0:0 second");
    position.play("a2b2").unwrap();
    assert_eq!(position.show(), "-./||./-. 0:1 second");
    assert_eq!(position.status(), Status::Turn(Side::Second));
    let error = |state: &str| game.read(state).err().unwrap().to_string();
    assert_eq!(
        error("-./||./-. 1:1 second"),
        "\"-./||./-. 1:1 second\": 1 boxes are complete, and the sides have 2 together"
    );
    assert_eq!(
        error("|./||./-. 0:1 second"),
        "expected a cell, one of \".-\", at character 1 of \"|./||./-. 0:1 second\""
    );
    let over = game.read("--/|||/-- 2:0 first").unwrap().status();
    assert_eq!(over, Status::Over(AnyOutcome::Duel(Duel::Won(Side::First))));
    assert_eq!(
        registry::standard().game("dotsandboxes(8, 8)").err().unwrap().to_string(),
        "dotsandboxes: 8 rows of 8 boxes have 144 edges; at most 127 are allowed"
    );
}

#[test]
fn every_order_of_the_edges_is_a_game() {
    let (plain, ended) = (DotsAndBoxes::new(2, 2, false), DotsAndBoxes::new(2, 2, true));
    assert_eq!(perft(&plain, &plain.start(), 7), (6..=12).product::<u64>());
    assert_eq!(perft(&ended, &ended.start(), 6), (7..=12).product::<u64>());
}
