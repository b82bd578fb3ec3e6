//! Hexagonal Tetris, the task of the ICFP programming contest of 2015: units of hexagons come
//! down a board row by row, full rows vanish, and the commands are letters, so that a game
//! spells words; some of them, the phrases of power, score.
//!
//! Cells are (x, y), row 0 on top, odd rows displaced half a cell to the right. A
//! [`Problem`] has a board, units and seeds; a [`Placement`] says where a unit is; a
//! [`HextrisGame`] executes commands one by one; the [`HextrisReferee`] scores a whole solution. Two games
//! of the registry are made of it: [`CommandGame`] and [`PlacementGame`].

pub mod board;
pub mod command_game;
pub mod commands;
pub mod game;
pub mod make_problem;
pub mod phrases;
pub mod picture;
pub mod placement_game;
pub mod problem;
pub mod problems;
pub mod reach;
pub mod referee;
pub mod replay;
pub mod seeded_problem;
pub mod solutions;
pub mod solver;
pub mod unit;
pub mod unit_source;

pub use board::{HexBoard, RowCells};
pub use command_game::CommandGame;
pub use commands::{Command, CommandKey};
pub use game::HextrisGame;
pub use phrases::{KNOWN_PHRASES, Phrases};
pub use placement_game::PlacementGame;
pub use problem::{JsonProblem, Problem};
pub use problems::PROBLEMS;
pub use referee::{HextrisReferee, SolutionScore, SolutionStatus};
pub use replay::SolutionReplay;
pub use solutions::HextrisSolution;
pub use unit::{Placement, Unit};
pub use unit_source::UnitSource;
