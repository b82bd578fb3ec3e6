//! The layout that all plots share: size, title, note and text styles, and the fitting of texts
//! into their space.

use crate::colour::{Colour, MUTED_TEXT_COLOUR, TEXT_COLOUR};
use crate::drawing::{Drawing, TextAnchor, TextStyle};
use crate::font;
use crate::png::MAX_PIXELS;

/// The default width and height of a drawing in pixels.
pub const DEFAULT_SIZE: [u32; 2] = [960, 600];

/// The minimum width and height of a drawing in pixels; a smaller one would not be readable. The
/// maximum is that of a PNG.
const MIN_SIZE: [u32; 2] = [320, 240];

/// The left and right margin in pixels.
pub(crate) const SIDE_MARGIN: f32 = 28.0;
/// Distance of the baseline of the first line below the title from the top, in pixels.
pub(crate) const BELOW_TITLE: f32 = 68.0;
pub(crate) const LABEL_STYLE: TextStyle =
    TextStyle { size: 14.0, bold: false, colour: MUTED_TEXT_COLOUR };
pub(crate) const NUMBER_STYLE: TextStyle =
    TextStyle { size: 13.0, bold: false, colour: TEXT_COLOUR };

const TITLE_STYLE: TextStyle = TextStyle { size: 21.0, bold: true, colour: TEXT_COLOUR };
const NOTE_STYLE: TextStyle = TextStyle { size: 12.0, bold: false, colour: MUTED_TEXT_COLOUR };

impl TextStyle {
    pub(crate) const fn colour(self, colour: Colour) -> TextStyle {
        TextStyle { colour, ..self }
    }

    pub(crate) fn width(self, text: &str) -> f32 {
        font::text_width(text, self.size, self.bold)
    }
}

/// Creates a drawing of this size, within the allowed range, with only the title and the note.
pub(crate) fn titled_drawing(size: [u32; 2], title: &str, note: &str) -> Drawing {
    let side = |i: usize| size[i].clamp(MIN_SIZE[i], MAX_PIXELS);
    let size = [side(0), side(1)];
    let mut drawing = Drawing { size, title: title.to_owned(), shapes: Vec::new() };
    let room = size[0] as f32 - 2.0 * SIDE_MARGIN;
    let (style, text) = fit_text(TITLE_STYLE, title, room);
    drawing.add_text([SIDE_MARGIN, 38.0], TextAnchor::Start, style, text);
    let (style, text) = fit_text(NOTE_STYLE, note, room);
    drawing.add_text([SIDE_MARGIN, size[1] as f32 - 16.0], TextAnchor::Start, style, text);
    drawing
}

/// Returns the distance of the x axis label from the bottom in pixels: larger if there is a note.
pub(crate) fn x_label_offset(note: &str) -> f32 {
    if note.is_empty() { 20.0 } else { 44.0 }
}

/// Fits a text into a width: reduces its font size, to two thirds at least, then truncates it.
/// Returns the style with the reduced size and the possibly truncated text.
pub(crate) fn fit_text(style: TextStyle, text: &str, max_width: f32) -> (TextStyle, String) {
    let width = style.width(text);
    let shrunk = TextStyle { size: style.size * (max_width / width).clamp(0.66, 1.0), ..style };
    if width <= max_width || shrunk.width(text) <= max_width + 0.5 {
        return (if width <= max_width { style } else { shrunk }, text.to_owned());
    }
    let mut letters: Vec<char> = text.chars().collect();
    while !letters.is_empty() {
        letters.pop();
        let shorter = letters.iter().collect::<String>() + "…";
        if shrunk.width(&shorter) <= max_width {
            return (shrunk, shorter);
        }
    }
    (shrunk, String::new())
}
