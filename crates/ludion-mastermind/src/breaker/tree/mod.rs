//! Strategy trees: the next guess for every history of feedback.
//!
//! The serialised form is the list of guesses in depth-first order, children in the order of their
//! feedback. Guesses at the last remaining code are omitted, because they follow from the other
//! guesses.

pub mod outline;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ludion_core::threads::with_helpers;

use super::super::{Code, Mastermind, PegFeedback};
use super::GuessAndFeedback;
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};
use ludion_core::riddle::Riddle;
use serde::{Deserialize, Serialize};

/// Maximum number of codes for which a strategy tree is built.
pub const MAX_CODES: usize = 1 << 16;

/// Callback for the progress of a computation, called from any of its threads with the work done
/// and the total work. Both have the same arbitrary unit.
pub type OnProgress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Options of building a strategy tree.
#[derive(Clone, Copy)]
pub struct TreeBuildOptions<'a> {
    /// Number of threads; the tree does not depend on it.
    pub threads: usize,
    /// Seed of strategies with random choices.
    pub seed: u64,
    /// Callback for the progress.
    pub on_progress: OnProgress<'a>,
}

impl TreeBuildOptions<'_> {
    /// Returns options with this number of threads, seed 0 and no report of progress.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        TreeBuildOptions { threads, seed: 0, on_progress: &|_, _| () }
    }
}

/// A complete strategy: the next guess for every history of feedback, until every code is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "StoredTree", into = "StoredTree")]
pub struct StrategyTree {
    rules: Mastermind,
    guesses: Vec<CodeIndex>,
    nodes: Vec<TreeNode>,
    /// Number of codes that are found by the first guess, by the second, and so on.
    codes_by_depth: Vec<u64>,
}

/// A guess of the tree with the branches for its feedback.
#[derive(Clone, PartialEq, Eq, Debug)]
struct TreeNode {
    guess: Code,
    /// The branch for each possible feedback index, except that of a guess that is the secret.
    branches: Vec<(u8, TreeBranch)>,
}

/// Continuation of the strategy after a feedback.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TreeBranch {
    /// Another guess, as the index of its node in the tree.
    Node(u32),
    /// The only code that remains, which is the next guess.
    Guess(Code),
}

/// The serialised form of a [`StrategyTree`].
#[derive(Serialize, Deserialize)]
struct StoredTree {
    rules: Mastermind,
    guesses: Vec<CodeIndex>,
}

/// Reasons why a list of guesses is not a strategy tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrategyTreeError {
    /// The rules are invalid or have too many codes, for the reason given in the text.
    #[error("{0}")]
    Rules(String),
    /// A guess is not the index of a code.
    #[error("guess {at} of the tree is code {guess}, and there are only {codes}")]
    Unknown {
        /// Number of the guess in the list, from 1.
        at: usize,
        /// The number given as the index of a code.
        guess: CodeIndex,
        /// Number of codes; a valid index of a code is less than this.
        codes: usize,
    },
    /// A guess gets the same feedback from all remaining codes, so it does not distinguish them.
    #[error("guess {at} of the tree does not distinguish the codes left")]
    Idle {
        /// Number of the guess in the list, from 1.
        at: usize,
    },
    /// The list has this length, which is too short or too long for a complete tree.
    #[error("the tree has {0} guesses, which is too few or too many for its codes")]
    Length(usize),
}

impl From<TooManyCodesError> for StrategyTreeError {
    fn from(error: TooManyCodesError) -> Self {
        StrategyTreeError::Rules(error.to_string())
    }
}

impl TryFrom<StoredTree> for StrategyTree {
    type Error = StrategyTreeError;

    fn try_from(StoredTree { rules, guesses }: StoredTree) -> Result<Self, StrategyTreeError> {
        Mastermind::new(rules.pegs, rules.colours, rules.repeats)
            .map_err(|error| StrategyTreeError::Rules(error.to_string()))?;
        // A guess leaves at most as many codes as there are answers, so a list that is too short is
        // refused before its codes are listed.
        let most = (guesses.len() as u128 + 1) * PegFeedback::index_count(rules.pegs) as u128;
        if rules.size().is_none_or(|codes| codes > most) {
            return Err(StrategyTreeError::Length(guesses.len()));
        }
        StrategyTree::new(&CodeTable::with_limit(&rules, MAX_CODES)?, guesses)
    }
}

