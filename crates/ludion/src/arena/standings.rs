//! What the pairs of a contest come to: per meeting, per player, over all.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::elo::{GameCounts, PairCounts};
use super::game::GameEnd;
use super::pair::{GameResult, SpentEffort};
use super::ratings::{self, PairwiseScore, Rating};
use super::seat_statistics::SeatStatistics;
use crate::game::Side;
use crate::outcome::Wdl;

/// The results of one meeting, from the side of the player named first.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Games won, lost and drawn.
    pub games: GameCounts,
    /// The same by seat of the player named first: as first, as second.
    pub by_seat: [GameCounts; 2],
    /// Pairs by result.
    pub pairs: PairCounts,
    /// Games that ended by forfeit, by player.
    pub forfeits: [u64; 2],
    /// Why, the most frequent first of each player.
    pub reasons: Vec<Forfeits>,
    /// Plies of all games.
    pub plies: u64,
    /// What each player spent.
    pub spent: [SpentEffort; 2],
    /// The course's statistics.
    pub course: SeatStatistics,
}

/// Games that a player lost without a move of its opponent, for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeits {
    /// Which of the two players of the meeting.
    pub player: usize,
    /// Why.
    pub reason: String,
    /// How many games.
    pub games: u64,
}

/// Different reasons that are told apart in one meeting; nobody reads more.
const MAX_REASONS: usize = 100;

impl HeadToHead {
    /// Counts a pair of games between the players `[a, b]`.
    pub fn add(&mut self, [a, b]: [u32; 2], pair: &[GameResult; 2]) {
        for game in pair {
            let seat = usize::from(game.seats[0] != a);
            let verdict = game.end.duel().seen_by(Side::BOTH[seat]);
            for games in [&mut self.games, &mut self.by_seat[seat]] {
                match verdict {
                    Wdl::Win => games.wins += 1,
                    Wdl::Loss => games.losses += 1,
                    Wdl::Draw => games.draws += 1,
                }
            }
            if let GameEnd::Forfeit { by, reason } = &game.end {
                self.forfeit(usize::from(game.seats[by.index()] == b), reason);
            }
            self.plies += u64::from(game.plies);
            for (side, spent) in game.spent.iter().enumerate() {
                let sum = &mut self.spent[usize::from(game.seats[side] == b)];
                sum.moves += spent.moves;
                sum.nodes += spent.nodes;
                sum.time += spent.time;
            }
            let local = GameResult {
                seats: game.seats.map(|p| u32::from(p == b)),
                record: None,
                ..game.clone()
            };
            self.course.add(&local);
        }
        self.pairs.add([pair[0].score(a), pair[1].score(a)]);
    }

    fn forfeit(&mut self, player: usize, reason: &str) {
        self.forfeits[player] += 1;
        let known = self.reasons.iter_mut().find(|f| f.player == player && f.reason == reason);
        if let Some(known) = known {
            known.games += 1;
        } else if self.reasons.len() < MAX_REASONS {
            self.reasons.push(Forfeits { player, reason: reason.to_owned(), games: 1 });
        }
        self.reasons.sort_by_key(|f| (f.player, Reverse(f.games)));
    }

    /// The score of the player named first, for fitting ratings.
    #[must_use]
    pub fn score(&self) -> PairwiseScore {
        let GameCounts { wins, losses, draws } = self.games;
        PairwiseScore { wins, losses, draws }
    }
}

/// The meetings of a contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// How many players there are.
    pub players: u32,
    /// Who met, and what came of it, in the order of the schedule.
    pub meetings: Vec<([u32; 2], HeadToHead)>,
}

impl Standings {
    /// Nothing played yet.
    #[must_use]
    pub fn new(players: u32, meetings: &[[u32; 2]]) -> Self {
        let meetings = meetings.iter().map(|&players| (players, HeadToHead::default())).collect();
        Standings { players, meetings }
    }

    /// Counts the pair with number `number` of the schedule.
    pub fn add(&mut self, number: u64, pair: &[GameResult; 2]) {
        let i = (number % self.meetings.len() as u64) as usize;
        let (players, meeting) = &mut self.meetings[i];
        meeting.add(*players, pair);
    }

    /// Games of one player against all.
    #[must_use]
    pub fn games(&self, player: u32) -> GameCounts {
        let mut sum = GameCounts::default();
        for ([a, b], meeting) in &self.meetings {
            let GameCounts { wins, losses, draws } = meeting.games;
            if *a == player {
                sum = GameCounts {
                    wins: sum.wins + wins,
                    losses: sum.losses + losses,
                    draws: sum.draws + draws,
                };
            } else if *b == player {
                sum = GameCounts {
                    wins: sum.wins + losses,
                    losses: sum.losses + wins,
                    draws: sum.draws + draws,
                };
            }
        }
        sum
    }

    /// Games that one player forfeited.
    #[must_use]
    pub fn forfeits(&self, player: u32) -> u64 {
        let of = |([a, b], meeting): &([u32; 2], HeadToHead)| {
            u64::from(*a == player) * meeting.forfeits[0]
                + u64::from(*b == player) * meeting.forfeits[1]
        };
        self.meetings.iter().map(of).sum()
    }

    /// Why one player forfeited games and how many, the most frequent reason first.
    #[must_use]
    pub fn reasons(&self, player: u32) -> Vec<(String, u64)> {
        let mut games: BTreeMap<&str, u64> = BTreeMap::new();
        for (players, meeting) in &self.meetings {
            for forfeits in meeting.reasons.iter().filter(|f| players[f.player] == player) {
                *games.entry(&forfeits.reason).or_default() += forfeits.games;
            }
        }
        let mut reasons: Vec<(String, u64)> =
            games.into_iter().map(|(reason, games)| (reason.to_owned(), games)).collect();
        reasons.sort_by_key(|&(_, games)| Reverse(games));
        reasons
    }

    /// Ratings fitted over all games.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        let scores: Vec<(usize, usize, PairwiseScore)> = self
            .meetings
            .iter()
            .map(|([a, b], meeting)| (*a as usize, *b as usize, meeting.score()))
            .collect();
        ratings::fit(self.players as usize, &scores)
    }
}
