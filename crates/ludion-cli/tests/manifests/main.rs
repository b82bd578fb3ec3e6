//! What the manifests promise: the Rust version, the licences, the contents of the packages, how much a
//! default build compiles, how large the program is and how fast it starts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod licences;
mod packages;
mod program;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Number of packages that the program with its default features is built from. More packages are
/// more minutes to the first game: raise it only on purpose.
const DEFAULT_PACKAGES: usize = 158;

fn cargo(args: &[&str]) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(args).arg("--locked").current_dir(env!("CARGO_MANIFEST_DIR"));
    let out = command.output().expect("cargo starts");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

/// Returns the target triple of this machine.
fn host() -> String {
    let out = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let text = String::from_utf8(out.stdout).expect("text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// Returns what cargo says of the workspace and of all packages it uses on this machine. Packages for
/// other systems may not be here.
fn metadata() -> Value {
    let args = ["metadata", "--format-version", "1", "--all-features", "--filter-platform"];
    serde_json::from_str(&cargo(&[&args[..], &[&host()]].concat())).expect("JSON")
}

/// Returns the folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the numbers of a version such as `1.89` or `1.89.0`.
fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|part| part.parse().expect("a number")).collect()
}

#[test]
fn no_dependency_needs_a_newer_rust_than_the_manifests_declare() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let declared = version(env!("CARGO_PKG_RUST_VERSION"));
    let newer = packages.iter().filter_map(|package| {
        let needed = package["rust_version"].as_str()?;
        (version(needed)[..2] > declared[..2])
            .then(|| format!("{} {} needs {needed}", package["name"], package["version"]))
    });
    assert_eq!(newer.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_default_build_stays_small() {
    let args = ["tree", "-p", "ludion-cli", "-e", "normal,build", "--prefix", "none"];
    let tree = cargo(&args);
    let packages: BTreeSet<&str> =
        tree.lines().map(|line| line.trim_end_matches(" (*)")).filter(|l| !l.is_empty()).collect();
    let count = packages.len();
    assert!(count > 100, "the list is not complete: {packages:?}");
    assert!(
        count <= DEFAULT_PACKAGES * 6 / 5,
        "the program is built from {count} packages, a fifth more than {DEFAULT_PACKAGES}"
    );
}
