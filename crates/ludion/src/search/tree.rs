//! The tree of a Monte-Carlo tree search: nodes in one [`NodePool`], the children of a node
//! next to each other, no pointer back.
//!
//! A tree outlives the move it was grown for. When the game has gone on,
//! [`SearchTree::advance`] finds the new state among the nodes and copies what hangs below it to
//! a second arena, level by level (Cheney's copying collection); the rest is forgotten, and
//! its memory is free. How nodes are chosen, judged and proven is the player's business.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use super::node_pool::{NodePool, PoolCursor};
use super::rewards::{NodeStats, RewardRange, SearchReward};
use crate::game::{Game, Side};

/// No children yet.
const NO_CHILDREN: u32 = 0;
/// In the number of children: one of them is proven drawn.
const DRAWN_CHILD: u16 = 1 << 15;
/// There: the node and all below it are one thread's for a while, unless it is open.
const LEASED: u16 = 1 << 14;
/// There: threads pass through the node together.
const SHARED: u16 = 1 << 13;
/// The number alone.
const COUNT_MASK: u16 = SHARED - 1;
/// The root lies at the bottom of the arena, so no child has its index.
pub(crate) const ROOT: u32 = 0;
/// States looked at to find the new root, at most.
const MAX_SEARCHED_STATES: usize = 10_000;

/// One move of the game and what came of it.
pub(crate) struct TreeNode<S, M> {
    /// What was counted.
    pub(crate) stats: S,
    children: AtomicU32,
    count: AtomicU16,
    /// How likely the move looked beforehand, by [`encode_prior`].
    pub(crate) prior: u8,
    /// The move that leads here; at the root, one that nobody reads.
    pub(crate) play: M,
}

/// Whose a node is, with all below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeaseState {
    /// Ours from now on.
    Ours,
    /// Another thread's.
    Taken,
    /// Everybody's; what is below has tenures of its own.
    Open,
}

/// The children of a node: neighbours in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChildNodes {
    /// Index of the first.
    pub(crate) first: u32,
    /// How many.
    pub(crate) count: u32,
}

