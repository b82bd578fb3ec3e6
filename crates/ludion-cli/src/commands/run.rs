//! `ludion run`: one run of the store: looked at, gone on with, done again, forgotten.

use std::ops::ControlFlow;

use clap::{Args, Subcommand};
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{MatchTally, PlanKind};
use ludion_runs::{PlanSession, PlayablePlan, RunFigures};
use ludion_store::{RunId, RunPlan, Store, StoredGame, StoredRun, StudyPlan};
use serde::Serialize;

use super::{STUDIES, tune};
use crate::CommandContext;
use crate::cluster::{self, ClusterArgs};
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::progress::ProgressLine;
use crate::runs::{self, StoreArgs};
use crate::study;

/// Show, resume, repeat or forget one run
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion run show 7
  ludion run resume 7                   play what is missing
  ludion run repeat 7                   play it again and compare every move
  ludion run forget 6")]
pub(crate) struct RunArgs {
    #[command(subcommand)]
    action: RunCommand,
}

#[derive(Subcommand)]
enum RunCommand {
    /// Show what came of a run
    Show(RunIdArgs),
    /// Do what is missing
    Resume(ResumeArgs),
    /// Do a run again from its plan and seed, and say whether the same comes out
    Repeat(RunIdArgs),
    /// Delete a run with all that came of it
    Forget(RunIdArgs),
}

#[derive(Args)]
struct ResumeArgs {
    #[command(flatten)]
    which: RunIdArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

#[derive(Args)]
struct RunIdArgs {
    /// The number of the run, as `ludion runs` gives it
    id: RunId,
    #[command(flatten)]
    beside: study::OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
}

impl RunArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.action {
            RunCommand::Show(which) => which.show(context),
            RunCommand::Resume(resume) => resume.which.resume(context, &resume.cluster),
            RunCommand::Repeat(which) => which.repeat(context),
            RunCommand::Forget(which) => which.forget(context),
        }
    }
}

impl RunIdArgs {
    /// The run as a study with its kind; `None` when it plays games.
    fn study(
        &self,
        store: &Store,
    ) -> Result<Option<(&'static study::StudyCommand, StoredRun<StudyPlan>)>, CommandFailure> {
        let RunPlan::Study(study) = store.any_run(self.id)?.plan else { return Ok(None) };
        let kind = STUDIES.iter().find(|kind| kind.name == study.kind).ok_or_else(|| {
            CommandFailure::Failed(format!(
                "run {} is a {}, which this program does not know",
                self.id, study.kind
            ))
        })?;
        Ok(Some((kind, store.study(self.id)?)))
    }

    fn show(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        if let Some((kind, run)) = self.study(&store)? {
            return (kind.show)(context, &self.beside, &store, run);
        }
        self.no_figures()?;
        let run = store.run(self.id)?;
        let figures = RunFigures::stored(&context.registry, &store, &run)?;
        runs::report(context, &self.beside.pictures, &figures)
    }

