//! Scores a solution exactly as the contest did: moves and phrases of power, or nothing at all
//! when it repeats a placement, goes on after the end or has a character that is no command.

use serde::Serialize;

use super::commands::CommandKey;
use super::game::{CommandEffect, CommandError, HextrisGame, HextrisStatus};
use super::phrases::{PhrasePower, Phrases};
use super::problem::Problem;
use super::unit::Placement;

/// How a solution stands when all of it is read, or where its reading stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum SolutionStatus {
    /// All units have come.
    #[serde(rename = "ended")]
    Ended,
    /// The next unit did not fit.
    #[serde(rename = "full")]
    Full,
    /// It stops early, which is allowed.
    #[serde(rename = "in progress")]
    InProgress,
    /// An error: a unit was where it had been before.
    #[serde(rename = "repetition")]
    Repetition,
    /// An error: the game was over.
    #[serde(rename = "after the end")]
    AfterTheEnd,
    /// An error: a character is no command.
    #[serde(rename = "bad character")]
    BadCharacter,
    /// An error: the problem has no such seed.
    #[serde(rename = "unknown seed")]
    UnknownSeed,
}

impl SolutionStatus {
    /// Whether a solution that stands so scores nothing.
    #[must_use]
    pub fn is_error(self) -> bool {
        !matches!(self, SolutionStatus::Ended | SolutionStatus::Full | SolutionStatus::InProgress)
    }

    /// In words.
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

/// Where a solution went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SolutionFault {
    /// The place of the character in the solution, from 0.
    pub at: usize,
    /// The character.
    pub character: char,
    /// What was repeated, if that was it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<RepeatedPlacement>,
}

/// A placement that a unit had twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RepeatedPlacement {
    /// The placement.
    pub placement: Placement,
    /// The place of the character that led there first; none if the unit came there.
    pub first: Option<usize>,
}

/// What a solution is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SolutionScore {
    /// How it stands.
    pub status: SolutionStatus,
    /// Move score and power score together; 0 after an error, as are both.
    pub score: u64,
    /// What locks earned.
    pub move_score: u64,
    /// What phrases earned.
    pub power_score: u64,
    /// The phrases that occur.
    pub phrases: Vec<PhrasePower>,
    /// How many units locked, up to the error if there was one.
    pub locked: usize,
    /// How many rows were cleared, likewise.
    pub lines: u64,
    /// How many commands were executed, likewise.
    pub commands: u64,
    /// What was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SolutionFault>,
}

impl SolutionScore {
    /// What was wrong, in words; characters are counted from 1.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
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
    /// The referee of `problem`, for whom `phrases` have power.
    #[must_use]
    pub fn new(problem: &'a Problem, phrases: &'a Phrases) -> Self {
        HextrisReferee { problem, phrases }
    }

    /// Scores `solution`, played with `seed`.
    #[must_use]
    pub fn judge(&self, seed: u32, solution: &str) -> SolutionScore {
        if !self.problem.seeds().contains(&seed) {
            return verdict(None, SolutionStatus::UnknownSeed, Vec::new(), None);
        }
        let mut run = HextrisGame::new(self.problem, seed);
        for (at, byte) in solution.bytes().enumerate() {
            if let Err((status, repeated)) = execute(&mut run, byte) {
                let trouble = trouble(solution, at, &run, repeated);
                return verdict(Some(&run), status, Vec::new(), Some(trouble));
            }
        }
        let status = match run.phase() {
            HextrisStatus::Playing => SolutionStatus::InProgress,
            HextrisStatus::Ended => SolutionStatus::Ended,
            HextrisStatus::Full => SolutionStatus::Full,
        };
        let powers = self.phrases.powers(&self.phrases.count(solution));
        verdict(Some(&run), status, powers, None)
    }
}

/// What a command repeats: the placement and after how many commands it was there.
pub(super) type PlacementRepeat = Option<(Placement, u64)>;

/// Executes one character, of which those that stand for no command do nothing.
#[inline]
pub(super) fn execute(
    run: &mut HextrisGame<'_>,
    byte: u8,
) -> Result<Option<CommandEffect>, (SolutionStatus, PlacementRepeat)> {
    match CommandKey::of(byte) {
        CommandKey::Ignored => Ok(None),
        CommandKey::Unknown if run.phase() == HextrisStatus::Playing => {
            Err((SolutionStatus::BadCharacter, None))
        }
        CommandKey::Unknown => Err((SolutionStatus::AfterTheEnd, None)),
        CommandKey::Command(command) => match run.command(command) {
            Ok(step) => Ok(Some(step)),
            Err(CommandError::Over) => Err((SolutionStatus::AfterTheEnd, None)),
            Err(CommandError::Repetition { at, earlier }) => {
                Err((SolutionStatus::Repetition, Some((at, earlier))))
            }
        },
    }
}

/// The error at byte `at`, up to which `run` has come.
#[cold]
pub(super) fn trouble(
    solution: &str,
    at: usize,
    run: &HextrisGame<'_>,
    repeats: PlacementRepeat,
) -> SolutionFault {
    let command = |number: u64| {
        let is_command =
            |(_, byte): &(usize, u8)| matches!(CommandKey::of(*byte), CommandKey::Command(_));
        let mut commands = solution.bytes().enumerate().filter(is_command);
        commands.nth(number as usize - 1).map(|(at, _)| at)
    };
    let repeated = |(placement, earlier)| RepeatedPlacement {
        placement,
        first: if earlier == run.since() { None } else { command(earlier) },
    };
    // All before it was ASCII, so that bytes are characters.
    let character = solution[at..].chars().next().expect("an error has its character");
    SolutionFault { at, character, repeats: repeats.map(repeated) }
}

fn verdict(
    run: Option<&HextrisGame<'_>>,
    status: SolutionStatus,
    phrases: Vec<PhrasePower>,
    error: Option<SolutionFault>,
) -> SolutionScore {
    let move_score = run.filter(|_| !status.is_error()).map_or(0, HextrisGame::points);
    let power_score = phrases.iter().map(|power| power.power).sum();
    SolutionScore {
        status,
        score: move_score + power_score,
        move_score,
        power_score,
        phrases,
        locked: run.map_or(0, HextrisGame::locked),
        lines: run.map_or(0, HextrisGame::lines),
        commands: run.map_or(0, HextrisGame::commands),
        error,
    }
}
