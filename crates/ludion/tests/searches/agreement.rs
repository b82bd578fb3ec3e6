//! Every fixed-depth search agrees with plain minimax: the same value and the first of the best
//! moves, on random trees and on every state of small games, with and without an evaluator, with
//! empty and with filled tables. The numbers of calls and the contents of the naive memory are
//! those of Corsini's exercise sheet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{NoiseEvaluator, Tree, unfinished_states};
use ludion::evaluator::Evaluator;
use ludion::game::Side;
use ludion::game::{Game, Status};
use ludion::games::{connect4::Connect4, matches, tictactoe::TicTacToe};
use ludion::games::{
    hexapawn::Hexapawn,
    matches::Matches,
    morpion::{AfterPlacing, Morpion},
};
use ludion::named::{NamedEvaluator, NamedPlayer, PlayerParts};
use ludion::outcome::{Duel, Wdl};
use ludion::param::{Args, Spec};
use ludion::player::{Budget, Choice, MoveRequest, Observer, Player};
use ludion::players::{
    alphabeta::AlphaBetaPlayer,
    deepening::DeepeningPlayer,
    memory::{MoveOrder, TranspositionPlayer},
    minimax::MinimaxPlayer,
    naive_memory::{FlawedTable, FlawedTableEntry},
    negalphabeta::NegAlphaBetaPlayer,
    negamax::NegamaxPlayer,
};
use ludion::random::Rng;

/// Builds the player `P` with these parameters, in a game with the evaluator `noise`.
fn player<G: Game, P: NamedPlayer<G>>(values: &str) -> P {
    let evaluator: Arc<dyn Evaluator<G>> = Arc::new(NoiseEvaluator);
    let evaluators = vec![NamedEvaluator {
        name: "noise".into(),
        help: "".into(),
        aliases: (&[]).into(),
        evaluator,
    }];
    let kit = PlayerParts { evaluators, ..PlayerParts::default() };
    let spec = Spec::parse(&format!("{}({values})", P::NAME)).unwrap();
    P::build(&Args::new(P::NAME, P::PARAMS, &spec).unwrap(), &kit).unwrap()
}

fn choose<G: Game>(p: &mut dyn Player<G>, g: &G, s: &G::State, depth: u32) -> Choice<G::Move> {
    let budget = Budget { depth: Some(depth), ..Budget::UNLIMITED };
    p.choose(&MoveRequest::new(g, s, budget)).unwrap()
}

/// Returns the searches that promise the value of minimax and one of the best moves.
fn deepenings<G: Game<Outcome = Duel>>(eval: &str) -> Vec<(String, DeepeningPlayer<G>)> {
    let variants = ["", "lines=all", "threads=3"];
    variants
        .iter()
        .map(|v| format!("mb=1, {v}{}{eval}", if v.is_empty() { "" } else { ", " }))
        .map(|values| (values.clone(), player::<G, DeepeningPlayer<G>>(&values)))
        .collect()
}

/// Returns the searches that promise the move and the value of minimax.
fn searches<G: Game<Outcome = Duel>>(eval: &str) -> Vec<(&'static str, Box<dyn Player<G>>)> {
    vec![
        ("negamax", Box::new(player::<G, NegamaxPlayer<G>>(eval))),
        ("alphabeta", Box::new(player::<G, AlphaBetaPlayer<G>>(eval))),
        ("negalphabeta", Box::new(player::<G, NegAlphaBetaPlayer<G>>(eval))),
        ("memory", Box::new(player::<G, TranspositionPlayer<G>>(&format!("mb=1, {eval}")))),
        (
            "best first",
            Box::new(player::<G, TranspositionPlayer<G>>(&format!("mb=1, best-first, {eval}"))),
        ),
    ]
}

