//! Monte-Carlo tree search (French: *recherche arborescente de Monte-Carlo*): the player JMCTS of
//! Mauffret and Pruvot (2019) and its parallel variants.
//!
//! Each simulation descends the tree by a selection formula ([`SelectionFormula`]), expands a leaf
//! that has been visited several times, values the leaf by a random game or an evaluator, and backs
//! up the result. The tree is kept between moves. Proven results are stored separately from the statistics. When the memory is
//! full, the search continues without new nodes.

mod budget;
mod leaf;
mod leaf_workers;
mod leases;
mod parallel;
mod report;
mod select;
mod simulation;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub use select::{GROWTH_FROM, SelectionFormula};

use crate::effective::{BudgetOverride, RepeatHazard};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::named::{EVAL_NAME, NamedPlayer, PlayerParts, RecommendedSpec};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::random::{Rng, derive_seed};
use crate::search::rewards::SearchReward;
use crate::search::tree::SearchTree;
use budget::SearchBudget;
use leaf::LeafEvaluation;
use simulation::{SearchThread, SharedSearch};

/// How the threads of a search share the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParallelMode {
    /// All threads search one shared tree (tree parallelism; French: *JMCTSP*).
    Tree,
    /// Each thread searches its own tree, and the statistics of the roots are added (root
    /// parallelism).
    Root,
    /// One thread searches the tree, and all threads play random games from its leaves, or evaluate
    /// some of them each (leaf parallelism; French: *JMCTSp*).
    Leaf,
}

/// The rule by which the final move is chosen from the root statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalMoveRule {
    /// A move that is proven to win; otherwise the most visited move that is not proven to lose, or
    /// a proven draw if that move has a negative mean value.
    Proof,
    /// The most visited move; proofs are ignored.
    Visits,
    /// The move with the best mean value; proofs are ignored.
    Value,
}

/// The options of an MCTS player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// Number of simulations per move if the budget limits neither simulations nor time nor nodes.
    pub sims: u64,
    /// The formula that selects the child to descend to.
    pub select: SelectionFormula,
    /// The exponent with which exploration grows in searches of more than [`GROWTH_FROM`]
    /// simulations: the factor c of the formula is multiplied by (simulations so far /
    /// [`GROWTH_FROM`])^growth. 0: it does not grow. φ does not use it.
    pub growth: f64,
    /// The rule by which the final move is chosen.
    pub final_move: FinalMoveRule,
    /// Whether every search starts with an empty tree; otherwise the tree is kept between moves.
    pub fresh: bool,
    /// Maximum memory of all trees together, in bytes.
    pub memory: usize,
    /// Number of threads that search.
    pub threads: NonZero<usize>,
    /// How the threads share the work.
    pub parallel: ParallelMode,
    /// Maximum number of simulations that one thread interleaves, to hide memory latency.
    pub max_wave: usize,
}

/// What an evaluator is used for in Monte-Carlo tree search.
pub enum EvaluatorRole<G: Game> {
    /// There is no evaluator: leaves are valued by playouts, and all moves have the same prior.
    None,
    /// The evaluator gives the priors of moves in PUCT, and leaves are valued by playouts.
    Priors(Arc<dyn Evaluator<G>>),
    /// The evaluator values the leaves. If it estimates policies, they are the priors of moves;
    /// otherwise all moves have the same prior.
    Leaves(Arc<dyn Evaluator<G>>),
}

/// Chooses moves by Monte-Carlo tree search.
pub struct MctsPlayer<G: Game<Outcome: SearchReward>> {
    options: MctsOptions,
    evaluator: EvaluatorRole<G>,
    trees: Vec<SearchTree<G>>,
    threads: Vec<SearchThread<G>>,
}

