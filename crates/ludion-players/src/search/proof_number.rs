//! Depth-first proof-number search (Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002): decides who wins, without the number of plies.
//!
//! It looks first where the fewest positions remain to be decided, so it finds deep forced wins in
//! games whose complete tree is far too large. A state whose moves lead back to it is never decided by
//! going in circles: a proof or a refutation ends in finished games only.

use std::time::Instant;

use crate::game::{Game, Side, Status};
use crate::memory;
use crate::outcome::{Duel, Wdl};
use crate::player::{Choice, MoveRequest, Proof, RootLine};
use crate::random::mix;
use crate::repetition::RepetitionRule;
use crate::scene::Symmetry;
use crate::solution::{Solution, SolveError, SolveLimits};

/// A number of positions that stands for "never".
const NEVER: u32 = (1 << 28) - 1;
/// Deepest state that is expanded, because every ply takes some of the thread's stack.
const MAX_PLIES: usize = 2_000;

/// How many positions must be decided at least, for the side to move to reach its aim, and for its
/// opponent to reach the opposite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ProofNumbers {
    own: u32,
    other: u32,
}

impl ProofNumbers {
    const REACHED: ProofNumbers = ProofNumbers { own: 0, other: NEVER };
    const REFUTED: ProofNumbers = ProofNumbers { own: NEVER, other: 0 };

    fn decided(is_reached: bool) -> Self {
        if is_reached { ProofNumbers::REACHED } else { ProofNumbers::REFUTED }
    }

    /// Returns the numbers as the other side sees them, if `change` says so.
    fn seen_by_other(self, change: bool) -> Self {
        if change { ProofNumbers { own: self.other, other: self.own } } else { self }
    }

    fn is_decided(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// A table of proof numbers of fixed size. In a full bucket the entry that took the least work is
/// replaced.
struct ProofTable {
    /// Hash of a state, and its packed numbers; 0 is an empty entry.
    entries: Vec<[u64; 2]>,
    mask: usize,
}

/// Number of entries in a bucket, which fills a cache line.
const BUCKET: usize = 4;

impl ProofTable {
    fn new(megabytes: usize) -> Self {
        let mut buckets = ((megabytes << 20) / size_of::<[[u64; 2]; BUCKET]>()).max(1);
        buckets = 1 << buckets.ilog2();
        while buckets > 1 && !memory::has_room(buckets * size_of::<[[u64; 2]; BUCKET]>()) {
            memory::note_shortage();
            buckets /= 2;
        }
        ProofTable { entries: vec![[0; 2]; buckets * BUCKET], mask: buckets - 1 }
    }

    fn bucket(&mut self, hash: u64) -> &mut [[u64; 2]] {
        let at = (hash as usize & self.mask) * BUCKET;
        &mut self.entries[at..at + BUCKET]
    }

    fn get(&mut self, hash: u64) -> Option<ProofNumbers> {
        let entry = self.bucket(hash).iter().find(|entry| entry[0] == hash && entry[1] != 0)?;
        let number = |shift: u32| (entry[1] >> shift) as u32 & NEVER;
        Some(ProofNumbers { own: number(36), other: number(8) })
    }

    /// Stores the numbers of a state and how many positions were expanded to find them.
    fn put(&mut self, hash: u64, numbers: ProofNumbers, work: u64) {
        let log_work = u64::from((work | 1).ilog2()) + 1;
        let data = u64::from(numbers.own) << 36 | u64::from(numbers.other) << 8 | log_work;
        let bucket = self.bucket(hash);
        let place = bucket.iter().position(|entry| entry[0] == hash).unwrap_or_else(|| {
            let work_of = |i: &usize| bucket[*i][1] & 0xff;
            (0..BUCKET).min_by_key(work_of).expect("a bucket has entries")
        });
        bucket[place] = [hash, data];
    }
}

/// A state after a move, with the numbers as the side that moved sees them.
struct ProofChild<S> {
    state: S,
    hash: u64,
    turn: Side,
    numbers: ProofNumbers,
}

/// The search for one question: can `attacker` force a win?
struct ProofSearch<'a, G: Game> {
    request: &'a MoveRequest<'a, G>,
    symmetries: Vec<Symmetry>,
    attacker: Side,
    table: ProofTable,
    children: Vec<ProofChild<G::State>>,
    moves: Vec<G::Move>,
    nodes: u64,
    max_nodes: u64,
    stopped: bool,
    reported: Instant,
    /// Number of plies on the current path, with the root.
    plies: usize,
    /// Whether a drawn game was found.
    draws: bool,
}

impl<'a, G: Game<Outcome = Duel>> ProofSearch<'a, G> {
    fn new(
        request: &'a MoveRequest<'a, G>,
        attacker: Side,
        nodes: u64,
        limits: SolveLimits,
    ) -> Self {
        ProofSearch {
            request,
            symmetries: request.game.symmetries(),
            attacker,
            table: ProofTable::new(limits.megabytes),
            children: Vec::new(),
            moves: Vec::new(),
            nodes,
            max_nodes: limits.nodes,
            stopped: false,
            reported: Instant::now(),
            plies: 0,
            draws: false,
        }
    }

