//! Limits of one run and of all runs together.

use std::ops::RangeInclusive;
use std::time::Duration;

use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::plan::{GamesPlan, PlanKind};
use ludion_players::registry::GameEntry;
use ludion_players::spec::{Spec, SpecValue};
use ludion_store::StudyPlan;
use serde::Serialize;

use crate::lab::error::LabError;
use crate::lab::mastermind;
use crate::lab::{LabLimits, LabState};

/// Limits of the runs that the laboratory executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RunLimits {
    /// Maximum number of runs executed at the same time.
    pub at_once: usize,
    /// Maximum number of runs that wait in the queue.
    pub queue: usize,
    /// Maximum number of players of a run.
    pub players: usize,
    /// Maximum number of pairs of games of a run; those of a tuning are counted over all
    /// candidates.
    pub pairs: u64,
    /// Maximum number of jobs of a study.
    pub jobs: u64,
    /// Longest time budget that a plan may give a player for one move.
    #[serde(rename = "move_seconds", serialize_with = "crate::lab::limits::in_seconds")]
    pub move_time: Duration,
    /// Time after which a run is stopped; it can be resumed then.
    #[serde(rename = "seconds", serialize_with = "crate::lab::limits::in_seconds")]
    pub time: Duration,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits {
            at_once: 2,
            queue: 64,
            players: 128,
            pairs: 200_000,
            jobs: 200_000,
            move_time: Duration::from_secs(60),
            time: Duration::from_secs(24 * 3600),
        }
    }
}

/// Upper bound of the number of candidates in one generation of a tuning.
const CANDIDATES: u64 = 32;

impl RunLimits {
    /// Rejects a plan that is too large, before its players are built.
    pub(super) fn check_size(&self, plan: &GamesPlan) -> Result<(), LabError> {
        if plan.players.len() > self.players {
            return too_many(plan.players.len() as u64, "players", self.players as u64);
        }
        let meetings = match &plan.tuning {
            Some(tuning) => CANDIDATES * u64::from(tuning.generations),
            None => plan.schedule.meetings.len() as u64,
        };
        let pairs = meetings.saturating_mul(plan.schedule.pairs);
        if pairs > self.pairs {
            return too_many(pairs, "pairs of games", self.pairs);
        }
        match plan.terms.budget.time {
            Some(time) if time > self.move_time => Err(LabError::Bad(format!(
                "{} s a move are too many; a budget has at most {} s here",
                time.as_secs_f64(),
                self.move_time.as_secs_f64()
            ))),
            _ => Ok(()),
        }
    }
}

/// Rejects a study that is too large, or that writes files outside of the data folder.
pub(super) fn check_study(lab: &LabState, plan: &StudyPlan) -> Result<(), LabError> {
    let kind = lab.run_manager.kinds.study(&plan.kind)?;
    let (jobs, most) = (kind.total_jobs(plan)?, lab.limits.runs.jobs);
    if jobs > most {
        return too_many(jobs, "jobs", most);
    }
    for file in kind.written_files(plan)? {
        if !lab.data.holds(&file) {
            return Err(LabError::Bad(format!(
                "{} is not in the data folder; only the command line writes it",
                file.display()
            )));
        }
    }
    mastermind::check_study(plan)
}

/// Returns an error for a run with `count` of the things that `what` names, of which `most` are
/// allowed.
fn too_many(count: u64, what: &str, most: u64) -> Result<(), LabError> {
    let sentence = format!("{count} {what} are too many; a run has at most {most} here");
    Err(LabError::Bad(sentence))
}

/// Maximum number of random plies before the players take over.
const MAX_OPENING: u32 = 100;

/// Rejects settings whose openings or games are too long.
pub(super) fn check_terms(limits: &LabLimits, terms: &GameSettings) -> Result<(), LabError> {
    check_range("opening", terms.opening.into(), 0..=MAX_OPENING.into())?;
    check_range("longest", terms.longest.into(), 1..=limits.moves as u64)
}

/// Rejects the value of the field `name` if it is outside its range.
pub(crate) fn check_range(
    name: &str,
    value: u64,
    range: RangeInclusive<u64>,
) -> Result<(), LabError> {
    if range.contains(&value) {
        return Ok(());
    }
    let allowed = format!("{name} is {} to {}", range.start(), range.end());
    Err(LabError::Bad(format!("{name} = {value} is not allowed; {allowed}")))
}

/// Rejects external bots where they are not allowed, and players that ask for more memory or
/// threads than allowed.
pub(super) fn check_players(lab: &LabState, plan: &GamesPlan) -> Result<(), LabError> {
    let entry = lab.registry.entry(&plan.game)?;
    let tuned = plan.tuning.as_ref().map(|tuning| &tuning.player);
    for text in plan.players.iter().chain(tuned) {
        let spec = Spec::parse(text)?;
        let open = plan.kind == PlanKind::Tuning;
        let spec = if open { closed(&lab.limits, entry, spec)? } else { spec };
        lab.check_player(entry, &spec)?;
    }
    Ok(())
}

/// Returns the spec of a tuned player without its open parameters, so that its other values can be
/// checked. Memory and threads must not be open. Positional values become named, because positions
/// shift when values are removed.
fn closed(limits: &LabLimits, game: &GameEntry, spec: Spec) -> Result<Spec, LabError> {
    let info = game.player(&spec.name);
    let spec = info.map_or_else(|| spec.clone(), |info| info.canonical(&spec));
    let param = |place: usize| Some(info?.params.get(place)?.name.clone().into_owned());
    let mut values = Vec::new();
    for (place, given) in spec.values.into_iter().enumerate() {
        let name = given.name.or_else(|| param(place));
        let is_open = !given.quoted && given.text.starts_with('?');
        match name.as_deref().filter(|name| is_open && limits.most(name).is_some()) {
            Some(name) => {
                return Err(LabError::Bad(format!("{name} is not tuned here; give it a value")));
            }
            None if is_open => {}
            None => values.push(SpecValue { name, ..given }),
        }
    }
    Ok(Spec { values, ..spec })
}
