//! `ludion new`: what it writes, builds and runs. The template of a game is compiled into this
//! program as it is, with its tests; a generated game differs from it by its name alone. Bots are
//! generated, built and checked in every language of which the tools are installed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

#[path = "../templates/game/src/main.rs"]
#[allow(dead_code, unreachable_pub, reason = "the template is a program of its own")]
mod my_game;

const SOURCES: [&str; 5] = ["main.rs", "rules.rs", "evaluator.rs", "player.rs", "tests.rs"];

fn ludion(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).current_dir(folder).env("LUDION_STORE", ":memory:");
    command
}

/// Returns a folder within the workspace, where a crate must not become a part of the workspace.
fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed; returns its standard output.
fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {}\n{}", text(&stdout), text(&stderr));
    text(&stdout)
}

fn json(command: &mut Command) -> Value {
    serde_json::from_str(&succeed(command.arg("--json"))).unwrap()
}

/// Returns the error message of a command that must be refused as wrong usage.
fn refused(args: &[&str], folder: &Path) -> String {
    let out = ludion(args, folder).output().unwrap();
    assert_eq!((out.status.code(), &out.stdout[..]), (Some(2), &b""[..]), "{args:?}");
    text(&out.stderr)
}

fn read(folder: &Path, file: impl AsRef<Path>) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// Returns a source of the template.
fn template(file: &str) -> String {
    read(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new("templates/game/src").join(file))
}

#[test]
fn a_generated_game_is_the_compiled_template_by_another_name() {
    let place = folder();
    succeed(&mut ludion(&["new", "my_game"], place.path()));
    succeed(&mut ludion(&["new", "game", "three-in-line"], place.path()));
    for file in SOURCES {
        let path = Path::new("src").join(file);
        assert_eq!(read(&place.path().join("my_game"), &path), template(file), "{file}");
        let renamed = template(file).replace("my_game", "three-in-line");
        let renamed = renamed.replace("MyGame", "ThreeInLine");
        assert_eq!(read(&place.path().join("three-in-line"), &path), renamed, "{file}");
    }
}

#[test]
fn the_report_of_a_game_lists_its_files_which_have_its_name() {
    let place = folder();
    let report = json(&mut ludion(&["new", "nim"], place.path()));
    assert_eq!((&report["kind"], &report["name"]), (&"game".into(), &"nim".into()));
    let files: Vec<&str> =
        report["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert!(files.contains(&"Cargo.toml") && files.contains(&"src/rules.rs"), "{files:?}");
    for file in files.into_iter().filter(|&file| file != "Cargo.lock") {
        let text = read(&place.path().join("nim"), file);
        for placeholder in ["my_game", "MyGame", "{{"] {
            assert!(!text.contains(placeholder), "{file}: {placeholder}");
        }
    }
    let next: Vec<&Value> =
        report["next"].as_array().unwrap().iter().map(|next| &next["command"]).collect();
    assert_eq!(next, ["cd nim", "cargo run -- lab", "cargo test"]);
}

/// Cargo reads the manifest: a crate outside the workspace in whose folder it is, which needs no
/// other versions of any package than the workspace.
#[test]
fn a_generated_game_is_a_workspace_of_its_own_with_the_versions_of_ours() {
    let place = folder();
    succeed(&mut ludion(&["new", "nim"], place.path()));
    let crate_folder = place.path().join("nim");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut tree = Command::new(cargo);
    tree.args(["tree", "--offline", "--prefix", "none", "-e", "normal,build"]);
    let packages = succeed(tree.current_dir(&crate_folder));
    let lock = read(Path::new(env!("CARGO_MANIFEST_DIR")), "../../Cargo.lock");
    let mut lines = packages.lines();
    assert!(lines.next().unwrap().starts_with("nim v0.1.0 ("), "{packages}");
    let mut count = 0;
    for line in lines {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap(), words.next().unwrap());
        let entry = format!("name = \"{name}\"\nversion = \"{}\"\n", &version[1..]);
        assert!(lock.contains(&entry), "{line}");
        count += 1;
    }
    assert!(count > 100, "{packages}");
}

