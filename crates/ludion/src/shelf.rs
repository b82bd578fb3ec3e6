//! Names that 0.1.0 had in this module.
#![deprecated(since = "0.2.0", note = "the module is called `assets`")]

pub use crate::assets::{Assets as Shelf, SharedBytes as Bytes};
