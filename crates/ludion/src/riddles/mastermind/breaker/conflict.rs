//! Answers that contradict each other: whether any code fits them, and if none does, which of
//! them exclude every code.
//!
//! Where codes can be listed, each code contradicts some of the answers; a conflicting set is one
//! that has an answer contradicted by every code, and a smallest one is a smallest hitting set.
//! Where they cannot, codes are tried peg by peg as far as patience goes: first for every answer
//! and every two of them, then for all, of which some are left out while the rest is still seen to
//! conflict.

use super::super::{Code, Mastermind};
use super::GuessAndFeedback;
use super::codes::CodeTable;

/// What questions and answers come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Consistency {
    /// This code fits all, perhaps not alone.
    Fits(Code),
    /// No code fits these, numbered from 0.
    Conflict {
        /// Which questions.
        questions: Vec<usize>,
        /// Whether it is proven that without any one of them the others can be right; else that
        /// no code fits these, no more.
        smallest: bool,
    },
    /// The codes are too many to say.
    Undecided,
}

/// Says whether a code fits all answers, and which answers exclude each other if none does.
#[must_use]
pub fn judge(rules: &Mastermind, asked: &[GuessAndFeedback]) -> Consistency {
    match CodeTable::list(rules) {
        Ok(codes) if asked.len() <= u128::BITS as usize => judge_listed(&codes, asked),
        _ => judge_unlisted(rules, asked),
    }
}

