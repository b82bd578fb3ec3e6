//! The token of a server, from a file or from the variable LUDION_TOKEN. On the command line it is
//! still taken, but every user of the machine can read it there.

use std::path::PathBuf;

use clap::Args;
use ludion_store::read_file_or_pipe;

use crate::failure::CommandFailure;
use crate::runs::read_env;

/// Options of the commands that need a token.
#[derive(Args, Default)]
pub(crate) struct TokenArgs {
    /// The file with the token; without it the variable LUDION_TOKEN has it
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// The token; other users of the machine see it in the list of processes
    #[arg(long, value_name = "TEXT", hide = true)]
    token: Option<String>,
}

/// The variable that has the token.
const TOKEN_VARIABLE: &str = "LUDION_TOKEN";
/// Size of the largest file of a token, in bytes.
const MAX_BYTES: u64 = 4096;

impl TokenArgs {
    /// Returns the token of the options or of the variable, or `None` if there is none; writes a
    /// warning if the command line has it.
    pub(crate) fn read(&self) -> Result<Option<String>, CommandFailure> {
        if let Some(token) = &self.token {
            anstream::eprintln!(
                "warning: other users of this machine can read --token in the list of processes; \
                 {TOKEN_VARIABLE} or --token-file hide it"
            );
            return Ok(Some(token.clone()));
        }
        let Some(path) = &self.token_file else { return read_env(TOKEN_VARIABLE) };
        let wrong =
            |why: String| CommandFailure::Usage(format!("--token-file {}: {why}", path.display()));
        let bytes = read_file_or_pipe(path, MAX_BYTES).map_err(|error| wrong(error.to_string()))?;
        let text =
            String::from_utf8(bytes).map_err(|_| wrong("it is not valid UTF-8".to_owned()))?;
        Ok(Some(text.trim().to_owned()))
    }

    /// Returns the token of a command that cannot go without.
    pub(crate) fn require(&self) -> Result<String, CommandFailure> {
        self.read()?.filter(|token| !token.is_empty()).ok_or_else(|| {
            CommandFailure::Usage(format!(
                "no token is given; set the variable {TOKEN_VARIABLE} or name a file with --token-file"
            ))
        })
    }
}
