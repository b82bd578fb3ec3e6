//! Test helpers for searches: a game tree written as a literal, and a list of all states of a game.

#![allow(dead_code, reason = "not every test file uses all of it")]

use ludion::evaluator::Evaluator;
use ludion::game::{Game, Side, Status};
use ludion::notation::NotationError;
use ludion::outcome::Duel;
use ludion::random::{Rng, mix};
use ludion::scene::{Coord, PieceShape, Scene};

/// A game tree as text: `A` is won by the first side, `B` by the second, `=` is drawn; in `(…)` the
/// first side chooses one of the subtrees, in `[…]` the second. Example: `(AA[BB]=B)`.
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

enum Node {
    End(Duel),
    Choice(Side, Vec<u32>),
}

impl Tree {
    pub(crate) fn read(text: &str) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        let mut chars = text.chars();
        let root = tree.node(&mut chars).expect("a tree");
        assert!(root == 0 && chars.next().is_none(), "{text}");
        tree
    }

    /// Parses one tree; `None` at a closing bracket.
    fn node(&mut self, text: &mut std::str::Chars<'_>) -> Option<u32> {
        let id = self.nodes.len();
        let side = match text.next().expect("a closed tree") {
            'A' => return Some(self.end(Duel::Won(Side::First))),
            'B' => return Some(self.end(Duel::Won(Side::Second))),
            '=' => return Some(self.end(Duel::Drawn)),
            '(' => Side::First,
            '[' => Side::Second,
            _ => return None,
        };
        self.nodes.push(Node::Choice(side, Vec::new()));
        let children = std::iter::from_fn(|| self.node(text)).collect();
        self.nodes[id] = Node::Choice(side, children);
        Some(id as u32)
    }

    fn end(&mut self, end: Duel) -> u32 {
        self.nodes.push(Node::End(end));
        self.nodes.len() as u32 - 1
    }

    /// Returns a random literal of at most `depth` plies; the sides mostly alternate.
    pub(crate) fn random(rng: &mut Rng, depth: u32) -> String {
        fn grow(rng: &mut Rng, depth: u32, side: Side, text: &mut String) {
            if depth == 0 || rng.below(6) == 0 {
                text.push(['A', 'B', '=', '='][rng.below(4)]);
                return;
            }
            text.push(if side == Side::First { '(' } else { '[' });
            for _ in 0..1 + rng.below(4) {
                let next = if rng.below(8) == 0 { side } else { side.other() };
                grow(rng, depth - 1, next, text);
            }
            text.push(if side == Side::First { ')' } else { ']' });
        }
        let mut text = String::new();
        while !text.starts_with(['(', '[']) {
            text.clear();
            let side = Side::BOTH[rng.below(2)];
            grow(rng, depth, side, &mut text);
        }
        text
    }
}

impl Game for Tree {
    type State = u32;
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> u32 {
        0
    }

    fn status(&self, s: &u32) -> Status<Duel> {
        match self.nodes[*s as usize] {
            Node::End(end) => Status::Over(end),
            Node::Choice(side, _) => Status::Turn(side),
        }
    }

    fn moves(&self, s: &u32, out: &mut Vec<u8>) {
        if let Node::Choice(_, children) = &self.nodes[*s as usize] {
            out.extend(0..children.len() as u8);
        }
    }

    fn play(&self, s: &mut u32, m: u8) {
        if let Node::Choice(_, children) = &self.nodes[*s as usize] {
            *s = children[usize::from(m)];
        }
    }

    fn key(&self, s: &u32) -> u64 {
        u64::from(*s)
    }

    fn show_state(&self, s: &u32) -> String {
        s.to_string()
    }

    fn read_state(&self, text: &str) -> Result<u32, NotationError> {
        Ok(text.parse().expect("a number written by show_state"))
    }

    fn show_move(&self, _s: &u32, m: u8) -> String {
        m.to_string()
    }

    fn scene(&self, s: &u32) -> Scene {
        Scene::heaps(&[*s as usize], &[self.nodes.len()], &PieceShape::Match)
    }

    fn touches(&self, _s: &u32, m: u8) -> Vec<Coord> {
        vec![Coord::new(0, m.into())]
    }
}

/// An evaluator with arbitrary values and many ties.
pub(crate) struct NoiseEvaluator;

impl<G: Game> Evaluator<G> for NoiseEvaluator {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        (mix(g.key(s)) % 7) as i32 * 100 - 300
    }
}

/// Returns every reachable state in which the game is not over, breadth first.
pub(crate) fn unfinished_states<G: Game>(g: &G) -> Vec<G::State> {
    let mut found = vec![g.start()];
    let mut seen: std::collections::HashSet<G::State> = found.iter().cloned().collect();
    let mut moves = Vec::new();
    let mut at = 0;
    while at < found.len() {
        moves.clear();
        g.moves(&found[at], &mut moves);
        for &m in &moves {
            let mut child = found[at].clone();
            g.play(&mut child, m);
            if seen.insert(child.clone()) {
                found.push(child);
            }
        }
        at += 1;
    }
    found.retain(|s| g.status(s).turn().is_some());
    found
}
