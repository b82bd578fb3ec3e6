//! The pairs of a plan as jobs, for threads of this machine and for workers: job `n` is pair `n` of
//! the schedule.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ludion_players::arena::executor::JobSet;
use ludion_players::arena::pair::AnyReferee;
use ludion_players::arena::plan::GamesPlan;
use ludion_players::assets::Assets;
use ludion_players::registry::{AnyGame, Registry, RegistryError};
use serde::{Deserialize, Serialize};

use crate::cluster::{Attachment, JobSpec};
use crate::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};
use crate::result_check::ResultCheck;
use crate::{GamePair, PlayablePlan, RunError, describe_players};

/// Job set of the pairs of a plan, for threads or for the cluster.
pub(crate) struct PlanJobs<'a> {
    registry: &'a Registry,
    playable: &'a PlayablePlan,
    /// Whether the results include the moves of the games.
    keep: bool,
    /// Check of the results that workers send, made when the first result arrives; results of this
    /// machine's threads need no check.
    result_check: OnceLock<ResultCheck>,
}

impl<'a> PlanJobs<'a> {
    pub(crate) fn new(registry: &'a Registry, playable: &'a PlayablePlan, keep: bool) -> Self {
        PlanJobs { registry, playable, keep, result_check: OnceLock::new() }
    }
}

impl JobSet for PlanJobs<'_> {
    type Worker = Box<dyn AnyReferee>;
    type Output = GamePair;

    fn worker(&self) -> Box<dyn AnyReferee> {
        self.playable.referee()
    }

    fn job(
        &self,
        referee: &mut Box<dyn AnyReferee>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<GamePair> {
        self.playable.play_pair(&mut **referee, number, self.keep, stop)
    }
}

impl RemoteJobSet for PlanJobs<'_> {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        let plan = self.playable.plan();
        let make_players = |game: &dyn AnyGame| game.referee(&plan.players).map(drop);
        Ok(JobSpec {
            kind: KIND.to_owned(),
            about: format!("{} {}: {}", plan.kind.name(), plan.game, describe_players(plan)),
            jobs: plan.schedule.total(),
            done: 0,
            spec: remote::encode_spec(&PlanSpec { plan: plan.clone(), keep: self.keep })?,
            attachments: find_attachments(self.registry, &plan.game, make_players)?,
        })
    }

    fn accepts(&self, number: u64, pair: &GamePair) -> bool {
        let plan = self.playable.plan();
        let check = self.result_check.get_or_init(|| ResultCheck::new(&self.playable.game, plan));
        let has_moves = pair.iter().all(|game| game.record.is_some() == self.keep);
        has_moves && check.accepts(plan, number, pair)
    }
}

/// Returns the models and data files that `make_players` reads while it makes players of a game.
///
/// # Errors
/// When a player cannot be made, or a file cannot be read.
pub fn find_attachments(
    registry: &Registry,
    game: &str,
    make_players: impl FnOnce(&dyn AnyGame) -> Result<(), RegistryError>,
) -> Result<Vec<Attachment>, RunError> {
    let (assets, names) = registry.assets().recording();
    make_players(&*registry.game_with(game, &assets)?)?;
    let attach = |name: String| {
        let bytes = registry.assets().fetch(&name).map_err(RunError::Failed)?;
        Ok(Attachment { name, bytes })
    };
    names.list().into_iter().map(attach).collect()
}

/// Content of a job spec of the kind `games`, as sent to workers.
#[derive(Serialize, Deserialize)]
struct PlanSpec {
    plan: GamesPlan,
    /// Whether the results include the moves of the games.
    keep: bool,
}

/// Handler with which a worker opens job specs of the kind `games`.
pub const GAMES: JobHandler = JobHandler { kind: KIND, open };
const KIND: &str = "games";

/// Job set of the pairs of a plan that a worker has received.
struct ReceivedPlanJobs {
    playable: PlayablePlan,
    keep: bool,
}

fn open(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let PlanSpec { plan, keep } = remote::decode_spec(spec)?;
    let playable = PlayablePlan::open_with(registry, assets, plan)?;
    Ok(remote::opened_job_set(ReceivedPlanJobs { playable, keep }))
}

impl JobSet for ReceivedPlanJobs {
    type Worker = Box<dyn AnyReferee>;
    type Output = GamePair;

    fn worker(&self) -> Box<dyn AnyReferee> {
        self.playable.referee()
    }

    fn job(
        &self,
        referee: &mut Box<dyn AnyReferee>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<GamePair> {
        self.playable.play_pair(&mut **referee, number, self.keep, stop)
    }
}
