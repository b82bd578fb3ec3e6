//! A player that solves Connect Four positions as far as its budget allows.
//!
//! The solver narrows the bounds of the score of every root move: first from the ends of the
//! interval, where quick wins and losses are cheap to find, then around 0 to prove who wins, then
//! to the exact score of the best move. Moves that are not proven when the budget is spent are
//! ranked by a shallow search. Positions of the opening book need no search. With a budget in nodes
//! the moves are reproducible.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::book::{BookEntries, OpeningBook};
use super::shallow_search::estimate_moves;
use super::solver::{Connect4Solver, Connect4SolverLimits, split_point, verdict};
use super::{Connect4, Connect4State};
use ludion_core::effective::{BudgetOverride, RepeatHazard};
use ludion_core::evaluator::WIN;
use ludion_core::game::{Game, Status};
use ludion_core::named::{NamedPlayer, PlayerParts, RecommendedSpec};
use ludion_core::outcome::Wdl;
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::player::{
    BudgetUnit, Choice, MoveRequest, Observer, Player, PlayerError, Proof, RootLine,
};

/// The player `expert`: plays a move that it has proven best, or estimates moves with a shallow
/// search if its budget is too small for a proof.
pub struct SolverPlayer {
    time: Duration,
    megabytes: usize,
    book: ExpertBook,
    solver: Option<Connect4Solver>,
}

/// The opening book that the player uses.
enum ExpertBook {
    None,
    Bundled,
    File(Arc<OpeningBook>),
}

impl ExpertBook {
    fn get(&self) -> Option<&OpeningBook> {
        match self {
            ExpertBook::None => None,
            ExpertBook::Bundled => Some(OpeningBook::bundled()),
            ExpertBook::File(book) => Some(book),
        }
    }
}

impl SolverPlayer {
    /// Returns a player that spends `time` per move if the budget gives no limit, with a
    /// transposition table of at most `megabytes` and the book of the library.
    #[must_use]
    pub fn new(time: Duration, megabytes: usize) -> Self {
        SolverPlayer { time, megabytes, book: ExpertBook::Bundled, solver: None }
    }

    /// Makes the player solve every position by itself.
    #[must_use]
    pub fn without_book(mut self) -> Self {
        self.book = ExpertBook::None;
        self
    }

    /// Returns the solver of the previous move if its board has the size of `g`, else a new one.
    fn solver(&mut self, g: &Connect4) -> &mut Connect4Solver {
        let fits = self.solver.take().filter(|solver| solver.game() == g);
        self.solver.insert(fits.unwrap_or_else(|| Connect4Solver::new(*g, self.megabytes)))
    }
}

impl Player<Connect4> for SolverPlayer {
    fn begin(&mut self, _seed: u64) {
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    fn choose(&mut self, turn: &MoveRequest<'_, Connect4>) -> Result<Choice<u8>, PlayerError> {
        let started = Instant::now();
        let (g, s) = (turn.game, turn.state);
        if let Status::Over(_) = g.status(s) {
            return Err(PlayerError::Over);
        }
        let nodes = turn.budget.nodes;
        let time = turn.budget.time.or(nodes.is_none().then_some(self.time));
        let budget = MoveBudget { nodes, time, started, stop: &|| turn.observer.should_stop() };
        let book = self.book.get();
        let scores = book.and_then(|book| book.analyse(g, s));
        let stored = book.and_then(|book| book.stored_move(g, s).zip(book.score(g, s)));
        let wants_all = turn.observer.wants_all_values();
        let mut root = RootSearch::new(self.solver(g), *s, budget, turn.observer);
        match (scores, stored) {
            (Some(scores), _) => root.take_scores(&scores),
            (None, Some((best, score))) => root.take_best(best, score),
            (None, None) => root.search(),
        }
        if wants_all {
            root.narrow_all();
        }
        Ok(root.choice())
    }
}

impl NamedPlayer<Connect4> for SolverPlayer {
    const NAME: &'static str = "expert";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes];
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::disables("ms", BudgetUnit::Time),
        BudgetOverride::disables("ms", BudgetUnit::Nodes),
    ];
    const HAZARDS: &'static [RepeatHazard] = &[RepeatHazard::clock("ms")];
    const HELP: &'static str =
        "solves Connect Four as far as its time allows, and estimates the rest";
    const QUICK: Option<RecommendedSpec> = Some(RecommendedSpec::new(3, "expert"));
    const PARAMS: &'static [Param] = &[
        Param::int("ms", 100, 1, 86_400_000, "milliseconds per move, if there is no budget"),
        Param::int("mb", 64, 1, 1 << 16, "megabytes of the transposition table"),
        Param::text(
            "book",
            "built-in",
            "the opening book: built-in, none, or a file that `ludion book connect4` wrote",
        )
        .formerly("none"),
    ];

    fn build(args: &Args, parts: &PlayerParts<Connect4>) -> Result<Self, ParamError> {
        let time = Duration::from_millis(args.size("ms") as u64);
        let player = SolverPlayer::new(time, args.size("mb"));
        let book = match args.text("book") {
            "built-in" => ExpertBook::Bundled,
            "none" => ExpertBook::None,
            name => ExpertBook::File(read_book(args, parts, name)?),
        };
        Ok(SolverPlayer { book, ..player })
    }
}

