//! The phrases as spelling needs them: for every node of their automaton and every command,
//! the few characters worth writing, and what a phrase that has begun promises. A node whose
//! text ends with the text of another is never worse, since all that the other will find it
//! finds too; so of six characters one or two are left.

use super::super::super::commands::{Command, Key};
use super::super::super::phrases::{NEW_PHRASE, Node, Phrases};

/// Promises and pruning keys count in sixteenths of a point.
pub(super) const POINT: i32 = 16;
/// The phrases whose first occurrence can be told from others: a bit each.
const MOST_PHRASES: usize = 64;
/// The bytes of phrases that are looked for, so that tables stay small.
const MOST_BYTES: usize = 4_096;

/// A character worth writing, and where the automaton goes with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    /// The phrases that end there.
    pub(super) hits: u64,
    /// Twice their length.
    pub(super) gain: i32,
    pub(super) node: Node,
    pub(super) byte: u8,
}

/// A phrase that has begun at some node, and what that is worth.
#[derive(Clone, Copy, Debug)]
struct Promise {
    phrase: u64,
    /// When the phrase was spelled before.
    again: i32,
    /// When it would be new.
    new: i32,
}

/// The tables.
#[derive(Debug)]
pub(super) struct Lexicon {
    nodes: usize,
    successors: Vec<Successor>,
    /// Those of a node and command: from `first[6·node + command]` to the next.
    first: Vec<u32>,
    promises: Vec<Promise>,
    first_promise: Vec<u32>,
}

impl Lexicon {
    /// The tables of those `phrases` that commands can spell; of too many, the shortest.
    pub(super) fn new(phrases: &Phrases) -> Self {
        let phrases = manageable(phrases);
        let links = links(&phrases);
        let (mut successors, mut first) = (Vec::new(), vec![0]);
        for node in 0..phrases.nodes() {
            for command in Command::ALL {
                add_successors(&phrases, &links, node as Node, command, &mut successors);
                first.push(successors.len() as u32);
            }
        }
        let (mut promises, mut first_promise) = (Vec::new(), vec![0]);
        for list in promised(&phrases, &links) {
            promises.extend(list);
            first_promise.push(promises.len() as u32);
        }
        Lexicon { nodes: phrases.nodes(), successors, first, promises, first_promise }
    }

    /// How many nodes the automaton has.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// The characters for `command` worth writing at `node`.
    #[inline]
    pub(super) fn successors(&self, node: Node, command: Command) -> &[Successor] {
        let i = 6 * usize::from(node) + command.index();
        &self.successors[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// What the phrases begun at `node` promise when those of `used` have been spelled.
    #[inline]
    pub(super) fn promise(&self, node: Node, used: u64) -> i32 {
        let node = usize::from(node);
        let begun = &self.promises
            [self.first_promise[node] as usize..self.first_promise[node + 1] as usize];
        let worth = |p: &Promise| if used & p.phrase == 0 { p.new } else { p.again };
        begun.iter().map(worth).max().unwrap_or(0)
    }
}

/// Those phrases that consist of commands, the shortest first, as many as tables can hold.
fn manageable(phrases: &Phrases) -> Phrases {
    let is_command = |byte: u8| matches!(Key::of(byte), Key::Command(_));
    let mut list: Vec<&String> =
        phrases.list().iter().filter(|phrase| phrase.bytes().all(is_command)).collect();
    list.sort_by_key(|phrase| phrase.len());
    let mut bytes = 0;
    let fits = |phrase: &&&String| {
        bytes += phrase.len();
        bytes <= MOST_BYTES
    };
    let list: Vec<&String> = list.iter().take(MOST_PHRASES).take_while(fits).copied().collect();
    Phrases::new(list).expect("phrases that were accepted before")
}

/// The node of each beginning of `phrase`, the root first.
fn spine(phrases: &Phrases, phrase: &str) -> Vec<Node> {
    let mut spine = vec![0];
    for byte in phrase.bytes() {
        spine.push(phrases.next(spine[spine.len() - 1], byte));
    }
    spine
}

/// For every node the one of its longest proper suffix; the root for itself.
fn links(phrases: &Phrases) -> Vec<Node> {
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

fn is_proper_suffix(links: &[Node], shorter: Node, longer: Node) -> bool {
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
    links: &[Node],
    node: Node,
    command: Command,
    successors: &mut Vec<Successor>,
) {
    let bytes = command.characters().as_bytes();
    let nodes: Vec<Node> = bytes.iter().map(|&byte| phrases.next(node, byte)).collect();
    for (i, (&byte, &next)) in bytes.iter().zip(&nodes).enumerate() {
        let is_worse = nodes.iter().any(|&other| is_proper_suffix(links, next, other));
        if is_worse || nodes[..i].contains(&next) {
            continue;
        }
        let hits = phrases.hits(next).iter().fold(0, |hits, &hit| hits | 1 << hit);
        successors.push(Successor { hits, gain: phrases.gain(next) as i32, node: next, byte });
    }
}

/// For every node the phrases that have begun there, each as far as it has come:
/// 0.8·(matched / length)·(2·length, and 300 if new).
fn promised(phrases: &Phrases, links: &[Node]) -> Vec<Vec<Promise>> {
    let mut lists: Vec<Vec<Promise>> = vec![Vec::new(); phrases.nodes()];
    for (i, phrase) in phrases.list().iter().enumerate() {
        let length = phrase.len() as i32;
        let share = |matched: usize, worth: i32| POINT * 4 * matched as i32 * worth / (5 * length);
        for (matched, &node) in spine(phrases, phrase).iter().enumerate().take(phrase.len()).skip(1)
        {
            lists[usize::from(node)].push(Promise {
                phrase: 1 << i,
                again: share(matched, 2 * length),
                new: share(matched, 2 * length + NEW_PHRASE as i32),
            });
        }
    }
    let mut shallow_first: Vec<usize> = (0..lists.len()).collect();
    shallow_first.sort_by_key(|&node| phrases.depth(node as Node));
    for node in shallow_first {
        let mut shorter = lists[usize::from(links[node])].clone();
        shorter.retain(|promise| lists[node].iter().all(|own| own.phrase != promise.phrase));
        lists[node].extend(shorter);
    }
    lists
}
