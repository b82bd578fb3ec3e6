//! The driver runs every target. These variables of the environment change what it does:
//! `LUDION_FUZZ_SECONDS`, the time for all targets together on one thread (15),
//! `LUDION_FUZZ_SEED`, the seed of the mutations (1), `LUDION_FUZZ_THREADS`, the number of targets
//! that run at a time (1), and `LUDION_FUZZ_TARGET`, the name of the only target to run.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{Write, stderr};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use ludion_fuzz::campaign::{CampaignOptions, run};
use ludion_fuzz::{FuzzTarget, TARGETS, check, corpus};

fn setting<T: FromStr>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}, not a number")),
        Err(_) => default,
    }
}

#[test]
fn no_mutated_input_breaks_a_parser() {
    let only = env::var("LUDION_FUZZ_TARGET").ok();
    let targets: Vec<&'static FuzzTarget> = TARGETS
        .iter()
        .filter(|target| only.as_ref().is_none_or(|name| name == target.name))
        .collect();
    assert!(!targets.is_empty(), "no target is called {only:?}");
    let options = CampaignOptions {
        time: Duration::from_secs_f64(setting("LUDION_FUZZ_SECONDS", 15.0)),
        seed: setting("LUDION_FUZZ_SEED", 1),
        threads: setting("LUDION_FUZZ_THREADS", 1),
    };
    let reports = run(&targets, &options).unwrap();
    let mut text = format!("seed {}\n", options.seed);
    let mut findings = 0;
    for report in &reports {
        text += &format!("{report}\n");
        for finding in &report.findings {
            findings += 1;
            text += &format!("    {}\n    input: {}\n", finding.message, finding.file.display());
        }
    }
    let executions: u64 = reports.iter().map(|report| report.executions).sum();
    text += &format!("{executions} inputs, {findings} bugs\n");
    // Written directly, because the seed is needed even when the test passes.
    let _ = stderr().write_all(text.as_bytes());
    assert_eq!(findings, 0, "bugs were found:\n{text}");
}

#[test]
fn every_input_of_the_corpus_is_handled() {
    for target in TARGETS {
        let inputs = corpus::read(target).unwrap();
        let accepted = inputs.iter().filter(|input| check(target, &input.bytes).is_ok()).count();
        assert!(accepted > 0, "{}: no input of the corpus is valid", target.name);
    }
}

#[test]
fn the_corpus_is_small_and_has_a_folder_for_every_target() {
    let folder = corpus::folder(&TARGETS[0]).parent().unwrap().to_owned();
    let names: BTreeSet<String> = names_in(&folder);
    assert_eq!(names, TARGETS.iter().map(|target| target.name.to_owned()).collect());
    let bytes: usize = TARGETS
        .iter()
        .flat_map(|target| corpus::read(target).unwrap())
        .map(|input| input.bytes.len())
        .sum();
    assert!(bytes < 100_000, "the corpus has {bytes} bytes");
}

#[test]
fn cargo_fuzz_has_the_same_targets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let wanted: BTreeSet<String> =
        TARGETS.iter().map(|target| format!("{}.rs", target.name)).collect();
    assert_eq!(names_in(&folder.join("fuzz_targets")), wanted);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let name = target.name;
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in the manifest");
        let source = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(source.contains(&format!("ludion_fuzz::run(\"{name}\", input)")), "{name}");
    }
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
