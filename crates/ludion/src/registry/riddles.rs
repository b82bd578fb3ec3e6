//! One riddle of the registry, and any riddle in text: types are forgotten here.

use std::sync::Arc;

use crate::named::NamedRiddle;
use crate::notation::NotationError;
use crate::param::{Args, Param, ParamError};
use crate::random::Rng;
use crate::riddle::Riddle;
use crate::scene::Scene;

/// A riddle as tables, help and forms show it.
#[derive(Clone)]
pub struct RiddleEntry {
    /// Its name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Variants worth showing.
    pub examples: &'static [&'static str],
    build: fn(&Args) -> Result<Arc<dyn AnyRiddle>, ParamError>,
}

impl RiddleEntry {
    pub(super) fn of<R: NamedRiddle>() -> Self {
        RiddleEntry {
            name: R::NAME,
            help: R::HELP,
            params: R::PARAMS,
            examples: R::EXAMPLES,
            build: |args| Ok(Arc::new(R::build(args)?)),
        }
    }

    pub(super) fn build(&self, args: &Args) -> Result<Arc<dyn AnyRiddle>, ParamError> {
        (self.build)(args)
    }
}

/// Any riddle, its codes and answers as text.
pub trait AnyRiddle: Send + Sync {
    /// A secret drawn as the rules draw it.
    fn secret(&self, seed: u64) -> String;

    /// What the keeper of a secret says to a guess.
    ///
    /// # Errors
    /// When one of them is no code.
    fn reply(&self, secret: &str, guess: &str) -> Result<String, NotationError>;

    /// Guesses with their answers, as a picture.
    ///
    /// # Errors
    /// When a guess is no code or an answer none.
    fn picture(&self, asked: &[(String, String)]) -> Result<Scene, NotationError>;
}

impl<R: Riddle> AnyRiddle for R {
    fn secret(&self, seed: u64) -> String {
        self.show_code(&self.draw_secret(&mut Rng::new(seed)))
    }

    fn reply(&self, secret: &str, guess: &str) -> Result<String, NotationError> {
        let (secret, guess) = (self.read_code(secret)?, self.read_code(guess)?);
        Ok(self.show_answer(self.answer(&secret, &guess)))
    }

    fn picture(&self, asked: &[(String, String)]) -> Result<Scene, NotationError> {
        let read = |(guess, answer): &(String, String)| {
            Ok((self.read_code(guess)?, self.read_answer(answer)?))
        };
        Ok(self.scene(&asked.iter().map(read).collect::<Result<Vec<_>, NotationError>>()?))
    }
}
