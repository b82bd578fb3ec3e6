//! Teams and the solutions they submit to the contest server, which follows the ICFP 2015 contest
//! (problems of hexagonal Tetris). All submissions are kept. Only the hash of a token is stored.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::{Store, StoreError, checksums};

/// Number of a team in its store.
pub type TeamId = i64;

/// A team that submits solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Team {
    /// Number of the team.
    pub id: TeamId,
    /// Name of the team.
    pub name: String,
    /// Time of creation in UTC, such as `2024-05-01T12:00:00Z`.
    pub created: String,
}

/// A solution to be stored as a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSolution {
    /// Number of the problem.
    pub problem: u64,
    /// Seed of the sequence of units, which must be one of the problem's seeds.
    pub seed: u64,
    /// Tag chosen by the team.
    pub tag: Option<String>,
    /// Commands of the solution, one character each.
    pub solution: String,
}

/// Bytes that a quota counts for each submission besides its solution and tag: its other columns,
/// its score, and its places in indices.
pub const SUBMISSION_BYTES: u64 = 200;

impl NewSolution {
    /// Returns the number of bytes that a quota counts.
    fn bytes(&self) -> u64 {
        let tag = self.tag.as_ref().map_or(0, String::len);
        SUBMISSION_BYTES + (self.solution.len() + tag) as u64
    }
}

/// Returns the number of bytes that a quota counts for the submissions of a team. SQLite finds the
/// length of a text in bytes without reading the text.
fn used_bytes(connection: &Connection, team: TeamId) -> Result<u64, StoreError> {
    let sql =
        "SELECT coalesce(sum(octet_length(solution) + coalesce(octet_length(tag), 0) + ?2), 0)
        FROM solutions WHERE team = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let bytes: i64 =
        statement.query_row(params![team, SUBMISSION_BYTES as i64], |row| row.get(0))?;
    Ok(bytes.unsigned_abs())
}

/// Score of a solution, as computed by the referee.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SolutionScore {
    /// How the game ended, or why the solution is invalid.
    pub status: String,
    /// Total score.
    pub score: u64,
    /// Part of the score that the spelled phrases of power gave.
    pub power: u64,
    /// Bit set of the phrases of power that the commands spell; bit n is phrase n of the server's
    /// list.
    pub phrases: u64,
}

/// A submitted solution in the store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Submission {
    /// Number of the submission; later ones have larger numbers.
    pub id: i64,
    /// Number of the team that submitted the solution.
    pub team: TeamId,
    /// Time of submission in UTC, such as `2024-05-01T12:00:00Z`.
    pub created: String,
    /// Number of the problem.
    pub problem: u64,
    /// Seed of the sequence of units.
    pub seed: u64,
    /// Tag chosen by the team.
    pub tag: Option<String>,
    /// Commands of the solution, one character each.
    pub solution: String,
    /// The score, or `None` until the referee has computed it.
    pub scored: Option<SolutionScore>,
}

const SELECT: &str = "SELECT id, team, created, problem, seed, tag, solution, status, score, power,
    phrases FROM solutions";

impl Store {
    /// Creates a team; `token` is the hash of its token.
    ///
    /// # Errors
    /// When there is a team with this name, or the store cannot be written.
    pub fn add_team(&mut self, name: &str, token: &[u8; 32]) -> Result<Team, StoreError> {
        let sql = "INSERT INTO teams (name, token) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let transaction = self.connection.transaction()?;
        if transaction.execute(sql, params![name, &token[..]])? == 0 {
            return Err(StoreError::TeamExists(name.to_owned()));
        }
        let id = transaction.last_insert_rowid();
        checksums::TEAM.seal(&transaction, id)?;
        checksums::TOKEN.seal(&transaction, id)?;
        transaction.commit()?;
        self.team(id)
    }

    /// Replaces the hash of a team's token.
    ///
    /// # Errors
    /// When there is no such team, or the store cannot be written.
    pub fn set_token(&mut self, team: TeamId, token: &[u8; 32]) -> Result<(), StoreError> {
        let sql = "UPDATE teams SET token = ?2 WHERE id = ?1";
        let transaction = self.connection.transaction()?;
        if transaction.execute(sql, params![team, &token[..]])? == 0 {
            return Err(StoreError::NoTeam(team));
        }
        checksums::TOKEN.seal(&transaction, team)?;
        Ok(transaction.commit()?)
    }

