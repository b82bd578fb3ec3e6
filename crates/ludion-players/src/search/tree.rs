//! The tree of a Monte-Carlo tree search: nodes in one [`NodePool`], the children of a node next to
//! each other, no pointers to parents.
//!
//! A tree is kept between moves. [`SearchTree::advance`] finds the new state among the nodes and
//! copies its subtree to a second pool, level by level (Cheney's copying collection); the other
//! nodes are freed. Selection, evaluation and proofs are in [`crate::players::mcts`].

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use super::node_pool::{NodePool, PoolCursor};
use super::rewards::{NodeStats, ObservedPointsRange, SearchReward};
use crate::game::{Game, Side};
use crate::player::MoveRequest;
use crate::repetition::{GamePath, RepetitionRule};

/// The value of a node's child index that means no children: it is the index of the root, which is
/// never a child.
const NO_CHILDREN: u32 = 0;
/// Flag in a node's child count: a child is proven to be a draw.
const DRAWN_CHILD: u16 = 1 << 15;
/// Flag in a node's child count: one thread has leased the subtree; meaningless if the node is
/// shared.
const LEASED: u16 = 1 << 14;
/// Flag in a node's child count: threads visit the node concurrently and lease its descendants.
const SHARED: u16 = 1 << 13;
/// Mask of the child count without its flags.
const COUNT_MASK: u16 = SHARED - 1;
/// The index of the root, the first slot of the pool; no child has it.
pub(crate) const ROOT: u32 = 0;
/// Maximum number of nodes that are examined to find the new root after a move.
const MAX_SEARCHED_STATES: usize = 10_000;

/// A node of the tree: the move that leads to it, and its statistics.
pub(crate) struct TreeNode<S, M> {
    /// Visits, rewards and the proven result of the node.
    pub(crate) stats: S,
    children: AtomicU32,
    count: AtomicU16,
    /// The prior probability of the move, as encoded by [`encode_prior`].
    pub(crate) prior: u8,
    /// The move that leads from the parent to this node; meaningless at the root.
    pub(crate) play: M,
}

/// The result of an attempt to lease a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeaseState {
    /// The calling thread now has the lease of the subtree.
    Acquired,
    /// Another thread has the lease of the subtree.
    Taken,
    /// The node is shared by all threads; subtrees below it are leased instead.
    Shared,
}

/// The indices of a node's children, which are consecutive in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChildNodes {
    /// The index of the first child in the pool.
    pub(crate) first: u32,
    /// Number of children of the node.
    pub(crate) count: u32,
}

