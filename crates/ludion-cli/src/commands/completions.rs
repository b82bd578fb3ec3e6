//! `ludion completions`: writes a completion script for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::{Cli, CommandContext};

/// Write completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  source <(ludion completions bash)
  ludion completions zsh > ~/.zfunc/_ludion
  ludion completions fish > ~/.config/fish/completions/ludion.fish")]
pub(crate) struct CompletionsArgs {
    /// Shell to write completions for
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Serialize)]
struct CompletionsReport {
    shell: String,
    script: String,
}

impl CompletionsArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (shell, script) = (self.shell.to_string(), script(self.shell));
        context.output.report(&CompletionsReport { shell, script })
    }
}

/// Returns the completion script for a shell.
pub(super) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), program(), &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Returns the name under which the program was started, which may be that of a program built on
/// Ludion.
pub(super) fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    let name = std::path::Path::new(&called).file_stem().map(|name| name.to_string_lossy().into());
    name.unwrap_or_else(|| "ludion".to_owned())
}

impl CommandReport for CompletionsReport {
    fn text(&self) -> String {
        self.script.clone()
    }
}
