//! Games, riddles and players as the registry lists them; every game with a picture of what it
//! looks like when it is under way.

use axum::Json;
use axum::extract::State;
use ludion::param::Param;
use ludion::random::Rng;
use ludion::registry::{AnyGame, GameEntry, Registry, RiddleEntry};
use ludion::scene::Scene;
use serde::Serialize;

use super::Shared;
use super::reply::Refusal;

#[derive(Serialize)]
pub(super) struct Gallery {
    games: Vec<Game>,
    riddles: Vec<Riddle>,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    help: &'static str,
    puzzle: bool,
    params: &'static [Param],
    examples: &'static [&'static str],
    players: Vec<&'static str>,
    /// The strongest player that answers at once.
    capable: &'static str,
    scene: Scene,
}

#[derive(Serialize)]
struct Riddle {
    name: &'static str,
    help: &'static str,
    params: &'static [Param],
    examples: &'static [&'static str],
    scene: Scene,
}

pub(super) async fn games(State(running): State<Shared>) -> Result<Json<Gallery>, Refusal> {
    let gallery = running.off(|running| {
        let registry = &running.registry;
        let games = registry.games().iter().map(|entry| game(registry, entry));
        let riddles = registry.riddles().iter().map(|entry| riddle(registry, entry));
        Ok(Gallery {
            games: games.collect::<Result<_, Refusal>>()?,
            riddles: riddles.collect::<Result<_, Refusal>>()?,
        })
    });
    Ok(Json(gallery.await?))
}

fn game(registry: &Registry, entry: &GameEntry) -> Result<Game, Refusal> {
    Ok(Game {
        name: entry.name,
        help: entry.help,
        puzzle: entry.puzzle,
        params: entry.params,
        examples: entry.examples,
        players: entry.players().iter().map(|player| player.name).collect(),
        capable: entry.capable(),
        scene: under_way(&*registry.game(entry.name)?),
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

fn riddle(registry: &Registry, entry: &RiddleEntry) -> Result<Riddle, Refusal> {
    let riddle = registry.riddle(entry.name)?;
    let secret = riddle.secret(0);
    let asked = (1..=GUESSES).map(|seed| {
        let guess = riddle.secret(seed);
        let answer = riddle.reply(&secret, &guess)?;
        Ok((guess, answer))
    });
    let asked: Vec<_> = asked.collect::<Result<_, Refusal>>()?;
    let RiddleEntry { name, help, params, examples, .. } = *entry;
    Ok(Riddle { name, help, params, examples, scene: riddle.picture(&asked)? })
}

#[derive(Serialize)]
pub(super) struct Players {
    players: Vec<ludion::registry::PlayerInfo>,
}

pub(super) async fn players(State(running): State<Shared>) -> Json<Players> {
    Json(Players { players: running.registry.players() })
}
