//! `ludion mastermind chain`: the Metropolis-Hastings chain of the Mallows law, how long it
//! remembers, and whether it comes to the exact law.

use clap::Args;
use ludion::optimise::diagnostics::Test;
use ludion::riddles::mastermind::laboratory::chain::{Coordinate, Look, Memory, Seen};
use ludion_plot::{Axis, Chart, Point, Series};
use serde::Serialize;

use crate::Context;
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, paint, plural};
use crate::pictures::{Picture, Pictures};
use crate::table::figures;

/// Look at the chain that draws from the Mallows law: traces, memory, the exact law beside it
#[derive(Args)]
pub(super) struct Chain {
    /// Pegs of a code (n)
    #[arg(long, value_name = "N", default_value_t = 10)]
    pegs: usize,
    /// Colours of a peg (m), at least as many
    #[arg(long, value_name = "M", default_value_t = 40)]
    colours: usize,
    /// How fast chances fall with every peg that differs from the centre
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    lambda: f64,
    /// Steps before the first that counts, for each colour
    #[arg(long, value_name = "STEPS", default_value_t = 250)]
    burn_in: usize,
    /// Steps from one code to the next, where the chain is thinned
    #[arg(long, value_name = "STEPS", default_value_t = 80)]
    thinning: usize,
    /// Steps that count
    #[arg(long, value_name = "STEPS", default_value_t = 80_000)]
    length: usize,
    /// Lags of the autocorrelations, and of their test
    #[arg(long, value_name = "N", default_value_t = 40)]
    lags: usize,
    /// Pegs to look at, from the first on
    #[arg(long, value_name = "N", default_value_t = 4)]
    coordinates: usize,
    #[command(flatten)]
    pictures: Pictures,
}

#[derive(Serialize)]
struct Answer {
    seed: u64,
    #[serde(flatten)]
    seen: Seen,
}

impl Chain {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let &Chain { pegs, colours, lambda, burn_in, thinning, length, lags, .. } = self;
        if lambda == 0.0 && pegs == colours {
            let why = "with lambda 0 and as many colours as pegs the chain takes turns between \
                       even and odd orders and comes to no law";
            return Err(Failure::Usage(why.to_owned()));
        }
        let coordinates = self.coordinates;
        let look = Look { pegs, colours, lambda, burn_in, thinning, length, lags, coordinates };
        let answer = Answer { seed: context.seed, seen: look.look(context.seed)? };
        self.pictures.write(&answer.picture())?;
        context.output.report(&answer)
    }
}

/// Steps of the burn-in that a picture shows.
const SHOWN: usize = 2_000;

impl Answer {
    fn note(&self) -> String {
        let Look { pegs, colours, lambda, burn_in, thinning, length, .. } = self.seen.look;
        let [pegs, colours_named] = [plural(pegs as u64, "peg"), plural(colours as u64, "colour")];
        let sizes = format!("{pegs}, {colours_named}, lambda {lambda}");
        let steps = format!("{length} steps after {}", burn_in * colours);
        format!("{sizes}; {steps}, thinned by {thinning}; seed {}", self.seed)
    }

    /// A row for each peg, and the law of the distance below.
    fn picture(&self) -> Picture {
        let thinning = self.seen.look.thinning;
        let mut panels = Vec::new();
        for (peg, seen) in self.seen.coordinates.iter().enumerate() {
            let titles = [
                format!("Peg {}: trace", peg + 1),
                format!("Peg {}: autocorrelation", peg + 1),
                format!("Peg {}: every {thinning} steps", peg + 1),
            ];
            let [trace, all, thin] = titles;
            panels.push(Picture::Chart(self.trace(trace, seen)));
            panels.push(Picture::Chart(self.correlogram(all, &seen.all)));
            panels.push(Picture::Chart(self.correlogram(thin, &seen.thinned)));
        }
        panels.push(Picture::Chart(self.distances()));
        let title = format!("The chain of the Mallows law: {}", self.note());
        Picture::Panels { title, panels, columns: 3, size: [560, 340] }
    }

