//! `POST /api/learning/generate`: plays games into a new archive of the data folder, and streams how
//! many are played. Games played before the client disconnects or the time is over stay.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_players::archive::GameBlock;
use ludion_players::player::Budget;
use ludion_players::registry::GeneratorSettings;
use ludion_players::spec::Spec;
use ludion_runs::block_jobs::{BlockJobs, BlockOutput, BlockSpec};
use ludion_runs::{RunContext, remote};
use ludion_store::{ArchiveFileWriter, BlockSource};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::folder::ARCHIVE_EXTENSION;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{FinalEvent, QueueSlot, QueuedTask, error_event, result_event};
use crate::lab::runs::check_range;
use crate::lab::{LabState, SharedLabState};

/// A request for games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GenerateRequest {
    /// Spec of the game.
    game: String,
    /// Number of games.
    games: u64,
    /// Spec of the player of both sides; by default `random`.
    player: Option<String>,
    /// Number of random plies before the players move.
    #[serde(default)]
    opening: u32,
    #[serde(default = "one")]
    seed: u64,
    /// Name of the new file in the data folder.
    out: String,
}

fn one() -> u64 {
    1
}

/// Largest number of games of a request.
const MAX_GAMES: u64 = 1_000_000;
/// Largest number of random plies.
const MAX_OPENING: u64 = 100;

/// Games that are ready to be played.
struct PreparedGames {
    blocks: BlockJobs,
    source: BlockSource,
    path: PathBuf,
    file: String,
}

/// What was played.
#[derive(Serialize)]
struct GeneratedGames {
    /// Name of the archive in the data folder.
    file: String,
    /// Number of games in it.
    games: u64,
    /// Whether all games were played.
    complete: bool,
    seconds: f64,
}

/// Serves `POST /api/learning/generate`.
pub(crate) async fn generate(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<GenerateRequest>,
) -> Result<impl IntoResponse, LabError> {
    let slot = QueueSlot::reserve(&lab)?;
    let prepared = lab.blocking(move |lab| request.prepare(lab)).await?;
    let shared = lab.clone();
    Ok(slot.run(lab, move |task| prepared.run(&shared, task)))
}

impl GenerateRequest {
    fn prepare(self, lab: &LabState) -> Result<PreparedGames, LabError> {
        check_range("games", self.games, 1..=MAX_GAMES)?;
        check_range("opening", self.opening.into(), 0..=MAX_OPENING)?;
        let path = lab.data.new_file(&self.out, ARCHIVE_EXTENSION)?;
        let game = lab.registry.game(&self.game)?;
        let player = self.player.as_deref().unwrap_or("random");
        lab.check_player(lab.registry.entry(&self.game)?, &Spec::parse(player)?)?;
        game.player(player)?;
        let player = game.effective_player(player, &Budget::UNLIMITED)?.spec;
        let players = [player.clone(), player];
        let settings =
            GeneratorSettings { players, budget: Budget::UNLIMITED, opening: self.opening };
        let spec = BlockSpec {
            game: game.spec().to_owned(),
            cast: settings.clone(),
            seed: self.seed,
            first: 0,
            games: self.games,
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let source = BlockSource { settings, seed: self.seed, version };
        let blocks = BlockJobs::new(&lab.registry, spec, false)?;
        Ok(PreparedGames { blocks, source, path, file: self.out })
    }
}

impl PreparedGames {
    fn run(self, lab: &LabState, task: &QueuedTask<'_>) -> FinalEvent {
        match self.play(lab, task) {
            Ok(report) => result_event("done", &report),
            Err(sentence) => error_event(sentence),
        }
    }

    fn play(self, lab: &LabState, task: &QueuedTask<'_>) -> Result<GeneratedGames, String> {
        let PreparedGames { blocks, source, path, file } = self;
        let total = blocks.spec.games;
        let opened = ArchiveFileWriter::append(&path, &blocks.spec.game, &source);
        let mut writer = opened.map_err(|error| error.to_string())?;
        let mut failure = None;
        let mut sink = |number: u64, digits: BlockOutput| {
            let (first, count) = blocks.spec.block(number);
            let block = digits.map(|digits| GameBlock { first, count, digits });
            if let Err(error) =
                block.and_then(|block| writer.push(block).map_err(|e| e.to_string()))
            {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            task.events.try_send("games", &json!({ "done": writer.next_game(), "total": total }));
            if task.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stop = AtomicBool::new(false);
        let run_context = RunContext {
            registry: &lab.registry,
            threads: lab.limits.threads.max(1) as usize,
            stop: &stop,
            gate: None,
            cluster: None,
        };
        let jobs = &mut (0..blocks.spec.blocks());
        let done = remote::execute(&run_context, &blocks, 0, jobs, &mut sink);
        let games = writer.next_game();
        writer.close().map_err(|error| error.to_string())?;
        if games == 0 {
            // A file without games would be in the way of the next attempt.
            let _ = std::fs::remove_file(&path);
        }
        failure.map_or(Ok(()), Err)?;
        done.map_err(|error| error.to_string())?;
        let seconds = task.elapsed().as_secs_f64();
        Ok(GeneratedGames { file, games, complete: games == total, seconds })
    }
}
