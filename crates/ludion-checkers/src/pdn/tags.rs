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

/// Parses the tag at the beginning of a line; `bytes_left` is the number of bytes from there to the
/// end of the text. Returns the tag and the place after it in the line.
pub(super) fn read_tag(line: &str, bytes_left: usize) -> Result<(PdnTag, usize), PdnProblem> {
    let malformed = || {
        let problem = "expected a tag like [Name \"value\"]".to_owned();
        PdnProblem { bytes_left, problem }
    };
    let tag = line.strip_prefix('[').ok_or_else(malformed)?;
    let (name, value) = tag.split_once('"').ok_or_else(malformed)?;
    let (value, rest) = unquote(value).ok_or_else(malformed)?;
    let rest = rest.trim_start().strip_prefix(']').ok_or_else(malformed)?;
    let tag = PdnTag { name: name.trim().to_owned(), value, bytes_left };
    Ok((tag, line.len() - rest.len()))
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
