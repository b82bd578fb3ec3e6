//! What came of a run of games, whatever it was played for.

use ludion::arena::plan::{Kind, Plan};
use ludion::registry::Registry;
use ludion_store::{Run, Store};
use serde::Serialize;

use crate::{Error, Picture, Played, championship, matches, tournament, tuning};

/// The figures of a run.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// Of two players.
    Match(Box<matches::Answer>),
    /// Of many players.
    Tournament(Box<tournament::Answer>),
    /// Of many values of a parameter.
    Championship(Box<championship::Answer>),
    /// Of a search for the best parameters.
    Tuning(Box<tuning::Answer>),
}

impl Figures {
    /// What came of pairs that were played by a plan.
    ///
    /// # Errors
    /// When the plan is none that pairs are played by.
    pub fn of(plan: &Plan, played: &Played) -> Result<Self, Error> {
        Ok(match plan.kind {
            Kind::Match => Figures::Match(Box::new(matches::Answer::of(plan, played))),
            Kind::Championship => {
                Figures::Championship(Box::new(championship::Answer::of(plan, played)?))
            }
            Kind::Tournament | Kind::Tuning => {
                Figures::Tournament(Box::new(tournament::Answer::of(plan, played)))
            }
        })
    }

    /// What the store knows of a run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(registry: &Registry, store: &Store, run: &Run) -> Result<Self, Error> {
        if run.plan.kind == Kind::Tuning {
            return Ok(Figures::Tuning(Box::new(tuning::stored(registry, store, run)?)));
        }
        Figures::of(&run.plan, &Played::stored(store, run)?)
    }

    /// What is drawn of them.
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        match self {
            Figures::Match(_) | Figures::Tournament(_) => None,
            Figures::Championship(answer) => Some(answer.picture.clone()),
            Figures::Tuning(answer) => Some(answer.picture()),
        }
    }
}
