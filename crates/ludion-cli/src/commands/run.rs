//! `ludion run`: shows, resumes, repeats or deletes one stored run.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use clap::{Args, Subcommand};
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{PlanKind, PlanTally};
use ludion_runs::kinds::WorkKinds;
use ludion_runs::studies::StudyKind;
use ludion_runs::{PlanReport, PlanSession, PlayablePlan, Repeatability, RunError, present_run};
use ludion_store::{RunId, RunPlan, RunState, Store, StoredGame, StoredRun, StudyPlan};
use serde::Serialize;

use super::tune;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural};
use crate::runs::{self, StoreArgs};
use crate::study;
use crate::{CommandContext, VERSION};

/// Show, resume, repeat or forget one run
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion run show 7
  ludion run resume 7                   run what is missing
  ludion run repeat 7                   run it again and compare
  ludion run forget 6

A run keeps its players with all their parameters, so it means the same when defaults
change. A run whose player has changed since is not resumed.")]
pub(crate) struct RunArgs {
    #[command(subcommand)]
    action: RunCommand,
}

#[derive(Subcommand)]
enum RunCommand {
    /// Show the results of a run
    #[command(after_help = "\
Examples:
  ludion run show 7
  ludion run show 7 --json
  ludion run show 7 --plot curve.svg      a championship, tuning or study as a chart")]
    Show(ShowArgs),
    /// Run the jobs that are missing
    #[command(after_help = "\
Examples:
  ludion run resume 7                     play the games that are missing
  ludion run resume 7 --threads 2")]
    Resume(ResumeArgs),
    /// Run everything again from the plan and its seed, and compare the results
    #[command(after_help = "\
Examples:
  ludion run repeat 7                     play it again and compare every move

Exit codes:
  0  all results are identical
  1  the run could not be repeated
  3  results differ
  4  they cannot be compared: a player has changed since the run was stored, or results
     differ and the run was made by another version or other sources")]
    Repeat(RunIdArgs),
    /// Delete a run with its results
    #[command(after_help = "\
Examples:
  ludion run forget 6")]
    Forget(RunIdArgs),
}

#[derive(Args)]
struct ShowArgs {
    #[command(flatten)]
    which: RunIdArgs,
    #[command(flatten)]
    files: study::OutputFiles,
}

#[derive(Args)]
struct ResumeArgs {
    #[command(flatten)]
    which: RunIdArgs,
    #[command(flatten)]
    files: study::OutputFiles,
    #[command(flatten)]
    cluster: ClusterArgs,
}

#[derive(Args)]
struct RunIdArgs {
    /// Number of the run, as listed by `ludion runs`
    id: RunId,
    #[command(flatten)]
    store: StoreArgs,
}

impl RunArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.action {
            RunCommand::Show(show) => show.which.show(context, &show.files),
            RunCommand::Resume(ResumeArgs { which, files, cluster }) => {
                which.resume(context, files, cluster)
            }
            RunCommand::Repeat(which) => which.repeat(context),
            RunCommand::Forget(which) => which.forget(context),
        }
    }
}

impl RunIdArgs {
    /// Returns the kind of the study and its stored run, or `None` if the run is not a study.
    fn study(
        &self,
        store: &Store,
    ) -> Result<Option<(StudyKind, StoredRun<StudyPlan>)>, CommandFailure> {
        let RunPlan::Study(plan) = store.any_run(self.id)?.plan else { return Ok(None) };
        let kind = *WorkKinds::standard().study(&plan.kind)?;
        Ok(Some((kind, store.study(self.id)?)))
    }

