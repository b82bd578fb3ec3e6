//! The kernel of the search: descents through the tree, several at a time, expansion and backup.
//!
//! Deep in a large tree every step waits for memory. So a *wave* of simulations descends together,
//! one step of each in turn, and the next nodes of one are prefetched while the others step. Visits
//! are counted on the way down, so that the simulations of a wave select different paths.
//!
//! Proofs (MCTS-Solver, Winands, Björnsson & Saito 2008): a node with a winning move is won; a node
//! whose moves are all proven has the value of the best. Proven moves are not tried again. If one
//! of them draws, playouts that the mover loses elsewhere are backed up as draws, because the mover
//! could have chosen the draw.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::leaf::{LeafEvaluation, PolicyBuffers};
use super::select::{SelectionFormula, SelectionParent};
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::outcome::Wdl;
use crate::random::Rng;
use crate::repetition::GamePath;
use crate::search::node_pool::PoolCursor;
use crate::search::rewards::{NodeStats, RewardSum, SearchReward};
use crate::search::tree::{ChildNodes, GameTreeNode, ROOT, SearchTree, TreeNode, encode_prior};

/// Number of visits of a leaf before it is expanded. Two visits instead of one save half of the
/// memory without a measured loss of strength; three cost strength.
const EXPAND_AFTER: u32 = 2;

/// Maximum number of visits that threads may add between two checks of the visit limit.
const VISIT_MARGIN: u32 = 1 << 20;

/// The data that all threads in one tree share.
pub(super) struct SharedSearch<'a, G: Game<Outcome: SearchReward>> {
    pub(super) game: &'a G,
    pub(super) tree: &'a SearchTree<G>,
    pub(super) select: SelectionFormula,
    /// The exponent with which exploration grows in large searches.
    pub(super) growth: f64,
    /// How leaves get their values.
    pub(super) leaf: LeafEvaluation<'a, G>,
    /// The evaluator that gives the prior of moves in PUCT; `None` if all moves have the same
    /// prior.
    pub(super) prior: Option<&'a dyn Evaluator<G>>,
    /// Maximum depth of the tree below the root, in plies.
    pub(super) depth: usize,
    /// Whether there is no memory for new nodes.
    pub(super) full: AtomicBool,
}

/// The working memory of one thread. It is kept between moves, so that buffers are allocated only
/// once, and has cache lines of its own, because its frequent writes would slow other threads down.
#[repr(align(128))]
pub(super) struct SearchThread<G: Game> {
    pub(super) rng: Rng,
    pub(super) simulations: Vec<Simulation<G>>,
    /// Number of nodes visited by descents of this thread.
    pub(super) nodes: u64,
    /// The greatest depth that this thread reached, in plies below the root.
    pub(super) depth: usize,
    /// Indices of the simulations of the wave that are still descending.
    descending: Vec<usize>,
    /// Buffers for the expansion of a leaf, and for playouts.
    children: ListedChildren<G>,
    /// The position of this thread in the node pool.
    pub(super) cursor: PoolCursor,
    pub(super) policy: PolicyBuffers,
}

/// One simulation: a descent from the start node to a leaf, and the playouts from there.
pub(super) struct Simulation<G: Game> {
    pub(super) state: G::State,
    /// The positions before `state`.
    past: GamePath,
    /// The nodes of the descent, without the node where it started.
    path: Vec<u32>,
    /// The rewards of the playouts; `None` before the playouts from `state` are run.
    pub(super) rewards: Option<RewardSum>,
    /// Whether the last node of the descent has a proven result.
    proven: bool,
    /// The last node of the descent.
    leaf: u32,
    /// The children that the leaf gets when it is evaluated with a policy; empty if it gets none.
    pub(super) children: ListedChildren<G>,
}

/// The moves of a state, with a proven result and an evaluation for each.
pub(super) struct ListedChildren<G: Game> {
    pub(super) moves: Vec<G::Move>,
    /// For every move the proven result, if any, and the evaluation, which is later replaced by the
    /// prior.
    assessments: Vec<(Option<Wdl>, f64)>,
}

/// The node where simulations start: the root or the top of a leased subtree.
pub(super) struct SimulationRoot<G: Game> {
    pub(super) node: u32,
    pub(super) state: G::State,
    /// The positions before `state`.
    pub(super) past: GamePath,
    /// The factor of exploration, which grows with the simulations of the search.
    pub(super) growth: f32,
    /// The depth of this node below the root of the tree, in plies.
    pub(super) depth: usize,
}

