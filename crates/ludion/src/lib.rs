//! Ludion: a laboratory for players of games, as a library. It has games with their rules, players
//! that search and learn, exact solvers, and matches with their statistics. The crate `ludion-cli`
//! is the program around it.
//!
//! There are two ways to use it. By name: the [`standard`](registry::standard) registry builds games and
//! players from text such as `"mcts(sims=1000)"`, and moves are text. By type: a game is a value that
//! implements [`Game`](game::Game), and searches are compiled for it, which is faster. Both give the
//! same results. Every result depends on a seed alone, not on the number of threads, unless a player looks at
//! the clock or lets several threads search one tree.
//!
//! # Play
//!
//! A player answers a position with a choice within a budget.
//!
//! ```
//! use ludion::{player::NoObserver, registry};
//!
//! let game = registry::standard().game("matches(5, misere)")?;
//! let mut opponent = game.player("minimax(depth=5)")?;
//! let mut position = game.start();
//! assert_eq!(position.moves(), ["1", "2", "3"]);
//! position.play("1")?;
//! assert_eq!(position.show(), "4 second");
//! let choice = opponent.choose(&*position, "100ms".parse()?, &NoObserver)?;
//! assert_eq!(choice.best, "3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search
//!
//! A choice has a line for every move: its estimated value, visits, expected continuation, and its
//! exact result where the search proved one.
//!
//! ```
//! use ludion::{player::NoObserver, registry};
//!
//! let game = registry::standard().game("connect4")?;
//! let mut position = game.start();
//! position.play_line("444 445 5")?;
//! let mut player = game.player("mcts")?;
//! player.begin(1); // the seed
//! let choice = player.choose(&*position, "2000sims".parse()?, &NoObserver)?;
//! assert_eq!((choice.lines.len(), choice.simulations), (7, 2000));
//! let best = choice.lines.iter().max_by_key(|line| line.visits).unwrap();
//! assert_eq!(best.play, choice.best);
//!
//! // By type: the exact value of a small game, and the number of move sequences of a large one.
//! use ludion::game::Game;
//! use ludion::games::{connect4::Connect4, matches::Matches};
//! use ludion::outcome::Wdl;
//! use ludion::player::{Budget, MoveRequest};
//! use ludion::search::{perft::perft, solve};
//!
//! let g = Matches { n: 100, misere: false };
//! let start = g.start();
//! let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
//! let solution = solve::solve(&request, solve::SolveLimits::default())?;
//! assert_eq!(solution.value.verdict, Wdl::Loss);
//! assert_eq!(perft(&Connect4::STANDARD, &Connect4::STANDARD.start(), 6), 117_649);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A game of your own
//!
//! The rules are one trait. All players, solvers and statistics then work with the game, and
//! [`laws`] checks the rules. This one is played with one heap; a move takes a square number of
//! stones, and the side that takes the last one wins.
//!
//! ```
//! use ludion::game::{Game, Side, Status};
//! use ludion::named::NamedGame;
//! use ludion::notation::{NotationError, NotationReader};
//! use ludion::outcome::Duel;
//! use ludion::param::{Args, Param, ParamError};
//! use ludion::player::{Budget, NoObserver};
//! use ludion::registry::{self, GameBuilder};
//! use ludion::scene::{Coord, PieceShape, Scene};
//!
//! /// The number of stones at the start.
//! struct Squares(u16);
//!
//! impl Game for Squares {
//!     type State = (u16, Side);
//!     type Move = u16;
//!     type Outcome = Duel;
//!
//!     fn start(&self) -> (u16, Side) {
//!         (self.0, Side::First)
//!     }
//!     fn status(&self, &(left, turn): &(u16, Side)) -> Status<Duel> {
//!         if left > 0 { Status::Turn(turn) } else { Status::Over(Duel::Won(turn.other())) }
//!     }
//!     fn moves(&self, &(left, _): &(u16, Side), out: &mut Vec<u16>) {
//!         out.extend((1..).map(|root| root * root).take_while(|&square| square <= left));
//!     }
//!     fn play(&self, s: &mut (u16, Side), m: u16) {
//!         *s = (s.0 - m, s.1.other());
//!     }
//!     fn key(&self, &(left, turn): &(u16, Side)) -> u64 {
//!         u64::from(left) << 1 | turn as u64
//!     }
//!     fn show_state(&self, &(left, turn): &(u16, Side)) -> String {
//!         format!("{left} {turn}")
//!     }
//!     fn read_state(&self, text: &str) -> Result<(u16, Side), NotationError> {
//!         let mut reader = NotationReader::new(text);
//!         let left = reader.number("the stones left", 0, self.0.into())? as u16;
//!         let turn = reader.side()?;
//!         reader.end()?;
//!         Ok((left, turn))
//!     }
//!     fn show_move(&self, _: &(u16, Side), m: u16) -> String {
//!         m.to_string()
//!     }
//!     /// A picture as data, which the terminal and the browser draw.
//!     fn scene(&self, &(left, _): &(u16, Side)) -> Scene {
//!         Scene::heaps(&[left.into()], &[self.0.into()], &PieceShape::Match)
//!     }
//!     /// What a person clicks to make the move: the first stone that it takes.
//!     fn touches(&self, &(left, _): &(u16, Side), m: u16) -> Vec<Coord> {
//!         vec![Coord::new(0, usize::from(left - m))]
//!     }
//! }
//!
//! impl NamedGame for Squares {
//!     const NAME: &'static str = "squares";
//!     const HELP: &'static str = "take a square number of stones; the last one wins";
//!     const PARAMS: &'static [Param] = &[Param::int("n", 20, 1, 1000, "stones at the start")];
//!     const EXAMPLES: &'static [&'static str] = &["squares", "squares(50)"];
//!
//!     fn build(args: &Args) -> Result<Self, ParamError> {
//!         Ok(Squares(args.size("n") as u16))
//!     }
//! }
//!
//! ludion::laws::check(&Squares(20), 10, 1)?;
//! let game = registry::standard().with(GameBuilder::<Squares>::duel()).game("squares(7)")?;
//! let mut player = game.player("deepening")?;
//! let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver)?;
//! assert!(choice.lines.iter().all(|line| line.proven.is_some()), "7 is small");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A match
//!
//! Pairs of games from the same opening with seats swapped, on threads. The games are the same on
//! any number of threads that play them, unless their players look at the clock.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use ludion::arena::elo::EloReport;
//! use ludion::arena::executor::{Executor, ThreadExecutor};
//! use ludion::arena::pair::{GameResult, GameSettings};
//! use ludion::arena::pairings::{PairJobs, PairSchedule};
//! use ludion::arena::plan::{GamesPlan, PlanKind, PlanTally};
//! use ludion::registry;
//!
//! let game = registry::standard().game("tictactoe")?;
//! let players = ["uct(sims=50)", "random"].map(str::to_owned).to_vec();
//! let settings = GameSettings { budget: "200sims".parse()?, opening: 2, longest: 100, seed: 7 };
//! let schedule = PairSchedule::duel(20);
//! let plan = GamesPlan::new(PlanKind::Match, game.spec(), players, schedule, settings);
//!
//! let referee = || game.referee(&plan.players).expect("players of this game");
//! let pairs = PairJobs { plan: &plan, keep: false, referee: &referee };
//! let mut tally = PlanTally::new(&plan);
//! let mut count = |number, pair: [GameResult; 2]| tally.add(number, &pair);
//! let never = AtomicBool::new(false);
//! ThreadExecutor(2).execute(&pairs, &mut (0..plan.schedule.total()), &never, &mut count)?;
//!
//! let (_, results) = &tally.standings.meetings[0];
//! let report = EloReport::from_counts(&results.pairs.score_counts()).expect("games were played");
//! assert_eq!(results.games.total(), 40);
//! assert!(report.score > 0.6, "{} Elo", report.elo.value);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | topic | modules |
//! |---|---|
//! | rules | [`game`], [`outcome`], [`notation`], [`scene`]; [`grid`] and [`men`] for boards; [`laws`] |
//! | built in | [`games`], [`riddles`] |
//! | by name | [`registry`], [`named`], [`spec`], [`param`], [`erased`] |
//! | players | [`player`], [`players`], [`evaluator`], [`timer`], [`random`], [`assets`] |
//! | search | [`search`], [`solution`] |
//! | measurement | [`arena`], [`archive`], [`optimise`] |
//! | learning | [`learn`] |
//! | guessing | [`riddle`] |
//!
//! The library opens no files and no sockets. It reads the clock only to keep a time budget and to
//! report how long a choice took.

#[doc(inline)]
pub use ludion_optimise as optimise;
#[doc(inline)]
pub use ludion_players::{
    archive, arena, assets, effective, encoding, erased, evaluator, game, grid, laws, learn,
    memory, named, notation, outcome, param, plain_words, player, players, policy, presentation,
    random, repetition, riddle, scene, search, solution, spec, threads, timer,
};

pub mod games;
#[doc(hidden)]
pub mod listing;
pub mod registry;
pub mod riddles;
#[doc(hidden)]
pub mod shelf;

/// Includes the README, so that the documentation tests compile and run its code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
