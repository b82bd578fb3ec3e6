//! The program `ludion` with every game of the library.

use std::process::ExitCode;

use ludion::registry::Registry;

fn main() -> ExitCode {
    ludion_cli::run(Registry::standard())
}
