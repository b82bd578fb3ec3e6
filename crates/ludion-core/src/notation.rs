//! Reading and writing states and moves as text: the functions that the notations of all games
//! share.
//!
//! A state is one line of text. Where the side to move does not follow from the board, `first` or
//! `second` is written after the board. A text that does not parse gives a [`NotationError`].

use std::fmt;

use crate::game::{Game, Side};
use crate::scene::{Coord, Piece};

/// Error of a text that is not a valid state, move or code: what is wrong, where, and what is
/// allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct NotationError {
    text: String,
    at: Option<usize>,
    problem: String,
}

/// Maximum number of characters of the invalid text that an error message shows.
const MAX_SHOWN_CHARACTERS: usize = 60;

impl NotationError {
    /// Creates an error about the whole of `text`; `problem` says what is wrong.
    pub fn new(text: &str, problem: impl Into<String>) -> Self {
        NotationError { text: text.to_owned(), at: None, problem: problem.into() }
    }

    /// Creates an error about the character of `text` at index `at`, from 0; `problem` says what is
    /// wrong.
    pub fn at(text: &str, at: usize, problem: impl Into<String>) -> Self {
        NotationError { text: text.to_owned(), at: Some(at), problem: problem.into() }
    }

    /// Returns the index of the wrong character, from 0; `None` if the error is about the whole
    /// text.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.at
    }

    /// Returns what is wrong, without the text.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = quoted_excerpt(&self.text);
        match self.at {
            Some(at) => write!(f, "{} at character {} of {shown}", self.problem, at + 1),
            None => write!(f, "{shown}: {}", self.problem),
        }
    }
}

/// Returns the beginning of a text in quotes, for an error message; three dots follow if it is cut.
#[must_use]
pub fn quoted_excerpt(text: &str) -> String {
    let shown: String = text.chars().take(MAX_SHOWN_CHARACTERS).collect();
    let cut = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{cut}")
}

/// Returns the beginning of a text for an error message, in quotes only if it is empty or has
/// spaces or signs that cannot be seen.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    if !text.is_empty()
        && text.chars().count() <= MAX_SHOWN_CHARACTERS
        && text.chars().all(is_plain)
    {
        return text.to_owned();
    }
    quoted_excerpt(text)
}

/// Maximum number of legal moves that an error message lists.
const MAX_SHOWN_MOVES: usize = 60;

