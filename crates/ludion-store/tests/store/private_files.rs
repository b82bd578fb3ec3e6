//! No other user of the machine reads the files of a store.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ludion_store::{Store, StudyPlan};

/// Returns the names and permissions of the files in a folder.
fn files(folder: &Path) -> Vec<(String, u32)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    let mut found: Vec<(String, u32)> = entries
        .map(|entry| {
            let mode = entry.metadata().expect("metadata").permissions().mode();
            (entry.file_name().into_string().expect("text"), mode & 0o777)
        })
        .collect();
    found.sort();
    found
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
}

fn study() -> StudyPlan {
    StudyPlan::new("learn", "a study".to_owned(), 1, 1, &()).expect("a plan")
}

fn store_in(folder: &Path) -> (PathBuf, Store) {
    let path = folder.join("new/ludion.sqlite");
    let store = Store::open(&path).expect("a store");
    (path, store)
}

#[test]
fn new_files_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut store) = store_in(folder.path());
    let run = store.begin_study(&study()).expect("a run");
    let lock = store.lock(run).expect("a lock");
    let found = files(path.parent().expect("a folder"));
    let names: Vec<&str> = found.iter().map(|(name, _)| &name[..]).collect();
    let expected = ["", "-run1.lock", "-shm", "-wal"].map(|end| format!("ludion.sqlite{end}"));
    assert_eq!(names, expected);
    assert!(found.iter().all(|(_, mode)| *mode == 0o600), "{found:?}");
    assert_eq!(files(folder.path()), [("new".to_owned(), 0o700)]);
    drop(lock);
}

#[test]
fn a_store_for_all_users_is_taken_back_and_one_for_a_group_is_not() {
    for (before, after) in
        [(0o644, 0o600), (0o664, 0o600), (0o666, 0o600), (0o660, 0o660), (0o640, 0o640)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, store) = store_in(folder.path());
        drop(store);
        set_mode(&path, before);
        let mut store = Store::open(&path).expect("the store again");
        store.begin_study(&study()).expect("a run");
        let found = files(path.parent().expect("a folder"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().all(|(_, mode)| *mode == after), "{before:o}: {found:?}");
    }
}
