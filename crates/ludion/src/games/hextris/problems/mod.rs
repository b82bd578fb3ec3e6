//! Problems of our own, small to large, in the format of the contest: for teaching, for tests
//! and to play with.

use super::problem::Problem;

/// A problem of ours under its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedProblem {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub help: &'static str,
    /// The contest's JSON.
    pub json: &'static str,
}

macro_rules! problems {
    ($($name:literal: $help:literal,)*) => {
        &[$(NamedProblem {
            name: $name,
            help: $help,
            json: include_str!(concat!($name, ".json")),
        }),*]
    };
}

/// All problems of ours, the smallest first.
pub const PROBLEMS: &[NamedProblem] = problems! {
    "dot": "single cells on a tiny board: moving, locking, a first full row",
    "pair": "two cells that turn about one of them, and single ones",
    "corner": "an angle of three cells, which has to be turned to fit",
    "well": "three rows that lack one column: lines together are worth more than one by one",
    "turning": "units that look the same after a half, a third and a sixth of a turn",
    "swing": "pivots far outside their units: a turn is a long way",
    "rubble": "five rows of rubble to dig through with small units",
    "tetrahexes": "all seven units of four cells on the board of a classic game",
    "cups": "shelves with gaps and units that are larger than the gaps",
    "shaft": "narrow and sixty rows deep: every unit has a long way to spell on",
    "comb": "teeth one cell wide between which only upright units fit",
    "spelling": "one unit without symmetry and much room: nothing but phrases counts",
    "meadow": "forty columns, nine units, ground that gets denser below",
    "pentahexes": "units of four and five cells; one of the seeds is listed twice",
    "prairie": "a hundred columns and a thousand units",
    "cathedral": "as wide and as high as a board can be",
};

impl NamedProblem {
    /// Reads it.
    ///
    /// # Panics
    /// Never: a test reads them all.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem::from_json(self.json).expect("a problem of ours reads")
    }
}

/// The problem of ours with this name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static NamedProblem> {
    PROBLEMS.iter().find(|named| named.name == name)
}
