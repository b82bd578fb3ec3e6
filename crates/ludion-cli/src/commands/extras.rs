//! `ludion man` and `ludion install-extras`: manual pages and completions for shells.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use directories::BaseDirs;
use serde::Serialize;

use super::completions::{program, script};
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::{Cli, CommandContext};

/// Write the manual page of the program or of a command
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion man | man -l -
  ludion man match
  ludion man hextris solve > ludion-hextris-solve.1")]
pub(crate) struct ManArgs {
    /// The command, such as match or hextris solve [default: the program]
    command: Vec<String>,
}

#[derive(Serialize)]
struct ManReport {
    name: String,
    page: String,
}

impl ManArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let (mut name, mut command) = (program(), built());
        let mut typed = name.clone();
        for word in &self.command {
            let found = command
                .find_subcommand(word)
                .cloned()
                .ok_or_else(|| CommandFailure::Usage(format!("{typed} has no command {word:?}")))?;
            name = format!("{name}-{word}");
            typed = format!("{typed} {word}");
            command = found;
        }
        let page = page(&name, command)?;
        context.output.report(&ManReport { name, page })
    }
}

impl CommandReport for ManReport {
    fn text(&self) -> String {
        self.page.clone()
    }
}

/// Write manual pages and completions for bash, zsh and fish where the system looks for them
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion install-extras                      into the folders of the user
  ludion install-extras --folder package     into a folder of your own

zsh looks into the folder once it is in fpath: add the folder that is printed there.")]
pub(crate) struct InstallExtrasArgs {
    /// The folder that gets man/, bash-completion/, zsh/ and fish/ [default: the data folder of the
    /// user, on Linux ~/.local/share]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Report of `ludion install-extras`.
#[derive(Serialize)]
struct InstallReport {
    /// Number of manual pages that were written.
    pages: usize,
    /// Folder of the manual pages.
    manual: PathBuf,
    /// Completion scripts that were written.
    completions: Vec<PathBuf>,
}

impl InstallExtrasArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let user = || {
            let folders = BaseDirs::new().ok_or_else(|| {
                CommandFailure::Failed("this system names no folder for data; use --folder".into())
            })?;
            Ok::<_, CommandFailure>(folders.data_dir().to_owned())
        };
        let folder = self.folder.clone().map_or_else(user, Ok)?;
        let name = program();
        let manual = folder.join("man/man1");
        let mut pages = 0;
        write_pages(&name, &built(), &manual, &mut pages)?;
        let scripts = [
            (Shell::Bash, folder.join("bash-completion/completions").join(&name)),
            (Shell::Zsh, folder.join("zsh/site-functions").join(format!("_{name}"))),
            (Shell::Fish, folder.join("fish/vendor_completions.d").join(format!("{name}.fish"))),
        ];
        let mut completions = Vec::new();
        for (shell, path) in scripts {
            write(&path, &script(shell))?;
            completions.push(path);
        }
        context.output.report(&InstallReport { pages, manual, completions })
    }
}

impl CommandReport for InstallReport {
    fn text(&self) -> String {
        let mut text = format!("{} manual pages in {}\n", self.pages, self.manual.display());
        for path in &self.completions {
            text += &format!("completions in {}\n", path.display());
        }
        text
    }
}

/// Returns the command line with the help of all its parts.
fn built() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// Returns the manual page of a command in the format of `man`.
fn page(name: &str, command: clap::Command) -> Result<String, CommandFailure> {
    // A page has the name of its file as title, such as `ludion-hextris-solve`.
    let mut page = Vec::new();
    let source = format!("Ludion {}", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command).title(name).source(source).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Writes the pages of a command and of all its subcommands; adds their number to `pages`.
fn write_pages(
    name: &str,
    command: &clap::Command,
    folder: &Path,
    pages: &mut usize,
) -> Result<(), CommandFailure> {
    write(&folder.join(format!("{name}.1")), &page(name, command.clone())?)?;
    *pages += 1;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        if !part.is_hide_set() {
            write_pages(&format!("{name}-{}", part.get_name()), part, folder, pages)?;
        }
    }
    Ok(())
}

/// Writes a file, and its folder if there is none.
fn write(path: &Path, text: &str) -> Result<(), CommandFailure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all);
    written.and_then(|()| fs::write(path, text)).map_err(|error| {
        CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
    })
}