impl ChildNodes {
    /// Indices of all.
    pub(crate) fn range(self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

impl<S: NodeStats, M: Copy> TreeNode<S, M> {
    /// A node that `side` enters by `play`.
    #[inline]
    pub(crate) fn new(side: Side, play: M, prior: u8) -> Self {
        let (children, count) = (AtomicU32::new(NO_CHILDREN), AtomicU16::new(0));
        TreeNode { stats: S::new(side), children, count, prior, play }
    }

    /// Its children, once it has some.
    #[inline]
    pub(crate) fn family(&self) -> Option<ChildNodes> {
        match self.children.load(Ordering::Acquire) {
            NO_CHILDREN => None,
            first => {
                let count = self.count.load(Ordering::Relaxed) & COUNT_MASK;
                Some(ChildNodes { first, count: count.into() })
            }
        }
    }

    /// Whether one of its children is proven drawn.
    #[inline]
    pub(crate) fn has_draw(&self) -> bool {
        self.count.load(Ordering::Relaxed) & DRAWN_CHILD != 0
    }

    /// Keeps that one of its children is proven drawn.
    pub(crate) fn set_draw(&self) {
        self.count.fetch_or(DRAWN_CHILD, Ordering::Relaxed);
    }

    /// Asks to have the node and all below it alone. Whoever is given a lease sees all that
    /// was counted under the ones before.
    #[inline]
    pub(crate) fn lease(&self) -> LeaseState {
        let mut seen = self.count.load(Ordering::Acquire);
        if seen & (SHARED | LEASED) == 0 {
            seen = self.count.fetch_or(LEASED, Ordering::Acquire);
        }
        match seen {
            _ if seen & SHARED != 0 => LeaseState::Open,
            _ if seen & LEASED != 0 => LeaseState::Taken,
            _ => LeaseState::Ours,
        }
    }

    /// Ends the lease. An `open` node is never leased again: threads pass through it together
    /// and lease its descendants.
    #[inline]
    pub(crate) fn release(&self, open: bool) {
        if open {
            self.count.fetch_or(SHARED, Ordering::Release);
        } else {
            self.count.fetch_and(!LEASED, Ordering::Release);
        }
    }

    /// Shows the children to everybody: whoever sees their index sees them filled.
    #[inline]
    fn adopt(&self, family: ChildNodes) {
        let flags = self.count.load(Ordering::Relaxed) & !COUNT_MASK;
        self.count.store(flags | family.count as u16, Ordering::Relaxed);
        self.children.store(family.first, Ordering::Release);
    }

    /// Forgets the children.
    fn disown(&self) {
        self.children.store(NO_CHILDREN, Ordering::Relaxed);
    }

    fn copy(&self) -> Self {
        let children = AtomicU32::new(self.children.load(Ordering::Relaxed));
        let count = AtomicU16::new(self.count.load(Ordering::Relaxed) & (COUNT_MASK | DRAWN_CHILD));
        TreeNode { stats: self.stats.copy(), children, count, prior: self.prior, play: self.play }
    }
}

/// A probability in one byte: sixteen steps for each halving, down to 2⁻¹⁶.
pub(crate) fn encode_prior(p: f64) -> u8 {
    (-16.0 * p.max(1e-9).log2()).round().clamp(0.0, 255.0) as u8
}

/// The probability of a byte: 2 to the power of −`byte`/16.
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

/// The node of a game.
pub(crate) type GameTreeNode<G> =
    TreeNode<<<G as Game>::Outcome as SearchReward>::Stats, <G as Game>::Move>;

/// A tree over the states below one state.
pub(crate) struct SearchTree<G: Game<Outcome: SearchReward>> {
    nodes: NodePool<GameTreeNode<G>>,
    /// Where the next root's nodes are copied to; as large as `nodes`.
    spare: Option<NodePool<GameTreeNode<G>>>,
    /// The state of the root.
    pub(crate) state: G::State,
    /// The points seen so far.
    pub(crate) scale: RewardRange,
}

impl<G: Game<Outcome: SearchReward>> SearchTree<G> {
    /// A tree of the root alone, on at most `bytes` of memory; `room` nodes fit in any case.
    pub(crate) fn new(g: &G, state: &G::State, bytes: usize, room: usize) -> Self {
        let half = bytes / 2 / size_of::<GameTreeNode<G>>();
        let nodes = NodePool::new(half.max(room + 1));
        let mut tree =
            SearchTree { nodes, spare: None, state: state.clone(), scale: RewardRange::default() };
        tree.plant(g, state);
        tree
    }

    /// Forgets everything and starts again from `state`.
    pub(crate) fn plant(&mut self, g: &G, state: &G::State) {
        let side = g.status(state).turn().expect("the root is a state in which the game goes on");
        let mut moves = Vec::new();
        g.moves(state, &mut moves);
        self.state = state.clone();
        self.scale = RewardRange::default();
        let mut cursor = self.nodes.clear();
        let root = self.nodes.take(&mut cursor, 1);
        assert!(root == Some(ROOT), "one node fits an empty arena");
        // SAFETY: the slot was just taken, and the arena is ours alone.
        unsafe { self.nodes.fill(ROOT, TreeNode::new(side.other(), moves[0], 0)) };
        self.nodes.give_back(cursor);
    }

    /// The node at `i`, an index read from this tree.
    #[inline]
    pub(crate) fn node(&self, i: u32) -> &GameTreeNode<G> {
        // SAFETY: indices come from `ROOT` and from families, which are shown only after
        // they are filled; `plant` and `advance` forget them all and take the tree alone.
        unsafe { self.nodes.get(i) }
    }

    /// The root.
    #[inline]
    pub(crate) fn root(&self) -> &GameTreeNode<G> {
        self.node(ROOT)
    }

    /// The children of a family.
    #[inline]
    pub(crate) fn children(&self, family: ChildNodes) -> &[GameTreeNode<G>] {
        // SAFETY: as for one node; a family was filled as a whole before it was shown.
        unsafe { self.nodes.slice(family.first, family.count) }
    }

    /// Asks for the children of `node` ahead of their use.
    #[inline]
    pub(crate) fn prefetch(&self, node: &GameTreeNode<G>) {
        if let Some(family) = node.family() {
            self.nodes.prefetch(family.first, family.count);
        }
    }

    /// Gives `node`, which the caller has alone, these children; `None` when memory is full.
    #[inline]
    pub(crate) fn adopt(
        &self,
        cursor: &mut PoolCursor,
        node: &GameTreeNode<G>,
        children: impl ExactSizeIterator<Item = GameTreeNode<G>>,
    ) -> Option<ChildNodes> {
        let count = u16::try_from(children.len()).ok().filter(|&count| count <= COUNT_MASK)?.into();
        let first = self.nodes.take(cursor, count)?;
        for (i, child) in (first..first + count).zip(children) {
            // SAFETY: the slots were just taken; nobody knows them before `adopt` below.
            unsafe { self.nodes.fill(i, child) };
        }
        let family = ChildNodes { first, count };
        node.adopt(family);
        Some(family)
    }

    /// Nodes taken, and nodes that fit.
    pub(crate) fn room(&self) -> (usize, usize) {
        (self.nodes.used(), self.nodes.capacity())
    }

    /// Makes `state` the root, with everything known below it. False, and nothing is
    /// changed, when no node is known to have this state. `tired` is asked now and then and
    /// may cut the copying short; what is not copied is forgotten from the leaves up.
    pub(crate) fn advance(&mut self, g: &G, state: &G::State, tired: impl Fn() -> bool) -> bool {
        let Some(found) = self.seek(g, state) else {
            return false;
        };
        if found != ROOT {
            self.keep(found, tired);
            self.state = state.clone();
        }
        true
    }

    /// The node of `state` nearest to the root; of several, the one visited most.
    fn seek(&self, g: &G, state: &G::State) -> Option<u32> {
        let mut level = VecDeque::from([(ROOT, self.state.clone())]);
        let mut looked = 0;
        while !level.is_empty() && looked < MAX_SEARCHED_STATES {
            let found = level.iter().filter(|(_, s)| s == state).map(|&(i, _)| i);
            if let Some(best) = found.max_by_key(|&i| self.node(i).stats.visits()) {
                return Some(best);
            }
            looked += level.len();
            for _ in 0..level.len() {
                let (i, s) = level.pop_front().expect("the level has that many");
                for child in self.node(i).family().into_iter().flat_map(ChildNodes::range) {
                    let mut after = s.clone();
                    g.play(&mut after, self.node(child).play);
                    level.push_back((child, after));
                }
            }
        }
        None
    }

    /// Copies the nodes below `top` to the other arena: a family is copied when its parent's
    /// turn comes, so the top of the tree comes to stand together. A copied node names its
    /// old children until then, and no children if its turn never comes.
    fn keep(&mut self, top: u32, tired: impl Fn() -> bool) {
        let mut spare = self.spare.take().unwrap_or_else(|| NodePool::new(self.nodes.capacity()));
        let mut cursor = spare.clear();
        let copied = self.copy(&spare, &mut cursor, ChildNodes { first: top, count: 1 });
        assert!(copied == Some(ROOT), "one node fits an empty arena");
        let (mut i, mut going) = (ROOT, true);
        while i < cursor.next() {
            // SAFETY: slots below the cursor are filled, and this thread alone knows them.
            let node = unsafe { spare.get(i) };
            if let Some(old) = node.family() {
                let first = if going { self.copy(&spare, &mut cursor, old) } else { None };
                match first {
                    Some(first) => node.children.store(first, Ordering::Relaxed),
                    None => node.disown(),
                }
            }
            i += 1;
            going = going && !(i.is_multiple_of(4096) && tired());
        }
        spare.give_back(cursor);
        self.spare = Some(std::mem::replace(&mut self.nodes, spare));
    }

    /// Copies one family as it is; returns where its first node came to stand.
    fn copy(
        &self,
        to: &NodePool<GameTreeNode<G>>,
        cursor: &mut PoolCursor,
        family: ChildNodes,
    ) -> Option<u32> {
        let first = to.take(cursor, family.count)?;
        for (i, node) in (first..).zip(self.children(family)) {
            // SAFETY: the slots were just taken, and this thread alone knows them.
            unsafe { to.fill(i, node.copy()) };
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::Connect4;
    use crate::search::rewards::{DuelStats, RewardSum};

    #[test]
    fn priors_survive_one_byte_to_three_hundredths() {
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
    fn a_lease_is_one_threads_alone_and_shows_it_what_was_counted_before() {
        const TURNS: u64 = 20_000;
        let node: TreeNode<DuelStats, u8> = TreeNode::new(Side::First, 0, 0);
        let below: TreeNode<DuelStats, u8> = TreeNode::new(Side::Second, 0, 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut turns = 0;
                    while turns < TURNS {
                        if node.lease() == LeaseState::Ours {
                            // Not locked: a visit would be lost if two threads were here.
                            below.stats.enter::<false>(1);
                            turns += 1;
                            node.release(false);
                        } else {
                            std::thread::yield_now();
                        }
                    }
                });
            }
        });
        assert_eq!(u64::from(below.stats.visits()), 4 * TURNS);
        assert_eq!(node.lease(), LeaseState::Ours);
        assert_eq!(node.lease(), LeaseState::Taken);
        node.release(true);
        assert_eq!(node.lease(), LeaseState::Open);
    }

    /// Every node below `i` as its move, visits and proof, depth first.
    fn listing(tree: &SearchTree<Connect4>, i: u32, out: &mut Vec<(u8, u32, bool)>) {
        let node = tree.node(i);
        out.push((node.play, node.stats.visits(), node.has_draw()));
        for child in node.family().into_iter().flat_map(ChildNodes::range) {
            listing(tree, child, out);
        }
    }

    /// Three levels, each node with visits of its own.
    fn grown(g: &Connect4) -> SearchTree<Connect4> {
        let tree = SearchTree::new(g, &g.start(), 1 << 20, 7);
        let mut cursor = PoolCursor::default();
        let mut level = vec![ROOT];
        for depth in 0..3 {
            let side = Side::after(depth);
            for i in std::mem::take(&mut level) {
                let node = tree.node(i);
                let children = (0..7u8).map(|m| TreeNode::new(side, m, 0));
                let family = tree.adopt(&mut cursor, node, children).unwrap();
                level.extend(family.range());
                if i % 3 == 0 {
                    node.set_draw();
                }
                for child in family.range() {
                    tree.node(child).stats.enter::<false>(child.into());
                    tree.node(child).stats.leave::<false>(RewardSum { first: 1, games: child });
                }
            }
        }
        tree
    }

    #[test]
    fn a_kept_subtree_is_the_same_and_stands_alone() {
        let g = Connect4::STANDARD;
        let mut tree = grown(&g);
        let all = tree.room().0;
        let (mut s, mut top) = (g.start(), ROOT);
        for m in [3, 5] {
            g.play(&mut s, m);
            top = tree.node(top).family().unwrap().first + u32::from(m);
        }
        let mut before = Vec::new();
        listing(&tree, top, &mut before);
        assert!(tree.advance(&g, &s, || false));
        let mut after = Vec::new();
        listing(&tree, ROOT, &mut after);
        assert_eq!(before, after);
        assert_eq!((tree.room().0, before.len()), (8, 8));
        assert!(all >= 1 + 7 + 49 + 343);
    }

    #[test]
    fn an_unknown_state_leaves_the_tree_alone_and_a_short_copy_keeps_the_top() {
        let g = Connect4::STANDARD;
        let mut tree = grown(&g);
        let unknown = [0, 0, 0, 0].iter().fold(g.start(), |mut s, &m| {
            g.play(&mut s, m);
            s
        });
        assert!(!tree.advance(&g, &unknown, || false));
        assert_eq!(tree.root().family().unwrap().count, 7);
        // Copying stops only after the first few thousand nodes, which this tree has not.
        let mut s = g.start();
        g.play(&mut s, 0);
        assert!(tree.advance(&g, &s, || true));
        assert_eq!(tree.room().0, 1 + 7 + 49);
    }
}
