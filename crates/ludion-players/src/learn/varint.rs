//! Variable-length integers: LEB128, with zigzag encoding for signed numbers.

/// Appends an unsigned number to `out`.
pub(in crate::learn) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a signed number to `out`.
pub(in crate::learn) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Reads an unsigned number from the front of `bytes` and advances `bytes`; `None` if the number is
/// truncated or too long.
pub(in crate::learn) fn take(bytes: &mut &[u8]) -> Option<u64> {
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

/// Reads a signed number from the front of `bytes` and advances `bytes`; `None` if the number is
/// truncated or too long.
pub(in crate::learn) fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let zigzag = take(bytes)?;
    Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
}
