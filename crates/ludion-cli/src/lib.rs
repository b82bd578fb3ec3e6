//! The program `ludion` as a library, so that a program with games of its own has it all.

use std::process::ExitCode;

use ludion::registry::Registry;

/// Runs the command line with the games of `registry`.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    for game in registry.games() {
        println!("{}: {}", game.name, game.help);
    }
    ExitCode::SUCCESS
}
