//! UCT: a table of outcome counters by position, through which a decision makes descents. At each
//! position every untried move gets `sims` random games, then the move with the greatest
//! `utility + c·√(ln n / n_i)` is followed. The outcomes are added to all moves on the path. Descents
//! are repeated until `games` random games are played, or until a budget in simulations or time is
//! spent. The choice is the first move with the greatest utility, as in UCB.
//!
//! With the option `sheet`, a decision without such a budget makes *one* descent of `depth` plies, as
//! in Corsini's exercise sheet, and chooses the move with the greatest value of the formula above.
//! One descent looks one move ahead with a single random game a move, so it plays nearly at random;
//! it is for comparison with the sheet. A second descent to the same depth would find no untried
//! move, so in repeated descents only new positions count towards the depth.
//!
//! The exercise sheet counts wins and losses for the side to move and swaps them on the way up.
//! Here the counters count wins of each side, so nothing is swapped.

use std::ops::Range;
use std::time::Duration;

use crate::effective::BudgetOverride;
use crate::game::{Game, Side, Status};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::{Duel, DuelTally};
use crate::param::{Args, Param, ParamError};
use crate::player::{
    BudgetUnit, Choice, MoveRequest, Observer, Player, PlayerError, SearchDetails,
};
use crate::random::Rng;
use crate::repetition::GamePath;
use crate::search::counters::MoveTallies;
use crate::search::details::{position_games, reachable};
use crate::search::sampling::{EXPLORATION, best_by_ucb, best_by_utility, root_lines};
use crate::search::timer::DecisionTimer;

/// The maximum length of a descent in plies, because some games can return to a position.
const MAX_DESCENT: usize = 2_000;

/// The options of a UCT player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctOptions {
    /// Number of plies of a descent; in repeated descents, number of new positions per descent.
    pub depth: u32,
    /// Number of random games for every untried move.
    pub sims: u64,
    /// Number of random games after which no other descent begins, without a budget in simulations
    /// or time; `None` for one descent, as in Corsini's exercise sheet.
    pub games: Option<u64>,
    /// Exploration factor of the UCB formula: a larger value gives a broader search.
    pub c: f64,
    /// Whether the table is kept from one game to the next.
    pub keep: bool,
    /// Maximum size of the table in bytes. When it is full, no new positions are added for the rest
    /// of the decision, and the next decision starts with an empty table.
    pub memory: usize,
}

/// The default of [`UctOptions::games`].
const DEFAULT_GAMES: u64 = 1000;

impl Default for UctOptions {
    fn default() -> Self {
        UctOptions {
            depth: 1,
            sims: 1,
            games: Some(DEFAULT_GAMES),
            c: EXPLORATION,
            keep: false,
            memory: 256 << 20,
        }
    }
}

/// Chooses moves by UCT descents through a table of outcome counters.
pub struct UctPlayer<G: Game> {
    options: UctOptions,
    rng: Rng,
    table: MoveTallies,
    /// The legal moves of the current position of a descent.
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    path: Vec<DescentStep>,
    /// The positions before the current position of a descent.
    past: GamePath,
}

/// One position on the path of a descent.
struct DescentStep {
    /// The index in the table of the counters of the move that was followed; `None` where the
    /// descent ends.
    followed: Option<usize>,
    /// The outcomes of the random games played at this position: after its untried moves, or from
    /// the position itself where the descent ends.
    outcomes: DuelTally,
}

/// The limits of one descent: depth, number of random games, and the observer.
struct DescentLimit<'a, M> {
    depth: u32,
    /// Whether only positions with untried moves count towards the depth, as in repeated descents.
    count_new_only: bool,
    /// Number of random games that may still be played.
    games: u64,
    /// The observer of the request, which can stop the descent.
    observer: &'a dyn Observer<M>,
}

/// Maximum number of random games between two checks whether the observer stops the search.
const BATCH: u64 = 1 << 16;

impl<G: Game<Outcome = Duel>> UctPlayer<G> {
    /// Creates a player with an empty table.
    #[must_use]
    pub fn new(options: UctOptions) -> Self {
        UctPlayer {
            options: UctOptions { sims: options.sims.max(1), ..options },
            rng: Rng::new(0),
            table: MoveTallies::new(options.memory),
            moves: Vec::new(),
            scratch: Vec::new(),
            past: GamePath::new(),
            path: Vec::new(),
        }
    }

    /// Returns the outcome counters of `s`, one for each move in the order of the game; a finished
    /// game has a single one. `None` if the table does not have `s`.
    #[must_use]
    pub fn tallies_of(&self, g: &G, s: &G::State) -> Option<&[DuelTally]> {
        Some(self.table.at(self.table.find(g.key(s))?))
    }

