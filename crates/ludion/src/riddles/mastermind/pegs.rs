//! Counting pegs: black ones for colours in their place, then white ones by the minimum rule,
//! `black + white = Σ over colours of min(times in the secret, times in the guess)`.
//!
//! Small codes are packed so that both counts are an AND and a population count. Larger ones are
//! counted colour by colour. The [`historical`] count is wrong, and here to be reproduced.

use super::Code;
use super::feedback::PegFeedback;

/// A code with a bit for each colour of each peg.
///
/// With c pegs of a colour, `amounts` has the first c bits of that colour's n bits, so that the
/// common bits of two codes are the minimum of their counts. `places` has the bit of the colour
/// of each peg. Both have n·m bits, of `W`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedCode<W> {
    places: W,
    amounts: W,
}

/// The words codes are packed in.
pub trait CodeWord: Copy + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static {
    /// How many bits it has.
    const BITS: usize;
    /// No bit.
    const NONE: Self;
    /// With one bit more.
    #[must_use]
    fn with(self, bit: usize) -> Self;
    /// How many bits two words have in common.
    fn common(self, other: Self) -> u32;
}

macro_rules! word {
    ($($type:ty),*) => {$(
        impl CodeWord for $type {
            const BITS: usize = <$type>::BITS as usize;
            const NONE: Self = 0;
            #[inline]
            fn with(self, bit: usize) -> Self {
                self | 1 << bit
            }
            #[inline]
            fn common(self, other: Self) -> u32 {
                (self & other).count_ones()
            }
        }
    )*};
}

word!(u32, u64, u128);

impl<W: CodeWord> PackedCode<W> {
    /// Whether codes of so many pegs and colours can be packed.
    #[must_use]
    pub fn fits(pegs: usize, colours: usize) -> bool {
        pegs * colours <= W::BITS
    }

    /// Packs a code of colours below `colours`, which [fits](PackedCode::fits).
    #[must_use]
    pub fn new(code: &[u16], colours: usize) -> Self {
        debug_assert!(PackedCode::<W>::fits(code.len(), colours), "a code that fits its word");
        let mut packed = PackedCode { places: W::NONE, amounts: W::NONE };
        for (place, &colour) in code.iter().enumerate() {
            let before = code[..place].iter().filter(|&&earlier| earlier == colour).count();
            packed.places = packed.places.with(place * colours + usize::from(colour));
            packed.amounts = packed.amounts.with(usize::from(colour) * code.len() + before);
        }
        packed
    }

    /// What the keeper of one of the codes says to the other.
    #[inline]
    #[must_use]
    pub fn answer(self, other: Self) -> PegFeedback {
        let black = self.places.common(other.places) as u16;
        PegFeedback { black, white: self.amounts.common(other.amounts) as u16 - black }
    }
}

/// Most colours, and most pegs.
pub const MOST: usize = 256;

/// Counts pegs against one secret of any size.
#[derive(Clone, Debug)]
pub struct SecretPegCounter {
    secret: Code,
    /// How often each colour is in the secret.
    amounts: Vec<u16>,
    /// For the historical count, the colours whose number has that of each colour in it.
    wider: Option<Vec<ColourSet>>,
}

/// A set of colours, a bit for each.
type ColourSet = [u64; MOST / 64];

fn bit(colour: u16) -> (usize, u64) {
    (usize::from(colour) / 64 % (MOST / 64), 1 << (colour % 64))
}

/// The hidden colours, out of `colours`, that the historical count takes for a guessed one.
fn wider(guessed: u16, colours: usize) -> ColourSet {
    let mut set = ColourSet::default();
    for hidden in (0..colours as u16).filter(|hidden| within(guessed + 1, hidden + 1)) {
        let (word, bit) = bit(hidden);
        set[word] |= bit;
    }
    set
}

/// How white pegs are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhitePegCounting {
    /// By the rules.
    #[default]
    Right,
    /// As in the study (see [`historical`]).
    Historical,
}

