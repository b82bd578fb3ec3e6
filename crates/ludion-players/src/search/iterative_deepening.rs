//! Iterative deepening over [`PvsSearch`]: depth 1, then 2, and so on, until the budget is spent or
//! the game is decided. Each depth searches the best move of the previous depth first, in an
//! aspiration window around its value; the window is widened if the value falls outside.
//!
//! Several threads search the same position and share results only through the transposition table
//! (*lazy SMP*); every second thread starts one ply deeper, so that they do not all do the same
//! work. The first thread makes the choice. With one thread the search is deterministic for every
//! budget except time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side};
use crate::outcome::{Duel, Wdl};
use crate::player::{Choice, MoveRequest, Observer, Proof, RootLine};
use crate::repetition::GamePath;
use crate::threads::with_helpers;

use super::pvs::{INFINITY, MAX_DEPTH, PvsSearch, StopCheck, is_certain, plies_to_end};
use super::transposition_table::TranspositionTable;

/// Half the width of the aspiration window, in units of the evaluator.
const ASPIRATION_HALF_WIDTH: i32 = 40;
/// Maximum number of nodes between two checks of the stop conditions.
const MAX_POLL_INTERVAL: u64 = 2048;

/// The limits and options of one call of [`deepen`].
#[derive(Clone, Copy, Debug)]
pub struct DeepeningLimits {
    /// Maximum search depth in plies.
    pub depth: u32,
    /// Maximum wall-clock time of the search; `None` for no limit.
    pub time: Option<Duration>,
    /// Maximum number of nodes visited by all threads together; `None` for no limit.
    pub nodes: Option<u64>,
    /// Number of threads that search together.
    pub threads: usize,
    /// Whether to start one ply deeper than the stored result of the state in the table, instead of
    /// at depth 1.
    pub advanced: bool,
    /// Whether to compute the exact value of every root move; otherwise only that of the best.
    pub all: bool,
    /// Whether the search is selective: it spends less depth on what probably does not matter, and proves nothing.
    pub selective: bool,
}

/// Searches the state of `request`, in which `side` is to move. Returns the choice, and whether it
/// is final because a deeper search would find nothing new.
pub fn deepen<G: Game<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    side: Side,
    table: &TranspositionTable,
    evaluator: Option<&dyn Evaluator<G>>,
    limits: DeepeningLimits,
) -> (Choice<G::Move>, bool) {
    let last = limits.depth.clamp(1, MAX_DEPTH);
    let nodes = limits.nodes.map(|nodes| nodes.div_ceil(limits.threads as u64).max(1));
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    let thread = |observer| {
        let clock = SearchClock::new(began, &stop, limits.time, nodes, observer);
        let mut pvs = PvsSearch::new(request.game, request.path, evaluator, table, clock);
        if limits.selective {
            pvs.make_selective();
        }
        IterativeDeepening::new(pvs, request, side, limits)
    };
    let helper_nodes = AtomicU64::new(0);
    let help = |i: usize| {
        let mut helper = thread(None);
        helper.run(2 - i as u32 % 2, last);
        helper_nodes.fetch_add(helper.pvs.nodes, Relaxed);
    };
    let mut main = thread(Some(request.observer));
    with_helpers(limits.threads.saturating_sub(1), &help, &mut |_| {
        let stored_depth = if limits.advanced { main.load_root() } else { 0 };
        main.run(stored_depth + 1, last);
        stop.store(true, Relaxed);
    });
    let mut choice = main.choice();
    choice.nodes += helper_nodes.into_inner();
    choice.time = began.elapsed();
    (choice, main.is_final())
}

/// Stops one thread's search when its budget is spent, and reports progress to the observer.
struct SearchClock<'a, M> {
    began: Instant,
    /// Set when all threads must stop.
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    nodes: Option<u64>,
    observer: Option<&'a dyn Observer<M>>,
    last_report: Instant,
    last_poll: Instant,
    poll_interval: u64,
    so_far: Option<Choice<M>>,
}

