//! The Connect Four solver compared with plain walks over the rules, with published results of
//! other board sizes and with itself; and the player that uses it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ludion::evaluator::{Evaluator, WIN};
use ludion::game::{Game, Side, Status};
use ludion::games::connect4::evaluator::ThreatEvaluator;
use ludion::games::connect4::solver::{Connect4Solver, Connect4SolverLimits};
use ludion::games::connect4::solver_player::SolverPlayer;
use ludion::games::connect4::{Connect4, Connect4State};
use ludion::outcome::{Duel, Wdl};
use ludion::player::{Budget, Choice, MoveRequest, Player, PlayerError};
use ludion::random::Rng;
use ludion::registry;
use ludion::scene::Symmetry;
use ludion::search::census::census;

const UNLIMITED: Connect4SolverLimits<'static> =
    Connect4SolverLimits { nodes: None, deadline: None, stop: None };

fn moves(g: &Connect4, s: &Connect4State) -> Vec<u8> {
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    moves
}

fn after(g: &Connect4, s: &Connect4State, m: u8) -> Connect4State {
    let mut child = *s;
    g.play(&mut child, m);
    child
}

/// Returns a random unfinished position of `plies` stones. Winning moves are avoided, because
/// otherwise few games would last.
fn random_position(g: &Connect4, plies: u32, rng: &mut Rng) -> Connect4State {
    let mut s = g.start();
    while s.plies() < plies {
        let children: Vec<Connect4State> = moves(g, &s)
            .iter()
            .map(|&m| after(g, &s, m))
            .filter(|child| g.status(child).turn().is_some())
            .collect();
        s = if children.is_empty() { g.start() } else { children[rng.below(children.len())] };
    }
    s
}

/// Computes the score by a plain walk over the rules: the stones the winner has left, plus one.
fn plain_score(g: &Connect4, s: &Connect4State, seen: &mut HashMap<Connect4State, i32>) -> i32 {
    if let Some(&score) = seen.get(s) {
        return score;
    }
    let score = match g.status(s) {
        Status::Over(Duel::Drawn) => 0,
        Status::Over(Duel::Won(winner)) => {
            let cells = u32::from(g.cols()) * u32::from(g.rows());
            let of = |stones: u32| match winner {
                Side::First => stones.div_ceil(2),
                Side::Second => stones / 2,
            };
            -((of(cells) - of(s.plies()) + 1) as i32)
        }
        Status::Turn(_) => {
            moves(g, s).iter().map(|&m| -plain_score(g, &after(g, s, m), seen)).max().unwrap()
        }
    };
    seen.insert(*s, score);
    score
}

#[test]
fn scores_equal_a_plain_walk_on_boards_of_every_shape() {
    // Columns, rows, maximum number of empty cells that a plain walk can search.
    let boards = [
        (4, 4, 12),
        (4, 5, 13),
        (5, 4, 13),
        (5, 5, 12),
        (6, 4, 12),
        (6, 5, 12),
        (7, 6, 13),
        (8, 7, 11),
        (9, 6, 11),
        (12, 4, 11),
        (16, 3, 9),
        (1, 63, 60),
        (2, 31, 10),
        (32, 1, 5),
        (3, 9, 11),
    ];
    let mut rng = Rng::new(3);
    for (cols, rows, most_empty) in boards {
        let g = Connect4::new(cols, rows);
        let cells = u32::from(cols) * u32::from(rows);
        let mut solver = Connect4Solver::new(g, 1);
        let mut seen = HashMap::new();
        for i in 0..150 {
            let s = random_position(&g, cells - 1 - i % most_empty, &mut rng);
            let expected = plain_score(&g, &s, &mut seen);
            assert_eq!(solver.solve(&s, &UNLIMITED), Some(expected), "{cols}×{rows} {s:?}");
            assert_eq!(solver.verdict(&s, &UNLIMITED).unwrap().sign(), expected.signum());
            seen.clear();
        }
    }
}

#[test]
fn every_position_of_the_smallest_board_is_correct_with_one_table() {
    let g = Connect4::new(4, 4);
    let mut seen = HashMap::new();
    assert_eq!(plain_score(&g, &g.start(), &mut seen), 0);
    assert_eq!(census(&g, &g.start(), 1_000_000).unwrap().perfect, Duel::Drawn);
    let mut solver = Connect4Solver::new(g, 1);
    for (s, score) in seen.into_iter().filter(|(s, _)| s.plies() < 9) {
        assert_eq!(solver.solve(&s, &UNLIMITED), Some(score), "{s:?}");
    }
}

#[test]
fn other_boards_have_the_published_values() {
    let drawn = [(4, 4), (5, 4), (4, 5), (5, 5), (4, 6), (6, 5), (5, 6), (7, 4), (4, 7)];
    for (cols, rows) in drawn {
        let g = Connect4::new(cols, rows);
        let found = Connect4Solver::new(g, 16).verdict(&g.start(), &UNLIMITED);
        assert_eq!(found, Some(Wdl::Draw), "{cols}×{rows}");
    }
    let g = Connect4::new(6, 4);
    assert_eq!(Connect4Solver::new(g, 16).verdict(&g.start(), &UNLIMITED), Some(Wdl::Loss));
}

