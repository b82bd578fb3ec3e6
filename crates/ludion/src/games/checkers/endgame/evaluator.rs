//! Judges by the table where it knows, and asks somebody else where it does not.
//!
//! What the table says is certain, but nobody saw the game to its end; so it is given as the
//! most that an opinion can be, which a search prefers to every other and never calls proven.

use std::sync::Arc;

use super::super::{Checkers, CheckersState, rules};
use super::EndgameTable;
use crate::evaluator::{Evaluator, WIN};
use crate::named::{EVAL_NAME, EvaluatorFactory};
use crate::param::Param;

/// Certain by the table.
const KNOWN: i32 = WIN - 1;

/// A table of endgames, and who judges all other positions; nobody says 0.
pub struct EndgameEvaluator {
    /// The table.
    pub table: EndgameTable,
    /// Who judges where it ends.
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
}

impl EndgameEvaluator {
    /// Returns the factory that builds it by name: `endgames(table, eval)`.
    #[must_use]
    pub fn factory() -> EvaluatorFactory<Checkers> {
        EvaluatorFactory::new(
            "endgames",
            "a table of solved endgames, and where it ends another evaluator",
            PARAMS,
            |args, parts| {
                let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
                if *game.game != Checkers::new(rules::SEED, 8) {
                    let spec = &game.spec;
                    let sentence =
                        format!("tables are for checkers by the simple rules, not {spec}");
                    return Err(args.together(sentence));
                }
                let name = args.text("table");
                if name.is_empty() {
                    return Err(args.together("which table? `ludion checkers endgames` makes one"));
                }
                let bytes = parts.assets.fetch(name).map_err(|error| args.together(error))?;
                let table = EndgameTable::read(bytes)
                    .map_err(|error| args.together(format!("{name}: {error}")))?;
                Ok(Arc::new(EndgameEvaluator { table, other: parts.evaluator(args)? }))
            },
        )
    }
}

const PARAMS: &[Param] = &[
    Param::text("table", "", "the file that `ludion checkers endgames` wrote"),
    Param::text(EVAL_NAME, "own", "who judges positions with more men"),
];