    /// Returns whether `attacker` can force a win, and the search that decided it. `nodes` is the
    /// number of states visited before.
    fn answer(
        request: &'a MoveRequest<'a, G>,
        attacker: Side,
        nodes: u64,
        limits: SolveLimits,
    ) -> Result<(bool, Self), SolveError> {
        let mut search = ProofSearch::new(request, attacker, nodes, limits);
        let side = request.status().turn().expect("the game is not over");
        let no_limit = ProofNumbers { own: NEVER, other: NEVER };
        let hash = search.hash(request.state);
        let numbers = search.search(request.state, hash, side, no_limit);
        if !numbers.is_decided() {
            return Err(SolveError::Spent { nodes: search.nodes, depth: 0 });
        }
        Ok(((numbers.own == 0) == (side == attacker), search))
    }

    /// Returns the hash that a state shares with its images.
    fn hash(&self, s: &G::State) -> u64 {
        let game = self.request.game;
        let images = self.symmetries.iter().map(|&symmetry| game.key(&game.transform(s, symmetry)));
        mix(images.chain([game.key(s)]).min().expect("there is at least the state itself"))
    }

    /// Returns the numbers of a state of a running game, as the side to move sees them.
    fn look_up(&mut self, s: &G::State, hash: u64) -> ProofNumbers {
        if let Some(numbers) = self.table.get(hash) {
            return numbers;
        }
        if self.request.game.wins_at_once(s) == Some(true) {
            return ProofNumbers::REACHED;
        }
        // One good move is enough for the side to move; all of them must be refuted.
        let moves = self.request.game.count_moves(s, &mut self.moves);
        ProofNumbers { own: 1, other: moves as u32 }
    }

    /// Appends the states after the moves of `s`, in the order of the moves, up to the first that
    /// decides it. Moves that lose at once are left out below the root.
    fn expand(&mut self, s: &G::State, turn: Side) {
        let game = self.request.game;
        let base = self.moves.len();
        let knows_safe_moves = self.plies > 1
            && game.wins_at_once(s) == Some(false)
            && game.safe_moves(s, &mut self.moves);
        if !knows_safe_moves {
            game.moves(s, &mut self.moves);
        }
        for i in base..self.moves.len() {
            let state = game.after(s, self.moves[i]);
            let (numbers, next, hash) = match game.status(&state) {
                Status::Over(end) => {
                    self.draws |= end == Duel::Drawn;
                    let wins = end == Duel::Won(self.attacker);
                    (ProofNumbers::decided(wins == (turn == self.attacker)), turn, 0)
                }
                Status::Turn(next) => {
                    let hash = self.hash(&state);
                    let numbers = self.look_up(&state, hash);
                    (numbers.seen_by_other(next != turn), next, hash)
                }
            };
            self.children.push(ProofChild { state, hash, turn: next, numbers });
            if numbers.own == 0 {
                break;
            }
        }
        self.moves.truncate(base);
    }

    /// Returns the numbers of a state from those of its children, the index of the child with the
    /// smallest own number, and the second smallest own number.
    fn combine(&self, first: usize) -> (ProofNumbers, usize, u32) {
        let (mut best, mut own, mut second, mut most, mut open) = (first, NEVER, NEVER, 0, 0);
        for (i, child) in self.children[first..].iter().enumerate() {
            let numbers = child.numbers;
            if numbers.own < own {
                second = own;
                (own, best) = (numbers.own, first + i);
            } else {
                second = second.min(numbers.own);
            }
            if numbers.other > 0 {
                most = numbers.other.max(most);
                open += 1;
            }
        }
        let numbers = match (own, open) {
            (0, _) => ProofNumbers::REACHED,
            (_, 0) => ProofNumbers::REFUTED,
            // The sum of the numbers would count a state once for every way that leads to it.
            _ => ProofNumbers { own, other: (most + open - 1).min(NEVER - 1) },
        };
        (numbers, best, second)
    }

