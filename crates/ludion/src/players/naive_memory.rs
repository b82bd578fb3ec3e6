//! The memory of the course's sheet, to the letter: what its tables can be compared with,
//! not what to play with.
//!
//! It is unsound in three ways that the sheet asks for: a position is remembered without the
//! side to move, what a cut-off search returns is remembered as if it were the value, and a
//! value from a shallower search raises alpha. `memory(sheet)` and `deepening(sheet)` play
//! by it; the test of agreement counts how often it decides worse than minimax.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::outcome::Duel;
use crate::player::{Choice, MoveRequest, PlayerError};
use crate::search::fixed_depth::{FixedDepthSearch, INFINITY, NodeVisit, root_line};

use super::memory::MoveOrder;

/// What the sheet remembers of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NaiveMemoryEntry<M> {
    /// Plies that were left to look ahead (French: *pf*).
    pub depth: u32,
    /// Whether the score comes from a finished game.
    pub exact: bool,
    /// The value of the position for the side to move, or what was taken for it.
    pub score: i32,
    /// The move that gave the score.
    pub best: Option<M>,
}

/// The memory, from one decision to the next.
pub struct NaiveMemory<G: Game> {
    order: MoveOrder,
    memory: BTreeMap<String, NaiveMemoryEntry<G::Move>>,
}

/// The position as it is written, without the side to move.
fn position_key<G: Game>(g: &G, s: &G::State) -> String {
    let text = g.show_state(s);
    let sides = [" first", " second"];
    let end = sides.iter().find_map(|side| text.strip_suffix(side));
    end.map_or_else(|| text.clone(), str::to_owned)
}

impl<G: Game<Outcome = Duel>> NaiveMemory<G> {
    /// An empty memory.
    #[must_use]
    pub fn new(order: MoveOrder) -> Self {
        NaiveMemory { order, memory: BTreeMap::new() }
    }

