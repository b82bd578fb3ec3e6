//! Runs the program under test in a temporary folder with copies of the fixtures, and reads the
//! lists of commands and requests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::compare::differences;

/// The file name of the store that 0.1.0 wrote.
pub(crate) const STORE: &str = "store-0.1.0.sqlite3";

/// The path of a file in the folder of this test.
pub(crate) fn compat_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat").join(path)
}

/// The content of a golden file.
pub(crate) fn golden(name: &str) -> String {
    let path = compat_path("golden").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path of the program that was built with the tests. The variable `LUDION_COMPAT_BIN` replaces
/// it, for example with 0.1.0 itself.
fn program() -> PathBuf {
    std::env::var_os("LUDION_COMPAT_BIN")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_ludion")), PathBuf::from)
}

/// A temporary folder with a copy of every fixture.
pub(crate) struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for entry in fs::read_dir(compat_path("fixtures")).expect("fixtures") {
            let path = entry.expect("a fixture").path();
            let name = path.file_name().expect("the name of a fixture");
            fs::copy(&path, folder.path().join(name)).expect("a copy");
        }
        TestFolder { folder }
    }

    /// The path without symbolic links, as programs print it.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder")
    }

    /// The program with two threads, without a store, and in the search path.
    pub(crate) fn ludion<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let program = program();
        let mut places = vec![program.parent().expect("a folder").to_path_buf()];
        places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut command = Command::new(&program);
        command.current_dir(self.path()).args(words).args(["--threads", "2"]);
        command.env("PATH", std::env::join_paths(places).expect("folders"));
        command.env("LUDION_STORE", "none").env_remove("LUDION_TOKEN").env("NO_COLOR", "1");
        command.env("LUDION_QUIET", "1").stdin(Stdio::null());
        command
    }

    /// The standard output of a command, or its standard error where it fails.
    pub(crate) fn output(&self, words: &[String], store: &str) -> Result<String, String> {
        let mut command = self.ludion(words.iter().map(|word| &word[..]));
        let out = command.env("LUDION_STORE", store).output().expect("the program starts");
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned());
        }
        Ok(String::from_utf8(out.stdout).expect("text"))
    }

    /// Runs the commands of a list in their order. Panics with all differences from the golden
    /// files.
    pub(crate) fn run_list(&self, list: &str, store: &str) {
        let mut found = Vec::new();
        for (name, line) in lines(list) {
            match self.output(&words(&line), store) {
                Ok(now) => found.extend(differences(&name, &golden(&name), &now)),
                Err(error) => found.push(format!("{name}: {line}: {error}")),
            }
        }
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}

/// The lines of a list, split into the name of the golden file and the rest.
pub(crate) fn lines(list: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(compat_path("lists").join(list)).expect("a list");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| {
        let (name, rest) = line.split_once(' ').expect("a name and words");
        (name.to_owned(), rest.trim().to_owned())
    };
    lines.map(pair).collect()
}

/// Splits a command into words. Double quotes keep spaces in a word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A process in the background. Dropping it kills the process.
pub(crate) struct BackgroundProcess(pub(crate) Child);

impl BackgroundProcess {
    pub(crate) fn start(command: &mut Command) -> Self {
        BackgroundProcess(command.spawn().expect("the program starts"))
    }
}

impl Drop for BackgroundProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
