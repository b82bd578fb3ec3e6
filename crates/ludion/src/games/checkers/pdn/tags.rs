//! The tags of a game, `[Name "value"]`: how they are read, and which game they name.

use super::super::rules;
use super::{Checkers, ParseProblem, RULES};

/// A tag, and how much of the text was left before it.
pub(super) struct PdnTag {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) left: usize,
}

impl PdnTag {
    /// The game that the tag names, if it is one of those that do.
    pub(super) fn game(&self) -> Result<Option<Checkers>, String> {
        match self.name.as_str() {
            "GameType" if !self.value.trim().is_empty() => game_type(&self.value).map(Some),
            _ => Ok(self.names_rules()),
        }
    }

    /// The game that our own tag names.
    pub(super) fn names_rules(&self) -> Option<Checkers> {
        if self.name == RULES { Checkers::named(&self.value) } else { None }
    }
}

/// The game that a value of the tag `GameType` says.
fn game_type(value: &str) -> Result<Checkers, String> {
    let fields: Vec<&str> = value.split(',').map(str::trim).collect();
    let played = || rules::ALL.into_iter().filter(|rules| rules.game_type > 0);
    let number = fields[0].parse::<u8>().ok();
    let rules = played().find(|rules| Some(rules.game_type) == number).ok_or_else(|| {
        let known: Vec<String> =
            played().map(|rules| format!("{} {}", rules.game_type, rules.name)).collect();
        format!("the game of GameType {value:?} is not played here, but {}", known.join(", "))
    })?;
    let (width, height) = match fields[..] {
        [_, _, width, height, ..] => (width, height),
        _ => return Ok(Checkers::new(rules, rules.size)),
    };
    match width.parse() {
        Ok(size @ (6 | 8 | 10)) if width == height => Ok(Checkers::new(rules, size)),
        _ => Err(format!(
            "GameType {value:?} says a board of {width} by {height}, but they are 6, 8 or 10 squares a side"
        )),
    }
}

/// Takes the tags at the beginning of a text; each ends on the line where it begins.
pub(super) fn read_tags(text: &str) -> Result<(Vec<PdnTag>, &str), ParseProblem> {
    let (mut tags, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start();
        let Some(tag) = rest.strip_prefix('[') else { return Ok((tags, rest)) };
        let left = rest.len();
        let wrong = || {
            let problem = "expected a tag like [Name \"value\"]".to_owned();
            ParseProblem { left, problem }
        };
        let line = tag.split('\n').next().unwrap_or(tag);
        let (name, value) = line.split_once('"').ok_or_else(wrong)?;
        let (value, behind) = unquote(value).ok_or_else(wrong)?;
        let behind = behind.trim_start().strip_prefix(']').ok_or_else(wrong)?;
        tags.push(PdnTag { name: name.trim().to_owned(), value, left });
        rest = &tag[line.len() - behind.len()..];
    }
}

/// What is behind all lines that begin with a tag, right or wrong.
pub(super) fn behind_tags(mut text: &str) -> &str {
    while text.trim_start().starts_with('[') {
        text = text.trim_start().split_once('\n').map_or("", |(_, rest)| rest);
    }
    text
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
