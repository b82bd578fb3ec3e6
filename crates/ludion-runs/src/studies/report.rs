//! Reports of studies, with their pictures and tables.

use std::any::Any;
use std::io::Write;

use serde::Serialize;
use serde_json::Value;

use crate::{RunError, RunPicture};

/// Report of a study; each kind of study has its own type of report.
pub trait StudyReport: Serialize + Send + Sync + 'static {
    /// Returns a picture of the results.
    fn picture(&self) -> RunPicture;

    /// Returns the results as a table, if this kind has one.
    fn table(&self) -> Option<ReportTable> {
        None
    }
}

/// Results as a table of texts.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportTable {
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each with one text for each column.
    pub rows: Vec<Vec<String>>,
}

impl ReportTable {
    /// Writes the table as CSV.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write_csv(&self, out: impl Write) -> Result<(), RunError> {
        let mut writer = csv::Writer::from_writer(out);
        let failed = |error: csv::Error| RunError::Failed(format!("the table: {error}"));
        writer.write_record(&self.columns).map_err(failed)?;
        self.rows.iter().try_for_each(|row| writer.write_record(row)).map_err(failed)?;
        Ok(writer.flush()?)
    }
}

/// Report of a run as data, for programs that do not know its kind.
pub struct RunReport {
    /// The report as JSON, the same as the command line prints with `--json`.
    pub figures: Value,
    /// Picture of the results, if the kind has one.
    pub picture: Option<RunPicture>,
    /// The results as a table, if the kind has one.
    pub table: Option<ReportTable>,
}

impl RunReport {
    /// Makes the report of a run from its figures and its picture, without a table.
    ///
    /// # Errors
    /// When the report cannot be written as JSON.
    pub fn new(figures: &impl Serialize, picture: Option<RunPicture>) -> Result<Self, RunError> {
        let figures = serde_json::to_value(figures).map_err(no_json)?;
        Ok(RunReport { figures, picture, table: None })
    }
}

fn no_json(error: serde_json::Error) -> RunError {
    RunError::Failed(format!("the report cannot be written as JSON: {error}"))
}

/// Report of any kind of study, type-erased.
pub trait AnyStudyReport: Send + Sync {
    /// Returns the report as JSON on one line.
    ///
    /// # Errors
    /// When the report cannot be written as JSON.
    fn json(&self) -> Result<String, RunError>;

    /// Returns the report as JSON, with its picture and table.
    ///
    /// # Errors
    /// When the report cannot be written as JSON.
    fn findings(&self) -> Result<RunReport, RunError>;

    /// Returns a picture of the results.
    fn picture(&self) -> RunPicture;

    /// Returns the results as a table, if this kind has one.
    fn table(&self) -> Option<ReportTable>;

    /// Returns the report for downcasting to its type, to print it as text.
    fn as_any(&self) -> &dyn Any;
}

impl<T: StudyReport> AnyStudyReport for T {
    fn json(&self) -> Result<String, RunError> {
        serde_json::to_string(self).map_err(no_json)
    }

    fn findings(&self) -> Result<RunReport, RunError> {
        let findings = RunReport::new(self, Some(StudyReport::picture(self)))?;
        Ok(RunReport { table: StudyReport::table(self), ..findings })
    }

    fn picture(&self) -> RunPicture {
        StudyReport::picture(self)
    }

    fn table(&self) -> Option<ReportTable> {
        StudyReport::table(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
