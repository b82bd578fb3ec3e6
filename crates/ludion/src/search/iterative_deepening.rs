//! Iterative deepening over [`PvsSearch`]: depth 1, then 2, and so on until the budget is spent or
//! the game is decided. Each depth starts from the best move of the one before, in a narrow
//! window around its value (an aspiration window) that is opened when the value falls
//! outside.
//!
//! Several threads search the same position and share what they find through the table
//! alone (*lazy SMP*); every second one is a ply ahead, so that they do not all do the same.
//! The first thread decides. One thread is deterministic for every budget but time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side};
use crate::outcome::{Duel, Wdl};
use crate::player::{Choice, MoveRequest, Observer, Proof, RootLine};

use super::pvs::{INFINITY, MAX_DEPTH, PvsSearch, StopCheck, is_certain, plies_to_end};
use super::transposition_table::TranspositionTable;

/// Half the width of the first window around the value of the last depth.
const ASPIRATION_HALF_WIDTH: i32 = 40;
/// States between two looks at the clock, where they are quickly visited.
const MAX_POLL_INTERVAL: u64 = 2048;

/// What one decision may spend, and how.
#[derive(Clone, Copy, Debug)]
pub struct DeepeningLimits {
    /// Plies looked ahead at most.
    pub depth: u32,
    /// Time on the clock.
    pub time: Option<Duration>,
    /// States visited, by all threads together.
    pub nodes: Option<u64>,
    /// Threads that search together.
    pub threads: usize,
    /// Whether to begin one beyond the depth that is remembered of the state.
    pub advanced: bool,
    /// Whether the worth of every move of the root is found exactly, not only the best's.
    pub all: bool,
}

/// Searches the state in which `side` moves; also says whether the choice is final, so that
/// looking farther would find nothing new.
pub fn deepen<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    turn: &MoveRequest<'_, G>,
    side: Side,
    table: &TranspositionTable,
    judge: &E,
    plan: DeepeningLimits,
) -> (Choice<G::Move>, bool) {
    let last = plan.depth.clamp(1, MAX_DEPTH);
    let nodes = plan.nodes.map(|nodes| nodes.div_ceil(plan.threads as u64).max(1));
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    let thread = |observer| {
        let clock = SearchClock::new(began, &stop, plan.time, nodes, observer);
        let pvs = PvsSearch::new(turn.game, judge, table, clock);
        IterativeDeepening::new(pvs, turn.game, turn.state, side, plan.all)
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..plan.threads)
            .map(|i| {
                let mut helper = thread(None);
                scope.spawn(move || {
                    helper.run(1 + i as u32 % 2, last);
                    helper.pvs.nodes
                })
            })
            .collect();
        let mut main = thread(Some(turn.observer));
        let remembered = if plan.advanced { main.recall() } else { 0 };
        main.run(remembered + 1, last);
        stop.store(true, Relaxed);
        let mut choice = main.choice();
        let counts = helpers.into_iter().map(|h| h.join().expect("a search does not panic"));
        choice.nodes += counts.sum::<u64>();
        choice.time = began.elapsed();
        (choice, main.decided())
    })
}

/// Ends a search in time, and reports on it meanwhile.
struct SearchClock<'a, M> {
    began: Instant,
    /// Set by whoever ends the search for all threads.
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    nodes: Option<u64>,
    observer: Option<&'a dyn Observer<M>>,
    reported: Instant,
    looked: Instant,
    stride: u64,
    so_far: Option<Choice<M>>,
}

impl<'a, M> SearchClock<'a, M> {
    /// A clock that runs since `now`, the same for all threads. Only one has the watch.
    fn new(
        now: Instant,
        stop: &'a AtomicBool,
        time: Option<Duration>,
        nodes: Option<u64>,
        observer: Option<&'a dyn Observer<M>>,
    ) -> Self {
        let deadline = time.and_then(|time| now.checked_add(time));
        let (began, reported, looked) = (now, now, now);
        SearchClock {
            began,
            stop,
            deadline,
            nodes,
            observer,
            reported,
            looked,
            stride: 64,
            so_far: None,
        }
    }

