//! Search of a puzzle, a game for one player with points.

use ludion::game::{Game, Side, Status};
use ludion::notation::{NotationError, NotationReader};
use ludion::outcome::Points;
use ludion::players::mcts::{MctsOptions, MctsPlayer, SelectionFormula};
use ludion::scene::{Coord, PieceShape, Scene};

use super::*;

/// Three digits make a number; the points are the number minus 1000, so nines are best. A leading 0
/// ends the game immediately with −500 points.
struct Digits;

impl Game for Digits {
    type State = Vec<u8>;
    type Move = u8;
    type Outcome = Points;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn status(&self, s: &Vec<u8>) -> Status<Points> {
        let number = s.iter().fold(0, |n, &d| 10 * n + i64::from(d));
        match (s.first(), s.len()) {
            (Some(0), _) => Status::Over(Points(500 - 1000)),
            (_, 3) => Status::Over(Points(number - 1000)),
            _ => Status::Turn(Side::First),
        }
    }

    fn moves(&self, s: &Vec<u8>, out: &mut Vec<u8>) {
        if self.status(s).turn().is_some() {
            out.extend(0..10);
        }
    }

    fn play(&self, s: &mut Vec<u8>, m: u8) {
        s.push(m);
    }

    fn key(&self, s: &Vec<u8>) -> u64 {
        s.iter().fold(1, |n, &d| 10 * n + u64::from(d))
    }

    fn show_state(&self, s: &Vec<u8>) -> String {
        s.iter().map(u8::to_string).collect()
    }

    fn read_state(&self, text: &str) -> Result<Vec<u8>, NotationError> {
        Err(NotationReader::new(text).whole("this test does not parse states"))
    }

    fn show_move(&self, _s: &Vec<u8>, m: u8) -> String {
        m.to_string()
    }

    fn scene(&self, _s: &Vec<u8>) -> Scene {
        Scene::heaps(&[1], &[1], &PieceShape::Match)
    }

    fn touches(&self, _s: &Vec<u8>, m: u8) -> Vec<Coord> {
        vec![Coord::new(0, usize::from(m))]
    }
}

#[test]
fn a_puzzle_is_searched_for_points() {
    for way in MODES {
        for threads in [1, 3] {
            for select in
                [PLAIN.select, SelectionFormula::Ucb1 { c: 0.5 }, SelectionFormula::Puct { c: 1.0 }]
            {
                let options = MctsOptions { select, ..on_threads(threads, way) };
                let mut player = MctsPlayer::new(options, None);
                let mut s = Digits.start();
                while Digits.status(&s).turn().is_some() {
                    let choice = choose(&mut player, &Digits, &s, 3000);
                    let best = choice.best_line().unwrap();
                    assert!(best.value.unwrap() <= -1.0 && best.proven.is_none());
                    Digits.play(&mut s, choice.best);
                }
                let Status::Over(Points(points)) = Digits.status(&s) else {
                    panic!("the game is over")
                };
                // The last digits differ by a thousandth of the range, so threads, which interleave
                // at random, may find the second best.
                let least = if threads == 1 { -1 } else { -10 };
                assert!(points >= least, "{way:?} {threads} {select:?}: {points}");
            }
        }
    }
}
