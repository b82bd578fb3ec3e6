//! Charts: dots with error bars, lines with confidence bands, and a marked optimum.
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
    /// The position of the point on the x axis.
    pub x: f64,
    /// The value on the y axis.
    pub y: f64,
    /// The lower end of the confidence interval of `y`; equal to `y` if there is no interval.
    pub low: f64,
    /// The upper end of the confidence interval of `y`; equal to `y` if there is no interval.
    pub high: f64,
}

impl ChartPoint {
    /// Creates a point with a confidence interval of `y`.
    #[must_use]
    pub const fn new(x: f64, y: f64, [low, high]: [f64; 2]) -> Self {
        ChartPoint { x, y, low, high }
    }

    /// Creates a point without a confidence interval.
    #[must_use]
    pub const fn bare(x: f64, y: f64) -> Self {
        ChartPoint { x, y, low: y, high: y }
    }

    fn is_finite(&self) -> bool {
        [self.x, self.y, self.low, self.high].into_iter().all(f64::is_finite)
    }
}

/// A series of a chart: dots with error bars, a line with a band, or both.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChartSeries {
    /// The name of the series in the legend.
    pub name: String,
    /// Points drawn as dots with error bars.
    pub points: Vec<ChartPoint>,
    /// Points drawn as a line with a confidence band; their x must ascend.
    pub line: Vec<ChartPoint>,
}

/// The best value of the quantity on the x axis, with its confidence interval; a chart marks it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChartOptimum {
    /// The position of the optimum on the x axis.
    pub x: f64,
    /// The lower end of the confidence interval of the optimum, on the x axis.
    pub low: f64,
    /// The upper end of the confidence interval of the optimum, on the x axis.
    pub high: f64,
    /// The text at the mark of the optimum.
    pub label: String,
}

/// A chart with an x axis and a y axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Chart {
    /// The title above the chart.
    pub title: String,
    /// A note below the chart, such as the run, the seed and the number of games.
    pub note: String,
    /// The label, scale and unit of the x axis.
    pub x: PlotAxis,
    /// The label, scale and unit of the y axis.
    pub y: PlotAxis,
    /// The series of the chart, in the order of the legend.
    pub series: Vec<ChartSeries>,
    /// A reference value on the y axis, drawn as a dashed horizontal line.
    pub level: Option<f64>,
    /// The optimum to be marked on the x axis; `None` for no mark.
    pub optimum: Option<ChartOptimum>,
}

impl Chart {
    /// Returns all points of all series whose coordinates and intervals are finite.
    fn all_points(&self) -> impl Iterator<Item = &ChartPoint> {
        self.series.iter().flat_map(|s| s.points.iter().chain(&s.line)).filter(|p| p.is_finite())
    }

    /// Returns the visible ranges of the x axis and the y axis.
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
