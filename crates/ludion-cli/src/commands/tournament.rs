//! `ludion tournament`: many players, everybody against everybody or one against all, and
//! ratings fitted over all games. From arguments or from a file.

use std::path::Path;

use clap::Args;
use ludion::arena::contest::Schedule;
use ludion::arena::elo::Games;
use ludion::arena::pair::Terms;
use ludion::arena::plan::{Kind, Ledger, Plan};
use ludion::arena::ratings::Rating;
use ludion::player::Budget;
use serde::{Deserialize, Serialize};

use crate::Context;
use crate::contest::{self, Progressing, Rules, State, StoreOption};
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, pace, paint, plural};
use crate::pictures::Pictures;
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
pub(crate) struct Tournament {
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
    rules: Rules,
    #[command(flatten)]
    store: StoreOption,
}

/// A tournament as a file describes it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Sheet {
    game: Option<String>,
    #[serde(default)]
    players: Vec<String>,
    pairs: Option<u64>,
    budget: Option<String>,
    opening: Option<u32>,
    longest: Option<u32>,
    form: Option<Form>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Form {
    RoundRobin,
    Gauntlet,
}

/// A tournament and its standings, the strongest player first.
#[derive(Serialize)]
pub(crate) struct Answer {
    run: Option<i64>,
    state: State,
    game: String,
    seed: u64,
    terms: Terms,
    games: u64,
    standings: Vec<Row>,
    /// Score of the row's player against the column's, from 0 to 1, in the order of the
    /// standings.
    cross: Vec<Vec<Option<f64>>>,
    /// Games played by this program.
    games_now: u64,
    seconds: Option<f64>,
    games_per_second: Option<f64>,
}

#[derive(Serialize)]
struct Row {
    player: String,
    #[serde(flatten)]
    rating: Rating,
    #[serde(flatten)]
    games: Games,
    score: f64,
    forfeits: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeit_reasons: Vec<Reason>,
}

/// Why games were forfeited.
#[derive(Serialize)]
struct Reason {
    reason: String,
    games: u64,
}

impl Tournament {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let plan = self.plan(context)?;
        let mut session = contest::started(context, plan, self.store.open()?, None)?;
        let played = session.play(context, live)?;
        contest::show(context, &self.store, &Pictures::default(), &session.plan, &played)
    }

    fn plan(&self, context: &Context) -> Result<Plan, Failure> {
        let sheet = self.sheet()?;
        let name = self.game.as_ref().or(sheet.game.as_ref()).ok_or_else(|| {
            Failure::Usage("neither the command line nor the file names a game".to_owned())
        })?;
        let game = context.registry.game(name)?;
        let mut players = Vec::new();
        for text in &sheet.players {
            players.push(game.player(text)?.spec().to_owned());
        }
        if players.len() < 2 {
            return Err(Failure::Usage(format!(
                "a tournament needs at least two players, and there is {}",
                if players.is_empty() { "none" } else { "one" }
            )));
        }
        let mut terms = self.rules.terms(context.seed);
        if let (None, Some(text)) = (self.rules.budget, &sheet.budget) {
            terms.budget = text
                .parse::<Budget>()
                .map_err(|error| Failure::Usage(format!("in the file, budget: {error}")))?;
        }
        terms.opening = self.rules.opening.or(sheet.opening).unwrap_or(terms.opening);
        terms.longest = self.rules.longest.or(sheet.longest).unwrap_or(terms.longest);
        let (count, pairs) = (players.len() as u32, self.pairs.or(sheet.pairs).unwrap_or(10));
        let schedule = if self.gauntlet || sheet.form == Some(Form::Gauntlet) {
            Schedule::gauntlet(count, pairs)
        } else {
            Schedule::round_robin(count, pairs)
        };
        Ok(Plan::new(Kind::Tournament, game.spec(), players, schedule, terms))
    }

    /// What the file says, or the players of the command line.
    fn sheet(&self) -> Result<Sheet, Failure> {
        let [only] = &self.players[..] else {
            return Ok(Sheet { players: self.players.clone(), ..Sheet::default() });
        };
        let path = Path::new(only);
        if !path.exists() && path.extension().is_none_or(|extension| extension != "toml") {
            return Ok(Sheet { players: self.players.clone(), ..Sheet::default() });
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Usage(format!("{only} cannot be read: {error}")))?;
        toml::from_str(&text)
            .map_err(|error| Failure::Usage(format!("{only}: {}", error.to_string().trim())))
    }
}

