//! `ludion mastermind chain`: diagnostics of the Metropolis-Hastings chain of the Mallows
//! distribution: autocorrelation, and convergence to the exact distribution.

use clap::Args;
use ludion::optimise::diagnostics::ChiSquaredTest;
use ludion::riddles::mastermind::experiment::chain::{
    ChainDiagnostics, ChainOptions, SeriesDiagnostics,
};
use ludion_server::pictures::MarkovChainCharts;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::plots::{PlotArgs, RunPicture};
use crate::table::figures;

/// Diagnose the Markov chain of the Mallows distribution: traces, autocorrelation, the exact
/// distribution
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind chain --pegs 4 --colours 6 --plot chain.png
  ludion mastermind chain --pegs 4 --colours 6 --json")]
pub(super) struct ChainArgs {
    /// Number of pegs of a code (n)
    #[arg(long, value_name = "N", default_value_t = 10)]
    pegs: usize,
    /// Number of colours that a peg can have (m), at least as many as pegs
    #[arg(long, value_name = "M", default_value_t = 40)]
    colours: usize,
    /// Rate at which probabilities fall with each peg that differs from the centre
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    lambda: f64,
    /// Number of burn-in steps for each colour
    #[arg(long, value_name = "STEPS", default_value_t = 250)]
    burn_in: usize,
    /// Number of steps between two codes of the thinned chain
    #[arg(long, value_name = "STEPS", default_value_t = 80)]
    thinning: usize,
    /// Number of steps after the burn-in
    #[arg(long, value_name = "STEPS", default_value_t = 80_000)]
    length: usize,
    /// Number of lags of the autocorrelations and of their test
    #[arg(long, value_name = "N", default_value_t = 40)]
    lags: usize,
    /// Number of pegs to diagnose, from the first
    #[arg(long, value_name = "N", default_value_t = 4)]
    coordinates: usize,
    #[command(flatten)]
    pictures: PlotArgs,
}

#[derive(Serialize)]
struct ChainReport {
    seed: u64,
    #[serde(flatten)]
    seen: ChainDiagnostics,
}

impl ChainArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let &ChainArgs { pegs, colours, lambda, burn_in, thinning, length, lags, .. } = self;
        if lambda == 0.0 && pegs == colours {
            let why = "with lambda 0 and as many colours as pegs the chain takes turns between \
                       even and odd orders and comes to no law";
            return Err(CommandFailure::Usage(why.to_owned()));
        }
        let coordinates = self.coordinates;
        let look =
            ChainOptions { pegs, colours, lambda, burn_in, thinning, length, lags, coordinates };
        let progress = context.progress("steps");
        let seen = look.diagnose_with_progress(context.seed, &mut |done, total| {
            progress.update(done, Some(total), String::new);
        })?;
        progress.finish();
        let answer = ChainReport { seed: context.seed, seen };
        self.pictures.write(&answer.picture())?;
        context.output.report(&answer)
    }
}

impl ChainReport {
    fn charts(&self) -> MarkovChainCharts<'_> {
        MarkovChainCharts { seen: &self.seen, seed: self.seed }
    }

    /// Returns a row of charts for each peg, and below them the distribution of the distance.
    fn picture(&self) -> RunPicture {
        let charts = self.charts();
        let panels = charts.all().into_iter().map(RunPicture::Chart).collect();
        let title = format!("The chain of the Mallows law: {}", charts.note());
        RunPicture::Panels { title, panels, columns: 3, size: [560, 340] }
    }
}

/// Formats the p-value of a test in few characters.
fn chance(test: Option<ChiSquaredTest>) -> String {
    test.map_or_else(
        || "-".to_owned(),
        |test| match test.p {
            p if p < 1e-4 => "<0.0001".to_owned(),
            p => format!("{p:.4}"),
        },
    )
}

impl CommandReport for ChainReport {
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(first) = self.seen.coordinates.first() {
            let title = "Peg 1: autocorrelation of all steps".to_owned();
            text += &RunPicture::Chart(self.charts().correlogram(title, &first.all)).text();
            text.push('\n');
        }
        let head = ["peg", "steps", "r(1)", "r(10)", "Ljung-Box p", "effective size"];
        let row = |name: String, memory: &SeriesDiagnostics| {
            let r = |lag: usize| match memory.autocorrelation.get(lag) {
                Some(r) => format!("{r:.3}"),
                None => "-".to_owned(),
            };
            let size = memory.effective_size.map_or_else(|| "-".to_owned(), |s| format!("{s:.0}"));
            let steps = memory.values.to_string();
            vec![name, steps, r(1), r(10), chance(memory.ljung_box), size]
        };
        let rows = self.seen.coordinates.iter().zip(1..).flat_map(|(seen, peg): (_, usize)| {
            let thinned = format!("{peg}, every {}", self.seen.options.thinning);
            [row(peg.to_string(), &seen.all), row(thinned, &seen.thinned)]
        });
        text += &(figures(&head, rows) + "\n");
        let distances = self.seen.exact.iter().zip(&self.seen.counts).zip(self.charts().shares());
        let rows = distances.enumerate().map(|(d, ((exact, count), share))| {
            vec![d.to_string(), format!("{exact:.5}"), format!("{share:.5}"), count.to_string()]
        });
        text += &figures(&["pegs that differ", "exact", "chain", "codes"], rows);
        let fit = match self.seen.fit {
            Some(test) => format!(
                "distances against the exact law: chi-squared {:.1} with {} of freedom, p {}",
                test.statistic,
                plural(test.freedom as u64, "degree"),
                match chance(Some(test)) {
                    less if less.starts_with('<') => less.replacen('<', "< ", 1),
                    p => format!("= {p}"),
                }
            ),
            None => "too few codes to hold the distances against the exact law".to_owned(),
        };
        format!("{text}\n{}\n{}\n", paint(LOUD, &fit), paint(QUIET, &self.charts().note()))
    }
}