    /// What is remembered, by position.
    #[must_use]
    pub fn memory(&self) -> &BTreeMap<String, NaiveMemoryEntry<G::Move>> {
        &self.memory
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// The sheet's *decision*: from the memory where it is deep enough, else by a search.
    ///
    /// # Errors
    /// When the game is over.
    pub fn decide<E: Evaluator<G> + ?Sized>(
        &mut self,
        turn: &MoveRequest<'_, G>,
        depth: u32,
        judge: &E,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        let mut walk = FixedDepthSearch::new(turn.game, judge);
        let remembered = self.remembered(turn);
        let memo = match remembered.filter(|memo| memo.exact || depth <= memo.depth) {
            Some(memo) => memo,
            None => self.look(&mut walk, turn, depth)?,
        };
        self.choice(memo, &walk, depth, began)
    }

    /// The sheet's iterative deepening: decisions at growing depth until the depth or the
    /// time is used up, which it looks at only between two depths. The advanced start begins
    /// one beyond the remembered depth.
    ///
    /// # Errors
    /// When the game is over.
    pub fn deepen<E: Evaluator<G> + ?Sized>(
        &mut self,
        turn: &MoveRequest<'_, G>,
        depth: u32,
        time: Duration,
        advanced: bool,
        judge: &E,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        let mut walk = FixedDepthSearch::new(turn.game, judge);
        let mut found = self.remembered(turn).filter(|_| advanced);
        let mut next = found.map_or(1, |memo| memo.depth + 1);
        while next <= depth && (found.is_none() || began.elapsed() < time) {
            found = Some(self.look(&mut walk, turn, next)?);
            next += 1;
        }
        let memo = found.expect("depth 1 was searched or something was remembered");
        self.choice(memo, &walk, next - 1, began)
    }

    /// What is remembered of the state asked about. A move of the other side, whose memory
    /// this may be, is no answer: here the sheet's program would break the rules.
    fn remembered(&self, turn: &MoveRequest<'_, G>) -> Option<NaiveMemoryEntry<G::Move>> {
        let memo = self.memory.get(&position_key(turn.game, turn.state))?;
        let mut legal = Vec::new();
        turn.game.moves(turn.state, &mut legal);
        memo.best.filter(|best| legal.contains(best)).map(|_| *memo)
    }

    fn choice<E: Evaluator<G> + ?Sized>(
        &self,
        memo: NaiveMemoryEntry<G::Move>,
        walk: &FixedDepthSearch<'_, G, E>,
        depth: u32,
        began: Instant,
    ) -> Result<Choice<G::Move>, PlayerError> {
        let best = memo.best.ok_or(PlayerError::Over)?;
        // The score may be a bound that was taken for a value, so nothing is proven.
        let lines =
            vec![crate::player::RootLine { proven: None, ..root_line(best, Some(memo.score)) }];
        Ok(Choice { lines, nodes: walk.calls, depth, time: began.elapsed(), ..Choice::bare(best) })
    }

    /// Searches every move of the root with the whole window.
    fn look<E: Evaluator<G> + ?Sized>(
        &mut self,
        walk: &mut FixedDepthSearch<'_, G, E>,
        turn: &MoveRequest<'_, G>,
        depth: u32,
    ) -> Result<NaiveMemoryEntry<G::Move>, PlayerError> {
        let Status::Turn(root) = turn.game.status(turn.state) else {
            return Err(PlayerError::Over);
        };
        let key = position_key(turn.game, turn.state);
        Ok(self.best_child(walk, turn.state, key, root, depth, None))
    }

    /// The sheet's *cut*: the score of `s` for `side`.
    fn cut<E: Evaluator<G> + ?Sized>(
        &mut self,
        walk: &mut FixedDepthSearch<'_, G, E>,
        s: &G::State,
        side: Side,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let over = walk.game.status(s).turn().is_none();
        // The side to move, also where nobody moves any more: the sheet keeps scores for it.
        let mover = side.other();
        let visit = walk.visit(s, mover, depth);
        let (mut alpha, beta) = (-beta, -alpha);
        let key = position_key(walk.game, s);
        if let Some(memo) = self.memory.get(&key) {
            if memo.exact || depth <= memo.depth {
                return -memo.score;
            }
            alpha = alpha.max(memo.score);
            if alpha >= beta {
                return -beta;
            }
        }
        let memo = match visit {
            NodeVisit::Leaf(score) => {
                let memo = NaiveMemoryEntry { depth, exact: over, score, best: None };
                self.memory.insert(key, memo);
                memo
            }
            NodeVisit::Inner(_) => self.best_child(walk, s, key, mover, depth, Some((alpha, beta))),
        };
        -memo.score
    }

    /// Searches the children, in the window if there is one that narrows, and remembers.
    fn best_child<E: Evaluator<G> + ?Sized>(
        &mut self,
        walk: &mut FixedDepthSearch<'_, G, E>,
        s: &G::State,
        key: String,
        mover: Side,
        depth: u32,
        window: Option<(i32, i32)>,
    ) -> NaiveMemoryEntry<G::Move> {
        let listed = walk.enter(s);
        let mut places: Vec<usize> = listed.clone().collect();
        let first = self.memory.get(&key).and_then(|memo| memo.best);
        if let Some(first) = first.filter(|_| self.order == MoveOrder::BestFirst) {
            places.sort_by_key(|&i| walk.listed(i) != first);
        }
        let mut memo = NaiveMemoryEntry { depth, exact: false, score: -INFINITY, best: None };
        let (mut alpha, beta) = window.unwrap_or((-INFINITY, INFINITY));
        for i in places {
            let child = walk.child(s, i);
            let score = self.cut(walk, &child, mover, depth - 1, (alpha, beta));
            if score > memo.score {
                let exact = self.memory[&position_key(walk.game, &child)].exact;
                memo = NaiveMemoryEntry { exact, score, best: Some(walk.listed(i)), ..memo };
            }
            if window.is_some() {
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        walk.leave(listed);
        self.memory.insert(key, memo);
        memo
    }
}
