//! The program `ludion` with every game of the library. Under the name `play_icfp2015` it is the
//! solver of hexagonal Tetris with the command line of the ICFP contest of 2015.

use std::path::Path;
use std::process::ExitCode;

use ludion::registry;

fn main() -> ExitCode {
    let program = std::env::args_os().next().unwrap_or_default();
    match Path::new(&program).file_stem() {
        Some(name) if name == "play_icfp2015" => ludion_cli::play_icfp2015(),
        _ => ludion_cli::run(registry::standard()),
    }
}
