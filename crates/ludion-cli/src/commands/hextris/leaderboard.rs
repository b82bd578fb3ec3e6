//! `ludion hextris leaderboard`: prints the leaderboard of `ludion hextris serve` as tables.

use clap::Args;
use ludion_server::submissions::{Leaderboard as Board, OverallEntry, ProblemRanking, rank};
use ludion_store::CountingRule;

use super::input::load_contest_problems;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::runs::StoreArgs;
use crate::table::figures;

/// Show the ranking of the teams that submitted solutions
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris leaderboard                       the newest solution of a seed counts
  ludion hextris leaderboard --best                the best one
  ludion hextris leaderboard problem_*.json        of problems that are not our own

A problem's score is the mean over its seeds; over all of them a team gets
100 (score / best score)^2 for each problem.")]
pub(crate) struct LeaderboardArgs {
    /// A problem: a file, or the name of a built-in one [default: all built-in ones]
    #[arg(value_name = "FILE")]
    problems: Vec<String>,
    /// Count the best solution of a seed instead of the newest
    #[arg(long)]
    best: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl LeaderboardArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let problems = load_contest_problems(&self.problems)?;
        let Some(store) = self.store.open()? else {
            return Err(CommandFailure::Usage(
                "a leaderboard needs the store of the server".to_owned(),
            ));
        };
        let counts = if self.best { CountingRule::Best } else { CountingRule::Newest };
        context.output.report(&rank(
            &problems,
            &store.teams()?,
            &store.counted_submissions(counts)?,
        ))
    }
}

impl CommandReport for Board {
    fn text(&self) -> String {
        if self.overall.is_empty() {
            return "no solutions of these problems yet\n".to_owned();
        }
        let row = |team: &OverallEntry| {
            vec![team.name.clone(), format!("{:.1}", team.points), team.score.to_string()]
        };
        let mut text = figures(&["team", "points", "score"], self.overall.iter().map(row));
        for ProblemRanking { problem, entries } in &self.problems {
            let head = format!("problem {problem}");
            let best = entries.first().map_or(0, |entry| entry.score).max(1);
            let rows = entries.iter().map(|entry| {
                let share = format!("{:.3}", entry.score as f64 / best as f64);
                vec![entry.name.clone(), entry.score.to_string(), share]
            });
            text += &format!("\n{}", figures(&[&head, "score", "of the best"], rows));
        }
        text
    }
}
