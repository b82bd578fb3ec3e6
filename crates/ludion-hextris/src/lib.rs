//! Hexagonal Tetris, the task of the ICFP programming contest 2015. Units of hexagonal cells
//! descend a board row by row, and full rows are cleared. Commands are written as letters, so that
//! a game spells text; certain words, the phrases of power, earn points.
//!
//! Cells are (x, y) with row 0 at the top; odd rows are shifted half a cell to the right. A
//! [`Problem`] has a board, units and seeds; a [`Placement`] is the position of a unit; a
//! [`HextrisSimulation`] executes commands one by one; a [`HextrisReferee`] scores a whole solution. Two
//! games of the registry use these rules: [`CommandGame`] and [`PlacementGame`].

pub mod board;
pub mod command_game;
pub mod commands;
pub mod game;
pub mod phrases;
pub mod picture;
pub mod placement_game;
pub mod problem;
pub mod problems;
pub mod random_problem;
pub mod reached_picture;
pub mod referee;
pub mod replay;
pub mod seeded_problem;
pub mod solutions;
pub mod solver;
pub mod unit;
pub mod unit_source;

pub use board::{HexBoard, RowCells};
pub use command_game::CommandGame;
pub use commands::{Command, DecodedChar};
pub use game::HextrisSimulation;
pub use phrases::{KNOWN_PHRASES, Phrases};
pub use placement_game::PlacementGame;
pub use problem::{JsonProblem, Problem, ProblemSummary};
pub use problems::PROBLEMS;
pub use referee::{HextrisReferee, SolutionScore, SolutionStatus};
pub use replay::SolutionReplay;
pub use solutions::HextrisSolution;
pub use unit::{Placement, Unit};
pub use unit_source::UnitSource;
