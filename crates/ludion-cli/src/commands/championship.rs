//! `ludion championship`: one player with many values of one or two parameters, everybody
//! against everybody, drawn with error bars, and in words whether anything is resolved.

use clap::Args;
use ludion_runs::championship::Answer;
use ludion_runs::{Session, setup, tournament};

use crate::Context;
use crate::cluster::ClusterOption;
use crate::contest::{self, Rules, StoreOption};
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, pace, paint};
use crate::pictures::Pictures;

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
pub(crate) struct Championship {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player with one or two open parameters, such as "mcts(a=1..50)"
    player: String,
    /// Pairs of games in every meeting
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 1,
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

impl Championship {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let registry = &context.registry;
        let terms = self.rules.terms(context.seed);
        let plan = setup::championship(registry, &self.game, &self.player, self.pairs, terms)?;
        context.join(&self.cluster)?;
        let mut session = Session::start(registry, plan, self.store.open()?.into(), None)?;
        let played = contest::play(context, &mut session, tournament::live)?;
        contest::show(context, &self.store, &self.pictures, session.plan(), &played)
    }
}

impl Report for Answer {
    fn text(&self) -> String {
        let mut text = self.picture.text();
        text += &format!("\n{}\n", paint(LOUD, &self.conclusion));
        let speed = pace(self.games, self.games_now, self.seconds);
        let players = self.values.len();
        text + &paint(QUIET, &format!("{players} values, {} games{speed}", self.games)) + "\n"
    }
}
