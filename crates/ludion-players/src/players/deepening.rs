//! The iterative-deepening player (French: *IterativeDeepening*): searches depth 1, 2, 3, … until
//! its time, depth or nodes are spent. The search is in [`crate::search::pvs`], the deepening in
//! [`crate::search::iterative_deepening`].

use std::time::Duration;

use crate::effective::{BudgetOverride, RepeatHazard};
use crate::game::{Game, Status};
use crate::named::{NamedPlayer, PlayerParts, RecommendedSpec, eval_param};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::players::memory::{MoveOrder, TranspositionPlayer};
use crate::players::naive_memory::FlawedTable;
use crate::search::fixed_depth::FixedDepthOptions;
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::transposition_table::TranspositionTable;

/// Chooses moves by iterative deepening.
pub struct DeepeningPlayer<G: Game> {
    options: FixedDepthOptions<G>,
    time: Option<Duration>,
    threads: usize,
    megabytes: usize,
    advanced: bool,
    lines: SearchedLines,
    selective: bool,
    /// The transposition table; `None` before the first move, at which it is allocated.
    table: Option<TranspositionTable>,
    /// The incorrect table of [`super::naive_memory`], which replaces `table` if the parameter
    /// `sheet` is set.
    naive: Option<FlawedTable<G>>,
}

/// The root moves whose exact value is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchedLines {
    /// All if the observer asks for it ([`Observer::wants_all_values`](crate::player::Observer)),
    /// otherwise the best.
    Auto,
    /// The best; the others are only known to be no better, which is fastest.
    Best,
    /// All moves.
    All,
}

impl<G: Game<Outcome = Duel>> DeepeningPlayer<G> {
    /// Returns the limits for one request. The budget of the request overrides the player's
    /// parameters. The player's own time limit is ignored if the budget limits depth or nodes,
    /// because such searches must be reproducible.
    fn limits(&self, request: &MoveRequest<'_, G>) -> DeepeningLimits {
        let budget = &request.budget;
        let own = self.time.filter(|_| budget.depth.is_none() && budget.nodes.is_none());
        DeepeningLimits {
            depth: self.options.depth_for(request),
            time: budget.time.or(own),
            nodes: budget.nodes,
            threads: self.threads,
            advanced: self.advanced,
            all: match self.lines {
                SearchedLines::Auto => request.observer.wants_all_values(),
                SearchedLines::Best => false,
                SearchedLines::All => true,
            },
            selective: self.selective,
        }
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for DeepeningPlayer<G> {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(naive) = &mut self.naive {
            naive.clear();
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let Status::Turn(side) = request.status() else {
            return Err(PlayerError::Over);
        };
        let limits = self.limits(request);
        let evaluator = self.options.evaluator.as_deref();
        if let Some(naive) = &mut self.naive {
            let (time, advanced) = (limits.time.unwrap_or(Duration::MAX), self.advanced);
            return naive.deepen(request, limits.depth, time, advanced, evaluator);
        }
        let table = self.table.get_or_insert_with(|| TranspositionTable::growing(self.megabytes));
        table.next_search();
        Ok(deepen(request, side, table, evaluator, limits).0)
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for DeepeningPlayer<G> {
    const NAME: &'static str = "deepening";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const OVERRIDES: &'static [BudgetOverride] = &[
        BudgetOverride::replaces("depth", BudgetUnit::Depth),
        BudgetOverride::disables("secs", BudgetUnit::Time),
        BudgetOverride::disables("secs", BudgetUnit::Nodes),
        BudgetOverride::disables("secs", BudgetUnit::Depth),
    ];
    const HAZARDS: &'static [RepeatHazard] =
        &[RepeatHazard::clock("secs"), RepeatHazard::threads("threads")];
    const HELP: &'static str =
        "searches ever deeper until its time is up, on one thread or several (IterativeDeepening)";
    const QUICK: Option<RecommendedSpec> = Some(RecommendedSpec::new(2, "deepening(secs=0.5)"));
    const PARAMS: &'static [Param] = &[
        Param::int("depth", 100, 1, 1000, "plies looked ahead at most"),
        Param::real("secs", 1.0, 0.0, 86_400.0, "seconds a move; 0: no limit"),
        eval_param("own"),
        Param::int("threads", 1, 1, 256, "threads that search together").only_if("sheet", &["no"]),
        Param::int("mb", 64, 1, 65_536, "size of the memory in megabytes")
            .only_if("sheet", &["no"]),
        Param::choice(
            "start",
            &["basic", "advanced"],
            "first depth: 1 (basic), or one beyond the depth stored in the table (advanced)",
        ),
        Param::choice(
            "lines",
            &["auto", "best", "all"],
            "root moves whose exact value is computed: the best, all, or (auto) all in an analysis \
             and the best in a game",
        )
        .only_if("sheet", &["no"])
        .formerly("best"),
        Param::choice(
            "search",
            &["usual", "exact", "selective"],
            "whether moves that look bad are searched less deep (selective), which proves nothing; \
             usual: selective in draughts with kings",
        )
        .only_if("sheet", &["no"])
        .formerly("exact"),
        TranspositionPlayer::<G>::SHEET,
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let seconds = args.real("secs");
        let is_naive = args.flag("sheet");
        let of_sound_table = |name| if is_naive { 1 } else { args.size(name) };
        Ok(DeepeningPlayer {
            options: FixedDepthOptions::build(args, parts)?,
            time: (seconds > 0.0).then(|| Duration::from_secs_f64(seconds)),
            threads: of_sound_table("threads"),
            megabytes: of_sound_table("mb"),
            advanced: args.text("start") == "advanced",
            lines: if is_naive { SearchedLines::Best } else { SearchedLines::build(args) },
            selective: !is_naive && is_selective(args, parts),
            table: None,
            naive: is_naive.then(|| FlawedTable::new(MoveOrder::Standard)),
        })
    }
}

impl SearchedLines {
    fn build(args: &Args) -> Self {
        match args.text("lines") {
            "best" => SearchedLines::Best,
            "all" => SearchedLines::All,
            _ => SearchedLines::Auto,
        }
    }
}

/// Reads whether the search is selective.
fn is_selective<G: Game>(args: &Args, parts: &PlayerParts<G>) -> bool {
    match args.text("search") {
        "exact" => false,
        "selective" => true,
        _ => parts.game.as_ref().is_some_and(|game| game.game.suits_selective_search()),
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `DeepeningPlayer`")]
pub type Deepening<G> = DeepeningPlayer<G>;
