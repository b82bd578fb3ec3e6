//! A whole way to break codes: for every history of answers the next guess. Written down it is
//! the guesses alone, those of each node before those of its answers from the first to the last,
//! and none where a single code is left: which answers there are follows from the guess.

use serde::{Deserialize, Serialize};

use super::super::{Code, Mastermind};
use super::GuessAndFeedback;
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};

/// Most codes that trees are made for.
pub const MAX_CODES: usize = 1 << 16;

/// For every history of answers the next guess. Every code is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "StoredTree", into = "StoredTree")]
pub struct StrategyTree {
    rules: Mastermind,
    guesses: Vec<CodeIndex>,
    nodes: Vec<TreeNode>,
    /// How many codes are found by the first guess, the second, ….
    found: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct TreeNode {
    guess: Code,
    /// The number of each answer that can come, but that the code is found, and what then.
    then: Vec<(u8, TreeBranch)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TreeBranch {
    Node(u32),
    /// One code is left.
    Guess(Code),
}

/// A tree as it is written down.
#[derive(Serialize, Deserialize)]
struct StoredTree {
    rules: Mastermind,
    guesses: Vec<CodeIndex>,
}

/// Why a list of guesses is no tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// Too many codes, or rules that are none.
    #[error("{0}")]
    Rules(String),
    /// A guess that is no code.
    #[error("guess {at} of the tree is number {guess} of {codes} codes")]
    Unknown {
        /// Which guess of the list, from 1.
        at: usize,
        /// Its number.
        guess: CodeIndex,
        /// How many codes there are.
        codes: usize,
    },
    /// A guess that tells nothing.
    #[error("guess {at} of the tree tells nothing about the codes left")]
    Idle {
        /// Which guess of the list, from 1.
        at: usize,
    },
    /// The list is too short or too long.
    #[error("the tree has {0} guesses, which is not what its codes need")]
    Length(usize),
}

impl From<TooManyCodesError> for TreeError {
    fn from(error: TooManyCodesError) -> Self {
        TreeError::Rules(error.to_string())
    }
}

impl TryFrom<StoredTree> for StrategyTree {
    type Error = TreeError;

    fn try_from(StoredTree { rules, guesses }: StoredTree) -> Result<Self, TreeError> {
        Mastermind::new(rules.pegs, rules.colours, rules.repeats)
            .map_err(|error| TreeError::Rules(error.to_string()))?;
        StrategyTree::new(&CodeTable::list_up_to(&rules, MAX_CODES)?, guesses)
    }
}

impl From<StrategyTree> for StoredTree {
    fn from(tree: StrategyTree) -> Self {
        StoredTree { rules: tree.rules, guesses: tree.guesses }
    }
}

impl StrategyTree {
    /// The tree of these guesses.
    ///
    /// # Errors
    /// When it does not find every code, or has more guesses than it needs.
    pub fn new(codes: &CodeTable, guesses: Vec<CodeIndex>) -> Result<Self, TreeError> {
        let mut planting =
            TreeBuilder { codes, guesses: &guesses, at: 0, nodes: vec![], found: vec![] };
        planting.node(codes.numbers(), 0)?;
        let TreeBuilder { at, nodes, found, .. } = planting;
        if at != guesses.len() {
            return Err(TreeError::Length(guesses.len()));
        }
        Ok(StrategyTree { rules: *codes.rules(), guesses, nodes, found })
    }

    /// Grows a tree by asking `choose`, from the codes left and the guesses so far, for the next
    /// guess wherever two codes or more are left.
    ///
    /// # Panics
    /// When a guess tells nothing.
    #[must_use]
    pub fn grow<C>(codes: &CodeTable, threads: usize, choose: C) -> Self
    where
        C: Fn(&[CodeIndex], &[CodeIndex]) -> CodeIndex + Sync,
    {
        let guesses = super::growth::grow(codes, threads, &choose);
        StrategyTree::new(codes, guesses).expect("every guess tells something")
    }

    /// The riddle.
    #[must_use]
    pub fn rules(&self) -> &Mastermind {
        &self.rules
    }

    /// How many codes are found by the first guess, the second, ….
    #[must_use]
    pub fn found(&self) -> &[u64] {
        &self.found
    }

    /// The guesses that all codes take together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.found.iter().zip(1..).map(|(codes, guesses)| codes * guesses).sum()
    }

    /// The guesses that the hardest code takes.
    #[must_use]
    pub fn worst(&self) -> usize {
        self.found.len()
    }

