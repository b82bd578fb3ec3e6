//! Breakers that look at every code: by a score, by a whole tree, or any code that fits.

use std::collections::HashMap;

use super::super::{Code, Mastermind};
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};
use super::score::{GuessScore, GuessScorer};
use super::symmetry::CodeSymmetry;
use super::tree::StrategyTree;
use super::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use crate::random::Rng;

/// How a code is chosen.
enum GuessRule {
    Judged(GuessScorer),
    /// The tree while its guesses are asked, the score beyond it.
    Planned(StrategyTree, GuessScorer),
    First,
    Random(Rng),
}

/// A breaker with the list of all codes.
pub struct ListBreaker {
    codes: CodeTable,
    manner: GuessRule,
    /// Guesses early in the game, which take longest and come again.
    early: HashMap<Vec<GuessAndFeedback>, Code>,
}

/// Histories up to this length are remembered.
const EARLY: usize = 2;

impl ListBreaker {
    fn new(rules: &Mastermind, manner: GuessRule) -> Result<Self, TooManyCodesError> {
        Ok(ListBreaker { codes: CodeTable::list(rules)?, manner, early: HashMap::new() })
    }

    /// Guesses what scores best.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn judged(rules: &Mastermind, score: GuessScore) -> Result<Self, TooManyCodesError> {
        let codes = CodeTable::list(rules)?;
        let manner = GuessRule::Judged(GuessScorer::new(score, codes.len()));
        Ok(ListBreaker { codes, manner, early: HashMap::new() })
    }

    /// Guesses as the tree does; after other questions than its own, what tells most.
    #[must_use]
    pub fn planned(tree: StrategyTree) -> Self {
        let codes = CodeTable::list(tree.rules()).expect("a tree has codes that can be listed");
        let manner = GuessRule::Planned(tree, GuessScorer::new(GuessScore::Entropy, codes.len()));
        ListBreaker { codes, manner, early: HashMap::new() }
    }

    /// Guesses the smallest code that fits.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn first(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        ListBreaker::new(rules, GuessRule::First)
    }

    /// Guesses any code that fits, each as likely.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn random(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        ListBreaker::new(rules, GuessRule::Random(Rng::new(0)))
    }

    /// What this breaker guesses when `set` is left.
    fn choose(&mut self, set: &[CodeIndex], asked: &[GuessAndFeedback]) -> CodeIndex {
        match &mut self.manner {
            GuessRule::First => set[0],
            GuessRule::Random(rng) => set[rng.below(set.len())],
            GuessRule::Judged(judge) | GuessRule::Planned(_, judge) => {
                let symmetry = symmetry(self.codes.rules(), asked.iter().map(|(guess, _)| guess));
                judge.best(&self.codes, set, &symmetry)
            }
        }
    }
}

impl CodeBreaker for ListBreaker {
    fn begin(&mut self, seed: u64) {
        if let GuessRule::Random(rng) = &mut self.manner {
            *rng = Rng::new(seed);
        }
    }

    fn guess(&mut self, asked: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError> {
        if let GuessRule::Planned(tree, _) = &self.manner
            && let Some(guess) = tree.guess(asked)
        {
            return Ok(guess.clone());
        }
        if let Some(guess) = self.early.get(asked) {
            return Ok(guess.clone());
        }
        let set = self.codes.fitting(asked);
        if set.is_empty() {
            return Err(NoCodeLeftError);
        }
        let number = self.choose(&set, asked);
        let guess = self.codes.code(number).clone();
        if asked.len() <= EARLY && !matches!(self.manner, GuessRule::Random(_)) {
            self.early.insert(asked.to_vec(), guess.clone());
        }
        Ok(guess)
    }
}

/// What is left of the symmetry of the riddle after these guesses.
fn symmetry<'a>(rules: &Mastermind, guesses: impl Iterator<Item = &'a Code>) -> CodeSymmetry {
    guesses.fold(CodeSymmetry::of(rules), |symmetry, guess| symmetry.asked(guess))
}

/// The whole tree of a score.
#[must_use]
pub fn tree(codes: &CodeTable, score: GuessScore, threads: usize) -> StrategyTree {
    let judge = GuessScorer::new(score, codes.len());
    StrategyTree::grow(codes, threads, |set, path| {
        let symmetry = symmetry(codes.rules(), path.iter().map(|&guess| codes.code(guess)));
        judge.best(codes, set, &symmetry)
    })
}

/// A guess that can be asked next.
#[derive(Clone, PartialEq, Debug)]
pub struct GuessHint {
    /// The guess.
    pub guess: Code,
    /// The information that its answer is expected to bring.
    pub bits: f64,
    /// Whether it can be the code itself.
    pub possible: bool,
}

