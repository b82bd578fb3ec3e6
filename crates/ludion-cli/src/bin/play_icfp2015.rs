//! `play_icfp2015`: the solver of hexagonal Tetris under the name and with the command line of
//! the ICFP contest of 2015.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludion_cli::play_icfp2015()
}
