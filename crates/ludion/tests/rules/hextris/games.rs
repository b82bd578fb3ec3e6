//! The two registered games of hexagonal Tetris agree with each other, with the referee and with
//! counts made by hand.

use std::collections::HashSet;

use ludion::game::Game;
use ludion::games::hextris::game::{CommandEffect, HextrisSimulation, HextrisStatus};
use ludion::games::hextris::seeded_problem::{PLAYABLE_PROBLEMS, SeededProblem};
use ludion::games::hextris::{Command, CommandGame, PlacementGame, problems};
use ludion::random::Rng;

fn table(problem: &str, seed: u32) -> SeededProblem {
    SeededProblem::new(problems::find(problem).unwrap().problem(), seed).unwrap()
}

#[test]
fn a_single_cell_locks_at_both_walls_and_on_the_floor() {
    // On an empty board of 4 by 5 there are two cells in each of five rows and two more at the
    // bottom.
    let g = PlacementGame(table("dot", 0));
    let mut moves = Vec::new();
    g.moves(&g.start(), &mut moves);
    assert_eq!(moves.len(), 2 * 5 + 2);
}

#[test]
fn the_command_game_is_the_run_without_its_errors() {
    for &problem in PLAYABLE_PROBLEMS {
        let g = CommandGame(table(problem, 5));
        let mut rng = Rng::new(3);
        for _ in 0..20 {
            let (mut s, mut run) = (g.start(), HextrisSimulation::new(g.0.problem(), 5));
            loop {
                let mut moves = Vec::new();
                g.moves(&s, &mut moves);
                for m in Command::ALL {
                    assert_eq!(run.clone().command(m).is_ok(), moves.contains(&m), "{problem}");
                }
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.below(moves.len())];
                g.play(&mut s, m);
                run.command(m).unwrap();
            }
            assert_ne!(run.status(), HextrisStatus::Playing);
            let full = g.scene(&s).caption.contains("no room for the next");
            assert_eq!(full, run.status() == HextrisStatus::Full, "{problem}");
            let points = g.status(&s).outcome().map(|points| points.0);
            assert_eq!(points, Some(run.points() as i64));
        }
    }
}

#[test]
fn random_commands_lock_exactly_the_moves_of_the_placement_game() {
    for (problem, seed) in [("corner", 0), ("turning", 3), ("swing", 1)] {
        let (placements, commands) =
            (PlacementGame(table(problem, seed)), CommandGame(table(problem, seed)));
        let mut moves = Vec::new();
        placements.moves(&placements.start(), &mut moves);
        let after = |&m| placements.show_state(&placements.after(&placements.start(), m));
        let expected: HashSet<String> = moves.iter().map(after).collect();
        assert_eq!(expected.len(), moves.len(), "two moves of {problem} fill the same cells");
        let mut locked = HashSet::new();
        let mut rng = Rng::new(9);
        for _ in 0..20_000 {
            let mut run = HextrisSimulation::new(commands.0.problem(), seed);
            let mut s = commands.start();
            while run.locked() == 0 {
                let mut legal = Vec::new();
                commands.moves(&s, &mut legal);
                let free = |m: &_| run.clone().command(*m) == Ok(CommandEffect::Moved);
                if rng.below(8) > 0 && legal.iter().any(free) {
                    legal.retain(free);
                }
                let m = legal[rng.below(legal.len())];
                run.command(m).unwrap();
                commands.play(&mut s, m);
            }
            locked.insert(commands.show_state(&s));
        }
        assert_eq!(locked, expected, "{problem}");
    }
}
