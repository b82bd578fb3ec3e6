//! `learn` as a command: interrupted runs give the same model, players use it, and wrong arguments
//! are refused.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn ludion(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).arg("--json").env("LUDION_STORE", store).stdin(Stdio::null());
    command.env("LUDION_QUIET", "1");
    // A learning without --out writes a file in the current folder.
    command.current_dir(store.parent().expect("a folder"));
    command
}

fn json(store: &Path, args: &[&str]) -> Value {
    let Output { status, stdout, stderr } = ludion(store, args).output().unwrap();
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

fn refusal(store: &Path, args: &[&str]) -> String {
    let Output { status, stderr, .. } = ludion(store, args).output().unwrap();
    assert!(!status.success(), "{args:?}");
    String::from_utf8(stderr).unwrap()
}

const LEARN: &[&str] = &[
    "learn",
    "connect4(5, 4)",
    "--rounds",
    "3",
    "--games",
    "300",
    "--depth",
    "2",
    "--pairs",
    "20",
    "--window",
    "2",
    "--seed",
    "5",
];

const LEARN_NETWORK: &[&str] = &[
    "learn",
    "connect4(5, 4)",
    "--method",
    "net",
    "--rounds",
    "5",
    "--games",
    "300",
    "--check",
    "2",
    "--pairs",
    "20",
    "--positions",
    "20",
    "--window",
    "3",
    "--hidden",
    "16",
    "--match-sims",
    "20",
    "--seed",
    "5",
];

/// Returns the number of stored outputs.
fn kept(store: &Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    let sql = "SELECT count(*) FROM keepsakes WHERE kind LIKE 'learn%'";
    let opened = rusqlite::Connection::open(store);
    // Another program may not have created the tables yet.
    opened
        .and_then(|store| store.query_row(sql, [], |row| row.get::<_, u32>(0)))
        .map_or(0, u64::from)
}

/// Runs a learning without interruption, then kills it five times and resumes it; returns the report
/// of the first.
fn learn_and_kill(learn: &[&str], ending: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (whole, cut) = (path("whole.sqlite"), path("cut.sqlite"));
    let (model, cut_model) = (path(&format!("whole.{ending}")), path(&format!("cut.{ending}")));
    let out = |model: &Path| model.to_str().unwrap().to_owned();
    let straight = json(&whole, &[learn, &["--threads", "1", "--out", &out(&model)]].concat());
    let all = kept(&whole);
    let cut_out = out(&cut_model);
    let learn = [learn, &["--threads", "2", "--out", &cut_out]].concat();
    let resume: &[&str] = &["run", "resume", "1"];
    let mut args = learn.as_slice();
    for part in 1..=5 {
        let mut child = ludion(&cut, args).stdout(Stdio::null()).spawn().unwrap();
        while kept(&cut) < all * part / 7 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        args = resume;
    }
    let resumed = json(&cut, resume);
    assert_eq!(resumed["generations"], straight["generations"]);
    assert_eq!(std::fs::read(&cut_model).unwrap(), std::fs::read(&model).unwrap());
    assert_eq!(json(&cut, &["run", "show", "1"])["generations"], straight["generations"]);
    assert_eq!(json(&whole, &["run", "repeat", "1"])["identical"], true);
    straight
}

#[test]
fn a_learning_killed_five_times_gives_the_same_model_and_can_be_repeated() {
    let straight = learn_and_kill(LEARN, "lpat");
    let first = &straight["generations"][0];
    assert!(
        first["last"]["score"].as_f64().unwrap() > 0.5,
        "better than the model before: {first}"
    );
}

#[test]
fn a_learning_of_a_network_killed_five_times_gives_the_same_network() {
    let straight = learn_and_kill(LEARN_NETWORK, "net");
    let generations = straight["generations"].as_array().unwrap();
    let rounds: Vec<u64> = generations.iter().map(|g| g["rounds"].as_u64().unwrap()).collect();
    assert_eq!(rounds, [2, 4, 5]);
    assert!(generations.iter().all(|g| g["judged"]["solved"].as_u64().unwrap() > 0));
}

/// Without `--rounds` a learning ends at the second check in a row in which all values are kept.
#[test]
fn a_learned_game_ends_the_learning_early_also_after_kills_and_from_the_cache() {
    let learn: &[&str] = &[
        "learn",
        "matches(9)",
        "--games",
        "200",
        "--check",
        "4",
        "--pairs",
        "5",
        "--positions",
        "20",
        "--window",
        "4",
        "--hidden",
        "16",
        "--match-sims",
        "20",
        "--seed",
        "5",
    ];
    let straight = learn_and_kill(learn, "net");
    let generations = straight["generations"].as_array().unwrap();
    let is_perfect = |generation: &Value| {
        let judged = &generation["judged"];
        ["solved", "search_keeps", "policy_keeps"].iter().all(|count| judged[count] == 20)
    };
    let (last, before) = generations.split_at(generations.len() - 2);
    assert!(before.iter().all(is_perfect), "{generations:?}");
    assert!(!last.windows(2).any(|pair| pair.iter().all(is_perfect)), "{generations:?}");
    assert!(straight["complete"] == true && generations.len() < 50);
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let checksums = [0, 1].map(|_| {
        let again = json(&store, learn);
        again["generations"].as_array().unwrap().last().unwrap()["checksum"].clone()
    });
    assert_eq!(checksums[0], checksums[1], "the second run uses values that the first has cached");
    assert_eq!(&checksums[0], &generations.last().unwrap()["checksum"]);
}

/// Heaps, a board and dice: every duel has an encoding to learn by.
#[test]
fn networks_are_learned_for_games_of_every_kind_and_used_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    for game in ["matches(9)", "marienbad(2)", "tictactoe", "dice(12, 1)", "hexapawn"] {
        let file = folder.path().join("game.net");
        let file = file.to_str().unwrap();
        let short: &[&str] = &[
            "--rounds",
            "2",
            "--games",
            "60",
            "--check",
            "2",
            "--pairs",
            "2",
            "--positions",
            "20",
            "--hidden",
            "8",
            "--match-sims",
            "10",
        ];
        let learned = json(&store, &[&["learn", game, "--out", file], short].concat());
        if learned["generations"][0]["kept"] == false {
            continue;
        }
        for player in [
            format!("mcts(sims=20, eval=net({file}))"),
            format!("deepening(depth=2, secs=0, eval=net({file}))"),
            format!("policy({file})"),
        ] {
            json(&store, &["match", game, &player, "random", "-n", "1"]);
        }
        let said = refusal(&store, &["match", "divide", &format!("policy({file})"), "random"]);
        let name = game.split('(').next().unwrap();
        assert!(said.contains(name) && said.contains("not for divide"), "{said}");
    }
    let said = refusal(&store, &["learn", "hextris"]);
    assert!(said.contains("only games of two sides"), "{said}");
    let said = refusal(&store, &["learn", "tictactoe", "--inputs", "rings"]);
    assert!(said.contains("lines4"), "{said}");
    for (game, inputs) in [("marienbad", "lines3"), ("tictactoe", "lines4"), ("matches", "lines2")]
    {
        let said = refusal(&store, &["learn", game, "--inputs", inputs]);
        assert!(said.contains("try cells"), "{said}");
    }
    for method in [["--method", "net"], ["--out", "t.net"]] {
        let said =
            refusal(&store, &[&["learn", "tictactoe", "--phases", "2"], &method[..]].concat());
        assert!(said.contains("--method patterns"), "{said}");
    }
}

