//! `ludion runs`: lists the runs of the store.

use clap::Args;
use ludion_runs::{describe_players, present_any_run};
use ludion_store::{RunPlan, RunState, StoredRun};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::runs::StoreArgs;
use crate::table::words;

/// List the runs in the store
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion runs
  ludion runs --store lab.sqlite --json
  ludion run show 7                     look at one of them")]
pub(crate) struct RunsArgs {
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Serialize)]
struct RunsReport {
    runs: Vec<ListedRun>,
}

/// A stored run, and whether it was interrupted.
#[derive(Serialize)]
struct ListedRun {
    #[serde(flatten)]
    run: StoredRun<RunPlan>,
    /// Whether the run is unfinished and no program is working on it.
    interrupted: bool,
}

impl ListedRun {
    fn state(&self) -> &'static str {
        match self.run.state {
            RunState::Running if self.interrupted => "interrupted",
            state => state.name(),
        }
    }
}

impl RunsArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        let list = |run: StoredRun<RunPlan>| {
            let run = present_any_run(&context.registry, run);
            let interrupted = run.state != RunState::Finished && !store.is_locked(run.id);
            ListedRun { run, interrupted }
        };
        let runs = store.runs()?.into_iter().map(list).collect();
        context.output.report(&RunsReport { runs })
    }
}

impl CommandReport for RunsReport {
    fn text(&self) -> String {
        if self.runs.is_empty() {
            return "no runs yet; begin one with: ludion match connect4 mcts uct\n".to_owned();
        }
        let head = ["run", "state", "done", "began", "what"];
        let rows = self.runs.iter().map(|listed| {
            let run = &listed.run;
            let (done, what) = match &run.plan {
                RunPlan::Games(plan) => {
                    let what = format!(
                        "{} of {}: {}",
                        plan.kind.name(),
                        plan.game,
                        describe_players(plan)
                    );
                    (done_of_total(run.games, 2 * plan.schedule.total(), "games"), what)
                }
                RunPlan::Study(study) => {
                    let what = format!("{}: {}", study.kind, study.about);
                    (done_of_total(run.outputs, study.jobs, "jobs"), what)
                }
            };
            let began = run.began.chars().take(10).collect();
            vec![run.id.to_string(), listed.state().to_owned(), done, began, what]
        });
        words(&head, rows)
    }
}

/// Formats the number of games or jobs done, with the total if it is known.
fn done_of_total(done: u64, total: u64, unit: &str) -> String {
    if total == 0 { format!("{done} {unit}") } else { format!("{done}/{total} {unit}") }
}
