//! Scores a solution exactly as the contest did: the points of locks and phrases of power, or 0 if
//! it repeats a placement, continues after the end of the game or contains a character that is no
//! command.

use serde::Serialize;

use super::commands::DecodedChar;
use super::game::{CommandEffect, CommandError, HextrisSimulation, HextrisStatus};
use super::phrases::{PhraseScore, Phrases};
use super::problem::Problem;
use super::unit::Placement;

/// Status of a game at the end of a solution, or the first error of the solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum SolutionStatus {
    /// All units of the game have locked.
    #[serde(rename = "ended")]
    Ended,
    /// The next unit did not fit where it would have appeared.
    #[serde(rename = "full")]
    Full,
    /// The solution stops before the end of the game, which is allowed.
    #[serde(rename = "in progress")]
    InProgress,
    /// Error: a command leads to a placement that the unit has had before.
    #[serde(rename = "repetition")]
    Repetition,
    /// Error: the solution continues after the end of the game.
    #[serde(rename = "after the end")]
    AfterTheEnd,
    /// Error: the solution contains a character that is not allowed.
    #[serde(rename = "bad character")]
    BadCharacter,
    /// Error: the problem does not list the seed of the solution.
    #[serde(rename = "unknown seed")]
    UnknownSeed,
}

impl SolutionStatus {
    /// Returns whether a solution with this status scores 0.
    #[must_use]
    pub fn is_error(self) -> bool {
        !matches!(self, SolutionStatus::Ended | SolutionStatus::Full | SolutionStatus::InProgress)
    }

    /// Returns the status in words, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SolutionStatus::Ended => "ended",
            SolutionStatus::Full => "full",
            SolutionStatus::InProgress => "in progress",
            SolutionStatus::Repetition => "repetition",
            SolutionStatus::AfterTheEnd => "after the end",
            SolutionStatus::BadCharacter => "bad character",
            SolutionStatus::UnknownSeed => "unknown seed",
        }
    }
}

/// Position and cause of an error in a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SolutionFault {
    /// Byte position of the character at which the error occurred, from 0.
    pub at: usize,
    /// The character at which the error occurred.
    pub character: char,
    /// The repeated placement; `None` for other errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<RepeatedPlacement>,
}

/// A placement that a unit had twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RepeatedPlacement {
    /// The placement that was repeated.
    pub placement: Placement,
    /// Byte position, from 0, of the character that first led to the placement; `None` if the unit
    /// appeared there.
    pub first: Option<usize>,
}

/// Score of a solution of one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SolutionScore {
    /// Status of the game at the end of the solution, or the first error.
    pub status: SolutionStatus,
    /// Sum of `move_score` and `power_score`; all three are 0 after an error.
    pub score: u64,
    /// Points of the locked units.
    pub move_score: u64,
    /// Points of the phrases of power.
    pub power_score: u64,
    /// The phrases that occur in the solution, with their points; empty after an error.
    pub phrases: Vec<PhraseScore>,
    /// Number of locked units, up to the error if there is one.
    pub locked: usize,
    /// Number of cleared rows, up to the error if there is one.
    pub lines: u64,
    /// Number of executed commands, up to the error if there is one.
    pub commands: u64,
    /// Position and cause of the error, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SolutionFault>,
}

impl SolutionScore {
    /// Returns a description of the error, in which characters are counted from 1; `None` without
    /// an error.
    #[must_use]
    pub fn error_message(&self) -> Option<String> {
        if self.status == SolutionStatus::UnknownSeed {
            return Some("the problem has no such seed".to_owned());
        }
        let SolutionFault { at, character, repeats } = self.error?;
        let place = format!("character {} ({character:?})", at + 1);
        Some(match (self.status, repeats) {
            (_, Some(RepeatedPlacement { placement: Placement { x, y, turn }, first })) => {
                let before = match first {
                    Some(first) => format!("after character {}", first + 1),
                    None => "when it came".to_owned(),
                };
                let back = "brings the unit back to where it was";
                format!("{place} {back} {before}: pivot ({x}, {y}), turn {turn}")
            }
            (SolutionStatus::BadCharacter, _) => format!("{place} is no command"),
            _ => format!("{place} comes after the end of the game"),
        })
    }
}

