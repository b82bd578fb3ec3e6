//! Hexagonal Tetris, the task of the ICFP programming contest of 2015: units of hexagons come
//! down a board row by row, full rows vanish, and the commands are letters, so that a game
//! spells words; some of them, the phrases of power, score.
//!
//! Cells are (x, y), row 0 on top, odd rows displaced half a cell to the right. A
//! [`Problem`] has a board, units and seeds; a [`Placement`] says where a unit is; a
//! [`Run`] executes commands one by one; the [`Referee`] scores a whole solution. Two games
//! of the registry are made of it: [`CommandGame`] and [`PlacementGame`].

pub mod board;
pub mod command_game;
pub mod commands;
pub mod make;
pub mod phrases;
pub mod picture;
pub mod placement_game;
pub mod problem;
pub mod problems;
pub mod reach;
pub mod referee;
pub mod replay;
pub mod run;
pub mod solutions;
pub mod solver;
pub mod source;
pub mod table;
pub mod unit;

pub use board::{Board, Row};
pub use command_game::CommandGame;
pub use commands::{Command, Key};
pub use phrases::{KNOWN_PHRASES, Phrases};
pub use placement_game::PlacementGame;
pub use problem::{Draft, Problem};
pub use problems::PROBLEMS;
pub use referee::{Referee, Standing, Verdict};
pub use replay::Replay;
pub use run::Run;
pub use solutions::Solution;
pub use source::Source;
pub use unit::{Placement, Unit};
