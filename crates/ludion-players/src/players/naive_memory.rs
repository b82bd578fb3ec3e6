//! Alpha-beta with the incorrect transposition table of Corsini's exercise sheet. It is kept to
//! reproduce the results in that sheet, not to play well.
//!
//! It errs in three ways: positions are stored without the side to move, bounds are stored as if
//! they were values, and the value of a shallower search raises alpha. `memory(sheet)` and
//! `deepening(sheet)` use it. `tests/searches/agreement.rs` counts how often it chooses a worse move than
//! minimax.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::outcome::Duel;
use crate::player::{Choice, MemoryBound, MemoryEntry, MoveRequest, PlayerError, SearchDetails};
use crate::search::fixed_depth::{FixedDepthSearch, INFINITY, NodeKind, root_line};

use super::memory::MoveOrder;

/// The entry of the table for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlawedTableEntry<M> {
    /// The search depth below the position, in plies (French: *pf*).
    pub depth: u32,
    /// Whether the score is the result of a finished game.
    pub exact: bool,
    /// The value of the position for the side to move, or a bound that is wrongly used as the
    /// value.
    pub score: i32,
    /// The move that led to the score; `None` if the position was not searched further.
    pub best: Option<M>,
}

/// The incorrect transposition table, kept from one decision to the next.
pub struct FlawedTable<G: Game> {
    order: MoveOrder,
    /// The index of each position in `entries`.
    places: BTreeMap<String, usize>,
    entries: Vec<FlawedTableEntry<G::Move>>,
}

/// Returns the notation of a state without its side to move, the key of the table.
fn position_key<G: Game>(g: &G, s: &G::State) -> String {
    let text = g.show_state(s);
    let sides = [" first", " second"];
    let end = sides.iter().find_map(|side| text.strip_suffix(side));
    end.map_or_else(|| text.clone(), str::to_owned)
}

/// Returns the notation of the best move of an entry. The key of the entry has no side to move, so
/// both are tried; `None` if the move is legal for neither.
fn show_best<G: Game>(g: &G, position: &str, best: G::Move) -> Option<String> {
    let sides = ["", " first", " second"].map(|side| format!("{position}{side}"));
    let mut states = sides.iter().filter_map(|text| g.read_state(text).ok());
    let mut moves = Vec::new();
    states.find_map(|s| {
        moves.clear();
        if g.status(&s).turn().is_some() {
            g.moves(&s, &mut moves);
        }
        moves.contains(&best).then(|| g.show_move(&s, best))
    })
}

impl<G: Game<Outcome = Duel>> FlawedTable<G> {
    /// Creates an empty table for a search with this move order.
    #[must_use]
    pub fn new(order: MoveOrder) -> Self {
        FlawedTable { order, places: BTreeMap::new(), entries: Vec::new() }
    }

