//! Monte-Carlo tree search from outside: what it proves is true, what it counts adds up,
//! alone and on many threads, with much memory and with hardly any.

use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludion::evaluator::Evaluator;
use ludion::game::{Game, Side, Status};
use ludion::games::connect4::{Connect4, State};
use ludion::games::hexapawn::Hexapawn;
use ludion::games::matches::Matches;
use ludion::games::tictactoe::TicTacToe;
use ludion::listing::ListedGame;
use ludion::notation::{ReadError, Reader};
use ludion::outcome::{Duel, Points, Verdict};
use ludion::param::{Args, Spec};
use ludion::player::{Branch, Budget, Choice, Player, Pruning, Turn, Unwatched, Watch};
use ludion::players::mcts::{Final, Mcts, Options, Parallel, Select};
use ludion::random::Rng;
use ludion::registry::Registry;
use ludion::scene::{Cell, Scene, Shape};
use ludion::search::census::census;

const PLAIN: Options = Options {
    sims: 1000,
    select: Select::Phi { a: 5.0, b: 5.0 },
    last: Final::Proof,
    fresh: false,
    memory: 4_000_000,
    threads: NonZero::new(1).unwrap(),
    parallel: Parallel::Tree,
    flight: 8,
};

const WAYS: [Parallel; 3] = [Parallel::Tree, Parallel::Root, Parallel::Leaf];

fn sims(n: u64) -> Budget {
    Budget { simulations: Some(n), ..Budget::UNLIMITED }
}

fn on_threads(threads: usize, parallel: Parallel) -> Options {
    let threads = NonZero::new(threads).expect("at least one thread");
    Options { threads, parallel, ..PLAIN }
}

fn choose<G: Game>(player: &mut impl Player<G>, g: &G, s: &G::State, n: u64) -> Choice<G::Move> {
    player.choose(&Turn::new(g, s, sims(n))).expect("the game goes on")
}

/// What perfect play from `s` comes to for `side`.
fn exact<G: Game<Outcome = Duel>>(g: &G, s: &G::State, side: Side) -> Verdict {
    census(g, s, 1_000_000).expect("a small game").perfect.seen_by(side)
}

fn after<G: Game>(g: &G, s: &G::State, m: G::Move) -> G::State {
    let mut child = s.clone();
    g.play(&mut child, m);
    child
}

/// A choice without the time it took.
fn timeless<M: Copy>(choice: Choice<M>) -> Choice<M> {
    Choice { time: Duration::ZERO, ..choice }
}

/// Every proof met in random games is the exact value; returns how many there were.
fn check_proofs<G: Game<Outcome = Duel>>(g: &G, options: Options, budget: u64) -> usize {
    let mut player = Mcts::new(options, None);
    let mut rng = Rng::new(5);
    let mut proofs = 0;
    for seed in 0..6 {
        player.begin(seed);
        let mut s = g.start();
        while let Status::Turn(side) = g.status(&s) {
            let choice = choose(&mut player, g, &s, budget);
            for line in &choice.lines {
                if let Some(proof) = line.proven {
                    let value = exact(g, &after(g, &s, line.play), side);
                    assert_eq!(proof.verdict, value, "{:?} in {}", line.play, g.show_state(&s));
                    proofs += 1;
                }
            }
            let wins = |m| exact(g, &after(g, &s, m), side) == Verdict::Win;
            if choice.lines.iter().any(|line| line.proven.is_some() && wins(line.play)) {
                assert!(wins(choice.best), "a proven win is played in {}", g.show_state(&s));
            }
            g.play(&mut s, choice.lines[rng.below(choice.lines.len())].play);
        }
    }
    proofs
}

#[test]
fn what_is_proven_is_the_exact_value_on_small_games() {
    let spec = Spec::parse("hexapawn(4, 3)").unwrap();
    let hexapawn = Args::new("hexapawn", Hexapawn::PARAMS, &spec).unwrap();
    let hexapawn = Hexapawn::build(&hexapawn).unwrap();
    let mut proofs = 0;
    for select in [PLAIN.select, Select::Ucb1 { c: 0.7 }, Select::Puct { c: 1.5 }] {
        let options = Options { select, ..PLAIN };
        proofs += check_proofs(&Matches { n: 13, misere: true }, options, 300);
        proofs += check_proofs(&TicTacToe, options, 300);
        proofs += check_proofs(&hexapawn, options, 300);
        proofs += check_proofs(&Connect4::new(4, 4), options, 300);
    }
    assert!(proofs > 800, "only {proofs} proofs were looked at");
}

