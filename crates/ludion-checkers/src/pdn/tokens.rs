//! The tokenizer of a PDN text: tags, moves and results. It skips move numbers, comments, variations
//! and annotations.

use super::PdnProblem;
use super::tags::{PdnTag, read_tag};

/// A tag, a move or a result in a PDN text.
pub(super) enum PdnToken<'a> {
    /// A tag; the error says what is wrong with its line.
    Tag(Result<PdnTag, PdnProblem>),
    /// A move or a result.
    Word(PdnWord<'a>),
}

/// A move or a result, and its place as the number of bytes from its beginning to the end of the
/// text.
#[derive(Clone, Copy)]
pub(super) struct PdnWord<'a> {
    pub(super) text: &'a str,
    pub(super) bytes_left: usize,
}

/// An iterator over the tokens of a text. Every token takes at least one character of the text, so
/// a reader that takes a token in every round comes to the end.
pub(super) struct PdnTokens<'a> {
    rest: &'a str,
}

impl<'a> PdnTokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        PdnTokens { rest: text }
    }

    /// Takes the text before byte `end`, but at least the next character. All other functions take
    /// text by this one, so none of them can stay where it is.
    fn take(&mut self, end: usize) -> &'a str {
        let one = self.rest.chars().next().map_or(0, char::len_utf8);
        let (taken, rest) = self.rest.split_at(end.max(one));
        self.rest = rest;
        taken
    }

    /// Takes the next character, and those after it up to the first that ends the token.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let mut after_first = self.rest.char_indices().skip(1);
        let end = after_first.find(|&(_, c)| ends(c)).map_or(self.rest.len(), |(at, _)| at);
        self.take(end)
    }

    /// Takes a comment in braces.
    fn comment(&mut self) {
        let end = self.rest.find('}').map_or(self.rest.len(), |at| at + 1);
        self.take(end);
    }

    /// Takes a variation in parentheses, with the variations and comments in it.
    fn variation(&mut self) {
        let mut depth = 0_usize;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => {
                    self.comment();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.take(0);
            if depth == 0 {
                return;
            }
        }
    }

    /// Takes a tag, or the whole line if it is not a tag.
    fn tag(&mut self) -> Result<PdnTag, PdnProblem> {
        let line = self.rest.split('\n').next().unwrap_or(self.rest);
        let read = read_tag(line, self.rest.len());
        let end = read.as_ref().map_or(line.len(), |(_, end)| *end);
        self.take(end);
        read.map(|(tag, _)| tag)
    }
}

impl<'a> Iterator for PdnTokens<'a> {
    type Item = PdnToken<'a>;

    fn next(&mut self) -> Option<PdnToken<'a>> {
        while let Some(first) = self.rest.chars().next() {
            match first {
                '{' => self.comment(),
                '(' => self.variation(),
                '[' => return Some(PdnToken::Tag(self.tag())),
                ')' | '}' => _ = self.take(0),
                ';' | '%' => _ = self.take_until(|c| c == '\n'),
                _ if first.is_whitespace() => _ = self.take_until(|c| !c.is_whitespace()),
                _ => {
                    let bytes_left = self.rest.len();
                    let ends = |c: char| c.is_whitespace() || "{}();[$".contains(c);
                    let text = without_number(self.take_until(ends)).trim_end_matches(['!', '?']);
                    if !text.is_empty() && !text.starts_with('$') {
                        return Some(PdnToken::Word(PdnWord { text, bytes_left }));
                    }
                }
            }
        }
        None
    }
}

/// Removes the move number before a move, as in `12.31-27` and `12...`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match word[digits..].strip_prefix('.') {
        Some(rest) if digits > 0 => rest.trim_start_matches('.'),
        _ => word,
    }
}
