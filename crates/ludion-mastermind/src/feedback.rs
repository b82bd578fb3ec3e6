//! The feedback to a guess: the numbers of black and white pegs.

use serde::{Deserialize, Serialize};

use ludion_core::notation::{NotationError, NotationReader};

/// Feedback to a guess in Mastermind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PegFeedback {
    /// Number of black pegs: pegs of the guess with the right colour in the right place.
    pub black: u16,
    /// Number of white pegs: further pegs of the guess whose colour occurs elsewhere in the secret,
    /// each peg of the secret counted once.
    pub white: u16,
}

/// Weights of black and white pegs in the score of a code.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PegWeights {
    /// Weight of a black peg, above 0.
    pub black: f64,
    /// Weight of a white peg, at least 0 and below that of a black one.
    pub white: f64,
}

impl Default for PegWeights {
    /// Returns the weights of ARKEnsae (*Mastermind_Simulation*): a black peg counts two white ones.
    fn default() -> Self {
        PegWeights { black: 2.0, white: 1.0 }
    }
}

impl PegWeights {
    /// Returns whether only the secret has the greatest score.
    #[must_use]
    pub fn are_valid(&self) -> bool {
        self.black.is_finite() && (0.0..self.black).contains(&self.white)
    }

    /// Returns whether these are the default weights.
    #[must_use]
    pub fn are_default(&self) -> bool {
        *self == PegWeights::default()
    }
}

impl PegFeedback {
    /// Returns the score of a guess in a code of n pegs, `(b·black + w·white) / (b·n)` for the weights
    /// b and w; it is 1 only if the guess is the secret.
    #[must_use]
    pub fn weighted_score(self, pegs: usize, weights: PegWeights) -> f64 {
        let score = weights.black * f64::from(self.black) + weights.white * f64::from(self.white);
        score / (weights.black * pegs as f64)
    }

    /// Returns the score `(2·black + white) / 2n` of a guess in a code of n pegs; it is 1 only if
    /// the guess is the secret.
    #[must_use]
    pub fn score(self, pegs: usize) -> f64 {
        f64::from(2 * u32::from(self.black) + u32::from(self.white)) / (2 * pegs) as f64
    }

    /// Returns a unique index of this feedback among those to codes of `pegs` pegs, below
    /// [`PegFeedback::index_count`]; feedback with fewer black pegs comes first.
    #[inline]
    #[must_use]
    pub fn index(self, pegs: usize) -> usize {
        let (black, white) = (usize::from(self.black), usize::from(self.white));
        // With k black pegs there are n − k + 1 numbers of white pegs; sum over k < b.
        black * (2 * pegs + 3 - black) / 2 + white
    }

    /// Returns the number of different indices of feedback to codes of `pegs` pegs.
    #[must_use]
    pub fn index_count(pegs: usize) -> usize {
        (pegs + 1) * (pegs + 2) / 2
    }

    /// Iterates over all feedback to guesses of `pegs` pegs, in the order of their indices.
    ///
    /// One of the values is impossible: all pegs but one black, and the last one white.
    pub fn all(pegs: usize) -> impl Iterator<Item = PegFeedback> {
        let pegs = pegs as u16;
        (0..=pegs).flat_map(move |black| {
            (0..=pegs - black).map(move |white| PegFeedback { black, white })
        })
    }

    /// Reads feedback written as `2b1w`, `2 1`, `2,1`, `bbw`, or pegs of one colour such as `2w`.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, or if the feedback is impossible with `pegs`
    /// pegs.
    pub fn read(text: &str, pegs: usize) -> Result<PegFeedback, NotationError> {
        let feedback = if text.trim().chars().all(|c| "bwBW".contains(c)) && !text.trim().is_empty()
        {
            let count = |peg: char| text.chars().filter(|c| c.eq_ignore_ascii_case(&peg)).count();
            [count('b'), count('w')]
        } else {
            read_numbers(text)?
        };
        let [black, white] = feedback;
        if black + white > pegs {
            let counts = format!("{black} black and {white} white");
            return Err(NotationError::new(text, format!("{counts} are more than {pegs} pegs")));
        }
        if black + 1 == pegs && white == 1 {
            let why = "if all but one are black, the last one cannot be white";
            return Err(NotationError::new(text, why));
        }
        Ok(PegFeedback { black: black as u16, white: white as u16 })
    }
}

