//! The solver of hexagonal Tetris as a command: its time limit, the format of the contest, the
//! program `play_icfp2015`, and errors.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

fn ludion(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).env("LUDION_QUIET", "1").output().unwrap()
}

/// Returns the solutions that a successful command printed.
fn solutions(out: &Output) -> Vec<Value> {
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    serde_json::from_slice(&out.stdout).unwrap()
}

fn score(problem: &str, out: &Output, phrases: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solutions.json");
    std::fs::write(&file, &out.stdout).unwrap();
    let mut args = vec!["hextris", "score", "--problem", problem, file.to_str().unwrap(), "--json"];
    args.extend(phrases.iter().flat_map(|phrase| ["-p", phrase]));
    solutions(&ludion(&args))
}

#[test]
fn solutions_have_the_format_of_the_contest_and_the_time_limit_is_kept() {
    let began = Instant::now();
    let out = ludion(&["hextris", "solve", "-f", "dot", "pair", "-t", "1", "-c", "2", "-m", "64"]);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let list = solutions(&out);
    let games: Vec<_> = list.iter().map(|game| (&game["problemId"], &game["seed"])).collect();
    assert_eq!(games.len(), 4);
    assert_eq!(games[0], (&1001.into(), &0.into()));
    assert!(list.iter().all(|game| game["tag"] == "ludion beam" && game["solution"].is_string()));
    let dot = Output { stdout: serde_json::to_vec(&list[..1]).unwrap(), ..out };
    assert!(score("dot", &dot, &[])[0]["score"].as_u64() > Some(300));
}

#[test]
fn play_icfp2015_takes_the_arguments_of_the_contest() {
    let play = |args: &[&str]| {
        let program = env!("CARGO_BIN_EXE_play_icfp2015");
        let out = Command::new(program).args(["-f", "corner", "-t", "0.8"]).args(args).output();
        out.unwrap()
    };
    let with = play(&["-c", "1", "-m", "64", "-p", "ei!"]);
    let without = play(&[]);
    assert_eq!(solutions(&with).len(), 2);
    let power = |out: &Output| score("corner", out, &["ei!"])[0]["power_score"].as_u64().unwrap();
    assert!(power(&with) > 306, "{}", power(&with));
    // Without phrases nothing is spelled.
    assert!(power(&without) < power(&with));
}

#[test]
fn bench_compares_both_solvers_on_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let problem = r#"{"id":21,"units":[{"members":[{"x":0,"y":0}],"pivot":{"x":0,"y":0}}],
        "width":4,"height":4,"filled":[],"sourceLength":6,"sourceSeeds":[0]}"#;
    std::fs::write(folder.path().join("problem.json"), problem).unwrap();
    std::fs::write(folder.path().join("solutions.json"), "[]").unwrap();
    let path = folder.path().to_str().unwrap();
    let out = ludion(&["hextris", "bench", "--problems", path, "-t", "0.3", "--json"]);
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    let line = &answer["problems"][0];
    assert!(line["beam"].as_u64() >= line["baseline"].as_u64(), "{answer}");
    assert_eq!((&line["best"], &line["open"]), (&1606.into(), &1600.into()));
    assert!(answer["mean_ratio"].as_f64() > Some(0.0));
}

#[test]
fn invalid_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.json");
    std::fs::write(&weights, r#"{"hight": 3}"#).unwrap();
    let (weights, empty) = (weights.to_str().unwrap(), folder.path().join("none"));
    std::fs::create_dir(&empty).unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["solve", "-f", "dot", "-t", "0"], "0 s is no time; it must be from 0.01 to 1e6"),
        (&["solve", "-f", "dots"], "did you mean dot?"),
        (&["solve", "-f", "dot", "-p", ""], "phrase 1 is empty"),
        (&["solve", "-f", "dot", "--weights", weights], "unknown field `hight`"),
        (&["bench", "--problems", empty.to_str().unwrap()], "holds no problem"),
    ];
    for (args, said) in cases {
        let out = ludion(&[&["hextris"], args].concat());
        let error = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.code() == Some(2) && error.contains(said), "{args:?}: {error}");
    }
}