    /// Reports the counters of all positions that can be reached in the table, if the observer asks
    /// for details.
    fn report_details(&self, request: &MoveRequest<'_, G>) {
        let Some(limit) = request.observer.details_limit() else { return };
        let g = request.game;
        let (games, truncated) = reachable(g, request.state, limit, |s| {
            let side = g.status(s).turn().unwrap_or(Side::First);
            position_games(g, s, GamePath::EMPTY, side, self.tallies_of(g, s)?)
        });
        let details = SearchDetails { games, truncated, ..SearchDetails::default() };
        request.observer.report_details(&details);
    }

    /// Makes one descent from `s` and backs up its outcomes. Returns the outcomes of all random
    /// games.
    fn descend(
        &mut self,
        request: &MoveRequest<'_, G>,
        mut limit: DescentLimit<'_, G::Move>,
    ) -> DuelTally {
        let (g, mut s) = (request.game, request.state.clone());
        self.past.copy_from(request.path);
        self.path.clear();
        while limit.depth > 0 && limit.games > 0 {
            let step = match self.past.status(g, &s) {
                Status::Turn(side) if self.path.len() < MAX_DESCENT => {
                    self.descend_one_ply(g, &mut s, side, &mut limit)
                }
                status => self.end_descent(g, &s, &limit, status.turn().is_none()),
            };
            let last = step.followed.is_none();
            self.path.push(step);
            if last {
                break;
            }
        }
        self.back_up()
    }

    /// Plays random games after the untried moves of `s`, then selects a move by UCB and makes it.
    fn descend_one_ply(
        &mut self,
        g: &G,
        s: &mut G::State,
        side: Side,
        limit: &mut DescentLimit<'_, G::Move>,
    ) -> DescentStep {
        self.moves.clear();
        self.past.moves(g, s, &mut self.moves);
        let key = self.past.table_key(g, s);
        let Some(arms) = self.table.find_or_insert(key, self.moves.len()) else {
            return self.end_descent(g, s, limit, false);
        };
        let outcomes = self.try_untried(g, s, arms.clone(), limit);
        if limit.games == 0 {
            return DescentStep { followed: None, outcomes };
        }
        limit.depth -= u32::from(outcomes.games() > 0 || !limit.count_new_only);
        let i = best_by_ucb(self.table.at(arms.clone()), side, self.options.c)
            .expect("an unfinished game has a move");
        self.past.play(g, s, self.moves[i]);
        DescentStep { followed: Some(arms.start + i), outcomes }
    }

    /// Plays random games after every untried move of `s` and returns their outcomes.
    fn try_untried(
        &mut self,
        g: &G,
        s: &G::State,
        arms: Range<usize>,
        limit: &mut DescentLimit<'_, G::Move>,
    ) -> DuelTally {
        let mut outcomes = DuelTally::default();
        for (i, &m) in arms.clone().zip(&self.moves) {
            if self.table.at(i..i + 1)[0].games() > 0 {
                continue;
            }
            let games = self.options.sims.min(limit.games);
            let child = g.after(s, m);
            let mut tally = DuelTally::default();
            while tally.games() < games {
                let batch = (games - tally.games()).min(BATCH);
                g.playouts(&child, batch, &mut self.rng, &mut self.scratch, &mut tally);
                if limit.observer.should_stop() {
                    limit.games = tally.games();
                    break;
                }
            }
            self.table.add(i, tally);
            outcomes += tally;
            limit.games -= tally.games();
        }
        outcomes
    }

    /// Plays random games from `s`, where a descent ends because the game is over (`over`), the
    /// table is full or the descent is too long.
    fn end_descent(
        &mut self,
        g: &G,
        s: &G::State,
        limit: &DescentLimit<'_, G::Move>,
        over: bool,
    ) -> DescentStep {
        let mut outcomes = DuelTally::default();
        let games = self.options.sims.min(limit.games);
        g.playouts(s, games, &mut self.rng, &mut self.scratch, &mut outcomes);
        if over && let Some(arms) = self.table.find_or_insert(g.key(s), 1) {
            self.table.add(arms.start, outcomes);
        }
        DescentStep { followed: None, outcomes }
    }

    /// Adds the outcomes at each position of the path to the counters of the moves that led there.
    /// Returns the sum of all outcomes.
    fn back_up(&mut self) -> DuelTally {
        let mut below = DuelTally::default();
        for step in self.path.iter().rev() {
            if let Some(followed) = step.followed {
                self.table.add(followed, below);
            }
            below += step.outcomes;
        }
        below
    }

