//! Counting of black and white pegs: `black + white = Σ over colours of min(count in the secret,
//! count in the guess)`.
//!
//! Small codes are packed into machine words, so that each count is an AND and a population count.
//! For larger codes, the colours of the guess are looked up one by one in the counts of the secret.
//! [`historical_feedback`] is a faulty count, kept to reproduce published results.

use super::Code;
use super::feedback::PegFeedback;

/// A code packed into words of type `W`, with one bit for each colour of each peg.
///
/// `places` has one bit set for each peg, that of its colour. `amounts` has, for a colour that
/// occurs c times, the first c of that colour's n bits, so that the common bits of two codes count
/// the minimum of their amounts. Both need n·m bits for n pegs and m colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedCode<W> {
    places: W,
    amounts: W,
}

/// An unsigned integer that codes are packed into.
pub trait CodeWord: Copy + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static {
    /// Number of bits of the word.
    const BITS: usize;
    /// The word in which no bit is set.
    const NONE: Self;
    /// Returns the word with the bit of this index also set.
    #[must_use]
    fn with(self, bit: usize) -> Self;
    /// Returns the number of bits that are set in both words.
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
            #[inline(always)]
            fn common(self, other: Self) -> u32 {
                (self & other).count_ones()
            }
        }
    )*};
}

word!(u32, u64, u128);

impl<W: CodeWord> PackedCode<W> {
    /// Returns whether codes with these numbers of pegs and colours fit into the word.
    #[must_use]
    pub fn fits(pegs: usize, colours: usize) -> bool {
        pegs * colours <= W::BITS
    }

    /// Packs a code of colours below `colours`; the code must [fit](PackedCode::fits).
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

    /// Returns the feedback to one of the codes as a guess if the other is the secret; it is
    /// symmetric.
    #[inline(always)]
    #[must_use]
    pub fn feedback(self, other: Self) -> PegFeedback {
        let black = self.places.common(other.places) as u16;
        PegFeedback { black, white: self.amounts.common(other.amounts) as u16 - black }
    }
}

/// Maximum number of pegs of a [`BytePerPegCode`].
pub const MAX_BYTE_PEGS: usize = 4;

/// A code of few pegs as one byte for the colour of each peg, for more colours than fit into the
/// words of a [`PackedCode`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BytePerPegCode([u8; MAX_BYTE_PEGS]);

impl BytePerPegCode {
    /// Stores a code of at most [`MAX_BYTE_PEGS`] pegs; unused bytes are 0.
    #[must_use]
    pub fn new(code: &[u16]) -> Self {
        let mut bytes = [0; MAX_BYTE_PEGS];
        bytes.iter_mut().zip(code).for_each(|(byte, &colour)| *byte = colour as u8);
        BytePerPegCode(bytes)
    }

    /// Returns the feedback to one of the codes, of this number of pegs, as a guess if the other is
    /// the secret; it is symmetric.
    #[inline]
    #[must_use]
    pub fn feedback(self, other: Self, pegs: usize) -> PegFeedback {
        let (mut black, mut common, mut free) = (0, 0, (1_u32 << pegs) - 1);
        for (place, &colour) in self.0[..pegs].iter().enumerate() {
            black += u16::from(colour == other.0[place]);
            let mut same = 0;
            for (there, &hidden) in other.0[..pegs].iter().enumerate() {
                same |= u32::from(colour == hidden) << there;
            }
            // Each peg of the other code matches once.
            let found = same & free;
            free &= !(found & found.wrapping_neg());
            common += u16::from(found != 0);
        }
        PegFeedback { black, white: common - black }
    }
}

/// Maximum number of pegs of a code, and maximum number of colours.
pub const MAX_SIZE: usize = 256;

/// A secret of any size, prepared for counting the feedback to guesses.
#[derive(Clone, Debug)]
pub struct SecretPegCounter {
    secret: Code,
    /// Number of times each colour occurs in the secret.
    amounts: Vec<u16>,
    /// For each guessed colour, the colours of the secret that [`historical_feedback`] treats as
    /// equal to it; `None` if white pegs are counted by the rules.
    matches: Option<Vec<ColourSet>>,
}

