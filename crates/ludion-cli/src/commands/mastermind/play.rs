//! `ludion mastermind play`: the user guesses and gets feedback and, on request, the number of
//! codes left and the information of a guess.

use clap::Args;
use ludion::random::{Rng, derive_seed};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::exhaustive::{GuessHint, hint, hints};
use ludion::riddles::mastermind::breaker::search::strongest_search;
use ludion::riddles::mastermind::breaker::{CodeBreaker, GuessAndFeedback};
use ludion::riddles::mastermind::{Code, Mastermind};

use super::sizes::{SizeArgs, at_first, board, guesses, left, spec};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::keyboard::{KeyboardInput, listen};
use crate::output::{LOUD, QUIET, paint};
use crate::table::words;

/// Find a secret code yourself
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind play
  ludion mastermind play --seed 7                     another code
  ludion mastermind play --pegs 4 --colours 10 --no-repeats

Type a code such as 1122, or one of hint, bits CODE, show, undo, give up, help, quit.")]
pub(crate) struct MastermindPlayArgs {
    #[command(flatten)]
    sizes: SizeArgs,
    /// The secret [default: drawn from --seed]
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,
}

const HELP: &str = "\
a code     guess it
hint       how many codes are left, and the guesses that tell most
bits CODE  what a guess would tell
show       everything asked so far
undo       take the last guess back
give up    see the code
help       this list
quit       leave
";

/// Number of guesses in a hint.
const HINTS: usize = 5;

impl MastermindPlayArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let rules = self.sizes.rules()?;
        let secret = self.secret.as_ref().map(|text| rules.read_code(text)).transpose()?;
        play(context, rules, secret)
    }
}

/// Plays Mastermind by these rules; without a secret, one is drawn from the seed.
pub(crate) fn play(
    context: &CommandContext,
    rules: Mastermind,
    secret: Option<Code>,
) -> Result<(), CommandFailure> {
    if context.output.json {
        return Err(CommandFailure::Usage(
            "a person cannot play in JSON; leave --json out".to_owned(),
        ));
    }
    let drawn = || rules.draw_secret(&mut Rng::new(derive_seed(context.seed, &[0, 0])));
    let secret = secret.unwrap_or_else(drawn);
    let codes = CodeTable::new(&rules).ok();
    CodeSession { context, rules, secret, codes, asked: Vec::new() }.play()
}

/// An interactive game of Mastermind.
struct CodeSession<'a> {
    context: &'a CommandContext,
    rules: Mastermind,
    secret: Code,
    /// All codes; `None` if there are too many to list.
    codes: Option<CodeTable>,
    asked: Vec<GuessAndFeedback>,
}

impl CodeSession<'_> {
    fn say(&self, text: &str) -> Result<(), CommandFailure> {
        self.context.output.write(text)
    }

    fn play(mut self) -> Result<(), CommandFailure> {
        let what = "type a code, or hint, bits CODE, show, undo, give up, help, quit";
        self.say(&format!("{}\n{}\n", paint(LOUD, &spec(&self.rules)), paint(QUIET, what)))?;
        loop {
            self.say(&format!("guess {}> ", self.asked.len() + 1))?;
            match listen()? {
                KeyboardInput::Nothing => {}
                KeyboardInput::End => return self.say("\ngood bye\n"),
                KeyboardInput::Quit => return self.say("good bye\n"),
                KeyboardInput::Help => self.say(HELP)?,
                KeyboardInput::Hint => self.say(&self.hint())?,
                KeyboardInput::Undo => {
                    let taken = self.asked.pop();
                    let none = "there is no guess to take back\n".to_owned();
                    let answer = taken.map_or(none, |_| board(&self.rules, &self.asked));
                    self.say(&answer)?;
                }
                KeyboardInput::Moves => self.say("any code can be guessed; hint names some\n")?,
                KeyboardInput::Move(text) => {
                    if self.hear(&text)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Executes a line of input; returns whether the game is over.
    fn hear(&mut self, text: &str) -> Result<bool, CommandFailure> {
        let lower = text.to_lowercase();
        if lower == "show" {
            self.say(&board(&self.rules, &self.asked))?;
        } else if lower == "give up" {
            let secret = paint(LOUD, &self.rules.show_code(&self.secret));
            self.say(&format!("the code was {secret}\n"))?;
            return Ok(true);
        } else if let Some(code) = lower.strip_prefix("bits ") {
            self.say(&self.bits(code))?;
        } else {
            match self.rules.read_code(text) {
                Ok(guess) => return self.guess(guess),
                Err(error) => self.say(&format!("{error}\n"))?,
            }
        }
        Ok(false)
    }

    fn guess(&mut self, guess: Code) -> Result<bool, CommandFailure> {
        let answer = self.rules.answer(&self.secret, &guess);
        self.asked.push((guess, answer));
        self.say(&board(&self.rules, &self.asked))?;
        let solved = self.rules.solved(answer);
        if solved {
            let found = format!("found in {}", guesses(self.asked.len()));
            self.say(&format!("{}\n", paint(LOUD, &found)))?;
        }
        Ok(solved)
    }

    /// Describes the codes left and the most informative guesses.
    fn hint(&self) -> String {
        let Some(codes) = &self.codes else {
            let mut search = strongest_search(self.rules);
            search.begin(self.context.seed);
            let guess = search.guess(&self.asked).ok();
            return uncounted(&self.rules, guess.as_ref());
        };
        let set = codes.consistent(&self.asked);
        let hints = hints(codes, &set, &self.asked, HINTS);
        format!("{}\n{}", left(set.len()), table(&self.rules, &hints))
    }

    /// Describes the information of one guess.
    fn bits(&self, text: &str) -> String {
        let Some(codes) = &self.codes else { return uncounted(&self.rules, None) };
        match self.rules.read_code(text) {
            Err(error) => format!("{error}\n"),
            Ok(code) => {
                let number = codes.index_of(&code).expect("a code that reads is listed");
                let hint = hint(codes, number, &codes.consistent(&self.asked));
                table(&self.rules, &[hint])
            }
        }
    }
}

/// Returns the message for codes that are too many to list, with a guess found by search.
pub(super) fn uncounted(rules: &Mastermind, guess: Option<&Code>) -> String {
    let tell = |guess| format!("a guess by search: {}\n", rules.show_code(guess));
    let guess = guess.map_or_else(String::new, tell);
    format!("{}, too many to count those left\n{guess}", at_first(rules))
}

/// Formats a table of guesses with their expected information in bits.
pub(super) fn table(rules: &Mastermind, hints: &[GuessHint]) -> String {
    let row = |hint: &GuessHint| {
        let possible = if hint.possible { "can be the code" } else { "" };
        vec![rules.show_code(&hint.guess), format!("{:.3}", hint.bits), possible.to_owned()]
    };
    words(&["guess", "bits", ""], hints.iter().map(row))
}
