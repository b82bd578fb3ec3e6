//! Properties of every player of every game, tested through the registry.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion::game::Status;
use ludion::named::EVAL_NAME;
use ludion::outcome::AnyOutcome;
use ludion::param::{NeededValues, Param, ParamKind, ParamNeed};
use ludion::player::{
    Budget, Choice, MemoryEntry, NoObserver, Observer, PlayerError, SearchDetails, StopOnFlag,
};
use ludion::registry::{self, AnyGame, GameEntry, PlayerInfo};

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
    let game = registry::standard().game(game).unwrap();
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
    let registry = registry::standard();
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
    let registry = registry::standard();
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
    let registry = registry::standard();
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
    let game = registry::standard().game("matches(7)").unwrap();
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
    let game = registry::standard().game("connect4").unwrap();
    let (nodes, simulations) = (Some(200_000), Some(20_000));
    let budget = Budget { depth: Some(4), nodes, simulations, time: None };
    // A position that is not in the opening book.
    let mut position = game.start();
    "4444422661".chars().for_each(|m| position.play(&m.to_string()).unwrap());
    for info in
        registry::standard().games().iter().find(|g| g.name == "connect4").unwrap().players()
    {
        // Players that need no search, and those that need a file.
        if ["random", "knn", "mlp", "policy"].contains(&&*info.name) {
            continue;
        }
        let (mut player, reports) = (game.player(&info.name).unwrap(), ReportCounter::default());
        player.choose(&*position, budget, &reports).unwrap();
        assert!(reports.0.into_inner() > 1, "{} reports nothing", info.name);
    }
}

/// Returns values that are not allowed for a parameter.
fn wrong_values(param: &Param) -> Vec<String> {
    let mut wrong: Vec<String> = match &param.kind {
        ParamKind::Int { min, max, .. } => {
            let beyond = max.checked_add(1).into_iter().chain(min.checked_sub(1));
            beyond.map(|value| value.to_string()).chain(["1.5".to_owned()]).collect()
        }
        ParamKind::Real { min, max, .. } => {
            vec![(min - 1.0).to_string(), (max * 2.0 + 1.0).to_string(), "nan".to_owned()]
        }
        _ => Vec::new(),
    };
    wrong.push("rubbish".to_owned());
    wrong
}

