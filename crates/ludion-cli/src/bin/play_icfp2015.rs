//! Program `play_icfp2015`: the solver of hexagonal Tetris with the name and the command line that
//! the ICFP contest of 2015 required.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludion_cli::play_icfp2015()
}
