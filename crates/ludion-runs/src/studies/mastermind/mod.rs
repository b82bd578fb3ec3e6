//! Mastermind codes found by cross-entropy: a single experiment with its trace, and a table of many
//! experiments for each size. Both have one stage of independent jobs.

mod run;
mod table;
mod table_report;
mod trace_report;

pub use run::{
    MastermindExperiment, MastermindExperimentRequest, MastermindExperimentSettings, TraceOutput,
};
pub use table::{MastermindTable, MastermindTableRequest, MastermindTableSettings};
pub use table_report::{MastermindTableCell, MastermindTableReport};
pub use trace_report::MastermindExperimentReport;
