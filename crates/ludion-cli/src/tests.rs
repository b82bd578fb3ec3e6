//! Tests of the program with a user's own game: a puzzle that breaks a law of games on request.

use std::sync::{Arc, Mutex};

use clap::Parser;
use ludion::game::{Game, Side, Status};
use ludion::named::NamedGame;
use ludion::notation::{NotationError, NotationReader};
use ludion::outcome::Points;
use ludion::param::{Args, Param, ParamError};
use ludion::registry::{self, GameBuilder};
use ludion::scene::{Coord, PieceShape, Scene};

use crate::failure::CommandFailure;
use crate::{Cli, execute};

/// Puzzle: take 1 or 2 of seven stones until none is left; fewer moves give more points.
struct Pile {
    /// Whether the game breaks a law: all states have the same key.
    careless: bool,
}

impl Game for Pile {
    /// Number of stones left and number of moves made.
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

    fn read_state(&self, text: &str) -> Result<(u8, u8), NotationError> {
        let mut reader = NotationReader::new(text);
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
        Scene::heaps(&[s.0.into()], &[7], &PieceShape::Disc)
    }

    fn touches(&self, s: &(u8, u8), m: u8) -> Vec<Coord> {
        vec![Coord::new(0, usize::from(s.0 - m))]
    }
}

impl NamedGame for Pile {
    const NAME: &'static str = "pile";
    const HELP: &'static str = "take all stones in few moves";
    const PARAMS: &'static [Param] = &[Param::flag("careless", "breaks a law")];
    const EXAMPLES: &'static [&'static str] = &["pile"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Pile { careless: args.flag("careless") })
    }
}

/// Runs the program with these arguments and the puzzle in its registry.
fn ludion(args: &[&str]) -> Result<(), CommandFailure> {
    let cli = Cli::try_parse_from([&["ludion"], args].concat()).expect("good usage");
    let registry = registry::standard().with(GameBuilder::<Pile>::puzzle());
    execute(
        cli,
        registry,
        crate::Output { json: false, captured: None },
        crate::ProgressMode::Silent,
    )
}

#[test]
fn a_puzzle_is_played_by_one_and_has_no_second_seat() {
    assert!(ludion(&["play", "pile", "--first", "random", "--json"]).is_ok());
    let Err(CommandFailure::Usage(sentence)) = ludion(&["play", "pile", "--second", "random"])
    else {
        panic!("a puzzle has one seat")
    };
    assert_eq!(sentence, "pile is a puzzle for one, so there is no seat for \"random\"");
    let Err(CommandFailure::Usage(sentence)) = ludion(&["play", "pile", "--first", "minimax"])
    else {
        panic!("minimax needs an opponent")
    };
    assert!(sentence.starts_with("minimax plays duels only"), "{sentence}");
}

#[test]
fn a_game_that_breaks_a_law_fails_its_check_by_name() {
    assert!(ludion(&["check", "pile"]).is_ok());
    let Err(CommandFailure::Failed(sentence)) = ludion(&["check", "matches", "pile(careless)"])
    else {
        panic!("a careless game must be found out")
    };
    let start = "pile(careless) breaks a law: different states have different keys, but in ";
    assert!(sentence.starts_with(start), "{sentence}");
}

/// Returns the replies of the player `random`, served as a bot for the puzzle, to these lines of
/// input.
fn served(lines: &'static str) -> String {
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (registry, paper) =
        (registry::standard().with(GameBuilder::<Pile>::puzzle()), Paper::default());
    ludion_bot::serve(&registry, "pile", "random", lines.as_bytes(), paper.clone()).unwrap();
    String::from_utf8(paper.0.lock().unwrap().clone()).unwrap()
}

#[test]
fn a_puzzle_is_served_and_ends_with_a_score() {
    let text = served(
        "position startpos moves 2 2 2\nquery result\nquery p1turn\nquery legal\n\
         position fen 1,3 moves 1\nquery gameover\nquery result\nquery legal\n\
         observe 1 answer 2\nhello\ngo simulations 5\nposition fen 9,9\ngo\n",
    );
    let expected = [
        "response none",
        "response true",
        "response 1",
        "response true",
        "response score 6",
        "response none",
        "error the game is over, there is no move to choose",
        "error the stones must be a number from 0 to 7 at character 1 of \"9,9\"",
        "error the stones must be a number from 0 to 7 at character 1 of \"9,9\"",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_served_player_announces_the_games_it_can_play_and_changes_between_them() {
    let text = served(
        "ugi\ngame tictactoe\nposition startpos\nquery legal\ngame chess\nquery legal\n\
         setoption name Seed value x\nsetoption name Depth value 3\nposition nowhere\n",
    );
    assert!(text.starts_with("id name Ludion random\n"), "{text}");
    assert!(text.contains("\nfeature game matches ") && text.contains(" pile\n"), "{text}");
    let behind: Vec<&str> = text.split("ugiok\n").nth(1).unwrap().lines().collect();
    assert_eq!(behind[0], "response a3 b3 c3 a2 b2 c2 a1 b1 c1");
    assert!(behind[1].starts_with("error no game is called \"chess\""), "{text}");
    assert_eq!(behind[2], "error the last command game chess failed");
    assert_eq!(behind[3], "error Seed is a whole number from 0 up");
    assert_eq!(behind[4], "error unknown option \"Depth\"; the only option is Seed");
    assert!(behind[5].starts_with("error the form is: position startpos|fen"), "{text}");
}
