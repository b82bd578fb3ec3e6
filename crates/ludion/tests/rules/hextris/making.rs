//! Bundled problems and generated problems.

use std::collections::HashSet;

use ludion::games::hextris::game::{HextrisSimulation, HextrisStatus};
use ludion::games::hextris::random_problem::{RandomProblemOptions, random_problem};
use ludion::games::hextris::seeded_problem::{PLAYABLE_PROBLEMS, SeededProblem};
use ludion::games::hextris::{PROBLEMS, Problem, problems};

#[test]
fn bundled_problems_parse_have_distinct_numbers_and_can_start() {
    let mut ids = HashSet::new();
    for named in PROBLEMS {
        let problem = named.problem();
        assert!(ids.insert(problem.id()) && problem.id() > 1_000, "{}", named.name);
        for &seed in problem.seeds() {
            assert_eq!(
                HextrisSimulation::new(&problem, seed).status(),
                HextrisStatus::Playing,
                "{}",
                named.name
            );
        }
        let json = serde_json::to_string(problem.json()).unwrap();
        assert_eq!(Problem::from_json(&json).unwrap().json(), problem.json());
    }
    assert!(PROBLEMS.len() >= 12);
    for name in PLAYABLE_PROBLEMS {
        assert!(SeededProblem::new(problems::find(name).unwrap().problem(), 0).is_some(), "{name}");
    }
    assert!(SeededProblem::new(problems::find("prairie").unwrap().problem(), 0).is_none());
}

#[test]
fn the_units_of_the_problem_turning_have_its_symmetries() {
    let turns = |unit: &ludion::games::hextris::Unit| unit.turns();
    let turning = problems::find("turning").unwrap().problem();
    assert_eq!(turning.units().iter().map(turns).collect::<Vec<_>>(), [3, 2, 1]);
    let corner = problems::find("corner").unwrap().problem();
    assert_eq!(corner.units().iter().map(turns).collect::<Vec<_>>(), [6, 1]);
}

fn options() -> RandomProblemOptions {
    RandomProblemOptions {
        id: 5,
        width: 10,
        height: 15,
        kinds: 6,
        cells: (1, 4),
        density: 0.3,
        source_length: 50,
        seeds: 3,
    }
}

#[test]
fn a_random_problem_depends_only_on_its_seed_and_every_unit_fits_at_its_spawn() {
    let json =
        |seed| serde_json::to_string(random_problem(&options(), seed).unwrap().json()).unwrap();
    assert_eq!(json(1), json(1));
    assert_ne!(json(1), json(2));
    for seed in 0..50 {
        let sizes = RandomProblemOptions {
            width: 4 + seed as usize,
            kinds: 1 + seed as usize,
            ..options()
        };
        let problem = random_problem(&sizes, seed).unwrap();
        assert!(problem.units().len() <= sizes.kinds && problem.seeds().len() == 3);
        for unit in problem.units() {
            assert!((1..=4).contains(&unit.size()));
            assert!(unit.fits(problem.board(), unit.spawn()), "{seed}");
        }
    }
    // One-sided polyhexes of 1 to 4 cells: 1, 1, 3 and 10 (OEIS A006535).
    let all = RandomProblemOptions { kinds: 100, width: 30, ..options() };
    let free =
        |density| random_problem(&RandomProblemOptions { density, ..all.clone() }, 3).unwrap();
    assert!(free(0.0).board().iter().all(|&row| row == 0));
    assert_eq!(free(0.9).units().len(), 1 + 1 + 3 + 10);
}

#[test]
fn invalid_options_are_refused() {
    let refusal = |options| random_problem(&options, 1).unwrap_err().to_string();
    assert_eq!(
        refusal(RandomProblemOptions { width: 1_000_000, ..options() }),
        "the width is 1000000; it must be from 1 to 128"
    );
    assert_eq!(
        refusal(RandomProblemOptions { cells: (5, 4), ..options() }),
        "the fewest cells of a unit is 5; it must be from 1 to 4"
    );
    assert_eq!(
        refusal(RandomProblemOptions { density: f64::NAN, ..options() }),
        "the density is NaN; it must be from 0 to 0.9"
    );
}
