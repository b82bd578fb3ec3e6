//! my_bot: a bot that plays any game of Ludion.
//!
//! Put your own idea into [`choose`]; the rest of the file speaks the protocol, which Ludion
//! describes in docs/guide/protocol.md. The bot reads one command a line and answers on standard
//! output. What it writes with `eprintln!` is for you: Ludion shows the last line if the bot fails.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// What the bot knows of the game under way.
#[derive(Default, Debug)]
struct Position {
    /// The game with its parameters, such as `connect4` or `hexapawn(rows=4)`.
    game: String,
    /// The state in the notation of the game; `None` is the start of the game.
    state: Option<String>,
    /// The moves played since the state; Ludion sends the state after them, and no moves.
    moves: Vec<String>,
    /// The legal moves.
    legal: Vec<String>,
}

/// The words after `go` with their numbers: `movetime` (milliseconds), `depth` (plies), `nodes`
/// (states). None of them means that the bot decides for itself.
type Limits = HashMap<String, u64>;

/// Returns the move to play, one of `position.legal`.
///
/// This is the place for your own idea; as it stands, the bot plays a random move. Draw random
/// numbers from `random` only, so that games can be repeated. Keep to `limits`: a move that comes a
/// second late loses the game.
fn choose<'a>(position: &'a Position, _limits: &Limits, random: &mut Random) -> &'a str {
    &position.legal[random.below(position.legal.len())]
}

/// Random numbers that the seed determines: `SplitMix64`, because the standard library has none.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a number from 0 up to, but not including, `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

impl Position {
    /// Reads `startpos` or `fen STATE`, either with `moves M M …` behind it.
    fn read(&mut self, words: &[&str]) {
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (place, moves) = words.split_at(end);
        self.state = place.strip_prefix(&["fen"]).map(|state| state.join(" "));
        self.moves = moves.iter().skip(1).map(ToString::to_string).collect();
        self.legal.clear();
    }
}

/// Reads the words after `go`, such as `movetime 100`.
fn read_limits(words: &[&str]) -> Limits {
    let pairs = words.windows(2);
    pairs.filter_map(|pair| Some((pair[0].to_owned(), pair[1].parse().ok()?))).collect()
}

fn main() -> io::Result<()> {
    let (mut position, mut seed, mut random) = (Position::default(), 0, Random(0));
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match (word, &rest[..]) {
            ("ugi", _) => {
                writeln!(output, "id name my_bot")?;
                writeln!(output, "option name Seed type spin default 0 min 0 max 2147483647")?;
                // Tell me which game it is, I play any; send the legal moves with every position.
                writeln!(output, "feature game")?;
                writeln!(output, "feature legal")?;
                writeln!(output, "ugiok")?;
            }
            ("isready", _) => writeln!(output, "readyok")?,
            ("setoption", ["name", "Seed", "value", value]) => seed = value.parse().unwrap_or(0),
            ("game", _) => position.game = rest.join(" "),
            ("uginewgame", _) => random = Random(seed),
            ("position", _) => position.read(&rest),
            ("legal", _) => position.legal = rest.iter().map(ToString::to_string).collect(),
            ("go", _) if position.legal.is_empty() => {
                writeln!(output, "error there is no legal move, or the line legal is missing")?;
            }
            ("go", _) => {
                let best = choose(&position, &read_limits(&rest), &mut random);
                writeln!(output, "bestmove {best}")?;
            }
            ("quit", _) => break,
            // Other lines are ignored, as the protocol asks; so is `stop`, because `choose` has
            // always answered before the bot reads it.
            _ => {}
        }
        // Otherwise the answer waits in a buffer, and the bot seems to hang.
        output.flush()?;
    }
    Ok(())
}
