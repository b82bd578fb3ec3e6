//! Report of a reproduction as data: the work, its items in the order of the document, and the
//! finding about each. [`markdown`](super::markdown) and [`html`](super::html) write it as a page.

use std::collections::HashMap;
use std::time::Duration;

use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use super::finding::{Finding, FindingFigure};
use super::verdict::Verdict;
use super::work::{ItemMeasurement, JudgeContext, WorkItem};
use super::{ReproductionRecord, ReproductionSettings, find_work};
use crate::studies::{ReportTable, StudyRecords, StudyReport};
use crate::{RunError, RunPicture};

/// Report of a reproduction.
#[derive(Serialize)]
pub struct ReproductionReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Name of the work.
    pub work: &'static str,
    /// Title of the document.
    pub title: &'static str,
    /// Names of the authors.
    pub authors: &'static str,
    /// Year of publication.
    pub year: &'static str,
    /// Where the document is found.
    pub source: &'static str,
    /// What the document is about.
    pub about: &'static str,
    /// Words of the report with their meanings.
    pub terms: &'static [(&'static str, &'static str)],
    /// How much was computed: tiny, quick or full.
    pub size: &'static str,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of problems of hexagonal Tetris that the user gave.
    pub problems: usize,
    /// Version of the program that makes the report.
    pub version: &'static str,
    /// Whether all jobs are done.
    pub complete: bool,
    /// Seconds from start to end; `None` if the run was only read.
    pub seconds: Option<f64>,
    /// How many items have which verdict.
    pub counts: VerdictCounts,
    /// The items, in the order of the document.
    pub items: Vec<ItemReport>,
}

/// Numbers of items by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct VerdictCounts {
    /// Number of items that are confirmed.
    pub confirmed: usize,
    /// Number of items that are refuted.
    pub refuted: usize,
    /// Number of items that are inside the noise.
    pub inside_noise: usize,
    /// Number of items that cannot be known from what was published.
    pub unknowable: usize,
    /// Number of items that are not measured yet.
    pub missing: usize,
}

impl VerdictCounts {
    fn of(items: &[ItemReport]) -> Self {
        let mut counts = VerdictCounts::default();
        for item in items {
            match item.finding.as_ref().map(|finding| finding.verdict) {
                Some(Verdict::Confirmed) => counts.confirmed += 1,
                Some(Verdict::Refuted) => counts.refuted += 1,
                Some(Verdict::InsideNoise) => counts.inside_noise += 1,
                Some(Verdict::Unknowable) => counts.unknowable += 1,
                None => counts.missing += 1,
            }
        }
        counts
    }

    /// Returns the counts in the order of [`Verdict::ALL`].
    #[must_use]
    pub fn by_verdict(&self) -> [usize; 4] {
        [self.confirmed, self.refuted, self.inside_noise, self.unknowable]
    }

    /// Returns the counts as a phrase, such as `12 confirmed, 3 refuted`.
    #[must_use]
    pub fn words(&self) -> String {
        let counts = Verdict::ALL.iter().zip(self.by_verdict());
        let counts = counts.filter(|(_, count)| *count > 0);
        let mut parts: Vec<String> =
            counts.map(|(verdict, count)| format!("{count} {}", verdict.words())).collect();
        if self.missing > 0 {
            parts.push(format!("{} not measured yet", self.missing));
        }
        parts.join(", ")
    }
}

/// An item of the document with what came out.
#[derive(Serialize)]
pub struct ItemReport {
    /// Name of the item within the work.
    pub id: &'static str,
    /// What it is: table, figure, claim or exercise.
    pub kind: &'static str,
    /// Where it is in the document.
    pub place: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What was published, in sentences.
    pub published: &'static str,
    /// How it is measured here, in sentences.
    pub method: &'static str,
    /// The command for this item alone.
    pub command: String,
    /// Another command that gives it; empty if there is none.
    pub other_command: &'static str,
    /// Whether the figures depend on the clock, so that they differ from run to run.
    pub clock: bool,
    /// Sum of the seconds that its jobs took.
    pub seconds: f64,
    /// What came out; `None` if jobs are missing.
    pub finding: Option<Finding>,
}

impl ItemReport {
    /// Returns the verdict in words.
    #[must_use]
    pub fn verdict_words(&self) -> &'static str {
        self.finding.as_ref().map_or("not measured yet", |finding| finding.verdict.words())
    }

    /// Returns the file name of a figure of the item, counted from 0.
    #[must_use]
    pub fn figure_name(&self, work: &str, number: usize) -> String {
        format!("{work}-{}-{}.svg", self.id, number + 1)
    }
}

