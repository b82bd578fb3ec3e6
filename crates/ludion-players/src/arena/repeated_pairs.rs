//! Counts pairs of games that repeat an earlier pair move for move. Two players that do not choose at
//! random play the same games from the same opening, so further pairs from it tell nothing new, and
//! intervals that count them as independent are too narrow.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::pair::{GameRecord, GameResult};
use crate::random::mix;

/// Hashes of the moves of a game, by which games are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineHash {
    /// Hash of the start position and of the moves of the opening.
    pub opening: u64,
    /// Hash of the moves that the players chose.
    pub moves: u64,
}

impl LineHash {
    /// Returns the hashes of a game.
    #[must_use]
    pub fn of(record: &GameRecord) -> Self {
        let start = record.start.iter().map(String::as_str);
        LineHash {
            opening: hash(start.chain(record.opening.iter().map(String::as_str))),
            moves: hash(record.plies.iter().map(|ply| ply.play.as_str())),
        }
    }
}

/// Hashes a list of texts; the length of each one counts, so that texts cannot run into each other.
fn hash<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    texts.fold(0, |sum, text| {
        let bytes = text.as_bytes().chunks(8).fold(text.len() as u64, |sum, chunk| {
            mix(chunk.iter().fold(sum, |word, &byte| word.rotate_left(8) ^ u64::from(byte)))
        });
        mix(sum.rotate_left(1) ^ bytes)
    })
}

/// The number of pairs after which no more are compared, so that long runs need little memory.
const MAX_COMPARED: u64 = 200_000;

/// The smallest share of repeated pairs, among all and among those with a repeated opening, from which
/// players count as playing the same games again.
const MIN_SHARE: [f64; 2] = [0.05, 0.5];

/// Counts the pairs of a run that repeat an earlier pair of the same two players.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RepeatedPairs {
    openings: HashSet<u64>,
    pairs: HashSet<u64>,
    /// Number of pairs that were compared.
    pub compared: u64,
    /// Number of compared pairs whose opening an earlier pair had.
    pub with_known_opening: u64,
    /// Number of compared pairs that equal an earlier pair in every move of both games.
    pub repeated: u64,
}

impl RepeatedPairs {
    /// Compares a pair with those before. Pairs whose moves are not known are left out.
    pub fn add(&mut self, pair: &[GameResult; 2]) {
        let (Some(first), Some(second)) = (pair[0].line_hash(), pair[1].line_hash()) else {
            return;
        };
        if self.compared >= MAX_COMPARED {
            return;
        }
        self.compared += 1;
        let [a, b] = pair[0].seats.map(u64::from);
        let opening = mix(first.opening ^ mix(a << 32 | b));
        let moves = mix(opening ^ mix(first.moves) ^ mix(second.moves).rotate_left(1));
        self.with_known_opening += u64::from(!self.openings.insert(opening));
        self.repeated += u64::from(!self.pairs.insert(moves));
    }

    /// Returns whether so many pairs are repeated that the results are less certain than their number
    /// says. In games with few moves random players repeat a game now and then; that is chance, and
    /// does not count.
    #[must_use]
    pub fn is_misleading(&self) -> bool {
        let share = |of: u64| self.repeated as f64 / of.max(1) as f64;
        share(self.compared) >= MIN_SHARE[0] && share(self.with_known_opening) >= MIN_SHARE[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::GameEnd;
    use crate::arena::pair::{MoveRecord, SpentEffort};
    use crate::game::Side;
    use crate::outcome::Duel;
    use std::time::Duration;

    fn game(seats: [u32; 2], opening: &[&str], moves: &[&str]) -> GameResult {
        let ply = |&play: &&str| MoveRecord {
            side: Side::First,
            play: play.to_owned(),
            value: None,
            nodes: 0,
            time: Duration::ZERO,
        };
        let record = GameRecord {
            start: None,
            opening: opening.iter().map(|&m| m.to_owned()).collect(),
            plies: moves.iter().map(ply).collect(),
        };
        let spent = [SpentEffort::default(); 2];
        let end = GameEnd::Rules(Duel::Drawn);
        GameResult { seats, end, plies: 2, spent, record: Some(Box::new(record)), line: None }
    }

    fn count(pairs: &[(&[&str], &[&str])]) -> RepeatedPairs {
        let mut counted = RepeatedPairs::default();
        for (opening, moves) in pairs {
            counted.add(&[game([0, 1], opening, moves), game([1, 0], opening, moves)]);
        }
        counted
    }

    #[test]
    fn pairs_with_the_same_moves_are_counted() {
        let counted = count(&[(&["a"], &["b"]), (&["a"], &["b"]), (&["a"], &["c"])]);
        assert_eq!((counted.compared, counted.with_known_opening, counted.repeated), (3, 2, 1));
        assert!(counted.is_misleading());
        let counted = count(&[(&["a"], &["b"]), (&["a"], &["c"]), (&["d"], &["b"])]);
        assert!(counted.repeated == 0 && !counted.is_misleading());
    }

    #[test]
    fn the_same_letters_in_other_moves_are_another_game() {
        let counted = count(&[(&["ab"], &["c"]), (&["a", "b"], &["c"]), (&["a"], &["bc"])]);
        assert_eq!((counted.with_known_opening, counted.repeated), (0, 0));
    }

    #[test]
    fn other_players_may_play_the_same_game() {
        let mut counted = RepeatedPairs::default();
        counted.add(&[game([0, 1], &[], &["b"]), game([1, 0], &[], &["b"])]);
        counted.add(&[game([0, 2], &[], &["b"]), game([2, 0], &[], &["b"])]);
        assert_eq!(counted.repeated, 0);
    }
}
