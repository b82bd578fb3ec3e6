//! Charts: points with error bars, lines with bands, a marked optimum.
//!
//! A chart is data; [`Chart::draw`] makes a picture of it, [`Chart::text`] a text for the
//! terminal. Values that are no numbers are left out, and a chart of nothing shows its axes.

mod draw;
mod text;

use serde::{Deserialize, Serialize};

use crate::axis::{AxisSpan, PlotAxis};

/// A value with its interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChartPoint {
    /// Where it stands.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The low end of its interval; the value itself if there is none.
    pub low: f64,
    /// The high end of its interval.
    pub high: f64,
}

impl ChartPoint {
    /// A value with its interval.
    #[must_use]
    pub const fn new(x: f64, y: f64, [low, high]: [f64; 2]) -> Self {
        ChartPoint { x, y, low, high }
    }

    /// A value without an interval.
    #[must_use]
    pub const fn bare(x: f64, y: f64) -> Self {
        ChartPoint { x, y, low: y, high: y }
    }

    fn is_finite(&self) -> bool {
        [self.x, self.y, self.low, self.high].into_iter().all(f64::is_finite)
    }
}

/// What belongs together under one name.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChartSeries {
    /// Its name in the legend.
    pub name: String,
    /// Values drawn as dots with error bars.
    pub points: Vec<ChartPoint>,
    /// Values drawn as a line with a band, x ascending.
    pub line: Vec<ChartPoint>,
}

/// The place of the best, with its interval.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChartOptimum {
    /// Where it stands.
    pub x: f64,
    /// The low end of its interval.
    pub low: f64,
    /// The high end of its interval.
    pub high: f64,
    /// What is written at it.
    pub label: String,
}

/// A chart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Chart {
    /// What it shows, above it.
    pub title: String,
    /// Where it comes from, below it: run, seed, games.
    pub note: String,
    /// The axis to the right.
    pub x: PlotAxis,
    /// The axis upwards.
    pub y: PlotAxis,
    /// What is drawn.
    pub series: Vec<ChartSeries>,
    /// A level to compare with, drawn as a broken line.
    pub level: Option<f64>,
    /// The place of the best.
    pub optimum: Option<ChartOptimum>,
}

impl Chart {
    /// All points that can be seen: finite, and above 0 where the axis is logarithmic.
    fn all_points(&self) -> impl Iterator<Item = &ChartPoint> {
        self.series.iter().flat_map(|s| s.points.iter().chain(&s.line)).filter(|p| p.is_finite())
    }

    /// What of the two axes is seen.
    fn spans(&self) -> [AxisSpan; 2] {
        let ends = self.optimum.iter().flat_map(|best| [best.x, best.low, best.high]);
        let x = AxisSpan::of(&self.x, self.all_points().map(|point| point.x).chain(ends), 0.025);
        let values = self.all_points().flat_map(|point| [point.low, point.y, point.high]);
        [x, AxisSpan::of(&self.y, values.chain(self.level), 0.05)]
    }
}
