//! The kernel: descents through the tree, several at a time, and the way back up.
//!
//! Deep in a large tree every step waits for memory. So a *wave* of simulations goes down
//! together, a step of each in turn, and the next nodes of one are on their way while the
//! others step. A visit is counted on the way down, which keeps the simulations of a wave
//! apart.
//!
//! Proofs (MCTS-solver, Winands, Björnsson & Saito 2008): a node with a winning move is
//! won, one whose moves are all proven is as good as the best of them. Proven moves are not
//! tried again; where one of them draws, games that the mover loses elsewhere count as draws
//! from there up, since the mover could have had one.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::select::SelectionFormula;
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::outcome::Wdl;
use crate::random::Rng;
use crate::search::node_pool::PoolCursor;
use crate::search::rewards::{NodeStats, RewardSum, SearchReward};
use crate::search::tree::{ChildNodes, GameTreeNode, ROOT, SearchTree, TreeNode, encode_prior};

/// Visits of a leaf that add no children: a second one saves half of the memory that one
/// takes and was not measured to cost strength; a third one does.
const EXPAND_AFTER: u32 = 2;

/// Visits that threads may add after the last look at a counter.
const VISIT_MARGIN: u32 = 1 << 20;

/// What all threads on one tree share.
pub(super) struct SharedSearch<'a, G: Game<Outcome: SearchReward>> {
    pub(super) game: &'a G,
    pub(super) tree: &'a SearchTree<G>,
    pub(super) select: SelectionFormula,
    /// Whose opinion of the moves makes the prior.
    pub(super) judge: Option<&'a dyn Evaluator<G>>,
    /// Plies of the tree, at most.
    pub(super) depth: usize,
    /// Set when the memory is full.
    pub(super) full: AtomicBool,
}

/// What one thread works with; kept between moves, so that nothing is allocated twice. In
/// cache lines of its own, for what it writes all the time would slow its neighbours down.
#[repr(align(128))]
pub(super) struct SearchThread<G: Game> {
    pub(super) rng: Rng,
    pub(super) slots: Vec<Simulation<G>>,
    /// States met in the tree by descents.
    pub(super) nodes: u64,
    /// The longest way down.
    pub(super) depth: usize,
    /// Slots still on their way down.
    under_way: Vec<usize>,
    nursery: Expansion<G>,
}

/// One simulation.
pub(super) struct Simulation<G: Game> {
    pub(super) state: G::State,
    /// The nodes on the way, the top left out.
    path: Vec<u32>,
    /// How it ended; `None` until random games were played from `state`.
    pub(super) gain: Option<RewardSum>,
    /// Whether the last node of the way is proven.
    proven: bool,
}

/// Where simulations start.
pub(super) struct SimulationRoot<G: Game> {
    pub(super) node: u32,
    pub(super) state: G::State,
    /// How deep in the tree.
    pub(super) depth: usize,
}

/// What a node hears from below.
#[derive(Clone, Copy)]
pub(super) struct BackupValue {
    /// How games ended.
    pub(super) gain: RewardSum,
    /// Whether the child that brings them is proven.
    pub(super) proven: bool,
}

/// What the making of children needs.
struct Expansion<G: Game> {
    cursor: PoolCursor,
    moves: Vec<G::Move>,
    /// For every move what it is proven to be, and what the judge says of it.
    known: Vec<(Option<Wdl>, f64)>,
}

impl<G: Game<Outcome: SearchReward>> SearchThread<G> {
    pub(super) fn new(rng: Rng) -> Self {
        let nursery =
            Expansion { cursor: PoolCursor::default(), moves: Vec::new(), known: Vec::new() };
        let (slots, under_way) = (Vec::new(), Vec::new());
        SearchThread { rng, slots, nodes: 0, depth: 0, under_way, nursery }
    }

