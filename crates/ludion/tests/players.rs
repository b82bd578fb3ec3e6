//! Properties of every player of every game, tested through the registry.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion::game::Status;
use ludion::outcome::AnyOutcome;
use ludion::param::ParamKind;
use ludion::player::{Budget, NoObserver, PlayerError, StopOnFlag};
use ludion::registry::{GameEntry, PlayerInfo, Registry};

const SMALL: Budget =
    Budget { depth: Some(2), simulations: Some(50), nodes: Some(2_000), time: None };

/// Returns the players of a game that need no file.
fn players(entry: &GameEntry) -> impl Iterator<Item = &PlayerInfo> {
    let file = |info: &PlayerInfo| {
        info.params.iter().any(|p| p.kind == ParamKind::Text { default: "".into() })
    };
    entry.players().iter().filter(move |info| !file(info))
}

/// Plays a whole game between two players.
fn play(game: &str, players: [&str; 2], seed: u64, budget: Budget) -> (Vec<String>, AnyOutcome) {
    let game = Registry::standard().game(game).unwrap();
    let mut players = players.map(|spec| game.player(spec).unwrap());
    for (seat, player) in players.iter_mut().enumerate() {
        player.begin(seed + seat as u64);
    }
    let (mut position, mut moves) = (game.start(), Vec::new());
    loop {
        match position.status() {
            Status::Over(outcome) => return (moves, outcome),
            Status::Turn(side) => {
                let choice = players[side.index()].choose(&*position, budget, &NoObserver).unwrap();
                position.play(&choice.best).unwrap();
                moves.push(choice.best);
            }
        }
    }
}

#[test]
fn every_player_plays_every_game_it_is_listed_for_the_same_from_the_same_seed() {
    let registry = Registry::standard();
    for entry in registry.games() {
        for player in players(entry) {
            let first = play(&entry.name, [&*player.name, "random"], 5, SMALL);
            assert_eq!(
                first,
                play(&entry.name, [&*player.name, "random"], 5, SMALL),
                "{} {}",
                entry.name,
                player.name
            );
        }
    }
}

#[test]
fn every_player_returns_an_error_when_the_game_is_over_or_another() {
    let registry = Registry::standard();
    for entry in registry.games() {
        let game = registry.game(&entry.name).unwrap();
        let mut over = game.start();
        while let Some(m) = over.moves().last() {
            over.play(m).unwrap();
        }
        let other =
            registry.game(if entry.name == "dice" { "matches" } else { "dice" }).unwrap().start();
        for info in players(entry) {
            let mut player = game.player(&info.name).unwrap();
            let asked = player.choose(&*over, Budget::UNLIMITED, &NoObserver);
            assert_eq!(asked.unwrap_err(), PlayerError::Over, "{} {}", entry.name, info.name);
            let asked = player.choose(&*other, Budget::UNLIMITED, &NoObserver);
            assert!(matches!(asked, Err(PlayerError::Failed(_))), "{} {}", entry.name, info.name);
        }
    }
}

/// A budget that no search of a large game spends while a test runs.
const HUGE: Budget = Budget {
    depth: Some(60),
    simulations: Some(1_000_000_000),
    nodes: Some(1_000_000_000_000),
    time: Some(Duration::from_secs(3600)),
};

#[test]
fn every_player_stops_soon_once_it_is_told_to() {
    let registry = Registry::standard();
    for name in ["connect4", "checkers", "checkers(international)", "hextris", "hextris-placements"]
    {
        let (entry, game) = (registry.entry(name).unwrap(), registry.game(name).unwrap());
        for info in players(entry) {
            let mut player = game.player(&info.name).unwrap();
            player.begin(1);
            let (stop, mut late) = (AtomicBool::new(false), Duration::ZERO);
            std::thread::scope(|scope| {
                let told = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(40));
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                let _ = player.choose(&*game.start(), HUGE, &StopOnFlag(&stop));
                let ended = Instant::now();
                late = ended.saturating_duration_since(told.join().unwrap());
            });
            // Some milliseconds; the rest is for a build that is not optimised, on a busy machine.
            assert!(late < Duration::from_secs(1), "{name} {}: {late:?}", info.name);
        }
    }
}

#[test]
fn minimax_finds_the_winning_move_and_proves_every_line() {
    let game = Registry::standard().game("matches(7)").unwrap();
    let mut minimax = game.player("minimax(depth=7)").unwrap();
    let choice = minimax.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
    assert_eq!(choice.best, "3");
    let values: Vec<Option<f64>> = choice.lines.iter().map(|line| line.value).collect();
    assert_eq!(values, [Some(-1.0), Some(-1.0), Some(1.0)]);
    assert!(choice.lines.iter().all(|line| line.proven.is_some()));
    let (_, outcome) =
        play("tictactoe", ["minimax(depth=9)", "minimax(depth=9)"], 0, Budget::UNLIMITED);
    assert_eq!(outcome.to_string(), "draw");
}

/// An observer that counts reports.
#[derive(Default)]
struct ReportCounter(std::sync::atomic::AtomicU32);

impl ludion::player::Observer<String> for ReportCounter {
    fn interval(&self) -> Option<std::time::Duration> {
        Some(std::time::Duration::ZERO)
    }

    fn report(&self, so_far: &ludion::player::Choice<String>) {
        assert!(!so_far.lines.is_empty());
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn every_searching_player_reports_its_progress() {
    let game = Registry::standard().game("connect4").unwrap();
    let (nodes, simulations) = (Some(200_000), Some(20_000));
    let budget = Budget { depth: Some(4), nodes, simulations, time: None };
    for info in
        Registry::standard().games().iter().find(|g| g.name == "connect4").unwrap().players()
    {
        if info.name == "random" {
            continue;
        }
        let (mut player, reports) = (game.player(&info.name).unwrap(), ReportCounter::default());
        player.choose(&*game.start(), budget, &reports).unwrap();
        assert!(reports.0.into_inner() > 1, "{} reports nothing", info.name);
    }
}
