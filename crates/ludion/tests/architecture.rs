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
    ("optimise", &[]),
    ("search", &[]),
    ("players", &["search"]),
    ("arena", &["search"]),
    ("learn", &["archive", "arena", "players", "search"]),
    ("erased", &["archive", "arena", "learn", "players", "search"]),
    ("games", &["erased"]),
    ("riddles", &["erased", "optimise"]),
    ("registry", &["archive", "erased", "games", "riddles"]),
];

/// Folders that may use only these modules of the core.
const LIMITED_USE: &[(&str, &[&str])] = &[("optimise", &["random"])];

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
            let stranger = LIMITED_USE.iter().find(|(name, _)| *name == module);
            assert!(
                core && stranger.is_none_or(|(_, known)| known.contains(&used))
                    || used == module
                    || allowed.contains(&used),
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
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&src) {
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