impl From<StrategyTree> for StoredTree {
    fn from(tree: StrategyTree) -> Self {
        StoredTree { rules: tree.rules, guesses: tree.guesses }
    }
}

impl StrategyTree {
    /// Creates the tree from its guesses in the order of the serialised form.
    ///
    /// # Errors
    /// Returns an error if the tree does not find every code, or if it has superfluous guesses.
    pub fn new(codes: &CodeTable, guesses: Vec<CodeIndex>) -> Result<Self, StrategyTreeError> {
        let mut builder =
            TreeBuilder { codes, guesses: &guesses, at: 0, nodes: vec![], codes_by_depth: vec![] };
        builder.node(codes.indices(), 0)?;
        let TreeBuilder { at, nodes, codes_by_depth, .. } = builder;
        if at != guesses.len() {
            return Err(StrategyTreeError::Length(guesses.len()));
        }
        Ok(StrategyTree { rules: *codes.rules(), guesses, nodes, codes_by_depth })
    }

    /// Builds a tree by calling `choose` with the remaining codes and the guesses so far, at every
    /// node where two or more codes remain.
    ///
    /// # Panics
    /// Panics if a chosen guess does not distinguish the remaining codes.
    #[must_use]
    pub fn build<C>(codes: &CodeTable, options: TreeBuildOptions<'_>, choose: C) -> Self
    where
        C: Fn(&[CodeIndex], &[CodeIndex]) -> CodeIndex + Sync,
    {
        let guesses = choose_guesses(codes, options, &choose);
        StrategyTree::new(codes, guesses).expect("every guess distinguishes codes")
    }

    /// Returns the rules that the tree is for.
    #[must_use]
    pub fn rules(&self) -> &Mastermind {
        &self.rules
    }

    /// Returns the number of codes that are found by the first guess, by the second, and so on.
    #[must_use]
    pub fn codes_by_depth(&self) -> &[u64] {
        &self.codes_by_depth
    }

    /// Returns the total number of guesses needed to find each of the codes.
    #[must_use]
    pub fn total_guesses(&self) -> u64 {
        self.codes_by_depth.iter().zip(1..).map(|(codes, guesses)| codes * guesses).sum()
    }

    /// Returns the number of guesses for the code that takes the most.
    #[must_use]
    pub fn max_guesses(&self) -> usize {
        self.codes_by_depth.len()
    }

    /// Plays the tree against every code, with the answers of the rules, and returns the numbers of codes
    /// found by the first guess, by the second, and so on; `None` if it does not find a code.
    #[must_use]
    pub fn replay_every_code(&self) -> Option<Vec<u64>> {
        let mut found = Vec::new();
        for secret in self.rules.codes() {
            let mut history: Vec<GuessAndFeedback> = Vec::new();
            while history.last().is_none_or(|(_, feedback)| !self.rules.solved(*feedback)) {
                let guess = self.guess(&history)?.clone();
                let feedback = self.rules.answer(&secret, &guess);
                history.push((guess, feedback));
            }
            if found.len() < history.len() {
                found.resize(history.len(), 0);
            }
            found[history.len() - 1] += 1;
        }
        Some(found)
    }

    /// Returns the next guess after a history, or `None` if the tree does not contain the history.
    #[must_use]
    pub fn guess(&self, history: &[GuessAndFeedback]) -> Option<&Code> {
        let mut branch = &TreeBranch::Node(0);
        for (guess, feedback) in history {
            let TreeBranch::Node(node) = branch else { return None };
            let node = &self.nodes[*node as usize];
            let feedback = feedback.index(self.rules.pegs);
            branch = match node.branches.iter().find(|(given, _)| usize::from(*given) == feedback) {
                Some((_, next)) if node.guess == *guess => next,
                _ => return None,
            };
        }
        Some(match branch {
            TreeBranch::Node(node) => &self.nodes[*node as usize].guess,
            TreeBranch::Guess(code) => code,
        })
    }
}

/// Converts the serialised list of guesses into the nodes of a tree.
struct TreeBuilder<'a> {
    codes: &'a CodeTable,
    guesses: &'a [CodeIndex],
    /// Number of guesses of the list that were converted into nodes.
    at: usize,
    nodes: Vec<TreeNode>,
    codes_by_depth: Vec<u64>,
}

