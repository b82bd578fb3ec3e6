//! `ludion reproduce`: lists the published works that can be repeated, and repeats one of them item
//! by item, with a report as text, JSON, Markdown and HTML.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use ludion::games::hextris::Problem;
use ludion_runs::studies::hextris_tuning::NamedJsonProblem;
use ludion_runs::studies::reproduction::{
    Reproduction, ReproductionRecord, ReproductionReport, ReproductionRequest,
    ReproductionSettings, RunSize, find_work, replace_timed_items,
};
use ludion_runs::studies::{self, Study, StudyOutcome, StudyRecords};
use ludion_store::{RunId, Store, StudyPlan, read_file_or_pipe};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};
use report::WorksReport;

/// Repeat a published work item by item: what was published, what comes out, and a verdict
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion reproduce                                      the works that can be repeated
  ludion reproduce players --tiny --only calls          one item
  ludion reproduce players --tiny --out report          report.html, report.md and figures

Every table, figure and claim of a work is an item. For each the report says what was
published, what comes out here with a 95 % interval, the verdict (confirmed, refuted, inside
the noise, cannot be known from what was published), why, and the command for this item alone.
--quick takes minutes, --full as long as is said beforehand; the same seed gives the same
figures on any number of threads, except for items that measure time. A run is stored:
`ludion run resume` goes on after an interruption, `ludion reproduce --from RUN --out FOLDER`
writes the report of a stored run; with `--from RUN,LATER` items that measure time are
those of the later run, which may be one with --only.")]
pub(crate) struct ReproduceArgs {
    /// The work to repeat; without it the works are listed
    #[arg(value_name = "WORK")]
    work: Option<String>,
    /// Compute little, in minutes [default]
    #[arg(long, conflicts_with_all = ["full", "tiny"])]
    quick: bool,
    /// Compute as much as was published or more
    #[arg(long, conflicts_with = "tiny")]
    full: bool,
    /// Compute as little as possible, to see the form of the report
    #[arg(long)]
    tiny: bool,
    /// Measure these items only, by their names
    #[arg(long, value_name = "ITEM", value_delimiter = ',')]
    only: Vec<String>,
    /// Problems of hexagonal Tetris in the contest's format, to use instead of the built-in ones
    #[arg(long, value_name = "FOLDER")]
    problems: Option<PathBuf>,
    /// Write report.html, report.md, report.json and the figures to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write the report of this stored run instead of starting one; items that measure time are taken
    /// from the runs named after it
    #[arg(long, value_name = "RUN", value_delimiter = ',', conflicts_with_all = ["work", "quick", "full", "tiny", "only", "problems"])]
    from: Vec<RunId>,
    #[command(flatten)]
    files: OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Size limit of a problem file in bytes.
const MAX_PROBLEM_BYTES: u64 = 64 << 20;

impl ReproduceArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if let [run, timed @ ..] = self.from.as_slice() {
            return self.report_stored(context, *run, timed);
        }
        let Some(work) = &self.work else {
            return context.output.report(&WorksReport::new());
        };
        let request = ReproductionRequest {
            work: find_work(work)?.name.to_owned(),
            size: match (self.full, self.tiny) {
                (true, _) => RunSize::Full,
                (_, true) => RunSize::Tiny,
                _ => RunSize::Quick,
            },
            only: self.only.clone(),
            problems: self.problems.as_deref().map_or_else(|| Ok(Vec::new()), read_problems)?,
        };
        let settings = Reproduction::settings(&context.registry, request.clone(), context.seed)?;
        say_estimate(context, &settings)?;
        let (plan, run) =
            study::start::<Reproduction>(context, &self.store, &self.cluster, request)?;
        self.write(&Reproduction::report(&plan.settings()?, &run)?)?;
        let outcome = StudyOutcome::new::<Reproduction>(&plan, &run)?;
        study::report(context, &self.store, &self.files, &outcome)
    }

    fn report_stored(
        &self,
        context: &CommandContext,
        run: RunId,
        timed: &[RunId],
    ) -> Result<(), CommandFailure> {
        let store = self.store.existing()?;
        let (plan, mut records) = read_run(&store, run)?;
        let settings = plan.settings()?;
        for other in timed {
            let (other_plan, other) = read_run(&store, *other)?;
            let other_settings = other_plan.settings()?;
            replace_timed_items((&settings, &mut records), (&other_settings, other))?;
        }
        self.write(&Reproduction::report(&settings, &records)?)?;
        let outcome = StudyOutcome::new::<Reproduction>(&plan, &records)?;
        study::report(context, &self.store, &self.files, &outcome)
    }

    /// Writes the report and its figures to the folder that was asked for.
    fn write(&self, report: &ReproductionReport) -> Result<(), CommandFailure> {
        let Some(folder) = &self.out else { return Ok(()) };
        let json = serde_json::to_string_pretty(report)
            .map_err(|error| CommandFailure::Failed(format!("the report is no JSON: {error}")))?;
        let mut files = vec![
            ("report.html".to_owned(), report.html()),
            ("report.md".to_owned(), report.markdown()),
            ("report.json".to_owned(), json + "\n"),
        ];
        files.extend(report.figures().map(|(name, figure)| (name, figure.picture.drawing().svg())));
        let cannot = |error: std::io::Error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        files
            .into_iter()
            .try_for_each(|(name, text)| {
                ludion_store::replace_file(&folder.join(name), text.as_bytes())
            })
            .map_err(cannot)
    }
}