/// The value that is backed up from a child to its parent.
#[derive(Clone, Copy)]
pub(super) struct BackupValue {
    /// The rewards of the playouts below the child.
    pub(super) rewards: RewardSum,
    /// Whether the child's result is proven.
    pub(super) proven: bool,
}

impl<G: Game> Default for ListedChildren<G> {
    fn default() -> Self {
        ListedChildren { moves: Vec::new(), assessments: Vec::new() }
    }
}

impl<G: Game<Outcome: SearchReward>> SearchThread<G> {
    pub(super) fn new(rng: Rng) -> Self {
        SearchThread {
            rng,
            simulations: Vec::new(),
            nodes: 0,
            depth: 0,
            descending: Vec::new(),
            children: ListedChildren::default(),
            cursor: PoolCursor::default(),
            policy: PolicyBuffers::default(),
        }
    }

    /// Resets the counters and the position in the node pool for a new search.
    pub(super) fn start_decision(&mut self) {
        self.cursor = PoolCursor::default();
        (self.nodes, self.depth) = (0, 0);
    }

    /// Runs one playout from `s` and returns the reward of the first side.
    #[inline]
    pub(super) fn playout(&mut self, search: &SharedSearch<'_, G>, s: G::State) -> i64 {
        self.children.moves.clear();
        let points = search.game.playout(s, &mut self.rng, &mut self.children.moves).points();
        if !G::Outcome::IS_DUEL {
            search.tree.points_range.widen(points);
        }
        points
    }
}

