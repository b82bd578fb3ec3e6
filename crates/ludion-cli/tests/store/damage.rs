//! Damaged stores: `store check` reports what changes a result or a label.

use std::path::Path;

use ludion_store::{NewSolution, RunPlan, SolutionScore, Store, StoreError, StudyPlan};

use crate::{json, outcome, tamper};

/// Returns everything that can be read from a store, or `None` if it cannot be read.
fn contents(path: &Path) -> Option<Vec<String>> {
    let store = Store::open(path).ok()?;
    let mut found = Vec::new();
    for run in store.runs().ok()? {
        found.push(serde_json::to_string(&run).ok()?);
        let keep = |game| {
            found.push(format!("{game:?}"));
            Ok(())
        };
        store.each_game::<StoreError>(run.id, keep).ok()?;
        if let RunPlan::Study(_) = run.plan {
            let outputs = store.outputs::<serde_json::Value>(run.id).ok()?;
            found.extend(outputs.iter().map(|output| format!("{output:?}")));
        }
    }
    for team in store.teams().ok()? {
        found.push(format!("{team:?} {:?}", store.token_hash(team.id).ok()?));
        found.extend(store.submissions(team.id).ok()?.iter().map(|one| format!("{one:?}")));
    }
    Some(found)
}

/// Makes a store with a match, and returns the texts of its rows of games.
fn store_with_games(path: &Path) -> Vec<Vec<u8>> {
    json(path, &["match", "tictactoe", "montecarlo(sims=4)", "random", "-n", "30"]);
    let store = Store::open(path).expect("a store");
    let mut texts = Vec::new();
    store
        .each_game::<StoreError>(1, |game| {
            let plies = game.result.record.expect("moves").plies;
            let moves: Vec<&str> = plies.iter().map(|ply| &ply.play[..]).collect();
            texts.push(serde_json::to_vec(&moves).expect("JSON"));
            Ok(())
        })
        .expect("games");
    texts
}

/// Makes a store with runs that were resumed, a study, teams and submissions, and returns texts of
/// all their rows.
fn store_with_the_rest(path: &Path) -> Vec<Vec<u8>> {
    json(path, &["match", "tictactoe", "random", "uct(sims=9)", "-n", "1"]);
    json(path, &["mastermind", "table", "--pegs", "2", "--colours", "3", "--runs", "2"]);
    let mut store = Store::open(path).expect("a store").by_version("0.0.7+resumed");
    let study =
        StudyPlan::new("mastermind table", "unfinished".to_owned(), 9, 5, &()).expect("a plan");
    let id = store.begin_study(&study).expect("a run");
    store.set_state(id, ludion_store::RunState::Stopped).expect("a state");
    let mut resuming = Store::open(path).expect("a store").by_version("0.0.8+resumed");
    resuming.note_resumption(id).expect("a note");
    let mut texts = vec![b"0.0.7+resumed".to_vec(), b"0.0.8+resumed".to_vec()];
    for number in 0..4_u8 {
        let token = [b'A' + number; 32];
        let name = format!("the team with the number {number}");
        let team = store.add_team(&name, &token).expect("a team").id;
        let solution = format!("{number}ei!ia!bdpkyalf{number}");
        let new = NewSolution { problem: 3, seed: 17, tag: Some("tag".to_owned()), solution };
        let ids: Vec<i64> = store.submit(team, &[new.clone(), new.clone()]).expect("submissions");
        let score = SolutionScore {
            status: "all units placed".to_owned(),
            score: 700,
            power: 60,
            phrases: 3,
        };
        store.set_score(ids[0], &score).expect("a score");
        texts.extend([name.into_bytes(), token.to_vec(), new.solution.into_bytes()]);
    }
    for run in store.runs().expect("runs") {
        texts.push(run.began.clone().into_bytes());
        texts.push(serde_json::to_vec(&run.plan).expect("JSON"));
    }
    texts
}

/// Returns the places of a file around these texts. Earlier copies of a text may be in pages that
/// were split.
fn places(file: &[u8], texts: &[Vec<u8>]) -> Vec<usize> {
    let mut places = Vec::new();
    for text in texts {
        let found = file.windows(text.len()).rposition(|window| window == text);
        let at = found.expect("the text is in the file");
        places.extend(at.saturating_sub(60)..(at + text.len() + 120).min(file.len()));
    }
    places
}

