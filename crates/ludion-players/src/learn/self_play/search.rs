//! The search of one move of self-play: a small tree whose leaves are evaluated from outside, one at
//! a time, so that many searches share a batch.

use super::SelfPlayOptions;
use crate::game::{Game, Side, Status};
use crate::learn::policy_value::{WdlProbabilities, softmax};
use crate::outcome::{Duel, Wdl};
use crate::random::Rng;
use crate::repetition::GamePath;

/// Visits of the most visited move that the scale of values assumes in advance (Danihelka et al.
/// 2022).
const MAX_VISITS_OFFSET: f32 = 50.0;
/// The weight of values from 0 to 1 against logits, for each visit. Twice that of Danihelka et al.,
/// who stretch values to the range that a search has seen.
const VALUE_SCALE: f32 = 0.2;
/// How much less than its parent an untried move is expected to be worth, from −1 to 1.
const UNTRIED_REDUCTION: f32 = 0.2;

/// A node of the tree, seen by the side that moved into it.
struct SearchNode<M> {
    /// The move into the node; `None` at the root.
    play: Option<M>,
    /// The side that moved into the node.
    side: Side,
    prior: f32,
    logit: f32,
    visits: u32,
    /// Sum of the values of all visits.
    value_sum: f32,
    /// Sum of the probabilities of a draw of all visits.
    draw_sum: f32,
    proof: Option<Wdl>,
    /// The indices of the children; empty for a leaf.
    children: std::ops::Range<u32>,
}

impl<M> SearchNode<M> {
    fn new(play: Option<M>, side: Side) -> Self {
        SearchNode {
            play,
            side,
            prior: 0.0,
            logit: 0.0,
            visits: 0,
            value_sum: 0.0,
            draw_sum: 0.0,
            proof: None,
            children: 0..0,
        }
    }

    /// Returns the proven result, or the mean value; `None` without visits and proof.
    fn value(&self) -> Option<f32> {
        match self.proof {
            Some(verdict) => Some(f32::from(verdict.sign() as i8)),
            None => (self.visits > 0).then(|| self.value_sum / self.visits as f32),
        }
    }
}

/// The result of a search: a better policy and value of its root.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SearchResult {
    /// The index of the move to play among the legal moves.
    pub(super) best: usize,
    /// The improved policy, a probability for each legal move.
    pub(super) policy: Vec<f32>,
    /// The value of the root for the side to move.
    pub(super) value: WdlProbabilities,
    /// The exact result for the side to move, if the search proved it.
    pub(super) proof: Option<Wdl>,
}

/// A search in progress.
pub(super) struct SelfPlaySearch<G: Game> {
    nodes: Vec<SearchNode<G::Move>>,
    c: f32,
    /// The value that the network gives the root.
    root_value: WdlProbabilities,
    /// Gumbel noise of each root move, plus its logit.
    noisy_logits: Vec<f32>,
    /// The root moves that are still considered, as indices among the legal moves.
    candidates: Vec<usize>,
    /// Number of visits that each candidate gets in the current phase of sequential halving.
    visits_per_candidate: u32,
    /// The next candidate to visit, and the visits it still gets.
    next: (usize, u32),
    sims_left: u32,
    sims: u32,
    /// The nodes of the current descent.
    path: Vec<u32>,
    /// The state of the leaf that waits for its evaluation, with its legal moves.
    pub(super) leaf: G::State,
    /// The positions before the leaf.
    past: GamePath,
    pub(super) moves: Vec<G::Move>,
}

impl<G: Game<Outcome = Duel>> SelfPlaySearch<G> {
    /// Creates a search whose memory is used for all moves of a game.
    pub(super) fn new(g: &G) -> Self {
        SelfPlaySearch {
            nodes: Vec::new(),
            c: 1.0,
            root_value: WdlProbabilities::default(),
            noisy_logits: Vec::new(),
            candidates: Vec::new(),
            visits_per_candidate: 0,
            next: (0, 0),
            sims_left: 0,
            sims: 0,
            path: Vec::new(),
            leaf: g.start(),
            past: GamePath::new(),
            moves: Vec::new(),
        }
    }