impl<G: Game<Outcome: SearchReward>> SharedSearch<'_, G> {
    /// Returns whether the search can go on: the root is not proven and below its visit limit.
    pub(super) fn can_continue(&self) -> bool {
        let root = &self.tree.root().stats;
        let max_visits = <G::Outcome as SearchReward>::Stats::MAX_VISITS;
        !root.is_proven()
            && self.visits(self.tree.root()) < self.leaf.simulations(max_visits) - VISIT_MARGIN
    }

    /// Returns the number of simulations that visited a node.
    #[inline]
    pub(super) fn visits(&self, node: &GameTreeNode<G>) -> u32 {
        self.leaf.simulations(node.stats.visits())
    }

    /// Returns the root of the tree as the start of simulations.
    pub(super) fn root(&self) -> SimulationRoot<G> {
        let (state, past) = (self.tree.state.clone(), self.tree.past.clone());
        SimulationRoot { node: ROOT, state, past, growth: 1.0, depth: 0 }
    }

    /// Descends with `wave` simulations from `top` to leaves. No other thread may use the subtree
    /// of `top` meanwhile. Each simulation adds `games` visits, as the statistics count them, to all
    /// nodes that it passes below `top`.
    pub(super) fn descend(
        &self,
        thread: &mut SearchThread<G>,
        top: &SimulationRoot<G>,
        wave: usize,
        games: u32,
    ) {
        while thread.simulations.len() < wave {
            let state = top.state.clone();
            thread.simulations.push(Simulation {
                state,
                past: GamePath::new(),
                path: Vec::new(),
                rewards: None,
                proven: false,
                leaf: top.node,
                children: ListedChildren::default(),
            });
        }
        thread.descending.clear();
        for (i, simulation) in thread.simulations[..wave].iter_mut().enumerate() {
            simulation.state.clone_from(&top.state);
            simulation.past.copy_from(&top.past);
            simulation.path.clear();
            (simulation.rewards, simulation.proven) = (None, false);
            thread.descending.push(i);
        }
        while !thread.descending.is_empty() {
            let mut i = 0;
            while let Some(&at) = thread.descending.get(i) {
                let SearchThread { simulations, children, cursor, .. } = thread;
                if self.step(top, &mut simulations[at], (&mut *children, &mut *cursor), games) {
                    i += 1;
                } else {
                    thread.descending.swap_remove(i);
                }
            }
        }
    }

    /// Descends one ply with one simulation; returns `false` if its descent has ended.
    #[inline]
    fn step(
        &self,
        top: &SimulationRoot<G>,
        simulation: &mut Simulation<G>,
        expansion: (&mut ListedChildren<G>, &mut PoolCursor),
        games: u32,
    ) -> bool {
        simulation.leaf = simulation.path.last().copied().unwrap_or(top.node);
        let node = self.tree.node(simulation.leaf);
        let children = match node.children() {
            Some(children) => children,
            None if matches!(self.leaf, LeafEvaluation::Policy(_)) => {
                self.list_for_policy(node, top.depth, simulation, games);
                return false;
            }
            None => match self.expand(node, top.depth, simulation, expansion, games) {
                Some(children) => children,
                None => return false,
            },
        };
        let (i, child) = self.select_child(node, children, top.growth);
        child.stats.add_visits::<false>(games.into());
        simulation.path.push(i);
        if child.stats.is_proven() {
            simulation.end_at(child, games);
            return false;
        }
        self.tree.prefetch(child);
        simulation.past.play(self.game, &mut simulation.state, child.play);
        true
    }

    /// Returns the index and the node of the child that the selection formula chooses.
    #[inline]
    pub(super) fn select_child(
        &self,
        node: &GameTreeNode<G>,
        children: ChildNodes,
        growth: f32,
    ) -> (u32, &GameTreeNode<G>) {
        let parent = SelectionParent {
            visits: self.visits(node),
            unit: self.leaf.visits_per_simulation(),
            growth,
            range: &self.tree.points_range,
            has_prior: self.has_prior(),
            untried: self.untried_value(node, children),
        };
        let nodes = self.tree.nodes_of(children);
        let i = children.first + self.select.select_child(parent, nodes);
        (i, self.tree.node(i))
    }

    /// Expands a leaf if it has enough visits, the depth limit is not reached and there is memory.
    /// Returns the new children; `None` if there are none, which ends the descent.
    #[inline]
    fn expand(
        &self,
        node: &GameTreeNode<G>,
        depth: usize,
        simulation: &mut Simulation<G>,
        (listed, cursor): (&mut ListedChildren<G>, &mut PoolCursor),
        games: u32,
    ) -> Option<ChildNodes> {
        let is_visited_enough = node.stats.visits() > EXPAND_AFTER * games;
        if !is_visited_enough
            || depth + simulation.path.len() >= self.depth
            || self.full.load(Relaxed)
        {
            return None;
        }
        match self.list_children(&simulation.state, &mut simulation.past, listed)? {
            (side, None) => {
                if self.prior.is_some() {
                    to_priors(&mut listed.assessments);
                }
                let children = self.add_children(node, side, listed, cursor);
                self.full.fetch_or(children.is_none(), Relaxed);
                children
            }
            (side, Some(verdict)) => {
                node.stats.prove(seen_from(node.stats.side(), verdict, side));
                simulation.end(verdict, side, games);
                None
            }
        }
    }

    /// Lists the children of a leaf that is going to be evaluated with a policy in `simulation`; none
    /// if the depth limit is reached or there is no memory. Ends the simulation if the moves prove
    /// the leaf.
    fn list_for_policy(
        &self,
        node: &GameTreeNode<G>,
        depth: usize,
        simulation: &mut Simulation<G>,
        games: u32,
    ) {
        simulation.children.moves.clear();
        if depth + simulation.path.len() >= self.depth || self.full.load(Relaxed) {
            return;
        }
        let Simulation { state, past, children, .. } = simulation;
        let listed = self.list_children(state, past, children);
        if let Some((side, Some(verdict))) = listed {
            node.stats.prove(seen_from(node.stats.side(), verdict, side));
            simulation.end(verdict, side, games);
        }
    }

    /// Adds the children that `simulation` has listed for its leaf, with these priors, unless another
    /// simulation of the wave has added them.
    pub(super) fn add_evaluated_children(
        &self,
        simulation: &mut Simulation<G>,
        priors: &[f32],
        cursor: &mut PoolCursor,
    ) {
        let node = self.tree.node(simulation.leaf);
        let Some(side) = self.game.status(&simulation.state).turn() else { return };
        if priors.is_empty() || node.children().is_some() {
            return;
        }
        simulation.children.set_priors(priors);
        let children = self.add_children(node, side, &simulation.children, cursor);
        self.full.fetch_or(children.is_none(), Relaxed);
    }

    /// Lists the moves of `s`, reached by `past`, with their proven results and evaluations in `listed`. Returns the
    /// side to move, and its result if the moves prove it; `None` if the game is over.
    fn list_children(
        &self,
        s: &G::State,
        past: &mut GamePath,
        listed: &mut ListedChildren<G>,
    ) -> Option<(Side, Option<Wdl>)> {
        let side = past.status(self.game, s).turn()?;
        listed.moves.clear();
        listed.assessments.clear();
        past.moves(self.game, s, &mut listed.moves);
        let before = past.len();
        past.push(self.game, s);
        let (mut all, mut won) = (Some(Wdl::Loss), None);
        for &m in &listed.moves {
            let mut child = s.clone();
            self.game.play(&mut child, m);
            let (proof, evaluation) = self.assess(&child, past, side);
            all = better_if_known(all, proof);
            won = won.or(proof.filter(|&verdict| verdict == Wdl::Win));
            listed.assessments.push((proof, evaluation));
        }
        past.truncate(self.game, before);
        Some((side, won.or(all)))
    }

    /// Assesses the state `child`, reached by `past`, which `side` has just moved to, from the point of view of
    /// `side`: returns the proven result if the game is over, and the evaluation, from −1 to 1.
    #[inline]
    fn assess(&self, child: &G::State, past: &GamePath, side: Side) -> (Option<Wdl>, f64) {
        match (past.status(self.game, child), self.prior) {
            (Status::Over(end), _) => {
                let proof = end.verdict(side);
                (proof, proof.map_or(0.0, |verdict| f64::from(verdict.sign())))
            }
            (Status::Turn(_), None) => (None, 0.0),
            (Status::Turn(mover), Some(evaluator)) => {
                let value = f64::from(evaluator.value(self.game, child)) / f64::from(WIN);
                (None, if mover == side { value } else { -value })
            }
        }
    }

    /// Returns whether the children of a node have priors of their own.
    #[inline]
    fn has_prior(&self) -> bool {
        self.prior.is_some() || matches!(self.leaf, LeafEvaluation::Policy(_))
    }

    /// Returns the mean reward, from 0 to 1, that an untried child of `node` is given in advance: that
    /// of a draw, or with a policy somewhat less than the mean of `node` itself (*first-play
    /// urgency*).
    #[inline]
    fn untried_value(&self, node: &GameTreeNode<G>, children: ChildNodes) -> f32 {
        if !matches!(self.leaf, LeafEvaluation::Policy(_)) {
            return 0.5;
        }
        let mean = node.stats.mean().unwrap_or(0.0) as f32;
        let same_side = self.tree.node(children.first).stats.side() == node.stats.side();
        let for_mover = if same_side { mean } else { -mean };
        ((1.0 + for_mover) / 2.0 - UNTRIED_REDUCTION).max(0.0)
    }

    /// Adds the children that `listed` has to `node`; returns `None` if there is no memory.
    #[inline]
    fn add_children(
        &self,
        node: &GameTreeNode<G>,
        side: Side,
        listed: &ListedChildren<G>,
        cursor: &mut PoolCursor,
    ) -> Option<ChildNodes> {
        let ListedChildren { moves, assessments } = listed;
        let has_prior = self.has_prior();
        let children = (0..moves.len()).map(|i| {
            let (proof, prior) = assessments[i];
            let prior = if has_prior { encode_prior(prior) } else { 0 };
            let node = TreeNode::new(side, moves[i], prior);
            if let Some(verdict) = proof {
                NodeStats::prove(&node.stats, verdict);
            }
            node
        });
        let children = self.tree.add_children(cursor, node, children);
        if children.is_some() && assessments.iter().any(|&(proof, _)| proof == Some(Wdl::Draw)) {
            node.set_drawn_child();
        }
        children
    }

    /// Expands the root, even if its result is proven, because every move needs a line.
    pub(super) fn expand_root(&self, thread: &mut SearchThread<G>) {
        let root = self.tree.root();
        if root.children().is_some() {
            return;
        }
        let (state, SearchThread { children: listed, cursor, policy, .. }) =
            (&self.tree.state, thread);
        let mut past = self.tree.past.clone();
        let (side, _) =
            self.list_children(state, &mut past, listed).expect("the game is not over at the root");
        if let LeafEvaluation::Policy(evaluator) = self.leaf {
            policy.evaluate_one(self.game, evaluator, state, side, &listed.moves);
            listed.set_priors(policy.priors());
        } else if self.prior.is_some() {
            to_priors(&mut listed.assessments);
        }
        let children = self.add_children(root, side, listed, cursor);
        assert!(children.is_some(), "the pool has room for the root moves");
        self.prove_by_children(root);
    }

    /// Backs up the rewards of `wave` simulations to the nodes below `top`; returns the sum of the
    /// rewards for `top` itself.
    pub(super) fn back_up(
        &self,
        thread: &mut SearchThread<G>,
        top: &SimulationRoot<G>,
        wave: usize,
    ) -> RewardSum {
        let SearchThread { simulations, nodes, depth, .. } = thread;
        let mut sum = RewardSum::default();
        for simulation in &simulations[..wave] {
            let mut backup = BackupValue {
                rewards: simulation.rewards.expect("a simulation has ended"),
                proven: simulation.proven,
            };
            *nodes += simulation.path.len() as u64 + 1;
            *depth = (*depth).max(top.depth + simulation.path.len());
            for (j, &i) in simulation.path.iter().enumerate().rev() {
                let stats = &self.tree.node(i).stats;
                stats.add_rewards::<false>(backup.rewards);
                let parent = if j == 0 { top.node } else { simulation.path[j - 1] };
                self.back_up_one(stats.side(), self.tree.node(parent), &mut backup);
            }
            sum += backup.rewards;
        }
        sum
    }

    /// Changes `backup` from the value of a child to the value to add to its `parent`: applies
    /// proven draws and proofs of the parent. `side` is the side that moves from the parent to the
    /// child.
    #[inline]
    pub(super) fn back_up_one(
        &self,
        side: Side,
        parent: &GameTreeNode<G>,
        backup: &mut BackupValue,
    ) {
        if parent.has_drawn_child() {
            backup.rewards = backup.rewards.at_least_drawn(side);
        }
        if backup.proven {
            match self.prove_by_children(parent) {
                Some(verdict) => {
                    let points = G::Outcome::points_of(verdict, parent.stats.side());
                    backup.rewards.first = points * i64::from(backup.rewards.games);
                }
                None => backup.proven = false,
            }
        }
    }

    /// Proves a node's result from those of its children. Returns the result for the side that
    /// moved into the node; `None` if it cannot be proven yet.
    #[inline(never)]
    fn prove_by_children(&self, node: &GameTreeNode<G>) -> Option<Wdl> {
        if let Some(proof) = node.stats.proof() {
            return Some(proof);
        }
        let children = node.children()?;
        let mover = self.tree.node(children.first).stats.side();
        let mut best = Some(Wdl::Loss);
        for child in self.tree.nodes_of(children) {
            let proof = child.stats.proof();
            match proof {
                Some(Wdl::Win) => {
                    best = proof;
                    break;
                }
                Some(Wdl::Draw) => node.set_drawn_child(),
                Some(Wdl::Loss) | None => {}
            }
            best = better_if_known(best, proof);
        }
        let verdict = seen_from(node.stats.side(), best?, mover);
        node.stats.prove(verdict);
        Some(verdict)
    }
}

