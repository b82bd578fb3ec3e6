//! The game of Mastermind. `answer` gives the feedback for guesses at a code drawn from a seed;
//! `advise` lists the codes left after some feedback and the most informative guesses, proposes the
//! next guess, or names the feedback that is contradictory. Only strategies that take less than a
//! second at this size are offered, so that no search outlives its request by more.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use ludion::random::{Rng, derive_seed};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::GuessAndFeedback;
use ludion::riddles::mastermind::breaker::advice::{self, Advice, FeedbackConflict};
use ludion::riddles::mastermind::breaker::codes::CodeIndex;
use ludion::riddles::mastermind::breaker::exhaustive::{self, hint, hints};
use ludion::riddles::mastermind::breaker::strategy::{BreakerStrategy, StrategyError, strategy};
use ludion::riddles::mastermind::{Mastermind, PegFeedback};
use serde::{Deserialize, Serialize};

use super::MastermindSize;
use super::breaker_cache::BreakerCache;
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{error_event, result_event, run_queued};

/// Most guesses of a game.
const MAX_GUESSES: usize = 100;
/// Most consistent codes that are listed.
const LISTED: usize = 200;
/// Most codes for which hints are computed: each is scored against all codes left.
const HINTED: usize = 100_000;
/// Most hints.
const MAX_HINTS: usize = 20;

/// Guesses at a code that is drawn from the seed.
#[derive(Deserialize)]
pub(in crate::lab) struct FeedbackRequest {
    #[serde(flatten)]
    sizes: MastermindSize,
    #[serde(default)]
    seed: u64,
    guesses: Vec<String>,
    /// Whether to reveal the code.
    #[serde(default)]
    give_up: bool,
}

#[derive(Serialize)]
pub(in crate::lab) struct FeedbackResponse {
    asked: Vec<GuessFeedback>,
    solved: bool,
    /// The code, once it is found or revealed.
    secret: Option<String>,
}

#[derive(Serialize)]
struct GuessFeedback {
    guess: String,
    #[serde(flatten)]
    answer: PegFeedback,
}