    fn report(&mut self, now: Instant, nodes: u64) {
        let Some(observer) = self.observer else { return };
        let due = observer.interval().is_some_and(|every| now - self.reported >= every);
        if let Some(choice) = self.so_far.as_mut().filter(|_| due) {
            choice.nodes = nodes;
            choice.time = now - self.began;
            observer.report(choice);
            self.reported = now;
        }
    }
}

impl<M> StopCheck for SearchClock<'_, M> {
    fn beat(&mut self, nodes: u64) -> Option<u64> {
        let now = Instant::now();
        self.report(now, nodes);
        if self.stop.load(Relaxed)
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.nodes.is_some_and(|most| nodes >= most)
            || self.observer.is_some_and(Observer::should_stop)
        {
            return None;
        }
        // Slow evaluators are watched more closely, so that no beat comes milliseconds late.
        let took = now - self.looked;
        self.looked = now;
        if took > Duration::from_millis(2) {
            self.stride = (self.stride / 2).max(1);
        } else if took < Duration::from_micros(500) {
            self.stride = (2 * self.stride).min(MAX_POLL_INTERVAL);
        }
        Some(self.nodes.map_or(self.stride, |most| self.stride.min(most - nodes)))
    }
}

/// Whether the game is over after these moves.
fn line_ends_game<G: Game>(g: &G, s: &G::State, line: &[G::Move]) -> bool {
    let mut end = s.clone();
    line.iter().for_each(|&m| g.play(&mut end, m));
    g.status(&end).turn().is_none()
}

/// What is known of a move of the root.
#[derive(Clone)]
struct RootMove<M> {
    play: M,
    /// Its place in the game's list.
    place: usize,
    /// Its worth, where it is known exactly at the last depth.
    value: Option<i32>,
    /// Whether it was seen to lose.
    lost: bool,
    variation: Vec<M>,
}

/// One thread's iterative deepening of one decision.
struct IterativeDeepening<'a, G: Game, E: ?Sized> {
    pvs: PvsSearch<'a, G, E, SearchClock<'a, G::Move>>,
    game: &'a G,
    state: &'a G::State,
    side: Side,
    /// The best first.
    moves: Vec<RootMove<G::Move>>,
    /// The depth of the last decision.
    depth: u32,
    value: i32,
    /// Whether the whole game was seen at the last depth.
    complete: bool,
    /// Whether every move is given the whole window.
    all: bool,
}

impl<'a, G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized> IterativeDeepening<'a, G, E> {
    /// Deepening of `s`, in which `side` moves; with `all`, the worth of every move of the
    /// root is found exactly, not only that of the best.
    fn new(
        pvs: PvsSearch<'a, G, E, SearchClock<'a, G::Move>>,
        game: &'a G,
        state: &'a G::State,
        side: Side,
        all: bool,
    ) -> Self {
        let mut list = Vec::new();
        game.moves(state, &mut list);
        let of = |(place, play)| RootMove {
            play,
            place,
            value: None,
            lost: false,
            variation: vec![play],
        };
        let moves = list.into_iter().enumerate().map(of).collect();
        IterativeDeepening {
            pvs,
            game,
            state,
            side,
            moves,
            depth: 0,
            value: 0,
            complete: false,
            all,
        }
    }

    /// Takes over what the table remembers of the root; the depth it looked to.
    fn recall(&mut self) -> u32 {
        if let Some((value, depth, best)) = self.pvs.recall(self.state)
            && let Some(i) = self.moves.iter().position(|root| root.play == best)
        {
            self.moves[i].value = Some(value);
            self.moves[..=i].rotate_right(1);
            (self.depth, self.value) = (depth, value);
            self.publish();
        }
        self.depth
    }

