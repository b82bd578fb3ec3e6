//! Tables of the phrases for spelling: for every node of the automaton and every command, the
//! characters worth writing; and for every node, an estimate of the points to come.
//!
//! A node whose text ends with the text of another one is never worse, because it finds everything
//! that the other will find. So one or two of the six characters of a command remain, and those
//! that only start a phrase are the same at every node.
//!
//! The value V of a node is the maximum over characters c of q(c)·(gain − 5·[c descends] +
//! V(next)), with V(root) = 0. A descent costs the 5 points that descents earn on average; q(c) is
//! the probability that the unit can execute c. A phrase that would be new also counts its bonus of
//! 300.

use super::super::super::commands::{Command, CommandKey};
use super::super::super::phrases::NEW_PHRASE_BONUS;
use super::super::super::phrases::{PhraseNode, Phrases};
use super::placement_bitmaps::is_descent;

/// Maximum number of phrases, one bit each in a set.
const MAX_PHRASES: usize = 64;
/// Maximum total length of the phrases, which keeps the tables small.
const MAX_PHRASE_BYTES: usize = 4_096;

/// A character worth writing, with the node that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextCharacter {
    /// Phrases that end there.
    pub(super) hits: u64,
    /// Twice their length.
    pub(super) gain: i32,
    pub(super) node: PhraseNode,
    pub(super) byte: u8,
}

/// The characters worth writing, by node and command.
#[derive(Debug)]
pub(super) struct SpellingTables {
    phrases: Phrases,
    successors: Vec<NextCharacter>,
    /// Successors of a node and command: from `first[6·node + command]` to the next entry.
    first: Vec<u32>,
    links: Vec<PhraseNode>,
}

impl SpellingTables {
    /// Builds the tables of those `phrases` that consist of commands; of too many, the shortest.
    pub(super) fn new(phrases: &Phrases) -> Self {
        let phrases = usable_phrases(phrases);
        let links = suffix_links(&phrases);
        let (mut successors, mut first) = (Vec::new(), vec![0]);
        for node in 0..phrases.nodes() {
            for command in Command::ALL {
                add_successors(&phrases, &links, node as PhraseNode, command, &mut successors);
                first.push(successors.len() as u32);
            }
        }
        SpellingTables { phrases, successors, first, links }
    }

    /// Returns the phrases in the tables.
    pub(super) fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// Returns the number of nodes of the automaton.
    pub(super) fn nodes(&self) -> usize {
        self.links.len()
    }

    /// Returns the node of the longest proper suffix; the root for itself.
    pub(super) fn link(&self, node: PhraseNode) -> PhraseNode {
        self.links[usize::from(node)]
    }

    /// Returns the characters for `command` that continue the match at `node`.
    #[inline]
    pub(super) fn continuing(&self, node: PhraseNode, command: Command) -> &[NextCharacter] {
        if node == 0 { &[] } else { self.successors(node, command) }
    }

    /// Returns the characters for `command` that start a phrase, or one that matches nothing.
    #[inline]
    pub(super) fn beginning(&self, command: Command) -> &[NextCharacter] {
        self.successors(0, command)
    }

    #[inline]
    fn successors(&self, node: PhraseNode, command: Command) -> &[NextCharacter] {
        let i = 6 * usize::from(node) + command.index();
        &self.successors[self.first[i] as usize..self.first[i + 1] as usize]
    }
}

/// Returns the phrases that consist of commands, the shortest first, as many as the tables can
/// hold.
fn usable_phrases(phrases: &Phrases) -> Phrases {
    let is_command = |byte: u8| matches!(CommandKey::from_byte(byte), CommandKey::Command(_));
    let mut list: Vec<&String> =
        phrases.list().iter().filter(|phrase| phrase.bytes().all(is_command)).collect();
    list.sort_by_key(|phrase| phrase.len());
    let mut bytes = 0;
    let fits = |phrase: &&&String| {
        bytes += phrase.len();
        bytes <= MAX_PHRASE_BYTES
    };
    let list: Vec<&String> = list.iter().take(MAX_PHRASES).take_while(fits).copied().collect();
    Phrases::new(list).expect("valid phrases")
}

