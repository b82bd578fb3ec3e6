//! What items share: matches between players, and decisions compared with exact solutions.

use std::collections::{HashSet, VecDeque};

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::{GameSettings, PairId};
use ludion_players::game::{Side, Status};
use ludion_players::outcome::{AnyOutcome, Duel};
use ludion_players::player::{Budget, NoObserver, StopOnFlag};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::{AnyGame, AnyPosition};
use ludion_players::search::solve::SolveLimits;
use serde::{Deserialize, Serialize};

use super::verdict::MeasuredValue;
use super::work::{JobContext, failed};
use crate::studies::JobFailure;

/// A match between two players of a game.
#[derive(Clone, Copy)]
pub(super) struct MatchSpec<'a> {
    pub(super) game: &'a str,
    /// Specs of the two players; games are counted for the first.
    pub(super) players: [&'a str; 2],
    pub(super) budget: Budget,
    /// Number of random plies at the beginning of a game.
    pub(super) opening: u32,
    /// Number of pairs of games with the same opening and seats swapped.
    pub(super) pairs: u64,
}

impl<'a> MatchSpec<'a> {
    pub(super) fn new(game: &'a str, players: [&'a str; 2], pairs: u64) -> Self {
        MatchSpec { game, players, budget: Budget::UNLIMITED, opening: 0, pairs }
    }

    pub(super) fn opening(self, opening: u32) -> Self {
        MatchSpec { opening, ..self }
    }

    pub(super) fn budget(self, budget: Budget) -> Self {
        MatchSpec { budget, ..self }
    }

    /// Plays the match, whose openings and players are seeded by the job.
    pub(super) fn play(self, context: &JobContext<'_>) -> Result<MatchCounts, JobFailure> {
        self.play_seeded(context, context.seed())
    }

    pub(super) fn play_seeded(
        self,
        context: &JobContext<'_>,
        seed: u64,
    ) -> Result<MatchCounts, JobFailure> {
        let game = context.game(self.game)?;
        let mut referee = game.referee(&self.players.map(str::to_owned))?;
        let MatchSpec { budget, opening, .. } = self;
        let settings = GameSettings { budget, opening, longest: 10_000, seed };
        let mut counts = MatchCounts::default();
        for number in 0..self.pairs {
            let pair = PairId { players: [0, 1], number };
            let played = referee.play_pair_or_stop(&settings, pair, false, context.stop);
            for result in played.ok_or(JobFailure::Stopped)? {
                let seat = usize::from(result.seats[0] != 0);
                count(&mut counts.games, result.end.duel(), Side::BOTH[seat]);
                if seat == 0 {
                    count(&mut counts.first, result.end.duel(), Side::First);
                }
                counts.plies += u64::from(result.plies);
                for player in 0..2 {
                    let spent = result.spent[usize::from(result.seats[0] as usize != player)];
                    counts.nodes[player] += spent.nodes;
                    counts.seconds[player] += spent.time.as_secs_f64();
                }
            }
        }
        Ok(counts)
    }
}

/// Results of a match, for its first player.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(super) struct MatchCounts {
    pub(super) games: GameCounts,
    /// Those of the games in which the player moved first.
    pub(super) first: GameCounts,
    /// Sum of the lengths of the games.
    pub(super) plies: u64,
    /// Nodes that both players searched.
    pub(super) nodes: [u64; 2],
    /// Seconds that both players thought; left out of stored results unless they are asked for.
    #[serde(skip)]
    pub(super) seconds: [f64; 2],
}

impl MatchCounts {
    /// Returns the score of the first player with its interval.
    pub(super) fn score(&self) -> MeasuredValue {
        MeasuredValue::score(&self.games)
    }

    /// Returns the sum of several results.
    pub(super) fn sum<'a>(all: impl IntoIterator<Item = &'a MatchCounts>) -> MatchCounts {
        let mut sum = MatchCounts::default();
        for one in all {
            for (sum, one) in [(&mut sum.games, &one.games), (&mut sum.first, &one.first)] {
                sum.wins += one.wins;
                sum.losses += one.losses;
                sum.draws += one.draws;
            }
            sum.plies += one.plies;
            for player in 0..2 {
                sum.nodes[player] += one.nodes[player];
                sum.seconds[player] += one.seconds[player];
            }
        }
        sum
    }

    /// Formats the games as `won : lost, drawn`.
    pub(super) fn text(&self) -> String {
        let GameCounts { wins, losses, draws } = self.games;
        match draws {
            0 => format!("{wins} : {losses}"),
            _ => format!("{wins} : {losses}, {draws} drawn"),
        }
    }
}

/// Counts a game for the player of `side`.
fn count(games: &mut GameCounts, duel: Duel, side: Side) {
    match duel {
        Duel::Won(winner) if winner == side => games.wins += 1,
        Duel::Won(_) => games.losses += 1,
        Duel::Drawn => games.draws += 1,
    }
}

