//! Renumbering of colours: sets of codes that differ only by a permutation of the colours have equal
//! costs, so a set is looked up with its colours in an order that depends on how they occur in it.
//!
//! Each colour gets a hash of its occurrences, refined once by the hashes of the colours that it
//! occurs with. Colours with equal hashes are ordered arbitrarily: then two such sets may be told
//! apart, but different sets never become equal, because the codes are really renumbered.

use super::super::codes::{CodeIndex, CodeTable};

/// Returns the codes of a set with their colours renumbered.
pub(super) fn renumber_colours(codes: &CodeTable, set: &[CodeIndex]) -> Vec<CodeIndex> {
    let colours = codes.rules().colours;
    let mut hashes = vec![0_u64; colours];
    for &code in set {
        for (place, &colour) in codes.code(code).iter().enumerate() {
            let hash = &mut hashes[usize::from(colour)];
            *hash = hash.wrapping_add(mix(place as u64 + 1));
        }
    }
    let mut refined = vec![0_u64; colours];
    for &code in set {
        let code = codes.code(code);
        let whole = code.iter().fold(0_u64, |hash, &colour| {
            mix(hash.rotate_left(7).wrapping_add(hashes[usize::from(colour)]))
        });
        for (place, &colour) in code.iter().enumerate() {
            let hash = &mut refined[usize::from(colour)];
            *hash = hash.wrapping_add(mix(whole ^ (place as u64) << 56));
        }
    }
    let mut order: Vec<u16> = (0..colours as u16).collect();
    // Colours that no code has keep the hash 0 and come last.
    order.sort_by_key(|&colour| std::cmp::Reverse(refined[usize::from(colour)]));
    let mut numbers = vec![0_u16; colours];
    for (&colour, number) in order.iter().zip(0..) {
        numbers[usize::from(colour)] = number;
    }
    let mut renumbered = Vec::new();
    let image = |&code: &CodeIndex| {
        renumbered.clear();
        renumbered.extend(codes.code(code).iter().map(|&colour| numbers[usize::from(colour)]));
        codes.index_of(&renumbered).expect("a permutation of colours keeps the rules")
    };
    set.iter().map(image).collect()
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
