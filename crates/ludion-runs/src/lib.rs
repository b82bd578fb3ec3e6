//! Conducting runs: a plan of games or a study is done on all threads or by a crew of other
//! machines, kept job by job, resumed where it was left, and looked at. The command line and the laboratory in a browser both do
//! it by this crate, so that either goes on with what the other began.
//!
//! Nothing here prints: progress goes to a callback, and a flag stops. What came of a run is
//! data ([`RunFigures`]) that its callers write out; pictures are those of `ludion-plot`.

pub mod championship;
pub mod cluster;
pub mod columnar;
mod context;
mod error;
pub mod export;
mod figures;
pub mod matches;
mod picture;
pub mod plan_jobs;
pub mod remote;
mod result_check;
mod session;
pub mod setup;
pub mod sprt;
pub mod study;
pub mod tournament;
pub mod tuning;
mod words;

pub use context::{GatedJobs, JobGate, RunContext};
pub use error::RunError;
pub use figures::RunFigures;
pub use picture::RunPicture;
pub use session::{GamePair, PlanSession, PlayedPlan};
pub use words::{plural, who};
