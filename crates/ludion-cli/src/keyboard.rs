//! Input of a person at the keyboard. No line is an error: invalid UTF-8 is replaced, and overlong
//! lines are cut.

use std::io::{self, BufRead, Read};

use crate::failure::CommandFailure;

/// Length limit of a line in bytes; the rest of a longer line is dropped.
const LONGEST: usize = 1000;

/// Answer to the command `help`.
pub(crate) const HELP: &str = "\
a move   play it, in the notation that moves shows
undo     take back to your previous turn
hint     ask a player what it would do
moves    list the legal moves
help     this list
quit     leave the game
";

/// One line of input, parsed.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum KeyboardInput {
    /// An empty line.
    Nothing,
    /// Text that is no command and should be a move.
    Move(String),
    Undo,
    Hint,
    Moves,
    Help,
    Quit,
    /// End of the input.
    End,
}

/// Reads a line from standard input.
pub(crate) fn listen() -> Result<KeyboardInput, CommandFailure> {
    hear(&mut io::stdin().lock()).map_err(|error| {
        CommandFailure::Failed(format!("standard input could not be read: {error}"))
    })
}

fn hear(input: &mut impl BufRead) -> io::Result<KeyboardInput> {
    let mut line = Vec::new();
    if input.take(LONGEST as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(KeyboardInput::End);
    }
    if line.len() == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    let line = String::from_utf8_lossy(&line);
    let line = line.trim();
    Ok(match line.to_lowercase().as_str() {
        "" => KeyboardInput::Nothing,
        "undo" => KeyboardInput::Undo,
        "hint" => KeyboardInput::Hint,
        "moves" => KeyboardInput::Moves,
        "help" => KeyboardInput::Help,
        "quit" => KeyboardInput::Quit,
        _ => KeyboardInput::Move(line.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_heard_whatever_it_is_made_of() {
        let endless = [b'7'; 5000];
        let input = [b"\n undo \r\nQuit\n\xff\xfe\n", &endless[..], b"\nhint"].concat();
        let mut input = &input[..];
        let mut next = || hear(&mut input).unwrap();
        assert_eq!(
            [next(), next(), next()],
            [KeyboardInput::Nothing, KeyboardInput::Undo, KeyboardInput::Quit]
        );
        assert_eq!(next(), KeyboardInput::Move("\u{fffd}\u{fffd}".to_owned()));
        assert_eq!(next(), KeyboardInput::Move("7".repeat(LONGEST)));
        assert_eq!([next(), next()], [KeyboardInput::Hint, KeyboardInput::End]);
    }
}
