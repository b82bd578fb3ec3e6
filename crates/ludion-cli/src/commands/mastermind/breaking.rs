//! `ludion mastermind break`: how many guesses a strategy takes, over all secrets or over drawn
//! ones; or one game of it, move by move.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use ludion::random::{Rng, derive_seed};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::codes::Codes;
use ludion::riddles::mastermind::breaker::listed::Listed;
use ludion::riddles::mastermind::breaker::optimal::optimal;
use ludion::riddles::mastermind::breaker::strategy::{
    STRATEGIES, Strategy, StrategyError, strategy,
};
use ludion::riddles::mastermind::breaker::tree::Tree;
use ludion::riddles::mastermind::breaker::{Asked, Breaker, NoCodeLeft};
use ludion::riddles::mastermind::{Code, Mastermind};
use serde::Serialize;

use super::sizes::{Said, Sizes, board, guesses, left, said, spec};
use crate::Context;
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, paint, time};
use crate::progress::Progress;
use crate::table::words;

/// Measure a strategy over all codes or some, or watch it find one
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind break                           all 1296 codes, the best way
  ludion mastermind break --strategy minimax --json
  ludion mastermind break --worst 5                 the best way that never takes six
  ludion mastermind break --strategy random --games 200 --seed 3
  ludion mastermind break --secret 3662             one game, move by move
  ludion mastermind break --pegs 3 --colours 8 --no-repeats --strategy entropy
  ludion mastermind break --strategies")]
pub(crate) struct Break {
    #[command(flatten)]
    sizes: Sizes,
    /// How to guess: a name that --strategies lists; auto takes the best that answers in time
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// Find this code and show how
    #[arg(long, value_name = "CODE", conflicts_with = "games")]
    secret: Option<String>,
    /// Secrets drawn at random, or all [default: all where there are at most 40000, else 500]
    #[arg(long, value_name = "N|all", value_parser = games)]
    games: Option<Games>,
    /// Of optimal: find every code within so many guesses
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    worst: Option<u16>,
    /// List the strategies
    #[arg(long, conflicts_with_all = ["secret", "games", "worst"])]
    strategies: bool,
}

#[derive(Clone, Copy)]
enum Games {
    All,
    Some(usize),
}

fn games(text: &str) -> Result<Games, String> {
    if text == "all" {
        return Ok(Games::All);
    }
    let number = text.parse().ok().filter(|games| (1..=100_000_000).contains(games));
    number.map(Games::Some).ok_or_else(|| "all, or a number from 1 to 100000000".to_owned())
}

/// Most codes that are all tried when nobody says how many.
const ALL: u128 = 40_000;
/// Most codes that are all tried when somebody wants that.
const MOST: u128 = 1 << 20;
/// Games when there are more codes.
const SAMPLE: usize = 500;

impl Break {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let rules = self.sizes.rules()?;
        if self.strategies {
            return context.output.report(&Strategies::of(&rules));
        }
        let name = if self.worst.is_some() && self.strategy == "auto" {
            "optimal"
        } else {
            &self.strategy
        };
        let strategy = strategy(name, &rules)?;
        if self.worst.is_some() && strategy.name != "optimal" {
            let what = format!("--worst is for optimal, not for {}", strategy.name);
            return Err(Failure::Usage(what));
        }
        let method = Method { rules, strategy, worst: self.worst.map(usize::from) };
        match &self.secret {
            Some(secret) => method.show(context, rules.read_code(secret)?),
            None => method.measure(context, self.games),
        }
    }
}

/// A strategy at a riddle.
struct Method {
    rules: Mastermind,
    strategy: &'static Strategy,
    worst: Option<usize>,
}

impl Method {
    /// All its games at once, if there is such a thing.
    fn tree(&self, threads: usize) -> Option<Result<Tree, StrategyError>> {
        match self.worst {
            Some(_) => Some(optimal(&self.rules, self.worst, threads).map_err(Into::into)),
            None => self.strategy.tree.map(|tree| tree(&self.rules, threads)),
        }
    }

    /// What makes breakers; the best tree is found once for all of them.
    fn maker(&self, threads: usize) -> Result<Maker, Failure> {
        let planned = self.strategy.name == "optimal";
        let tree = if planned { self.tree(threads).transpose()? } else { None };
        Ok(match tree {
            Some(tree) => Box::new(move || Ok(Box::new(Listed::planned(tree.clone())))),
            None => {
                let (build, rules) = (self.strategy.build, self.rules);
                Box::new(move || build(&rules))
            }
        })
    }