/// Returns the node of each prefix of `phrase`, starting with the root.
pub(super) fn prefix_nodes(phrases: &Phrases, phrase: &str) -> Vec<PhraseNode> {
    let mut nodes = vec![0];
    for byte in phrase.bytes() {
        nodes.push(phrases.next(nodes[nodes.len() - 1], byte));
    }
    nodes
}

/// Returns for every node that of its longest proper suffix; the root for itself.
fn suffix_links(phrases: &Phrases) -> Vec<PhraseNode> {
    let mut links = vec![0; phrases.nodes()];
    for phrase in phrases.list() {
        let nodes = prefix_nodes(phrases, phrase);
        let mut link = 0;
        for (&node, byte) in nodes[1..].iter().zip(phrase.bytes()).skip(1) {
            link = phrases.next(link, byte);
            links[usize::from(node)] = link;
        }
    }
    links
}

/// Returns whether the text of one node is a proper suffix of that of another.
fn is_proper_suffix(links: &[PhraseNode], shorter: PhraseNode, longer: PhraseNode) -> bool {
    let mut node = longer;
    while node != 0 {
        node = links[usize::from(node)];
        if node == shorter {
            return true;
        }
    }
    false
}

/// Adds the characters worth writing for a node and a command.
fn add_successors(
    phrases: &Phrases,
    links: &[PhraseNode],
    node: PhraseNode,
    command: Command,
    successors: &mut Vec<NextCharacter>,
) {
    let bytes = command.characters().as_bytes();
    let nodes: Vec<PhraseNode> = bytes.iter().map(|&byte| phrases.next(node, byte)).collect();
    for (i, (&byte, &next)) in bytes.iter().zip(&nodes).enumerate() {
        let is_worse = nodes.iter().any(|&other| is_proper_suffix(links, next, other));
        let is_beginning = node != 0 && phrases.depth(next) < 2;
        if is_worse || is_beginning || nodes[..i].contains(&next) {
            continue;
        }
        let hits = phrases.hits(next).iter().fold(0, |hits, &hit| hits | 1 << hit);
        successors.push(NextCharacter { hits, gain: phrases.gain(next) as i32, node: next, byte });
    }
}

/// Number of key units per point.
pub(super) const KEYS_PER_POINT: i32 = 16;
/// Points that a descent earns on average.
const POINTS_PER_DESCENT: f64 = 5.0;
/// Probability per character that a new phrase can be continued.
const CONTINUE_PROBABILITY: f64 = 0.98;
/// Probability of a rotation of a fully symmetric unit, which can only lock by it.
const SYMMETRIC_TURN_PROBABILITY: f64 = 0.05;

/// A partly spelled phrase that would be new.
#[derive(Clone, Copy, Debug)]
struct PartialPhrase {
    phrase: u64,
    value: i32,
}

/// Estimates of the points to come, by node.
#[derive(Debug)]
pub(super) struct PhraseEstimates {
    plain: Vec<i32>,
    started: Vec<PartialPhrase>,
    /// Partial phrases at node n: `started[first[n]..first[n + 1]]`.
    first: Vec<u32>,
}

impl PhraseEstimates {
    /// Computes the estimates for units that can turn, or for those with full rotational symmetry.
    pub(super) fn new(tables: &SpellingTables, can_turn: bool) -> Self {
        let probabilities =
            CommandProbabilities { turn: if can_turn { 0.9 } else { SYMMETRIC_TURN_PROBABILITY } };
        let values = node_values(tables, &probabilities);
        let (mut started, mut first) = (Vec::new(), vec![0]);
        for list in partial_phrases(tables, &probabilities, &values) {
            started.extend(list);
            first.push(started.len() as u32);
        }
        PhraseEstimates { plain: values.into_iter().map(to_key).collect(), started, first }
    }

