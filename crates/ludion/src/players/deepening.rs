//! Iterative deepening (French: *IterativeDeepening*): searches depth after depth until its
//! time, its depth or its nodes are spent, and always has an answer. See
//! [`crate::search::pvs`] for the search, [`crate::search::iterative_deepening`] for the deepening.

use std::time::Duration;

use crate::evaluator::ZeroEvaluator;
use crate::game::{Game, Status};
use crate::named::{NamedPlayer, PlayerParts, QuickSpec, eval_param};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::players::memory::{MemoryPlayer, MoveOrder};
use crate::players::sheet_memo::SheetMemo;
use crate::search::fixed_depth::SearchHorizon;
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::transposition_table::TranspositionTable;

/// Looks ever farther ahead.
pub struct DeepeningPlayer<G: Game> {
    sight: SearchHorizon<G>,
    time: Option<Duration>,
    threads: usize,
    megabytes: usize,
    advanced: bool,
    all: bool,
    /// Made at the first move.
    table: Option<TranspositionTable>,
    sheet: Option<SheetMemo<G>>,
}

impl<G: Game<Outcome = Duel>> DeepeningPlayer<G> {
    /// The budget goes before the player's own parameters. The player's own time is left out
    /// when the budget limits depth or nodes, which would not repeat on the clock.
    fn plan(&self, turn: &MoveRequest<'_, G>) -> DeepeningLimits {
        let budget = &turn.budget;
        let own = self.time.filter(|_| budget.depth.is_none() && budget.nodes.is_none());
        DeepeningLimits {
            depth: self.sight.depth_for(turn),
            time: budget.time.or(own),
            nodes: budget.nodes,
            threads: self.threads,
            advanced: self.advanced,
            all: self.all,
        }
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for DeepeningPlayer<G> {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.forget();
        }
    }

    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let Status::Turn(side) = turn.game.status(turn.state) else {
            return Err(PlayerError::Over);
        };
        let plan = self.plan(turn);
        if let Some(sheet) = &mut self.sheet {
            let (time, advanced) = (plan.time.unwrap_or(Duration::MAX), self.advanced);
            return match &self.sight.judge {
                None => sheet.deepen(turn, plan.depth, time, advanced, &ZeroEvaluator),
                Some(e) => sheet.deepen(turn, plan.depth, time, advanced, &**e),
            };
        }
        let table = self.table.get_or_insert_with(|| TranspositionTable::growing(self.megabytes));
        table.next_search();
        let (choice, _) = match &self.sight.judge {
            None => deepen(turn, side, table, &ZeroEvaluator, plan),
            Some(e) => deepen(turn, side, table, &**e, plan),
        };
        Ok(choice)
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for DeepeningPlayer<G> {
    const NAME: &'static str = "deepening";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str =
        "searches ever deeper until its time is up, on one thread or several (IterativeDeepening)";
    const QUICK: Option<QuickSpec> = Some(QuickSpec::new(2, "deepening(secs=0.5)"));
    const PARAMS: &'static [Param] = &[
        Param::int("depth", 100, 1, 1000, "plies looked ahead at most"),
        Param::real("secs", 1.0, 0.0, 86_400.0, "seconds a move; 0: no limit"),
        eval_param("own"),
        Param::int("threads", 1, 1, 256, "threads that search together"),
        Param::int("mb", 64, 1, 65_536, "size of the memory in megabytes"),
        Param::choice(
            "start",
            &["basic", "advanced"],
            "first depth: 1 (basic), or one beyond what is remembered (advanced)",
        ),
        Param::choice("lines", &["best", "all"], "moves whose exact worth is found: the best, all"),
        MemoryPlayer::<G>::SHEET,
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let seconds = args.real("secs");
        Ok(DeepeningPlayer {
            sight: SearchHorizon::build(args, parts)?,
            time: (seconds > 0.0).then(|| Duration::from_secs_f64(seconds)),
            threads: args.size("threads"),
            megabytes: args.size("mb"),
            advanced: args.text("start") == "advanced",
            all: args.text("lines") == "all",
            table: None,
            sheet: args.flag("sheet").then(|| SheetMemo::new(MoveOrder::Standard)),
        })
    }
}