#[test]
fn names_and_folders_that_do_not_fit_are_refused() {
    let place = folder();
    let name = "a name has lower-case letters, digits, - and _, and begins with a letter";
    for wrong in ["Nim", "3d", "a b", "../nim", ""] {
        assert!(refused(&["new", wrong], place.path()).contains(name), "{wrong}");
        let bot = ["new", "bot", wrong, "--language", "python"];
        assert!(refused(&bot, place.path()).contains(name), "{wrong}");
    }
    assert!(refused(&["new", "match"], place.path()).contains("reserved by Rust"));
    let known = refused(&["new", "game", "connect4"], place.path());
    assert!(known.contains("there is a game called connect4"), "{known}");
    assert!(refused(&["new", "ludion-cli"], place.path()).contains("a crate of Ludion"));
    assert!(refused(&["new"], place.path()).contains("<NAME>"));
    assert!(refused(&["new", "bot", "x"], place.path()).contains("--language"));
    let cobol = refused(&["new", "bot", "x", "--language", "cobol"], place.path());
    assert!(cobol.contains("python, java, cpp, rust, javascript"), "{cobol}");
    let nowhere = refused(&["new", "nim", "--ludion", "nowhere"], place.path());
    assert!(nowhere.contains("nowhere has no sources of Ludion"), "{nowhere}");

    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "nothing was written");
    std::fs::write(place.path().join("file"), "").unwrap();
    let full = refused(&["new", "nim", "--folder", "."], place.path());
    assert!(full.contains("the folder . is not empty"), "{full}");
    let file = refused(&["new", "bot", "file", "--language", "java"], place.path());
    assert!(file.contains("file is a file"), "{file}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1, "nothing was written");
}

#[test]
fn a_game_may_be_called_bot_and_be_written_into_an_empty_folder() {
    let place = folder();
    let report = json(&mut ludion(&["new", "game", "bot", "--folder", "."], place.path()));
    assert_eq!(report["name"], "bot");
    assert!(read(place.path(), "src/rules.rs").contains("pub struct BotRules"));
}

#[test]
fn the_sources_of_ludion_can_be_elsewhere() {
    let place = folder();
    for package in ["ludion", "ludion-cli"] {
        let crate_folder = place.path().join("my sources/crates").join(package);
        std::fs::create_dir_all(&crate_folder).unwrap();
        std::fs::write(crate_folder.join("Cargo.toml"), "").unwrap();
    }
    let args = ["new", "nim", "--ludion", "my sources"];
    let report = json(&mut ludion(&args, place.path()));
    let manifest: toml::Table = read(&place.path().join("nim"), "Cargo.toml").parse().unwrap();
    let path = manifest["dependencies"]["ludion-cli"]["path"].as_str().unwrap();
    assert_eq!(Path::new(path), place.path().join("my sources/crates/ludion-cli"));
    assert_eq!(report["ludion"]["path"], place.path().join("my sources").to_str().unwrap());
    assert!(!place.path().join("nim/Cargo.lock").exists(), "these sources have none");
}

/// The player `bot` needs Unix processes.
#[cfg(unix)]
mod bots {
    use std::io::Write;
    use std::path::PathBuf;

    use super::*;

    /// Returns whether these commands work: the tools of a language are installed.
    fn installed(language: &str, tools: &[&[&str]]) -> bool {
        let works = |tool: &&&[&str]| {
            Command::new(tool[0]).args(&tool[1..]).output().is_ok_and(|out| out.status.success())
        };
        let missing = tools.iter().find(|tool| !works(tool));
        if let Some(tool) = missing {
            // Not by eprintln!, which tests that pass do not show.
            let said = format!("the bot in {language} is not checked: no {}\n", tool[0]);
            std::io::stderr().write_all(said.as_bytes()).unwrap();
        }
        missing.is_none()
    }

    /// Generates a bot and builds it, as its report says; returns its folder and the command that
    /// starts it.
    fn built_bot(language: &str, place: &Path) -> (PathBuf, String) {
        let name = format!("my-{language}-bot");
        let report = json(&mut ludion(&["new", "bot", &name, "--language", language], place));
        let next: Vec<String> = report["next"]
            .as_array()
            .unwrap()
            .iter()
            .map(|next| next["command"].as_str().unwrap().to_owned())
            .collect();
        let [enter, build @ .., check, _] = &next[..] else { panic!("{next:?}") };
        assert_eq!(enter, &format!("cd {name}"));
        let folder = place.join(&name);
        for command in build {
            // Variables of the test's own cargo are not for the bot.
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(&folder).env_remove("CARGO_TARGET_DIR");
            succeed(&mut shell);
        }
        let command =
            check.strip_prefix("ludion bot check \"").and_then(|rest| rest.strip_suffix('"'));
        let readme = read(&folder, "README.md");
        assert!(readme.contains(check) && !readme.contains("{{"), "{readme}");
        (folder, command.unwrap().to_owned())
    }

