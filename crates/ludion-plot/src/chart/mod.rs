//! Charts: points with error bars, lines with bands, and a marked optimum.
//!
//! A chart is plain data; [`Chart::draw`] draws it and [`Chart::text`] formats it for the terminal.
//! Values that are not finite are left out. An empty chart shows its axes.

mod draw;
mod text;

use serde::{Deserialize, Serialize};

use crate::axis::{AxisSpan, PlotAxis};

/// A point of a chart: a value with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChartPoint {
    /// The position on the x axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The lower end of the interval, or the value itself if there is none.
    pub low: f64,
    /// The upper end of the interval, or the value itself if there is none.
    pub high: f64,
}

impl ChartPoint {
    /// Creates a point with an interval.
    #[must_use]
    pub const fn new(x: f64, y: f64, [low, high]: [f64; 2]) -> Self {
        ChartPoint { x, y, low, high }
    }

    /// Creates a point without an interval.
    #[must_use]
    pub const fn bare(x: f64, y: f64) -> Self {
        ChartPoint { x, y, low: y, high: y }
    }

    fn is_finite(&self) -> bool {
        [self.x, self.y, self.low, self.high].into_iter().all(f64::is_finite)
    }
}

/// A series of a chart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChartSeries {
    /// The name in the legend.
    pub name: String,
    /// Points drawn as dots with error bars.
    pub points: Vec<ChartPoint>,
    /// Points drawn as a line with a band, with ascending x.
    pub line: Vec<ChartPoint>,
}

/// The optimum on the x axis, with its confidence interval.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChartOptimum {
    /// The position on the x axis.
    pub x: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The label of the mark.
    pub label: String,
}

/// A chart with an x axis and a y axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Chart {
    /// The title above the chart.
    pub title: String,
    /// A note below the chart, such as the run, the seed and the number of games.
    pub note: String,
    /// The x axis.
    pub x: PlotAxis,
    /// The y axis.
    pub y: PlotAxis,
    /// The series.
    pub series: Vec<ChartSeries>,
    /// A reference value, drawn as a dashed horizontal line.
    pub level: Option<f64>,
    /// The optimum to be marked.
    pub optimum: Option<ChartOptimum>,
}

impl Chart {
    /// Returns all points of all series that are finite.
    fn all_points(&self) -> impl Iterator<Item = &ChartPoint> {
        self.series.iter().flat_map(|s| s.points.iter().chain(&s.line)).filter(|p| p.is_finite())
    }

    /// Returns the visible ranges of the two axes.
    fn spans(&self) -> [AxisSpan; 2] {
        let ends = self.optimum.iter().flat_map(|best| [best.x, best.low, best.high]);
        let x = AxisSpan::from_values(
            &self.x,
            self.all_points().map(|point| point.x).chain(ends),
            0.025,
        );
        let values = self.all_points().flat_map(|point| [point.low, point.y, point.high]);
        [x, AxisSpan::from_values(&self.y, values.chain(self.level), 0.05)]
    }
}
