//! `ludion judge`: measures in what share of random positions a player's choice keeps the exact value
//! of the position.

use std::ops::{ControlFlow, RangeInclusive};

use clap::Args;
use ludion::arena::championship::score::MeanScore;
use ludion::arena::elo::GameCounts;
use ludion::arena::executor::{Executor, ThreadExecutor};
use ludion::player::Budget;
use ludion::solution::SolveLimits;
use ludion_runs::judge::{JudgeJobs, JudgedPosition, Judgement};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::progress::scaled;
use crate::runs::interrupt;
use crate::table::figures;

/// Measure how often players keep the exact value of random positions
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion judge connect4 mcts deepening --plies 12..30 -n 20 --budget 10ms
  ludion judge tictactoe \"mcts(sims=100)\" random --plies 0..6
  ludion judge \"hexapawn(4, 4)\" \"montecarlo(sims=50)\" --json

The exact solver solves each position. A choice keeps the value if a won position stays won and
a drawn one drawn; in a lost position every move does. All players get the same positions.
Positions that the solver does not solve within --nodes are left out and counted.")]
pub(crate) struct JudgeArgs {
    /// The game: any game of two sides
    game: String,
    /// The players to judge
    #[arg(required = true)]
    players: Vec<String>,
    /// Number of positions
    #[arg(short = 'n', long, value_name = "N", default_value_t = 400,
          allow_negative_numbers = true, value_parser = within(1..=1_000_000_000))]
    positions: u64,
    /// Number of random moves that lead to a position: one number or a range such as 6..30
    #[arg(long, value_name = "PLIES", default_value = "0..30", value_parser = ply_range)]
    plies: RangeInclusive<u32>,
    /// What a player may spend on a move, such as 100ms or 5000sims [default: from its parameters]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<Budget>,
    /// Leave out positions that the solver has not solved after this many nodes
    #[arg(long, value_name = "N", default_value_t = 100_000_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Maximum number of random moves before a position.
const MAX_PLIES: u32 = 1_000;

fn ply_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let high = high.strip_prefix('=').unwrap_or(high);
    let range = low.parse().ok().zip(high.parse().ok()).map(|(low, high)| low..=high);
    let range = range.filter(|range| !range.is_empty() && *range.end() <= MAX_PLIES);
    range.ok_or_else(|| format!("a number or a range such as 6..30 is allowed, up to {MAX_PLIES}"))
}

/// Results of one player.
#[derive(Serialize)]
struct JudgedPlayer {
    player: String,
    kept: u64,
    #[serde(flatten)]
    share: MeanScore,
}

/// Report of `ludion judge`.
#[derive(Serialize)]
struct JudgeReport {
    game: String,
    seed: u64,
    plies: [u32; 2],
    budget: Option<String>,
    /// Number of solved positions.
    positions: u64,
    unsolved: u64,
    /// Mean probability that a random move keeps the value.
    by_chance: f64,
    players: Vec<JudgedPlayer>,
    /// The positions in which a player lost the value.
    mistakes: Vec<JudgedPosition>,
}

/// What was counted so far.
#[derive(Default)]
struct JudgeCounts {
    solved: u64,
    unsolved: u64,
    chances: f64,
    kept: Vec<u64>,
    mistakes: Vec<JudgedPosition>,
}

impl JudgeCounts {
    fn add(&mut self, position: JudgedPosition) {
        self.solved += 1;
        self.chances += position.keeping.len() as f64 / position.moves as f64;
        for (kept, choice) in self.kept.iter_mut().zip(&position.choices) {
            *kept += u64::from(choice.keeps);
        }
        if position.choices.iter().any(|choice| !choice.keeps) {
            self.mistakes.push(position);
        }
    }
}

