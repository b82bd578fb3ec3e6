//! How an experiment is shown: a line an iteration, what came of it, a chart of the iterations
//! with the last law beside it.

use ludion::optimise::cross_entropy::mallows::{CentreUpdate, MallowsOptions};
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::experiment::{
    DistributionKind, DistributionSummary, ExperimentOutcome, ExperimentSettings, ExperimentTrace,
    TraceStep,
};
use ludion_plot::{Chart, ChartPoint, ChartSeries, HeatMap, NumberUnit, PlotAxis};
use ludion_store::RunId;
use serde::Serialize;

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots::RunPicture;

/// An experiment and what came of it.
#[derive(Serialize)]
pub(super) struct ExperimentTraceReport<'a> {
    run: Option<RunId>,
    /// The hidden code as it is written, colours from 1; in the trace they are from 0.
    secret: String,
    proposal: String,
    seconds: Option<f64>,
    trace: &'a ExperimentTrace,
    #[serde(skip)]
    rules: &'a Mastermind,
    /// Whether the iterations were shown as they went.
    #[serde(skip)]
    shown: bool,
}

/// Characters of a line.
const WIDTH: usize = 80;

/// The head of the table of iterations.
pub(super) fn head(settings: &ExperimentSettings) -> String {
    let law = match settings.distribution {
        DistributionKind::Mallows(_) => format!("{:>7} {:>7}", "lambda", "S(x*)"),
        _ => format!("{:>7} {:>7} {:>7} {:>7}", "min", "max_min", "max", "min_max"),
    };
    let code =
        if matches!(settings.distribution, DistributionKind::Mallows(_)) { "x*" } else { "best" };
    let line = format!(
        "{:>3} {:>7} {:>7} {:>6} {law} {:>8}  {code}",
        "t", "gamma", "best", "elite", "answers"
    );
    format!("{line}\n{}\n", "─".repeat(WIDTH))
}

/// The line of an iteration.
pub(super) fn line(rules: &Mastermind, step: &TraceStep) -> String {
    let (law, code) = match &step.summary {
        DistributionSummary::Rows(rows) => {
            let figures = [rows.min, rows.max_min, rows.max, rows.min_max];
            (figures.map(|x| format!("{x:>7.4}")).join(" "), &step.proposal)
        }
        DistributionSummary::Mallows(law) => {
            let score = law.centre_score.unwrap_or(0.0);
            (format!("{:>7.3} {score:>7.4}", law.lambda), &law.centre)
        }
    };
    let TraceStep { iteration, gamma, best, elite, answers, .. } = step;
    let line = format!("{iteration:>3} {gamma:>7.4} {best:>7.4} {elite:>6} {law} {answers:>8}  ");
    let code = rules.show_code(code);
    let room = WIDTH.saturating_sub(line.chars().count());
    if code.chars().count() <= room {
        return format!("{line}{code}\n");
    }
    let cut: String = code.chars().take(room.saturating_sub(1)).collect();
    format!("{line}{cut}…\n")
}

/// The iterations for a spreadsheet: the names of the columns, and the rows.
pub(super) fn rows(
    rules: &Mastermind,
    trace: &ExperimentTrace,
) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let mut head = vec!["iteration", "gamma", "best", "elite", "answers", "proposal"];
    head.extend(match trace.settings.distribution {
        DistributionKind::Mallows(_) => &["lambda", "centre", "centre_score"][..],
        _ => &["min", "max_min", "max", "min_max"][..],
    });
    let row = |step: &TraceStep| {
        let mut row = vec![
            step.iteration.to_string(),
            step.gamma.to_string(),
            step.best.to_string(),
            step.elite.to_string(),
            step.answers.to_string(),
            rules.show_code(&step.proposal),
        ];
        row.extend(match &step.summary {
            DistributionSummary::Rows(rows) => {
                [rows.min, rows.max_min, rows.max, rows.min_max].map(|x| x.to_string()).to_vec()
            }
            DistributionSummary::Mallows(law) => {
                let score = law.centre_score.map_or_else(String::new, |score| score.to_string());
                vec![law.lambda.to_string(), rules.show_code(&law.centre), score]
            }
        });
        row
    };
    (head, trace.steps.iter().map(row).collect())
}

impl<'a> ExperimentTraceReport<'a> {
    pub(super) fn new(
        run: Option<RunId>,
        rules: &'a Mastermind,
        trace: &'a ExperimentTrace,
        seconds: Option<f64>,
        shown: bool,
    ) -> Self {
        let secret = rules.show_code(&trace.secret);
        let proposal = rules.show_code(&trace.outcome.proposal);
        ExperimentTraceReport { run, secret, proposal, seconds, trace, rules, shown }
    }

