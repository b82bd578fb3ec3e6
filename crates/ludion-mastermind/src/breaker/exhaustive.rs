//! Code breakers that examine every code. They choose the guess with the best score, follow a
//! complete strategy tree, or choose any consistent code.

use std::collections::HashMap;

use super::super::{Code, Mastermind};
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};
use super::score::{GuessCriterion, GuessScorer};
use super::symmetry::CodeSymmetry;
use super::tree::{StrategyTree, TreeBuildOptions};
use super::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use ludion_core::random::Rng;

/// Rule by which an exhaustive breaker chooses its next guess.
enum GuessRule {
    /// The guess with the best score.
    Scored(GuessScorer),
    /// The guess of the strategy tree while the history follows the tree, then the guess with the
    /// best score.
    Tree(StrategyTree, GuessScorer),
    /// The first consistent code in ascending order.
    First,
    /// A random consistent code.
    Random(Rng),
}

/// A code breaker that works on the list of all codes.
pub struct ExhaustiveBreaker {
    codes: CodeTable,
    rule: GuessRule,
    /// Guesses by history, for short histories, whose guesses take longest and recur in every game.
    cache: HashMap<Vec<GuessAndFeedback>, Code>,
}

/// Maximum number of past guesses in a history whose next guess is cached.
const MAX_CACHED_GUESSES: usize = 2;

impl ExhaustiveBreaker {
    fn new(rules: &Mastermind, rule: GuessRule) -> Result<Self, TooManyCodesError> {
        Ok(ExhaustiveBreaker { codes: CodeTable::new(rules)?, rule, cache: HashMap::new() })
    }

    /// Creates a breaker that always makes the guess with the best score.
    ///
    /// # Errors
    /// Returns an error if there are too many codes to list.
    pub fn by_score(rules: &Mastermind, score: GuessCriterion) -> Result<Self, TooManyCodesError> {
        let codes = CodeTable::new(rules)?;
        let rule = GuessRule::Scored(GuessScorer::new(score, codes.len()));
        Ok(ExhaustiveBreaker { codes, rule, cache: HashMap::new() })
    }

    /// Creates a breaker that follows a strategy tree; after guesses that are not in the tree, it
    /// makes the guess with the largest entropy.
    #[must_use]
    pub fn from_tree(tree: StrategyTree) -> Self {
        let codes = CodeTable::new(tree.rules()).expect("a tree has codes that can be listed");
        let rule = GuessRule::Tree(tree, GuessScorer::new(GuessCriterion::Entropy, codes.len()));
        ExhaustiveBreaker { codes, rule, cache: HashMap::new() }
    }

    /// Creates a breaker that always guesses the first consistent code in ascending order.
    ///
    /// # Errors
    /// Returns an error if there are too many codes to list.
    pub fn first_consistent(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        ExhaustiveBreaker::new(rules, GuessRule::First)
    }

    /// Creates a breaker that guesses a uniformly random consistent code.
    ///
    /// # Errors
    /// Returns an error if there are too many codes to list.
    pub fn random_consistent(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        ExhaustiveBreaker::new(rules, GuessRule::Random(Rng::new(0)))
    }

    /// Chooses the next guess by the breaker's rule; `set` lists the codes that are consistent with
    /// `history`.
    fn choose(&mut self, set: &[CodeIndex], history: &[GuessAndFeedback]) -> CodeIndex {
        match &mut self.rule {
            GuessRule::First => set[0],
            GuessRule::Random(rng) => set[rng.below(set.len())],
            GuessRule::Scored(scorer) | GuessRule::Tree(_, scorer) => {
                let symmetry = symmetry(self.codes.rules(), history.iter().map(|(guess, _)| guess));
                scorer.best(&self.codes, set, &symmetry)
            }
        }
    }
}

impl CodeBreaker for ExhaustiveBreaker {
    fn begin(&mut self, seed: u64) {
        if let GuessRule::Random(rng) = &mut self.rule {
            *rng = Rng::new(seed);
        }
    }

