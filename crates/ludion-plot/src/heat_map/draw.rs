//! Draws heat maps as [`Drawing`]s, which can be saved as SVG or PNG.

use super::HeatMap;
use crate::colour::{AXIS_COLOUR, BACKGROUND, GRID_COLOUR, TEXT_COLOUR, viridis};
use crate::drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};
use crate::layout::{self, BELOW_TITLE, LABEL_STYLE, NUMBER_STYLE, SIDE_MARGIN};

/// Width of the colour scale and its distance from the cells, in pixels.
const COLOUR_BAR: [f32; 2] = [16.0, 30.0];
/// Minimum font size of the numbers in cells, in pixels. If they would be smaller, the cells show
/// no numbers.
const MIN_NUMBER_SIZE: f32 = 8.0;

impl HeatMap {
    /// Draws the heat map in a size of width by height pixels; [`crate::DEFAULT_SIZE`] suits most
    /// heat maps.
    #[must_use]
    pub fn draw(&self, size: [u32; 2]) -> Drawing {
        let mut drawing = layout::titled_drawing(size, &self.title, &self.note);
        let frame = HeatMapFrame::new(self, &drawing);
        frame.names(self, &mut drawing);
        frame.cells(self, &mut drawing);
        frame.colour_scale(self, &mut drawing);
        drawing
    }
}

/// The area of the cells: its edges and the size of the cells, in pixels.
struct HeatMapFrame {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    /// The width and height of a cell, in pixels.
    cell: [f32; 2],
    /// The number of rows and of columns.
    shape: [usize; 2],
}

impl HeatMapFrame {
    fn new(map: &HeatMap, drawing: &Drawing) -> HeatMapFrame {
        let [width, height] = drawing.size.map(|side| side as f32);
        let widest = map.rows.iter().map(|name| NUMBER_STYLE.width(name)).fold(0.0, f32::max);
        let [low, high] = map.range();
        let numbers = [low, high].map(|value| NUMBER_STYLE.width(&map.format(value)));
        let numbers = numbers[0].max(numbers[1]).max(28.0);
        let left = (SIDE_MARGIN + widest + 10.0).min(width / 3.0);
        let right = width - SIDE_MARGIN - numbers - 8.0 - COLOUR_BAR[0] - COLOUR_BAR[1];
        let top = BELOW_TITLE + 14.0;
        let bottom = height - layout::x_label_offset(&map.note) - 44.0;
        let shape = map.shape();
        let cell =
            [(right - left) / shape[1].max(1) as f32, (bottom - top) / shape[0].max(1) as f32];
        HeatMapFrame { left, top, right, bottom, cell, shape }
    }

    fn corner(&self, row: usize, column: usize) -> [f32; 2] {
        [self.left + column as f32 * self.cell[0], self.top + row as f32 * self.cell[1]]
    }

    fn names(&self, map: &HeatMap, drawing: &mut Drawing) {
        let widest = map.columns.iter().map(|name| NUMBER_STYLE.width(name)).fold(0.0, f32::max);
        let every = ((widest + 10.0) / self.cell[0]).ceil().max(1.0) as usize;
        for (i, name) in map.columns.iter().enumerate().step_by(every) {
            let [x, _] = self.corner(0, i);
            let at = [x + self.cell[0] / 2.0, self.bottom + 20.0];
            drawing.add_text(at, TextAnchor::Middle, NUMBER_STYLE, &**name);
        }
        let every = (18.0 / self.cell[1]).ceil().max(1.0) as usize;
        for (i, name) in map.rows.iter().enumerate().step_by(every) {
            let [_, y] = self.corner(i, 0);
            let (style, name) = layout::fit_text(NUMBER_STYLE, name, self.left - SIDE_MARGIN - 8.0);
            let at = [self.left - 10.0, y + self.cell[1] / 2.0 + 4.5];
            drawing.add_text(at, TextAnchor::End, style, name);
        }
        drawing.add_text(
            [SIDE_MARGIN, self.top - 14.0],
            TextAnchor::Start,
            LABEL_STYLE,
            &*map.row_label,
        );
        let label_y = drawing.size[1] as f32 - layout::x_label_offset(&map.note);
        let middle = (self.left + self.right) / 2.0;
        drawing.add_text([middle, label_y], TextAnchor::Middle, LABEL_STYLE, &*map.column_label);
        if self.shape.contains(&0) {
            let middle = [middle, (self.top + self.bottom) / 2.0];
            drawing.add_text(middle, TextAnchor::Middle, LABEL_STYLE, "nothing to show yet");
        }
    }

