//! The pairs of a plan as jobs, for threads of this machine and for others.

use std::sync::{Arc, Mutex, PoisonError};

use ludion::arena::executor::Work;
use ludion::arena::pair::{GameResult, Referee};
use ludion::arena::plan::Plan;
use ludion::registry::{AnyGame, Registry};
use ludion::shelf::Shelf;
use serde::{Deserialize, Serialize};

use crate::away::{self, Errand, Labour, Trade};
use crate::crew::{Order, Thing};
use crate::umpire::Umpire;
use crate::{Error, who};

/// A plan with its game: job `n` is pair `n` of the schedule.
pub struct Games<'a> {
    written: Written,
    game: Arc<dyn AnyGame>,
    umpire: Umpire,
    /// Where models and data are found that others need as well.
    home: Option<&'a Registry>,
}

/// What others need to know.
#[derive(Serialize, Deserialize)]
struct Written {
    plan: Plan,
    /// Whether the moves are kept.
    keep: bool,
}

/// How others open it.
pub const GAMES: Trade = Trade { kind: KIND, open };
const KIND: &str = "games";

impl<'a> Games<'a> {
    /// The pairs of a plan, whose names are those of the registry.
    ///
    /// # Errors
    /// When the game or a player is unknown.
    pub fn new(registry: &'a Registry, plan: &Plan, keep: bool) -> Result<Self, Error> {
        let games = Games::on(registry, registry.shelf(), Written { plan: plan.clone(), keep })?;
        Ok(Games { home: Some(registry), ..games })
    }

    /// The pairs of a plan, whose players find models and data on this shelf.
    fn on(registry: &Registry, shelf: &Shelf, written: Written) -> Result<Self, Error> {
        let game = registry.game_with(&written.plan.game, shelf)?;
        game.referee(&written.plan.players)?;
        let umpire = Umpire::new(&game, &written.plan);
        Ok(Games { written, game, umpire, home: None })
    }
}

fn open(registry: &Registry, shelf: &Shelf, spec: &[u8]) -> Result<Arc<dyn Labour>, Error> {
    Ok(away::labour(Games::on(registry, shelf, away::read(spec)?)?))
}

impl Work for Games<'_> {
    type Worker = Box<dyn Referee>;
    type Output = [GameResult; 2];

    fn worker(&self) -> Box<dyn Referee> {
        self.game.referee(&self.written.plan.players).expect("the same names made one before")
    }

    fn job(&self, referee: &mut Box<dyn Referee>, number: u64) -> [GameResult; 2] {
        let Written { plan, keep } = &self.written;
        referee.play_pair(&plan.terms, plan.schedule.pairing(number), *keep)
    }
}

impl Errand for Games<'_> {
    fn order(&self) -> Result<Order, Error> {
        let plan = &self.written.plan;
        let things = match self.home {
            None => Vec::new(),
            Some(registry) => {
                needed(registry, &plan.game, |game| game.referee(&plan.players).map(drop))?
            }
        };
        Ok(Order {
            kind: KIND.to_owned(),
            about: format!("{} {}: {}", plan.kind.name(), plan.game, who(plan)),
            jobs: plan.schedule.total(),
            done: 0,
            spec: away::write(&self.written)?,
            things,
        })
    }

    fn fits(&self, number: u64, pair: &[GameResult; 2]) -> bool {
        let Written { plan, keep } = &self.written;
        let kept = |game: &GameResult| game.record.is_some() == *keep;
        pair.iter().all(kept) && self.umpire.accepts(plan, number, pair)
    }
}

/// The models and data that players of a game look at when `seat` makes them.
///
/// # Errors
/// When one of them cannot be had.
pub fn needed(
    registry: &Registry,
    game: &str,
    seat: impl FnOnce(&dyn AnyGame) -> Result<(), ludion::registry::Error>,
) -> Result<Vec<Thing>, Error> {
    let seen: Arc<Mutex<Vec<Thing>>> = Arc::default();
    let (notes, shelf) = (Arc::clone(&seen), registry.shelf().clone());
    let noting = Shelf::new(move |name| {
        let bytes = shelf.fetch(name)?;
        let mut seen = notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.iter().any(|thing| thing.name == name) {
            seen.push(Thing { name: name.to_owned(), bytes: Arc::clone(&bytes) });
        }
        Ok(bytes)
    });
    seat(&*registry.game_with(game, &noting)?)?;
    let things = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(things)
}
