#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ludion_fuzz::run("king_table", input));
