//! `ludion checkers keeps-the-win`: measures in what share of won endgames a player chooses a move
//! that keeps the win. A job is one position, drawn from the seed and the job number.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use ludion::arena::championship::score::MeanScore;
use ludion::arena::elo::GameCounts;
use ludion::arena::executor::{Executor, JobSet, ThreadExecutor};
use ludion::game::Game;
use ludion::games::checkers::endgame::{EndgameTable, MAX_PIECES};
use ludion::games::checkers::{Checkers, rules};
use ludion::player::{Budget, StopOnFlag};
use ludion::random::{Rng, derive_seed};
use ludion::registry::{AnyGame, AnyPlayer};
use serde::Serialize;

use crate::CommandContext;
use crate::assets;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::progress::scaled;
use crate::runs::interrupt;

/// Measure how often a player keeps a won endgame won
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion checkers keeps-the-win --table six.endgames --player random
  ludion checkers keeps-the-win --table six.endgames --player \"alphabeta(depth=8, eval=material)\"
  ludion checkers keeps-the-win --table six.endgames --player \"deepening(eval=own)\" --budget 1ms

Positions are those that random games come to, won for the side to move, where at least one
move throws the win away.")]
pub(crate) struct KeepsTheWinArgs {
    /// The endgame table of the simple rules that `ludion checkers endgames` wrote
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The player to test
    #[arg(long, value_name = "PLAYER")]
    player: String,
    /// Number of positions to test
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000,
          allow_negative_numbers = true, value_parser = within(1..=1_000_000_000))]
    positions: u64,
    /// Number of men on the board [default: the most that the table has]
    #[arg(long, value_name = "MEN", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(3..=MAX_PIECES as i64))]
    pieces: Option<u8>,
    /// The player's budget for a move, such as 1ms or 5000nodes [default: from its parameters]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<Budget>,
}

/// Report of `ludion checkers keeps-the-win`.
#[derive(Serialize)]
struct KeepsTheWinReport {
    player: String,
    table: PathBuf,
    pieces: usize,
    seed: u64,
    positions: u64,
    kept: u64,
    #[serde(flatten)]
    share: MeanScore,
    /// Mean probability, over the tested positions, that a random move keeps the win.
    by_chance: f64,
}

/// Job set in which every job tests the player in one random won position.
struct WinTestJobs<'a> {
    game: &'a dyn AnyGame,
    rules: Checkers,
    table: EndgameTable,
    pieces: usize,
    player: &'a str,
    budget: Budget,
    seed: u64,
}

/// Result of one position: whether the player kept the win, and the probability that a random move
/// keeps it.
type WinTestResult = (bool, f64);

impl JobSet for WinTestJobs<'_> {
    type Worker = Box<dyn AnyPlayer>;
    type Output = Result<WinTestResult, CommandFailure>;

    fn worker(&self) -> Box<dyn AnyPlayer> {
        self.game.player(self.player).expect("the same name made one before")
    }

    fn job(
        &self,
        player: &mut Box<dyn AnyPlayer>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output> {
        let kept = self.test(&mut **player, number, stop);
        (!stop.load(Ordering::Relaxed)).then_some(kept)
    }
}

impl WinTestJobs<'_> {
    /// Tests the player in the position with this number.
    fn test(
        &self,
        player: &mut dyn AnyPlayer,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<WinTestResult, CommandFailure> {
        let mut rng = Rng::new(derive_seed(self.seed, &[number, 0]));
        let exam = self.table.random_test_position(&self.rules, self.pieces, &mut rng);
        let position = self.game.read(&self.rules.show_state(&exam.state))?;
        player.begin(derive_seed(self.seed, &[number, 1]));
        let choice = player.choose(&*position, self.budget, &StopOnFlag(stop))?;
        let m = self.rules.read_move(&exam.state, &choice.best)?;
        let chance = exam.winning_moves.len() as f64 / exam.move_count as f64;
        Ok((exam.winning_moves.contains(&m), chance))
    }
}

