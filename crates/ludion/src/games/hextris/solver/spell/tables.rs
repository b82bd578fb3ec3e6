//! The phrases as spelling needs them: for every node of their automaton and every command,
//! the few characters worth writing. A node whose text ends with the text of another is never
//! worse, since all that the other will find it finds too; so of six characters one or two are
//! left, and those that only begin a phrase are the same at every node.

use super::super::super::commands::{Command, CommandKey};
use super::super::super::phrases::{PhraseNode, Phrases};

/// The phrases whose first occurrence can be told from others: a bit each.
const MAX_PHRASES: usize = 64;
/// The bytes of phrases that are looked for, so that tables stay small.
const MAX_BYTES: usize = 4_096;

/// A character worth writing, and where the automaton goes with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextCharacter {
    /// The phrases that end there.
    pub(super) hits: u64,
    /// Twice their length.
    pub(super) gain: i32,
    pub(super) node: PhraseNode,
    pub(super) byte: u8,
}

/// The tables.
#[derive(Debug)]
pub(super) struct SpellingTables {
    phrases: Phrases,
    successors: Vec<NextCharacter>,
    /// Those of a node and command: from `first[6·node + command]` to the next.
    first: Vec<u32>,
    links: Vec<PhraseNode>,
}

impl SpellingTables {
    /// The tables of those `phrases` that commands can spell; of too many, the shortest.
    pub(super) fn new(phrases: &Phrases) -> Self {
        let phrases = manageable(phrases);
        let links = links(&phrases);
        let (mut successors, mut first) = (Vec::new(), vec![0]);
        for node in 0..phrases.nodes() {
            for command in Command::ALL {
                add_successors(&phrases, &links, node as PhraseNode, command, &mut successors);
                first.push(successors.len() as u32);
            }
        }
        SpellingTables { phrases, successors, first, links }
    }

    /// The phrases that are looked for.
    pub(super) fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// How many nodes the automaton has.
    pub(super) fn nodes(&self) -> usize {
        self.links.len()
    }

    /// The node of the longest proper suffix; the root for itself.
    pub(super) fn link(&self, node: PhraseNode) -> PhraseNode {
        self.links[usize::from(node)]
    }

    /// The characters for `command` that continue what is matched at `node`.
    #[inline]
    pub(super) fn continuing(&self, node: PhraseNode, command: Command) -> &[NextCharacter] {
        if node == 0 { &[] } else { self.successors(node, command) }
    }

    /// The characters for `command` that begin anew, or a character without meaning.
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

/// Those phrases that consist of commands, the shortest first, as many as tables can hold.
fn manageable(phrases: &Phrases) -> Phrases {
    let is_command = |byte: u8| matches!(CommandKey::of(byte), CommandKey::Command(_));
    let mut list: Vec<&String> =
        phrases.list().iter().filter(|phrase| phrase.bytes().all(is_command)).collect();
    list.sort_by_key(|phrase| phrase.len());
    let mut bytes = 0;
    let fits = |phrase: &&&String| {
        bytes += phrase.len();
        bytes <= MAX_BYTES
    };
    let list: Vec<&String> = list.iter().take(MAX_PHRASES).take_while(fits).copied().collect();
    Phrases::new(list).expect("phrases that were accepted before")
}

/// The node of each beginning of `phrase`, the root first.
pub(super) fn spine(phrases: &Phrases, phrase: &str) -> Vec<PhraseNode> {
    let mut spine = vec![0];
    for byte in phrase.bytes() {
        spine.push(phrases.next(spine[spine.len() - 1], byte));
    }
    spine
}

/// For every node the one of its longest proper suffix; the root for itself.
fn links(phrases: &Phrases) -> Vec<PhraseNode> {
    let mut links = vec![0; phrases.nodes()];
    for phrase in phrases.list() {
        let nodes = spine(phrases, phrase);
        let mut link = 0;
        for (&node, byte) in nodes[1..].iter().zip(phrase.bytes()).skip(1) {
            link = phrases.next(link, byte);
            links[usize::from(node)] = link;
        }
    }
    links
}

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
