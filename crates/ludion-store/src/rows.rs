//! Conversion of games to rows of the table `games` and back, and of other values to JSON.

use std::time::Duration;

use ludion_players::arena::game::GameEnd;
use ludion_players::arena::pair::{GameRecord, GameResult, MoveRecord, SpentEffort};
use ludion_players::game::Side;
use ludion_players::outcome::Duel;
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checksums::RowChecksum;
use crate::{RunId, StoreError};

/// A game in the store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredGame {
    /// Number of the run that the game belongs to.
    pub run: RunId,
    /// Number of the game in its run, from 0; games 2n and 2n + 1 form pair n.
    pub number: u64,
    /// Result of the game, with its moves.
    #[serde(flatten)]
    pub result: GameResult,
}

pub(crate) const INSERT_GAME: &str = "INSERT OR IGNORE INTO games
    (run, number, first, second, result, ended, reason, plies, opening, movers, moves, nanos,
     nodes, worth, start, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

pub(crate) const SELECT_GAME: &str =
    "SELECT run, number, first, second, result, ended, reason, plies,
    opening, movers, moves, nanos, nodes, worth, start FROM games";

pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Invalid(error.to_string()))
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Invalid(error.to_string()))
}

/// Inserts a game, unless the run already has a game with this number.
pub(crate) fn insert_game(
    statement: &mut CachedStatement<'_>,
    run: RunId,
    number: u64,
    game: &GameResult,
) -> Result<(), StoreError> {
    let result = match game.end.duel() {
        Duel::Won(Side::First) => "first",
        Duel::Won(Side::Second) => "second",
        Duel::Drawn => "draw",
    };
    let (ended, reason) = match &game.end {
        GameEnd::Rules(_) => ("rules", None),
        GameEnd::Forfeit { reason, .. } => ("forfeit", Some(reason)),
        GameEnd::Endless => ("endless", None),
        GameEnd::Time { .. } => ("time", None),
        GameEnd::Adjudicated { reason, .. } => ("adjudicated", Some(reason)),
    };
    let empty = GameRecord::default();
    let record = game.record.as_deref().unwrap_or(&empty);
    let movers: String =
        record.plies.iter().map(|ply| if ply.side == Side::First { '1' } else { '2' }).collect();
    let moves: Vec<&str> = record.plies.iter().map(|ply| ply.play.as_str()).collect();
    let nanos: Vec<u64> = record.plies.iter().map(|ply| ply.time.as_nanos() as u64).collect();
    let nodes: Vec<u64> = record.plies.iter().map(|ply| ply.nodes).collect();
    let worth: Vec<Option<f64>> = record.plies.iter().map(|ply| ply.value).collect();
    let opening = to_json(&record.opening)?;
    let lists = [to_json(&moves)?, to_json(&nanos)?, to_json(&nodes)?, to_json(&worth)?];
    let sum = RowChecksum::new().int(run).int(number as i64);
    let sum = sum.int(game.seats[0].into()).int(game.seats[1].into()).text(result).text(ended);
    let sum = sum.add(reason.map_or(ValueRef::Null, |reason| ValueRef::Text(reason.as_bytes())));
    let sum = sum.int(game.plies.into()).text(&opening).text(&movers);
    let sum = lists.iter().fold(sum, |sum, list| sum.text(list));
    let start = record.start.as_deref();
    let sum =
        sum.add(start.map_or(ValueRef::Null, |start| ValueRef::Text(start.as_bytes()))).finish();
    let [moves, nanos, nodes, worth] = lists;
    statement.execute(params![
        run,
        number as i64,
        game.seats[0],
        game.seats[1],
        result,
        ended,
        reason,
        game.plies,
        opening,
        movers,
        moves,
        nanos,
        nodes,
        worth,
        start,
        sum,
    ])?;
    Ok(())
}

/// Reads a game from a row of [`SELECT_GAME`].
pub(crate) fn read_game(row: &Row<'_>) -> Result<StoredGame, StoreError> {
    let (result, ended): (String, String) = (row.get(4)?, row.get(5)?);
    let duel = match result.as_str() {
        "first" => Duel::Won(Side::First),
        "second" => Duel::Won(Side::Second),
        "draw" => Duel::Drawn,
        other => {
            return Err(StoreError::Invalid(format!("a game has the unknown result {other:?}")));
        }
    };
    let end = match (ended.as_str(), duel) {
        ("rules", duel) => GameEnd::Rules(duel),
        ("endless", Duel::Drawn) => GameEnd::Endless,
        ("forfeit", Duel::Won(side)) => {
            let reason = row.get::<_, Option<String>>(6)?.unwrap_or_default();
            GameEnd::Forfeit { by: side.other(), reason }
        }
        ("time", Duel::Won(side)) => GameEnd::Time { by: side.other() },
        ("adjudicated", duel) => {
            let reason = row.get::<_, Option<String>>(6)?.unwrap_or_default();
            GameEnd::Adjudicated { duel, reason }
        }
        (other, _) => {
            return Err(StoreError::Invalid(format!("a game has the unknown end {other:?}")));
        }
    };
    let text = |column: usize| row.get::<_, String>(column);
    let opening: Vec<String> = from_json(&text(8)?)?;
    let movers = text(9)?;
    let moves: Vec<String> = from_json(&text(10)?)?;
    let nanos: Vec<u64> = from_json(&text(11)?)?;
    let nodes: Vec<u64> = from_json(&text(12)?)?;
    let worth: Vec<Option<f64>> = from_json(&text(13)?)?;
    let plies: Vec<MoveRecord> = movers
        .chars()
        .zip(moves)
        .zip(nanos.into_iter().zip(nodes).zip(worth))
        .map(|((mover, play), ((nanos, nodes), value))| MoveRecord {
            side: if mover == '1' { Side::First } else { Side::Second },
            play,
            value,
            nodes,
            time: Duration::from_nanos(nanos),
        })
        .collect();
    let mut spent = [SpentEffort::default(); 2];
    for ply in &plies {
        spent[ply.side.index()].add(ply.nodes, ply.time);
    }
    Ok(StoredGame {
        run: row.get(0)?,
        number: row.get::<_, i64>(1)?.unsigned_abs(),
        result: GameResult {
            seats: [row.get(2)?, row.get(3)?],
            end,
            plies: row.get(7)?,
            spent,
            record: Some(Box::new(GameRecord { start: row.get(14)?, opening, plies })),
            line: None,
        },
    })
}
