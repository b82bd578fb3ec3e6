//! The report of a championship: the score of every parameter value with its confidence interval, a
//! smooth curve or a grid, and a sentence that says whether the games suffice to tell the best
//! value.

use ludion_players::arena::championship::curve::ScoreCurve;
use ludion_players::arena::championship::entrants::{Entrants, OpenParameter};
use ludion_players::arena::championship::grid::ScoreGrid;
use ludion_players::arena::championship::score::MeanScore;
use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::plan::GamesPlan;
use ludion_plot::{Chart, ChartOptimum, ChartPoint, ChartSeries, HeatMap, NumberUnit, PlotAxis};
use ludion_store::RunState;
use serde::Serialize;

use crate::{PlayedPlan, Repeatability, RunError, RunPicture, plural};

/// The report of a championship.
#[derive(Serialize, Clone, Debug)]
pub struct ChampionshipReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<i64>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Spec of the game.
    pub game: String,
    /// Spec of the player with its open parameters, such as `mcts(a=1..50)`.
    pub field: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Budget, opening, length limit and seed that all games share.
    pub terms: GameSettings,
    /// Number of pairs of games in the scores, earlier sessions included.
    pub pairs: u64,
    /// Number of games in the scores: two for each pair.
    pub games: u64,
    /// Whether the games can be repeated.
    #[serde(flatten)]
    pub repeatability: Repeatability,
    /// One row for each combination of parameter values.
    pub values: Vec<EntrantRow>,
    /// Smooth curve of the score over the parameter, if there is one open parameter and it is
    /// numeric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<ScoreCurve>,
    /// Grid of scores, if there are two open parameters or one whose values are words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<ScoreGrid>,
    /// A sentence that says whether the games suffice to tell the best value.
    pub conclusion: String,
    /// Number of games played by this program, earlier sessions excluded.
    pub games_now: u64,
    /// Seconds for which this program has played; `None` if the run was only read.
    pub seconds: Option<f64>,
    /// Games played by this program per second.
    pub games_per_second: Option<f64>,
    /// The curve or the grid as a picture.
    #[serde(skip)]
    pub picture: RunPicture,
}

/// Score of the player with one combination of parameter values.
#[derive(Serialize, Clone, Debug)]
pub struct EntrantRow {
    /// Spec of the player with these values.
    pub player: String,
    /// Values of the open parameters as text, in the order of the parameters.
    pub values: Vec<String>,
    /// Numbers of games won, drawn and lost against all other combinations.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Mean score per game with its 95 % confidence interval.
    #[serde(flatten)]
    pub score: MeanScore,
}

/// Parses the spec of a player with open parameters into one entrant for each combination of
/// values.
pub(crate) fn parse_entrants(text: &str) -> Result<Entrants, RunError> {
    Entrants::read(text).map_err(|error| RunError::Wrong(error.to_string()))
}

impl ChampionshipReport {
    /// Computes the report from the pairs played so far.
    ///
    /// # Errors
    /// When the plan does not name the player with its open parameters.
    pub fn new(plan: &GamesPlan, played: &PlayedPlan) -> Result<Self, RunError> {
        let text = plan.field.as_deref().ok_or_else(|| {
            RunError::Failed("the store has a championship that does not say of what".to_owned())
        })?;
        let field = parse_entrants(text)?;
        Ok(ChampionshipReport::with_entrants(text, &field, plan, played))
    }

