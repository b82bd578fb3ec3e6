//! Games, riddles and players as the registry lists them; every game with a picture of what it
//! looks like when it is under way.

use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use ludion::param::Param;
use ludion::random::Rng;
use ludion::registry::{AnyGame, GameEntry, Registry, RiddleEntry};
use ludion::scene::Scene;
use serde::Serialize;

use super::SharedLabState;
use super::error::LabError;

#[derive(Serialize)]
pub(super) struct GamesResponse {
    games: Vec<ListedGame>,
    riddles: Vec<ListedRiddle>,
}

#[derive(Serialize)]
struct ListedGame {
    name: Cow<'static, str>,
    help: Cow<'static, str>,
    puzzle: bool,
    params: Cow<'static, [Param]>,
    examples: Vec<Cow<'static, str>>,
    players: Vec<Cow<'static, str>>,
    /// The strongest player that answers within a second.
    capable: String,
    scene: Scene,
}

#[derive(Serialize)]
struct ListedRiddle {
    name: Cow<'static, str>,
    help: Cow<'static, str>,
    params: Cow<'static, [Param]>,
    examples: Vec<Cow<'static, str>>,
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

fn game(registry: &Registry, entry: &GameEntry) -> Result<ListedGame, LabError> {
    Ok(ListedGame {
        name: entry.name.clone(),
        help: entry.help.clone(),
        puzzle: entry.puzzle,
        params: entry.params.clone(),
        examples: entry.examples.clone(),
        players: entry.players().iter().map(|player| player.name.clone()).collect(),
        capable: entry.default_player().to_owned(),
        scene: under_way(&*registry.game(&entry.name)?),
    })
}

/// The longest game that is played for a picture.
const LONGEST: usize = 200;

/// A random game, always the same, at two fifths of its length.
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

/// How many guesses the picture of a riddle shows.
const GUESSES: u64 = 5;

fn riddle(registry: &Registry, entry: &RiddleEntry) -> Result<ListedRiddle, LabError> {
    let riddle = registry.riddle(&entry.name)?;
    let secret = riddle.secret(0);
    let asked = (1..=GUESSES).map(|seed| {
        let guess = riddle.secret(seed);
        let answer = riddle.reply(&secret, &guess)?;
        Ok((guess, answer))
    });
    let asked: Vec<_> = asked.collect::<Result<_, LabError>>()?;
    let RiddleEntry { name, help, params, examples, .. } = entry.clone();
    Ok(ListedRiddle { name, help, params, examples, scene: riddle.picture(&asked)? })
}

#[derive(Serialize)]
pub(super) struct PlayersResponse {
    players: Vec<ludion::registry::PlayerInfo>,
}

pub(super) async fn players(State(running): State<SharedLabState>) -> Json<PlayersResponse> {
    Json(PlayersResponse { players: running.registry.players() })
}
