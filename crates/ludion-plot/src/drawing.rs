//! A picture as a list of shapes, from which the files are made: [`Drawing::svg`] and
//! [`Drawing::png`]. Lengths are in points of a screen, from the upper left corner.

use crate::colour::Colour;

/// A shape.
#[derive(Clone, PartialEq, Debug)]
pub enum DrawingShape {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f32; 2]>,
        /// Its colour.
        colour: Colour,
        /// Its width.
        width: f32,
        /// Whether it is broken into dashes.
        dashed: bool,
    },
    /// The inside of a closed line.
    Area {
        /// The points of the line.
        points: Vec<[f32; 2]>,
        /// Its colour.
        colour: Colour,
    },
    /// A disc with a rim.
    Dot {
        /// The middle.
        at: [f32; 2],
        /// The radius.
        radius: f32,
        /// Its colour.
        colour: Colour,
        /// What a page says of it when it is pointed at.
        tip: String,
    },
    /// A rectangle.
    Box {
        /// The upper left corner.
        at: [f32; 2],
        /// Width and height.
        size: [f32; 2],
        /// What it is filled with.
        fill: Option<Colour>,
        /// Colour and width of its rim.
        rim: Option<(Colour, f32)>,
        /// What a page says of it when it is pointed at.
        tip: String,
    },
    /// A line of text.
    Text {
        /// Where the foot of the letters stands.
        at: [f32; 2],
        /// The text.
        text: String,
        /// Which part of the text is at that place.
        anchor: TextAnchor,
        /// How it looks.
        style: TextStyle,
    },
}

impl DrawingShape {
    /// The same shape so far to the right and down.
    fn moved(mut self, by: [f32; 2]) -> DrawingShape {
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

/// Which part of a text its place means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextAnchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextStyle {
    /// The height of its letters, as fonts count it.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub colour: Colour,
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// Width and height.
    pub size: [u32; 2],
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// Its shapes, later ones above earlier ones.
    pub shapes: Vec<DrawingShape>,
}

impl Drawing {
    /// Several pictures as one: `columns` of them beside each other, row after row, each column as
    /// wide and each row as high as the largest in it.
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
        let mut whole = Drawing { size, title: title.into(), shapes: Vec::new() };
        for (i, panel) in panels.into_iter().enumerate() {
            let left: u32 = widths[..i % columns].iter().sum();
            let top: u32 = heights[..i / columns].iter().sum();
            let by = [left as f32, top as f32];
            whole.shapes.extend(panel.shapes.into_iter().map(|shape| shape.moved(by)));
        }
        whole
    }

    /// A straight line.
    pub(crate) fn straight(&mut self, from: [f32; 2], to: [f32; 2], colour: Colour, width: f32) {
        self.shapes.push(DrawingShape::Line {
            points: vec![from, to],
            colour,
            width,
            dashed: false,
        });
    }

    /// A line of text.
    pub(crate) fn text(
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
    fn panels_stand_beside_and_below_each_other() {
        let panel = |size| Chart::default().draw(size);
        let sizes = [[400, 300], [500, 240], [320, 260]];
        let whole = Drawing::panels("three", sizes.map(panel).to_vec(), 2);
        assert_eq!(whole.size, [900, 560]);
        let parts = sizes.map(|size| panel(size).shapes);
        assert_eq!(whole.shapes.len(), parts.iter().map(Vec::len).sum::<usize>());
        let third = whole.shapes[parts[0].len() + parts[1].len()..].to_vec();
        let expected: Vec<DrawingShape> =
            parts[2].iter().map(|shape| shape.clone().moved([0.0, 300.0])).collect();
        assert_eq!(third, expected);
        assert!(whole.svg().contains("three") && whole.png(1).is_ok());
        assert_eq!(Drawing::panels("none", Vec::new(), 0).size, [0, 0]);
    }
}