    /// What came of it, in words.
    fn conclusion(&self) -> String {
        let ExperimentOutcome { convergence, stop, iterations, found, .. } = self.trace.outcome;
        let at = |what: &str, iteration: Option<u32>| match iteration {
            Some(iteration) => format!("{what} at iteration {iteration}"),
            None => format!("{what} at no iteration"),
        };
        let found = if found { "found" } else { "not found" };
        let stop = match self.trace.settings.distribution {
            DistributionKind::Mallows(_) => at("x* is the secret", stop),
            _ => at("the first gamma of 1", stop),
        };
        match (&self.trace.settings.distribution, convergence) {
            // It ends at the secret, mostly before its gammas stand still.
            (DistributionKind::Mallows(_), None) => format!("{found}: {stop}, {iterations} in all"),
            _ => {
                format!("{found}: {}, {stop}, {iterations} in all", at("convergence", convergence))
            }
        }
    }

    fn title(&self) -> String {
        let ExperimentSettings { pegs, colours, distribution: law, .. } = &self.trace.settings;
        let [pegs, colours] =
            [(*pegs, "peg"), (*colours, "colour")].map(|(n, what)| plural(n as u64, what));
        format!("{pegs}, {colours} by {}", law.name())
    }

    fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        format!("N = {}, seed {}{run}", self.trace.settings.sample_size(), self.trace.seed)
    }

    /// The iterations, and the law in the end.
    pub(super) fn picture(&self) -> RunPicture {
        let panels = vec![RunPicture::Chart(self.chart()), RunPicture::Heat(self.heat())];
        RunPicture::Panels { title: self.title(), panels, columns: 2, size: [800, 600] }
    }

    fn chart(&self) -> Chart {
        let series = |name: &str, figure: &dyn Fn(&TraceStep) -> Option<f64>| ChartSeries {
            name: name.to_owned(),
            points: Vec::new(),
            line: self
                .trace
                .steps
                .iter()
                .filter_map(|step| Some(ChartPoint::bare(f64::from(step.iteration), figure(step)?)))
                .collect(),
        };
        let (name, of_the_law): (_, fn(&TraceStep) -> Option<f64>) =
            match self.trace.settings.distribution {
                DistributionKind::Mallows(_) => ("S(x*)", |step| match &step.summary {
                    DistributionSummary::Mallows(law) => law.centre_score,
                    DistributionSummary::Rows(_) => None,
                }),
                _ => ("min_max of P", |step| match &step.summary {
                    DistributionSummary::Rows(rows) => Some(rows.min_max),
                    DistributionSummary::Mallows(_) => None,
                }),
            };
        Chart {
            title: self.title(),
            note: self.note(),
            x: PlotAxis::linear("iteration").unit(NumberUnit::Count),
            y: PlotAxis::linear("score"),
            series: vec![
                series("gamma", &|step| Some(step.gamma)),
                series("best", &|step| Some(step.best)),
                series(name, &of_the_law),
            ],
            ..Chart::default()
        }
    }

    fn heat(&self) -> HeatMap {
        let table = self.trace.steps.last().and_then(|step| step.table.clone()).unwrap_or_default();
        let secret = self.trace.secret.iter().enumerate();
        HeatMap {
            title: match self.trace.settings.distribution {
                DistributionKind::Mallows(_) => "The table x* is taken from, in the end".to_owned(),
                _ => "P in the end".to_owned(),
            },
            note: "marked: the secret".to_owned(),
            column_label: "colour".to_owned(),
            columns: (1..=self.rules.colours).map(|colour| colour.to_string()).collect(),
            row_label: "peg".to_owned(),
            rows: (1..=self.rules.pegs).map(|peg| peg.to_string()).collect(),
            values: table.iter().map(|row| row.iter().copied().map(Some).collect()).collect(),
            value_label: match self.trace.settings.distribution {
                DistributionKind::Mallows(MallowsOptions {
                    update: CentreUpdate::Excess, ..
                }) => "excess",
                DistributionKind::Mallows(_) => "share",
                _ => "probability",
            }
            .to_owned(),
            unit: NumberUnit::Plain,
            decimals: 2,
            marked: secret.map(|(peg, &colour)| (peg, usize::from(colour))).collect(),
        }
    }
}

impl CommandReport for ExperimentTraceReport<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        if !self.shown {
            text += &head(&self.trace.settings);
            text.extend(self.trace.steps.iter().map(|step| line(self.rules, step)));
        }
        text += &format!("\nsecret    {}\nproposal  {}\n", self.secret, self.proposal);
        text += &paint(LOUD, &self.conclusion());
        let time = self.seconds.map_or_else(String::new, |s| format!(" in {:.1} ms", 1e3 * s));
        let answers = self.trace.outcome.answers;
        let cost = format!("{answers} answers of the secret{time}; {}", self.note());
        text + "\n" + &paint(QUIET, &cost) + "\n"
    }
}
