//! Type-erased riddles, with codes and answers as text.

use std::borrow::Cow;
use std::sync::Arc;

use crate::aliases::{self, Alias};
use crate::named::NamedRiddle;
use crate::notation::NotationError;
use crate::param::{Args, Param, ParamError, Spec};
use crate::random::Rng;
use crate::riddle::Riddle;
use crate::scene::Scene;

/// A riddle of the registry: its description and the function that builds it.
#[derive(Clone)]
pub struct RiddleEntry {
    /// The name of the riddle in specs.
    pub name: Cow<'static, str>,
    /// One line that describes the riddle in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the riddle can set.
    pub params: Cow<'static, [Param]>,
    /// Specs of typical variants of the riddle, shown in lists.
    pub examples: Vec<Cow<'static, str>>,
    /// Old names of the riddle, its parameters and their options, which specs may still use.
    pub aliases: Cow<'static, [Alias]>,
    build: fn(&Args) -> Result<Arc<dyn AnyRiddle>, ParamError>,
}

impl RiddleEntry {
    /// Creates the entry of a riddle from its constants.
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

    /// Returns whether `name` is the present name of the riddle or an old one.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    /// Reads the values of the riddle's parameters from `spec`.
    ///
    /// # Errors
    /// When a parameter is unknown or its value is not allowed.
    pub fn args(&self, spec: &Spec) -> Result<Args, ParamError> {
        let spec = aliases::canonical(spec, &self.name, &self.params, &self.aliases);
        Args::new(self.name.clone(), self.params.clone(), &spec)
    }

    pub(crate) fn build(&self, spec: &Spec) -> Result<Arc<dyn AnyRiddle>, ParamError> {
        (self.build)(&self.args(spec)?)
    }
}

/// A type-erased riddle, with codes and answers as text.
pub trait AnyRiddle: Send + Sync {
    /// Returns the secret that is drawn with the random seed `seed`.
    fn secret(&self, seed: u64) -> String;

    /// Returns the feedback to `guess` if `secret` is the secret.
    ///
    /// # Errors
    /// When `secret` or `guess` is not a code.
    fn reply(&self, secret: &str, guess: &str) -> Result<String, NotationError>;

    /// Returns a picture of guesses with their feedback; `asked` has pairs of a guess and its
    /// answer.
    ///
    /// # Errors
    /// When a guess is not a code or an answer is not feedback.
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