impl<'a, M> SearchClock<'a, M> {
    /// Creates a clock for one thread. `now` is the start of the search, the same for all threads;
    /// `nodes` is the limit of this thread. Only the first thread has the observer.
    fn new(
        now: Instant,
        stop: &'a AtomicBool,
        time: Option<Duration>,
        nodes: Option<u64>,
        observer: Option<&'a dyn Observer<M>>,
    ) -> Self {
        let deadline = time.and_then(|time| now.checked_add(time));
        let (began, last_report, last_poll) = (now, now, now);
        SearchClock {
            began,
            stop,
            deadline,
            nodes,
            observer,
            last_report,
            last_poll,
            poll_interval: 64,
            so_far: None,
        }
    }

    fn report(&mut self, now: Instant, nodes: u64) {
        let Some(observer) = self.observer else { return };
        let due = observer.interval().is_some_and(|every| now - self.last_report >= every);
        if let Some(choice) = self.so_far.as_mut().filter(|_| due) {
            choice.nodes = nodes;
            choice.time = now - self.began;
            observer.report(choice);
            self.last_report = now;
        }
    }
}

impl<M> StopCheck for SearchClock<'_, M> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        let now = Instant::now();
        self.report(now, nodes);
        if self.stop.load(Relaxed)
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.nodes.is_some_and(|most| nodes >= most)
            || self.observer.is_some_and(Observer::should_stop)
        {
            return None;
        }
        // If nodes take long, the clock is polled more often, so that no poll comes milliseconds
        // late.
        let took = now - self.last_poll;
        self.last_poll = now;
        if took > Duration::from_millis(2) {
            self.poll_interval = (self.poll_interval / 2).max(1);
        } else if took < Duration::from_micros(500) {
            self.poll_interval = (2 * self.poll_interval).min(MAX_POLL_INTERVAL);
        }
        Some(self.nodes.map_or(self.poll_interval, |most| self.poll_interval.min(most - nodes)))
    }
}

/// Returns whether the game is over after the moves `line` from `s`, reached by `path`.
fn line_ends_game<G: Game>(g: &G, s: &G::State, path: &GamePath, line: &[G::Move]) -> bool {
    let (mut end, mut path) = (s.clone(), path.clone());
    line.iter().for_each(|&m| path.play(g, &mut end, m));
    path.status(g, &end).turn().is_none()
}

/// Moves the root moves that keep the best result to the front if the evaluator knows the result of the
/// state and of every move. Returns the number of moves to search.
fn put_best_known_first<G: Game<Outcome = Duel>, P: StopCheck>(
    pvs: &PvsSearch<'_, G, P>,
    request: &MoveRequest<'_, G>,
    side: Side,
    moves: &mut [RootMove<G::Move>],
) -> usize {
    if pvs.known_result(request.state, side).is_none() {
        return moves.len();
    }
    let result = |root: &RootMove<G::Move>| {
        let child = request.game.after(request.state, root.play);
        pvs.known_result(&child, side).map(Wdl::sign)
    };
    let results: Option<Vec<i32>> = moves.iter().map(result).collect();
    let Some(results) = results else { return moves.len() };
    let best = results.iter().copied().max();
    let is_worse = |root: &RootMove<G::Move>| Some(results[root.index]) != best;
    moves.sort_by_key(is_worse);
    moves.iter().filter(|root| !is_worse(root)).count()
}

/// A root move with its search results.
#[derive(Clone)]
struct RootMove<M> {
    play: M,
    /// The index of the move in the game's list of moves.
    index: usize,
    /// The exact value of the move at the last depth; `None` if only a bound is known.
    value: Option<i32>,
    /// Whether the move is proven to lose.
    lost: bool,
    variation: Vec<M>,
}

