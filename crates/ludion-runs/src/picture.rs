//! The picture of a run: a chart, a heat map, or panels of several pictures.

use ludion_players::arena::ratings::Rating;
use ludion_plot::{
    Chart, ChartPoint, ChartSeries, DEFAULT_SIZE, Drawing, HeatMap, PlotAxis, TextOptions,
};
use ludion_train::EpochReport;

/// A chart, a heat map or several pictures side by side.
#[derive(Clone, PartialEq, Debug)]
pub enum RunPicture {
    /// Points and lines.
    Chart(Chart),
    /// A matrix of values as colours.
    Heat(HeatMap),
    /// Several pictures in one.
    Panels {
        /// Title above all panels.
        title: String,
        /// The pictures, row by row.
        panels: Vec<RunPicture>,
        /// Number of panels in one row.
        columns: usize,
        /// Width and height of one panel in pixels.
        size: [u32; 2],
    },
}

impl RunPicture {
    /// Draws the picture in characters for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let options = TextOptions::default();
        match self {
            RunPicture::Chart(chart) => chart.text(options),
            RunPicture::Heat(heat) => heat.text(options),
            RunPicture::Panels { panels, .. } => {
                panels.iter().map(RunPicture::text).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// Draws the picture as shapes that can be written as SVG or PNG.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.drawing_with_size(DEFAULT_SIZE)
    }

    fn drawing_with_size(&self, size: [u32; 2]) -> Drawing {
        match self {
            RunPicture::Chart(chart) => chart.draw(size),
            RunPicture::Heat(heat) => heat.draw(size),
            RunPicture::Panels { title, panels, columns, size } => {
                let panels = panels.iter().map(|panel| panel.drawing_with_size(*size)).collect();
                Drawing::panels(title, panels, *columns)
            }
        }
    }
}

/// Returns a chart of ratings with their intervals, one place for each player.
pub(crate) fn of_ratings(
    title: String,
    note: String,
    ratings: Vec<(String, Rating)>,
) -> RunPicture {
    let point = |(i, (_, rating)): (usize, &(String, Rating))| {
        let Rating { elo, error } = *rating;
        ChartPoint::new(i as f64 + 1.0, elo, [elo - error, elo + error])
    };
    let points = ratings.iter().enumerate().map(point).collect();
    let names = ratings.into_iter().map(|(name, _)| name).collect();
    RunPicture::Chart(Chart {
        title,
        note,
        x: PlotAxis::names("player", names),
        y: PlotAxis::linear("Elo, mean 0"),
        series: vec![ChartSeries { name: "rating".to_owned(), points, ..ChartSeries::default() }],
        level: Some(0.0),
        optimum: None,
    })
}

/// Returns a line of a chart with the value of `figure` for every epoch of a training.
pub fn epoch_series(
    name: &str,
    curve: &[EpochReport],
    figure: impl Fn(&EpochReport) -> Option<f64>,
) -> ChartSeries {
    let point =
        |epoch: &EpochReport| figure(epoch).map(|y| ChartPoint::bare(f64::from(epoch.number), y));
    let line = curve.iter().filter_map(point).collect();
    ChartSeries { name: name.to_owned(), line, ..ChartSeries::default() }
}