/// A set of colours, one bit each.
type ColourSet = [u64; MAX_SIZE / 64];

/// Returns the index of a colour's word in a [`ColourSet`], and the colour's bit in that word.
fn colour_bit(colour: u16) -> (usize, u64) {
    (usize::from(colour) / 64 % (MAX_SIZE / 64), 1 << (colour % 64))
}

/// Returns the colours of the secret that [`historical_feedback`] treats as equal to a guessed
/// colour.
fn historical_matches(guessed: u16, colours: usize) -> ColourSet {
    let mut set = ColourSet::default();
    for hidden in (0..colours as u16).filter(|hidden| has_substring(guessed + 1, hidden + 1)) {
        let (word, bit) = colour_bit(hidden);
        set[word] |= bit;
    }
    set
}

/// Rule by which white pegs are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhitePegCounting {
    /// The count by the rules of Mastermind.
    #[default]
    Right,
    /// The faulty count of ARKEnsae's program (see [`historical_feedback`]).
    Historical,
}

impl SecretPegCounter {
    /// Prepares a secret, whose colours are below `colours`, for counting the feedback to guesses.
    #[must_use]
    pub fn new(secret: &[u16], colours: usize, counting: WhitePegCounting) -> Self {
        let mut amounts = vec![0; colours];
        for &colour in secret {
            amounts[usize::from(colour)] += 1;
        }
        let sets =
            || (0..colours as u16).map(|guessed| historical_matches(guessed, colours)).collect();
        let matches = (counting == WhitePegCounting::Historical).then(sets);
        SecretPegCounter { secret: secret.to_vec(), amounts, matches }
    }

    /// Returns the secret against which guesses are counted.
    #[must_use]
    pub fn secret(&self) -> &[u16] {
        &self.secret
    }

    /// Returns the feedback to a guess with the same numbers of pegs and colours.
    #[must_use]
    pub fn feedback(&self, guess: &[u16]) -> PegFeedback {
        match &self.matches {
            None => self.count(guess),
            Some(matches) => self.count_historically(guess, matches),
        }
    }

    /// Computes [`historical_feedback`] with precomputed sets of matching colours.
    fn count_historically(&self, guess: &[u16], matches: &[ColourSet]) -> PegFeedback {
        let misplaced = || guess.iter().zip(&self.secret).filter(|(a, b)| a != b);
        let (mut left, mut count) = (ColourSet::default(), 0);
        for (_, &hidden) in misplaced() {
            let (word, bit) = colour_bit(hidden);
            left[word] |= bit;
            count += 1;
        }
        let found = |guessed: u16| {
            matches[usize::from(guessed)].iter().zip(&left).any(|(hidden, left)| hidden & left != 0)
        };
        let white = misplaced().filter(|(guessed, _)| found(**guessed)).count();
        PegFeedback { black: (guess.len() - count) as u16, white: white as u16 }
    }

    fn count(&self, guess: &[u16]) -> PegFeedback {
        let mut left = [0_u16; MAX_SIZE];
        left[..self.amounts.len()].copy_from_slice(&self.amounts);
        let (mut black, mut common) = (0, 0);
        for (&colour, &hidden) in guess.iter().zip(&self.secret) {
            black += u16::from(colour == hidden);
            let left = &mut left[usize::from(colour) % MAX_SIZE];
            let found = u16::from(*left > 0);
            *left -= found;
            common += found;
        }
        PegFeedback { black, white: common - black }
    }
}

/// Returns the feedback that ARKEnsae's program *Mastermind_Simulation* computed.
///
/// Pegs of the right colour in the right place are removed. Then every other peg of the guess is
/// white if its colour number, as text, is a substring of the number of a remaining peg of the
/// secret. So 1122 gets two white pegs against 3314, and colour 1 matches 10 to 19.
#[must_use]
pub fn historical_feedback(secret: &[u16], guess: &[u16]) -> PegFeedback {
    let misplaced = || guess.iter().zip(secret).filter(|(guessed, hidden)| guessed != hidden);
    let mut left = [false; MAX_SIZE];
    for (_, &hidden) in misplaced() {
        left[usize::from(hidden) % MAX_SIZE] = true;
    }
    // That program numbered colours from 1.
    let found = |guessed: u16| {
        (0..MAX_SIZE as u16)
            .any(|hidden| left[usize::from(hidden)] && has_substring(guessed + 1, hidden + 1))
    };
    let white = misplaced().filter(|(guessed, _)| found(**guessed)).count();
    PegFeedback { black: (guess.len() - misplaced().count()) as u16, white: white as u16 }
}

