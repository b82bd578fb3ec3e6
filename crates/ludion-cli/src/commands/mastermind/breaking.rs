//! `ludion mastermind break`: measures the number of guesses that a strategy needs, over all
//! secrets or a random sample; or shows one game.

use std::time::{Duration, Instant};

use clap::Args;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::strategy::{NamedStrategy, STRATEGIES, strategy};
use ludion::riddles::mastermind::{Code, Mastermind};
use serde::Serialize;

use super::games::{GuessHistogram, SecretCodes, play, play_all};
use super::sizes::{AskedReport, SizeArgs, board, guesses, left, said, spec};
use super::trees::PreparedStrategy;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::runs::StoreArgs;
use crate::table::words;

/// Measure a strategy over all codes or a sample, or watch it find one
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
pub(crate) struct BreakArgs {
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    store: StoreArgs,
    /// The strategy: a name that --strategies lists; auto takes the best that answers in time
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// Find this code and show the guesses
    #[arg(long, value_name = "CODE", conflicts_with = "games")]
    secret: Option<String>,
    /// Secrets drawn at random, or all [default: all if there are at most 40000, else 500]
    #[arg(long, value_name = "N|all", value_parser = games)]
    games: Option<BreakGames>,
    /// With the strategy optimal: find every code within this many guesses
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    worst: Option<u16>,
    /// List the strategies
    #[arg(long, conflicts_with_all = ["secret", "games", "worst"])]
    strategies: bool,
}

#[derive(Clone, Copy)]
enum BreakGames {
    All,
    Some(usize),
}

fn games(text: &str) -> Result<BreakGames, String> {
    if text == "all" {
        return Ok(BreakGames::All);
    }
    let number = text.parse().ok().filter(|games| (1..=100_000_000).contains(games));
    number.map(BreakGames::Some).ok_or_else(|| "all, or a number from 1 to 100000000".to_owned())
}

/// Largest number of codes that are all tried by default.
const ALL: u128 = 40_000;
/// Largest number of codes that can all be tried on request.
const MOST: u128 = 1 << 20;
/// Default number of random secrets if there are more codes than `ALL`.
const SAMPLE: usize = 500;

impl BreakArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let rules = self.sizes.rules()?;
        if self.strategies {
            return context.output.report(&StrategiesReport::of(&rules));
        }
        let began = Instant::now();
        let worst = self.worst.map(usize::from);
        let secret = self.secret.as_ref().map(|text| rules.read_code(text)).transpose()?;
        let method = PreparedStrategy::new(rules, &self.strategy, worst, context, &self.store)?;
        match secret {
            Some(secret) => show(&method, context, &secret),
            None => measure(&method, context, self.games, began),
        }
    }
}

fn show(
    method: &PreparedStrategy,
    context: &CommandContext,
    secret: &Code,
) -> Result<(), CommandFailure> {
    let rules = &method.rules;
    let codes = CodeTable::new(rules).ok();
    let game = play(rules, &mut *method.breaker()?, secret, context.seed)?;
    if !game.asked.last().is_some_and(|(_, answer)| rules.solved(*answer)) {
        let asked = guesses(game.asked.len());
        return Err(CommandFailure::Stopped(format!(
            "stopped after {asked}; the code was not found"
        )));
    }
    context.output.report(&BreakGameReport {
        riddle: spec(rules),
        strategy: method.strategy.name,
        secret: rules.show_code(secret),
        guesses: game.asked.len(),
        asked: said(rules, codes.as_ref(), &game.asked),
        slowest_guess: game.slowest.as_secs_f64(),
        picture: board(rules, &game.asked),
    })
}

fn measure(
    method: &PreparedStrategy,
    context: &CommandContext,
    games: Option<BreakGames>,
    began: Instant,
) -> Result<(), CommandFailure> {
    let size = method.rules.size();
    let games = games.unwrap_or(match size {
        Some(size) if size <= ALL => BreakGames::All,
        _ => BreakGames::Some(SAMPLE),
    });
    let secrets = match games {
        BreakGames::Some(games) => SecretCodes::Drawn(games),
        BreakGames::All if size.is_none_or(|size| size > MOST) => {
            let what = "there are too many codes to try all; say how many with --games N";
            return Err(CommandFailure::Usage(what.to_owned()));
        }
        BreakGames::All => SecretCodes::All(method.rules.codes().collect()),
    };
    let whole = match &secrets {
        SecretCodes::All(_) => method.tree(context)?,
        SecretCodes::Drawn(_) => None,
    };
    let (found, slowest) = match whole {
        Some(tree) => (tree.codes_by_depth().to_vec(), None),
        None => {
            let results = play_all(method, context, &secrets)?;
            (results.found, Some(results.slowest))
        }
    };
    let sampled = matches!(secrets, SecretCodes::Drawn(_));
    let (found, seed, seconds) =
        (GuessHistogram(found), context.seed, began.elapsed().as_secs_f64());
    let (games, wanted) = (found.games(), secrets.len() as u64);
    let stopped = || CommandFailure::Stopped(format!("stopped after {games} of {wanted} games"));
    if games == 0 {
        return Err(stopped());
    }
    context.output.report(&StrategyReport {
        riddle: spec(&method.rules),
        strategy: method.strategy.name,
        sampled,
        seed,
        games,
        wanted,
        total: found.total(),
        mean: found.mean(),
        error: (sampled && found.games() > 1)
            .then(|| 1.96 * (found.variance() / found.games() as f64).sqrt()),
        worst: found.0.len(),
        seconds,
        seconds_a_guess: seconds / found.total() as f64,
        slowest_guess: slowest.map(|slowest| slowest.as_secs_f64()),
        distribution: found.0,
    })?;
    if games < wanted { Err(stopped()) } else { Ok(()) }
}