    /// Searches a state until one of its numbers reaches its limit, and returns its numbers.
    fn search(&mut self, s: &G::State, hash: u64, turn: Side, limit: ProofNumbers) -> ProofNumbers {
        let (first, nodes) = (self.children.len(), self.nodes);
        self.plies += 1;
        self.nodes += 1;
        self.check_limits();
        self.expand(s, turn);
        let numbers = loop {
            let (numbers, best, second) = self.combine(first);
            if numbers.own >= limit.own || numbers.other >= limit.other || self.stopped {
                break numbers;
            }
            let child = &self.children[best];
            let (state, hash, next) = (child.state.clone(), child.hash, child.turn);
            let rest = numbers.other - child.numbers.other;
            let of_child = ProofNumbers {
                own: limit.own.min(second.saturating_add(second / 4 + 1)).min(NEVER),
                other: if limit.other == NEVER { NEVER } else { limit.other - rest },
            };
            let found = self.search(&state, hash, next, of_child.seen_by_other(next != turn));
            self.children[best].numbers = found.seen_by_other(next != turn);
        };
        // The children of the root become the lines of the solution.
        if self.plies > 1 {
            self.children.truncate(first);
        }
        self.plies -= 1;
        if !self.stopped || numbers.is_decided() {
            self.table.put(hash, numbers, self.nodes - nodes);
        }
        numbers
    }

    fn check_limits(&mut self) {
        self.stopped |= self.nodes >= self.max_nodes || self.plies > MAX_PLIES;
        if self.nodes.is_multiple_of(4096) && self.reported.elapsed().as_millis() >= 50 {
            self.reported = Instant::now();
            let observer = self.request.observer;
            if let (Some(_), Some(&m)) = (observer.interval(), self.request.moves().first()) {
                observer.report(&Choice { nodes: self.nodes, ..Choice::bare(m) });
            }
            self.stopped |= observer.should_stop();
        }
    }
}

/// Finds the result of the state of `request` with best play and a move that keeps it, without the
/// number of plies. Other moves have a result where the search came across it. It uses one thread. The
/// observer of the request gets reports and may stop the search; its budget is ignored.
///
/// # Errors
/// When the game is over, or a limit is reached.
///
/// # Panics
/// If the game has a rule on repetitions, by which the result of a state depends on its past.
///
/// ```
/// use ludion::{game::Game, games::breakthrough::Breakthrough, outcome::Wdl};
/// use ludion::{player::{Budget, MoveRequest}, search::{proof_number::prove, solve::SolveLimits}};
/// let g = Breakthrough::new(5, 3);
/// let start = g.start();
/// let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
/// assert_eq!(prove(&request, SolveLimits::default()).unwrap().value.verdict, Wdl::Loss);
/// ```
pub fn prove<G: Game<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    limits: SolveLimits,
) -> Result<Solution<G::Move>, SolveError> {
    assert!(request.game.repetition_rule() == RepetitionRule::Ignored, "results need no past");
    let Status::Turn(side) = request.status() else {
        return Err(SolveError::Over);
    };
    // The first question is whether the side to move wins. If it does not, but draws were found, the
    // second is whether it loses.
    let (mut is_reached, mut search) = ProofSearch::answer(request, side, 0, limits)?;
    let mut verdicts = [Wdl::Win, Wdl::Loss];
    if !is_reached && search.draws {
        let nodes = search.nodes;
        // Frees its table before the next one is made.
        drop(search);
        let (is_lost, second) = ProofSearch::answer(request, side.other(), nodes, limits)?;
        (is_reached, search, verdicts) = (!is_lost, second, [Wdl::Draw, Wdl::Loss]);
    }
    let proof = |verdict| Proof { verdict, plies: None };
    let value = proof(verdicts[usize::from(!is_reached)]);
    let lines = request.moves().into_iter().enumerate().map(|(i, m)| {
        // A move that does not win may still draw, if there are draws.
        let is_known = |numbers: &ProofNumbers| {
            numbers.own == 0 || numbers.other == 0 && (value.verdict != Wdl::Win || !search.draws)
        };
        let numbers = search.children.get(i).map(|child| child.numbers);
        let proven =
            numbers.filter(is_known).map(|numbers| proof(verdicts[usize::from(numbers.own > 0)]));
        let value = proven.map(|proof| f64::from(proof.verdict.sign()));
        RootLine { value, proven, ..RootLine::new(m) }
    });
    let lines: Vec<RootLine<G::Move>> = lines.collect();
    let keeps = |line: &&RootLine<G::Move>| line.proven == Some(value);
    let best = lines.iter().filter(keeps).map(|line| line.play).collect();
    Ok(Solution { value, best, lines, nodes: search.nodes })
}