/// `POST /api/mastermind/answer`.
pub(in crate::lab) async fn answer(
    JsonBody(game): JsonBody<FeedbackRequest>,
) -> Result<Json<FeedbackResponse>, LabError> {
    let rules = game.sizes.rules()?;
    few(game.guesses.len())?;
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

fn few(guesses: usize) -> Result<(), LabError> {
    if guesses <= MAX_GUESSES {
        return Ok(());
    }
    let sentence = format!("{guesses} guesses are too many; at most {MAX_GUESSES} are taken");
    Err(LabError::Bad(sentence))
}

/// Guesses with their feedback, and what to compute.
#[derive(Deserialize)]
pub(in crate::lab) struct AdviceRequest {
    #[serde(flatten)]
    sizes: MastermindSize,
    #[serde(default)]
    asked: Vec<AskedGuess>,
    /// The strategy; `auto` by default, and no proposal if it is empty.
    #[serde(default = "auto")]
    strategy: String,
    /// Number of hints.
    #[serde(default)]
    hints: usize,
    #[serde(default)]
    seed: u64,
}

fn auto() -> String {
    "auto".to_owned()
}

/// A guess and its feedback, such as `1123` and `1b2w`.
#[derive(Deserialize)]
struct AskedGuess {
    guess: String,
    answer: String,
}

/// The advice.
#[derive(Serialize, Default)]
struct AdviceResponse {
    strategy: Option<&'static str>,
    asked: Vec<GuessInformation>,
    /// Index from 1 of the guess that found the code.
    found: Option<usize>,
    /// Number of codes consistent with all feedback, where it can be counted, and the first of them.
    left: Option<usize>,
    candidates: Vec<String>,
    /// The proposed guess.
    guess: Option<String>,
    /// Its expected information, and whether it can be the code.
    bits: Option<f64>,
    possible: Option<bool>,
    conflict: Option<FeedbackConflict>,
    /// The contradiction as a sentence, or that no code was found.
    sentence: Option<String>,
    /// The most informative guesses; absent where there are too many codes.
    hints: Option<Vec<SuggestedGuess>>,
}

/// What a guess revealed.
#[derive(Serialize)]
struct GuessInformation {
    /// Number of codes consistent with this and all earlier feedback.
    left: Option<usize>,
    /// The guess's expected information.
    bits: Option<f64>,
}

#[derive(Serialize)]
struct SuggestedGuess {
    guess: String,
    bits: f64,
    possible: bool,
}

/// Events: `waiting`, then `advice`.
pub(in crate::lab) async fn advise(
    State(running): State<SharedLabState>,
    JsonBody(question): JsonBody<AdviceRequest>,
) -> Result<impl IntoResponse, LabError> {
    let rules = question.sizes.rules()?;
    let asked = question.asked(&rules)?;
    let strategy = question.strategy(&rules)?;
    let benches = running.clone();
    run_queued(running, move |turn| {
        let advised = benches.benches.work(rules, |bench| {
            let mut advice = AdviceResponse::default();
            let set = advice.count(bench, &asked);
            if question.hints > 0 && !turn.is_over() {
                advice.hint(bench, &asked, set.as_deref(), question.hints.min(MAX_HINTS));
            }
            if let Some(strategy) = strategy.filter(|_| !turn.is_over()) {
                advice.propose(bench, &asked, strategy, question.seed)?;
                advice.judge(bench, set.as_deref());
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
    fn asked(&self, rules: &Mastermind) -> Result<Vec<GuessAndFeedback>, LabError> {
        few(self.asked.len())?;
        let read = |(said, number): (&AskedGuess, usize)| {
            let numbered = |error| LabError::Bad(format!("guess {number}: {error}"));
            let guess = rules.read_code(&said.guess).map_err(numbered)?;
            Ok((guess, rules.read_answer(&said.answer).map_err(numbered)?))
        };
        self.asked.iter().zip(1..).map(read).collect()
    }

    fn strategy(&self, rules: &Mastermind) -> Result<Option<&'static BreakerStrategy>, LabError> {
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
    /// Counts the codes left after each guess, and returns those left now.
    fn count(
        &mut self,
        bench: &BreakerCache,
        asked: &[GuessAndFeedback],
    ) -> Option<Vec<CodeIndex>> {
        let Some(codes) = &bench.codes else {
            self.asked =
                asked.iter().map(|_| GuessInformation { left: None, bits: None }).collect();
            return None;
        };
        let mut set = codes.indices();
        for (guess, answer) in asked {
            let guess = codes.index_of(guess).expect("a guess is a code of the riddle");
            let bits = (!set.is_empty()).then(|| hint(codes, guess, &set).bits);
            let wanted = answer.index(bench.rules.pegs);
            set.retain(|&code| usize::from(codes.feedback(guess, code)) == wanted);
            self.asked.push(GuessInformation { left: Some(set.len()), bits });
        }
        self.left = Some(set.len());
        let first = set.iter().take(LISTED);
        self.candidates = first.map(|&code| bench.rules.show_code(codes.code(code))).collect();
        Some(set)
    }

    /// Returns the most informative guesses.
    fn hint(
        &mut self,
        bench: &BreakerCache,
        asked: &[GuessAndFeedback],
        set: Option<&[CodeIndex]>,
        count: usize,
    ) {
        let codes = bench.codes.as_ref().filter(|codes| codes.len() <= HINTED);
        let (Some(codes), Some(set)) = (codes, set.filter(|set| !set.is_empty())) else { return };
        let shown = |hint: exhaustive::GuessHint| SuggestedGuess {
            guess: bench.rules.show_code(&hint.guess),
            bits: hint.bits,
            possible: hint.possible,
        };
        self.hints = Some(hints(codes, set, asked, count).into_iter().map(shown).collect());
    }

    /// Proposes the next guess, or describes the contradiction.
    fn propose(
        &mut self,
        bench: &mut BreakerCache,
        asked: &[GuessAndFeedback],
        strategy: &'static BreakerStrategy,
        seed: u64,
    ) -> Result<(), StrategyError> {
        self.strategy = Some(strategy.name);
        let rules = bench.rules;
        let (breaker, codes) = bench.breaker(strategy)?;
        breaker.begin(seed);
        match advice::advise(&rules, codes, breaker, asked) {
            Advice::Found(question) => self.found = Some(question + 1),
            Advice::Guess(guess) => self.guess = Some(rules.show_code(&guess)),
            Advice::UncertainGuess(guess) => {
                self.guess = Some(rules.show_code(&guess));
                self.sentence = Some(DOUBT.to_owned());
            }
            Advice::Conflict(conflict) => {
                self.sentence = Some(conflict.to_string());
                self.conflict = Some(conflict);
            }
        }
        Ok(())
    }

    /// Computes the expected information of the proposed guess.
    fn judge(&mut self, bench: &BreakerCache, set: Option<&[CodeIndex]>) {
        let (Some(codes), Some(set), Some(guess)) = (&bench.codes, set, &self.guess) else {
            return;
        };
        let code = bench.rules.read_code(guess).expect("a code is read as it is shown");
        if let Some(number) = codes.index_of(&code).filter(|_| !set.is_empty()) {
            let hint = hint(codes, number, set);
            (self.bits, self.possible) = (Some(hint.bits), Some(hint.possible));
        }
    }
}

/// The message where a contradiction is not proven.
const DOUBT: &str = "no code was found that fits all answers; they may contradict each other";
