//! What to write when it is known where every unit locks: the commands that spell the most
//! power on the way. It is one pass over the whole game after Viterbi, the automaton of the
//! phrases carried on from unit to unit. A way is a placement, a node of the automaton and
//! where the unit has been in its row, so that no placement is repeated; of the ways to a
//! placement the most promising are followed.

mod bonuses;
mod field;
mod frontier;
mod history;
mod narrow;
mod tables;
mod unit_search;
mod visited;

use super::super::board::HexBoard;
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};
use bonuses::PhraseBonuses;
use field::PlacementField;
use frontier::FrontierPath;
use history::PathHistory;
use tables::SpellingTables;
use unit_search::{UnitSearch, UnitSearchFailure};
use visited::VisitedPlacements;

/// How thorough spelling is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpellOptions {
    /// How many ways are followed for each placement: at 80 hardly any is left out, 10 take
    /// half the time for 95 % of the power.
    pub width: usize,
    /// How many ways are followed for all placements of a row at a time.
    pub row: usize,
    /// Bytes for what is remembered of the ways of one unit. With less, fewer are followed.
    pub memory: usize,
}

impl Default for SpellOptions {
    fn default() -> Self {
        SpellOptions { width: 80, row: 20_000, memory: 200 << 20 }
    }
}

/// A game spelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpelledGame {
    /// The solution.
    pub commands: String,
    /// What its phrases earn.
    pub power: u64,
}

/// A way at the end of a unit.
#[derive(Clone, Copy, Debug)]
struct PathEnd {
    entry: FrontierPath,
    text: u32,
}

/// What is to be known of phrases, whatever is spelled.
#[derive(Debug)]
pub struct Speller<'a> {
    phrases: &'a Phrases,
    lexicon: SpellingTables,
    /// To units that look the same after every turn, and to others.
    promises: [PhraseBonuses; 2],
}

impl<'a> Speller<'a> {
    /// For these phrases.
    #[must_use]
    pub fn new(phrases: &'a Phrases) -> Self {
        let lexicon = SpellingTables::new(phrases);
        let promises = [false, true].map(|can_turn| PhraseBonuses::new(&lexicon, can_turn));
        Speller { phrases, lexicon, promises }
    }

    /// The most powerful commands found that lock the units of the game of `seed` at
    /// `placements`, one after the other, or where they cover the same cells. None if a unit
    /// cannot come to its place or cannot lock there, and when `stop`, asked again and again,
    /// says so.
    #[must_use]
    pub fn spell(
        &self,
        problem: &Problem,
        seed: u32,
        placements: &[Placement],
        options: &SpellOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<SpelledGame> {
        let units = problem.units();
        let turns = units.iter().map(|unit| usize::from(unit.turns())).max().unwrap_or(1);
        let mut pass = UnitSearch::new(self, turns * problem.width(), options.memory);
        let mut board: HexBoard = problem.board().clone();
        let mut history = PathHistory::new();
        let first = FrontierPath {
            trail: VisitedPlacements::entering(0),
            used: 0,
            score: 0,
            record: 0,
            node: 0,
            cell: 0,
            byte: 0,
            is_pending: false,
        };
        let mut ways = vec![PathEnd { entry: first, text: PathHistory::beginning() }];
        for (number, &lock) in problem.source(seed).zip(placements) {
            if stop() {
                return None;
            }
            let unit: &Unit = &units[number];
            let field = PlacementField::new(unit, &board, problem.width(), lock);
            ways = lead(&mut pass, field, &ways, options, stop, &mut history)?;
            history.clear(ways.iter_mut().map(|way| &mut way.text));
            unit.lock(&mut board, lock);
        }
        let best = ways.iter().max_by_key(|way| way.entry.score)?;
        let commands = history.text(best.text);
        let powers = self.phrases.powers(&self.phrases.count(&commands));
        Some(SpelledGame { commands, power: powers.iter().map(|power| power.power).sum() })
    }
}

/// All ways after one more unit has locked, the best of them with 0 points.
fn lead(
    pass: &mut UnitSearch<'_>,
    mut field: PlacementField<'_>,
    ways: &[PathEnd],
    options: &SpellOptions,
    stop: &dyn Fn() -> bool,
    history: &mut PathHistory,
) -> Option<Vec<PathEnd>> {
    let starts: Vec<FrontierPath> = ways.iter().map(|way| way.entry).collect();
    let locked = locks(pass, &mut field, &starts, *options, stop)?;
    let best = locked.iter().map(|entry| entry.score).max()?;
    let mut backwards = Vec::new();
    let way = |mut entry: FrontierPath| {
        let start = pass.trace(&entry, &mut backwards);
        entry.score -= best;
        PathEnd { text: history.add(ways[start].text, &backwards), entry }
    };
    Some(locked.into_iter().map(way).collect())
}

/// The ways that came to the lock; with less memory than it takes fewer of them, and where all
/// got stuck, those along one shortest way.
fn locks(
    pass: &mut UnitSearch<'_>,
    field: &mut PlacementField<'_>,
    starts: &[FrontierPath],
    mut options: SpellOptions,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<FrontierPath>> {
    field.spawn()?;
    let mut is_narrow = false;
    loop {
        match pass.run(field, starts, &options, stop) {
            Ok(locked) if !locked.is_empty() => return Some(locked.to_vec()),
            Err(UnitSearchFailure::Stopped) => return None,
            Err(UnitSearchFailure::TooMany) if options.width > 1 => options.width /= 2,
            _ if is_narrow => return None,
            _ => {
                field.narrow();
                is_narrow = true;
            }
        }
    }
}
