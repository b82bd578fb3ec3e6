//! Parts of plots in the terminal: options, coloured cells, and braille dots.

use std::fmt::Write;

use crate::colour::Colour;

/// Options of a plot in the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// The maximum width in columns of characters, limited to 30 to 1000.
    pub width: usize,
    /// The height of the plot area in lines, limited to 4 to 1000.
    pub height: usize,
    /// Whether to use ANSI colour codes.
    pub colour: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { width: 80, height: 18, colour: false }
    }
}

impl TextOptions {
    /// Returns the options with width and height limited to the allowed ranges.
    pub(crate) fn clamped(self) -> Self {
        let (width, height) = (self.width.clamp(30, 1000), self.height.clamp(4, 1000));
        TextOptions { width, height, ..self }
    }
}

/// A character of a plot with its colours; `None` stands for the default colours of the terminal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TextCell {
    pub(crate) character: char,
    pub(crate) foreground: Option<Colour>,
    pub(crate) background: Option<Colour>,
}

impl TextCell {
    pub(crate) const EMPTY: TextCell =
        TextCell { character: ' ', foreground: None, background: None };
}

/// Returns a row of cells as text, without trailing spaces; with ANSI colour codes if `colour` is
/// set.
pub(crate) fn format_row(cells: &[TextCell], colour: bool) -> String {
    let end = cells
        .iter()
        .rposition(|cell| cell.character != ' ' || (colour && cell.background.is_some()));
    let mut out = String::new();
    let mut current = (None, None);
    for cell in &cells[..end.map_or(0, |end| end + 1)] {
        if colour && current != (cell.foreground, cell.background) {
            current = (cell.foreground, cell.background);
            out.push_str("\u{1b}[0m");
            for (code, colour) in [(38, cell.foreground), (48, cell.background)] {
                if let Some(Colour { red, green, blue, .. }) = colour {
                    let _ = write!(out, "\u{1b}[{code};2;{red};{green};{blue}m");
                }
            }
        }
        out.push(cell.character);
    }
    if current != (None, None) {
        out.push_str("\u{1b}[0m");
    }
    out
}

/// Returns a braille character or a space with the dot in column `x` (0 or 1) and row `y` (0 to 3,
/// from the top) added. Other characters are returned unchanged.
pub(crate) fn add_braille_dot(character: char, x: usize, y: usize) -> char {
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let dots = match character {
        ' ' => 0,
        '\u{2800}'..='\u{28ff}' => character as u32 - 0x2800,
        _ => return character,
    };
    char::from_u32(0x2800 + (dots | BITS[y][x])).unwrap_or(character)
}

/// Truncates a text to `width` characters; a truncated text ends with an ellipsis.
pub(crate) fn truncate(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braille_dots_accumulate_and_keep_other_characters() {
        assert_eq!(add_braille_dot(add_braille_dot(' ', 0, 0), 1, 3), '⢁');
        assert_eq!(add_braille_dot('●', 0, 0), '●');
    }

    #[test]
    fn colour_codes_are_written_only_with_colour() {
        let red =
            TextCell { character: 'x', foreground: Some(Colour::hex(0xff_0000)), background: None };
        assert_eq!(format_row(&[red, TextCell::EMPTY], false), "x");
        assert_eq!(format_row(&[red, red], true), "\u{1b}[0m\u{1b}[38;2;255;0;0mxx\u{1b}[0m");
    }
}