    fn resume(
        &self,
        context: &CommandContext,
        cluster: &ClusterArgs,
    ) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        if let Some((kind, run)) = self.study(&store)? {
            if cluster.is_asked() && !cluster::is_done_elsewhere(kind.name) {
                let (id, kind) = (self.id, kind.name);
                return Err(CommandFailure::Usage(format!(
                    "run {id} is a {kind}, whose jobs are done on one machine; leave out --cluster"
                )));
            }
            context.join(cluster)?;
            return (kind.resume)(context, &self.store, &self.beside, store, run);
        }
        self.no_figures()?;
        context.join(cluster)?;
        let plan = store.run(self.id)?.plan;
        if plan.kind == PlanKind::Tuning {
            return tune::resume(context, &self.store, &self.beside.pictures, store, self.id);
        }
        let playable = PlayablePlan::open(&context.registry, plan)?;
        let session = PlanSession::resume(playable, store, self.id)?;
        runs::play(context, session, &self.store, &self.beside.pictures)
    }

    fn repeat(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        if let Some((kind, run)) = self.study(&store)? {
            return (kind.repeat)(context, &store, run);
        }
        let run = store.run(self.id)?;
        self.not_a_tuning(&run, "repeat")?;
        let mut games = Vec::new();
        store.each_game::<CommandFailure>(self.id, |game| {
            games.push(game);
            Ok(())
        })?;
        let mut known = games.into_iter().peekable();
        let mut ledger = MatchTally::new(&run.plan);
        let (mut compared, mut difference) = (0, None);
        let mut progress = ProgressLine::new(!context.output.json);
        let playable = PlayablePlan::open(&context.registry, run.plan.clone())?;
        ludion_runs::repeat(&context.run_context(), &playable, |number, pair| {
            progress.show(number + 1, run.plan.schedule.total(), String::new);
            for (i, again) in (0..).zip(&pair) {
                if let Some(kept) = known.next_if(|kept| kept.number == 2 * number + i) {
                    compared += 1;
                    difference = GameDifference::between(&kept, again);
                    if difference.is_some() {
                        return ControlFlow::Break(());
                    }
                }
            }
            if known.peek().is_none() { ControlFlow::Break(()) } else { ledger.add(number, &pair) }
        })?;
        progress.clear();
        let version = (run.version != env!("CARGO_PKG_VERSION")).then_some(run.version);
        context.output.report(&RepeatReport {
            run: self.id,
            identical: difference.is_none(),
            compared,
            difference,
            by_the_clock: !run.plan.repeats(),
            version,
        })
    }

    /// Games are more than one kind of row, and have a command of their own.
    fn no_figures(&self) -> Result<(), CommandFailure> {
        let export = format!("ludion export {} --format csv", self.id);
        let why = format!("run {} played games; for their rows there is: {export}", self.id);
        self.beside.sheet.refuse(&why)
    }

    /// A tuning is a search over matches, which can be repeated one by one.
    fn not_a_tuning(
        &self,
        run: &ludion_store::StoredRun,
        verb: &str,
    ) -> Result<(), CommandFailure> {
        if run.plan.kind != PlanKind::Tuning {
            return Ok(());
        }
        Err(CommandFailure::Usage(format!(
            "run {} is a tuning; {verb} one of its matches, whose numbers `ludion run show {} --json` gives",
            self.id, self.id
        )))
    }

    fn forget(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut store = self.store.existing()?;
        let _lock = store.lock(self.id)?;
        store.forget(self.id)?;
        context.output.report(&ForgetReport { forgotten: self.id })
    }
}

/// What a repetition showed.
#[derive(Serialize)]
struct RepeatReport {
    run: RunId,
    identical: bool,
    /// Games compared.
    compared: u64,
    difference: Option<GameDifference>,
    by_the_clock: bool,
    /// The other version of Ludion that played it first.
    version: Option<String>,
}

/// Where two games that should be the same part.
#[derive(Serialize)]
struct GameDifference {
    game: String,
    /// The ply, from 1; none where the moves are the same and the ends are not.
    ply: Option<usize>,
    kept: String,
    again: String,
}

impl GameDifference {
    fn between(kept: &StoredGame, again: &GameResult) -> Option<Self> {
        let game = format!("{}.{}", kept.run, kept.number);
        let (old, new) = (line(&kept.result), line(again));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        if same < old.len().max(new.len()) {
            let at = |line: &[String]| {
                line.get(same).cloned().unwrap_or_else(|| "the game is over".to_owned())
            };
            return Some(GameDifference {
                game,
                ply: Some(same + 1),
                kept: at(&old),
                again: at(&new),
            });
        }
        let (kept, again) = (&kept.result.end, &again.end);
        (kept != again).then(|| GameDifference {
            game,
            ply: None,
            kept: format!("{kept:?}"),
            again: format!("{again:?}"),
        })
    }
}

/// All moves of a game, its opening first.
fn line(game: &GameResult) -> Vec<String> {
    let record = game.record.iter();
    let moves = record.flat_map(|record| {
        record.opening.iter().chain(record.plies.iter().map(|ply| &ply.play)).cloned()
    });
    moves.collect()
}

impl CommandReport for RepeatReport {
    fn text(&self) -> String {
        let mut text = match &self.difference {
            None => format!(
                "identical: all {} of run {} came out the same, move by move\n",
                plural(self.compared, "game"),
                self.run
            ),
            Some(GameDifference { game, ply: Some(ply), kept, again }) => {
                format!("different: in game {game}, ply {ply} was {kept} and is now {again}\n")
            }
            Some(GameDifference { game, ply: None, kept, again }) => {
                format!("different: game {game} ended as {kept} and now ends as {again}\n")
            }
        };
        if self.by_the_clock {
            text += "its budget is in time, so the games may differ from run to run\n";
        }
        if let Some(version) = &self.version {
            text += &format!("it was first played by version {version}\n");
        }
        text
    }
}

#[derive(Serialize)]
struct ForgetReport {
    forgotten: RunId,
}

impl CommandReport for ForgetReport {
    fn text(&self) -> String {
        format!("run {} is forgotten\n", self.forgotten)
    }
}
