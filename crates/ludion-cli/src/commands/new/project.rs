//! What `ludion new` writes: a folder of files with a name, and the report about it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint};

/// Name of a game or a bot: valid as the name of a crate, of a folder and in specs.
#[derive(Clone, Debug)]
pub(super) struct ProjectName(String);

/// Longest name that registries of crates accept.
const LONGEST_NAME: usize = 64;

/// Words that cannot be the name of a crate: the keywords of Rust, the crates of the compiler, and
/// the folders in which cargo puts its results.
const RESERVED: &str = "\
    abstract alloc as async await become box break build const continue core crate deps do \
    dyn else enum examples extern false final fn for gen if impl in incremental let loop \
    macro match mod move mut override priv proc-macro proc_macro pub ref return self static \
    std struct super test trait true try type typeof unsafe unsized use virtual where while \
    yield";

impl ProjectName {
    /// Parses a name as users type it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        let starts_well = text.starts_with(|c: char| c.is_ascii_lowercase());
        if !starts_well || !text.chars().all(allowed) {
            return Err("a name has lower-case letters, digits, - and _, and begins with a letter"
                .to_owned());
        }
        if text.len() > LONGEST_NAME {
            return Err(format!("a name has at most {LONGEST_NAME} characters"));
        }
        if RESERVED.split(' ').any(|word| word == text) {
            return Err("this word is reserved by Rust and cannot name a crate".to_owned());
        }
        Ok(ProjectName(text.to_owned()))
    }

    /// Returns the name as it was typed.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the name as the beginning of the names of types: `three-in-line` is `ThreeInLine`.
    pub(super) fn type_prefix(&self) -> String {
        let mut prefix = String::new();
        for word in self.0.split(['-', '_']) {
            let mut letters = word.chars();
            prefix.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            prefix.push_str(letters.as_str());
        }
        prefix
    }
}

/// Settings by which the templates in Rust are formatted.
pub(super) const RUSTFMT: &str = include_str!("../../../templates/rustfmt.toml");

/// A file of a project.
pub(super) struct ProjectFile {
    /// Path in the folder of the project.
    pub(super) path: &'static str,
    /// Content of the file.
    pub(super) text: String,
}

impl ProjectFile {
    /// Creates a file from a template, in which each of the `values` replaces its placeholder.
    pub(super) fn new(path: &'static str, template: &str, values: &[(&str, &str)]) -> Self {
        let fill = |text: String, (place, value): &(&str, &str)| text.replace(place, value);
        ProjectFile { path, text: values.iter().fold(template.to_owned(), fill) }
    }
}

/// Writes the files into the folder, which must not exist or be empty.
pub(super) fn write(folder: &Path, files: &[ProjectFile]) -> Result<(), CommandFailure> {
    let shown = folder.display();
    if folder.exists() && !folder.is_dir() {
        return Err(CommandFailure::Usage(format!(
            "{shown} is a file; --folder takes a folder that is new or empty"
        )));
    }
    let failed = |path: &Path, error: std::io::Error| {
        CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    if fs::read_dir(folder).map_err(|error| failed(folder, error))?.next().is_some() {
        return Err(CommandFailure::Usage(format!(
            "the folder {shown} is not empty; --folder takes one that is new or empty"
        )));
    }
    for file in files {
        let path = folder.join(file.path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| fs::write(&path, &file.text))
            .map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// A command that the user may type next, with a remark.
#[derive(Serialize)]
pub(super) struct NextCommand {
    pub(super) command: String,
    pub(super) remark: &'static str,
}

impl NextCommand {
    pub(super) fn new(command: impl Into<String>, remark: &'static str) -> Self {
        NextCommand { command: command.into(), remark }
    }
}

/// What was written.
#[derive(Serialize)]
pub(super) struct ProjectReport {
    /// What the project is: `game` or `bot`.
    pub(super) kind: &'static str,
    pub(super) name: String,
    /// The language of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<&'static str>,
    pub(super) folder: PathBuf,
    pub(super) files: Vec<&'static str>,
    /// Where a game finds the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ludion: Option<super::library::LibrarySource>,
    pub(super) next: Vec<NextCommand>,
}

impl ProjectReport {
    /// Returns the command that changes to a folder, as typed in a shell.
    pub(super) fn enter(folder: &Path) -> NextCommand {
        let path = folder.display().to_string();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        let quoted = match path.chars().all(plain) {
            true => path,
            false => format!("'{}'", path.replace('\'', r"'\''")),
        };
        NextCommand::new(format!("cd {quoted}"), "")
    }
}

impl CommandReport for ProjectReport {
    fn text(&self) -> String {
        let Self { kind, name, .. } = self;
        let language = self.language.map(|language| format!(" in {language}")).unwrap_or_default();
        let folder = self.folder.display();
        let mut text = paint(LOUD, &format!("{kind} {name}{language}"));
        text += &format!(", written to {folder}\n");
        for row in self.files.chunks(5) {
            text += &format!("  {}\n", row.join(" "));
        }
        if let Some(source) = &self.ludion {
            text += &format!("{source}\n");
        }
        text += "\nnext:\n";
        let width = self.next.iter().map(|next| next.command.chars().count()).max().unwrap_or(0);
        for NextCommand { command, remark } in &self.next {
            let line = match remark.is_empty() {
                true => command.clone(),
                false => format!("{command:width$}  {}", paint(QUIET, &format!("# {remark}"))),
            };
            text += &format!("  {line}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_crates() {
        for good in ["a", "nim", "three-in-line", "x_3", "go9", "bot"] {
            assert!(ProjectName::parse(good).is_ok(), "{good}");
        }
        let long = "a".repeat(65);
        for bad in
            ["", "Nim", "3d", "-nim", "_nim", "né", "a b", "a/b", "..", "match", "test", &long]
        {
            assert!(ProjectName::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_becomes_the_beginning_of_type_names() {
        let prefix = |text: &str| ProjectName::parse(text).unwrap().type_prefix();
        assert_eq!(prefix("three-in_line"), "ThreeInLine");
        assert_eq!(prefix("x_3--"), "X3");
    }
}