/// Compares the searches at all depths on all states, with tables kept from one to the next.
fn agree<G: Game<Outcome = Duel>>(g: &G, states: &[G::State], depths: &[u32]) {
    for eval in ["eval=none", "eval=noise"] {
        let mut reference = player::<G, MinimaxPlayer<G>>(eval);
        let mut searches = searches::<G>(eval);
        let mut deepenings = deepenings::<G>(eval);
        for (s, &depth) in states.iter().flat_map(|s| depths.iter().map(move |d| (s, d))) {
            let expected = choose(&mut reference, g, s, depth);
            for (name, search) in &mut searches {
                let found = choose(&mut **search, g, s, depth);
                let at = || format!("{name}({eval}), depth {depth} in {}", g.show_state(s));
                assert_eq!(found.best, expected.best, "{}", at());
                let value = |choice: &Choice<G::Move>| choice.best_line().unwrap().value;
                assert_eq!(value(&found), value(&expected), "{}", at());
            }
            for (name, search) in &mut deepenings {
                let found = choose(search, g, s, depth);
                check_deepening(g, s, &found, &expected).unwrap_or_else(|what| {
                    panic!("{name}, {depth} in {}: {what}", g.show_state(s))
                });
            }
        }
    }
}

/// Checks that a choice has the value of minimax, a move of that value, and a variation that is
/// legal and has the claimed length.
fn check_deepening<G: Game<Outcome = Duel>>(
    g: &G,
    s: &G::State,
    found: &Choice<G::Move>,
    expected: &Choice<G::Move>,
) -> Result<(), String> {
    let best = expected.best_line().unwrap().value;
    let line = found.best_line().unwrap();
    let chosen = expected.lines.iter().find(|l| l.play == found.best).unwrap();
    if line.value != best || chosen.value != best {
        return Err(format!("{line:?} instead of {best:?}, {chosen:?}"));
    }
    for (all, line) in expected.lines.iter().zip(&found.lines) {
        // A decided game is not searched to the full depth.
        let fits = found.depth < expected.depth && line.play != found.best
            || line.value.is_none_or(|value| Some(value) == all.value)
                && line.proven.is_none_or(|p| {
                    p.verdict == Wdl::Draw || all.value == Some(f64::from(p.verdict.sign()))
                });
        if !fits {
            return Err(format!("{line:?} against {all:?}"));
        }
    }
    let mut end = s.clone();
    for &m in &line.variation {
        let mut legal = Vec::new();
        g.moves(&end, &mut legal);
        if !legal.contains(&m) {
            return Err(format!("{m:?} of {line:?} is not legal"));
        }
        g.play(&mut end, m);
    }
    match line.proven.and_then(|proof| proof.plies) {
        Some(plies) if line.variation.len() == plies as usize => match g.status(&end) {
            Status::Over(_) => Ok(()),
            Status::Turn(_) => Err(format!("{line:?} does not end")),
        },
        Some(plies) if line.variation.len() > plies as usize => {
            Err(format!("{line:?} is too long"))
        }
        _ => Ok(()),
    }
}

#[test]
fn searches_agree_with_minimax_on_random_trees() {
    let mut rng = Rng::new(41);
    agree(&Tree::read("(AA[BB]=B)"), &[0], &[1, 2, 3]);
    for _ in 0..400 {
        let tree = Tree::read(&Tree::random(&mut rng, 7));
        agree(&tree, &unfinished_states(&tree)[..1], &[7, 1, 4, 2, 5, 3, 6]);
    }
}

#[test]
fn searches_agree_with_minimax_on_states_of_small_games() {
    fn all<G: Game<Outcome = Duel>>(g: &G, depths: &[u32]) {
        agree(g, &unfinished_states(g), depths);
    }
    fn every_third<G: Game<Outcome = Duel>>(g: &G, depths: &[u32]) {
        let states: Vec<_> = unfinished_states(g).into_iter().step_by(3).collect();
        agree(g, &states, depths);
    }
    for misere in [false, true] {
        all(&Matches { n: 21, misere }, &[6, 1, 4, 7, 3]);
    }
    all(&Hexapawn::new(3, 3, false, false), &[3, 10, 4]);
    every_third(&Hexapawn::new(4, 3, false, false), &[2, 5]);
    every_third(&Hexapawn::new(4, 3, true, true), &[4]);
    every_third(&Connect4::new(3, 3), &[4]);
    let g = TicTacToe;
    let late: Vec<_> = unfinished_states(&g)
        .into_iter()
        .filter(|s| {
            let mut moves = Vec::new();
            g.moves(s, &mut moves);
            moves.len() < 7
        })
        .collect();
    agree(&g, &late, &[3, 6]);
    let g = Morpion::new(3, true, AfterPlacing::SlideAll);
    agree(&g, &unfinished_states(&g)[2000..2500], &[4, 3]);
}

