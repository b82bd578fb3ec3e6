//! `ludion mastermind advise`: proposes guesses for a secret that is kept elsewhere, from the
//! feedback that the user enters. Contradictory feedback is reported and can be corrected.

use clap::Args;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::advice::{self, Advice, FeedbackConflict};
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::exhaustive::{hint, hints};
use ludion::riddles::mastermind::breaker::{CodeBreaker, GuessAndFeedback};
use ludion::riddles::mastermind::{Code, Mastermind};
use serde::Serialize;

use super::play::{table, uncounted};
use super::sizes::{self, SizeArgs, board, guesses, left, said, spec};
use super::trees::PreparedStrategy;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::keyboard::{KeyboardInput, listen};
use crate::output::{CommandReport, LOUD, QUIET, paint};
use crate::runs::StoreArgs;

/// Get advice on the next guess when the secret is elsewhere
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind advise
  ludion mastermind advise --asked 1122=1b1w --asked 1344=0b2w --json
  ludion mastermind advise --pegs 4 --colours 10 --no-repeats --strategy size

Type the answer to the proposed guess, such as 1b2w, or a guess of your own with its
answer, such as 1344=0b2w; or one of edit 2 1b1w, remove 2, undo, hint, show, help,
quit. With --json it answers once.")]
pub(crate) struct AdviseArgs {
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    store: StoreArgs,
    /// The strategy: a name that `ludion mastermind break --strategies` lists
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// A guess and its feedback so far; can be repeated
    #[arg(long, value_name = "GUESS=ANSWER")]
    asked: Vec<String>,
}

const HELP: &str = "\
an answer      to the proposed guess: 1b2w, 1 2, or bww
GUESS=ANSWER   what else was asked and answered
edit N ANSWER  the answer to guess N was another
remove N       guess N was not asked
undo           take the last one back
hint           the guesses that tell most
show           everything so far
help           this list
quit           leave
";

/// Number of guesses in a hint.
const HINTS: usize = 5;

impl AdviseArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let rules = self.sizes.rules()?;
        let asked = self.asked.iter().map(|text| read_asked(&rules, text));
        let asked = asked.collect::<Result<_, _>>()?;
        let codes = CodeTable::new(&rules).ok();
        let method = PreparedStrategy::new(rules, &self.strategy, None, context, &self.store)?;
        let mut breaker = method.breaker()?;
        breaker.begin(context.seed);
        let name = method.strategy.name;
        let mut advice = AdviseSession { context, rules, codes, breaker, name, asked };
        if context.output.json { advice.answer() } else { advice.talk() }
    }
}

/// Parses a guess and its feedback, separated by `=` or a space.
fn read_asked(rules: &Mastermind, text: &str) -> Result<GuessAndFeedback, CommandFailure> {
    let parts = text.split_once('=').or_else(|| text.trim().split_once(char::is_whitespace));
    let Some((guess, answer)) = parts else {
        let form = "what was asked is written guess=answer, such as 1122=1b1w";
        return Err(CommandFailure::Usage(format!("{text:?}: {form}")));
    };
    Ok((rules.read_code(guess)?, rules.read_answer(answer)?))
}

/// An interactive session with the guesses and feedback so far.
struct AdviseSession<'a> {
    context: &'a CommandContext,
    rules: Mastermind,
    /// All codes; `None` if there are too many to list.
    codes: Option<CodeTable>,
    breaker: Box<dyn CodeBreaker>,
    name: &'static str,
    asked: Vec<GuessAndFeedback>,
}

/// Message for when no fitting code was found although the feedback may be consistent.
const DOUBT: &str = "no code was found that fits all answers; they may contradict each other";

