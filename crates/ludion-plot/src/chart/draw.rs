//! A chart as a picture.

use super::{Chart, ChartOptimum, ChartPoint, ChartSeries};
use crate::axis::{AxisSpan, AxisTick, PlotAxis};
use crate::colour::{self, AXIS, BEST, Colour, GRID, PAPER};
use crate::drawing::{Drawing, DrawingShape, TextAnchor};
use crate::layout::{self, LABEL, NUMBER, SECOND_LINE, SIDE};

/// Least distance between the ticks of the axis upwards.
const TICK_ROWS: f32 = 52.0;
/// Least gap between two labels of the axis to the right.
const LABEL_GAP: f32 = 22.0;

impl Chart {
    /// The chart as a picture of this width and height; [`crate::DEFAULT_SIZE`] suits most.
    #[must_use]
    pub fn draw(&self, size: [u32; 2]) -> Drawing {
        let mut drawing = layout::sheet(size, &self.title, &self.note);
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
            frame.error_bars(series, colour::of_series(number), &mut drawing);
            frame.line(self, series, self.line_colour(number), &mut drawing);
            frame.dots(self, series, colour::of_series(number), &mut drawing);
        }
        if let Some(optimum) = &self.optimum {
            frame.optimum_label(optimum, &mut drawing);
        }
        if self.all_points().next().is_none() {
            let [x, y] = frame.middle();
            drawing.text([x, y], TextAnchor::Middle, LABEL, "nothing to show yet");
        }
        drawing
    }

    /// A line over the dots of the only series has a colour of its own.
    fn line_colour(&self, number: usize) -> Colour {
        let alone = self.series.len() == 1 && !self.series[0].points.is_empty();
        colour::of_series(if alone { 1 } else { number })
    }

    /// Which series stand in which row of the legend; a single series needs none.
    fn legend_rows(&self, drawing: &Drawing) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let room = drawing.size[0] as f32 - 2.0 * SIDE;
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
            // Room above the data for what is written at the optimum.
            y.high = y.value(1.1);
        }
        let top = SECOND_LINE + 14.0 + 22.0 * legend_rows as f32;
        let bottom = (height - layout::foot(&self.note) - 44.0).max(top + 40.0);
        let rows = y.ticks(&self.y, ((bottom - top) / TICK_ROWS).max(2.0) as usize);
        let widest = rows.iter().map(|tick| NUMBER.width(&tick.label)).fold(0.0, f32::max);
        let left = (SIDE + widest + 10.0).min(width / 2.0);
        let right = width - SIDE;
        let columns = columns(&x, &self.x, right - left);
        PlotFrame { left, right, top, bottom, x, y, rows, columns }
    }
}

const SWATCH: f32 = 22.0;

fn legend_width(series: &ChartSeries) -> f32 {
    SWATCH + 7.0 + LABEL.width(&series.name) + 24.0
}

/// As many ticks as have room for their labels.
fn columns(span: &AxisSpan, axis: &PlotAxis, room: f32) -> Vec<AxisTick> {
    let fits = |ticks: &[AxisTick]| {
        ticks.windows(2).all(|pair| {
            let place = |tick: &AxisTick| span.share(tick.value).unwrap_or_default() as f32 * room;
            let halves = pair.iter().map(|tick| NUMBER.width(&tick.label) / 2.0).sum::<f32>();
            place(&pair[1]) - place(&pair[0]) >= halves + LABEL_GAP
        })
    };
    let most = ((room / 60.0) as usize).clamp(2, 40);
    let most = if matches!(axis.scale, crate::AxisScale::Names(_)) { most.max(60) } else { most };
    let choices = (1..=most).rev().map(|most| span.ticks(axis, most));
    choices.into_iter().find(|ticks| fits(ticks)).unwrap_or_default()
}

/// The place of the plot on the sheet.
struct PlotFrame {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    x: AxisSpan,
    y: AxisSpan,
    rows: Vec<AxisTick>,
    columns: Vec<AxisTick>,
}

impl PlotFrame {
    fn across(&self, x: f64) -> f32 {
        let share = self.x.share(x).unwrap_or_default().clamp(0.0, 1.0) as f32;
        self.left + share * (self.right - self.left)
    }

    fn up(&self, y: f64) -> f32 {
        let share = self.y.share(y).unwrap_or_default().clamp(0.0, 1.0) as f32;
        self.bottom - share * (self.bottom - self.top)
    }

