//! `ludion match`: plays pairs of games with seats swapped between two players. The report has the
//! lines of cutechess and fastchess, then wins and moves by player and seat, then the time and
//! nodes that each player used.

use clap::Args;
use ludion::arena::elo::{EloReport, GameCounts};
use ludion::arena::seat_statistics::ByPlayerAndSeat;
use ludion::arena::sprt::{Sprt, SprtDecision};
use ludion_runs::matches::{MatchReport, SprtReport, WinsAndPliesReport};
use ludion_runs::{setup, sprt};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{
    CommandReport, LOUD, QUIET, budget_words, condition_words, games_rate, paint, pairs_and_games,
    plural, rate, time, verdict_line, warning_line,
};
use crate::plots::PlotArgs;
use crate::runs::{self, GameTermsArgs, StoreArgs};
use crate::table::figures;

/// Play a match between two players and estimate the Elo difference
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion match connect4 \"uct(c=1)\" montecarlo -n 10 --budget 500sims
  ludion match tictactoe \"minimax(depth=9)\" random -n 50 --json
  ludion match connect4 \"minimax(depth=5)\" \"minimax(depth=4)\" --sprt elo0=0,elo1=50

Games come in pairs: both players have either seat once, from the same opening of
random plies; -n 20 plays 40 games. The same seed gives the same match on any number of
threads, unless a move is limited by time, threads of a player search one tree together,
or a bot does not use the seed; the match says so when it begins.

A budget replaces the parameters of the players: with --budget 500sims every player has
500 simulations for a move in all, and mcts is shown as mcts(sims=500).")]
pub(crate) struct MatchArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The first player; wins and losses are counted from its side
    player: String,
    /// The second player
    opponent: String,
    /// Pairs of games, two games each; with --sprt the maximum
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,
    #[command(flatten)]
    rules: GameTermsArgs,
    /// Stop when the results decide between two Elo differences:
    /// elo0=0,elo1=10[,alpha=0.05][,beta=0.05][,model=normalised|logistic]
    #[arg(long, value_name = "TEST", value_parser = sprt::parse)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl MatchArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let terms = self.rules.run_terms(context, &self.game)?;
        let players = [&self.player[..], &self.opponent];
        let registry = &context.registry;
        let plan = setup::duel(registry, &self.game, players, self.pairs, terms, self.sprt)?;
        runs::play_new(context, plan, &self.store, &self.cluster, &self.pictures)
    }
}

pub(crate) fn score_line(games: &GameCounts) -> String {
    let GameCounts { wins, losses, draws } = *games;
    let points = wins as f64 + draws as f64 / 2.0;
    format!(
        "{wins} - {losses} - {draws} [{:.3}] {}",
        points / games.total().max(1) as f64,
        games.total()
    )
}

impl CommandReport for MatchReport {
    fn text(&self) -> String {
        let names = self.player_names();
        let (a, b) = (&names[0], &names[1]);
        let total = GameCounts { wins: self.wins, losses: self.losses, draws: self.draws };
        let mut text = format!("{}\n\n", paint(LOUD, &self.game));
        text += &format!("Score of {a} vs {b}: {}\n", paint(LOUD, &score_line(&total)));
        for (seat, games) in ["first", "second"].iter().zip(&self.by_seat) {
            text += &format!("...      {a} moving {seat}: {}\n", score_line(games));
        }
        if let Some(strength) = &self.strength {
            text += &strength_lines(self, strength);
        }
        text += &format!("Ptnml(0-2): {:?}\n", self.pentanomial);
        if self.adjudicated > 0 {
            text += &format!("{} ended by adjudication\n", plural(self.adjudicated, "game"));
            for (reason, games) in &self.adjudications {
                text += &format!("  {}: {reason}\n", plural(*games, "game"));
            }
        }
        if let Some(sprt) = &self.sprt {
            text += &sprt_line(sprt);
        }
        text += &verdict_line(self.verdict.as_deref());
        text += &warning_line(self.repeated_pairs.as_deref());
        text += "\n";
        text += &seat_table(self);
        text += "\n";
        text += &spent_lines(self);
        text
    }
}

