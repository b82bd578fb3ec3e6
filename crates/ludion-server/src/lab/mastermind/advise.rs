//! The game of Mastermind. `answer` returns the feedback for guesses at a code drawn from a seed.
//! `advise` lists the codes left after some feedback and the most informative guesses, and proposes
//! the next guess or names the feedback that is contradictory. A strategy cannot be interrupted, so
//! only those that take less than a second at the requested size are allowed.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use ludion_mastermind::breaker::GuessAndFeedback;
use ludion_mastermind::breaker::advice::{self, Advice, FeedbackConflict};
use ludion_mastermind::breaker::codes::CodeIndex;
use ludion_mastermind::breaker::exhaustive::{self, hint, hints};
use ludion_mastermind::breaker::strategy::{NamedStrategy, StrategyError, strategy};
use ludion_mastermind::{Mastermind, PegFeedback};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::riddle::Riddle;
use serde::{Deserialize, Serialize};

use super::MastermindSize;
use super::breaker_cache::BreakerCache;
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{error_event, result_event, run_queued};

/// Maximum number of guesses in a request.
const MAX_GUESSES: usize = 100;
/// Maximum number of remaining codes that an answer lists.
const MAX_LISTED: usize = 200;
/// Largest number of codes of a size for which hints are computed: every code is tried as a guess
/// against all codes left.
const MAX_HINTED_CODES: usize = 100_000;
/// Maximum number of hints in an answer.
const MAX_HINTS: usize = 20;

/// A request for the feedback of guesses at the secret code drawn from the seed.
#[derive(Deserialize)]
pub(in crate::lab) struct FeedbackRequest {
    #[serde(flatten)]
    sizes: MastermindSize,
    #[serde(default)]
    seed: u64,
    guesses: Vec<String>,
    /// Whether to reveal the secret code.
    #[serde(default)]
    give_up: bool,
}

#[derive(Serialize)]
pub(in crate::lab) struct FeedbackResponse {
    asked: Vec<GuessFeedback>,
    /// Whether one of the guesses is the secret code.
    solved: bool,
    /// The secret code, if it was found or is to be revealed.
    secret: Option<String>,
}

#[derive(Serialize)]
struct GuessFeedback {
    guess: String,
    #[serde(flatten)]
    answer: PegFeedback,
}

/// Serves `POST /api/mastermind/answer`.
pub(in crate::lab) async fn answer(
    JsonBody(game): JsonBody<FeedbackRequest>,
) -> Result<Json<FeedbackResponse>, LabError> {
    let rules = game.sizes.rules()?;
    check_guess_count(game.guesses.len())?;
    let secret = rules.draw_secret(&mut Rng::new(derive_seed(game.seed, &[0])));
    let asked = game.guesses.iter().map(|text| {
        let guess = rules.read_code(text)?;
        let answer = rules.answer(&secret, &guess);
        Ok(GuessFeedback { guess: rules.show_code(&guess), answer })
    });
    let asked: Vec<GuessFeedback> = asked.collect::<Result<_, LabError>>()?;
    let solved = asked.iter().any(|asked| rules.solved(asked.answer));
    let secret = (solved || game.give_up).then(|| rules.show_code(&secret));
    Ok(Json(FeedbackResponse { asked, solved, secret }))
}

/// Rejects too many guesses.
fn check_guess_count(guesses: usize) -> Result<(), LabError> {
    if guesses <= MAX_GUESSES {
        return Ok(());
    }
    let sentence = format!("{guesses} guesses are too many; at most {MAX_GUESSES} are taken");
    Err(LabError::Bad(sentence))
}

/// A request for advice after some guesses and their feedback.
#[derive(Deserialize)]
pub(in crate::lab) struct AdviceRequest {
    #[serde(flatten)]
    sizes: MastermindSize,
    #[serde(default)]
    asked: Vec<AskedGuess>,
    /// Name of the strategy that proposes the next guess; `auto` by default, and empty for no
    /// proposal.
    #[serde(default = "auto")]
    strategy: String,
    /// Number of hints wanted.
    #[serde(default)]
    hints: usize,
    #[serde(default)]
    seed: u64,
}

fn auto() -> String {
    "auto".to_owned()
}

