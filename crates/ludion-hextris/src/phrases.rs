//! The phrases of power and the Aho-Corasick automaton that finds all of them in one pass. A phrase
//! that occurs n > 0 times earns 2·length·n + 300 points; overlapping occurrences count, and case
//! does not matter.

use std::collections::VecDeque;

use serde::Serialize;

/// The 18 phrases of power of the ICFP programming contest 2015.
pub const KNOWN_PHRASES: [&str; 18] = [
    "ei!",
    "ia! ia!",
    "r'lyeh",
    "yuggoth",
    "tsathoggua",
    "yogsothoth",
    "necronomicon",
    "vigintillion",
    "cthulhu fhtagn!",
    "ph'nglui mglw'nafh cthulhu r'lyeh wgah'nagl fhtagn.",
    "in his house at r'lyeh dead cthulhu waits dreaming.",
    "the laundry",
    "planet 10",
    "yoyodyne",
    "monkeyboy",
    "john bigboote",
    "blue hades",
    "case nightmare green",
];

/// Points for the first occurrence of a phrase in a game, in addition to its points by length.
pub const NEW_PHRASE_BONUS: u64 = 300;

/// Maximum total length of all phrases in bytes; it ensures that [`PhraseNode`] can number all
/// nodes of the automaton.
pub const MAX_PHRASE_BYTES: usize = 60_000;

/// Reasons why a list of phrases is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PhraseError {
    /// The phrase with this index, from 0, is empty.
    #[error("phrase {} is empty; a phrase has at least one character", .0 + 1)]
    Empty(usize),
    /// The phrases have this many bytes in total, more than [`MAX_PHRASE_BYTES`].
    #[error("the phrases have {0} bytes together; at most {MAX_PHRASE_BYTES} are allowed")]
    TooLong(usize),
}

/// Number of a node of the phrase automaton; there is a node for every prefix of a phrase, and 0 is
/// the empty prefix.
pub type PhraseNode = u16;

/// A list of distinct phrases in lower case, with their automaton.
#[derive(Clone, Debug)]
pub struct Phrases {
    list: Vec<String>,
    /// Class of each byte, which selects its transitions in `next`; 0 for bytes that occur in no
    /// phrase.
    class: [u8; 256],
    classes: usize,
    /// Node after node n when a byte of class c is read, at index n·classes + c.
    next: Vec<PhraseNode>,
    depth: Vec<u16>,
    gain: Vec<u32>,
    /// Phrases whose last character leads to node n, as indices into `list`:
    /// `hits[first_hit[n]..first_hit[n + 1]]`.
    hits: Vec<u16>,
    first_hit: Vec<u32>,
}

/// Number of occurrences of a phrase and the points they earn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PhraseScore {
    /// The phrase in lower case.
    pub phrase: String,
    /// Number of occurrences of the phrase in the text, overlapping ones included.
    pub count: u64,
    /// Points of the phrase: 2·length·count, plus 300 if it occurs.
    pub power: u64,
}

impl Phrases {
    /// Builds the automaton that finds `phrases`; a phrase given twice, ignoring case, counts once.
    ///
    /// # Errors
    /// Returns an error if a phrase is empty or all together exceed [`MAX_PHRASE_BYTES`].
    pub fn new<S: AsRef<str>>(phrases: impl IntoIterator<Item = S>) -> Result<Self, PhraseError> {
        let mut list: Vec<String> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut bytes = 0;
        for (i, phrase) in phrases.into_iter().enumerate() {
            let phrase = phrase.as_ref().to_ascii_lowercase();
            if phrase.is_empty() {
                return Err(PhraseError::Empty(i));
            }
            if seen.insert(phrase.clone()) {
                bytes += phrase.len();
                list.push(phrase);
            }
        }
        if bytes > MAX_PHRASE_BYTES {
            return Err(PhraseError::TooLong(bytes));
        }
        Ok(Phrases::automaton(list))
    }

    /// Returns the 18 phrases of the contest.
    #[must_use]
    pub fn known() -> Self {
        Phrases::automaton(KNOWN_PHRASES.map(str::to_owned).to_vec())
    }

    /// Returns an empty list of phrases, with which only locked units earn points.
    #[must_use]
    pub fn none() -> Self {
        Phrases::automaton(Vec::new())
    }

    /// Builds the automaton that finds the phrases of `list`, which are valid and distinct.
    fn automaton(list: Vec<String>) -> Self {
        let mut trie = PhraseTrie::new(&list);
        trie.link();
        let mut hits = Vec::new();
        let mut first_hit = vec![0];
        for ends in &trie.ends {
            hits.extend_from_slice(ends);
            first_hit.push(hits.len() as u32);
        }
        let points = |&hit: &u16| 2 * list[usize::from(hit)].len() as u32;
        let gain = trie.ends.iter().map(|ends| ends.iter().map(points).sum()).collect();
        Phrases {
            class: trie.class,
            classes: trie.classes,
            next: trie.next,
            depth: trie.depth,
            gain,
            hits,
            first_hit,
            list,
        }
    }