    /// The next guess, unless something else was asked than the tree asks, or no code is left.
    #[must_use]
    pub fn guess(&self, asked: &[GuessAndFeedback]) -> Option<&Code> {
        let mut then = &TreeBranch::Node(0);
        for (guess, answer) in asked {
            let TreeBranch::Node(node) = then else { return None };
            let node = &self.nodes[*node as usize];
            let answer = answer.index(self.rules.pegs);
            then = match node.then.iter().find(|(given, _)| usize::from(*given) == answer) {
                Some((_, then)) if node.guess == *guess => then,
                _ => return None,
            };
        }
        Some(match then {
            TreeBranch::Node(node) => &self.nodes[*node as usize].guess,
            TreeBranch::Guess(code) => code,
        })
    }
}

/// A list of guesses on its way to a tree.
struct TreeBuilder<'a> {
    codes: &'a CodeTable,
    guesses: &'a [CodeIndex],
    /// How many guesses have their node.
    at: usize,
    nodes: Vec<TreeNode>,
    found: Vec<u64>,
}

impl TreeBuilder<'_> {
    /// What is done with these codes left, after so many guesses.
    fn node(&mut self, set: Vec<CodeIndex>, depth: usize) -> Result<TreeBranch, TreeError> {
        if set.len() == 1 && depth > 0 {
            self.find(depth);
            return Ok(TreeBranch::Guess(self.codes.code(set[0]).clone()));
        }
        let guess = *self.guesses.get(self.at).ok_or(TreeError::Length(self.guesses.len()))?;
        self.at += 1;
        if guess as usize >= self.codes.len() {
            return Err(TreeError::Unknown { at: self.at, guess, codes: self.codes.len() });
        }
        let classes = self.codes.split(guess, &set);
        if classes.len() == 1 && classes[0].0 != self.codes.solved() {
            return Err(TreeError::Idle { at: self.at });
        }
        let number = self.nodes.len();
        self.nodes.push(TreeNode { guess: self.codes.code(guess).clone(), then: Vec::new() });
        drop(set);
        let mut then = Vec::with_capacity(classes.len());
        for (answer, class) in classes {
            if answer == self.codes.solved() {
                self.find(depth);
            } else {
                then.push((answer, self.node(class, depth + 1)?));
            }
        }
        self.nodes[number].then = then;
        Ok(TreeBranch::Node(number as u32))
    }

    /// Counts a code that is found by the guess after `depth` others.
    fn find(&mut self, depth: usize) {
        if self.found.len() <= depth {
            self.found.resize(depth + 1, 0);
        }
        self.found[depth] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::list_breaker;
    use super::super::score::GuessScore;
    use super::*;

    fn codes(pegs: usize, colours: usize, repeats: bool) -> CodeTable {
        CodeTable::list(&Mastermind::new(pegs, colours, repeats).unwrap()).unwrap()
    }

    #[test]
    fn strategies_need_the_guesses_that_are_published() {
        let scores =
            [GuessScore::Minimax, GuessScore::Size, GuessScore::Entropy, GuessScore::Parts];
        for (codes, totals) in [
            (codes(4, 6, true), [5801, 5696, 5722, 5668]),
            (codes(4, 10, false), [27139, 26551, 26424, 26751]),
        ] {
            let trees = scores.map(|score| list_breaker::tree(&codes, score, 2));
            assert_eq!(trees.each_ref().map(StrategyTree::total), totals);
            let found = |tree: &StrategyTree| tree.found().iter().sum::<u64>();
            assert_eq!(trees.each_ref().map(found), [codes.len() as u64; 4]);
            assert!(codes.len() == 5040 || trees[0].worst() == 5, "Knuth never takes six");
        }
    }

    #[test]
    fn a_tree_is_read_as_it_was_written_and_refused_when_it_is_none() {
        let codes = codes(3, 4, true);
        let tree = list_breaker::tree(&codes, GuessScore::Entropy, 1);
        let text = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<StrategyTree>(&text).unwrap(), tree);
        let guesses = tree.guesses.clone();
        let refused = |change: &dyn Fn(&mut Vec<CodeIndex>)| {
            let mut guesses = guesses.clone();
            change(&mut guesses);
            StrategyTree::new(&codes, guesses).unwrap_err()
        };
        let all = guesses.len();
        assert_eq!(refused(&|g| g.push(0)), TreeError::Length(all + 1));
        assert_eq!(refused(&|g| g.truncate(all - 1)), TreeError::Length(all - 1));
        assert_eq!(refused(&|g| g[0] = 64), TreeError::Unknown { at: 1, guess: 64, codes: 64 });
        assert_eq!(refused(&|g| g[1] = g[0]), TreeError::Idle { at: 2 });
        let wrong = text.replace("\"colours\":4", "\"colours\":400");
        assert!(
            serde_json::from_str::<StrategyTree>(&wrong).unwrap_err().to_string().contains("400")
        );
    }
}
