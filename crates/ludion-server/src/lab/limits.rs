//! What is too much: of one request, of one search, of all searches together.

use std::time::Duration;

use ludion::param::{Args, ParamValue};
use ludion::registry::{GameEntry, RegistryError};
use ludion::spec::Spec;
use serde::Serialize;

use super::LabState;
use super::error::LabError;
use super::runs::RunLimits;

/// The limits of a laboratory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LabLimits {
    /// Bytes of a request.
    pub body_bytes: usize,
    /// Bytes of a request with a problem or a solution of somebody's own in it.
    pub file_bytes: usize,
    /// Moves of a position.
    pub moves: usize,
    /// Searches that think at the same time.
    pub searches: usize,
    /// Searches that wait for their turn.
    pub queue: usize,
    /// Megabytes that a player may ask for.
    pub megabytes: u32,
    /// Threads that a player may ask for.
    pub threads: u32,
    /// Seconds after which a search has to answer.
    #[serde(rename = "seconds", serialize_with = "in_seconds")]
    pub time: Duration,
    /// Those of runs.
    pub runs: RunLimits,
}

pub(super) fn in_seconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl LabLimits {
    /// Limits for a machine of this many cores: as many searches think at once, and one more
    /// so that a person is answered while long ones go on.
    #[must_use]
    pub fn of_cores(cores: usize) -> Self {
        LabLimits {
            body_bytes: 64 << 10,
            file_bytes: 4 << 20,
            moves: 10_000,
            searches: cores + 1,
            queue: 64,
            megabytes: 256,
            threads: cores as u32,
            time: Duration::from_secs(120),
            runs: RunLimits::default(),
        }
    }

    /// The most of a parameter by which players ask for memory or threads; nothing for those
    /// that cost neither. The library names them so in every player.
    pub(super) fn most(&self, param: &str) -> Option<u32> {
        match param {
            "memory" | "mb" => Some(self.megabytes),
            "threads" => Some(self.threads),
            _ => None,
        }
    }

    /// Refuses a player that asks for more memory or threads than there are.
    fn check(&self, player: &str, args: &Args) -> Result<(), LabError> {
        for (param, value) in args.iter() {
            let Some(most) = self.most(&param.name) else { continue };
            let asked = match *value {
                ParamValue::Int(n) => n as f64,
                ParamValue::Real(x) => x,
                ParamValue::Flag(_) | ParamValue::Text(_) => continue,
            };
            if asked > f64::from(most) {
                let name = &param.name;
                return Err(LabError::Bad(format!(
                    "{player}: {name} = {value} is not allowed here; {name} is at most {most}"
                )));
            }
        }
        Ok(())
    }
}

impl LabState {
    /// Refuses a player that this laboratory does not start, or that asks for more memory or
    /// threads than there are. One that nobody knows is left to whoever makes it.
    pub(super) fn check_player(&self, game: &GameEntry, spec: &Spec) -> Result<(), LabError> {
        let name = &spec.name;
        if !self.allows(name) {
            return Err(LabError::Bad(format!(
                "{name} starts programs, which this laboratory does not; start it with --allow-bots"
            )));
        }
        let Some(info) = game.player(name) else {
            return Ok(());
        };
        let args = info.args(spec).map_err(RegistryError::from)?;
        self.limits.check(&info.name, &args)
    }
}