#[test]
fn what_several_threads_prove_is_exact_too() {
    for way in WAYS {
        let proofs = check_proofs(&Connect4::new(4, 4), on_threads(4, way), 400);
        assert!(proofs > 20, "{way:?}: only {proofs} proofs were looked at");
    }
}

#[test]
fn small_games_are_solved_and_the_search_stops_there() {
    for (game, value) in [
        ("matches(13)", Verdict::Win),
        ("matches(12)", Verdict::Loss),
        ("matches(21, misere)", Verdict::Loss),
        ("tictactoe", Verdict::Draw),
        ("hexapawn", Verdict::Loss),
        ("connect4(3, 4)", Verdict::Draw),
        ("divide(9, 7)", Verdict::Loss),
        ("morpion(3, torus)", Verdict::Win),
    ] {
        let game = Registry::standard().game(game).unwrap();
        let mut player = game.player("mcts").unwrap();
        let choice = player.choose(&*game.start(), sims(3_000_000), &Unwatched).unwrap();
        let best = choice.lines.iter().find(|line| line.play == choice.best).unwrap();
        assert_eq!(best.proven.map(|p| p.verdict), Some(value), "{}", game.spec());
        assert!(choice.simulations < 3_000_000, "{}", game.spec());
        let mut end = game.start();
        for m in &best.variation {
            end.play(m).unwrap_or_else(|error| panic!("{}: {error}", game.spec()));
        }
    }
}

#[test]
fn a_winning_move_is_found_in_connect_four() {
    let g = Connect4::STANDARD;
    // Two open ends: the first side wins with either, the second must have seen it coming.
    let mut s = g.start();
    for m in [2, 2, 3, 3] {
        g.play(&mut s, m);
    }
    for way in WAYS {
        let choice = choose(&mut Mcts::new(on_threads(2, way), None), &g, &s, 5000);
        assert!([1, 4].contains(&choice.best), "{way:?} plays {}", choice.best);
        assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, Verdict::Win, "{way:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_choice() {
    let g = Connect4::STANDARD;
    // A shared tree depends on the threads' timing; the other ways do not.
    for options in [PLAIN, on_threads(3, Parallel::Root), on_threads(3, Parallel::Leaf)] {
        let play = |seed| {
            let mut player = Mcts::new(options, None);
            player.begin(seed);
            let first = choose(&mut player, &g, &g.start(), 20_000);
            let s = after(&g, &after(&g, &g.start(), first.best), 3);
            (timeless(first), timeless(choose(&mut player, &g, &s, 5000)))
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }
}

#[test]
fn one_thread_does_the_same_whatever_the_way() {
    let g = Connect4::STANDARD;
    let play = |way| {
        let mut player = Mcts::new(on_threads(1, way), None);
        player.begin(3);
        let first = timeless(choose(&mut player, &g, &g.start(), 20_000));
        let s = after(&g, &after(&g, &g.start(), first.best), 2);
        (first, timeless(choose(&mut player, &g, &s, 5000)))
    };
    assert_eq!(play(Parallel::Tree), play(Parallel::Root));
    assert_eq!(play(Parallel::Tree), play(Parallel::Leaf));
}

#[test]
fn every_simulation_is_counted_once_by_every_number_of_threads() {
    let g = Connect4::STANDARD;
    for way in WAYS {
        for threads in [1, 2, 3, 8] {
            let mut player = Mcts::new(on_threads(threads, way), None);
            let choice = choose(&mut player, &g, &g.start(), 10_001);
            let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
            assert_eq!((choice.simulations, visits), (10_001, 10_001), "{way:?} on {threads}");
        }
    }
}

#[test]
fn a_kept_tree_goes_on_from_what_it_counted() {
    let g = Connect4::STANDARD;
    let mut player = Mcts::new(PLAIN, None);
    let first = choose(&mut player, &g, &g.start(), 20_000);
    let line = first.best_line().unwrap();
    let (reply, moves) = (line.variation[1], line.visits);
    // One ply on: the visits of the move, less the two before it had children, and one more.
    let s = after(&g, &g.start(), first.best);
    let again = choose(&mut player, &g, &s, 1);
    let visits: u64 = again.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, moves - 2 + 1);
    // Another ply on, and then no ply on.
    let before = again.lines.iter().find(|line| line.play == reply).unwrap().visits;
    let s = after(&g, &s, reply);
    for more in 1..=2 {
        let kept = choose(&mut player, &g, &s, 1);
        let visits: u64 = kept.lines.iter().map(|line| line.visits).sum();
        assert_eq!(visits, before - 2 + more);
    }
    // A fresh search, and a new game, know nothing.
    let mut fresh = Mcts::new(Options { fresh: true, ..PLAIN }, None);
    choose(&mut fresh, &g, &g.start(), 1000);
    player.begin(0);
    for player in [&mut fresh, &mut player] {
        let visits: u64 = choose(player, &g, &s, 1).lines.iter().map(|line| line.visits).sum();
        assert_eq!(visits, 1);
    }
}

#[test]
fn a_reply_that_was_never_expanded_starts_a_tree_of_the_right_state() {
    let g = Connect4::STANDARD;
    let mut player = Mcts::new(PLAIN, None);
    // With so few simulations no grandchild exists.
    choose(&mut player, &g, &g.start(), 3);
    let mut s = g.start();
    for m in [0, 0, 0, 0, 0, 0, 3, 3, 4, 4] {
        g.play(&mut s, m);
    }
    let choice = choose(&mut player, &g, &s, 500);
    let columns: Vec<u8> = choice.lines.iter().map(|line| line.play).collect();
    assert_eq!(columns, [1, 2, 3, 4, 5, 6], "the first column is full");
    assert_eq!(choice.lines.iter().map(|line| line.visits).sum::<u64>(), choice.simulations);
    assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, Verdict::Win);
}

