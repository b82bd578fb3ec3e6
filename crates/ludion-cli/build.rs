//! A stamp of the sources that decide results, beside the version: two programs of one version may
//! still come of different sources, and would give different results for the same job. FNV-1a of
//! all files by their names, without line ends, so that it is the same on every system.
//!
//! In a package from a registry the other crates are not beside this one. Their versions are exactly
//! that of this crate, so the version stands for their sources.

use std::fs;
use std::path::{Path, PathBuf};

/// What decides the result of a job; what shows or keeps results does not.
const CRATES: [&str; 12] = [
    "ludion",
    "ludion-bot",
    "ludion-checkers",
    "ludion-cluster",
    "ludion-connect4",
    "ludion-core",
    "ludion-hextris",
    "ludion-mastermind",
    "ludion-optimise",
    "ludion-players",
    "ludion-runs",
    "ludion-train",
];

fn main() {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where we are"));
    let crates = here.parent().unwrap_or(&here);
    let mut files = Vec::new();
    for package in CRATES.map(|name| crates.join(name)).into_iter().chain([here.clone()]) {
        let folder = package.join("src");
        println!("cargo:rerun-if-changed={}", folder.display());
        gather(&folder, &mut files);
    }
    // Other versions of what we depend on are other sources.
    let locks = [crates.join("../Cargo.lock"), here.join("Cargo.lock")];
    if let Some(lock) = locks.into_iter().find(|lock| lock.exists()) {
        println!("cargo:rerun-if-changed={}", lock.display());
        files.push(lock);
    }
    println!("cargo:rerun-if-changed=build.rs");
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for file in &files {
        let name = file.strip_prefix(crates).unwrap_or(file).to_string_lossy().replace('\\', "/");
        stamp(&mut hash, name.as_bytes());
        stamp(&mut hash, &fs::read(file).unwrap_or_default());
    }
    println!("cargo:rustc-env=LUDION_STAMP={:08x}", hash as u32 ^ (hash >> 32) as u32);
}

/// All files of a folder, however deep. A crate that is not beside this one has none.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn stamp(hash: &mut u64, bytes: &[u8]) {
    for &byte in bytes.iter().filter(|&&byte| byte != b'\r') {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
