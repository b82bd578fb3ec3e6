//! Chooses which players meet next. The information that a pair of games between i and j gives about
//! their difference is p·(1 − p), with p the expected score; it is worth most where the difference is
//! known least. So the next pair is the one by which the sum of the variances of all ratings shrinks
//! most. Each choice changes the variances as its games will, before the next pair of the round is
//! chosen.

use std::collections::HashMap;

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::ratings::{self, Rating, RatingFit};

use super::{LadderPair, LadderPairResult};

/// Sums the games of each meeting.
fn meetings(results: &[(LadderPair, LadderPairResult)]) -> Vec<(usize, usize, GameCounts)> {
    let mut sums: HashMap<[u32; 2], GameCounts> = HashMap::new();
    for (pair, result) in results {
        let sum = sums.entry(pair.players).or_default();
        sum.wins += result.games.wins;
        sum.draws += result.games.draws;
        sum.losses += result.games.losses;
    }
    let mut meetings: Vec<_> =
        sums.into_iter().map(|([a, b], games)| (a as usize, b as usize, games)).collect();
    // A hash map has no order, and sums of floating-point numbers depend on theirs.
    meetings.sort_by_key(|&(a, b, _)| (a, b));
    meetings
}

/// Fits the ratings of all players to the results.
pub(super) fn ratings(players: usize, results: &[(LadderPair, LadderPairResult)]) -> Vec<Rating> {
    ratings::fit(players, &meetings(results))
}

/// Returns the `count` pairs of games that tell most about the ratings, after these results.
pub(super) fn most_informative(
    players: usize,
    results: &[(LadderPair, LadderPairResult)],
    count: usize,
) -> Vec<LadderPair> {
    let mut fit = RatingFit::of(players, &meetings(results));
    let mut numbers: HashMap<[u32; 2], u64> = HashMap::new();
    for (pair, _) in results {
        *numbers.entry(pair.players).or_default() += 1;
    }
    let mut chosen = Vec::with_capacity(count);
    for _ in 0..count {
        let all = (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b)));
        let worth = all.map(|(a, b)| (fit.information_of_pair(a, b), a, b));
        // Of equal ones the first, so that the choice is always the same.
        let best = worth.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, a, b)) = best else { break };
        fit.expect_pair(a, b);
        let players = [a as u32, b as u32];
        let number = numbers.entry(players).or_default();
        chosen.push(LadderPair { players, number: *number });
        *number += 1;
    }
    // Pairs of the same players follow each other, because a thread makes players for each meeting.
    chosen.sort_by_key(|pair| (pair.players, pair.number));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_players::random::Rng;

    /// Plays a pair of games between players of known ratings.
    fn play(truth: &[f64], pair: LadderPair, rng: &mut Rng) -> (LadderPair, LadderPairResult) {
        let [a, b] = pair.players.map(|player| truth[player as usize]);
        let expected = 1.0 / (1.0 + 10_f64.powf((b - a) / 400.0));
        let mut games = GameCounts::default();
        for _ in 0..2 {
            if rng.unit() < expected { games.wins += 1 } else { games.losses += 1 }
        }
        (pair, LadderPairResult { games, forfeits: [0; 2] })
    }

    fn widest(truth: &[f64], results: &[(LadderPair, LadderPairResult)]) -> f64 {
        ratings(truth.len(), results).iter().map(|rating| rating.error).fold(0.0, f64::max)
    }

    #[test]
    fn chosen_pairs_tell_more_than_a_round_robin_of_as_many_games() {
        let truth = [900.0, 700.0, 650.0, 300.0, 0.0, -200.0, -650.0, -700.0, -1000.0];
        let (mut rng, mut results) = (Rng::new(3), Vec::new());
        for _ in 0..40 {
            for pair in most_informative(truth.len(), &results, 18) {
                results.push(play(&truth, pair, &mut rng));
            }
        }
        let mut all_play_all = Vec::new();
        for number in 0..20 {
            for a in 0..truth.len() as u32 {
                for b in a + 1..truth.len() as u32 {
                    let pair = LadderPair { players: [a, b], number };
                    all_play_all.push(play(&truth, pair, &mut rng));
                }
            }
        }
        assert_eq!(results.len(), all_play_all.len());
        let (ours, theirs) = (widest(&truth, &results), widest(&truth, &all_play_all));
        assert!(ours < 0.85 * theirs, "{ours} against {theirs}");
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        for (rating, truth) in ratings(truth.len(), &results).iter().zip(truth) {
            assert!((rating.elo - (truth - mean)).abs() < 2.0 * rating.error, "{rating:?} {truth}");
        }
    }

    #[test]
    fn every_player_meets_another_in_the_first_round() {
        let chosen = most_informative(6, &[], 12);
        assert_eq!(chosen.len(), 12);
        for player in 0..6 {
            assert!(chosen.iter().any(|pair| pair.players.contains(&player)));
        }
        assert!(chosen.iter().all(|pair| pair.players[0] < pair.players[1]));
    }
}
