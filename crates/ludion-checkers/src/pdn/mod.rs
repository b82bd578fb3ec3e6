//! Reads and writes games of checkers in PDN (portable draughts notation): tags, then numbered
//! moves, then the result. The reader skips comments, variations and annotations, and reports
//! games with errors without stopping. Games are made of tokens alone, and every token takes text, so
//! the reader ends on every text.

mod tags;
mod tokens;

use std::fmt::Write;
use std::iter::Peekable;

use serde::Serialize;

use super::rules::{CheckersRules, SideColour, SquareNumbering};
use super::{Checkers, CheckersMove, CheckersState};
use ludion_core::game::{Game, Side, Status};
use ludion_core::notation::NotationError;
use ludion_core::outcome::Duel;

use tags::PdnTag;
use tokens::{PdnToken, PdnTokens, PdnWord};

/// A game of checkers as PDN records it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// The names and values of the tags, in order, without `FEN`, `SetUp`, `GameType` and
    /// `Result`, which are derived from the other fields.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: CheckersState,
    /// The moves played.
    pub moves: Vec<CheckersMove>,
    /// The outcome; `None` for an unfinished game.
    pub result: Option<Duel>,
}

/// The games of a PDN text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnFile {
    /// The games without errors, in order.
    pub games: Vec<PdnGame>,
    /// The first error of each other game, in order.
    pub errors: Vec<PdnError>,
}

/// Error of one game in a PDN text, with the place of the problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
#[error("game {number}, line {line}: {problem}")]
pub struct PdnError {
    /// The number of the game in the text, counted from 1.
    pub number: usize,
    /// The line of the invalid tag or move, counted from 1.
    pub line: usize,
    /// The description of the problem.
    pub problem: String,
}

/// How a PDN reader treats games whose tags name another rule set than its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesTagPolicy {
    /// Games whose tags name another rule set are errors.
    Reject,
    /// Tags that name a rule set are ignored, and moves are read with the reader's rules.
    Ignore,
}

/// The tags that [`PdnGame`] does not keep in `tags`, because its other fields imply them.
const DERIVED_TAGS: [&str; 4] = ["FEN", "SetUp", "GameType", "Result"];
/// The name of the tag that holds the spec of the game, which is written if the rule set has no
/// `GameType` number.
const RULES_TAG: &str = "Rules";
/// The maximum width of a line of moves, in characters.
const MAX_LINE_WIDTH: usize = 80;

/// Returns the rule set and board size that the first tag `GameType` or `Rules` in a PDN text
/// names; `None` if there is no such tag.
///
/// # Errors
/// When the tag names a game that is not supported.
pub fn game_from_tags(text: &str) -> Result<Option<Checkers>, String> {
    for token in PdnTokens::new(text) {
        if let PdnToken::Tag(Ok(tag)) = token
            && let Some(g) = tag.game()?
        {
            return Ok(Some(g));
        }
    }
    Ok(None)
}

impl Checkers {
    /// Parses all games of a PDN text with the rules of this game.
    #[must_use]
    pub fn read_pdn(&self, text: &str, policy: RulesTagPolicy) -> PdnFile {
        let (mut found, mut tokens) = (PdnFile::default(), PdnTokens::new(text).peekable());
        let mut lines = LineCounter { rest: text.as_bytes(), line: 1 };
        let mut number = 0;
        // Every round takes the next token, so there are at most as many rounds as characters.
        while let Some(first) = tokens.next() {
            number += 1;
            match self.read_game(first, &mut tokens, policy) {
                Ok(record) => found.games.push(record),
                Err(PdnProblem { bytes_left, problem }) => {
                    let line = lines.at(bytes_left);
                    found.errors.push(PdnError { number, line, problem });
                    self.skip_game(&mut tokens);
                }
            }
        }
        found
    }

