//! Matches of players without a clock give the same games on any number of threads, and their statistics add up.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ludion::arena::executor::{Executor, ThreadExecutor};
use ludion::arena::pair::{GameResult, GameSettings};
use ludion::arena::pairings::{PairJobs, PairSchedule};
use ludion::arena::plan::{GamesPlan, PlanKind};
use ludion::arena::standings::Standings;
use ludion::player::Budget;
use ludion::registry;

fn play(
    game: &str,
    players: &[&str],
    schedule: &PairSchedule,
    threads: usize,
) -> Vec<[GameResult; 2]> {
    play_from(2, game, players, schedule, threads)
}

fn play_from(
    opening: u32,
    game: &str,
    players: &[&str],
    schedule: &PairSchedule,
    threads: usize,
) -> Vec<[GameResult; 2]> {
    let game = registry::standard().game(game).unwrap();
    let players: Vec<String> = players.iter().map(|&p| p.to_owned()).collect();
    let terms = GameSettings { budget: Budget::UNLIMITED, opening, longest: 1000, seed: 9 };
    let plan =
        GamesPlan::new(PlanKind::Tournament, game.spec(), players.clone(), schedule.clone(), terms);
    let referee = || game.referee(&players).unwrap();
    let contest = PairJobs { plan: &plan, keep: true, referee: &referee };
    let mut results = Vec::new();
    let stop = AtomicBool::new(false);
    ThreadExecutor(threads)
        .execute(
            &contest,
            &mut (0..schedule.total()),
            &stop,
            &mut |number: u64, mut pair: [GameResult; 2]| {
                assert_eq!(number, results.len() as u64);
                for game in &mut pair {
                    game.spent.iter_mut().for_each(|spent| spent.time = Default::default());
                    for ply in &mut game.record.as_mut().unwrap().plies {
                        ply.time = Default::default();
                    }
                }
                results.push(pair);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    results
}

#[test]
fn a_tournament_gives_the_same_games_on_any_number_of_threads() {
    let players = ["random", "montecarlo(sims=5)", "uct(sims=20)"];
    let schedule = PairSchedule::round_robin(3, 8);
    let alone = play("tictactoe", &players, &schedule, 1);
    assert_eq!(alone.len() as u64, schedule.total());
    for threads in [2, 8] {
        assert_eq!(play("tictactoe", &players, &schedule, threads), alone, "{threads} threads");
    }
}

#[test]
fn both_games_of_a_pair_have_the_same_opening_and_swapped_seats() {
    let pairs = play("connect4", &["random", "montecarlo(sims=3)"], &PairSchedule::duel(30), 2);
    let mut openings: Vec<Vec<String>> = Vec::new();
    for [a, b] in &pairs {
        assert_eq!((a.seats, b.seats), ([0, 1], [1, 0]));
        let opening = &a.record.as_ref().unwrap().opening;
        assert_eq!(opening, &b.record.as_ref().unwrap().opening);
        assert_eq!(opening.len(), 2);
        openings.push(opening.clone());
    }
    openings.sort();
    openings.dedup();
    assert!(openings.len() > 10, "openings vary: {}", openings.len());
}

#[test]
fn head_to_head_results_add_up() {
    let schedule = PairSchedule::duel(50);
    let mut standings = Standings::new(2, &schedule.meetings);
    for (number, pair) in
        (0..).zip(play("tictactoe", &["montecarlo(sims=20)", "random"], &schedule, 2))
    {
        standings.add(number, &pair);
    }
    let (_, meeting) = &standings.meetings[0];
    assert_eq!(meeting.games.total(), 100);
    assert_eq!(meeting.pairs.total(), 50);
    assert_eq!(meeting.by_seat.iter().map(|g| g.wins).sum::<u64>(), meeting.games.wins);
    let points: u64 = (0..).zip(meeting.pairs.pentanomial()).map(|(i, n): (u64, u64)| i * n).sum();
    assert_eq!(points, 2 * meeting.games.wins + meeting.games.draws);
    assert_eq!(meeting.forfeits, [0, 0]);
    let ratings = standings.ratings();
    assert!(ratings[0].elo > ratings[1].elo + 100.0, "{ratings:?}");
    assert_eq!(standings.games(1).losses, meeting.games.wins);
}

#[test]
fn a_short_game_gets_a_shorter_opening() {
    for pair in play("matches(3)", &["random", "minimax"], &PairSchedule::duel(10), 1) {
        assert!(pair[0].record.as_ref().unwrap().opening.len() < 2 || pair[0].plies > 2);
    }
}

#[test]
fn the_tables_of_the_exercise_sheet_are_reproduced_exactly() {
    for (game, victories, moves, averages) in [
        ("matches(13)", [8.0, 0.0, 4.0, 4.0], [60.0, 0.0, 28.0, 32.0], [7.5, 0.0, 3.5, 4.0]),
        (
            "matches(13, misere)",
            [8.0, 0.0, 4.0, 4.0],
            [60.0, 0.0, 32.0, 28.0],
            [7.5, 0.0, 4.0, 3.5],
        ),
        ("divide(13, 17)", [4.0, 4.0, 0.0, 8.0], [64.0, 64.0, 0.0, 128.0], [8.0, 8.0, 0.0, 16.0]),
    ] {
        let schedule = PairSchedule::duel(4);
        let mut standings = Standings::new(2, &schedule.meetings);
        let players = ["ultimate(depth=1)", "memory(depth=1)"];
        for (number, pair) in (0..).zip(play_from(0, game, &players, &schedule, 1)) {
            standings.add(number, &pair);
        }
        let course = standings.meetings[0].1.seat_statistics;
        let flat =
            |by: ludion::arena::seat_statistics::ByPlayerAndSeat| [by.players, by.seats].concat();
        assert_eq!(flat(course.pv), victories, "{game}");
        assert_eq!(flat(course.moves), moves, "{game}");
        assert_eq!(flat(course.avg_victories()), victories.map(|v| v / 8.0), "{game}");
        assert_eq!(flat(course.avg_moves()), averages, "{game}");
    }
}
