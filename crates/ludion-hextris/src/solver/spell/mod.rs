//! Spelling: given the placement at which every unit locks, finds the commands that lead there and
//! earn the most points for phrases.
//!
//! Spelling is one Viterbi pass over the whole game; the node of the phrase automaton is carried
//! from unit to unit. The state of a path is a placement, a node of the automaton, and the
//! placements visited in the current row, so that none is repeated. Of the paths to a placement the
//! most promising are kept.

mod frontier;
mod phrase_tables;
mod placement_bitmaps;
mod unit_search;

use super::super::board::HexBoard;
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};
use super::super::unit_source::UnitSource;
use frontier::FrontierPath;
use frontier::VisitedPlacements;
use phrase_tables::PhraseEstimates;
use phrase_tables::SpellingTables;
use placement_bitmaps::PlacementBitmaps;
use unit_search::{UnitSearch, UnitSearchError};

/// Limits of the search for commands with many phrases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpellOptions {
    /// Number of paths kept for each placement. 80 lose hardly any points; 10 find 95 % of the
    /// points in half the time.
    pub width: usize,
    /// Maximum number of paths that are extended together in one row, over all its placements.
    pub row: usize,
    /// Paths keep within this many columns on either side of the straight line from the spawn to the
    /// lock, or more where obstacles are in the way.
    pub corridor: usize,
    /// Memory in bytes for the paths of one unit; if it does not suffice, fewer paths are kept.
    pub memory: usize,
}

impl Default for SpellOptions {
    fn default() -> Self {
        SpellOptions { width: 80, row: 20_000, corridor: usize::MAX, memory: 200 << 20 }
    }
}

/// Commands of a whole game with the points of their phrases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpelledGame {
    /// The commands of the whole game, one character each.
    pub commands: String,
    /// Points of the phrases in the commands, including the bonus for each new one.
    pub power: u64,
}

/// A path up to the lock of a unit, with the index of its text in [`PathTexts`].
#[derive(Clone, Copy, Debug)]
struct UnitPath {
    path: FrontierPath,
    text: u32,
}

/// Finds commands with many phrases; holds the tables of one list of phrases, for any game.
#[derive(Debug)]
pub struct Speller<'a> {
    phrases: &'a Phrases,
    tables: SpellingTables,
    /// Estimates of the points to come: first for units with full rotational symmetry, then for all
    /// others.
    estimates: [PhraseEstimates; 2],
}

impl<'a> Speller<'a> {
    /// Prepares the tables for finding commands with these phrases.
    #[must_use]
    pub fn new(phrases: &'a Phrases) -> Self {
        let tables = SpellingTables::new(phrases);
        let estimates = [false, true].map(|can_turn| PhraseEstimates::new(&tables, can_turn));
        Speller { phrases, tables, estimates }
    }

    /// Returns whether a unit can spell some phrase without moving down, so that it earns points all
    /// along a row.
    pub(super) fn has_level_phrases(&self) -> bool {
        self.tables.has_level_phrases()
    }

    /// Returns the best commands found that lock the units of the game with `seed` at `placements`,
    /// or at placements that cover the same cells.
    ///
    /// Returns `None` if a unit cannot reach its placement or cannot lock there, or if `stop`,
    /// which is called often, returns true.
    #[must_use]
    pub fn spell(
        &self,
        problem: &Problem,
        seed: u32,
        placements: &[Placement],
        options: &SpellOptions,
        stop: &dyn Fn() -> bool,
    ) -> Option<SpelledGame> {
        let mut spelling = self.begin(problem, seed, options.memory, NO_PHRASES);
        for &lock in placements {
            if stop() || !spelling.advance(lock, options, stop) {
                return None;
            }
        }
        let commands = spelling.commands();
        let powers = self.phrases.powers(&self.phrases.count(&commands));
        Some(SpelledGame { commands, power: powers.iter().map(|power| power.power).sum() })
    }

