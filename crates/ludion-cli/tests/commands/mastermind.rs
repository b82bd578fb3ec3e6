//! The Mastermind commands: figures, interactive sessions, errors.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use ludion::random::Rng;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::Mastermind;
use serde_json::{Value, json};

fn ludion(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.arg("mastermind").args(args).env("LUDION_STORE", ":memory:");
    command.env("LUDION_QUIET", "1");
    command
}

fn answer(args: &[&str]) -> Value {
    let Output { status, stdout, stderr } =
        ludion(args).arg("--json").output().expect("the program starts");
    assert!(status.success() && stderr.is_empty(), "{args:?}: {stderr:?}");
    serde_json::from_slice(&stdout).expect("JSON")
}

/// Returns the output of a session with this input.
fn typed(args: &[&str], lines: &str) -> String {
    let mut command = ludion(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the program reads");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    assert_eq!((status.code(), &stderr[..]), (Some(0), &b""[..]), "{args:?}");
    String::from_utf8(stdout).expect("text")
}

/// Checks that the text contains the sentences in this order.
fn in_order(text: &str, sentences: &[&str]) {
    let mut rest = text;
    for sentence in sentences {
        let at = rest
            .find(sentence)
            .unwrap_or_else(|| panic!("{sentence:?} is not in its place: {text}"));
        rest = &rest[at + sentence.len()..];
    }
}

#[test]
fn strategies_are_measured_over_all_codes() {
    let best = answer(&["break"]);
    assert_eq!((&best["strategy"], &best["total"]), (&json!("optimal"), &json!(5625)));
    assert_eq!((&best["worst"], &best["sampled"]), (&json!(6), &json!(false)));
    assert_eq!(best["distribution"].as_array().map(Vec::len), Some(6));
    let knuth = answer(&["break", "--strategy", "minimax"]);
    assert_eq!((&knuth["total"], &knuth["worst"]), (&json!(5801), &json!(5)));
    let mean = knuth["mean"].as_f64().expect("a number");
    assert!((mean - 5801.0 / 1296.0).abs() < 1e-12);
}

#[test]
fn sampled_games_depend_only_on_the_seed() {
    let games = |seed: &str, threads: &str| {
        let sizes = ["break", "--pegs", "3", "--colours", "8", "--strategy", "random"];
        let rest = ["--games", "100", "--seed", seed, "--threads", threads];
        answer(&[&sizes[..], &rest].concat())["distribution"].clone()
    };
    assert_eq!(games("3", "1"), games("3", "3"));
    assert_ne!(games("3", "1"), games("4", "1"));
}

#[test]
fn an_optimal_tree_is_computed_once_and_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("lab.sqlite");
    let args = ["break", "--pegs", "3", "--colours", "5", "--worst", "5", "--json"];
    let run = || {
        let out = ludion(&args).env("LUDION_STORE", &store).output().expect("the program starts");
        assert!(out.status.success(), "{out:?}");
        serde_json::from_slice::<Value>(&out.stdout).expect("JSON")["total"].clone()
    };
    let total = run();
    let kept = rusqlite::Connection::open(&store).expect("a store");
    let name = "SELECT name FROM keepsakes WHERE kind = 'mastermind tree'";
    let name: String = kept.query_row(name, [], |row| row.get(0)).expect("one tree");
    assert_eq!(name, "mastermind(3, 5) within 5");
    assert_eq!(run(), total);
    // A stored value that is not a tree is computed again.
    kept.execute("UPDATE keepsakes SET value = x'00'", []).expect("a change");
    assert_eq!(run(), total);
}

#[test]
fn one_game_is_shown_with_the_codes_that_are_left() {
    let game = answer(&["break", "--secret", "3662", "--strategy", "entropy"]);
    let asked = game["asked"].as_array().expect("a list");
    assert_eq!(asked.last().expect("a guess")["answer"], "4b0w");
    let left: Vec<u64> = asked.iter().map(|a| a["left"].as_u64().expect("a number")).collect();
    assert!(left.is_sorted_by(|a, b| a >= b) && left.last() == Some(&1), "{left:?}");
}

#[test]
fn play_handles_guesses_hints_errors_and_the_end() {
    let lines = "112\n1122\nhint\nbits 1345\nundo\nshow\n3663\n7111\nhelp\n3662\n";
    let text = typed(&["play", "--secret", "3662"], lines);
    in_order(
        &text,
        &[
            "mastermind(4, 6)",
            "\"112\": 3 colours, and a code has 4",
            "left, ",
            "bits",
            "expected a colour",
            "give up",
            "found in 2 guesses",
        ],
    );
    let text = typed(&["play", "--secret", "3662"], "undo\ngive up\n");
    in_order(&text, &["there is no guess to take back", "the code was 3662"]);
}

