//! Damaged stores: `store check` reports what changes a result or a label.

use std::path::Path;

use ludion_store::{Store, StoredGame};

use crate::{json, outcome, tamper};

/// Returns all runs and games that can be read from a store, or `None` if it cannot be read.
fn contents(path: &Path) -> Option<(String, Vec<StoredGame>)> {
    let store = Store::open(path).ok()?;
    let mut games = Vec::new();
    let runs = store.runs().ok()?;
    for run in &runs {
        store
            .each_game::<ludion_store::StoreError>(run.id, |game| {
                games.push(game);
                Ok(())
            })
            .ok()?;
    }
    Some((serde_json::to_string(&runs).ok()?, games))
}

/// Flips bits in the rows of games, one at a time; returns how many were reported and how many were
/// harmless. A flip is harmless if everything reads as before.
fn flip_bits(flips: u32) -> (u32, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("sound.sqlite");
    json(&store, &["match", "tictactoe", "montecarlo(sims=4)", "random", "-n", "30"]);
    let before = contents(&store).expect("a store");
    let sound = std::fs::read(&store).expect("a file");
    // Where the rows of games are: around the texts of their moves. Earlier copies of a text may be
    // in pages that were split, so the last one counts.
    let mut places = Vec::new();
    for game in &before.1 {
        let plies = &game.result.record.as_ref().expect("moves").plies;
        let moves: Vec<&str> = plies.iter().map(|ply| &ply.play[..]).collect();
        let text = serde_json::to_string(&moves).expect("JSON");
        let found = sound.windows(text.len()).rposition(|window| window == text.as_bytes());
        let at = found.expect("the moves are in the file");
        places.extend(at.saturating_sub(60)..(at + text.len() + 120).min(sound.len()));
    }
    let registry = ludion::registry::standard();
    let mut rng = ludion::random::Rng::new(7);
    let (mut reported, mut harmless) = (0, 0);
    for flip in 0..flips {
        let (place, bit) = (places[rng.below(places.len())], rng.below(8));
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << bit;
        let path = folder.path().join("damaged.sqlite");
        std::fs::write(&path, &damaged).expect("a file");
        let is_sound = Store::open(&path).is_ok_and(|store| {
            ludion_runs::store_check::check_store(&registry, &store, &mut |_| ()).sound
        });
        match is_sound {
            false => reported += 1,
            true => {
                let after = contents(&path);
                assert!(after.as_ref() == Some(&before), "flip {flip} of byte {place} is unseen");
                harmless += 1;
            }
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("damaged.sqlite{suffix}")));
        }
    }
    (reported, harmless)
}

#[test]
fn bit_flips_in_the_rows_of_games_are_reported_or_harmless() {
    let (reported, harmless) = flip_bits(300);
    println!("300 bit flips: {reported} reported, {harmless} harmless, 0 unseen");
    assert!(reported > 200, "{reported} reported, {harmless} harmless");
}

#[test]
#[ignore = "takes a minute; ./test --all runs it"]
fn thousands_of_bit_flips_are_reported_or_harmless() {
    let (reported, harmless) = flip_bits(5000);
    println!("5000 bit flips: {reported} reported, {harmless} harmless, 0 unseen");
}

#[test]
fn a_changed_player_or_name_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sound, damaged) = (folder.path().join("sound.sqlite"), folder.path().join("d.sqlite"));
    let file = folder.path().join("cup.toml");
    let cup = "game = \"tictactoe\"\nplayers = [\"random\", \"uct\"]\nnames = [\"Dice\", \"Tree\"]\npairs = 1\n";
    std::fs::write(&file, cup).expect("a file");
    json(&sound, &["tournament", "--players", file.to_str().expect("a path")]);
    for (change, code) in [
        ("UPDATE players SET number = number", 0),
        ("UPDATE players SET name = 'Cube' WHERE number = 0", 3),
        ("UPDATE players SET name = NULL WHERE number = 1", 3),
        ("UPDATE players SET spec = 'mcts' WHERE number = 1", 3),
        ("UPDATE players SET number = 4 WHERE number = 1", 3),
        ("DELETE FROM players WHERE number = 1", 3),
    ] {
        let copy = format!("VACUUM INTO '{}'", damaged.display());
        tamper(&sound, &copy);
        tamper(&damaged, change);
        let (found, said, _) = outcome(&damaged, &["store", "check"]);
        assert_eq!(found, Some(code), "{change}: {said}");
        let sentence = "run 1: its players are not those of its plan";
        assert_eq!(said.contains(sentence), code == 3, "{change}: {said}");
        std::fs::remove_file(&damaged).expect("a file");
    }
}
