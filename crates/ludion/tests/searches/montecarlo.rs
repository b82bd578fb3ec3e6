//! The Monte-Carlo players: their formulas, tie rules and counts, and the convergence of random
//! games to exact probabilities.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ludion::evaluator::{Evaluator, WIN};
use ludion::game::{Game, Side, Status};
use ludion::games::{
    connect4::Connect4,
    hexapawn::Hexapawn,
    matches::{self, Matches},
    tictactoe::TicTacToe,
};
use ludion::named::NamedGame;
use ludion::notation::{NotationError, NotationReader};
use ludion::outcome::{Duel, DuelTally, Outcome, OutcomeTally, Points, mean_utility};
use ludion::param::{Args, Spec};
use ludion::player::{Budget, Choice, MoveRequest, Observer, Player, PlayerError};
use ludion::players::{montecarlo::MonteCarloPlayer, ucb::UcbPlayer, uct, uct::UctPlayer};
use ludion::random::Rng;
use ludion::registry;
use ludion::scene::{Coord, Scene};
use ludion::search::{census::census, playout_evaluator::PlayoutEvaluator};
use num_traits::ToPrimitive;

const WON: Duel = Duel::Won(Side::First);
const LOST: Duel = Duel::Won(Side::Second);

/// A game of `plies` moves with `width` choices each, in turns; `end` maps the moves to the
/// outcome.
#[derive(Clone, Copy)]
struct Toy<O> {
    width: usize,
    plies: usize,
    end: fn(&[usize]) -> O,
}

impl<O: Outcome> Game for Toy<O> {
    type State = Vec<usize>;
    type Move = usize;
    type Outcome = O;

    fn start(&self) -> Self::State {
        Vec::new()
    }

    fn status(&self, s: &Self::State) -> Status<O> {
        if s.len() == self.plies {
            Status::Over((self.end)(s))
        } else {
            Status::Turn(Side::after(s.len() as u32))
        }
    }

    fn moves(&self, s: &Self::State, out: &mut Vec<usize>) {
        out.extend(0..if s.len() == self.plies { 0 } else { self.width });
    }

    fn play(&self, s: &mut Self::State, m: usize) {
        s.push(m);
    }

    fn key(&self, s: &Self::State) -> u64 {
        s.iter().fold(1, |key, &m| key * self.width as u64 + m as u64)
    }

    fn show_state(&self, s: &Self::State) -> String {
        s.iter().map(usize::to_string).collect()
    }

    fn read_state(&self, text: &str) -> Result<Self::State, NotationError> {
        let reader = NotationReader::new(text);
        let digit = |c: char| c.to_digit(10).map(|d| d as usize);
        text.chars().map(|c| digit(c).ok_or_else(|| reader.error("expected a digit"))).collect()
    }

    fn show_move(&self, _s: &Self::State, m: usize) -> String {
        m.to_string()
    }

    fn scene(&self, _s: &Self::State) -> Scene {
        Scene::grid(self.width, 1)
    }

    fn touches(&self, _s: &Self::State, m: usize) -> Vec<Coord> {
        vec![Coord::new(m, 0)]
    }
}

/// A game of one move: two moves lose, two draw, two win, in this order.
const FORK: Toy<Duel> =
    Toy { width: 6, plies: 1, end: |s| [LOST, LOST, Duel::Drawn, Duel::Drawn, WON, WON][s[0]] };

fn simulations(n: u64) -> Budget {
    Budget { simulations: Some(n), ..Budget::UNLIMITED }
}

fn ask<G: Game>(
    player: &mut dyn Player<G>,
    g: &G,
    s: &G::State,
    budget: Budget,
) -> Choice<G::Move> {
    player.choose(&MoveRequest::new(g, s, budget)).expect("the game is not over")
}

fn visits<M>(choice: &Choice<M>) -> Vec<u64> {
    choice.lines.iter().map(|line| line.visits).collect()
}

fn hexapawn() -> Hexapawn {
    let spec = Spec::parse("hexapawn").expect("a name");
    Hexapawn::build(&Args::new("hexapawn", Hexapawn::PARAMS, &spec).expect("no values"))
        .expect("the defaults")
}

