//! Games of checkers in PDN, the portable draughts notation: tags, then moves with numbers,
//! then the result. Comments, variations and annotations are skipped when games are read.

use std::fmt::Write;

use super::rules::{self, Colour, Rules};
use super::{Checkers, Move, State};
use crate::game::{Game, Side, Status};
use crate::notation::ReadError;
use crate::outcome::Duel;

/// A game as PDN keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Names and values of the tags, in their order; `FEN`, `GameType` and `Result` are made
    /// from the rest and are not among them.
    pub tags: Vec<(String, String)>,
    /// Where the game began.
    pub start: State,
    /// The moves played.
    pub moves: Vec<Move>,
    /// How it ended, if it did.
    pub result: Option<Duel>,
}

/// Tags that [`Record`] holds in fields of their own.
const OWN_TAGS: [&str; 4] = ["FEN", "SetUp", "GameType", "Result"];
/// Lines of moves are not longer.
const WIDTH: usize = 80;

/// The rule set that the first tag `GameType` of a PDN text names, by its number.
#[must_use]
pub fn rules_of(text: &str) -> Option<Rules> {
    let (_, tag) = text.split_once("[GameType \"")?;
    let digits = tag.bytes().take_while(u8::is_ascii_digit).count();
    let number = tag[..digits].parse().ok().filter(|&number: &u8| number > 0)?;
    rules::ALL.into_iter().find(|rules| rules.game_type == number)
}

impl Checkers {
    /// Reads all games of a PDN text.
    ///
    /// # Errors
    /// The first tag or move that does not read, with the number of its game.
    pub fn read_pdn(&self, text: &str) -> Result<Vec<Record>, ReadError> {
        let mut games = Vec::new();
        let mut rest = text;
        loop {
            let (tags, behind) = read_tags(text, rest)?;
            if tags.is_empty() && Tokens(behind).next().is_none() {
                return Ok(games);
            }
            let number = games.len() + 1;
            let (record, behind) = self
                .read_game(tags, behind)
                .map_err(|e| ReadError::new(text, format!("game {number}: {e}")))?;
            games.push(record);
            rest = behind;
        }
    }

    /// One game, and the text behind it.
    fn read_game<'a>(
        &self,
        mut tags: Vec<(String, String)>,
        text: &'a str,
    ) -> Result<(Record, &'a str), ReadError> {
        let fen = tags.iter().find(|(name, _)| name == "FEN");
        let start = fen.map_or(Ok(self.start()), |(_, fen)| self.read_state(fen))?;
        tags.retain(|(name, _)| !OWN_TAGS.contains(&name.as_str()));
        let mut record = Record { tags, start, moves: Vec::new(), result: None };
        let (mut s, mut tokens) = (start, Tokens(text));
        loop {
            let before = tokens.0;
            let Some(token) = tokens.next() else { break };
            if token.starts_with('[') {
                // The tags of the next game: this one has no result.
                tokens.0 = before;
                break;
            }
            if let Some(result) = self.read_result(token) {
                record.result = result;
                break;
            }
            let m = self.read_move(&s, token)?;
            self.play(&mut s, m);
            record.moves.push(m);
        }
        Ok((record, tokens.0))
    }

    /// The result that a token says, white's points first; `Some(None)` for an open one.
    fn read_result(&self, token: &str) -> Option<Option<Duel>> {
        let won = |colour| Some(Some(Duel::Won(self.side(colour))));
        match token {
            "*" => Some(None),
            "1-0" | "2-0" => won(Colour::White),
            "0-1" | "0-2" => won(Colour::Black),
            "1/2-1/2" | "1-1" | "0-0" => Some(Some(Duel::Drawn)),
            _ => None,
        }
    }

    /// Writes a game as PDN.
    ///
    /// # Errors
    /// When a move is not legal where it is played.
    pub fn show_pdn(&self, record: &Record) -> Result<String, ReadError> {
        let result = match record.result {
            None => "*",
            Some(Duel::Drawn) => "1/2-1/2",
            Some(Duel::Won(side)) if side == self.side(Colour::White) => "1-0",
            Some(Duel::Won(_)) => "0-1",
        };
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("a string takes any text");
        };
        record.tags.iter().for_each(|(name, value)| tag(name, value));
        if self.rules.game_type > 0 {
            tag("GameType", &self.rules.game_type.to_string());
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

    /// The moves as they are written, numbers before those of the first side.
    fn words(&self, record: &Record) -> Result<Vec<String>, ReadError> {
        let mut s = record.start;
        let (mut words, mut number) = (Vec::new(), 1);
        for &m in &record.moves {
            let mut legal = Vec::new();
            self.moves(&s, &mut legal);
            if !legal.contains(&m) {
                let problem = format!("move {number} of the game is not legal: {m:?}");
                return Err(ReadError::new(&self.show_state(&s), problem));
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

/// Takes the tags at the beginning of `rest`, a part of `text`.
#[expect(clippy::type_complexity, reason = "the tags, and the text behind them")]
fn read_tags<'a>(
    text: &str,
    mut rest: &'a str,
) -> Result<(Vec<(String, String)>, &'a str), ReadError> {
    let mut tags = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some(tag) = rest.strip_prefix('[') else { return Ok((tags, rest)) };
        let at = text[..text.len() - rest.len()].chars().count();
        let wrong = || ReadError::at(text, at, "expected a tag like [Name \"value\"]");
        let (name, value) = tag.split_once('"').ok_or_else(wrong)?;
        let (value, behind) = unquote(value).ok_or_else(wrong)?;
        tags.push((name.trim().to_owned(), value));
        rest = behind.trim_start().strip_prefix(']').ok_or_else(wrong)?;
    }
}

/// The text up to the closing quote, and what is behind it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let (mut value, mut escaped) = (String::new(), false);
    for (i, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return Some((value, &text[i + 1..])),
            _ => {
                value.push(c);
                escaped = false;
            }
        }
    }
    None
}

/// The words of a game that count: moves and the result.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            let rest = match self.0.chars().next()? {
                '{' => behind_brace(self.0),
                '(' => behind_variation(self.0),
                ';' | '%' => self.0.split_once('\n').map_or("", |(_, rest)| rest),
                '[' => return Some(self.0),
                ')' | '}' => &self.0[1..],
                first => {
                    let stop = |c: char| c.is_whitespace() || "{}();[$".contains(c);
                    let behind = first.len_utf8();
                    let end = self.0[behind..].find(stop).map_or(self.0.len(), |i| behind + i);
                    let (word, rest) = self.0.split_at(end);
                    self.0 = rest;
                    let word = without_number(word).trim_end_matches(['!', '?']);
                    if word.is_empty() || word.starts_with('$') {
                        continue;
                    }
                    return Some(word);
                }
            };
            self.0 = rest;
        }
    }
}

/// A word without the number of the move before it: `12.31-27` and `12...` have one.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match word[digits..].strip_prefix('.') {
        Some(rest) if digits > 0 => rest.trim_start_matches('.'),
        _ => word,
    }
}

fn behind_brace(text: &str) -> &str {
    text.split_once('}').map_or("", |(_, rest)| rest)
}

/// What is behind a variation, with variations and comments within it.
fn behind_variation(text: &str) -> &str {
    let (mut depth, mut rest) = (0, text);
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => {
                rest = behind_brace(rest);
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
        if depth == 0 {
            break;
        }
    }
    rest
}
