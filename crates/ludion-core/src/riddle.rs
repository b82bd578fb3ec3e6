//! The [`Riddle`] trait: a secret code that is found by guesses and feedback, as in Mastermind.
//!
//! A riddle is not a [`Game`](crate::game::Game): it has too many guesses to list them, and the
//! guesser does not know the state.

use std::fmt::Debug;
use std::hash::Hash;

use crate::notation::NotationError;
use crate::random::Rng;
use crate::scene::Scene;

/// The rules of one riddle, with their parameters.
///
/// ```
/// use ludion_core::notation::{NotationError, NotationReader};
/// use ludion_core::random::Rng;
/// use ludion_core::riddle::Riddle;
/// use ludion_core::scene::{Coord, PieceShape, Scene};
/// use std::cmp::Ordering;
///
/// /// Guess a number from 1 to 100; the answer says whether the secret is higher.
/// struct Number;
///
/// impl Riddle for Number {
///     type Code = i64;
///     type Answer = Ordering;
///     fn draw_secret(&self, rng: &mut Rng) -> i64 { 1 + rng.below(100) as i64 }
///     fn answer(&self, secret: &i64, guess: &i64) -> Ordering { secret.cmp(guess) }
///     fn solved(&self, answer: Ordering) -> bool { answer.is_eq() }
///     fn show_code(&self, code: &i64) -> String { code.to_string() }
///     fn read_code(&self, text: &str) -> Result<i64, NotationError> {
///         let mut reader = NotationReader::new(text);
///         let number = reader.number("the number", 1, 100)?;
///         reader.end().map(|()| number)
///     }
///     fn show_answer(&self, answer: Ordering) -> String { format!("{answer:?}") }
///     fn read_answer(&self, text: &str) -> Result<Ordering, NotationError> {
///         match text {
///             "Less" => Ok(Ordering::Less),
///             "Equal" => Ok(Ordering::Equal),
///             "Greater" => Ok(Ordering::Greater),
///             _ => Err(NotationError::new(text, "an answer is Less, Equal or Greater")),
///         }
///     }
///     fn scene(&self, asked: &[(i64, Ordering)]) -> Scene {
///         let mut scene = Scene::grid(2, asked.len());
///         for (y, (guess, answer)) in asked.iter().enumerate() {
///             scene.put(Coord::new(0, y), None, PieceShape::Text(self.show_code(guess)));
///             scene.put(Coord::new(1, y), None, PieceShape::Text(self.show_answer(*answer)));
///         }
///         scene
///     }
/// }
///
/// let secret = Number.draw_secret(&mut Rng::new(1));
/// let (mut low, mut high) = (1, 100);
/// let found = loop {
///     let guess = (low + high) / 2;
///     match Number.answer(&secret, &guess) {
///         Ordering::Less => high = guess - 1,
///         Ordering::Greater => low = guess + 1,
///         Ordering::Equal => break guess,
///     }
/// };
/// assert_eq!(found, secret);
/// assert!(Number.read_code("101").is_err());
/// ```
pub trait Riddle: Send + Sync + 'static {
    /// The type of a code: of the secret and of every guess.
    type Code: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The type of the feedback to a guess.
    type Answer: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Draws a random secret from the distribution that the rules prescribe.
    fn draw_secret(&self, rng: &mut Rng) -> Self::Code;
    /// Returns the feedback to `guess` if `secret` is the secret.
    fn answer(&self, secret: &Self::Code, guess: &Self::Code) -> Self::Answer;
    /// Returns whether this feedback means that the guess was the secret.
    fn solved(&self, answer: Self::Answer) -> bool;

    /// Writes a code in its notation.
    fn show_code(&self, code: &Self::Code) -> String;
    /// Parses a code from its notation.
    ///
    /// # Errors
    /// When `text` is not a code; the error says what is wrong and where.
    fn read_code(&self, text: &str) -> Result<Self::Code, NotationError>;
    /// Writes feedback in its notation.
    fn show_answer(&self, answer: Self::Answer) -> String;
    /// Parses feedback from its notation.
    ///
    /// # Errors
    /// When `text` is not feedback; the error says what is allowed.
    fn read_answer(&self, text: &str) -> Result<Self::Answer, NotationError>;
    /// Returns a picture of the guesses so far with their feedback, in the order in which they were
    /// made.
    fn scene(&self, asked: &[(Self::Code, Self::Answer)]) -> Scene;
}
