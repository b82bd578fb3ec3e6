//! Mutated inputs of the corpus against every fuzz target, and the rules for the texts of errors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;
mod error_texts;
mod make_corpus;

use ludion_fuzz::LimitedAllocator;

#[global_allocator]
static ALLOCATOR: LimitedAllocator = LimitedAllocator;
