//! Tables of the phrases for spelling: for every node of the phrase automaton and every command,
//! the characters worth writing; and for every node, an estimate of the points to come.
//!
//! The text of a node is the start of a phrase that it has matched. A node whose text ends with the
//! text of another node is never worse, because it completes every phrase that the other one will
//! complete. So only one or two of the six characters of a command remain, and those that only
//! start a phrase are the same at every node.
//!
//! The value V of a node is the maximum over characters c of q(c)·(gain − 5·[c descends] +
//! V(next)). Moving down a row costs 5 points, because that is what a row earns on average; q(c) is the
//! assumed probability that the unit can execute c, which is 0 if c would repeat a placement after the
//! text of the node: if it takes back the last command, or is the sixth turn in one direction. For a
//! phrase that would be new, the bonus of 300 is added.

use super::super::super::commands::{Command, DecodedChar};
use super::super::super::phrases::NEW_PHRASE_BONUS;
use super::super::super::phrases::{PhraseNode, Phrases};
use super::placement_bitmaps::is_descent;

/// Maximum number of phrases in the tables, because a set of phrases is a word of 64 bits.
const MAX_PHRASES: usize = 64;
/// Maximum total length of the phrases in the tables, in bytes, which keeps the tables small.
const MAX_PHRASE_BYTES: usize = 4_096;

/// A character that can follow on a path, with the node of the phrase automaton that it leads to.
/// Of the characters that stand for one command, only those are kept that no other one makes
/// useless.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextCharacter {
    /// Set of the phrases that the character completes, one bit each.
    pub(super) hits: u64,
    /// Points of the phrases that the character completes, without bonus: twice their total length.
    pub(super) gain: i32,
    pub(super) node: PhraseNode,
    pub(super) byte: u8,
}

/// The characters worth writing, by node of the phrase automaton and command.
#[derive(Debug)]
pub(super) struct SpellingTables {
    phrases: Phrases,
    successors: Vec<NextCharacter>,
    /// Start of the characters of a node and command in `successors`, at index 6·node + command;
    /// they end where the next entry starts.
    first: Vec<u32>,
    links: Vec<PhraseNode>,
}

impl SpellingTables {
    /// Builds the tables of those `phrases` all of whose characters are commands; if there are too
    /// many, of the shortest.
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

    /// Returns the phrases in the tables, which may be fewer than those given.
    pub(super) fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// Returns whether some phrase has no move down and can be spelled without repeating a placement:
    /// no command takes back the one before, and there are at most five turns.
    pub(super) fn has_level_phrases(&self) -> bool {
        let is_level = |phrase: &&String| {
            let commands = phrase.bytes().filter_map(|byte| match DecodedChar::from_byte(byte) {
                DecodedChar::Command(command) => Some(command),
                _ => None,
            });
            let turns = commands.clone().filter(|&command| is_turn(command)).count();
            let mut ending = NodeEnding::default();
            turns <= MAX_TURNS
                && commands.into_iter().all(|command| {
                    let follows = !is_descent(command) && ending.can_be_followed_by(command);
                    ending = ending.then(command);
                    follows
                })
        };
        self.phrases.list().iter().any(|phrase| is_level(&phrase))
    }

    /// Returns the number of nodes of the phrase automaton.
    pub(super) fn nodes(&self) -> usize {
        self.links.len()
    }

    /// Returns the node whose text is the longest proper suffix of the text of `node`; the root for
    /// the root.
    pub(super) fn link(&self, node: PhraseNode) -> PhraseNode {
        self.links[usize::from(node)]
    }

    /// Returns the characters worth writing for `command` that continue a phrase matched at `node`.
    #[inline]
    pub(super) fn continuing(&self, node: PhraseNode, command: Command) -> &[NextCharacter] {
        if node == 0 { &[] } else { self.successors(node, command) }
    }

