//! The program with a game of one's own: a puzzle whose law-breaking can be chosen.

use clap::Parser;
use ludion::game::{Game, Side, Status};
use ludion::listing::ListedGame;
use ludion::notation::{ReadError, Reader};
use ludion::outcome::Points;
use ludion::param::{Args, Param, ParamError};
use ludion::registry::{Entry, Registry};
use ludion::scene::{Cell, Scene, Shape};

use crate::failure::Failure;
use crate::{Cli, perform};

/// Take 1 or 2 of seven stones until none is left; fewer moves are worth more points.
struct Pile {
    /// Breaks a law: every state has the same key.
    careless: bool,
}

impl Game for Pile {
    /// Stones left and moves made.
    type State = (u8, u8);
    type Move = u8;
    type Outcome = Points;

    fn start(&self) -> (u8, u8) {
        (7, 0)
    }

    fn status(&self, s: &(u8, u8)) -> Status<Points> {
        if s.0 > 0 { Status::Turn(Side::First) } else { Status::Over(Points(10 - i64::from(s.1))) }
    }

    fn moves(&self, s: &(u8, u8), out: &mut Vec<u8>) {
        out.extend(1..=s.0.min(2));
    }

    fn play(&self, s: &mut (u8, u8), m: u8) {
        *s = (s.0 - m, s.1 + 1);
    }

    fn key(&self, s: &(u8, u8)) -> u64 {
        if self.careless { 0 } else { u64::from(s.0) << 8 | u64::from(s.1) }
    }

    fn show_state(&self, s: &(u8, u8)) -> String {
        format!("{},{}", s.0, s.1)
    }

    fn read_state(&self, text: &str) -> Result<(u8, u8), ReadError> {
        let mut reader = Reader::new(text);
        let left = reader.number("the stones", 0, 7)? as u8;
        reader.expect(",")?;
        let made = reader.number("the moves", 0, 7)? as u8;
        reader.end()?;
        Ok((left, made))
    }

    fn show_move(&self, _s: &(u8, u8), m: u8) -> String {
        m.to_string()
    }

    fn scene(&self, s: &(u8, u8)) -> Scene {
        Scene::heaps(&[s.0.into()], &[7], &Shape::Disc)
    }

    fn touches(&self, s: &(u8, u8), m: u8) -> Vec<Cell> {
        vec![Cell::new(0, usize::from(s.0 - m))]
    }
}

impl ListedGame for Pile {
    const NAME: &'static str = "pile";
    const HELP: &'static str = "take all stones in few moves";
    const PARAMS: &'static [Param] = &[Param::flag("careless", "breaks a law")];
    const EXAMPLES: &'static [&'static str] = &["pile"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Pile { careless: args.flag("careless") })
    }
}

/// How the program ends with the puzzle in its registry.
fn ludion(args: &[&str]) -> Result<(), Failure> {
    let cli = Cli::try_parse_from([&["ludion"], args].concat()).expect("good usage");
    perform(cli, Registry::standard().with(Entry::<Pile>::puzzle()))
}

#[test]
fn a_puzzle_is_played_by_one_and_has_no_second_seat() {
    assert!(ludion(&["play", "pile", "--first", "random", "--json"]).is_ok());
    let Err(Failure::Usage(sentence)) = ludion(&["play", "pile", "--second", "random"]) else {
        panic!("a puzzle has one seat")
    };
    assert_eq!(sentence, "pile is a puzzle for one, so there is no seat for \"random\"");
    let Err(Failure::Usage(sentence)) = ludion(&["play", "pile", "--first", "minimax"]) else {
        panic!("minimax needs an opponent")
    };
    assert!(sentence.starts_with("minimax plays duels only"), "{sentence}");
}

#[test]
fn a_game_that_breaks_a_law_fails_its_check_by_name() {
    assert!(ludion(&["check", "pile"]).is_ok());
    let Err(Failure::Failed(sentence)) = ludion(&["check", "matches", "pile(careless)"]) else {
        panic!("a careless game must be found out")
    };
    let start = "pile(careless) breaks a law: different states have different keys, but in ";
    assert!(sentence.starts_with(start), "{sentence}");
}
