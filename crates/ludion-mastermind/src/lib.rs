//! Mastermind: a secret code of coloured pegs, found by guesses. The feedback to a guess is one
//! black peg for every peg of the right colour in the right place, and one white peg for every
//! further colour that occurs elsewhere in the secret.
//!
//! Colours are numbered from 0 in memory and from 1 in text.

pub mod breaker;
pub mod experiment;
pub mod feedback;
pub mod pegs;

pub use feedback::{PegFeedback, PegWeights};
pub use pegs::{
    BytePerPegCode, MAX_BYTE_PEGS, MAX_SIZE, PackedCode, SecretPegCounter, WhitePegCounting,
};

use serde::{Deserialize, Serialize};

use ludion_core::named::NamedRiddle;
use ludion_core::notation::{NotationError, NotationReader};
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;
use ludion_core::scene::{Coord, PieceShape, Scene};

/// A code as the colour of each peg; colours are numbered from 0.
pub type Code = Vec<u16>;

/// The rules of Mastermind: the number of pegs and of colours, and whether a colour may repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Mastermind {
    /// Number of pegs of a code.
    pub pegs: usize,
    /// Number of colours.
    pub colours: usize,
    /// Whether a code may contain a colour more than once.
    pub repeats: bool,
}

/// Reasons why rules of Mastermind are invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MastermindRulesError {
    /// This number of pegs is not in the range from 1 to [`MAX_SIZE`].
    #[error("{0} pegs; a code has 1 to {MAX_SIZE}")]
    Pegs(usize),
    /// This number of colours is not in the range from 1 to [`MAX_SIZE`].
    #[error("{0} colours; there can be 1 to {MAX_SIZE}")]
    Colours(usize),
    /// There are fewer colours than pegs, and colours may not repeat.
    #[error(
        "{pegs} pegs of different colours need at least {pegs} colours, and there are {colours}"
    )]
    TooFewColours {
        /// Number of pegs of a code.
        pegs: usize,
        /// Number of colours.
        colours: usize,
    },
}

impl Mastermind {
    /// Creates rules with these numbers of pegs and colours; `repeats` allows colours to repeat.
    ///
    /// # Errors
    /// Returns an error if a number is not from 1 to [`MAX_SIZE`], or if colours may not repeat and
    /// there are fewer colours than pegs.
    pub fn new(pegs: usize, colours: usize, repeats: bool) -> Result<Self, MastermindRulesError> {
        if !(1..=MAX_SIZE).contains(&pegs) {
            return Err(MastermindRulesError::Pegs(pegs));
        }
        if !(1..=MAX_SIZE).contains(&colours) {
            return Err(MastermindRulesError::Colours(colours));
        }
        if !repeats && colours < pegs {
            return Err(MastermindRulesError::TooFewColours { pegs, colours });
        }
        Ok(Mastermind { pegs, colours, repeats })
    }

    /// Returns the number of codes that the rules allow, or `None` if it exceeds 128 bits.
    #[must_use]
    pub fn size(&self) -> Option<u128> {
        (0..self.pegs).try_fold(1_u128, |size, place| {
            let colours = if self.repeats { self.colours } else { self.colours - place };
            size.checked_mul(colours as u128)
        })
    }

    /// Iterates over all codes that the rules allow, in ascending order.
    pub fn codes(&self) -> impl Iterator<Item = Code> + use<> {
        let rules = *self;
        let first: Code = if rules.repeats {
            vec![0; rules.pegs]
        } else {
            (0..rules.pegs).map(|colour| colour as u16).collect()
        };
        std::iter::successors(Some(first), move |code| rules.next_code(code))
    }

    /// Returns the next code in ascending order, or `None` after the last.
    fn next_code(&self, code: &[u16]) -> Option<Code> {
        let mut next = code.to_vec();
        for place in (0..self.pegs).rev() {
            let is_free = |head: &[u16], colour: &u16| self.repeats || !head.contains(colour);
            let larger = next[place] + 1..self.colours as u16;
            let Some(colour) = larger.clone().find(|c| is_free(&next[..place], c)) else {
                continue;
            };
            next[place] = colour;
            for rest in place + 1..self.pegs {
                let least = (0..self.colours as u16).find(|c| is_free(&next[..rest], c));
                next[rest] = least.expect("there are as many colours as pegs");
            }
            return Some(next);
        }
        None
    }

