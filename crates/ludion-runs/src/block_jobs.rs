//! Jobs that generate an archive of games: job `n` plays the games of block `n` with two players.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::archive::{AnyArchiveGenerator, GameBlock};
use ludion_players::arena::executor::JobSet;
use ludion_players::assets::Assets;
use ludion_players::registry::{AnyGame, GeneratorSettings, Registry};
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::cluster::{Attachment, JobSpec};
use crate::plan_jobs::find_attachments;
use crate::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};

/// Number of games in a block of random games; the last block may have fewer.
const RANDOM_BLOCK_GAMES: u64 = 2000;
/// Number of games in a block of other players, whose games may take minutes: a block that is not
/// finished when the program is stopped is lost.
const PLAYED_BLOCK_GAMES: u64 = 10;

/// Description of games to generate for an archive, as sent to workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockSpec {
    /// Spec of the game, such as `connect4`.
    pub game: String,
    /// The two players, their budget per move and the number of random opening plies.
    pub cast: GeneratorSettings,
    /// Seed from which the seed of each game is derived.
    pub seed: u64,
    /// Number, within the archive, of the first game to play.
    pub first: u64,
    /// Number of games to play from `first` on.
    pub games: u64,
}

impl BlockSpec {
    fn block_games(&self) -> u64 {
        match self.cast.players.iter().all(|player| player == "random") {
            true => RANDOM_BLOCK_GAMES,
            false => PLAYED_BLOCK_GAMES,
        }
    }

    /// Returns the number of blocks, which is the number of jobs.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.games.div_ceil(self.block_games())
    }

    /// Returns the number of the first game of a block and how many games the block has.
    #[must_use]
    pub fn block(&self, number: u64) -> (u64, u32) {
        let before = number * self.block_games();
        (self.first + before, self.block_games().min(self.games.saturating_sub(before)) as u32)
    }
}

/// Job set that plays games for an archive; job `n` plays block `n`.
pub struct BlockJobs {
    /// The games to play.
    pub spec: BlockSpec,
    game: Arc<dyn AnyGame>,
    attachments: Vec<Attachment>,
}

/// Encoded moves of the games of a block (the digits of a [`GameBlock`]), or an error message.
pub type BlockOutput = Result<Vec<u8>, String>;

impl BlockJobs {
    /// Makes the jobs of a spec. If `is_remote`, the models and data files that the players read
    /// are attached for workers.
    ///
    /// # Errors
    /// When the game or a player is unknown.
    pub fn new(registry: &Registry, spec: BlockSpec, is_remote: bool) -> Result<Self, RunError> {
        let attachments = match is_remote {
            false => Vec::new(),
            true => {
                find_attachments(registry, &spec.game, |game| game.simulator(&spec.cast).map(drop))?
            }
        };
        let jobs = BlockJobs::open(registry, registry.assets(), spec)?;
        Ok(BlockJobs { attachments, ..jobs })
    }

    fn open(registry: &Registry, assets: &Assets, spec: BlockSpec) -> Result<Self, RunError> {
        let game = registry.game_with(&spec.game, assets)?;
        game.simulator(&spec.cast)?;
        Ok(BlockJobs { spec, game, attachments: Vec::new() })
    }
}

impl JobSet for BlockJobs {
    type Worker = Box<dyn AnyArchiveGenerator>;
    type Output = BlockOutput;

    fn worker(&self) -> Box<dyn AnyArchiveGenerator> {
        self.game.simulator(&self.spec.cast).expect("the same players were made before")
    }

    fn job(
        &self,
        simulator: &mut Box<dyn AnyArchiveGenerator>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<BlockOutput> {
        let (first, count) = self.spec.block(number);
        let block = simulator.block_or_stop(self.spec.seed, first, count, stop)?;
        Some(block.map(|block| block.digits).map_err(|refusal| refusal.to_string()))
    }
}

const KIND: &str = "generate";
/// Handler with which a worker opens job specs of the kind `generate`.
pub const BLOCKS: JobHandler = JobHandler { kind: KIND, open };

fn open(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let jobs = BlockJobs::open(registry, assets, remote::decode_spec(spec)?)?;
    Ok(remote::opened_fallible_job_set(jobs, |output| output.as_ref().err().cloned()))
}

impl RemoteJobSet for BlockJobs {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        let BlockSpec { game, cast, games, .. } = &self.spec;
        let [first, second] = &cast.players;
        Ok(JobSpec {
            kind: KIND.to_owned(),
            about: format!("{games} games of {game} by {first} and {second}"),
            jobs: self.spec.blocks(),
            done: 0,
            series: None,
            spec: remote::encode_spec(&self.spec)?,
            attachments: self.attachments.clone(),
        })
    }

    /// Returns whether the digits decode to the expected number of legal, complete games.
    fn accepts(&self, number: u64, output: &BlockOutput) -> bool {
        let (first, count) = self.spec.block(number);
        let Ok(digits) = output.clone() else { return false };
        let block = GameBlock { first, count, digits };
        self.game.each_game(&block, &mut |_| ControlFlow::Continue(())).is_ok()
    }
}
