//! The results of a search at its root: a line for every move, the final move, and the top of the
//! tree for observers. The statistics of independent trees with the same root are added. Visits are
//! reported in simulations ([`LeafEvaluation::simulations`]).

use super::FinalMoveRule;
use super::leaf::LeafEvaluation;
use crate::game::Game;
use crate::outcome::Wdl;
use crate::player::{Proof, RootLine, TreeBranch, TreeReportLimits};
use crate::search::rewards::{NodeStats, SearchReward};
use crate::search::tree::{GameTreeNode, SearchTree, decode_prior};

/// Returns a line for every root move and the final move. `trees` must have the same root; their
/// statistics are added.
pub(super) fn lines<G: Game<Outcome: SearchReward>>(
    trees: &[&SearchTree<G>],
    leaf: &LeafEvaluation<'_, G>,
    rule: FinalMoveRule,
) -> (Vec<RootLine<G::Move>>, G::Move) {
    let root_children: Vec<&[GameTreeNode<G>]> =
        trees.iter().map(|tree| children_of(tree, tree.root())).collect();
    let simulations = |line: RootLine<G::Move>| RootLine {
        visits: line.visits / u64::from(leaf.visits_per_simulation()),
        prior: line.prior.filter(|_| matches!(leaf, LeafEvaluation::Policy(_))),
        ..line
    };
    let lines: Vec<RootLine<G::Move>> =
        (0..root_children[0].len()).map(|i| simulations(line(trees, &root_children, i))).collect();
    let best = final_line(&lines, rule).play;
    (lines, best)
}

/// Returns the line of the root move with index `i`: its value, visits as the statistics count
/// them, proof, prior and expected continuation.
fn line<G: Game<Outcome: SearchReward>>(
    trees: &[&SearchTree<G>],
    root_children: &[&[GameTreeNode<G>]],
    i: usize,
) -> RootLine<G::Move> {
    let nodes = root_children.iter().map(|children| &children[i]);
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
    RootLine {
        play: node.play,
        value,
        visits,
        proven,
        prior: Some(decode_prior(node.prior).into()),
        variation: variation(tree, node),
    }
}

/// Returns the expected continuation, which begins with the move of `node`: from each node a move
/// that is proven to win, or else the most visited move.
fn variation<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    node: &GameTreeNode<G>,
) -> Vec<G::Move> {
    let mut moves = vec![node.play];
    let mut current = node;
    while let Some(children) = current.children() {
        let rank = |node: &GameTreeNode<G>| (proof_rank(node.stats.proof()), node.stats.visits());
        let next = tree
            .nodes_of(children)
            .iter()
            .reduce(|best, node| if rank(node) > rank(best) { node } else { best })
            .expect("an expanded node has a child");
        if next.stats.visits() == 0 && next.stats.proof() != Some(Wdl::Win) {
            break;
        }
        moves.push(next.play);
        current = next;
    }
    moves
}

/// Returns the most visited branches of `tree` from the root down, within the limits of depth and
/// width.
pub(super) fn top_of_tree<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    leaf: &LeafEvaluation<'_, G>,
    limits: TreeReportLimits,
) -> Vec<TreeBranch<G::Move>> {
    branches(tree, leaf, tree.root(), limits)
}

/// Returns the children of `node`; none if it is not expanded.
fn children_of<'t, G: Game<Outcome: SearchReward>>(
    tree: &'t SearchTree<G>,
    node: &GameTreeNode<G>,
) -> &'t [GameTreeNode<G>] {
    node.children().map_or(&[], |children| tree.nodes_of(children))
}

/// Returns the branches to the visited or proven children of `node`, the most visited first, within
/// the limits.
fn branches<G: Game<Outcome: SearchReward>>(
    tree: &SearchTree<G>,
    leaf: &LeafEvaluation<'_, G>,
    node: &GameTreeNode<G>,
    limits: TreeReportLimits,
) -> Vec<TreeBranch<G::Move>> {
    let Some(depth) = limits.depth.checked_sub(1) else { return Vec::new() };
    // Other threads may still update the counts, so each count is read only once.
    let children = children_of(tree, node);
    let mut visited: Vec<(u32, usize)> =
        children.iter().map(|node| node.stats.visits()).zip(0..).collect();
    visited.retain(|&(visits, i)| visits > 0 || children[i].stats.proof().is_some());
    visited.sort_by_key(|&(visits, _)| std::cmp::Reverse(visits));
    visited.truncate(limits.width);
    let branch = |(visits, i): (u32, usize)| TreeBranch {
        play: children[i].play,
        value: children[i].stats.mean(),
        visits: leaf.simulations(visits).into(),
        proven: children[i].stats.proof(),
        children: branches(tree, leaf, &children[i], TreeReportLimits { depth, ..limits }),
    };
    visited.into_iter().map(branch).collect()
}

/// Returns 1 for a proven win, −1 for a proven loss, and 0 for a proven draw or no proof.
fn proof_rank(proof: Option<Wdl>) -> i32 {
    match proof {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        Some(Wdl::Draw) | None => 0,
    }
}

/// Returns the line of the final move by `rule`; of equal lines the first.
fn final_line<M: Copy>(lines: &[RootLine<M>], rule: FinalMoveRule) -> &RootLine<M> {
    let first_best = |rank: &dyn Fn(&RootLine<M>) -> (i32, f64)| {
        lines
            .iter()
            .reduce(|best, line| if rank(line) > rank(best) { line } else { best })
            .expect("an unfinished game has a move")
    };
    let verdict = |line: &RootLine<M>| line.proven.map(|proof| proof.verdict);
    match rule {
        FinalMoveRule::Visits => first_best(&|line| (0, line.visits as f64)),
        FinalMoveRule::Value => first_best(&|line| (0, line.value.unwrap_or(f64::MIN))),
        FinalMoveRule::Proof => {
            let most = first_best(&|line| (proof_rank(verdict(line)), line.visits as f64));
            let drawn = lines.iter().find(|line| verdict(line) == Some(Wdl::Draw));
            match drawn {
                // A proven draw is better than a negative mean value.
                Some(drawn) if most.value.is_none_or(|value| value < 0.0) => drawn,
                _ => most,
            }
        }
    }
}
