//! Statistics of a match by player and by seat, as Corsini's exercise sheet defines them (French:
//! *partie*): `pv` counts games won, a draw counting one for both players; `moves` sums the plies
//! of the games won, half for each player in a draw; both are also given per game, rounded to two
//! decimals.

use serde::{Deserialize, Serialize};

use super::pair::GameResult;
use crate::game::Side;
use crate::outcome::Duel;

/// A statistic of a match: one value for each player and one for each seat (side).
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ByPlayerAndSeat {
    /// The values for the two players of the match, over both seats.
    pub players: [f64; 2],
    /// The values for the first and the second side, over both players.
    pub seats: [f64; 2],
}

/// Wins and plies of a match by player and by seat.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct WinsAndPlies {
    games: u64,
    /// Number of games won; a draw counts one for both players.
    pub pv: ByPlayerAndSeat,
    /// Total plies of the games won; in a draw each player gets half of the plies.
    pub moves: ByPlayerAndSeat,
}

impl WinsAndPlies {
    /// Adds a game; `seats` has the players of the two sides, 0 for the first player of the meeting and
    /// 1 for the second.
    pub fn add(&mut self, seats: [usize; 2], game: &GameResult) {
        self.games += 1;
        let plies = f64::from(game.plies);
        match game.end.duel() {
            Duel::Won(side) => self.credit(seats, side, 1.0, plies),
            Duel::Drawn => {
                for side in Side::BOTH {
                    self.credit(seats, side, 1.0, plies / 2.0);
                }
            }
        }
    }

    fn credit(&mut self, seats: [usize; 2], side: Side, points: f64, plies: f64) {
        let (player, seat) = (seats[side.index()], side.index());
        self.pv.players[player] += points;
        self.pv.seats[seat] += points;
        self.moves.players[player] += plies;
        self.moves.seats[seat] += plies;
    }

    /// Returns [`WinsAndPlies::pv`] divided by the number of games, rounded to two decimals.
    #[must_use]
    pub fn avg_victories(&self) -> ByPlayerAndSeat {
        self.per_game(self.pv)
    }

    /// Returns [`WinsAndPlies::moves`] divided by the number of games, rounded to two decimals.
    #[must_use]
    pub fn avg_moves(&self) -> ByPlayerAndSeat {
        self.per_game(self.moves)
    }

    fn per_game(&self, sum: ByPlayerAndSeat) -> ByPlayerAndSeat {
        let round = |value: f64| (100.0 * value / self.games.max(1) as f64).round() / 100.0;
        ByPlayerAndSeat { players: sum.players.map(round), seats: sum.seats.map(round) }
    }
}