    fn show(&self, context: &Context, secret: Code) -> Result<(), Failure> {
        let codes = Codes::list(&self.rules).ok();
        let mut breaker = self.maker(context.threads)?()?;
        let began = Instant::now();
        let game = play(&self.rules, &mut *breaker, &secret, context.seed)?;
        let answer = Shown {
            riddle: spec(&self.rules),
            strategy: self.strategy.name,
            secret: self.rules.show_code(&secret),
            guesses: game.asked.len(),
            asked: said(&self.rules, codes.as_ref(), &game.asked),
            seconds: began.elapsed().as_secs_f64(),
            picture: board(&self.rules, &game.asked),
            lefts: (0..game.asked.len())
                .map(|i| codes.as_ref().map(|codes| codes.fitting(&game.asked[..=i]).len()))
                .collect(),
        };
        context.output.report(&answer)
    }

    fn measure(&self, context: &Context, games: Option<Games>) -> Result<(), Failure> {
        let size = self.rules.size();
        let few = size.is_some_and(|size| size <= ALL);
        let began = Instant::now();
        let (found, slowest, sampled) = match games {
            Some(Games::Some(games)) => {
                let (found, slowest) = self.sampled(context, Secrets::Drawn(games))?;
                (found, Some(slowest), true)
            }
            None if !few => {
                let (found, slowest) = self.sampled(context, Secrets::Drawn(SAMPLE))?;
                (found, Some(slowest), true)
            }
            _ if size.is_none_or(|size| size > MOST) => {
                let what = "there are too many codes to try all; say how many with --games N";
                return Err(Failure::Usage(what.to_owned()));
            }
            _ => match self.tree(context.threads) {
                Some(tree) => (tree?.found().to_vec(), None, false),
                None => {
                    let codes = self.rules.codes().collect();
                    let (found, slowest) = self.sampled(context, Secrets::All(codes))?;
                    (found, Some(slowest), false)
                }
            },
        };
        let seed = (sampled || self.strategy.tree.is_none()).then_some(context.seed);
        context.output.report(&Measured::new(self, found, slowest, sampled, seed, began.elapsed()))
    }

    /// How many of the secrets were found by the first guess, the second, …; and the slowest move.
    fn sampled(
        &self,
        context: &Context,
        secrets: Secrets,
    ) -> Result<(Vec<u64>, Duration), Failure> {
        let maker = self.maker(context.threads)?;
        let (next, games) = (AtomicUsize::new(0), secrets.len());
        let results = Mutex::new(Results { found: Vec::new(), slowest: Duration::ZERO, done: 0 });
        let progress = Mutex::new(Progress::new(!context.output.json));
        let work = || -> Result<(), Failure> {
            let mut breaker = maker()?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games {
                    return Ok(());
                }
                let secret = secrets.get(&self.rules, context.seed, number);
                let seed = derive_seed(context.seed, &[number as u64, 1]);
                let game = play(&self.rules, &mut *breaker, &secret, seed)?;
                let mut results = results.lock().expect("nobody panics while counting");
                results.count(&game);
                let mut progress = progress.lock().expect("nobody panics while drawing");
                progress.show(results.done, games as u64, || format!("{:.3}", results.mean()));
            }
        };
        let outcome = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..context.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let ended = |helper: std::thread::ScopedJoinHandle<'_, _>| {
                helper.join().expect("no thread panics")
            };
            helpers.into_iter().map(ended).fold(own, Result::and)
        });
        progress.into_inner().expect("nobody panicked").clear();
        outcome?;
        let results = results.into_inner().expect("nobody panicked");
        Ok((results.found, results.slowest))
    }
}

type Maker = Box<dyn Fn() -> Result<Box<dyn Breaker>, StrategyError> + Sync>;

/// Which codes are to be found.
enum Secrets {
    All(Vec<Code>),
    Drawn(usize),
}

impl Secrets {
    fn len(&self) -> usize {
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

/// A game to its end.
struct Game {
    asked: Vec<Asked>,
    slowest: Duration,
}

fn play(
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
        if rules.solved(answer) {
            return Ok(game);
        }
    }
}

/// What came of games so far.
struct Results {
    found: Vec<u64>,
    slowest: Duration,
    done: u64,
}

impl Results {
    fn count(&mut self, game: &Game) {
        let guesses = game.asked.len();
        if self.found.len() < guesses {
            self.found.resize(guesses, 0);
        }
        self.found[guesses - 1] += 1;
        self.slowest = self.slowest.max(game.slowest);
        self.done += 1;
    }