    /// Begins the search of `s`, reached by `past`, where `turn` is to move. The root is the first leaf to evaluate.
    pub(super) fn begin(
        &mut self,
        g: &G,
        (s, past): (&G::State, &GamePath),
        turn: Side,
        sims: u32,
    ) {
        self.nodes.clear();
        self.nodes.push(SearchNode::new(None, turn.other()));
        (self.sims, self.sims_left) = (sims, sims);
        self.path.clear();
        self.path.push(0);
        self.leaf.clone_from(s);
        self.past.copy_from(past);
        self.moves.clear();
        past.moves(g, s, &mut self.moves);
    }

    /// Takes the evaluation of the leaf and goes on to the next leaf. Returns `false` at the end of
    /// the search.
    pub(super) fn advance(
        &mut self,
        g: &G,
        root: (&G::State, &GamePath),
        options: &SelfPlayOptions,
        rng: &mut Rng,
        (value, logits): (WdlProbabilities, &[f32]),
    ) -> bool {
        let leaf = *self.path.last().expect("a path has a node") as usize;
        self.expand(g, leaf, logits);
        if leaf == 0 {
            self.root_value = value;
            self.c = options.c;
            self.begin_halving(options.considered, rng);
        } else {
            // The value is that of the side to move at the leaf.
            let mover = self.nodes[self.nodes[leaf].children.start as usize].side;
            match self.nodes[leaf].proof {
                Some(verdict) => self.back_up(self.nodes[leaf].side, certain(verdict)),
                None => self.back_up(mover, value),
            }
        }
        self.next_leaf(g, root)
    }

    /// Adds the children of a leaf, which is the current state with its moves, and what they prove.
    fn expand(&mut self, g: &G, leaf: usize, logits: &[f32]) {
        let first = self.nodes.len() as u32;
        let turn = g.status(&self.leaf).turn().expect("a leaf is not over");
        let mut priors = logits.to_vec();
        softmax(&mut priors);
        let before = self.past.len();
        self.past.push(g, &self.leaf);
        for ((&m, &logit), &prior) in self.moves.iter().zip(logits).zip(&priors) {
            let mut child = SearchNode { prior, logit, ..SearchNode::new(Some(m), turn) };
            if let Status::Over(end) = self.past.status(g, &g.after(&self.leaf, m)) {
                child.proof = Some(end.seen_by(turn));
            }
            self.nodes.push(child);
        }
        self.past.truncate(g, before);
        self.nodes[leaf].children = first..self.nodes.len() as u32;
        self.prove(leaf);
    }

    /// Proves a node by its children, if they do.
    fn prove(&mut self, node: usize) {
        let children = self.children(node);
        let Some(first) = children.first() else { return };
        let (mover, mut best) = (first.side, Some(Wdl::Loss));
        for child in children {
            if child.proof == Some(Wdl::Win) {
                best = Some(Wdl::Win);
                break;
            }
            best = best.zip(child.proof).map(|(best, proof)| best.max(proof));
        }
        if let Some(verdict) = best {
            let same = self.nodes[node].side == mover;
            self.nodes[node].proof = Some(if same { verdict } else { verdict.flip() });
        }
    }

    fn children(&self, node: usize) -> &[SearchNode<G::Move>] {
        let SearchNode { children, .. } = &self.nodes[node];
        &self.nodes[children.start as usize..children.end as usize]
    }

    /// Adds a value, seen by `mover`, to all nodes of the path.
    fn back_up(&mut self, mover: Side, value: WdlProbabilities) {
        let mut child_is_proven = false;
        for i in (0..self.path.len()).rev() {
            let at = self.path[i] as usize;
            if child_is_proven && self.nodes[at].proof.is_none() {
                self.prove(at);
            }
            child_is_proven = self.nodes[at].proof.is_some();
            let node = &mut self.nodes[at];
            let expected = value.expected_result();
            node.visits += 1;
            node.value_sum += if node.side == mover { expected } else { -expected };
            node.draw_sum += value.draw;
        }
    }

