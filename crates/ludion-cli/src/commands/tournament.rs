//! `ludion tournament`: plays a round robin or a gauntlet between many players and fits ratings
//! over all games. The players come from arguments or from a file.

use std::path::Path;

use clap::Args;
use ludion::player::Budget;
use ludion_runs::PlayablePlan;
use ludion_runs::setup::{self, RunTerms, TournamentForm};
use ludion_runs::tournament::{ForfeitReason, TournamentReport};
use ludion_runs::tournament_file::{MAX_PAIRS, TournamentFile};
use ludion_store::read_file_or_pipe;

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{
    CommandReport, LOUD, QUIET, budget_words, condition_words, games_rate, paint, pairs_and_games,
    plural, verdict_line, warning_line,
};
use crate::plots::PlotArgs;
use crate::runs::{self, GameTermsArgs, StoreArgs};
use crate::table::figures;

/// Play a tournament between many players and rate them
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion tournament tictactoe --players random \"montecarlo(sims=50)\" \"minimax(depth=9)\" -n 20
  ludion tournament connect4 --players \"mcts(sims=500)\" uct montecarlo --gauntlet
  ludion tournament --players cup.toml

A file may say all of it:
  game = \"connect4\"
  players = [\"mcts(sims=500)\", \"uct\", \"deepening(depth=4)\"]
  names = [\"Monte\", \"Ulla\", \"Dee\"]    # shown in place of the players above
  pairs = 50
  budget = \"100ms\"
  opening = 4
  form = \"round-robin\"        # or \"gauntlet\": the first player against all others
  openings = \"openings.txt\"   # also openings-order, from, time-margin, resign, draw,
  tc = \"10+0.1\"              # adjudicate, like the options; tc in place of a budget

Options on the command line override the file.")]
pub(crate) struct TournamentArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: Option<String>,
    /// The players, or a file that lists them
    #[arg(long, value_name = "FILE|PLAYER", num_args = 1.., required = true)]
    players: Vec<String>,
    /// Let only the first player meet the others
    #[arg(long)]
    gauntlet: bool,
    /// Pairs of games in every meeting, two games each [default: 10]
    #[arg(short = 'n', long, value_name = "PAIRS",
          value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    #[command(flatten)]
    rules: GameTermsArgs,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl TournamentArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let plan = self.plan(context)?;
        runs::play_new(context, plan, &self.store, &self.cluster, &self.pictures)
    }

    fn plan(&self, context: &CommandContext) -> Result<PlayablePlan, CommandFailure> {
        let file = self.file()?;
        let name = self.game.as_ref().or(file.game.as_ref()).ok_or_else(|| {
            CommandFailure::Usage("neither the command line nor the file names a game".to_owned())
        })?;
        let mut rules = self.rules.clone();
        rules.conditions = rules.conditions.or_of_file(&file)?;
        // Options on the command line override the file.
        let mut terms = file.terms(rules.terms(context.seed))?;
        match (self.rules.budget, rules.conditions.has_clocks()) {
            (Some(budget), _) => {
                terms.budget = budget;
                rules.conditions.without_clocks();
            }
            (None, true) if self.rules.conditions.has_clocks() => {
                terms.budget = Budget::UNLIMITED;
            }
            (None, true) if file.budget.is_some() => {
                let problem =
                    "in the file, tc: a budget is given as well; players have one or the other";
                return Err(CommandFailure::Usage(problem.to_owned()));
            }
            (None, _) => {}
        }
        terms.opening = self.rules.opening.unwrap_or(terms.opening);
        terms.longest = self.rules.longest.unwrap_or(terms.longest);
        let form =
            if self.gauntlet { TournamentForm::Gauntlet } else { file.form.unwrap_or_default() };
        let pairs = self.pairs.or(file.pairs).unwrap_or(10);
        let conditions = rules.conditions.read(context, name)?;
        let terms = RunTerms { settings: terms, conditions };
        let plan = setup::tournament(&context.registry, name, &file.players, form, pairs, terms)?;
        Ok(setup::with_names(plan, &file.names)?)
    }

    /// Reads the tournament file, or returns one with only the players of the command line.
    fn file(&self) -> Result<TournamentFile, CommandFailure> {
        let [only] = &self.players[..] else {
            return Ok(TournamentFile {
                players: self.players.clone(),
                ..TournamentFile::default()
            });
        };
        let path = Path::new(only);
        if !path.exists() && path.extension().is_none_or(|extension| extension != "toml") {
            return Ok(TournamentFile {
                players: self.players.clone(),
                ..TournamentFile::default()
            });
        }
        let bytes = read_file_or_pipe(path, MAX_BYTES)
            .map_err(|error| CommandFailure::Usage(format!("{only} cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CommandFailure::Usage(format!("{only} is not valid UTF-8")))?;
        TournamentFile::parse(&text)
            .map_err(|error| CommandFailure::Usage(format!("{only}, {error}")))
    }
}

/// Size of the largest file of a tournament that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

fn table(report: &TournamentReport) -> String {
    let forfeits = report.standings.iter().any(|row| row.forfeits > 0);
    let mut head = vec!["player", "Elo", "±", "games", "+", "=", "−", "score"];
    if forfeits {
        head.push("forfeits");
    }
    let rows = report.standings.iter().enumerate().map(|(i, row)| {
        let mut cells = vec![
            format!("{} {}", i + 1, row.player_name()),
            format!("{:+.0}", row.rating.elo),
            format!("{:.0}", row.rating.error),
            row.games.total().to_string(),
            row.games.wins.to_string(),
            row.games.draws.to_string(),
            row.games.losses.to_string(),
            format!("{:.1} %", 100.0 * row.score),
        ];
        if forfeits {
            cells.push(row.forfeits.to_string());
        }
        cells
    });
    figures(&head, rows)
}

/// Formats the score of every player against every other, in percent.
fn cross_table(report: &TournamentReport) -> String {
    let numbers: Vec<String> = (1..=report.standings.len()).map(|n| n.to_string()).collect();
    let mut head = vec!["score in %"];
    head.extend(numbers.iter().map(String::as_str));
    let rows = report.cross.iter().zip(&report.standings).enumerate().map(|(i, (scores, row))| {
        let mut cells = vec![format!("{} {}", i + 1, row.player_name())];
        cells.extend(scores.iter().map(|score| {
            score.map_or_else(|| "·".to_owned(), |score| format!("{:.0}", 100.0 * score))
        }));
        cells
    });
    figures(&head, rows)
}

/// Largest number of players in a cross table; more columns do not fit a terminal.
const MAX_CROSS_TABLE: usize = 16;

impl CommandReport for TournamentReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", paint(LOUD, &self.game), table(self));
        if self.standings.len() <= MAX_CROSS_TABLE {
            text += &cross_table(self);
            text += "\n";
        }
        for row in self.standings.iter().filter(|row| row.forfeits > 0) {
            text += &format!("{}: {} forfeited\n", row.player_name(), plural(row.forfeits, "game"));
            for ForfeitReason { reason, games } in &row.forfeit_reasons {
                text += &format!("  {}: {reason}\n", plural(*games, "game"));
            }
            text += "\n";
        }
        if self.verdict.is_some() {
            text += &verdict_line(self.verdict.as_deref());
            text += &(warning_line(self.repeated_pairs.as_deref()) + "\n");
        }
        let speed = games_rate(self.games, self.games_now, self.seconds);
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let summary = format!(
            "{}{speed}{}{}, seed {}{run}; Elo: mean 0, ± for 95 %\n{}",
            pairs_and_games(self.pairs),
            budget_words(&self.terms.budget),
            condition_words(self.conditions.as_ref()),
            self.seed,
            self.repeatability.sentence()
        );
        text + &paint(QUIET, &summary) + "\n"
    }
}
