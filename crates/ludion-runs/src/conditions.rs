//! The conditions of a run in its report: openings, clocks and adjudication.

use ludion_players::arena::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use ludion_players::arena::clock::TimeControl;
use ludion_players::arena::conditions::OpeningOrder;
use ludion_players::arena::plan::GamesPlan;
use serde::Serialize;

use crate::plural;

/// The conditions of the games of a run, without the openings themselves.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct ConditionsReport {
    /// The time of each side, such as `10+0.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Seconds by which a side may overstep its clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_margin: Option<f64>,
    /// Where the openings come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningsReport>,
    /// When games are ended before their rules end them.
    #[serde(skip_serializing_if = "AdjudicationRules::is_empty")]
    pub adjudication: AdjudicationRules,
}

/// The openings of a run.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct OpeningsReport {
    /// Where they come from, such as the name of a file.
    pub source: String,
    /// In which order they are used.
    pub order: OpeningOrder,
    /// How many there are.
    pub count: usize,
}

impl ConditionsReport {
    /// Returns the conditions of a plan; `None` if it has none.
    #[must_use]
    pub fn of(plan: &GamesPlan) -> Option<Self> {
        let conditions = plan.conditions.as_deref()?;
        let margin = conditions.time_margin;
        Some(ConditionsReport {
            clock: conditions.clock,
            time_margin: (!margin.is_zero()).then_some(margin.as_secs_f64()),
            openings: conditions.openings.as_ref().map(|list| OpeningsReport {
                source: list.source.clone(),
                order: list.order,
                count: list.openings.len(),
            }),
            adjudication: conditions.adjudication,
        })
    }

    /// Returns the conditions in words, each as one phrase.
    #[must_use]
    pub fn phrases(&self) -> Vec<String> {
        let mut phrases = Vec::new();
        phrases.extend(self.clock.map(|clock| format!("clocks {clock}")));
        phrases.extend(self.openings.as_ref().map(|openings| {
            let OpeningsReport { source, order, count } = openings;
            match count {
                1 => format!("from {source}"),
                _ => {
                    format!("{} from {source}, {}", plural(*count as u64, "opening"), order.name())
                }
            }
        }));
        let AdjudicationRules { resign, draw, solver_nodes } = self.adjudication;
        phrases.extend(resign.map(|ResignRule { moves, value }| {
            format!("lost by agreement at {value} for {moves} moves")
        }));
        phrases.extend(draw.map(|DrawRule { moves, value, from }| {
            format!("drawn by agreement at {value} for {moves} moves from ply {from}")
        }));
        phrases
            .extend(solver_nodes.map(|nodes| format!("ended by the solver within {nodes} states")));
        phrases
    }
}
