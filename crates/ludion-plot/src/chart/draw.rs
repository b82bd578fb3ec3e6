//! Draws charts as [`Drawing`]s, which can be saved as SVG or PNG.

use super::{Chart, ChartOptimum, ChartPoint, ChartSeries};
use crate::axis::{AxisSpan, AxisTick, PlotAxis};
use crate::colour::{self, AXIS_COLOUR, BACKGROUND, Colour, GRID_COLOUR, OPTIMUM_COLOUR};
use crate::drawing::{Drawing, DrawingShape, TextAnchor};
use crate::layout::{self, BELOW_TITLE, LABEL_STYLE, NUMBER_STYLE, SIDE_MARGIN};

/// Minimum distance between the ticks of the y axis, in pixels.
const MIN_TICK_DISTANCE: f32 = 52.0;
/// Minimum gap between two tick labels of the x axis, in pixels.
const MIN_LABEL_GAP: f32 = 22.0;

impl Chart {
    /// Draws the chart in a size of width by height pixels; [`crate::DEFAULT_SIZE`] suits most
    /// charts.
    #[must_use]
    pub fn draw(&self, size: [u32; 2]) -> Drawing {
        let mut drawing = layout::titled_drawing(size, &self.title, &self.note);
        let legend = self.legend_rows(&drawing);
        let frame = self.frame(&drawing, legend.len());
        frame.axes(self, &mut drawing);
        frame.legend(self, &legend, &mut drawing);
        if let Some(level) = self.level {
            frame.level(level, &mut drawing);
        }
        if let Some(optimum) = &self.optimum {
            frame.optimum_band(optimum, &mut drawing);
        }
        for (number, series) in self.series.iter().enumerate() {
            frame.band(series, self.line_colour(number), &mut drawing);
        }
        for (number, series) in self.series.iter().enumerate() {
            frame.error_bars(series, colour::series_colour(number), &mut drawing);
            frame.line(self, series, self.line_colour(number), &mut drawing);
            frame.dots(self, series, colour::series_colour(number), &mut drawing);
        }
        if let Some(optimum) = &self.optimum {
            frame.optimum_label(optimum, &mut drawing);
        }
        if self.all_points().next().is_none() {
            let [x, y] = frame.middle();
            drawing.add_text([x, y], TextAnchor::Middle, LABEL_STYLE, "nothing to show yet");
        }
        drawing
    }

    /// Returns the colour of the line of a series, given its index. The line of a single series has
    /// another colour than its dots.
    fn line_colour(&self, number: usize) -> Colour {
        let over_dots = self.series.len() == 1 && !self.series[0].points.is_empty();
        colour::series_colour(if over_dots { 1 } else { number })
    }

    /// Returns the rows of the legend, each with the indices of its series. A chart with one series
    /// has no legend.
    fn legend_rows(&self, drawing: &Drawing) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let room = drawing.size[0] as f32 - 2.0 * SIDE_MARGIN;
        let mut used = f32::INFINITY;
        for (number, series) in self.series.iter().enumerate().filter(|_| self.series.len() > 1) {
            let width = legend_width(series);
            if used + width > room {
                rows.push(Vec::new());
                used = 0.0;
            }
            used += width;
            if let Some(row) = rows.last_mut() {
                row.push(number);
            }
        }
        rows
    }

    fn frame(&self, drawing: &Drawing, legend_rows: usize) -> PlotFrame {
        let [width, height] = drawing.size.map(|side| side as f32);
        let [x, mut y] = self.spans();
        if self.optimum.is_some() {
            // Leaves space above the data for the label of the optimum.
            y.high = y.value(1.1);
        }
        let top = BELOW_TITLE + 14.0 + 22.0 * legend_rows as f32;
        let bottom = (height - layout::x_label_offset(&self.note) - 44.0).max(top + 40.0);
        let y_ticks = y.ticks(&self.y, ((bottom - top) / MIN_TICK_DISTANCE).max(2.0) as usize);
        let widest = y_ticks.iter().map(|tick| NUMBER_STYLE.width(&tick.label)).fold(0.0, f32::max);
        let left = (SIDE_MARGIN + widest + 10.0).min(width / 2.0);
        let right = width - SIDE_MARGIN;
        let x_ticks = fitting_ticks(&x, &self.x, right - left);
        PlotFrame { left, right, top, bottom, x, y, x_ticks, y_ticks }
    }
}

/// Width of the coloured line before a name in the legend, in pixels.
const SWATCH_WIDTH: f32 = 22.0;

fn legend_width(series: &ChartSeries) -> f32 {
    SWATCH_WIDTH + 7.0 + LABEL_STYLE.width(&series.name) + 24.0
}