    /// Returns the distinct phrases in lower case, in the order in which they were given.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.list
    }

    /// Returns the number of nodes of the automaton, including the root 0.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.depth.len()
    }

    /// Returns the node that the automaton enters from `node` when it reads `byte`, in upper or
    /// lower case.
    #[inline]
    #[must_use]
    pub fn next(&self, node: PhraseNode, byte: u8) -> PhraseNode {
        let class = self.class[usize::from(byte)];
        self.next[usize::from(node) * self.classes + usize::from(class)]
    }

    /// Returns the number of characters matched at `node`: the length of its prefix of a phrase.
    #[inline]
    #[must_use]
    pub fn depth(&self, node: PhraseNode) -> usize {
        self.depth[usize::from(node)].into()
    }

    /// Returns the phrases that are complete when the automaton enters `node`, as indices into
    /// [`Phrases::list`].
    #[inline]
    #[must_use]
    pub fn hits(&self, node: PhraseNode) -> &[u16] {
        let node = usize::from(node);
        &self.hits[self.first_hit[node] as usize..self.first_hit[node + 1] as usize]
    }

    /// Returns the points for entering `node`, without the bonus for new phrases: twice the total
    /// length of the phrases that are complete there.
    #[inline]
    #[must_use]
    pub fn gain(&self, node: PhraseNode) -> u32 {
        self.gain[usize::from(node)]
    }

    /// Counts the occurrences of each phrase in `text`.
    #[must_use]
    pub fn count(&self, text: &str) -> Vec<u64> {
        let mut counts = vec![0; self.list.len()];
        let mut node = 0;
        for byte in text.bytes() {
            node = self.next(node, byte);
            for &hit in self.hits(node) {
                counts[usize::from(hit)] += 1;
            }
        }
        counts
    }

    /// Returns the count and points of each phrase that occurs, given the number of occurrences of
    /// all phrases in the order of [`Phrases::list`].
    #[must_use]
    pub fn powers(&self, counts: &[u64]) -> Vec<PhraseScore> {
        let found = self.list.iter().zip(counts).filter(|&(_, &count)| count > 0);
        found
            .map(|(phrase, &count)| PhraseScore {
                phrase: phrase.clone(),
                count,
                power: 2 * phrase.len() as u64 * count + NEW_PHRASE_BONUS,
            })
            .collect()
    }
}

/// The trie from which the automaton is built.
struct PhraseTrie {
    class: [u8; 256],
    classes: usize,
    next: Vec<PhraseNode>,
    depth: Vec<u16>,
    ends: Vec<Vec<u16>>,
}

impl PhraseTrie {
    fn new(list: &[String]) -> Self {
        let mut class = [0; 256];
        let mut classes = 1;
        for byte in list.iter().flat_map(|phrase| phrase.bytes()) {
            if class[usize::from(byte)] == 0 {
                class[usize::from(byte)] = classes as u8;
                class[usize::from(byte.to_ascii_uppercase())] = classes as u8;
                classes += 1;
            }
        }
        let mut trie = PhraseTrie { class, classes, next: Vec::new(), depth: vec![], ends: vec![] };
        trie.add_node(0);
        for (i, phrase) in list.iter().enumerate() {
            trie.add_phrase(phrase, i as u16);
        }
        trie
    }

    fn add_node(&mut self, depth: u16) -> PhraseNode {
        let node = self.depth.len() as PhraseNode;
        self.next.resize(self.next.len() + self.classes, 0);
        self.depth.push(depth);
        self.ends.push(Vec::new());
        node
    }

    fn add_phrase(&mut self, phrase: &str, number: u16) {
        let mut node = 0;
        for byte in phrase.bytes() {
            let edge =
                usize::from(node) * self.classes + usize::from(self.class[usize::from(byte)]);
            if self.next[edge] == 0 {
                self.next[edge] = self.add_node(self.depth[usize::from(node)] + 1);
            }
            node = self.next[edge];
        }
        self.ends[usize::from(node)].push(number);
    }

    /// Adds the fallback transitions breadth first, so that the node of the longest proper suffix
    /// of a node is complete before that node.
    fn link(&mut self) {
        let mut suffix = vec![0; self.depth.len()];
        let mut queue: VecDeque<usize> = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for class in 0..self.classes {
                let fallback =
                    if node == 0 { 0 } else { self.next[suffix[node] * self.classes + class] };
                let edge = node * self.classes + class;
                let child = usize::from(self.next[edge]);
                if child == 0 {
                    self.next[edge] = fallback;
                } else {
                    suffix[child] = fallback.into();
                    let inherited = self.ends[suffix[child]].clone();
                    self.ends[child].extend(inherited);
                    queue.push_back(child);
                }
            }
        }
    }
}
