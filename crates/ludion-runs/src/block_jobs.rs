//! Blocks of an archive as jobs: job `n` plays the games of block `n` with two players.

use std::ops::ControlFlow;
use std::sync::Arc;

use ludion::archive::{AnySimulator, GameBlock};
use ludion::arena::executor::JobSet;
use ludion::assets::Assets;
use ludion::registry::{AnyGame, Registry, SimulationSettings};
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::cluster::{Attachment, JobSpec};
use crate::plan_jobs::find_attachments;
use crate::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};

/// Games of a block.
const BLOCK_GAMES: u64 = 2000;

/// Games of an archive, from game `first` on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockSpec {
    /// The game.
    pub game: String,
    /// The players, their budget and the opening.
    pub cast: SimulationSettings,
    /// The seed of all games.
    pub seed: u64,
    /// The number of the first game.
    pub first: u64,
    /// The number of games.
    pub games: u64,
}

impl BlockSpec {
    /// Returns the number of blocks.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.games.div_ceil(BLOCK_GAMES)
    }

    /// Returns the first game of a block and how many games it has.
    #[must_use]
    pub fn block(&self, number: u64) -> (u64, u32) {
        let before = number * BLOCK_GAMES;
        (self.first + before, BLOCK_GAMES.min(self.games.saturating_sub(before)) as u32)
    }
}

/// Blocks of games as jobs.
pub struct BlockJobs {
    /// What is played.
    pub spec: BlockSpec,
    game: Arc<dyn AnyGame>,
    attachments: Vec<Attachment>,
}

/// The moves of a block, or why there are none.
pub type BlockOutput = Result<Vec<u8>, String>;

impl BlockJobs {
    /// Makes the jobs of a spec. Where `is_remote`, models and data of the players are attached.
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
    type Worker = Box<dyn AnySimulator>;
    type Output = BlockOutput;

    fn worker(&self) -> Box<dyn AnySimulator> {
        self.game.simulator(&self.spec.cast).expect("the same players were made before")
    }

    fn job(&self, simulator: &mut Box<dyn AnySimulator>, number: u64) -> BlockOutput {
        let (first, count) = self.spec.block(number);
        let block = simulator.block(self.spec.seed, first, count);
        block.map(|block| block.digits).map_err(|refusal| refusal.to_string())
    }
}

const KIND: &str = "generate";
/// Opens blocks of games for workers.
pub const BLOCKS: JobHandler = JobHandler { kind: KIND, open };

fn open(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let jobs = BlockJobs::open(registry, assets, remote::decode_spec(spec)?)?;
    Ok(remote::opened_job_set_unless(jobs, |output| output.as_ref().err().cloned()))
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
            spec: remote::encode_spec(&self.spec)?,
            attachments: self.attachments.clone(),
        })
    }

    /// Returns whether the moves are those of as many whole games.
    fn accepts(&self, number: u64, output: &BlockOutput) -> bool {
        let (first, count) = self.spec.block(number);
        let Ok(digits) = output.clone() else { return false };
        let block = GameBlock { first, count, digits };
        self.game.each_game(&block, &mut |_| ControlFlow::Continue(())).is_ok()
    }
}
