//! Runs whose players read files: another file of the same name is another player.

use std::path::{Path, PathBuf};

use crate::{json, outcome, tamper};

/// Learns a small network from a seed into a file.
fn learn(folder: &Path, name: &str, seed: &str) -> PathBuf {
    let (path, store) = (folder.join(name), folder.join("learning.sqlite"));
    let mut args = vec!["learn", "tictactoe", "--rounds", "1", "--games", "20", "--pairs", "1"];
    args.extend(["--hidden", "4", "--sims", "2", "--positions", "0", "--seed", seed, "--out"]);
    args.push(path.to_str().expect("a path"));
    json(&store, &args);
    path
}

#[test]
fn a_run_with_another_file_of_the_same_name_is_neither_resumed_nor_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let [net, other] = [("a.net", "1"), ("b.net", "2")].map(|(n, s)| learn(folder.path(), n, s));
    let kept = std::fs::read(&net).expect("a network");
    let store = folder.path().join("store.sqlite");
    let spec = format!("mcts(sims=20, eval=net({}))", net.display());
    json(&store, &["match", "tictactoe", &spec, "random", "-n", "3"]);
    let halve =
        "DELETE FROM games WHERE number >= 2; UPDATE runs SET state = 'stopped', ended = NULL";
    tamper(&store, halve);
    let sentence =
        format!("a player has changed since the run was stored: the file {} is not", net.display());

    std::fs::copy(&other, &net).expect("a copy");
    let (code, _, said) = outcome(&store, &["run", "resume", "1"]);
    assert!(code == Some(1) && said.contains(&sentence), "{code:?} {said}");
    let (code, _, said) = outcome(&store, &["run", "repeat", "1"]);
    assert!(code == Some(4) && said.contains(&sentence), "{code:?} {said}");
    std::fs::remove_file(&net).expect("a file");
    let (code, _, said) = outcome(&store, &["run", "repeat", "1"]);
    assert!(code == Some(4) && said.contains("cannot be read"), "{code:?} {said}");

    std::fs::write(&net, kept).expect("a network");
    assert_eq!(outcome(&store, &["run", "resume", "1"]).0, Some(0));
    assert_eq!(outcome(&store, &["run", "repeat", "1"]).0, Some(0));
}

#[test]
fn a_tuning_plays_its_candidates_again_when_a_file_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [net, other] = [("a.net", "1"), ("b.net", "2")].map(|(n, s)| learn(folder.path(), n, s));
    let store = folder.path().join("store.sqlite");
    let spec = format!("mcts(sims=10, c=?1..2, eval=net({}))", net.display());
    let tune = || {
        let args =
            ["tune", "tictactoe", &spec, "--generations", "1", "-n", "2", "--against", "random"];
        let report = json(&store, &args);
        let candidates = report["candidates"].as_array().expect("candidates").clone();
        candidates.iter().all(|candidate| candidate["known"] == true)
    };
    assert_eq!([tune(), tune()], [false, true]);
    std::fs::copy(&other, &net).expect("a copy");
    assert!(!tune(), "the matches of the other network count");
    let (code, _, said) = outcome(&store, &["run", "resume", "1"]);
    assert!(code == Some(1) && said.contains("is not the one of then"), "{code:?} {said}");
}

#[test]
fn an_experiment_with_another_file_is_neither_resumed_nor_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, store) = (folder.path().join("m.lpat"), folder.path().join("store.sqlite"));
    let path = model.to_str().expect("a path");
    let learn = |phases| {
        let mut args = vec!["learn", "checkers", "--rounds", "1", "--games", "20", "--depth", "1"];
        args.extend(["--pairs", "1", "--phases", phases, "--out", path]);
        json(&folder.path().join(format!("learning-{phases}.sqlite")), &args);
    };
    learn("1");
    let mut args = vec!["experiment", "--games", "20", "--matches", "2", "--epochs", "1"];
    args.extend(["--layers", "4", "--patterns", path]);
    json(&store, &args);
    tamper(&store, "DELETE FROM outputs WHERE number > 3; UPDATE runs SET state = 'stopped'");
    let kept = std::fs::read(&model).expect("a model");
    learn("2");
    assert_ne!(kept, std::fs::read(&model).expect("a model"));
    for (action, expected) in [("resume", 1), ("repeat", 4)] {
        let (code, _, said) = outcome(&store, &["run", action, "1"]);
        assert!(
            code == Some(expected) && said.contains("is not the one of then"),
            "{code:?} {said}"
        );
    }
    std::fs::write(&model, kept).expect("a model");
    assert_eq!(outcome(&store, &["run", "resume", "1"]).0, Some(0));
}