#[test]
fn contradictory_answers_are_named_and_can_be_corrected() {
    let args = ["advise", "--strategy", "entropy"];
    let lines = "1122=0b0w\n3456=1b1w\n1112 1b0w\n3b1w\nhint\nedit 9 0b0w\nedit 3 0b0w\nremove 3\n2=3\nquit\n";
    let text = typed(&args, lines);
    in_order(
        &text,
        &[
            "1296 codes left, 10.34 bits; ask ",
            "256 codes left, 8.00 bits; ask ",
            "no code fits answers 1 and 3 together; without any one of them the others can be right",
            "if all but one are black, the last one cannot be white",
            "no code is left; mend an answer first",
            "\"9\" is no number of a guess; there are 3 guesses",
            "left, ",
            "left, ",
            "1 colours, and a code has 4",
            "good bye",
        ],
    );
}

#[test]
fn advice_as_json_is_one_object() {
    let advice = answer(&["advise", "--asked", "1122=1b1w", "--asked", "1344=0b2w"]);
    assert_eq!((&advice["conflict"], &advice["found"]), (&Value::Null, &json!(false)));
    assert!(advice["left"].as_u64() > Some(1) && advice["guess"].is_string(), "{advice}");
    let none = answer(&["advise", "--asked", "1122=0b0w", "--asked", "1112=1b0w"]);
    assert_eq!(none["conflict"], json!({"questions": [1, 2], "smallest": true}));
    assert_eq!((&none["left"], &none["guess"]), (&json!(0), &Value::Null));
}

#[test]
fn contradictions_are_found_also_if_codes_cannot_be_listed() {
    let sizes = ["advise", "--pegs", "10", "--colours", "10"];
    let advise = |asked: &[&str]| {
        let asked = asked.iter().flat_map(|asked| ["--asked", asked]);
        answer(&sizes.iter().copied().chain(asked).collect::<Vec<_>>())
    };
    let both = json!({"questions": [1, 2], "smallest": true});
    assert_eq!(advise(&["1112223344=2b3w", "1112223344=3b2w"])["conflict"], both);
    let apart = ["1-2-3-4-5-6-7-8-9-10=9b0w", "1-1-1-1-1-1-1-1-1-1=5b0w"];
    assert_eq!(advise(&apart)["conflict"], both);
    let fine = advise(&["1112223344=2b3w"]);
    assert_eq!((&fine["conflict"], &fine["doubt"]), (&Value::Null, &Value::Null));
    assert!(fine["guess"].is_string(), "{fine}");
    let text = typed(&sizes, "hint\nundo\nquit\n");
    let said =
        ["10000000000 codes at first, 33.22 bits", "a guess by search: ", "no answer to take"];
    in_order(&text, &said);
    let text = typed(&["play", "--pegs", "10", "--colours", "10"], "hint\ngive up\n");
    in_order(&text, &["10000000000 codes at first", "a guess by search: ", "the code was"]);
}

