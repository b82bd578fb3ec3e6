//! `ludion tune`: the parameters of a player that score best against an opponent, searched by a
//! genetic algorithm or by cross-entropy. Every candidate plays a match of its own, which the
//! store keeps: a candidate met before, in this run or another, is not played again.

mod report;

use clap::{Args, ValueEnum};
use ludion::arena::plan::{Method, Plan, Tuning};
use ludion_runs::tuning::{self, Standing};
use ludion_runs::{matches, setup};
use ludion_store::{RunId, State, Store};

use crate::Context;
use crate::cluster::ClusterOption;
use crate::contest::{Rules, Storage, StoreOption};
use crate::failure::Failure;
use crate::output::plural;
use crate::pictures::Pictures;
use crate::progress::Progress;

/// Search the best parameters of a player
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion tune tictactoe \"mcts(c=?0.5..4, sims=50)\" --generations 3 -n 10
  ludion tune matches \"ucb(sims=?1..9)\" --by cross-entropy --generations 2 -n 5

A question mark stands for all that a parameter allows, a range behind it for less. A
candidate's score is that of a match against the opponent, which is the player with its
defaults when not given. The best of many noisy scores is flattered: in the end the best
candidate plays again, from another seed, and only that match is to be believed. Stopped
runs go on with `ludion run resume`.")]
pub(crate) struct Tune {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player with its open parameters, such as "mcts(a=?, c=?1..3)"
    player: String,
    /// How the best is searched
    #[arg(long, value_enum, default_value_t = By::Genetic)]
    by: By,
    /// Whom candidates play against [default: the player with its defaults]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Generations, at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    generations: u32,
    /// Pairs of games of one candidate
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    pictures: Pictures,
    #[command(flatten)]
    store: StoreOption,
    #[command(flatten)]
    cluster: ClusterOption,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The best are kept, crossed and mutated
    Genetic,
    /// A law of good parameters is drawn from and fitted to the best
    CrossEntropy,
}

impl From<By> for Method {
    fn from(by: By) -> Self {
        match by {
            By::Genetic => Method::Genetic,
            By::CrossEntropy => Method::CrossEntropy,
        }
    }
}

impl Tune {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let (by, generations) = (self.by.into(), self.generations);
        let tuning = Tuning { player: self.player.clone(), by, generations };
        let against = self.against.as_deref();
        let terms = self.rules.terms(context.seed);
        let registry = &context.registry;
        let plan = setup::tune(registry, &self.game, tuning, against, self.pairs, terms)?;
        context.join(&self.cluster)?;
        let keeping = match self.store.open()? {
            Storage::None => None,
            Storage::Store(mut store) => {
                let run = store.begin(&plan, None)?;
                Some((store, run))
            }
        };
        play(context, &self.store, &self.pictures, &plan, keeping)
    }
}

/// Goes on with a tuning of the store.
pub(crate) fn resume(
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    store: Store,
    run: RunId,
) -> Result<(), Failure> {
    let plan = store.run(run)?.plan;
    play(context, option, pictures, &plan, Some((store, run)))
}

/// Searches with a line of progress, and shows what was found.
fn play(
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    plan: &Plan,
    keeping: Option<(Store, RunId)>,
) -> Result<(), Failure> {
    let (store, run) = keeping.unzip();
    let (mut progress, mut place) = (Progress::new(!context.output.json), String::new());
    let mut told = |standing: &Standing<'_>| {
        // Every candidate has its own time left.
        if place != standing.place {
            progress.restart();
            place = standing.place.to_owned();
        }
        let Standing { player, plan, ledger, .. } = standing;
        progress.show(ledger.pairs, plan.schedule.total(), || {
            format!("{place}: {player}  {}", matches::live(plan, ledger))
        });
    };
    let found = tuning::play(&context.means(), plan, store, run, &mut told);
    progress.clear();
    let answer = found?;
    if answer.state == State::Finished {
        pictures.write(&answer.picture())?;
        return context.output.report(&answer);
    }
    context.output.report(&answer)?;
    Err(option.stopped(run, &plural(answer.generations.len() as u64, "generation")))
}