#[test]
fn a_model_is_used_by_its_file_name_and_refused_for_another_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let model = folder.path().join("model.lpat");
    let model = model.to_str().unwrap();
    let short: &[&str] = &["--rounds", "1", "--games", "60", "--depth", "1", "--pairs", "2"];
    json(&store, &[&["learn", "tictactoe", "--out", model], short].concat());
    let player = format!("alphabeta(3, eval=patterns({model}))");
    json(&store, &["match", "tictactoe", &player, "random", "-n", "2"]);
    let said = refusal(&store, &["match", "connect4", &player, "random", "-n", "2"]);
    assert!(said.contains("the model is for tictactoe, not for connect4"), "{said}");
    let missing = "alphabeta(eval=patterns(no/such.lpat))";
    let said = refusal(&store, &["match", "tictactoe", missing, "random", "-n", "2"]);
    assert!(said.contains("no/such.lpat cannot be read"), "{said}");
    let said = refusal(&store, &["learn", "matches", "--method", "patterns"]);
    assert!(said.contains("only games of pieces on a board"), "{said}");
    let said = refusal(&store, &["learn", "tictactoe", "--trust", "2"]);
    assert!(said.contains("0 to 1 is allowed"), "{said}");
}

#[test]
fn what_is_learned_is_written_to_a_new_file_named_after_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let short: &[&str] = &["--rounds", "1", "--games", "20", "--pairs", "1"];
    let learn = |game, more: &[&str]| json(&store, &[&["learn", game], short, more].concat());
    for file in ["connect4-4-4.lpat", "connect4-4-4-2.lpat"] {
        let report = learn("connect4(4, 4)", &["--depth", "1"]);
        let out = report["settings"]["out"].as_str().unwrap();
        assert!(Path::new(out).ends_with(file), "{out}");
        assert!(folder.path().join(file).exists(), "{file}");
    }
    learn("tictactoe", &["--positions", "0", "--match-sims", "10"]);
    let player = "mcts(sims=10, eval=net(tictactoe.net))";
    json(&store, &["match", "tictactoe", player, "random", "-n", "1"]);
}