/// Who leads, in a few words.
pub(crate) fn live(plan: &Plan, ledger: &Ledger) -> String {
    let scores = (0..plan.players.len()).map(|i| (score(&ledger.standings.games(i as u32)), i));
    let best = scores.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(String::new, |(score, i)| {
        format!("{} leads with {:.1} %", plan.players[i], 100.0 * score)
    })
}

/// Points a game, from 0 to 1.
pub(crate) fn score(games: &Games) -> f64 {
    (games.wins as f64 + games.draws as f64 / 2.0) / games.total().max(1) as f64
}

impl Answer {
    /// What came of a tournament.
    pub(crate) fn of(plan: &Plan, played: &Progressing) -> Self {
        let standings = &played.ledger.standings;
        let ratings = standings.ratings();
        let mut order: Vec<usize> = (0..plan.players.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let row = |&i: &usize| {
            let games = standings.games(i as u32);
            let reasons = standings.reasons(i as u32).into_iter();
            Row {
                player: plan.players[i].clone(),
                rating: ratings[i],
                games,
                score: score(&games),
                forfeits: standings.forfeits(i as u32),
                forfeit_reasons: reasons.map(|(reason, games)| Reason { reason, games }).collect(),
            }
        };
        let against = |a: usize, b: usize| {
            standings.meetings.iter().find_map(|(players, meeting)| {
                let score = (meeting.games.total() > 0).then(|| score(&meeting.games))?;
                match players.map(|p| p as usize) {
                    [x, y] if (x, y) == (a, b) => Some(score),
                    [x, y] if (x, y) == (b, a) => Some(1.0 - score),
                    _ => None,
                }
            })
        };
        Answer {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            games: 2 * played.ledger.pairs,
            standings: order.iter().map(row).collect(),
            cross: order.iter().map(|&a| order.iter().map(|&b| against(a, b)).collect()).collect(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }

    fn table(&self) -> String {
        let forfeits = self.standings.iter().any(|row| row.forfeits > 0);
        let mut head = vec!["player", "Elo", "±", "games", "+", "=", "−", "score"];
        if forfeits {
            head.push("forfeits");
        }
        let rows = self.standings.iter().enumerate().map(|(i, row)| {
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
    fn cross_table(&self) -> String {
        let numbers: Vec<String> = (1..=self.standings.len()).map(|n| n.to_string()).collect();
        let mut head = vec!["score in %"];
        head.extend(numbers.iter().map(String::as_str));
        let rows = self.cross.iter().zip(&self.standings).enumerate().map(|(i, (scores, row))| {
            let mut cells = vec![format!("{} {}", i + 1, row.player)];
            cells.extend(scores.iter().map(|score| {
                score.map_or_else(|| "·".to_owned(), |score| format!("{:.0}", 100.0 * score))
            }));
            cells
        });
        figures(&head, rows)
    }
}

/// Players of a cross table, at most: more columns fit no terminal.
const CROSSED: usize = 16;

impl Report for Answer {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", paint(LOUD, &self.game), self.table());
        if self.standings.len() <= CROSSED {
            text += &self.cross_table();
            text += "\n";
        }
        for row in self.standings.iter().filter(|row| row.forfeits > 0) {
            text += &format!("{}: {} forfeited\n", row.player, plural(row.forfeits, "game"));
            for Reason { reason, games } in &row.forfeit_reasons {
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