/// Returns the legal move of `s` whose notation equals `text`, ignoring case and surrounding white
/// space.
pub fn read_shown_move<G: Game + ?Sized>(
    g: &G,
    s: &G::State,
    text: &str,
) -> Result<G::Move, NotationError> {
    let wanted = text.trim();
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    if let Some(&m) = moves.iter().find(|&&m| g.show_move(s, m).eq_ignore_ascii_case(wanted)) {
        return Ok(m);
    }
    if moves.is_empty() {
        return Err(NotationError::new(text, "the game is over, no move is legal"));
    }
    let shown = moves.iter().take(MAX_SHOWN_MOVES).map(|&m| g.show_move(s, m));
    let legal = shown.collect::<Vec<String>>().join(" ");
    let rest = match moves.len().saturating_sub(MAX_SHOWN_MOVES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(NotationError::new(text, format!("not a legal move; legal: {legal}{rest}")))
}

/// Returns the state with these pieces and this side to move, for games whose notation is that of
/// [`show_owners`], with the side to move after it where it does not follow from the board.
///
/// # Errors
/// When no state has these pieces, or the notation of the game is another one.
pub fn read_pieces<G: Game + ?Sized>(
    g: &G,
    pieces: &[Piece],
    turn: Side,
) -> Result<G::State, NotationError> {
    let (rows, cols) = crate::encoding::plane_size(&g.scene(&g.start()).layout);
    let owner = |x: usize, y: usize| {
        pieces.iter().find(|piece| piece.at == Coord::new(x, y)).and_then(|piece| piece.owner)
    };
    let board = show_owners(cols, rows, owner);
    let with_turn = format!("{board} {turn}");
    // An error about a character is about the notation; one about the whole is about the position.
    let s = g.read_state(&with_turn).or_else(|error| match error.at {
        None => Err(error),
        Some(_) => g.read_state(&board),
    })?;
    let put = g.scene(&s).pieces;
    let has = |all: &[Piece], one: &Piece| {
        all.iter().any(|piece| (piece.at, piece.owner) == (one.at, one.owner))
    };
    let is_missing = pieces.iter().any(|piece| !has(&put, piece));
    let is_new = put.iter().any(|piece| piece.owner.is_some() && !has(pieces, piece));
    if !is_missing && !is_new {
        return Ok(s);
    }
    Err(NotationError::new(&with_turn, "the pieces of this game cannot be put up one by one"))
}

/// Returns the number of pieces in each of the first `N` heaps of a scene.
#[must_use]
pub fn heap_counts<const N: usize>(pieces: &[Piece]) -> [usize; N] {
    std::array::from_fn(|heap| {
        pieces.iter().filter(|piece| usize::from(piece.at.x) == heap).count()
    })
}

/// Parses a text from left to right and remembers the current position for error messages. A clone
/// keeps the position at which it was made.
#[derive(Clone)]
pub struct NotationReader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> NotationReader<'a> {
    /// Creates a reader of `text`, positioned after leading white space; trailing white space is
    /// ignored.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        NotationReader { text, rest: text.trim() }
    }

    fn position(&self) -> usize {
        let bytes = self.rest.as_ptr() as usize - self.text.as_ptr() as usize;
        self.text[..bytes].chars().count()
    }

    /// Creates an error about the character at the current position; `problem` says what is wrong.
    pub fn error(&self, problem: impl Into<String>) -> NotationError {
        NotationError::at(self.text, self.position(), problem)
    }

    /// Creates an error about the whole text; `problem` says what is wrong.
    pub fn whole(&self, problem: impl Into<String>) -> NotationError {
        NotationError::new(self.text, problem)
    }

    /// Consumes and returns the next character. `wanted` names the expected character in the error.
    ///
    /// # Errors
    /// At the end of the text.
    pub fn character(&mut self, wanted: &str) -> Result<char, NotationError> {
        let mut rest = self.rest.chars();
        let c = rest.next().ok_or_else(|| self.error(format!("expected {wanted}")))?;
        self.rest = rest.as_str();
        Ok(c)
    }

    /// Consumes `text`, which must come next.
    ///
    /// # Errors
    /// When the rest does not start with `text`.
    pub fn expect(&mut self, text: &str) -> Result<(), NotationError> {
        self.rest =
            self.rest.strip_prefix(text).ok_or_else(|| self.error(format!("expected {text:?}")))?;
        Ok(())
    }

    /// Consumes `text` if it comes next, and returns whether it was there.
    pub fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Skips white space.
    pub fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Passes the ASCII letters and digits that come next to `read`, consumes them if `read`
    /// returns a value, and returns that value.
    pub fn take_word<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = read(word)?;
        self.rest = rest;
        Some(value)
    }

    /// Returns whether the next character is `c`; consumes nothing.
    #[must_use]
    pub fn next_is(&self, c: char) -> bool {
        self.rest.starts_with(c)
    }

    /// Consumes and returns an integer from `min` to `max`. `what` names the number in the error.
    ///
    /// # Errors
    /// When the next characters are not an integer, or it is outside the range.
    pub fn number(&mut self, what: &str, min: i64, max: i64) -> Result<i64, NotationError> {
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = self.rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(if digits == 0 { 0 } else { sign + digits });
        let allowed = || format!("{what} must be a number from {min} to {max}");
        let value: i64 = number.parse().map_err(|_| self.error(allowed()))?;
        if value < min || value > max {
            return Err(self.error(allowed()));
        }
        self.rest = rest;
        Ok(value)
    }

    /// Consumes white space and the side to move, `first` or `second`.
    ///
    /// # Errors
    /// When neither `first` nor `second` comes next.
    pub fn side(&mut self) -> Result<Side, NotationError> {
        self.rest = self.rest.trim_start();
        for side in Side::BOTH {
            if let Some(rest) = self.rest.strip_prefix(&side.to_string()) {
                self.rest = rest;
                return Ok(side);
            }
        }
        Err(self.error("expected the side to move, first or second,"))
    }

    /// Consumes `rows` rows of `cols` cells, with a slash between rows; each cell is one character
    /// of `alphabet`. Returns the index in the alphabet of each cell, row by row.
    ///
    /// # Errors
    /// At the first character that is not expected.
    pub fn grid(
        &mut self,
        cols: usize,
        rows: usize,
        alphabet: &str,
    ) -> Result<Vec<usize>, NotationError> {
        let mut cells = Vec::with_capacity(cols * rows);
        for row in 0..rows {
            if row > 0 {
                self.expect("/")?;
            }
            for _ in 0..cols {
                let here = self.clone();
                let wrong = || here.error(format!("expected a cell, one of {alphabet:?},"));
                let c = self.character("a cell")?;
                cells.push(alphabet.chars().position(|a| a == c).ok_or_else(wrong)?);
            }
        }
        Ok(cells)
    }

    /// Consumes the cells written by [`show_owners`] and returns a bitboard of each side's cells,
    /// in which the cell in column `x` and row `y` is the bit `y·cols + x`.
    ///
    /// # Errors
    /// At the first character that is not expected.
    pub fn owners(&mut self, cols: usize, rows: usize) -> Result<[u64; 2], NotationError> {
        let cells = self.grid(cols, rows, ".xo")?;
        let set = |stone| (0..cells.len()).filter(|&i| cells[i] == stone).map(|i| 1 << i).sum();
        Ok([set(1), set(2)])
    }

    /// Checks that the numbers of stones of the two sides are possible if the sides place one stone
    /// each in turn, the first side beginning.
    ///
    /// # Errors
    /// When one side has too many stones.
    pub fn alternate(&self, first: u32, second: u32) -> Result<(), NotationError> {
        if first == second || first == second + 1 {
            return Ok(());
        }
        Err(self
            .whole(format!("{first} x and {second} o are impossible: x and o alternate, x first")))
    }

    /// Returns whether the whole text is consumed. Unlike [`end`](NotationReader::end) it makes no
    /// error, so a loop over a long text takes a time proportional to its length.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Checks that the text ends here.
    ///
    /// # Errors
    /// When there is more text.
    pub fn end(&self) -> Result<(), NotationError> {
        if self.is_at_end() { Ok(()) } else { Err(self.error("expected nothing more")) }
    }
}