    fn guess(&mut self, history: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError> {
        if let GuessRule::Tree(tree, _) = &self.rule
            && let Some(guess) = tree.guess(history)
        {
            return Ok(guess.clone());
        }
        if let Some(guess) = self.cache.get(history) {
            return Ok(guess.clone());
        }
        let set = self.codes.consistent(history);
        if set.is_empty() {
            return Err(NoCodeLeftError);
        }
        let number = self.choose(&set, history);
        let guess = self.codes.code(number).clone();
        if history.len() <= MAX_CACHED_GUESSES && !matches!(self.rule, GuessRule::Random(_)) {
            self.cache.insert(history.to_vec(), guess.clone());
        }
        Ok(guess)
    }
}

/// Returns the permutations of places and colours that leave all these guesses unchanged.
pub(super) fn symmetry<'a>(
    rules: &Mastermind,
    guesses: impl Iterator<Item = &'a Code>,
) -> CodeSymmetry {
    guesses.fold(CodeSymmetry::new(rules), |symmetry, guess| symmetry.after_guess(guess))
}

/// Builds the strategy tree that always makes the guess with the best score.
#[must_use]
pub fn tree(
    codes: &CodeTable,
    score: GuessCriterion,
    options: TreeBuildOptions<'_>,
) -> StrategyTree {
    let scorer = GuessScorer::new(score, codes.len());
    StrategyTree::build(codes, options, |set, path| {
        let symmetry = symmetry(codes.rules(), path.iter().map(|&guess| codes.code(guess)));
        scorer.best(codes, set, &symmetry)
    })
}

/// A suggested guess with its expected information.
#[derive(Clone, PartialEq, Debug)]
pub struct GuessHint {
    /// The code to guess.
    pub guess: Code,
    /// Expected information of the feedback, in bits.
    pub bits: f64,
    /// Whether the guess is a consistent code, which can be the secret.
    pub possible: bool,
}

/// Computes the expected information of a guess if `set` lists the codes that can be the secret.
#[must_use]
pub fn hint(codes: &CodeTable, guess: CodeIndex, set: &[CodeIndex]) -> GuessHint {
    let mut sizes = [0; 256];
    codes.count(guess, set, &mut sizes);
    let sizes = &sizes[..codes.feedback_count()];
    let all = set.len() as f64;
    let surprise = |size: f64| size / all * (all / size).log2();
    let bits = sizes.iter().filter(|&&size| size > 0).map(|&size| surprise(size.into())).sum();
    let possible = sizes[usize::from(codes.solved())] > 0;
    GuessHint { guess: codes.code(guess).clone(), bits, possible }
}

