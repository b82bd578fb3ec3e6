//! A player that solves Connect Four as far as its budget goes.
//!
//! Every root move carries bounds of its score. The solver narrows them: first from
//! their ends, where quick wins and losses show at little cost, then around 0 to know
//! who wins, then to the exact score of the best move. What is not proven when the
//! budget ends is judged by a short look ahead. With a budget in nodes the same game
//! gives the same moves.

use std::time::{Duration, Instant};

use super::foresight::look_ahead;
use super::solver::{Connect4Solver, SolverLimits, between, verdict};
use super::{Connect4, Connect4State};
use crate::evaluator::WIN;
use crate::game::{Game, Status};
use crate::named::{NamedPlayer, PlayerParts, QuickSpec};
use crate::outcome::Wdl;
use crate::param::{Args, Param, ParamError};
use crate::player::{
    BudgetUnit, Choice, MoveRequest, Observer, Player, PlayerError, Proof, RootLine,
};

/// Solves what it can, and judges the rest.
pub struct SolverPlayer {
    time: Duration,
    megabytes: usize,
    solver: Option<Connect4Solver>,
}

impl SolverPlayer {
    /// Thinks for `time` a move where the budget does not say, and remembers positions
    /// in at most `megabytes`.
    #[must_use]
    pub fn new(time: Duration, megabytes: usize) -> Self {
        SolverPlayer { time, megabytes, solver: None }
    }

    /// The solver of the last game, if `g` is of the same size.
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
        let began = Instant::now();
        let (g, s) = (turn.game, turn.state);
        if let Status::Over(_) = g.status(s) {
            return Err(PlayerError::Over);
        }
        let nodes = turn.budget.nodes;
        let time = turn.budget.time.or(nodes.is_none().then_some(self.time));
        let purse = MoveBudget { nodes, time, began, stop: &|| turn.observer.should_stop() };
        let solver = self.solver(g);
        let mut root = RootPosition::new(solver, *s, purse, turn.observer);
        if root.moves.len() > 1 && root.narrow(QUICK).is_none() {
            root.judge();
            if root.weigh().is_some() {
                root.narrow(1.0);
            }
        }
        Ok(root.choice())
    }
}

impl NamedPlayer<Connect4> for SolverPlayer {
    const NAME: &'static str = "expert";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes];
    const HELP: &'static str = "solves Connect Four as far as its time goes, and judges the rest";
    const QUICK: Option<QuickSpec> = Some(QuickSpec::new(3, "expert"));
    const PARAMS: &'static [Param] = &[
        Param::int("ms", 100, 1, 86_400_000, "milliseconds a move, where no budget says"),
        Param::int("mb", 64, 1, 1 << 16, "megabytes of memory for positions"),
    ];

    fn build(args: &Args, _kit: &PlayerParts<Connect4>) -> Result<Self, ParamError> {
        Ok(SolverPlayer::new(Duration::from_millis(args.size("ms") as u64), args.size("mb")))
    }
}

/// The part of the budget for positions so easy that nothing needs to be judged.
const QUICK: f64 = 0.05;
/// The part for the look ahead, and the states it visits in a second, roughly: a look
/// ahead counts states even where the budget is in time.
const GLIMPSE: f64 = 0.1;
const GLIMPSES_PER_SECOND: f64 = 4e6;

/// What one choice may spend.
#[derive(Clone, Copy)]
struct MoveBudget<'a> {
    nodes: Option<u64>,
    time: Option<Duration>,
    began: Instant,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> MoveBudget<'a> {
    /// Limits after which `part` of the purse is spent, when `spent` nodes are already.
    fn limits(&self, part: f64, spent: u64) -> SolverLimits<'a> {
        let left = |nodes: u64| ((nodes as f64 * part) as u64).saturating_sub(spent);
        SolverLimits {
            nodes: self.nodes.map(left),
            deadline: self.time.map(|time| self.began + time.mul_f64(part)),
            stop: Some(self.stop),
        }
    }

    /// States that the look ahead may visit.
    fn glimpse(&self) -> u64 {
        let by_time = |time: Duration| time.as_secs_f64() * GLIMPSES_PER_SECOND;
        let most = self.time.map_or(f64::INFINITY, by_time);
        let nodes = self.nodes.map_or(f64::INFINITY, |nodes| nodes as f64).min(most);
        (nodes * GLIMPSE) as u64
    }
}

/// A root move and what is known of its score.
struct RootMove {
    play: u8,
    child: Connect4State,
    least: i32,
    most: i32,
    /// How it looks, on the scale of evaluators.
    guess: i32,
}

impl RootMove {
    /// What to choose by: a proven win, the faster the better, then what looks good
    /// within what is proven, then the slowest loss.
    fn worth(&self) -> i32 {
        match (self.least, self.most) {
            (1.., _) => WIN + self.least,
            (_, ..=-1) => -WIN + self.most,
            (least, most) => self
                .guess
                .clamp(if least == 0 { 0 } else { 1 - WIN }, if most == 0 { 0 } else { WIN - 1 }),
        }
    }

    fn verdict(&self) -> Option<Wdl> {
        let (least, most) = (verdict(self.least), verdict(self.most));
        (least == most).then_some(least)
    }
}

