//! `ludion bench`: measures random games and perft nodes per second of each game, on one thread.
//! Each rate is the median of several measurements, with its range.

use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::Args;
use ludion::random::derive_seed;
use ludion::registry::AnyPosition;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, rate};
use crate::table::figures;

/// Measure random games and perft nodes a second, on one thread
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion bench                         every game
  ludion bench connect4 tictactoe
  ludion bench connect4 --seconds 2 --json")]
pub(crate) struct BenchArgs {
    /// The games to measure [default: all]
    games: Vec<String>,
    /// Seconds to measure for each rate
    #[arg(long, value_name = "S", default_value_t = 0.3, value_parser = seconds)]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|v| (0.001..=600.0).contains(v));
    value.ok_or_else(|| "a number from 0.001 to 600 is wanted".to_owned())
}

/// Number of repeated measurements for each rate.
const SLICES: usize = 5;
/// Number of rates that are measured for each game.
const RATES: usize = 3;

#[derive(Serialize)]
struct BenchReport {
    seconds: f64,
    slices: usize,
    threads: usize,
    games: Vec<GameSpeeds>,
}

#[derive(Serialize)]
struct GameSpeeds {
    game: String,
    /// Random games per second, in batches if the game supports them.
    playouts: Rate,
    /// Random games per second, one after the other.
    playouts_one_by_one: Rate,
    /// Leaf nodes per second of a perft with depth `perft_depth`.
    perft: Rate,
    perft_depth: u32,
}

/// Rate per second: median, lowest and highest of the measurements.
#[derive(Serialize)]
struct Rate {
    median: f64,
    lowest: f64,
    highest: f64,
}

impl BenchArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let all = || context.registry.games().iter().map(|entry| entry.name.to_string()).collect();
        let names = if self.games.is_empty() { all() } else { self.games.clone() };
        // All names are checked before anything is measured.
        let games: Result<Vec<_>, _> = names.iter().map(|n| context.registry.game(n)).collect();
        let slice = self.seconds / SLICES as f64;
        let (games, progress) = (games?, context.progress("rates"));
        let total = (RATES * games.len()) as u64;
        let whole = Duration::from_secs_f64(self.seconds * total as f64);
        let each = self.seconds;
        progress.expect(whole, format!("{total} rates, {each} s each, and some to begin with"));
        progress.update(0, Some(total), String::new);
        let measured = games.into_iter().enumerate().map(|(number, game)| {
            let tell = |done: usize| {
                let done = (RATES * number + done) as u64;
                progress.update(done, Some(total), || game.spec().to_owned());
            };
            tell(0);
            let start = game.start();
            let depth = affordable_depth(&*start, slice);
            let seed = |batch| derive_seed(context.seed, &[batch]);
            let playouts = measure(slice, |batch, n| start.playouts(n, seed(batch)).iter().sum());
            tell(1);
            let playouts_one_by_one =
                measure(slice, |batch, n| start.playouts_one_by_one(n, seed(batch)).iter().sum());
            tell(2);
            let perft = measure(slice, |_, n| (0..n).map(|_| start.perft(depth, 1)).sum());
            tell(RATES);
            let (game, perft_depth) = (game.spec().to_owned(), depth);
            GameSpeeds { game, playouts, playouts_one_by_one, perft, perft_depth }
        });
        let games = measured.collect();
        progress.finish();
        context.output.report(&BenchReport {
            seconds: self.seconds,
            slices: SLICES,
            threads: 1,
            games,
        })
    }
}

/// Returns the first perft depth that takes more than a tenth of `slice` seconds, or the depth with
/// the most nodes if the game is too short for that.
fn affordable_depth(position: &dyn AnyPosition, slice: f64) -> u32 {
    let (mut best, mut most) = (1, 0);
    for depth in 1..=100 {
        let began = Instant::now();
        let nodes = position.perft(depth, 1);
        if nodes < most {
            break;
        }
        (best, most) = (depth, nodes);
        if began.elapsed().as_secs_f64() > slice / 10.0 {
            break;
        }
    }
    best
}

/// Measures a rate: calls `work(number, rounds)` for each measurement, with `rounds` chosen so that
/// a call takes about `slice` seconds, and divides the number that it returns by the time.
fn measure(slice: f64, work: impl Fn(u64, u64) -> u64) -> Rate {
    let timed = |batch, rounds| {
        let began = Instant::now();
        let done = black_box(work(batch, black_box(rounds)));
        (done as f64, began.elapsed().as_secs_f64().max(1e-9))
    };
    let mut rounds = 1;
    let warm = loop {
        let (_, seconds) = timed(0, rounds);
        if seconds > slice / 10.0 || rounds >= 1 << 40 {
            break seconds;
        }
        rounds *= 2;
    };
    let rounds = ((rounds as f64 * slice / warm) as u64).max(1);
    let mut rates: Vec<f64> = (1..=SLICES as u64)
        .map(|batch| timed(batch, rounds))
        .map(|(done, seconds)| done / seconds)
        .collect();
    rates.sort_by(f64::total_cmp);
    Rate { median: rates[SLICES / 2], lowest: rates[0], highest: rates[SLICES - 1] }
}

impl Rate {
    fn text(&self) -> String {
        let spread = 50.0 * (self.highest - self.lowest) / self.median.max(1e-9);
        format!("{} ±{spread:.0}%", rate(self.median))
    }
}

impl CommandReport for BenchReport {
    fn text(&self) -> String {
        let head = ["game", "playouts", "one by one", "perft", "depth"];
        let row = |m: &GameSpeeds| {
            vec![
                m.game.clone(),
                m.playouts.text(),
                m.playouts_one_by_one.text(),
                m.perft.text(),
                m.perft_depth.to_string(),
            ]
        };
        figures(&head, self.games.iter().map(row))
    }
}
