//! The games of a store in a form that tests can compare.

use std::path::Path;
use std::time::Duration;

use ludion_store::{Store, StoredGame};

/// Returns every game of run 1 without its times.
pub(crate) fn games(store: &Path) -> Vec<StoredGame> {
    let mut games = Vec::new();
    let opened = Store::open(store).expect("a store");
    opened
        .each_game::<ludion_store::StoreError>(1, |mut game| {
            game.result.spent.iter_mut().for_each(|spent| spent.time = Duration::ZERO);
            let record = game.result.record.as_mut().expect("moves are stored");
            record.plies.iter_mut().for_each(|ply| ply.time = Duration::ZERO);
            games.push(game);
            Ok(())
        })
        .expect("games");
    games
}
