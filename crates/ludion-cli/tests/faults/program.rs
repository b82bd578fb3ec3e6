//! The program as a process with a store, and what its tests check of every end.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::default_signals;

const SIGABRT: i32 = 6;

pub(crate) const LUDION: &str = env!("CARGO_BIN_EXE_ludion");

/// Returns a command that runs the program with its store and files in `folder`.
pub(crate) fn ludion(folder: &Path, args: &[&str]) -> Command {
    let mut command = default_signals::ludion();
    command.args(args);
    set_up(&mut command, folder);
    command
}

/// Sets the store, the folder and the standard input of a command that runs the program.
pub(crate) fn set_up(command: &mut Command, folder: &Path) {
    command.current_dir(folder).env("LUDION_STORE", folder.join("store")).stdin(Stdio::null());
    command.env("LUDION_QUIET", "1").env_remove("LUDION_TOKEN").env_remove("RUST_BACKTRACE");
}

/// Runs a command that must succeed and returns its report.
pub(crate) fn json(folder: &Path, args: &[&str]) -> Value {
    let out = ludion(folder, args).arg("--json").output().expect("the program starts");
    assert!(out.status.success(), "{args:?}: {}", said(&out));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

pub(crate) fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// Checks that the program has succeeded, or has failed with one sentence. Returns whether it has
/// succeeded.
pub(crate) fn ended_well(out: &Output, what: &str) -> bool {
    let said = said(out);
    assert!(!said.contains("panicked"), "{what}: {said}");
    if out.status.success() {
        return true;
    }
    // An allocation that is not of a table ends the program with a sentence of Rust or of the C
    // library, which allocates when a thread first uses a thread-local value.
    let is_refusal =
        ["memory allocation of ", "Fatal glibc error: failed to register TLS destructor"]
            .iter()
            .any(|start| said.starts_with(start));
    if is_refusal && out.status.signal() == Some(SIGABRT) {
        return false;
    }
    assert_eq!(out.status.code(), Some(1), "{what}: {:?} {said}", out.status);
    let is_sentence = said.starts_with("error: ") && said.lines().count() == 1;
    assert!(is_sentence, "{what}: {said:?}");
    false
}

/// Returns a report without the fields that depend on the clock.
pub(crate) fn timeless(mut report: Value) -> Value {
    match &mut report {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !(name.contains("second") || ["time", "effort", "out"].contains(&&name[..]))
            });
            fields.values_mut().for_each(|value| *value = timeless(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    report
}
