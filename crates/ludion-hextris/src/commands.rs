//! The six commands and the characters that stand for them. Each command has six characters,
//! letters in either case, so that a path can be spelled in many ways. Tab, line feed and carriage
//! return are ignored.

use serde::Serialize;

/// A command that moves, rotates or locks a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// Move one cell to the left.
    West,
    /// Move one cell to the right.
    East,
    /// Move to the lower left neighbour cell.
    SouthWest,
    /// Move to the lower right neighbour cell.
    SouthEast,
    /// Rotate clockwise about the pivot by a sixth of a turn.
    Clockwise,
    /// Rotate counter-clockwise about the pivot by a sixth of a turn.
    CounterClockwise,
}

/// Meaning of a character in a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodedChar {
    /// The character stands for this command.
    Command(Command),
    /// The character (tab, line feed or carriage return) is skipped, but it interrupts a phrase.
    Ignored,
    /// The character is not allowed; a solution that contains it scores 0.
    Unknown,
}

impl Command {
    /// All commands, in the order of [`Command::index`].
    pub const ALL: [Command; 6] = [
        Command::West,
        Command::East,
        Command::SouthWest,
        Command::SouthEast,
        Command::Clockwise,
        Command::CounterClockwise,
    ];

    /// Returns the command that takes this one back; `None` for a move down.
    #[must_use]
    pub fn inverse(self) -> Option<Command> {
        match self {
            Command::West => Some(Command::East),
            Command::East => Some(Command::West),
            Command::Clockwise => Some(Command::CounterClockwise),
            Command::CounterClockwise => Some(Command::Clockwise),
            Command::SouthWest | Command::SouthEast => None,
        }
    }

    /// Returns the index of the command in [`Command::ALL`], from 0 to 5.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the six characters that stand for the command, letters in lower case; upper case
    /// means the same.
    #[must_use]
    pub const fn characters(self) -> &'static str {
        match self {
            Command::West => "p'!.03",
            Command::East => "bcefy2",
            Command::SouthWest => "aghij4",
            Command::SouthEast => "lmno 5",
            Command::Clockwise => "dqrvz1",
            Command::CounterClockwise => "kstuwx",
        }
    }

    /// Returns the abbreviation of the command: `w`, `e`, `sw`, `se`, `cw` or `ccw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Command::West => "w",
            Command::East => "e",
            Command::SouthWest => "sw",
            Command::SouthEast => "se",
            Command::Clockwise => "cw",
            Command::CounterClockwise => "ccw",
        }
    }
}

/// The meaning of every byte of a solution; bytes beyond ASCII are not allowed.
const KEYS: [DecodedChar; 256] = {
    let mut keys = [DecodedChar::Unknown; 256];
    let mut command = 0;
    while command < Command::ALL.len() {
        let characters = Command::ALL[command].characters().as_bytes();
        let mut i = 0;
        while i < characters.len() {
            keys[characters[i] as usize] = DecodedChar::Command(Command::ALL[command]);
            keys[characters[i].to_ascii_uppercase() as usize] =
                DecodedChar::Command(Command::ALL[command]);
            i += 1;
        }
        command += 1;
    }
    keys[b'\t' as usize] = DecodedChar::Ignored;
    keys[b'\n' as usize] = DecodedChar::Ignored;
    keys[b'\r' as usize] = DecodedChar::Ignored;
    keys
};

impl DecodedChar {
    /// Returns the meaning of a byte of a solution.
    #[inline]
    #[must_use]
    pub fn from_byte(byte: u8) -> DecodedChar {
        KEYS[usize::from(byte)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_the_contest_are_the_same_commands() {
        let read = |text: &str| text.bytes().map(DecodedChar::from_byte).collect::<Vec<_>>();
        assert_eq!(read("2xjw 4s"), read("cthulhu"));
        assert_eq!(read("IA!"), read("ia!"));
    }

    #[test]
    fn every_letter_is_a_command_and_three_characters_are_ignored() {
        let count = |wanted: fn(DecodedChar) -> bool| {
            (0..=255).filter(|&b| wanted(DecodedChar::from_byte(b))).count()
        };
        // 36 characters, and the 26 letters again in upper case.
        assert_eq!(count(|key| matches!(key, DecodedChar::Command(_))), 36 + 26);
        assert_eq!(count(|key| key == DecodedChar::Ignored), 3);
    }
}