    /// Checks that the bot in this language follows the protocol in every game, plays a match, and
    /// draws its moves from the seed.
    fn check_bot(language: &str) {
        let place = folder();
        let (folder, command) = built_bot(language, place.path());
        let report = json(&mut ludion(&["bot", "check", &command], &folder));
        let checks = report["checks"].as_array().unwrap();
        assert!(checks.len() > 30, "it plays every game: {report}");
        assert_eq!(report["identity"]["name"], format!("my-{language}-bot"));

        let bot = format!("bot(cmd=\"{command}\")");
        let args = ["match", "tictactoe", &bot, "random", "-n", "4", "--budget", "100ms"];
        let result = json(&mut ludion(&args, &folder));
        assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{result}");

        let play = |seed: &str| {
            let args = ["play", "connect4", "--first", &bot, "--second", &bot, "--seed", seed];
            json(&mut ludion(&args, &folder))["moves"].clone()
        };
        assert_eq!(play("1"), play("1"));
        assert_ne!(play("1"), play("2"));
    }

    #[test]
    fn a_bot_in_python_plays() {
        if installed("Python", &[&["python3", "--version"]]) {
            check_bot("python");
        }
    }

    #[test]
    fn a_bot_in_java_plays() {
        if installed("Java", &[&["javac", "-version"], &["java", "-version"]]) {
            check_bot("java");
        }
    }

    #[test]
    fn a_bot_in_cpp_plays() {
        if installed("C++", &[&["c++", "--version"]]) {
            check_bot("cpp");
        }
    }

    /// There is no test without the tools of Rust.
    #[test]
    fn a_bot_in_rust_plays() {
        check_bot("rust");
    }

    #[test]
    fn a_bot_in_javascript_plays() {
        if installed("JavaScript", &[&["node", "--version"]]) {
            check_bot("javascript");
        }
    }
}

/// A build from nothing, the tests of the generated crate, a build after a change, and the
/// laboratory with the game; prints the times. It takes minutes, so that it is not among the usual
/// tests: `cargo test -p ludion-cli --test new -- --ignored --nocapture`.
#[test]
#[ignore = "builds the library from nothing"]
fn a_generated_game_builds_from_nothing_passes_its_tests_and_is_in_the_laboratory() {
    let place = folder();
    succeed(&mut ludion(&["new", "nim"], place.path()));
    let folder = place.path().join("nim");
    let cargo = |args: &[&str]| {
        let began = std::time::Instant::now();
        let mut command = Command::new("cargo");
        // Variables of the test's own cargo are not for the game.
        for name in ["CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        let said = succeed(command.arg("--offline").args(args).current_dir(&folder));
        eprintln!("cargo {}: {:.1} s", args.join(" "), began.elapsed().as_secs_f64());
        said
    };
    cargo(&["build"]);
    let rules = folder.join("src/rules.rs");
    let changed = read(&folder, "src/rules.rs").replace("cells of the row\"", "cells in all\"");
    std::fs::write(&rules, changed).unwrap();
    cargo(&["build"]);
    assert!(cargo(&["run", "--", "games", "nim"]).contains("cells in all"));
    assert!(cargo(&["test"]).contains("the_laws_of_games_hold ... ok"));
    let lab = games_of_the_laboratory(&folder.join("target/debug/nim"));
    assert!(lab.contains("\"name\":\"nim\"") && lab.contains("\"name\":\"connect4\""), "{lab}");
}

/// Starts the laboratory of a program and returns its list of games.
fn games_of_the_laboratory(program: &Path) -> String {
    use std::io::{BufRead, BufReader, Read, Write};
    let mut command = Command::new(program);
    command.args(["lab", "--port", "0", "--json"]).env("LUDION_STORE", ":memory:");
    let mut lab = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(lab.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let host = said["address"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
    let mut socket = std::net::TcpStream::connect(host.trim_end_matches('/')).unwrap();
    write!(socket, "GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    lab.kill().unwrap();
    lab.wait().unwrap();
    answer
}