/// Returns all unfinished positions of a game that can be reached from its start, in the order of a
/// breadth-first search, at most `limit`.
pub(super) fn unfinished_positions(game: &dyn AnyGame, limit: usize) -> Vec<Box<dyn AnyPosition>> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut queue = VecDeque::from([game.start()]);
    while let Some(position) = queue.pop_front() {
        if found.len() == limit {
            break;
        }
        if position.status().turn().is_none() || !seen.insert(position.show()) {
            continue;
        }
        for m in position.moves() {
            let mut child = position.copy();
            if child.play(&m).is_ok() {
                queue.push_back(child);
            }
        }
        found.push(position);
    }
    found
}

/// Returns a position after this many random plies, or before the last of them if the game ends.
pub(super) fn random_position(game: &dyn AnyGame, plies: usize, seed: u64) -> Box<dyn AnyPosition> {
    let (mut position, mut rng) = (game.start(), Rng::new(seed));
    for _ in 0..plies {
        let moves = position.moves();
        let mut next = position.copy();
        if next.play(&moves[rng.below(moves.len())]).is_err() || next.status().turn().is_none() {
            break;
        }
        position = next;
    }
    position
}

/// Number of decisions that keep the value of the position, and of all decisions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct KeptValues {
    pub(super) kept: u64,
    pub(super) decisions: u64,
}

impl KeptValues {
    pub(super) fn share(&self) -> MeasuredValue {
        MeasuredValue::share(self.kept, self.decisions)
    }

    pub(super) fn sum<'a>(all: impl IntoIterator<Item = &'a KeptValues>) -> KeptValues {
        all.into_iter().fold(KeptValues::default(), |sum, one| KeptValues {
            kept: sum.kept + one.kept,
            decisions: sum.decisions + one.decisions,
        })
    }
}

/// Returns the moves of a position that keep its exact value; `None` if all do, so that a decision
/// says nothing.
pub(super) fn best_moves(position: &dyn AnyPosition) -> Result<Option<Vec<String>>, JobFailure> {
    let solved = position.solve(SolveLimits::default(), &NoObserver).map_err(failed)?;
    let keeps = |line: &&ludion_players::player::RootLine<String>| {
        line.proven.is_some_and(|proof| proof.verdict == solved.value.verdict)
    };
    let best: Vec<String> =
        solved.lines.iter().filter(keeps).map(|line| line.play.clone()).collect();
    Ok((best.len() < solved.lines.len()).then_some(best))
}

/// A position with the moves that keep its exact value.
pub(super) type JudgedPosition = (Box<dyn AnyPosition>, Vec<String>);

/// Lets a player choose once in each position, with a new game each time, and counts the choices
/// that keep the exact value. Positions in which every move does are left out.
pub(super) fn kept_values(
    context: &JobContext<'_>,
    game: &dyn AnyGame,
    player: &str,
    positions: &[JudgedPosition],
) -> Result<KeptValues, JobFailure> {
    let mut player = game.player(player)?;
    let mut counts = KeptValues::default();
    for (i, (position, best)) in positions.iter().enumerate() {
        context.check_stop()?;
        player.begin(derive_seed(context.seed(), &[i as u64]));
        let choice = player.choose(&**position, Budget::UNLIMITED, &StopOnFlag(context.stop));
        counts.kept += u64::from(best.contains(&choice.map_err(failed)?.best));
        counts.decisions += 1;
    }
    Ok(counts)
}

/// Returns those of the positions in which not every move keeps the value, with the moves that do.
pub(super) fn with_best_moves(
    positions: Vec<Box<dyn AnyPosition>>,
) -> Result<Vec<JudgedPosition>, JobFailure> {
    let mut found = Vec::new();
    for position in positions {
        if let Some(best) = best_moves(&*position)? {
            found.push((position, best));
        }
    }
    Ok(found)
}

/// Returns who wins a position under perfect play, in words.
pub(super) fn winner_words(outcome: AnyOutcome) -> &'static str {
    match outcome {
        AnyOutcome::Duel(Duel::Won(Side::First)) => "first",
        AnyOutcome::Duel(Duel::Won(Side::Second)) => "second",
        AnyOutcome::Duel(Duel::Drawn) => "draw",
        AnyOutcome::Points(_) => "points",
    }
}

/// Returns whether the side that has the turn in `position` is the winner of `outcome`.
pub(super) fn mover_wins(position: &dyn AnyPosition, outcome: AnyOutcome) -> bool {
    match position.status() {
        Status::Turn(side) => outcome == AnyOutcome::Duel(Duel::Won(side)),
        Status::Over(_) => false,
    }
}
