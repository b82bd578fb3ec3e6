//! The program as a process that obeys signals.

use std::process::Command;

/// Returns a command that runs the program. Signals have their default actions, also if the tests were
/// started with some of them ignored, as a shell does for a program in the background.
pub(crate) fn ludion() -> Command {
    const LUDION: &str = env!("CARGO_BIN_EXE_ludion");
    if !cfg!(target_os = "linux") {
        return Command::new(LUDION);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", LUDION]);
    command
}
