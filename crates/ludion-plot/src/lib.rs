//! Pictures of figures: a [`Chart`] with error bars, a smoothed curve and a marked optimum, or
//! several lines with bands; a [`HeatMap`] of a matrix. A picture is data first, and becomes a
//! [`Drawing`] that writes itself as SVG or PNG, or a text for the terminal.
//!
//! ```
//! use ludion_plot::{Axis, Chart, DEFAULT_SIZE, Point, Series, TextOptions, Unit};
//! let chart = Chart {
//!     title: "Score against a".to_owned(),
//!     x: Axis::linear("a"),
//!     y: Axis::linear("score").unit(Unit::Percent),
//!     series: vec![Series {
//!         points: vec![Point::new(1.0, 0.35, [0.30, 0.40]), Point::new(2.0, 0.55, [0.50, 0.60])],
//!         ..Series::default()
//!     }],
//!     ..Chart::default()
//! };
//! let drawing = chart.draw(DEFAULT_SIZE);
//! assert!(drawing.svg().starts_with("<svg"));
//! assert!(drawing.png(1)?.starts_with(b"\x89PNG"));
//! println!("{}", chart.text(TextOptions::default()));
//! # Ok::<(), ludion_plot::PngError>(())
//! ```
//!
//! Nothing here opens a file or looks for a font: the letters come with the program.

mod axis;
mod chart;
mod colour;
mod drawing;
mod font;
mod heat;
mod layout;
mod number;
mod png;
mod svg;
mod terminal;

pub use axis::{AxisScale, PlotAxis};
pub use chart::{Chart, ChartOptimum, ChartPoint, ChartSeries};
pub use colour::{Colour, viridis};
pub use drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};
pub use heat::HeatMap;
pub use layout::DEFAULT_SIZE;
pub use number::NumberUnit;
pub use png::{MAX_PIXELS, PngError};
pub use terminal::TextOptions;
