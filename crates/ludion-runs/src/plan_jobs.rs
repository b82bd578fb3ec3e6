//! The pairs of a plan as jobs, for threads of this machine and for others.

use std::sync::{Arc, Mutex, PoisonError};

use ludion::arena::executor::JobSet;
use ludion::arena::pair::{AnyReferee, GameResult};
use ludion::arena::plan::MatchPlan;
use ludion::assets::Assets;
use ludion::registry::{AnyGame, Registry};
use serde::{Deserialize, Serialize};

use crate::cluster::{Attachment, JobSpec};
use crate::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};
use crate::result_check::ResultCheck;
use crate::{RunError, who};

/// A plan with its game: job `n` is pair `n` of the schedule.
pub struct PlanJobs<'a> {
    written: PlanSpec,
    game: Arc<dyn AnyGame>,
    umpire: ResultCheck,
    /// Where models and data are found that others need as well.
    home: Option<&'a Registry>,
}

/// What others need to know.
#[derive(Serialize, Deserialize)]
struct PlanSpec {
    plan: MatchPlan,
    /// Whether the moves are kept.
    keep: bool,
}

/// How others open it.
pub const GAMES: JobHandler = JobHandler { kind: KIND, open };
const KIND: &str = "games";

impl<'a> PlanJobs<'a> {
    /// The pairs of a plan, whose names are those of the registry.
    ///
    /// # Errors
    /// When the game or a player is unknown.
    pub fn new(registry: &'a Registry, plan: &MatchPlan, keep: bool) -> Result<Self, RunError> {
        let games =
            PlanJobs::on(registry, registry.assets(), PlanSpec { plan: plan.clone(), keep })?;
        Ok(PlanJobs { home: Some(registry), ..games })
    }

    /// The pairs of a plan, whose players find models and data on this shelf.
    fn on(registry: &Registry, assets: &Assets, written: PlanSpec) -> Result<Self, RunError> {
        let game = registry.game_with(&written.plan.game, assets)?;
        game.referee(&written.plan.players)?;
        let umpire = ResultCheck::new(&game, &written.plan);
        Ok(PlanJobs { written, game, umpire, home: None })
    }
}

fn open(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    Ok(remote::opened_job_set(PlanJobs::on(registry, assets, remote::read(spec)?)?))
}

impl JobSet for PlanJobs<'_> {
    type Worker = Box<dyn AnyReferee>;
    type Output = [GameResult; 2];

    fn worker(&self) -> Box<dyn AnyReferee> {
        self.game.referee(&self.written.plan.players).expect("the same names made one before")
    }

    fn job(&self, referee: &mut Box<dyn AnyReferee>, number: u64) -> [GameResult; 2] {
        let PlanSpec { plan, keep } = &self.written;
        referee.play_pair(&plan.terms, plan.schedule.pair(number), *keep)
    }
}

impl RemoteJobSet for PlanJobs<'_> {
    fn order(&self) -> Result<JobSpec, RunError> {
        let plan = &self.written.plan;
        let attachments = match self.home {
            None => Vec::new(),
            Some(registry) => {
                needed(registry, &plan.game, |game| game.referee(&plan.players).map(drop))?
            }
        };
        Ok(JobSpec {
            kind: KIND.to_owned(),
            about: format!("{} {}: {}", plan.kind.name(), plan.game, who(plan)),
            jobs: plan.schedule.total(),
            done: 0,
            spec: remote::write(&self.written)?,
            attachments,
        })
    }

    fn fits(&self, number: u64, pair: &[GameResult; 2]) -> bool {
        let PlanSpec { plan, keep } = &self.written;
        let kept = |game: &GameResult| game.record.is_some() == *keep;
        pair.iter().all(kept) && self.umpire.accepts(plan, number, pair)
    }
}

/// The models and data that players of a game look at when `seat` makes them.
///
/// # Errors
/// When one of them cannot be had.
pub fn needed(
    registry: &Registry,
    game: &str,
    seat: impl FnOnce(&dyn AnyGame) -> Result<(), ludion::registry::RegistryError>,
) -> Result<Vec<Attachment>, RunError> {
    let seen: Arc<Mutex<Vec<Attachment>>> = Arc::default();
    let (notes, assets) = (Arc::clone(&seen), registry.assets().clone());
    let noting = Assets::new(move |name| {
        let bytes = assets.fetch(name)?;
        let mut seen = notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.iter().any(|thing| thing.name == name) {
            seen.push(Attachment { name: name.to_owned(), bytes: Arc::clone(&bytes) });
        }
        Ok(bytes)
    });
    seat(&*registry.game_with(game, &noting)?)?;
    let attachments = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(attachments)
}
