//! What all pictures share: sizes, the title above, the note below, texts that fit their place.

use crate::colour::{Colour, FAINT_INK, INK};
use crate::drawing::{Drawing, TextAnchor, TextStyle};
use crate::font;
use crate::png::MAX_PIXELS;

/// The size of a picture unless another is asked for.
pub const DEFAULT_SIZE: [u32; 2] = [960, 600];

/// The least size a picture is drawn in, below which nothing could be read. The greatest is that
/// of a PNG.
const MIN_SIZE: [u32; 2] = [320, 240];

pub(crate) const SIDE: f32 = 28.0;
/// Where the first line below the title stands.
pub(crate) const SECOND_LINE: f32 = 68.0;
pub(crate) const LABEL: TextStyle = TextStyle { size: 14.0, bold: false, colour: FAINT_INK };
pub(crate) const NUMBER: TextStyle = TextStyle { size: 13.0, bold: false, colour: INK };

const TITLE: TextStyle = TextStyle { size: 21.0, bold: true, colour: INK };
const NOTE: TextStyle = TextStyle { size: 12.0, bold: false, colour: FAINT_INK };

impl TextStyle {
    pub(crate) const fn colour(self, colour: Colour) -> TextStyle {
        TextStyle { colour, ..self }
    }

    pub(crate) fn width(self, text: &str) -> f32 {
        font::width(text, self.size, self.bold)
    }
}

/// A picture with nothing but its title and its note.
pub(crate) fn sheet(size: [u32; 2], title: &str, note: &str) -> Drawing {
    let side = |i: usize| size[i].clamp(MIN_SIZE[i], MAX_PIXELS);
    let size = [side(0), side(1)];
    let mut drawing = Drawing { size, title: title.to_owned(), shapes: Vec::new() };
    let room = size[0] as f32 - 2.0 * SIDE;
    let (style, text) = fitted(TITLE, title, room);
    drawing.text([SIDE, 38.0], TextAnchor::Start, style, text);
    let (style, text) = fitted(NOTE, note, room);
    drawing.text([SIDE, size[1] as f32 - 16.0], TextAnchor::Start, style, text);
    drawing
}

/// Where the axis' label below the plot stands, measured from the bottom.
pub(crate) fn foot(note: &str) -> f32 {
    if note.is_empty() { 20.0 } else { 44.0 }
}

/// The text in a size that fits: down to two thirds of its own, then cut.
pub(crate) fn fitted(style: TextStyle, text: &str, room: f32) -> (TextStyle, String) {
    let width = style.width(text);
    let shrunk = TextStyle { size: style.size * (room / width).clamp(0.66, 1.0), ..style };
    if width <= room || shrunk.width(text) <= room + 0.5 {
        return (if width <= room { style } else { shrunk }, text.to_owned());
    }
    let mut cut: Vec<char> = text.chars().collect();
    while !cut.is_empty() {
        cut.pop();
        let shorter = cut.iter().collect::<String>() + "…";
        if shrunk.width(&shorter) <= room {
            return (shrunk, shorter);
        }
    }
    (shrunk, String::new())
}
