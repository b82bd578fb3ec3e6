//! A riddle: a secret questioned by guesses, such as Mastermind.
//!
//! It is not a [`Game`](crate::game::Game): its guesses are too many to list, and what
//! the asker knows is not what the keeper knows.

use std::fmt::Debug;
use std::hash::Hash;

use crate::notation::NotationError;
use crate::random::Rng;
use crate::scene::Scene;

/// The rules of one riddle, its parameters included.
///
/// ```
/// use ludion::notation::{ReadError, Reader};
/// use ludion::random::Rng;
/// use ludion::riddle::Riddle;
/// use ludion::scene::{Cell, Scene, Shape};
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
///     fn read_code(&self, text: &str) -> Result<i64, ReadError> {
///         let mut reader = Reader::new(text);
///         let number = reader.number("the number", 1, 100)?;
///         reader.end().map(|()| number)
///     }
///     fn show_answer(&self, answer: Ordering) -> String { format!("{answer:?}") }
///     fn read_answer(&self, text: &str) -> Result<Ordering, ReadError> {
///         match text {
///             "Less" => Ok(Ordering::Less),
///             "Equal" => Ok(Ordering::Equal),
///             "Greater" => Ok(Ordering::Greater),
///             _ => Err(ReadError::new(text, "an answer is Less, Equal or Greater")),
///         }
///     }
///     fn scene(&self, asked: &[(i64, Ordering)]) -> Scene {
///         let mut scene = Scene::grid(2, asked.len());
///         for (y, (guess, answer)) in asked.iter().enumerate() {
///             scene.put(Cell::new(0, y), None, Shape::Text(self.show_code(guess)));
///             scene.put(Cell::new(1, y), None, Shape::Text(self.show_answer(*answer)));
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
    /// What is hidden, and what a guess looks like.
    type Code: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// What the keeper of the secret says to a guess.
    type Answer: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// A secret drawn as the rules draw it.
    fn draw_secret(&self, rng: &mut Rng) -> Self::Code;
    /// What the keeper of `secret` says to `guess`.
    fn answer(&self, secret: &Self::Code, guess: &Self::Code) -> Self::Answer;
    /// Whether this answer means that the guess was the secret.
    fn solved(&self, answer: Self::Answer) -> bool;

    /// The code in its notation.
    fn show_code(&self, code: &Self::Code) -> String;
    /// Reads a code back.
    ///
    /// # Errors
    /// What does not read, and where.
    fn read_code(&self, text: &str) -> Result<Self::Code, NotationError>;
    /// The answer in its notation.
    fn show_answer(&self, answer: Self::Answer) -> String;
    /// Reads an answer back.
    ///
    /// # Errors
    /// What does not read, and what is allowed.
    fn read_answer(&self, text: &str) -> Result<Self::Answer, NotationError>;
    /// What was asked and answered so far, as a picture.
    fn scene(&self, asked: &[(Self::Code, Self::Answer)]) -> Scene;
}