/// Two questions with the same guess and different answers: seen at once at any size.
#[must_use]
pub fn twice(asked: &[GuessAndFeedback]) -> Option<[usize; 2]> {
    let mut pairs = (0..asked.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
    pairs.find(|&[i, j]| asked[i].0 == asked[j].0 && asked[i].1 != asked[j].1)
}

/// [`judge`] with the list of codes at hand and at most 128 questions.
///
/// # Panics
/// When there are more questions.
#[must_use]
pub fn judge_listed(codes: &CodeTable, asked: &[GuessAndFeedback]) -> Consistency {
    assert!(asked.len() <= u128::BITS as usize, "at most 128 questions");
    let pegs = codes.rules().pegs;
    let all = codes.numbers();
    let mut against = vec![0_u128; all.len()];
    for (i, (guess, answer)) in asked.iter().enumerate() {
        let guess = codes.number(guess).expect("a guess is a code of the riddle");
        codes.each_answer(guess, &all, |code, given| {
            let contradicts = usize::from(given) != answer.index(pegs);
            against[code as usize] |= u128::from(contradicts) << i;
        });
    }
    if let Some(code) = against.iter().position(|&against| against == 0) {
        return Consistency::Fits(codes.code(code as u32).clone());
    }
    against.sort_unstable_by_key(|against| (against.count_ones(), *against));
    against.dedup();
    // What holds a smaller set is hit wherever that is.
    let mut sets: Vec<u128> = Vec::new();
    for set in against {
        if sets.iter().all(|&smaller| smaller & !set != 0) {
            sets.push(set);
        }
    }
    let hitting = (1..=asked.len() as u32).find_map(|most| hit(&sets, 0, most));
    let hitting = hitting.expect("all questions together hit every set");
    let questions = (0..asked.len()).filter(|i| hitting >> i & 1 == 1).collect();
    Consistency::Conflict { questions, smallest: true }
}

/// A set of at most `most` questions beside `chosen` that hits every set.
fn hit(sets: &[u128], chosen: u128, most: u32) -> Option<u128> {
    let Some(&missed) = sets.iter().find(|&&set| set & chosen == 0) else { return Some(chosen) };
    if most == 0 {
        return None;
    }
    let questions = (0..u128::BITS).filter(|i| missed >> i & 1 == 1);
    questions.map(|i| chosen | 1 << i).find_map(|chosen| hit(sets, chosen, most - 1))
}

/// Places that are filled before a search gives up.
const PATIENCE: u64 = 1_000_000;
/// Places that are filled for one answer or two, of which there are many.
const PATIENCE_FOR_TWO: u64 = 20_000;

fn judge_unlisted(rules: &Mastermind, asked: &[GuessAndFeedback]) -> Consistency {
    if let Some(two) = twice(asked) {
        return judge_alone(rules, asked, &two);
    }
    let all: Vec<usize> = (0..asked.len()).collect();
    match PartialCode::of(rules, asked, &all, PATIENCE) {
        SearchEnd::Code(code) => return Consistency::Fits(code),
        SearchEnd::Nothing => {}
        SearchEnd::TooLong => return judge_two(rules, asked).unwrap_or(Consistency::Undecided),
    }
    if let Some(verdict) = judge_two(rules, asked) {
        return verdict;
    }
    // What is kept because the others fit is needed also when more of the others are left out.
    let (mut questions, mut smallest) = (all.clone(), true);
    for question in all.into_iter().rev() {
        let fewer: Vec<usize> = questions.iter().copied().filter(|&q| q != question).collect();
        match PartialCode::of(rules, asked, &fewer, PATIENCE) {
            SearchEnd::Nothing => questions = fewer,
            SearchEnd::Code(_) => {}
            SearchEnd::TooLong => smallest = false,
        }
    }
    Consistency::Conflict { questions, smallest }
}

/// Two answers that exclude each other, or the one of them that no code fits.
fn judge_alone(rules: &Mastermind, asked: &[GuessAndFeedback], two: &[usize; 2]) -> Consistency {
    let alone = two.map(|question| PartialCode::of(rules, asked, &[question], PATIENCE_FOR_TWO));
    if let Some(one) = alone.iter().position(|found| matches!(found, SearchEnd::Nothing)) {
        return Consistency::Conflict { questions: vec![two[one]], smallest: true };
    }
    let smallest = alone.iter().all(|found| matches!(found, SearchEnd::Code(_)));
    Consistency::Conflict { questions: two.to_vec(), smallest }
}

/// The first answer that no code fits, or else the first two.
fn judge_two(rules: &Mastermind, asked: &[GuessAndFeedback]) -> Option<Consistency> {
    let alone: Vec<SearchEnd> =
        (0..asked.len()).map(|i| PartialCode::of(rules, asked, &[i], PATIENCE_FOR_TWO)).collect();
    if let Some(one) = alone.iter().position(|found| matches!(found, SearchEnd::Nothing)) {
        return Some(Consistency::Conflict { questions: vec![one], smallest: true });
    }
    let contrary = |i: usize, j: usize| {
        matches!(PartialCode::of(rules, asked, &[i, j], PATIENCE_FOR_TWO), SearchEnd::Nothing)
    };
    let mut pairs = (0..asked.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let (i, j) = pairs.find(|&(i, j)| contrary(i, j))?;
    let smallest = [i, j].iter().all(|&q| matches!(alone[q], SearchEnd::Code(_)));
    Some(Consistency::Conflict { questions: vec![i, j], smallest })
}

/// What came of trying codes.
enum SearchEnd {
    Code(Code),
    Nothing,
    TooLong,
}

/// A code that is put together peg by peg.
struct PartialCode<'a> {
    rules: &'a Mastermind,
    asked: Vec<&'a GuessAndFeedback>,
    code: Code,
    /// How often each colour is in it.
    amounts: Vec<u16>,
    /// How often each colour is in each guess.
    guessed: Vec<Vec<u16>>,
    /// Pegs of each guess in their place, and pegs in common, so far.
    counts: Vec<(u16, u16)>,
    patience: u64,
}

impl PartialCode<'_> {
    /// Tries codes for these of the questions.
    fn of(
        rules: &Mastermind,
        asked: &[GuessAndFeedback],
        questions: &[usize],
        patience: u64,
    ) -> SearchEnd {
        let asked: Vec<&GuessAndFeedback> =
            questions.iter().map(|&question| &asked[question]).collect();
        let amounts = |guess: &Code| {
            let mut amounts = vec![0; rules.colours];
            guess.iter().for_each(|&colour| amounts[usize::from(colour)] += 1);
            amounts
        };
        let mut trial = PartialCode {
            rules,
            code: Code::new(),
            amounts: vec![0; rules.colours],
            guessed: asked.iter().map(|(guess, _)| amounts(guess)).collect(),
            counts: vec![(0, 0); asked.len()],
            asked,
            patience,
        };
        match trial.fill() {
            Some(true) => SearchEnd::Code(trial.code),
            Some(false) => SearchEnd::Nothing,
            None => SearchEnd::TooLong,
        }
    }

    /// Fills the places left; `None` when patience ends.
    fn fill(&mut self) -> Option<bool> {
        if self.code.len() == self.rules.pegs {
            return Some(true);
        }
        for colour in 0..self.rules.colours as u16 {
            if !self.rules.repeats && self.amounts[usize::from(colour)] > 0 {
                continue;
            }
            self.patience = self.patience.checked_sub(1)?;
            let before = self.counts.clone();
            self.put(colour);
            if self.hopeful() && self.fill()? {
                return Some(true);
            }
            self.code.pop();
            self.amounts[usize::from(colour)] -= 1;
            self.counts = before;
        }
        Some(false)
    }

    fn put(&mut self, colour: u16) {
        let place = self.code.len();
        let amount = &mut self.amounts[usize::from(colour)];
        for (i, (guess, _)) in self.asked.iter().enumerate() {
            self.counts[i].0 += u16::from(guess[place] == colour);
            self.counts[i].1 += u16::from(*amount < self.guessed[i][usize::from(colour)]);
        }
        *amount += 1;
        self.code.push(colour);
    }

    /// Whether every answer can still be right.
    fn hopeful(&self) -> bool {
        let left = (self.rules.pegs - self.code.len()) as u16;
        let can = |count: u16, wanted: u16| count <= wanted && wanted <= count + left;
        self.asked.iter().zip(&self.counts).all(|((_, answer), &(black, common))| {
            can(black, answer.black) && can(common, answer.black + answer.white)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{PegFeedback, SecretPegCounter, WhitePegCounting};
    use super::*;
    use crate::random::Rng;
    use crate::riddle::Riddle;

    fn asked(rules: &Mastermind, texts: &[(&str, &str)]) -> Vec<GuessAndFeedback> {
        let read = |(guess, answer): &(&str, &str)| {
            (rules.read_code(guess).unwrap(), rules.read_answer(answer).unwrap())
        };
        texts.iter().map(read).collect()
    }

    #[test]
    fn a_smallest_conflict_is_as_small_as_trying_all_sets_finds() {
        let rules = Mastermind::new(3, 4, true).unwrap();
        let codes = CodeTable::list(&rules).unwrap();
        let mut rng = Rng::new(5);
        let mut conflicts = 0;
        for _ in 0..60 {
            // Answers of two secrets, so that most contradict each other.
            let secrets = [rules.draw_secret(&mut rng), rules.draw_secret(&mut rng)];
            let asked: Vec<GuessAndFeedback> = (0..7)
                .map(|_| {
                    let guess = rules.draw_secret(&mut rng);
                    let answer = rules.answer(&secrets[rng.below(2)], &guess);
                    (guess, answer)
                })
                .collect();
            let fits = |set: u32| {
                let chosen = (0..7).filter(|i| set >> i & 1 == 1);
                let chosen: Vec<GuessAndFeedback> = chosen.map(|i| asked[i].clone()).collect();
                !codes.fitting(&chosen).is_empty()
            };
            let least = (0..1_u32 << 7).filter(|&set| !fits(set)).map(u32::count_ones).min();
            let unlisted = judge_unlisted(&rules, &asked);
            match judge(&rules, &asked) {
                Consistency::Conflict { questions, smallest } => {
                    conflicts += 1;
                    assert!(smallest && !fits(questions.iter().map(|i| 1 << i).sum()));
                    assert_eq!(Some(questions.len() as u32), least);
                    let Consistency::Conflict { questions, smallest } = unlisted else {
                        panic!("{unlisted:?}")
                    };
                    let set: u32 = questions.iter().map(|i| 1 << i).sum();
                    assert!(smallest && !fits(set));
                    assert!(questions.iter().all(|i| fits(set & !(1 << i))), "{questions:?}");
                }
                Consistency::Fits(code) => {
                    assert!(
                        least.is_none()
                            && codes.fitting(&asked).contains(&codes.number(&code).unwrap())
                    );
                    assert!(matches!(unlisted, Consistency::Fits(_)));
                }
                Consistency::Undecided => panic!("the codes can be listed"),
            }
        }
        assert!(conflicts > 20, "{conflicts}");
    }

    #[test]
    fn contradictions_among_codes_that_cannot_be_listed_are_found_too() {
        let rules = Mastermind::new(12, 10, true).unwrap();
        let texts = [("111122223333", "3b0w"), ("444455556666", "2b2w"), ("111111111111", "13b")];
        let read = |(guess, answer): &(&str, &str)| {
            (rules.read_code(guess).unwrap(), PegFeedback::read(answer, 20).unwrap())
        };
        let asked: Vec<GuessAndFeedback> = texts.iter().map(read).collect();
        let verdict = judge(&rules, &asked);
        assert_eq!(verdict, Consistency::Conflict { questions: vec![2], smallest: true });
        let Consistency::Fits(code) = judge(&rules, &asked[..2]) else { panic!("two of them fit") };
        let keeper = SecretPegCounter::new(&code, 10, WhitePegCounting::Right);
        assert!(asked[..2].iter().all(|(guess, answer)| keeper.answer(guess) == *answer));
    }

    #[test]
    fn two_answers_that_exclude_each_other_are_found_where_all_codes_take_too_long() {
        let rules = Mastermind::new(10, 10, true).unwrap();
        let both = Consistency::Conflict { questions: vec![0, 1], smallest: true };
        let twice = asked(&rules, &[("1112223344", "2b3w"), ("1112223344", "3b2w")]);
        assert_eq!(judge(&rules, &twice), both);
        let apart = asked(&rules, &[("1234567890", "9b0w"), ("1111111111", "5b0w")]);
        assert_eq!(judge(&rules, &apart), both);
        let third = ("1231231234", "3b2w");
        let among = asked(&rules, &[third, ("1112223344", "2b3w"), ("1112223344", "3b2w")]);
        let last_two = Consistency::Conflict { questions: vec![1, 2], smallest: true };
        assert_eq!(judge(&rules, &among), last_two);
    }

    #[test]
    fn a_guess_with_two_answers_is_seen_at_any_size_with_the_one_that_cannot_be() {
        let rules = Mastermind::new(100, 100, true).unwrap();
        let answer = |black, white| PegFeedback { black, white };
        let guess: Code = (0..100).collect();
        let asked = [(guess.clone(), answer(2, 60)), (guess, answer(3, 60))];
        assert_eq!((twice(&asked), twice(&asked[..1])), (Some([0, 1]), None));
        let verdict = judge(&rules, &asked);
        assert!(
            matches!(&verdict, Consistency::Conflict { questions, .. } if *questions == [0, 1]),
            "{verdict:?}"
        );
        // A guess of one colour has no white pegs.
        let single = [(vec![0; 3], answer(1, 0)), (vec![0; 3], answer(1, 1))];
        let second = Consistency::Conflict { questions: vec![1], smallest: true };
        assert_eq!(judge_unlisted(&Mastermind::new(3, 4, true).unwrap(), &single), second);
    }

    #[test]
    fn answers_that_agree_are_told_so() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let agreed = asked(&rules, &[("1122", "1b1w"), ("1344", "0b2w")]);
        assert!(matches!(judge(&rules, &agreed), Consistency::Fits(_)));
        let contrary = asked(&rules, &[("1122", "0b0w"), ("3456", "1b1w"), ("1112", "1b0w")]);
        let expected = Consistency::Conflict { questions: vec![0, 2], smallest: true };
        assert_eq!(judge(&rules, &contrary), expected);
    }
}
