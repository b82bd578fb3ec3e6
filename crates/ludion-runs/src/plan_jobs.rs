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
use crate::residuals::ResultClass;
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
            series: None,
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

    /// The group of a pair is its meeting.
    fn classify(&self, number: u64, pair: &GamePair) -> Option<ResultClass> {
        let schedule = &self.playable.plan().schedule;
        let [first, _] = schedule.pair(number).players;
        let class = pair.iter().map(|game| (2.0 * game.score(first)) as u8).sum();
        Some(ResultClass { group: (number % schedule.meetings.len() as u64) as u32, class })
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

#[cfg(test)]
mod tests {
    use ludion_players::arena::pair::GameSettings;
    use ludion_players::player::Budget;

    use super::*;
    use crate::setup;

    #[test]
    fn a_pair_is_the_same_after_a_worker_sent_it_and_has_the_class_of_its_points() {
        let registry = ludion::registry::standard();
        let terms = GameSettings { budget: Budget::UNLIMITED, opening: 2, longest: 100, seed: 4 };
        let players = ["montecarlo(sims=4)", "random"];
        let playable = setup::duel(&registry, "tictactoe", players, 40, terms, None);
        let playable = playable.expect("a plan");
        let (mut referee, stop) = (playable.referee(), AtomicBool::new(false));
        for keep in [true, false] {
            let jobs = PlanJobs::new(&registry, &playable, keep);
            let mut classes = [0; 5];
            for number in 0..40 {
                let pair = jobs.job(&mut referee, number, &stop).expect("a pair");
                let bytes = postcard::to_stdvec(&pair).expect("bytes");
                let read: GamePair = postcard::from_bytes(&bytes).expect("a pair");
                assert_eq!(read, pair);
                assert!(jobs.accepts(number, &read));
                let ResultClass { group, class } = jobs.classify(number, &read).expect("a class");
                assert_eq!(
                    (group, f64::from(class)),
                    (0, 2.0 * (pair[0].score(0) + pair[1].score(0)))
                );
                classes[usize::from(class)] += 1;
            }
            assert!(classes[4] > classes[0], "the first player is the better one: {classes:?}");
        }
    }
}