    /// Returns the estimate for `node` if all phrases were spelled already, and the one if those of
    /// `used` are.
    #[inline]
    pub(super) fn of(&self, node: PhraseNode, used: u64) -> (i32, i32) {
        let node = usize::from(node);
        let plain = self.plain[node];
        let started = &self.started[self.first[node] as usize..self.first[node + 1] as usize];
        let new = started
            .iter()
            .filter(|started| started.phrase & used == 0)
            .map(|started| started.value);
        (plain, new.fold(plain, i32::max))
    }
}

/// Probabilities that commands are possible.
struct CommandProbabilities {
    turn: f64,
}

impl CommandProbabilities {
    fn of(&self, command: Command) -> f64 {
        match command {
            Command::SouthWest | Command::SouthEast => 0.98,
            Command::West | Command::East => 0.95,
            Command::Clockwise | Command::CounterClockwise => self.turn,
        }
    }
}

/// Returns the points that a command costs.
fn cost(command: Command) -> f64 {
    if is_descent(command) { POINTS_PER_DESCENT } else { 0.0 }
}

/// Returns V of every node, by iteration over the deepest nodes first.
fn node_values(tables: &SpellingTables, probabilities: &CommandProbabilities) -> Vec<f64> {
    let mut deep_first: Vec<PhraseNode> = (1..tables.nodes() as PhraseNode).collect();
    deep_first.sort_by_key(|&node| std::cmp::Reverse(tables.phrases().depth(node)));
    let mut values = vec![0.0; tables.nodes()];
    for _ in 0..20 {
        for &node in &deep_first {
            let best = Command::ALL.into_iter().map(|command| {
                let expected = |s: &NextCharacter| f64::from(s.gain) + values[usize::from(s.node)];
                let both = [tables.continuing(node, command), tables.beginning(command)];
                let all = both.into_iter().flatten().map(expected);
                probabilities.of(command) * (all.fold(0.0, f64::max) - cost(command))
            });
            values[usize::from(node)] = best.fold(0.0, f64::max);
        }
    }
    values
}

/// Returns for every node the partial phrases that would be new.
fn partial_phrases(
    tables: &SpellingTables,
    probabilities: &CommandProbabilities,
    values: &[f64],
) -> Vec<Vec<PartialPhrase>> {
    let phrases = tables.phrases();
    let mut lists: Vec<Vec<PartialPhrase>> = vec![Vec::new(); tables.nodes()];
    for (i, phrase) in phrases.list().iter().enumerate() {
        let nodes = prefix_nodes(phrases, phrase);
        let mut expected = (2 * phrase.len() as u64 + NEW_PHRASE_BONUS) as f64;
        for (matched, byte) in phrase.bytes().enumerate().skip(1).rev() {
            let CommandKey::Command(command) = CommandKey::from_byte(byte) else { continue };
            let is_turn = matches!(command, Command::Clockwise | Command::CounterClockwise);
            let chance = if is_turn {
                CONTINUE_PROBABILITY.min(probabilities.turn.sqrt())
            } else {
                CONTINUE_PROBABILITY
            };
            expected = chance * expected - cost(command);
            let node = usize::from(nodes[matched]);
            if expected > values[node] {
                lists[node].push(PartialPhrase { phrase: 1 << i, value: to_key(expected) });
            }
        }
    }
    inherit_from_suffixes(tables, &mut lists);
    lists
}

/// Adds the partial phrases of each node's longest suffix.
fn inherit_from_suffixes(tables: &SpellingTables, lists: &mut [Vec<PartialPhrase>]) {
    let mut shallow_first: Vec<PhraseNode> = (1..lists.len() as PhraseNode).collect();
    shallow_first.sort_by_key(|&node| tables.phrases().depth(node));
    for node in shallow_first {
        let mut shorter = lists[usize::from(tables.link(node))].clone();
        let own = &mut lists[usize::from(node)];
        shorter.retain(|started| own.iter().all(|own| own.phrase != started.phrase));
        own.extend(shorter);
    }
}

fn to_key(points: f64) -> i32 {
    (points * f64::from(KEYS_PER_POINT)) as i32
}
