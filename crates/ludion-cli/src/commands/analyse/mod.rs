//! `ludion analyse`: shows how a player searches a position: every move with its value, visits,
//! proof and variation, redrawn on a terminal while the search runs; with `--details` also what the
//! player counted and remembered.

mod details;

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use ludion::player::{Budget, Choice, Observer, RootLine, SearchDetails};
use ludion::random::derive_seed;
use serde::Serialize;

use crate::CommandContext;
use crate::draw::draw;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, LOUD, Output, QUIET, paint, plural, rate, time};
use crate::position_args::PositionArgs;
use crate::progress::Progress;
use crate::table::figures;

/// Show how a player evaluates every move of a position
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion analyse connect4 --moves 4453
  ludion analyse connect4 --player mcts --budget 200ms
  ludion analyse \"hexapawn(4, 4)\" --player \"minimax(depth=6)\" --json
  ludion analyse \"matches(4, misere)\" --player \"memory(depth=3, sheet)\" --details

--details adds what the player counted and remembered: won, drawn and lost random games by move
(montecarlo, ucb), the same for every remembered position (uct), the entries of the table
(memory, ultimate, deepening(sheet)), or that the solver gave up (endgame). Other players keep no
such details.

A budget is a number and a unit, several with commas between: 100ms, 2s, 5000sims,
20000nodes, 8plies.")]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Player to ask [default: the strongest player that answers at once]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Budget of the search, such as 100ms or 5000sims [default: from the player's parameters]
    #[arg(long, value_name = "BUDGET", allow_hyphen_values = true)]
    budget: Option<Budget>,
    /// Show what the player counted and remembered, for at most N positions
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "50",
          allow_negative_numbers = true, value_parser = within(1..=1_000_000))]
    details: Option<u64>,
}

/// Report of `ludion analyse`: the position, the player, and the moves that it searched.
#[derive(Serialize)]
struct AnalyseReport {
    game: String,
    state: String,
    player: String,
    seed: u64,
    #[serde(flatten)]
    choice: Choice<String>,
    /// What the player counted and remembered, if it was asked for; empty lists if it keeps nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<SearchDetails>,
    #[serde(skip)]
    picture: String,
}

impl AnalyseArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let entry = context.registry.entry(&self.position.game)?;
        let history = self.position.open(&context.registry)?;
        let default = || entry.default_player(history.game.spec());
        let name = self.player.as_deref().unwrap_or_else(default);
        let mut player = history.game.player(name)?;
        player.begin(derive_seed(context.seed, &[0, 0]));
        let is_live = is_live(&context.output);
        let progress = context.progress_unless(is_live, "positions");
        let progress = progress.depends_on("the player and its parameters");
        let budget = self.budget.unwrap_or_default();
        if let Some(time) = budget.time {
            progress.lasts(time, "the budget, unless the player is done before");
        }
        let mut live = LiveAnalysis::new(&context.output, is_live, &progress, budget);
        live.details_limit = self.details.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let choice = player.choose(history.position(), budget, &live)?;
        live.clear()?;
        let details = self.details.map(|_| live.details());
        progress.finish();
        context.output.report(&AnalyseReport {
            game: history.game.spec().to_owned(),
            state: history.position().show(),
            player: history.game.effective_player(name, &budget)?.spec,
            seed: context.seed,
            choice,
            details,
            picture: draw(&history.scene()),
        })
    }
}

impl CommandReport for AnalyseReport {
    fn text(&self) -> String {
        let head = format!("{}  {}", paint(LOUD, &self.game), paint(QUIET, &self.player));
        let details = self.details.as_ref().map_or_else(String::new, details::text);
        format!("{head}\n\n{}\n{}{details}", self.picture, choice_text(&self.choice))
    }
}

/// Formats all searched moves, the chosen one first, and the cost of the search.
fn choice_text(choice: &Choice<String>) -> String {
    let mut lines: Vec<&RootLine<String>> = choice.lines.iter().collect();
    lines.sort_by(|a, b| {
        let rank = |line: &RootLine<String>| (line.play == choice.best, line.visits);
        rank(b)
            .cmp(&rank(a))
            .then(b.value.unwrap_or(f64::MIN).total_cmp(&a.value.unwrap_or(f64::MIN)))
    });
    let mut text = String::new();
    if !lines.is_empty() {
        let mut head = vec!["move", "value", "visits", "", "proven", "expected"];
        let total: u64 = lines.iter().map(|line| line.visits).sum();
        let mut rows: Vec<Vec<String>> = lines.iter().map(|line| row(line, total)).collect();
        if has_priors(choice) {
            head.insert(PRIOR_COLUMN, "prior");
            for (row, line) in rows.iter_mut().zip(&lines) {
                let prior = line.prior.map_or(String::new(), |p| format!("{:.1} %", 100.0 * p));
                row.insert(PRIOR_COLUMN, prior);
            }
        }
        text += &figures(&head, rows);
        text.push('\n');
    }
    text + &format!("{} {}\n", paint(LOUD, &choice.best), paint(QUIET, &cost(choice)))
}