/// Reads the book of the file `name`.
fn read_book(
    args: &Args,
    parts: &PlayerParts<Connect4>,
    name: &str,
) -> Result<Arc<OpeningBook>, ParamError> {
    let refuse = |error: String| {
        let wanted = "a file that `ludion book connect4` wrote";
        args.refuse("book", name, format!("{wanted}: {error}"))
    };
    let bytes = parts.assets.fetch(name).map_err(refuse)?;
    let entries =
        BookEntries::read((*bytes).as_ref()).map_err(|error| refuse(error.to_string()))?;
    let (known, all) = (entries.known(), entries.entries().len());
    let book = OpeningBook::new(&entries)
        .ok_or_else(|| refuse(format!("it is not complete, {known} of {all} scores are known")))?;
    Ok(Arc::new(book))
}

/// The fraction of the budget for a first attempt to solve the position, before moves are
/// estimated.
const QUICK_PART: f64 = 0.05;
/// The fraction of the budget for the shallow search, which estimates moves.
const SHALLOW_PART: f64 = 0.1;
/// The approximate speed of the shallow search in nodes per second. It converts a time budget to
/// the node limit of that search.
const SHALLOW_NODES_PER_SECOND: f64 = 4e6;

/// The longest time of which parts are taken: a search without a limit must come to its later stages.
const LONGEST_DIVIDED_TIME: Duration = Duration::from_secs(60);

/// The budget of one move, in nodes, in time from `started`, or both.
#[derive(Clone, Copy)]
struct MoveBudget<'a> {
    nodes: Option<u64>,
    time: Option<Duration>,
    started: Instant,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> MoveBudget<'a> {
    /// Returns the limits with which the solver stops when the fraction `part` of the budget is
    /// spent; `spent` is the number of nodes already visited.
    fn limits(&self, part: f64, spent: u64) -> Connect4SolverLimits<'a> {
        let left = |nodes: u64| ((nodes as f64 * part) as u64).saturating_sub(spent);
        Connect4SolverLimits {
            nodes: self.nodes.map(left),
            deadline: self.time.map(|time| self.started + part_of(time, part)),
            stop: Some(self.stop),
        }
    }

    /// Returns the number of nodes that the shallow search may visit.
    fn shallow_nodes(&self) -> u64 {
        let time_in_nodes = |time: Duration| time.as_secs_f64() * SHALLOW_NODES_PER_SECOND;
        let by_time = self.time.map(|time| time.min(LONGEST_DIVIDED_TIME));
        let by_time = by_time.map_or(f64::INFINITY, time_in_nodes);
        let nodes = self.nodes.map_or(f64::INFINITY, |nodes| nodes as f64).min(by_time);
        (nodes * SHALLOW_PART) as u64
    }
}

/// Returns a part of a time, all of it or a share of at most [`LONGEST_DIVIDED_TIME`].
fn part_of(time: Duration, part: f64) -> Duration {
    if part < 1.0 { time.min(LONGEST_DIVIDED_TIME).mul_f64(part) } else { time }
}

/// A root move with the proven bounds of its score.
struct RootMove {
    play: u8,
    child: Connect4State,
    lower: i32,
    upper: i32,
    /// The value found by the shallow search, on the scale of [`WIN`]; before that search, a small
    /// value that prefers middle columns.
    estimate: i32,
}

