//! The letters: Noto Sans, which comes with the program (SIL Open Font License), so that a
//! picture looks the same on every machine and needs no font of the system.

use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

static REGULAR: LazyLock<Face<'static>> = LazyLock::new(|| face(notosans::REGULAR_TTF));
static BOLD: LazyLock<Face<'static>> = LazyLock::new(|| face(notosans::BOLD_TTF));

fn face(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the font that comes with the program is a font")
}

fn of(bold: bool) -> &'static Face<'static> {
    if bold { &BOLD } else { &REGULAR }
}

/// The width of a text.
pub(crate) fn width(text: &str, size: f32, bold: bool) -> f32 {
    let face = of(bold);
    let units: u32 = text.chars().map(|letter| u32::from(advance(face, letter))).sum();
    units as f32 * size / f32::from(face.units_per_em())
}

/// Letters that the font does not have show as its empty box.
fn glyph(face: &Face<'_>, letter: char) -> ttf_parser::GlyphId {
    face.glyph_index(letter).unwrap_or_default()
}

fn advance(face: &Face<'_>, letter: char) -> u16 {
    face.glyph_hor_advance(glyph(face, letter)).unwrap_or_default()
}

/// Draws the outlines of a text that begins at `at` into `builder`, made anew for each letter by
/// its place and the scale from the font's units.
pub(crate) fn outline(
    text: &str,
    size: f32,
    bold: bool,
    at: [f32; 2],
    mut builder: impl FnMut([f32; 2], f32, &mut dyn FnMut(&mut dyn OutlineBuilder)),
) {
    let face = of(bold);
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
    fn widths_add_up_and_grow_with_the_size() {
        let sum = width("1", 10.0, false) + width("00", 10.0, false);
        assert!((width("100", 10.0, false) - sum).abs() < 1e-4);
        assert!((width("abc", 20.0, false) - 2.0 * width("abc", 10.0, false)).abs() < 1e-3);
        assert!(width("score", 10.0, true) > width("score", 10.0, false));
        assert_eq!(width("", 10.0, false), 0.0);
    }

    #[test]
    fn the_letters_used_are_there() {
        for letter in "0123456789 %.,:;()=–−×±½°éü".chars() {
            assert!(of(false).glyph_index(letter).is_some(), "{letter:?}");
        }
    }
}
