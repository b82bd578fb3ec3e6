//! `ludion game show`: one game of the store, move by move.

use std::fmt;
use std::io::{BufRead, IsTerminal};
use std::str::FromStr;

use clap::{Args, Subcommand};
use ludion::arena::game::GameEnd;
use ludion::arena::pair::MoveRecord;
use ludion::scene::Scene;
use ludion_store::{RunId, StoredGame};
use serde::Serialize;

use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, time};
use crate::position_args::GameHistory;
use crate::runs::StoreArgs;
use crate::table::figures;

/// Look at one game of a run
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion game show 7.0                  the first game of run 7
  ludion game show 7.12 --step          position by position; Enter goes on
  ludion game show 7.12 --json")]
pub(crate) struct GameArgs {
    #[command(subcommand)]
    action: GameCommand,
}

#[derive(Subcommand)]
enum GameCommand {
    Show(GameShowArgs),
}

/// Show the moves of a game and where it ended
#[derive(Args)]
struct GameShowArgs {
    /// The run and the number of the game in it, from 0
    #[arg(value_name = "RUN.NUMBER")]
    id: GameId,
    /// Draw every position; on a terminal Enter goes on and q leaves
    #[arg(long)]
    step: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// A game of the store: 7.12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GameId {
    run: RunId,
    number: u64,
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('.').and_then(|(run, number)| {
            Some(GameId { run: run.parse().ok()?, number: number.parse().ok()? })
        });
        parts.ok_or_else(|| {
            "a game is named by its run and its number there, such as 7.0".to_owned()
        })
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.run, self.number)
    }
}

#[derive(Serialize)]
struct StoredGameReport {
    id: String,
    game: String,
    /// Who sat first and second.
    players: [String; 2],
    #[serde(flatten)]
    stored: StoredGame,
    /// The last position.
    state: String,
    scene: Scene,
}

impl GameArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let GameCommand::Show(show) = &self.action;
        show.run(context)
    }
}

impl GameShowArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        let plan = store.run(self.id.run)?.plan;
        let stored = store.game(self.id.run, self.id.number)?;
        let game = context.registry.game(&plan.game)?;
        let mut record = GameHistory::new(game);
        let moves = stored.result.record.clone().unwrap_or_default();
        for m in &moves.opening {
            record.play(m)?;
        }
        let players = stored.result.seats.map(|player| plan.players[player as usize].clone());
        if self.step && !context.output.json {
            let title = format!("{} vs {}", players[0], players[1]);
            return step(context, &mut record, &title, &moves.plies, &stored.result.end);
        }
        for ply in &moves.plies {
            record.play(&ply.play)?;
        }
        context.output.report(&StoredGameReport {
            id: self.id.to_string(),
            game: plan.game.clone(),
            players,
            stored,
            state: record.position().show(),
            scene: record.scene(),
        })
    }
}

/// Draws position after position.
fn step(
    context: &CommandContext,
    record: &mut GameHistory,
    title: &str,
    plies: &[MoveRecord],
    end: &GameEnd,
) -> Result<(), CommandFailure> {
    let live = std::io::stdin().is_terminal();
    let mut keys = std::io::stdin().lock();
    context.output.write(&format!("{}\n\n{}", paint(LOUD, title), draw(&record.scene())))?;
    for (i, ply) in plies.iter().enumerate() {
        if live {
            let mut line = String::new();
            if keys.read_line(&mut line)? == 0 || line.trim() == "q" {
                return Ok(());
            }
        }
        record.play(&ply.play)?;
        let number = record.moves().len();
        let mut said = format!("\n{number}. {} {}", ply.side, ply.play);
        said += &paint(QUIET, &thought(ply));
        said += &format!("\n\n{}", draw(&record.scene()));
        if i + 1 == plies.len() {
            said += &format!("\n{}\n", ended(end));
        }
        context.output.write(&said)?;
    }
    Ok(())
}

/// What a player thought of its move, and what that cost.
fn thought(ply: &MoveRecord) -> String {
    let value = ply.value.map_or_else(String::new, |value| format!("  value {value:+.3}"));
    format!("{value}  {}  {} nodes", time(ply.time), ply.nodes)
}

fn ended(end: &GameEnd) -> String {
    match end {
        GameEnd::Rules(duel) => duel.to_string(),
        GameEnd::Forfeit { by, reason } => format!("{by} forfeits: {reason}"),
        GameEnd::Endless => "drawn, too many plies".to_owned(),
    }
}

impl CommandReport for StoredGameReport {
    fn text(&self) -> String {
        let [first, second] = &self.players;
        let mut text = format!("{}  game {}\n", paint(LOUD, &self.game), self.id);
        text += &format!("first {first}, second {second}\n\n");
        let record = self.stored.result.record.as_ref();
        let (opening, plies) =
            record.map_or((&[][..], &[][..]), |r| (&r.opening[..], &r.plies[..]));
        if !opening.is_empty() {
            text += &format!("opening: {}\n\n", opening.join(" "));
        }
        let rows = (opening.len() + 1..).zip(plies).map(|(number, ply)| {
            vec![
                format!("{number}. {} {}", ply.side, ply.play),
                ply.value.map_or_else(String::new, |value| format!("{value:+.3}")),
                time(ply.time),
                ply.nodes.to_string(),
            ]
        });
        text += &figures(&["move", "value", "time", "nodes"], rows);
        text += &format!("\n{}\n{}\n", draw(&self.scene), ended(&self.stored.result.end));
        text + &paint(QUIET, &format!("state: {}", self.state)) + "\n"
    }
}
