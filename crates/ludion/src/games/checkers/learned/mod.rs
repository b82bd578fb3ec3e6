//! The pattern model that comes with the library, so that `deepening(eval=patterns)` needs no
//! file with the simple rules. Version 0.1.0 trained it by self-play from zero weights with
//! random seed 1, as its header records. This command trains it again, in 8 to 13 minutes of CPU
//! time:
//!
//! ```text
//! ludion learn checkers --rounds 9 --games 20000 --depth 4 --pairs 50 --out simple.lpat
//! ```

use super::Checkers;

/// Returns the built-in model for a game, if there is one.
pub(super) fn model(g: &Checkers) -> Option<&'static [u8]> {
    g.simple.then_some(include_bytes!("simple.lpat").as_slice())
}