#[test]
fn memory_is_reclaimed_over_long_games_and_a_full_one_still_plays() {
    let g = Connect4::new(8, 7);
    for (way, threads) in [(Parallel::Tree, 1), (Parallel::Tree, 3), (Parallel::Root, 2)] {
        for memory in [3_000, 200_000] {
            let options = Options { memory, ..on_threads(threads, way) };
            let mut player = Mcts::new(options, None);
            let mut s = g.start();
            while g.status(&s).turn().is_some() {
                let choice = choose(&mut player, &g, &s, 3000);
                let (used, room) = player.room();
                assert!(used <= room && room * 16 <= memory / 2, "{used} of {room} nodes");
                let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
                assert!(visits >= choice.simulations, "the search goes on when memory is full");
                g.play(&mut s, choice.best);
            }
        }
    }
}

#[test]
fn a_nearly_unlimited_memory_is_given_back_move_by_move() {
    let g = Connect4::STANDARD;
    let mut player = Mcts::new(Options { memory: 100_000_000, ..PLAIN }, None);
    let mut s = g.start();
    let mut most = 0;
    while g.status(&s).turn().is_some() {
        let choice = choose(&mut player, &g, &s, 2000);
        g.play(&mut s, choice.best);
        most = most.max(player.room().0);
    }
    // At most one family of seven a simulation, of the moves whose trees are still held.
    assert!(most < 60_000, "{most} nodes");
}

#[test]
fn many_threads_on_a_tiny_tree_lose_nothing() {
    // The whole tree of four matches has a dozen nodes, so threads meet all the time.
    for misere in [false, true] {
        let g = Matches { n: 5, misere };
        for seed in 0..200 {
            let mut player = Mcts::new(on_threads(8, Parallel::Tree), None);
            player.begin(seed);
            let choice = choose(&mut player, &g, &g.start(), 2000);
            let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
            assert_eq!(visits, choice.simulations);
            let best = if misere { Verdict::Loss } else { Verdict::Win };
            assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, best);
        }
    }
}