/// Scores confirmed by an independent solver.
const KNOWN: [(&str, i32); 12] = [
    ("234752316471", 3),
    ("441424633743", -5),
    ("146544354673", 0),
    ("3416637231733", 4),
    ("471643245345466", 0),
    ("34621325322753", 2),
    ("463645621331", 6),
    ("3163142645145", 7),
    ("6227325451531", -3),
    ("435634444552553", -2),
    ("326444364156453", -3),
    ("2255545544465634", -2),
];

#[test]
fn hard_positions_have_the_scores_of_another_solver() {
    let g = Connect4::STANDARD;
    let (mut wide, mut portable) =
        (Connect4Solver::new(g, 16), Connect4Solver::new(g, 16).portable());
    for (line, score) in KNOWN {
        let s = g.read_move_sequence(line).unwrap();
        assert_eq!(wide.solve(&s, &UNLIMITED), Some(score), "{line}");
        assert_eq!(portable.solve(&s, &UNLIMITED), Some(score), "{line}");
        // One search, compiled twice: the same positions to the last one.
        assert_eq!(wide.nodes(), portable.nodes(), "{line}");
    }
}

#[test]
fn mirror_images_have_mirrored_scores() {
    let g = Connect4::STANDARD;
    let mut rng = Rng::new(11);
    for plies in 16..30 {
        let s = random_position(&g, plies, &mut rng);
        let image = g.transform(&s, Symmetry::Mirror);
        let mut scores = Connect4Solver::new(g, 1).analyse(&s, &UNLIMITED).unwrap();
        scores.reverse();
        assert_eq!(Connect4Solver::new(g, 1).analyse(&image, &UNLIMITED), Some(scores), "{s:?}");
        assert_eq!(ThreatEvaluator.value(&g, &s), ThreatEvaluator.value(&g, &image));
        assert!(ThreatEvaluator.value(&g, &s).abs() < WIN);
    }
}

#[test]
fn a_proof_says_how_many_plies_perfect_play_lasts() {
    let g = Connect4::STANDARD;
    let mut rng = Rng::new(5);
    let mut solver = Connect4Solver::new(g, 4);
    for plies in 17..37 {
        let mut s = random_position(&g, plies, &mut rng);
        let score = solver.solve(&s, &UNLIMITED).unwrap();
        let (proof, side) = (solver.proof(&s, score), g.status(&s).turn().unwrap());
        let end = loop {
            if let Status::Over(end) = g.status(&s) {
                break end;
            }
            let scores = solver.analyse(&s, &UNLIMITED).unwrap();
            let (_, best) = scores.iter().zip(0..).filter(|(n, _)| n.is_some()).max().unwrap();
            s = after(&g, &s, best);
        };
        assert_eq!(end.seen_by(side), proof.verdict);
        assert_eq!(Some(s.plies() - plies), proof.plies, "{score}");
    }
}

#[test]
fn limits_are_kept_and_leave_the_table_correct() {
    let g = Connect4::STANDARD;
    let mut solver = Connect4Solver::new(g, 16);
    let s = g.read_move_sequence(KNOWN[0].0).unwrap();
    for nodes in [0, 1, 100, 5000] {
        let before = solver.nodes();
        assert_eq!(
            solver.solve(&s, &Connect4SolverLimits { nodes: Some(nodes), ..UNLIMITED }),
            None
        );
        assert_eq!(solver.nodes() - before, nodes);
    }
    assert_eq!(solver.analyse(&s, &Connect4SolverLimits { nodes: Some(900), ..UNLIMITED }), None);
    let past = Some(Instant::now());
    assert_eq!(solver.verdict(&s, &Connect4SolverLimits { deadline: past, ..UNLIMITED }), None);
    assert_eq!(solver.solve(&s, &Connect4SolverLimits { stop: Some(&|| true), ..UNLIMITED }), None);
    assert_eq!(solver.solve(&s, &UNLIMITED), Some(KNOWN[0].1));
    solver.clear();
    assert_eq!(solver.solve(&s, &UNLIMITED), Some(KNOWN[0].1));
}

#[test]
fn finished_games_and_almost_full_boards_have_scores() {
    let g = Connect4::STANDARD;
    let mut solver = Connect4Solver::new(g, 1);
    let score = |solver: &mut Connect4Solver, line: &str| {
        solver.solve(&g.read_move_sequence(line).unwrap(), &UNLIMITED).unwrap()
    };
    assert_eq!(score(&mut solver, "1212121"), -18);
    assert_eq!(score(&mut solver, "121212"), 18);
    assert_eq!(score(&mut solver, "33445"), -18);
    let tiny = Connect4::new(2, 2);
    for line in ["", "1", "12", "121", "1212"] {
        let s = tiny.read_move_sequence(line).unwrap();
        assert_eq!(Connect4Solver::new(tiny, 1).solve(&s, &UNLIMITED), Some(0), "{line}");
    }
}