#[test]
fn a_wrong_value_of_any_parameter_is_an_error_that_names_it_and_what_is_allowed() {
    let registry = registry::standard();
    let mut checked = 0;
    for entry in registry.games() {
        let game = registry.game(&entry.name).unwrap();
        for info in entry.players() {
            for (param, wrong) in
                info.params.iter().flat_map(|p| wrong_values(p).into_iter().map(move |w| (p, w)))
            {
                let spec = format!("{}({}={wrong})", info.name, param.name);
                let error = game.player(&spec).err().unwrap_or_else(|| panic!("{spec} is refused"));
                let error = error.to_string();
                let start = format!(
                    "{}: {name} = {wrong} is not allowed; {name} is ",
                    info.name,
                    name = param.name
                );
                assert!(error.starts_with(&start), "{spec}: {error}");
                if !matches!(param.kind, ParamKind::Text { .. }) {
                    assert_eq!(error, start + &param.allowed());
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// Returns a value of a parameter that is allowed and not its default; `None` if there is none that
/// suits every game of this kind.
fn another_value(param: &Param, entry: &GameEntry) -> Option<String> {
    match &param.kind {
        ParamKind::Int { default, min, max } => {
            Some(if default < max { default + 1 } else { *min }.to_string())
        }
        ParamKind::Real { default, max, .. } => Some(f64::midpoint(*default, *max).to_string()),
        ParamKind::Flag => Some("yes".to_owned()),
        ParamKind::Choice { default, options } => {
            let is_idle = |word: &str| word == default || Some(word) == param.former_default;
            options.iter().find(|word| !is_idle(word)).map(str::to_owned)
        }
        // Puzzles have no evaluators.
        ParamKind::Text { .. } => {
            (param.name == EVAL_NAME && !entry.puzzle).then(|| "playouts".to_owned())
        }
    }
}

/// Returns values of the needed parameter that satisfy a condition and that do not.
fn needed_values(need: ParamNeed, info: &PlayerInfo) -> [String; 2] {
    let needed = info.params.iter().find(|param| param.name == need.param).unwrap();
    match (need.values, &needed.kind) {
        (NeededValues::AtLeast(least), _) => [least, least - 1].map(|value| value.to_string()),
        (NeededValues::OneOf(words), ParamKind::Flag) => {
            [words[0], if words[0] == "no" { "yes" } else { "no" }].map(str::to_owned)
        }
        (NeededValues::OneOf(words), ParamKind::Choice { options, .. }) => {
            let other = options.iter().find(|option| !words.contains(option)).unwrap();
            [words[0], other].map(str::to_owned)
        }
        (needed, kind) => panic!("{needed:?} of {kind:?}"),
    }
}

fn check_effect(game: &dyn AnyGame, entry: &GameEntry, info: &PlayerInfo, param: &Param) {
    let Some(value) = another_value(param, entry) else { return };
    if param.name == "prior" && entry.puzzle {
        return;
    }
    let given = format!("{}={value}", param.name);
    let more = if param.name == "prior" { ", eval=playouts" } else { "" };
    let Some(need) = param.needs else {
        let spec = format!("{}({given}{more})", info.name);
        game.player(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        return;
    };
    let [with, without] = needed_values(need, info)
        .map(|needed| format!("{}({given}, {}={needed}{more})", info.name, need.param));
    game.player(&with).unwrap_or_else(|error| panic!("{with}: {error}"));
    let error = game.player(&without).err().unwrap_or_else(|| panic!("{without} is refused"));
    let sentence =
        format!("{}: {} = {value} has no effect unless {} is ", info.name, param.name, need.param);
    assert!(error.to_string().starts_with(&sentence), "{without}: {error}");
}

/// A player is refused if its build does not look up a parameter that is given, so every parameter
/// that is accepted here is used.
#[test]
fn every_parameter_of_every_player_has_an_effect_or_is_refused() {
    let registry = registry::standard();
    for entry in registry.games() {
        let game = registry.game(&entry.name).unwrap();
        for info in players(entry) {
            info.params.iter().for_each(|param| check_effect(&*game, entry, info, param));
            let all: Vec<String> = info
                .params
                .iter()
                .map(|param| format!("{}={}", param.name, param.default_text()))
                .collect();
            let full = format!("{}({})", info.name, all.join(", "));
            assert_eq!(game.player(&full).unwrap().spec(), info.name, "{full}");
        }
    }
}

/// An observer of an analysis, which asks for all values and for details.
#[derive(Default)]
struct Analysis(Mutex<SearchDetails>);

impl Observer<String> for Analysis {
    fn wants_all_values(&self) -> bool {
        true
    }

    fn details_limit(&self) -> Option<usize> {
        Some(50)
    }

    fn report_details(&self, details: &SearchDetails) {
        details.clone_into(&mut self.0.lock().unwrap());
    }
}

fn analyse(game: &str, state: Option<&str>, player: &str) -> (Choice<String>, SearchDetails) {
    let game = registry::standard().game(game).unwrap();
    let position = state.map_or_else(|| game.start(), |state| game.read(state).unwrap());
    let (mut player, observer) = (game.player(player).unwrap(), Analysis::default());
    let choice = player.choose(&*position, Budget::UNLIMITED, &observer).unwrap();
    (choice, observer.0.into_inner().unwrap())
}

#[test]
fn an_analysis_by_deepening_has_the_value_of_every_move() {
    let game = registry::standard().game("connect4").unwrap();
    let spec = "deepening(depth=6, secs=0)";
    let (analysed, _) = analyse("connect4", None, spec);
    assert!(analysed.lines.iter().all(|line| line.value.is_some()), "{analysed:?}");
    let played =
        game.player(spec).unwrap().choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
    assert!(played.lines.iter().any(|line| line.value.is_none()));
    assert_eq!(analysed.best, played.best);
    let (best, _) = analyse("connect4", None, "deepening(depth=6, secs=0, lines=best)");
    assert_eq!(best.nodes, played.nodes);
    let values = |choice: &Choice<String>| -> Vec<Option<f64>> {
        choice.lines.iter().map(|line| line.value).collect()
    };
    let (minimax, _) = analyse("connect4", None, "minimax(depth=6, eval=own)");
    assert_eq!(values(&analysed), values(&minimax));
}

/// The values of Corsini's exercise sheet, as (position, depth, exact, score, best).
#[test]
fn the_details_of_the_flawed_memory_are_those_of_the_exercise_sheet() {
    let row = |entry: &MemoryEntry| {
        let best = entry.best.clone().unwrap_or_default();
        (entry.state.clone(), entry.depth, entry.exact, entry.score, best)
    };
    let rows = |player: &str| -> Vec<_> {
        let (choice, details) = analyse("matches(13, misere)", Some("4 first"), player);
        assert_eq!(choice.best, "3");
        assert!(!details.truncated && details.games.is_empty());
        details.memory.iter().map(row).collect()
    };
    let text = |state: &str, depth, exact, score, best: &str| {
        (state.to_owned(), depth, exact, score, best.to_owned())
    };
    assert_eq!(
        rows("memory(depth=3, sheet)"),
        [
            text("0", 0, true, 100.0, ""),
            text("1", 2, true, -100.0, "1"),
            text("2", 2, false, 0.0, "1"),
            text("3", 2, false, 0.0, "1"),
            text("4", 3, true, 100.0, "3"),
        ]
    );
    assert_eq!(
        rows("deepening(depth=3, secs=0, sheet)"),
        [
            text("0", 0, true, 100.0, ""),
            text("1", 1, true, -100.0, "1"),
            text("2", 2, true, 100.0, "1"),
            text("3", 2, true, 100.0, "2"),
            text("4", 3, true, 100.0, "3"),
        ]
    );
    let (_, sound) = analyse("matches(13, misere)", Some("4 first"), "memory(depth=3)");
    assert!(sound.memory.iter().any(|entry| entry.state == "1 second" && entry.score == -100.0));
}

#[test]
fn the_details_of_random_games_add_up() {
    let games = |details: &SearchDetails| -> u64 {
        let root = &details.games[0];
        root.moves.iter().map(|games| games.wins + games.draws + games.losses).sum()
    };
    for (player, total) in [("montecarlo(sims=30)", 270), ("ucb(sims=30)", 270)] {
        let (choice, details) = analyse("tictactoe", None, player);
        assert_eq!((games(&details), details.games.len()), (total, 1), "{player}");
        for (line, counted) in choice.lines.iter().zip(&details.games[0].moves) {
            assert_eq!(Some(&line.play), counted.play.as_ref());
            let utility = (counted.wins as f64 - counted.losses as f64
                + 0.5 * counted.draws as f64)
                / line.visits as f64;
            assert!((line.value.unwrap() - utility).abs() < 1e-9);
        }
    }
    // The exercise sheet: one descent of two plies through seven matches plays 600 games.
    let (choice, details) = analyse("matches(7, misere)", None, "uct(depth=2, sims=100, sheet)");
    assert_eq!((choice.simulations, games(&details), details.games.len()), (600, 600, 2));
    let (_, puzzle) = analyse("hextris", None, "montecarlo(sims=1)");
    assert_eq!(puzzle, SearchDetails::default());
}

#[test]
fn uct_by_default_plays_better_than_chance() {
    let game = registry::standard().game("connect4").unwrap();
    let choose = |spec: &str| {
        let mut player = game.player(spec).unwrap();
        player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap()
    };
    assert_eq!(choose("uct(sheet)").simulations, 7);
    assert!((1000..1010).contains(&choose("uct").simulations));
    assert_eq!(choose("uct(sims=400)").simulations, 2800);
    let points: u32 = (0..10)
        .map(|seed| match play("connect4", ["random", "uct"], seed, Budget::UNLIMITED).1 {
            AnyOutcome::Duel(ludion::outcome::Duel::Won(ludion::game::Side::Second)) => 2,
            AnyOutcome::Duel(ludion::outcome::Duel::Drawn) => 1,
            _ => 0,
        })
        .sum();
    assert!(points >= 18, "{points} of 20");
}