/// Returns as many ticks of the x axis as fit with their labels into `room` pixels.
fn fitting_ticks(span: &AxisSpan, axis: &PlotAxis, room: f32) -> Vec<AxisTick> {
    let fits = |ticks: &[AxisTick]| {
        ticks.windows(2).all(|pair| {
            let position =
                |tick: &AxisTick| span.fraction(tick.value).unwrap_or_default() as f32 * room;
            let halves = pair.iter().map(|tick| NUMBER_STYLE.width(&tick.label) / 2.0).sum::<f32>();
            position(&pair[1]) - position(&pair[0]) >= halves + MIN_LABEL_GAP
        })
    };
    let most = ((room / 60.0) as usize).clamp(2, 40);
    let most = if matches!(axis.scale, crate::AxisScale::Names(_)) { most.max(60) } else { most };
    let choices = (1..=most).rev().map(|most| span.ticks(axis, most));
    choices.into_iter().find(|ticks| fits(ticks)).unwrap_or_default()
}

/// The plot area: its edges in pixels, the ranges of the axes, and their ticks.
struct PlotFrame {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    x: AxisSpan,
    y: AxisSpan,
    x_ticks: Vec<AxisTick>,
    y_ticks: Vec<AxisTick>,
}

impl PlotFrame {
    fn pixel_x(&self, x: f64) -> f32 {
        let fraction = self.x.fraction(x).unwrap_or_default().clamp(0.0, 1.0) as f32;
        self.left + fraction * (self.right - self.left)
    }

    fn pixel_y(&self, y: f64) -> f32 {
        let fraction = self.y.fraction(y).unwrap_or_default().clamp(0.0, 1.0) as f32;
        self.bottom - fraction * (self.bottom - self.top)
    }

    fn middle(&self) -> [f32; 2] {
        [(self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0]
    }

    /// Returns the points that are finite and have a position on both axes.
    fn visible<'a>(&'a self, points: &'a [ChartPoint]) -> impl Iterator<Item = &'a ChartPoint> {
        points.iter().filter(|point| {
            let has_position =
                self.x.fraction(point.x).is_some() && self.y.fraction(point.y).is_some();
            point.is_finite() && has_position
        })
    }

    fn axes(&self, chart: &Chart, drawing: &mut Drawing) {
        for tick in &self.y_ticks {
            let y = self.pixel_y(tick.value);
            drawing.add_line([self.left, y], [self.right, y], GRID_COLOUR, 1.0);
            drawing.add_text(
                [self.left - 10.0, y + 4.5],
                TextAnchor::End,
                NUMBER_STYLE,
                &*tick.label,
            );
        }
        for tick in &self.x_ticks {
            let x = self.pixel_x(tick.value);
            drawing.add_line([x, self.bottom], [x, self.bottom + 5.0], AXIS_COLOUR, 1.0);
            drawing.add_text(
                [x, self.bottom + 21.0],
                TextAnchor::Middle,
                NUMBER_STYLE,
                &*tick.label,
            );
        }
        drawing.add_line([self.left, self.bottom], [self.right, self.bottom], AXIS_COLOUR, 1.0);
        let room = self.right - SIDE_MARGIN;
        let (style, text) = layout::fit_text(LABEL_STYLE, &chart.y.label, room);
        drawing.add_text([SIDE_MARGIN, self.top - 14.0], TextAnchor::Start, style, text);
        let (style, text) = layout::fit_text(LABEL_STYLE, &chart.x.label, room);
        let label_y = drawing.size[1] as f32 - layout::x_label_offset(&chart.note);
        drawing.add_text([self.middle()[0], label_y], TextAnchor::Middle, style, text);
    }

    fn legend(&self, chart: &Chart, rows: &[Vec<usize>], drawing: &mut Drawing) {
        for (row, members) in rows.iter().enumerate() {
            let y = BELOW_TITLE + 22.0 * row as f32;
            let mut x = SIDE_MARGIN;
            for &number in members {
                let (series, colour) = (&chart.series[number], colour::series_colour(number));
                drawing.add_line([x, y - 5.0], [x + SWATCH_WIDTH, y - 5.0], colour, 3.0);
                let room = self.right - x - SWATCH_WIDTH - 7.0;
                let (style, text) = layout::fit_text(LABEL_STYLE, &series.name, room);
                drawing.add_text([x + SWATCH_WIDTH + 7.0, y], TextAnchor::Start, style, text);
                x += legend_width(series);
            }
        }
    }

    fn level(&self, level: f64, drawing: &mut Drawing) {
        let y = self.pixel_y(level);
        let points = vec![[self.left, y], [self.right, y]];
        drawing.shapes.push(DrawingShape::Line {
            points,
            colour: AXIS_COLOUR,
            width: 1.4,
            dashed: true,
        });
    }

    fn band(&self, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        if self.visible(&series.line).all(|point| point.low == point.high) {
            return;
        }
        let mut points: Vec<[f32; 2]> =
            self.visible(&series.line).map(|p| [self.pixel_x(p.x), self.pixel_y(p.high)]).collect();
        let mut below: Vec<[f32; 2]> =
            self.visible(&series.line).map(|p| [self.pixel_x(p.x), self.pixel_y(p.low)]).collect();
        below.reverse();
        points.append(&mut below);
        drawing.shapes.push(DrawingShape::Area { points, colour: colour.with_opacity(44) });
    }

    /// Draws the line of a series, or a dot if the line has only one point.
    fn line(&self, chart: &Chart, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let points: Vec<[f32; 2]> =
            self.visible(&series.line).map(|p| [self.pixel_x(p.x), self.pixel_y(p.y)]).collect();
        if points.len() > 1 {
            drawing.shapes.push(DrawingShape::Line { points, colour, width: 2.6, dashed: false });
        } else if let Some(point) = self.visible(&series.line).next() {
            drawing.shapes.push(self.dot(chart, point, 4.0, colour));
        }
    }

    fn dot(&self, chart: &Chart, point: &ChartPoint, radius: f32, colour: Colour) -> DrawingShape {
        let [x, y] = [&chart.x, &chart.y];
        let mut tip = format!("{} = {}: {}", x.label, x.format(point.x), y.format(point.y));
        if point.low < point.high {
            tip += &format!(" ({} to {})", y.format(point.low), y.format(point.high));
        }
        DrawingShape::Dot {
            at: [self.pixel_x(point.x), self.pixel_y(point.y)],
            radius,
            colour,
            tip,
        }
    }

    /// Returns the greatest radius in pixels at which dots with different x values do not overlap,
    /// at most 12: half the minimum horizontal distance between dots of the series.
    fn max_dot_radius(&self, series: &ChartSeries) -> f32 {
        let mut positions: Vec<f32> =
            self.visible(&series.points).map(|p| self.pixel_x(p.x)).collect();
        positions.sort_by(f32::total_cmp);
        let gaps = positions.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.01);
        gaps.fold(24.0, f32::min) / 2.0
    }

