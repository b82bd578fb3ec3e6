//! Mixed-radix coding: a compact code for choices among a known number of options. A move is a
//! digit whose radix is the number of legal moves, so a game with n₁, n₂, … choices takes little
//! more than log₂ n₁ + log₂ n₂ + … bits.
//!
//! Digits are packed into 64-bit words, the first digit least significant. A word is complete when
//! the next digit does not fit, which wastes about one bit in sixty. The last word is truncated to
//! the bytes that its digits need.

/// Encodes digits, each with a radix of its own, as bytes.
#[derive(Clone, Default, Debug)]
pub struct MixedRadixWriter {
    bytes: Vec<u8>,
    value: u64,
    /// The product of the radices of the digits in the current word; 0 if it has no digits.
    radix_product: u64,
}

impl MixedRadixWriter {
    /// Appends a digit from 0 to `radix` − 1. A digit of radix 1 takes no space.
    #[inline]
    pub fn put(&mut self, digit: u64, radix: u64) {
        debug_assert!(digit < radix, "a digit is below its radix");
        if radix == 1 {
            return;
        }
        let radix_product = self.radix_product.max(1);
        if let Some(next) = radix_product.checked_mul(radix) {
            self.value += digit * radix_product;
            self.radix_product = next;
        } else {
            self.bytes.extend_from_slice(&self.value.to_le_bytes());
            (self.value, self.radix_product) = (digit, radix);
        }
    }

    /// Returns the bytes of all digits appended.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let bits = u64::BITS - self.radix_product.saturating_sub(1).leading_zeros();
        self.bytes.extend_from_slice(&self.value.to_le_bytes()[..bits.div_ceil(8) as usize]);
        self.bytes
    }
}

/// Decodes digits, given their radices in the same order.
#[derive(Clone, Debug)]
pub struct MixedRadixReader<'a> {
    bytes: &'a [u8],
    value: u64,
    radix_product: u64,
}

impl<'a> MixedRadixReader<'a> {
    /// Creates a reader of bytes from [`MixedRadixWriter::finish`].
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        // With this product the first digit does not fit in the current word, so the first word is
        // read.
        MixedRadixReader { bytes, value: 0, radix_product: u64::MAX }
    }

    /// Returns the next digit, which must have been appended with this radix; `None` at the end of
    /// the bytes.
    #[inline]
    pub fn take(&mut self, radix: u64) -> Option<u64> {
        if radix == 1 {
            return Some(0);
        }
        self.radix_product = match self.radix_product.checked_mul(radix) {
            Some(next) => next,
            None => {
                let (word, rest) = self.bytes.split_at(self.bytes.len().min(8));
                if word.is_empty() {
                    return None;
                }
                let mut padded = [0; 8];
                padded[..word.len()].copy_from_slice(word);
                (self.value, self.bytes) = (u64::from_le_bytes(padded), rest);
                radix
            }
        };
        let digit = self.value % radix;
        self.value /= radix;
        Some(digit)
    }

    /// Returns whether all bytes have been read and no digit other than 0 is left.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.value == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn write(digits: &[(u64, u64)]) -> Vec<u8> {
        let mut writer = MixedRadixWriter::default();
        for &(digit, radix) in digits {
            writer.put(digit, radix);
        }
        writer.finish()
    }

    fn digit() -> impl Strategy<Value = (u64, u64)> {
        let radix = prop_oneof![1_u64..40, 1..=u64::MAX];
        radix.prop_flat_map(|radix| (0..radix, Just(radix)))
    }

    proptest! {
        #[test]
        fn digits_survive_a_round_trip(digits in prop::collection::vec(digit(), 0..200)) {
            let bytes = write(&digits);
            let mut reader = MixedRadixReader::new(&bytes);
            for &(digit, radix) in &digits {
                prop_assert_eq!(reader.take(radix), Some(digit));
            }
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn truncated_bytes_never_decode_to_the_same_digits(
            digits in prop::collection::vec((0_u64..1, 3_u64..30).prop_map(|(_, r)| (r - 1, r)), 30..80),
            kept in 0.0..1.0,
        ) {
            let bytes = write(&digits);
            let mut reader = MixedRadixReader::new(&bytes[..(bytes.len() as f64 * kept) as usize]);
            let read: Vec<_> = digits.iter().map(|&(_, radix)| reader.take(radix)).collect();
            let written: Vec<_> = digits.iter().map(|&(digit, _)| Some(digit)).collect();
            prop_assert_ne!(read, written);
        }
    }

    #[test]
    fn the_length_is_close_to_the_information_content() {
        // 10,000 choices among seven are 28,074 bits; a word holds 22 choices.
        let bytes = write(&[(6, 7); 10_000]);
        assert!((3510..3700).contains(&bytes.len()), "{}", bytes.len());
        assert!(write(&[(0, 1); 1000]).is_empty());
        assert_eq!(write(&[(1, 2)]), [1]);
    }
}
