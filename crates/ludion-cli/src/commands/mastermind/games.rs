//! Many games of a strategy on all threads, and how many guesses they took.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ludion::random::{Rng, derive_seed};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::{Asked, Breaker, NoCodeLeft};
use ludion::riddles::mastermind::{Code, Mastermind};

use super::trees::Method;
use crate::Context;
use crate::contest::interrupt;
use crate::failure::Failure;
use crate::progress::Progress;

/// Which codes are to be found.
pub(super) enum Secrets {
    All(Vec<Code>),
    Drawn(usize),
}

impl Secrets {
    pub(super) fn len(&self) -> usize {
        match self {
            Secrets::All(codes) => codes.len(),
            Secrets::Drawn(games) => *games,
        }
    }

    fn get(&self, rules: &Mastermind, seed: u64, number: usize) -> Code {
        match self {
            Secrets::All(codes) => codes[number].clone(),
            Secrets::Drawn(_) => {
                rules.draw_secret(&mut Rng::new(derive_seed(seed, &[number as u64, 0])))
            }
        }
    }
}

/// A game.
pub(super) struct Game {
    pub(super) asked: Vec<Asked>,
    /// The time of the slowest guess.
    pub(super) slowest: Duration,
}

/// Plays a game, to its end unless somebody asks to stop.
pub(super) fn play(
    rules: &Mastermind,
    breaker: &mut dyn Breaker,
    secret: &Code,
    seed: u64,
) -> Result<Game, NoCodeLeft> {
    breaker.begin(seed);
    let mut game = Game { asked: Vec::new(), slowest: Duration::ZERO };
    loop {
        let began = Instant::now();
        let guess = breaker.guess(&game.asked)?;
        game.slowest = game.slowest.max(began.elapsed());
        let answer = rules.answer(secret, &guess);
        game.asked.push((guess, answer));
        // Somebody who asks to stop does not wait for the end of a long game.
        if rules.solved(answer) || interrupt::flag().load(Ordering::Relaxed) {
            return Ok(game);
        }
    }
}

/// What came of games so far.
#[derive(Default)]
pub(super) struct Results {
    /// Games that took one guess, two, ….
    pub(super) found: Vec<u64>,
    /// The time of the slowest guess.
    pub(super) slowest: Duration,
}

impl Results {
    fn count(&mut self, game: &Game) {
        let guesses = game.asked.len();
        if self.found.len() < guesses {
            self.found.resize(guesses, 0);
        }
        self.found[guesses - 1] += 1;
        self.slowest = self.slowest.max(game.slowest);
    }
}

/// Finds every secret, or those there was time for before somebody asked to stop. What comes of a game follows from its number and the seed alone.
pub(super) fn play_all(
    method: &Method,
    context: &Context,
    secrets: &Secrets,
) -> Result<Results, Failure> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((Results::default(), Progress::new(!context.output.json)));
    let work = || -> Result<(), Failure> {
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
            let mut shared = shared.lock().expect("nobody panics while counting");
            let (results, progress) = &mut *shared;
            results.count(&game);
            let found = Found(results.found.clone());
            progress.show(found.games(), secrets.len() as u64, || {
                format!("{:.3} guesses", found.mean())
            });
        }
    };
    let outcome = std::thread::scope(|scope| {
        let others: Vec<_> = (1..context.threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let ends = others.into_iter().map(|other| other.join().expect("no thread panics"));
        ends.fold(own, Result::and)
    });
    let (results, mut progress) = shared.into_inner().expect("nobody panicked");
    progress.clear();
    outcome.map(|()| results)
}

/// Games that took one guess, two, ….
pub(super) struct Found(pub(super) Vec<u64>);

impl Found {
    pub(super) fn games(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().zip(1..).map(|(games, guesses)| games * guesses).sum()
    }

    pub(super) fn mean(&self) -> f64 {
        self.total() as f64 / self.games() as f64
    }

    /// The variance of the guesses of a game.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        let square =
            |(&games, guesses): (&u64, u32)| games as f64 * (f64::from(guesses) - mean).powi(2);
        let squares: f64 = self.0.iter().zip(1..).map(square).sum();
        squares / (self.games().max(2) - 1) as f64
    }
}
