//! Pairs of games: two games between the same players from the same opening, with seats (sides)
//! swapped. A pair is determined by the settings, the players and the number of the pair.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication::AdjudicationRules;
use super::clock::GameClock;
use super::conditions::{GameConditions, OpeningError};
use super::game::{self, AdjudicationSolver, GameArrangement, GameEnd, PlayedGame, PlayedMove};
use super::openings::{TypedOpening, TypedOpenings};
use super::repeated_pairs::LineHash;
use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::player::{Budget, Player};
use crate::random::{Rng, derive_seed};
use crate::repetition::GamePath;

/// The settings of every game of a run: budget, opening, ply limit and seed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    /// The budget that each player has for a move.
    pub budget: Budget,
    /// Number of random plies before the players take over; both games of a pair begin with the
    /// same random moves.
    pub opening: u32,
    /// Number of plies after which an unfinished game is drawn.
    pub longest: u32,
    /// The random seed of the run, from which the seeds of all games are derived.
    pub seed: u64,
}

/// Identifies a pair of games: the two players, and the index of the pair between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PairId {
    /// The two players, as indices into the player list of the run; the first one plays the first
    /// side in the first game.
    pub players: [u32; 2],
    /// The index of this pair among all pairs between the same players, from 0.
    pub number: u64,
}

/// The result of one game: what the standings count, without the states of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// The player on the first and on the second side, as indices into the player list of the run.
    pub seats: [u32; 2],
    /// How the game ended.
    pub end: GameEnd,
    /// Number of plies of the game, including the opening.
    pub plies: u32,
    /// Moves, nodes and time that the first and the second side spent.
    pub spent: [SpentEffort; 2],
    /// The moves of the game; `None` unless the run keeps them.
    pub record: Option<Box<GameRecord>>,
    /// Hashes of the moves where the record was left out; `None` otherwise.
    #[serde(skip)]
    pub line: Option<LineHash>,
}

/// Number of moves, nodes and time that one side spent in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SpentEffort {
    /// Number of moves that the side chose.
    pub moves: u32,
    /// Total number of nodes visited or simulations run.
    pub nodes: u64,
    /// Total time that the side took.
    pub time: Duration,
}

impl SpentEffort {
    /// Adds the cost of one move.
    pub fn add(&mut self, nodes: u64, time: Duration) {
        self.moves += 1;
        self.nodes += nodes;
        self.time += time;
    }
}

/// All moves of a game, in the notation of the game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameRecord {
    /// The position in which the game began, in the notation of the game; `None` for the start
    /// position. It is always written: workers send records in a format without names of fields.
    #[serde(default)]
    pub start: Option<String>,
    /// Moves of the opening, made before the players took over.
    pub opening: Vec<String>,
    /// Moves chosen by the players, in the order of play.
    pub plies: Vec<MoveRecord>,
}

/// One move in the notation of its game, with its cost and the player's estimate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The side that made the move.
    pub side: Side,
    /// The move that was made, in the notation of its game.
    pub play: String,
    /// The player's estimate of the state for the side that moved, from −1 to 1; `None` without
    /// one.
    pub value: Option<f64>,
    /// Number of nodes visited or simulations run for this move, whichever is larger.
    pub nodes: u64,
    /// Time that the player took for this move.
    pub time: Duration,
}

/// Plays pairs of games between players of a fixed list, on one thread. Type-erased: hides the type
/// of the game.
pub trait AnyReferee: Send {
    /// Plays the two games of `pair`. With `keep` the results contain the moves. Returns `None` if
    /// `stop` is set before both games are over: the search under way is stopped, and the pair has
    /// no result.
    fn play_pair_or_stop(
        &mut self,
        settings: &GameSettings,
        pair: PairId,
        keep: bool,
        stop: &AtomicBool,
    ) -> Option<[GameResult; 2]>;