/// The index of the column with the priors of a network.
const PRIOR_COLUMN: usize = 1;

fn has_priors(choice: &Choice<String>) -> bool {
    choice.lines.iter().any(|line| line.prior.is_some())
}

fn row(line: &RootLine<String>, total: u64) -> Vec<String> {
    let proven = line.proven.map_or(String::new(), |proof| match proof.plies {
        Some(plies) => format!("{} in {plies}", proof.verdict),
        None => proof.verdict.to_string(),
    });
    let visits = if line.visits > 0 { line.visits.to_string() } else { String::new() };
    vec![
        line.play.clone(),
        line.value.map_or(String::new(), |value| format!("{value:+.3}")),
        visits,
        bar(line.visits as f64 / total.max(1) as f64),
        proven,
        line.variation.iter().take(8).cloned().collect::<Vec<_>>().join(" "),
    ]
}

/// Draws a share from 0 to 1 as a bar of at most twelve characters.
fn bar(share: f64) -> String {
    "▇".repeat((12.0 * share).round() as usize)
}

fn cost(choice: &Choice<String>) -> String {
    let seconds = choice.time.as_secs_f64().max(1e-9);
    let counted = |n: u64, noun: &str| {
        (n > 0).then(|| format!("{}, {}", plural(n, noun), rate(n as f64 / seconds)))
    };
    let parts = [
        (choice.depth > 0).then(|| format!("depth {}", choice.depth)),
        counted(choice.simulations, if has_priors(choice) { "simulation" } else { "random game" }),
        counted(choice.nodes, "node"),
        Some(time(choice.time)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns whether the search is shown on standard output while it runs.
fn is_live(output: &Output) -> bool {
    // Without colour, the codes that move the cursor are stripped as well.
    let choice = anstream::AutoStream::choice(&std::io::stdout());
    let has_codes = choice != anstream::ColorChoice::Never;
    !output.json && has_codes && std::io::stdout().is_terminal()
}

/// Observer that redraws the state of the search in place on a terminal, and otherwise reports how
/// far it is.
struct LiveAnalysis<'a> {
    output: &'a Output,
    progress: &'a Progress,
    budget: Budget,
    /// Number of lines drawn last; `None` if nothing is drawn because standard output is no
    /// terminal.
    drawn: Option<Mutex<usize>>,
    /// Maximum number of positions with details; `None` if details are not asked for.
    details_limit: Option<usize>,
    details: Mutex<SearchDetails>,
}

impl<'a> LiveAnalysis<'a> {
    fn new(output: &'a Output, is_live: bool, progress: &'a Progress, budget: Budget) -> Self {
        LiveAnalysis {
            output,
            progress,
            budget,
            drawn: is_live.then(Mutex::default),
            details_limit: None,
            details: Mutex::default(),
        }
    }

    /// Returns the details that the player reported.
    fn details(&self) -> SearchDetails {
        self.details.lock().expect("no thread panics with the lock").clone()
    }

    /// Replaces the lines that were drawn last.
    fn redraw(&self, text: &str) -> Result<(), CommandFailure> {
        let Some(drawn) = &self.drawn else { return Ok(()) };
        let mut drawn = drawn.lock().expect("drawing does not panic");
        let move_up = if *drawn > 0 { format!("\x1b[{}A\x1b[J", *drawn) } else { String::new() };
        *drawn = text.lines().count();
        self.output.write(&(move_up + text))
    }

    fn clear(&self) -> Result<(), CommandFailure> {
        self.redraw("")
    }
}

impl Observer<String> for LiveAnalysis<'_> {
    fn interval(&self) -> Option<Duration> {
        Some(Duration::from_millis(200))
    }

    fn wants_all_values(&self) -> bool {
        true
    }

    fn details_limit(&self) -> Option<usize> {
        self.details_limit
    }

    fn report_details(&self, details: &SearchDetails) {
        details.clone_into(&mut self.details.lock().expect("no thread panics with the lock"));
    }

    fn report(&self, so_far: &Choice<String>) {
        // If standard output is closed, writing the final report detects it.
        let _ = self.redraw(&choice_text(so_far));
        let (simulations, nodes) = (so_far.simulations, so_far.nodes);
        let (done, total) = match simulations {
            0 => (nodes, self.budget.nodes),
            done => (done, self.budget.simulations),
        };
        self.progress.update(done, total, || format!("{} so far", so_far.best));
    }
}