impl<G: Game<Outcome: SearchReward>> Simulation<G> {
    /// Ends the simulation at a node whose result is proven.
    #[cold]
    fn end_at(&mut self, node: &GameTreeNode<G>, games: u32) {
        let verdict = node.stats.proof().expect("the node is proven");
        self.end(verdict, node.stats.side(), games);
    }

    /// Ends the simulation with a proven result, which is `verdict` for `side`.
    #[inline]
    fn end(&mut self, verdict: Wdl, side: Side, games: u32) {
        let first = G::Outcome::points_of(verdict, side) * i64::from(games);
        (self.rewards, self.proven) = (Some(RewardSum { first, games }), true);
    }
}

impl<G: Game> ListedChildren<G> {
    /// Replaces the evaluations by these priors.
    fn set_priors(&mut self, priors: &[f32]) {
        for ((_, evaluation), &prior) in self.assessments.iter_mut().zip(priors) {
            *evaluation = prior.into();
        }
    }
}

/// Converts a result from the point of view of `mover` to that of `side`.
#[inline]
fn seen_from(side: Side, verdict: Wdl, mover: Side) -> Wdl {
    if side == mover { verdict } else { verdict.flip() }
}

/// Returns the better of two results if both are known.
#[inline]
fn better_if_known(a: Option<Wdl>, b: Option<Wdl>) -> Option<Wdl> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => None,
    }
}

/// Converts the evaluations of moves to prior probabilities by a softmax with
/// [`PRIOR_TEMPERATURE`].
fn to_priors(assessments: &mut [(Option<Wdl>, f64)]) {
    let weight = |evaluation: f64| (evaluation / PRIOR_TEMPERATURE).exp();
    let sum: f64 = assessments.iter().map(|&(_, evaluation)| weight(evaluation)).sum();
    assessments.iter_mut().for_each(|(_, evaluation)| *evaluation = weight(*evaluation) / sum);
}

/// How much less than the mean of its parent an untried child is given in advance, on the scale from 0
/// to 1.
const UNTRIED_REDUCTION: f32 = 0.1;

/// The temperature of the softmax over evaluations from −1 to 1: a move that is better by this much
/// gets e times the prior.
const PRIOR_TEMPERATURE: f64 = 0.06;
