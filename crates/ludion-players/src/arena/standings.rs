//! The results of a match or tournament: by meeting, by player, and as ratings over all games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::elo::{GameCounts, PairCounts};
use super::game::GameEnd;
use super::pair::{GameResult, SpentEffort};
use super::ratings::{self, Rating};
use super::seat_statistics::WinsAndPlies;
use crate::game::Side;
use crate::outcome::Wdl;

/// The results of a meeting of two players, counted for the first of them.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Games that the first player won, lost and drew.
    pub games: GameCounts,
    /// Games that the first player won, lost and drew as the first side, and as the second side.
    pub by_seat: [GameCounts; 2],
    /// Pairs of games by the two results of the first player.
    pub pairs: PairCounts,
    /// Number of games that the first and the second player forfeited.
    pub forfeits: [u64; 2],
    /// The reasons of the forfeits with their numbers of games, sorted by player, the most frequent
    /// first.
    pub reasons: Vec<Forfeits>,
    /// Number of games that were ended by adjudication.
    #[serde(default)]
    pub adjudicated: u64,
    /// Number of adjudicated games by reason.
    #[serde(default)]
    pub adjudications: BTreeMap<String, u64>,
    /// Total number of plies of all games.
    pub plies: u64,
    /// Total moves, nodes and time of the first and the second player.
    pub spent: [SpentEffort; 2],
    /// Wins and plies by player and by seat, as defined in [`super::seat_statistics`].
    #[serde(rename = "course")]
    pub seat_statistics: WinsAndPlies,
}

/// The number of games that one player of a meeting forfeited for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeits {
    /// The player: 0 is the first of the meeting, 1 the second.
    pub player: usize,
    /// The reason as a sentence.
    pub reason: String,
    /// Number of games forfeited for this reason.
    pub games: u64,
}

/// The reason of a loss on time, which counts as a forfeit.
const LOST_ON_TIME: &str = "lost on time";

/// Maximum number of different forfeit reasons kept per meeting.
const MAX_REASONS: usize = 100;

impl HeadToHead {
    /// Adds a pair of games; `[a, b]` are the first and the second player of the meeting.
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
            match &game.end {
                GameEnd::Forfeit { by, reason } => {
                    self.add_forfeit(usize::from(game.seats[by.index()] == b), reason);
                }
                GameEnd::Time { by } => {
                    self.add_forfeit(usize::from(game.seats[by.index()] == b), LOST_ON_TIME);
                }
                GameEnd::Adjudicated { reason, .. } => {
                    self.adjudicated += 1;
                    *self.adjudications.entry(reason.clone()).or_default() += 1;
                }
                GameEnd::Rules(_) | GameEnd::Endless => {}
            }
            self.plies += u64::from(game.plies);
            for (side, spent) in game.spent.iter().enumerate() {
                let sum = &mut self.spent[usize::from(game.seats[side] == b)];
                sum.moves += spent.moves;
                sum.nodes += spent.nodes;
                sum.time += spent.time;
            }
            let seats = [usize::from(game.seats[0] == b), usize::from(game.seats[1] == b)];
            self.seat_statistics.add(seats, game);
        }
        self.pairs.add([pair[0].score(a), pair[1].score(a)]);
    }

    fn add_forfeit(&mut self, player: usize, reason: &str) {
        self.forfeits[player] += 1;
        let known = self.reasons.iter_mut().find(|f| f.player == player && f.reason == reason);
        if let Some(known) = known {
            known.games += 1;
        } else if self.reasons.len() < MAX_REASONS {
            self.reasons.push(Forfeits { player, reason: reason.to_owned(), games: 1 });
        }
        self.reasons.sort_by_key(|f| (f.player, Reverse(f.games)));
    }
}

/// The results of all meetings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Number of players of the run.
    pub players: u32,
    /// The two players of each meeting and their results, in the order of the schedule.
    pub meetings: Vec<([u32; 2], HeadToHead)>,
}

impl Standings {
    /// Creates standings of these meetings, which have no games yet.
    #[must_use]
    pub fn new(players: u32, meetings: &[[u32; 2]]) -> Self {
        let meetings = meetings.iter().map(|&players| (players, HeadToHead::default())).collect();
        Standings { players, meetings }
    }

    /// Adds the pair of games that has this number in the schedule to its meeting.
    pub fn add(&mut self, number: u64, pair: &[GameResult; 2]) {
        let i = (number % self.meetings.len() as u64) as usize;
        let (players, meeting) = &mut self.meetings[i];
        meeting.add(*players, pair);
    }

    /// Returns the wins, losses and draws of one player in all its meetings.
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

    /// Returns the number of games that one player forfeited in all its meetings.
    #[must_use]
    pub fn forfeits(&self, player: u32) -> u64 {
        let player_forfeits = |([a, b], meeting): &([u32; 2], HeadToHead)| {
            u64::from(*a == player) * meeting.forfeits[0]
                + u64::from(*b == player) * meeting.forfeits[1]
        };
        self.meetings.iter().map(player_forfeits).sum()
    }

    /// Returns the reasons why a player forfeited games with the number of games of each, the most
    /// frequent first.
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

    /// Fits an Elo rating of each player to the games of all meetings.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        let scores: Vec<(usize, usize, GameCounts)> = self
            .meetings
            .iter()
            .map(|([a, b], meeting)| (*a as usize, *b as usize, meeting.games))
            .collect();
        ratings::fit(self.players as usize, &scores)
    }
}