    /// Sets the openings, clocks and adjudication of all further games.
    ///
    /// # Errors
    /// When an opening of the list cannot be played.
    fn set_conditions(&mut self, conditions: &GameConditions) -> Result<(), OpeningError>;

    /// Plays the two games of `pair` to their end. With `keep` the results contain the moves.
    fn play_pair(&mut self, settings: &GameSettings, pair: PairId, keep: bool) -> [GameResult; 2] {
        let never = AtomicBool::new(false);
        self.play_pair_or_stop(settings, pair, keep, &never).expect("nothing stops the pair")
    }
}

/// Plays pairs of games between players of a fixed list, for games of type `G`.
pub struct Referee<G: Game> {
    game: Arc<G>,
    players: Vec<Box<dyn Player<G>>>,
    openings: Option<TypedOpenings<G>>,
    clock: Option<GameClock>,
    adjudication: AdjudicationRules,
    solver: Option<Arc<AdjudicationSolver<G>>>,
    /// The memory for the moves of a game, kept from game to game.
    plies: Vec<PlayedMove<G::Move>>,
}

/// Maximum number of random openings drawn of one length. An opening that ends the game is
/// discarded; if all are discarded, a shorter length is tried.
const MAX_OPENING_DRAWS: u32 = 20;

/// The index of a pair's opening for [`derive_seed`], which derives its seed from that of the pair;
/// the pair's two games have the indices 0 and 1.
const OPENING_STREAM: u64 = 2;

impl<G: Game<Outcome = Duel>> Referee<G> {
    /// Creates a referee for `game`; pairs refer to `players` by index.
    #[must_use]
    pub fn new(game: Arc<G>, players: Vec<Box<dyn Player<G>>>) -> Self {
        let (openings, clock, solver, plies) = (None, None, None, Vec::new());
        let adjudication = AdjudicationRules::default();
        Referee { game, players, openings, clock, adjudication, solver, plies }
    }

    /// Returns the referee with an exact solver, which may end games if the conditions say so.
    #[must_use]
    pub fn with_solver(mut self, solver: Arc<AdjudicationSolver<G>>) -> Self {
        self.solver = Some(solver);
        self
    }

