//! Charts that the laboratory and the command line share: diagnostics of the Markov chain that
//! samples the Mallows distribution (traces, autocorrelograms, distances).

use ludion_mastermind::experiment::chain::{
    ChainDiagnostics, ChainOptions, PegColourSeries, SeriesDiagnostics,
};
use ludion_plot::{Chart, ChartPoint, ChartSeries, PlotAxis};

/// Maximum number of steps that the trace of a peg shows; of a longer one, every few.
const TRACE_STEPS: usize = 2_000;

/// Draws the diagnostics of one Markov chain as charts.
pub struct MarkovChainCharts<'a> {
    /// Diagnostics of the chain.
    pub seen: &'a ChainDiagnostics,
    /// Seed from which the chain was drawn.
    pub seed: u64,
}

impl MarkovChainCharts<'_> {
    /// Returns a caption with the chain's parameters.
    #[must_use]
    pub fn note(&self) -> String {
        let ChainOptions { pegs, colours, lambda, burn_in, thinning, length, .. } =
            self.seen.options;
        let many = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let sizes = format!("{}, {}, lambda {lambda}", many(pegs, "peg"), many(colours, "colour"));
        let steps = format!("{length} steps after {}", burn_in * colours);
        format!("{sizes}; {steps}, thinned by {thinning}; seed {}", self.seed)
    }

    /// Returns three charts for each peg (trace, autocorrelations of all steps and of the thinned
    /// chain), then a chart of the distance to the centre of the Mallows distribution.
    #[must_use]
    pub fn all(&self) -> Vec<Chart> {
        let thinning = self.seen.options.thinning;
        let mut charts = Vec::new();
        for (peg, seen) in self.seen.coordinates.iter().enumerate() {
            let title = |what: String| format!("Peg {}: {what}", peg + 1);
            charts.push(self.trace(title("trace".to_owned()), seen));
            charts.push(self.correlogram(title("autocorrelation".to_owned()), &seen.all));
            charts.push(self.correlogram(title(format!("every {thinning} steps")), &seen.thinned));
        }
        charts.push(self.distances());
        charts
    }

    /// Draws the colours of a peg from step 0 to some steps after the burn-in, with its end marked.
    fn trace(&self, title: String, seen: &PegColourSeries) -> Chart {
        let burn_in = seen.beginning.len();
        let beginning: Vec<f64> = seen.start.into_iter().chain(seen.beginning.clone()).collect();
        let first = usize::from(seen.start.is_none());
        let stride = (seen.beginning.len() + seen.after.len()).div_ceil(TRACE_STEPS).max(1);
        let line = |first: usize, colours: &[f64]| {
            let points = colours.iter().enumerate().step_by(stride);
            points.map(|(at, &colour)| ChartPoint::bare((first + at) as f64, colour)).collect()
        };
        let top = self.seen.options.colours as f64;
        let mark = ChartPoint::new(burn_in as f64, (1.0 + top) / 2.0, [1.0, top]);
        let series = |name: &str, points, line| ChartSeries { name: name.to_owned(), points, line };
        Chart {
            title,
            note: self.note(),
            x: PlotAxis::linear("step"),
            y: PlotAxis::linear("colour"),
            series: vec![
                series("burn-in", Vec::new(), line(first, &beginning)),
                series("after it", Vec::new(), line(burn_in + 1, &seen.after)),
                series("end of the burn-in", vec![mark], Vec::new()),
            ],
            ..Chart::default()
        }
    }

    /// Draws autocorrelations as bars from 0, with the 95 % band of white noise.
    #[must_use]
    pub fn correlogram(&self, title: String, memory: &SeriesDiagnostics) -> Chart {
        let bar =
            |(lag, &r): (usize, &f64)| ChartPoint::new(lag as f64, r, [r.min(0.0), r.max(0.0)]);
        let points = memory.autocorrelation.iter().enumerate().map(bar).collect();
        let noise = 1.96 / (memory.values.max(1) as f64).sqrt();
        let ends = [0.0, self.seen.options.lags as f64];
        let band = ends.map(|lag| ChartPoint::new(lag, 0.0, [-noise, noise])).to_vec();
        let name = |name: &str| name.to_owned();
        Chart {
            title,
            note: self.note(),
            x: PlotAxis::linear("lag"),
            y: PlotAxis::linear("autocorrelation"),
            series: vec![
                ChartSeries { name: name("chain"), points, line: Vec::new() },
                ChartSeries { name: name("noise, 95 %"), points: Vec::new(), line: band },
            ],
            ..Chart::default()
        }
    }

    /// Draws the distribution of the distance to the centre of the Mallows distribution: measured
    /// in the chain, and exact.
    fn distances(&self) -> Chart {
        let at = |(d, p): (usize, f64)| ChartPoint::bare(d as f64, p);
        let places = |shares: &[f64]| shares.iter().copied().enumerate().map(at).collect();
        let name = |name: &str| name.to_owned();
        let (chain, exact) = (places(&self.shares()), places(&self.seen.exact));
        Chart {
            title: "Distance to the centre".to_owned(),
            note: self.note(),
            x: PlotAxis::linear("pegs that differ"),
            y: PlotAxis::linear("share"),
            series: vec![
                ChartSeries { name: name("chain"), points: chain, line: Vec::new() },
                ChartSeries { name: name("exact"), points: Vec::new(), line: exact },
            ],
            ..Chart::default()
        }
    }

    /// Returns the relative frequency of each distance to the centre of the Mallows distribution in
    /// the thinned chain.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let total = self.seen.counts.iter().sum::<u64>().max(1) as f64;
        self.seen.counts.iter().map(|&count| count as f64 / total).collect()
    }
}