#[test]
fn budgets_in_nodes_depth_and_time_are_kept() {
    let g = Connect4::STANDARD;
    let s = g.start();
    let ask = |budget| Mcts::new(PLAIN, None).choose(&Turn::new(&g, &s, budget)).unwrap();
    let nodes = ask(Budget { nodes: Some(500), ..Budget::UNLIMITED });
    assert!((500..600).contains(&nodes.nodes), "{}", nodes.nodes);
    let depth = ask(Budget { depth: Some(2), ..sims(5000) });
    assert_eq!((depth.depth, depth.simulations), (2, 5000));
    assert!(depth.lines.iter().all(|line| line.variation.len() <= 2));
    let time = ask(Budget { time: Some(Duration::from_millis(5)), ..Budget::UNLIMITED });
    assert!(time.simulations > 0 && time.time >= Duration::from_millis(5));
    assert_eq!(ask(Budget::UNLIMITED).simulations, PLAIN.sims);
}

#[test]
fn whoever_watches_is_told_and_can_stop_it() {
    struct Patience(Mutex<Vec<u64>>);
    impl Watch<u8> for Patience {
        fn interval(&self) -> Option<Duration> {
            Some(Duration::ZERO)
        }
        fn report(&self, so_far: &Choice<u8>) {
            assert_eq!(so_far.lines.len(), 7);
            self.0.lock().unwrap().push(so_far.simulations);
        }
        fn stop(&self) -> bool {
            self.0.lock().unwrap().len() >= 5
        }
    }
    let g = Connect4::STANDARD;
    let s = g.start();
    for way in WAYS {
        for threads in [1, 2] {
            let watch = Patience(Mutex::default());
            let turn = Turn { game: &g, state: &s, budget: sims(u64::MAX), watch: &watch };
            let choice = Mcts::new(on_threads(threads, way), None).choose(&turn).unwrap();
            let told = watch.0.into_inner().unwrap();
            assert!(told.len() >= 5 && told.is_sorted(), "{told:?}");
            assert!(choice.simulations >= told[4]);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let game = Registry::standard().game("matches").unwrap();
    for wrong in ["a=0", "a=-1", "a=nan", "b=-1", "c=-0.1", "memory=0", "threads=0", "sims=0"] {
        let text = format!("mcts({wrong})");
        let error = game.player(&text).err().unwrap_or_else(|| panic!("{text} is refused"));
        let name = wrong.split('=').next().unwrap();
        assert!(error.to_string().starts_with(&format!("mcts: {name} = ")), "{error}");
    }
    let unjudged = Registry::standard().game("dice").unwrap();
    for wrong in ["prior", "prior, phi"] {
        let error = unjudged.player(&format!("mcts({wrong})")).err().unwrap();
        assert!(error.to_string().starts_with("mcts: prior "), "{error}");
    }
    let over = game.read("0 second").unwrap();
    let refusal = game.player("mcts").unwrap().choose(&*over, sims(1), &Unwatched);
    assert!(refusal.unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn a_prior_leads_to_the_moves_that_look_good() {
    /// Likes stones in the first column.
    struct Left;
    impl Evaluator<Connect4> for Left {
        fn value(&self, _g: &Connect4, s: &State) -> i32 {
            let stones = (s.moved() & 0x3f).count_ones() as i32;
            -2000 * stones
        }
    }
    let g = Connect4::STANDARD;
    let options = Options { select: Select::Puct { c: 2.0 }, ..PLAIN };
    let most = |player: &mut Mcts<Connect4>| {
        let choice = choose(player, &g, &g.start(), 100);
        choice.lines.iter().max_by_key(|line| line.visits).unwrap().play
    };
    assert_eq!(most(&mut Mcts::new(options, Some(Arc::new(Left)))), 0);
    assert_ne!(most(&mut Mcts::new(options, None)), 0);
}

/// Three digits make a number, whose distance below a thousand is lost: nines are best, and
/// a leading 0 ends the game with 500 at once.
struct Digits;

impl Game for Digits {
    type State = Vec<u8>;
    type Move = u8;
    type Outcome = Points;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn status(&self, s: &Vec<u8>) -> Status<Points> {
        let number = s.iter().fold(0, |n, &d| 10 * n + i64::from(d));
        match (s.first(), s.len()) {
            (Some(0), _) => Status::Over(Points(500 - 1000)),
            (_, 3) => Status::Over(Points(number - 1000)),
            _ => Status::Turn(Side::First),
        }
    }

    fn moves(&self, s: &Vec<u8>, out: &mut Vec<u8>) {
        if self.status(s).turn().is_some() {
            out.extend(0..10);
        }
    }

    fn play(&self, s: &mut Vec<u8>, m: u8) {
        s.push(m);
    }

    fn key(&self, s: &Vec<u8>) -> u64 {
        s.iter().fold(1, |n, &d| 10 * n + u64::from(d))
    }

    fn show_state(&self, s: &Vec<u8>) -> String {
        s.iter().map(u8::to_string).collect()
    }

    fn read_state(&self, text: &str) -> Result<Vec<u8>, ReadError> {
        Err(Reader::new(text).whole("nobody reads these"))
    }

    fn show_move(&self, _s: &Vec<u8>, m: u8) -> String {
        m.to_string()
    }

    fn scene(&self, _s: &Vec<u8>) -> Scene {
        Scene::heaps(&[1], &[1], &Shape::Match)
    }

    fn touches(&self, _s: &Vec<u8>, m: u8) -> Vec<Cell> {
        vec![Cell::new(0, usize::from(m))]
    }
}

#[test]
fn a_puzzle_for_one_is_searched_for_points() {
    for way in WAYS {
        for threads in [1, 3] {
            for select in [PLAIN.select, Select::Ucb1 { c: 0.5 }, Select::Puct { c: 1.0 }] {
                let options = Options { select, ..on_threads(threads, way) };
                let mut player = Mcts::new(options, None);
                let mut s = Digits.start();
                while Digits.status(&s).turn().is_some() {
                    let choice = choose(&mut player, &Digits, &s, 3000);
                    let best = choice.best_line().unwrap();
                    assert!(best.value.unwrap() <= -1.0 && best.proven.is_none());
                    Digits.play(&mut s, choice.best);
                }
                let Status::Over(Points(points)) = Digits.status(&s) else {
                    panic!("the game is over")
                };
                // The last digits differ by a thousandth: threads, which take turns as they like,
                // may leave it at the best but one.
                let least = if threads == 1 { -1 } else { -10 };
                assert!(points >= least, "{way:?} {threads} {select:?}: {points}");
            }
        }
    }
}

/// Keeps the last tree it is shown.
struct Onlooker(Mutex<Vec<Branch<u8>>>);

impl Watch<u8> for Onlooker {
    fn pruning(&self) -> Option<Pruning> {
        Some(Pruning { depth: 3, width: 2 })
    }

    fn tree(&self, branches: &[Branch<u8>]) {
        *self.0.lock().expect("nobody panics while looking on") = branches.to_vec();
    }
}

/// Checks the branches after `s`; returns how many plies they go down.
fn check_branches(g: &TicTacToe, s: &<TicTacToe as Game>::State, branches: &[Branch<u8>]) -> u32 {
    let side = g.status(s).turn().expect("the game goes on where moves were tried");
    assert!(branches.len() <= 2 && branches.is_sorted_by(|a, b| a.visits >= b.visits));
    let depth = |branch: &Branch<u8>| {
        let child = after(g, s, branch.play);
        if let Some(proven) = branch.proven {
            assert_eq!(proven, exact(g, &child, side), "for who plays it");
        }
        assert!(branch.value.is_none_or(|value| (-1.0..=1.0).contains(&value)));
        let below: u64 = branch.children.iter().map(|child| child.visits).sum();
        assert!(below <= branch.visits);
        let end = g.status(&child).turn().is_none();
        if end || branch.children.is_empty() {
            return 1;
        }
        1 + check_branches(g, &child, &branch.children)
    };
    branches.iter().map(depth).max().unwrap_or(0)
}

#[test]
fn the_top_of_the_tree_is_as_deep_and_wide_as_asked_and_its_proofs_are_true() {
    for parallel in WAYS {
        let onlooker = Onlooker(Mutex::default());
        let (g, mut s) = (TicTacToe, TicTacToe.start());
        g.play(&mut s, 4);
        let turn = Turn { game: &g, state: &s, budget: sims(3000), watch: &onlooker };
        let choice = Mcts::new(on_threads(2, parallel), None).choose(&turn).unwrap();
        let tree = onlooker.0.into_inner().unwrap();
        assert_eq!(check_branches(&g, &s, &tree), 3);
        let most = choice.lines.iter().map(|line| line.visits).max();
        assert!(parallel == Parallel::Root || Some(tree[0].visits) == most);
    }
}
