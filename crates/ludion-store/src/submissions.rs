//! Solutions that teams submit, with the history of all of them. Tokens are known by their hash
//! alone.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::{Store, StoreError};

/// The number of a team.
pub type TeamId = i64;

/// Somebody who submits solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Team {
    /// Its number.
    pub id: TeamId,
    /// Its name.
    pub name: String,
    /// When it was made, in universal time.
    pub created: String,
}

/// A solution on its way into the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSolution {
    /// The problem it solves.
    pub problem: u64,
    /// The seed of the source.
    pub seed: u64,
    /// What the team calls it.
    pub tag: Option<String>,
    /// The commands.
    pub solution: String,
}

/// What a referee said of a solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScoredSolution {
    /// How the game ended.
    pub status: String,
    /// Points in all.
    pub score: u64,
    /// Points of phrases among them.
    pub power: u64,
    /// A bit for each phrase of the judges that is in it.
    pub phrases: u64,
}

/// A solution as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Submission {
    /// Its number: a greater one is newer.
    pub id: i64,
    /// Whose it is.
    pub team: TeamId,
    /// When it came, in universal time.
    pub created: String,
    /// The problem it solves.
    pub problem: u64,
    /// The seed of the source.
    pub seed: u64,
    /// What the team calls it.
    pub tag: Option<String>,
    /// The commands.
    pub solution: String,
    /// What the referee said; nothing until he has looked at it.
    pub scored: Option<ScoredSolution>,
}

const SELECT: &str = "SELECT id, team, created, problem, seed, tag, solution, status, score, power,
    phrases FROM solutions";

impl Store {
    /// Makes a team that is known by the hash of its token.
    ///
    /// # Errors
    /// When there is a team of that name, or the store cannot be written.
    pub fn add_team(&mut self, name: &str, token: &[u8; 32]) -> Result<Team, StoreError> {
        let sql = "INSERT INTO teams (name, token) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        match self.connection.execute(sql, params![name, &token[..]])? {
            0 => Err(StoreError::TeamExists(name.to_owned())),
            _ => self.team(self.connection.last_insert_rowid()),
        }
    }

    /// Gives a team another token.
    ///
    /// # Errors
    /// When there is no such team, or the store cannot be written.
    pub fn set_token(&mut self, team: TeamId, token: &[u8; 32]) -> Result<(), StoreError> {
        let sql = "UPDATE teams SET token = ?2 WHERE id = ?1";
        match self.connection.execute(sql, params![team, &token[..]])? {
            0 => Err(StoreError::NoTeam(team)),
            _ => Ok(()),
        }
    }

    /// Forgets a team and all it submitted.
    ///
    /// # Errors
    /// When there is no such team, or the store cannot be written.
    pub fn remove_team(&mut self, team: TeamId) -> Result<(), StoreError> {
        match self.connection.execute("DELETE FROM teams WHERE id = ?1", params![team])? {
            0 => Err(StoreError::NoTeam(team)),
            _ => Ok(()),
        }
    }

    /// The team with this number.
    ///
    /// # Errors
    /// When there is none.
    pub fn team(&self, id: TeamId) -> Result<Team, StoreError> {
        self.teams_where("WHERE id = ?1", params![id])?.pop().ok_or(StoreError::NoTeam(id))
    }

    /// All teams in the order they came.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn teams(&self) -> Result<Vec<Team>, StoreError> {
        self.teams_where("ORDER BY id", [])
    }

    fn teams_where(
        &self,
        which: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<Team>, StoreError> {
        let sql = format!("SELECT id, name, created FROM teams {which}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let read =
            |row: &Row<'_>| Ok(Team { id: row.get(0)?, name: row.get(1)?, created: row.get(2)? });
        let found = statement.query_map(params, read)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The hash of the token of a team; `None` when there is no such team.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn token(&self, team: TeamId) -> Result<Option<[u8; 32]>, StoreError> {
        let sql = "SELECT token FROM teams WHERE id = ?1";
        Ok(self.connection.query_row(sql, params![team], |row| row.get(0)).optional()?)
    }

    /// Keeps solutions of a team, all of them or none, and gives their numbers.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn submit(
        &mut self,
        team: TeamId,
        solutions: &[NewSolution],
    ) -> Result<Vec<i64>, StoreError> {
        let transaction = self.connection.transaction()?;
        let mut numbers = Vec::with_capacity(solutions.len());
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO solutions (team, problem, seed, tag, solution)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for new in solutions {
                let (problem, seed) = (new.problem as i64, new.seed as i64);
                insert.execute(params![team, problem, seed, new.tag, new.solution])?;
                numbers.push(transaction.last_insert_rowid());
            }
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// Keeps what the referee said of a solution.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_score(&mut self, id: i64, scored: &ScoredSolution) -> Result<(), StoreError> {
        let ScoredSolution { status, score, power, phrases } = scored;
        self.connection.execute(
            "UPDATE solutions SET status = ?2, score = ?3, power = ?4, phrases = ?5 WHERE id = ?1",
            params![id, status, *score as i64, *power as i64, *phrases as i64],
        )?;
        Ok(())
    }

    /// What a team submitted, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn submissions(&self, team: TeamId) -> Result<Vec<Submission>, StoreError> {
        self.submissions_where("WHERE team = ?1 ORDER BY id", params![team])
    }

    /// What nobody has scored yet, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unscored(&self) -> Result<Vec<Submission>, StoreError> {
        self.submissions_where("WHERE score IS NULL ORDER BY id", [])
    }

    /// The solution of every team, problem and seed that counts: the newest one, or the one with
    /// the best score. Their commands are left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn counting(&self, which: CountingRule) -> Result<Vec<Submission>, StoreError> {
        let order = match which {
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
        let found = statement.query_map(params, read)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

/// Which of several solutions counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CountingRule {
    /// The last one, as in the contest.
    #[default]
    Newest,
    /// The best one.
    Best,
}

fn read(row: &Row<'_>) -> rusqlite::Result<Submission> {
    let number = |i: usize| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(i)?.unsigned_abs());
    let scored = match row.get::<_, Option<String>>(7)? {
        None => None,
        Some(status) => Some(ScoredSolution {
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