impl SecretPegCounter {
    /// Keeps a secret of colours below `colours`.
    #[must_use]
    pub fn new(secret: &[u16], colours: usize, counting: WhitePegCounting) -> Self {
        let mut amounts = vec![0; colours];
        for &colour in secret {
            amounts[usize::from(colour)] += 1;
        }
        let sets = || (0..colours as u16).map(|guessed| wider(guessed, colours)).collect();
        let wider = (counting == WhitePegCounting::Historical).then(sets);
        SecretPegCounter { secret: secret.to_vec(), amounts, wider }
    }

    /// The secret.
    #[must_use]
    pub fn secret(&self) -> &[u16] {
        &self.secret
    }

    /// What is said to a guess of as many pegs and of the same colours.
    #[must_use]
    pub fn answer(&self, guess: &[u16]) -> PegFeedback {
        match &self.wider {
            None => self.count(guess),
            Some(wider) => self.count_historically(guess, wider),
        }
    }

    /// As [`historical`], colours by their sets.
    fn count_historically(&self, guess: &[u16], wider: &[ColourSet]) -> PegFeedback {
        let misplaced = || guess.iter().zip(&self.secret).filter(|(a, b)| a != b);
        let (mut left, mut count) = (ColourSet::default(), 0);
        for (_, &hidden) in misplaced() {
            let (word, bit) = bit(hidden);
            left[word] |= bit;
            count += 1;
        }
        let found = |guessed: u16| {
            wider[usize::from(guessed)].iter().zip(&left).any(|(wider, left)| wider & left != 0)
        };
        let white = misplaced().filter(|(guessed, _)| found(**guessed)).count();
        PegFeedback { black: (guess.len() - count) as u16, white: white as u16 }
    }

    fn count(&self, guess: &[u16]) -> PegFeedback {
        let mut left = [0_u16; MOST];
        left[..self.amounts.len()].copy_from_slice(&self.amounts);
        let (mut black, mut common) = (0, 0);
        for (&colour, &hidden) in guess.iter().zip(&self.secret) {
            black += u16::from(colour == hidden);
            let left = &mut left[usize::from(colour) % MOST];
            let found = u16::from(*left > 0);
            *left -= found;
            common += found;
        }
        PegFeedback { black, white: common - black }
    }
}

/// What the program of the study (ARKEnsae, *Mastermind_Simulation*) answered: the pegs in
/// their place are left out; then every peg of the guess is white whose number, as text, is
/// part of the number of a peg left in the secret. So 1122 gets two white pegs against 3314, and
/// 1 matches 10 to 19.
#[must_use]
pub fn historical(secret: &[u16], guess: &[u16]) -> PegFeedback {
    let misplaced = || guess.iter().zip(secret).filter(|(guessed, hidden)| guessed != hidden);
    let mut left = [false; MOST];
    for (_, &hidden) in misplaced() {
        left[usize::from(hidden) % MOST] = true;
    }
    // Colours are numbered from 1 in print.
    let found = |guessed: u16| {
        (0..MOST as u16).any(|hidden| left[usize::from(hidden)] && within(guessed + 1, hidden + 1))
    };
    let white = misplaced().filter(|(guessed, _)| found(**guessed)).count();
    PegFeedback { black: (guess.len() - misplaced().count()) as u16, white: white as u16 }
}

