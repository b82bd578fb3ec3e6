//! Colours that colour-blind people can distinguish: the palette by Okabe and Ito for series, and
//! the colour map viridis for heat maps.

/// An RGB colour with opacity, each component from 0 to 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour {
    /// The red component.
    pub red: u8,
    /// The green component.
    pub green: u8,
    /// The blue component.
    pub blue: u8,
    /// The opacity: 255 is opaque, 0 is invisible.
    pub opacity: u8,
}

impl Colour {
    /// Creates an opaque colour from its code `0xRRGGBB`.
    #[must_use]
    pub const fn hex(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Colour { red, green, blue, opacity: 255 }
    }

    /// Returns the colour with this opacity.
    #[must_use]
    pub const fn with_opacity(self, opacity: u8) -> Self {
        Colour { opacity, ..self }
    }

    /// Returns the relative luminance from 0 (black) to 1 (white), as WCAG 2 defines it.
    fn luminance(self) -> f64 {
        let linear = |value: u8| {
            let srgb = f64::from(value) / 255.0;
            if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// Returns the colour of text on this colour as background, dark or white: the one with more
    /// contrast.
    #[must_use]
    pub fn text_colour(self) -> Colour {
        let contrast = |text: Colour| {
            let (a, b) = (self.luminance() + 0.05, text.luminance() + 0.05);
            a.max(b) / a.min(b)
        };
        if contrast(TEXT_COLOUR) > contrast(BACKGROUND) { TEXT_COLOUR } else { BACKGROUND }
    }
}

/// The background colour of a drawing.
pub(crate) const BACKGROUND: Colour = Colour::hex(0xff_ffff);
/// The colour of titles and numbers.
pub(crate) const TEXT_COLOUR: Colour = Colour::hex(0x1b_1f24);
/// The colour of labels and notes.
pub(crate) const MUTED_TEXT_COLOUR: Colour = Colour::hex(0x57_606a);
/// The colour of axes.
pub(crate) const AXIS_COLOUR: Colour = Colour::hex(0x8c_959f);
/// The colour of grid lines.
pub(crate) const GRID_COLOUR: Colour = Colour::hex(0xe7_eaee);
/// The colour of the mark of an optimum in a chart.
pub(crate) const OPTIMUM_COLOUR: Colour = Colour::hex(0x00_9e73);

/// Returns the colour of the series of this index in a chart; the colours repeat after seven
/// series.
#[must_use]
pub(crate) fn series_colour(index: usize) -> Colour {
    const PALETTE: [u32; 7] =
        [0x00_72b2, 0xd5_5e00, 0x00_9e73, 0xcc_79a7, 0xe6_9f00, 0x56_b4e9, 0x1b_1f24];
    Colour::hex(PALETTE[index % PALETTE.len()])
}

/// Returns the colour of the colour map viridis for a fraction from 0 (dark) to 1 (bright),
/// interpolated between nine of its colours.
#[must_use]
pub fn viridis(fraction: f64) -> Colour {
    const STOPS: [u32; 9] = [
        0x44_0154, 0x47_2d7b, 0x3b_528b, 0x2c_728e, 0x21_918c, 0x28_ae80, 0x5e_c962, 0xad_dc30,
        0xfd_e725,
    ];
    let position =
        if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) } * (STOPS.len() - 1) as f64;
    let below = (position.floor() as usize).min(STOPS.len() - 2);
    let (from, to) = (Colour::hex(STOPS[below]), Colour::hex(STOPS[below + 1]));
    let weight = position - below as f64;
    let mix = |from: u8, to: u8| {
        (f64::from(from) + weight * (f64::from(to) - f64::from(from))).round() as u8
    };
    Colour {
        red: mix(from.red, to.red),
        green: mix(from.green, to.green),
        blue: mix(from.blue, to.blue),
        opacity: 255,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_increases_in_luminance_between_its_ends() {
        assert_eq!((viridis(0.0), viridis(1.0)), (Colour::hex(0x44_0154), Colour::hex(0xfd_e725)));
        assert_eq!(viridis(f64::NAN), viridis(-3.0));
        let bright: Vec<f64> = (0..=20).map(|i| viridis(f64::from(i) / 20.0).luminance()).collect();
        assert!(bright.windows(2).all(|pair| pair[0] < pair[1]), "{bright:?}");
        assert_eq!(
            (viridis(0.0).text_colour(), viridis(1.0).text_colour()),
            (BACKGROUND, TEXT_COLOUR)
        );
    }
}
