//! Numbers of 16 bits (IEEE 754 binary16) as files have them: a sign, 5 bits of exponent, 10 bits of
//! fraction.

/// The largest number of 16 bits.
const MAX: f32 = 65504.0;

/// Returns the number with these bits.
pub(super) fn from_bits(bits: u16) -> f32 {
    let (sign, magnitude) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff));
    let exponent = magnitude >> 10;
    let magnitude = match exponent {
        // A subnormal number is its fraction times 2⁻²⁴.
        0 => (magnitude as f32 * f32::from_bits((127 - 24) << 23)).to_bits(),
        31 => magnitude << 13 | 0x7f80_0000,
        _ => (magnitude << 13) + ((127 - 15) << 23),
    };
    f32::from_bits(sign | magnitude)
}

/// Returns the bits of the nearest number, of two equally near ones the even one. Numbers that are
/// too large become the largest one.
pub(super) fn to_bits(x: f32) -> u16 {
    let sign = (x.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = x.abs().min(MAX);
    let bits = if magnitude < f32::from_bits((127 - 14) << 23) {
        // Adding 0.5, whose last place is 2⁻²⁴, rounds to whole multiples of 2⁻²⁴.
        (magnitude + 0.5).to_bits() - 0.5_f32.to_bits()
    } else {
        let bits = magnitude.to_bits() - ((127 - 15) << 23);
        (bits + 0xfff + (bits >> 13 & 1)) >> 13
    };
    sign | bits as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_their_bits() {
        // From the tables of IEEE 754.
        let known = [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x03ff, 6.097_555e-5),
            (0x0001, 5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ];
        for (bits, number) in known {
            assert_eq!((from_bits(bits).to_bits(), to_bits(number)), (number.to_bits(), bits));
        }
        assert_eq!(from_bits(0x7c00), f32::INFINITY);
        assert!(from_bits(0x7e00).is_nan());
        assert_eq!(to_bits(1e9), 0x7bff);
    }

    #[test]
    fn every_number_survives_and_others_become_the_nearest() {
        for bits in (0..0x7c00_u16).flat_map(|bits| [bits, bits | 0x8000]) {
            assert_eq!(to_bits(from_bits(bits)), bits);
        }
        for bits in 0..0x7bff_u16 {
            let (low, high) = (f64::from(from_bits(bits)), f64::from(from_bits(bits + 1)));
            let middle = ((low + high) / 2.0) as f32;
            let even = bits + (bits & 1);
            assert_eq!(to_bits(middle), even, "between {low} and {high}");
            assert_eq!(to_bits(middle.next_down()), bits, "below the middle of {low}, {high}");
            assert_eq!(to_bits(middle.next_up()), bits + 1, "above the middle of {low}, {high}");
        }
    }
}
