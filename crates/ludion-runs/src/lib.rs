//! Conducting runs: a plan of games or a study is done on all threads or by a crew of other
//! machines, kept job by job, resumed where it was left, and looked at. The command line and the laboratory in a browser both do
//! it by this crate, so that either goes on with what the other began.
//!
//! Nothing here prints: progress goes to a callback, and a flag stops. What came of a run is
//! data ([`Figures`]) that its callers write out; pictures are those of `ludion-plot`.

pub mod away;
pub mod championship;
pub mod columnar;
pub mod crew;
mod error;
pub mod export;
mod figures;
pub mod games;
pub mod matches;
mod means;
mod picture;
mod session;
pub mod setup;
pub mod sprt;
pub mod study;
pub mod tournament;
pub mod tuning;
mod umpire;
mod words;

pub use error::Error;
pub use figures::Figures;
pub use means::{Gate, Gated, Means};
pub use picture::Picture;
pub use session::{Pair, Played, Session};
pub use words::{plural, who};