impl RootMove {
    /// Returns the value by which moves are ranked, the best move highest: proven wins, the fastest
    /// first; then unproven moves by their estimate, limited to the proven bounds; then proven
    /// losses, the slowest first.
    fn rank_value(&self) -> i32 {
        match (self.lower, self.upper) {
            (1.., _) => WIN + self.lower,
            (_, ..=-1) => -WIN + self.upper,
            (lower, upper) => self
                .estimate
                .clamp(if lower == 0 { 0 } else { 1 - WIN }, if upper == 0 { 0 } else { WIN - 1 }),
        }
    }

    /// Returns the rank of the move, the best highest. Of two moves with the same value the one with
    /// more proven is better: an estimate that is limited to 0 is no proven draw.
    fn rank(&self) -> (i32, i32) {
        (self.rank_value(), self.lower)
    }

    /// Returns whether the move wins, draws or loses; `None` if its bounds do not prove it.
    fn verdict(&self) -> Option<Wdl> {
        let (lower, upper) = (verdict(self.lower), verdict(self.upper));
        (lower == upper).then_some(lower)
    }
}

/// The search for the best move of one position.
struct RootSearch<'a> {
    solver: &'a mut Connect4Solver,
    s: Connect4State,
    budget: MoveBudget<'a>,
    /// The solver's node count before this search.
    nodes_before: u64,
    /// The number of nodes that the shallow search may visit, all counted as spent.
    shallow_nodes: u64,
    depth: u32,
    /// The root moves, the most promising first.
    moves: Vec<RootMove>,
    observer: &'a dyn Observer<u8>,
    /// The time of the last report to the observer, measured from the start of the search.
    reported: Duration,
}

impl<'a> RootSearch<'a> {
    fn new(
        solver: &'a mut Connect4Solver,
        s: Connect4State,
        budget: MoveBudget<'a>,
        observer: &'a dyn Observer<u8>,
    ) -> Self {
        let g = *solver.game();
        let left = i32::from(g.cols) * i32::from(g.rows) - s.plies() as i32;
        let mut plays = Vec::new();
        g.moves(&s, &mut plays);
        let root_move = |play: u8| {
            let child = g.after(&s, play);
            let from_middle = (2 * i32::from(play) - i32::from(g.cols) + 1).abs();
            let (lower, upper) = (-(left / 2), (left + 1) / 2);
            RootMove { play, child, lower, upper, estimate: -from_middle }
        };
        let mut moves: Vec<RootMove> = plays.into_iter().map(root_move).collect();
        moves.sort_by_key(|entry| -entry.estimate);
        RootSearch {
            nodes_before: solver.nodes(),
            solver,
            s,
            budget,
            shallow_nodes: 0,
            depth: 0,
            moves,
            observer,
            reported: Duration::ZERO,
        }
    }

    fn nodes_spent(&self) -> u64 {
        self.solver.nodes() - self.nodes_before + self.shallow_nodes
    }

    /// Returns the lower and the upper bound of the score of the best move.
    fn bounds(&self) -> (i32, i32) {
        let highest = |bound: fn(&RootMove) -> i32| self.moves.iter().map(bound).max();
        highest(|entry| entry.lower)
            .zip(highest(|entry| entry.upper))
            .expect("an unfinished game has a move")
    }

    /// Searches for a move with a score above `alpha` and narrows the bounds of the moves that it
    /// tries; returns `None` when the fraction `part` of the budget is spent.
    fn search_above(&mut self, alpha: i32, part: f64) -> Option<()> {
        for i in 0..self.moves.len() {
            self.report();
            let limits = self.budget.limits(part, self.nodes_spent());
            let entry = &mut self.moves[i];
            if entry.upper <= alpha {
                continue;
            }
            let bound = -self.solver.bound(&entry.child, -alpha - 1, &limits)?;
            if bound > alpha {
                entry.lower = entry.lower.max(bound);
                self.moves[..=i].rotate_right(1);
                return Some(());
            }
            entry.upper = entry.upper.min(bound);
        }
        Some(())
    }

