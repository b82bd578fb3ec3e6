//! UCT as the course has it: a remembered table of counters by position, through which a
//! decision makes *one* descent of `depth` plies. On the way every move never tried gets
//! `sims` random games, then the move of greatest `utility + c·√(ln n / n_i)` is followed;
//! what was counted below is added on the way up. The answer is the move that the same
//! formula would follow next.
//!
//! The course counts from the mover's side and exchanges wins and losses on the way up;
//! here a tally knows the sides, so there is nothing to exchange.
//!
//! Given a budget in simulations or time the descent is repeated until that is spent. A
//! second descent to the same depth would find every move tried and learn nothing, so in
//! repeated descents only new positions count towards the depth, and the answer is the
//! first move of greatest utility, as in UCB: the formula would name the move to explore.

use std::ops::Range;
use std::time::Duration;

use crate::game::{Game, Side, Status};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::{Duel, DuelTally};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Observer, Player, PlayerError};
use crate::random::Rng;
use crate::search::counters::MoveCounters;
use crate::search::sampling::{EXPLORATION, best_by_ucb, best_by_utility, root_lines};
use crate::search::timer::DecisionTimer;

/// No descent is longer, even where a game can return to its positions.
const MAX_DESCENT: usize = 2_000;

/// What the player is told once and for all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctOptions {
    /// Plies of a descent; where descents are repeated, new positions in each.
    pub depth: u32,
    /// Random games for every move never tried.
    pub sims: u64,
    /// Factor of the exploring term.
    pub c: f64,
    /// Whether the table outlives a game, as the course's does.
    pub keep: bool,
    /// How large the table may grow, in bytes; when it is full nothing new is remembered
    /// for the rest of the decision, and the next one starts with an empty table.
    pub memory: usize,
}

impl Default for UctOptions {
    fn default() -> Self {
        UctOptions { depth: 1, sims: 1, c: EXPLORATION, keep: false, memory: 256 << 20 }
    }
}

/// Follows the most promising moves through a remembered table.
pub struct UctPlayer<G: Game> {
    options: UctOptions,
    rng: Rng,
    table: MoveCounters,
    /// The moves of the position a descent has come to.
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    path: Vec<DescentStep>,
}

/// One position of a descent.
struct DescentStep {
    /// The tally of the move that was followed; `None` where the descent ends.
    followed: Option<usize>,
    /// The games counted here.
    own: DuelTally,
}

/// How far one descent may go.
struct DescentLimit<'a, M> {
    depth: u32,
    /// Whether only new positions count towards the depth.
    beyond: bool,
    /// Random games still allowed.
    games: u64,
    /// Who may end it.
    observer: &'a dyn Observer<M>,
}

/// Random games that are played before the watcher is asked whether to stop.
const BATCH: u64 = 1 << 16;

impl<G: Game<Outcome = Duel>> UctPlayer<G> {
    /// A player that remembers nothing yet.
    #[must_use]
    pub fn new(options: UctOptions) -> Self {
        UctPlayer {
            options: UctOptions { sims: options.sims.max(1), ..options },
            rng: Rng::new(0),
            table: MoveCounters::new(options.memory),
            moves: Vec::new(),
            scratch: Vec::new(),
            path: Vec::new(),
        }
    }

    /// What the table remembers of `s`: a tally for each move in the order of the game;
    /// of a finished game one tally, for no move.
    #[must_use]
    pub fn remembered(&self, g: &G, s: &G::State) -> Option<&[DuelTally]> {
        Some(self.table.at(self.table.find(g.key(s))?))
    }

    /// One descent from `s`; returns the games it counted.
    fn descend(&mut self, g: &G, s: &G::State, mut reach: DescentLimit<'_, G::Move>) -> DuelTally {
        let mut s = s.clone();
        self.path.clear();
        while reach.depth > 0 && reach.games > 0 {
            let step = match g.status(&s) {
                Status::Turn(side) if self.path.len() < MAX_DESCENT => {
                    self.visit(g, &mut s, side, &mut reach)
                }
                status => self.stop(g, &s, &reach, status.turn().is_none()),
            };
            let last = step.followed.is_none();
            self.path.push(step);
            if last {
                break;
            }
        }
        self.count_upwards()
    }

    /// Tries what was never tried in `s`, and plays the move to follow.
    fn visit(
        &mut self,
        g: &G,
        s: &mut G::State,
        side: Side,
        reach: &mut DescentLimit<'_, G::Move>,
    ) -> DescentStep {
        self.moves.clear();
        g.moves(s, &mut self.moves);
        let Some(arms) = self.table.open(g.key(s), self.moves.len()) else {
            return self.stop(g, s, reach, false);
        };
        let own = self.try_untried(g, s, arms.clone(), reach);
        if reach.games == 0 {
            return DescentStep { followed: None, own };
        }
        reach.depth -= u32::from(own.games() > 0 || !reach.beyond);
        let i = best_by_ucb(self.table.at(arms.clone()), side, self.options.c)
            .expect("a game that goes on has a move");
        g.play(s, self.moves[i]);
        DescentStep { followed: Some(arms.start + i), own }
    }