/// A guess and its feedback as text, such as `1123` and `1b2w` (one black peg, two white ones).
#[derive(Deserialize)]
struct AskedGuess {
    guess: String,
    answer: String,
}

/// Data of the event `advice`.
#[derive(Serialize, Default)]
struct AdviceResponse {
    /// Name of the strategy that made the proposal; `None` if no proposal was wanted.
    strategy: Option<&'static str>,
    /// Information that each guess of the request gave.
    asked: Vec<GuessInformation>,
    /// Number of the guess that found the code, from 1; `None` if no guess did.
    found: Option<usize>,
    /// Number of codes consistent with all feedback; `None` where there are too many codes to
    /// count.
    left: Option<usize>,
    /// The first codes that are consistent with all feedback.
    candidates: Vec<String>,
    /// The proposed next guess; `None` if there is no proposal.
    guess: Option<String>,
    /// Expected information of the proposed guess in bits; `None` where there are too many codes.
    bits: Option<f64>,
    /// Whether the proposed guess is consistent with all feedback; `None` where there are too many
    /// codes.
    possible: Option<bool>,
    /// The guesses whose feedback is contradictory; `None` if no contradiction was found.
    conflict: Option<FeedbackConflict>,
    /// Sentence about a contradiction, or that no consistent code was found; `None` for neither.
    sentence: Option<String>,
    /// The most informative guesses, best first; absent where there are too many codes.
    hints: Option<Vec<SuggestedGuess>>,
}

/// Information that a guess of the request gave.
#[derive(Serialize)]
struct GuessInformation {
    /// Number of codes consistent with the feedback of this and all earlier guesses; `None` where
    /// there are too many codes.
    left: Option<usize>,
    /// The information in bits that the guess was expected to give; `None` where there are too many
    /// codes or none was left.
    bits: Option<f64>,
}

/// A hint: an informative guess.
#[derive(Serialize)]
struct SuggestedGuess {
    guess: String,
    /// Expected information of the guess in bits.
    bits: f64,
    /// Whether the guess is consistent with all feedback.
    possible: bool,
}

/// Serves `POST /api/mastermind/advise`. Events: `waiting` while too many searches run, then
/// `advice` or `error`.
pub(in crate::lab) async fn advise(
    State(lab): State<SharedLabState>,
    JsonBody(question): JsonBody<AdviceRequest>,
) -> Result<impl IntoResponse, LabError> {
    let rules = question.sizes.rules()?;
    let asked = question.asked(&rules)?;
    let strategy = question.strategy(&rules)?;
    let shared = lab.clone();
    run_queued(lab, move |task| {
        let advised = shared.breakers.with_breakers(rules, |cache| {
            let mut advice = AdviceResponse::default();
            let set = advice.count(cache, &asked);
            if question.hints > 0 && !task.is_over() {
                advice.hint(cache, &asked, set.as_deref(), question.hints.min(MAX_HINTS));
            }
            if let Some(strategy) = strategy.filter(|_| !task.is_over()) {
                advice.propose(cache, &asked, strategy, question.seed)?;
                advice.rate_proposal(cache, set.as_deref());
            }
            Ok::<AdviceResponse, StrategyError>(advice)
        });
        match advised {
            Ok(advice) => result_event("advice", &advice),
            Err(error) => error_event(error),
        }
    })
}

impl AdviceRequest {
    /// Parses the guesses and their feedback.
    fn asked(&self, rules: &Mastermind) -> Result<Vec<GuessAndFeedback>, LabError> {
        check_guess_count(self.asked.len())?;
        let read = |(said, number): (&AskedGuess, usize)| {
            let numbered = |error| LabError::Bad(format!("guess {number}: {error}"));
            let guess = rules.read_code(&said.guess).map_err(numbered)?;
            Ok((guess, rules.read_answer(&said.answer).map_err(numbered)?))
        };
        self.asked.iter().zip(1..).map(read).collect()
    }

