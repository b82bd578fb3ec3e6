//! Breakers that look at every code: by a score, by a whole tree, or any code that fits.

use std::collections::HashMap;

use super::super::{Code, Mastermind};
use super::codes::{Codes, Number, TooMany};
use super::score::{Judge, Score};
use super::symmetry::Symmetry;
use super::tree::Tree;
use super::{Asked, Breaker, NoCodeLeft};
use crate::random::Rng;

/// How a code is chosen.
enum Manner {
    Judged(Judge),
    /// The tree while its guesses are asked, the score beyond it.
    Planned(Tree, Judge),
    First,
    Random(Rng),
}

/// A breaker with the list of all codes.
pub struct Listed {
    codes: Codes,
    manner: Manner,
    /// Guesses early in the game, which take longest and come again.
    early: HashMap<Vec<Asked>, Code>,
}

/// Histories up to this length are remembered.
const EARLY: usize = 2;

impl Listed {
    fn new(rules: &Mastermind, manner: Manner) -> Result<Self, TooMany> {
        Ok(Listed { codes: Codes::list(rules)?, manner, early: HashMap::new() })
    }

    /// Guesses what scores best.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn judged(rules: &Mastermind, score: Score) -> Result<Self, TooMany> {
        let codes = Codes::list(rules)?;
        let manner = Manner::Judged(Judge::new(score, codes.len()));
        Ok(Listed { codes, manner, early: HashMap::new() })
    }

    /// Guesses as the tree does; after other questions than its own, what tells most.
    #[must_use]
    pub fn planned(tree: Tree) -> Self {
        let codes = Codes::list(tree.rules()).expect("a tree has codes that can be listed");
        let manner = Manner::Planned(tree, Judge::new(Score::Entropy, codes.len()));
        Listed { codes, manner, early: HashMap::new() }
    }

    /// Guesses the smallest code that fits.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn first(rules: &Mastermind) -> Result<Self, TooMany> {
        Listed::new(rules, Manner::First)
    }

    /// Guesses any code that fits, each as likely.
    ///
    /// # Errors
    /// When there are too many codes.
    pub fn random(rules: &Mastermind) -> Result<Self, TooMany> {
        Listed::new(rules, Manner::Random(Rng::new(0)))
    }

    /// What this breaker guesses when `set` is left.
    fn choose(&mut self, set: &[Number], asked: &[Asked]) -> Number {
        match &mut self.manner {
            Manner::First => set[0],
            Manner::Random(rng) => set[rng.below(set.len())],
            Manner::Judged(judge) | Manner::Planned(_, judge) => {
                let symmetry = symmetry(self.codes.rules(), asked.iter().map(|(guess, _)| guess));
                judge.best(&self.codes, set, &symmetry)
            }
        }
    }
}

impl Breaker for Listed {
    fn begin(&mut self, seed: u64) {
        if let Manner::Random(rng) = &mut self.manner {
            *rng = Rng::new(seed);
        }
    }

    fn guess(&mut self, asked: &[Asked]) -> Result<Code, NoCodeLeft> {
        if let Manner::Planned(tree, _) = &self.manner
            && let Some(guess) = tree.guess(asked)
        {
            return Ok(guess.clone());
        }
        if let Some(guess) = self.early.get(asked) {
            return Ok(guess.clone());
        }
        let set = self.codes.fitting(asked);
        if set.is_empty() {
            return Err(NoCodeLeft);
        }
        let number = self.choose(&set, asked);
        let guess = self.codes.code(number).clone();
        if asked.len() <= EARLY && !matches!(self.manner, Manner::Random(_)) {
            self.early.insert(asked.to_vec(), guess.clone());
        }
        Ok(guess)
    }
}

/// What is left of the symmetry of the riddle after these guesses.
fn symmetry<'a>(rules: &Mastermind, guesses: impl Iterator<Item = &'a Code>) -> Symmetry {
    guesses.fold(Symmetry::of(rules), |symmetry, guess| symmetry.asked(guess))
}

/// The whole tree of a score.
#[must_use]
pub fn tree(codes: &Codes, score: Score, threads: usize) -> Tree {
    let judge = Judge::new(score, codes.len());
    Tree::grow(codes, threads, |set, path| {
        let symmetry = symmetry(codes.rules(), path.iter().map(|&guess| codes.code(guess)));
        judge.best(codes, set, &symmetry)
    })
}

/// A guess that can be asked next.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The guess.
    pub guess: Code,
    /// The information that its answer is expected to bring.
    pub bits: f64,
    /// Whether it can be the code itself.
    pub possible: bool,
}

/// What a guess is expected to tell when `set` is left.
#[must_use]
pub fn hint(codes: &Codes, guess: Number, set: &[Number]) -> Hint {
    let mut sizes = [0; 256];
    codes.count(guess, set, &mut sizes);
    let sizes = &sizes[..codes.kinds()];
    let all = set.len() as f64;
    let surprise = |size: f64| size / all * (all / size).log2();
    let bits = sizes.iter().filter(|&&size| size > 0).map(|&size| surprise(size.into())).sum();
    let possible = sizes[usize::from(codes.solved())] > 0;
    Hint { guess: codes.code(guess).clone(), bits, possible }
}

/// The guesses that tell most after these questions, when `set` is left; no two of them are the
/// same but for colours and places that nothing distinguishes.
#[must_use]
pub fn hints(codes: &Codes, set: &[Number], asked: &[Asked], most: usize) -> Vec<Hint> {
    let symmetry = symmetry(codes.rules(), asked.iter().map(|(guess, _)| guess));
    let judge = Judge::new(Score::Entropy, codes.len());
    let ranked = judge.ranked(codes, set, &symmetry, most);
    ranked.into_iter().map(|guess| hint(codes, guess, set)).collect()
}