#[test]
fn utility_is_the_exercise_sheets_scoring_for_a_side() {
    assert_eq!(mean_utility(0, 0, 0), 0.0);
    assert_eq!(mean_utility(3, 0, 0), 1.0);
    assert_eq!(mean_utility(0, 3, 0), -1.0);
    assert_eq!(mean_utility(0, 0, 7), 0.5);
    assert_eq!(mean_utility(6, 3, 1), 0.35);
    let tally = DuelTally { wins: [6, 3], draws: 1 };
    assert_eq!((tally.utility(Side::First), tally.utility(Side::Second)), (0.35, -0.25));
    let mut points = <Points as Outcome>::Tally::default();
    assert_eq!((points.utility(Side::First), points.half_range()), (0.0, 0.0));
    for n in [-2, 3, 8] {
        Points(n).count(&mut points);
    }
    assert_eq!((points.utility(Side::First), points.half_range()), (3.0, 5.0));
}

#[test]
fn ties_go_to_the_first_move() {
    let all_lost = Toy { end: |_| LOST, ..FORK };
    let mut players: [Box<dyn Player<Toy<Duel>>>; 2] =
        [Box::new(MonteCarloPlayer::new(5)), Box::new(UcbPlayer::new(5, 0.3))];
    for player in &mut players {
        assert_eq!(ask(&mut **player, &FORK, &vec![], Budget::UNLIMITED).best, 4);
        assert_eq!(ask(&mut **player, &all_lost, &vec![], Budget::UNLIMITED).best, 0);
        // A move that the budget did not reach is not chosen, however bad the others are.
        let cut = ask(&mut **player, &all_lost, &vec![], simulations(2));
        assert_eq!((cut.best, visits(&cut)), (0, vec![1, 1, 0, 0, 0, 0]));
        assert_eq!(cut.lines[2].value, None);
    }
}

#[test]
fn exactly_the_requested_number_of_games_is_played() {
    let g = Connect4::STANDARD;
    let flat = ask(&mut MonteCarloPlayer::new(300), &g, &g.start(), Budget::UNLIMITED);
    assert_eq!((flat.simulations, visits(&flat)), (2100, vec![300; 7]));
    let flat = ask(&mut MonteCarloPlayer::new(300), &g, &g.start(), simulations(1000));
    assert_eq!((flat.simulations, visits(&flat)), (1000, vec![143, 143, 143, 143, 143, 143, 142]));
    for (budget, games) in [(Budget::UNLIMITED, 2100), (simulations(1000), 1000)] {
        let bandit = ask(&mut UcbPlayer::new(300, 0.3), &g, &g.start(), budget);
        assert_eq!((bandit.simulations, visits(&bandit).iter().sum::<u64>()), (games, games));
    }
    for n in [1, 6, 7, 8, 1000, 1001] {
        let mut tree = UctPlayer::new(uct::UctOptions { depth: 2, sims: 3, ..Default::default() });
        let choice = ask(&mut tree, &g, &g.start(), simulations(n));
        assert_eq!((choice.simulations, visits(&choice).iter().sum::<u64>()), (n, n));
    }
}

/// If the outcome of every move is certain, the formula alone determines how often each move is
/// tried.
#[test]
fn ucb_tries_moves_according_to_its_formula() {
    for c in [0.0, 0.3, 2.0] {
        let utility = [-1.0, -1.0, 0.5, 0.5, 1.0, 1.0];
        let mut tried = [1u64; 6];
        for n in 6..6 * 50u64 {
            let bound = |i: usize| utility[i] + c * ((n as f64).ln() / tried[i] as f64).sqrt();
            let best = (1..6).fold(0, |best, i| if bound(i) > bound(best) { i } else { best });
            tried[best] += 1;
        }
        let choice = ask(&mut UcbPlayer::new(50, c), &FORK, &vec![], Budget::UNLIMITED);
        assert_eq!(visits(&choice), tried, "c = {c}");
        assert_eq!(choice.best, 4, "the best utility, not the best bound");
    }
}

#[test]
fn random_games_converge_to_the_exact_probabilities() {
    const SIMS: u64 = 20_000;
    let g = TicTacToe;
    let choice = ask(&mut MonteCarloPlayer::new(SIMS), &g, &g.start(), Budget::UNLIMITED);
    for line in choice.lines {
        let mut child = g.start();
        g.play(&mut child, line.play);
        let all = census(&g, &child, 10_000).expect("a small game");
        let chance = |end| all.ends[&end].chance.to_f64().expect("a fraction");
        let mean = chance(WON) - chance(LOST) + 0.5 * chance(Duel::Drawn);
        let square = chance(WON) + chance(LOST) + 0.25 * chance(Duel::Drawn);
        let sigma = ((square - mean * mean) / SIMS as f64).sqrt();
        let value = line.value.expect("every move was tried");
        assert!((value - mean).abs() < 4.0 * sigma, "{}: {value} for {mean}", line.play);
    }
}

