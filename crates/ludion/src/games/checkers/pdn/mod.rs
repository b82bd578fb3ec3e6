//! Games of checkers in PDN, the portable draughts notation: tags, then moves with numbers,
//! then the result. Comments, variations and annotations are skipped when games are read, and
//! a game that does not read is named and passed.

mod tags;
mod tokens;

use std::fmt::Write;

use serde::Serialize;

use super::rules::{CheckersRules, SideColour, SquareNumbering};
use super::{Checkers, CheckersMove, CheckersState};
use crate::game::{Game, Side, Status};
use crate::notation::NotationError;
use crate::outcome::Duel;

use tags::{PdnTag, behind_tags, read_tags};
use tokens::PdnTokens;

/// A game as PDN keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// Names and values of the tags, in their order; `FEN`, `GameType` and `Result` are made
    /// from the rest and are not among them.
    pub tags: Vec<(String, String)>,
    /// Where the game began.
    pub start: CheckersState,
    /// The moves played.
    pub moves: Vec<CheckersMove>,
    /// How it ended, if it did.
    pub result: Option<Duel>,
}

/// What a PDN text holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnFile {
    /// The games that were read.
    pub games: Vec<PdnGame>,
    /// Those that do not read.
    pub wrong: Vec<PdnError>,
}

/// Why a game does not read, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize)]
#[error("game {number}, line {line}: {problem}")]
pub struct PdnError {
    /// The number of the game in the text, from 1.
    pub number: usize,
    /// The line of the tag or of the move, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// What becomes of games whose tags name other rules than those they are read by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignRules {
    /// They are wrong.
    Refused,
    /// The tags are not asked.
    Tried,
}

/// Tags that [`PdnGame`] holds in fields of their own.
const OWN_TAGS: [&str; 4] = ["FEN", "SetUp", "GameType", "Result"];
/// Where `GameType` has no number for the rules, this tag names the game in our words.
const RULES: &str = "Rules";
/// Lines of moves are not longer.
const WIDTH: usize = 80;

/// The game that the first tag of a PDN text which names one does.
///
/// # Errors
/// When the tag names a game that is not played here.
pub fn game_of(text: &str) -> Result<Option<Checkers>, String> {
    let tags = text.lines().filter(|line| line.trim_start().starts_with('['));
    for line in tags {
        let Ok((tags, _)) = read_tags(line) else { continue };
        for tag in &tags {
            if let Some(g) = tag.game()? {
                return Ok(Some(g));
            }
        }
    }
    Ok(None)
}

impl Checkers {
    /// Reads all games of a PDN text.
    #[must_use]
    pub fn read_pdn(&self, text: &str, foreign: ForeignRules) -> PdnFile {
        let (mut found, mut rest) = (PdnFile::default(), text);
        let mut lines = LineCounter { rest: text.as_bytes(), line: 1 };
        for number in 1.. {
            match self.read_game(&mut rest, foreign) {
                Ok(Some(record)) => found.games.push(record),
                Ok(None) => break,
                Err(ParseProblem { left, problem }) => {
                    let line = lines.at(left);
                    found.wrong.push(PdnError { number, line, problem });
                    rest = self.behind_game(rest);
                }
            }
        }
        found
    }

    /// Takes one game, if there is one; where it is wrong, as much of it as was read.
    fn read_game(
        &self,
        text: &mut &str,
        foreign: ForeignRules,
    ) -> Result<Option<PdnGame>, ParseProblem> {
        let (tags, behind) = read_tags(text).inspect_err(|_| *text = behind_tags(text))?;
        *text = behind;
        if tags.is_empty() && PdnTokens(behind).next().is_none() {
            return Ok(None);
        }
        for tag in tags.iter().filter(|_| foreign == ForeignRules::Refused) {
            let wrong = |problem| ParseProblem { left: tag.left, problem };
            let other = tag.game().map_err(wrong)?.filter(|g| g != self);
            if let Some(g) = other {
                let problem = format!("it is a game of {}, not of {}", g.spec(), self.spec());
                return Err(wrong(problem));
            }
        }
        let mut record = self.read_head(&tags)?;
        let (mut s, mut tokens) = (record.start, PdnTokens(behind));
        while let Some(token) = tokens.next() {
            if token.starts_with('[') {
                // The tags of the next game: this one has no result behind its moves.
                break;
            }
            let left = tokens.0.len() + token.len();
            *text = tokens.0;
            if let Some(result) = self.read_result(token) {
                record.result = result.or(record.result);
                break;
            }
            let wrong = |error: NotationError| ParseProblem { left, problem: error.to_string() };
            let m = self.read_move(&s, token).map_err(wrong)?;
            self.play(&mut s, m);
            record.moves.push(m);
        }
        Ok(Some(record))
    }

    /// What the tags say of a game.
    fn read_head(&self, tags: &[PdnTag]) -> Result<PdnGame, ParseProblem> {
        let mut start = self.start();
        let mut result = None;
        for tag in tags {
            let wrong =
                |error: NotationError| ParseProblem { left: tag.left, problem: error.to_string() };
            match tag.name.as_str() {
                "FEN" => start = self.read_state(&tag.value).map_err(wrong)?,
                "Result" => result = self.read_result(&tag.value).flatten(),
                _ => {}
            }
        }
        let own =
            |tag: &&PdnTag| OWN_TAGS.contains(&tag.name.as_str()) || tag.names_rules().is_some();
        let others = tags.iter().filter(|tag| !own(tag));
        let tags = others.map(|tag| (tag.name.clone(), tag.value.clone())).collect();
        Ok(PdnGame { tags, start, moves: Vec::new(), result })
    }

    /// What is behind a game of which something is wrong: its moves are passed, up to a result
    /// or to the next tags.
    fn behind_game<'a>(&self, text: &'a str) -> &'a str {
        let mut tokens = PdnTokens(text);
        for token in tokens.by_ref() {
            if token.starts_with('[') || self.read_result(token).is_some() {
                break;
            }
        }
        tokens.0
    }

    /// The result that a token says, white's points first; `Some(None)` for an open one.
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
            None => tag(RULES, &self.spec()),
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

    /// The game as the registry reads it.
    #[must_use]
    pub fn spec(&self) -> String {
        let size = match self.size() {
            size if size == usize::from(self.rules.size) => String::new(),
            size => format!(", {size}"),
        };
        format!("checkers({}{size})", self.rules.name)
    }

    /// The value of the tag `GameType`: the number of the rules and, where the board is not the
    /// usual one, who begins, its width and height, where square 1 is (1: bottom right, 2: top
    /// left, seen from the side that begins) and whether light squares are played on.
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
            SquareNumbering::Turned => "N1,0",
            SquareNumbering::Mirrored => "N2,1",
        };
        Some(format!("{number},{first},{size},{size},{squares}"))
    }

    /// The moves as they are written, numbers before those of the first side.
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

/// Writes words with spaces between them in lines that are not too long.
fn wrap<'a>(text: &mut String, words: impl Iterator<Item = &'a str>) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
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

/// What is wrong, and how much of the text was left there.
struct ParseProblem {
    left: usize,
    problem: String,
}

/// Counts the lines before places that come one after another.
struct LineCounter<'a> {
    rest: &'a [u8],
    line: usize,
}

impl LineCounter<'_> {
    /// The line of the place behind which so many bytes are left.
    fn at(&mut self, left: usize) -> usize {
        let (passed, rest) = self.rest.split_at(self.rest.len() - left);
        self.rest = rest;
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.line
    }
}
