//! The player `endgame` and the solver of Othello for the registry, both by
//! [`EndgameSolver`](super::endgame::EndgameSolver).

use std::time::{Duration, Instant};

use super::endgame::{EndgameLimits, EndgameSolver};
use super::evaluator::MobilityEvaluator;
use super::{Othello, OthelloState};
use crate::effective::{BudgetOverride, RepeatHazard};
use crate::game::{Game, Status};
use crate::named::{NamedPlayer, PlayerParts, RecommendedSpec};
use crate::outcome::Wdl;
use crate::param::{Args, Param, ParamError};
use crate::player::{
    BudgetUnit, Choice, MoveRequest, Player, PlayerError, Proof, RootLine, SearchDetails,
};
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::transposition_table::TranspositionTable;
use crate::solution::{Solution, SolveError, SolveLimits};

/// The share of the budget for iterative deepening if the solver may fail, which then gives the move.
const DEEPENING_PART: u32 = 5;

/// The longest time of which it takes that share: a search without a limit must come to the solver.
const LONGEST_DIVIDED_TIME: Duration = Duration::from_secs(60);

/// Plays Othello by iterative deepening, and perfectly from a given number of empty cells on.
pub struct EndgamePlayer {
    empties: u32,
    time: Duration,
    megabytes: usize,
    table: Option<TranspositionTable>,
    solver: Option<EndgameSolver>,
}

impl EndgamePlayer {
    /// Returns a player that solves positions of at most `empties` empty cells, and spends `time` on
    /// a move if the budget gives no limit. Its two tables have at most `megabytes` each.
    #[must_use]
    pub fn new(empties: u32, time: Duration, megabytes: usize) -> Self {
        EndgamePlayer { empties, time, megabytes, table: None, solver: None }
    }

    /// Chooses a move by iterative deepening, within `1 / part` of the budget.
    fn estimate(
        &mut self,
        request: &MoveRequest<'_, Othello>,
        time: Option<Duration>,
        part: u32,
    ) -> Result<Choice<u8>, PlayerError> {
        let Status::Turn(side) = request.game.status(request.state) else {
            return Err(PlayerError::Over);
        };
        let limits = DeepeningLimits {
            depth: request.budget.depth.unwrap_or(100),
            time: time.map(|time| time / part),
            nodes: request.budget.nodes.map(|nodes| (nodes / u64::from(part)).max(1)),
            threads: 1,
            advanced: false,
            all: request.observer.wants_all_values(),
            selective: false,
        };
        let megabytes = self.megabytes;
        let table = self.table.get_or_insert_with(|| TranspositionTable::growing(megabytes));
        table.next_search();
        Ok(deepen(request, side, table, Some(&MobilityEvaluator), limits).0)
    }
}

impl Player<Othello> for EndgamePlayer {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_, Othello>) -> Result<Choice<u8>, PlayerError> {
        let began = Instant::now();
        let (g, s, budget) = (request.game, request.state, &request.budget);
        let time =
            budget.time.or((budget.nodes.is_none() && budget.depth.is_none()).then_some(self.time));
        if g.empties(s) > self.empties {
            return self.estimate(request, time, 1);
        }
        let divided = time.map(|time| time.min(LONGEST_DIVIDED_TIME));
        let mut estimate = self.estimate(request, divided, DEEPENING_PART)?;
        let stop = || request.observer.should_stop();
        let limits = EndgameLimits {
            nodes: budget.nodes.map(|nodes| nodes.saturating_sub(estimate.nodes).max(1)),
            deadline: time.map(|time| began + time),
            stop: Some(&stop),
        };
        let fits = self.solver.take().filter(|solver| solver.game() == g);
        let solver =
            self.solver.insert(fits.unwrap_or_else(|| EndgameSolver::new(*g, self.megabytes)));
        let before = solver.nodes();
        let all = request.observer.wants_all_values();
        if let Some(root) = RootScores::solve(solver, s, &limits, all) {
            estimate.best = root.best();
            estimate.lines = root.lines(solver, s);
        } else if request.observer.details_limit().is_some() {
            let empties = g.empties(s);
            let note = format!(
                "the solver gave up on {empties} empty cells within the budget; the move is that of \
                 the search by depth"
            );
            let details = SearchDetails { notes: vec![note], ..SearchDetails::default() };
            request.observer.report_details(&details);
        }
        estimate.nodes += solver.nodes() - before;
        estimate.time = began.elapsed();
        Ok(estimate)
    }
}

impl NamedPlayer<Othello> for EndgamePlayer {
    const NAME: &'static str = "endgame";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::disables("ms", BudgetUnit::Time),
        BudgetOverride::disables("ms", BudgetUnit::Nodes),
        BudgetOverride::disables("ms", BudgetUnit::Depth),
    ];
    const HAZARDS: &'static [RepeatHazard] = &[RepeatHazard::clock("ms")];
    const HELP: &'static str =
        "searches ever deeper, and plays the last empty cells of Othello perfectly";
    const QUICK: Option<RecommendedSpec> = Some(RecommendedSpec::new(3, "endgame"));
    const PARAMS: &'static [Param] = &[
        Param::int("empties", 18, 1, 60, "most empty cells of a position that is solved"),
        Param::int("ms", 500, 1, 86_400_000, "milliseconds per move, if there is no budget"),
        Param::int("mb", 64, 1, 1 << 16, "megabytes of each table"),
    ];

    fn build(args: &Args, _parts: &PlayerParts<Othello>) -> Result<Self, ParamError> {
        let time = Duration::from_millis(args.size("ms") as u64);
        Ok(EndgamePlayer::new(args.size("empties") as u32, time, args.size("mb")))
    }
}

