//! `ludion ladder`: the rating list of everything that plays a game, which grows until it is stopped.

use clap::Args;
use ludion::player::Budget;
use ludion_runs::setup::MAX_OPENING;
use ludion_runs::studies::ladder::{Ladder, LadderReport, LadderRequest};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, budget_words, paint, plural, verdict_line};
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};
use crate::table::figures;

/// Rate everything that plays a game, the most informative games first
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion ladder connect4                                # all players, 20 ms a move, until Ctrl-C
  ludion ladder tictactoe --budget 100sims,9plies --rounds 20
  ludion ladder connect4 --players mcts \"mcts(c=2)\" uct deepening --plot ratings.svg
  ludion run resume 7                                   # goes on with list 7

Each round plays the pairs of games that tell most about the ratings: between players of similar
strength whose difference is known least. Results are kept in the store by players and seed, so a
list with one more player begins with what the old one knows.")]
pub(crate) struct LadderArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The players [default: every player of the game that needs no file]
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,
    /// What each player may spend on a move, such as 20ms or 1000sims
    #[arg(long, value_name = "BUDGET", default_value = "20ms")]
    budget: Budget,
    /// Random plies before the players take over, the same in both games of a pair
    #[arg(long, value_name = "PLIES", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_OPENING)))]
    opening: u32,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    longest: u32,
    /// Largest number of rounds
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rounds: u64,
    /// Pairs of games in a round [default: two for each player]
    #[arg(short = 'n', long, value_name = "PAIRS",
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: Option<u32>,
    #[command(flatten)]
    files: OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl LadderArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let request = LadderRequest {
            game: self.game.clone(),
            players: self.players.clone(),
            budget: Some(self.budget.to_string()),
            opening: Some(self.opening),
            longest: Some(self.longest),
            rounds: Some(self.rounds),
            pairs: self.pairs,
        };
        study::start_and_report::<Ladder>(context, &self.store, &self.cluster, &self.files, request)
    }
}

impl CommandReport for LadderReport {
    fn text(&self) -> String {
        let rows = self.players.iter().enumerate().map(|(i, row)| {
            vec![
                format!("{} {}", i + 1, row.player),
                format!("{:+.0}", row.rating.elo),
                format!("{:.0}", row.rating.error),
                row.games.total().to_string(),
                row.games.wins.to_string(),
                row.games.draws.to_string(),
                row.games.losses.to_string(),
                format!("{:.1} %", 100.0 * row.score),
            ]
        });
        let table = figures(&["player", "Elo", "±", "games", "+", "=", "−", "score"], rows);
        let mut text = format!("{}\n\n{table}\n", paint(LOUD, &self.game));
        for row in self.players.iter().filter(|row| row.forfeits > 0) {
            text += &format!("{}: {} forfeited\n", row.player, plural(row.forfeits, "game"));
        }
        text += &(verdict_line(Some(&self.verdict)) + "\n");
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let summary = format!(
            "{} in {}{}, seed {}{run}; Elo: mean 0, ± for 95 %\n{}",
            plural(self.games, "game"),
            plural(self.rounds, "round"),
            budget_words(&self.terms.budget),
            self.terms.seed,
            self.repeatability.sentence()
        );
        text + &paint(QUIET, &summary) + "\n"
    }
}
