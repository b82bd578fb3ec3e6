//! What the keeper of a code says to a guess: so many black pegs, so many white ones.

use serde::{Deserialize, Serialize};

use crate::notation::{NotationError, NotationReader};

/// Black pegs for colours in their place, white pegs for colours in another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PegFeedback {
    /// Pegs of the guess with the colour of the secret there.
    pub black: u16,
    /// Further pegs of the guess whose colour is in the secret, each peg of the secret counted
    /// once.
    pub white: u16,
}

impl PegFeedback {
    /// The share of the greatest score, `(2·black + white) / 2n`: 1 for the secret alone.
    #[must_use]
    pub fn score(self, pegs: usize) -> f64 {
        f64::from(2 * u32::from(self.black) + u32::from(self.white)) / (2 * pegs) as f64
    }

    /// A number of its own for every answer to codes of so many pegs, below
    /// [`PegFeedback::kinds`]; answers with fewer black pegs come first.
    #[inline]
    #[must_use]
    pub fn index(self, pegs: usize) -> usize {
        let (black, white) = (usize::from(self.black), usize::from(self.white));
        // Before b blacks come those with 0 to b − 1, of which k blacks leave room for
        // 0 to n − k whites.
        black * (2 * pegs + 3 - black) / 2 + white
    }

    /// How many numbers [`PegFeedback::index`] gives.
    #[must_use]
    pub fn kinds(pegs: usize) -> usize {
        (pegs + 1) * (pegs + 2) / 2
    }

    /// All answers to codes of so many pegs that have a number, in its order. One of them cannot
    /// be given: all black but one, and that one white.
    pub fn all(pegs: usize) -> impl Iterator<Item = PegFeedback> {
        let pegs = pegs as u16;
        (0..=pegs).flat_map(move |black| {
            (0..=pegs - black).map(move |white| PegFeedback { black, white })
        })
    }

    /// Reads `2b1w`, `2 1`, `2,1`, `bbw`, or pegs of one kind such as `2w`; no answer to a code of `pegs` pegs is anything else.
    ///
    /// # Errors
    /// What does not read, or what cannot be answered.
    pub fn read(text: &str, pegs: usize) -> Result<PegFeedback, NotationError> {
        let answer = if text.trim().chars().all(|c| "bwBW".contains(c)) && !text.trim().is_empty() {
            let count = |peg: char| text.chars().filter(|c| c.eq_ignore_ascii_case(&peg)).count();
            [count('b'), count('w')]
        } else {
            read_numbers(text)?
        };
        let [black, white] = answer;
        if black + white > pegs {
            let said = format!("{black} black and {white} white");
            return Err(NotationError::new(text, format!("{said} are more than {pegs} pegs")));
        }
        if black + 1 == pegs && white == 1 {
            let why = "if all but one are black, the last one cannot be white";
            return Err(NotationError::new(text, why));
        }
        Ok(PegFeedback { black: black as u16, white: white as u16 })
    }
}

/// Most pegs that a number in an answer may name; the number of pegs itself is checked later.
const MOST: i64 = u16::MAX as i64;

fn read_numbers(text: &str) -> Result<[usize; 2], NotationError> {
    const FORMS: &str = "an answer is written 2b1w, 2 1, or bbw: black pegs, then white ones";
    let lower = text.trim().to_ascii_lowercase();
    let spread: String =
        lower.chars().map(|c| if ",;/+-bw".contains(c) { ' ' } else { c }).collect();
    let mut numbers = [0; 2];
    let mut words = spread.split_whitespace();
    for number in &mut numbers {
        let Some(word) = words.next() else {
            // Pegs of one kind alone have to say what they are.
            let [one, _] = numbers;
            return match lower.chars().last() {
                Some('b') => Ok([one, 0]),
                Some('w') => Ok([0, one]),
                _ => Err(NotationError::new(text, FORMS)),
            };
        };
        let mut reader = NotationReader::new(word);
        let read = reader.number("a count of pegs", 0, MOST).and_then(|n| reader.end().map(|()| n));
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
    fn every_answer_has_a_number_of_its_own() {
        for pegs in 1..=12 {
            let numbers: Vec<usize> = PegFeedback::all(pegs).map(|a| a.index(pegs)).collect();
            assert_eq!(numbers, (0..PegFeedback::kinds(pegs)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn answers_are_read_in_every_form_people_write() {
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

    fn read_back(black: u16, white: u16) -> Result<PegFeedback, NotationError> {
        Ok(PegFeedback { black, white })
    }

    #[test]
    fn what_cannot_be_answered_is_refused_with_the_reason() {
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