/// Largest number of pegs that is accepted in a text; whether it fits the code is checked later.
const MAX_NUMBER: i64 = u16::MAX as i64;

fn read_numbers(text: &str) -> Result<[usize; 2], NotationError> {
    const FORMS: &str = "an answer is written 2b1w, 2 1, or bbw: black pegs, then white ones";
    let lower = text.trim().to_ascii_lowercase();
    let separated: String =
        lower.chars().map(|c| if ",;/+-bw".contains(c) { ' ' } else { c }).collect();
    let mut numbers = [0; 2];
    let mut words = separated.split_whitespace();
    for number in &mut numbers {
        let Some(word) = words.next() else {
            // A single number must be followed by its colour.
            let [one, _] = numbers;
            return match lower.chars().last() {
                Some('b') => Ok([one, 0]),
                Some('w') => Ok([0, one]),
                _ => Err(NotationError::new(text, FORMS)),
            };
        };
        let mut reader = NotationReader::new(word);
        let read =
            reader.number("a count of pegs", 0, MAX_NUMBER).and_then(|n| reader.end().map(|()| n));
        *number = read.map_err(|_| NotationError::new(text, FORMS))? as usize;
    }
    match words.next() {
        None => Ok(numbers),
        Some(_) => Err(NotationError::new(text, FORMS)),
    }
}

impl std::fmt::Display for PegFeedback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}b{}w", self.black, self.white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feedback_has_a_unique_index() {
        for pegs in 1..=12 {
            let numbers: Vec<usize> = PegFeedback::all(pegs).map(|a| a.index(pegs)).collect();
            assert_eq!(numbers, (0..PegFeedback::index_count(pegs)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn feedback_is_read_in_every_common_form() {
        let read = |text: &str| PegFeedback::read(text, 4).map(|a| (a.black, a.white));
        for text in ["2b1w", "2 1", "2,1", " 2b 1w ", "bbw", "BWB", "2+1", "2B1W"] {
            assert_eq!(read(text), Ok((2, 1)), "{text}");
        }
        assert_eq!(read("0b0w"), Ok((0, 0)));
        assert_eq!(read("4b"), Ok((4, 0)));
        assert_eq!(read("2w"), Ok((0, 2)));
        assert_eq!(
            PegFeedback::read(&PegFeedback { black: 1, white: 2 }.to_string(), 4),
            read_back(1, 2)
        );
    }

    #[test]
    fn scores_have_the_weights_and_only_the_secret_scores_one() {
        let score = |black, white, weights| PegFeedback { black, white }.weighted_score(4, weights);
        for (black, white) in [(0, 0), (1, 2), (4, 0), (0, 4)] {
            let plain = PegFeedback { black, white }.score(4);
            assert_eq!(score(black, white, PegWeights::default()), plain);
        }
        let weights = PegWeights { black: 5.0, white: 1.0 };
        assert_eq!(score(2, 1, weights), 11.0 / 20.0);
        assert_eq!(score(4, 0, weights), 1.0);
        for (black, white) in [(1.0, 1.0), (0.0, 0.0), (1.0, -0.1), (f64::INFINITY, 1.0)] {
            assert!(!PegWeights { black, white }.are_valid());
        }
    }

    fn read_back(black: u16, white: u16) -> Result<PegFeedback, NotationError> {
        Ok(PegFeedback { black, white })
    }

    #[test]
    fn impossible_feedback_is_refused_with_the_reason() {
        let refused = |text: &str| PegFeedback::read(text, 4).unwrap_err().to_string();
        assert_eq!(
            refused("3 1"),
            "\"3 1\": if all but one are black, the last one cannot be white"
        );
        assert_eq!(refused("3b2w"), "\"3b2w\": 3 black and 2 white are more than 4 pegs");
        for text in ["", "2", "two", "2b1w3", "1w2b3", "99999999999 1", "-1 2x"] {
            assert!(refused(text).contains("an answer is written"), "{text}");
        }
    }
}