#[test]
fn patterns_are_learned_from_searches_of_a_number_of_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let short: &[&str] = &["--rounds", "2", "--games", "20", "--pairs", "2"];
    let learn = ["learn", "checkers(english)", "--nodes", "40"];
    let report = json(&store, &[&learn, short].concat());
    assert_eq!(report["settings"]["terms"]["nodes"], 40, "{report}");
    assert_eq!(report["generations"].as_array().unwrap().len(), 2, "{report}");
    let said = refusal(&store, &["learn", "checkers", "--nodes", "40", "--depth", "2"]);
    assert!(said.contains("--depth"), "{said}");
    let said = refusal(&store, &["learn", "checkers", "--nodes", "0"]);
    assert!(said.contains("1..") || said.contains("1 to"), "{said}");
}

/// Returns the bytes of a network file whose header is changed by `change` and whose first weight is
/// `weight`.
fn changed_network(bytes: &[u8], change: impl Fn(&str) -> String, weight: Option<f32>) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&bytes[8..8 + length]).unwrap());
    let mut changed = (header.len() as u64).to_le_bytes().to_vec();
    changed.extend(header.as_bytes());
    let data = changed.len();
    changed.extend(&bytes[8 + length..]);
    if let Some(weight) = weight {
        changed[data..data + 4].copy_from_slice(&weight.to_le_bytes());
    }
    changed
}

#[test]
fn networks_that_do_not_fit_are_refused_in_one_sentence_before_a_game_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let file = folder.path().join("good.net");
    let file = file.to_str().unwrap();
    let short: &[&str] = &[
        "--rounds",
        "1",
        "--games",
        "60",
        "--pairs",
        "1",
        "--positions",
        "0",
        "--match-sims",
        "10",
    ];
    json(&store, &[&["learn", "tictactoe", "--seed", "2", "--out", file], short].concat());
    let good = std::fs::read(file).unwrap();
    let same = |header: &str| header.to_owned();
    let renamed = |header: &str| header.replace("value.bias", "value.bent");
    let bad: [(&str, Vec<u8>); 6] = [
        ("empty", Vec::new()),
        ("torn", good[..good.len() / 2].to_vec()),
        ("longer", [&good[..], &[0; 3]].concat()),
        ("nan", changed_network(&good, same, Some(f32::NAN))),
        ("infinite", changed_network(&good, same, Some(f32::INFINITY))),
        ("layout", changed_network(&good, renamed, None)),
    ];
    let refused = |game: &str, file: &str| {
        for player in [
            format!("mcts(eval=net({file}))"),
            format!("deepening(eval=net({file}))"),
            format!("policy({file})"),
        ] {
            let said = refusal(&store, &["match", game, &player, "random", "-n", "1"]);
            let error: Value = serde_json::from_str(&said).unwrap();
            let text = error["error"]["message"].as_str().unwrap();
            assert!(text.contains(file) && text.lines().count() == 1, "{said}");
        }
    };
    for (name, bytes) in bad {
        let file = folder.path().join(format!("{name}.net"));
        std::fs::write(&file, bytes).unwrap();
        refused("tictactoe", file.to_str().unwrap());
    }
    refused("connect4", file);
    refused("morpion", file);
    let runs = rusqlite::Connection::open(&store).unwrap();
    let games: u32 = runs.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap();
    assert_eq!(games, 0, "nothing is played");
}