impl JudgeArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let game = context.registry.game(&self.game)?;
        let budget = self.budget.unwrap_or_default();
        let mut specs = Vec::new();
        let mut shown = Vec::new();
        for player in &self.players {
            specs.push(game.player(player)?.spec().to_owned());
            shown.push(game.effective_player(player, &budget)?.spec);
        }
        let jobs = JudgeJobs {
            game,
            players: specs,
            budget,
            plies: self.plies.clone(),
            limits: SolveLimits {
                nodes: self.nodes,
                walk: 20_000,
                threads: 1,
                megabytes: 64,
                result_only: false,
            },
            seed: context.seed,
        };
        let counts = self.judge(context, &jobs)?;
        if counts.solved == 0 && counts.unsolved == self.positions {
            let (positions, nodes) = (plural(self.positions, "position"), self.nodes);
            return Err(CommandFailure::Failed(format!(
                "none of {positions} was solved within {nodes} nodes; try later --plies or more --nodes"
            )));
        }
        let players = shown.into_iter().zip(&counts.kept);
        let judged = players.map(|(player, &kept)| {
            let results = GameCounts { wins: kept, losses: counts.solved - kept, draws: 0 };
            JudgedPlayer { player, kept, share: MeanScore::from_counts(&results) }
        });
        context.output.report(&JudgeReport {
            game: jobs.game.spec().to_owned(),
            seed: context.seed,
            plies: [*self.plies.start(), *self.plies.end()],
            budget: self.budget.map(|budget| budget.to_string()),
            positions: counts.solved,
            unsolved: counts.unsolved,
            by_chance: counts.chances / counts.solved.max(1) as f64,
            players: judged.collect(),
            mistakes: counts.mistakes,
        })?;
        match counts.solved + counts.unsolved {
            judged if judged < self.positions => Err(CommandFailure::Stopped(format!(
                "stopped after {judged} of {} positions",
                self.positions
            ))),
            _ => Ok(()),
        }
    }

    /// Judges the players in all positions, or until the command is stopped.
    fn judge(
        &self,
        context: &CommandContext,
        jobs: &JudgeJobs,
    ) -> Result<JudgeCounts, CommandFailure> {
        let progress = context.progress("positions");
        if let Some(time) = jobs.budget.time {
            let moves = self.positions as f64 * jobs.players.len() as f64;
            let threads = self.positions.clamp(1, context.threads.max(1) as u64);
            let about = format!(
                "{}, up to {} a move, {threads} at a time, and the time of the solver",
                plural(self.positions, "position"),
                crate::output::time(time)
            );
            progress.expect(scaled(time, moves / threads as f64), about);
        }
        progress.update(0, Some(self.positions), String::new);
        let mut counts = JudgeCounts { kept: vec![0; jobs.players.len()], ..Default::default() };
        let mut failure = None;
        let mut sink = |number: u64, judgement: Judgement| {
            match judgement {
                Judgement::Solved(position) => counts.add(position),
                Judgement::Unsolved => counts.unsolved += 1,
                Judgement::Puzzle => {
                    let sentence = format!("{} is a puzzle and has no winner", jobs.game.spec());
                    failure = Some(CommandFailure::Usage(sentence));
                }
                Judgement::NoPosition => failure = Some(no_position(&self.plies)),
                Judgement::Failed(error) => failure = Some(error.into()),
            }
            progress.update(number + 1, Some(self.positions), || {
                format!(
                    "{} lost the value in one",
                    plural(counts.mistakes.len() as u64, "position")
                )
            });
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let numbers = &mut (0..self.positions);
        let threads = ThreadExecutor(context.threads);
        let done = threads.execute(jobs, numbers, interrupt::flag(), &mut sink);
        progress.finish();
        done?;
        failure.map_or(Ok(counts), Err)
    }
}

fn no_position(plies: &RangeInclusive<u32>) -> CommandFailure {
    let (low, high) = (plies.start(), plies.end());
    CommandFailure::Usage(format!(
        "random games of this game end before ply {low} to {high}; try fewer --plies"
    ))
}

/// Number of mistakes that the text shows.
const SHOWN_MISTAKES: usize = 5;

impl CommandReport for JudgeReport {
    fn text(&self) -> String {
        let [low, high] = self.plies;
        let budget = self.budget.as_ref().map_or_else(String::new, |b| format!(", {b} a move"));
        let title = format!("{}, random positions of {low} to {high} plies{budget}", self.game);
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let rows = self.players.iter().map(|JudgedPlayer { player, kept, share }| {
            let interval = format!("{} to {}", percent(share.low), percent(share.high));
            vec![player.clone(), kept.to_string(), percent(share.value), interval]
        });
        let mut text = format!("{}\n\n", paint(LOUD, &title));
        text += &figures(&["player", "kept", "%", "95 % interval"], rows);
        text += &paint(
            QUIET,
            &format!(
                "\n{} solved, {} not solved; a random move keeps the value of {} %\n",
                plural(self.positions, "position"),
                self.unsolved,
                percent(self.by_chance)
            ),
        );
        for JudgedPosition { ply, state, keeping, choices, .. } in
            self.mistakes.iter().take(SHOWN_MISTAKES)
        {
            let choices: Vec<&str> = choices.iter().map(|choice| choice.play.as_str()).collect();
            text += &paint(
                QUIET,
                &format!(
                    "ply {ply}, {state}: {} keeps it, chosen {}\n",
                    keeping.join(" "),
                    choices.join(", ")
                ),
            );
        }
        if self.mistakes.len() > SHOWN_MISTAKES {
            let more = self.mistakes.len() - SHOWN_MISTAKES;
            text += &paint(QUIET, &format!("{more} more positions with --json\n"));
        }
        text
    }
}
