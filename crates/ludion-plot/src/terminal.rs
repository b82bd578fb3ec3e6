//! What pictures in the terminal share: how large they are, whether in colour, the cells they are
//! made of, the dots of braille in a cell.

use std::fmt::Write;

use crate::colour::Colour;

/// How a picture is shown in a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// Columns, 30 at least.
    pub width: usize,
    /// Rows of the plot itself, 4 at least.
    pub height: usize,
    /// Whether to use colour.
    pub colour: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { width: 80, height: 18, colour: false }
    }
}

impl TextOptions {
    /// The options with sizes in which something can be seen.
    pub(crate) fn within_reason(self) -> Self {
        let (width, height) = (self.width.clamp(30, 1000), self.height.clamp(4, 1000));
        TextOptions { width, height, ..self }
    }
}

/// A character with the colours it may be shown in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TextCell {
    pub(crate) mark: char,
    pub(crate) ink: Option<Colour>,
    pub(crate) paper: Option<Colour>,
}

impl TextCell {
    pub(crate) const EMPTY: TextCell = TextCell { mark: ' ', ink: None, paper: None };
}

/// A row of cells as text, without blanks at its end.
pub(crate) fn row(cells: &[TextCell], colour: bool) -> String {
    let end = cells.iter().rposition(|cell| cell.mark != ' ' || (colour && cell.paper.is_some()));
    let mut out = String::new();
    let mut now = (None, None);
    for cell in &cells[..end.map_or(0, |end| end + 1)] {
        if colour && now != (cell.ink, cell.paper) {
            now = (cell.ink, cell.paper);
            out.push_str("\u{1b}[0m");
            for (code, colour) in [(38, cell.ink), (48, cell.paper)] {
                if let Some(Colour { red, green, blue, .. }) = colour {
                    let _ = write!(out, "\u{1b}[{code};2;{red};{green};{blue}m");
                }
            }
        }
        out.push(cell.mark);
    }
    if now != (None, None) {
        out.push_str("\u{1b}[0m");
    }
    out
}

/// The character of braille whose dot in column `x` (0 or 1) and row `y` (0 to 3) is set, added
/// to `mark`, which is kept if it is no braille.
pub(crate) fn with_dot(mark: char, x: usize, y: usize) -> char {
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let dots = match mark {
        ' ' => 0,
        '\u{2800}'..='\u{28ff}' => mark as u32 - 0x2800,
        _ => return mark,
    };
    char::from_u32(0x2800 + (dots | BITS[y][x])).unwrap_or(mark)
}

/// The text cut to a width, the cut shown by an ellipsis.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_add_up_and_leave_marks_alone() {
        assert_eq!(with_dot(with_dot(' ', 0, 0), 1, 3), '⢁');
        assert_eq!(with_dot('●', 0, 0), '●');
    }

    #[test]
    fn colour_codes_come_only_when_asked_for() {
        let red = TextCell { mark: 'x', ink: Some(Colour::hex(0xff_0000)), paper: None };
        assert_eq!(row(&[red, TextCell::EMPTY], false), "x");
        assert_eq!(row(&[red, red], true), "\u{1b}[0m\u{1b}[38;2;255;0;0mxx\u{1b}[0m");
    }
}
