//! `ludion tune`: searches the parameters of a player that score best against an opponent, by a
//! genetic algorithm, cross-entropy, CMA-ES or SPSA. Each candidate plays a match, which is stored: a
//! candidate that has already played, in this run or another, does not play again.

mod report;

use clap::{Args, ValueEnum};
use ludion::arena::plan::{GamesPlan, TuningMethod, TuningOptions};
use ludion_runs::tuning::{self, TuningProgress};
use ludion_runs::{Repeatability, matches, present_plan, setup};
use ludion_store::{RunId, RunState, Store};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::plural;
use crate::plots::PlotArgs;
use crate::runs::{GameTermsArgs, StoreArgs};

/// Search the best parameters of a player
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion tune tictactoe \"mcts(c=?0.5..4, sims=50)\" --generations 3 -n 10
  ludion tune matches \"ucb(sims=?1..9)\" --by cross-entropy --generations 2 -n 5
  ludion tune tictactoe \"mcts(c=?0.5..4, sims=50)\" --by spsa --generations 5 -n 20

A question mark stands for all that a parameter allows, a range behind it for less. A
candidate's score is that of a match against the opponent, which is the player with its
defaults when not given. With spsa the candidates of a generation play against each other:
-n pairs of games, each between two points on either side of the current one, which moves
towards the winners; it needs the fewest games where several numbers are tuned at once. The
best of many noisy scores is too high: in the end the best candidate plays again, from
another seed, and only that match counts. Stopped runs are resumed with `ludion run resume`.")]
pub(crate) struct TuneArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player with its open parameters, such as "mcts(c=?1..3, prior=?)"
    player: String,
    /// Search method
    #[arg(long, value_enum, default_value_t = TuneMethod::Genetic)]
    by: TuneMethod,
    /// The opponent of the candidates [default: the player with its defaults]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Maximum number of generations
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    generations: u32,
    /// Number of pairs of games that each candidate plays, or with spsa each generation
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,
    #[command(flatten)]
    rules: GameTermsArgs,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TuneMethod {
    /// Keep, cross and mutate the best candidates
    Genetic,
    /// Draw candidates from a distribution that is fitted to the best
    CrossEntropy,
    /// Draw candidates from a normal distribution that moves and takes the shape of its moves
    CmaEs,
    /// Move all parameters at once, by games between two candidates beside the current point
    Spsa,
}

impl From<TuneMethod> for TuningMethod {
    fn from(by: TuneMethod) -> Self {
        match by {
            TuneMethod::Genetic => TuningMethod::Genetic,
            TuneMethod::CrossEntropy => TuningMethod::CrossEntropy,
            TuneMethod::CmaEs => TuningMethod::CmaEs,
            TuneMethod::Spsa => TuningMethod::Spsa,
        }
    }
}

impl TuneArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (by, generations) = (self.by.into(), self.generations);
        let tuning = TuningOptions { player: self.player.clone(), by, generations };
        let against = self.against.as_deref();
        let terms = self.rules.run_terms(context, &self.game)?;
        let registry = &context.registry;
        let plan = setup::tune(registry, &self.game, tuning, against, self.pairs, terms)?;
        context.join(&self.cluster)?;
        let storage = match self.store.open()? {
            None => None,
            Some(mut store) => {
                let run = store.begin(&plan, None)?;
                Some((store, run))
            }
        };
        play(context, &self.store, &self.pictures, &plan, storage)
    }
}

/// Resumes a stored tuning.
pub(crate) fn resume(
    context: &CommandContext,
    option: &StoreArgs,
    pictures: &PlotArgs,
    store: Store,
    run: RunId,
) -> Result<(), CommandFailure> {
    let plan = present_plan(&context.registry, &store.run(run)?.plan)?;
    play(context, option, pictures, &plan, Some((store, run)))
}

/// Runs a tuning, reports its progress and writes its report.
fn play(
    context: &CommandContext,
    option: &StoreArgs,
    pictures: &PlotArgs,
    plan: &GamesPlan,
    storage: Option<(Store, RunId)>,
) -> Result<(), CommandFailure> {
    let run = storage.as_ref().map(|(_, run)| *run);
    option.announce(run, "games");
    let progress = context.progress("pairs").at_most();
    progress.say(&Repeatability::of(plan).sentence());
    let mut on_progress = |standing: &TuningProgress<'_>| {
        let &TuningProgress { place, player, plan, tally, played_pairs, left_pairs, .. } = standing;
        let total = played_pairs + plan.schedule.total() + left_pairs;
        progress.update(played_pairs + tally.pairs, Some(total), || {
            format!("{place}: {player}  {}", matches::describe_progress(tally))
        });
    };
    let report = tuning::play(&context.run_context(), plan, storage, &mut on_progress);
    progress.finish();
    let report = report?;
    if report.state == RunState::Finished {
        pictures.write(&report.picture())?;
        return context.output.report(&report);
    }
    context.output.report(&report)?;
    Err(option.stopped(run, &plural(report.generations.len() as u64, "generation")))
}
