//! The font of drawings, Noto Sans (SIL Open Font License, see `fonts`). It is part of the program,
//! so that a drawing looks the same on every machine.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider, charmap::Charmap};
use tiny_skia::PathBuilder;

static REGULAR: LazyLock<FontFace> =
    LazyLock::new(|| FontFace::parse(include_bytes!("../fonts/NotoSans-Regular.ttf")));
static BOLD: LazyLock<FontFace> =
    LazyLock::new(|| FontFace::parse(include_bytes!("../fonts/NotoSans-Bold.ttf")));

/// The tables of a font that drawings use. All lengths are in font units.
struct FontFace {
    characters: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    outlines: OutlineGlyphCollection<'static>,
    units_per_em: f32,
}

impl FontFace {
    fn parse(bytes: &'static [u8]) -> FontFace {
        let font = FontRef::new(bytes).expect("the built-in font is valid");
        let (size, location) = (Size::unscaled(), LocationRef::default());
        FontFace {
            characters: font.charmap(),
            metrics: font.glyph_metrics(size, location),
            outlines: font.outline_glyphs(),
            units_per_em: f32::from(font.metrics(size, location).units_per_em),
        }
    }

    /// Returns the glyph of a letter, or the empty box if the font does not have the letter.
    fn glyph(&self, letter: char) -> GlyphId {
        self.characters.map(letter).unwrap_or(GlyphId::NOTDEF)
    }

    fn advance(&self, letter: char) -> f32 {
        self.metrics.advance_width(self.glyph(letter)).unwrap_or_default()
    }

    /// Draws the outline of a letter in font units. A letter that cannot be drawn stays empty.
    fn outline(&self, letter: char, pen: &mut GlyphPen) {
        if let Some(glyph) = self.outlines.get(self.glyph(letter)) {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            let _ = glyph.draw(settings, pen);
        }
    }
}

fn font_face(bold: bool) -> &'static FontFace {
    if bold { &BOLD } else { &REGULAR }
}

/// Returns the width of a text in pixels, at this font size.
pub(crate) fn text_width(text: &str, size: f32, bold: bool) -> f32 {
    let face = font_face(bold);
    let units: f32 = text.chars().map(|letter| face.advance(letter)).sum();
    units * size / face.units_per_em
}

/// Returns the outlines of a text in pixels, whose baseline starts at `at`.
pub(crate) fn text_path(text: &str, size: f32, bold: bool, at: [f32; 2]) -> PathBuilder {
    let face = font_face(bold);
    let mut pen = GlyphPen { path: PathBuilder::new(), at, scale: size / face.units_per_em };
    for letter in text.chars() {
        face.outline(letter, &mut pen);
        pen.at[0] += face.advance(letter) * pen.scale;
    }
    pen.path
}

/// Receives the outlines of letters in font units, where y points up, and adds them to a path in
/// pixels of the drawing.
struct GlyphPen {
    path: PathBuilder,
    /// The beginning of the letter's baseline in pixels.
    at: [f32; 2],
    scale: f32,
}

impl GlyphPen {
    fn transform(&self, x: f32, y: f32) -> [f32; 2] {
        [self.at[0] + x * self.scale, self.at[1] - y * self.scale]
    }
}

impl OutlinePen for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.transform(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.transform(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ([x1, y1], [x, y]) = (self.transform(x1, y1), self.transform(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ([x1, y1], [x2, y2], [x, y]) =
            (self.transform(x1, y1), self.transform(x2, y2), self.transform(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
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
            assert!(font_face(false).characters.map(letter).is_some(), "{letter:?}");
        }
    }
}
