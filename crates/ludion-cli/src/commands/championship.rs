//! `ludion championship`: plays a round robin between versions of one player with different values
//! of one or two parameters, draws the scores with error bars, and says whether the games
//! suffice to tell the best value.

use clap::Args;
use ludion_runs::championship::ChampionshipReport;
use ludion_runs::setup;

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, games_rate, paint, pairs_and_games};
use crate::plots::PlotArgs;
use crate::runs::{self, GameTermsArgs, StoreArgs};

/// Compare many values of a player's parameter, with error bars
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion championship tictactoe \"mcts(select=phi, a=1..5, sims=50)\"
  ludion championship matches \"ucb(sims=1..1000*10)\" --plot curve.svg --plot curve.png
  ludion championship tictactoe \"mcts(c=0.5|1|2, sims=20|40)\" -n 3

  a=1..50           1, 2, 3, ... 50
  a=1..50:7         1, 8, 15, ... 50: a step of 7
  sims=1..1000*10   1, 10, 100, 1000: a factor of 10
  a=1|2|5|10..50:10 values and ranges in a list
  select=puct|phi   words

Two open parameters give a grid. Every value meets every other in pairs of games with
seats swapped, so both orders are played.")]
pub(crate) struct ChampionshipArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player with one or two open parameters, such as "mcts(c=1..5)"
    player: String,
    /// Pairs of games in every meeting, two games each
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 1,
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

impl ChampionshipArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let registry = &context.registry;
        let terms = self.rules.run_terms(context, &self.game)?;
        let plan = setup::championship(registry, &self.game, &self.player, self.pairs, terms)?;
        runs::play_new(context, plan, &self.store, &self.cluster, &self.pictures)
    }
}

impl CommandReport for ChampionshipReport {
    fn text(&self) -> String {
        let mut text = self.picture.text();
        text += &format!("\n{}\n", paint(LOUD, &self.conclusion));
        let speed = games_rate(self.games, self.games_now, self.seconds);
        let players = self.values.len();
        let summary = format!(
            "{players} values, {}{speed}\n{}",
            pairs_and_games(self.pairs),
            self.repeatability.sentence()
        );
        text + &paint(QUIET, &summary) + "\n"
    }
}
