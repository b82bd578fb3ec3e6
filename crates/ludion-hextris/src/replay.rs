//! Replays a solution character by character, with the effect of each character and the scores so
//! far. The replay ends with the solution or with the first error, after which the whole solution
//! scores 0.

use serde::Serialize;

use super::commands::{Command, DecodedChar};
use super::game::{CommandEffect, HextrisSimulation, LockedUnit};
use super::phrases::{NEW_PHRASE_BONUS, PhraseNode, Phrases};
use super::problem::Problem;
use super::referee::{SolutionFault, SolutionStatus, execute, find_fault};
use super::unit::Placement;

/// Effect of one character of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum ReplayEvent {
    /// The character is no command and is skipped.
    Ignored,
    /// The unit moved or rotated.
    Moved {
        /// The command that moved the unit.
        command: Command,
        /// Placement of the unit after the command.
        to: Placement,
    },
    /// The unit locked.
    Locked {
        /// The command that locked the unit.
        command: Command,
        /// Placement, cleared rows and points of the locked unit.
        lock: LockedUnit,
    },
    /// The character is an error; the replay ends.
    Error {
        /// Kind of the error.
        status: SolutionStatus,
        /// Position of the error in the solution, and the repeated placement if that is the error.
        trouble: SolutionFault,
    },
}

/// One character of a solution with its effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplayFrame {
    /// Byte position of the character, from 0.
    pub at: usize,
    /// The character of the solution.
    pub character: char,
    /// Effect of the character.
    #[serde(flatten)]
    pub event: ReplayEvent,
    /// Points of all locks up to and including this character.
    pub move_score: u64,
    /// Points of all phrases up to and including this character.
    pub power_score: u64,
    /// Phrases that the character completes, as indices into [`Phrases::list`].
    pub spelled: Vec<u16>,
    /// Length of the longest start of a phrase with which the solution up to this character ends.
    pub spelling: usize,
}

/// Iterator over the characters of a solution, which executes each and returns its effect.
#[derive(Clone, Debug)]
pub struct SolutionReplay<'a> {
    game: HextrisSimulation<'a>,
    phrases: &'a Phrases,
    solution: &'a str,
    at: usize,
    node: PhraseNode,
    counts: Vec<u64>,
    power: u64,
    failed: bool,
}

impl<'a> SolutionReplay<'a> {
    /// Starts the replay of `solution` for the game of `problem` with `seed`.
    #[must_use]
    pub fn new(problem: &'a Problem, phrases: &'a Phrases, seed: u32, solution: &'a str) -> Self {
        let (game, counts) = (HextrisSimulation::new(problem, seed), vec![0; phrases.list().len()]);
        SolutionReplay { game, phrases, solution, at: 0, node: 0, counts, power: 0, failed: false }
    }

    /// Returns the game as it is after the last character returned.
    #[must_use]
    pub fn game(&self) -> &HextrisSimulation<'a> {
        &self.game
    }

    /// Returns the number of occurrences of each phrase so far, in the order of [`Phrases::list`].
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Advances the phrase automaton by a byte, adds the points of the phrases that the byte
    /// completes, and returns these phrases.
    fn spell(&mut self, byte: u8) -> Vec<u16> {
        self.node = self.phrases.next(self.node, byte);
        let hits = self.phrases.hits(self.node);
        for &hit in hits {
            let count = &mut self.counts[usize::from(hit)];
            self.power += if *count == 0 { NEW_PHRASE_BONUS } else { 0 };
            *count += 1;
        }
        self.power += u64::from(self.phrases.gain(self.node));
        hits.to_vec()
    }

    fn event(&mut self, byte: u8) -> ReplayEvent {
        let done = execute(&mut self.game, byte);
        match (done, DecodedChar::from_byte(byte)) {
            (Ok(Some(CommandEffect::Moved)), DecodedChar::Command(command)) => {
                let (_, to) = self.game.unit().expect("a unit that moved is there");
                ReplayEvent::Moved { command, to }
            }
            (Ok(Some(CommandEffect::Locked(lock))), DecodedChar::Command(command)) => {
                ReplayEvent::Locked { command, lock }
            }
            (Ok(_), _) => ReplayEvent::Ignored,
            (Err((status, repeats)), _) => {
                self.failed = true;
                let trouble = find_fault(self.solution, self.at, &self.game, repeats);
                ReplayEvent::Error { status, trouble }
            }
        }
    }
}

impl Iterator for SolutionReplay<'_> {
    type Item = ReplayFrame;

    fn next(&mut self) -> Option<ReplayFrame> {
        let character = self.solution[self.at..].chars().next().filter(|_| !self.failed)?;
        // The first byte of a character beyond ASCII is already an error.
        let byte = self.solution.as_bytes()[self.at];
        let event = self.event(byte);
        let spelled = if self.failed { Vec::new() } else { self.spell(byte) };
        let frame = ReplayFrame {
            at: self.at,
            character,
            event,
            move_score: self.game.points(),
            power_score: self.power,
            spelled,
            spelling: self.phrases.depth(self.node),
        };
        self.at += character.len_utf8();
        Some(frame)
    }
}