fn strength_lines(report: &MatchReport, s: &EloReport) -> String {
    let [ll, ld, _, wd, ww] = report.pentanomial.map(|n| n as f64);
    let draws = 100.0 * report.draws as f64 / (2 * report.pairs).max(1) as f64;
    let superiority = match s.superiority_defined {
        true => format!("{:.2} %", 100.0 * s.superiority),
        false => "not defined".to_owned(),
    };
    // Without a lost pair there is no ratio, so the numbers of pairs are given.
    let ratio = match (wd + ww, ll + ld) {
        (better, 0.0) => format!("{better}:0"),
        (better, worse) => format!("{:.2}", better / worse),
    };
    format!(
        "Elo: {}, nElo: {}\nLOS: {superiority}, DrawRatio: {draws:.2} %, PairsRatio: {ratio}\n",
        s.elo, s.normalised
    )
}

/// Formats wins and moves by player and by seat.
fn seat_table(report: &MatchReport) -> String {
    let WinsAndPliesReport { sums, avg_victories, avg_moves } = &report.by_player_and_seat;
    let parts = [sums.pv, sums.moves, *avg_victories, *avg_moves];
    let row = |name: &str, pick: &dyn Fn(&ByPlayerAndSeat) -> f64| {
        std::iter::once(name.to_owned()).chain(parts.iter().map(|p| pick(p).to_string())).collect()
    };
    let names = report.player_names();
    let rows: Vec<Vec<String>> = vec![
        row(&names[0], &|p| p.players[0]),
        row(&names[1], &|p| p.players[1]),
        row("first seat", &|p| p.seats[0]),
        row("second seat", &|p| p.seats[1]),
    ];
    figures(&["by player and seat", "pv", "moves", "avg_victories", "avg_moves"], rows)
}

fn spent_lines(report: &MatchReport) -> String {
    let mut text = String::new();
    for (i, (player, spent)) in report.player_names().iter().zip(&report.spent).enumerate() {
        let forfeits = report.forfeits[i];
        let moves = spent.moves.max(1);
        let nodes = if spent.nodes > 0 {
            format!(", {} nodes", rate(spent.nodes as f64 / spent.time.as_secs_f64().max(1e-9)))
        } else {
            String::new()
        };
        let forfeited = if forfeits > 0 {
            format!(", {} forfeited", plural(forfeits, "game"))
        } else {
            String::new()
        };
        text += &format!("{player}: {} a move{nodes}{forfeited}\n", time(spent.time / moves));
        for forfeit in report.forfeit_reasons.iter().filter(|forfeit| forfeit.player == i) {
            text += &format!("  {}: {}\n", plural(forfeit.games, "game"), forfeit.reason);
        }
    }
    let speed = games_rate(2 * report.pairs, report.games_now, report.seconds);
    let run = report.run.map_or_else(String::new, |run| format!(", run {run}"));
    let summary = format!(
        "{:.1} plies a game, {}{speed}{}{}, seed {}{run}",
        report.plies_per_game,
        pairs_and_games(report.pairs),
        budget_words(&report.terms.budget),
        condition_words(report.conditions.as_ref()),
        report.seed
    );
    text + &paint(QUIET, &format!("{summary}\n{}", report.repeatability.sentence())) + "\n"
}

fn sprt_line(sprt: &SprtReport) -> String {
    let Sprt { elo0, elo1, .. } = sprt.test;
    let (lower, upper) = sprt.bounds;
    let share = 100.0 * sprt.llr / if sprt.llr < 0.0 { -lower } else { upper };
    let decision = match sprt.decision {
        SprtDecision::Open => "not decided",
        SprtDecision::Lower => "H0 was accepted",
        SprtDecision::Upper => "H1 was accepted",
    };
    format!(
        "LLR: {:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}], {decision}\n",
        sprt.llr
    )
}