/// The iterative deepening of one thread for one decision.
struct IterativeDeepening<'a, G: Game> {
    pvs: PvsSearch<'a, G, SearchClock<'a, G::Move>>,
    game: &'a G,
    state: &'a G::State,
    path: &'a GamePath,
    side: Side,
    /// All root moves, the best one of the last search first, those that are not searched last.
    moves: Vec<RootMove<G::Move>>,
    /// Number of root moves that are searched.
    searched: usize,
    /// The greatest depth that was searched completely.
    depth: u32,
    value: i32,
    /// Whether every line ended before the depth limit in the last search, so that a deeper search
    /// would find the same.
    complete: bool,
    /// Whether every root move is searched with the full window to get its exact value.
    all: bool,
    /// Whether the search is selective, so that its values prove nothing.
    selective: bool,
    /// Half the width of the aspiration window.
    half_width: i32,
}

impl<'a, G: Game<Outcome = Duel>> IterativeDeepening<'a, G> {
    /// Creates the iterative deepening of a request in which `side` is to move.
    fn new(
        mut pvs: PvsSearch<'a, G, SearchClock<'a, G::Move>>,
        request: &MoveRequest<'a, G>,
        side: Side,
        limits: DeepeningLimits,
    ) -> Self {
        let root_move = |(index, play)| RootMove {
            play,
            index,
            value: None,
            lost: false,
            variation: vec![play],
        };
        let mut moves: Vec<_> = request.moves().into_iter().enumerate().map(root_move).collect();
        // From a known draw all positions are searched on, so that the values of drawn ones differ.
        pvs.stops_at_known &= pvs.known_result(request.state, side) != Some(Wdl::Draw);
        let searched = match limits.all {
            true => moves.len(),
            false => put_best_known_first(&pvs, request, side, &mut moves),
        };
        let half_width = pvs.evaluator_unit() * 2 / 5;
        IterativeDeepening {
            pvs,
            game: request.game,
            state: request.state,
            path: request.path,
            side,
            moves,
            searched,
            depth: 0,
            value: 0,
            complete: false,
            all: limits.all,
            selective: limits.selective,
            half_width: if limits.selective { half_width } else { ASPIRATION_HALF_WIDTH },
        }
    }

    /// Loads the best root move and its value from the table, if they are stored. Returns the depth
    /// at which they were found, or 0.
    fn load_root(&mut self) -> u32 {
        if let Some((value, depth, best)) = self.pvs.load_root(self.state)
            && let Some(i) = self.moves[..self.searched].iter().position(|root| root.play == best)
        {
            self.moves[i].value = Some(value);
            self.moves[..=i].rotate_right(1);
            (self.depth, self.value) = (depth, value);
            self.report_choice();
        }
        self.depth
    }

    /// Searches every depth from `first` to `last`, until the clock stops it or the choice is
    /// final.
    fn run(&mut self, first: u32, last: u32) {
        for depth in first..=last {
            if self.is_final() {
                break;
            }
            let hits_before = self.pvs.depth_limit_hits;
            self.search_depth(depth);
            if self.pvs.stopped {
                break;
            }
            self.depth = depth;
            self.complete = self.pvs.depth_limit_hits == hits_before;
            let best = &self.moves[0];
            self.pvs.store_root(self.state, self.value, depth, best.play, self.complete);
            self.extend_variation();
            self.report_choice();
        }
    }

    /// Returns whether a deeper search would find nothing new: every line ended before the depth
    /// limit, or the values are certain wins or losses.
    fn is_final(&self) -> bool {
        let is_decided = |root: &RootMove<G::Move>| root.value.is_some_and(is_certain);
        self.complete
            || if self.all { self.moves.iter().all(is_decided) } else { is_decided(&self.moves[0]) }
    }

    /// Searches the root to one depth, with an aspiration window that is widened until the value
    /// lies inside.
    fn search_depth(&mut self, depth: u32) {
        let (mut alpha, mut beta) = if depth == 1 || is_certain(self.value) {
            (-INFINITY, INFINITY)
        } else {
            (self.value - self.half_width, self.value + self.half_width)
        };
        loop {
            let value = self.search_root(depth, alpha, beta);
            if self.pvs.stopped {
                return;
            }
            if value <= alpha && alpha > -INFINITY {
                alpha = -INFINITY;
            } else if value >= beta && beta < INFINITY {
                beta = INFINITY;
            } else {
                self.value = value;
                return;
            }
        }
    }

