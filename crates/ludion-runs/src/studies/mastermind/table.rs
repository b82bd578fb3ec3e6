//! A table of experiments: a cell for each number of pegs and of colours, with several experiments
//! in each cell. A job is one experiment.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_mastermind::experiment::{CrossEntropyRun, ExperimentOutcome, ExperimentSettings};
use ludion_players::assets::Assets;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::run::refusal;
use super::table_report::{MastermindTableCell, MastermindTableReport};
use crate::studies::{
    JobFailure, Stage, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession,
};
use crate::{RunError, plural};

/// A study of a table of cross-entropy experiments, while it runs.
pub struct MastermindTable {
    settings: MastermindTableSettings,
    is_requested: bool,
}

/// Limit of the number of cells of a table.
const MAX_CELLS: usize = 10_000;

/// Request for a table of experiments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MastermindTableRequest {
    /// Options of the search; its numbers of pegs and colours are replaced by those of each cell.
    pub settings: ExperimentSettings,
    /// Numbers of pegs, one for each row.
    pub pegs: Vec<usize>,
    /// Numbers of colours, one for each column. If the distribution allows no colour twice, cells
    /// with fewer colours than pegs are left out.
    pub colours: Vec<usize>,
    /// Number of experiments in each cell.
    pub runs: u64,
}

/// Cells of a table and the number of experiments in each, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MastermindTableSettings {
    runs: u64,
    cells: Vec<ExperimentSettings>,
    seed: u64,
}

/// Returns the sizes without duplicates, in the given order.
fn once(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for size in sizes {
        if !found.contains(&size) {
            found.push(size);
        }
    }
    found
}

impl MastermindTableSettings {
    /// Returns the experiment settings of all cells.
    #[must_use]
    pub fn cells(&self) -> &[ExperimentSettings] {
        &self.cells
    }

    /// Returns the experiment that the job with this number runs. Its seed does not depend on which
    /// other cells the table has.
    fn experiment(&self, number: u64) -> Result<CrossEntropyRun, RunError> {
        let settings = self.cells[(number / self.runs) as usize].clone();
        let place = [settings.pegs as u64, settings.colours as u64, number % self.runs];
        let experiment = CrossEntropyRun::new(settings, None, derive_seed(self.seed, &place));
        experiment.map_err(refusal)
    }

    fn jobs(&self) -> u64 {
        (self.cells.len() as u64).saturating_mul(self.runs)
    }

    fn check(&self) -> Result<(), RunError> {
        if self.jobs() == 0 {
            return Err(RunError::Wrong("a table needs cells, and runs in every cell".to_owned()));
        }
        (0..self.cells.len() as u64)
            .try_for_each(|cell| self.experiment(cell * self.runs).map(drop))
    }
}

impl Stage for MastermindTableSettings {
    type Spec = Self;
    type Worker = ();
    type Output = ExperimentOutcome;

    fn open(_registry: &Registry, _assets: &Assets, spec: Self) -> Result<Self, RunError> {
        spec.check()?;
        Ok(spec)
    }

    fn worker(&self) {}

    fn job(
        &self,
        (): &mut (),
        number: u64,
        stop: &AtomicBool,
    ) -> Result<ExperimentOutcome, JobFailure> {
        let experiment = self.experiment(number).expect("settings that were checked before");
        let trace = experiment.run_until(false, |_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if stop.load(Ordering::Relaxed) { Err(JobFailure::Stopped) } else { Ok(trace.outcome) }
    }

    fn accepts(&self, number: u64, outcome: &ExperimentOutcome) -> bool {
        let settings = &self.cells[(number / self.runs) as usize];
        outcome.iterations <= settings.iterations && outcome.proposal.len() == settings.pegs
    }
}

impl Study for MastermindTable {
    const KIND: &'static str = "mastermind table";
    const UNIT: &'static str = "jobs";
    const HAS_TABLE: bool = true;

    type Request = MastermindTableRequest;
    type Settings = MastermindTableSettings;
    type Stage = MastermindTableSettings;
    type Record = ExperimentOutcome;
    type Report = MastermindTableReport;

