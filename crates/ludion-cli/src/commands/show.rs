//! `ludion show`: draws one position with the side to move or the outcome.

use std::path::PathBuf;

use clap::Args;
use ludion::game::{Side, Status};
use ludion::outcome::AnyOutcome;
use ludion::scene::Scene;
use serde::Serialize;

use crate::CommandContext;
use crate::draw::{colour, draw};
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint};
use crate::plots;
use crate::position_args::{GameHistory, PositionArgs};

/// Draw a position
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion show connect4 --moves 4453
  ludion show \"hexapawn(4, 4)\" --moves \"a4-a3, b1-b2\"
  ludion show matches --from \"7 second\" --moves 3
  ludion show tictactoe --moves b2,a1 --svg board.svg
  ludion show tictactoe --json")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    place: PositionArgs,
    /// Write a picture of the position to this file, as SVG
    #[arg(long, value_name = "FILE", value_parser = plots::svg_file)]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct PositionReport {
    game: String,
    moves: Vec<String>,
    state: String,
    turn: Option<Side>,
    outcome: Option<AnyOutcome>,
    legal: Vec<String>,
    scene: Scene,
}

impl PositionReport {
    fn of(record: &GameHistory) -> Self {
        let (turn, outcome) = match record.position().status() {
            Status::Turn(side) => (Some(side), None),
            Status::Over(outcome) => (None, Some(outcome)),
        };
        PositionReport {
            game: record.game.spec().to_owned(),
            moves: record.moves().to_vec(),
            state: record.position().show(),
            turn,
            outcome,
            legal: record.position().moves(),
            scene: record.scene(),
        }
    }
}

impl ShowArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let report = PositionReport::of(&self.place.open(&context.registry)?);
        if let Some(path) = &self.svg {
            std::fs::write(path, report.scene.svg(&[])).map_err(|error| {
                CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        context.output.report(&report)
    }
}

impl CommandReport for PositionReport {
    fn text(&self) -> String {
        let mut text = paint(LOUD, &self.game);
        if !self.moves.is_empty() {
            text += &paint(QUIET, &format!("  after {}", self.moves.join(" ")));
        }
        text += &format!("\n\n{}\n", draw(&self.scene));
        text += &match (self.turn, self.outcome) {
            (Some(side), _) => format!(
                "{} to move: {}\n",
                paint(colour(side), &side.to_string()),
                self.legal.join(" ")
            ),
            (None, outcome) => ended(outcome),
        };
        text + &paint(QUIET, &format!("state: {}", self.state)) + "\n"
    }
}

fn ended(outcome: Option<AnyOutcome>) -> String {
    outcome.map_or_else(String::new, |outcome| format!("the game is over: {outcome}\n"))
}