/// Returns the most informative guesses after this history, at most `max`, if `set` lists the codes
/// that can be the secret; no two of the guesses are equivalent under the remaining symmetry.
#[must_use]
pub fn hints(
    codes: &CodeTable,
    set: &[CodeIndex],
    history: &[GuessAndFeedback],
    max: usize,
) -> Vec<GuessHint> {
    let symmetry = symmetry(codes.rules(), history.iter().map(|(guess, _)| guess));
    let scorer = GuessScorer::new(GuessCriterion::Entropy, codes.len());
    let ranked = scorer.ranked(codes, set, &symmetry, max);
    ranked.into_iter().map(|guess| hint(codes, guess, set)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::strategy::{STRATEGIES, strategy};
    use super::*;
    use ludion_core::riddle::Riddle;

    /// Returns the number of guesses that a breaker needs for each code as the secret.
    fn games(rules: &Mastermind, breaker: &mut dyn CodeBreaker, seed: u64) -> Vec<usize> {
        let game = |secret: Code| {
            breaker.begin(seed);
            let mut history: Vec<GuessAndFeedback> = Vec::new();
            while history.last().is_none_or(|(_, feedback)| !rules.solved(*feedback)) {
                let guess = breaker.guess(&history).unwrap();
                let feedback = rules.answer(&secret, &guess);
                history.push((guess, feedback));
            }
            history.len()
        };
        rules.codes().map(game).collect()
    }

    #[test]
    fn playing_every_code_takes_the_guesses_of_the_tree() {
        for rules in [Mastermind::new(3, 4, true), Mastermind::new(3, 5, false)] {
            let rules = rules.unwrap();
            for strategy in STRATEGIES {
                let Some(tree) = strategy.tree else { continue };
                let options = TreeBuildOptions { seed: 1, ..TreeBuildOptions::with_threads(2) };
                let tree = tree(&rules, options).unwrap();
                let games = games(&rules, &mut *(strategy.build)(&rules).unwrap(), 1);
                assert_eq!(
                    games.iter().sum::<usize>() as u64,
                    tree.total_guesses(),
                    "{}",
                    strategy.name
                );
                assert_eq!(games.iter().max(), Some(&tree.max_guesses()), "{}", strategy.name);
            }
        }
    }

    #[test]
    fn random_guesses_follow_from_the_seed() {
        let rules = Mastermind::new(4, 4, true).unwrap();
        let mut random = ExhaustiveBreaker::random_consistent(&rules).unwrap();
        let once = games(&rules, &mut random, 1);
        assert_eq!(games(&rules, &mut random, 1), once);
        assert_ne!(games(&rules, &mut random, 2), once);
    }

    #[test]
    fn first_guesses_have_the_published_entropies() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes = CodeTable::new(&rules).unwrap();
        let hints = hints(&codes, &codes.indices(), &[], 9);
        let entropies: Vec<_> = hints
            .iter()
            .map(|hint| (rules.show_code(&hint.guess), format!("{:.3}", hint.bits)))
            .collect();
        let expected = [
            ("1234", "3.057"),
            ("1123", "3.044"),
            ("1122", "2.885"),
            ("1112", "2.693"),
            ("1111", "1.498"),
        ];
        let expected = expected.map(|(guess, bits)| (guess.to_owned(), bits.to_owned()));
        assert_eq!(entropies, expected);
    }

    #[test]
    fn a_breaker_with_a_tree_continues_after_a_foreign_guess() {
        let rules = Mastermind::new(4, 4, true).unwrap();
        let mut breaker = (strategy("auto", &rules).unwrap().build)(&rules).unwrap();
        let own = breaker.guess(&[]).unwrap();
        let other = vec![3, 3, 3, 3];
        assert_ne!(own, other);
        let feedback = rules.answer(&vec![0, 1, 2, 3], &other);
        let next = breaker.guess(&[(other.clone(), feedback)]).unwrap();
        assert_ne!(next, other);
        let none = [(other.clone(), feedback), (other, rules.read_answer("4b").unwrap())];
        assert_eq!(breaker.guess(&none), Err(NoCodeLeftError));
    }

    #[test]
    fn unknown_strategies_and_large_rules_are_refused() {
        let sizes = |pegs, colours| Mastermind::new(pegs, colours, true).unwrap();
        let refused = |name: &str, rules: &Mastermind| {
            let built = strategy(name, rules).and_then(|strategy| (strategy.build)(rules));
            built.err().expect("a refusal").to_string()
        };
        let unknown = refused("entropie", &sizes(4, 6));
        assert!(unknown.starts_with("no strategy is called \"entropie\", did you mean entropy?; "));
        let large = refused("entropy", &sizes(10, 10));
        assert!(
            large.starts_with("10 pegs of 10 colours make 10000000000, too many codes"),
            "{large}"
        );
        assert_eq!(strategy("auto", &sizes(4, 6)).unwrap().name, "optimal");
        assert_eq!(strategy("auto", &sizes(5, 8)).unwrap().name, "entropy");
    }
}
