//! Plots: a [`Chart`] of points with error bars and lines with bands, and a [`HeatMap`] of a
//! matrix. Both are plain data. They are drawn as a [`Drawing`], which is saved as SVG or PNG, or
//! formatted as text for the terminal.
//!
//! ```
//! use ludion_plot::{
//!     Chart, ChartPoint, ChartSeries, DEFAULT_SIZE, NumberUnit, PlotAxis, TextOptions,
//! };
//! let chart = Chart {
//!     title: "Score against a".to_owned(),
//!     x: PlotAxis::linear("a"),
//!     y: PlotAxis::linear("score").unit(NumberUnit::Percent),
//!     series: vec![ChartSeries {
//!         points: vec![
//!             ChartPoint::new(1.0, 0.35, [0.30, 0.40]),
//!             ChartPoint::new(2.0, 0.55, [0.50, 0.60]),
//!         ],
//!         ..ChartSeries::default()
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
//! This crate opens no files and uses no system fonts: the font is part of the program.

mod axis;
mod chart;
mod colour;
mod drawing;
mod font;
mod heat_map;
mod layout;
mod number;
mod png;
mod svg;
mod terminal;

pub use axis::{AxisScale, PlotAxis};
pub use chart::{Chart, ChartOptimum, ChartPoint, ChartSeries};
pub use colour::{Colour, viridis};
pub use drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};
pub use heat_map::HeatMap;
pub use layout::DEFAULT_SIZE;
pub use number::NumberUnit;
pub use png::{MAX_PIXELS, PngError};
pub use terminal::TextOptions;