#[test]
fn the_advanced_start_continues_from_the_stored_depth() {
    let g = Connect4::new(5, 4);
    let mut basic = player::<_, DeepeningPlayer<_>>("mb=1");
    let mut advanced = player::<_, DeepeningPlayer<_>>("mb=1, start=advanced");
    let value = |choice: &Choice<u8>| choice.best_line().unwrap().value;
    for depth in [4, 7, 8] {
        let (one, other) = (
            choose(&mut basic, &g, &g.start(), depth),
            choose(&mut advanced, &g, &g.start(), depth),
        );
        assert_eq!((value(&one), other.depth), (value(&other), depth));
    }
    let again = choose(&mut advanced, &g, &g.start(), 6);
    assert_eq!((again.nodes, again.depth), (0, 8), "depth 8 is stored");
}

/// An observer that takes every report and stops the search at depth eight.
#[derive(Default)]
struct StopsAtDepthEight {
    depths: Mutex<Vec<u32>>,
}

impl Observer<u8> for StopsAtDepthEight {
    fn interval(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn report(&self, so_far: &Choice<u8>) {
        self.depths.lock().unwrap().push(so_far.depth);
    }

    fn should_stop(&self) -> bool {
        self.depths.lock().unwrap().last().is_some_and(|&depth| depth >= 8)
    }
}

#[test]
fn deepening_reports_progress_and_can_be_stopped() {
    let g = Connect4::STANDARD;
    for threads in [1, 2] {
        let observer = StopsAtDepthEight::default();
        let mut p = player::<_, DeepeningPlayer<_>>(&format!("mb=1, secs=0, threads={threads}"));
        let start = g.start();
        let turn =
            MoveRequest { observer: &observer, ..MoveRequest::new(&g, &start, Budget::UNLIMITED) };
        let choice = p.choose(&turn).unwrap();
        let depths = observer.depths.into_inner().unwrap();
        assert!(depths.is_sorted() && depths.contains(&5), "{depths:?}");
        assert!((8..12).contains(&choice.depth), "{}", choice.depth);
        // Another thread can overwrite the table entries from which the variation is read.
        let variation = &choice.best_line().unwrap().variation;
        assert!(variation.len() > if threads == 1 { 4 } else { 0 }, "{variation:?}");
    }
}

#[test]
fn one_thread_is_deterministic_and_keeps_its_node_budget() {
    let g = Connect4::STANDARD;
    let run = |nodes| {
        let budget = Budget { nodes: Some(nodes), ..Budget::UNLIMITED };
        let mut p = player::<_, DeepeningPlayer<_>>("mb=1, eval=noise");
        let choice = p.choose(&MoveRequest::new(&g, &g.start(), budget)).unwrap();
        Choice { time: Duration::ZERO, ..choice }
    };
    for nodes in [1, 100, 20_000, 100_000] {
        let (one, other) = (run(nodes), run(nodes));
        assert_eq!(one, other);
        assert!(one.nodes <= nodes + 10, "{} of {nodes}", one.nodes);
    }
    assert!(run(100_000).depth > run(1000).depth);
}

#[test]
fn calls_are_counted_as_in_the_exercise_sheet() {
    fn calls<G: Game<Outcome = Duel>>(g: &G, depth: u32) -> [u64; 4] {
        let nodes = |p: &mut dyn Player<G>| choose(p, g, &g.start(), depth).nodes;
        [
            nodes(&mut player::<G, MinimaxPlayer<G>>("")),
            nodes(&mut player::<G, NegamaxPlayer<G>>("")),
            nodes(&mut player::<G, AlphaBetaPlayer<G>>("")),
            nodes(&mut player::<G, NegAlphaBetaPlayer<G>>("")),
        ]
    }
    assert_eq!(calls(&Matches { n: 13, misere: false }, 5), [357, 357, 71, 111]);
    assert_eq!(calls(&Hexapawn::new(3, 3, false, false), 10), [251, 251, 64, 95]);
    assert_eq!(calls(&Morpion::new(3, false, AfterPlacing::Place), 5), [18729, 18729, 1078, 1930]);
}

/// Returns the entries of the naive memory as the exercise sheet shows them, on its scale of 100.
fn table(sheet: &FlawedTable<Matches>) -> Vec<(u32, u32, bool, i32, Option<u8>)> {
    let row = |(board, memo): (&str, &FlawedTableEntry<u8>)| {
        (board.parse().unwrap(), memo.depth, memo.exact, memo.score / 100, memo.best)
    };
    sheet.entries().map(row).collect()
}

#[test]
fn the_naive_memory_has_the_entries_of_the_exercise_sheet() {
    let g = Matches { n: 13, misere: true };
    let s = matches::MatchesState { left: 4, turn: Side::First };
    let turn = MoveRequest::new(&g, &s, Budget::UNLIMITED);
    let mut sheet = FlawedTable::new(MoveOrder::Standard);
    assert_eq!(sheet.choose(&turn, 3, None).unwrap().best, 3);
    assert_eq!(
        table(&sheet),
        [
            (0, 0, true, 100, None),
            (1, 2, true, -100, Some(1)),
            (2, 2, false, 0, Some(1)),
            (3, 2, false, 0, Some(1)),
            (4, 3, true, 100, Some(3)),
        ]
    );
    sheet.clear();
    let long = Duration::from_secs(60);
    assert_eq!(sheet.deepen(&turn, 3, long, false, None).unwrap().best, 3);
    let deepened = [
        (0, 0, true, 100, None),
        (1, 1, true, -100, Some(1)),
        (2, 2, true, 100, Some(1)),
        (3, 2, true, 100, Some(2)),
        (4, 3, true, 100, Some(3)),
    ];
    assert_eq!(table(&sheet), deepened);
    // The advanced start finds depth 3 in the table and chooses without a search.
    let again = sheet.deepen(&turn, 3, long, true, None).unwrap();
    assert_eq!((again.best, again.nodes), (3, 0));
    assert_eq!(table(&sheet), deepened);
}

/// Counts the states in which a player chooses a worse move than minimax of the same depth, with
/// its table kept from state to state; returns also the number of states.
fn count_worse_choices<G: Game<Outcome = Duel>>(g: &G, values: &str, depth: u32) -> (usize, usize) {
    let mut p = player::<G, TranspositionPlayer<G>>(values);
    let mut reference = player::<G, MinimaxPlayer<G>>("");
    let states = unfinished_states(g);
    let mut errs = |s: &G::State| {
        let all = choose(&mut reference, g, s, depth);
        let worth: BTreeMap<String, Option<f64>> =
            all.lines.iter().map(|l| (g.show_move(s, l.play), l.value)).collect();
        let chosen = choose(&mut p, g, s, depth).best;
        worth[&g.show_move(s, chosen)] < all.best_line().unwrap().value
    };
    (states.iter().filter(|s| errs(s)).count(), states.len())
}

#[test]
fn the_table_never_chooses_worse_than_minimax_and_the_naive_memory_does() {
    let g = Matches { n: 32, misere: true };
    assert_eq!(count_worse_choices(&g, "mb=1", 6), (0, 62));
    assert_eq!(count_worse_choices(&g, "sheet", 6), (8, 62));
    let g = Hexapawn::new(4, 3, false, false);
    assert_eq!(count_worse_choices(&g, "mb=1, best-first", 6), (0, 604));
    assert_eq!(count_worse_choices(&g, "sheet", 6), (14, 604));
}