    /// Searches the root moves to `depth` with this window, moves the best one to the front and
    /// returns its value.
    fn search_root(&mut self, depth: u32, alpha: i32, beta: i32) -> i32 {
        let before = self.pvs.enter(self.state);
        let value = self.search_root_moves(depth, alpha, beta);
        self.pvs.leave(before);
        value
    }

    fn search_root_moves(&mut self, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut best = -INFINITY;
        for i in 0..self.searched {
            let floor = if self.all { -INFINITY } else { alpha };
            let child = self.game.after(self.state, self.moves[i].play);
            self.pvs.begin_root_move(depth, self.moves[i].play);
            let mut value = INFINITY;
            if i > 0 && !self.all && beta - alpha > 1 {
                value = self.pvs.value(&child, self.side, depth - 1, (alpha, alpha + 1), 1);
            }
            if value > alpha || self.all {
                let beta = if self.all { INFINITY } else { beta };
                value = self.pvs.value(&child, self.side, depth - 1, (floor, beta), 1);
            }
            if self.pvs.stopped {
                return best;
            }
            let is_exact = value > floor && (value < beta || self.all);
            let root = &mut self.moves[i];
            (root.value, root.lost) = (is_exact.then_some(value), value < -WIN);
            best = best.max(value);
            // A value not above `alpha` is only an upper bound.
            if value > alpha {
                alpha = value;
                if i > 0 {
                    self.moves[..=i].rotate_right(1);
                    self.moves[0].variation.truncate(1);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn extend_variation(&mut self) {
        let count = if self.all { self.moves.len() } else { 1 };
        for i in 0..count {
            let child = self.game.after(self.state, self.moves[i].play);
            let before = self.pvs.enter(self.state);
            let rest = self.pvs.variation(child, self.depth - 1);
            self.pvs.leave(before);
            let root = &mut self.moves[i];
            root.variation.truncate(1);
            root.variation.extend(rest);
            // Entries that other threads stored meanwhile may win or lose more slowly. A line that
            // is longer than the proven number of plies is cut to the part that is still certain.
            if let Some(value) = root.value.filter(|value| value.abs() > WIN) {
                let plies = plies_to_end(value) as usize;
                if root.variation.len() >= plies
                    && !line_ends_game(self.game, self.state, self.path, &root.variation)
                {
                    root.variation.truncate(plies.saturating_sub(1).max(1));
                }
            }
        }
    }

    fn report_choice(&mut self) {
        let choice = self.choice();
        let clock = &mut self.pvs.stop_check;
        clock.so_far = Some(choice);
        clock.report(Instant::now(), self.pvs.nodes);
    }

    /// Returns the best choice found so far; the first move if no root move was searched.
    fn choice(&self) -> Choice<G::Move> {
        let mut order = vec![0; self.moves.len()];
        for (i, root) in self.moves.iter().enumerate() {
            order[root.index] = i;
        }
        Choice {
            lines: order.into_iter().map(|i| self.line(&self.moves[i])).collect(),
            nodes: self.pvs.nodes,
            depth: self.depth,
            time: self.pvs.stop_check.began.elapsed(),
            ..Choice::bare(self.moves[0].play)
        }
    }

    fn line(&self, root: &RootMove<G::Move>) -> RootLine<G::Move> {
        let proof = |verdict, plies| Some(Proof { verdict, plies });
        let proven = match root.value {
            _ if self.selective => None,
            Some(v) if v > WIN => proof(Wdl::Win, Some(plies_to_end(v))),
            Some(v) if v < -WIN => proof(Wdl::Loss, Some(plies_to_end(v))),
            None if root.lost => proof(Wdl::Loss, None),
            Some(0) if self.complete => proof(Wdl::Draw, None),
            _ => None,
        };
        let value = root.value.map(|v| f64::from(v.clamp(-WIN, WIN)) / f64::from(WIN));
        RootLine { value, proven, variation: root.variation.clone(), ..RootLine::new(root.play) }
    }
}