    /// Returns whether colours are written as single digits, with 0 for the tenth.
    fn single_digits(&self) -> bool {
        self.colours <= 10
    }

    /// Formats a colour as its number from 1; if there are at most ten colours, the tenth is 0.
    #[must_use]
    pub fn show_colour(&self, colour: u16) -> String {
        let number = u32::from(colour) + 1;
        if self.single_digits() { (number % 10).to_string() } else { number.to_string() }
    }

    fn read_colour(
        &self,
        reader: &mut NotationReader<'_>,
        single: bool,
    ) -> Result<u16, NotationError> {
        if !single {
            return Ok(reader.number("a colour", 1, self.colours as i64)? as u16 - 1);
        }
        let here = reader.clone();
        let wrong = || here.error(format!("expected a colour, {},", self.describe_colours()));
        let digit = reader.character("a colour")?.to_digit(10).ok_or_else(wrong)?;
        let colour = if digit == 0 { 9 } else { digit - 1 };
        if colour as usize >= self.colours { Err(wrong()) } else { Ok(colour as u16) }
    }

    fn describe_colours(&self) -> String {
        match self.colours {
            10 => "a digit, 0 for the tenth".to_owned(),
            colours => format!("1 to {colours}"),
        }
    }
}

impl Riddle for Mastermind {
    type Code = Code;
    type Answer = PegFeedback;

    fn draw_secret(&self, rng: &mut Rng) -> Code {
        if self.repeats {
            return (0..self.pegs).map(|_| rng.below(self.colours) as u16).collect();
        }
        let mut colours: Code = (0..self.colours).map(|colour| colour as u16).collect();
        for place in 0..self.pegs {
            let other = place + rng.below(self.colours - place);
            colours.swap(place, other);
        }
        colours.truncate(self.pegs);
        colours
    }

    fn answer(&self, secret: &Code, guess: &Code) -> PegFeedback {
        SecretPegCounter::new(secret, self.colours, WhitePegCounting::Right).feedback(guess)
    }

    fn solved(&self, feedback: PegFeedback) -> bool {
        usize::from(feedback.black) == self.pegs
    }

    fn show_code(&self, code: &Code) -> String {
        let colours: Vec<String> = code.iter().map(|&colour| self.show_colour(colour)).collect();
        colours.join(if self.single_digits() { "" } else { "-" })
    }

    /// Reads colours as digits if one digit is enough, with 0 for the tenth; otherwise, and for any
    /// number of colours, as numbers separated by dashes, commas or spaces.
    fn read_code(&self, text: &str) -> Result<Code, NotationError> {
        let separated: String =
            text.chars().map(|c| if "-,;".contains(c) { ' ' } else { c }).collect();
        let words: Vec<&str> = separated.split_whitespace().collect();
        let single = self.single_digits() && words.iter().all(|word| word.chars().count() == 1)
            || self.single_digits() && words.len() == 1;
        let mut code = Code::new();
        for word in &words {
            let mut reader = NotationReader::new(word);
            while !reader.is_at_end() {
                code.push(self.read_colour(&mut reader, single)?);
            }
        }
        if code.len() != self.pegs {
            let problem = format!("{} colours, and a code has {}", code.len(), self.pegs);
            return Err(NotationError::new(text, problem));
        }
        let repeated = (1..code.len()).find(|&i| code[..i].contains(&code[i]));
        match repeated.filter(|_| !self.repeats) {
            None => Ok(code),
            Some(i) => {
                let colour = self.show_colour(code[i]);
                let problem = format!("colour {colour} comes twice, and no colour may");
                Err(NotationError::new(text, problem))
            }
        }
    }

    fn show_answer(&self, feedback: PegFeedback) -> String {
        feedback.to_string()
    }

    fn read_answer(&self, text: &str) -> Result<PegFeedback, NotationError> {
        PegFeedback::read(text, self.pegs)
    }

    fn scene(&self, asked: &[(Code, PegFeedback)]) -> Scene {
        let mut scene = Scene::grid(self.pegs + 2, asked.len());
        for (y, (guess, feedback)) in asked.iter().enumerate() {
            for (x, &colour) in guess.iter().enumerate() {
                scene.put(Coord::new(x, y), None, PieceShape::Peg(colour));
            }
            for (x, count) in [feedback.black, feedback.white].into_iter().enumerate() {
                scene.put(Coord::new(self.pegs + x, y), None, PieceShape::Text(count.to_string()));
            }
        }
        scene.columns = vec![String::new(); self.pegs];
        scene.columns.extend(["b".to_owned(), "w".to_owned()]);
        scene.rows = (1..=asked.len()).map(|number| number.to_string()).collect();
        scene
    }
}

