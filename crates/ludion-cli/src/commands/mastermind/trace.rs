//! Text of the report of an experiment: a line for every iteration, and the outcome.

use ludion::riddle::Riddle;
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::experiment::{
    DistributionKind, DistributionSummary, ExperimentOutcome, ExperimentSettings, TraceStep,
};
use ludion_runs::studies::mastermind::MastermindExperimentReport;

use crate::output::{CommandReport, LOUD, QUIET, paint};

/// Width of the table in characters.
const WIDTH: usize = 80;

/// Returns the head of the table of iterations.
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

/// Formats an iteration as a line of the table; a code that is too long is cut.
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

/// Describes how the experiment ended.
fn conclusion(report: &MastermindExperimentReport) -> String {
    let ExperimentOutcome { convergence, stop, iterations, found, .. } = report.trace.outcome;
    let at = |what: &str, iteration: Option<u32>| match iteration {
        Some(iteration) => format!("{what} at iteration {iteration}"),
        None => format!("{what} at no iteration"),
    };
    let found = if found { "found" } else { "not found" };
    let stop = match report.trace.settings.distribution {
        DistributionKind::Mallows(_) => at("x* is the secret", stop),
        _ => at("the first gamma of 1", stop),
    };
    match (&report.trace.settings.distribution, convergence) {
        // Experiments with the Mallows distribution end at the secret, mostly before they converge.
        (DistributionKind::Mallows(_), None) => format!("{found}: {stop}, {iterations} in all"),
        _ => {
            format!("{found}: {}, {stop}, {iterations} in all", at("convergence", convergence))
        }
    }
}

/// Formats the outcome, which is printed below the iterations.
pub(super) fn outcome(report: &MastermindExperimentReport) -> String {
    let mut text = format!("\nsecret    {}\nproposal  {}\n", report.secret, report.proposal);
    text += &paint(LOUD, &conclusion(report));
    let time = report.seconds.map_or_else(String::new, |s| format!(" in {:.1} ms", 1e3 * s));
    let answers = report.trace.outcome.answers;
    let cost = format!("{answers} answers of the secret{time}; {}", report.note());
    text + "\n" + &paint(QUIET, &cost) + "\n"
}

impl CommandReport for MastermindExperimentReport {
    fn text(&self) -> String {
        let mut text = head(&self.trace.settings);
        text.extend(self.trace.steps.iter().map(|step| line(&self.rules, step)));
        text + &outcome(self)
    }
}