    fn error_bars(&self, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let half = (self.max_dot_radius(series) * 0.6).min(5.0);
        let colour = colour.with_opacity(150);
        for point in self.visible(&series.points).filter(|point| point.low < point.high) {
            let (x, low, high) =
                (self.pixel_x(point.x), self.pixel_y(point.low), self.pixel_y(point.high));
            drawing.add_line([x, low], [x, high], colour, 1.5);
            if half >= 2.0 {
                drawing.add_line([x - half, low], [x + half, low], colour, 1.5);
                drawing.add_line([x - half, high], [x + half, high], colour, 1.5);
            }
        }
    }

    fn dots(&self, chart: &Chart, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let radius = self.max_dot_radius(series).clamp(2.0, 5.0);
        for point in self.visible(&series.points) {
            drawing.shapes.push(self.dot(chart, point, radius, colour));
        }
    }

    fn optimum_band(&self, optimum: &ChartOptimum, drawing: &mut Drawing) {
        let (low, high) = (self.pixel_x(optimum.low), self.pixel_x(optimum.high));
        drawing.shapes.push(DrawingShape::Box {
            at: [low, self.top],
            size: [high - low, self.bottom - self.top],
            fill: Some(OPTIMUM_COLOUR.with_opacity(26)),
            rim: None,
            tip: optimum.label.clone(),
        });
        let x = self.pixel_x(optimum.x);
        let points = vec![[x, self.top], [x, self.bottom]];
        drawing.shapes.push(DrawingShape::Line {
            points,
            colour: OPTIMUM_COLOUR,
            width: 1.8,
            dashed: true,
        });
    }

    fn optimum_label(&self, optimum: &ChartOptimum, drawing: &mut Drawing) {
        let style = NUMBER_STYLE.colour(Colour::hex(0x00_6b4e));
        let (style, text) = layout::fit_text(style, &optimum.label, self.right - self.left - 16.0);
        let half = style.width(&text) / 2.0 + 8.0;
        let x = self.pixel_x(optimum.x).clamp(self.left + half, self.right - half);
        drawing.shapes.push(DrawingShape::Box {
            at: [x - half, self.top + 1.0],
            size: [2.0 * half, 24.0],
            fill: Some(BACKGROUND),
            rim: Some((OPTIMUM_COLOUR, 1.0)),
            tip: String::new(),
        });
        drawing.add_text([x, self.top + 17.5], TextAnchor::Middle, style, text);
    }
}