/// Reads a stored reproduction.
fn read_run(
    store: &Store,
    run: RunId,
) -> Result<(StudyPlan, StudyRecords<ReproductionRecord>), CommandFailure> {
    let stored = store.study(run)?;
    if stored.plan.kind != Reproduction::KIND {
        let kind = stored.plan.kind;
        return Err(CommandFailure::Usage(format!("run {run} is a {kind}, no reproduction")));
    }
    let records = studies::stored::<Reproduction>(store, &stored)?;
    Ok((stored.plan, records))
}

/// Says beforehand how long the run takes.
fn say_estimate(
    context: &CommandContext,
    settings: &ReproductionSettings,
) -> Result<(), CommandFailure> {
    let seconds = settings.estimated_seconds(context.threads)?;
    let time = match seconds {
        seconds if seconds < 10.0 => "some seconds".to_owned(),
        seconds if seconds < 100.0 => {
            format!("about {:.0} seconds", 10.0 * (seconds / 10.0).ceil())
        }
        seconds if seconds < 7200.0 => format!("about {:.0} minutes", (seconds / 60.0).ceil()),
        seconds => format!("about {:.1} hours", seconds / 3600.0),
    };
    let threads = ludion_runs::plural(context.threads as u64, "thread");
    context.say(&format!(
        "{} takes {time} on {threads}, as measured on a machine of two cores",
        settings.size.name()
    ));
    Ok(())
}

/// Reads the problems of a folder; other JSON files in it are passed over.
fn read_problems(folder: &Path) -> Result<Vec<NamedJsonProblem>, CommandFailure> {
    let cannot = |error: std::io::Error| {
        CommandFailure::Failed(format!("{} cannot be read: {error}", folder.display()))
    };
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    let mut problems: Vec<Problem> = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let bytes = read_file_or_pipe(&path, MAX_PROBLEM_BYTES).map_err(cannot)?;
            problems.extend(Problem::from_json(&String::from_utf8_lossy(&bytes)));
        }
    }
    if problems.is_empty() {
        let said = format!("{} has no problem of hexagonal Tetris", folder.display());
        return Err(CommandFailure::Usage(said));
    }
    problems.sort_by_key(Problem::id);
    let named = |problem: &Problem| NamedJsonProblem {
        name: problem.id().to_string(),
        problem: problem.json().clone(),
    };
    Ok(problems.iter().map(named).collect())
}
