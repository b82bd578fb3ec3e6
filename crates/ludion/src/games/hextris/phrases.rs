//! The phrases of power, and the automaton of Aho and Corasick that finds all of them in one
//! pass: power(p) = 2·len·reps, and 300 if reps > 0, every occurrence counted, overlapping ones
//! too, in the solution as it was written but for upper case.

use std::collections::VecDeque;

use serde::Serialize;

/// The phrases of the contest.
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

/// What the first occurrence of a phrase earns besides its length.
pub const NEW_PHRASE: u64 = 300;

/// The bytes of all phrases together; so nodes fit 16 bits.
pub const MAX_BYTES: usize = 60_000;

/// Why a list of phrases is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PhraseError {
    /// An empty phrase is everywhere.
    #[error("phrase {} is empty; a phrase has at least one character", .0 + 1)]
    Empty(usize),
    /// Too much of it.
    #[error("the phrases have {0} bytes together; at most {MAX_BYTES} are allowed")]
    TooLong(usize),
}

/// Where the automaton is: a node for every beginning of a phrase, 0 for none.
pub type PhraseNode = u16;

/// A list of phrases, in lower case, each once, with their automaton.
#[derive(Clone, Debug)]
pub struct Phrases {
    list: Vec<String>,
    /// The column of each byte in `next`; 0 for bytes that are in no phrase.
    class: [u8; 256],
    classes: usize,
    /// Where node n goes with class c: `next[n·classes + c]`.
    next: Vec<PhraseNode>,
    depth: Vec<u16>,
    gain: Vec<u32>,
    /// The phrases that end at node n: `hits[first_hit[n]..first_hit[n + 1]]`.
    hits: Vec<u16>,
    first_hit: Vec<u32>,
}

/// How often a phrase was found, and what it earns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PhrasePower {
    /// The phrase in lower case.
    pub phrase: String,
    /// How often it occurs.
    pub count: u64,
    /// 2·length·count, and 300 if it occurs.
    pub power: u64,
}

impl Phrases {
    /// The automaton of `phrases`; one given twice, case apart, counts once.
    ///
    /// # Errors
    /// For an empty phrase, and for too many bytes.
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
        if bytes > MAX_BYTES {
            return Err(PhraseError::TooLong(bytes));
        }
        Ok(Phrases::automaton(list))
    }

    /// The 18 phrases of the contest.
    #[must_use]
    pub fn known() -> Self {
        Phrases::automaton(KNOWN_PHRASES.map(str::to_owned).to_vec())
    }

    /// No phrases: nothing but moves scores.
    #[must_use]
    pub fn none() -> Self {
        Phrases::automaton(Vec::new())
    }

    fn automaton(list: Vec<String>) -> Self {
        let mut trie = PhraseTrie::new(&list);
        trie.link();
        let mut hits = Vec::new();
        let mut first_hit = vec![0];
        for ends in &trie.ends {
            hits.extend_from_slice(ends);
            first_hit.push(hits.len() as u32);
        }
        let worth = |&hit: &u16| 2 * list[usize::from(hit)].len() as u32;
        let gain = trie.ends.iter().map(|ends| ends.iter().map(worth).sum()).collect();
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

    /// The phrases, in lower case, each once, in the order given.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.list
    }

    /// How many nodes the automaton has; the root, 0, is one of them.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.depth.len()
    }

    /// Where the automaton goes from `node` with `byte`, in either case.
    #[inline]
    #[must_use]
    pub fn next(&self, node: PhraseNode, byte: u8) -> PhraseNode {
        let class = self.class[usize::from(byte)];
        self.next[usize::from(node) * self.classes + usize::from(class)]
    }

    /// How many characters of a phrase are matched at `node`, of the longest one.
    #[inline]
    #[must_use]
    pub fn depth(&self, node: PhraseNode) -> usize {
        self.depth[usize::from(node)].into()
    }

    /// The phrases, as places in the list, that end where the automaton comes to `node`.
    #[inline]
    #[must_use]
    pub fn hits(&self, node: PhraseNode) -> &[u16] {
        let node = usize::from(node);
        &self.hits[self.first_hit[node] as usize..self.first_hit[node + 1] as usize]
    }

    /// Twice the length of all phrases that end at `node`: what coming there earns, apart from
    /// the 300 of a phrase that is new.
    #[inline]
    #[must_use]
    pub fn gain(&self, node: PhraseNode) -> u32 {
        self.gain[usize::from(node)]
    }

    /// How often each phrase occurs in `text`.
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

    /// What `counts` occurrences of the phrases earn: those that occur, in the order of the list.
    #[must_use]
    pub fn powers(&self, counts: &[u64]) -> Vec<PhrasePower> {
        let found = self.list.iter().zip(counts).filter(|&(_, &count)| count > 0);
        found
            .map(|(phrase, &count)| PhrasePower {
                phrase: phrase.clone(),
                count,
                power: 2 * phrase.len() as u64 * count + NEW_PHRASE,
            })
            .collect()
    }
}

/// The automaton while it is made.
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

    /// Breadth first, so that the longest proper suffix of a node is complete before it.
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
