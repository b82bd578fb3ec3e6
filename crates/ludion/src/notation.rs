//! Reading and showing: what games share when they write states and moves as text.
//!
//! States stand on one line. Where the side to move does not follow from the board it
//! is written behind it as `first` or `second`. A text that does not read gets a
//! [`NotationError`] saying what was wrong and where.

use std::fmt;

use crate::game::{Game, Side};

/// Why a text is no state or move: what was wrong, where, and what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct NotationError {
    text: String,
    at: Option<usize>,
    problem: String,
}

/// Longer texts are cut in messages; nobody reads the rest.
const MAX_SHOWN_CHARACTERS: usize = 60;

impl NotationError {
    /// `problem` concerns the whole of `text`.
    pub fn new(text: &str, problem: impl Into<String>) -> Self {
        NotationError { text: text.to_owned(), at: None, problem: problem.into() }
    }

    /// `problem` concerns the character number `at` of `text`, counted from 0.
    pub fn at(text: &str, at: usize, problem: impl Into<String>) -> Self {
        NotationError { text: text.to_owned(), at: Some(at), problem: problem.into() }
    }

    /// Where in the text, in characters from 0, if the problem has a place.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.at
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.text.chars().take(MAX_SHOWN_CHARACTERS).collect();
        let cut = if shown.len() < self.text.len() { "…" } else { "" };
        match self.at {
            Some(at) => write!(f, "{} at character {} of {shown:?}{cut}", self.problem, at + 1),
            None => write!(f, "{shown:?}{cut}: {}", self.problem),
        }
    }
}

/// Reads a move by comparing `text`, case apart, with how each legal move is shown.
pub(crate) fn read_shown_move<G: Game + ?Sized>(
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
    let legal: Vec<String> = moves.iter().map(|&m| g.show_move(s, m)).collect();
    Err(NotationError::new(text, format!("not a legal move; legal: {}", legal.join(" "))))
}

/// Reads a text from left to right, remembering where it is for error messages.
pub struct NotationReader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> NotationReader<'a> {
    /// A reader at the beginning of `text`, outer white space left out.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        NotationReader { text, rest: text.trim() }
    }

    fn position(&self) -> usize {
        let bytes = self.rest.as_ptr() as usize - self.text.as_ptr() as usize;
        self.text[..bytes].chars().count()
    }

    /// An error at the place the reader has come to.
    pub fn error(&self, problem: impl Into<String>) -> NotationError {
        NotationError::at(self.text, self.position(), problem)
    }

    /// An error about the whole text.
    pub fn whole(&self, problem: impl Into<String>) -> NotationError {
        NotationError::new(self.text, problem)
    }

    /// Takes the next character.
    ///
    /// # Errors
    /// At the end of the text.
    pub fn character(&mut self, wanted: &str) -> Result<char, NotationError> {
        let mut rest = self.rest.chars();
        let c = rest.next().ok_or_else(|| self.error(format!("expected {wanted}")))?;
        self.rest = rest.as_str();
        Ok(c)
    }

    /// Takes `text` if it comes next.
    ///
    /// # Errors
    /// When something else comes next.
    pub fn expect(&mut self, text: &str) -> Result<(), NotationError> {
        self.rest =
            self.rest.strip_prefix(text).ok_or_else(|| self.error(format!("expected {text:?}")))?;
        Ok(())
    }

    /// Takes `text` if it comes next, and says whether it did.
    pub fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Goes on behind white space, if there is any.
    pub fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes the letters and digits that come next, if `read` can read them.
    pub fn take_word<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = read(word)?;
        self.rest = rest;
        Some(value)
    }

    /// Whether `c` comes next.
    #[must_use]
    pub fn next_is(&self, c: char) -> bool {
        self.rest.starts_with(c)
    }

    /// Takes a whole number within `min..=max`.
    ///
    /// # Errors
    /// When no number comes next, or one outside the range.
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

    /// Takes a space and the side to move.
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

    /// Takes `rows` rows of `cols` cells with a slash between rows; each cell is one
    /// character of `alphabet`. Returns the index in the alphabet of each cell, row by row.
    ///
    /// # Errors
    /// At the first character that does not belong there.
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
                let here = self.error(format!("expected a cell, one of {alphabet:?},"));
                let c = self.character("a cell")?;
                cells.push(alphabet.chars().position(|a| a == c).ok_or(here)?);
            }
        }
        Ok(cells)
    }

    /// Takes the cells of [`show_owners`]; returns each side's cells as bits `y·cols + x`.
    ///
    /// # Errors
    /// At the first character that does not belong there.
    pub fn owners(&mut self, cols: usize, rows: usize) -> Result<[u64; 2], NotationError> {
        let cells = self.grid(cols, rows, ".xo")?;
        let set = |stone| (0..cells.len()).filter(|&i| cells[i] == stone).map(|i| 1 << i).sum();
        Ok([set(1), set(2)])
    }

    /// Makes sure that `first` and `second` stones can come of turns taken from the first
    /// side.
    ///
    /// # Errors
    /// When one side has too many.
    pub fn alternate(&self, first: u32, second: u32) -> Result<(), NotationError> {
        if first == second || first == second + 1 {
            return Ok(());
        }
        Err(self.whole(format!("{first} x and {second} o cannot come of turns taken from x")))
    }

    /// Makes sure that the text ends here.
    ///
    /// # Errors
    /// When something is left.
    pub fn end(&self) -> Result<(), NotationError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("expected nothing more")) }
    }
}

/// Writes who owns each cell: `x` the first side, `o` the second, `.` nobody.
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

/// Writes rows of cells with a slash between rows: what [`NotationReader::grid`] reads.
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

/// The names of `known` that a person who wrote `name` may have meant, nearest first.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut close: Vec<(f64, &str)> = known
        .into_iter()
        .map(|k| (strsim::jaro_winkler(&name, &k.to_lowercase()), k))
        .filter(|&(likeness, _)| likeness > 0.75)
        .collect();
    close.sort_by(|a, b| b.0.total_cmp(&a.0));
    close.into_iter().take(3).map(|(_, k)| k).collect()
}
