//! The dependencies between modules in ARCHITECTURE.md, checked against the `use` lines of the
//! sources.
//!
//! Games know the core and `erased`, with which they offer their entries to the registry; they
//! know neither searches nor players. `erased` knows every kind of player, but no game. Only
//! `registry` knows all games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate, each with those that it may use besides itself and the core.
type AllowedUse = &'static [(&'static str, &'static [&'static str])];

/// The modules of `ludion-players`.
const PLAYERS: AllowedUse = &[
    ("archive", &[]),
    ("search", &[]),
    ("players", &["search"]),
    ("arena", &["search"]),
    ("learn", &["archive", "arena", "players", "search"]),
    ("erased", &["archive", "arena", "learn", "players", "search"]),
    ("registry", &["archive", "erased"]),
];

/// The modules of `ludion`, and those of `ludion-players` that it offers.
const GAMES: AllowedUse = &[
    // Games may bring players of their own, which may use the searches.
    ("games", &["erased", "search"]),
    ("riddles", &["erased"]),
    ("registry", &["games", "riddles"]),
    ("archive", &[]),
    ("search", &[]),
    ("players", &[]),
    ("arena", &[]),
    ("learn", &[]),
    ("erased", &[]),
];

/// The crates that `ludion` offers as its own modules, each with the crates of Ludion that it may use.
const CRATES: &[(&str, &[&str])] = &[
    ("ludion-core", &[]),
    ("ludion-optimise", &["ludion-core"]),
    ("ludion-connect4", &["ludion-core"]),
    ("ludion-checkers", &["ludion-core"]),
    ("ludion-hextris", &["ludion-core"]),
    ("ludion-mastermind", &["ludion-core", "ludion-optimise"]),
    ("ludion-players", &["ludion-core"]),
];

/// The crates above the players that the games must not reach, so that a change of rules does not
/// compile them again.
const WITHOUT_GAMES: &[&str] = &[
    "ludion-bot",
    "ludion-cluster",
    "ludion-runs",
    "ludion-server",
    "ludion-store",
    "ludion-train",
];

/// Returns the crates of Ludion in the dependencies of a crate, without those of its tests.
fn used_crates(name: &str) -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
    let after = manifest.split("[dependencies]").nth(1).unwrap();
    let lines = after.split("\n[").next().unwrap().lines();
    let names = lines.filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|used| used.starts_with("ludion")).map(str::to_owned).collect()
}

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

/// Checks the modules that the sources of a crate use.
fn check_modules(src: &Path, allowed_use: AllowedUse) {
    let is_module = |used: &str| allowed_use.iter().any(|(name, _)| *name == used);
    // Test files may use every game, as test modules may.
    for file in sources(src).into_iter().filter(|file| !file.ends_with("tests.rs")) {
        let inside = file.strip_prefix(src).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        let known = allowed_use.iter().find(|(name, _)| *name == module);
        assert!(known.is_some() || first != module, "{module} is not in the table of modules");
        let allowed = known.map_or(&[][..], |(_, to)| to);
        for used in used_modules(&fs::read_to_string(&file).unwrap()) {
            let used = used.as_str();
            assert!(
                !is_module(used) || used == module || allowed.contains(&used),
                "{} uses {used}, which is not allowed",
                inside.display()
            );
        }
    }
}

#[test]
fn modules_use_only_allowed_modules() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR"));
    check_modules(&games.join("src"), GAMES);
    check_modules(&games.parent().unwrap().join("ludion-players/src"), PLAYERS);
}

#[test]
fn crates_beside_the_program_do_not_use_the_games() {
    for name in WITHOUT_GAMES {
        let used = used_crates(name);
        assert!(!used.contains(&"ludion".to_owned()), "{name} uses ludion: {used:?}");
        assert!(used.iter().any(|used| used.starts_with("ludion-")), "{name}: {used:?}");
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
fn crates_of_rules_and_players_use_only_allowed_crates() {
    for (name, allowed) in CRATES {
        for used in used_crates(name) {
            assert!(allowed.contains(&used.as_str()), "{name} uses {used}, which is not allowed");
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