    /// Chooses a move by the outcome counters of the root.
    fn choice(
        &self,
        request: &MoveRequest<'_, G>,
        side: Side,
        cost: &DecisionCost,
    ) -> Choice<G::Move> {
        let root = self.table.find(request.path.table_key(request.game, request.state));
        let tallies = self.table.at(root.expect("the root is in the table"));
        let moves = request.moves();
        let best = if cost.choose_by_utility {
            best_by_utility(tallies, side)
        } else {
            best_by_ucb(tallies, side, self.options.c)
        };
        Choice {
            lines: root_lines(&moves, tallies, side),
            nodes: cost.nodes,
            simulations: cost.games,
            depth: cost.depth,
            time: cost.time,
            ..Choice::bare(moves[best.expect("an unfinished game has a move")])
        }
    }
}

/// The cost of a decision so far, and the rule for its choice.
struct DecisionCost {
    /// Whether to choose the root move with the greatest utility; otherwise the one with the
    /// greatest UCB value.
    choose_by_utility: bool,
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

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let Status::Turn(side) = request.status() else {
            return Err(PlayerError::Over);
        };
        let mut timer = DecisionTimer::start(request);
        let moves = request.moves().len();
        let root = request.path.table_key(request.game, request.state);
        // The table is full, or has another position with the same key.
        if self.table.is_full() || self.table.find_or_insert(root, moves).is_none() {
            self.table.clear();
        }
        let budget = &request.budget;
        let has_budget = budget.simulations.is_some() || budget.time.is_some();
        let count_new_only = has_budget || self.options.games.is_some();
        let depth = budget.depth.unwrap_or(self.options.depth).max(1);
        let max_games = budget.simulations.unwrap_or(u64::MAX).max(1);
        let enough = if has_budget { max_games } else { self.options.games.unwrap_or(0) };
        let mut cost = DecisionCost {
            choose_by_utility: count_new_only,
            nodes: 0,
            games: 0,
            depth: 0,
            time: Duration::ZERO,
        };
        loop {
            let (games, observer) = (max_games - cost.games, request.observer);
            let limit = DescentLimit { depth, count_new_only, games, observer };
            cost.games += self.descend(request, limit).games();
            cost.nodes += self.path.len() as u64;
            cost.depth = cost.depth.max(self.path.len() as u32);
            let keep_going = timer.should_continue(|time| {
                cost.time = time;
                self.choice(request, side, &cost)
            });
            if cost.games >= enough || !keep_going {
                break;
            }
        }
        cost.time = timer.elapsed();
        // After a stop some moves may not have been tried, so the UCB formula cannot be used.
        cost.choose_by_utility |= request.observer.should_stop();
        self.report_details(request);
        Ok(self.choice(request, side, &cost))
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for UctPlayer<G> {
    const NAME: &'static str = "uct";
    const SPENDS: &'static [BudgetUnit] =
        &[BudgetUnit::Time, BudgetUnit::Simulations, BudgetUnit::Depth];
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::replaces("depth", BudgetUnit::Depth),
        BudgetOverride::disables("games", BudgetUnit::Time),
        BudgetOverride::disables("games", BudgetUnit::Simulations),
        BudgetOverride::disables("sheet", BudgetUnit::Time),
        BudgetOverride::disables("sheet", BudgetUnit::Simulations),
    ];
    const HELP: &'static str =
        "UCT descents through a table of counters, until enough random games are played";
    const PARAMS: &'static [Param] = &[
        Param::int(
            "depth",
            1,
            1,
            10_000,
            "new positions per descent; with sheet and no budget, its plies",
        ),
        Param::int("sims", 1, 1, 1_000_000_000, "random games for every untried move"),
        Param::real("c", EXPLORATION, 0.0, 1000.0, "exploration factor"),
        Param::flag("keep", "keep the table from game to game"),
        Param::int("memory", 256, 1, 1 << 20, "maximum size of the table in megabytes"),
        Param::int(
            "games",
            DEFAULT_GAMES as i64,
            1,
            1_000_000_000,
            "random games after which no other descent begins, without a budget",
        )
        .only_if("sheet", &["no"]),
        Param::flag("sheet", "without a budget make one descent, as in the exercise sheet"),
    ];

    fn build(args: &Args, _parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(UctPlayer::new(UctOptions {
            depth: args.size("depth") as u32,
            sims: args.size("sims") as u64,
            games: if args.flag("sheet") { None } else { Some(args.size("games") as u64) },
            c: args.real("c"),
            keep: args.flag("keep"),
            memory: args.size("memory") << 20,
        }))
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `UctPlayer`")]
pub type Uct<G> = UctPlayer<G>;
