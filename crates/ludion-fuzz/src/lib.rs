//! Fuzz targets for every parser and decoder of Ludion. A target is a function of bytes. It panics
//! if the program has a bug: a panic of the parser, or a value that is not the same after it was
//! written and parsed again. It returns the error text of an input that is refused, and the text
//! itself is checked by [`error_text::faults`].
//!
//! The list [`TARGETS`] has two users: the driver [`campaign::run`], which runs on stable Rust as a
//! test of this crate, and the targets of `cargo fuzz` in the folder `fuzz` of the repository.
//! `corpus` has the inputs that both begin with, one folder for each target. Ludion wrote them; an
//! input that revealed a bug stays there as a regression test.

pub mod campaign;
pub mod corpus;
pub mod error_text;
mod mutator;
pub mod targets;
mod watch;

pub use targets::TARGETS;
pub use watch::LimitedAllocator;

/// Function that passes bytes to a parser; the error is the text with which they were refused.
pub type RunTarget = fn(&[u8]) -> Result<(), String>;

/// A parser or decoder with what a fuzzer needs to know about it.
pub struct FuzzTarget {
    /// Name of the target, of its folder in `corpus`, and of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// What is parsed, in a few words.
    pub about: &'static str,
    /// Words and signs of the format, which mutations insert.
    pub tokens: &'static [&'static str],
    /// Passes an input to the parser and checks the properties of the result.
    pub run: RunTarget,
}

/// Runs the target called `name` with an input, for the targets of `cargo fuzz`.
///
/// # Panics
/// When there is no such target, or the input reveals a bug.
pub fn run(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of the list");
    let _ = check(target, input);
}

/// Runs a target and checks the error text if the input is refused.
///
/// # Panics
/// When the input reveals a bug.
pub fn check(target: &FuzzTarget, input: &[u8]) -> Result<(), String> {
    let refused = (target.run)(input);
    if let Err(text) = &refused {
        let given = String::from_utf8_lossy(input);
        let faults = error_text::faults(text, &given);
        assert!(faults.is_empty(), "the error text {text:?} {}", faults.join(", "));
    }
    refused
}
