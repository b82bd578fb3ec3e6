//! Charts in the terminal: dots `●` with error bars `│`, the line in braille characters, and the
//! optimum `▲` with its interval below the x axis. With several series, each has a character of its
//! own.

use super::{Chart, ChartPoint};
use crate::axis::{AxisSpan, AxisTick};
use crate::colour::{self, AXIS_COLOUR, Colour, OPTIMUM_COLOUR};
use crate::terminal::{self, TextCell, TextOptions, add_braille_dot, truncate};

const MARKS: [char; 7] = ['●', '○', '◆', '◇', '■', '□', '▲'];

impl Chart {
    /// Formats the chart as text for the terminal, no wider than `options` allow.
    #[must_use]
    pub fn text(&self, options: TextOptions) -> String {
        let options = options.clamped();
        let mut plot = TextPlot::new(self, options);
        if let Some(level) = self.level {
            plot.level(level);
        }
        let styled = || {
            self.series.iter().enumerate().map(|(number, series)| {
                (series, MARKS[number % MARKS.len()], colour::series_colour(number))
            })
        };
        for (series, _, ink) in styled() {
            plot.error_bars(&series.points, ink);
        }
        for (series, mark, ink) in styled() {
            if self.series.len() == 1 {
                let ink = colour::series_colour(usize::from(!series.points.is_empty()));
                plot.curve(&series.line, ink);
            } else {
                plot.marked_line(&series.line, mark, ink);
            }
        }
        for (series, mark, ink) in styled() {
            plot.dots(&series.points, mark, ink);
        }
        let mut lines =
            vec![truncate(&self.title, options.width), truncate(&self.y.label, options.width)];
        if self.series.len() > 1 {
            let names: Vec<String> =
                styled().map(|(series, mark, _)| format!("{mark} {}", series.name)).collect();
            lines.insert(1, truncate(&names.join("   "), options.width));
        }
        lines.extend(plot.rows());
        lines.extend(plot.x_axis(self));
        lines.extend(
            self.optimum.iter().map(|best| truncate(&format!("▲ {}", best.label), options.width)),
        );
        lines.push(truncate(&self.note, options.width));
        lines.retain(|line| !line.is_empty());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The plot area as a grid of characters.
struct TextPlot {
    options: TextOptions,
    /// Number of columns for the tick labels to the left of the y axis.
    gutter: usize,
    columns: usize,
    x: AxisSpan,
    y: AxisSpan,
    ticks: Vec<AxisTick>,
    cells: Vec<Vec<TextCell>>,
}

impl TextPlot {
    fn new(chart: &Chart, options: TextOptions) -> TextPlot {
        let [x, y] = chart.spans();
        let ticks = y.ticks(&chart.y, (options.height / 3).max(2));
        let widest = ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
        let gutter = (widest + 1).min(options.width / 2);
        let columns = options.width - gutter - 1;
        let cells = vec![vec![TextCell::EMPTY; columns]; options.height];
        TextPlot { options, gutter, columns, x, y, ticks, cells }
    }

    /// Divides the range into `steps` equal parts and returns the index of the part that contains a
    /// value, from the low end; `None` if the value is outside the range.
    fn step_of(span: &AxisSpan, value: f64, steps: usize) -> Option<usize> {
        let fraction = span.fraction(value).filter(|share| (0.0..=1.0).contains(share))?;
        Some(((fraction * steps as f64) as usize).min(steps - 1))
    }

    fn column(&self, x: f64) -> Option<usize> {
        TextPlot::step_of(&self.x, x, self.columns)
    }

    /// Returns the row of a y value, from 0 at the top; `None` if it is outside the range.
    fn row(&self, y: f64) -> Option<usize> {
        TextPlot::step_of(&self.y, y, self.cells.len()).map(|row| self.cells.len() - 1 - row)
    }

    fn level(&mut self, level: f64) {
        if let Some(row) = self.row(level) {
            self.cells[row].fill(TextCell {
                character: '┄',
                foreground: Some(AXIS_COLOUR),
                background: None,
            });
        }
    }

    /// Draws a line of braille dots without vertical gaps.
    fn curve(&mut self, line: &[ChartPoint], ink: Colour) {
        let (width, height) = (2 * self.columns, 4 * self.cells.len());
        let mut last_row: Option<usize> = None;
        for dot_x in 0..width {
            let x = self.x.value((dot_x as f64 + 0.5) / width as f64);
            let row = interpolate(line, x).and_then(|y| TextPlot::step_of(&self.y, y, height));
            let Some(row) = row.map(|row| height - 1 - row) else {
                last_row = None;
                continue;
            };
            let from = last_row.unwrap_or(row);
            for dot_y in from.min(row)..=from.max(row) {
                let cell = &mut self.cells[dot_y / 4][dot_x / 2];
                let below =
                    if matches!(cell.character, '┄' | '│') { ' ' } else { cell.character };
                let mark = add_braille_dot(below, dot_x % 2, dot_y % 4);
                *cell = TextCell { character: mark, foreground: Some(ink), background: None };
            }
            last_row = Some(row);
        }
    }

    fn marked_line(&mut self, line: &[ChartPoint], mark: char, ink: Colour) {
        for column in 0..self.columns {
            let x = self.x.value((column as f64 + 0.5) / self.columns as f64);
            if let Some(row) = interpolate(line, x).and_then(|y| self.row(y)) {
                self.cells[row][column] =
                    TextCell { character: mark, foreground: Some(ink), background: None };
            }
        }
    }

    fn error_bars(&mut self, points: &[ChartPoint], ink: Colour) {
        for point in points.iter().filter(|point| point.is_finite()) {
            if let (Some(column), Some(high), Some(low)) =
                (self.column(point.x), self.row(point.high), self.row(point.low))
            {
                for row in high..=low {
                    self.cells[row][column] =
                        TextCell { character: '│', foreground: Some(ink), background: None };
                }
            }
        }
    }

    fn dots(&mut self, points: &[ChartPoint], mark: char, ink: Colour) {
        for point in points.iter().filter(|point| point.is_finite()) {
            if let (Some(column), Some(row)) = (self.column(point.x), self.row(point.y)) {
                self.cells[row][column] =
                    TextCell { character: mark, foreground: Some(ink), background: None };
            }
        }
    }

    fn rows(&self) -> Vec<String> {
        let labels: Vec<(usize, &str)> = self
            .ticks
            .iter()
            .filter_map(|t| Some((self.row(t.value)?, t.label.as_str())))
            .collect();
        self.cells
            .iter()
            .enumerate()
            .map(|(i, cells)| {
                let label = labels.iter().find(|(row, _)| *row == i).map(|(_, label)| *label);
                let edge = if label.is_some() { '┤' } else { '│' };
                let text = truncate(label.unwrap_or_default(), self.gutter - 1);
                let cells = terminal::format_row(cells, self.options.colour);
                format!("{text:>gutter$}{edge}{cells}", gutter = self.gutter)
            })
            .collect()
    }

    /// Returns the lines of text of the x axis: the line with its ticks, the optimum, the tick
    /// labels and the axis label.
    fn x_axis(&self, chart: &Chart) -> Vec<String> {
        let mut line = vec!['─'; self.columns];
        let mut labels = vec![' '; self.columns];
        for tick in self.fitting_ticks(chart) {
            if let Some((column, from)) = self.label_columns(&tick) {
                line[column] = '┬';
                for (place, letter) in labels[from..].iter_mut().zip(tick.label.chars()) {
                    *place = letter;
                }
            }
        }
        let blank = " ".repeat(self.gutter + 1);
        let mut lines =
            vec![format!("{}└{}", " ".repeat(self.gutter), line.into_iter().collect::<String>())];
        if let Some(range) = self.optimum_row(chart) {
            lines.push(format!("{blank}{}", terminal::format_row(&range, self.options.colour)));
        }
        let labels: String = labels.into_iter().collect();
        lines.push(format!("{blank}{}", labels.trim_end()));
        let name = truncate(&chart.x.label, self.columns);
        if !name.is_empty() {
            let indent = (self.columns - name.chars().count()) / 2;
            lines.push(format!("{blank}{}{name}", " ".repeat(indent)));
        }
        lines
    }

    /// Returns the column of a tick of the x axis and the column in which its label starts; `None`
    /// if the tick is outside the range or its label is too long.
    fn label_columns(&self, tick: &AxisTick) -> Option<(usize, usize)> {
        let column = self.column(tick.value)?;
        let length = tick.label.chars().count();
        let latest = self.columns.checked_sub(length)?;
        Some((column, column.saturating_sub(length / 2).min(latest)))
    }

    /// Returns as many ticks of the x axis as fit with their labels and a gap between these.
    fn fitting_ticks(&self, chart: &Chart) -> Vec<AxisTick> {
        let fits = |ticks: &[AxisTick]| {
            let mut free = 0;
            ticks.iter().filter_map(|tick| Some((self.label_columns(tick)?.1, tick))).all(
                |(from, tick)| {
                    let fits = from >= free;
                    free = from + tick.label.chars().count() + 2;
                    fits
                },
            )
        };
        let most = (self.columns / 5).clamp(2, 40);
        let mut choices = (1..=most).rev().map(|most| self.x.ticks(&chart.x, most));
        choices.find(|ticks| fits(ticks)).unwrap_or_default()
    }

    fn optimum_row(&self, chart: &Chart) -> Option<Vec<TextCell>> {
        let best = chart.optimum.as_ref()?;
        let clamped = |x: f64| self.column(x.clamp(self.x.low, self.x.high));
        let (low, at, high) = (clamped(best.low)?, clamped(best.x)?, clamped(best.high)?);
        let cell =
            |mark| TextCell { character: mark, foreground: Some(OPTIMUM_COLOUR), background: None };
        let mut cells = vec![TextCell::EMPTY; self.columns];
        if low < high {
            cells[low..=high].fill(cell('─'));
            (cells[low], cells[high]) = (cell('├'), cell('┤'));
        }
        cells[at] = cell('▲');
        Some(cells)
    }
}

/// Returns the y value of a line at `x` by linear interpolation; `None` if `x` is outside the line.
fn interpolate(line: &[ChartPoint], x: f64) -> Option<f64> {
    let pair = line.windows(2).find(|pair| pair[0].x <= x && x <= pair[1].x)?;
    let length = pair[1].x - pair[0].x;
    let weight = if length > 0.0 { (x - pair[0].x) / length } else { 0.0 };
    Some(pair[0].y + weight * (pair[1].y - pair[0].y)).filter(|y| y.is_finite())
}
