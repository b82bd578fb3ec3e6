//! `GET /api/games` and `GET /api/players`: the registry's games, riddles and players; every game with
//! a picture of a typical position.

use axum::Json;
use axum::extract::State;
use ludion::random::Rng;
use ludion::registry::{AnyGame, GameEntry, Registry, RiddleEntry};
use ludion::scene::Scene;
use ludion_runs::{ListedGame, ListedRiddle};
use serde::Serialize;

use super::SharedLabState;
use super::error::LabError;

#[derive(Serialize)]
pub(super) struct GamesResponse {
    games: Vec<PicturedGame>,
    riddles: Vec<PicturedRiddle>,
}

/// A game with a picture.
#[derive(Serialize)]
struct PicturedGame {
    #[serde(flatten)]
    listed: ListedGame,
    /// The strongest player that answers within a second.
    capable: String,
    scene: Scene,
}

/// A riddle with a picture.
#[derive(Serialize)]
struct PicturedRiddle {
    #[serde(flatten)]
    listed: ListedRiddle,
    scene: Scene,
}

pub(super) async fn games(
    State(running): State<SharedLabState>,
) -> Result<Json<GamesResponse>, LabError> {
    let gallery = running.off(|running| {
        let registry = &running.registry;
        let games = registry.games().iter().map(|entry| game(registry, entry));
        let riddles = registry.riddles().iter().map(|entry| riddle(registry, entry));
        Ok(GamesResponse {
            games: games.collect::<Result<_, LabError>>()?,
            riddles: riddles.collect::<Result<_, LabError>>()?,
        })
    });
    Ok(Json(gallery.await?))
}

fn game(registry: &Registry, entry: &GameEntry) -> Result<PicturedGame, LabError> {
    Ok(PicturedGame {
        listed: entry.into(),
        capable: entry.default_player().to_owned(),
        scene: under_way(&*registry.game(&entry.name)?),
    })
}

/// Longest random game that is played for a picture.
const LONGEST: usize = 200;

/// Returns a position two fifths into a random game with a fixed seed.
fn under_way(game: &dyn AnyGame) -> Scene {
    let (mut position, mut rng) = (game.start(), Rng::new(4));
    let mut scenes = vec![position.scene()];
    while scenes.len() < LONGEST {
        let moves = position.moves();
        let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
        if position.play(m).is_err() {
            break;
        }
        scenes.push(position.scene());
    }
    let at = scenes.len() * 2 / 5;
    scenes.swap_remove(at)
}

/// Number of guesses in the picture of a riddle.
const GUESSES: u64 = 5;

fn riddle(registry: &Registry, entry: &RiddleEntry) -> Result<PicturedRiddle, LabError> {
    let riddle = registry.riddle(&entry.name)?;
    let secret = riddle.secret(0);
    let asked = (1..=GUESSES).map(|seed| {
        let guess = riddle.secret(seed);
        let answer = riddle.reply(&secret, &guess)?;
        Ok((guess, answer))
    });
    let asked: Vec<_> = asked.collect::<Result<_, LabError>>()?;
    Ok(PicturedRiddle { listed: entry.into(), scene: riddle.picture(&asked)? })
}

#[derive(Serialize)]
pub(super) struct PlayersResponse {
    players: Vec<ludion::registry::PlayerInfo>,
}

pub(super) async fn players(State(running): State<SharedLabState>) -> Json<PlayersResponse> {
    Json(PlayersResponse { players: running.registry.players() })
}
