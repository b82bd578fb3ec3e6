//! `ludion match`: two players, pairs of games with seats swapped, and what the results are worth.
//! The lines at the end are those that users of cutechess and fastchess know; behind them stand
//! the course's statistics and what each player spent.

use clap::Args;
use ludion::arena::contest::Schedule;
use ludion::arena::course::{ByPlayerAndSeat, CourseStatistics};
use ludion::arena::elo::{Games, Strength};
use ludion::arena::pair::{Spent, Terms};
use ludion::arena::plan::{Kind, Ledger, Plan};
use ludion::arena::sprt::{Decision, Sprt};
use ludion::arena::standings::{Forfeits, Meeting};
use serde::Serialize;

use crate::Context;
use crate::contest::{self, Progressing, Rules, State, StoreOption};
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, pace, paint, plural, rate, time};
use crate::pictures::Pictures;
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
pub(crate) struct Match {
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
    rules: Rules,
    /// Stop when the results decide between two Elo differences:
    /// elo0=0,elo1=10[,alpha=0.05][,beta=0.05][,model=normalised|logistic]
    #[arg(long, value_name = "TEST", value_parser = super::sprt_option::parse)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    store: StoreOption,
}

/// A match and its result.
#[derive(Serialize)]
pub(crate) struct Answer {
    run: Option<i64>,
    state: State,
    game: String,
    players: Vec<String>,
    seed: u64,
    terms: Terms,
    /// Games won by the first player.
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: u64,
    #[serde(flatten)]
    strength: Option<Strength>,
    pentanomial: [u64; 5],
    by_seat: [Games; 2],
    forfeits: [u64; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeit_reasons: Vec<Forfeits>,
    plies_per_game: f64,
    spent: [Spent; 2],
    course: Course,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Tested>,
    /// Games played by this program; a run that is shown or resumed was played by others too.
    games_now: u64,
    seconds: Option<f64>,
    games_per_second: Option<f64>,
}

/// The course's statistics with its averages.
#[derive(Serialize)]
struct Course {
    #[serde(flatten)]
    sums: CourseStatistics,
    avg_victories: ByPlayerAndSeat,
    avg_moves: ByPlayerAndSeat,
}

/// What the sequential test said.
#[derive(Serialize)]
struct Tested {
    #[serde(flatten)]
    test: Sprt,
    llr: f64,
    bounds: (f64, f64),
    decision: Decision,
}

impl Match {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let game = context.registry.game(&self.game)?;
        let mut players = Vec::new();
        for text in [&self.player, &self.opponent] {
            players.push(game.player(text)?.spec().to_owned());
        }
        let (schedule, terms) = (Schedule::duel(self.pairs), self.rules.terms(context.seed));
        let plan = Plan::new(Kind::Match, game.spec(), players, schedule, terms);
        let plan = Plan { sprt: self.sprt, ..plan };
        let mut session = contest::started(context, plan, self.store.open()?, None)?;
        let played = session.play(context, live)?;
        contest::show(context, &self.store, &Pictures::default(), &session.plan, &played)
    }
}

