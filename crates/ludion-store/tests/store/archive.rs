//! Archive files: games that were written are read again, even from a truncated file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use ludion::archive::GameBlock;
use ludion::player::Budget;
use ludion::registry::{self, GeneratorSettings};
use ludion_store::{
    ArchiveFileError, ArchiveFileReader, ArchiveFileWriter, ArchiveRecord, BlockSource,
};

fn source(seed: u64) -> BlockSource {
    let players = ["random".to_owned(), "random".to_owned()];
    let cast = GeneratorSettings { players, budget: Budget::UNLIMITED, opening: 0 };
    BlockSource { settings: cast, seed, version: "1.0".to_owned() }
}

/// Plays `count` games and appends them in blocks of ten.
fn generate(path: &Path, seed: u64, count: u64) {
    let game = registry::standard().game("tictactoe").unwrap();
    let source = source(seed);
    let mut simulator = game.simulator(&source.settings).unwrap();
    let mut writer = ArchiveFileWriter::append(path, game.spec(), &source).unwrap();
    let end = writer.next_game() + count;
    while writer.next_game() < end {
        let first = writer.next_game();
        let count = (end - first).min(10) as u32;
        writer.push(simulator.block(seed, first, count).unwrap()).unwrap();
    }
    writer.close().unwrap();
}

fn read(path: &Path) -> Result<(Vec<ArchiveRecord>, u64), ArchiveFileError> {
    let mut reader = ArchiveFileReader::open(path)?;
    let mut items = Vec::new();
    while let Some(item) = reader.next_item()? {
        items.push(item);
    }
    Ok((items, reader.truncated_bytes()))
}

fn games(items: &[ArchiveRecord]) -> Vec<(u64, Vec<String>)> {
    let game = registry::standard().game("tictactoe").unwrap();
    let mut games = Vec::new();
    for item in items {
        if let ArchiveRecord::Games(block) = item {
            game.each_game(block, &mut |replay| {
                games.push((replay.number(), replay.moves()));
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        }
    }
    games
}

#[test]
fn games_appended_in_two_runs_are_those_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let (once, twice) = (folder.path().join("once"), folder.path().join("twice"));
    generate(&once, 7, 50);
    generate(&twice, 7, 23);
    generate(&twice, 7, 27);
    let (a, b) = (read(&once).unwrap().0, read(&twice).unwrap().0);
    assert_eq!(games(&a), games(&b));
    assert_eq!(games(&a).len(), 50);
    assert_eq!(b.iter().filter(|item| matches!(item, ArchiveRecord::Source(_))).count(), 1);
}

#[test]
fn the_games_of_each_seed_are_numbered_from_zero() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    for (seed, count) in [(1, 10), (2, 20), (1, 5)] {
        generate(&path, seed, count);
    }
    let numbers: Vec<u64> = games(&read(&path).unwrap().0).iter().map(|(n, _)| *n).collect();
    let expected: Vec<u64> = (0..10).chain(0..20).chain(10..15).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn a_file_truncated_at_any_byte_keeps_every_complete_block_and_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    generate(&whole, 3, 30);
    let bytes = fs::read(&whole).unwrap();
    let all = games(&read(&whole).unwrap().0);
    let mut games_before = 0;
    for kept in 0..bytes.len() {
        fs::write(&cut, &bytes[..kept]).unwrap();
        match read(&cut) {
            Err(ArchiveFileError::Foreign { .. }) => {
                assert_eq!(games_before, 0, "a truncated header");
            }
            Err(other) => panic!("cut at {kept}: {other}"),
            Ok((items, truncated_bytes)) => {
                let some = games(&items);
                assert_eq!(some, all[..some.len()]);
                assert!(some.len() >= games_before && some.len() <= 30);
                assert!(some.len().is_multiple_of(10));
                assert!(truncated_bytes < bytes.len() as u64);
                games_before = some.len();
                if kept % 7 == 0 {
                    generate(&cut, 3, 30 - some.len() as u64);
                    assert_eq!(games(&read(&cut).unwrap().0), all, "continued after {kept} bytes");
                }
            }
        }
    }
    assert_eq!(games_before, 20, "the last block is truncated");
}

#[test]
fn a_changed_byte_is_detected_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    generate(&path, 3, 30);
    let bytes = fs::read(&path).unwrap();
    let (items, _) = read(&path).unwrap();
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        match read(&path) {
            Err(error) => assert!(error.to_string().starts_with(&path.display().to_string())),
            Ok((some, truncated_bytes)) => {
                assert!(
                    truncated_bytes > 0 && some.len() < items.len(),
                    "the change of byte {i} is not detected"
                );
                assert_eq!(some, items[..some.len()]);
            }
        }
    }
}

#[test]
fn an_archive_of_another_game_and_another_file_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    generate(&path, 3, 10);
    let error = ArchiveFileWriter::append(&path, "connect4", &source(3)).err().unwrap();
    assert!(error.to_string().ends_with("holds games of tictactoe, not of connect4"), "{error}");
    fs::write(&path, "something else that is longer than the first line").unwrap();
    assert!(matches!(ArchiveFileReader::open(&path), Err(ArchiveFileError::Foreign { .. })));
    assert!(matches!(
        ArchiveFileWriter::append(&path, "tictactoe", &source(3)),
        Err(ArchiveFileError::Foreign { .. })
    ));
    assert_eq!(fs::read(&path).unwrap()[..9], *b"something", "nothing was overwritten");
}

#[test]
fn a_block_may_be_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut writer = ArchiveFileWriter::append(&path, "tictactoe", &source(1)).unwrap();
    writer.push(GameBlock { first: 0, count: 0, digits: Vec::new() }).unwrap();
    writer.close().unwrap();
    assert_eq!(games(&read(&path).unwrap().0), []);
}
