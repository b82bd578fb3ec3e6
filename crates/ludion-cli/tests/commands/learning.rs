//! Learning from the command line: archives, networks, players that use them, and a small
//! experiment.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::default_signals;

fn ludion(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.env("LUDION_STORE", folder.join("store")).env("LUDION_QUIET", "1");
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("it starts")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let out = ludion(folder, &[args, &["--json"]].concat());
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

fn refused(folder: &Path, args: &[&str], sentence: &str) {
    let out = ludion(folder, args);
    let error = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success() && error.contains(sentence), "{args:?}: {error}");
}

const TRAIN: [&str; 11] = [
    "train", "checkers", "--data", "games", "--layers", "16", "--epochs", "6", "--label",
    "captures", "--out",
];

#[test]
fn a_network_is_trained_and_plays_better_than_chance() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    json(at, &["generate", "checkers", "-n", "1500", "--out", "games"]);
    let trained = json(at, &[&TRAIN[..], &["a.safetensors", "--plot", "curve.svg"]].concat());
    assert!(trained["r2"].as_f64().expect("R²") > 0.4, "{trained}");
    assert_eq!(trained["layers"], serde_json::json!([64, 16, 1]));
    let held = trained["games_held_back"].as_u64().expect("games");
    assert!((100..200).contains(&held), "a tenth of the games: {held}");
    assert!(fs::read_to_string(at.join("curve.svg")).expect("a picture").starts_with("<svg"));
    json(at, &[&TRAIN[..], &["b.safetensors", "--threads", "1"]].concat());
    let bytes = |file: &str| fs::read(at.join(file)).expect("a model");
    assert_eq!(bytes("a.safetensors"), bytes("b.safetensors"), "the same seed, the same weights");
    for player in ["mlp(a.safetensors)", "knn(games, label=captures, games=300)"] {
        let wins = |threads| {
            let args = ["match", "checkers", player, "random", "-n", "40", "--opening", "4"];
            json(at, &[&args[..], &["--threads", threads]].concat())["wins"].clone()
        };
        let won = wins("2");
        assert!(won.as_u64().expect("games") > 44, "{player} won {won} of 80");
        assert_eq!(won, wins("1"), "{player} on any number of threads");
    }
    let search = "alphabeta(depth=2, eval=mlp(a.safetensors))";
    let analysed = json(at, &["match", "checkers", search, "random", "-n", "5"]);
    assert!(analysed["wins"].as_u64().expect("games") >= 6, "{analysed}");
    check_refusals(at);
}

fn check_refusals(at: &Path) {
    let wrong: [(&[&str], &str); 2] = [
        (&["--parity-bug"], "--parity-bug is a mistake in distances"),
        (&["--rate", "0"], "rate is 0; allowed is more than 0"),
    ];
    for (more, sentence) in wrong {
        refused(at, &[&TRAIN[..], &["c.safetensors"], more].concat(), sentence);
    }
    let args = ["train", "connect4", "--data", "games", "--out", "c"];
    refused(at, &args, "games: captures is a label for games in which pieces are captured");
    let args = ["train", "hextris", "--data", "games", "--out", "c"];
    refused(at, &args, "games: hextris is a puzzle for one; labels need a game for two");
    let args = ["train", "checkers", "--data", "a.safetensors", "--out", "c"];
    refused(at, &args, "a.safetensors: not an archive of games");
    let args = ["train", "checkers", "--data", "games", "--label", "luck", "--out", "c"];
    refused(at, &args, "unknown label \"luck\"");
    let args = ["match", "checkers", "mlp(nothing)", "random"];
    refused(at, &args, "mlp: model = nothing is not allowed");
    let args = ["match", "checkers(english)", "mlp(a.safetensors)", "random"];
    refused(at, &args, "the model is for checkers, not for checkers(rules=english)");
    assert!(!at.join("c.safetensors").exists());
}

#[test]
fn any_duel_is_learned_from_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (game, games, label, inputs) in [
        ("connect4", "400", "winloss", 168),
        ("marienbad", "300", "distance", 0),
        ("hexapawn(4, 3)", "300", "captures", 24),
        ("checkers(english)", "100", "captures", 128),
    ] {
        json(at, &["generate", game, "-n", games, "--out", "duel.games"]);
        let args = ["train", game, "--data", "duel.games", "--layers", "8", "--epochs", "2"];
        let more = ["--label", label, "--lost", "negative", "--out", "duel.safetensors"];
        let trained = json(at, &[&args[..], &more].concat());
        assert!(inputs == 0 || trained["layers"][0] == inputs, "{trained}");
        let search = "deepening(depth=2, eval=mlp(duel.safetensors))";
        let knn = format!("knn(duel.games, label={label})");
        for player in ["mlp(duel.safetensors)", search, &knn] {
            let played = json(at, &["match", game, player, "random", "-n", "2"]);
            assert_eq!(played["pairs"], 2, "{played}");
        }
        let scores = json(at, &["data", "scores", "duel.games", "--label", label, "-n", "3"]);
        let rows = scores["scores"].as_array().expect("rows");
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row["after"] != "" && row["games"].as_u64() > Some(0)));
        assert!(rows.iter().all(|row| row["move"].is_null() == (label == "captures")), "{scores}");
        fs::remove_file(at.join("duel.games")).expect("an archive");
    }
}

