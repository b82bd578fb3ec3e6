//! `ludion game show`: shows one stored game, move by move.

use std::fmt;
use std::io::{BufRead, IsTerminal};
use std::str::FromStr;

use clap::{Args, Subcommand};
use ludion::arena::pair::MoveRecord;
use ludion::scene::Scene;
use ludion_runs::{GameSummary, present_run};
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

/// Show the moves, the last position and the result of a game
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion game show 7.0                  the first game of run 7
  ludion game show 7.12 --step          position by position; Enter goes on")]
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

/// Number of a run and number of a game in it, written `7.12`.
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
    /// Specs of the players, the one that moved first in front.
    players: [String; 2],
    /// Names under which the players are shown, if they are not shown by their specs.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<[String; 2]>,
    #[serde(flatten)]
    stored: StoredGame,
    /// The last position, in the notation of the game.
    state: String,
    scene: Scene,
    /// Description of how the game ended.
    #[serde(skip)]
    ended: String,
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
        let plan = present_run(&context.registry, store.run(self.id.run)?).plan;
        let stored = store.game(self.id.run, self.id.number)?;
        let game = context.registry.game(&plan.game)?;
        let moves = stored.result.record.clone().unwrap_or_default();
        let start = match &moves.start {
            Some(start) => game.read(start)?,
            None => game.start(),
        };
        let mut history = GameHistory::from(game, start);
        for m in &moves.opening {
            history.play(m)?;
        }
        let summary = GameSummary::new(&plan, &stored);
        let GameSummary { players, names, ended, .. } = summary.clone();
        if self.step && !context.output.json {
            let [first, second] = summary.player_names();
            let title = format!("{first} vs {second}");
            return step(context, &mut history, &title, &moves.plies, &ended);
        }
        for ply in &moves.plies {
            history.play(&ply.play)?;
        }
        context.output.report(&StoredGameReport {
            id: self.id.to_string(),
            game: plan.game.clone(),
            players,
            names,
            stored,
            state: history.position().show(),
            scene: history.scene(),
            ended,
        })
    }
}

/// Draws one position after the other; on a terminal waits for Enter before each.
fn step(
    context: &CommandContext,
    history: &mut GameHistory,
    title: &str,
    plies: &[MoveRecord],
    ended: &str,
) -> Result<(), CommandFailure> {
    let waits_for_enter = std::io::stdin().is_terminal();
    let mut keys = std::io::stdin().lock();
    context.output.write(&format!("{}\n\n{}", paint(LOUD, title), draw(&history.scene())))?;
    for (i, ply) in plies.iter().enumerate() {
        if waits_for_enter {
            let mut line = String::new();
            if keys.read_line(&mut line)? == 0 || line.trim() == "q" {
                return Ok(());
            }
        }
        history.play(&ply.play)?;
        let number = history.moves().len();
        let mut text = format!("\n{number}. {} {}", ply.side, ply.play);
        text += &paint(QUIET, &value_and_cost(ply));
        text += &format!("\n\n{}", draw(&history.scene()));
        if i + 1 == plies.len() {
            text += &format!("\n{ended}\n");
        }
        context.output.write(&text)?;
    }
    Ok(())
}

/// Formats the value that the player gave its move, the time and the nodes.
fn value_and_cost(ply: &MoveRecord) -> String {
    let value = ply.value.map_or_else(String::new, |value| format!("  value {value:+.3}"));
    format!("{value}  {}  {} nodes", time(ply.time), ply.nodes)
}

impl CommandReport for StoredGameReport {
    fn text(&self) -> String {
        let [first, second] = self.names.as_ref().unwrap_or(&self.players);
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
        text += &format!("\n{}\n{}\n", draw(&self.scene), self.ended);
        text + &paint(QUIET, &format!("state: {}", self.state)) + "\n"
    }
}
