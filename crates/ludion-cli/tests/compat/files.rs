//! Formats that other programs read and write: model files and the bot protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::compare::{Mode, compare};
use crate::program::{BackgroundProcess, TestFolder, compat_path, golden};

/// The header of a safetensors file: its length, then JSON. The metadata of Ludion is JSON in a
/// string of it.
fn network_header(bytes: &[u8]) -> Value {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"));
    let mut header: Value = serde_json::from_slice(&bytes[8..8 + length as usize]).expect("JSON");
    let about = header["__metadata__"]["ludion"].as_str().expect("a description");
    header["__metadata__"]["ludion"] = serde_json::from_str(about).expect("JSON");
    header
}

/// The header of a pattern model: `LPAT`, the version of the format, a length, then JSON.
fn patterns_header(bytes: &[u8]) -> Value {
    assert_eq!(bytes[..6], *b"LPAT\x01\0");
    let length = u32::from_le_bytes(bytes[6..10].try_into().expect("4 bytes"));
    serde_json::from_slice(&bytes[10..10 + length as usize]).expect("JSON")
}

/// Trains the model of a fixture again and compares the headers of the two files.
fn compare_models(fixture: &str, train: &str, header: fn(&[u8]) -> Value) {
    let folder = TestFolder::new();
    let words: Vec<String> = train.split(' ').map(str::to_owned).collect();
    folder.output(&words, "none").expect("a model");
    let read = |path| header(&std::fs::read(path).expect("a model"));
    let now = read(folder.path().join("new.model"));
    let then = read(compat_path("fixtures").join(fixture));
    let mut found = Vec::new();
    compare(fixture, "", &then, &now, Mode::Values, &mut found);
    // The fixture was written without --out, see record.sh.
    found.retain(|difference| !difference.starts_with("patterns.lpat.training.settings.out:"));
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn networks_are_written_as_0_1_0_wrote_them() {
    let train = "train checkers --data archive.games --epochs 2 --layers 4 --out new.model";
    compare_models("network.safetensors", train, network_header);
}

#[test]
fn patterns_are_written_as_0_1_0_wrote_them() {
    let learn = "learn tictactoe --rounds 2 --games 50 --pairs 20 --depth 2 --out new.model";
    compare_models("patterns.lpat", learn, patterns_header);
}

/// Removes what may change from a line: names for people, the list of games, and times.
fn stable_part(line: &str) -> String {
    let fields = ["id name", "id author", "feature game"];
    if let Some(field) = fields.into_iter().find(|field| line.starts_with(field)) {
        return field.to_owned();
    }
    let mut words: Vec<&str> = line.split(' ').collect();
    if let Some(at) = words.iter().position(|word| *word == "time") {
        words.remove(at + 1);
    }
    words.join(" ")
}

/// The first word of the last line of the answer to `line`.
fn end_of_answer(line: &str) -> Option<&'static str> {
    match line.split(' ').next() {
        Some("ugi") => Some("ugiok"),
        Some("isready") => Some("readyok"),
        Some("go") => Some("bestmove"),
        Some("query") => Some("response"),
        _ => None,
    }
}

#[test]
fn a_player_speaks_the_bot_protocol_as_in_0_1_0() {
    let folder = TestFolder::new();
    let mut command = folder.ludion(["bot", "serve", "hexapawn(4, 4)", "minimax(depth=3)"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bot = BackgroundProcess::start(&mut command);
    let mut input = bot.0.stdin.take().expect("its input");
    let mut output = BufReader::new(bot.0.stdout.take().expect("its output")).lines();
    let mut said = Vec::new();
    for line in std::fs::read_to_string(compat_path("lists/bot.txt")).expect("a list").lines() {
        writeln!(input, "{line}").expect("it listens");
        // The order of answers is not defined for lines that arrive during a search.
        let Some(end) = end_of_answer(line) else { continue };
        loop {
            said.push(output.next().expect("an answer").expect("text"));
            if said.last().is_some_and(|line| line.starts_with(end)) {
                break;
            }
        }
    }
    said.extend(output.map(|line| line.expect("text")));
    let golden = golden("bot.txt");
    let golden: Vec<String> = golden.lines().map(stable_part).collect();
    assert_eq!(said.iter().map(|line| stable_part(line)).collect::<Vec<_>>(), golden);
}
