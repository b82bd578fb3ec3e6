//! A solution character by character: what each did, and the scores so far. It ends with the
//! solution or with the first error, after which the score of the whole is 0.

use serde::Serialize;

use super::commands::{Command, CommandKey};
use super::game::{CommandEffect, HextrisGame, LockedUnit};
use super::phrases::{NEW_PHRASE, PhraseNode, Phrases};
use super::problem::Problem;
use super::referee::{SolutionFault, SolutionStatus, execute, trouble};
use super::unit::Placement;

/// What a character did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum ReplayEvent {
    /// It stands for no command.
    Ignored,
    /// The unit moved.
    Moved {
        /// By which command.
        command: Command,
        /// To where.
        to: Placement,
    },
    /// The unit locked.
    Locked {
        /// By which command.
        command: Command,
        /// Where, and what it earned.
        lock: LockedUnit,
    },
    /// It is an error, and the last character that was read.
    Error {
        /// Which error.
        status: SolutionStatus,
        /// Where, and what it repeats.
        trouble: SolutionFault,
    },
}

/// A character of a solution and where it leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplayFrame {
    /// Its place, from 0.
    pub at: usize,
    /// The character.
    pub character: char,
    /// What it did.
    #[serde(flatten)]
    pub event: ReplayEvent,
    /// The move score after it.
    pub move_score: u64,
    /// The power score after it.
    pub power_score: u64,
    /// The phrases that it completes, as places in their list.
    pub spelled: Vec<u16>,
    /// How many characters up to it are the beginning of a phrase, of the longest one.
    pub spelling: usize,
}

/// The frames of a solution, one after the other.
#[derive(Clone, Debug)]
pub struct SolutionReplay<'a> {
    run: HextrisGame<'a>,
    phrases: &'a Phrases,
    solution: &'a str,
    at: usize,
    node: PhraseNode,
    counts: Vec<u64>,
    power: u64,
    failed: bool,
}

impl<'a> SolutionReplay<'a> {
    /// The game of `problem` with `seed`, none of `solution` read yet.
    #[must_use]
    pub fn new(problem: &'a Problem, phrases: &'a Phrases, seed: u32, solution: &'a str) -> Self {
        let (run, counts) = (HextrisGame::new(problem, seed), vec![0; phrases.list().len()]);
        SolutionReplay { run, phrases, solution, at: 0, node: 0, counts, power: 0, failed: false }
    }

    /// The game as it is after the last frame.
    #[must_use]
    pub fn run(&self) -> &HextrisGame<'a> {
        &self.run
    }

    /// How often each phrase has been spelled.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    fn spell(&mut self, byte: u8) -> Vec<u16> {
        self.node = self.phrases.next(self.node, byte);
        let hits = self.phrases.hits(self.node);
        for &hit in hits {
            let count = &mut self.counts[usize::from(hit)];
            self.power += if *count == 0 { NEW_PHRASE } else { 0 };
            *count += 1;
        }
        self.power += u64::from(self.phrases.gain(self.node));
        hits.to_vec()
    }

    fn event(&mut self, byte: u8) -> ReplayEvent {
        let done = execute(&mut self.run, byte);
        match (done, CommandKey::of(byte)) {
            (Ok(Some(CommandEffect::Moved)), CommandKey::Command(command)) => {
                let (_, to) = self.run.unit().expect("a unit that moved is there");
                ReplayEvent::Moved { command, to }
            }
            (Ok(Some(CommandEffect::Locked(lock))), CommandKey::Command(command)) => {
                ReplayEvent::Locked { command, lock }
            }
            (Ok(_), _) => ReplayEvent::Ignored,
            (Err((status, repeats)), _) => {
                self.failed = true;
                let trouble = trouble(self.solution, self.at, &self.run, repeats);
                ReplayEvent::Error { status, trouble }
            }
        }
    }
}

impl Iterator for SolutionReplay<'_> {
    type Item = ReplayFrame;

    fn next(&mut self) -> Option<ReplayFrame> {
        let character = self.solution[self.at..].chars().next().filter(|_| !self.failed)?;
        // A character beyond ASCII is an error by its first byte already.
        let byte = self.solution.as_bytes()[self.at];
        let event = self.event(byte);
        let spelled = if self.failed { Vec::new() } else { self.spell(byte) };
        let frame = ReplayFrame {
            at: self.at,
            character,
            event,
            move_score: self.run.points(),
            power_score: self.power,
            spelled,
            spelling: self.phrases.depth(self.node),
        };
        self.at += character.len_utf8();
        Some(frame)
    }
}