#[test]
fn puzzles_are_played_for_their_mean_points() {
    // Three digits in base 3: the mean of random play is 9·first + 3 + 1.
    let g = Toy { width: 3, plies: 3, end: |s| Points(s.iter().fold(0, |n, &m| 3 * n + m as i64)) };
    let flat = ask(&mut MonteCarloPlayer::new(4000), &g, &vec![], Budget::UNLIMITED);
    assert_eq!(flat.best, 2);
    for (line, mean) in flat.lines.iter().zip([4.0, 13.0, 22.0]) {
        // The variance of two digits is (9 + 1)·2/3; 0.17 is four standard deviations of 4000
        // games.
        assert!((line.value.expect("tried") - mean).abs() < 0.17, "{line:?}");
    }
    let bandit = ask(&mut UcbPlayer::new(100, 0.3), &g, &vec![], Budget::UNLIMITED);
    assert_eq!((bandit.best, bandit.simulations), (2, 300));
    // Scaling the points changes nothing.
    let mut scaled = g;
    scaled.end = |s| Points(s.iter().fold(0, |n, &m| 3 * n + 1000 * m as i64));
    for c in [0.3, 2.0] {
        let small = ask(&mut UcbPlayer::new(100, c), &g, &vec![], Budget::UNLIMITED);
        let large = ask(&mut UcbPlayer::new(100, c), &scaled, &vec![], Budget::UNLIMITED);
        assert_eq!(visits(&small), visits(&large), "c = {c}");
    }
}

#[test]
fn the_choice_depends_on_the_seed_alone() {
    for player in ["montecarlo(sims=40)", "ucb(sims=40)", "uct(depth=3, sims=20)"] {
        let game = registry::standard().game("connect4").expect("a game");
        let think = |seed, budget| {
            let mut player = game.player(player).expect("a player");
            player.begin(seed);
            let choice = player.choose(&*game.start(), budget, &ludion::player::NoObserver);
            Choice { time: Duration::ZERO, ..choice.expect("the game is not over") }
        };
        for budget in [Budget::UNLIMITED, simulations(500)] {
            assert_eq!(think(1, budget), think(1, budget), "{player}");
            assert_ne!(think(1, budget), think(2, budget), "{player}");
        }
    }
}

#[test]
fn a_finished_game_is_an_error() {
    let game = registry::standard().game("matches(3)").expect("a game");
    let over = game.read("0 second").expect("a state");
    for player in ["montecarlo", "ucb", "uct"] {
        let mut player = game.player(player).expect("a player");
        let answer = player.choose(&*over, Budget::UNLIMITED, &ludion::player::NoObserver);
        assert_eq!(answer, Err(PlayerError::Over));
    }
}

/// An observer that takes every report and stops the player at the third.
struct StopsAtThirdReport(AtomicU32);

impl<M> Observer<M> for StopsAtThirdReport {
    fn interval(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn report(&self, so_far: &Choice<M>) {
        assert!(so_far.simulations > 0 && so_far.lines.iter().any(|line| line.visits > 0));
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 3
    }
}

#[test]
fn an_observer_gets_reports_and_can_stop_the_player() {
    let g = Connect4::STANDARD;
    let mut players: [Box<dyn Player<Connect4>>; 3] = [
        Box::new(MonteCarloPlayer::new(1)),
        Box::new(UcbPlayer::new(1, 0.3)),
        Box::new(UctPlayer::new(uct::UctOptions::default())),
    ];
    for player in &mut players {
        let observer = StopsAtThirdReport(AtomicU32::new(0));
        let budget = Budget { time: Some(Duration::from_secs(86_400)), ..Budget::UNLIMITED };
        let start = g.start();
        let request = MoveRequest { observer: &observer, ..MoveRequest::new(&g, &start, budget) };
        let choice = player.choose(&request).expect("the game is not over");
        assert!(choice.simulations > 0);
        assert_eq!(observer.0.into_inner(), 3);
    }
}

fn misere(n: u16) -> Matches {
    Matches { n, misere: true }
}

fn sheet(depth: u32, sims: u64) -> uct::UctOptions {
    uct::UctOptions { depth, sims, games: None, ..Default::default() }
}

#[test]
fn uct_counts_the_same_games_as_the_exercise_sheet() {
    let mut full = 0;
    for seed in 0..100 {
        let count = |g: &Matches, left, depth, sims| {
            let mut player = UctPlayer::new(sheet(depth, sims));
            Player::<Matches>::begin(&mut player, seed);
            let s = matches::MatchesState { left, turn: Side::First };
            ask(&mut player, g, &s, Budget::UNLIMITED).simulations
        };
        assert_eq!(count(&misere(7), 7, 2, 100), 600);
        assert_eq!(count(&misere(13), 4, 2, 500), 2000);
        // The 1200 games of the exercise sheet need three moves at the fourth position; sometimes
        // the descent takes so many matches that only two moves are left.
        match count(&misere(10), 10, 4, 100) {
            1200 => full += 1,
            other => assert_eq!(other, 1100),
        }
    }
    assert!(full > 70, "{full} of 100 descents count 1200 games");
}

/// The method of the exercise sheet exactly as written: counters from the mover's point of view,
/// wins and losses swapped on the way up, and a counter for no move in finished games.
struct ExerciseUct<G: Game> {
    memory: HashMap<G::State, Vec<[u64; 3]>>,
    rng: Rng,
}

impl<G: Game<Outcome = Duel>> ExerciseUct<G> {
    fn policy(&self, s: &G::State) -> usize {
        let counters = &self.memory[s];
        let n: u64 = counters.iter().flatten().sum();
        let bound = |[w, l, d]: [u64; 3]| {
            mean_utility(w, l, d) + 0.3 * ((n as f64).ln() / (w + l + d) as f64).sqrt()
        };
        (1..counters.len())
            .fold(0, |best, i| if bound(counters[i]) > bound(counters[best]) { i } else { best })
    }