    /// Plays random games after every move of `s` that has had none.
    fn try_untried(
        &mut self,
        g: &G,
        s: &G::State,
        arms: Range<usize>,
        reach: &mut DescentLimit<'_, G::Move>,
    ) -> DuelTally {
        let mut own = DuelTally::default();
        for (i, &m) in arms.clone().zip(&self.moves) {
            if self.table.at(i..i + 1)[0].games() > 0 {
                continue;
            }
            let games = self.options.sims.min(reach.games);
            let child = g.after(s, m);
            let mut tally = DuelTally::default();
            while tally.games() < games {
                let batch = (games - tally.games()).min(BATCH);
                g.playouts(&child, batch, &mut self.rng, &mut self.scratch, &mut tally);
                if reach.observer.should_stop() {
                    reach.games = tally.games();
                    break;
                }
            }
            self.table.add(i, tally);
            own += tally;
            reach.games -= tally.games();
        }
        own
    }

    /// Ends a descent in `s`, where the game is over or nothing more can be remembered.
    fn stop(
        &mut self,
        g: &G,
        s: &G::State,
        reach: &DescentLimit<'_, G::Move>,
        over: bool,
    ) -> DescentStep {
        let mut own = DuelTally::default();
        let games = self.options.sims.min(reach.games);
        g.playouts(s, games, &mut self.rng, &mut self.scratch, &mut own);
        if over && let Some(arms) = self.table.open(g.key(s), 1) {
            self.table.add(arms.start, own);
        }
        DescentStep { followed: None, own }
    }

    /// Adds what was counted at each position to the moves that led there.
    fn count_upwards(&mut self) -> DuelTally {
        let mut below = DuelTally::default();
        for step in self.path.iter().rev() {
            if let Some(followed) = step.followed {
                self.table.add(followed, below);
            }
            below += step.own;
        }
        below
    }

    /// The answer by what the table says of the root.
    fn answer(
        &self,
        turn: &MoveRequest<'_, G>,
        side: Side,
        spent: &DecisionCost,
    ) -> Choice<G::Move> {
        let tallies = self.remembered(turn.game, turn.state).expect("the root is remembered");
        let mut moves = Vec::with_capacity(tallies.len());
        turn.game.moves(turn.state, &mut moves);
        let best = if spent.repeated {
            best_by_utility(tallies, side)
        } else {
            best_by_ucb(tallies, side, self.options.c)
        };
        Choice {
            lines: root_lines(&moves, tallies, side),
            nodes: spent.nodes,
            simulations: spent.games,
            depth: spent.depth,
            time: spent.time,
            ..Choice::bare(moves[best.expect("a game that goes on has a move")])
        }
    }
}

/// What one decision has cost so far.
struct DecisionCost {
    /// Whether the most useful move is the answer, not the one to explore.
    repeated: bool,
    nodes: u64,
    games: u64,
    depth: u32,
    time: Duration,
}

impl<G: Game<Outcome = Duel>> Player<G> for UctPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        if !self.options.keep {
            self.table.clear();
        }
    }

    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let Status::Turn(side) = turn.game.status(turn.state) else {
            return Err(PlayerError::Over);
        };
        let mut meter = DecisionTimer::start(turn);
        let moves = turn.game.count_moves(turn.state, &mut self.scratch);
        let root = turn.game.key(turn.state);
        // Full, or of another game with the same keys.
        if self.table.is_full() || self.table.open(root, moves).is_none() {
            self.table.clear();
        }
        let beyond = turn.budget.simulations.is_some() || turn.budget.time.is_some();
        let depth = turn.budget.depth.unwrap_or(self.options.depth).max(1);
        let most = turn.budget.simulations.unwrap_or(u64::MAX).max(1);
        let mut spent =
            DecisionCost { repeated: beyond, nodes: 0, games: 0, depth: 0, time: Duration::ZERO };
        loop {
            let (games, observer) = (most - spent.games, turn.observer);
            let reach = DescentLimit { depth, beyond, games, observer };
            spent.games += self.descend(turn.game, turn.state, reach).games();
            spent.nodes += self.path.len() as u64;
            spent.depth = spent.depth.max(self.path.len() as u32);
            let go_on = meter.should_continue(|time| {
                spent.time = time;
                self.answer(turn, side, &spent)
            });
            if !beyond || spent.games == most || !go_on {
                break;
            }
        }
        spent.time = meter.elapsed();
        // Who was stopped before every move was tried has nothing to explore.
        spent.repeated |= turn.observer.should_stop();
        Ok(self.answer(turn, side, &spent))
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for UctPlayer<G> {
    const NAME: &'static str = "uct";
    const SPENDS: &'static [BudgetUnit] =
        &[BudgetUnit::Time, BudgetUnit::Simulations, BudgetUnit::Depth];
    const HELP: &'static str =
        "follows the most promising moves through remembered counters; repeated if budgeted";
    const PARAMS: &'static [Param] = &[
        Param::int("depth", 1, 1, 10_000, "plies of a descent; if repeated, new positions in each"),
        Param::int("sims", 1, 1, 1_000_000_000, "random games for every move never tried"),
        Param::real("c", EXPLORATION, 0.0, 1000.0, "factor of the exploring term"),
        Param::flag("keep", "remember from game to game"),
        Param::int("memory", 256, 1, 1 << 20, "most megabytes remembered"),
    ];

    fn build(args: &Args, _kit: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(UctPlayer::new(UctOptions {
            depth: args.size("depth") as u32,
            sims: args.size("sims") as u64,
            c: args.real("c"),
            keep: args.flag("keep"),
            memory: args.size("memory") << 20,
        }))
    }
}
