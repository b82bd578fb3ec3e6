//! Schedules of matches, tournaments and championships: which players meet, and in which order
//! their pairs of games are numbered. Pairs can be played in any order; in ascending order all
//! meetings advance evenly.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::executor::JobSet;
use super::pair::{AnyReferee, GameResult, PairId};
use super::plan::GamesPlan;

/// The schedule of a run: which players meet, and how many pairs of games each meeting has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairSchedule {
    /// The two players of each meeting, as indices into the player list of the run.
    pub meetings: Vec<[u32; 2]>,
    /// Number of pairs of games in each meeting.
    pub pairs: u64,
}

impl PairSchedule {
    /// Creates the schedule of a match: one meeting of the players 0 and 1.
    #[must_use]
    pub fn duel(pairs: u64) -> Self {
        PairSchedule { meetings: vec![[0, 1]], pairs }
    }

    /// Creates the schedule of a round robin: every player meets every other.
    #[must_use]
    pub fn round_robin(players: u32, pairs: u64) -> Self {
        let meetings = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect();
        PairSchedule { meetings, pairs }
    }

    /// Creates the schedule of a gauntlet: player 0 meets every other player.
    #[must_use]
    pub fn gauntlet(players: u32, pairs: u64) -> Self {
        PairSchedule { meetings: (1..players).map(|b| [0, b]).collect(), pairs }
    }

    /// Returns the number of pairs of games in all meetings together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.meetings.len() as u64 * self.pairs
    }

    /// Returns the players and index of the pair with this number in the schedule. The first pairs
    /// of all meetings come before any second pair.
    #[must_use]
    pub fn pair(&self, number: u64) -> PairId {
        let meetings = self.meetings.len() as u64;
        let players = self.meetings[(number % meetings) as usize];
        PairId { players, number: number / meetings }
    }
}

/// The pairs of a plan as jobs for an executor: job `n` is pair `n` of the schedule.
pub struct PairJobs<'a> {
    /// The plan with the schedule and the settings of the games.
    pub plan: &'a GamesPlan,
    /// Whether the results contain the moves of the games.
    pub keep: bool,
    /// Creates a referee with the players of the plan; called once on each thread.
    pub referee: &'a (dyn Fn() -> Box<dyn AnyReferee> + Sync),
}

impl JobSet for PairJobs<'_> {
    type Worker = Box<dyn AnyReferee>;
    type Output = [GameResult; 2];

    fn worker(&self) -> Box<dyn AnyReferee> {
        (self.referee)()
    }

    fn job(
        &self,
        referee: &mut Box<dyn AnyReferee>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<[GameResult; 2]> {
        let pair = self.plan.schedule.pair(number);
        referee.play_pair_or_stop(&self.plan.terms, pair, self.keep, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_meeting_has_all_its_pairs_once() {
        for schedule in
            [PairSchedule::duel(7), PairSchedule::round_robin(5, 3), PairSchedule::gauntlet(4, 2)]
        {
            let all: HashSet<PairId> = (0..schedule.total()).map(|n| schedule.pair(n)).collect();
            assert_eq!(all.len() as u64, schedule.total());
            assert!(all.iter().all(|p| p.number < schedule.pairs && p.players[0] < p.players[1]));
        }
        assert_eq!(PairSchedule::round_robin(5, 3).total(), 30);
        assert_eq!(PairSchedule::gauntlet(4, 2).meetings, [[0, 1], [0, 2], [0, 3]]);
    }
}