    fn settings(
        _registry: &Registry,
        request: MastermindTableRequest,
        seed: u64,
    ) -> Result<MastermindTableSettings, RunError> {
        let MastermindTableRequest { settings, pegs, colours, runs } = request;
        let (pegs, colours) = (once(pegs.into_iter()), once(colours.into_iter()));
        if pegs.len().saturating_mul(colours.len()) > MAX_CELLS {
            return Err(RunError::Wrong(format!("a table has at most {MAX_CELLS} cells")));
        }
        let mut cells = Vec::new();
        for &pegs in &pegs {
            for &colours in &colours {
                if settings.distribution.repeats() || colours >= pegs {
                    cells.push(ExperimentSettings { pegs, colours, ..settings.clone() });
                }
            }
        }
        if cells.is_empty() {
            return Err(RunError::Wrong(
                "no cell has at least as many colours as pegs, which this law needs".to_owned(),
            ));
        }
        Ok(MastermindTableSettings { runs, cells, seed })
    }

    fn plan(settings: &MastermindTableSettings) -> Result<StudyPlan, RunError> {
        let sizes = |size: fn(&ExperimentSettings) -> usize| {
            let sizes = once(settings.cells.iter().map(size));
            sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let (pegs, colours) = (sizes(|cell| cell.pegs), sizes(|cell| cell.colours));
        let law = settings.cells.first().map_or("", |cell| cell.distribution.name());
        let about = format!("{pegs} × {colours} by {law}, {}", plural(settings.runs, "run"));
        Ok(StudyPlan::new(Self::KIND, about, settings.jobs(), settings.seed, settings)?)
    }

    fn total_jobs(settings: &MastermindTableSettings) -> u64 {
        settings.jobs()
    }

    fn new(_registry: &Registry, settings: MastermindTableSettings) -> Result<Self, RunError> {
        settings.check()?;
        Ok(MastermindTable { settings, is_requested: false })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<ExperimentOutcome>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<MastermindTableSettings>>, RunError> {
        if std::mem::replace(&mut self.is_requested, true) {
            return Ok(None);
        }
        let spec = self.settings.clone();
        Ok(Some(StageRequest { jobs: spec.jobs(), spec, attachments: Vec::new() }))
    }

    fn store_output(output: &ExperimentOutcome) -> StoredJobOutput<ExperimentOutcome> {
        StoredJobOutput::Record(output.clone())
    }

    fn load_output(stored: StoredJobOutput<ExperimentOutcome>) -> Option<ExperimentOutcome> {
        match stored {
            StoredJobOutput::Record(outcome) => Some(outcome),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn status(&self, outputs: &[JobOutput<ExperimentOutcome>]) -> String {
        let wrong = outputs.iter().filter(|output| !output.value.found).count();
        let last = outputs.last().map_or(0, |output| output.number / self.settings.runs);
        let ExperimentSettings { pegs, colours, .. } = &self.settings.cells[last as usize];
        format!("{pegs} pegs, {colours} colours, {wrong} wrong so far")
    }

    fn report(
        settings: &MastermindTableSettings,
        run: &StudyRecords<ExperimentOutcome>,
    ) -> Result<MastermindTableReport, RunError> {
        let MastermindTableSettings { runs, cells, seed } = settings;
        let cell = |(i, cell): (u64, &ExperimentSettings)| {
            let range = i * runs..(i + 1) * runs;
            let records: Vec<&JobOutput<ExperimentOutcome>> =
                run.records.iter().filter(|record| range.contains(&record.number)).collect();
            MastermindTableCell::of(cell, &records)
        };
        let Some(first) = cells.first() else {
            return Err(RunError::Failed("the table has no cells".to_owned()));
        };
        Ok(MastermindTableReport {
            run: run.run,
            complete: run.complete,
            runs: *runs,
            seed: *seed,
            settings: first.clone(),
            cells: (0..).zip(cells).map(cell).collect(),
            seconds: run.seconds(),
        })
    }
}
