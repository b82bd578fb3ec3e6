//! `ludion tournament`: many players, everybody against everybody or one against all, and
//! ratings fitted over all games. From arguments or from a file.

use std::path::Path;

use clap::Args;
use ludion::arena::plan::MatchPlan;
use ludion::player::Budget;
use ludion_runs::PlanSession;
use ludion_runs::setup::{self, TournamentForm};
use ludion_runs::tournament::{ForfeitReason, TournamentReport, live};
use serde::Deserialize;

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, pace, paint, plural};
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
  pairs = 50
  budget = \"100ms\"
  opening = 4
  form = \"round-robin\"        # or \"gauntlet\": the first player against all others

What the command line says goes before what the file says.")]
pub(crate) struct TournamentArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: Option<String>,
    /// The players, or a file that names them
    #[arg(long, value_name = "FILE|PLAYER", num_args = 1.., required = true)]
    players: Vec<String>,
    /// Only the first player meets the others
    #[arg(long)]
    gauntlet: bool,
    /// Pairs of games in every meeting [default: 10]
    #[arg(short = 'n', long, value_name = "PAIRS",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: Option<u64>,
    #[command(flatten)]
    rules: GameTermsArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// A tournament as a file describes it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct TournamentFile {
    game: Option<String>,
    #[serde(default)]
    players: Vec<String>,
    pairs: Option<u64>,
    budget: Option<String>,
    opening: Option<u32>,
    longest: Option<u32>,
    form: Option<TournamentForm>,
}

impl TournamentArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let plan = self.plan(context)?;
        let registry = &context.registry;
        context.join(&self.cluster)?;
        let mut session = PlanSession::start(registry, plan, self.store.open()?.into(), None)?;
        let played = runs::play(context, &mut session, live)?;
        runs::show(context, &self.store, &PlotArgs::default(), session.plan(), &played)
    }

    fn plan(&self, context: &CommandContext) -> Result<MatchPlan, CommandFailure> {
        let sheet = self.sheet()?;
        let name = self.game.as_ref().or(sheet.game.as_ref()).ok_or_else(|| {
            CommandFailure::Usage("neither the command line nor the file names a game".to_owned())
        })?;
        let mut terms = self.rules.terms(context.seed);
        if let (None, Some(text)) = (self.rules.budget, &sheet.budget) {
            terms.budget = text
                .parse::<Budget>()
                .map_err(|error| CommandFailure::Usage(format!("in the file, budget: {error}")))?;
        }
        terms.opening = self.rules.opening.or(sheet.opening).unwrap_or(terms.opening);
        terms.longest = self.rules.longest.or(sheet.longest).unwrap_or(terms.longest);
        let form =
            if self.gauntlet { TournamentForm::Gauntlet } else { sheet.form.unwrap_or_default() };
        let pairs = self.pairs.or(sheet.pairs).unwrap_or(10);
        let plan = setup::tournament(&context.registry, name, &sheet.players, form, pairs, terms);
        Ok(plan?)
    }

    /// What the file says, or the players of the command line.
    fn sheet(&self) -> Result<TournamentFile, CommandFailure> {
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
        let text = std::fs::read_to_string(path)
            .map_err(|error| CommandFailure::Usage(format!("{only} cannot be read: {error}")))?;
        toml::from_str(&text)
            .map_err(|error| CommandFailure::Usage(format!("{only}: {}", error.to_string().trim())))
    }
}

fn table(answer: &TournamentReport) -> String {
    let forfeits = answer.standings.iter().any(|row| row.forfeits > 0);
    let mut head = vec!["player", "Elo", "±", "games", "+", "=", "−", "score"];
    if forfeits {
        head.push("forfeits");
    }
    let rows = answer.standings.iter().enumerate().map(|(i, row)| {
        let mut cells = vec![
            format!("{} {}", i + 1, row.player),
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

/// Everybody's score against everybody, in hundredths.
fn cross_table(answer: &TournamentReport) -> String {
    let numbers: Vec<String> = (1..=answer.standings.len()).map(|n| n.to_string()).collect();
    let mut head = vec!["score in %"];
    head.extend(numbers.iter().map(String::as_str));
    let rows = answer.cross.iter().zip(&answer.standings).enumerate().map(|(i, (scores, row))| {
        let mut cells = vec![format!("{} {}", i + 1, row.player)];
        cells.extend(scores.iter().map(|score| {
            score.map_or_else(|| "·".to_owned(), |score| format!("{:.0}", 100.0 * score))
        }));
        cells
    });
    figures(&head, rows)
}

/// Players of a cross table, at most: more columns fit no terminal.
const CROSSED: usize = 16;

impl CommandReport for TournamentReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", paint(LOUD, &self.game), table(self));
        if self.standings.len() <= CROSSED {
            text += &cross_table(self);
            text += "\n";
        }
        for row in self.standings.iter().filter(|row| row.forfeits > 0) {
            text += &format!("{}: {} forfeited\n", row.player, plural(row.forfeits, "game"));
            for ForfeitReason { reason, games } in &row.forfeit_reasons {
                text += &format!("  {}: {reason}\n", plural(*games, "game"));
            }
            text += "\n";
        }
        let speed = pace(self.games, self.games_now, self.seconds);
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let all = format!(
            "{} games{speed}, seed {}{run}; Elo: mean 0, ± for 95 %",
            self.games, self.seed
        );
        text + &paint(QUIET, &all) + "\n"
    }
}