    fn trace(&self, title: String, seen: &Coordinate) -> Chart {
        let colours = seen.beginning.iter().take(SHOWN).enumerate();
        let line = colours.map(|(step, &colour)| Point::bare(step as f64, colour)).collect();
        Chart {
            title,
            note: self.note(),
            x: Axis::linear("step"),
            y: Axis::linear("colour"),
            series: vec![Series { line, ..Series::default() }],
            ..Chart::default()
        }
    }

    /// Bars from 0, and where 95 % of noise would be.
    fn correlogram(&self, title: String, memory: &Memory) -> Chart {
        let bar = |(lag, &r): (usize, &f64)| Point::new(lag as f64, r, [r.min(0.0), r.max(0.0)]);
        let points = memory.autocorrelation.iter().enumerate().map(bar).collect();
        let noise = 1.96 / (memory.values.max(1) as f64).sqrt();
        let ends = [0.0, self.seen.look.lags as f64];
        let band = ends.map(|lag| Point::new(lag, 0.0, [-noise, noise])).to_vec();
        let name = |name: &str| name.to_owned();
        Chart {
            title,
            note: self.note(),
            x: Axis::linear("lag"),
            y: Axis::linear("autocorrelation"),
            series: vec![
                Series { name: name("chain"), points, line: Vec::new() },
                Series { name: name("noise, 95 %"), points: Vec::new(), line: band },
            ],
            ..Chart::default()
        }
    }

    fn distances(&self) -> Chart {
        let at = |(d, p): (usize, f64)| Point::bare(d as f64, p);
        let series = |name: &str, shares: Vec<f64>| Series {
            name: name.to_owned(),
            points: shares.iter().copied().enumerate().map(at).collect(),
            line: Vec::new(),
        };
        let mut exact = series("exact", self.seen.exact.clone());
        exact.line = std::mem::take(&mut exact.points);
        Chart {
            title: "Distance to the centre".to_owned(),
            note: self.note(),
            x: Axis::linear("pegs that differ"),
            y: Axis::linear("share"),
            series: vec![series("chain", self.shares()), exact],
            ..Chart::default()
        }
    }

    /// The shares of the distances in the thinned chain.
    fn shares(&self) -> Vec<f64> {
        let total = self.seen.counts.iter().sum::<u64>().max(1) as f64;
        self.seen.counts.iter().map(|&count| count as f64 / total).collect()
    }
}

/// A chance in few characters.
fn chance(test: Option<Test>) -> String {
    test.map_or_else(
        || "-".to_owned(),
        |test| match test.p {
            p if p < 1e-4 => "<0.0001".to_owned(),
            p => format!("{p:.4}"),
        },
    )
}

impl Report for Answer {
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(first) = self.seen.coordinates.first() {
            let title = "Peg 1: autocorrelation of all steps".to_owned();
            text += &Picture::Chart(self.correlogram(title, &first.all)).text();
            text.push('\n');
        }
        let head = ["peg", "steps", "r(1)", "r(10)", "Ljung-Box p", "effective size"];
        let row = |name: String, memory: &Memory| {
            let r = |lag: usize| match memory.autocorrelation.get(lag) {
                Some(r) => format!("{r:.3}"),
                None => "-".to_owned(),
            };
            let size = memory.effective_size.map_or_else(|| "-".to_owned(), |s| format!("{s:.0}"));
            let steps = memory.values.to_string();
            vec![name, steps, r(1), r(10), chance(memory.ljung_box), size]
        };
        let rows = self.seen.coordinates.iter().zip(1..).flat_map(|(seen, peg): (_, usize)| {
            let thinned = format!("{peg}, every {}", self.seen.look.thinning);
            [row(peg.to_string(), &seen.all), row(thinned, &seen.thinned)]
        });
        text += &(figures(&head, rows) + "\n");
        let distances = self.seen.exact.iter().zip(&self.seen.counts).zip(self.shares());
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
        format!("{text}\n{}\n{}\n", paint(LOUD, &fit), paint(QUIET, &self.note()))
    }
}