    /// Parses the game that begins with the token `first`. After an error, the rest of the game is
    /// left in `tokens`, but none of its tags.
    fn read_game(
        &self,
        first: PdnToken<'_>,
        tokens: &mut Peekable<PdnTokens<'_>>,
        policy: RulesTagPolicy,
    ) -> Result<PdnGame, PdnProblem> {
        let (tags, first_word) = match first {
            PdnToken::Tag(tag) => (take_tags(tag, tokens)?, None),
            PdnToken::Word(word) => (Vec::new(), Some(word)),
        };
        for tag in tags.iter().filter(|_| policy == RulesTagPolicy::Reject) {
            let wrong = |problem| PdnProblem { bytes_left: tag.bytes_left, problem };
            let other = tag.game().map_err(wrong)?.filter(|g| g != self);
            if let Some(g) = other {
                let problem = format!("the game is {}, not {}", g.spec(), self.spec());
                return Err(wrong(problem));
            }
        }
        let mut record = self.read_header(&tags)?;
        let mut s = record.start;
        let words = first_word.into_iter().chain(std::iter::from_fn(|| next_word(tokens)));
        for PdnWord { text, bytes_left } in words {
            if let Some(result) = self.read_result(text) {
                record.result = result.or(record.result);
                break;
            }
            let wrong =
                |error: NotationError| PdnProblem { bytes_left, problem: error.to_string() };
            let m = self.read_move(&s, text).map_err(wrong)?;
            self.play(&mut s, m);
            record.moves.push(m);
        }
        Ok(record)
    }

    /// Returns a game without moves that has the start position, the result and the other tags
    /// given by `tags`.
    fn read_header(&self, tags: &[PdnTag]) -> Result<PdnGame, PdnProblem> {
        let mut start = self.start();
        let mut result = None;
        for tag in tags {
            let wrong = |error: NotationError| PdnProblem {
                bytes_left: tag.bytes_left,
                problem: error.to_string(),
            };
            match tag.name.as_str() {
                "FEN" => start = self.read_state(&tag.value).map_err(wrong)?,
                "Result" => result = self.read_result(&tag.value).flatten(),
                _ => {}
            }
        }
        let is_derived = |tag: &&PdnTag| {
            DERIVED_TAGS.contains(&tag.name.as_str()) || tag.named_rules().is_some()
        };
        let others = tags.iter().filter(|tag| !is_derived(tag));
        let tags = others.map(|tag| (tag.name.clone(), tag.value.clone())).collect();
        Ok(PdnGame { tags, start, moves: Vec::new(), result })
    }

    /// Skips the moves of a game with an error, up to its result or the tags of the next game.
    fn skip_game(&self, tokens: &mut Peekable<PdnTokens<'_>>) {
        while next_word(tokens).is_some_and(|word| self.read_result(word.text).is_none()) {}
    }

    /// Parses a result such as `1-0`, with the points of white first. Returns `Some(None)` for an
    /// unfinished game (`*`), and `None` if `token` is not a result.
    fn read_result(&self, token: &str) -> Option<Option<Duel>> {
        let won = |colour| Some(Some(Duel::Won(self.side(colour))));
        match token {
            "*" => Some(None),
            "1-0" | "2-0" => won(SideColour::White),
            "0-1" | "0-2" => won(SideColour::Black),
            "1/2-1/2" | "1-1" | "0-0" => Some(Some(Duel::Drawn)),
            _ => None,
        }
    }