/// Scores solutions of one problem.
#[derive(Clone, Copy, Debug)]
pub struct HextrisReferee<'a> {
    problem: &'a Problem,
    phrases: &'a Phrases,
}

impl<'a> HextrisReferee<'a> {
    /// Creates a referee for `problem` with these phrases of power.
    #[must_use]
    pub fn new(problem: &'a Problem, phrases: &'a Phrases) -> Self {
        HextrisReferee { problem, phrases }
    }

    /// Scores a solution of the game with `seed`, which is an error if the problem does not list
    /// it.
    #[must_use]
    pub fn score(&self, seed: u32, solution: &str) -> SolutionScore {
        if !self.problem.seeds().contains(&seed) {
            return solution_score(None, SolutionStatus::UnknownSeed, Vec::new(), None);
        }
        let mut game = HextrisSimulation::new(self.problem, seed);
        for (at, byte) in solution.bytes().enumerate() {
            if let Err((status, repeated)) = execute(&mut game, byte) {
                let fault = find_fault(solution, at, &game, repeated);
                return solution_score(Some(&game), status, Vec::new(), Some(fault));
            }
        }
        let status = match game.status() {
            HextrisStatus::Playing => SolutionStatus::InProgress,
            HextrisStatus::Ended => SolutionStatus::Ended,
            HextrisStatus::Full => SolutionStatus::Full,
        };
        let powers = self.phrases.powers(&self.phrases.count(solution));
        solution_score(Some(&game), status, powers, None)
    }
}

/// A repeated placement, and the number of commands of the game after which the unit had it for the
/// first time; `None` for errors other than a repetition.
pub(super) type EarlierVisit = Option<(Placement, u64)>;

/// Executes one character of a solution and returns its effect, or `Ok(None)` if the character is
/// ignored. An error gives the status of the solution and, for a repetition, the placement.
#[inline]
pub(super) fn execute(
    game: &mut HextrisSimulation<'_>,
    byte: u8,
) -> Result<Option<CommandEffect>, (SolutionStatus, EarlierVisit)> {
    match DecodedChar::from_byte(byte) {
        DecodedChar::Ignored => Ok(None),
        DecodedChar::Unknown if game.status() == HextrisStatus::Playing => {
            Err((SolutionStatus::BadCharacter, None))
        }
        DecodedChar::Unknown => Err((SolutionStatus::AfterTheEnd, None)),
        DecodedChar::Command(command) => match game.command(command) {
            Ok(step) => Ok(Some(step)),
            Err(CommandError::Over) => Err((SolutionStatus::AfterTheEnd, None)),
            Err(CommandError::Repetition { at, earlier }) => {
                Err((SolutionStatus::Repetition, Some((at, earlier))))
            }
        },
    }
}

/// Describes the error at byte `at` of `solution`; `game` is the game before that byte.
#[cold]
pub(super) fn find_fault(
    solution: &str,
    at: usize,
    game: &HextrisSimulation<'_>,
    repeats: EarlierVisit,
) -> SolutionFault {
    let command = |number: u64| {
        let is_command = |(_, byte): &(usize, u8)| {
            matches!(DecodedChar::from_byte(*byte), DecodedChar::Command(_))
        };
        let mut commands = solution.bytes().enumerate().filter(is_command);
        commands.nth(number as usize - 1).map(|(at, _)| at)
    };
    let repeated = |(placement, earlier)| RepeatedPlacement {
        placement,
        first: if earlier == game.unit_start() { None } else { command(earlier) },
    };
    // All earlier characters are ASCII, so byte positions are character positions.
    let character = solution[at..].chars().next().expect("an error is at a character");
    SolutionFault { at, character, repeats: repeats.map(repeated) }
}

fn solution_score(
    game: Option<&HextrisSimulation<'_>>,
    status: SolutionStatus,
    phrases: Vec<PhraseScore>,
    error: Option<SolutionFault>,
) -> SolutionScore {
    let move_score = game.filter(|_| !status.is_error()).map_or(0, HextrisSimulation::points);
    let power_score = phrases.iter().map(|power| power.power).sum();
    SolutionScore {
        status,
        score: move_score + power_score,
        move_score,
        power_score,
        phrases,
        locked: game.map_or(0, HextrisSimulation::locked),
        lines: game.map_or(0, HextrisSimulation::lines),
        commands: game.map_or(0, HextrisSimulation::commands),
        error,
    }
}