/// Returns whether the decimal digits of `digits` are a substring of those of `number`.
fn has_substring(digits: u16, mut number: u16) -> bool {
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
    use ludion_core::random::Rng;

    /// Computes the feedback by crossing out pegs of the secret one by one.
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
    fn both_counts_agree_with_crossing_out_on_all_pairs_of_small_codes() {
        let code = |i: usize| vec![(i / 16) as u16, (i / 4 % 4) as u16, (i % 4) as u16];
        for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (code(a), code(b)))) {
            let expected = naive(&a, &b);
            assert_eq!(PackedCode::<u32>::new(&a, 4).feedback(PackedCode::new(&b, 4)), expected);
            assert_eq!(
                SecretPegCounter::new(&a, 4, WhitePegCounting::Right).feedback(&b),
                expected
            );
        }
    }

    #[test]
    fn all_counts_agree_on_larger_codes() {
        let mut rng = Rng::new(5);
        for _ in 0..2_000 {
            let (pegs, colours) = (1 + rng.below(10), 1 + rng.below(12));
            let (a, b) =
                (random_code(pegs, colours, &mut rng), random_code(pegs, colours, &mut rng));
            let expected = naive(&a, &b);
            assert_eq!(
                PackedCode::<u128>::new(&a, colours).feedback(PackedCode::new(&b, colours)),
                expected
            );
            assert_eq!(
                SecretPegCounter::new(&a, colours, WhitePegCounting::Right).feedback(&b),
                expected
            );
        }
        for colours in [1, 2, 100, 256] {
            let (a, b) = (random_code(256, colours, &mut rng), random_code(256, colours, &mut rng));
            let feedback = SecretPegCounter::new(&a, colours, WhitePegCounting::Right).feedback(&b);
            assert_eq!(feedback, naive(&a, &b));
            assert_eq!(
                SecretPegCounter::new(&b, colours, WhitePegCounting::Right).feedback(&a),
                feedback,
                "symmetric"
            );
        }
    }

    #[test]
    fn the_historical_count_has_its_two_faults() {
        let feedback = |secret: &[u16], guess: &[u16]| {
            let lower = |code: &[u16]| code.iter().map(|c| c - 1).collect::<Code>();
            let counter = SecretPegCounter::new(&lower(secret), 40, WhitePegCounting::Historical);
            let feedback = counter.feedback(&lower(guess));
            (feedback.black, feedback.white)
        };
        assert_eq!(feedback(&[3, 3, 1, 4], &[1, 1, 2, 2]), (0, 2), "the right answer is 0, 1");
        assert_eq!(feedback(&[2, 12, 4, 4], &[5, 1, 1, 4]), (1, 2), "1 is part of 12");
        assert_eq!(feedback(&[1, 1], &[12, 21]), (0, 0), "12 is not part of 1");
        assert_eq!(feedback(&[7, 8, 9], &[7, 8, 9]), (3, 0));
    }

    #[test]
    fn the_historical_count_by_sets_agrees_with_that_by_digits() {
        let mut rng = Rng::new(6);
        for (pegs, colours) in [(4, 4), (10, 15), (40, 40), (60, 130), (256, 256)] {
            for _ in 0..50 {
                let (a, b) =
                    (random_code(pegs, colours, &mut rng), random_code(pegs, colours, &mut rng));
                let counter = SecretPegCounter::new(&a, colours, WhitePegCounting::Historical);
                assert_eq!(counter.feedback(&b), historical_feedback(&a, &b), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn substrings_of_numbers_are_those_of_their_text() {
        for (a, b) in (1..=256_u16).flat_map(|a| (1..=256_u16).map(move |b| (a, b))) {
            assert_eq!(has_substring(a, b), b.to_string().contains(&a.to_string()), "{a} in {b}");
        }
    }
}
