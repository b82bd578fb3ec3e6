//! The tokenizer of the movetext of a PDN game. It skips move numbers, comments, variations and
//! annotations.

/// An iterator over the moves and the result at the beginning of a text. At the tags of the next
/// game it returns the rest of the text, which begins with `[`.
pub(super) struct PdnTokens<'a>(pub(super) &'a str);

impl<'a> Iterator for PdnTokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.0 = self.0.trim_start();
            let rest = match self.0.chars().next()? {
                '{' => skip_comment(self.0),
                '(' => skip_variation(self.0),
                ';' | '%' => self.0.split_once('\n').map_or("", |(_, rest)| rest),
                '[' => return Some(self.0),
                ')' | '}' => &self.0[1..],
                first => {
                    let stop = |c: char| c.is_whitespace() || "{}();[$".contains(c);
                    let width = first.len_utf8();
                    let end = self.0[width..].find(stop).map_or(self.0.len(), |i| width + i);
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

/// Removes the move number before a move, as in `12.31-27` and `12...`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    match word[digits..].strip_prefix('.') {
        Some(rest) if digits > 0 => rest.trim_start_matches('.'),
        _ => word,
    }
}

/// Skips a comment in braces and returns the rest of the text.
fn skip_comment(text: &str) -> &str {
    text.split_once('}').map_or("", |(_, rest)| rest)
}

/// Skips a variation in parentheses, with nested variations and comments, and returns the rest of
/// the text.
fn skip_variation(text: &str) -> &str {
    let (mut depth, mut rest) = (0, text);
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => {
                rest = skip_comment(rest);
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
