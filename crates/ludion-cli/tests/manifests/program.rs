//! The size of the program and the time it takes to start, both as built for tests.

use std::process::Command;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ludion");

/// Size in MB of what the program built for tests loads into memory: code and constants, without what is for
/// debuggers. `./dist` checks the optimised program. Raise it only on purpose.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const LOADED_MB: f64 =
    if cfg!(all(feature = "cluster", feature = "parquet")) { 66.0 } else { 49.0 };

/// Returns the bytes of an ELF file that are loaded into memory: the sum of its sections that are allocated
/// and have contents.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn loaded_bytes(file: &[u8]) -> u64 {
    const NO_CONTENTS: u64 = 8; // SHT_NOBITS
    const ALLOCATED: u64 = 2; // SHF_ALLOC
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    assert_eq!(&file[..5], b"\x7fELF\x02", "a 64-bit ELF file");
    let (table, entry, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let sections = (0..count).map(|i| (table + i * entry) as usize);
    let loaded = sections
        .filter(|&at| number(at + 4, 4) != NO_CONTENTS && number(at + 8, 8) & ALLOCATED != 0);
    loaded.map(|at| number(at + 0x20, 8)).sum()
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn the_program_stays_small() {
    let size = loaded_bytes(&std::fs::read(PROGRAM).unwrap()) as f64 / 1e6;
    assert!(size > LOADED_MB / 2.0, "the limit is far too high: {size:.1} MB of {LOADED_MB}");
    assert!(size <= LOADED_MB * 1.2, "the program has {size:.1} MB, a fifth more than {LOADED_MB}");
}

/// Returns the shortest time that the program took for these arguments.
fn shortest(args: &[&str]) -> Duration {
    let time = |_| {
        let start = Instant::now();
        let out = Command::new(PROGRAM).args(args).output().unwrap();
        assert!(out.status.success(), "{args:?}");
        start.elapsed()
    };
    (0..20).map(time).min().unwrap()
}

#[test]
fn the_program_starts_at_once() {
    // The build for tests is not optimised, and other tests run beside it: the release build needs a tenth.
    for args in [["--version"], ["games"]] {
        let time = shortest(&args);
        assert!(time < Duration::from_millis(100), "{args:?} takes {time:?}");
    }
}
