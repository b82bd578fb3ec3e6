//! Solved values: the exhaustive walk and the search agree with each other, with the census of all
//! positions, and with published results.

use crate::common::{Tree, unfinished_states};
use ludion::game::{Game, Side, Status};
use ludion::games::breakthrough::Breakthrough;
use ludion::games::connect4::Connect4;
use ludion::games::hexapawn::Hexapawn;
use ludion::games::matches::Matches;
use ludion::games::morpion::{AfterPlacing, Morpion};
use ludion::games::tictactoe::TicTacToe;
use ludion::outcome::{Duel, Wdl};
use ludion::player::{Budget, MoveRequest, NoObserver, Proof};
use ludion::random::Rng;
use ludion::registry;
use ludion::search::census::census;
use ludion::search::solve::{Solution, SolveError, SolveLimits, solve};

const WALK: SolveLimits =
    SolveLimits { nodes: u64::MAX, walk: usize::MAX, threads: 1, megabytes: 1, result_only: false };
const SEARCH: SolveLimits = SolveLimits { walk: 0, ..WALK };
const LARGE: SolveLimits = SolveLimits { megabytes: 64, ..SEARCH };

fn solve_with<G: Game<Outcome = Duel>>(
    effort: SolveLimits,
    g: &G,
    s: &G::State,
) -> Solution<G::Move> {
    solve(&MoveRequest::new(g, s, Budget::UNLIMITED), effort).unwrap()
}

/// Checks that both methods agree on every move, that the best moves come first, and that the
/// variation has the claimed length.
fn check<G: Game<Outcome = Duel>>(g: &G, s: &G::State, threads: usize) -> Proof {
    let walked = solve_with(WALK, g, s);
    let searched = solve_with(SolveLimits { threads, ..SEARCH }, g, s);
    let at = g.show_state(s);
    assert_eq!((walked.value, &walked.best), (searched.value, &searched.best), "{at}");
    for (one, other) in walked.lines.iter().zip(&searched.lines) {
        assert_eq!((one.play, one.proven), (other.play, other.proven), "{at}");
        let mut end = s.clone();
        one.variation.iter().for_each(|&m| g.play(&mut end, m));
        let plies = one.proven.unwrap().plies.map_or(one.variation.len(), |p| p as usize);
        assert_eq!(one.variation.len(), plies, "{at}: {one:?}");
        assert!(matches!(g.status(&end), Status::Over(_)), "{at}: {one:?}");
    }
    walked.value
}

fn check_all<G: Game<Outcome = Duel>>(g: &G, every: usize) {
    for s in unfinished_states(g).iter().step_by(every) {
        let value = check(g, s, 1);
        let side = g.status(s).turn().unwrap();
        assert_eq!(census(g, s, u64::MAX).unwrap().perfect, value.verdict.to_duel(side));
    }
}

/// Checks the result of proof-number search, and every move whose result it tells, on some states.
fn check_result_only<G: Game<Outcome = Duel>>(g: &G, states: &[G::State]) {
    let result_only = SolveLimits { result_only: true, ..WALK };
    for s in states {
        let (all, found) = (solve_with(WALK, g, s), solve_with(result_only, g, s));
        let at = g.show_state(s);
        assert_eq!(found.value, Proof { verdict: all.value.verdict, plies: None }, "{at}");
        assert!(!found.best.is_empty(), "{at}");
        assert_eq!(found.lines.len(), all.lines.len(), "{at}");
        for (line, exact) in found.lines.iter().zip(&all.lines) {
            let verdict = exact.proven.unwrap().verdict;
            assert_eq!(line.play, exact.play, "{at}");
            let is_best = found.best.contains(&line.play);
            assert!(!is_best || verdict == all.value.verdict, "{at}: {line:?}");
            assert!(line.proven.is_none_or(|proof| proof.verdict == verdict), "{at}: {line:?}");
        }
    }
}

#[test]
fn proof_number_search_finds_the_results_of_small_games() {
    let matches = Matches { n: 30, misere: true };
    check_result_only(&matches, &unfinished_states(&matches));
    check_result_only(&TicTacToe, &unfinished_states(&TicTacToe));
    for (rows, cols) in [(4, 2), (4, 3), (5, 2)] {
        let g = Breakthrough::new(rows, cols);
        let states: Vec<_> = unfinished_states(&g).into_iter().step_by(97).collect();
        check_result_only(&g, &states);
    }
}

#[test]
fn walk_search_and_census_agree_on_small_games() {
    check_all(&Matches { n: 30, misere: true }, 1);
    check_all(&Matches { n: 30, misere: false }, 1);
    check_all(&Hexapawn::new(3, 3, false, false), 1);
    check_all(&Hexapawn::new(4, 3, true, false), 7);
    check_all(&Hexapawn::new(3, 6, false, true), 29);
    check_all(&TicTacToe, 53);
    check_all(&Morpion::new(3, false, AfterPlacing::Place), 97);
    check_all(&Morpion::new(3, true, AfterPlacing::SlideStraight), 997);
    check_all(&Connect4::new(4, 3), 61);
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let tree = Tree::read(&Tree::random(&mut rng, 6));
        check(&tree, &0, 2);
    }
}

#[test]
fn distances_are_those_of_theory_in_matches() {
    // The loser takes one match each time, the winner completes it to four.
    let g = Matches { n: 21, misere: false };
    let solved = solve_with(WALK, &g, &g.start());
    assert_eq!(solved.value, Proof { verdict: Wdl::Win, plies: Some(11) });
    assert_eq!(solved.best, [1]);
    let long = Matches { n: 1000, misere: false };
    assert_eq!(solve_with(WALK, &long, &long.start()).value.verdict, Wdl::Loss);
}

#[test]
fn larger_boards_have_the_known_winners() {
    let verdict = |winner| match winner {
        1 => Wdl::Win,
        2 => Wdl::Loss,
        _ => Wdl::Draw,
    };
    for (rows, cols, winner) in [(5, 5, 1), (5, 6, 2), (6, 5, 1)] {
        let g = Hexapawn::new(rows, cols, false, false);
        assert_eq!(solve_with(LARGE, &g, &g.start()).value.verdict, verdict(winner));
    }
    for (cols, rows, winner) in [(4, 4, 0), (5, 4, 0), (4, 5, 0), (4, 6, 0)] {
        let g = Connect4::new(cols, rows);
        assert_eq!(solve_with(LARGE, &g, &g.start()).value.verdict, verdict(winner));
    }
}

#[test]
fn positions_are_solved_through_the_registry() {
    let game = registry::standard().game("matches(10, misere)").unwrap();
    let solved = game.start().solve(SolveLimits::default(), &NoObserver).unwrap();
    assert_eq!((solved.best, solved.value.verdict), (vec!["1".to_owned()], Wdl::Win));
    assert_eq!(solved.lines.len(), 3);
}

#[test]
fn unsolvable_requests_are_errors() {
    let g = Connect4::STANDARD;
    let start = g.start();
    let turn = MoveRequest::new(&g, &start, Budget::UNLIMITED);
    let few = SolveLimits { nodes: 50_000, walk: 1000, ..SEARCH };
    assert!(matches!(
        solve(&turn, few),
        Err(SolveError::Spent { nodes: 50_000..50_100, depth: 5..20 })
    ));
    let over = ludion::games::matches::MatchesState { left: 0, turn: Side::First };
    let g = Matches { n: 5, misere: false };
    let turn = MoveRequest::new(&g, &over, Budget::UNLIMITED);
    assert_eq!(solve(&turn, few), Err(SolveError::Over));
}