    /// Writes a game as PDN.
    ///
    /// # Errors
    /// When a move is not legal where it is played.
    pub fn show_pdn(&self, record: &PdnGame) -> Result<String, NotationError> {
        let result = match record.result {
            None => "*",
            Some(Duel::Drawn) => "1/2-1/2",
            Some(Duel::Won(side)) if side == self.side(SideColour::White) => "1-0",
            Some(Duel::Won(_)) => "0-1",
        };
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("a string takes any text");
        };
        record.tags.iter().for_each(|(name, value)| tag(name, value));
        match self.game_type() {
            Some(number) => tag("GameType", &number),
            None => tag(RULES_TAG, &self.spec()),
        }
        if record.start != self.start() {
            tag("FEN", &self.show_state(&record.start));
        }
        tag("Result", result);
        text.push('\n');
        let words = self.words(record)?;
        wrap(&mut text, words.iter().map(String::as_str).chain([result]));
        Ok(text)
    }

    /// Returns the spec of the game, such as `checkers(english, 6)`, with its size only if it is
    /// not the usual one.
    #[must_use]
    pub fn spec(&self) -> String {
        let size = match self.size() {
            size if size == usize::from(self.rules.size) => String::new(),
            size => format!(", {size}"),
        };
        format!("checkers({}{size})", self.rules.name)
    }

    /// Returns the value of the tag `GameType`: the number of the rule set and, if the board is
    /// not the usual one, the colour that moves first, the width and height, the corner of square
    /// 1 (1: bottom right, 2: top left, seen from the side that moves first), and whether light
    /// squares are played on. `None` if the rule set has no number.
    fn game_type(&self) -> Option<String> {
        let CheckersRules { game_type: number @ 1.., size: usual, first, numbering, .. } =
            self.rules
        else {
            return None;
        };
        let size = self.size();
        if size == usize::from(usual) {
            return Some(number.to_string());
        }
        let first = if first == SideColour::White { 'W' } else { 'B' };
        let squares = match numbering {
            SquareNumbering::Plain => "N2,0",
            SquareNumbering::Rotated => "N1,0",
            SquareNumbering::Mirrored => "N2,1",
        };
        Some(format!("{number},{first},{size},{size},{squares}"))
    }

    /// Returns the moves in notation, with a move number before each move of the first side.
    fn words(&self, record: &PdnGame) -> Result<Vec<String>, NotationError> {
        let mut s = record.start;
        let (mut words, mut number) = (Vec::new(), 1);
        for &m in &record.moves {
            let mut legal = Vec::new();
            self.moves(&s, &mut legal);
            if !legal.contains(&m) {
                let problem = format!("move {number} of the game is not legal: {m:?}");
                return Err(NotationError::new(&self.show_state(&s), problem));
            }
            let Status::Turn(turn) = self.status(&s) else { break };
            let dots = match turn {
                Side::First => format!("{number}. "),
                Side::Second if words.is_empty() => format!("{number}... "),
                Side::Second => String::new(),
            };
            words.push(dots + &self.show_move(&s, m));
            number += usize::from(turn == Side::Second);
            self.play(&mut s, m);
        }
        Ok(words)
    }
}

/// Takes the tags of a game, of which `first` is already taken. After an error the others are taken
/// as well.
fn take_tags(
    first: Result<PdnTag, PdnProblem>,
    tokens: &mut Peekable<PdnTokens<'_>>,
) -> Result<Vec<PdnTag>, PdnProblem> {
    let others = std::iter::from_fn(|| next_tag(tokens));
    let tags: Vec<Result<PdnTag, PdnProblem>> = std::iter::once(first).chain(others).collect();
    tags.into_iter().collect()
}

/// Takes the next token if it is a tag.
fn next_tag(tokens: &mut Peekable<PdnTokens<'_>>) -> Option<Result<PdnTag, PdnProblem>> {
    match tokens.next_if(|token| matches!(token, PdnToken::Tag(_)))? {
        PdnToken::Tag(tag) => Some(tag),
        PdnToken::Word(_) => None,
    }
}

/// Takes the next move or result; `None` at the tags of the next game and at the end of the text.
fn next_word<'a>(tokens: &mut Peekable<PdnTokens<'a>>) -> Option<PdnWord<'a>> {
    match tokens.next_if(|token| matches!(token, PdnToken::Word(_)))? {
        PdnToken::Word(word) => Some(word),
        PdnToken::Tag(_) => None,
    }
}

/// Appends words to `text`, separated by spaces, in lines of at most [`MAX_LINE_WIDTH`] characters.
fn wrap<'a>(text: &mut String, words: impl Iterator<Item = &'a str>) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > MAX_LINE_WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

/// A problem in a PDN text, and its place as the number of bytes from there to the end of the text.
struct PdnProblem {
    bytes_left: usize,
    problem: String,
}

/// Converts places in a text to line numbers; the places must be asked for in ascending order.
struct LineCounter<'a> {
    rest: &'a [u8],
    line: usize,
}

impl LineCounter<'_> {
    /// Returns the line number of the place that is `bytes_left` bytes before the end of the text.
    fn at(&mut self, bytes_left: usize) -> usize {
        let (passed, rest) = self.rest.split_at(self.rest.len() - bytes_left);
        self.rest = rest;
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.line
    }
}