/// Numbers of guesses that a strategy needed.
#[derive(Serialize)]
struct StrategyReport {
    riddle: String,
    strategy: &'static str,
    /// Whether the secrets are a random sample; otherwise they are all codes.
    sampled: bool,
    seed: u64,
    games: u64,
    /// Number of games requested; more than `games` if the measurement was stopped.
    wanted: u64,
    total: u64,
    mean: f64,
    /// Half the width of the 95 % interval of the mean, for a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    worst: usize,
    /// Numbers of games that took one guess, two guesses, and so on.
    distribution: Vec<u64>,
    seconds: f64,
    seconds_a_guess: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest_guess: Option<f64>,
}

impl CommandReport for StrategyReport {
    fn text(&self) -> String {
        let codes = plural(self.games, if self.sampled { "drawn code" } else { "code" });
        let which = match (self.games < self.wanted, self.sampled) {
            (true, _) => format!("{codes} of {}", self.wanted),
            (false, true) => codes,
            (false, false) => format!("{codes}, all there are"),
        };
        // Large codes take many guesses, so leading rows of zeros are omitted.
        let first = self.distribution.iter().position(|&games| games > 0).unwrap_or(0);
        let rows = self.distribution.iter().zip(1..).skip(first).map(|(games, guesses)| {
            let share = *games as f64 / self.games as f64;
            let bar = "█".repeat((share * 40.0).round() as usize);
            vec![guesses.to_string(), games.to_string(), format!("{:.1} %", share * 100.0), bar]
        });
        let error = self.error.map_or(String::new(), |error| format!(" ± {error:.4}"));
        let slowest = self.slowest_guess.map_or(String::new(), |slowest| {
            format!(", the slowest guess {}", time(Duration::from_secs_f64(slowest)))
        });
        format!(
            "{}: {}, {which}\n\n{}\ntotal {}, mean {}{error}, worst {}\n{}\n",
            paint(LOUD, &self.riddle),
            self.strategy,
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

/// Report of one game.
#[derive(Serialize)]
struct BreakGameReport {
    riddle: String,
    strategy: &'static str,
    secret: String,
    guesses: usize,
    asked: Vec<AskedReport>,
    slowest_guess: f64,
    #[serde(skip)]
    picture: String,
}

impl CommandReport for BreakGameReport {
    fn text(&self) -> String {
        let name = paint(LOUD, &self.riddle);
        let mut text = format!("{name}: {}\n\n{}\n", self.strategy, self.picture);
        for (said, number) in self.asked.iter().zip(1..) {
            if let Some(count) = said.left {
                text += &format!("  after {number:>2}: {}\n", left(count));
            }
        }
        let found = format!("{} in {}", self.secret, guesses(self.guesses));
        text + &format!("found {}\n", paint(LOUD, &found))
    }
}

/// Report with the list of strategies.
#[derive(Serialize)]
struct StrategiesReport {
    riddle: String,
    auto: Option<&'static str>,
    strategies: Vec<StrategyLine>,
}

#[derive(Serialize)]
struct StrategyLine {
    name: &'static str,
    help: &'static str,
    most_codes: Option<usize>,
}

impl StrategiesReport {
    fn of(rules: &Mastermind) -> Self {
        let line = |s: &NamedStrategy| StrategyLine {
            name: s.name,
            help: s.help,
            most_codes: s.max_codes,
        };
        StrategiesReport {
            riddle: spec(rules),
            auto: strategy("auto", rules).ok().map(|strategy| strategy.name),
            strategies: STRATEGIES.iter().map(line).collect(),
        }
    }
}

impl CommandReport for StrategiesReport {
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