    fn show(
        &self,
        context: &CommandContext,
        files: &study::OutputFiles,
    ) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        if let Some((kind, run)) = self.study(&store)? {
            return study::show(context, files, &kind, &store, &run);
        }
        self.refuse_table(files)?;
        let run = present_run(&context.registry, store.run(self.id)?);
        let progress = context.progress("games").depends_on("the number of games");
        progress.begin(&format!("reading {}", plural(run.games, "game")));
        let figures = PlanReport::stored(&context.registry, &store, &run)?;
        progress.finish();
        runs::report(context, &files.pictures, &figures)?;
        if context.output.json {
            return Ok(());
        }
        context.output.write(&describe_versions(&run))
    }

    fn resume(
        &self,
        context: &CommandContext,
        files: &study::OutputFiles,
        cluster: &ClusterArgs,
    ) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        let run = store.any_run(self.id)?;
        if run.state == RunState::Finished {
            context.say(&format!("run {} is finished; nothing is left to do", self.id));
        } else if run.version != VERSION {
            context.say(&other_sources(&run.version, "begun"));
        }
        if let Some((kind, run)) = self.study(&store)? {
            context.join(cluster)?;
            return study::resume(context, &self.store, files, &kind, store, &run);
        }
        self.refuse_table(files)?;
        context.join(cluster)?;
        let plan = store.run(self.id)?.plan;
        if plan.kind == PlanKind::Tuning {
            return tune::resume(context, &self.store, &files.pictures, store, self.id);
        }
        let playable = PlayablePlan::open(&context.registry, &plan)?;
        let session = PlanSession::resume(playable, store, self.id)?;
        runs::play(context, session, &self.store, &files.pictures)
    }

    fn repeat(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        if let Some((kind, run)) = self.study(&store)? {
            return study::repeat(context, &kind, &store, &run);
        }
        let run = store.run(self.id)?;
        self.refuse_tuning(&run, "repeat")?;
        // From here on Ctrl-C ends the comparison with a sentence.
        let run_context = context.run_context();
        let playable = match PlayablePlan::open(&context.registry, &run.plan) {
            Err(error @ RunError::Changed(_)) => {
                let sentence = format!("run {} cannot be compared: {error}", self.id);
                return Err(CommandFailure::Incomparable(Some(sentence)));
            }
            playable => playable?,
        };
        let mut games = Vec::new();
        store.each_game::<CommandFailure>(self.id, |game| {
            games.push(game);
            Ok(())
        })?;
        if games.is_empty() {
            return Err(CommandFailure::Failed(format!("run {} has no games to compare", self.id)));
        }
        let stored = games.len() as u64;
        let mut known = games.into_iter().peekable();
        let mut tally = PlanTally::new(&run.plan);
        let (mut compared, mut difference) = (0, None);
        let progress = context.progress("pairs");
        let total = run.plan.schedule.total().min(stored.div_ceil(2));
        progress.update(0, Some(total), String::new);
        progress.say(&Repeatability::of(playable.plan()).sentence());
        ludion_runs::repeat(&run_context, &playable, |number, pair| {
            progress.update(number + 1, Some(total.max(number + 1)), String::new);
            for (i, again) in (0..).zip(&pair) {
                if let Some(kept) = known.next_if(|kept| kept.number == 2 * number + i) {
                    compared += 1;
                    difference = GameDifference::between(&kept, again);
                    if difference.is_some() {
                        return ControlFlow::Break(());
                    }
                }
            }
            if known.peek().is_none() { ControlFlow::Break(()) } else { tally.add(number, &pair) }
        })?;
        progress.finish();
        // A sequential test can end before the last stored game; only an interrupt leaves games out.
        let interrupted = run_context.stop.load(Ordering::Relaxed);
        if interrupted && difference.is_none() && compared < stored {
            return Err(CommandFailure::Stopped(format!(
                "stopped after {compared} of {}, which are all identical",
                plural(stored, "game")
            )));
        }
        let version = (run.version != VERSION).then_some(run.version);
        let is_foreign = version.is_some();
        let report = RepeatReport {
            run: self.id,
            identical: difference.is_none(),
            compared,
            difference,
            by_the_clock: playable.plan().budget().time.is_some(),
            repeatability: Repeatability::of(playable.plan()),
            version,
        };
        context.output.report(&report)?;
        match (report.identical, is_foreign) {
            (true, _) => Ok(()),
            (false, false) => Err(CommandFailure::Different),
            (false, true) => Err(CommandFailure::Incomparable(None)),
        }
    }

    /// Returns an error if `--csv` was given: `ludion export` writes the table of a run of games.
    fn refuse_table(&self, files: &study::OutputFiles) -> Result<(), CommandFailure> {
        let export = format!("ludion export {} --format csv", self.id);
        let why = format!("run {} played games; their rows are written by: {export}", self.id);
        files.csv.refuse(&why)
    }

    /// Returns an error if the run is a tuning; only its matches can be repeated, one by one.
    fn refuse_tuning(
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

/// Report of `ludion run repeat`: whether the run played the same games again.
#[derive(Serialize)]
struct RepeatReport {
    run: RunId,
    identical: bool,
    /// Number of games that were compared.
    compared: u64,
    difference: Option<GameDifference>,
    by_the_clock: bool,
    #[serde(flatten)]
    repeatability: Repeatability,
    /// Version of the program that first played the run, with the stamp of its sources, if it is not
    /// this one.
    version: Option<String>,
}

/// First difference between a stored game and its repetition.
#[derive(Serialize)]
struct GameDifference {
    game: String,
    /// Number of the first different ply, from 1; `None` if only the results differ.
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

/// Returns all moves of a game, those of the opening first.
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
        text += &format!("{}\n", self.repeatability.sentence());
        if let Some(version) = &self.version {
            text += &format!("{}\n", other_sources(version, "first played"));
        }
        text
    }
}

/// Says that a run was made by other sources than those of this program.
pub(crate) fn other_sources(version: &str, verb: &str) -> String {
    format!(
        "it was {verb} by {version}, this is {VERSION}: other sources, whose results may differ"
    )
}

/// Describes which versions have worked on a run.
fn describe_versions(run: &StoredRun) -> String {
    let resumed = match &run.resumed_by[..] {
        [] => String::new(),
        versions => format!(", resumed by {}", versions.join(", ")),
    };
    paint(QUIET, &format!("begun by {}{resumed}", run.version)) + "\n"
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
