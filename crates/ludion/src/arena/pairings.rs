//! Who meets whom, how often: the pairs of a match, a tournament or a championship, numbered so
//! that any executor can play them in any order and every meeting advances evenly.

use serde::{Deserialize, Serialize};

use super::executor::JobSet;
use super::pair::{AnyReferee, GameResult, PairId};
use super::plan::MatchPlan;

/// The meetings of a contest and how many pairs of games each has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairSchedule {
    /// Who meets whom.
    pub meetings: Vec<[u32; 2]>,
    /// Pairs of games in each meeting.
    pub pairs: u64,
}

impl PairSchedule {
    /// Two players.
    #[must_use]
    pub fn duel(pairs: u64) -> Self {
        PairSchedule { meetings: vec![[0, 1]], pairs }
    }

    /// Everybody meets everybody.
    #[must_use]
    pub fn round_robin(players: u32, pairs: u64) -> Self {
        let meetings = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect();
        PairSchedule { meetings, pairs }
    }

    /// The first player meets everybody else.
    #[must_use]
    pub fn gauntlet(players: u32, pairs: u64) -> Self {
        PairSchedule { meetings: (1..players).map(|b| [0, b]).collect(), pairs }
    }

    /// How many pairs there are in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.meetings.len() as u64 * self.pairs
    }

    /// The pair with this number: every meeting's first pair comes before any second.
    #[must_use]
    pub fn pairing(&self, number: u64) -> PairId {
        let meetings = self.meetings.len() as u64;
        let players = self.meetings[(number % meetings) as usize];
        PairId { players, number: number / meetings }
    }
}

/// A contest as work for an executor: job `n` is pair `n` of the schedule.
pub struct PairJobs<'a> {
    /// Who meets whom, and what holds for every game.
    pub plan: &'a MatchPlan,
    /// Whether the moves are kept.
    pub keep: bool,
    /// Makes a referee with the players of the contest.
    pub referee: &'a (dyn Fn() -> Box<dyn AnyReferee> + Sync),
}

impl JobSet for PairJobs<'_> {
    type Worker = Box<dyn AnyReferee>;
    type Output = [GameResult; 2];

    fn worker(&self) -> Box<dyn AnyReferee> {
        (self.referee)()
    }

    fn job(&self, referee: &mut Box<dyn AnyReferee>, number: u64) -> [GameResult; 2] {
        referee.play_pair(&self.plan.terms, self.plan.schedule.pairing(number), self.keep)
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
            let all: HashSet<PairId> = (0..schedule.total()).map(|n| schedule.pairing(n)).collect();
            assert_eq!(all.len() as u64, schedule.total());
            assert!(all.iter().all(|p| p.number < schedule.pairs && p.players[0] < p.players[1]));
        }
        assert_eq!(PairSchedule::round_robin(5, 3).total(), 30);
        assert_eq!(PairSchedule::gauntlet(4, 2).meetings, [[0, 1], [0, 2], [0, 3]]);
    }
}
