//! `ludion man` and `ludion install-extras`: manual pages and completions for shells.
//!
//! Where the system looks: bash-completion and fish look below `$XDG_DATA_HOME` or `~/.local/share`, on macOS
//! too. `man` looks into `share/man` beside every `bin` of `PATH`. zsh looks only where its `fpath` says, which
//! has no folder of the user.

use std::ffi::OsStr;
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
  ludion install-extras                          into the folders of the user
  sudo ludion install-extras --folder /usr/local/share     for all users
  ludion install-extras --folder package         into a folder of your own")]
pub(crate) struct InstallExtrasArgs {
    /// The folder that gets man/, bash-completion/, zsh/ and fish/ [default: the folder of the user where
    /// each of them looks, mostly in ~/.local/share]
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
    /// What is left to do so that they are found.
    hints: Vec<String>,
}

impl InstallExtrasArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let folders = match &self.folder {
            Some(folder) => ExtrasFolders::inside(folder),
            None => ExtrasFolders::of_user()?,
        };
        let name = program();
        let mut pages = 0;
        write_pages(&name, &built(), &folders.manual.join("man1"), &mut pages)?;
        let data = &folders.data;
        let scripts = [
            (Shell::Bash, data.join("bash-completion/completions").join(&name)),
            (Shell::Zsh, data.join("zsh/site-functions").join(format!("_{name}"))),
            (Shell::Fish, data.join("fish/vendor_completions.d").join(format!("{name}.fish"))),
        ];
        let mut completions = Vec::new();
        for (shell, path) in scripts {
            write(&path, &script(shell))?;
            completions.push(path);
        }
        let manual = folders.manual.join("man1");
        context.output.report(&InstallReport { pages, manual, completions, hints: folders.hints })
    }
}

impl CommandReport for InstallReport {
    fn text(&self) -> String {
        let mut text = format!("{} manual pages in {}\n", self.pages, self.manual.display());
        for path in &self.completions {
            text += &format!("completions in {}\n", path.display());
        }
        for hint in &self.hints {
            text += &format!("{hint}\n");
        }
        text
    }
}

/// Where the manual pages and the completions go.
#[derive(Debug, PartialEq)]
struct ExtrasFolders {
    /// The folder that has `man1`.
    manual: PathBuf,
    /// The folder that has `bash-completion`, `zsh` and `fish`.
    data: PathBuf,
    /// What is left to do so that they are found.
    hints: Vec<String>,
}

impl ExtrasFolders {
    /// Returns the folders inside one that is laid out as `/usr/share`.
    fn inside(folder: &Path) -> ExtrasFolders {
        ExtrasFolders { manual: folder.join("man"), data: folder.to_owned(), hints: Vec::new() }
    }

    /// Returns the folders where the programs of this user look.
    fn of_user() -> Result<ExtrasFolders, CommandFailure> {
        let folders = BaseDirs::new().ok_or_else(|| {
            CommandFailure::Failed("this system names no folder for data; use --folder".into())
        })?;
        let data = match std::env::var_os("XDG_DATA_HOME").map(PathBuf::from) {
            Some(folder) if folder.is_absolute() => folder,
            _ if cfg!(unix) => folders.home_dir().join(".local/share"),
            _ => folders.data_dir().to_owned(),
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::current_exe().ok();
        Ok(ExtrasFolders::for_path(data, folders.home_dir(), &path, program.as_deref()))
    }

    /// Returns the folders of a user with this folder for data, this home and this `PATH`, who has started
    /// this program.
    fn for_path(data: PathBuf, home: &Path, path: &OsStr, program: Option<&Path>) -> ExtrasFolders {
        let seen: Vec<PathBuf> = std::env::split_paths(path)
            .filter(|folder| folder.file_name() == Some(OsStr::new("bin")))
            .filter_map(|folder| Some(folder.parent()?.join("share/man")))
            .collect();
        // Such as ~/.cargo/share/man for ~/.cargo/bin/ludion.
        let beside = program.and_then(|file| Some(file.parent()?.parent()?.join("share/man")));
        let wanted = [Some(data.join("man")), beside.filter(|folder| folder.starts_with(home))];
        let manual = wanted.into_iter().flatten().find(|folder| seen.contains(folder));
        let site = data.join("zsh/site-functions");
        let mut hints =
            vec![format!("zsh: put fpath=({} $fpath) before compinit in ~/.zshrc", site.display())];
        let manual = manual.unwrap_or_else(|| {
            let folder = data.join("man");
            hints.push(format!("man: put export MANPATH={}: into ~/.profile", folder.display()));
            folder
        });
        ExtrasFolders { manual, data, hints }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(path: &str, program: &str) -> ExtrasFolders {
        let data = PathBuf::from("/home/a/.local/share");
        let (home, program) = (Path::new("/home/a"), Path::new(program));
        ExtrasFolders::for_path(data, home, OsStr::new(path), Some(program))
    }

    #[test]
    #[cfg(unix)]
    fn manual_pages_go_where_man_looks() {
        let cargo = "/home/a/.cargo/bin/ludion";
        let found = folders("/home/a/.local/bin:/home/a/.cargo/bin:/usr/bin", cargo);
        assert_eq!(found.manual, Path::new("/home/a/.local/share/man"));
        assert_eq!(found.hints.len(), 1, "about zsh: {found:?}");
        let found = folders("/home/a/.cargo/bin:/usr/bin", cargo);
        assert_eq!(found.manual, Path::new("/home/a/.cargo/share/man"));
        // The folders of the system are not the user's; nor does man look beside a build.
        for program in ["/usr/bin/ludion", "/home/a/src/target/release/ludion"] {
            let found = folders("/usr/bin", program);
            assert_eq!(found.manual, Path::new("/home/a/.local/share/man"), "{program}");
            assert!(found.hints[1].contains("MANPATH=/home/a/.local/share/man:"), "{found:?}");
        }
    }
}