impl TreeBuilder<'_> {
    /// Adds the nodes of the subtree for these remaining codes after `depth` guesses, and returns
    /// the branch to it.
    fn node(&mut self, set: Vec<CodeIndex>, depth: usize) -> Result<TreeBranch, StrategyTreeError> {
        if set.len() == 1 && depth > 0 {
            self.count_code(depth);
            return Ok(TreeBranch::Guess(self.codes.code(set[0]).clone()));
        }
        let guess =
            *self.guesses.get(self.at).ok_or(StrategyTreeError::Length(self.guesses.len()))?;
        self.at += 1;
        if guess as usize >= self.codes.len() {
            return Err(StrategyTreeError::Unknown { at: self.at, guess, codes: self.codes.len() });
        }
        let classes = self.codes.split(guess, &set);
        if classes.len() == 1 && classes[0].0 != self.codes.solved() {
            return Err(StrategyTreeError::Idle { at: self.at });
        }
        let number = self.nodes.len();
        self.nodes.push(TreeNode { guess: self.codes.code(guess).clone(), branches: Vec::new() });
        drop(set);
        let mut branches = Vec::with_capacity(classes.len());
        for (feedback, class) in classes {
            if feedback == self.codes.solved() {
                self.count_code(depth);
            } else {
                branches.push((feedback, self.node(class, depth + 1)?));
            }
        }
        self.nodes[number].branches = branches;
        Ok(TreeBranch::Node(number as u32))
    }

    /// Counts a code that is found by guess number `depth + 1`.
    fn count_code(&mut self, depth: usize) {
        if self.codes_by_depth.len() <= depth {
            self.codes_by_depth.resize(depth + 1, 0);
        }
        self.codes_by_depth[depth] += 1;
    }
}

/// Function that chooses the next guess from the remaining codes and the guesses so far.
type ChooseGuess<'a> = &'a (dyn Fn(&[CodeIndex], &[CodeIndex]) -> CodeIndex + Sync);

/// Lists, in depth-first order, the guesses of the tree whose guesses are chosen by `choose`.
///
/// The branches of the first guess are distributed over threads, the largest first; the result does
/// not depend on their number.
fn choose_guesses(
    codes: &CodeTable,
    options: TreeBuildOptions<'_>,
    choose: ChooseGuess<'_>,
) -> Vec<CodeIndex> {
    let all = codes.indices();
    let first = choose(&all, &[]);
    let classes: Vec<Vec<CodeIndex>> = classes(codes, first, &all).collect();
    let branches: Vec<Mutex<Vec<CodeIndex>>> = classes.iter().map(|_| Mutex::default()).collect();
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(classes[class].len()));
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let on_codes = |found: u64| {
        let done = found + done.fetch_add(found, Ordering::Relaxed);
        (options.on_progress)(done, all.len() as u64);
    };
    let work = |_| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&at) = order.get(at) else { return };
            let mut writer = GuessWriter { codes, choose, on_codes: &on_codes, guesses: vec![] };
            writer.write(&classes[at], &mut vec![first]);
            *branches[at].lock().expect("no thread panics") = writer.guesses;
        }
    };
    with_helpers(options.threads.saturating_sub(1), &work, &mut |_| work(0));
    let guesses = branches.into_iter().map(|b| b.into_inner().expect("no thread panicked"));
    std::iter::once(first).chain(guesses.flatten()).collect()
}

