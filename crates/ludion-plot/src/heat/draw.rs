//! A heat map as a picture.

use super::HeatMap;
use crate::colour::{AXIS, GRID, INK, PAPER, viridis};
use crate::drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};
use crate::layout::{self, LABEL, NUMBER, SECOND_LINE, SIDE};

/// Width of the scale of colours, and its distance from the cells.
const BAR: [f32; 2] = [16.0, 30.0];
/// Numbers in cells are left out rather than written smaller.
const MIN_NUMBER: f32 = 8.0;

impl HeatMap {
    /// The heat map as a picture of this width and height; [`crate::DEFAULT_SIZE`] suits most.
    #[must_use]
    pub fn draw(&self, size: [u32; 2]) -> Drawing {
        let mut drawing = layout::sheet(size, &self.title, &self.note);
        let frame = HeatMapFrame::new(self, &drawing);
        frame.names(self, &mut drawing);
        frame.cells(self, &mut drawing);
        frame.bar(self, &mut drawing);
        drawing
    }
}

struct HeatMapFrame {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    cell: [f32; 2],
    shape: [usize; 2],
}

impl HeatMapFrame {
    fn new(map: &HeatMap, drawing: &Drawing) -> HeatMapFrame {
        let [width, height] = drawing.size.map(|side| side as f32);
        let widest = map.rows.iter().map(|name| NUMBER.width(name)).fold(0.0, f32::max);
        let [low, high] = map.range();
        let numbers = [low, high].map(|value| NUMBER.width(&map.shown(value)));
        let numbers = numbers[0].max(numbers[1]).max(28.0);
        let left = (SIDE + widest + 10.0).min(width / 3.0);
        let right = width - SIDE - numbers - 8.0 - BAR[0] - BAR[1];
        let top = SECOND_LINE + 14.0;
        let bottom = height - layout::foot(&map.note) - 44.0;
        let shape = map.shape();
        let cell =
            [(right - left) / shape[1].max(1) as f32, (bottom - top) / shape[0].max(1) as f32];
        HeatMapFrame { left, top, right, bottom, cell, shape }
    }

    fn corner(&self, row: usize, column: usize) -> [f32; 2] {
        [self.left + column as f32 * self.cell[0], self.top + row as f32 * self.cell[1]]
    }

    fn names(&self, map: &HeatMap, drawing: &mut Drawing) {
        let widest = map.columns.iter().map(|name| NUMBER.width(name)).fold(0.0, f32::max);
        let every = ((widest + 10.0) / self.cell[0]).ceil().max(1.0) as usize;
        for (i, name) in map.columns.iter().enumerate().step_by(every) {
            let [x, _] = self.corner(0, i);
            let at = [x + self.cell[0] / 2.0, self.bottom + 20.0];
            drawing.text(at, TextAnchor::Middle, NUMBER, &**name);
        }
        let every = (18.0 / self.cell[1]).ceil().max(1.0) as usize;
        for (i, name) in map.rows.iter().enumerate().step_by(every) {
            let [_, y] = self.corner(i, 0);
            let (style, name) = layout::fitted(NUMBER, name, self.left - SIDE - 8.0);
            let at = [self.left - 10.0, y + self.cell[1] / 2.0 + 4.5];
            drawing.text(at, TextAnchor::End, style, name);
        }
        drawing.text([SIDE, self.top - 14.0], TextAnchor::Start, LABEL, &*map.row_label);
        let foot = drawing.size[1] as f32 - layout::foot(&map.note);
        let middle = (self.left + self.right) / 2.0;
        drawing.text([middle, foot], TextAnchor::Middle, LABEL, &*map.column_label);
        if self.shape.contains(&0) {
            let middle = [middle, (self.top + self.bottom) / 2.0];
            drawing.text(middle, TextAnchor::Middle, LABEL, "nothing to show yet");
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
                let fill = value.map_or(GRID, |value| viridis(map.share(value)));
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
                    drawing.text(
                        at,
                        TextAnchor::Middle,
                        style.colour(fill.ink()),
                        map.shown(value),
                    );
                }
            }
        }
        for &(row, column) in &map.marked {
            if row < self.shape[0] && column < self.shape[1] {
                self.rim(self.corner(row, column), size, drawing);
            }
        }
    }

    /// A dark rim inside a white one, seen on any colour.
    fn rim(&self, [x, y]: [f32; 2], [width, height]: [f32; 2], drawing: &mut Drawing) {
        for (inset, colour, line) in [(1.0, INK, 2.0), (2.75, PAPER, 1.5)] {
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
        format!("{} = {row}, {} = {column}: {}", map.row_label, map.column_label, map.shown(value))
    }

    /// The largest letters with which every value fits its cell.
    fn number_style(&self, map: &HeatMap) -> Option<TextStyle> {
        let values = map.values.iter().flatten().flatten();
        let widest = values.map(|v| NUMBER.width(&map.shown(*v))).fold(1.0, f32::max);
        let size = (NUMBER.size * (self.cell[0] - 8.0) / widest).min(0.62 * self.cell[1]).min(15.0);
        (size >= MIN_NUMBER).then_some(TextStyle { size, ..NUMBER })
    }

    /// The scale of colours, with numbers beside it.
    fn bar(&self, map: &HeatMap, drawing: &mut Drawing) {
        let x = self.right + BAR[1];
        let height = self.bottom - self.top;
        let steps = 64;
        for step in 0..steps {
            let share = (f64::from(step) + 0.5) / f64::from(steps);
            let y = self.bottom - height * (step + 1) as f32 / steps as f32;
            drawing.shapes.push(DrawingShape::Box {
                at: [x, y],
                // A little more than its share, so that no gap shows between two colours.
                size: [BAR[0], height / steps as f32 + if step > 0 { 0.6 } else { 0.0 }],
                fill: Some(viridis(share)),
                rim: None,
                tip: String::new(),
            });
        }
        for value in map.marks() {
            let y = self.bottom - height * map.share(value) as f32;
            drawing.straight([x + BAR[0], y], [x + BAR[0] + 4.0, y], AXIS, 1.0);
            let at = [x + BAR[0] + 8.0, y + 4.5];
            drawing.text(at, TextAnchor::Start, NUMBER, map.shown(value));
        }
        let end = drawing.size[0] as f32 - SIDE;
        drawing.text([end, self.top - 14.0], TextAnchor::End, LABEL, map.legend());
    }
}
