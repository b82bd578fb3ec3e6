//! The font of drawings, Noto Sans (SIL Open Font License). It is part of the program, so that a
//! drawing looks the same on every machine.

use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

static REGULAR: LazyLock<Face<'static>> = LazyLock::new(|| parse_font(notosans::REGULAR_TTF));
static BOLD: LazyLock<Face<'static>> = LazyLock::new(|| parse_font(notosans::BOLD_TTF));

fn parse_font(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the built-in font is valid")
}

fn font_face(bold: bool) -> &'static Face<'static> {
    if bold { &BOLD } else { &REGULAR }
}

/// Returns the width of a text in pixels, at this font size.
pub(crate) fn text_width(text: &str, size: f32, bold: bool) -> f32 {
    let face = font_face(bold);
    let units: u32 = text.chars().map(|letter| u32::from(advance(face, letter))).sum();
    units as f32 * size / f32::from(face.units_per_em())
}

/// Returns the glyph of a letter, or the empty box if the font does not have the letter.
fn glyph(face: &Face<'_>, letter: char) -> ttf_parser::GlyphId {
    face.glyph_index(letter).unwrap_or_default()
}

fn advance(face: &Face<'_>, letter: char) -> u16 {
    face.glyph_hor_advance(glyph(face, letter)).unwrap_or_default()
}

/// Calls `builder` for each letter of a text whose baseline starts at `at`, with the position of
/// the letter, the scale from font units to pixels, and a function that draws the outline of the
/// letter.
pub(crate) fn outline_text(
    text: &str,
    size: f32,
    bold: bool,
    at: [f32; 2],
    mut builder: impl FnMut([f32; 2], f32, &mut dyn FnMut(&mut dyn OutlineBuilder)),
) {
    let face = font_face(bold);
    let scale = size / f32::from(face.units_per_em());
    let mut x = at[0];
    for letter in text.chars() {
        builder([x, at[1]], scale, &mut |outlines| {
            face.outline_glyph(glyph(face, letter), outlines);
        });
        x += f32::from(advance(face, letter)) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_additive_and_proportional_to_the_size() {
        let sum = text_width("1", 10.0, false) + text_width("00", 10.0, false);
        assert!((text_width("100", 10.0, false) - sum).abs() < 1e-4);
        assert!(
            (text_width("abc", 20.0, false) - 2.0 * text_width("abc", 10.0, false)).abs() < 1e-3
        );
        assert!(text_width("score", 10.0, true) > text_width("score", 10.0, false));
        assert_eq!(text_width("", 10.0, false), 0.0);
    }

    #[test]
    fn the_font_has_all_characters_in_use() {
        for letter in "0123456789 %.,:;()=–−×±½°éü".chars() {
            assert!(font_face(false).glyph_index(letter).is_some(), "{letter:?}");
        }
    }
}
