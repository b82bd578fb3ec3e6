//! Random changes of inputs: flipped bits, other numbers, words of the format, parts that are cut,
//! repeated, moved, or taken from another input.

use ludion::random::Rng;

/// Maximum length of a mutated input in bytes.
const MAX_LENGTH: usize = 8192;

/// Numbers at the edges of what parsers take, as text.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "64",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "nan",
];

/// Bytes at the edges of what decoders take.
const BYTES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'(', b'"', b'\n'];

/// Returns a changed copy of one of `inputs`; `tokens` are words of the format.
pub(crate) fn mutate(inputs: &[Vec<u8>], tokens: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = inputs[rng.below(inputs.len())].clone();
    for _ in 0..=rng.below(4) {
        change(&mut bytes, inputs, tokens, rng);
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}

fn change(bytes: &mut Vec<u8>, inputs: &[Vec<u8>], tokens: &[&str], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    match rng.below(12) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = BYTES[rng.below(BYTES.len())];
            }
        }
        2 => {
            let added: Vec<u8> = (0..=rng.below(8)).map(|_| rng.bits() as u8).collect();
            bytes.splice(at..at, added);
        }
        3 | 4 if !tokens.is_empty() => {
            let token = tokens[rng.below(tokens.len())].as_bytes();
            let end = if rng.below(2) == 0 { at } else { part_end(bytes, at, rng) };
            bytes.splice(at..end, token.iter().copied());
        }
        5 => {
            let end = part_end(bytes, at, rng);
            bytes.drain(at..end);
        }
        6 => {
            let end = part_end(bytes, at, rng);
            let most = if rng.below(8) == 0 { 64 } else { 3 };
            let part = bytes[at..end].repeat(1 + rng.below(most));
            bytes.splice(at..at, part);
        }
        7 => bytes.truncate(at),
        8 => {
            let other = &inputs[rng.below(inputs.len())];
            let from = rng.below(other.len() + 1);
            let end = part_end(bytes, at, rng);
            bytes.splice(at..end, other[from..part_end(other, from, rng)].iter().copied());
        }
        9 | 10 => replace_number(bytes, at, rng),
        _ => {
            let end = part_end(bytes, at, rng);
            let part: Vec<u8> = bytes.drain(at..end).collect();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
    }
}

/// Returns the end of a random part that begins at `at`; short parts are more likely.
fn part_end(bytes: &[u8], at: usize, rng: &mut Rng) -> usize {
    let longest = 1 << rng.below(9);
    (at + rng.below(longest + 1)).min(bytes.len())
}

/// Replaces the first number in digits at or after `at`, or inserts one if there is none.
fn replace_number(bytes: &mut Vec<u8>, at: usize, rng: &mut Rng) {
    let number = NUMBERS[rng.below(NUMBERS.len())].bytes();
    let from = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()).unwrap_or(at);
    let digits = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.splice(from..from + digits, number);
}
