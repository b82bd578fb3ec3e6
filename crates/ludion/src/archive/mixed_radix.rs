//! Whole numbers in a mixed radix, the tightest code for choices among a known number: a move is a
//! digit in the radix of the legal moves, so a game of n₁, n₂, … choices takes
//! log₂ n₁ + log₂ n₂ + … bits and little more.
//!
//! Digits are gathered in words of 64 bits, the first one least significant; a word is closed when
//! the next digit no longer fits, which loses about one bit in sixty. The last word is as short as
//! its digits allow.

/// Writes digits.
#[derive(Clone, Default, Debug)]
pub struct MixedRadixWriter {
    bytes: Vec<u8>,
    value: u64,
    /// How many values the digits of the open word can take; 0 while it has none.
    span: u64,
}

impl MixedRadixWriter {
    /// Adds one digit of `0..radix`.
    #[inline]
    pub fn put(&mut self, digit: u64, radix: u64) {
        debug_assert!(digit < radix, "a digit is below its radix");
        if radix == 1 {
            return;
        }
        let span = self.span.max(1);
        if let Some(next) = span.checked_mul(radix) {
            self.value += digit * span;
            self.span = next;
        } else {
            self.bytes.extend_from_slice(&self.value.to_le_bytes());
            (self.value, self.span) = (digit, radix);
        }
    }

    /// All digits as bytes.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let bits = u64::BITS - self.span.saturating_sub(1).leading_zeros();
        self.bytes.extend_from_slice(&self.value.to_le_bytes()[..bits.div_ceil(8) as usize]);
        self.bytes
    }
}

/// Reads digits back, given their radices in the same order.
#[derive(Clone, Debug)]
pub struct MixedRadixReader<'a> {
    bytes: &'a [u8],
    value: u64,
    span: u64,
}

impl<'a> MixedRadixReader<'a> {
    /// A reader of what [`MixedRadixWriter::finish`] gave.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        // A full span makes the first digit open the first word.
        MixedRadixReader { bytes, value: 0, span: u64::MAX }
    }

    /// The next digit; `None` when the bytes are used up.
    #[inline]
    pub fn take(&mut self, radix: u64) -> Option<u64> {
        if radix == 1 {
            return Some(0);
        }
        self.span = match self.span.checked_mul(radix) {
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

    /// Whether everything that was written has been read.
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
        fn digits_come_back_as_they_went_in(digits in prop::collection::vec(digit(), 0..200)) {
            let bytes = write(&digits);
            let mut reader = MixedRadixReader::new(&bytes);
            for &(digit, radix) in &digits {
                prop_assert_eq!(reader.take(radix), Some(digit));
            }
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn bytes_that_were_cut_run_out_or_leave_something(
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
    fn the_length_is_that_of_the_information() {
        // 10,000 choices among seven: 28,074 bits, in words that hold 22 of them.
        let bytes = write(&[(6, 7); 10_000]);
        assert!((3510..3700).contains(&bytes.len()), "{}", bytes.len());
        assert!(write(&[(0, 1); 1000]).is_empty());
        assert_eq!(write(&[(1, 2)]), [1]);
    }
}