/// What a guess is expected to tell when `set` is left.
#[must_use]
pub fn hint(codes: &CodeTable, guess: CodeIndex, set: &[CodeIndex]) -> GuessHint {
    let mut sizes = [0; 256];
    codes.count(guess, set, &mut sizes);
    let sizes = &sizes[..codes.kinds()];
    let all = set.len() as f64;
    let surprise = |size: f64| size / all * (all / size).log2();
    let bits = sizes.iter().filter(|&&size| size > 0).map(|&size| surprise(size.into())).sum();
    let possible = sizes[usize::from(codes.solved())] > 0;
    GuessHint { guess: codes.code(guess).clone(), bits, possible }
}

/// The guesses that tell most after these questions, when `set` is left; no two of them are the
/// same but for colours and places that nothing distinguishes.
#[must_use]
pub fn hints(
    codes: &CodeTable,
    set: &[CodeIndex],
    asked: &[GuessAndFeedback],
    most: usize,
) -> Vec<GuessHint> {
    let symmetry = symmetry(codes.rules(), asked.iter().map(|(guess, _)| guess));
    let judge = GuessScorer::new(GuessScore::Entropy, codes.len());
    let ranked = judge.ranked(codes, set, &symmetry, most);
    ranked.into_iter().map(|guess| hint(codes, guess, set)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::strategy::{STRATEGIES, strategy};
    use super::*;
    use crate::riddle::Riddle;

    /// The guesses that a breaker takes for each code.
    fn games(rules: &Mastermind, breaker: &mut dyn CodeBreaker, seed: u64) -> Vec<usize> {
        let game = |secret: Code| {
            breaker.begin(seed);
            let mut asked: Vec<GuessAndFeedback> = Vec::new();
            while asked.last().is_none_or(|(_, answer)| !rules.solved(*answer)) {
                let guess = breaker.guess(&asked).unwrap();
                let answer = rules.answer(&secret, &guess);
                asked.push((guess, answer));
            }
            asked.len()
        };
        rules.codes().map(game).collect()
    }

    #[test]
    fn playing_every_code_takes_what_the_tree_says() {
        for rules in [Mastermind::new(3, 4, true), Mastermind::new(3, 5, false)] {
            let rules = rules.unwrap();
            for strategy in STRATEGIES {
                let Some(tree) = strategy.tree else { continue };
                let tree = tree(&rules, 2).unwrap();
                let games = games(&rules, &mut *(strategy.build)(&rules).unwrap(), 1);
                assert_eq!(games.iter().sum::<usize>() as u64, tree.total(), "{}", strategy.name);
                assert_eq!(games.iter().max(), Some(&tree.worst()), "{}", strategy.name);
            }
        }
    }

    #[test]
    fn random_codes_follow_from_the_seed() {
        let rules = Mastermind::new(4, 4, true).unwrap();
        let mut random = ListBreaker::random(&rules).unwrap();
        let once = games(&rules, &mut random, 1);
        assert_eq!(games(&rules, &mut random, 1), once);
        assert_ne!(games(&rules, &mut random, 2), once);
    }

    #[test]
    fn first_guesses_tell_the_published_bits() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes = CodeTable::list(&rules).unwrap();
        let hints = hints(&codes, &codes.numbers(), &[], 9);
        let told: Vec<_> = hints
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
        assert_eq!(told, expected);
    }

    #[test]
    fn a_planned_breaker_goes_on_after_a_question_of_another() {
        let rules = Mastermind::new(4, 4, true).unwrap();
        let mut breaker = (strategy("auto", &rules).unwrap().build)(&rules).unwrap();
        let own = breaker.guess(&[]).unwrap();
        let other = vec![3, 3, 3, 3];
        assert_ne!(own, other);
        let answer = rules.answer(&vec![0, 1, 2, 3], &other);
        let next = breaker.guess(&[(other.clone(), answer)]).unwrap();
        assert_ne!(next, other);
        let none = [(other.clone(), answer), (other, rules.read_answer("4b").unwrap())];
        assert_eq!(breaker.guess(&none), Err(NoCodeLeftError));
    }

    #[test]
    fn strategies_that_do_not_exist_or_do_not_fit_are_refused() {
        let sizes = |pegs, colours| Mastermind::new(pegs, colours, true).unwrap();
        let refused = |name: &str, rules: &Mastermind| {
            let built = strategy(name, rules).and_then(|strategy| (strategy.build)(rules));
            built.err().expect("a refusal").to_string()
        };
        let unknown = refused("entropie", &sizes(4, 6));
        assert!(unknown.starts_with("no strategy is called \"entropie\", did you mean entropy?; "));
        let large = refused("entropy", &sizes(10, 10));
        assert!(large.starts_with("10 pegs of 10 colours make too many codes"), "{large}");
        assert_eq!(strategy("auto", &sizes(4, 6)).unwrap().name, "optimal");
        assert_eq!(strategy("auto", &sizes(5, 8)).unwrap().name, "entropy");
    }
}