    /// Returns the requested strategy, or `None` if no proposal is wanted; rejects a strategy that
    /// is too slow.
    fn strategy(&self, rules: &Mastermind) -> Result<Option<&'static NamedStrategy>, LabError> {
        if self.strategy.is_empty() {
            return Ok(None);
        }
        let found = strategy(&self.strategy, rules);
        let found = found.map_err(|error| LabError::Unknown(error.to_string()))?;
        if (found.is_fast)(rules) {
            return Ok(Some(found));
        }
        let Mastermind { pegs, colours, .. } = rules;
        let name = found.name;
        Err(LabError::Bad(format!(
            "{name} takes too long for {pegs} pegs of {colours} colours; auto answers in time"
        )))
    }
}

impl AdviceResponse {
    /// Counts the codes consistent with the feedback after each guess, and returns those left after
    /// the last guess; `None` where there are too many codes to list.
    fn count(
        &mut self,
        cache: &BreakerCache,
        asked: &[GuessAndFeedback],
    ) -> Option<Vec<CodeIndex>> {
        let Some(codes) = &cache.codes else {
            self.asked =
                asked.iter().map(|_| GuessInformation { left: None, bits: None }).collect();
            return None;
        };
        let mut set = codes.indices();
        for (guess, answer) in asked {
            let guess = codes.index_of(guess).expect("a guess is a code of the riddle");
            let bits = (!set.is_empty()).then(|| hint(codes, guess, &set).bits);
            let wanted = answer.index(cache.rules.pegs);
            set.retain(|&code| usize::from(codes.feedback(guess, code)) == wanted);
            self.asked.push(GuessInformation { left: Some(set.len()), bits });
        }
        self.left = Some(set.len());
        let first = set.iter().take(MAX_LISTED);
        self.candidates = first.map(|&code| cache.rules.show_code(codes.code(code))).collect();
        Some(set)
    }

    /// Sets the hints to the `count` most informative guesses; `set` holds the codes that are
    /// consistent with all feedback.
    fn hint(
        &mut self,
        cache: &BreakerCache,
        asked: &[GuessAndFeedback],
        set: Option<&[CodeIndex]>,
        count: usize,
    ) {
        let codes = cache.codes.as_ref().filter(|codes| codes.len() <= MAX_HINTED_CODES);
        let (Some(codes), Some(set)) = (codes, set.filter(|set| !set.is_empty())) else { return };
        let shown = |hint: exhaustive::GuessHint| SuggestedGuess {
            guess: cache.rules.show_code(&hint.guess),
            bits: hint.bits,
            possible: hint.possible,
        };
        self.hints = Some(hints(codes, set, asked, count).into_iter().map(shown).collect());
    }

    /// Sets the proposed next guess, or describes the contradiction in the feedback.
    fn propose(
        &mut self,
        cache: &mut BreakerCache,
        asked: &[GuessAndFeedback],
        strategy: &'static NamedStrategy,
        seed: u64,
    ) -> Result<(), StrategyError> {
        self.strategy = Some(strategy.name);
        let rules = cache.rules;
        let (breaker, codes) = cache.breaker(strategy)?;
        breaker.begin(seed);
        match advice::advise(&rules, codes, breaker, asked) {
            Advice::Found(question) => self.found = Some(question + 1),
            Advice::Guess(guess) => self.guess = Some(rules.show_code(&guess)),
            Advice::UncertainGuess(guess) => {
                self.guess = Some(rules.show_code(&guess));
                self.sentence = Some(NO_CODE_FOUND.to_owned());
            }
            Advice::Conflict(conflict) => {
                self.sentence = Some(conflict.to_string());
                self.conflict = Some(conflict);
            }
        }
        Ok(())
    }

    /// Sets the expected information of the proposed guess, and whether it is consistent with all
    /// feedback.
    fn rate_proposal(&mut self, cache: &BreakerCache, set: Option<&[CodeIndex]>) {
        let (Some(codes), Some(set), Some(guess)) = (&cache.codes, set, &self.guess) else {
            return;
        };
        let code = cache.rules.read_code(guess).expect("a code is read as it is shown");
        if let Some(number) = codes.index_of(&code).filter(|_| !set.is_empty()) {
            let hint = hint(codes, number, set);
            (self.bits, self.possible) = (Some(hint.bits), Some(hint.possible));
        }
    }
}

/// Message that accompanies an uncertain proposal: no consistent code was found, but it is not
/// proven that there is none.
const NO_CODE_FOUND: &str =
    "no code was found that fits all answers; they may contradict each other";