impl ChildNodes {
    /// Returns the indices of all children.
    pub(crate) fn range(self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

impl<S: NodeStats, M: Copy> TreeNode<S, M> {
    /// Creates a node without children, into which `side` moves by `play`; `prior` is encoded.
    #[inline]
    pub(crate) fn new(side: Side, play: M, prior: u8) -> Self {
        let (children, count) = (AtomicU32::new(NO_CHILDREN), AtomicU16::new(0));
        TreeNode { stats: S::new(side), children, count, prior, play }
    }

    /// Returns the children of the node; `None` if it is not expanded.
    #[inline]
    pub(crate) fn children(&self) -> Option<ChildNodes> {
        match self.children.load(Ordering::Acquire) {
            NO_CHILDREN => None,
            first => {
                let count = self.count.load(Ordering::Relaxed) & COUNT_MASK;
                Some(ChildNodes { first, count: count.into() })
            }
        }
    }

    /// Returns whether a child of the node is proven to be a draw.
    #[inline]
    pub(crate) fn has_drawn_child(&self) -> bool {
        self.count.load(Ordering::Relaxed) & DRAWN_CHILD != 0
    }

    /// Records that a child of the node is proven to be a draw.
    pub(crate) fn set_drawn_child(&self) {
        self.count.fetch_or(DRAWN_CHILD, Ordering::Relaxed);
    }

    /// Tries to lease the subtree of this node to the calling thread. A thread that acquires a
    /// lease sees all updates made under previous leases.
    #[inline]
    pub(crate) fn try_lease(&self) -> LeaseState {
        let mut seen = self.count.load(Ordering::Acquire);
        if seen & (SHARED | LEASED) == 0 {
            seen = self.count.fetch_or(LEASED, Ordering::Acquire);
        }
        match seen {
            _ if seen & SHARED != 0 => LeaseState::Shared,
            _ if seen & LEASED != 0 => LeaseState::Taken,
            _ => LeaseState::Acquired,
        }
    }

    /// Ends the lease of the calling thread.
    #[inline]
    pub(crate) fn release(&self) {
        self.count.fetch_and(!LEASED, Ordering::Release);
    }

    /// Makes the node shared for good: from now on threads visit it concurrently and lease its
    /// descendants.
    #[inline]
    pub(crate) fn share(&self) {
        self.count.fetch_or(SHARED, Ordering::Release);
    }

    /// Makes initialised children visible to other threads: a thread that reads their index also
    /// sees their contents.
    #[inline]
    fn publish_children(&self, children: ChildNodes) {
        let flags = self.count.load(Ordering::Relaxed) & !COUNT_MASK;
        self.count.store(flags | children.count as u16, Ordering::Relaxed);
        self.children.store(children.first, Ordering::Release);
    }

    /// Removes the children of the node, which becomes a leaf again.
    fn clear_children(&self) {
        self.children.store(NO_CHILDREN, Ordering::Relaxed);
    }

    fn copy(&self) -> Self {
        let children = AtomicU32::new(self.children.load(Ordering::Relaxed));
        let count = AtomicU16::new(self.count.load(Ordering::Relaxed) & (COUNT_MASK | DRAWN_CHILD));
        TreeNode { stats: self.stats.copy(), children, count, prior: self.prior, play: self.play }
    }
}

/// Encodes a probability in one byte on a logarithmic scale: sixteen steps per factor of two, down
/// to about 2⁻¹⁶.
pub(crate) fn encode_prior(p: f64) -> u8 {
    (-16.0 * p.max(1e-9).log2()).round().clamp(0.0, 255.0) as u8
}

/// Decodes a probability that [`encode_prior`] encoded: 2 to the power of −`byte`/16.
#[inline]
pub(crate) fn decode_prior(byte: u8) -> f32 {
    #[rustfmt::skip]
    const SIXTEENTHS: [f32; 16] = [
        1.0, 0.957_603_3, 0.917_004, 0.878_126_1, 0.840_896_4, 0.805_245_2, 0.771_105_4,
        0.738_413_1, std::f32::consts::FRAC_1_SQRT_2, 0.677_127_8, 0.648_419_8, 0.620_928_9, 0.594_603_6,
        0.569_394_3, 0.545_253_9, 0.522_136_9,
    ];
    let halvings = f32::from_bits((127 - u32::from(byte) / 16) << 23);
    halvings * SIXTEENTHS[usize::from(byte % 16)]
}

/// The type of the tree nodes for the game `G`.
pub(crate) type GameTreeNode<G> =
    TreeNode<<<G as Game>::Outcome as SearchReward>::Stats, <G as Game>::Move>;

/// A Monte-Carlo search tree whose root is one state.
pub(crate) struct SearchTree<G: Game<Outcome: SearchReward>> {
    nodes: NodePool<GameTreeNode<G>>,
    /// The pool to which the subtree that is kept is copied next; it has the capacity of `nodes`
    /// and is allocated when it is first needed.
    spare: Option<NodePool<GameTreeNode<G>>>,
    /// The state at the root.
    pub(crate) state: G::State,
    /// The positions before the state at the root.
    pub(crate) past: GamePath,
    /// The range of the points that playouts reached so far; used for puzzles.
    pub(crate) points_range: ObservedPointsRange,
}

impl<G: Game<Outcome: SearchReward>> SearchTree<G> {
    /// Creates a tree that has only the root, the state of the request, and uses at most `bytes` of memory; more if
    /// `min_nodes` nodes besides the root do not fit.
    pub(crate) fn new(request: &MoveRequest<'_, G>, bytes: usize, min_nodes: usize) -> Self {
        let half = bytes / 2 / size_of::<GameTreeNode<G>>();
        let nodes = NodePool::new(half.max(min_nodes + 1));
        let mut tree = SearchTree {
            nodes,
            spare: None,
            state: request.state.clone(),
            past: GamePath::new(),
            points_range: ObservedPointsRange::default(),
        };
        tree.reset(request);
        tree
    }

    /// Removes all nodes and makes the state of the request the root of an empty tree.
    pub(crate) fn reset(&mut self, request: &MoveRequest<'_, G>) {
        let side = request.status().turn().expect("the game is not over at the root");
        let moves = request.moves();
        self.state = request.state.clone();
        self.past.copy_from(request.path);
        self.points_range = ObservedPointsRange::default();
        let mut cursor = self.nodes.clear();
        let root = self.nodes.take(&mut cursor, 1);
        assert!(root == Some(ROOT), "one node fits in an empty pool");
        // SAFETY: the slot was just taken, and the tree is borrowed mutably.
        unsafe { self.nodes.fill(ROOT, TreeNode::new(side.other(), moves[0], 0)) };
        self.nodes.free_rest(cursor);
    }

    /// Returns the node with index `i`, which must have been read from this tree.
    #[inline]
    pub(crate) fn node(&self, i: u32) -> &GameTreeNode<G> {
        // SAFETY: indices come from `ROOT` and from `ChildNodes`, which are published only after
        // they are initialised; `reset` and `advance` invalidate all of them and borrow the tree
        // mutably.
        unsafe { self.nodes.get(i) }
    }

    /// Returns the root node.
    #[inline]
    pub(crate) fn root(&self) -> &GameTreeNode<G> {
        self.node(ROOT)
    }

    /// Returns the nodes with the indices `children`.
    #[inline]
    pub(crate) fn nodes_of(&self, children: ChildNodes) -> &[GameTreeNode<G>] {
        // SAFETY: as for one node; all children were initialised before they were published.
        unsafe { self.nodes.slice(children.first, children.count) }
    }

    /// Prefetches the children of `node` into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, node: &GameTreeNode<G>) {
        if let Some(children) = node.children() {
            self.nodes.prefetch(children.first, children.count);
        }
    }

    /// Adds children to `node` and returns their indices; `None` if the memory is full. The calling
    /// thread must have the lease of `node`.
    #[inline]
    pub(crate) fn add_children(
        &self,
        cursor: &mut PoolCursor,
        node: &GameTreeNode<G>,
        mut children: impl ExactSizeIterator<Item = GameTreeNode<G>>,
    ) -> Option<ChildNodes> {
        let count = u16::try_from(children.len()).ok().filter(|&count| count <= COUNT_MASK)?.into();
        let first = self.nodes.take(cursor, count)?;
        for i in first..first + count {
            let child = children.next().expect("the iterator knows its length");
            // SAFETY: the slots were just taken; no other thread has their indices before
            // `publish_children` below.
            unsafe { self.nodes.fill(i, child) };
        }
        let children = ChildNodes { first, count };
        node.publish_children(children);
        Some(children)
    }

    /// Returns the number of nodes in use and the number of nodes that fit in memory.
    pub(crate) fn node_usage(&self) -> (usize, usize) {
        (self.nodes.used(), self.nodes.capacity())
    }

    /// Makes the state of the request the root and keeps its subtree. Returns `false` and changes
    /// nothing if no node of the tree has this state and path. `out_of_time` is polled and may end the copying early; the nodes
    /// that are not copied, the deepest ones, are lost.
    pub(crate) fn advance(
        &mut self,
        request: &MoveRequest<'_, G>,
        out_of_time: impl Fn() -> bool,
    ) -> bool {
        let found = match request.game.repetition_rule() {
            RepetitionRule::Ignored => self.find_state(request.game, request.state),
            RepetitionRule::Ends { .. } | RepetitionRule::Forbidden => self.find_path(request),
        };
        let Some(found) = found else { return false };
        if found != ROOT {
            self.keep_subtree(found, out_of_time);
            self.state = request.state.clone();
            self.past.copy_from(request.path);
        }
        true
    }

    /// Finds the node with state `state` that is nearest to the root; of several, the most visited.
    /// `None` if none of the nodes examined, about [`MAX_SEARCHED_STATES`] at most, has the state.
    fn find_state(&self, g: &G, state: &G::State) -> Option<u32> {
        let mut level = VecDeque::from([(ROOT, self.state.clone())]);
        let mut examined = 0;
        while !level.is_empty() && examined < MAX_SEARCHED_STATES {
            let found = level.iter().filter(|(_, s)| s == state).map(|&(i, _)| i);
            if let Some(best) = found.max_by_key(|&i| self.node(i).stats.visits()) {
                return Some(best);
            }
            examined += level.len();
            for _ in 0..level.len() {
                let (i, s) = level.pop_front().expect("the level is not empty");
                for child in self.node(i).children().into_iter().flat_map(ChildNodes::range) {
                    let mut after = s.clone();
                    g.play(&mut after, self.node(child).play);
                    level.push_back((child, after));
                }
            }
        }
        None
    }

    /// Finds the node that is reached by the path of the request, and whose state is that of the
    /// request. `None` if the tree does not have it.
    fn find_path(&self, request: &MoveRequest<'_, G>) -> Option<u32> {
        let (g, keys) = (request.game, request.path.keys_after(&self.past)?);
        let mut place = (ROOT, self.state.clone());
        for (i, &key) in keys.iter().enumerate() {
            if g.repetition_key(&place.1) != key {
                return None;
            }
            let next = keys.get(i + 1);
            let mut children = self.node(place.0).children()?.range();
            place = children.find_map(|child| {
                let after = g.after(&place.1, self.node(child).play);
                let found = match next {
                    Some(&next) => g.repetition_key(&after) == next,
                    None => after == *request.state,
                };
                found.then_some((child, after))
            })?;
        }
        (place.1 == *request.state).then_some(place.0)
    }

    /// Copies the subtree of node `top` to the spare pool in breadth-first order, so that the top
    /// of the tree stays together in memory. A copied node refers to its old children until they
    /// are copied; if they are not, it becomes a leaf.
    fn keep_subtree(&mut self, top: u32, out_of_time: impl Fn() -> bool) {
        let mut spare = self.spare.take().unwrap_or_else(|| NodePool::new(self.nodes.capacity()));
        let mut cursor = spare.clear();
        let copied = self.copy_children(&spare, &mut cursor, ChildNodes { first: top, count: 1 });
        assert!(copied == Some(ROOT), "one node fits in an empty pool");
        let (mut i, mut copying) = (ROOT, true);
        while i < cursor.next() {
            // SAFETY: slots below the cursor are initialised, and only this thread has their
            // indices.
            let node = unsafe { spare.get(i) };
            if let Some(old) = node.children() {
                let first =
                    if copying { self.copy_children(&spare, &mut cursor, old) } else { None };
                match first {
                    Some(first) => node.children.store(first, Ordering::Relaxed),
                    None => node.clear_children(),
                }
            }
            i += 1;
            copying = copying && !(i.is_multiple_of(4096) && out_of_time());
        }
        spare.free_rest(cursor);
        self.spare = Some(std::mem::replace(&mut self.nodes, spare));
    }

    /// Copies the child nodes of one node to another pool, unchanged. Returns the new index of the
    /// first; `None` if the pool is full.
    fn copy_children(
        &self,
        to: &NodePool<GameTreeNode<G>>,
        cursor: &mut PoolCursor,
        children: ChildNodes,
    ) -> Option<u32> {
        let first = to.take(cursor, children.count)?;
        for (i, node) in (first..).zip(self.nodes_of(children)) {
            // SAFETY: the slots were just taken, and only this thread has their indices.
            unsafe { to.fill(i, node.copy()) };
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Budget;
    use crate::search::rewards::{DuelStats, RewardSum};
    use ludion::games::connect4::Connect4;

    #[test]
    fn priors_keep_three_per_cent_precision_in_one_byte() {
        for p in [1.0, 0.5, 1.0 / 7.0, 0.01, 0.0001] {
            let back = f64::from(decode_prior(encode_prior(p)));
            assert!((back / p - 1.0).abs() < 0.03, "{p} became {back}");
        }
        assert_eq!(decode_prior(encode_prior(0.0)), decode_prior(255));
    }

    #[test]
    fn a_node_of_connect_four_has_sixteen_bytes() {
        assert_eq!(size_of::<GameTreeNode<Connect4>>(), 16);
    }

    #[test]
    fn a_lease_is_exclusive_and_sees_earlier_updates() {
        const LEASES: u64 = 20_000;
        let node: TreeNode<DuelStats, u8> = TreeNode::new(Side::First, 0, 0);
        let below: TreeNode<DuelStats, u8> = TreeNode::new(Side::Second, 0, 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut leases = 0;
                    while leases < LEASES {
                        if node.try_lease() == LeaseState::Acquired {
                            // Not atomic: a visit would be lost if two threads had the lease.
                            below.stats.add_visits::<false>(1);
                            leases += 1;
                            node.release();
                        } else {
                            std::thread::yield_now();
                        }
                    }
                });
            }
        });
        assert_eq!(u64::from(below.stats.visits()), 4 * LEASES);
        assert_eq!(node.try_lease(), LeaseState::Acquired);
        assert_eq!(node.try_lease(), LeaseState::Taken);
        node.share();
        assert_eq!(node.try_lease(), LeaseState::Shared);
    }

    /// Appends the move, the visits and the draw flag of every node below node `i` to `out`, depth
    /// first.
    fn listing(tree: &SearchTree<Connect4>, i: u32, out: &mut Vec<(u8, u32, bool)>) {
        let node = tree.node(i);
        out.push((node.play, node.stats.visits(), node.has_drawn_child()));
        for child in node.children().into_iter().flat_map(ChildNodes::range) {
            listing(tree, child, out);
        }
    }

    fn request<'a>(g: &'a Connect4, s: &'a <Connect4 as Game>::State) -> MoveRequest<'a, Connect4> {
        MoveRequest::new(g, s, Budget::UNLIMITED)
    }

    /// Returns a tree of three levels in which every node has a different number of visits.
    fn three_level_tree(g: &Connect4) -> SearchTree<Connect4> {
        let tree = SearchTree::new(&request(g, &g.start()), 1 << 20, 7);
        let mut cursor = PoolCursor::default();
        let mut level = vec![ROOT];
        for depth in 0..3 {
            let side = Side::after(depth);
            for i in std::mem::take(&mut level) {
                let node = tree.node(i);
                let children = (0..7u8).map(|m| TreeNode::new(side, m, 0));
                let children = tree.add_children(&mut cursor, node, children).unwrap();
                level.extend(children.range());
                if i % 3 == 0 {
                    node.set_drawn_child();
                }
                for child in children.range() {
                    tree.node(child).stats.add_visits::<false>(child.into());
                    tree.node(child)
                        .stats
                        .add_rewards::<false>(RewardSum { first: 1, games: child });
                }
            }
        }
        tree
    }

    #[test]
    fn advancing_keeps_the_subtree_unchanged_and_frees_the_rest() {
        let g = Connect4::STANDARD;
        let mut tree = three_level_tree(&g);
        let all = tree.node_usage().0;
        let (mut s, mut top) = (g.start(), ROOT);
        for m in [3, 5] {
            g.play(&mut s, m);
            top = tree.node(top).children().unwrap().first + u32::from(m);
        }
        let mut before = Vec::new();
        listing(&tree, top, &mut before);
        assert!(tree.advance(&request(&g, &s), || false));
        let mut after = Vec::new();
        listing(&tree, ROOT, &mut after);
        assert_eq!(before, after);
        assert_eq!((tree.node_usage().0, before.len()), (8, 8));
        assert!(all >= 1 + 7 + 49 + 343);
    }

    #[test]
    fn an_unknown_state_changes_nothing_and_a_short_copy_keeps_the_top() {
        let g = Connect4::STANDARD;
        let mut tree = three_level_tree(&g);
        let unknown = [0, 0, 0, 0].iter().fold(g.start(), |mut s, &m| {
            g.play(&mut s, m);
            s
        });
        assert!(!tree.advance(&request(&g, &unknown), || false));
        assert_eq!(tree.root().children().unwrap().count, 7);
        // Whether to go on copying is asked only once per 4096 nodes, and this tree has fewer.
        let mut s = g.start();
        g.play(&mut s, 0);
        assert!(tree.advance(&request(&g, &s), || true));
        assert_eq!(tree.node_usage().0, 1 + 7 + 49);
    }
}
