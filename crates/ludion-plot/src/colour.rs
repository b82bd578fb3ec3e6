//! Colours that people who see few colours can tell apart: the palette of Okabe and Ito for
//! lines, the scale viridis for heat maps.

/// A colour with its opacity, each part from 0 to 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// 255 covers what lies below, 0 is not seen.
    pub opacity: u8,
}

impl Colour {
    /// An opaque colour from its hexadecimal code.
    #[must_use]
    pub const fn hex(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Colour { red, green, blue, opacity: 255 }
    }

    /// The same colour, more or less opaque.
    #[must_use]
    pub const fn with_opacity(self, opacity: u8) -> Self {
        Colour { opacity, ..self }
    }

    /// How much light it gives, from 0 to 1 (the relative luminance of the rules for readable
    /// pages, WCAG 2).
    fn light(self) -> f64 {
        let part = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(self.red) + 0.7152 * part(self.green) + 0.0722 * part(self.blue)
    }

    /// Dark or white, whichever is read more easily on this colour.
    #[must_use]
    pub fn ink(self) -> Colour {
        let contrast = |ink: Colour| {
            let (a, b) = (self.light() + 0.05, ink.light() + 0.05);
            a.max(b) / a.min(b)
        };
        if contrast(INK) > contrast(PAPER) { INK } else { PAPER }
    }
}

/// The background.
pub(crate) const PAPER: Colour = Colour::hex(0xff_ffff);
/// Titles and numbers.
pub(crate) const INK: Colour = Colour::hex(0x1b_1f24);
/// Labels and notes.
pub(crate) const FAINT_INK: Colour = Colour::hex(0x57_606a);
/// Axes.
pub(crate) const AXIS: Colour = Colour::hex(0x8c_959f);
/// Lines behind the data.
pub(crate) const GRID: Colour = Colour::hex(0xe7_eaee);
/// The mark of the best.
pub(crate) const BEST: Colour = Colour::hex(0x00_9e73);

/// Colours of series, by number.
#[must_use]
pub(crate) fn of_series(number: usize) -> Colour {
    const PALETTE: [u32; 7] =
        [0x00_72b2, 0xd5_5e00, 0x00_9e73, 0xcc_79a7, 0xe6_9f00, 0x56_b4e9, 0x1b_1f24];
    Colour::hex(PALETTE[number % PALETTE.len()])
}

/// The scale viridis, from dark (0) to bright (1), between nine of its colours.
#[must_use]
pub fn viridis(share: f64) -> Colour {
    const STOPS: [u32; 9] = [
        0x44_0154, 0x47_2d7b, 0x3b_528b, 0x2c_728e, 0x21_918c, 0x28_ae80, 0x5e_c962, 0xad_dc30,
        0xfd_e725,
    ];
    let place = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (STOPS.len() - 1) as f64;
    let below = (place.floor() as usize).min(STOPS.len() - 2);
    let (from, to) = (Colour::hex(STOPS[below]), Colour::hex(STOPS[below + 1]));
    let part = place - below as f64;
    let mix = |from: u8, to: u8| {
        (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8
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
    fn viridis_grows_brighter_and_keeps_its_ends() {
        assert_eq!((viridis(0.0), viridis(1.0)), (Colour::hex(0x44_0154), Colour::hex(0xfd_e725)));
        assert_eq!(viridis(f64::NAN), viridis(-3.0));
        let bright: Vec<f64> = (0..=20).map(|i| viridis(f64::from(i) / 20.0).light()).collect();
        assert!(bright.windows(2).all(|pair| pair[0] < pair[1]), "{bright:?}");
        assert_eq!((viridis(0.0).ink(), viridis(1.0).ink()), (PAPER, INK));
    }
}
