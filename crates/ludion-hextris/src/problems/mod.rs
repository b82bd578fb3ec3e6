//! Built-in problems in the contest's format, from small to large, for teaching, tests and play.

use super::problem::Problem;

/// A built-in problem with its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedProblem {
    /// Name by which users select the problem.
    pub name: &'static str,
    /// One-line description of the problem for users.
    pub help: &'static str,
    /// The problem in the contest's JSON format.
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

/// All built-in problems, the smallest first.
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
    /// Parses the JSON text of the problem.
    ///
    /// # Panics
    /// Never panics: a test reads all built-in problems.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem::from_json(self.json).expect("built-in problems are valid")
    }
}

/// Returns the built-in problem with this name, or `None` if there is none.
#[must_use]
pub fn find(name: &str) -> Option<&'static NamedProblem> {
    PROBLEMS.iter().find(|named| named.name == name)
}