    fn middle(&self) -> [f32; 2] {
        [(self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0]
    }

    /// The points that have a place on both axes.
    fn seen<'a>(&'a self, points: &'a [ChartPoint]) -> impl Iterator<Item = &'a ChartPoint> {
        points.iter().filter(|point| {
            let placed = self.x.share(point.x).is_some() && self.y.share(point.y).is_some();
            point.is_finite() && placed
        })
    }

    fn axes(&self, chart: &Chart, drawing: &mut Drawing) {
        for tick in &self.rows {
            let y = self.up(tick.value);
            drawing.straight([self.left, y], [self.right, y], GRID, 1.0);
            drawing.text([self.left - 10.0, y + 4.5], TextAnchor::End, NUMBER, &*tick.label);
        }
        for tick in &self.columns {
            let x = self.across(tick.value);
            drawing.straight([x, self.bottom], [x, self.bottom + 5.0], AXIS, 1.0);
            drawing.text([x, self.bottom + 21.0], TextAnchor::Middle, NUMBER, &*tick.label);
        }
        drawing.straight([self.left, self.bottom], [self.right, self.bottom], AXIS, 1.0);
        let room = self.right - SIDE;
        let (style, text) = layout::fitted(LABEL, &chart.y.label, room);
        drawing.text([SIDE, self.top - 14.0], TextAnchor::Start, style, text);
        let (style, text) = layout::fitted(LABEL, &chart.x.label, room);
        let foot = drawing.size[1] as f32 - layout::foot(&chart.note);
        drawing.text([self.middle()[0], foot], TextAnchor::Middle, style, text);
    }

    fn legend(&self, chart: &Chart, rows: &[Vec<usize>], drawing: &mut Drawing) {
        for (row, members) in rows.iter().enumerate() {
            let y = SECOND_LINE + 22.0 * row as f32;
            let mut x = SIDE;
            for &number in members {
                let (series, colour) = (&chart.series[number], colour::of_series(number));
                drawing.straight([x, y - 5.0], [x + SWATCH, y - 5.0], colour, 3.0);
                let room = self.right - x - SWATCH - 7.0;
                let (style, text) = layout::fitted(LABEL, &series.name, room);
                drawing.text([x + SWATCH + 7.0, y], TextAnchor::Start, style, text);
                x += legend_width(series);
            }
        }
    }

    fn level(&self, level: f64, drawing: &mut Drawing) {
        let y = self.up(level);
        let points = vec![[self.left, y], [self.right, y]];
        drawing.shapes.push(DrawingShape::Line { points, colour: AXIS, width: 1.4, dashed: true });
    }

    fn band(&self, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        if self.seen(&series.line).all(|point| point.low == point.high) {
            return;
        }
        let mut points: Vec<[f32; 2]> =
            self.seen(&series.line).map(|p| [self.across(p.x), self.up(p.high)]).collect();
        let mut below: Vec<[f32; 2]> =
            self.seen(&series.line).map(|p| [self.across(p.x), self.up(p.low)]).collect();
        below.reverse();
        points.append(&mut below);
        drawing.shapes.push(DrawingShape::Area { points, colour: colour.with_opacity(44) });
    }

    /// A line; where it has one point alone, that point.
    fn line(&self, chart: &Chart, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let points: Vec<[f32; 2]> =
            self.seen(&series.line).map(|p| [self.across(p.x), self.up(p.y)]).collect();
        if points.len() > 1 {
            drawing.shapes.push(DrawingShape::Line { points, colour, width: 2.6, dashed: false });
        } else if let Some(point) = self.seen(&series.line).next() {
            drawing.shapes.push(self.dot(chart, point, 4.0, colour));
        }
    }

    fn dot(&self, chart: &Chart, point: &ChartPoint, radius: f32, colour: Colour) -> DrawingShape {
        let [x, y] = [&chart.x, &chart.y];
        let mut tip = format!("{} = {}: {}", x.label, x.shown(point.x), y.shown(point.y));
        if point.low < point.high {
            tip += &format!(" ({} to {})", y.shown(point.low), y.shown(point.high));
        }
        DrawingShape::Dot { at: [self.across(point.x), self.up(point.y)], radius, colour, tip }
    }

    /// Half the least distance of two dots, which says how large they may be.
    fn room_per_dot(&self, series: &ChartSeries) -> f32 {
        let mut places: Vec<f32> = self.seen(&series.points).map(|p| self.across(p.x)).collect();
        places.sort_by(f32::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.01);
        gaps.fold(24.0, f32::min) / 2.0
    }

    fn error_bars(&self, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let half = (self.room_per_dot(series) * 0.6).min(5.0);
        let colour = colour.with_opacity(150);
        for point in self.seen(&series.points).filter(|point| point.low < point.high) {
            let (x, low, high) = (self.across(point.x), self.up(point.low), self.up(point.high));
            drawing.straight([x, low], [x, high], colour, 1.5);
            if half >= 2.0 {
                drawing.straight([x - half, low], [x + half, low], colour, 1.5);
                drawing.straight([x - half, high], [x + half, high], colour, 1.5);
            }
        }
    }

    fn dots(&self, chart: &Chart, series: &ChartSeries, colour: Colour, drawing: &mut Drawing) {
        let radius = self.room_per_dot(series).clamp(2.0, 5.0);
        for point in self.seen(&series.points) {
            drawing.shapes.push(self.dot(chart, point, radius, colour));
        }
    }

    fn optimum_band(&self, optimum: &ChartOptimum, drawing: &mut Drawing) {
        let (low, high) = (self.across(optimum.low), self.across(optimum.high));
        drawing.shapes.push(DrawingShape::Box {
            at: [low, self.top],
            size: [high - low, self.bottom - self.top],
            fill: Some(BEST.with_opacity(26)),
            rim: None,
            tip: optimum.label.clone(),
        });
        let x = self.across(optimum.x);
        let points = vec![[x, self.top], [x, self.bottom]];
        drawing.shapes.push(DrawingShape::Line { points, colour: BEST, width: 1.8, dashed: true });
    }

    fn optimum_label(&self, optimum: &ChartOptimum, drawing: &mut Drawing) {
        let style = NUMBER.colour(Colour::hex(0x00_6b4e));
        let (style, text) = layout::fitted(style, &optimum.label, self.right - self.left - 16.0);
        let half = style.width(&text) / 2.0 + 8.0;
        let x = self.across(optimum.x).clamp(self.left + half, self.right - half);
        drawing.shapes.push(DrawingShape::Box {
            at: [x - half, self.top + 1.0],
            size: [2.0 * half, 24.0],
            fill: Some(PAPER),
            rim: Some((BEST, 1.0)),
            tip: String::new(),
        });
        drawing.text([x, self.top + 17.5], TextAnchor::Middle, style, text);
    }
}