#[test]
fn move_lists_parse_as_columns_or_say_where_they_are_wrong() {
    let g = Connect4::STANDARD;
    let s = g.read_move_sequence(" 4455\n").unwrap();
    assert_eq!(
        (s.plies(), g.show_state(&s)),
        (4, { ".......".to_owned() + "/......./......./......./...oo../...xx.." })
    );
    assert_eq!(g.read_move_sequence("").unwrap(), g.start());
    for (line, at, problem) in [
        ("4 4", 1, "' ' is not a column (1 to 7)"),
        ("48", 1, "'8' is not a column (1 to 7)"),
        ("  40", 3, "'0' is not a column (1 to 7)"),
        ("4é", 1, "'é' is not a column (1 to 7)"),
        ("4444444", 6, "column 4 is full"),
        ("12121213", 7, "the game was over (first wins) before the move"),
    ] {
        let error = g.read_move_sequence(line).unwrap_err();
        assert_eq!(error.position(), Some(at), "{line}");
        assert_eq!(error.to_string(), format!("{problem} at character {} of {line:?}", at + 1));
    }
    let wide = Connect4::new(12, 4);
    assert_eq!(wide.read_move_sequence("c").unwrap(), after(&wide, &wide.start(), 11));
    assert!(wide.read_move_sequence("d").unwrap_err().to_string().contains("1 to c"));
}

fn choose(player: &mut SolverPlayer, s: &Connect4State, nodes: u64) -> Choice<u8> {
    let budget = Budget { nodes: Some(nodes), ..Budget::UNLIMITED };
    player.begin(0);
    player.choose(&MoveRequest::new(&Connect4::STANDARD, s, budget)).unwrap()
}

#[test]
fn the_solver_player_keeps_the_value_and_its_proofs_are_correct() {
    let g = Connect4::STANDARD;
    let mut rng = Rng::new(8);
    let (mut player, mut solver) =
        (SolverPlayer::new(Duration::from_secs(1), 16), Connect4Solver::new(g, 16));
    for i in 0..60 {
        let s = random_position(&g, 14 + i % 24, &mut rng);
        let scores = solver.analyse(&s, &UNLIMITED).unwrap();
        let choice = choose(&mut player, &s, 2_000_000);
        let best = scores.iter().flatten().max().copied().unwrap();
        assert_eq!(scores[usize::from(choice.best)], Some(best), "{s:?}");
        for line in &choice.lines {
            let proof = solver.proof(&s, scores[usize::from(line.play)].unwrap());
            if let Some(proven) = line.proven {
                assert_eq!(proven.verdict, proof.verdict);
                assert!(proven.plies.is_none() || proven.plies == proof.plies);
            }
        }
    }
}

#[test]
fn the_solver_player_prefers_a_proven_draw_to_an_estimate() {
    let g = Connect4::STANDARD;
    // Column 4 draws, column 3 loses, and the player does not prove more than it needs.
    let s = g.read_move_sequence("361375671377").unwrap();
    let mut player = SolverPlayer::new(Duration::from_secs(1), 64);
    assert_eq!(choose(&mut player, &s, 2_800_000).best, 3);
}

#[test]
fn the_solver_player_is_deterministic_for_a_node_budget() {
    let g = Connect4::STANDARD;
    let plain_score = |choice: Choice<u8>| Choice { time: Duration::ZERO, ..choice };
    for line in ["", "4", "44", "436", "2345671", KNOWN[0].0] {
        let s = g.read_move_sequence(line).unwrap();
        let mut fresh = SolverPlayer::new(Duration::from_secs(1), 4);
        let choice = plain_score(choose(&mut fresh, &s, 30_000));
        assert!(choice.nodes <= 30_000, "{} nodes", choice.nodes);
        assert_eq!(choice.lines.len(), moves(&g, &s).len());
        assert_eq!(plain_score(choose(&mut fresh, &s, 30_000)), choice, "{line}");
    }
}

#[test]
fn the_solver_player_plays_any_board_and_refuses_finished_games() {
    let mut player = SolverPlayer::new(Duration::from_millis(1), 1);
    for (cols, rows) in [(4, 4), (9, 6), (1, 1), (32, 1), (7, 6)] {
        let g = Connect4::new(cols, rows);
        let mut s = g.start();
        let budget = Budget { nodes: Some(2000), ..Budget::UNLIMITED };
        while g.status(&s).turn().is_some() {
            let choice = player.choose(&MoveRequest::new(&g, &s, budget)).unwrap();
            s = after(&g, &s, choice.best);
        }
        let refusal = player.choose(&MoveRequest::new(&g, &s, budget)).unwrap_err();
        assert_eq!(refusal, PlayerError::Over);
    }
    let registry = registry::standard();
    let game = registry.game("connect4").unwrap();
    assert!(game.player("expert(ms=50, mb=8)").is_ok());
    assert!(registry.game("matches").unwrap().player("expert").is_err());
}