    /// Sets the exact scores of all moves, by column.
    fn take_scores(&mut self, scores: &[Option<i32>]) {
        for entry in &mut self.moves {
            if let Some(&Some(score)) = scores.get(usize::from(entry.play)) {
                (entry.lower, entry.upper) = (score, score);
            }
        }
    }

    /// Sets the exact score of the position, and of the column `best`, which has this score.
    fn take_best(&mut self, best: u8, score: i32) {
        for entry in &mut self.moves {
            entry.upper = score;
            if entry.play == best {
                entry.lower = score;
            }
        }
    }

    /// Finds the best move of a position about which nothing is known.
    fn search(&mut self) {
        if self.moves.len() > 1 && self.narrow(QUICK_PART).is_none() {
            self.estimate();
            if self.prove_winner().is_some() {
                self.narrow(1.0);
            }
        }
    }

    /// Narrows the bounds of every move until they meet or the budget is spent, the most promising
    /// moves first.
    fn narrow_all(&mut self) {
        for i in 0..self.moves.len() {
            while self.moves[i].lower < self.moves[i].upper {
                self.report();
                let limits = self.budget.limits(1.0, self.nodes_spent());
                let entry = &mut self.moves[i];
                let alpha = split_point(entry.lower, entry.upper);
                let Some(bound) = self.solver.bound(&entry.child, -alpha - 1, &limits) else {
                    return;
                };
                if -bound > alpha {
                    entry.lower = entry.lower.max(-bound);
                } else {
                    entry.upper = entry.upper.min(-bound);
                }
            }
        }
    }

    /// Narrows the bounds of the best score until they meet; returns `None` when the fraction
    /// `part` of the budget is spent.
    fn narrow(&mut self, part: f64) -> Option<()> {
        loop {
            let (lower, upper) = self.bounds();
            if lower >= upper {
                return Some(());
            }
            self.search_above(split_point(lower, upper), part)?;
        }
    }

    /// Proves whether the side to move wins, draws or loses; returns `None` when the budget is
    /// spent.
    fn prove_winner(&mut self) -> Option<()> {
        for alpha in if self.s.plies().is_multiple_of(2) { [0, -1] } else { [-1, 0] } {
            let (lower, upper) = self.bounds();
            if lower <= alpha && alpha < upper {
                self.search_above(alpha, 1.0)?;
            }
        }
        Some(())
    }

    /// Estimates all moves with the shallow search and sorts them, the best first.
    fn estimate(&mut self) {
        self.shallow_nodes = self.budget.shallow_nodes();
        let (values, depth) =
            estimate_moves(self.solver.game(), &self.s, self.shallow_nodes, self.budget.stop);
        self.depth = depth;
        for entry in &mut self.moves {
            let found = values.iter().find(|(play, _)| *play == entry.play);
            entry.estimate = found.map_or(0, |&(_, value)| value);
        }
        self.moves.sort_by_key(|entry| -entry.rank_value());
    }

    /// Reports the current choice to the observer if its interval has passed.
    fn report(&mut self) {
        let elapsed = self.budget.started.elapsed();
        if self.observer.interval().is_some_and(|gap| elapsed - self.reported >= gap) {
            self.reported = elapsed;
            self.observer.report(&self.choice());
        }
    }

    fn choice(&self) -> Choice<u8> {
        let nodes = self.nodes_spent();
        let best = self
            .moves
            .iter()
            .reduce(|best, entry| if entry.rank() > best.rank() { entry } else { best })
            .expect("an unfinished game has a move")
            .play;
        let mut lines: Vec<RootLine<u8>> =
            self.moves.iter().map(|entry| self.line(entry)).collect();
        lines.sort_by_key(|line| line.play);
        let time = self.budget.started.elapsed();
        Choice { lines, nodes, depth: self.depth, time, ..Choice::bare(best) }
    }

    fn line(&self, entry: &RootMove) -> RootLine<u8> {
        let exact = entry.lower == entry.upper;
        let plies = if exact { self.solver.proof(&self.s, entry.lower).plies } else { None };
        let proven = entry.verdict().map(|verdict| Proof { verdict, plies });
        let value = f64::from(entry.rank_value()) / f64::from(WIN);
        RootLine { value: Some(value.clamp(-1.0, 1.0)), proven, ..RootLine::new(entry.play) }
    }
}