impl KeepsTheWinArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let game = context.registry.game("checkers")?;
        let player = game.player(&self.player)?.spec().to_owned();
        let table = self.open()?;
        let pieces = self.pieces.map_or(table.pieces(), usize::from);
        if !(3..=table.pieces()).contains(&pieces) {
            let (name, most) = (self.table.display(), table.pieces());
            let sentence = match most {
                ..3 => format!("{name} has 2 men only, and with 2 men every move is best"),
                _ => format!(
                    "{name} knows up to {most} men; --pieces may be 3 to {most}, not {pieces}"
                ),
            };
            return Err(CommandFailure::Usage(sentence));
        }
        let exams = WinTestJobs {
            game: &*game,
            rules: Checkers::new(rules::SIMPLE, 8),
            table,
            pieces,
            player: &player,
            budget: self.budget.unwrap_or_default(),
            seed: context.seed,
        };
        let (positions, kept, chances) = self.ask(context, &exams)?;
        let marks = GameCounts { wins: kept, losses: positions - kept, draws: 0 };
        context.output.report(&KeepsTheWinReport {
            player: player.clone(),
            table: self.table.clone(),
            pieces,
            seed: context.seed,
            positions,
            kept,
            share: MeanScore::from_counts(&marks),
            by_chance: chances / positions.max(1) as f64,
        })?;
        match positions {
            asked if asked < self.positions => Err(CommandFailure::Stopped(format!(
                "stopped after {asked} of {} positions",
                self.positions
            ))),
            _ => Ok(()),
        }
    }

    fn open(&self) -> Result<EndgameTable, CommandFailure> {
        let name = self.table.to_string_lossy();
        let bytes = assets::read(&name).map_err(CommandFailure::Failed)?;
        EndgameTable::read(bytes)
            .map_err(|error| CommandFailure::Failed(format!("{name}: {error}")))
    }

    /// Tests the player; returns the number of positions, the number of wins kept, and the sum of
    /// the probabilities that a random move keeps the win.
    fn ask(
        &self,
        context: &CommandContext,
        exams: &WinTestJobs<'_>,
    ) -> Result<(u64, u64, f64), CommandFailure> {
        let progress = context.progress("positions");
        if let Some(time) = exams.budget.time {
            let threads = self.positions.clamp(1, context.threads.max(1) as u64);
            let whole = scaled(time, self.positions as f64 / threads as f64);
            let positions = plural(self.positions, "position");
            let each = crate::output::time(time);
            progress.expect(whole, format!("{positions}, up to {each} each, {threads} at a time"));
        }
        progress.update(0, Some(self.positions), String::new);
        let (mut sums, mut failure) = ((0, 0, 0.0), None);
        let mut sink = |_: u64, mark: Result<WinTestResult, CommandFailure>| match mark {
            Ok((kept, chance)) => {
                sums = (sums.0 + 1, sums.1 + u64::from(kept), sums.2 + chance);
                progress.update(sums.0, Some(self.positions), || format!("{} kept", sums.1));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        };
        let jobs = &mut (0..self.positions);
        let done =
            ThreadExecutor(context.threads).execute(exams, jobs, interrupt::flag(), &mut sink);
        progress.finish();
        done?;
        failure.map_or(Ok(sums), Err)
    }
}

impl CommandReport for KeepsTheWinReport {
    fn text(&self) -> String {
        let MeanScore { value, low, high } = self.share;
        let share = format!("{:.1} % ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high);
        let about = format!(
            "{} with {} men, seed {}; a random move keeps {:.1} %",
            plural(self.positions, "won position"),
            self.pieces,
            self.seed,
            100.0 * self.by_chance
        );
        format!(
            "{} keeps the win in {}\n{}\n",
            self.player,
            paint(LOUD, &share),
            paint(QUIET, &about)
        )
    }
}