    /// Searches every depth from `first` to `last`, until the clock stops it or nothing is
    /// left to find out.
    fn run(&mut self, first: u32, last: u32) {
        for depth in first..=last {
            if self.decided() {
                break;
            }
            let horizons = self.pvs.horizons;
            self.aspire(depth);
            if self.pvs.stopped {
                break;
            }
            self.depth = depth;
            self.complete = self.pvs.horizons == horizons;
            let best = &self.moves[0];
            self.pvs.remember(self.state, self.value, depth, best.play, self.complete);
            self.extend_variation();
            self.publish();
        }
    }

    /// Whether looking farther ahead would find nothing new.
    fn decided(&self) -> bool {
        let sure = |root: &RootMove<G::Move>| root.value.is_some_and(is_certain);
        self.complete || if self.all { self.moves.iter().all(sure) } else { sure(&self.moves[0]) }
    }

    /// One depth, in a window that opens until the value lies inside.
    fn aspire(&mut self, depth: u32) {
        let (mut alpha, mut beta) = if depth == 1 || is_certain(self.value) {
            (-INFINITY, INFINITY)
        } else {
            (self.value - ASPIRATION_HALF_WIDTH, self.value + ASPIRATION_HALF_WIDTH)
        };
        loop {
            let value = self.root(depth, alpha, beta);
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

    /// The moves of the root in this window; what proves best comes first for the next time.
    fn root(&mut self, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut best = -INFINITY;
        for i in 0..self.moves.len() {
            let floor = if self.all { -INFINITY } else { alpha };
            let child = self.game.after(self.state, self.moves[i].play);
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
            let inside = value > floor && (value < beta || self.all);
            let root = &mut self.moves[i];
            (root.value, root.lost) = (inside.then_some(value), value < -WIN);
            best = best.max(value);
            // A value below the window says only that this is no better than another.
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
            let rest = self.pvs.variation(child, self.depth - 1);
            let root = &mut self.moves[i];
            root.variation.truncate(1);
            root.variation.extend(rest);
            // What other threads remembered meanwhile may win, or lose, more slowly: a line that
            // has not ended when it is said to end is shown as far as it is sure to go on.
            if let Some(value) = root.value.filter(|value| value.abs() > WIN) {
                let plies = plies_to_end(value) as usize;
                if root.variation.len() >= plies
                    && !line_ends_game(self.game, self.state, &root.variation)
                {
                    root.variation.truncate(plies.saturating_sub(1).max(1));
                }
            }
        }
    }

    fn publish(&mut self) {
        let choice = self.choice();
        let clock = &mut self.pvs.pulse;
        clock.so_far = Some(choice);
        clock.report(Instant::now(), self.pvs.nodes);
    }

    /// What is found so far; the first move if nothing is.
    fn choice(&self) -> Choice<G::Move> {
        let mut lines: Vec<(usize, RootLine<G::Move>)> =
            self.moves.iter().map(|root| (root.place, self.line(root))).collect();
        lines.sort_by_key(|(place, _)| *place);
        Choice {
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            nodes: self.pvs.nodes,
            depth: self.depth,
            time: self.pvs.pulse.began.elapsed(),
            ..Choice::bare(self.moves[0].play)
        }
    }

    fn line(&self, root: &RootMove<G::Move>) -> RootLine<G::Move> {
        let sure = |verdict, plies| Some(Proof { verdict, plies });
        let proven = match root.value {
            Some(v) if v > WIN => sure(Wdl::Win, Some(plies_to_end(v))),
            Some(v) if v < -WIN => sure(Wdl::Loss, Some(plies_to_end(v))),
            None if root.lost => sure(Wdl::Loss, None),
            Some(0) if self.complete => sure(Wdl::Draw, None),
            _ => None,
        };
        let value = root.value.map(|v| f64::from(v.clamp(-WIN, WIN)) / f64::from(WIN));
        RootLine { value, proven, variation: root.variation.clone(), ..RootLine::new(root.play) }
    }
}
