//! A drawing as a list of shapes, which [`Drawing::svg`] and [`Drawing::png`] convert to files.
//! Lengths are in pixels at scale 1; the origin is the upper left corner.

use crate::colour::Colour;

/// A shape of a drawing. Lengths and coordinates are in pixels at scale 1.
#[derive(Clone, PartialEq, Debug)]
pub enum DrawingShape {
    /// A line of straight segments through several points.
    Line {
        /// The points of the line, in order.
        points: Vec<[f32; 2]>,
        /// The colour of the line.
        colour: Colour,
        /// The width of the line in pixels.
        width: f32,
        /// Whether the line is dashed.
        dashed: bool,
    },
    /// A filled polygon.
    Area {
        /// The corners of the polygon, in order.
        points: Vec<[f32; 2]>,
        /// The fill colour of the polygon.
        colour: Colour,
    },
    /// A filled circle with a white border.
    Dot {
        /// The centre of the circle.
        at: [f32; 2],
        /// The radius of the circle in pixels.
        radius: f32,
        /// The fill colour of the circle.
        colour: Colour,
        /// The tooltip of the circle in SVG; empty for none.
        tip: String,
    },
    /// A rectangle.
    Box {
        /// The upper left corner of the rectangle.
        at: [f32; 2],
        /// Width and height of the rectangle in pixels.
        size: [f32; 2],
        /// The fill colour of the rectangle; `None` for no fill.
        fill: Option<Colour>,
        /// The colour and the width in pixels of the border; `None` for no border.
        rim: Option<(Colour, f32)>,
        /// The tooltip of the rectangle in SVG; empty for none.
        tip: String,
    },
    /// A line of text.
    Text {
        /// The position of the start, middle or end of the text, as `anchor` says, on the baseline.
        at: [f32; 2],
        /// The text to draw.
        text: String,
        /// The part of the text that is at the position `at`.
        anchor: TextAnchor,
        /// The font size, weight and colour.
        style: TextStyle,
    },
}

impl DrawingShape {
    /// Returns the shape moved by `by`, in pixels to the right and down.
    fn translated(mut self, by: [f32; 2]) -> DrawingShape {
        let shift = |point: &mut [f32; 2]| *point = [point[0] + by[0], point[1] + by[1]];
        match &mut self {
            DrawingShape::Line { points, .. } | DrawingShape::Area { points, .. } => {
                points.iter_mut().for_each(shift);
            }
            DrawingShape::Dot { at, .. }
            | DrawingShape::Box { at, .. }
            | DrawingShape::Text { at, .. } => shift(at),
        }
        self
    }
}

/// The part of a text that its position refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextAnchor {
    /// The position is that of the start of the text.
    Start,
    /// The position is that of the middle of the text.
    Middle,
    /// The position is that of the end of the text.
    End,
}

/// Size, weight and colour of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextStyle {
    /// The font size in pixels.
    pub size: f32,
    /// Whether the text is bold.
    pub bold: bool,
    /// The colour of the text.
    pub colour: Colour,
}

/// A drawing: shapes on a white background.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// Width and height of the drawing in pixels at scale 1.
    pub size: [u32; 2],
    /// The title of the SVG file, which screen readers read.
    pub title: String,
    /// The shapes in the order in which they are drawn; later ones cover earlier ones.
    pub shapes: Vec<DrawingShape>,
}

impl Drawing {
    /// Arranges several drawings in a grid with this number of columns. Each column is as wide, and
    /// each row as high, as the largest drawing in it.
    #[must_use]
    pub fn panels(title: impl Into<String>, panels: Vec<Drawing>, columns: usize) -> Drawing {
        let columns = columns.max(1);
        let rows = panels.len().div_ceil(columns);
        let (mut widths, mut heights) = (vec![0; columns], vec![0; rows]);
        for (i, panel) in panels.iter().enumerate() {
            let (column, row) = (i % columns, i / columns);
            widths[column] = panel.size[0].max(widths[column]);
            heights[row] = panel.size[1].max(heights[row]);
        }
        let size = [widths.iter().sum(), heights.iter().sum()];
        let mut combined = Drawing { size, title: title.into(), shapes: Vec::new() };
        for (i, panel) in panels.into_iter().enumerate() {
            let left: u32 = widths[..i % columns].iter().sum();
            let top: u32 = heights[..i / columns].iter().sum();
            let by = [left as f32, top as f32];
            combined.shapes.extend(panel.shapes.into_iter().map(|shape| shape.translated(by)));
        }
        combined
    }

    /// Adds a straight line of this width in pixels.
    pub(crate) fn add_line(&mut self, from: [f32; 2], to: [f32; 2], colour: Colour, width: f32) {
        self.shapes.push(DrawingShape::Line {
            points: vec![from, to],
            colour,
            width,
            dashed: false,
        });
    }

    /// Adds a line of text whose start, middle or end, as `anchor` says, is at `at` on the
    /// baseline.
    pub(crate) fn add_text(
        &mut self,
        at: [f32; 2],
        anchor: TextAnchor,
        style: TextStyle,
        text: impl Into<String>,
    ) {
        self.shapes.push(DrawingShape::Text { at, text: text.into(), anchor, style });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chart;

    #[test]
    fn panels_are_arranged_in_columns_and_rows() {
        let panel = |size| Chart::default().draw(size);
        let sizes = [[400, 300], [500, 240], [320, 260]];
        let whole = Drawing::panels("three", sizes.map(panel).to_vec(), 2);
        assert_eq!(whole.size, [900, 560]);
        let parts = sizes.map(|size| panel(size).shapes);
        assert_eq!(whole.shapes.len(), parts.iter().map(Vec::len).sum::<usize>());
        let third = whole.shapes[parts[0].len() + parts[1].len()..].to_vec();
        let expected: Vec<DrawingShape> =
            parts[2].iter().map(|shape| shape.clone().translated([0.0, 300.0])).collect();
        assert_eq!(third, expected);
        assert!(whole.svg().contains("three") && whole.png(1).is_ok());
        assert_eq!(Drawing::panels("none", Vec::new(), 0).size, [0, 0]);
    }
}