    /// Begins to spell the game with `seed`, unit by unit. `memory` is in bytes; `used` is the set of
    /// phrases that count as spelled before, so that they earn no bonus.
    pub(super) fn begin<'s>(
        &'s self,
        problem: &'s Problem,
        seed: u32,
        memory: usize,
        used: u64,
    ) -> GameSpelling<'s> {
        let turns = problem.units().iter().map(|unit| usize::from(unit.turns())).max().unwrap_or(1);
        let first = FrontierPath {
            visited: VisitedPlacements::entering(0),
            used,
            score: 0,
            record: 0,
            node: 0,
            cell: 0,
            byte: 0,
            is_pending: false,
        };
        GameSpelling {
            problem,
            search: UnitSearch::new(self, turns * problem.width(), memory),
            board: problem.board().clone(),
            source: UnitSource::new(seed),
            texts: PathTexts::new(),
            paths: vec![UnitPath { path: first, text: PathTexts::start() }],
        }
    }
}

/// Sets of phrases, as bits.
pub(super) const NO_PHRASES: u64 = 0;
pub(super) const ALL_PHRASES: u64 = u64::MAX;

/// A game that is spelled unit by unit.
pub(super) struct GameSpelling<'s> {
    problem: &'s Problem,
    search: UnitSearch<'s>,
    board: HexBoard,
    source: UnitSource,
    texts: PathTexts,
    paths: Vec<UnitPath>,
}

impl GameSpelling<'_> {
    /// Spells the commands that lock the next unit of the game at `lock`. Returns false, and changes
    /// nothing, if it cannot reach its placement or cannot lock there, or if `stop` returns true.
    pub(super) fn advance(
        &mut self,
        lock: Placement,
        options: &SpellOptions,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let before = self.source;
        let unit: &Unit = &self.problem.units()[self.source.unit(self.problem.units().len())];
        let width = self.problem.width();
        let bitmaps = PlacementBitmaps::new(unit, &self.board, width, lock, options.corridor);
        let advanced =
            advance(&mut self.search, bitmaps, &self.paths, options, stop, &mut self.texts);
        let Some(paths) = advanced else {
            self.source = before;
            return false;
        };
        self.paths = paths;
        self.texts.compact(self.paths.iter_mut().map(|path| &mut path.text));
        unit.lock(&mut self.board, lock);
        true
    }

    /// Returns the commands of all units so far that earn the most.
    pub(super) fn commands(&self) -> String {
        let best = self.paths.iter().max_by_key(|path| path.path.score);
        best.map_or(String::new(), |best| self.texts.text(best.text))
    }
}

/// Extends all paths up to the lock of one more unit, and makes their scores relative to the best
/// of them. Returns `None` if no path reaches the lock or `stop` returns true.
fn advance(
    search: &mut UnitSearch<'_>,
    mut bitmaps: PlacementBitmaps<'_>,
    paths: &[UnitPath],
    options: &SpellOptions,
    stop: &dyn Fn() -> bool,
    texts: &mut PathTexts,
) -> Option<Vec<UnitPath>> {
    let starts: Vec<FrontierPath> = paths.iter().map(|path| path.path).collect();
    let locked = find_locked_paths(search, &mut bitmaps, &starts, *options, stop)?;
    let best = locked.iter().map(|path| path.score).max()?;
    let mut backwards = Vec::new();
    let path = |mut path: FrontierPath| {
        let start = search.trace(&path, &mut backwards);
        path.score -= best;
        UnitPath { text: texts.add(paths[start].text, &backwards), path }
    };
    Some(locked.into_iter().map(path).collect())
}

