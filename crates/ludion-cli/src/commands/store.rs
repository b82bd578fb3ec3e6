//! `ludion store`: checks the file that keeps runs and games.

use clap::{Args, Subcommand};
use ludion_runs::store_check::{StoreProblem, StoreReport, check_store};
use ludion_store::StoreError;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::runs::StoreArgs;

/// Check the store of runs
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion store check
  ludion store check --store lab.sqlite --json")]
pub(crate) struct StoreCommandArgs {
    #[command(subcommand)]
    action: StoreCommand,
}

#[derive(Subcommand)]
enum StoreCommand {
    /// Check the file, the checksums of its rows, and every game by the rules
    ///
    /// Every game is replayed to its stored result, every row compared with its checksum, and every
    /// finished run must have all its games. The check changes nothing, except that a store of an
    /// older version is migrated when it is opened, as by every command.
    #[command(after_help = "\
Examples:
  ludion store check
  ludion store check --store lab.sqlite --json

Exit codes:
  0  the store is sound
  1  the store could not be opened
  3  something is wrong, as the report says")]
    Check(CheckStoreArgs),
}

#[derive(Args)]
struct CheckStoreArgs {
    #[command(flatten)]
    store: StoreArgs,
}

impl StoreCommandArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.action {
            StoreCommand::Check(check) => check.run(context),
        }
    }
}

impl CheckStoreArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing_or_error()?;
        let report = match store {
            Ok(store) => {
                let progress = context.progress("games").depends_on("the number of games");
                progress.begin("checking the file");
                let report = check_store(&context.registry, &store, &mut |games| {
                    progress.update(games, None, String::new);
                });
                progress.finish();
                report
            }
            Err(error @ StoreError::Invalid(_)) => StoreReport {
                problems: vec![StoreProblem { run: None, number: None, what: error.to_string() }],
                ..StoreReport::default()
            },
            Err(error) => return Err(error.into()),
        };
        context.output.report(&report)?;
        if report.sound { Ok(()) } else { Err(CommandFailure::Different) }
    }
}

impl CommandReport for StoreReport {
    fn text(&self) -> String {
        let mut text = String::new();
        for StoreProblem { run, number, what } in &self.problems {
            let place = match (run, number) {
                (Some(run), Some(number)) => format!("run {run}, {number}: "),
                (Some(run), None) => format!("run {run}: "),
                _ => String::new(),
            };
            text += &format!("{place}{what}\n");
        }
        if self.more_problems > 0 {
            text += &format!("and {} more\n", self.more_problems);
        }
        let verdict = match self.sound {
            true => "sound".to_owned(),
            false => plural(self.problems.len() as u64 + self.more_problems, "problem") + " found",
        };
        text += &format!(
            "{verdict}: {}, {} ({} replayed), {}",
            plural(self.runs, "run"),
            plural(self.games, "game"),
            self.replayed,
            plural(self.outputs, "output"),
        );
        if self.teams > 0 {
            let submissions = plural(self.submissions, "submission");
            text += &format!(", {}, {submissions}", plural(self.teams, "team"));
        }
        text + "\n"
    }
}