    /// Returns the characters for `command` that start a phrase; if there are none, one that
    /// matches nothing.
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

/// Returns the phrases all of whose characters are commands, the shortest first, as many as the
/// tables can hold.
fn usable_phrases(phrases: &Phrases) -> Phrases {
    let is_command = |byte: u8| matches!(DecodedChar::from_byte(byte), DecodedChar::Command(_));
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

/// Returns the node of each prefix of `phrase`, starting with the root for the empty prefix.
pub(super) fn prefix_nodes(phrases: &Phrases, phrase: &str) -> Vec<PhraseNode> {
    let mut nodes = vec![0];
    for byte in phrase.bytes() {
        nodes.push(phrases.next(nodes[nodes.len() - 1], byte));
    }
    nodes
}

/// Returns for every node the node whose text is its longest proper suffix; the root for the root.
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

/// Returns whether the text of node `shorter` is a proper suffix of the text of node `longer`.
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

/// Appends the characters worth writing for a command at a node to `successors`.
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

/// Number by which points are multiplied in keys, the integer estimates by which paths are ranked.
pub(super) const KEYS_PER_POINT: i32 = 16;
/// Points for phrases that moving down one row earns on average.
const POINTS_PER_DESCENT: f64 = 5.0;
/// Assumed probability, for each character, that a phrase that would be new can be continued.
const CONTINUE_PROBABILITY: f64 = 0.98;
/// Assumed probability that a fully symmetric unit can execute a rotation; low, because the
/// rotation would repeat its placement.
const SYMMETRIC_TURN_PROBABILITY: f64 = 0.05;

/// Number of rotations in the same direction after which one more repeats a placement of any unit.
const MAX_TURNS: usize = 5;

fn is_turn(command: Command) -> bool {
    matches!(command, Command::Clockwise | Command::CounterClockwise)
}

/// A phrase that is partly spelled at a node, with the points to come if it is new.
#[derive(Clone, Copy, Debug)]
struct PartialPhrase {
    phrase: u64,
    value: i32,
}

/// Estimates of the points to come for every node of the phrase automaton, in units of
/// 1/[`KEYS_PER_POINT`] point.
#[derive(Debug)]
pub(super) struct PhraseEstimates {
    plain: Vec<i32>,
    started: Vec<PartialPhrase>,
    /// Partly spelled phrases at node n: `started[first[n]..first[n + 1]]`.
    first: Vec<u32>,
}

impl PhraseEstimates {
    /// Computes the estimates for units that can turn, or, if not `can_turn`, for units with full
    /// rotational symmetry.
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

    /// Returns two estimates of the points to come at `node`, in units of 1/[`KEYS_PER_POINT`]
    /// point: one as if all phrases had been spelled before, and one for the case that only the
    /// phrases in the set `used` have.
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

/// Assumed probabilities that a unit can execute each command without locking or repeating a
/// placement.
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

/// Returns the points that a command costs in the estimates: 5 for moving down a row, else 0.
fn cost(command: Command) -> f64 {
    if is_descent(command) { POINTS_PER_DESCENT } else { 0.0 }
}

/// Returns the value V of every node, computed by repeated passes over all nodes, the deepest
/// first.
fn node_values(tables: &SpellingTables, probabilities: &CommandProbabilities) -> Vec<f64> {
    let endings = node_endings(tables.phrases());
    let mut deep_first: Vec<PhraseNode> = (0..tables.nodes() as PhraseNode).collect();
    deep_first.sort_by_key(|&node| std::cmp::Reverse(tables.phrases().depth(node)));
    let mut values = vec![0.0; tables.nodes()];
    for _ in 0..20 {
        for &node in &deep_first {
            let ending = endings[usize::from(node)];
            let can_follow = |&command: &Command| ending.can_be_followed_by(command);
            let best = Command::ALL.into_iter().filter(can_follow).map(|command| {
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

/// The last command of a node's text, and how many times it stands there in a row.
#[derive(Clone, Copy, Default)]
struct NodeEnding {
    command: Option<Command>,
    times: usize,
}

impl NodeEnding {
    fn then(self, command: Command) -> Self {
        let times = if self.command == Some(command) { self.times + 1 } else { 1 };
        NodeEnding { command: Some(command), times }
    }

    /// Returns whether a unit that has executed the text can execute `command` without repeating a
    /// placement.
    fn can_be_followed_by(self, command: Command) -> bool {
        let Some(last) = self.command else { return true };
        last.inverse() != Some(command)
            && !(is_turn(command) && self.then(command).times > MAX_TURNS)
    }
}

fn node_endings(phrases: &Phrases) -> Vec<NodeEnding> {
    let mut endings = vec![NodeEnding::default(); phrases.nodes()];
    for phrase in phrases.list() {
        let nodes = prefix_nodes(phrases, phrase);
        for (step, byte) in nodes.windows(2).zip(phrase.bytes()) {
            if let DecodedChar::Command(command) = DecodedChar::from_byte(byte) {
                endings[usize::from(step[1])] = endings[usize::from(step[0])].then(command);
            }
        }
    }
    endings
}

/// Returns for every node the phrases that are partly spelled there and worth finishing if they are
/// new.
fn partial_phrases(
    tables: &SpellingTables,
    probabilities: &CommandProbabilities,
    values: &[f64],
) -> Vec<Vec<PartialPhrase>> {
    let phrases = tables.phrases();
    let mut lists: Vec<Vec<PartialPhrase>> = vec![Vec::new(); tables.nodes()];
    for (i, phrase) in phrases.list().iter().enumerate() {
        let nodes = prefix_nodes(phrases, phrase);
        let points = (2 * phrase.len() as u64 + NEW_PHRASE_BONUS) as f64;
        let mut expected = points + values[usize::from(nodes[phrase.len()])];
        for (matched, byte) in phrase.bytes().enumerate().skip(1).rev() {
            let DecodedChar::Command(command) = DecodedChar::from_byte(byte) else { continue };
            let chance = if is_turn(command) {
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

/// Adds to every node the partly spelled phrases of the node of its longest proper suffix.
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
