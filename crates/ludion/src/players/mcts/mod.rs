//! Monte-Carlo tree search (French: *recherche arborescente de Monte-Carlo*), the player
//! JMCTS of Mauffret and Pruvot (2019) and its parallel relatives.
//!
//! Each simulation goes down the tree by a formula ([`SelectionFormula`]), adds the children of a
//! leaf that is met again and again, plays a random game and counts its end on the way back up. The
//! tree is kept between moves; results that are certain are proven and kept apart from
//! counts. When the memory is full the search goes on without new nodes.

mod leaf_workers;
mod leases;
mod meter;
mod parallel;
mod report;
mod select;
mod walk;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub use select::SelectionFormula;

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::named::{NamedPlayer, PlayerParts, QuickSpec, eval_param};
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, MoveRequest, Player, PlayerError};
use crate::random::{Rng, derive_seed};
use crate::search::rewards::SearchReward;
use crate::search::tree::SearchTree;
use meter::SearchMeter;
use walk::{SearchThread, SharedSearch};

/// What the threads of a search share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParallelMode {
    /// One tree, in which all threads do everything (French: *JMCTSP*).
    Tree,
    /// Nothing: a tree each, whose roots are added up.
    Root,
    /// One tree that one thread walks; all play random games from its leaves (*JMCTSp*).
    Leaf,
}

/// Which move is played in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalMoveRule {
    /// One that is proven to win; otherwise the most visited that is not proven to lose.
    Proof,
    /// The most visited, whatever is proven.
    Visits,
    /// The one of best mean, whatever is proven.
    Value,
}

/// How a search works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// Simulations a move, where the budget sets no limit.
    pub sims: u64,
    /// The formula of descents.
    pub select: SelectionFormula,
    /// Which move is played in the end.
    pub last: FinalMoveRule,
    /// Whether every move starts a tree of its own.
    pub fresh: bool,
    /// Bytes for all trees together.
    pub memory: usize,
    /// Threads.
    pub threads: NonZero<usize>,
    /// What they share.
    pub parallel: ParallelMode,
    /// Simulations of one thread that are under way together, at most.
    pub flight: usize,
}

/// Searches a tree of random games.
pub struct MctsPlayer<G: Game<Outcome: SearchReward>> {
    options: MctsOptions,
    judge: Option<Arc<dyn Evaluator<G>>>,
    trees: Vec<SearchTree<G>>,
    workers: Vec<SearchThread<G>>,
}

impl<G: Game<Outcome: SearchReward>> MctsPlayer<G> {
    /// A player that draws from seed 0 until a game begins. `judge` gives PUCT its prior;
    /// without one all moves are alike beforehand.
    #[must_use]
    pub fn new(options: MctsOptions, judge: Option<Arc<dyn Evaluator<G>>>) -> Self {
        let mut player = MctsPlayer { options, judge, trees: Vec::new(), workers: Vec::new() };
        player.begin(0);
        player
    }

    /// Nodes in use and nodes that fit, in all trees.
    #[must_use]
    pub fn room(&self) -> (usize, usize) {
        let rooms = self.trees.iter().map(SearchTree::room);
        rooms.fold((0, 0), |sum, room| (sum.0 + room.0, sum.1 + room.1))
    }

    /// Trees whose root is the state asked for, kept where it is known.
    fn prepare(&mut self, turn: &MoveRequest<'_, G>, meter: &SearchMeter) {
        let MctsOptions { threads, parallel, memory, fresh, .. } = self.options;
        let count = if parallel == ParallelMode::Root { threads.get() } else { 1 };
        let mut scratch = Vec::new();
        let room = turn.game.count_moves(turn.state, &mut scratch);
        self.trees.retain(|tree| tree.room().1 > room);
        for tree in &mut self.trees {
            if fresh || !tree.advance(turn.game, turn.state, || meter.tired()) {
                tree.plant(turn.game, turn.state);
            }
        }
        while self.trees.len() < count {
            self.trees.push(SearchTree::new(turn.game, turn.state, memory / count, room));
        }
    }
}

