//! Drawings as PNG, rendered by the library tiny-skia with the font of [`font`](crate::font).

use tiny_skia::{
    FillRule, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

use crate::colour::{BACKGROUND, Colour};
use crate::drawing::{Drawing, DrawingShape, TextAnchor, TextStyle};
use crate::font;

/// Maximum width and height of a PNG in pixels.
pub const MAX_PIXELS: u32 = 16_384;

/// Reasons why a drawing cannot be converted to a PNG file.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The requested width or height is 0 or more than [`MAX_PIXELS`].
    #[error(
        "a picture cannot have {width} x {height} pixels; each side must have 1 to {MAX_PIXELS}"
    )]
    Size {
        /// The requested width in pixels.
        width: u64,
        /// The requested height in pixels.
        height: u64,
    },
    /// The PNG encoder failed, with this message.
    #[error("the picture cannot be written as png: {0}")]
    Encoding(String),
}

impl Drawing {
    /// Returns the bytes of a PNG file with `scale` pixels for each pixel of the drawing's size, in
    /// width and in height.
    ///
    /// # Errors
    /// When the width or height would be 0 or more than [`MAX_PIXELS`].
    pub fn png(&self, scale: u32) -> Result<Vec<u8>, PngError> {
        let [width, height] = self.size.map(|side| u64::from(side) * u64::from(scale));
        let pixels =
            |side: u64| u32::try_from(side).ok().filter(|side| (1..=MAX_PIXELS).contains(side));
        let mut pixmap = pixels(width)
            .zip(pixels(height))
            .and_then(|(width, height)| Pixmap::new(width, height))
            .ok_or(PngError::Size { width, height })?;
        pixmap.fill(solid_paint(BACKGROUND).0);
        let mut painter = PngPainter {
            pixmap: &mut pixmap,
            transform: Transform::from_scale(scale as f32, scale as f32),
        };
        for shape in &self.shapes {
            painter.shape(shape);
        }
        pixmap.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
    }
}

/// Converts a colour to the colour type and the paint type of tiny-skia.
fn solid_paint(colour: Colour) -> (tiny_skia::Color, Paint<'static>) {
    let Colour { red, green, blue, opacity } = colour;
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, opacity);
    (tiny_skia::Color::from_rgba8(red, green, blue, opacity), paint)
}

/// Renders the shapes of a drawing, scaled by `transform`, into a pixel map.
struct PngPainter<'a> {
    pixmap: &'a mut Pixmap,
    transform: Transform,
}

impl PngPainter<'_> {
    fn shape(&mut self, shape: &DrawingShape) {
        match shape {
            DrawingShape::Line { points, colour, width, dashed } => {
                self.line(points, *colour, *width, *dashed);
            }
            DrawingShape::Area { points, colour } => self.fill(polygon(points, true), *colour),
            DrawingShape::Dot { at: [x, y], radius, colour, .. } => {
                let mut path = PathBuilder::new();
                path.push_circle(*x, *y, radius + 0.5);
                self.fill(path, BACKGROUND);
                let mut path = PathBuilder::new();
                path.push_circle(*x, *y, radius - 0.5);
                self.fill(path, *colour);
            }
            DrawingShape::Box { at: [x, y], size: [width, height], fill, rim, .. } => {
                let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) else { return };
                if let Some(colour) = fill {
                    let paint = solid_paint(*colour).1;
                    self.pixmap.fill_rect(rect, &paint, self.transform, None);
                }
                if let Some((colour, width)) = rim {
                    let stroke = Stroke { width: *width, ..Stroke::default() };
                    let path = PathBuilder::from_rect(rect);
                    let paint = solid_paint(*colour).1;
                    self.pixmap.stroke_path(&path, &paint, &stroke, self.transform, None);
                }
            }
            DrawingShape::Text { at, text, anchor, style } => self.text(*at, text, *anchor, style),
        }
    }

    fn line(&mut self, points: &[[f32; 2]], colour: Colour, width: f32, dashed: bool) {
        let dash = if dashed { StrokeDash::new(vec![5.0, 4.0], 0.0) } else { None };
        let stroke = Stroke { width, dash, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(path) = polygon(points, false).finish() {
            let paint = solid_paint(colour).1;
            self.pixmap.stroke_path(&path, &paint, &stroke, self.transform, None);
        }
    }

    fn fill(&mut self, path: PathBuilder, colour: Colour) {
        if let Some(path) = path.finish() {
            let paint = solid_paint(colour).1;
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, self.transform, None);
        }
    }

    fn text(&mut self, [x, y]: [f32; 2], text: &str, anchor: TextAnchor, style: &TextStyle) {
        let TextStyle { size, bold, colour } = *style;
        let width = font::text_width(text, size, bold);
        let x = match anchor {
            TextAnchor::Start => x,
            TextAnchor::Middle => x - width / 2.0,
            TextAnchor::End => x - width,
        };
        self.fill(font::text_path(text, size, bold, [x, y]), colour);
    }
}

fn polygon(points: &[[f32; 2]], closed: bool) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (i, [x, y]) in points.iter().enumerate() {
        if i == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
    }
    if closed && !points.is_empty() {
        path.close();
    }
    path
}