/// The position to choose in.
struct RootPosition<'a> {
    solver: &'a mut Connect4Solver,
    s: Connect4State,
    purse: MoveBudget<'a>,
    /// The solver's count of nodes at the beginning.
    before: u64,
    glimpsed: u64,
    depth: u32,
    /// The most promising first.
    moves: Vec<RootMove>,
    observer: &'a dyn Observer<u8>,
    /// When the last report was given.
    reported: Duration,
}

impl<'a> RootPosition<'a> {
    fn new(
        solver: &'a mut Connect4Solver,
        s: Connect4State,
        purse: MoveBudget<'a>,
        observer: &'a dyn Observer<u8>,
    ) -> Self {
        let g = *solver.game();
        let left = i32::from(g.cols) * i32::from(g.rows) - s.plies() as i32;
        let mut plays = Vec::new();
        g.moves(&s, &mut plays);
        let enter = |play: u8| {
            let child = g.after(&s, play);
            let from_middle = (2 * i32::from(play) - i32::from(g.cols) + 1).abs();
            RootMove { play, child, least: -(left / 2), most: (left + 1) / 2, guess: -from_middle }
        };
        let mut moves: Vec<RootMove> = plays.into_iter().map(enter).collect();
        moves.sort_by_key(|entry| -entry.guess);
        let before = solver.nodes();
        let reported = Duration::ZERO;
        RootPosition { solver, s, purse, before, glimpsed: 0, depth: 0, moves, observer, reported }
    }

    fn spent(&self) -> u64 {
        self.solver.nodes() - self.before + self.glimpsed
    }

    /// Bounds of the best score.
    fn bounds(&self) -> (i32, i32) {
        let most = |bound: fn(&RootMove) -> i32| self.moves.iter().map(bound).max();
        most(|entry| entry.least)
            .zip(most(|entry| entry.most))
            .expect("a game that goes on has a move")
    }

    /// Finds out whether a move has a score above `alpha`, and notes what was found;
    /// `None` when `part` of the purse is spent.
    fn ask(&mut self, alpha: i32, part: f64) -> Option<()> {
        for i in 0..self.moves.len() {
            self.report();
            let limits = self.purse.limits(part, self.spent());
            let entry = &mut self.moves[i];
            if entry.most <= alpha {
                continue;
            }
            let bound = -self.solver.bound(&entry.child, -alpha - 1, &limits)?;
            if bound > alpha {
                entry.least = entry.least.max(bound);
                self.moves[..=i].rotate_right(1);
                return Some(());
            }
            entry.most = entry.most.min(bound);
        }
        Some(())
    }

    /// Narrows the best score to one number.
    fn narrow(&mut self, part: f64) -> Option<()> {
        loop {
            let (least, most) = self.bounds();
            if least >= most {
                return Some(());
            }
            self.ask(between(least, most), part)?;
        }
    }

    /// Finds out who wins.
    fn weigh(&mut self) -> Option<()> {
        for alpha in if self.s.plies().is_multiple_of(2) { [0, -1] } else { [-1, 0] } {
            let (least, most) = self.bounds();
            if least <= alpha && alpha < most {
                self.ask(alpha, 1.0)?;
            }
        }
        Some(())
    }

    /// Looks ahead to judge what may stay unproven, and sorts the moves by it.
    fn judge(&mut self) {
        self.glimpsed = self.purse.glimpse();
        let (values, depth) =
            look_ahead(self.solver.game(), &self.s, self.glimpsed, self.purse.stop);
        self.depth = depth;
        for entry in &mut self.moves {
            let found = values.iter().find(|(play, _)| *play == entry.play);
            entry.guess = found.map_or(0, |&(_, value)| value);
        }
        self.moves.sort_by_key(|entry| -entry.worth());
    }

    /// Says what is known so far, to whoever watches.
    fn report(&mut self) {
        let elapsed = self.purse.began.elapsed();
        if self.observer.interval().is_some_and(|gap| elapsed - self.reported >= gap) {
            self.reported = elapsed;
            self.observer.report(&self.choice());
        }
    }

    fn choice(&self) -> Choice<u8> {
        let nodes = self.spent();
        let best = self
            .moves
            .iter()
            .reduce(|best, entry| if entry.worth() > best.worth() { entry } else { best })
            .expect("a game that goes on has a move")
            .play;
        let mut lines: Vec<RootLine<u8>> =
            self.moves.iter().map(|entry| self.line(entry)).collect();
        lines.sort_by_key(|line| line.play);
        let time = self.purse.began.elapsed();
        Choice { lines, nodes, depth: self.depth, time, ..Choice::bare(best) }
    }

    fn line(&self, entry: &RootMove) -> RootLine<u8> {
        let exact = entry.least == entry.most;
        let plies = if exact { self.solver.proof(&self.s, entry.least).plies } else { None };
        let proven = entry.verdict().map(|verdict| Proof { verdict, plies });
        let value = f64::from(entry.worth()) / f64::from(WIN);
        RootLine { value: Some(value.clamp(-1.0, 1.0)), proven, ..RootLine::new(entry.play) }
    }
}