/// Whether the digits of one number stand together in another one.
fn within(digits: u16, mut number: u16) -> bool {
    let span = 10_u16.pow(digits.checked_ilog10().map_or(1, |log| log + 1));
    while number >= digits {
        if number % span == digits {
            return true;
        }
        number /= 10;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// Crosses out pegs one by one, as a person would.
    fn naive(secret: &[u16], guess: &[u16]) -> PegFeedback {
        let black = guess.iter().zip(secret).filter(|(a, b)| a == b).count();
        let mut hidden = secret.to_vec();
        let mut common = 0;
        for colour in guess {
            if let Some(at) = hidden.iter().position(|other| other == colour) {
                hidden.swap_remove(at);
                common += 1;
            }
        }
        PegFeedback { black: black as u16, white: (common - black) as u16 }
    }

    fn random_code(pegs: usize, colours: usize, rng: &mut Rng) -> Code {
        (0..pegs).map(|_| rng.below(colours) as u16).collect()
    }

    #[test]
    fn both_kernels_count_as_a_person_does_on_all_pairs_of_a_small_game() {
        let code = |i: usize| vec![(i / 16) as u16, (i / 4 % 4) as u16, (i % 4) as u16];
        for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (code(a), code(b)))) {
            let expected = naive(&a, &b);
            assert_eq!(PackedCode::<u32>::new(&a, 4).answer(PackedCode::new(&b, 4)), expected);
            assert_eq!(SecretPegCounter::new(&a, 4, WhitePegCounting::Right).answer(&b), expected);
        }
    }

    #[test]
    fn larger_codes_are_counted_alike_by_all() {
        let mut rng = Rng::new(5);
        for _ in 0..2_000 {
            let (pegs, colours) = (1 + rng.below(10), 1 + rng.below(12));
            let (a, b) =
                (random_code(pegs, colours, &mut rng), random_code(pegs, colours, &mut rng));
            let expected = naive(&a, &b);
            assert_eq!(
                PackedCode::<u128>::new(&a, colours).answer(PackedCode::new(&b, colours)),
                expected
            );
            assert_eq!(
                SecretPegCounter::new(&a, colours, WhitePegCounting::Right).answer(&b),
                expected
            );
        }
        for colours in [1, 2, 100, 256] {
            let (a, b) = (random_code(256, colours, &mut rng), random_code(256, colours, &mut rng));
            let answer = SecretPegCounter::new(&a, colours, WhitePegCounting::Right).answer(&b);
            assert_eq!(answer, naive(&a, &b));
            assert_eq!(
                SecretPegCounter::new(&b, colours, WhitePegCounting::Right).answer(&a),
                answer,
                "symmetric"
            );
        }
    }

    #[test]
    fn the_historical_count_has_its_two_faults() {
        let answer = |secret: &[u16], guess: &[u16]| {
            let lower = |code: &[u16]| code.iter().map(|c| c - 1).collect::<Code>();
            let keeper = SecretPegCounter::new(&lower(secret), 40, WhitePegCounting::Historical);
            let answer = keeper.answer(&lower(guess));
            (answer.black, answer.white)
        };
        assert_eq!(answer(&[3, 3, 1, 4], &[1, 1, 2, 2]), (0, 2), "the right answer is 0, 1");
        assert_eq!(answer(&[2, 12, 4, 4], &[5, 1, 1, 4]), (1, 2), "1 is part of 12");
        assert_eq!(answer(&[1, 1], &[12, 21]), (0, 0), "12 is not part of 1");
        assert_eq!(answer(&[7, 8, 9], &[7, 8, 9]), (3, 0));
    }

    #[test]
    fn the_historical_count_by_sets_is_that_by_digits() {
        let mut rng = Rng::new(6);
        for (pegs, colours) in [(4, 4), (10, 15), (40, 40), (60, 130), (256, 256)] {
            for _ in 0..50 {
                let (a, b) =
                    (random_code(pegs, colours, &mut rng), random_code(pegs, colours, &mut rng));
                let keeper = SecretPegCounter::new(&a, colours, WhitePegCounting::Historical);
                assert_eq!(keeper.answer(&b), historical(&a, &b), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn digits_within_a_number_are_those_within_its_text() {
        for (a, b) in (1..=256_u16).flat_map(|a| (1..=256_u16).map(move |b| (a, b))) {
            assert_eq!(within(a, b), b.to_string().contains(&a.to_string()), "{a} in {b}");
        }
    }
}
