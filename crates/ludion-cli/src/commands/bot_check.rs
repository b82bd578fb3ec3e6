//! `ludion bot check`: tests a bot against every part of the protocol and reports each result.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use ludion::player::Budget;
use ludion_bot::{BotCheckOptions, BotTimeouts};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, paint, plural};

/// Check that a bot keeps to the protocol
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion bot check \"python3 my_bot.py\" --game connect4
  ludion bot check \"ludion bot serve tictactoe random\" --game tictactoe")]
pub(crate) struct BotCheckArgs {
    /// The command that starts the bot, as in a shell: "python3 my_bot.py"
    command: String,
    /// A game to check the bot with, can be repeated [default: the games that the bot reports]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// Budget of the bot for each move
    #[arg(long, value_name = "BUDGET", default_value = "50ms", allow_hyphen_values = true)]
    budget: Budget,
    /// Seconds that the bot has to start, to get ready, and to move if the budget is not a time
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    patience: f64,
    /// Seconds by which the bot may exceed a time budget
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    margin: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let allowed = 0.01..=86_400.0;
    let value = text.parse().ok().filter(|value| allowed.contains(value));
    value.ok_or_else(|| "a number from 0.01 to 86400 is wanted".to_owned())
}

#[derive(Serialize)]
struct BotCheckSummary {
    command: String,
    seed: u64,
    passed: bool,
    #[serde(flatten)]
    report: ludion_bot::BotCheckReport,
}

impl BotCheckArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let timeouts = BotTimeouts {
            reply: Duration::from_secs_f64(self.patience),
            margin: Duration::from_secs_f64(self.margin),
        };
        let (command, seed) = (self.command.clone(), context.seed);
        let (games, budget) = (self.games.clone(), self.budget);
        let terms = BotCheckOptions { command: command.clone(), games, budget, timeouts, seed };
        let progress = context.progress("checks").depends_on("the bot and its budget");
        let on_check = &mut |name: &str, done| progress.update(done, None, || name.to_owned());
        let report = ludion_bot::check_with_progress(&context.registry, &terms, on_check)?;
        progress.finish();
        let failed = report.checks.iter().filter(|check| !check.ok).count() as u64;
        let all = plural(report.checks.len() as u64, "check");
        context.output.report(&BotCheckSummary { command, seed, passed: failed == 0, report })?;
        if failed == 0 {
            Ok(())
        } else {
            Err(CommandFailure::Failed(format!("{failed} of {all} failed")))
        }
    }
}

impl CommandReport for BotCheckSummary {
    fn text(&self) -> String {
        let good = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let bad = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let checks = &self.report.checks;
        let width = checks.iter().map(|check| check.name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for check in checks {
            let mark = if check.ok { paint(good, "ok    ") } else { paint(bad, "failed") };
            text += &format!("{mark}  {:width$}  {}\n", check.name, check.detail);
        }
        text
    }
}
