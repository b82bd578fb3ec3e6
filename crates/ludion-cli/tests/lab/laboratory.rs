//! The program itself as a laboratory, on a port and with a store of its own. It can be killed
//! as a power cut would, and opened again at the same address.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A laboratory that ends with the test.
pub(crate) struct Laboratory {
    program: Child,
    folder: TempDir,
    /// Where it is, such as `http://127.0.0.1:4747`.
    pub(crate) origin: String,
}

impl Laboratory {
    /// Opens one with nothing in it, on any free port.
    pub(crate) fn open() -> Laboratory {
        let folder = tempfile::tempdir().unwrap();
        let (program, origin) = start(folder.path().join("lab.sqlite"), "0");
        Laboratory { program, folder, origin }
    }

    /// Has the command line make something in the folder of the laboratory.
    pub(crate) fn make(&self, args: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
        command.args(args).current_dir(self.folder.path()).env("LUDION_STORE", "lab.sqlite");
        let made = command.stdin(Stdio::null()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    /// Has it make models of two kinds, games, and a learning.
    pub(crate) fn learn(&self) {
        let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
        self.make(&words("generate checkers -n 100 --out random.games"));
        self.make(&words(
            "train checkers --data random.games --epochs 1 --layers 4 --out net.safetensors",
        ));
        self.make(&words(
            "learn tictactoe --rounds 2 --games 50 --pairs 20 --depth 2 --out learned.lpat",
        ));
    }

    /// Files and sockets that the program has open.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.program.id())).unwrap().count()
    }

    /// Ends the program at once, whatever it is at.
    pub(crate) fn kill(&mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }

    /// Opens the same laboratory again.
    pub(crate) fn reopen(&mut self) {
        let port = self.origin.rsplit(':').next().unwrap();
        let (program, origin) = start(self.folder.path().join("lab.sqlite"), port);
        assert_eq!(origin, self.origin);
        self.program = program;
    }
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Starts the program and reads from it where it is.
fn start(store: PathBuf, port: &str) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(["lab", "--json", "--port", port, "--store"]).arg(store);
    let mut program = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap());
    let mut text = String::new();
    while !text.trim_end().ends_with('}') && lines.read_line(&mut text).unwrap() > 0 {}
    let open: Value = serde_json::from_str(&text).unwrap();
    (program, open["address"].as_str().unwrap().to_owned())
}