    fn simulations(&mut self, g: &G, s: &G::State, side: Side, pf: u32, sims: u64) -> [u64; 3] {
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        self.memory.entry(s.clone()).or_insert_with(|| vec![[0; 3]; moves.len().max(1)]);
        let mut sum = [0; 3];
        if pf == 0 {
            return sum;
        }
        let seen = |t: &DuelTally| [t.wins[side.index()], t.wins[side.other().index()], t.draws];
        let add = |to: &mut [u64; 3], what: [u64; 3]| (0..3).for_each(|k| to[k] += what[k]);
        let child = |i: usize| {
            let mut child = s.clone();
            g.play(&mut child, moves[i]);
            child
        };
        for i in 0..moves.len().max(1) {
            if !moves.is_empty() && self.memory[s][i] != [0; 3] {
                continue;
            }
            let after = if moves.is_empty() { s.clone() } else { child(i) };
            let mut tally = DuelTally::default();
            g.playouts(&after, sims, &mut self.rng, &mut Vec::new(), &mut tally);
            add(&mut self.memory.get_mut(s).expect("entered above")[i], seen(&tally));
            add(&mut sum, seen(&tally));
        }
        if !moves.is_empty() {
            let next = self.policy(s);
            let [w, l, d] = self.simulations(g, &child(next), side.other(), pf - 1, sims);
            add(&mut self.memory.get_mut(s).expect("entered above")[next], [l, w, d]);
            add(&mut sum, [l, w, d]);
        }
        sum
    }
}

fn check_against_exercise_sheet<G: Game<Outcome = Duel>>(g: &G, depth: u32, sims: u64) {
    let (mut ours, seed) = (UctPlayer::new(sheet(depth, sims)), 7);
    Player::<G>::begin(&mut ours, seed);
    let mut sheets: ExerciseUct<G> = ExerciseUct { memory: HashMap::new(), rng: Rng::new(seed) };
    let mut s = g.start();
    while let Status::Turn(side) = g.status(&s) {
        let choice = ask(&mut ours, g, &s, Budget::UNLIMITED);
        let sum = sheets.simulations(g, &s, side, depth, sims);
        assert_eq!(choice.simulations, sum.iter().sum::<u64>());
        let mut moves = Vec::new();
        g.moves(&s, &mut moves);
        assert_eq!(choice.best, moves[sheets.policy(&s)]);
        for (line, &[w, l, d]) in choice.lines.iter().zip(&sheets.memory[&s]) {
            assert_eq!((line.visits, line.value), (w + l + d, Some(mean_utility(w, l, d))));
        }
        g.play(&mut s, choice.best);
    }
    for (s, counters) in sheets.memory.iter().filter(|(_, c)| c.iter().any(|c| *c != [0; 3])) {
        let tallies = ours.tallies_of(g, s).expect("an entry of the exercise sheet");
        let games = |c: &[u64; 3]| c.iter().sum::<u64>();
        assert!(tallies.iter().map(DuelTally::games).eq(counters.iter().map(games)), "{s:?}");
    }
}

#[test]
fn uct_is_the_method_of_the_exercise_sheet() {
    for (depth, sims) in [(1, 1), (1, 10), (2, 3), (5, 4), (20, 1)] {
        check_against_exercise_sheet(&TicTacToe, depth, sims);
        check_against_exercise_sheet(&misere(13), depth, sims);
        check_against_exercise_sheet(&hexapawn(), depth, sims);
    }
}

#[test]
fn uct_counts_finished_games_and_chooses_by_its_formula() {
    // Both moves win. The first is followed and counted again, so the second is tried less and its
    // bound is greater.
    let g = Toy { width: 2, plies: 1, end: |_| WON };
    let mut player = UctPlayer::new(sheet(2, 1));
    let choice = ask(&mut player, &g, &vec![], Budget::UNLIMITED);
    assert_eq!((choice.best, visits(&choice)), (1, vec![2, 1]));
    let once = [DuelTally { wins: [1, 0], draws: 0 }];
    assert_eq!(player.tallies_of(&g, &vec![0]), Some(&once[..]));
    assert_eq!(player.tallies_of(&g, &vec![1]), None);
}

#[test]
fn uct_keeps_its_table_within_a_game_and_with_keep_beyond_it() {
    let g = TicTacToe;
    for keep in [false, true] {
        let mut player = UctPlayer::new(uct::UctOptions { keep, ..sheet(3, 2) });
        ask(&mut player, &g, &g.start(), Budget::UNLIMITED);
        let before = visits(&ask(&mut player, &g, &g.start(), Budget::UNLIMITED));
        assert!(before.iter().sum::<u64>() > 18, "the second descent continues from the first");
        Player::<TicTacToe>::begin(&mut player, 5);
        assert_eq!(player.tallies_of(&g, &g.start()).is_some(), keep);
    }
}

#[test]
fn repeated_uct_finds_the_only_winning_move_of_matches() {
    for n in (2..=15).filter(|n| n % 4 != 1) {
        for seed in 0..5 {
            let mut player = UctPlayer::new(sheet(1, 1));
            Player::<Matches>::begin(&mut player, seed);
            let choice = ask(&mut player, &misere(n), &misere(n).start(), simulations(5000));
            assert_eq!(u16::from(choice.best), (n - 1) % 4, "{n} matches, seed {seed}");
        }
    }
}

#[test]
fn uct_continues_when_its_table_is_full() {
    let g = Connect4::STANDARD;
    let mut player = UctPlayer::new(uct::UctOptions { memory: 10_000, ..sheet(1, 1) });
    for _ in 0..3 {
        let choice = ask(&mut player, &g, &g.start(), simulations(20_000));
        assert_eq!((choice.simulations, visits(&choice).iter().sum::<u64>()), (20_000, 20_000));
    }
}

#[test]
fn the_playout_evaluator_is_a_function_of_the_state() {
    let g = TicTacToe;
    let all: Vec<_> = (0..9)
        .map(|m| {
            let mut s = g.start();
            g.play(&mut s, m.try_into().expect("a cell"));
            s
        })
        .collect();
    let values = |seed: u64, backwards: bool| -> Vec<i32> {
        let judge = PlayoutEvaluator { sims: 30, seed };
        let mut values = vec![0; all.len()];
        let order: Vec<usize> =
            if backwards { (0..all.len()).rev().collect() } else { (0..all.len()).collect() };
        for i in order {
            values[i] = judge.value(&g, &all[i]);
        }
        values
    };
    let here = values(3, false);
    assert_eq!(here, values(3, true));
    assert_eq!(here, std::thread::scope(|t| t.spawn(|| values(3, false)).join().expect("a value")));
    assert_ne!(here, values(4, false));
}

#[test]
fn the_playout_evaluator_is_relative_to_the_mover_and_never_certain() {
    let judge = PlayoutEvaluator { sims: 20_000, seed: 1 };
    let state = |left, turn| matches::MatchesState { left, turn };
    for side in Side::BOTH {
        assert_eq!(judge.value(&misere(5), &state(1, side)), 1 - WIN);
        assert_eq!(judge.value(&Matches { n: 5, misere: false }, &state(1, side)), WIN - 1);
        // With 4 misère matches the mover wins 2 of 3 random games.
        let value = judge.value(&misere(5), &state(4, side));
        assert!((value - WIN / 3).abs() < 4 * 67, "{value}");
    }
    assert_eq!(judge.value(&misere(5), &state(0, Side::First)), 0);
}