/// The bounds of the scores of all root moves.
struct RootScores {
    moves: Vec<RootScore>,
    cells: i32,
}

/// A root move with the proven bounds of its score for the side to move.
#[derive(Clone, Copy)]
struct RootScore {
    play: u8,
    lower: i32,
    upper: i32,
}

impl RootScore {
    fn verdict(self) -> Option<Wdl> {
        match (self.lower, self.upper) {
            (1.., _) => Some(Wdl::Win),
            (_, ..=-1) => Some(Wdl::Loss),
            (0, 0) => Some(Wdl::Draw),
            _ => None,
        }
    }
}

impl RootScores {
    /// Finds the exact score of the best move, and of every move if `all`; otherwise at least whether
    /// each wins, draws or loses. Returns `None` if a limit stops the search.
    fn solve(
        solver: &mut EndgameSolver,
        s: &OthelloState,
        limits: &EndgameLimits<'_>,
        all: bool,
    ) -> Option<RootScores> {
        let (g, before) = (*solver.game(), solver.nodes());
        let cells = g.cells() as i32;
        // Each search gets the nodes that the ones before it have left.
        let left = |solver: &EndgameSolver| EndgameLimits {
            nodes: limits.nodes.map(|most| (most + before).saturating_sub(solver.nodes())),
            ..*limits
        };
        let mut plays = Vec::new();
        g.moves(s, &mut plays);
        let best = solver.solve(s, &left(solver))?;
        let first = solver.variation(s).first().copied();
        // Positions with few empty cells are not in the table, and all their moves are solved fast.
        let all = all || first.is_none();
        let mut moves = Vec::new();
        for play in plays {
            let child = g.after(s, play);
            let mut score = RootScore { play, lower: -cells, upper: best };
            if first == Some(play) {
                score.lower = best;
            } else if all {
                let exact = -solver.solve(&child, &left(solver))?;
                (score.lower, score.upper) = (exact, exact);
            }
            // Whether the move wins, then whether it loses.
            for alpha in [0, -1] {
                if score.verdict().is_none() && score.lower <= alpha && alpha < score.upper {
                    let bound = -solver.bound(&child, -alpha - 1, -alpha, &left(solver))?;
                    match bound > alpha {
                        true => score.lower = score.lower.max(bound),
                        false => score.upper = score.upper.min(bound),
                    }
                }
            }
            moves.push(score);
        }
        Some(RootScores { moves, cells })
    }

    /// Returns the first of the moves with the highest proven score.
    fn best(&self) -> u8 {
        let best = self
            .moves
            .iter()
            .reduce(|best, score| if score.lower > best.lower { score } else { best });
        best.expect("an unfinished game has a move").play
    }

    /// Returns all moves with the highest score. Returns `None` if a limit stops the search.
    fn equally_good(
        &self,
        solver: &mut EndgameSolver,
        s: &OthelloState,
        limits: &EndgameLimits<'_>,
    ) -> Option<Vec<u8>> {
        let most = self.moves.iter().map(|score| score.lower).max()?;
        let mut best = Vec::new();
        for score in &self.moves {
            let keeps = match (score.lower >= most, score.upper >= most) {
                (true, _) => true,
                (false, false) => false,
                (false, true) => {
                    let child = solver.game().after(s, score.play);
                    -solver.bound(&child, -most, -most + 1, limits)? >= most
                }
            };
            best.extend(keeps.then_some(score.play));
        }
        Some(best)
    }

    /// Returns a line for each move. Its value is the difference of discs, divided by the number of
    /// cells, if it is known exactly.
    fn lines(&self, solver: &EndgameSolver, s: &OthelloState) -> Vec<RootLine<u8>> {
        let line = |score: &RootScore| {
            let is_exact = score.lower == score.upper;
            let value = || f64::from(score.lower) / f64::from(self.cells);
            let mut variation = vec![score.play];
            variation.extend(solver.variation(&solver.game().after(s, score.play)));
            RootLine {
                value: is_exact.then(value),
                proven: score.verdict().map(|verdict| Proof { verdict, plies: None }),
                variation,
                ..RootLine::new(score.play)
            }
        };
        self.moves.iter().map(line).collect()
    }
}

/// Solves the state of `request` within `limits`: the exact score of the best move, and whether each
/// other move wins, draws or loses. The budget of the request is ignored.
pub fn solve(
    request: &MoveRequest<'_, Othello>,
    limits: SolveLimits,
) -> Result<Solution<u8>, SolveError> {
    let (g, s) = (request.game, request.state);
    if let Status::Over(_) = g.status(s) {
        return Err(SolveError::Over);
    }
    let mut solver = EndgameSolver::new(*g, limits.megabytes);
    let stop = || request.observer.should_stop();
    let within =
        EndgameLimits { nodes: Some(limits.nodes), stop: Some(&stop), ..EndgameLimits::default() };
    let Some(root) = RootScores::solve(&mut solver, s, &within, false) else {
        return Err(SolveError::Spent { nodes: solver.nodes(), depth: 0 });
    };
    let best = root.best();
    let lines = root.lines(&solver, s);
    let proof = lines.iter().find(|line| line.play == best).and_then(|line| line.proven);
    let value = proof.expect("the best move is proven");
    let Some(best) = root.equally_good(&mut solver, s, &within) else {
        return Err(SolveError::Spent { nodes: solver.nodes(), depth: 0 });
    };
    Ok(Solution { value, best, lines, nodes: solver.nodes() })
}
