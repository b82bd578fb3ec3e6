//! Searches of Connect Four compared with those of similar libraries: tree search by simulations,
//! iterative deepening to a depth, and exact solving.

use std::time::Duration;

use connect_four_ai::{Position, Solver as PeerSolver};
use ludion::game::{Game, Status};
use ludion::games::connect4::solver::{Connect4Solver, Connect4SolverLimits};
use ludion::games::connect4::{Connect4, Connect4State};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry;
use minimax::{IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Strategy};

use crate::harness::{Clock, Contender, Suite};
use crate::peers::{ConnectBoard, MinimaxConnect4, ZeroEvaluator};

/// Lets a player of Ludion choose the first move of a new game again and again.
fn ours(spec: &str, budget: Budget, units: u64) -> impl FnMut() -> u64 {
    let game = registry::standard().game("connect4").expect("a registered game");
    let mut player = game.player(spec).expect("a registered player");
    let start = game.start();
    move || {
        player.begin(1);
        let choice = player.choose(&*start, budget, &NoObserver).expect("the game is not over");
        std::hint::black_box(choice);
        units
    }
}

/// Compares simulations from the start on one thread.
pub(crate) fn tree_search(simulations: u32) -> Suite {
    let budget = Budget { simulations: Some(simulations.into()), ..Budget::UNLIMITED };
    let theirs = move || {
        let options = MCTSOptions::default().with_num_threads(1);
        let mut strategy: MonteCarloTreeSearch<MinimaxConnect4> =
            MonteCarloTreeSearch::new(options);
        strategy.set_max_rollouts(simulations);
        std::hint::black_box(strategy.choose_move(&ConnectBoard::default()));
        simulations.into()
    };
    Suite {
        unit: "simulations",
        contenders: vec![
            Contender::new("ludion", ours("mcts", budget, simulations.into())),
            Contender::new("minimax", theirs),
        ],
        rounds: 7,
        clock: Clock::Processor,
    }
}

/// Compares every parallel mode on two threads with one thread.
pub(crate) fn threads(simulations: u64) -> Suite {
    let budget = Budget { simulations: Some(simulations), ..Budget::UNLIMITED };
    let contender = |name, spec| Contender::new(name, ours(spec, budget, simulations));
    Suite {
        unit: "simulations",
        contenders: vec![
            contender("2 threads, one tree", "mcts(threads=2)"),
            contender("2 threads, a tree each", "mcts(threads=2, parallel=root)"),
            contender("2 threads at the leaves", "mcts(threads=2, parallel=leaf)"),
            contender("1 thread", "mcts"),
        ],
        rounds: 11,
        clock: Clock::Wall,
    }
}

/// Compares iterative deepening to depth 20 on two threads with one thread.
pub(crate) fn deepening_threads() -> Suite {
    let budget = Budget { depth: Some(20), ..Budget::UNLIMITED };
    Suite {
        unit: "searches",
        contenders: vec![
            Contender::new("2 threads", ours("deepening(secs=0, threads=2)", budget, 1)),
            Contender::new("1 thread", ours("deepening(secs=0)", budget, 1)),
        ],
        rounds: 7,
        clock: Clock::Wall,
    }
}

/// Compares iterative deepening to depth 14 from the start, without an evaluator.
pub(crate) fn deepening() -> Suite {
    const DEPTH: u8 = 14;
    let budget = Budget { depth: Some(DEPTH.into()), ..Budget::UNLIMITED };
    let theirs = move || {
        let options = IterativeOptions::new().with_table_byte_size(64 << 20);
        let mut strategy = IterativeSearch::new(ZeroEvaluator, options);
        strategy.set_max_depth(DEPTH);
        std::hint::black_box(strategy.choose_move(&ConnectBoard::default()));
        1
    };
    Suite {
        unit: "searches",
        contenders: vec![
            Contender::new("ludion", ours("deepening(eval=none, secs=0)", budget, 1)),
            Contender::new("minimax", theirs),
        ],
        rounds: 7,
        clock: Clock::Processor,
    }
}

/// Compares exact solving of positions with `stones` stones whose games last `left` more plies,
/// each from an empty table.
pub(crate) fn solving(
    count: usize,
    stones: std::ops::Range<u32>,
    left: std::ops::Range<u32>,
    rounds: usize,
) -> Suite {
    let positions = positions(count, stones, left);
    let (lines, states): (Vec<String>, Vec<Connect4State>) = positions.into_iter().unzip();
    let mut solver = Connect4Solver::new(Connect4::STANDARD, 64);
    let ours = move || {
        for s in &states {
            solver.clear();
            std::hint::black_box(solver.solve(s, &Connect4SolverLimits::default()));
        }
        states.len() as u64
    };
    let mut peer = PeerSolver::empty();
    let theirs = move || {
        for line in &lines {
            peer.reset();
            let position = Position::from_moves(line).expect("a line of legal moves");
            std::hint::black_box(peer.solve(&position));
        }
        lines.len() as u64
    };
    Suite {
        unit: "positions",
        contenders: vec![Contender::new("ludion", ours), Contender::new("connect-four-ai", theirs)],
        rounds,
        clock: Clock::Processor,
    }
}

/// Compares exact solving of positions with 8 to 14 stones on two threads with one thread, each from
/// an empty table.
pub(crate) fn solving_threads() -> Suite {
    let states: Vec<Connect4State> =
        positions(20, 8..15, 14..28).into_iter().map(|(_, s)| s).collect();
    let contender = |name, threads| {
        let states = states.clone();
        let mut solver = Connect4Solver::new(Connect4::STANDARD, 64).with_threads(threads);
        Contender::new(name, move || {
            for s in &states {
                solver.clear();
                std::hint::black_box(solver.solve(s, &Connect4SolverLimits::default()));
            }
            states.len() as u64
        })
    };
    Suite {
        unit: "positions",
        contenders: vec![contender("2 threads", 2), contender("1 thread", 1)],
        rounds: 5,
        clock: Clock::Wall,
    }
}

/// Returns random positions from a fixed seed, as played columns and as states, without an
/// immediate win.
pub(crate) fn positions(
    count: usize,
    stones: std::ops::Range<u32>,
    left: std::ops::Range<u32>,
) -> Vec<(String, Connect4State)> {
    let (g, mut rng) = (Connect4::STANDARD, Rng::new(2026));
    let mut solver = Connect4Solver::new(g, 64);
    let mut found = Vec::new();
    while found.len() < count {
        let length = stones.start + rng.below((stones.end - stones.start) as usize) as u32;
        let Some((line, s)) = random_line(&g, length, &mut rng) else { continue };
        let limits = Connect4SolverLimits {
            deadline: Some(std::time::Instant::now() + Duration::from_secs(2)),
            ..Connect4SolverLimits::default()
        };
        let Some(score) = solver.solve(&s, &limits) else { continue };
        if solver.proof(&s, score).plies.is_some_and(|plies| left.contains(&plies)) {
            found.push((line, s));
        }
    }
    found
}

/// Draws a random game of `length` plies; `None` if it is over by then.
pub(crate) fn random_line(
    g: &Connect4,
    length: u32,
    rng: &mut Rng,
) -> Option<(String, Connect4State)> {
    let (mut s, mut line, mut moves) = (g.start(), String::new(), Vec::new());
    for _ in 0..length {
        moves.clear();
        g.moves(&s, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let m = moves[rng.below(moves.len())];
        line += &g.show_move(&s, m);
        g.play(&mut s, m);
    }
    matches!(g.status(&s), Status::Turn(_)).then_some((line, s))
}
