//! Iterative deepening (French: *IterativeDeepening*): searches depth after depth until its
//! time, its depth or its nodes are spent, and always has an answer. See
//! [`crate::search::pvs`] for the search, [`crate::search::deepen`] for the deepening.
//!
//! Several threads search the same position and share what they find through the table
//! alone (*lazy SMP*); every second one is a ply ahead, so that they do not all do the same.
//! The first thread decides. One thread is deterministic for every budget but time.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::evaluator::{Blind, Evaluator};
use crate::game::{Game, Side, Status};
use crate::listing::{EVAL, Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Kind, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn};
use crate::players::memory::{Memory, Order};
use crate::players::sheet::Sheet;
use crate::search::deepen::{Clock, Deepen};
use crate::search::fixed::Sight;
use crate::search::pvs::Pvs;
use crate::search::table::Table;

/// Looks ever farther ahead.
pub struct Deepening<G: Game> {
    sight: Sight<G>,
    time: Option<Duration>,
    threads: usize,
    megabytes: usize,
    advanced: bool,
    all: bool,
    /// Made at the first move.
    table: Option<Table>,
    sheet: Option<Sheet<G>>,
}

/// What one decision may spend.
#[derive(Clone, Copy)]
struct Limits {
    depth: u32,
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl<G: Game<Outcome = Duel>> Deepening<G> {
    /// The budget goes before the player's own parameters. The player's own time is left out
    /// when the budget limits depth or nodes, which would not repeat on the clock.
    fn limits(&self, turn: &Turn<'_, G>) -> Limits {
        let budget = &turn.budget;
        let own = self.time.filter(|_| budget.depth.is_none() && budget.nodes.is_none());
        Limits {
            depth: self.sight.depth_for(turn).min(crate::search::pvs::DEEPEST),
            time: budget.time.or(own),
            nodes: budget.nodes,
        }
    }

    fn search<E: Evaluator<G> + ?Sized>(
        &self,
        turn: &Turn<'_, G>,
        side: Side,
        table: &Table,
        judge: &E,
    ) -> Choice<G::Move> {
        let limits = self.limits(turn);
        let nodes = limits.nodes.map(|nodes| nodes.div_ceil(self.threads as u64).max(1));
        let stop = AtomicBool::new(false);
        let deepen = |watch| {
            let clock = Clock::new(&stop, limits.time, nodes, watch);
            let pvs = Pvs::new(turn.game, judge, table, clock);
            Deepen::new(pvs, turn.game, turn.state, side, self.all)
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads)
                .map(|i| {
                    let mut helper = deepen(None);
                    scope.spawn(move || {
                        helper.run(1 + i as u32 % 2, limits.depth);
                        helper.pvs.nodes
                    })
                })
                .collect();
            let mut main = deepen(Some(turn.watch));
            let remembered = if self.advanced { main.recall() } else { 0 };
            main.run(remembered + 1, limits.depth);
            stop.store(true, Relaxed);
            let mut choice = main.choice();
            let counts = helpers.into_iter().map(|h| h.join().expect("a search does not panic"));
            choice.nodes += counts.sum::<u64>();
            choice
        })
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for Deepening<G> {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.forget();
        }
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let Status::Turn(side) = turn.game.status(turn.state) else {
            return Err(Refusal::Over);
        };
        let limits = self.limits(turn);
        if let Some(sheet) = &mut self.sheet {
            let (time, advanced) = (limits.time.unwrap_or(Duration::MAX), self.advanced);
            return match &self.sight.judge {
                None => sheet.deepen(turn, limits.depth, time, advanced, &Blind),
                Some(e) => sheet.deepen(turn, limits.depth, time, advanced, &**e),
            };
        }
        let table = self.table.take().unwrap_or_else(|| Table::new(self.megabytes));
        table.next_search();
        let choice = match &self.sight.judge {
            None => self.search(turn, side, &table, &Blind),
            Some(e) => self.search(turn, side, &table, &**e),
        };
        self.table = Some(table);
        Ok(choice)
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for Deepening<G> {
    const NAME: &'static str = "deepening";
    const HELP: &'static str =
        "searches ever deeper until its time is up, on one thread or several (IterativeDeepening)";
    const PARAMS: &'static [Param] = &[
        Param::int("depth", 100, 1, 1000, "plies looked ahead at most"),
        Param::real("secs", 1.0, 0.0, 86_400.0, "seconds a move; 0: no limit"),
        Param { kind: Kind::Text { default: "own" }, ..EVAL },
        Param::int("threads", 1, 1, 256, "threads that search together"),
        Param::int("mb", 64, 1, 65_536, "size of the memory in megabytes"),
        Param::choice(
            "start",
            &["basic", "advanced"],
            "first depth: 1 (basic), or one beyond what is remembered (advanced)",
        ),
        Param::choice("lines", &["best", "all"], "moves whose exact worth is found: the best, all"),
        Memory::<G>::SHEET,
    ];

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        let seconds = args.real("secs");
        Ok(Deepening {
            sight: Sight::build(args, kit)?,
            time: (seconds > 0.0).then(|| Duration::from_secs_f64(seconds)),
            threads: args.size("threads"),
            megabytes: args.size("mb"),
            advanced: args.text("start") == "advanced",
            all: args.text("lines") == "all",
            table: None,
            sheet: args.flag("sheet").then(|| Sheet::new(Order::Standard)),
        })
    }
}
