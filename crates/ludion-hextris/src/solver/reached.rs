//! All placements that one unit can reach on a board, as the breadth-first search of
//! [`baseline`](super::baseline) finds them: each with the step that reached it first, so that the
//! steps followed backwards lead to the spawn.

use serde::Serialize;

use super::super::board::HexBoard;
use super::super::commands::{Command, DecodedChar};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};
use super::baseline::{BaselineWeights, best_placement, last_lock_byte};
use super::unit_paths::{LastStep, PhraseCommands, UnitPathTree, phrase_commands};

/// The step that reached a placement first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReachedBy {
    /// The unit appears here.
    Spawn,
    /// One command.
    Command(Command),
    /// The whole phrase with this index in [`Phrases::list`].
    Phrase(usize),
}

/// A placement that the unit can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ReachedPlacement {
    /// The placement.
    #[serde(flatten)]
    pub at: Placement,
    /// The step that reached it first.
    pub by: ReachedBy,
    /// Index of the placement before that step; the spawn has its own.
    pub from: usize,
    /// Whether the unit can lock here: some command is blocked.
    pub can_lock: bool,
}

impl ReachedPlacement {
    /// Returns the index of the phrase that reached the placement, if it was a phrase.
    #[must_use]
    pub fn phrase(&self) -> Option<usize> {
        match self.by {
            ReachedBy::Phrase(number) => Some(number),
            ReachedBy::Spawn | ReachedBy::Command(_) => None,
        }
    }
}

/// All placements that a unit can reach, in the order in which the search found them, and the one
/// that the baseline chooses.
#[derive(Clone, Debug)]
pub struct ReachedPlacements<'a> {
    unit: &'a Unit,
    phrases: Vec<PhraseCommands>,
    all: Vec<ReachedPlacement>,
    chosen: Option<usize>,
}

impl<'a> ReachedPlacements<'a> {
    /// Searches the placements that `unit`, one of the units of `problem`, can reach on `board`; there
    /// are none if the unit does not fit at its spawn.
    #[must_use]
    pub fn new(problem: &Problem, board: &HexBoard, unit: &'a Unit, phrases: &Phrases) -> Self {
        let phrase_list = phrase_commands(phrases);
        let mut tree = UnitPathTree::new(problem);
        tree.grow(unit, board, &phrase_list, |_| false);
        let mut index = vec![0; unit.slots()];
        for (number, &at) in tree.reached().iter().enumerate() {
            index[unit.slot(at)] = number;
        }
        let entry = |&at: &Placement| {
            let (before, by) = match tree.last_step(unit, at) {
                None => (at, ReachedBy::Spawn),
                Some((before, LastStep::Command(byte))) => (before, by_command(byte)),
                Some((before, LastStep::Phrase(phrase))) => {
                    (before, ReachedBy::Phrase(phrase_list[phrase].number))
                }
            };
            let can_lock = last_lock_byte(unit, board, at).is_some();
            ReachedPlacement { at, by, from: index[unit.slot(before)], can_lock }
        };
        let best = best_placement(problem, board, &BaselineWeights::default(), unit, &tree);
        ReachedPlacements {
            unit,
            all: tree.reached().iter().map(entry).collect(),
            chosen: best.map(|at| index[unit.slot(at)]),
            phrases: phrase_list,
        }
    }