impl NamedRiddle for Mastermind {
    const NAME: &'static str = "mastermind";
    const HELP: &'static str = "find a hidden code; each guess is answered by black and white pegs";
    const PARAMS: &'static [Param] = &[
        Param::int("pegs", 4, 1, MAX_SIZE as i64, "pegs of a code"),
        Param::int("colours", 6, 1, MAX_SIZE as i64, "colours of a peg"),
        Param::choice("repeats", &["yes", "no"], "whether a code may have a colour twice"),
    ];
    const EXAMPLES: &'static [&'static str] = &["mastermind", "mastermind(4, 10, repeats=no)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (pegs, colours) = (args.size("pegs"), args.size("colours"));
        Mastermind::new(pegs, colours, args.text("repeats") == "yes").map_err(|error| {
            args.refuse(
                "colours",
                colours.to_string(),
                format!("{pegs} or more, or repeats ({error})"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(pegs: usize, colours: usize, repeats: bool) -> Mastermind {
        Mastermind::new(pegs, colours, repeats).unwrap()
    }

    #[test]
    fn all_codes_are_listed_once_in_order() {
        for (pegs, colours, repeats) in [(3, 4, true), (3, 5, false), (4, 4, false), (1, 1, true)] {
            let rules = rules(pegs, colours, repeats);
            let codes: Vec<Code> = rules.codes().collect();
            assert_eq!(codes.len() as u128, rules.size().unwrap());
            assert!(codes.is_sorted_by(|a, b| a < b));
            let distinct = |code: &Code| (1..pegs).all(|i| !code[..i].contains(&code[i]));
            assert!(codes.iter().all(|code| repeats || distinct(code)));
        }
        assert_eq!(rules(4, 6, true).size(), Some(1296));
        assert_eq!(rules(4, 10, false).size(), Some(5040));
        assert_eq!(rules(100, 100, true).size(), None);
    }

    #[test]
    fn codes_are_read_as_they_are_shown() {
        for rules in
            [rules(4, 6, true), rules(4, 10, false), rules(5, 12, true), rules(40, 40, false)]
        {
            let mut rng = Rng::new(1);
            for _ in 0..100 {
                let code = rules.draw_secret(&mut rng);
                assert_eq!(rules.read_code(&rules.show_code(&code)), Ok(code));
            }
        }
        assert_eq!(rules(4, 6, true).read_code(" 1 2-3,6"), Ok(vec![0, 1, 2, 5]));
        assert_eq!(rules(4, 10, false).read_code("9012"), Ok(vec![8, 9, 0, 1]));
        assert_eq!(rules(4, 10, false).read_code("9 10 1 2"), Ok(vec![8, 9, 0, 1]));
    }

    #[test]
    fn invalid_codes_are_refused_with_the_reason() {
        let refused =
            |rules: Mastermind, text: &str| rules.read_code(text).unwrap_err().to_string();
        assert_eq!(refused(rules(4, 6, true), "112"), "\"112\": 3 colours, and a code has 4");
        assert_eq!(
            refused(rules(4, 6, true), "1127"),
            "expected a colour, 1 to 6, at character 4 of \"1127\""
        );
        assert_eq!(
            refused(rules(4, 10, false), "1231"),
            "\"1231\": colour 1 comes twice, and no colour may"
        );
        assert!(refused(rules(2, 40, true), "1-41").contains("a number from 1 to 40"));
        assert!(refused(rules(2, 6, true), "1x").contains("expected a colour"));
        assert!(refused(rules(2, 6, true), "").contains("0 colours"));
    }

    #[test]
    fn invalid_sizes_are_refused() {
        let refused = |p, c, r| Mastermind::new(p, c, r).unwrap_err().to_string();
        assert_eq!(refused(0, 6, true), "0 pegs; a code has 1 to 256");
        assert_eq!(refused(4, 300, true), "300 colours; there can be 1 to 256");
        assert_eq!(
            refused(5, 4, false),
            "5 pegs of different colours need at least 5 colours, and there are 4"
        );
    }
}