    /// Draws a random opening of at most `plies` moves after those of `from`, which does not end the
    /// game; shorter if none of the full length is found. Returns `None` if `stop` is set before.
    fn opening(
        &self,
        from: Option<&TypedOpening<G>>,
        plies: u32,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Option<Vec<G::Move>> {
        let mut moves = Vec::new();
        let begun = || match from {
            None => (self.game.start(), GamePath::new(), Vec::new()),
            Some(from) => from.played(&*self.game),
        };
        for length in (1..=plies).rev() {
            for _ in 0..MAX_OPENING_DRAWS {
                let (mut s, mut path, mut line) = begun();
                for ply in 0..length {
                    if ply % 64 == 0 && stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    moves.clear();
                    path.moves(&*self.game, &s, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let m = moves[rng.below(moves.len())];
                    path.play(&*self.game, &mut s, m);
                    line.push(m);
                }
                if path.status(&*self.game, &s).turn().is_some() {
                    return Some(line);
                }
            }
        }
        Some(from.map_or_else(Vec::new, |from| from.moves.clone()))
    }

    fn play_game(
        &mut self,
        settings: &GameSettings,
        seats: [u32; 2],
        (start, opening): (Option<&G::State>, &[G::Move]),
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<PlayedGame<G::Move>> {
        let (first, second) = (seats[0] as usize, seats[1] as usize);
        self.players[first].begin(derive_seed(seed, &[0]));
        self.players[second].begin(derive_seed(seed, &[1]));
        let arrangement = GameArrangement {
            start,
            clock: self.clock.clone(),
            adjudication: self.adjudication,
            solver: self.solver.as_deref(),
            plies: std::mem::take(&mut self.plies),
            ..GameArrangement::new(opening, [settings.budget; 2], settings.longest as usize)
        };
        let [a, b] = self
            .players
            .get_disjoint_mut([first, second])
            .expect("a pair is between two different players of the list");
        let players: [&mut dyn Player<G>; 2] = [a.as_mut(), b.as_mut()];
        game::play_or_stop(&*self.game, players, arrangement, stop)
    }

    fn result(
        &self,
        seats: [u32; 2],
        start: Option<&G::State>,
        played: &PlayedGame<G::Move>,
        keep: bool,
    ) -> GameResult {
        let mut spent = [SpentEffort::default(); 2];
        for ply in &played.plies {
            spent[ply.side.index()].add(ply.nodes, ply.time);
        }
        GameResult {
            seats,
            end: played.end.clone(),
            plies: played.length() as u32,
            spent,
            record: keep.then(|| Box::new(self.record(start, played))),
            line: None,
        }
    }

    fn record(&self, start: Option<&G::State>, played: &PlayedGame<G::Move>) -> GameRecord {
        let mut s = start.cloned().unwrap_or_else(|| self.game.start());
        let mut show = |m: G::Move| {
            let text = self.game.show_move(&s, m);
            self.game.play(&mut s, m);
            text
        };
        GameRecord {
            start: start.map(|start| self.game.show_state(start)),
            opening: played.opening.iter().map(|&m| show(m)).collect(),
            plies: played
                .plies
                .iter()
                .map(|ply| MoveRecord {
                    side: ply.side,
                    play: show(ply.play),
                    value: ply.value,
                    nodes: ply.nodes,
                    time: ply.time,
                })
                .collect(),
        }
    }
}

impl<G: Game<Outcome = Duel>> AnyReferee for Referee<G> {
    fn play_pair_or_stop(
        &mut self,
        settings: &GameSettings,
        pair: PairId,
        keep: bool,
        stop: &AtomicBool,
    ) -> Option<[GameResult; 2]> {
        let PairId { players: [a, b], number } = pair;
        let seed = derive_seed(settings.seed, &[a.into(), b.into(), number]);
        let mut rng = Rng::new(derive_seed(seed, &[OPENING_STREAM]));
        let from = self.openings.as_mut().map(|list| list.of_pair(settings.seed, pair).clone());
        let opening = self.opening(from.as_ref(), settings.opening, &mut rng, stop)?;
        let start = from.as_ref().and_then(|from| from.start.as_ref());
        let mut play = |game, seats| {
            let seed = derive_seed(seed, &[game]);
            let mut played = self.play_game(settings, seats, (start, &opening), seed, stop)?;
            let result = self.result(seats, start, &played, keep);
            played.plies.clear();
            self.plies = played.plies;
            Some(result)
        };
        Some([play(0, [a, b])?, play(1, [b, a])?])
    }

    fn set_conditions(&mut self, conditions: &GameConditions) -> Result<(), OpeningError> {
        let GameConditions { openings, clock, time_margin, adjudication } = conditions;
        let typed = |list| TypedOpenings::new(&*self.game, list);
        self.openings = openings.as_ref().map(typed).transpose()?;
        self.clock = clock.map(|control| GameClock::new(control, *time_margin));
        self.adjudication = *adjudication;
        Ok(())
    }
}

impl GameResult {
    /// Returns hashes of the moves; `None` if the moves are not known.
    #[must_use]
    pub fn line_hash(&self) -> Option<LineHash> {
        self.line.or_else(|| self.record.as_deref().map(LineHash::of))
    }

    /// Returns the score of a player in this game: 1, ½ or 0. `player` is an index into the player
    /// list of the run.
    ///
    /// # Panics
    /// When the player did not play the game.
    #[must_use]
    pub fn score(&self, player: u32) -> f64 {
        let seat = self.seats.iter().position(|&p| p == player);
        self.end.score(Side::BOTH[seat.expect("the player played this game")])
    }
}