impl<G: Game<Outcome: SearchReward>> Player<G> for MctsPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.trees.clear();
        let rng = |thread: u64| match thread {
            0 => Rng::new(seed),
            _ => Rng::new(derive_seed(seed, &[thread])),
        };
        self.workers =
            (0..self.options.threads.get() as u64).map(|i| SearchThread::new(rng(i))).collect();
    }

    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        if turn.game.status(turn.state).turn().is_none() {
            return Err(PlayerError::Over);
        }
        let meter = SearchMeter::new(began, &turn.budget, self.options.sims);
        self.prepare(turn, &meter);
        let searches: Vec<SharedSearch<'_, G>> = self
            .trees
            .iter()
            .map(|tree| SharedSearch {
                game: turn.game,
                tree,
                select: self.options.select,
                judge: self.judge.as_deref(),
                depth: turn.budget.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
                full: AtomicBool::new(false),
            })
            .collect();
        self.workers.iter_mut().for_each(SearchThread::ready);
        for (search, worker) in searches.iter().zip(&mut self.workers) {
            search.open_root(worker);
        }
        let meters: Vec<SearchMeter> =
            (0..searches.len()).map(|i| meter.part(i, searches.len())).collect();
        Ok(parallel::run(&self.options, turn, &searches, &meters, &mut self.workers))
    }
}

impl<G: Game<Outcome: SearchReward>> NamedPlayer<G> for MctsPlayer<G> {
    const NAME: &'static str = "mcts";
    const HELP: &'static str =
        "Monte-Carlo tree search: random games steer a tree that is kept between moves";
    const QUICK: Option<QuickSpec> = Some(QuickSpec::new(1, "mcts(sims=100000)"));
    const PARAMS: &'static [Param] = &[
        Param::int("sims", 10_000, 1, 1_000_000_000, "random games a move, without a budget"),
        Param::choice("select", &["puct", "phi", "ucb1"], "formula that leads down the tree"),
        Param::real("a", 10.0, 1e-3, 1e6, "phi = (a + W)/(b + C): what a move is given beforehand"),
        Param::real("b", 0.0, 0.0, 1e6, "phi: what its visits are given beforehand; 0: a"),
        Param::real("c", 2.0, 0.0, 100.0, "weight of exploration in puct; in ucb1 less is better"),
        Param::flag("prior", "puct: the evaluator says which moves look good beforehand"),
        eval_param("own"),
        Param::choice(
            "final",
            &["proof", "visits", "value"],
            "move played: most visited unless proven bad, most visited, best mean",
        ),
        Param::flag("fresh", "forget the tree between moves"),
        Param::real("memory", 256.0, 1e-3, 1e6, "megabytes for the tree"),
        Param::int("threads", 1, 1, 256, "threads"),
        Param::choice("parallel", &["tree", "root", "leaf"], "what several threads share"),
        Param::int(
            "flight",
            8,
            1,
            64,
            "simulations a thread has under way together in a large tree",
        ),
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let (a, b, c) = (args.real("a"), args.real("b"), args.real("c"));
        let options = MctsOptions {
            sims: args.int("sims") as u64,
            select: match args.text("select") {
                "phi" => SelectionFormula::Phi { a, b: if b == 0.0 { a } else { b } },
                "ucb1" => SelectionFormula::Ucb1 { c },
                _ => SelectionFormula::Puct { c },
            },
            last: match args.text("final") {
                "proof" => FinalMoveRule::Proof,
                "visits" => FinalMoveRule::Visits,
                _ => FinalMoveRule::Value,
            },
            fresh: args.flag("fresh"),
            memory: (args.real("memory") * 1e6) as usize,
            threads: NonZero::new(args.size("threads")).expect("the range starts at 1"),
            parallel: match args.text("parallel") {
                "tree" => ParallelMode::Tree,
                "root" => ParallelMode::Root,
                _ => ParallelMode::Leaf,
            },
            flight: args.size("flight"),
        };
        let judge = if args.flag("prior") { parts.evaluator(args)? } else { None };
        match (args.flag("prior"), options.select, judge) {
            (false, _, _) => Ok(MctsPlayer::new(options, None)),
            (true, SelectionFormula::Puct { .. }, Some(judge)) => {
                Ok(MctsPlayer::new(options, Some(judge)))
            }
            (true, SelectionFormula::Puct { .. }, None) => {
                Err(args.together("prior asks for an evaluator, and this game has none"))
            }
            (true, _, _) => Err(args.together("prior goes with select=puct alone")),
        }
    }
}
