//! `ludion championship`: one player with many values of one or two parameters, everybody
//! against everybody, drawn with error bars, and in words whether anything is resolved.

use clap::Args;
use ludion::arena::championship::curve::Curve;
use ludion::arena::championship::field::{Axis, Field};
use ludion::arena::championship::grid::Grid;
use ludion::arena::championship::score::Score;
use ludion::arena::contest::Schedule;
use ludion::arena::elo::Games;
use ludion::arena::pair::Terms;
use ludion::arena::plan::{Kind, Plan};
use ludion_plot::{Axis as PlotAxis, Chart, HeatMap, Optimum, Point, Series, Unit};
use serde::Serialize;

use super::tournament;
use crate::Context;
use crate::contest::{self, Progressing, Rules, State, StoreOption};
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, pace, paint};
use crate::pictures::{Picture, Pictures};

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
}

/// A championship and what it tells.
#[derive(Serialize)]
struct Answer {
    run: Option<i64>,
    state: State,
    game: String,
    field: String,
    seed: u64,
    terms: Terms,
    games: u64,
    /// Every value with its score.
    values: Vec<Row>,
    /// For one parameter of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Curve>,
    /// For two parameters, or for words.
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<Grid>,
    conclusion: String,
    /// Games played by this program.
    games_now: u64,
    seconds: Option<f64>,
    games_per_second: Option<f64>,
    #[serde(skip)]
    picture: Option<Picture>,
}

#[derive(Serialize)]
struct Row {
    player: String,
    values: Vec<String>,
    #[serde(flatten)]
    games: Games,
    #[serde(flatten)]
    score: Score,
}

impl Championship {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let game = context.registry.game(&self.game)?;
        let field = read(&self.player)?;
        let mut players = Vec::new();
        for entrant in &field.entrants {
            players.push(game.player(&entrant.text)?.spec().to_owned());
        }
        let schedule = Schedule::round_robin(players.len() as u32, self.pairs);
        let terms = self.rules.terms(context.seed);
        let plan = Plan::new(Kind::Championship, game.spec(), players, schedule, terms);
        let plan = Plan { field: Some(self.player.clone()), ..plan };
        let mut session = contest::started(context, plan, self.store.open()?, None)?;
        let played = session.play(context, tournament::live)?;
        contest::show(context, &self.store, &self.pictures, &session.plan, &played)
    }
}

fn read(text: &str) -> Result<Field, Failure> {
    Field::read(text).map_err(|error| Failure::Usage(error.to_string()))
}

/// Says what came of a championship, and draws it.
pub(crate) fn report(
    context: &Context,
    pictures: &Pictures,
    plan: &Plan,
    played: &Progressing,
) -> Result<(), Failure> {
    let text = plan.field.as_deref().ok_or_else(|| {
        Failure::Failed("the store has a championship that does not say of what".to_owned())
    })?;
    let answer = Answer::of(text, &read(text)?, plan, played);
    if let Some(picture) = &answer.picture {
        pictures.write(picture)?;
    }
    context.output.report(&answer)
}

impl Answer {
    fn of(text: &str, field: &Field, plan: &Plan, played: &Progressing) -> Self {
        let standings = &played.ledger.standings;
        let games: Vec<Games> =
            (0..plan.players.len()).map(|i| standings.games(i as u32)).collect();
        let values = field
            .entrants
            .iter()
            .zip(&plan.players)
            .zip(&games)
            .map(|((entrant, player), games)| Row {
                player: player.clone(),
                values: entrant.values.iter().map(|value| value.text.clone()).collect(),
                games: *games,
                score: Score::of(games),
            })
            .collect();
        let mut answer = Answer {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            field: text.to_owned(),
            seed: plan.terms.seed,
            terms: plan.terms,
            games: 2 * played.ledger.pairs,
            values,
            curve: None,
            grid: None,
            conclusion: String::new(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
            picture: None,
        };
        match &field.axes[..] {
            [axis] if axis.numeric => {
                let curve = Curve::fit(&axis.numbers(), &games, plan.terms.seed);
                answer.conclusion = curve.in_words(&axis.name);
                answer.picture = Some(Picture::Chart(answer.chart(axis, &curve)));
                answer.curve = Some(curve);
            }
            axes => {
                let columns = axes.last().map_or(1, |axis| axis.values.len());
                let grid = Grid::new(&games, columns);
                answer.conclusion = grid.in_words(axes);
                answer.picture = Some(match axes {
                    [axis] => Picture::Chart(answer.word_chart(axis, &grid.scores[0])),
                    _ => Picture::Heat(answer.heat_map(axes, &grid)),
                });
                answer.grid = Some(grid);
            }
        }
        answer
    }

    fn title(&self) -> String {
        format!("{}: {}", self.game, self.field)
    }

    fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        format!("{} games, seed {}{run}", self.games, self.seed)
    }

