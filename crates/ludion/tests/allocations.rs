//! Playouts and perft do not allocate per node: once their buffers have grown, the number of
//! allocations does not depend on the amount of work. Iterations of cross-entropy do not allocate
//! per candidate after the first.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ludion::game::{Game, TallyOf};
use ludion::games::connect4::Connect4;
use ludion::games::dice::Dice;
use ludion::games::divide::Divide;
use ludion::games::hexapawn::Hexapawn;
use ludion::games::hextris::{
    CommandGame, HextrisReferee, Phrases, PlacementGame, SolutionStatus, problems,
    seeded_problem::SeededProblem,
};
use ludion::games::marienbad::Marienbad;
use ludion::games::matches::Matches;
use ludion::games::morpion::{AfterPlacing, Morpion};
use ludion::games::tictactoe::TicTacToe;
use ludion::optimise::Maximiser;
use ludion::optimise::cross_entropy::categorical::CategoricalDistribution;
use ludion::optimise::cross_entropy::mallows::{MallowsDistribution, MallowsOptions};
use ludion::optimise::cross_entropy::permutation::PermutationDistribution;
use ludion::optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions, DistributionFamily, SampleSize,
};
use ludion::random::Rng;
use ludion::riddles::mastermind::{SecretPegCounter, WhitePegCounting as Pegs};
use ludion::search::perft::perft_with;

struct CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded to the system allocator; counting does not touch its memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller upholds the contract of `alloc`, which is also the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, and so from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn allocates_nothing_per_node<G: Game>(g: &G) {
    let (s, mut rng) = (g.start(), Rng::new(1));
    let (mut buffer, mut tally) = (Vec::with_capacity(4096), TallyOf::<G>::default());
    let in_playouts = allocations(|| {
        for _ in 0..100 {
            g.playout(s.clone(), &mut rng, &mut buffer);
        }
        g.playouts(&s, 100, &mut rng, &mut buffer, &mut tally);
    });
    assert_eq!(in_playouts, 0, "in playouts of {}", g.show_state(&s));
    let in_perft = allocations(|| {
        perft_with(g, &s, 4, &mut buffer);
    });
    assert_eq!(in_perft, 0, "in perft of {}", g.show_state(&s));
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn playouts_and_perft_allocate_nothing_per_node() {
    allocates_nothing_per_node(&Matches { n: 21, misere: true });
    allocates_nothing_per_node(&Divide { boxes: [13, 17], sorted: false });
    allocates_nothing_per_node(&Dice { count: 50, face: 1 });
    allocates_nothing_per_node(&Marienbad { rows: [4, 8, 12], limit: None, misere: false });
    allocates_nothing_per_node(&Hexapawn::new(5, 5, true, false));
    allocates_nothing_per_node(&Morpion::new(5, true, AfterPlacing::SlideAll));
    allocates_nothing_per_node(&TicTacToe);
    allocates_nothing_per_node(&Connect4::STANDARD);
    allocates_nothing_per_node(&Connect4::new(9, 6));
    let table = |name| SeededProblem::new(problems::find(name).unwrap().problem(), 0).unwrap();
    allocates_nothing_per_node(&CommandGame(table("corner")));
    allocates_nothing_per_node(&PlacementGame(table("dot")));
}

#[test]
fn the_referee_of_hexagonal_tetris_allocates_nothing_per_command() {
    let problem = problems::find("shaft").unwrap().problem();
    let phrases = Phrases::known();
    let referee = HextrisReferee::new(&problem, &phrases);
    let judged = |solution: &str| {
        allocations(|| assert_eq!(referee.score(0, solution).status, SolutionStatus::InProgress))
    };
    // Only downward moves, over some locks: no placement is repeated.
    assert_eq!(judged(&"al".repeat(10)), judged(&"al".repeat(200)));
}

/// Returns the number of allocations in the second iteration with this many samples.
fn second_iteration<F: DistributionFamily<Sample = Vec<u16>>>(
    distribution: F,
    samples: usize,
) -> u64 {
    let options =
        CrossEntropyOptions { samples: SampleSize::Fixed(samples), ..distribution.defaults() };
    let mut search = CrossEntropy::new(distribution, options, 1).unwrap();
    let keeper = SecretPegCounter::new(&(0..12).collect::<Vec<u16>>(), 20, Pegs::Right);
    let mut scores = Vec::with_capacity(samples);
    let mut iterate = |search: &mut CrossEntropy<F>, iterations: usize| {
        while search.history().len() < iterations {
            scores.clear();
            scores.extend(search.ask().iter().map(|word| keeper.feedback(word).score(12)));
            search.tell(&scores).unwrap();
        }
    };
    iterate(&mut search, 1);
    allocations(|| iterate(&mut search, 2))
}

#[test]
fn cross_entropy_does_not_allocate_per_candidate() {
    let laws = |samples: usize| {
        [
            second_iteration(CategoricalDistribution::uniform(12, 20).unwrap(), samples),
            second_iteration(PermutationDistribution::uniform(12, 20).unwrap(), samples),
            second_iteration(
                MallowsDistribution::new(12, 20, MallowsOptions::default(), 1).unwrap(),
                samples,
            ),
            second_iteration(
                MallowsDistribution::new(12, 20, MallowsOptions::original(), 1).unwrap(),
                samples / 10,
            ),
        ]
    };
    for (few, many) in laws(1_000).into_iter().zip(laws(10_000)) {
        assert!(few.abs_diff(many) < 50 && many < 400, "{few} and {many} allocations");
    }
}
