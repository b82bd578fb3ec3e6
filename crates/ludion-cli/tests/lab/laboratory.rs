//! The laboratory as a process with its own port and store. It can be killed with SIGKILL and
//! opened again at the same address.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use ludion::games::hextris::solver::baseline::{self, BaselineWeights};
use ludion::games::hextris::{HextrisReferee, Phrases, Problem, problems};
use ludion_server::ServedProblem;
use ludion_store::{NewSolution, SolutionScore, Store};
use serde_json::Value;
use tempfile::TempDir;

/// Number of the problem of [`Laboratory::submit_solutions`].
pub(crate) const SUBMITTED_PROBLEM: u32 = 77;

/// A laboratory that is killed when it is dropped.
pub(crate) struct Laboratory {
    program: Child,
    folder: TempDir,
    /// Its address, such as `http://127.0.0.1:4747`.
    pub(crate) origin: String,
    /// The admin token that it printed, if any.
    pub(crate) admin: Option<String>,
}

impl Laboratory {
    /// Opens a laboratory with an empty store on a free port.
    pub(crate) fn open() -> Laboratory {
        Laboratory::open_with(&[])
    }

    /// Opens a laboratory with further arguments.
    pub(crate) fn open_with(args: &[&str]) -> Laboratory {
        let folder = tempfile::tempdir().unwrap();
        let (program, open) = start(folder.path().join("lab.sqlite"), "0", args);
        let text = |name: &str| open[name].as_str().map(ToOwned::to_owned);
        Laboratory { program, folder, origin: text("address").unwrap(), admin: text("admin") }
    }

    /// Runs a command in the folder of the laboratory.
    pub(crate) fn make(&self, args: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
        command.args(args).current_dir(self.folder.path()).env("LUDION_STORE", "lab.sqlite");
        let made = command.stdin(Stdio::null()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    /// Makes an archive, a network, and a learning with its pattern model.
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

    /// Stores solutions of two teams for a problem that is none of the built-in ones, as the submission
    /// server does; returns their scores.
    pub(crate) fn submit_solutions(&self) -> [u64; 2] {
        let mut store = Store::open(&self.folder.path().join("lab.sqlite")).unwrap();
        let mut json = problems::find("corner").unwrap().problem().json().clone();
        json.id = SUBMITTED_PROBLEM.into();
        let (problem, phrases) = (Problem::new(json).unwrap(), Phrases::known());
        ServedProblem::new(&problem, &phrases).put(&mut store).unwrap();
        let seed = problem.seeds()[0];
        let referee = HextrisReferee::new(&problem, &phrases);
        [("ants", 1.0), ("bees", 0.0)].map(|(name, power)| {
            let weights = BaselineWeights { power, ..BaselineWeights::default() };
            let game = (&problem, &phrases, seed);
            let solution = baseline::continue_game(game, "", &weights, &|| false);
            let verdict = referee.score(seed, &solution);
            let team = store.add_team(name, &[0; 32]).unwrap().id;
            let tag = Some(format!("power {power}"));
            let new =
                NewSolution { problem: SUBMITTED_PROBLEM.into(), seed: seed.into(), tag, solution };
            let id = store.submit(team, &[new]).unwrap()[0];
            let status = verdict.status.name().to_owned();
            let (score, power) = (verdict.score, verdict.power_score);
            store.set_score(id, &SolutionScore { status, score, power, phrases: 0 }).unwrap();
            score
        })
    }

    /// Returns the number of files and sockets that the program has open.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.program.id())).unwrap().count()
    }

    /// Kills the program with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }

    /// Starts the laboratory again at the same address.
    pub(crate) fn reopen(&mut self) {
        let port = self.origin.rsplit(':').next().unwrap();
        let (program, open) = start(self.folder.path().join("lab.sqlite"), port, &[]);
        assert_eq!(open["address"], self.origin);
        self.program = program;
    }
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Starts the program and reads what it reports.
fn start(store: PathBuf, port: &str, args: &[&str]) -> (Child, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(["lab", "--json", "--port", port, "--store"]).arg(store).args(args);
    let mut program = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap());
    let mut text = String::new();
    while !text.trim_end().ends_with('}') && lines.read_line(&mut text).unwrap() > 0 {}
    (program, serde_json::from_str(&text).unwrap())
}
