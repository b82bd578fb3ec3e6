#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ludion_fuzz::run("connect4_book", input));
