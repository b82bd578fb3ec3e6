//! What the root says: a line for every move, and the move to play. Independent trees over
//! the same state are read as one.

use super::FinalMoveRule;
use crate::game::Game;
use crate::outcome::Wdl;
use crate::player::{Proof, RootLine, TreeBranch, TreeLimits};
use crate::search::rewards::{NodeStats, SearchReward};
use crate::search::tree::{GameTreeNode, SearchTree};

/// The lines that `trees` of the same root support, and the move to play.
pub(super) fn lines<G: Game<Outcome: SearchReward>>(
    trees: &[&SearchTree<G>],
    last: FinalMoveRule,
) -> (Vec<RootLine<G::Move>>, G::Move) {
    let families: Vec<Vec<&GameTreeNode<G>>> = trees
        .iter()
        .map(|tree| tree.root().family().into_iter().flat_map(|f| tree.children(f)).collect())
        .collect();
    let lines: Vec<RootLine<G::Move>> =
        (0..families[0].len()).map(|i| line(trees, &families, i)).collect();
    let best = final_line(&lines, last).play;
    (lines, best)
}

/// The line of the move number `i`.
fn line<G: Game<Outcome: SearchReward>>(
    trees: &[&SearchTree<G>],
    families: &[Vec<&GameTreeNode<G>>],
    i: usize,
) -> RootLine<G::Move> {
    let nodes = families.iter().map(|family| family[i]);
    let visits: u64 = nodes.clone().map(|node| u64::from(node.stats.visits())).sum();
    let sum: f64 = nodes
        .clone()
        .filter_map(|node| Some(node.stats.mean()? * f64::from(node.stats.visits())))
        .sum();
    let proof = nodes.clone().find_map(|node| node.stats.proof());
    let value = match proof {
        Some(verdict) => Some(f64::from(verdict.sign())),
        None => (visits > 0).then(|| sum / visits as f64),
    };
    let (tree, node) = trees
        .iter()
        .zip(nodes)
        .max_by_key(|(_, node)| (node.stats.proof().is_some(), node.stats.visits()))
        .expect("there is a tree");
    let proven = proof.map(|verdict| Proof { verdict, plies: None });
    RootLine { play: node.play, value, visits, proven, variation: variation(tree, node) }
}

/// The moves from `node` on: a winning one, or else the one visited most.
fn variation<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    node: &GameTreeNode<G>,
) -> Vec<G::Move> {
    let mut moves = vec![node.play];
    let mut at = node;
    while let Some(family) = at.family() {
        let rank = |node: &GameTreeNode<G>| (proof_rank(node.stats.proof()), node.stats.visits());
        let next = tree
            .children(family)
            .iter()
            .reduce(|best, node| if rank(node) > rank(best) { node } else { best })
            .expect("a family has a child");
        if next.stats.visits() == 0 && next.stats.proof() != Some(Wdl::Win) {
            break;
        }
        moves.push(next.play);
        at = next;
    }
    moves
}

/// The top of `tree`.
pub(super) fn top_of_tree<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    pruning: TreeLimits,
) -> Vec<TreeBranch<G::Move>> {
    branches(tree, tree.root(), pruning)
}

/// The moves tried after `node`, those visited most.
fn branches<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    node: &GameTreeNode<G>,
    pruning: TreeLimits,
) -> Vec<TreeBranch<G::Move>> {
    let Some(depth) = pruning.depth.checked_sub(1) else { return Vec::new() };
    let family = node.family().into_iter().flat_map(|family| tree.children(family));
    // Counts go on growing while they are read: each is read once.
    let mut tried: Vec<(u32, &GameTreeNode<G>)> = family
        .map(|node| (node.stats.visits(), node))
        .filter(|(visits, node)| *visits > 0 || node.stats.proof().is_some())
        .collect();
    tried.sort_by_key(|&(visits, _)| std::cmp::Reverse(visits));
    tried.truncate(pruning.width);
    let branch = |(visits, node): (u32, &GameTreeNode<G>)| TreeBranch {
        play: node.play,
        value: node.stats.mean(),
        visits: visits.into(),
        proven: node.stats.proof(),
        children: branches(tree, node, TreeLimits { depth, ..pruning }),
    };
    tried.into_iter().map(branch).collect()
}

/// Won before open before lost.
fn proof_rank(proof: Option<Wdl>) -> i32 {
    match proof {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        Some(Wdl::Draw) | None => 0,
    }
}

/// The line of the move to play; of equals the first.
fn final_line<M: Copy>(lines: &[RootLine<M>], last: FinalMoveRule) -> &RootLine<M> {
    let first_best = |rank: &dyn Fn(&RootLine<M>) -> (i32, f64)| {
        lines
            .iter()
            .reduce(|best, line| if rank(line) > rank(best) { line } else { best })
            .expect("a game that goes on has a move")
    };
    let verdict = |line: &RootLine<M>| line.proven.map(|proof| proof.verdict);
    match last {
        FinalMoveRule::Visits => first_best(&|line| (0, line.visits as f64)),
        FinalMoveRule::Value => first_best(&|line| (0, line.value.unwrap_or(f64::MIN))),
        FinalMoveRule::Proof => {
            let most = first_best(&|line| (proof_rank(verdict(line)), line.visits as f64));
            let drawn = lines.iter().find(|line| verdict(line) == Some(Wdl::Draw));
            match drawn {
                // A certain draw is better than what looks like less.
                Some(drawn) if most.value.is_none_or(|value| value < 0.0) => drawn,
                _ => most,
            }
        }
    }
}
