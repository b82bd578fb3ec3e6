//! What a run looks like: a chart, a heat map, or several of them.

use ludion_plot::{Chart, DEFAULT_SIZE, Drawing, HeatMap, TextOptions};

/// What is drawn of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum RunPicture {
    /// Points and lines.
    Chart(Chart),
    /// A matrix.
    Heat(HeatMap),
    /// Several pictures in one.
    Panels {
        /// What they show together.
        title: String,
        /// The pictures.
        panels: Vec<RunPicture>,
        /// How many are beside each other.
        columns: usize,
        /// The size of each.
        size: [u32; 2],
    },
}

impl RunPicture {
    /// For the terminal.
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

    /// To be written as SVG or PNG.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.drawing_of(DEFAULT_SIZE)
    }

    fn drawing_of(&self, size: [u32; 2]) -> Drawing {
        match self {
            RunPicture::Chart(chart) => chart.draw(size),
            RunPicture::Heat(heat) => heat.draw(size),
            RunPicture::Panels { title, panels, columns, size } => {
                let panels = panels.iter().map(|panel| panel.drawing_of(*size)).collect();
                Drawing::panels(title, panels, *columns)
            }
        }
    }
}