    /// Forgets its place in the memory, which is another one for every move.
    pub(super) fn ready(&mut self) {
        self.nursery.cursor = PoolCursor::default();
        (self.nodes, self.depth) = (0, 0);
    }

    /// Plays a random game from every leaf of the wave that wants one.
    #[inline]
    pub(super) fn play_out(&mut self, search: &SharedSearch<'_, G>, wave: usize) {
        for i in 0..wave {
            if self.slots[i].gain.is_none() {
                let first = self.play(search, self.slots[i].state.clone());
                self.slots[i].gain = Some(RewardSum { first, games: 1 });
            }
        }
    }

    /// The points of one random game from `s`.
    #[inline]
    pub(super) fn play(&mut self, search: &SharedSearch<'_, G>, s: G::State) -> i64 {
        self.nursery.moves.clear();
        let points = search.game.playout(s, &mut self.rng, &mut self.nursery.moves).points();
        if !G::Outcome::DUEL {
            search.tree.scale.widen(points);
        }
        points
    }
}

impl<G: Game<Outcome: SearchReward>> SharedSearch<'_, G> {
    /// Whether there is something left to find out, and to count it in.
    pub(super) fn unfinished(&self) -> bool {
        let root = &self.tree.root().stats;
        !root.proven() && root.visits() < <G::Outcome as SearchReward>::Stats::MOST - VISIT_MARGIN
    }

    /// The root, as a place to start from.
    pub(super) fn top(&self) -> SimulationRoot<G> {
        SimulationRoot { node: ROOT, state: self.tree.state.clone(), depth: 0 }
    }

    /// Sends `wave` simulations down from `top`, which no other thread may use meanwhile; each
    /// is counted as `games` visits of all nodes but the top itself.
    pub(super) fn descend(
        &self,
        worker: &mut SearchThread<G>,
        top: &SimulationRoot<G>,
        wave: usize,
        games: u32,
    ) {
        while worker.slots.len() < wave {
            let state = top.state.clone();
            worker.slots.push(Simulation { state, path: Vec::new(), gain: None, proven: false });
        }
        worker.under_way.clear();
        for (i, slot) in worker.slots[..wave].iter_mut().enumerate() {
            slot.state.clone_from(&top.state);
            slot.path.clear();
            (slot.gain, slot.proven) = (None, false);
            worker.under_way.push(i);
        }
        while !worker.under_way.is_empty() {
            let mut i = 0;
            while let Some(&at) = worker.under_way.get(i) {
                if self.step(top, &mut worker.slots[at], &mut worker.nursery, games) {
                    i += 1;
                } else {
                    worker.under_way.swap_remove(i);
                }
            }
        }
    }

    /// One step down; false at the end of the way.
    #[inline]
    fn step(
        &self,
        top: &SimulationRoot<G>,
        slot: &mut Simulation<G>,
        nursery: &mut Expansion<G>,
        games: u32,
    ) -> bool {
        let node = self.tree.node(slot.path.last().copied().unwrap_or(top.node));
        let family = match node.family() {
            Some(family) => family,
            None => match self.expand(node, top.depth, slot, nursery, games) {
                Some(family) => family,
                None => return false,
            },
        };
        let (i, child) = self.pick(node, family);
        child.stats.enter::<false>(games.into());
        slot.path.push(i);
        if child.stats.proven() {
            slot.end_at(child, games);
            return false;
        }
        self.tree.prefetch(child);
        self.game.play(&mut slot.state, child.play);
        true
    }

    /// The child of `node` to try.
    #[inline]
    pub(super) fn pick(
        &self,
        node: &GameTreeNode<G>,
        family: ChildNodes,
    ) -> (u32, &GameTreeNode<G>) {
        let children = self.tree.children(family);
        let visits = node.stats.visits();
        let pick = self.select.pick(visits, &self.tree.scale, children, self.judge.is_some());
        let i = family.first + pick;
        (i, self.tree.node(i))
    }

    /// Gives a node its children once it is ripe.
    #[inline]
    fn expand(
        &self,
        node: &GameTreeNode<G>,
        depth: usize,
        slot: &mut Simulation<G>,
        nursery: &mut Expansion<G>,
        games: u32,
    ) -> Option<ChildNodes> {
        let ripe = node.stats.visits() > EXPAND_AFTER * games;
        if !ripe || depth + slot.path.len() >= self.depth || self.full.load(Relaxed) {
            return None;
        }
        match self.bear(&slot.state, nursery)? {
            (side, None) => {
                let family = self.adopt(node, side, nursery);
                self.full.fetch_or(family.is_none(), Relaxed);
                family
            }
            (side, Some(verdict)) => {
                node.stats.prove(seen_from(node.stats.side(), verdict, side));
                slot.end(verdict, side, games);
                None
            }
        }
    }

    /// Lists the moves of `s` with what is known of each; returns the side to move, and its
    /// result where a look at the moves proves it. `None` when the game is over.
    fn bear(&self, s: &G::State, nursery: &mut Expansion<G>) -> Option<(Side, Option<Wdl>)> {
        let side = self.game.status(s).turn()?;
        nursery.moves.clear();
        nursery.known.clear();
        self.game.moves(s, &mut nursery.moves);
        let (mut all, mut won) = (Some(Wdl::Loss), None);
        for &m in &nursery.moves {
            let mut child = s.clone();
            self.game.play(&mut child, m);
            let (proof, opinion) = self.judge(&child, side);
            all = all.zip(proof).map(|(best, proof)| best.max(proof));
            won = won.or(proof.filter(|&verdict| verdict == Wdl::Win));
            nursery.known.push((proof, opinion));
        }
        Some((side, won.or(all)))
    }

    /// What is known of a state into which `side` moved: its result if the game is over, and
    /// an opinion between −1 and 1.
    #[inline]
    fn judge(&self, child: &G::State, side: Side) -> (Option<Wdl>, f64) {
        match (self.game.status(child), self.judge) {
            (Status::Over(end), _) => {
                let proof = end.verdict(side);
                (proof, proof.map_or(0.0, |verdict| f64::from(verdict.sign())))
            }
            (Status::Turn(_), None) => (None, 0.0),
            (Status::Turn(mover), Some(judge)) => {
                let value = f64::from(judge.value(self.game, child)) / f64::from(WIN);
                (None, if mover == side { value } else { -value })
            }
        }
    }

    /// Makes nodes of the moves in the nursery.
    #[inline]
    fn adopt(
        &self,
        node: &GameTreeNode<G>,
        side: Side,
        nursery: &mut Expansion<G>,
    ) -> Option<ChildNodes> {
        let Expansion { cursor, moves, known } = nursery;
        let judged = self.judge.is_some();
        if judged {
            to_priors(known);
        }
        let children = moves.iter().zip(known.iter()).map(|(&m, &(proof, prior))| {
            let node = TreeNode::new(side, m, if judged { encode_prior(prior) } else { 0 });
            if let Some(verdict) = proof {
                NodeStats::prove(&node.stats, verdict);
            }
            node
        });
        let family = self.tree.adopt(cursor, node, children);
        if family.is_some() && known.iter().any(|&(proof, _)| proof == Some(Wdl::Draw)) {
            node.set_draw();
        }
        family
    }

    /// Gives the root its children, whatever is proven.
    pub(super) fn open_root(&self, worker: &mut SearchThread<G>) {
        let root = self.tree.root();
        if root.family().is_some() {
            return;
        }
        let nursery = &mut worker.nursery;
        let (side, _) = self.bear(&self.tree.state, nursery).expect("the game goes on at the root");
        let family = self.adopt(root, side, nursery);
        assert!(family.is_some(), "the arena has room for the moves of a root");
        self.conclude(root);
    }

    /// Carries the ends of a wave up to `top`; returns what is to be counted there.
    pub(super) fn settle(
        &self,
        worker: &mut SearchThread<G>,
        top: &SimulationRoot<G>,
        wave: usize,
    ) -> RewardSum {
        let SearchThread { slots, nodes, depth, .. } = worker;
        let mut sum = RewardSum::default();
        for slot in &slots[..wave] {
            let mut news = BackupValue {
                gain: slot.gain.expect("a simulation has ended"),
                proven: slot.proven,
            };
            *nodes += slot.path.len() as u64 + 1;
            *depth = (*depth).max(top.depth + slot.path.len());
            for (j, &i) in slot.path.iter().enumerate().rev() {
                let stats = &self.tree.node(i).stats;
                stats.leave::<false>(news.gain);
                let parent = if j == 0 { top.node } else { slot.path[j - 1] };
                self.rise(stats.side(), self.tree.node(parent), &mut news);
            }
            sum += news.gain;
        }
        sum
    }

    /// Carries news from a child, into which `side` moved, to its parent.
    #[inline]
    pub(super) fn rise(&self, side: Side, parent: &GameTreeNode<G>, news: &mut BackupValue) {
        if parent.has_draw() {
            news.gain = news.gain.at_least_drawn(side);
        }
        if news.proven {
            match self.conclude(parent) {
                Some(verdict) => {
                    let points = G::Outcome::points_of(verdict, parent.stats.side());
                    news.gain.first = points * i64::from(news.gain.games);
                }
                None => news.proven = false,
            }
        }
    }

    /// Proves a node by its children, if they allow it; returns what is proven, from the
    /// view of the side that moved into it.
    #[inline(never)]
    fn conclude(&self, node: &GameTreeNode<G>) -> Option<Wdl> {
        if let Some(known) = node.stats.proof() {
            return Some(known);
        }
        let family = node.family()?;
        let mover = self.tree.node(family.first).stats.side();
        let mut best = Some(Wdl::Loss);
        for child in self.tree.children(family) {
            let proof = child.stats.proof();
            match proof {
                Some(Wdl::Win) => {
                    best = proof;
                    break;
                }
                Some(Wdl::Draw) => node.set_draw(),
                Some(Wdl::Loss) | None => {}
            }
            best = best.zip(proof).map(|(best, proof)| best.max(proof));
        }
        let verdict = seen_from(node.stats.side(), best?, mover);
        node.stats.prove(verdict);
        Some(verdict)
    }
}