    fn with_entrants(text: &str, field: &Entrants, plan: &GamesPlan, played: &PlayedPlan) -> Self {
        let standings = &played.tally.standings;
        let games: Vec<GameCounts> =
            (0..plan.players.len()).map(|i| standings.games(i as u32)).collect();
        let values = field
            .entrants
            .iter()
            .zip(&plan.players)
            .zip(&games)
            .map(|((entrant, player), games)| EntrantRow {
                player: player.clone(),
                values: entrant.values.iter().map(|value| value.text.clone()).collect(),
                games: *games,
                score: MeanScore::from_counts(games),
            })
            .collect();
        let mut report = ChampionshipReport {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            field: text.to_owned(),
            seed: plan.terms.seed,
            terms: plan.terms,
            pairs: played.tally.pairs,
            games: 2 * played.tally.pairs,
            repeatability: Repeatability::of(plan),
            values,
            curve: None,
            grid: None,
            conclusion: String::new(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
            picture: RunPicture::Chart(Chart::default()),
        };
        match &field.axes[..] {
            [axis] if axis.numeric => {
                let curve = ScoreCurve::fit(&axis.numbers(), &games, plan.terms.seed);
                report.conclusion = curve.in_words(&axis.name);
                report.picture = RunPicture::Chart(report.chart(axis, &curve));
                report.curve = Some(curve);
            }
            axes => {
                let columns = axes.last().map_or(1, |axis| axis.values.len());
                let grid = ScoreGrid::new(&games, columns);
                report.conclusion = grid.in_words(axes);
                report.picture = match axes {
                    [axis] => RunPicture::Chart(report.word_chart(axis, &grid.scores[0])),
                    _ => RunPicture::Heat(report.heat_map(axes, &grid)),
                };
                report.grid = Some(grid);
            }
        }
        report
    }

    fn title(&self) -> String {
        format!("{}: {}", self.game, self.field)
    }

    fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let budget = match self.terms.budget.units().is_empty() {
            true => String::new(),
            false => format!(", {} a move", self.terms.budget),
        };
        let pairs = plural(self.pairs, "pair");
        format!("{pairs}, {} games{budget}, seed {}{run}", self.games, self.seed)
    }

    fn frame(&self, x: PlotAxis, series: Vec<ChartSeries>, optimum: Option<ChartOptimum>) -> Chart {
        Chart {
            title: self.title(),
            note: self.note() + "; bars and band: 95 %",
            x,
            y: PlotAxis::linear("score against the field").unit(NumberUnit::Percent),
            series,
            level: Some(0.5),
            optimum,
        }
    }

    fn chart(&self, axis: &OpenParameter, curve: &ScoreCurve) -> Chart {
        let point =
            |x: f64, score: &MeanScore| ChartPoint::new(x, score.value, [score.low, score.high]);
        let series = ChartSeries {
            name: String::new(),
            points: curve.values.iter().zip(&curve.scores).map(|(&x, s)| point(x, s)).collect(),
            line: curve.smooth.iter().map(|at| point(at.x, &at.score)).collect(),
        };
        let optimum =
            curve.optimum.filter(|_| curve.optimum_is_resolved()).map(|best| ChartOptimum {
                x: best.x,
                low: best.low,
                high: best.high,
                label: format!(
                    "best near {} (95 %: {} to {})",
                    two_digits(best.x),
                    two_digits(best.low),
                    two_digits(best.high)
                ),
            });
        let x = if curve.logarithmic {
            PlotAxis::log(&axis.name)
        } else {
            PlotAxis::linear(&axis.name)
        };
        self.frame(x, vec![series], optimum)
    }

    fn word_chart(&self, axis: &OpenParameter, scores: &[MeanScore]) -> Chart {
        let names = axis.values.iter().map(|value| value.text.clone()).collect();
        let points = axis
            .values
            .iter()
            .zip(scores)
            .map(|(value, s)| ChartPoint::new(value.number, s.value, [s.low, s.high]))
            .collect();
        let series = ChartSeries { points, ..ChartSeries::default() };
        self.frame(PlotAxis::names(&axis.name, names), vec![series], None)
    }

    fn heat_map(&self, axes: &[OpenParameter], grid: &ScoreGrid) -> HeatMap {
        let names =
            |axis: &OpenParameter| axis.values.iter().map(|value| value.text.clone()).collect();
        let values = |row: &Vec<MeanScore>| row.iter().map(|score| Some(score.value)).collect();
        HeatMap {
            title: self.title(),
            note: self.note(),
            column_label: axes[1].name.clone(),
            columns: names(&axes[1]),
            row_label: axes[0].name.clone(),
            rows: names(&axes[0]),
            values: grid.scores.iter().map(values).collect(),
            value_label: "score against the field".to_owned(),
            unit: NumberUnit::Percent,
            decimals: 0,
            marked: grid.best.into_iter().collect(),
        }
    }
}

/// Formats a number with at least two significant digits; the integer part is always written in
/// full.
fn two_digits(value: f64) -> String {
    let digits = 1 - value.abs().max(1e-9).log10().floor() as i32;
    format!("{value:.*}", digits.clamp(0, 9) as usize)
}
