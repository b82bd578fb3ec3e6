//! The published search as it is written, on type-erased positions: threads keep counters of their
//! own in every node, and the threads take turns, so that a run is repeatable. With
//! [`CounterFault::OnTheNode`] it has the fault of JMCTSP.

use ludion_players::game::Side;
use ludion_players::random::Rng;
use ludion_players::registry::AnyPosition;

/// Where the counters are read that decide between the children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CounterFault {
    /// On each child, as it should be.
    None,
    /// On the node itself, the same for all children, as in JMCTSP.
    OnTheNode,
}

/// A node of the tree.
struct PhiNode {
    position: Box<dyn AnyPosition>,
    /// The side to move; `None` if the game is over.
    turn: Option<Side>,
    moves: Vec<String>,
    children: Vec<Option<usize>>,
    parent: Option<usize>,
    /// For each thread the points of the first side: 2 for a win, 1 for a draw.
    won: Vec<f64>,
    /// For each thread 2 for every visit.
    visits: Vec<f64>,
}

/// Returns the move that the sequential search of the report chooses.
pub(super) fn choose(
    position: &dyn AnyPosition,
    a: f64,
    simulations: u64,
    rng: &mut Rng,
) -> String {
    PhiTree::new(position.copy(), a, 1, CounterFault::None).search(simulations, rng).1
}

/// The tree of one decision.
pub(super) struct PhiTree {
    nodes: Vec<PhiNode>,
    a: f64,
    threads: usize,
    fault: CounterFault,
}

impl PhiTree {
    pub(super) fn new(
        position: Box<dyn AnyPosition>,
        a: f64,
        threads: usize,
        fault: CounterFault,
    ) -> Self {
        let mut tree = PhiTree { nodes: Vec::new(), a, threads, fault };
        tree.add(position, None);
        tree
    }

    fn add(&mut self, position: Box<dyn AnyPosition>, parent: Option<usize>) -> usize {
        let turn = position.status().turn();
        let moves = turn.map_or_else(Vec::new, |_| position.moves());
        self.nodes.push(PhiNode {
            turn,
            children: vec![None; moves.len()],
            moves,
            position,
            parent,
            won: vec![0.0; self.threads],
            visits: vec![0.0; self.threads],
        });
        self.nodes.len() - 1
    }

    /// Returns φ of a child for the side that moves at `node`; a child that was never visited has 1.
    fn phi(&self, node: usize, child: Option<usize>) -> f64 {
        let Some(child) = child else { return 1.0 };
        let read = match self.fault {
            CounterFault::None => &self.nodes[child],
            CounterFault::OnTheNode => &self.nodes[node],
        };
        let visits: f64 = read.visits.iter().sum();
        let first: f64 = read.won.iter().sum();
        let won = match self.nodes[node].turn {
            Some(Side::Second) => visits - first,
            _ => first,
        };
        (2.0 * self.a + won) / (2.0 * self.a + visits)
    }

    /// Returns the index of the first child with the greatest φ.
    fn best_child(&self, node: usize) -> usize {
        let children = &self.nodes[node].children;
        let values: Vec<f64> = children.iter().map(|child| self.phi(node, *child)).collect();
        (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
    }

    /// Makes a simulation of one thread: selection, a random game, backup.
    pub(super) fn simulate(&mut self, thread: usize, rng: &mut Rng) {
        let mut node = 0;
        while !self.nodes[node].moves.is_empty() {
            let i = self.best_child(node);
            node = match self.nodes[node].children[i] {
                Some(child) => child,
                None => self.expand(node, i),
            };
            if self.nodes[node].visits[thread] == 0.0 {
                break;
            }
        }
        let ends = self.nodes[node].position.playouts_with(1, rng);
        let points = 2.0 * ends[0] as f64 + ends[2] as f64;
        let mut at = Some(node);
        while let Some(node) = at {
            self.nodes[node].visits[thread] += 2.0;
            self.nodes[node].won[thread] += points;
            at = self.nodes[node].parent;
        }
    }

    fn expand(&mut self, node: usize, i: usize) -> usize {
        let mut position = self.nodes[node].position.copy();
        position.play(&self.nodes[node].moves[i]).expect("a legal move of the node");
        let child = self.add(position, Some(node));
        self.nodes[node].children[i] = Some(child);
        child
    }

    /// Makes this many simulations, the threads in turn, and returns the index of the move with the
    /// greatest φ and the move itself.
    pub(super) fn search(&mut self, simulations: u64, rng: &mut Rng) -> (usize, String) {
        for i in 0..simulations {
            self.simulate(i as usize % self.threads, rng);
        }
        let best = self.best_child(0);
        (best, self.nodes[0].moves[best].clone())
    }

    /// Returns whether the tree has the position after this move of its own and this reply, as the
    /// published code looks for it.
    pub(super) fn has_reply(&self, own: usize, reply: &str) -> bool {
        let Some(after) = self.nodes[0].children[own] else { return false };
        let after = &self.nodes[after];
        let replies = after.moves.iter().zip(&after.children);
        replies.into_iter().any(|(m, child)| m == reply && child.is_some())
    }
}