    /// Returns all entries with the notation of their position, in the order of the notation.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &FlawedTableEntry<G::Move>)> {
        self.places.iter().map(|(position, &place)| (position.as_str(), &self.entries[place]))
    }

    fn get(&self, position: &str) -> Option<&FlawedTableEntry<G::Move>> {
        self.places.get(position).map(|&place| &self.entries[place])
    }

    fn insert(&mut self, position: String, entry: FlawedTableEntry<G::Move>) {
        let place = *self.places.entry(position).or_insert(self.entries.len());
        match self.entries.get_mut(place) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// Removes all entries, as at the beginning of a game.
    pub fn clear(&mut self) {
        self.places.clear();
        self.entries.clear();
    }

    /// Reports the entries of the table, in the order of the notation of their positions, if the
    /// observer asks for details.
    fn report_details(&self, request: &MoveRequest<'_, G>) {
        let Some(limit) = request.observer.details_limit() else { return };
        let entry = |(state, entry): (&str, &FlawedTableEntry<G::Move>)| MemoryEntry {
            state: state.to_owned(),
            depth: entry.depth,
            exact: entry.exact,
            bound: MemoryBound::Value,
            score: 100.0 * f64::from(entry.score) / f64::from(WIN),
            best: entry.best.and_then(|best| show_best(request.game, state, best)),
        };
        let memory = self.entries().take(limit).map(entry).collect();
        let truncated = self.entries.len() > limit;
        let details = SearchDetails { memory, truncated, ..SearchDetails::default() };
        request.observer.report_details(&details);
    }

    /// Chooses a move: the stored one if its search was deep enough, otherwise that of a new search
    /// (*decision* in the exercise sheet).
    ///
    /// # Errors
    /// When the game is over.
    pub fn choose(
        &mut self,
        request: &MoveRequest<'_, G>,
        depth: u32,
        evaluator: Option<&dyn Evaluator<G>>,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        let mut search = FixedDepthSearch::new(request.game, request.path, evaluator);
        let stored = self.stored(request);
        let entry = match stored.filter(|entry| entry.exact || depth <= entry.depth) {
            Some(entry) => entry,
            None => self.search_root(&mut search, request, depth)?,
        };
        self.report_details(request);
        self.choice(entry, &search, depth, began)
    }

    /// Searches depth 1, 2, … up to `depth`, until `time` is spent; the time is checked only
    /// between two depths. With `advanced` the first depth is one more than the depth of the stored
    /// entry.
    ///
    /// # Errors
    /// When the game is over.
    pub fn deepen(
        &mut self,
        request: &MoveRequest<'_, G>,
        depth: u32,
        time: Duration,
        advanced: bool,
        evaluator: Option<&dyn Evaluator<G>>,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        let mut search = FixedDepthSearch::new(request.game, request.path, evaluator);
        let mut found = self.stored(request).filter(|_| advanced);
        let mut next = found.map_or(1, |entry| entry.depth + 1);
        while next <= depth && (found.is_none() || began.elapsed() < time) {
            found = Some(self.search_root(&mut search, request, next)?);
            next += 1;
        }
        let entry = found.expect("depth 1 was searched or an entry was stored");
        self.report_details(request);
        self.choice(entry, &search, next - 1, began)
    }

    /// Returns the table entry of the requested state, if there is one. An entry whose move is not
    /// legal belongs to the same position with the other side to move and is ignored; the exercise
    /// sheet's program would play that move.
    fn stored(&self, request: &MoveRequest<'_, G>) -> Option<FlawedTableEntry<G::Move>> {
        let entry = self.get(&position_key(request.game, request.state))?;
        let legal = request.moves();
        entry.best.filter(|best| legal.contains(best)).map(|_| *entry)
    }

    fn choice(
        &self,
        entry: FlawedTableEntry<G::Move>,
        search: &FixedDepthSearch<'_, G>,
        depth: u32,
        began: Instant,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let best = entry.best.ok_or(PlayerError::Over)?;
        // The score may be a bound, so the line has no proof.
        let lines =
            vec![crate::player::RootLine { proven: None, ..root_line(best, Some(entry.score)) }];
        Ok(Choice {
            lines,
            nodes: search.calls,
            depth,
            time: began.elapsed(),
            ..Choice::bare(best)
        })
    }

    /// Searches every root move with the full window, stores the result and returns it.
    fn search_root(
        &mut self,
        search: &mut FixedDepthSearch<'_, G>,
        request: &MoveRequest<'_, G>,
        depth: u32,
    ) -> Result<FlawedTableEntry<G::Move>, PlayerError> {
        let Status::Turn(root) = request.status() else {
            return Err(PlayerError::Over);
        };
        let key = position_key(request.game, request.state);
        Ok(self.best_child(search, request.state, key, root, depth, None))
    }

    /// Returns the score of `s` for `side`, which has just moved (*cut* in the exercise sheet).
    fn value(
        &mut self,
        search: &mut FixedDepthSearch<'_, G>,
        s: &G::State,
        side: Side,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let turn = search.game.status(s).turn();
        // Scores of finished games are also stored for the opponent of `side`, who would move next.
        let mover = turn.unwrap_or(side.other());
        let visit = search.visit(s, mover, depth);
        let sign = if mover == side { 1 } else { -1 };
        let (mut alpha, beta) = if mover == side { (alpha, beta) } else { (-beta, -alpha) };
        let key = position_key(search.game, s);
        if let Some(entry) = self.get(&key) {
            if entry.exact || depth <= entry.depth {
                return sign * entry.score;
            }
            alpha = alpha.max(entry.score);
            if alpha >= beta {
                return sign * beta;
            }
        }
        let entry = match visit {
            NodeKind::Leaf(score) => {
                let entry = FlawedTableEntry { depth, exact: turn.is_none(), score, best: None };
                self.insert(key, entry);
                entry
            }
            NodeKind::Inner(_) => {
                self.best_child(search, s, key, mover, depth, Some((alpha, beta)))
            }
        };
        sign * entry.score
    }

    /// Searches the children of `s`, stores the result under `key` and returns it. If a window is
    /// given, its lower end rises from child to child; otherwise every child gets the full window.
    fn best_child(
        &mut self,
        search: &mut FixedDepthSearch<'_, G>,
        s: &G::State,
        key: String,
        mover: Side,
        depth: u32,
        window: Option<(i32, i32)>,
    ) -> FlawedTableEntry<G::Move> {
        let listed = search.push_moves(s);
        let mut move_indices: Vec<usize> = listed.clone().collect();
        let first = self.get(&key).and_then(|entry| entry.best);
        if let Some(first) = first.filter(|_| self.order == MoveOrder::BestFirst) {
            move_indices.sort_by_key(|&i| search.move_at(i) != first);
        }
        let mut entry = FlawedTableEntry { depth, exact: false, score: -INFINITY, best: None };
        let (mut alpha, beta) = window.unwrap_or((-INFINITY, INFINITY));
        for i in move_indices {
            let child = search.child(s, i);
            let score = self.value(search, &child, mover, depth - 1, (alpha, beta));
            if score > entry.score {
                let position = position_key(search.game, &child);
                let exact = self.get(&position).expect("a searched child is stored").exact;
                entry = FlawedTableEntry { exact, score, best: Some(search.move_at(i)), ..entry };
            }
            if window.is_some() {
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        search.pop_moves(listed);
        self.insert(key, entry);
        entry
    }
}