impl Answer {
    /// What came of a match.
    pub(crate) fn of(plan: &Plan, played: &Progressing) -> Self {
        let meeting = &played.ledger.standings.meetings[0].1;
        let sample = meeting.pairs.sample();
        let games = meeting.games.total();
        Answer {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            players: plan.players.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            wins: meeting.games.wins,
            draws: meeting.games.draws,
            losses: meeting.games.losses,
            pairs: meeting.pairs.total(),
            strength: Strength::of(&sample),
            pentanomial: meeting.pairs.five(),
            by_seat: meeting.by_seat,
            forfeits: meeting.forfeits,
            forfeit_reasons: meeting.reasons.clone(),
            plies_per_game: meeting.plies as f64 / games.max(1) as f64,
            spent: meeting.spent,
            course: Course {
                sums: meeting.course,
                avg_victories: meeting.course.avg_victories(),
                avg_moves: meeting.course.avg_moves(),
            },
            sprt: plan.sprt.map(|test| Tested {
                test,
                llr: test.llr(&sample),
                bounds: test.bounds(),
                decision: test.decide(&sample),
            }),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}

/// How a match stands, in a few words.
pub(crate) fn live(_plan: &Plan, ledger: &Ledger) -> String {
    let meeting: &Meeting = &ledger.standings.meetings[0].1;
    let Games { wins, losses, draws } = meeting.games;
    let elo = Strength::of(&meeting.pairs.sample())
        .map_or(String::new(), |s| format!("  Elo {:+.1} ± {:.1}", s.elo.value, s.elo.error));
    format!("+{wins} ={draws} −{losses}{elo}")
}

pub(crate) fn score_line(games: &Games) -> String {
    let Games { wins, losses, draws } = *games;
    let points = wins as f64 + draws as f64 / 2.0;
    format!(
        "{wins} - {losses} - {draws} [{:.3}] {}",
        points / games.total().max(1) as f64,
        games.total()
    )
}

impl Report for Answer {
    fn text(&self) -> String {
        let (a, b) = (&self.players[0], &self.players[1]);
        let total = Games { wins: self.wins, losses: self.losses, draws: self.draws };
        let mut text = format!("{}\n\n", paint(LOUD, &self.game));
        text += &format!("Score of {a} vs {b}: {}\n", paint(LOUD, &score_line(&total)));
        for (seat, games) in ["first", "second"].iter().zip(&self.by_seat) {
            text += &format!("...      {a} moving {seat}: {}\n", score_line(games));
        }
        if let Some(strength) = &self.strength {
            text += &self.strength_lines(strength);
        }
        text += &format!("Ptnml(0-2): {:?}\n", self.pentanomial);
        if let Some(tested) = &self.sprt {
            text += &tested.text();
        }
        text += "\n";
        text += &self.course_table();
        text += "\n";
        text += &self.costs();
        text
    }
}

impl Answer {
    fn strength_lines(&self, s: &Strength) -> String {
        let [ll, ld, _, wd, ww] = self.pentanomial.map(|n| n as f64);
        let draws = 100.0 * self.draws as f64 / (2 * self.pairs).max(1) as f64;
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
    fn course_table(&self) -> String {
        let Course { sums, avg_victories, avg_moves } = &self.course;
        let parts = [sums.pv, sums.moves, *avg_victories, *avg_moves];
        let row = |name: &str, pick: &dyn Fn(&ByPlayerAndSeat) -> f64| {
            std::iter::once(name.to_owned())
                .chain(parts.iter().map(|p| pick(p).to_string()))
                .collect()
        };
        let rows: Vec<Vec<String>> = vec![
            row(&self.players[0], &|p| p.players[0]),
            row(&self.players[1], &|p| p.players[1]),
            row("first seat", &|p| p.seats[0]),
            row("second seat", &|p| p.seats[1]),
        ];
        figures(&["by the course's rules", "pv", "moves", "avg_victories", "avg_moves"], rows)
    }

    fn costs(&self) -> String {
        let mut text = String::new();
        for (i, (player, spent)) in self.players.iter().zip(&self.spent).enumerate() {
            let forfeits = self.forfeits[i];
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
            for forfeit in self.forfeit_reasons.iter().filter(|forfeit| forfeit.player == i) {
                text += &format!("  {}: {}\n", plural(forfeit.games, "game"), forfeit.reason);
            }
        }
        let speed = pace(2 * self.pairs, self.games_now, self.seconds);
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let all = format!(
            "{:.1} plies a game, {} games{speed}, seed {}{run}",
            self.plies_per_game,
            2 * self.pairs,
            self.seed
        );
        text + &paint(QUIET, &all) + "\n"
    }
}

impl Tested {
    fn text(&self) -> String {
        let Sprt { elo0, elo1, .. } = self.test;
        let (lower, upper) = self.bounds;
        let share = 100.0 * self.llr / if self.llr < 0.0 { -lower } else { upper };
        let said = match self.decision {
            Decision::Open => "not decided".to_owned(),
            Decision::Lower => format!("stopped: the difference is {elo0} rather than {elo1}"),
            Decision::Upper => format!("stopped: the difference is {elo1} rather than {elo0}"),
        };
        format!(
            "LLR: {:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}], {said}\n",
            self.llr
        )
    }
}
