//! Runs plans of games and studies on threads or on a cluster, stores every result as soon as it
//! arrives, resumes runs that were stopped, and computes their reports. The command line and the
//! laboratory both use this crate, so each can resume a run that the other began.
//!
//! Nothing here prints: progress goes to a callback, and a flag stops a run. The results of a run
//! are data ([`PlanReport`], [`studies::RunReport`]) that the callers write out; pictures are those
//! of `ludion-plot`.

pub mod block_jobs;
pub mod championship;
pub mod cluster;
pub mod columnar;
mod conditions;
mod context;
mod defaults_0_1_0;
mod error;
pub mod export;
mod figures;
mod game_summary;
pub mod judge;
pub mod kinds;
mod listing;
pub mod matches;
mod names;
pub mod openings;
mod picture;
pub mod plan_jobs;
mod playable_plan;
mod player_files;
mod present;
pub mod records;
pub mod remote;
mod repeatability;
pub mod residuals;
mod result_check;
mod run_comparison;
mod run_verdict;
mod session;
pub mod setup;
pub mod sgf;
pub mod sprt;
pub mod store_check;
pub mod studies;
pub mod tournament;
pub mod tournament_file;
pub mod tuning;
mod verdicts;
mod words;

pub use conditions::{ConditionsReport, OpeningsReport};
pub use context::{GatedJobs, JobGate, RunContext};
pub use error::RunError;
pub use figures::PlanReport;
pub use game_summary::GameSummary;
pub use listing::{GameDescription, RiddleDescription};
pub use picture::{RunPicture, epoch_series};
pub use playable_plan::PlayablePlan;
pub use present::{present_any_run, present_plan, present_run};
pub use repeatability::Repeatability;
pub use run_comparison::{GameDifference, RunComparison, compare_runs};
pub use run_verdict::run_verdict;
pub use session::{GamePair, PlanSession, PlayedPlan, repeat};
pub use words::{describe_players, describe_progress, plural};
