//! An evaluator that looks positions up in an endgame table, and uses another evaluator for
//! positions with more men.
//!
//! A result from the table is certain, but the length of the game is unknown. A win therefore has
//! the highest value that an estimate can have, which a search prefers to every other estimate but
//! does not report as a proof.

use std::sync::Arc;

use super::super::king_endgame::{KingTable, KingTableEvaluator};
use super::super::{Checkers, CheckersState, rules};
use super::EndgameTable;
use ludion_core::evaluator::{Evaluator, WIN, ZeroEvaluator};
use ludion_core::named::{EVAL_NAME, EvaluatorFactory};
use ludion_core::param::Param;

/// The value of a position that is won according to the table.
const KNOWN: i32 = WIN - 1;

/// Evaluates positions by an endgame table, and those that it does not cover by another evaluator.
pub struct EndgameEvaluator {
    /// The endgame table.
    pub table: EndgameTable,
    /// The evaluator of positions that the table does not cover; without it their value is 0.
    pub other: Option<Arc<dyn Evaluator<Checkers>>>,
}

impl Evaluator<Checkers> for EndgameEvaluator {
    #[inline]
    fn value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        match (self.table.wins(s), &self.other) {
            (Some(true), _) => KNOWN,
            (Some(false), _) => -KNOWN,
            (None, Some(other)) => other.value(g, s).clamp(1 - KNOWN, KNOWN - 1),
            (None, None) => 0,
        }
    }

    fn is_noisy(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.as_ref().is_some_and(|other| other.is_noisy(g, s))
    }

    fn is_threatened(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.as_ref().is_some_and(|other| other.is_threatened(g, s))
    }

    fn unit(&self) -> i32 {
        self.other.as_ref().map_or(KNOWN / 10, |other| other.unit())
    }

    fn expected_result(&self, g: &Checkers, s: &CheckersState) -> f64 {
        match (self.table.wins(s), &self.other) {
            (Some(won), _) => {
                if won {
                    1.0
                } else {
                    -1.0
                }
            }
            (None, Some(other)) => other.expected_result(g, s),
            (None, None) => 0.0,
        }
    }
}

impl EndgameEvaluator {
    /// Returns the factory that builds this evaluator, or that of rules with kings, from a spec:
    /// `endgames(table, eval)`.
    #[must_use]
    pub fn factory() -> EvaluatorFactory<Checkers> {
        EvaluatorFactory::new(
            "endgames",
            "a table of solved endgames, and where it ends another evaluator",
            PARAMS,
            |args, parts| {
                let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
                let (g, name) = (&*game.game, args.text("table"));
                if name.is_empty() {
                    return Err(
                        args.together("no table is given; `ludion checkers endgames` builds one")
                    );
                }
                let refuse = |error: String| {
                    let wanted = "a file that `ludion checkers endgames` wrote";
                    args.refuse("table", name, format!("{wanted}: {error}"))
                };
                let bytes = parts.assets.fetch(name).map_err(refuse)?;
                let other = parts.evaluator(args)?;
                if *g == Checkers::new(rules::SIMPLE, 8) {
                    let table =
                        EndgameTable::read(bytes).map_err(|error| refuse(error.to_string()))?;
                    return Ok(Arc::new(EndgameEvaluator { table, other }));
                }
                let table = KingTable::read(g, bytes).map_err(|error| refuse(error.to_string()))?;
                let other = other.unwrap_or_else(|| Arc::new(ZeroEvaluator));
                Ok(Arc::new(KingTableEvaluator { table, other }))
            },
        )
    }
}

const PARAMS: &[Param] = &[
    Param::text("table", "", "the file that `ludion checkers endgames` wrote"),
    Param::text(EVAL_NAME, "own", "the evaluator of positions with more pieces"),
];