impl<G: Game<Outcome: SearchReward>> EvaluatorRole<G> {
    fn leaf_evaluation(&self) -> LeafEvaluation<'_, G> {
        match self {
            EvaluatorRole::Leaves(evaluator) if G::Outcome::IS_DUEL => {
                match evaluator.as_policy() {
                    Some(policy) => LeafEvaluation::Policy(policy),
                    None => LeafEvaluation::Evaluator(&**evaluator),
                }
            }
            _ => LeafEvaluation::Playout,
        }
    }

    /// Returns the formula that leads down the tree: with a policy PUCT explores less.
    fn selection(&self, formula: SelectionFormula) -> SelectionFormula {
        match (formula, self.leaf_evaluation()) {
            (SelectionFormula::Puct { c }, LeafEvaluation::Policy(_)) => {
                SelectionFormula::Puct { c: c * POLICY_EXPLORATION }
            }
            _ => formula,
        }
    }

    fn prior(&self) -> Option<&dyn Evaluator<G>> {
        match self {
            EvaluatorRole::Priors(evaluator) => Some(&**evaluator),
            EvaluatorRole::None | EvaluatorRole::Leaves(_) => None,
        }
    }

    /// Reads the player parameters `eval` and `prior`.
    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let (prior, is_auto) = (args.flag("prior"), args.text(EVAL_NAME) == AUTO);
        let evaluator = match (is_auto, prior) {
            (true, false) => return Ok(EvaluatorRole::None),
            (true, true) => parts.own_evaluator(),
            (false, _) => parts.evaluator(args)?,
        };
        match (evaluator, prior) {
            (Some(evaluator), true) => Ok(EvaluatorRole::Priors(evaluator)),
            (None, true) if is_auto => {
                Err(args.together("prior needs an evaluator, and this game has none of its own"))
            }
            (None, true) => Err(args.together("prior needs an evaluator, and eval is none")),
            (Some(_), false) if !G::Outcome::IS_DUEL => {
                Err(args.together("eval values the leaves of duels, and this game is a puzzle"))
            }
            (Some(evaluator), false) => Ok(EvaluatorRole::Leaves(evaluator)),
            (None, false) => Ok(EvaluatorRole::None),
        }
    }
}

/// The factor of exploration in PUCT with a policy, relative to searches with playouts: evaluations
/// of a network vary less than results of random games. With networks of Connect Four and 3,000
/// simulations a move, 0.35 is 40 ± 20 Elo better than 1, and 0.2 no better than 0.35.
const POLICY_EXPLORATION: f64 = 0.35;

/// The default of the parameter `eval`: own with `prior`, otherwise none.
const AUTO: &str = "auto";

impl<G: Game<Outcome: SearchReward>> MctsPlayer<G> {
    /// Creates a player that values leaves by playouts, with seed 0 until a game begins. The
    /// evaluator gives the prior of moves in PUCT; without one all moves have the same prior.
    #[must_use]
    pub fn new(options: MctsOptions, prior: Option<Arc<dyn Evaluator<G>>>) -> Self {
        MctsPlayer::with_evaluator(
            options,
            prior.map_or(EvaluatorRole::None, EvaluatorRole::Priors),
        )
    }

    /// Creates a player with an evaluator, with seed 0 until a game begins. In a puzzle an evaluator
    /// cannot value leaves, and playouts do.
    #[must_use]
    pub fn with_evaluator(options: MctsOptions, evaluator: EvaluatorRole<G>) -> Self {
        let mut player = MctsPlayer { options, evaluator, trees: Vec::new(), threads: Vec::new() };
        player.begin(0);
        player
    }

    /// Returns the number of nodes in use and the number of nodes that fit in memory, for all trees
    /// together.
    #[must_use]
    pub fn node_usage(&self) -> (usize, usize) {
        let usages = self.trees.iter().map(SearchTree::node_usage);
        usages.fold((0, 0), |sum, usage| (sum.0 + usage.0, sum.1 + usage.1))
    }

