//! Program `play_icfp2015`: starts the program `ludion` of the same folder under this name, as a
//! link named `play_icfp2015` would. Linking the whole program twice would take as long again.

use std::process::ExitCode;

fn main() -> ExitCode {
    let error = match std::env::current_exe() {
        Ok(path) => start(&path.with_file_name("ludion")),
        Err(error) => error,
    };
    eprintln!("play_icfp2015: the program ludion beside it cannot be started: {error}");
    ExitCode::FAILURE
}

/// Replaces this process by the program; returns only if that fails.
#[cfg(unix)]
fn start(program: &std::path::Path) -> std::io::Error {
    use std::os::unix::process::CommandExt;

    let arguments = std::env::args_os().skip(1);
    std::process::Command::new(program).arg0("play_icfp2015").args(arguments).exec()
}

#[cfg(not(unix))]
fn start(_program: &std::path::Path) -> std::io::Error {
    std::io::Error::other("copy ludion to play_icfp2015 on this system")
}