    /// Deletes a team and its submissions.
    ///
    /// # Errors
    /// When there is no such team, or the store cannot be written.
    pub fn remove_team(&mut self, team: TeamId) -> Result<(), StoreError> {
        match self.connection.execute("DELETE FROM teams WHERE id = ?1", params![team])? {
            0 => Err(StoreError::NoTeam(team)),
            _ => Ok(()),
        }
    }

    /// Returns the team with this number.
    ///
    /// # Errors
    /// When there is no such team.
    pub fn team(&self, id: TeamId) -> Result<Team, StoreError> {
        self.teams_where("WHERE id = ?1", params![id])?.pop().ok_or(StoreError::NoTeam(id))
    }

    /// Returns all teams in the order of their creation.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn teams(&self) -> Result<Vec<Team>, StoreError> {
        self.teams_where("ORDER BY id", [])
    }

    fn teams_where(
        &self,
        condition: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Team>, StoreError> {
        let sql = format!("SELECT id, name, created FROM teams {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let read_team =
            |row: &Row<'_>| Ok(Team { id: row.get(0)?, name: row.get(1)?, created: row.get(2)? });
        let found = statement.query_map(params, read_team)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Returns the hash of a team's token, or `None` if there is no such team.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn token_hash(&self, team: TeamId) -> Result<Option<[u8; 32]>, StoreError> {
        let sql = "SELECT token FROM teams WHERE id = ?1";
        Ok(self.connection.query_row(sql, params![team], |row| row.get(0)).optional()?)
    }

    /// Stores solutions of a team in one transaction and returns the numbers of the submissions.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn submit(
        &mut self,
        team: TeamId,
        solutions: &[NewSolution],
    ) -> Result<Vec<i64>, StoreError> {
        self.submit_within(team, solutions, u64::MAX)
    }

    /// Stores solutions of a team as [`submit`](Store::submit) does, if the team's submissions then
    /// take no more than `quota` bytes. The bytes are counted in the same transaction, so that
    /// requests at the same time cannot exceed the quota together.
    ///
    /// # Errors
    /// When the quota would be exceeded, or the store cannot be written.
    pub fn submit_within(
        &mut self,
        team: TeamId,
        solutions: &[NewSolution],
        quota: u64,
    ) -> Result<Vec<i64>, StoreError> {
        let transaction = self.connection.transaction()?;
        let added = solutions.iter().map(NewSolution::bytes).sum();
        let used = used_bytes(&transaction, team)?;
        if used.saturating_add(added) > quota {
            return Err(StoreError::QuotaExceeded { added, used, quota });
        }
        let mut numbers = Vec::with_capacity(solutions.len());
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO solutions (team, problem, seed, tag, solution)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for new in solutions {
                let (problem, seed) = (new.problem as i64, new.seed as i64);
                insert.execute(params![team, problem, seed, new.tag, new.solution])?;
                let id = transaction.last_insert_rowid();
                checksums::SOLUTION.seal(&transaction, id)?;
                checksums::SCORE.seal(&transaction, id)?;
                numbers.push(id);
            }
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// Returns the number of bytes that the submissions of a team take, as quotas count them: those
    /// of each solution and its tag, and [`SUBMISSION_BYTES`] more.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submitted_bytes(&self, team: TeamId) -> Result<u64, StoreError> {
        used_bytes(&self.connection, team)
    }

    /// Stores the score of a submission.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_score(&mut self, id: i64, score: &SolutionScore) -> Result<(), StoreError> {
        let SolutionScore { status, score, power, phrases } = score;
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "UPDATE solutions SET status = ?2, score = ?3, power = ?4, phrases = ?5 WHERE id = ?1",
            params![id, status, *score as i64, *power as i64, *phrases as i64],
        )?;
        checksums::SCORE.seal(&transaction, id)?;
        Ok(transaction.commit()?)
    }

    /// Returns the submissions of a team, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submissions(&self, team: TeamId) -> Result<Vec<Submission>, StoreError> {
        self.submissions_where("WHERE team = ?1 ORDER BY id", params![team])
    }

    /// Returns the submissions of a team with at least this number, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submissions_from(
        &self,
        team: TeamId,
        first: i64,
    ) -> Result<Vec<Submission>, StoreError> {
        self.submissions_where("WHERE team = ?1 AND id >= ?2 ORDER BY id", params![team, first])
    }

    /// Returns the submission with this number, or `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submission(&self, id: i64) -> Result<Option<Submission>, StoreError> {
        Ok(self.submissions_where("WHERE id = ?1", params![id])?.pop())
    }

    /// Returns for every problem with submissions their number and the best score of one, by the
    /// number of the problem.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submitted_problems(&self) -> Result<Vec<SubmittedProblem>, StoreError> {
        let sql = "SELECT problem, count(*), count(DISTINCT team), max(score) FROM solutions
            GROUP BY problem ORDER BY problem";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row<'_>| {
            let number =
                |column| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
            Ok(SubmittedProblem {
                problem: number(0)?,
                submissions: number(1)?,
                teams: number(2)?,
                best: row.get::<_, Option<i64>>(3)?.map(i64::unsigned_abs),
            })
        };
        let found = statement.query_map([], read)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Returns the best submissions of a problem, at most `most`, without their commands: by score,
    /// the newer first of those with equal scores, and those without a score last.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn best_submissions(&self, problem: u64, most: u32) -> Result<Vec<Submission>, StoreError> {
        let sql = "SELECT id, team, created, problem, seed, tag, '', status, score, power, phrases
            FROM solutions WHERE problem = ?1 ORDER BY score IS NULL, score DESC, id DESC LIMIT ?2";
        self.read_submissions(sql, params![problem as i64, most])
    }

    /// Returns the submissions that are not scored yet, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unscored(&self) -> Result<Vec<Submission>, StoreError> {
        self.submissions_where("WHERE score IS NULL ORDER BY id", [])
    }

    /// Returns for every team, problem and seed the one submission that counts, without its
    /// commands.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn counted_submissions(&self, rule: CountingRule) -> Result<Vec<Submission>, StoreError> {
        let order = match rule {
            CountingRule::Newest => "id DESC",
            CountingRule::Best => "score DESC, id DESC",
        };
        let sql = format!(
            "SELECT id, team, created, problem, seed, tag, '', status, score, power, phrases FROM (
                SELECT *, row_number() OVER (
                    PARTITION BY team, problem, seed ORDER BY {order}) AS place FROM solutions)
             WHERE place = 1 ORDER BY team, problem, seed"
        );
        self.read_submissions(&sql, [])
    }

    fn submissions_where(
        &self,
        condition: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Submission>, StoreError> {
        self.read_submissions(&format!("{SELECT} {condition}"), params)
    }

    fn read_submissions(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Submission>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map(params, read_submission)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

/// The submissions of one problem, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SubmittedProblem {
    /// Number of the problem.
    pub problem: u64,
    /// Number of submissions.
    pub submissions: u64,
    /// Number of teams that made them.
    pub teams: u64,
    /// The best score of a submission; `None` if none is scored yet.
    pub best: Option<u64>,
}

/// Rule for which of several submissions of a team for the same problem and seed counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CountingRule {
    /// The newest one, as in the ICFP contest.
    #[default]
    Newest,
    /// The one with the best score.
    Best,
}

fn read_submission(row: &Row<'_>) -> rusqlite::Result<Submission> {
    let number =
        |column: usize| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
    let scored = match row.get::<_, Option<String>>(7)? {
        None => None,
        Some(status) => Some(SolutionScore {
            status,
            score: number(8)?,
            power: number(9)?,
            phrases: number(10)?,
        }),
    };
    Ok(Submission {
        id: row.get(0)?,
        team: row.get(1)?,
        created: row.get(2)?,
        problem: number(3)?,
        seed: number(4)?,
        tag: row.get(5)?,
        solution: row.get(6)?,
        scored,
    })
}
