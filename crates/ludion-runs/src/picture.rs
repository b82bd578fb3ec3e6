//! What a run looks like: a chart, a heat map, or several of them.

use ludion_plot::{Chart, DEFAULT_SIZE, Drawing, HeatMap, TextOptions};

/// What is drawn of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum Picture {
    /// Points and lines.
    Chart(Chart),
    /// A matrix.
    Heat(HeatMap),
    /// Several pictures in one.
    Panels {
        /// What they show together.
        title: String,
        /// The pictures.
        panels: Vec<Picture>,
        /// How many are beside each other.
        columns: usize,
        /// The size of each.
        size: [u32; 2],
    },
}

impl Picture {
    /// For the terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let options = TextOptions::default();
        match self {
            Picture::Chart(chart) => chart.text(options),
            Picture::Heat(heat) => heat.text(options),
            Picture::Panels { panels, .. } => {
                panels.iter().map(Picture::text).collect::<Vec<_>>().join("\n")
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
            Picture::Chart(chart) => chart.draw(size),
            Picture::Heat(heat) => heat.draw(size),
            Picture::Panels { title, panels, columns, size } => {
                let panels = panels.iter().map(|panel| panel.drawing_of(*size)).collect();
                Drawing::panels(title, panels, *columns)
            }
        }
    }
}