/// Measurements of an item by job number, with their computing time.
type ItemResults<'a> = HashMap<&'a str, Vec<(u64, &'a ItemMeasurement, Duration)>>;

impl ReproductionReport {
    pub(super) fn new(
        settings: &ReproductionSettings,
        run: &StudyRecords<ReproductionRecord>,
    ) -> Result<Self, RunError> {
        let work = find_work(&settings.work)?;
        let mut results: ItemResults<'_> = HashMap::new();
        for record in &run.records {
            let of_item = results.entry(&record.value.item).or_default();
            of_item.push((record.number, &record.value.measurement, record.took));
        }
        let item = |item: &WorkItem| item_report(settings, item, &results);
        let items = settings.items()?.iter().map(item).collect::<Result<Vec<_>, RunError>>()?;
        Ok(ReproductionReport {
            run: run.run,
            work: work.name,
            title: work.title,
            authors: work.authors,
            year: work.year,
            source: work.source,
            about: work.about,
            terms: work.terms,
            size: settings.size.name(),
            seed: settings.seed,
            problems: settings.problems.len(),
            version: env!("CARGO_PKG_VERSION"),
            complete: run.complete,
            seconds: run.seconds(),
            counts: VerdictCounts::of(&items),
            items,
        })
    }

    /// Returns the command that makes the report.
    #[must_use]
    pub fn command(&self) -> String {
        let problems = problems_option(self.problems);
        format!("ludion reproduce {} --{} --seed {}{problems}", self.work, self.size, self.seed)
    }

    /// Returns all figures with their file names.
    pub fn figures(&self) -> impl Iterator<Item = (String, &FindingFigure)> {
        self.items.iter().flat_map(|item| {
            let figures = item.finding.iter().flat_map(|finding| &finding.figures);
            figures.enumerate().map(|(i, figure)| (item.figure_name(self.work, i), figure))
        })
    }
}

/// Returns the option that names the folder of problems, if the user gave some.
fn problems_option(problems: usize) -> &'static str {
    if problems == 0 { "" } else { " --problems FOLDER" }
}

fn item_report(
    settings: &ReproductionSettings,
    item: &WorkItem,
    results: &ItemResults<'_>,
) -> Result<ItemReport, RunError> {
    let ReproductionSettings { work, size, seed, problems, .. } = settings;
    let head = item.head;
    let mut known = results.get(head.id).cloned().unwrap_or_default();
    known.sort_by_key(|(number, ..)| *number);
    let seconds = known.iter().map(|(_, _, took)| took.as_secs_f64()).sum();
    let context = JudgeContext { size: *size, seed: *seed, problems };
    let finding = match known.len() as u64 == item.jobs(*size) {
        true => {
            let measurements: Vec<ItemMeasurement> =
                known.into_iter().map(|(_, measurement, _)| measurement.clone()).collect();
            Some(item.judge(&context, &measurements)?)
        }
        false => None,
    };
    Ok(ItemReport {
        id: head.id,
        kind: head.kind.name(),
        place: head.place,
        title: head.title,
        published: head.published,
        method: head.method,
        command: format!(
            "ludion reproduce {work} --only {} --{} --seed {seed}{}",
            head.id,
            size.name(),
            problems_option(problems.len())
        ),
        other_command: head.command,
        clock: item.has_clock,
        seconds,
        finding,
    })
}

/// Greatest number of figures in the picture of a report.
const MAX_PANELS: usize = 6;

impl StudyReport for ReproductionReport {
    /// Returns the first figures of the report, or a chart of the verdicts if it has none.
    fn picture(&self) -> RunPicture {
        let panels: Vec<RunPicture> =
            self.figures().take(MAX_PANELS).map(|(_, figure)| figure.picture.clone()).collect();
        if !panels.is_empty() {
            let title = self.title.to_owned();
            return RunPicture::Panels { title, panels, columns: 2, size: [760, 480] };
        }
        let counts = self.counts.by_verdict().into_iter().zip(1..);
        let points = counts.map(|(count, at)| ChartPoint::bare(f64::from(at), count as f64));
        RunPicture::Chart(Chart {
            title: self.title.to_owned(),
            note: self.command(),
            x: PlotAxis::names(
                "verdict",
                Verdict::ALL.iter().map(|verdict| verdict.words().to_owned()).collect(),
            ),
            y: PlotAxis::linear("items").unit(NumberUnit::Count),
            series: vec![ChartSeries { points: points.collect(), ..ChartSeries::default() }],
            ..Chart::default()
        })
    }

    fn table(&self) -> Option<ReportTable> {
        let columns = vec!["item", "what", "published", "ours", "value", "low", "high", "verdict"];
        let mut rows = Vec::new();
        for item in &self.items {
            let Some(finding) = &item.finding else { continue };
            let empty = String::new;
            rows.push(vec![
                item.id.to_owned(),
                item.title.to_owned(),
                empty(),
                empty(),
                empty(),
                empty(),
                empty(),
                finding.verdict.words().to_owned(),
            ]);
            rows.extend(finding.comparisons.iter().map(|one| {
                let number = |figure: fn(&super::MeasuredValue) -> f64| {
                    one.measured.as_ref().map_or_else(String::new, |m| figure(m).to_string())
                };
                vec![
                    item.id.to_owned(),
                    one.what.clone(),
                    one.published.clone(),
                    one.ours.clone(),
                    number(|m| m.value),
                    number(|m| m.low),
                    number(|m| m.high),
                    one.verdict.words().to_owned(),
                ]
            }));
        }
        Some(ReportTable { columns, rows })
    }
}