impl AdviseSession<'_> {
    fn say(&self, text: &str) -> Result<(), CommandFailure> {
        self.context.output.write(text)
    }

    fn next(&mut self) -> Advice {
        advice::advise(&self.rules, self.codes.as_ref(), &mut *self.breaker, &self.asked)
    }

    /// Prints the advice once, as JSON.
    fn answer(&mut self) -> Result<(), CommandFailure> {
        let progress = self.context.progress("guesses").depends_on("the number of codes");
        progress.begin("choosing a guess");
        let next = self.next();
        progress.finish();
        let count = self.codes.as_ref().map(|codes| codes.consistent(&self.asked).len());
        let mut answer = AdviceReport {
            riddle: spec(&self.rules),
            strategy: self.name,
            asked: said(&self.rules, self.codes.as_ref(), &self.asked),
            left: count,
            ..AdviceReport::default()
        };
        match next {
            Advice::Found(_) => answer.found = true,
            Advice::Conflict(conflict) => answer.conflict = Some(conflict),
            Advice::UncertainGuess(guess) => {
                answer.guess = Some(self.rules.show_code(&guess));
                answer.doubt = Some(DOUBT);
            }
            Advice::Guess(guess) => {
                answer.guess = Some(self.rules.show_code(&guess));
                let hint = self.codes.as_ref().and_then(|codes| {
                    let number = codes.index_of(&guess)?;
                    Some(hint(codes, number, &codes.consistent(&self.asked)))
                });
                answer.bits = hint.as_ref().map(|hint| hint.bits);
                answer.possible = hint.map(|hint| hint.possible);
            }
        }
        self.context.output.report(&answer)
    }

    fn talk(&mut self) -> Result<(), CommandFailure> {
        let what = "type the answer, or GUESS=ANSWER, edit N ANSWER, remove N, hint, help, quit";
        self.say(&format!("{}: {}\n", paint(LOUD, &spec(&self.rules)), self.name))?;
        self.say(&format!("{}\n{}", paint(QUIET, what), board(&self.rules, &self.asked)))?;
        loop {
            let next = self.next();
            self.propose(&next)?;
            if matches!(next, Advice::Found(_)) {
                return Ok(());
            }
            let proposed = match next {
                Advice::Guess(guess) | Advice::UncertainGuess(guess) => Some(guess),
                Advice::Found(_) | Advice::Conflict(_) => None,
            };
            self.say("answer> ")?;
            match listen()? {
                KeyboardInput::Nothing => {}
                KeyboardInput::End => return self.say("\ngood bye\n"),
                KeyboardInput::Quit => return self.say("good bye\n"),
                KeyboardInput::Help => self.say(HELP)?,
                KeyboardInput::Hint | KeyboardInput::Moves => {
                    self.say(&self.hint(proposed.as_ref()))?;
                }
                KeyboardInput::Undo => {
                    let taken = self.asked.pop();
                    let none = "there is no answer to take back\n".to_owned();
                    self.say(&taken.map_or(none, |_| board(&self.rules, &self.asked)))?;
                }
                KeyboardInput::Move(text) => match self.hear(&text, proposed) {
                    Ok(()) => self.say(&board(&self.rules, &self.asked))?,
                    Err(CommandFailure::Usage(sentence)) => self.say(&format!("{sentence}\n"))?,
                    Err(failure) => return Err(failure),
                },
            }
        }
    }

    fn propose(&self, next: &Advice) -> Result<(), CommandFailure> {
        let count = self.codes.as_ref().map(|codes| codes.consistent(&self.asked).len());
        let count = count.map_or(String::new(), |count| left(count) + "; ");
        let ask = |guess| format!("ask {}\n", paint(LOUD, &self.rules.show_code(guess)));
        self.say(&match next {
            Advice::Found(question) => format!("found in {}\n", guesses(question + 1)),
            Advice::Guess(guess) => format!("{count}{}", ask(guess)),
            Advice::UncertainGuess(guess) => format!("{}\n{}", paint(LOUD, DOUBT), ask(guess)),
            Advice::Conflict(conflict) => format!("{}\n", paint(LOUD, &conflict.to_string())),
        })
    }

    /// Executes a line of input: `show`, `edit`, `remove`, or feedback. `proposed` is the guess
    /// that feedback without a guess is for.
    fn hear(&mut self, text: &str, proposed: Option<Code>) -> Result<(), CommandFailure> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match (words[0].to_lowercase().as_str(), &words[1..]) {
            ("show", []) => Ok(()),
            ("edit", [number, answer @ ..]) if !answer.is_empty() => {
                let number = self.number(number)?;
                self.asked[number].1 = self.rules.read_answer(&answer.join(" "))?;
                Ok(())
            }
            ("remove", [number]) => {
                let number = self.number(number)?;
                self.asked.remove(number);
                Ok(())
            }
            ("edit" | "remove", _) => {
                Err(CommandFailure::Usage("write edit 2 1b1w, or remove 2".to_owned()))
            }
            _ => {
                let asked = self.read(text, proposed)?;
                self.asked.push(asked);
                Ok(())
            }
        }
    }

    /// Parses feedback for the guess `proposed`, or a guess with its feedback.
    fn read(&self, text: &str, proposed: Option<Code>) -> Result<GuessAndFeedback, CommandFailure> {
        let answer = self.rules.read_answer(text);
        match (answer, proposed) {
            (Ok(answer), Some(guess)) => Ok((guess, answer)),
            (Ok(_), None) => Err(CommandFailure::Usage(
                "mend an answer first: edit N ANSWER, or remove N".to_owned(),
            )),
            (Err(error), _) => {
                let other = read_asked(&self.rules, text);
                // A line without `=` is meant as feedback, so its error is reported.
                if text.contains('=') { other } else { other.map_err(|_| error.into()) }
            }
        }
    }

    /// Parses the number of an earlier guess, from 1, and returns its index.
    fn number(&self, text: &str) -> Result<usize, CommandFailure> {
        let number = text.parse().ok().filter(|number| (1..=self.asked.len()).contains(number));
        number.map(|number: usize| number - 1).ok_or_else(|| {
            let asked = guesses(self.asked.len());
            CommandFailure::Usage(format!("{text:?} is no number of a guess; there are {asked}"))
        })
    }

    fn hint(&self, proposed: Option<&Code>) -> String {
        let Some(codes) = &self.codes else { return uncounted(&self.rules, proposed) };
        let set = codes.consistent(&self.asked);
        if set.is_empty() {
            return "no code is left; mend an answer first\n".to_owned();
        }
        table(&self.rules, &hints(codes, &set, &self.asked, HINTS))
    }
}

/// The advice as JSON.
#[derive(Serialize, Default)]
struct AdviceReport {
    riddle: String,
    strategy: &'static str,
    asked: Vec<sizes::AskedReport>,
    found: bool,
    /// Number of codes consistent with all feedback, if it can be counted.
    left: Option<usize>,
    /// The next guess; `bits` is its expected information, `possible` whether it can be the secret.
    guess: Option<String>,
    bits: Option<f64>,
    possible: Option<bool>,
    conflict: Option<FeedbackConflict>,
    /// Message if no consistent code was found but there may be one.
    doubt: Option<&'static str>,
}

impl CommandReport for AdviceReport {
    fn text(&self) -> String {
        self.guess.as_ref().map_or(String::new(), |guess| format!("{guess}\n"))
    }
}
