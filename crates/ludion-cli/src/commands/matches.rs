//! `ludion match`: two players, pairs of games with seats swapped, and what the results are worth.
//! The lines at the end are those that users of cutechess and fastchess know; behind them stand
//! the course's statistics and what each player spent.

use clap::Args;
use ludion::arena::elo::{EloReport, GameCounts};
use ludion::arena::seat_statistics::ByPlayerAndSeat;
use ludion::arena::sprt::{Sprt, SprtDecision};
use ludion_runs::matches::{MatchReport, SheetAverages, SprtReport, live};
use ludion_runs::{PlanSession, setup, sprt};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, pace, paint, plural, rate, time};
use crate::plots::PlotArgs;
use crate::runs::{self, GameTermsArgs, StoreArgs};
use crate::table::figures;

/// Play a match between two players and say what it is worth
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion match connect4 \"uct(c=1)\" montecarlo -n 10 --budget 500sims
  ludion match tictactoe \"minimax(depth=9)\" random -n 50 --json
  ludion match connect4 \"minimax(depth=5)\" \"minimax(depth=4)\" --sprt elo0=0,elo1=50

Games come in pairs: both players have either seat once, from the same opening of
random plies. The same seed gives the same match on any number of threads, unless the
budget is in time.")]
pub(crate) struct MatchArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player whose results are counted
    player: String,
    /// Its opponent
    opponent: String,
    /// Pairs of games; with --sprt the most that are played
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
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl MatchArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let terms = self.rules.terms(context.seed);
        let players = [&self.player[..], &self.opponent];
        let registry = &context.registry;
        let plan = setup::duel(registry, &self.game, players, self.pairs, terms, self.sprt)?;
        context.join(&self.cluster)?;
        let mut session = PlanSession::start(registry, plan, self.store.open()?.into(), None)?;
        let played = runs::play(context, &mut session, live)?;
        runs::show(context, &self.store, &PlotArgs::default(), session.plan(), &played)
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
        let (a, b) = (&self.players[0], &self.players[1]);
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
        if let Some(tested) = &self.sprt {
            text += &tested_line(tested);
        }
        text += "\n";
        text += &course_table(self);
        text += "\n";
        text += &costs(self);
        text
    }
}

fn strength_lines(answer: &MatchReport, s: &EloReport) -> String {
    let [ll, ld, _, wd, ww] = answer.pentanomial.map(|n| n as f64);
    let draws = 100.0 * answer.draws as f64 / (2 * answer.pairs).max(1) as f64;
    let (elo, normalised) = (s.elo, s.normalised);
    // Minus nothing is nothing, and what too few pairs leave undefined is said to be so.
    let figure = |value: f64| match value {
        v if v.is_nan() => "n/a".to_owned(),
        v => format!("{:.2}", v + 0.0),
    };
    format!(
        "Elo: {} +/- {}, nElo: {} +/- {}\nLOS: {} %, DrawRatio: {draws:.2} %, PairsRatio: {}\n",
        figure(elo.value),
        figure(elo.error),
        figure(normalised.value),
        figure(normalised.error),
        figure(100.0 * s.superiority),
        figure((wd + ww) / (ll + ld)),
    )
}

/// The course's statistics: by player, then by seat.
fn course_table(answer: &MatchReport) -> String {
    let SheetAverages { sums, avg_victories, avg_moves } = &answer.course;
    let parts = [sums.pv, sums.moves, *avg_victories, *avg_moves];
    let row = |name: &str, pick: &dyn Fn(&ByPlayerAndSeat) -> f64| {
        std::iter::once(name.to_owned()).chain(parts.iter().map(|p| pick(p).to_string())).collect()
    };
    let rows: Vec<Vec<String>> = vec![
        row(&answer.players[0], &|p| p.players[0]),
        row(&answer.players[1], &|p| p.players[1]),
        row("first seat", &|p| p.seats[0]),
        row("second seat", &|p| p.seats[1]),
    ];
    figures(&["by the course's rules", "pv", "moves", "avg_victories", "avg_moves"], rows)
}

fn costs(answer: &MatchReport) -> String {
    let mut text = String::new();
    for (i, (player, spent)) in answer.players.iter().zip(&answer.spent).enumerate() {
        let forfeits = answer.forfeits[i];
        let moves = spent.moves.max(1);
        let nodes = if spent.nodes > 0 {
            format!(", {} nodes", rate(spent.nodes as f64 / spent.time.as_secs_f64().max(1e-9)))
        } else {
            String::new()
        };
        let lost = if forfeits > 0 {
            format!(", {} forfeited", plural(forfeits, "game"))
        } else {
            String::new()
        };
        text += &format!("{player}: {} a move{nodes}{lost}\n", time(spent.time / moves));
        for forfeit in answer.forfeit_reasons.iter().filter(|forfeit| forfeit.player == i) {
            text += &format!("  {}: {}\n", plural(forfeit.games, "game"), forfeit.reason);
        }
    }
    let speed = pace(2 * answer.pairs, answer.games_now, answer.seconds);
    let run = answer.run.map_or_else(String::new, |run| format!(", run {run}"));
    let all = format!(
        "{:.1} plies a game, {} games{speed}, seed {}{run}",
        answer.plies_per_game,
        2 * answer.pairs,
        answer.seed
    );
    text + &paint(QUIET, &all) + "\n"
}

fn tested_line(tested: &SprtReport) -> String {
    let Sprt { elo0, elo1, .. } = tested.test;
    let (lower, upper) = tested.bounds;
    let share = 100.0 * tested.llr / if tested.llr < 0.0 { -lower } else { upper };
    let said = match tested.decision {
        SprtDecision::Open => "not decided".to_owned(),
        SprtDecision::Lower => format!("stopped: the difference is {elo0} rather than {elo1}"),
        SprtDecision::Upper => format!("stopped: the difference is {elo1} rather than {elo0}"),
    };
    format!(
        "LLR: {:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}], {said}\n",
        tested.llr
    )
}
