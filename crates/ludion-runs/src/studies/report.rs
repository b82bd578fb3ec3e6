//! The figures of a study, with their picture and their table.

use std::any::Any;
use std::io::Write;

use serde::Serialize;
use serde_json::Value;

use crate::{RunError, RunPicture};

/// The figures of a kind of study.
pub trait StudyReport: Serialize + Send + Sync + 'static {
    /// Returns the picture of the figures.
    fn picture(&self) -> RunPicture;

    /// Returns the figures as a table, where they are one.
    fn table(&self) -> Option<FindingsTable> {
        None
    }
}

/// Figures as rows of a spreadsheet.
#[derive(Clone, PartialEq, Debug)]
pub struct FindingsTable {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl FindingsTable {
    /// Writes the table as CSV.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_csv(&self, out: impl Write) -> Result<(), RunError> {
        let mut writer = csv::Writer::from_writer(out);
        let failed = |error: csv::Error| RunError::Failed(format!("the table: {error}"));
        writer.write_record(&self.columns).map_err(failed)?;
        self.rows.iter().try_for_each(|row| writer.write_record(row)).map_err(failed)?;
        Ok(writer.flush()?)
    }
}

/// The figures of a run as data, for programs that do not know its kind.
pub struct Findings {
    /// The figures, as the command line writes them for machines.
    pub figures: Value,
    /// The picture of the figures.
    pub picture: Option<RunPicture>,
    /// The figures as a table.
    pub table: Option<FindingsTable>,
}

impl Findings {
    /// Makes findings of figures.
    ///
    /// # Errors
    /// When the figures cannot be written as JSON.
    pub fn new(figures: &impl Serialize, picture: Option<RunPicture>) -> Result<Self, RunError> {
        let figures = serde_json::to_value(figures).map_err(no_json)?;
        Ok(Findings { figures, picture, table: None })
    }
}

fn no_json(error: serde_json::Error) -> RunError {
    RunError::Failed(format!("the report cannot be written as JSON: {error}"))
}

/// A report of any kind of study.
pub trait AnyStudyReport: Send + Sync {
    /// Returns the report as one line of JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    fn json(&self) -> Result<String, RunError>;

    /// Returns the report as findings.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    fn findings(&self) -> Result<Findings, RunError>;

    /// Returns the picture of the figures.
    fn picture(&self) -> RunPicture;

    /// Returns the figures as a table, where they are one.
    fn table(&self) -> Option<FindingsTable>;

    /// Returns the report with its type, for programs that write it out in words.
    fn as_any(&self) -> &dyn Any;
}

impl<T: StudyReport> AnyStudyReport for T {
    fn json(&self) -> Result<String, RunError> {
        serde_json::to_string(self).map_err(no_json)
    }

    fn findings(&self) -> Result<Findings, RunError> {
        let findings = Findings::new(self, Some(StudyReport::picture(self)))?;
        Ok(Findings { table: StudyReport::table(self), ..findings })
    }

    fn picture(&self) -> RunPicture {
        StudyReport::picture(self)
    }

    fn table(&self) -> Option<FindingsTable> {
        StudyReport::table(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