    /// Makes the requested state the root of every tree. Keeps the subtree of this state if the
    /// tree has it and `fresh` is not set; otherwise the tree starts empty.
    fn prepare(&mut self, request: &MoveRequest<'_, G>, budget: &SearchBudget) {
        let MctsOptions { threads, parallel, memory, fresh, .. } = self.options;
        let count = if parallel == ParallelMode::Root { threads.get() } else { 1 };
        let root_moves = request.moves().len();
        self.trees.retain(|tree| tree.node_usage().1 > root_moves);
        for tree in &mut self.trees {
            if fresh || !tree.advance(request, || budget.preparation_took_too_long()) {
                tree.reset(request);
            }
        }
        while self.trees.len() < count {
            self.trees.push(SearchTree::new(request, memory / count, root_moves));
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
        self.threads =
            (0..self.options.threads.get() as u64).map(|i| SearchThread::new(rng(i))).collect();
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let began = Instant::now();
        if request.status().turn().is_none() {
            return Err(PlayerError::Over);
        }
        let budget = SearchBudget::new(began, &request.budget, self.options.sims);
        self.prepare(request, &budget);
        let searches: Vec<SharedSearch<'_, G>> = self
            .trees
            .iter()
            .map(|tree| SharedSearch {
                game: request.game,
                tree,
                select: self.evaluator.selection(self.options.select),
                growth: self.options.growth,
                leaf: self.evaluator.leaf_evaluation(),
                prior: self.evaluator.prior(),
                depth: request.budget.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
                full: AtomicBool::new(false),
            })
            .collect();
        self.threads.iter_mut().for_each(SearchThread::start_decision);
        for (search, thread) in searches.iter().zip(&mut self.threads) {
            search.expand_root(thread);
        }
        let budgets: Vec<SearchBudget> =
            (0..searches.len()).map(|i| budget.part(i, searches.len())).collect();
        Ok(parallel::run(&self.options, request, &searches, &budgets, &mut self.threads))
    }
}

impl<G: Game<Outcome: SearchReward>> NamedPlayer<G> for MctsPlayer<G> {
    const NAME: &'static str = "mcts";
    const HELP: &'static str =
        "Monte-Carlo tree search: random games steer a tree that is kept between moves";
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::replaces("sims", BudgetUnit::Simulations),
        BudgetOverride::disables("sims", BudgetUnit::Time),
        BudgetOverride::disables("sims", BudgetUnit::Nodes),
    ];
    const HAZARDS: &'static [RepeatHazard] =
        &[RepeatHazard::threads_if("threads", "parallel", "tree")];
    const QUICK: Option<RecommendedSpec> = Some(RecommendedSpec::new(1, "mcts(sims=100000)"));
    const PARAMS: &'static [Param] = &[
        Param::int("sims", 10_000, 1, 1_000_000_000, "simulations a move, without a budget"),
        Param::choice("select", &["puct", "phi", "ucb1"], "formula that leads down the tree"),
        Param::real("a", 10.0, 1e-3, 1e6, "phi = (a + W)/(b + C): what a move is given beforehand")
            .only_if("select", &["phi"]),
        Param::real("b", 0.0, 0.0, 1e6, "phi: what its visits are given beforehand; 0: a")
            .only_if("select", &["phi"]),
        Param::real(
            "c",
            2.0,
            0.0,
            100.0,
            "weight of exploration in puct, with a network 0.35 of it; in ucb1 less is better",
        )
            .only_if("select", &["puct", "ucb1"]),
        Param::flag("prior", "puct: the evaluator says which moves look good beforehand")
            .only_if("select", &["puct"]),
        Param::text(
            EVAL_NAME,
            AUTO,
            "what values a leaf: auto or none (a random game), own, playouts(sims), or one by \
             name; with prior it rates moves instead, and auto is own",
        ),
        Param::choice(
            "final",
            &["proof", "visits", "value"],
            "final move: most visited unless proven bad, most visited, or best mean",
        ),
        Param::flag("fresh", "start every move with a new tree"),
        Param::real("memory", 256.0, 1e-3, 1e6, "megabytes for the tree"),
        Param::int("threads", 1, 1, 256, "number of threads"),
        Param::choice(
            "parallel",
            &["tree", "root", "leaf"],
            "how threads work together: one tree, one tree each, or one tree with parallel playouts",
        )
        .only_from("threads", 2),
        Param::int(
            "flight",
            8,
            1,
            1024,
            "maximum number of simulations that a thread interleaves in a large tree, and so of \
             states that a network evaluates together",
        ),
        Param::real(
            "growth",
            DEFAULT_GROWTH,
            0.0,
            4.0,
            "after N > 100000 simulations of a move c is multiplied by (N/100000)^growth; 0: never",
        )
        .only_if("select", &["puct", "ucb1"])
        .formerly("0"),
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let select = match args.text("select") {
            "phi" => {
                let (a, b) = (args.real("a"), args.real("b"));
                SelectionFormula::Phi { a, b: if b == 0.0 { a } else { b } }
            }
            "ucb1" => SelectionFormula::Ucb1 { c: args.real("c") },
            _ => SelectionFormula::Puct { c: args.real("c") },
        };
        let is_phi = matches!(select, SelectionFormula::Phi { .. });
        let threads = NonZero::new(args.size("threads")).expect("the range starts at 1");
        let options = MctsOptions {
            sims: args.int("sims") as u64,
            select,
            growth: if is_phi { 0.0 } else { args.real("growth") },
            final_move: match args.text("final") {
                "proof" => FinalMoveRule::Proof,
                "visits" => FinalMoveRule::Visits,
                _ => FinalMoveRule::Value,
            },
            fresh: args.flag("fresh"),
            memory: (args.real("memory") * 1e6) as usize,
            threads,
            // With one thread all modes are the same.
            parallel: match threads.get() {
                1 => ParallelMode::Tree,
                _ => ParallelMode::build(args),
            },
            max_wave: args.size("flight"),
        };
        let evaluator = EvaluatorRole::build(args, parts)?;
        Ok(MctsPlayer::with_evaluator(options, evaluator))
    }
}

impl ParallelMode {
    fn build(args: &Args) -> Self {
        match args.text("parallel") {
            "tree" => ParallelMode::Tree,
            "root" => ParallelMode::Root,
            _ => ParallelMode::Leaf,
        }
    }
}

/// The default of [`MctsOptions::growth`]; `docs/decisions.md` has the measurements.
const DEFAULT_GROWTH: f64 = 0.65;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `MctsPlayer`")]
pub type Mcts<G> = MctsPlayer<G>;