impl<G: Game<Outcome: SearchReward>> Simulation<G> {
    /// Ends the simulation at a node that is proven.
    #[cold]
    fn end_at(&mut self, node: &GameTreeNode<G>, games: u32) {
        let verdict = node.stats.proof().expect("the node is proven");
        self.end(verdict, node.stats.side(), games);
    }

    /// Ends the simulation with an exact result, which `side` sees as `verdict`.
    #[inline]
    fn end(&mut self, verdict: Wdl, side: Side, games: u32) {
        let first = G::Outcome::points_of(verdict, side) * i64::from(games);
        (self.gain, self.proven) = (Some(RewardSum { first, games }), true);
    }
}

/// What `mover` sees as `verdict`, as `side` sees it.
#[inline]
fn seen_from(side: Side, verdict: Wdl, mover: Side) -> Wdl {
    if side == mover { verdict } else { verdict.flip() }
}

/// Turns opinions into probabilities: the softmax with [`PRIOR_TEMPERATURE`].
fn to_priors(known: &mut [(Option<Wdl>, f64)]) {
    let weight = |opinion: f64| (opinion / PRIOR_TEMPERATURE).exp();
    let sum: f64 = known.iter().map(|&(_, opinion)| weight(opinion)).sum();
    known.iter_mut().for_each(|(_, opinion)| *opinion = weight(*opinion) / sum);
}

/// A move that is better by this much is e times as likely beforehand.
const PRIOR_TEMPERATURE: f64 = 0.06;