/// Flips bits around the texts of rows, one at a time; returns how many were reported and how many
/// were harmless. A flip is harmless if everything reads as before.
fn flip_bits(make: fn(&Path) -> Vec<Vec<u8>>, flips: u32) -> (u32, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("sound.sqlite");
    let texts = make(&store);
    let before = contents(&store).expect("a store");
    let sound = std::fs::read(&store).expect("a file");
    let places = places(&sound, &texts);
    let registry = ludion::registry::standard();
    let is_sound = |path: &Path| {
        Store::open(path).is_ok_and(|store| {
            ludion_runs::store_check::check_store(&registry, &store, &mut |_| ()).sound
        })
    };
    assert!(is_sound(&store));
    let mut rng = ludion::random::Rng::new(7);
    let (mut reported, mut harmless) = (0, 0);
    for flip in 0..flips {
        let (place, bit) = (places[rng.below(places.len())], rng.below(8));
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << bit;
        let path = folder.path().join("damaged.sqlite");
        std::fs::write(&path, &damaged).expect("a file");
        if is_sound(&path) {
            let after = contents(&path);
            assert!(after.as_ref() == Some(&before), "flip {flip} of byte {place} is unseen");
            harmless += 1;
        } else {
            reported += 1;
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("damaged.sqlite{suffix}")));
        }
    }
    (reported, harmless)
}

#[test]
fn bit_flips_are_reported_or_harmless() {
    for (make, what) in
        [(store_with_games as fn(&Path) -> _, "games"), (store_with_the_rest, "rest")]
    {
        let (reported, harmless) = flip_bits(make, 300);
        println!("{what}: 300 bit flips, {reported} reported, {harmless} harmless, 0 unseen");
        assert!(reported > 100, "{what}: {reported} reported, {harmless} harmless");
    }
}

#[test]
#[ignore = "takes a minute; ./test --all runs it"]
fn thousands_of_bit_flips_are_reported_or_harmless() {
    for (make, what) in
        [(store_with_games as fn(&Path) -> _, "games"), (store_with_the_rest, "rest")]
    {
        let (reported, harmless) = flip_bits(make, 5000);
        println!("{what}: 5000 bit flips, {reported} reported, {harmless} harmless, 0 unseen");
    }
}

#[test]
fn a_changed_state_team_or_submission_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sound, damaged) = (folder.path().join("sound.sqlite"), folder.path().join("d.sqlite"));
    store_with_the_rest(&sound);
    let state = "run 1: the row does not have the values that were stored";
    let team = "team 2: the row does not have the values that were stored";
    let submission = "submission 3: the row does not have the values that were stored";
    for (change, said) in [
        ("UPDATE runs SET state = state", "sound: 3 runs"),
        ("UPDATE runs SET ended = '2020-01-01T00:00:00Z' WHERE id = 1", state),
        ("UPDATE runs SET resumed_by = '[\"0.1.0\"]' WHERE id = 1", state),
        ("UPDATE runs SET state = 'stopped' WHERE id = 1", state),
        ("UPDATE teams SET name = 'others' WHERE id = 2", team),
        ("UPDATE teams SET token = randomblob(32) WHERE id = 2", team),
        ("UPDATE solutions SET score = score + 1 WHERE id = 3", submission),
        ("UPDATE solutions SET status = NULL, score = NULL WHERE id = 3", submission),
        ("UPDATE solutions SET solution = solution || 'p' WHERE id = 3", submission),
        ("UPDATE solutions SET team = 1 WHERE id = 3", submission),
        (
            "UPDATE solutions SET checksum = NULL WHERE id = 3",
            "submission 3: the row has no checksum",
        ),
    ] {
        tamper(&sound, &format!("VACUUM INTO '{}'", damaged.display()));
        tamper(&damaged, change);
        let (code, text, _) = outcome(&damaged, &["store", "check"]);
        assert_eq!(code, Some(if said.starts_with("sound") { 0 } else { 3 }), "{change}: {text}");
        assert!(text.contains(said), "{change}: {text}");
        std::fs::remove_file(&damaged).expect("a file");
    }
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