    fn cells(&self, map: &HeatMap, drawing: &mut Drawing) {
        let gap = if self.cell[0].min(self.cell[1]) > 12.0 { 1.5 } else { 0.0 };
        let size = self.cell.map(|side| side - gap);
        let number = self.number_style(map);
        for row in 0..self.shape[0] {
            for column in 0..self.shape[1] {
                let at = self.corner(row, column);
                let value = map.value(row, column);
                let fill = value.map_or(GRID_COLOUR, |value| viridis(map.fraction(value)));
                let tip = value.map(|value| self.tip(map, row, column, value)).unwrap_or_default();
                drawing.shapes.push(DrawingShape::Box {
                    at,
                    size,
                    fill: Some(fill),
                    rim: None,
                    tip,
                });
                if let (Some(style), Some(value)) = (number, value) {
                    let at = [at[0] + size[0] / 2.0, at[1] + size[1] / 2.0 + 0.36 * style.size];
                    drawing.add_text(
                        at,
                        TextAnchor::Middle,
                        style.colour(fill.text_colour()),
                        map.format(value),
                    );
                }
            }
        }
        for &(row, column) in &map.marked {
            if row < self.shape[0] && column < self.shape[1] {
                self.mark_cell(self.corner(row, column), size, drawing);
            }
        }
    }

    /// Marks a cell with a dark and a white border, visible on any colour.
    fn mark_cell(&self, [x, y]: [f32; 2], [width, height]: [f32; 2], drawing: &mut Drawing) {
        for (inset, colour, line) in [(1.0, TEXT_COLOUR, 2.0), (2.75, BACKGROUND, 1.5)] {
            drawing.shapes.push(DrawingShape::Box {
                at: [x + inset, y + inset],
                size: [width - 2.0 * inset, height - 2.0 * inset],
                fill: None,
                rim: Some((colour, line)),
                tip: String::new(),
            });
        }
    }

    fn tip(&self, map: &HeatMap, row: usize, column: usize, value: f64) -> String {
        let name = |names: &[String], i: usize| names.get(i).cloned().unwrap_or_default();
        let (row, column) = (name(&map.rows, row), name(&map.columns, column));
        format!("{} = {row}, {} = {column}: {}", map.row_label, map.column_label, map.format(value))
    }

    /// Returns the style with the largest font size at which every value fits into its cell; `None`
    /// if the size would be too small to read.
    fn number_style(&self, map: &HeatMap) -> Option<TextStyle> {
        let values = map.values.iter().flatten().flatten();
        let widest = values.map(|v| NUMBER_STYLE.width(&map.format(*v))).fold(1.0, f32::max);
        let size =
            (NUMBER_STYLE.size * (self.cell[0] - 8.0) / widest).min(0.62 * self.cell[1]).min(15.0);
        (size >= MIN_NUMBER_SIZE).then_some(TextStyle { size, ..NUMBER_STYLE })
    }

    /// Draws the colour scale with its values and its label.
    fn colour_scale(&self, map: &HeatMap, drawing: &mut Drawing) {
        let x = self.right + COLOUR_BAR[1];
        let height = self.bottom - self.top;
        let steps = 64;
        for step in 0..steps {
            let fraction = (f64::from(step) + 0.5) / f64::from(steps);
            let y = self.bottom - height * (step + 1) as f32 / steps as f32;
            drawing.shapes.push(DrawingShape::Box {
                at: [x, y],
                // The coloured steps overlap a little, so that no gap is visible between two
                // colours.
                size: [COLOUR_BAR[0], height / steps as f32 + if step > 0 { 0.6 } else { 0.0 }],
                fill: Some(viridis(fraction)),
                rim: None,
                tip: String::new(),
            });
        }
        for value in map.scale_values() {
            let y = self.bottom - height * map.fraction(value) as f32;
            drawing.add_line(
                [x + COLOUR_BAR[0], y],
                [x + COLOUR_BAR[0] + 4.0, y],
                AXIS_COLOUR,
                1.0,
            );
            let at = [x + COLOUR_BAR[0] + 8.0, y + 4.5];
            drawing.add_text(at, TextAnchor::Start, NUMBER_STYLE, map.format(value));
        }
        let end = drawing.size[0] as f32 - SIDE_MARGIN;
        drawing.add_text([end, self.top - 14.0], TextAnchor::End, LABEL_STYLE, map.legend());
    }
}