#[test]
fn advice_without_a_known_consistent_code_has_a_doubt() {
    // With 20 pegs too many codes are left to try all, and one of thirty answers is wrong.
    let rules = Mastermind::new(20, 20, true).expect("a riddle");
    let mut rng = Rng::new(3);
    let secret = rules.draw_secret(&mut rng);
    let mut args: Vec<String> =
        ["advise", "--pegs", "20", "--colours", "20"].map(Into::into).into();
    for number in 1..=30 {
        let guess = rules.draw_secret(&mut rng);
        let mut answer = rules.answer(&secret, &guess);
        if number == 30 {
            answer.white += 5;
        }
        args.extend(["--asked".into(), format!("{}={answer}", rules.show_code(&guess))]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let doubt = answer(&args);
    assert_eq!(doubt["conflict"], Value::Null, "{doubt}");
    let said = "no code was found that fits all answers; they may contradict each other";
    assert_eq!(doubt["doubt"], said, "{doubt}");
    let guess = doubt["guess"].as_str().expect("a guess");
    assert!(rules.read_code(guess).is_ok() && args.iter().all(|arg| !arg.starts_with(guess)));
}

#[test]
fn a_table_has_every_size_once_and_no_interval_of_too_few_runs() {
    let table = |runs: &str| {
        let sizes = ["table", "--pegs", "4,4", "--colours", "6,6", "--runs", runs];
        answer(&sizes)["cells"].as_array().expect("a list").clone()
    };
    let (few, enough) = (table("2"), table("8"));
    assert_eq!((few.len(), enough.len()), (1, 1));
    assert!(few[0]["iterations"]["median"].is_number(), "{few:?}");
    assert_eq!(few[0]["iterations"]["low"], Value::Null);
    assert!(enough[0]["iterations"]["low"].is_number(), "{enough:?}");
}

#[test]
fn a_code_found_by_an_earlier_guess_counts_as_found() {
    let found = answer(&["advise", "--asked", "1122=4b0w", "--asked", "1134=2b0w"]);
    assert_eq!((&found["found"], &found["guess"]), (&json!(true), &Value::Null));
    let contrary = answer(&["advise", "--asked", "1122=4b0w", "--asked", "1134=1b0w"]);
    assert_eq!(contrary["conflict"], json!({"questions": [1, 2], "smallest": true}));
}

#[test]
fn a_tree_is_written_and_read_in_both_forms() {
    let folder = tempfile::tempdir().expect("a folder");
    let sizes = ["--pegs", "3", "--colours", "4"];
    for name in ["tree.json", "tree.txt"] {
        let path = folder.path().join(name).display().to_string();
        let options = ["tree", "--strategy", "mixed", "--bound", "--export", &path];
        let written = answer(&[&options[..], &sizes].concat());
        let read = answer(&[&["tree", "--import", &path][..], &sizes].concat());
        for key in ["codes", "total", "worst", "distribution"] {
            assert_eq!(written[key], read[key], "{name}: {key}");
        }
        assert_eq!(written["codes"], json!(64));
        assert!(written["least"].as_u64() <= written["total"].as_u64());
    }
    let path = folder.path().join("tree.txt").display().to_string();
    let other = ludion(&["tree", "--import", &path]).output().expect("the program starts");
    let text = String::from_utf8(other.stderr).expect("text");
    assert!(other.status.code() == Some(2) && text.contains("is no strategy tree"), "{text}");
}

#[test]
fn small_and_large_sizes_are_broken() {
    for (pegs, colours) in [("1", "256"), ("2", "17"), ("3", "50"), ("256", "1"), ("100", "100")] {
        let sizes = ["break", "--games", "1", "--pegs", pegs, "--colours", colours];
        assert_eq!(answer(&sizes)["games"], json!(1), "{pegs} {colours}");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let cases: [(&[&str], &str); 21] = [
        (&["run", "--weights", "1,2"], "weights is 1,2; allowed is black above white"),
        (
            &["run", "--law", "discarding", "--pegs", "40", "--colours", "40"],
            "the share of draws without a repeat is 6.7e-17; allowed is 0.0001 or more",
        ),
        (&["chain", "--length", "0"], "length is 0; allowed is 1 to 100000000"),
        (&["chain", "--burn-in", "99999999999999"], "burn-in is 99999999999999; allowed is 0 to"),
        (&["chain", "--lags", "0"], "lags is 0; allowed is 1 to 10000"),
        (&["chain", "--coordinates", "0"], "coordinates is 0; allowed is 1 to 256"),
        (&["chain", "--lambda", "1e308"], "lambda is 1e308; allowed is 0 to 100"),
        (
            &["chain", "--pegs", "4", "--colours", "4", "--lambda", "0"],
            "with lambda 0 and as many colours as pegs the chain takes turns",
        ),
        (&["run", "--law", "mallows", "--lambda", "-1"], "lambda is -1; allowed is 0 to 100"),
        (&["run", "--alpha", "2"], "alpha is 2; allowed is above 0 and at most 1"),
        (&["run", "-C", "0"], "-C is 0; allowed is 1 or more"),
        (
            &["run", "--csv", "/nonexistent/x.csv"],
            "invalid value '/nonexistent/x.csv' for '--csv <FILE>': there is no folder /nonexistent",
        ),
        (&["break", "--secret", "112"], "\"112\": 3 colours, and a code has 4"),
        (&["break", "--secret", "1127"], "expected a colour, 1 to 6, at character 4 of \"1127\""),
        (
            &["break", "--colours", "3", "--no-repeats"],
            "4 pegs of different colours need at least 4 colours, and there are 3",
        ),
        (
            &["advise", "--asked", "1122=3b1w"],
            "\"3b1w\": if all but one are black, the last one cannot be white",
        ),
        (
            &["advise", "--asked", "1122"],
            "\"1122\": what was asked is written guess=answer, such as 1122=1b1w",
        ),
        (&["break", "--strategy", "knut"], "no strategy is called \"knut\""),
        (&["break", "--strategy", "size", "--worst", "5"], "--worst is for optimal, not for size"),
        (&["break", "--worst", "3"], "no strategy finds every code within 3 guesses"),
        (&["play", "--json"], "a person cannot play in JSON; leave --json out"),
    ];
    for (args, sentence) in cases {
        let Output { status, stdout, stderr } = ludion(args).output().expect("the program starts");
        let text = String::from_utf8(stderr).expect("text");
        assert_eq!((status.code(), &stdout[..]), (Some(2), &b""[..]), "{args:?}: {text}");
        let json = format!("{{\"error\":{{\"message\":{}", serde_json::json!(sentence));
        let is_told = text.starts_with(&format!("error: {sentence}"))
            || text.starts_with(json.trim_end_matches('"'));
        assert!(is_told, "{args:?}: {text}");
    }
}

#[test]
fn every_command_has_examples_that_work() {
    for name in ["break", "play", "advise"] {
        let help = ludion(&[name, "--help"]).output().expect("the program starts");
        let text = String::from_utf8(help.stdout).expect("text");
        let examples: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("  ludion mastermind ")).collect();
        assert!(examples.len() >= 2, "{text}");
        for example in examples {
            let words = example.split("   ").next().unwrap_or(example).split(' ');
            let mut command = ludion(&words.collect::<Vec<_>>());
            let out = command.stdin(Stdio::null()).output().expect("the program starts");
            assert_eq!((out.status.code(), &out.stderr[..]), (Some(0), &b""[..]), "{example}");
        }
    }
}