/// Returns the paths of one unit that reach its lock; `None` if there are none or `stop` returns
/// true. If memory does not suffice, fewer paths are followed; if all of them get stuck, only those
/// along one shortest path.
fn find_locked_paths(
    search: &mut UnitSearch<'_>,
    bitmaps: &mut PlacementBitmaps<'_>,
    starts: &[FrontierPath],
    mut options: SpellOptions,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<FrontierPath>> {
    bitmaps.spawn()?;
    let mut is_narrow = false;
    loop {
        match search.run(bitmaps, starts, &options, stop) {
            Ok(locked) if !locked.is_empty() => return Some(locked.to_vec()),
            Err(UnitSearchError::Stopped) => return None,
            Err(UnitSearchError::TooMany) if options.width > 1 => options.width /= 2,
            _ if is_narrow => return None,
            _ => {
                bitmaps.keep_shortest_path();
                is_narrow = true;
            }
        }
    }
}

/// The commands of one unit as a range of the bytes in [`PathTexts`], with the index of the segment
/// of the unit before.
#[derive(Clone, Copy, Debug)]
struct TextSegment {
    before: u32,
    start: u32,
    length: u32,
}

/// Index of a segment that means "none", at the start of the game.
const NO_SEGMENT: u32 = u32::MAX;
/// Number of bytes of text below which unused segments are never removed.
const MIN_TEXT_LIMIT: usize = 1 << 20;

/// Commands of all paths for the units that have locked.
///
/// The best paths differ only in their last units, so a path is stored as the text of its last unit
/// and a link to the path up to the unit before; segments that no path uses are removed from time
/// to time.
#[derive(Debug)]
pub(super) struct PathTexts {
    segments: Vec<TextSegment>,
    text: Vec<u8>,
    /// Number of bytes of text above which unused segments are removed.
    limit: usize,
}

impl PathTexts {
    /// Creates a collection without texts.
    pub(super) fn new() -> Self {
        PathTexts { segments: Vec::new(), text: Vec::new(), limit: MIN_TEXT_LIMIT }
    }

    /// Returns the index of the empty path at the start of a game.
    pub(super) fn start() -> u32 {
        NO_SEGMENT
    }

    /// Adds the path that extends the path `before` by the commands of one unit, given from the
    /// last to the first, and returns its index.
    pub(super) fn add(&mut self, before: u32, backwards: &[u8]) -> u32 {
        let (start, length) = (self.text.len() as u32, backwards.len() as u32);
        self.text.extend(backwards.iter().rev());
        self.segments.push(TextSegment { before, start, length });
        self.segments.len() as u32 - 1
    }

    /// If there is much text, removes the segments that belong to none of `paths`, and gives the
    /// paths new indices.
    pub(super) fn compact<'a>(&mut self, paths: impl Iterator<Item = &'a mut u32>) {
        if self.text.len() <= self.limit {
            return;
        }
        let paths: Vec<&mut u32> = paths.collect();
        let mut names = vec![NO_SEGMENT; self.segments.len()];
        for path in &paths {
            let mut at = **path;
            // An entry of `names` other than NO_SEGMENT marks a segment in use.
            while at != NO_SEGMENT && names[at as usize] == NO_SEGMENT {
                names[at as usize] = 0;
                at = self.segments[at as usize].before;
            }
        }
        let (segments, text) = (std::mem::take(&mut self.segments), std::mem::take(&mut self.text));
        for (i, segment) in segments.into_iter().enumerate() {
            if names[i] != NO_SEGMENT {
                names[i] = self.segments.len() as u32;
                let before = names.get(segment.before as usize).copied().unwrap_or(NO_SEGMENT);
                let start = self.text.len() as u32;
                self.text
                    .extend_from_slice(&text[segment.start as usize..][..segment.length as usize]);
                self.segments.push(TextSegment { before, start, ..segment });
            }
        }
        for path in paths {
            *path = names[*path as usize];
        }
        self.limit = (2 * self.text.len()).max(MIN_TEXT_LIMIT);
    }

    /// Returns the commands of a path from the start of the game.
    pub(super) fn text(&self, path: u32) -> String {
        let step = |&at: &u32| Some(self.segments[at as usize].before).filter(|&b| b != NO_SEGMENT);
        let last = Some(path).filter(|&path| path != NO_SEGMENT);
        let mut paths: Vec<u32> = std::iter::successors(last, step).collect();
        paths.reverse();
        let bytes = paths.into_iter().flat_map(|path| {
            let segment = self.segments[path as usize];
            &self.text[segment.start as usize..][..segment.length as usize]
        });
        bytes.map(|&byte| byte as char).collect()
    }
}
