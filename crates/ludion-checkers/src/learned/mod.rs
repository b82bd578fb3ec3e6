//! The pattern model for the simple rules that is built into the library, so that
//! `deepening(eval=patterns)` needs no model file with these rules. Version 0.1.0 trained it by
//! self-play from zero weights with random seed 1, as its header records. This command trains it
//! again, in 8 to 13 minutes of CPU time:
//!
//! ```text
//! ludion learn checkers --rounds 9 --games 20000 --depth 4 --pairs 50 --out simple.lpat
//! ```

use super::Checkers;

/// Returns the bytes of the built-in pattern model for the rules and board of `g`, if there is one.
pub(super) fn model(g: &Checkers) -> Option<&'static [u8]> {
    g.simple.then_some(include_bytes!("simple.lpat").as_slice())
}
