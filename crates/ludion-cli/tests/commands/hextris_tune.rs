//! `hextris tune` as a command: interrupted runs give the same result, no score is computed twice,
//! and wrong arguments are refused.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn ludion(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).arg("--json").env("LUDION_STORE", store).stdin(Stdio::null());
    command.env("LUDION_QUIET", "1");
    command
}

fn json(store: &Path, args: &[&str]) -> Value {
    let Output { status, stdout, stderr } = ludion(store, args).output().unwrap();
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

/// Returns a report without the fields that depend on interruptions and the cache.
fn found(mut answer: Value) -> Value {
    for name in ["run", "computed", "known", "seconds"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    answer
}

fn count(answer: &Value, name: &str) -> u64 {
    answer[name].as_u64().unwrap()
}

const TUNE: &[&str] = &[
    "hextris",
    "tune",
    "--train",
    "dot",
    "corner",
    "rubble",
    "--held-out",
    "pair",
    "well",
    "--generations",
    "4",
    "--states",
    "3",
    "--seed",
    "5",
];

/// Returns the number of stored scores.
fn scores(store: &Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    let sql = "SELECT count(*) FROM keepsakes WHERE kind = 'hextris weights'";
    let opened = rusqlite::Connection::open(store);
    // Another program may not have created the tables yet.
    opened
        .and_then(|store| store.query_row(sql, [], |row| row.get::<_, u32>(0)))
        .map_or(0, u64::from)
}

#[test]
fn a_tuning_killed_six_times_gives_the_same_result_and_computes_no_score_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole.sqlite"), folder.path().join("cut.sqlite"));
    let straight = json(&whole, &[TUNE, &["--threads", "1"]].concat());
    let all = count(&straight, "computed");
    assert_eq!((all, count(&straight, "known")), (scores(&whole), 0));
    // Killed with the default weights scored, then in the middle of every generation.
    let resume: &[&str] = &["run", "resume", "1"];
    let mut args = [TUNE, &["--threads", "2"]].concat();
    for part in 1..=6 {
        let mut child = ludion(&cut, &args).stdout(Stdio::null()).spawn().unwrap();
        while scores(&cut) < all * part / 8 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        args = resume.to_vec();
    }
    let before = scores(&cut);
    let resumed = json(&cut, resume);
    assert_eq!((count(&resumed, "computed"), count(&resumed, "known")), (all - before, before));
    assert_eq!(scores(&cut), all);
    assert_eq!(found(resumed), found(straight.clone()));
    let shown = found(json(&cut, &["run", "show", "1"]));
    assert_eq!(shown, found(straight.clone()));
    let again = json(&cut, TUNE);
    assert_eq!(
        (count(&again, "run"), count(&again, "computed"), count(&again, "known")),
        (2, 0, all)
    );
    assert_eq!(found(again), found(straight));
    let repeated = json(&cut, &["run", "repeat", "2"]);
    assert_eq!((&repeated["identical"], &repeated["compared"]), (&true.into(), &4.into()));
}

#[test]
fn stored_scores_are_used_only_for_the_same_problem_and_number_of_states() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lab.sqlite");
    let mine = folder.path().join("mine.json");
    let tune = |file: &str, states: &str| {
        let args = ["hextris", "tune", "--train", file, "--held-out", "dot"];
        json(&store, &[&args[..], &["--generations", "1", "--states", states]].concat())
    };
    let first = tune("pair", "2");
    // Twelve candidates, and on the problem held out the defaults at least.
    assert!(count(&first, "computed") > 12 && count(&first, "known") == 0, "{first}");
    assert!(count(&tune("pair", "1"), "computed") > 12);
    let text = include_str!("../../../ludion-hextris/src/problems/pair.json");
    std::fs::write(&mine, text).unwrap();
    let file = mine.to_str().unwrap();
    assert_eq!(count(&tune(file, "2"), "computed"), 0, "the same problem under another name");
    let longer = text.replace("\"sourceLength\": 8", "\"sourceLength\": 7");
    assert_ne!(longer, text);
    std::fs::write(&mine, longer).unwrap();
    assert!(count(&tune(file, "2"), "computed") >= 12);
}

#[test]
fn the_best_weights_are_never_worse_than_the_defaults_and_solve_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (folder.path().join("lab.sqlite"), folder.path().join("weights.json"));
    let (picture, path) = (folder.path().join("tune.svg"), file.to_str().unwrap());
    let answer = json(&store, &[TUNE, &["--plot", picture.to_str().unwrap()]].concat());
    assert!(answer["training"].as_f64().unwrap() >= 1.0, "the defaults are a candidate");
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(
        ["best, trained on", "mean, trained on", "best, held out"]
            .iter()
            .all(|name| drawn.contains(name))
    );
    let ratios = |trained: bool| {
        let problems = answer["problems"].as_array().unwrap().iter();
        let own = problems.filter(|line| line["trained_on"] == trained);
        let ratios: Vec<f64> = own.map(|line| line["ratio"].as_f64().unwrap()).collect();
        ratios.iter().sum::<f64>() / ratios.len() as f64
    };
    for (name, trained) in [("training", true), ("held_out", false)] {
        assert!((answer[name].as_f64().unwrap() - ratios(trained)).abs() < 1e-12, "{name}");
    }
    std::fs::write(&file, answer["weights"].to_string()).unwrap();
    let solve = ["hextris", "solve", "-f", "dot", "-t", "0.1", "--weights", path];
    assert!(json(&store, &solve).is_array());
    std::fs::write(&file, r#"{"hight": 1}"#).unwrap();
    let said = String::from_utf8(ludion(&store, &solve).output().unwrap().stderr).unwrap();
    assert!(said.contains("weights.json: unknown field `hight`, expected one of"), "{said}");
}

