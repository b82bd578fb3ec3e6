//! The program `ludion`.

use std::process::ExitCode;

use ludion::registry::Registry;

fn main() -> ExitCode {
    ludion_cli::run(Registry::standard())
}