#[test]
fn an_experiment_is_completed_shown_and_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let small = ["--games", "200", "--matches", "10", "--layers", "8", "--epochs", "2"];
    let args = [&["experiment"][..], &small, &["--keep", "kept"]].concat();
    let answer = json(at, &args);
    assert_eq!(answer["complete"], true);
    let cells = answer["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 9, "three labels by two methods, material, patterns and argmin");
    for cell in cells.iter().filter(|cell| cell["name"] != "material") {
        for result in cell["results"].as_array().expect("two opponents") {
            let games = ["wins", "losses", "draws"].map(|k| result[k].as_u64().expect("games"));
            assert_eq!(games.iter().sum::<u64>(), 10, "{cell}");
        }
    }
    assert!(cells[6]["results"][1].is_null(), "material does not play itself");
    assert_eq!(cells[0]["seed_wins_of_50"], 18);
    let run = answer["run"].to_string();
    let shown = json(at, &["run", "show", &run]);
    assert_eq!(shown["cells"], answer["cells"]);
    assert_eq!(json(at, &["run", "repeat", &run])["identical"], true);
    // Other commands can use the kept models and games.
    let args = ["match", "checkers", "mlp(kept/captures.safetensors)", "random", "-n", "1"];
    json(at, &args);
    assert_eq!(json(at, &["data", "info", "kept/random.games"])["games"], 200);
    refused(at, &["experiment", "--matches", "7"], "--matches 7 is odd");
    refused(at, &["run", "show", &run, "--csv", "-"], "are no table");
    refused(at, &["experiment", "--quick", "--patterns", "nothing"], "nothing cannot be read");
}

/// Returns the number of outputs in the store.
fn outputs(store: &Path) -> u64 {
    let opened = rusqlite::Connection::open(store);
    let sql = "SELECT count(*) FROM outputs";
    // Another program may not have created the tables yet.
    let count = opened.and_then(|store| store.query_row(sql, [], |row| row.get::<_, u32>(0)));
    count.map_or(0, u64::from)
}

#[test]
fn an_experiment_killed_four_times_gives_the_same_result() {
    let (whole, cut) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("another"));
    let small = ["--games", "300", "--matches", "40", "--layers", "8", "--epochs", "3"];
    let args = [&["experiment"][..], &small].concat();
    let straight = json(whole.path(), &[&args[..], &["--threads", "1"]].concat());
    let resume = ["run", "resume", "1"];
    let store = cut.path().join("store");
    let mut args = args.as_slice();
    for wanted in [1, 4, 8, 13] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
        command.env("LUDION_STORE", &store).current_dir(cut.path()).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        while outputs(&store) < wanted && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().expect("a child");
        child.wait().expect("a child");
        args = &resume;
    }
    let resumed = json(cut.path(), &resume);
    assert_eq!(resumed["complete"], true);
    assert_eq!(resumed["cells"], straight["cells"]);
}

#[cfg(unix)]
#[test]
fn training_tells_that_it_reads_and_keeps_the_best_weights_after_ctrl_c() {
    use std::io::{BufRead, BufReader, Write};
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    json(at, &["generate", "checkers", "-n", "2000", "--out", "games"]);
    let games = fs::read(at.join("games")).expect("an archive");
    // A pipe that is slow shows what is told while the archive is read.
    let pipe = at.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let args =
        ["train", "checkers", "--data", "pipe", "--epochs", "100000", "--patience", "100000"];
    let mut command = default_signals::ludion();
    command.args(args).args(["--layers", "8", "--out", "m"]).current_dir(at).stdin(Stdio::null());
    command.env_remove("LUDION_QUIET").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines =
        BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut writer = fs::File::create(&pipe).expect("a pipe");
    let line = lines.next().expect("a line");
    assert!(line.contains("reading the archive"), "{line}");
    writer.write_all(&games).expect("it is read");
    drop(writer);
    let line = lines.find(|line| line.contains("epochs")).expect("a line");
    assert!(line.contains("loss") || line.contains("preparing"), "{line}");
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.expect("kill starts").success());
    std::thread::spawn(move || lines.for_each(drop));
    let Output { stdout, .. } = child.wait_with_output().expect("it ends");
    let report = String::from_utf8(stdout).expect("text");
    assert!(report.contains("then it was stopped"), "{report}");
    let played = json(at, &["match", "checkers", "mlp(m)", "random", "-n", "2", "--opening", "4"]);
    assert_eq!(played["pairs"], 2, "the model is complete");
}
