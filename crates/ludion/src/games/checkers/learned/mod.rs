//! A judgement by patterns that comes with the library, so that `deepening(eval=patterns)` plays
//! the seed's rules without a file. It was learned from nothing, from games against itself, by
//! version 0.1.0 with seed 1, and its header says so; it is made again, in 8 to 13 minutes of CPU
//! time, by
//!
//! ```text
//! ludion learn checkers --rounds 9 --games 20000 --depth 4 --pairs 50 --out seed.lpat
//! ```

use super::Checkers;

/// The model for these rules on this board.
pub(super) fn model(g: &Checkers) -> Option<&'static [u8]> {
    g.seed.then_some(include_bytes!("seed.lpat").as_slice())
}
