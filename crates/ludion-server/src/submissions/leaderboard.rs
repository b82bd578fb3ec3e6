//! The leaderboard: a ranking for every problem and an overall ranking. A problem's score is the
//! mean over its seeds, rounded down, where a missing seed counts zero. Overall, a team gets
//! 100·(score / best score)² for each problem, as in the finals of the ICFP contest of 2015.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Query, State};
use ludion_hextris::Problem;
use ludion_store::{CountingRule, Submission, Team, TeamId};
use serde::{Deserialize, Serialize};

use super::SharedSubmissionState;
use super::error::SubmissionError;

/// The overall ranking, and the ranking of each problem.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Leaderboard {
    /// Teams by their overall points, best first.
    pub overall: Vec<OverallEntry>,
    /// The rankings of the problems with at least one solution, by number.
    pub problems: Vec<ProblemRanking>,
}

/// A team in the overall ranking.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OverallEntry {
    /// The team's number.
    pub team: TeamId,
    /// The team's name.
    pub name: String,
    /// Sum of 100·(score / best score of any team)² over the problems.
    pub points: f64,
    /// Sum of the team's scores over the problems.
    pub score: u64,
}

/// The ranking of one problem.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProblemRanking {
    /// The problem's number.
    pub problem: u64,
    /// The teams, best first.
    pub entries: Vec<ProblemEntry>,
}

/// A team in the ranking of one problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProblemEntry {
    /// The team's number.
    pub team: TeamId,
    /// The team's name.
    pub name: String,
    /// Mean score over all seeds of the problem, rounded down; a missing seed counts zero.
    pub score: u64,
    /// Score by seed, for the seeds with a solution; `None` while the solution is not scored yet.
    pub seeds: BTreeMap<u64, Option<u64>>,
    /// The tag that the team gave the newest of its counted solutions; `None` if it gave none.
    pub tag: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct LeaderboardQuery {
    /// `best` to count each team's best solution instead of its newest.
    #[serde(default)]
    counts: Option<String>,
}

/// Serves `GET /leaderboard` and `GET /leaderboard?counts=best`.
pub(super) async fn show(
    State(server): State<SharedSubmissionState>,
    Query(which): Query<LeaderboardQuery>,
) -> Result<Json<Leaderboard>, SubmissionError> {
    let counts = match which.counts.as_deref() {
        None | Some("newest") => CountingRule::Newest,
        Some("best") => CountingRule::Best,
        Some(other) => {
            return Err(SubmissionError::Bad(format!(
                "counts is {other:?}; allowed are newest and best"
            )));
        }
    };
    let ranked = server.with_store(move |server, store| {
        Ok(rank(&server.problems, &store.teams()?, &store.counted_submissions(counts)?))
    });
    Ok(Json(ranked.await?))
}

/// A problem that accepts solutions.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedProblem {
    id: u32,
    width: usize,
    height: usize,
    /// Number of different units (pieces) of the problem.
    units: usize,
    /// Number of units that a game consists of.
    source_length: usize,
    source_seeds: Vec<u32>,
}

/// Serves `GET /problems`.
pub(super) async fn problems(
    State(server): State<SharedSubmissionState>,
) -> Json<Vec<ListedProblem>> {
    let listed = server.problems.values().map(|problem| ListedProblem {
        id: problem.id(),
        width: problem.width(),
        height: problem.height(),
        units: problem.units().len(),
        source_length: problem.source_length(),
        source_seeds: problem.seeds().to_vec(),
    });
    Json(listed.collect())
}

/// Computes the leaderboard from the counted solutions `counting`, one for each team, problem and
/// seed.
#[must_use]
pub fn rank(
    problems: &BTreeMap<u32, Problem>,
    teams: &[Team],
    counting: &[Submission],
) -> Leaderboard {
    let mut boards: BTreeMap<u64, BTreeMap<TeamId, Vec<&Submission>>> = BTreeMap::new();
    for one in counting {
        boards.entry(one.problem).or_default().entry(one.team).or_default().push(one);
    }
    let name = |id: TeamId| teams.iter().find(|team| team.id == id).map(|team| team.name.clone());
    let entry = |(&team, solutions): (&TeamId, &Vec<&Submission>)| {
        let problem = problems.get(&(solutions[0].problem as u32))?;
        Some(entry(team, name(team)?, problem, solutions))
    };
    let mut ranked = Vec::new();
    for (problem, board) in &boards {
        let mut entries: Vec<ProblemEntry> = board.iter().filter_map(entry).collect();
        entries.sort_by(|a, b| b.score.cmp(&a.score).then(a.team.cmp(&b.team)));
        if !entries.is_empty() {
            ranked.push(ProblemRanking { problem: *problem, entries });
        }
    }
    Leaderboard { overall: overall(&ranked), problems: ranked }
}

/// Computes the score of a team on a problem.
fn entry(team: TeamId, name: String, problem: &Problem, solutions: &[&Submission]) -> ProblemEntry {
    let score = |one: &&Submission| one.scored.as_ref().map(|scored| scored.score);
    let seeds: BTreeMap<u64, Option<u64>> =
        solutions.iter().map(|one| (one.seed, score(one))).collect();
    // A seed that the problem lists twice counts twice.
    let listed = problem.seeds().iter();
    let sum: u64 = listed.filter_map(|&seed| seeds.get(&u64::from(seed)).copied().flatten()).sum();
    let newest = solutions.iter().max_by_key(|one| one.id);
    ProblemEntry {
        team,
        name,
        score: sum / problem.seeds().len() as u64,
        seeds,
        tag: newest.and_then(|one| one.tag.clone()),
    }
}

/// Computes the overall ranking from those of the problems.
fn overall(ranked: &[ProblemRanking]) -> Vec<OverallEntry> {
    let mut teams: BTreeMap<TeamId, OverallEntry> = BTreeMap::new();
    for board in ranked {
        let best = board.entries.iter().map(|entry| entry.score).max().unwrap_or(0);
        for ProblemEntry { team, name, score, .. } in &board.entries {
            let name = name.clone();
            let new = OverallEntry { team: *team, name, points: 0.0, score: 0 };
            let sum = teams.entry(*team).or_insert(new);
            sum.score += score;
            if best > 0 {
                sum.points += 100.0 * (*score as f64 / best as f64).powi(2);
            }
        }
    }
    let mut teams: Vec<OverallEntry> = teams.into_values().collect();
    teams.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.team.cmp(&b.team)));
    teams
}