/// Returns the remaining codes after each possible feedback to a guess that does not end the game.
fn classes(
    codes: &CodeTable,
    guess: CodeIndex,
    set: &[CodeIndex],
) -> impl Iterator<Item = Vec<CodeIndex>> + use<> {
    let solved = codes.solved();
    let classes = codes.split(guess, set).into_iter();
    classes.filter(move |(feedback, _)| *feedback != solved).map(|(_, class)| class)
}

/// Lists the guesses of subtrees in depth-first order.
struct GuessWriter<'a> {
    codes: &'a CodeTable,
    choose: ChooseGuess<'a>,
    /// Called with numbers of codes whose guesses are listed.
    on_codes: &'a (dyn Fn(u64) + Sync),
    guesses: Vec<CodeIndex>,
}

impl GuessWriter<'_> {
    /// Appends the guesses of the subtree for these remaining codes; `path` holds the guesses above.
    fn write(&mut self, set: &[CodeIndex], path: &mut Vec<CodeIndex>) {
        if set.len() == 1 {
            return (self.on_codes)(1);
        }
        let guess = (self.choose)(set, path);
        self.guesses.push(guess);
        path.push(guess);
        let mut left = set.len();
        for class in classes(self.codes, guess, set) {
            assert!(class.len() < set.len(), "a guess distinguishes codes");
            left -= class.len();
            self.write(&class, path);
        }
        (self.on_codes)(left as u64);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::exhaustive;
    use super::super::score::GuessCriterion;
    use super::*;

    fn codes(pegs: usize, colours: usize, repeats: bool) -> CodeTable {
        CodeTable::new(&Mastermind::new(pegs, colours, repeats).unwrap()).unwrap()
    }

    #[test]
    fn strategies_need_the_published_numbers_of_guesses() {
        let scores = [
            GuessCriterion::Minimax,
            GuessCriterion::Size,
            GuessCriterion::Entropy,
            GuessCriterion::Parts,
        ];
        for (codes, totals) in [
            (codes(4, 6, true), [5801, 5696, 5722, 5668]),
            (codes(4, 10, false), [27139, 26551, 26424, 26751]),
        ] {
            let trees = scores
                .map(|score| exhaustive::tree(&codes, score, TreeBuildOptions::with_threads(2)));
            assert_eq!(trees.each_ref().map(StrategyTree::total_guesses), totals);
            let found = |tree: &StrategyTree| tree.codes_by_depth().iter().sum::<u64>();
            assert_eq!(trees.each_ref().map(found), [codes.len() as u64; 4]);
            assert!(codes.len() == 5040 || trees[0].max_guesses() == 5, "Knuth never needs six");
        }
    }

    #[test]
    fn trees_survive_serialisation_and_invalid_ones_are_refused() {
        let codes = codes(3, 4, true);
        let tree =
            exhaustive::tree(&codes, GuessCriterion::Entropy, TreeBuildOptions::with_threads(1));
        let text = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<StrategyTree>(&text).unwrap(), tree);
        let guesses = tree.guesses.clone();
        let refused = |change: &dyn Fn(&mut Vec<CodeIndex>)| {
            let mut guesses = guesses.clone();
            change(&mut guesses);
            StrategyTree::new(&codes, guesses).unwrap_err()
        };
        let all = guesses.len();
        assert_eq!(refused(&|g| g.push(0)), StrategyTreeError::Length(all + 1));
        assert_eq!(refused(&|g| g.truncate(all - 1)), StrategyTreeError::Length(all - 1));
        assert_eq!(
            refused(&|g| g[0] = 64),
            StrategyTreeError::Unknown { at: 1, guess: 64, codes: 64 }
        );
        assert_eq!(refused(&|g| g[1] = g[0]), StrategyTreeError::Idle { at: 2 });
        let wrong = text.replace("\"colours\":4", "\"colours\":400");
        assert!(
            serde_json::from_str::<StrategyTree>(&wrong).unwrap_err().to_string().contains("400")
        );
    }
}
