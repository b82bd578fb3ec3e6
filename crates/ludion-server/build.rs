//! Writes the table of the files of the pages, which `lab/files.rs` includes in the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Read when the script runs: a compiled script may have come from another folder.
    let package =
        env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("cargo sets it"))?;
    let folder = PathBuf::from(package).join("static");
    println!("cargo::rerun-if-changed=static");
    let mut files = Vec::new();
    add_files(&folder, &mut files)?;
    let mut named = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&folder).map_err(io::Error::other)?;
        named.push((inside.to_string_lossy().replace('\\', "/"), file));
    }
    // By name, not by path: `js/pages.js` comes before `js/pages/play.js`.
    named.sort();
    let mut table = String::from("&[\n");
    for (name, file) in named {
        let path = file.to_string_lossy();
        writeln!(table, "    ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets it"))?;
    fs::write(Path::new(&out).join("static_files.rs"), table)
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
