//! Limits of the laboratory: size of a request, memory and threads of a player, number of searches.

use std::time::Duration;

use ludion_players::param::{Args, ParamValue};
use ludion_players::registry::{GameEntry, RegistryError};
use ludion_players::spec::Spec;
use serde::Serialize;

use super::LabState;
use super::error::LabError;
use super::runs::RunLimits;

/// Limits of requests, searches and runs; a request beyond them is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LabLimits {
    /// Largest body of a request in bytes.
    pub body_bytes: usize,
    /// Largest body of a request that contains a problem or a solution, in bytes.
    pub file_bytes: usize,
    /// Maximum number of moves that lead to the position of a request, and of plies of a game of a
    /// run.
    pub moves: usize,
    /// Maximum number of searches that run at the same time.
    pub searches: usize,
    /// Maximum number of searches that wait until one more may run.
    pub queue: usize,
    /// Largest value of a player's parameter for memory, in megabytes.
    pub megabytes: u32,
    /// Largest value of a player's parameter for threads, and number of threads of a run.
    pub threads: u32,
    /// Time after which a search is stopped.
    #[serde(rename = "seconds", serialize_with = "in_seconds")]
    pub time: Duration,
    /// Limits of runs.
    pub runs: RunLimits,
}

/// Serializes a duration as seconds.
pub(super) fn in_seconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl LabLimits {
    /// Returns the limits for a machine with this many cores: one search for each core, and one
    /// more so that a person is answered while long searches run.
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

    /// Returns the maximum of a player's parameter for memory or threads, and `None` for other
    /// parameters. All players use the same names for them.
    pub(super) fn most(&self, param: &str) -> Option<u32> {
        match param {
            "memory" | "mb" => Some(self.megabytes),
            "threads" => Some(self.threads),
            _ => None,
        }
    }

    /// Rejects a player that asks for more memory or threads than allowed.
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
    /// Rejects a player that starts external programs where that is not allowed, or that asks for
    /// more memory or threads than allowed. Unknown names are left to the registry's own error.
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