    /// Returns the unit.
    #[must_use]
    pub fn unit(&self) -> &'a Unit {
        self.unit
    }

    /// Returns the placements, the spawn first.
    #[must_use]
    pub fn all(&self) -> &[ReachedPlacement] {
        &self.all
    }

    /// Returns the index of the placement at which the baseline locks the unit.
    #[must_use]
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Returns the index of a placement; `None` if the unit cannot reach it.
    #[must_use]
    pub fn find(&self, at: Placement) -> Option<usize> {
        self.all.iter().position(|reached| reached.at == at)
    }

    /// Returns the indices of the placements on the path to the placement with index `to`, from the
    /// spawn on. Placements in the middle of a phrase are not among them.
    #[must_use]
    pub fn path(&self, to: usize) -> Vec<usize> {
        let mut path = vec![to];
        while let Some(&last) = path.last()
            && self.all[last].by != ReachedBy::Spawn
        {
            path.push(self.all[last].from);
        }
        path.reverse();
        path
    }

    /// Returns the steps of the path to the placement with index `to`: the characters of each, and the
    /// placements that they lead through.
    #[must_use]
    pub fn steps(&self, to: usize) -> Vec<PathStep> {
        let step = |&index: &usize| {
            let ReachedPlacement { by, from, .. } = self.all[index];
            let (text, commands) = match by {
                ReachedBy::Spawn => (String::new(), Vec::new()),
                ReachedBy::Command(command) => {
                    (command.characters()[..1].to_owned(), vec![command])
                }
                ReachedBy::Phrase(number) => {
                    let found = self.phrases.iter().find(|phrase| phrase.number == number);
                    let phrase = found.expect("a step by a phrase of the search");
                    let text = phrase.bytes.iter().map(|&byte| char::from(byte)).collect();
                    (text, phrase.commands.clone())
                }
            };
            let mut at = self.all[from].at;
            let mut through = Vec::new();
            for command in commands {
                at = self.unit.step(at, command);
                through.push(at);
            }
            PathStep { by, text, through }
        };
        self.path(to).iter().skip(1).map(step).collect()
    }
}

/// A step of a path: a command or a whole phrase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PathStep {
    /// Whether it is a command or a phrase.
    pub by: ReachedBy,
    /// Its characters.
    pub text: String,
    /// The placement after each of its characters.
    pub through: Vec<Placement>,
}

fn by_command(byte: u8) -> ReachedBy {
    match DecodedChar::from_byte(byte) {
        DecodedChar::Command(command) => ReachedBy::Command(command),
        DecodedChar::Ignored | DecodedChar::Unknown => unreachable!("steps are commands"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::super::game::HextrisSimulation;
    use super::super::super::problems;
    use super::*;

    /// Returns the placements that plain moves reach, each found by trying every command.
    fn flood(board: &HexBoard, unit: &Unit) -> HashSet<Placement> {
        let mut seen = HashSet::from([unit.spawn()]);
        let mut open = vec![unit.spawn()];
        while let Some(at) = open.pop() {
            for command in Command::ALL {
                let to = unit.step(at, command);
                if unit.fits(board, to) && seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    }

    #[test]
    fn all_placements_are_reached_and_every_path_is_legal() {
        for (name, phrases) in [("rubble", Phrases::known()), ("well", Phrases::none())] {
            let problem = problems::find(name).unwrap().problem();
            let seed = problem.seeds()[0];
            let unit = &problem.units()[problem.source(seed).next().unwrap()];
            let reached = ReachedPlacements::new(&problem, problem.board(), unit, &phrases);
            let found: HashSet<Placement> = reached.all().iter().map(|one| one.at).collect();
            // A phrase may not end where its path has been, so with phrases a few may be missing.
            let all = flood(problem.board(), unit);
            assert!(found.is_subset(&all) && found.len() * 10 >= all.len() * 9, "{name}");
            for (index, one) in reached.all().iter().enumerate() {
                let mut game = HextrisSimulation::new(&problem, seed);
                for step in reached.steps(index) {
                    for byte in step.text.bytes() {
                        let ReachedBy::Command(command) = by_command(byte) else { panic!() };
                        game.command(command).expect("a legal command");
                    }
                }
                assert_eq!((game.locked(), game.unit().unwrap().1), (0, one.at), "{name} {index}");
            }
            let chosen = reached.chosen().expect("a placement to lock");
            assert!(reached.all()[chosen].can_lock);
            assert_eq!(reached.find(reached.all()[chosen].at), Some(chosen));
        }
    }

    #[test]
    fn a_unit_that_does_not_fit_reaches_nothing() {
        let problem = problems::find("dot").unwrap().problem();
        let (mut board, unit) = (problem.board().clone(), &problem.units()[0]);
        (0..problem.width()).for_each(|x| board.put(x, 0));
        let reached = ReachedPlacements::new(&problem, &board, unit, &Phrases::none());
        assert_eq!((reached.all().len(), reached.chosen()), (0, None));
    }
}
