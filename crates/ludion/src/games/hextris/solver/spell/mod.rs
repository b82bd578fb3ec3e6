//! What to write when it is known where every unit locks: the commands that spell the most
//! power on the way. One pass over the whole game after Viterbi, the automaton of the phrases
//! carried on from unit to unit, finds the best among all paths that leave a row downwards
//! only, as all paths do; of the ways to a placement only the most promising are kept.

mod field;
mod frontier;
mod history;
mod lexicon;
mod pass;
mod trail;

use super::super::board::Board;
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};
use field::Field;
use frontier::Entry;
use history::History;
use lexicon::Lexicon;
use pass::Pass;
use trail::Trail;

/// How thorough spelling is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpellOptions {
    /// How many ways are kept for each placement.
    pub width: usize,
    /// How many ways are followed for all placements of a row at a time.
    pub row: usize,
}

impl Default for SpellOptions {
    fn default() -> Self {
        SpellOptions { width: 40, row: 100_000 }
    }
}

/// A game spelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelled {
    /// The solution.
    pub commands: String,
    /// What its phrases earn.
    pub power: u64,
}

/// A way at the end of a unit.
#[derive(Clone, Copy, Debug)]
struct Way {
    entry: Entry,
    text: u32,
}

/// The most powerful commands found that lock the units of the game of `seed` at `placements`,
/// one after the other, or where they cover the same cells. None if a unit cannot come to its
/// place or cannot lock there, and when `stop` says so before the end.
pub fn spell(
    problem: &Problem,
    phrases: &Phrases,
    seed: u32,
    placements: &[Placement],
    options: &SpellOptions,
    stop: impl Fn() -> bool,
) -> Option<Spelled> {
    let lexicon = Lexicon::new(phrases);
    let units = problem.units();
    let turns = units.iter().map(|unit| usize::from(unit.turns())).max().unwrap_or(1);
    let (width, row) = (options.width.max(1), options.row.max(1));
    let mut pass = Pass::new(&lexicon, turns * problem.width(), width, row);
    let mut board: Board = problem.board().clone();
    let mut history = History::new();
    let first = Entry::new(0, 0, 0, 0, Trail::entering(0));
    let mut ways = vec![Way { entry: first, text: History::beginning() }];
    for (number, &lock) in problem.source(seed).zip(placements) {
        if stop() {
            return None;
        }
        ways = lead(&mut pass, &units[number], &board, problem.width(), lock, &ways, &mut history)?;
        history.clear(ways.iter_mut().map(|way| &mut way.text));
        units[number].lock(&mut board, lock);
    }
    let best = ways.iter().max_by_key(|way| way.entry.score)?;
    let commands = history.text(best.text);
    let powers = phrases.powers(&phrases.count(&commands));
    Some(Spelled { commands, power: powers.iter().map(|power| power.power).sum() })
}

/// All ways after one more unit has locked, the best of them with 0 points.
fn lead(
    pass: &mut Pass<'_>,
    unit: &Unit,
    board: &Board,
    width: usize,
    lock: Placement,
    ways: &[Way],
    history: &mut History,
) -> Option<Vec<Way>> {
    let mut field = Field::new(unit, board, width, lock);
    field.spawn()?;
    let starts: Vec<Entry> = ways.iter().map(|way| way.entry).collect();
    let mut locked = pass.run(&field, &starts).to_vec();
    if locked.is_empty() {
        field.narrow();
        locked = pass.run(&field, &starts).to_vec();
    }
    let best = locked.iter().map(|entry| entry.score).max()?;
    let mut backwards = Vec::new();
    let way = |mut entry: Entry| {
        let start = pass.trace(&entry, &mut backwards);
        entry.score -= best;
        Way { text: history.add(ways[start].text, &backwards), entry }
    };
    Some(locked.into_iter().map(way).collect())
}