const TUNE_BASELINE: &[&str] = &[
    "hextris",
    "tune",
    "--solver",
    "baseline",
    "--train",
    "dot",
    "corner",
    "rubble",
    "--held-out",
    "pair",
    "well",
    "--generations",
    "4",
    "--seed",
    "5",
];

#[test]
fn a_tuning_of_the_baseline_resumes_repeats_and_scores_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole.sqlite"), folder.path().join("cut.sqlite"));
    let (file, path) = (folder.path().join("weights.json"), folder.path().join("solved.json"));
    let straight = json(&whole, &[TUNE_BASELINE, &["--threads", "2"]].concat());
    let all = count(&straight, "computed");
    assert_eq!((all, straight["solver"].as_str()), (scores(&whole), Some("baseline")));
    assert!(straight.get("states").is_none(), "{straight}");
    // Twelve candidates first, then at most eight: the four kept ones are not played again.
    let asked: Vec<u64> = straight["generations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| count(line, "asked"))
        .collect();
    assert_eq!(asked[0], 12);
    assert!(asked[1..].iter().all(|&asked| asked <= 8), "{asked:?}");
    let mut child = ludion(&cut, TUNE_BASELINE).stdout(Stdio::null()).spawn().unwrap();
    while scores(&cut) < all / 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = json(&cut, &["run", "resume", "1"]);
    assert_eq!(found(resumed), found(straight.clone()));
    assert_eq!(found(json(&cut, &["run", "show", "1"])), found(straight.clone()));
    let repeated = json(&cut, &["run", "repeat", "1"]);
    assert_eq!((&repeated["identical"], &repeated["compared"]), (&true.into(), &4.into()));
    // What `solve` reaches with the best weights is what the report says.
    std::fs::write(&file, straight["weights"].to_string()).unwrap();
    let [weights, solved] = [&file, &path].map(|path| path.to_str().unwrap());
    let solver = ["--solver", "baseline", "--weights", weights, "-t", "60"];
    let solutions = json(&whole, &[&["hextris", "solve", "-f", "rubble"], &solver[..]].concat());
    std::fs::write(&path, solutions.to_string()).unwrap();
    let scored = json(&whole, &["hextris", "score", "--problem", "rubble", solved]);
    let scored = scored.as_array().unwrap().iter().take(3).map(|one| count(one, "score"));
    let line = straight["problems"].as_array().unwrap().iter().find(|l| l["problem"] == "rubble");
    let (mean, games) = (line.unwrap()["best"].as_f64().unwrap(), scored.len() as f64);
    assert_eq!(scored.sum::<u64>() as f64 / games, mean);
}

#[test]
fn wrong_arguments_are_refused_before_a_run_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lab.sqlite");
    let every: Vec<&str> =
        ludion::games::hextris::PROBLEMS.iter().map(|named| named.name).collect();
    let cases: [(&[&str], &str); 7] = [
        (&["--train", "dott"], "no problem and no file is called \"dott\", did you mean dot?"),
        (&["--train", "dot", "dot"], "dot is given twice"),
        (
            &["--train", "dot", "--held-out", "pair", "dot"],
            "dot cannot be both trained on and held out",
        ),
        (
            &[&["--train"], &every[..]].concat(),
            "no problem of ours is left for both; name problems with --train and --held-out",
        ),
        (
            &["--train", "prairie", "--states", "1000000"],
            "1000000 states are too many for prairie; at most ",
        ),
        (
            &["--solver", "baseline", "--states", "3"],
            "states is 3, but baseline keeps none; it is for the solver beam",
        ),
        (&["--states", "0"], "invalid value '0' for '--states <N>'"),
    ];
    for (args, sentence) in cases {
        let out = ludion(&store, &[&["hextris", "tune"], args].concat()).output().unwrap();
        let text = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), &out.stdout[..]), (Some(2), &b""[..]), "{args:?}: {text}");
        let json = format!("{{\"error\":{{\"message\":{}", serde_json::json!(sentence));
        let is_told = text.starts_with(&format!("error: {sentence}"))
            || text.starts_with(json.trim_end_matches('"'));
        assert!(is_told, "{args:?}: {text}");
    }
    assert!(!store.exists(), "no store was created");
}

#[test]
fn the_examples_in_the_help_work() {
    let folder = tempfile::tempdir().unwrap();
    let help = ludion(folder.path(), &["hextris", "tune", "--help"]).output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let examples: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("  ludion ")).collect();
    assert_eq!(examples.len(), 3, "{text}");
    for example in examples {
        let words: Vec<&str> = example.split(' ').collect();
        assert_eq!(json(Path::new(":memory:"), &words)["complete"], true, "{example}");
    }
}
