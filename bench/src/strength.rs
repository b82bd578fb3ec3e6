//! Playing strength measured against exact results: the share of random Connect Four positions in
//! which the chosen move keeps the game value (win, draw or loss).

use ludion::game::Game;
use ludion::games::connect4::solver::{Connect4Solver, Connect4SolverLimits};
use ludion::games::connect4::{Connect4, Connect4State};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry;
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy};
use serde_json::{Value, json};

use crate::peers::{ConnectBoard, MinimaxConnect4};
use crate::searches::random_line;

/// Number of positions.
const POSITIONS: usize = 250;
/// Number of plies of the positions.
const PLIES: std::ops::Range<u32> = 6..31;
/// The ply from which positions are also counted separately.
const LATE: u32 = 12;

/// A position with the result of every column for the side to move: 1, 0 or −1.
struct SolvedPosition {
    line: String,
    plies: u32,
    results: Vec<Option<i32>>,
}

impl SolvedPosition {
    fn kept(&self, column: usize) -> bool {
        self.results[column] == self.results.iter().flatten().copied().max()
    }
}

/// The score of one player.
pub(crate) struct StrengthScore {
    name: String,
    kept: u32,
    late_kept: u32,
    late: u32,
}

/// Lets every player choose a move in every position.
pub(crate) fn measure() -> Vec<StrengthScore> {
    let known = positions();
    let simulations = Budget { simulations: Some(10_000), ..Budget::UNLIMITED };
    let time = Budget { time: Some(std::time::Duration::from_millis(100)), ..Budget::UNLIMITED };
    vec![
        score("mcts, 10,000 simulations", &known, ours("mcts", simulations)),
        score("minimax, 10,000 simulations", &known, theirs),
        score("deepening, 100 ms", &known, ours("deepening", time)),
        score("expert, 100 ms", &known, ours("expert", time)),
    ]
}

fn score(
    name: &str,
    known: &[SolvedPosition],
    mut choose: impl FnMut(&str) -> usize,
) -> StrengthScore {
    let mut score = StrengthScore { name: name.to_owned(), kept: 0, late_kept: 0, late: 0 };
    for position in known {
        let kept = u32::from(position.kept(choose(&position.line)));
        score.kept += kept;
        if position.plies >= LATE {
            score.late += 1;
            score.late_kept += kept;
        }
    }
    score
}

fn ours(spec: &str, budget: Budget) -> impl FnMut(&str) -> usize {
    let game = registry::standard().game("connect4").expect("a registered game");
    let mut player = game.player(spec).expect("a registered player");
    move |line| {
        let mut position = game.start();
        position.play_line(line).expect("a line of legal moves");
        player.begin(1);
        let choice = player.choose(&*position, budget, &NoObserver).expect("the game is not over");
        choice.best.parse::<usize>().expect("a column") - 1
    }
}

fn theirs(line: &str) -> usize {
    let play = |mut board: ConnectBoard, column: u8| {
        let next = <MinimaxConnect4 as minimax::Game>::apply(&mut board, column - b'1');
        next.unwrap_or(board)
    };
    let board = line.bytes().fold(ConnectBoard::default(), play);
    let mut strategy: MonteCarloTreeSearch<MinimaxConnect4> =
        MonteCarloTreeSearch::new(MCTSOptions::default().with_num_threads(1));
    strategy.set_max_rollouts(10_000);
    strategy.choose_move(&board).expect("the game is not over").into()
}

/// Returns random positions from a fixed seed, with the result of every move.
fn positions() -> Vec<SolvedPosition> {
    let (g, mut rng) = (Connect4::STANDARD, Rng::new(92));
    let mut solver = Connect4Solver::new(g, 256);
    let mut known = Vec::new();
    while known.len() < POSITIONS {
        let plies = PLIES.start + rng.below(PLIES.len()) as u32;
        let Some((line, s)) = random_line(&g, plies, &mut rng) else { continue };
        known.push(SolvedPosition { line, plies, results: results(&g, &mut solver, &s) });
    }
    known
}

fn results(g: &Connect4, solver: &mut Connect4Solver, s: &Connect4State) -> Vec<Option<i32>> {
    let mut results = vec![None; g.cols().into()];
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    for m in moves {
        let mut child = *s;
        g.play(&mut child, m);
        let verdict =
            solver.verdict(&child, &Connect4SolverLimits::default()).expect("no limit was set");
        results[usize::from(m)] = Some(-verdict.sign());
    }
    results
}

/// Formats the scores as text.
pub(crate) fn text(scores: &[StrengthScore]) -> String {
    let mut text = format!(
        "connect4-strength\n  the chosen move keeps the game value, of {POSITIONS} random positions of {} to {} plies\n",
        PLIES.start,
        PLIES.end - 1
    );
    for score in scores {
        let share = |kept: u32, of: u32| 100.0 * f64::from(kept) / f64::from(of);
        text += &format!(
            "  {:<28} {:>5.1} %   from ply {LATE} on {:>5.1} % ({} of {})\n",
            score.name,
            share(score.kept, POSITIONS as u32),
            share(score.late_kept, score.late),
            score.late_kept,
            score.late,
        );
    }
    text
}

/// Formats the scores as JSON.
pub(crate) fn json(scores: &[StrengthScore]) -> Value {
    let score = |m: &StrengthScore| json!({"name": m.name, "kept": m.kept, "of": POSITIONS, "late_kept": m.late_kept, "late": m.late});
    scores.iter().map(score).collect()
}
