//! Whole numbers as bytes: seven bits a byte, the low ones first, the highest bit for "more
//! follows" (LEB128); signs folded into the lowest bit, so that small numbers are short.

/// Appends a number.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number that may be negative.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Takes a number from the front; `None` where there is none.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Takes a number that may be negative.
pub(super) fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let folded = take(bytes)?;
    Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
}
