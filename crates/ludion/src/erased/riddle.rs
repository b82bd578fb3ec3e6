//! Riddles without their types, with codes and answers as text.

use std::borrow::Cow;
use std::sync::Arc;

use crate::aliases::{self, Alias};
use crate::named::NamedRiddle;
use crate::notation::NotationError;
use crate::param::{Args, Param, ParamError, Spec};
use crate::random::Rng;
use crate::riddle::Riddle;
use crate::scene::Scene;

/// A riddle of the registry: its listing and how it is built.
#[derive(Clone)]
pub struct RiddleEntry {
    /// Its name.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Its parameters.
    pub params: Cow<'static, [Param]>,
    /// Specs of variants to show.
    pub examples: Vec<Cow<'static, str>>,
    /// Old spellings of its name, parameters and options.
    pub aliases: Cow<'static, [Alias]>,
    build: fn(&Args) -> Result<Arc<dyn AnyRiddle>, ParamError>,
}

impl RiddleEntry {
    /// Lists a riddle.
    #[must_use]
    pub fn of<R: NamedRiddle>() -> Self {
        RiddleEntry {
            name: R::NAME.into(),
            help: R::HELP.into(),
            params: R::PARAMS.into(),
            examples: R::EXAMPLES.iter().map(|&example| example.into()).collect(),
            aliases: R::ALIASES.into(),
            build: |args| Ok(Arc::new(R::build(args)?)),
        }
    }

    /// Returns whether `name` is the riddle's name or an old spelling of it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    pub(crate) fn build(&self, spec: &Spec) -> Result<Arc<dyn AnyRiddle>, ParamError> {
        let spec = aliases::canonical(spec, &self.name, &self.params, &self.aliases);
        (self.build)(&Args::new(self.name.clone(), self.params.clone(), &spec)?)
    }
}

/// A riddle of any type, with codes and answers as text.
pub trait AnyRiddle: Send + Sync {
    /// Draws a secret from `seed`.
    fn secret(&self, seed: u64) -> String;

    /// Returns the answer to a guess.
    ///
    /// # Errors
    /// When one of them does not read as a code.
    fn reply(&self, secret: &str, guess: &str) -> Result<String, NotationError>;

    /// Returns guesses with their answers as a picture.
    ///
    /// # Errors
    /// When a guess or an answer does not read.
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
