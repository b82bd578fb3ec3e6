//! What is too much of one run, and of all of them.

use std::time::Duration;

use ludion::arena::plan::{Kind, Plan};
use ludion::param::Args;
use ludion::registry::Error;
use ludion::spec::{Given, Spec};
use serde::Serialize;

use crate::lab::Running;
use crate::lab::reply::Refusal;

/// The limits of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RunLimits {
    /// Runs that are conducted at the same time.
    pub at_once: usize,
    /// Runs that wait for their turn.
    pub queue: usize,
    /// Players of a run.
    pub players: usize,
    /// Pairs of games of a run, all meetings together; of a tuning, those of all candidates.
    pub pairs: u64,
    /// Seconds that a budget gives for one move.
    #[serde(rename = "move_seconds", serialize_with = "crate::lab::limits::in_seconds")]
    pub move_time: Duration,
    /// Seconds after which a run is stopped; it can be resumed.
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
            move_time: Duration::from_secs(60),
            time: Duration::from_secs(24 * 3600),
        }
    }
}

/// Candidates of one generation of a tuning, at most: both methods ask for fewer.
const CANDIDATES: u64 = 32;

impl RunLimits {
    /// Refuses a plan that is too large, before its players are made.
    pub(super) fn check_size(&self, plan: &Plan) -> Result<(), Refusal> {
        let too_many = |count: u64, what: &str, most: u64| {
            let sentence = format!("{count} {what} are too many; a run has at most {most} here");
            Err(Refusal::Bad(sentence))
        };
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
            Some(time) if time > self.move_time => Err(Refusal::Bad(format!(
                "{} s a move are too many; a budget has at most {} s here",
                time.as_secs_f64(),
                self.move_time.as_secs_f64()
            ))),
            _ => Ok(()),
        }
    }
}

/// Refuses players that this laboratory does not start, or that ask for more memory or threads
/// than there are.
pub(super) fn check_players(running: &Running, plan: &Plan) -> Result<(), Refusal> {
    let entry = running.registry.entry(&plan.game)?;
    let tuned = plan.tuning.as_ref().map(|tuning| &tuning.player);
    for text in plan.players.iter().chain(tuned) {
        let mut spec = Spec::parse(text)?;
        if plan.kind == Kind::Tuning {
            close(&mut spec)?;
        }
        if !running.allows(&spec.name) {
            return Err(Refusal::Bad(format!(
                "{} starts programs, which this laboratory does not; start it with --allow-bots",
                spec.name
            )));
        }
        let Some(info) = entry.players().iter().find(|info| info.name == spec.name) else {
            continue;
        };
        let args = Args::new(info.name, info.params, &spec).map_err(Error::from)?;
        running.limits.check(info.name, &args)?;
    }
    Ok(())
}

/// Leaves out what is open in a tuning, which is within its range, unless it is what limits
/// are for.
fn close(spec: &mut Spec) -> Result<(), Refusal> {
    let is_open = |given: &Given| !given.quoted && given.text.starts_with('?');
    let limited = |name: &str| ["memory", "mb", "threads"].contains(&name);
    let names = spec.values.iter().filter(|given| is_open(given)).filter_map(|g| g.name.as_deref());
    if let Some(name) = names.into_iter().find(|name| limited(name)) {
        return Err(Refusal::Bad(format!("{name} is not tuned here; give it a value")));
    }
    spec.values.retain(|given| !is_open(given));
    Ok(())
}
