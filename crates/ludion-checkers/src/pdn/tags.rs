//! Parses the tags of a PDN game, `[Name "value"]`, and the rule set and board size that they name.

use super::super::rules;
use super::{Checkers, PdnProblem, RULES_TAG};

/// A tag of a PDN game, and its place as the number of bytes from its beginning to the end of the
/// text.
pub(super) struct PdnTag {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) bytes_left: usize,
}

impl PdnTag {
    /// Returns the rule set and board size that a tag `GameType` or `Rules` names; `None` for other
    /// tags. A `GameType` that is not supported is an error.
    pub(super) fn game(&self) -> Result<Option<Checkers>, String> {
        match self.name.as_str() {
            "GameType" if !self.value.trim().is_empty() => game_type(&self.value).map(Some),
            _ => Ok(self.named_rules()),
        }
    }

    /// Returns the game whose spec is the value of a tag [`RULES_TAG`]; `None` for other tags and
    /// invalid specs.
    pub(super) fn named_rules(&self) -> Option<Checkers> {
        if self.name == RULES_TAG { Checkers::named(&self.value) } else { None }
    }
}

/// Parses the value of the tag `GameType`, such as `21` or `20,W,8,8,N2,0`.
fn game_type(value: &str) -> Result<Checkers, String> {
    let fields: Vec<&str> = value.split(',').map(str::trim).collect();
    let supported = || rules::ALL.into_iter().filter(|rules| rules.game_type > 0);
    let number = fields[0].parse::<u8>().ok();
    let rules = supported().find(|rules| Some(rules.game_type) == number).ok_or_else(|| {
        let known: Vec<String> =
            supported().map(|rules| format!("{} {}", rules.game_type, rules.name)).collect();
        format!("GameType {value:?} is not supported; known are {}", known.join(", "))
    })?;
    let (width, height) = match fields[..] {
        [_, _, width, height, ..] => (width, height),
        _ => return Ok(Checkers::new(rules, rules.size)),
    };
    match width.parse() {
        Ok(size @ (6 | 8 | 10)) if width == height => Ok(Checkers::new(rules, size)),
        _ => Err(format!(
            "GameType {value:?} has a board of {width} by {height}; 6, 8 and 10 squares a side are allowed"
        )),
    }
}

/// Parses the tags at the beginning of a text, each within one line; returns them and the rest of
/// the text.
pub(super) fn read_tags(text: &str) -> Result<(Vec<PdnTag>, &str), PdnProblem> {
    let (mut tags, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start();
        let Some(tag) = rest.strip_prefix('[') else { return Ok((tags, rest)) };
        let bytes_left = rest.len();
        let malformed = || {
            let problem = "expected a tag like [Name \"value\"]".to_owned();
            PdnProblem { bytes_left, problem }
        };
        let line = tag.split('\n').next().unwrap_or(tag);
        let (name, value) = line.split_once('"').ok_or_else(malformed)?;
        let (value, rest_of_line) = unquote(value).ok_or_else(malformed)?;
        let rest_of_line = rest_of_line.trim_start().strip_prefix(']').ok_or_else(malformed)?;
        tags.push(PdnTag { name: name.trim().to_owned(), value, bytes_left });
        rest = &tag[line.len() - rest_of_line.len()..];
    }
}

/// Skips all lines at the beginning of a text that start with `[`, and returns the rest.
pub(super) fn skip_tags(mut text: &str) -> &str {
    while text.trim_start().starts_with('[') {
        text = text.trim_start().split_once('\n').map_or("", |(_, rest)| rest);
    }
    text
}

/// Splits a text at its first unescaped quote: returns the unescaped value before it and the rest
/// after it; `None` if there is no such quote.
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
