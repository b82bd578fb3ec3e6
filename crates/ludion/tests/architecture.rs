//! The dependencies between modules in ARCHITECTURE.md, checked against the `use` lines of the
//! sources.
//!
//! Games know the core and `erased`, with which they offer their entries to the registry; they
//! know neither searches nor players. `erased` knows every kind of player, but no game. Only
//! `registry` knows all games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each folder of the library may use, besides itself and the core (the files
/// directly in `src/`).
const ALLOWED_USE: &[(&str, &[&str])] = &[
    ("archive", &[]),
    ("search", &[]),
    ("players", &["search"]),
    ("arena", &["search"]),
    ("learn", &["archive", "arena", "players", "search"]),
    ("erased", &["archive", "arena", "learn", "players", "search"]),
    ("games", &["erased"]),
    ("riddles", &["erased"]),
    ("registry", &["archive", "erased", "games", "riddles"]),
];

/// The crates that `ludion` offers as its own modules, each with the crates of Ludion that it may use.
const CRATES: &[(&str, &[&str])] = &[
    ("ludion-core", &[]),
    ("ludion-optimise", &["ludion-core"]),
    ("ludion-connect4", &["ludion-core"]),
    ("ludion-checkers", &["ludion-core"]),
    ("ludion-hextris", &["ludion-core"]),
    ("ludion-mastermind", &["ludion-core", "ludion-optimise"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    files
}

/// Returns the modules named after `crate::` outside comments and test modules.
fn used_modules(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn modules_use_only_allowed_modules() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders: Vec<&str> = ALLOWED_USE.iter().map(|(name, _)| *name).collect();
    // Test files may use every game, as test modules may.
    for file in sources(&src).into_iter().filter(|file| !file.ends_with("tests.rs")) {
        let inside = file.strip_prefix(&src).unwrap();
        let module =
            inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let allowed =
            ALLOWED_USE.iter().find(|(name, _)| *name == module).map_or(&[][..], |(_, to)| to);
        for used in used_modules(&fs::read_to_string(&file).unwrap()) {
            let used = used.as_str();
            let core = !folders.contains(&used);
            assert!(
                core || used == module || allowed.contains(&used),
                "{} uses {used}, which is not allowed",
                inside.display()
            );
        }
    }
}

#[test]
fn every_folder_has_an_entry() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(
            !entry.is_dir() || ALLOWED_USE.iter().any(|(folder, _)| *folder == name),
            "{name} is not in the table of allowed modules"
        );
    }
}

#[test]
fn the_library_opens_no_file_and_no_socket() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let names = CRATES.iter().map(|(name, _)| *name).chain(["ludion"]);
    for file in names.flat_map(|name| sources(&crates.join(name).join("src"))) {
        let text = fs::read_to_string(&file).unwrap();
        for forbidden in
            ["std::fs", "fs::", "{fs", "std::net", "std::process", "SystemTime", "println!"]
        {
            let found = text
                .lines()
                .any(|line| line.contains(forbidden) && !line.trim_start().starts_with("//"));
            assert!(!found, "{} uses {forbidden}", file.display());
        }
    }
}

#[test]
fn crates_of_rules_use_only_allowed_crates() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (name, allowed) in CRATES {
        let manifest = fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap();
        let used =
            dependencies.lines().filter_map(|line| line.split_once('.').map(|(used, _)| used));
        for used in used.filter(|used| used.starts_with("ludion")) {
            assert!(allowed.contains(&used), "{name} uses {used}, which is not allowed");
        }
    }
}

#[test]
fn optimisation_uses_only_random_numbers_of_the_core() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for file in sources(&crates.join("ludion-optimise/src")) {
        let text = fs::read_to_string(&file).unwrap();
        let others = text.split("ludion_core::").skip(1).find(|rest| !rest.starts_with("random"));
        assert!(others.is_none(), "{} uses {others:?}", file.display());
    }
}

#[test]
fn no_thread_is_started_by_a_call_that_panics_if_the_system_refuses() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let folders = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
    // The fuzz driver is a test.
    let folders = folders.filter(|folder| folder.is_dir() && !folder.ends_with("ludion-fuzz/src"));
    let mut files = folders.flat_map(|folder| sources(&folder));
    let starts = |line: &&str| line.contains("thread::spawn(") || line.contains("scope.spawn(");
    let start = files.find_map(|file| {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let is_test = file.ends_with("tests.rs");
        code.lines().find(starts).filter(|_| !is_test).map(|line| (file.clone(), line.to_owned()))
    });
    assert_eq!(start, None, "use ludion_core::threads or std::thread::Builder");
}
