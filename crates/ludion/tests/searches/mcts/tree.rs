//! Trees kept from move to move, little memory, and reports of the tree to observers.

use std::sync::Mutex;

use ludion::game::Game;
use ludion::games::connect4::Connect4;
use ludion::games::matches::Matches;
use ludion::games::tictactoe::TicTacToe;
use ludion::outcome::Wdl;
use ludion::player::{MoveRequest, Observer, Player, TreeBranch, TreeReportLimits};
use ludion::players::mcts::{MctsOptions, MctsPlayer, ParallelMode};

use super::*;

#[test]
fn a_kept_tree_continues_with_its_counts() {
    let g = Connect4::STANDARD;
    let mut player = MctsPlayer::new(PLAIN, None);
    let first = choose(&mut player, &g, &g.start(), 20_000);
    let line = first.best_line().unwrap();
    let (reply, moves) = (line.variation[1], line.visits);
    // One ply later: the visits of the move, minus the two before it was expanded, plus one.
    let s = after(&g, &g.start(), first.best);
    let again = choose(&mut player, &g, &s, 1);
    let visits: u64 = again.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, moves - 2 + 1);
    // Another ply later, and then the same state again.
    let before = again.lines.iter().find(|line| line.play == reply).unwrap().visits;
    let s = after(&g, &s, reply);
    for more in 1..=2 {
        let kept = choose(&mut player, &g, &s, 1);
        let visits: u64 = kept.lines.iter().map(|line| line.visits).sum();
        assert_eq!(visits, before - 2 + more);
    }
    // With `fresh`, and in a new game, the tree is empty.
    let mut fresh = MctsPlayer::new(MctsOptions { fresh: true, ..PLAIN }, None);
    choose(&mut fresh, &g, &g.start(), 1000);
    player.begin(0);
    for player in [&mut fresh, &mut player] {
        let visits: u64 = choose(player, &g, &s, 1).lines.iter().map(|line| line.visits).sum();
        assert_eq!(visits, 1);
    }
}

#[test]
fn a_state_outside_the_tree_starts_a_new_tree() {
    let g = Connect4::STANDARD;
    let mut player = MctsPlayer::new(PLAIN, None);
    // With so few simulations no grandchildren exist.
    choose(&mut player, &g, &g.start(), 3);
    let mut s = g.start();
    for m in [0, 0, 0, 0, 0, 0, 3, 3, 4, 4] {
        g.play(&mut s, m);
    }
    let choice = choose(&mut player, &g, &s, 500);
    let columns: Vec<u8> = choice.lines.iter().map(|line| line.play).collect();
    assert_eq!(columns, [1, 2, 3, 4, 5, 6], "the first column is full");
    assert_eq!(choice.lines.iter().map(|line| line.visits).sum::<u64>(), choice.simulations);
    assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, Wdl::Win);
}

#[test]
fn memory_is_reclaimed_in_long_games_and_a_full_tree_still_plays() {
    let g = Connect4::new(8, 7);
    for (way, threads) in
        [(ParallelMode::Tree, 1), (ParallelMode::Tree, 3), (ParallelMode::Root, 2)]
    {
        for memory in [3_000, 200_000] {
            let options = MctsOptions { memory, ..on_threads(threads, way) };
            let mut player = MctsPlayer::new(options, None);
            let mut s = g.start();
            while g.status(&s).turn().is_some() {
                let choice = choose(&mut player, &g, &s, 3000);
                let (used, room) = player.node_usage();
                assert!(used <= room && room * 16 <= memory / 2, "{used} of {room} nodes");
                let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
                assert!(
                    visits >= choice.simulations,
                    "the search continues when the memory is full"
                );
                g.play(&mut s, choice.best);
            }
        }
    }
}

#[test]
fn a_large_memory_is_reclaimed_move_by_move() {
    let g = Connect4::STANDARD;
    let mut player = MctsPlayer::new(MctsOptions { memory: 100_000_000, ..PLAIN }, None);
    let mut s = g.start();
    let mut most = 0;
    while g.status(&s).turn().is_some() {
        let choice = choose(&mut player, &g, &s, 2000);
        g.play(&mut s, choice.best);
        most = most.max(player.node_usage().0);
    }
    // At most seven children per simulation, in the subtrees that are kept.
    assert!(most < 60_000, "{most} nodes");
}

#[test]
fn many_threads_on_a_tiny_tree_lose_no_simulation() {
    // The whole tree of four matches has a dozen nodes, so threads collide all the time.
    for misere in [false, true] {
        let g = Matches { n: 5, misere };
        for seed in 0..200 {
            let mut player = MctsPlayer::new(on_threads(8, ParallelMode::Tree), None);
            player.begin(seed);
            let choice = choose(&mut player, &g, &g.start(), 2000);
            let visits: u64 = choice.lines.iter().map(|line| line.visits).sum();
            assert_eq!(visits, choice.simulations);
            let best = if misere { Wdl::Loss } else { Wdl::Win };
            assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, best);
        }
    }
}

/// An observer that keeps the last reported tree.
struct TreeRecorder(Mutex<Vec<TreeBranch<u8>>>);

impl Observer<u8> for TreeRecorder {
    fn tree_limits(&self) -> Option<TreeReportLimits> {
        Some(TreeReportLimits { depth: 3, width: 2 })
    }

    fn report_tree(&self, branches: &[TreeBranch<u8>]) {
        *self.0.lock().expect("no thread panics while recording") = branches.to_vec();
    }
}

/// Checks the branches after `s`; returns their depth in plies.
fn check_branches(
    g: &TicTacToe,
    s: &<TicTacToe as Game>::State,
    branches: &[TreeBranch<u8>],
) -> u32 {
    let side = g.status(s).turn().expect("the game is not over where moves were tried");
    assert!(branches.len() <= 2 && branches.is_sorted_by(|a, b| a.visits >= b.visits));
    let depth = |branch: &TreeBranch<u8>| {
        let child = after(g, s, branch.play);
        if let Some(proven) = branch.proven {
            assert_eq!(proven, exact(g, &child, side), "for the side that plays it");
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
fn the_reported_tree_has_the_requested_size_and_correct_proofs() {
    for parallel in MODES {
        let onlooker = TreeRecorder(Mutex::default());
        let (g, mut s) = (TicTacToe, TicTacToe.start());
        g.play(&mut s, 4);
        let turn = MoveRequest { observer: &onlooker, ..MoveRequest::new(&g, &s, sims(3000)) };
        let choice = MctsPlayer::new(on_threads(2, parallel), None).choose(&turn).unwrap();
        let tree = onlooker.0.into_inner().unwrap();
        assert_eq!(check_branches(&g, &s, &tree), 3);
        let most = choice.lines.iter().map(|line| line.visits).max();
        assert!(parallel == ParallelMode::Root || Some(tree[0].visits) == most);
    }
}
