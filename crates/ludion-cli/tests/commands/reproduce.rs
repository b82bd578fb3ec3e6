//! `ludion reproduce`: the report of every work at the tiny size, its pages, and that kept reports are
//! those that the guide quotes.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const WORKS: [&str; 5] = ["players", "tree-search", "mastermind", "checkers", "hextris"];
const VERDICTS: [&str; 4] =
    ["confirmed", "refuted", "inside the noise", "cannot be known from what was published"];

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

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn items(report: &Value) -> &Vec<Value> {
    report["items"].as_array().expect("items")
}

/// Checks that a report has everything that a reader needs of every item.
fn check_shape(work: &str, report: &Value) {
    let mut ids = HashSet::new();
    for item in items(report) {
        let id = text(&item["id"]);
        assert!(ids.insert(id), "{work} has {id} twice");
        for field in ["kind", "place", "title", "published"] {
            assert!(!text(&item[field]).is_empty(), "{work} {id} has no {field}");
        }
        let command = text(&item["command"]);
        assert_eq!(command, format!("ludion reproduce {work} --only {id} --tiny --seed 1"));
        let finding = &item["finding"];
        assert!(VERDICTS.contains(&text(&finding["verdict"])), "{work} {id}: {finding}");
        assert!(text(&finding["reason"]).len() > 20, "{work} {id} has no reason");
        for one in finding["comparisons"].as_array().expect("comparisons") {
            assert!(VERDICTS.contains(&text(&one["verdict"])), "{work} {id}: {one}");
            assert!(!text(&one["what"]).is_empty() && !text(&one["ours"]).is_empty(), "{one}");
        }
        for table in finding["tables"].as_array().expect("tables") {
            let columns = table["columns"].as_array().expect("columns").len();
            let rows = table["rows"].as_array().expect("rows");
            let is_whole = |row: &Value| row.as_array().expect("cells").len() == columns;
            assert!(!rows.is_empty() && rows.iter().all(is_whole), "{work} {id}: {table}");
        }
        for figure in finding["figures"].as_array().expect("figures") {
            assert!(text(&figure["svg"]).starts_with("<svg"), "{work} {id}");
        }
    }
    let counts = report["counts"].as_object().expect("counts").values();
    let counted: u64 = counts.map(|count| count.as_u64().expect("a count")).sum();
    assert_eq!(counted, ids.len() as u64, "every item has a verdict");
    assert_eq!(report["counts"]["missing"], 0);
}

/// Checks that the pages have every item and load nothing.
fn check_pages(work: &str, report: &Value, folder: &Path) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a page");
    let (html, markdown) = (read("report.html"), read("report.md"));
    for part in ["src=", "<script", "<link", "@import"] {
        assert!(!html.contains(part), "{work}: the page loads something: {part}");
    }
    for item in items(report) {
        let (id, command) = (text(&item["id"]), text(&item["command"]));
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{work} {id}");
        assert!(markdown.contains(&format!("{command}\n")), "{work} {id}");
    }
    let links = markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links {
        assert!(folder.join(link).exists(), "{work}: there is no {link}");
    }
}

fn reproduce(work: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let report = json(at, &["reproduce", work, "--tiny", "--out", "report", "--threads", "2"]);
    assert_eq!((text(&report["work"]), text(&report["size"])), (work, "tiny"));
    check_shape(work, &report);
    check_pages(work, &report, &at.join("report"));
    let repeated = ludion(at, &["run", "repeat", "1", "--threads", "1"]);
    assert!(repeated.status.success(), "{work}: {}", String::from_utf8_lossy(&repeated.stdout));
    // An item by itself gives the figures that it has in the whole report.
    let is_repeatable = |item: &&Value| item["clock"] == false;
    let first = items(&report).iter().skip(1).find(is_repeatable).expect("an item");
    let only = json(at, &["reproduce", work, "--tiny", "--only", text(&first["id"])]);
    let alone = items(&only).iter().find(|item| item["id"] == first["id"]).expect("the item");
    assert_eq!(alone["finding"], first["finding"]);
}

#[test]
fn the_exercise_sheet_is_reproduced() {
    reproduce("players");
}

#[test]
fn the_study_of_tree_search_is_reproduced() {
    reproduce("tree-search");
}

#[test]
fn the_study_of_mastermind_is_reproduced() {
    reproduce("mastermind");
}

#[test]
fn the_study_of_checkers_is_reproduced() {
    reproduce("checkers");
}

#[test]
fn the_report_about_hexagonal_tetris_is_reproduced() {
    reproduce("hextris");
}

#[test]
fn works_are_listed_and_unknown_names_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let listed = json(at, &["reproduce"]);
    let names = listed["works"].as_array().expect("works").iter().map(|work| text(&work["name"]));
    assert_eq!(names.collect::<Vec<_>>(), WORKS);
    for (args, sentence) in [
        (&["reproduce", "chess"][..], "there is no work \"chess\"; the works are players"),
        (&["reproduce", "players", "--only", "nothing"], "players has no item \"nothing\", only"),
        (&["reproduce", "players", "--problems", "."], "has no problem of hexagonal Tetris"),
    ] {
        let out = ludion(at, args);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && error.contains(sentence), "{args:?}: {error}");
    }
}

#[test]
fn the_report_of_a_stored_run_is_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let report = json(at, &["reproduce", "players", "--tiny", "--only", "calls"]);
    let again = json(at, &["reproduce", "--from", "1", "--out", "again"]);
    assert_eq!(again["items"], report["items"]);
    assert!(at.join("again/report.html").exists());
}

#[test]
fn items_that_measure_time_are_taken_from_a_later_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let only = ["reproduce", "players", "--tiny", "--only"];
    let first = json(at, &[&only[..], &["calls,deepening-time"]].concat());
    let later = json(at, &[&only[..], &["deepening-time"]].concat());
    let both = json(at, &["reproduce", "--from", "1,2"]);
    assert_eq!(both["complete"], true);
    assert_eq!(items(&both)[0], items(&first)[0]);
    assert_eq!(items(&both)[1], items(&later)[0]);
    json(at, &["reproduce", "players", "--tiny", "--only", "deepening-time", "--seed", "2"]);
    let out = ludion(at, &["reproduce", "--from", "1,3"]);
    let error = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && error.contains("different works"), "{error}");
}

/// Returns the folder of the kept reports.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproductions")
}

#[test]
fn the_guide_quotes_the_kept_reports() {
    let guide = kept().join("../guide/reproduce.md");
    let guide = fs::read_to_string(guide).expect("the guide");
    for work in WORKS {
        let report = fs::read_to_string(kept().join(format!("{work}.md"))).expect("a report");
        let counts = report.lines().find(|line| line.contains(" items: ")).expect("the counts");
        assert!(guide.contains(counts.trim_end_matches('.')), "{work}: {counts}");
    }
    // Every line of the guide that quotes a comparison is a line of a kept report.
    let reports: String = WORKS
        .iter()
        .map(|work| fs::read_to_string(kept().join(format!("{work}.md"))).expect("a report"))
        .collect();
    let quoted: Vec<&str> = guide
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(['✓', '✗', '≈']))
        .collect();
    assert!(quoted.len() >= 5, "the guide quotes some lines");
    for line in quoted {
        assert!(reports.contains(line), "no kept report has: {line}");
    }
}
