//! Stores and reads the games of runs. The conversion between a game and a row of the table is in
//! `rows`.

use ludion_players::arena::pair::GameResult;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{RunId, RunState, Store, StoreError, StoredGame, rows};

impl Store {
    /// Stores finished pairs of games in one transaction, each with its number in the schedule.
    /// Pairs that are already stored stay as they are.
    ///
    /// # Errors
    /// When the store cannot be written; then none of the pairs is stored.
    pub fn keep(&mut self, run: RunId, pairs: &[(u64, [GameResult; 2])]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(rows::INSERT_GAME)?;
            for (number, pair) in pairs {
                for (i, game) in (0..).zip(pair) {
                    rows::insert_game(&mut insert, run, 2 * number + i, game)?;
                }
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Deletes the pairs of a run from the number `first` on: those that were played beyond the pair
    /// that decided a sequential test. The games that remain are those that count.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn drop_pairs_from(&mut self, run: RunId, first: u64) -> Result<(), StoreError> {
        let first = i64::try_from(first.saturating_mul(2)).unwrap_or(i64::MAX);
        let sql = "DELETE FROM games WHERE run = ?1 AND number >= ?2";
        self.connection.execute(sql, params![run, first])?;
        Ok(())
    }

    /// Returns the complete pairs of a run in order of their numbers, without their moves.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pairs(&self, run: RunId) -> Result<Vec<(u64, [GameResult; 2])>, StoreError> {
        pairs(&self.connection, run)
    }

    /// Calls `visit` with every game of a run, in order of the game numbers.
    ///
    /// # Errors
    /// When the store cannot be read, or `visit` returns an error.
    pub fn each_game<E: From<StoreError>>(
        &self,
        run: RunId,
        visit: impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        each_game(&self.connection, run, visit)
    }

    /// Returns at most `count` games of a run in order, starting with the game number `from`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn games(&self, run: RunId, from: u64, count: u64) -> Result<Vec<StoredGame>, StoreError> {
        let sql = format!(
            "{} WHERE run = ?1 AND number >= ?2 ORDER BY number LIMIT ?3",
            rows::SELECT_GAME
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let to_sql = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut found = statement.query(params![run, to_sql(from), to_sql(count)])?;
        let mut games = Vec::new();
        while let Some(row) = found.next()? {
            games.push(rows::read_game(row)?);
        }
        Ok(games)
    }

    /// Returns one game of a run.
    ///
    /// # Errors
    /// When the run has no game with this number.
    pub fn game(&self, run: RunId, number: u64) -> Result<StoredGame, StoreError> {
        let sql = format!("{} WHERE run = ?1 AND number = ?2", rows::SELECT_GAME);
        let mut statement = self.connection.prepare(&sql)?;
        let found = statement
            .query_row(params![run, number as i64], |row| Ok(rows::read_game(row)))
            .optional()?;
        match found {
            Some(game) => game,
            None => {
                let finished = self.run(run)?.state == RunState::Finished;
                Err(StoreError::NoGame { run, number, finished })
            }
        }
    }
}

/// Calls `visit` with every game of a run, in order of the game numbers.
pub(crate) fn each_game<E: From<StoreError>>(
    connection: &Connection,
    run: RunId,
    mut visit: impl FnMut(StoredGame) -> Result<(), E>,
) -> Result<(), E> {
    let sql = format!("{} WHERE run = ?1 ORDER BY number", rows::SELECT_GAME);
    let mut statement = connection.prepare(&sql).map_err(StoreError::from)?;
    let mut found = statement.query(params![run]).map_err(StoreError::from)?;
    while let Some(row) = found.next().map_err(StoreError::from)? {
        visit(rows::read_game(row)?)?;
    }
    Ok(())
}

/// Returns the complete pairs of a run in order of their numbers, without their moves.
pub(crate) fn pairs(
    connection: &Connection,
    run: RunId,
) -> Result<Vec<(u64, [GameResult; 2])>, StoreError> {
    let mut pairs = Vec::new();
    let mut first = None;
    each_game::<StoreError>(connection, run, |game| {
        let line = game.result.line_hash();
        let result = GameResult { record: None, line, ..game.result };
        match (game.number % 2, first.take()) {
            (0, _) => first = Some((game.number, result)),
            (_, Some((number, first))) if number + 1 == game.number => {
                pairs.push((number / 2, [first, result]));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(pairs)
}
