//! Report of a single experiment: a chart over the iterations beside a heat map of the last
//! distribution, and a table row for every iteration.

use ludion_mastermind::Mastermind;
use ludion_mastermind::experiment::{
    DistributionKind, DistributionSummary, ExperimentSettings, ExperimentTrace, TraceStep,
};
use ludion_optimise::cross_entropy::mallows::{CentreUpdate, MallowsOptions};
use ludion_players::riddle::Riddle;
use ludion_plot::{Chart, ChartPoint, ChartSeries, HeatMap, NumberUnit, PlotAxis};
use ludion_store::{JobOutput, RunId};
use serde::Serialize;

use crate::studies::{ReportTable, StudyReport};
use crate::{RunPicture, plural};

/// Report of a single experiment with all iterations.
#[derive(Serialize)]
pub struct MastermindExperimentReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Secret as text with colours from 1; in the trace they are from 0.
    pub secret: String,
    /// Code proposed after the last iteration, as text with colours from 1.
    pub proposal: String,
    /// Seconds that the experiment took.
    pub seconds: Option<f64>,
    /// All iterations and the outcome.
    pub trace: ExperimentTrace,
    /// Rules of Mastermind by which codes are written as text.
    #[serde(skip)]
    pub rules: Mastermind,
}

impl MastermindExperimentReport {
    pub(super) fn new(
        run: Option<RunId>,
        rules: Mastermind,
        record: &JobOutput<ExperimentTrace>,
    ) -> Self {
        let trace = record.value.clone();
        let secret = rules.show_code(&trace.secret);
        let proposal = rules.show_code(&trace.outcome.proposal);
        let seconds = Some(record.took.as_secs_f64());
        MastermindExperimentReport { run, secret, proposal, seconds, trace, rules }
    }

    fn title(&self) -> String {
        let ExperimentSettings { pegs, colours, distribution: law, .. } = &self.trace.settings;
        let [pegs, colours] =
            [(*pegs, "peg"), (*colours, "colour")].map(|(n, what)| plural(n as u64, what));
        format!("{pegs}, {colours} by {}", law.name())
    }

    /// Describes the experiment in one line: sample size, seed and run.
    #[must_use]
    pub fn note(&self) -> String {
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        format!("N = {}, seed {}{run}", self.trace.settings.sample_size(), self.trace.seed)
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

impl StudyReport for MastermindExperimentReport {
    fn picture(&self) -> RunPicture {
        let panels = vec![RunPicture::Chart(self.chart()), RunPicture::Heat(self.heat())];
        RunPicture::Panels { title: self.title(), panels, columns: 2, size: [800, 600] }
    }

    fn table(&self) -> Option<ReportTable> {
        let mut columns = vec!["iteration", "gamma", "best", "elite", "answers", "proposal"];
        columns.extend(match self.trace.settings.distribution {
            DistributionKind::Mallows(_) => &["lambda", "centre", "centre_score"][..],
            _ => &["min", "max_min", "max", "min_max"][..],
        });
        let rows = self.trace.steps.iter().map(|step| row(&self.rules, step)).collect();
        Some(ReportTable { columns, rows })
    }
}

/// Returns an iteration as a row of the table.
fn row(rules: &Mastermind, step: &TraceStep) -> Vec<String> {
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
}