    fn frame(&self, x: PlotAxis, series: Vec<Series>, optimum: Option<Optimum>) -> Chart {
        Chart {
            title: self.title(),
            note: self.note() + "; bars and band: 95 %",
            x,
            y: PlotAxis::linear("score against the field").unit(Unit::Percent),
            series,
            level: Some(0.5),
            optimum,
        }
    }

    fn chart(&self, axis: &Axis, curve: &Curve) -> Chart {
        let point = |x: f64, score: &Score| Point::new(x, score.value, [score.low, score.high]);
        let series = Series {
            name: String::new(),
            points: curve.values.iter().zip(&curve.scores).map(|(&x, s)| point(x, s)).collect(),
            line: curve.smooth.iter().map(|at| point(at.x, &at.score)).collect(),
        };
        let optimum = curve.optimum.filter(|_| curve.optimum_is_resolved()).map(|best| Optimum {
            x: best.x,
            low: best.low,
            high: best.high,
            label: format!(
                "best near {} (95 %: {} to {})",
                short(best.x),
                short(best.low),
                short(best.high)
            ),
        });
        let x = if curve.logarithmic {
            PlotAxis::log(&axis.name)
        } else {
            PlotAxis::linear(&axis.name)
        };
        self.frame(x, vec![series], optimum)
    }

    fn word_chart(&self, axis: &Axis, scores: &[Score]) -> Chart {
        let names = axis.values.iter().map(|value| value.text.clone()).collect();
        let points = axis
            .values
            .iter()
            .zip(scores)
            .map(|(value, s)| Point::new(value.number, s.value, [s.low, s.high]))
            .collect();
        let series = Series { points, ..Series::default() };
        self.frame(PlotAxis::names(&axis.name, names), vec![series], None)
    }

    fn heat_map(&self, axes: &[Axis], grid: &Grid) -> HeatMap {
        let names = |axis: &Axis| axis.values.iter().map(|value| value.text.clone()).collect();
        let values = |row: &Vec<Score>| row.iter().map(|score| Some(score.value)).collect();
        HeatMap {
            title: self.title(),
            note: self.note(),
            column_label: axes[1].name.clone(),
            columns: names(&axes[1]),
            row_label: axes[0].name.clone(),
            rows: names(&axes[0]),
            values: grid.scores.iter().map(values).collect(),
            value_label: "score against the field".to_owned(),
            unit: Unit::Percent,
            decimals: 0,
            marked: grid.best.into_iter().collect(),
        }
    }
}

/// A number in two digits, more only before the point.
fn short(value: f64) -> String {
    let digits = 1 - value.abs().max(1e-9).log10().floor() as i32;
    format!("{value:.*}", digits.clamp(0, 9) as usize)
}

impl Report for Answer {
    fn text(&self) -> String {
        let mut text = self.picture.as_ref().map_or_else(String::new, Picture::text);
        text += &format!("\n{}\n", paint(LOUD, &self.conclusion));
        let speed = pace(self.games, self.games_now, self.seconds);
        let players = self.values.len();
        text + &paint(QUIET, &format!("{players} values, {} games{speed}", self.games)) + "\n"
    }
}
