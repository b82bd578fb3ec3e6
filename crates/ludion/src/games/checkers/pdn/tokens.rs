//! The text of a game cut into words: numbers of moves, comments, variations and annotations
//! are passed.

/// The words of a game that count: moves and the result.
pub(super) struct PdnTokens<'a>(pub(super) &'a str);

impl<'a> Iterator for PdnTokens<'a> {
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
