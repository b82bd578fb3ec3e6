//! Plays many games of a strategy on all threads and counts the guesses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ludion::random::{Rng, derive_seed};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use ludion::riddles::mastermind::{Code, Mastermind};
use ludion::threads::with_helpers;

use super::trees::PreparedStrategy;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::runs::interrupt;

/// Secrets to find: all codes, or a number of random ones.
pub(super) enum SecretCodes {
    All(Vec<Code>),
    Drawn(usize),
}

impl SecretCodes {
    pub(super) fn len(&self) -> usize {
        match self {
            SecretCodes::All(codes) => codes.len(),
            SecretCodes::Drawn(games) => *games,
        }
    }

    fn get(&self, rules: &Mastermind, seed: u64, number: usize) -> Code {
        match self {
            SecretCodes::All(codes) => codes[number].clone(),
            SecretCodes::Drawn(_) => {
                rules.draw_secret(&mut Rng::new(derive_seed(seed, &[number as u64, 0])))
            }
        }
    }
}

/// Guesses and feedback of one game.
pub(super) struct BreakGame {
    pub(super) asked: Vec<GuessAndFeedback>,
    /// Time of the slowest guess.
    pub(super) slowest: Duration,
}

/// Plays a game until the secret is found or Ctrl-C is pressed.
pub(super) fn play(
    rules: &Mastermind,
    breaker: &mut dyn CodeBreaker,
    secret: &Code,
    seed: u64,
) -> Result<BreakGame, NoCodeLeftError> {
    breaker.begin(seed);
    let mut game = BreakGame { asked: Vec::new(), slowest: Duration::ZERO };
    loop {
        let began = Instant::now();
        let guess = breaker.guess(&game.asked)?;
        game.slowest = game.slowest.max(began.elapsed());
        let answer = rules.answer(secret, &guess);
        game.asked.push((guess, answer));
        // Ctrl-C does not wait for the end of a long game.
        if rules.solved(answer) || interrupt::flag().load(Ordering::Relaxed) {
            return Ok(game);
        }
    }
}

/// Sums over the games so far.
#[derive(Default)]
pub(super) struct BreakResults {
    /// Numbers of games that took one guess, two guesses, and so on.
    pub(super) found: Vec<u64>,
    /// Time of the slowest guess of all games.
    pub(super) slowest: Duration,
}

impl BreakResults {
    fn count(&mut self, game: &BreakGame) {
        let guesses = game.asked.len();
        if self.found.len() < guesses {
            self.found.resize(guesses, 0);
        }
        self.found[guesses - 1] += 1;
        self.slowest = self.slowest.max(game.slowest);
    }
}

/// Plays a game for every secret, or until Ctrl-C. The result of a game depends only on its number
/// and the seed.
pub(super) fn play_all(
    method: &PreparedStrategy,
    context: &CommandContext,
    secrets: &SecretCodes,
) -> Result<BreakResults, CommandFailure> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new(BreakResults::default());
    let progress = context.progress("games");
    progress.update(0, Some(secrets.len() as u64), String::new);
    let failure = Mutex::new(None);
    let play_some = || -> Result<(), CommandFailure> {
        let mut breaker = method.breaker()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= secrets.len() || interrupt::flag().load(Ordering::Relaxed) {
                return Ok(());
            }
            let secret = secrets.get(&method.rules, context.seed, number);
            let seed = derive_seed(context.seed, &[number as u64, 1]);
            let game = play(&method.rules, &mut *breaker, &secret, seed)?;
            if !game.asked.last().is_some_and(|(_, answer)| method.rules.solved(*answer)) {
                return Ok(());
            }
            let mut results = shared.lock().expect("no thread panics while it counts");
            results.count(&game);
            let found = GuessHistogram(results.found.clone());
            progress.update(found.games(), Some(secrets.len() as u64), || {
                format!("{:.3} guesses", found.mean())
            });
        }
    };
    let work = |_| {
        if let Err(error) = play_some() {
            *failure.lock().expect("no thread panics while it fails") = Some(error);
        }
    };
    with_helpers(context.threads.saturating_sub(1), &work, &mut |_| work(0));
    progress.finish();
    let results = shared.into_inner().expect("no thread panicked");
    failure.into_inner().expect("no thread panicked").map_or(Ok(results), Err)
}

/// Numbers of games that took one guess, two guesses, and so on.
pub(super) struct GuessHistogram(pub(super) Vec<u64>);

impl GuessHistogram {
    pub(super) fn games(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().zip(1..).map(|(games, guesses)| games * guesses).sum()
    }

    pub(super) fn mean(&self) -> f64 {
        self.total() as f64 / self.games() as f64
    }

    /// Returns the sample variance of the number of guesses in a game.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        let square =
            |(&games, guesses): (&u64, u32)| games as f64 * (f64::from(guesses) - mean).powi(2);
        let squares: f64 = self.0.iter().zip(1..).map(square).sum();
        squares / (self.games().max(2) - 1) as f64
    }
}