    fn mean(&self) -> f64 {
        total(&self.found) as f64 / self.done.max(1) as f64
    }
}

fn total(found: &[u64]) -> u64 {
    found.iter().zip(1..).map(|(games, guesses)| games * guesses).sum()
}

/// What a strategy takes.
#[derive(Serialize)]
struct Measured {
    riddle: String,
    strategy: &'static str,
    /// Whether the secrets were drawn; else they are all.
    sampled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    games: u64,
    total: u64,
    mean: f64,
    /// Half the width of the mean's 95 % interval, of drawn secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    worst: usize,
    /// Games that took one guess, two, ….
    distribution: Vec<u64>,
    seconds: f64,
    seconds_a_guess: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest_guess: Option<f64>,
}

impl Measured {
    fn new(
        method: &Method,
        found: Vec<u64>,
        slowest: Option<Duration>,
        sampled: bool,
        seed: Option<u64>,
        spent: Duration,
    ) -> Self {
        let (games, total) = (found.iter().sum::<u64>(), total(&found));
        let mean = total as f64 / games as f64;
        let squares = found
            .iter()
            .zip(1..)
            .map(|(&games, guesses)| games as f64 * (f64::from(guesses) - mean).powi(2));
        let variance = squares.sum::<f64>() / (games.max(2) - 1) as f64;
        Measured {
            riddle: spec(&method.rules),
            strategy: method.strategy.name,
            sampled,
            seed,
            games,
            total,
            mean,
            error: sampled.then(|| 1.96 * (variance / games as f64).sqrt()),
            worst: found.len(),
            distribution: found,
            seconds: spent.as_secs_f64(),
            seconds_a_guess: spent.as_secs_f64() / total as f64,
            slowest_guess: slowest.map(|slowest| slowest.as_secs_f64()),
        }
    }
}

impl Report for Measured {
    fn text(&self) -> String {
        let which = if self.sampled { "drawn codes" } else { "codes, all there are" };
        let rows = self.distribution.iter().zip(1..).map(|(games, guesses)| {
            let share = *games as f64 / self.games as f64;
            let bar = "█".repeat((share * 40.0).round() as usize);
            vec![guesses.to_string(), games.to_string(), format!("{:.1} %", share * 100.0), bar]
        });
        let error = self.error.map_or(String::new(), |error| format!(" ± {error:.4}"));
        let slowest = self.slowest_guess.map_or(String::new(), |slowest| {
            format!(", the slowest guess {}", time(Duration::from_secs_f64(slowest)))
        });
        format!(
            "{}: {}, {} {which}\n\n{}\ntotal {}, mean {}{error}, worst {}\n{}\n",
            paint(LOUD, &self.riddle),
            self.strategy,
            self.games,
            words(&["guesses", "codes", "share", ""], rows),
            self.total,
            paint(LOUD, &format!("{:.4}", self.mean)),
            self.worst,
            paint(
                QUIET,
                &format!(
                    "{}, {} a guess{slowest}",
                    time(Duration::from_secs_f64(self.seconds)),
                    time(Duration::from_secs_f64(self.seconds_a_guess))
                )
            ),
        )
    }
}

/// One game.
#[derive(Serialize)]
struct Shown {
    riddle: String,
    strategy: &'static str,
    secret: String,
    guesses: usize,
    asked: Vec<Said>,
    seconds: f64,
    #[serde(skip)]
    picture: String,
    #[serde(skip)]
    lefts: Vec<Option<usize>>,
}

impl Report for Shown {
    fn text(&self) -> String {
        let mut text =
            format!("{}: {}\n\n{}\n", paint(LOUD, &self.riddle), self.strategy, self.picture);
        for (number, count) in self.lefts.iter().enumerate() {
            if let Some(count) = count {
                text += &format!("  after {:>2}: {}\n", number + 1, left(*count));
            }
        }
        let found = format!("{} in {}", self.secret, guesses(self.guesses));
        text + &format!("found {}\n", paint(LOUD, &found))
    }
}

/// The strategies of the table.
#[derive(Serialize)]
struct Strategies {
    riddle: String,
    auto: Option<&'static str>,
    strategies: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    help: &'static str,
    most_codes: Option<usize>,
}

impl Strategies {
    fn of(rules: &Mastermind) -> Self {
        let line = |s: &Strategy| Line { name: s.name, help: s.help, most_codes: s.most_codes };
        Strategies {
            riddle: spec(rules),
            auto: strategy("auto", rules).ok().map(|strategy| strategy.name),
            strategies: STRATEGIES.iter().map(line).collect(),
        }
    }
}

impl Report for Strategies {
    fn text(&self) -> String {
        let rows = self.strategies.iter().map(|line| {
            let most = line.most_codes.map_or("any".to_owned(), |most| most.to_string());
            vec![line.name.to_owned(), most, line.help.to_owned()]
        });
        let table = words(&["strategy", "most codes", "guesses"], rows);
        let auto = self.auto.unwrap_or("none of them");
        format!("{table}\nauto at {}: {auto}\n", self.riddle)
    }
}
