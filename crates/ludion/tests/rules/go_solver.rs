//! The solver of small boards of Go: bounds that hold on every path, beside the general solver, which
//! searches over paths, and published values.

use ludion::game::Game;
use ludion::games::go::{Go, solver::solve_by_bounds};
use ludion::outcome::Wdl;
use ludion::player::{Budget, MoveRequest, NoObserver};
use ludion::random::Rng;
use ludion::registry;
use ludion::repetition::GamePath;
use ludion::search::solve::{SolveLimits, solve};
use ludion::solution::SolveError;

/// Returns the result of the first state for the first side, if the bounds decide it.
fn value(size: usize, komi: f64) -> Option<Wdl> {
    let g = Go::new(size, komi);
    let start = g.start();
    let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
    let solved = solve_by_bounds(&request, SolveLimits::default()).unwrap();
    solved.map(|solution| solution.value.verdict)
}

#[test]
fn three_by_three_is_decided_for_every_komi_and_two_by_two_beyond_one_point() {
    let verdicts = [-9.5, 0.0, 8.5, 9.0, 9.5].map(|komi| value(3, komi));
    assert_eq!(verdicts, [Wdl::Win, Wdl::Win, Wdl::Win, Wdl::Draw, Wdl::Loss].map(Some));
    // Cycles of more plies than the solver remembers decide 2×2.
    assert_eq!(
        [-4.5, 0.5, 4.5].map(|komi| value(2, komi)),
        [Some(Wdl::Win), None, Some(Wdl::Loss)]
    );
}

#[test]
fn every_decided_move_agrees_with_the_search_over_paths() {
    let mut decided = 0;
    for (size, komi, seeds) in [(2, 1.0, 300), (2, -0.5, 300), (3, 3.0, 120)] {
        let g = Go::new(size, komi);
        for seed in 0..seeds {
            let (mut rng, mut s, mut path) = (Rng::new(seed), g.start(), GamePath::new());
            for _ in 0..2 * size * size + rng.below(12) {
                let mut moves = Vec::new();
                path.moves(&g, &s, &mut moves);
                // A pass now and then.
                let stones = moves.len() - usize::from(moves.len() > 1 && rng.below(6) > 0);
                path.play(&g, &mut s, moves[rng.below(stones)]);
                if path.status(&g, &s).turn().is_none() {
                    break;
                }
            }
            let request =
                MoveRequest { path: &path, ..MoveRequest::new(&g, &s, Budget::UNLIMITED) };
            if request.status().turn().is_none() {
                continue;
            }
            let limits = SolveLimits { nodes: 200_000, ..SolveLimits::default() };
            let Ok(searched) = solve(&request, limits) else { continue };
            let Ok(Some(bounded)) = solve_by_bounds(&request, limits) else { continue };
            assert_eq!(bounded.value.verdict, searched.value.verdict, "{}", g.show_state(&s));
            for (bounded, searched) in bounded.lines.iter().zip(&searched.lines) {
                let Some(proof) = bounded.proven else { continue };
                let place = (g.show_state(&s), g.show_move(&s, bounded.play), path.len());
                assert_eq!(proof.verdict, searched.proven.unwrap().verdict, "{place:?}");
                decided += 1;
            }
        }
    }
    assert!(decided > 300, "{decided}");
}

#[test]
fn limits_and_finished_games_are_refused() {
    let registry = registry::standard();
    let start = registry.game("go(4, komi=1.5)").unwrap().start();
    let few = SolveLimits { nodes: 1000, ..SolveLimits::default() };
    assert!(matches!(start.solve(few, &NoObserver), Err(SolveError::Spent { .. })));
    let over = registry.game("go(4)").unwrap().read("..../..../..../.... first over").unwrap();
    assert_eq!(over.solve(few, &NoObserver).unwrap_err(), SolveError::Over);
}

#[test]
#[ignore = "takes half a minute; ./test --all runs it"]
fn the_first_side_wins_four_by_four_by_two_points() {
    // E. van der Werf, H. J. van den Herik and J. Uiterwijk, "Solving Go on Small Boards" (2003).
    assert_eq!(value(4, 2.0), Some(Wdl::Draw));
}
