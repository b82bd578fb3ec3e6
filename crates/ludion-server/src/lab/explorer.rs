//! `POST /api/explorer`: which moves the games of the store have played in a position, and how these
//! games ended. The games of a run are replayed once and counted by position, so that positions
//! reached by different moves are one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use ludion_players::arena::pair::GameRecord;
use ludion_players::game::Side;
use ludion_players::outcome::Duel;
use ludion_players::registry::{AnyGame, AnyPosition};
use ludion_runs::studies::played_game::UNFINISHED;
use ludion_store::{RunId, RunPlan, Store, StoredGame};
use serde::Serialize;

use super::body::JsonBody;
use super::error::LabError;
use super::position::PositionRequest;
use super::runs::games::played_game;
use super::{LabState, SharedLabState};

/// Most games of one variant that are counted; the newest runs come first.
const MAX_GAMES: u64 = 20_000;
/// Most plies of a game that are counted.
const MAX_PLIES: usize = 80;
/// Longest time of one request to count games; the next request goes on.
const MAX_TIME: Duration = Duration::from_secs(2);
/// Number of games that are read from the store at once.
const READ_AT_ONCE: u64 = 200;
/// Most variants whose games are kept counted.
const MAX_INDEXES: usize = 8;

/// How often a move was played, and how these games ended.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
struct MoveCount {
    /// Number of games with this move.
    games: u64,
    /// Number of these games that the first side won.
    first: u64,
    /// Number of these games that the second side won.
    second: u64,
    /// Number of these games that were drawn.
    drawn: u64,
}

impl MoveCount {
    fn add(&mut self, end: Duel) {
        self.games += 1;
        match end {
            Duel::Won(Side::First) => self.first += 1,
            Duel::Won(Side::Second) => self.second += 1,
            Duel::Drawn => self.drawn += 1,
        }
    }
}

/// The games of one variant, counted by position and move.
#[derive(Default)]
struct ExplorerIndex {
    /// Number of games of each run that are counted.
    counted: HashMap<RunId, u64>,
    games: u64,
    positions: HashMap<u64, BTreeMap<String, MoveCount>>,
}

/// The counted games of the variants that were asked for last.
#[derive(Default)]
pub(super) struct ExplorerCache(Mutex<Vec<(String, Arc<Mutex<ExplorerIndex>>)>>);

impl ExplorerCache {
    /// Returns the index of a variant; it is moved to the end, and the first one gives way.
    fn of(&self, spec: &str) -> Arc<Mutex<ExplorerIndex>> {
        let mut indexes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = indexes.iter().position(|(known, _)| known == spec);
        let entry = found.map(|at| indexes.remove(at)).unwrap_or_default();
        if indexes.len() >= MAX_INDEXES {
            indexes.remove(0);
        }
        let index = Arc::clone(&entry.1);
        indexes.push((spec.to_owned(), entry.1));
        index
    }
}

/// The moves that games of the store have played in a position.
#[derive(Serialize)]
pub(super) struct ExplorerResponse {
    /// Number of games of this variant that are counted.
    games: u64,
    /// Whether games of the store are not counted yet; another request counts more of them.
    more: bool,
    /// The moves, the one that was played most often first.
    moves: Vec<ExploredMove>,
}

/// A move with its games.
#[derive(Serialize)]
struct ExploredMove {
    #[serde(rename = "move")]
    play: String,
    #[serde(flatten)]
    count: MoveCount,
}

pub(super) async fn explorer(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<PositionRequest>,
) -> Result<Json<ExplorerResponse>, LabError> {
    Ok(Json(lab.blocking(move |lab| explore(lab, &request)).await?))
}

fn explore(lab: &LabState, request: &PositionRequest) -> Result<ExplorerResponse, LabError> {
    let history = request.open(&lab.registry, &lab.limits)?;
    let index = lab.explorers.of(history.game.spec());
    let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
    let more = index.update(&lab.open_store()?, &*history.game)?;
    let found = index.positions.get(&history.position().key());
    let mut moves: Vec<ExploredMove> = found
        .into_iter()
        .flatten()
        .map(|(play, &count)| ExploredMove { play: play.clone(), count })
        .collect();
    moves.sort_by_key(|explored| std::cmp::Reverse(explored.count.games));
    Ok(ExplorerResponse { games: index.games, more, moves })
}

impl ExplorerIndex {
    /// Counts the games of the store that are new; returns whether some are left.
    fn update(&mut self, store: &Store, game: &dyn AnyGame) -> Result<bool, LabError> {
        let until = Instant::now() + MAX_TIME;
        for run in store.runs()?.into_iter().rev() {
            let plan = match &run.plan {
                RunPlan::Games(plan) => plan,
                RunPlan::Study(_) => {
                    self.count_played(store, game, run.id)?;
                    continue;
                }
            };
            let mut next = self.counted.get(&run.id).copied().unwrap_or(0);
            while plan.game == game.spec() && next < run.games && self.games < MAX_GAMES {
                if Instant::now() > until {
                    return Ok(true);
                }
                let games = store.games(run.id, next, READ_AT_ONCE)?;
                if games.is_empty() {
                    break;
                }
                next += games.len() as u64;
                self.counted.insert(run.id, next);
                for StoredGame { result, .. } in &games {
                    if let Some(record) = &result.record {
                        self.count(game, record, result.end.duel());
                    }
                }
            }
        }
        Ok(false)
    }

    /// Counts the game of a run that keeps one which a person played to its end.
    fn count_played(
        &mut self,
        store: &Store,
        game: &dyn AnyGame,
        run: RunId,
    ) -> Result<(), LabError> {
        if self.counted.contains_key(&run) {
            return Ok(());
        }
        let Some((played, end)) = played_game(store, run)? else { return Ok(()) };
        self.counted.insert(run, 1);
        if played.game == game.spec() && end.ended != UNFINISHED {
            self.count(game, &played.record(&end), end.won.map_or(Duel::Drawn, Duel::Won));
        }
        Ok(())
    }

    /// Counts the moves of one game.
    fn count(&mut self, game: &dyn AnyGame, record: &GameRecord, end: Duel) {
        let Some(mut position) = first_position(game, record) else { return };
        self.games += 1;
        let played = record.plies.iter().map(|ply| &ply.play);
        for play in record.opening.iter().chain(played).take(MAX_PLIES) {
            let key = position.key();
            let Ok(name) = position.canonical_move(play) else { return };
            self.positions.entry(key).or_default().entry(name).or_default().add(end);
            if position.play(play).is_err() {
                return;
            }
        }
    }
}

fn first_position(game: &dyn AnyGame, record: &GameRecord) -> Option<Box<dyn AnyPosition>> {
    match &record.start {
        Some(text) => game.read(text).ok(),
        None => Some(game.start()),
    }
}