    /// Goes down the tree to the next leaf that needs an evaluation. Returns `false` when the
    /// simulations are used up or the root is proven.
    fn next_leaf(&mut self, g: &G, (root, past): (&G::State, &GamePath)) -> bool {
        while self.sims_left > 0 && self.nodes[0].proof.is_none() {
            let Some(candidate) = self.next_candidate() else { return false };
            self.sims_left -= 1;
            self.path.clear();
            self.path.push(0);
            let mut at = (self.nodes[0].children.start as usize) + candidate;
            self.leaf.clone_from(root);
            self.past.copy_from(past);
            loop {
                self.path.push(at as u32);
                let node = &self.nodes[at];
                self.past.play(g, &mut self.leaf, node.play.expect("a child has a move"));
                if let Some(verdict) = node.proof {
                    let side = node.side;
                    self.back_up(side, certain(verdict));
                    break;
                }
                if node.children.is_empty() {
                    self.moves.clear();
                    self.past.moves(g, &self.leaf, &mut self.moves);
                    return true;
                }
                at = self.select(at);
            }
        }
        false
    }

    /// Returns the child of `node` that PUCT selects.
    fn select(&self, node: usize) -> usize {
        let (parent, children) = (&self.nodes[node], self.children(node));
        let same = children[0].side == parent.side;
        let mean = parent.value().unwrap_or(0.0);
        let untried = (if same { mean } else { -mean }) - UNTRIED_REDUCTION;
        let spread = self.c * (parent.visits as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (i, child) in children.iter().enumerate() {
            let value = child.value().unwrap_or(untried);
            // Proven moves need no visits, unless all moves are proven.
            let factor =
                if child.proof.is_some_and(|proof| proof != Wdl::Win) { -1e6 } else { 0.0 };
            let score = value + factor + spread * child.prior / (1.0 + child.visits as f32);
            if score > best.0 {
                best = (score, i);
            }
        }
        parent.children.start as usize + best.1
    }

    /// Draws the noise of the root moves and begins sequential halving with the best of them.
    fn begin_halving(&mut self, considered: usize, rng: &mut Rng) {
        self.noisy_logits.clear();
        let root = self.nodes[0].children.clone();
        for i in root {
            let gumbel = -(-(rng.unit().max(1e-300)).ln()).ln();
            self.noisy_logits.push(self.nodes[i as usize].logit + gumbel as f32);
        }
        let count = considered.min(self.sims.max(1) as usize).min(self.noisy_logits.len());
        self.candidates = (0..self.noisy_logits.len()).collect();
        let noisy = &self.noisy_logits;
        self.candidates.sort_by(|&a, &b| noisy[b].total_cmp(&noisy[a]));
        self.candidates.truncate(count);
        self.begin_phase();
    }

    /// Sets the visits of each candidate in the next phase of sequential halving.
    fn begin_phase(&mut self) {
        let phases = (self.candidates.len().max(2) as f32).log2().ceil() as u32;
        let share = self.sims_left / (phases * self.candidates.len() as u32).max(1);
        self.visits_per_candidate = share.max(1);
        self.next = (0, self.visits_per_candidate);
    }

    /// Returns the root move to visit next, and halves the candidates at the end of a phase.
    fn next_candidate(&mut self) -> Option<usize> {
        if self.next.0 == self.candidates.len() {
            if self.candidates.len() > 2 {
                let scores = self.scores();
                self.candidates.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
                self.candidates.truncate(self.candidates.len().div_ceil(2));
            }
            self.begin_phase();
        }
        let candidate = *self.candidates.get(self.next.0)?;
        self.next.1 -= 1;
        if self.next.1 == 0 {
            self.next = (self.next.0 + 1, self.visits_per_candidate);
        }
        Some(candidate)
    }

    /// Returns the score of every root move: its noisy logit and its value on the same scale.
    fn scores(&self) -> Vec<f32> {
        let values = self.scaled_values();
        self.noisy_logits.iter().zip(&values).map(|(noisy, value)| noisy + value).collect()
    }

    /// Returns the values of the root moves on the scale of logits. A move without visits has the
    /// mean of the network's value and the values of the visited moves.
    fn scaled_values(&self) -> Vec<f32> {
        let children = self.children(0);
        let visits: u32 = children.iter().map(|child| child.visits).sum();
        let tried = || children.iter().filter(|child| child.value().is_some());
        let prior_sum: f32 = tried().map(|child| child.prior).sum();
        let weighted: f32 = tried().map(|child| child.prior * child.value().unwrap_or(0.0)).sum();
        let own = self.root_value.expected_result();
        let mixed = if prior_sum > 0.0 {
            (own + visits as f32 * weighted / prior_sum) / (1.0 + visits as f32)
        } else {
            own
        };
        let values: Vec<f32> =
            children.iter().map(|child| child.value().unwrap_or(mixed)).collect();
        let most = children.iter().map(|child| child.visits).max().unwrap_or(0) as f32;
        // From −1..1 to 0..1, then to the scale of logits.
        let scale = VALUE_SCALE * (MAX_VISITS_OFFSET + most);
        values.iter().map(|value| scale * (value + 1.0) / 2.0).collect()
    }

    /// Returns the result of the search.
    pub(super) fn result(&self) -> SearchResult {
        let (children, scores) = (self.children(0), self.scores());
        let mut policy: Vec<f32> = children.iter().map(|child| child.logit).collect();
        for (logit, value) in policy.iter_mut().zip(self.scaled_values()) {
            *logit += value;
        }
        softmax(&mut policy);
        // The proof of the root is seen by the opponent of the side to move.
        let proof = self.nodes[0].proof.map(Wdl::flip);
        if let Some(verdict) = proof {
            let good = |child: &SearchNode<G::Move>| child.proof == Some(verdict);
            let count = children.iter().filter(|child| good(child)).count() as f32;
            for (p, child) in policy.iter_mut().zip(children) {
                *p = if good(child) { 1.0 / count } else { 0.0 };
            }
        }
        let most = self.candidates.iter().map(|&i| children[i].visits).max().unwrap_or(0);
        let rank = |i: usize| (policy[i] > 0.0 && children[i].visits == most, scores[i]);
        let is_proven = proof.is_some();
        let best = (0..children.len())
            .filter(|&i| if is_proven { policy[i] > 0.0 } else { self.candidates.contains(&i) })
            .reduce(|a, b| if rank(b) > rank(a) { b } else { a })
            .unwrap_or(0);
        SearchResult { best, policy, value: self.value(proof), proof }
    }

    fn value(&self, proof: Option<Wdl>) -> WdlProbabilities {
        if let Some(verdict) = proof {
            return certain(verdict);
        }
        // The network's own value counts as one visit.
        let (mut value, mut draw) = (self.root_value.expected_result(), self.root_value.draw);
        let visits = 1.0 + self.nodes[0].visits as f32;
        value = (value - self.nodes[0].value_sum) / visits;
        draw = (draw + self.nodes[0].draw_sum) / visits;
        let decided = 1.0 - draw;
        let value = value.clamp(-decided, decided);
        WdlProbabilities { win: (decided + value) / 2.0, draw, loss: (decided - value) / 2.0 }
    }
}

/// Returns the probabilities of a certain result.
pub(super) fn certain(verdict: Wdl) -> WdlProbabilities {
    let is = |wanted| if verdict == wanted { 1.0 } else { 0.0 };
    WdlProbabilities { win: is(Wdl::Win), draw: is(Wdl::Draw), loss: is(Wdl::Loss) }
}