/// Writes a board row by row, with a slash between rows: `x` for a cell of the first side, `o` for
/// one of the second side, `.` for an empty one.
pub fn show_owners(
    cols: usize,
    rows: usize,
    owner: impl Fn(usize, usize) -> Option<Side>,
) -> String {
    show_grid(cols, rows, |x, y| match owner(x, y) {
        Some(Side::First) => 'x',
        Some(Side::Second) => 'o',
        None => '.',
    })
}

/// Writes a board row by row, with a slash between rows and the character `cell(x, y)` for each
/// cell. [`NotationReader::grid`] reads it back.
pub fn show_grid(cols: usize, rows: usize, cell: impl Fn(usize, usize) -> char) -> String {
    let mut text = String::with_capacity((cols + 1) * rows);
    for y in 0..rows {
        if y > 0 {
            text.push('/');
        }
        text.extend((0..cols).map(|x| cell(x, y)));
    }
    text
}

/// Longest name for which similar ones are looked for, in bytes; a longer one is no slip of the pen,
/// and comparing it takes long.
const MAX_MISSPELT: usize = 100;

/// Returns up to three names of `known` that are similar to `name`, most similar first, to suggest
/// in error messages.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    nearest_of(name, &mut known.into_iter())
}

/// Does the work of [`nearest`], compiled once for all iterators.
fn nearest_of<'a>(name: &str, known: &mut dyn Iterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > MAX_MISSPELT {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let mut close: Vec<(f64, &str)> = known
        .map(|k| (strsim::jaro_winkler(&name, &k.to_lowercase()), k))
        .filter(|&(likeness, _)| likeness > 0.75)
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0));
    close.into_iter().take(3).map(|(_, k)| k).collect()
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NotationReader`")]
pub type Reader<'a> = NotationReader<'a>;

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NotationError`")]
pub type ReadError = NotationError;
