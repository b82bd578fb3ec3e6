//! Plain minimax to a fixed depth: the reference that every other search must agree with.
//!
//! A finished game is worth ±[`WIN`] or 0 to the side that moves at the root, an
//! unfinished one at the depth limit 0. No pruning, no memory, no ordering: ties go to
//! the first move of the game's own order.

use std::time::Instant;

use crate::evaluator::WIN;
use crate::game::{Game, Side, Status};
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::{Duel, Verdict};
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Line, Player, Proof, Refusal, Turn};

/// Looks `depth` plies ahead, at everything.
pub struct Minimax {
    depth: u32,
}

impl Minimax {
    /// Looks `depth` plies ahead; at least one.
    #[must_use]
    pub fn new(depth: u32) -> Self {
        Minimax { depth: depth.max(1) }
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for Minimax {
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let began = Instant::now();
        let Status::Turn(root) = turn.game.status(turn.state) else {
            return Err(Refusal::Over);
        };
        let depth = turn.budget.depth.unwrap_or(self.depth).max(1);
        let mut walk = Walk { game: turn.game, root, moves: Vec::new(), calls: 0 };
        walk.game.moves(turn.state, &mut walk.moves);
        let mut lines: Vec<Line<G::Move>> = Vec::with_capacity(walk.moves.len());
        for i in 0..walk.moves.len() {
            let m = walk.moves[i];
            let mut child = turn.state.clone();
            walk.game.play(&mut child, m);
            let value = walk.value(&child, depth - 1);
            lines.push(Line {
                value: Some(f64::from(value) / f64::from(WIN)),
                proven: proof(value),
                ..Line::of(m)
            });
        }
        let best = lines
            .iter()
            .reduce(|best, line| if line.value > best.value { line } else { best })
            .expect("a game that goes on has a move")
            .play;
        let (nodes, time) = (walk.calls, began.elapsed());
        Ok(Choice { lines, nodes, depth, time, ..Choice::bare(best) })
    }
}

/// A won or lost value is exact; 0 may be a draw or the end of the sight.
fn proof(value: i32) -> Option<Proof> {
    match value {
        WIN => Some(Proof { verdict: Verdict::Win, plies: None }),
        v if v == -WIN => Some(Proof { verdict: Verdict::Loss, plies: None }),
        _ => None,
    }
}

struct Walk<'a, G: Game> {
    game: &'a G,
    root: Side,
    /// The moves of every state on the way down, each state's behind its parent's.
    moves: Vec<G::Move>,
    calls: u64,
}

impl<G: Game<Outcome = Duel>> Walk<'_, G> {
    /// The worth of `s` to the root side.
    fn value(&mut self, s: &G::State, depth: u32) -> i32 {
        self.calls += 1;
        let side = match self.game.status(s) {
            Status::Over(end) => return end.seen_by(self.root).sign() * WIN,
            Status::Turn(_) if depth == 0 => return 0,
            Status::Turn(side) => side,
        };
        let base = self.moves.len();
        self.game.moves(s, &mut self.moves);
        let mut best = None;
        for i in base..self.moves.len() {
            let mut child = s.clone();
            self.game.play(&mut child, self.moves[i]);
            let value = self.value(&child, depth - 1);
            best = Some(best.map_or(value, |best: i32| {
                if side == self.root { best.max(value) } else { best.min(value) }
            }));
        }
        self.moves.truncate(base);
        best.expect("a game that goes on has a move")
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for Minimax {
    const NAME: &'static str = "minimax";
    const HELP: &'static str =
        "looks at every line of a fixed depth; the reference for other searches";
    const PARAMS: &'static [Param] = &[Param::int("depth", 4, 1, 100, "plies looked ahead")];

    fn build(args: &Args, _kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(Minimax::new(args.size("depth") as u32))
    }
}
