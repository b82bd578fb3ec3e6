//! The syntax of specs, `name(value, name=value)`, independent of the meaning of the values.

use std::fmt;

use crate::param::ParamError;

/// A parsed spec: a name with values as the user wrote them, such as `uct(sims=1000, 0.3)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name before the parenthesis, that of a game, player, evaluator or riddle.
    pub name: String,
    /// The values in the parentheses, in the order in which they are written.
    pub values: Vec<SpecValue>,
}

/// One value of a spec, with the name of its parameter if the spec gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecValue {
    /// The name of the parameter before the equals sign; `None` for a value without a name.
    pub name: Option<String>,
    /// The value as text, without quotes.
    pub text: String,
    /// Whether the value was quoted. In an unquoted value, a leading `?` marks a parameter to be
    /// tuned; in a quoted value it has no special meaning.
    pub quoted: bool,
}

impl fmt::Display for SpecValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}=")?;
        }
        if self.quoted { f.write_str(&quoted(&self.text)) } else { f.write_str(&self.text) }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let values: Vec<String> = self.values.iter().map(SpecValue::to_string).collect();
        if values.is_empty() { Ok(()) } else { write!(f, "({})", values.join(", ")) }
    }
}

/// Returns `text` in double quotes, with quotes and backslashes escaped as [`Spec::parse`] expects.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Largest number of parentheses within each other in a value. A spec in a spec is parsed by a
/// function that calls itself, so without a limit a long text would exhaust the stack.
const MAX_NESTING: u32 = 16;

impl Spec {
    /// Parses `name` or `name(value, name=value, …)`. Values may be quoted, and may contain
    /// balanced parentheses.
    ///
    /// # Errors
    /// When the text does not have this form.
    pub fn parse(text: &str) -> Result<Self, ParamError> {
        SpecScanner { text, chars: text.chars().collect(), at: 0 }.spec()
    }
}

struct SpecScanner<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
}

impl SpecScanner<'_> {
    fn error(&self, problem: &'static str) -> ParamError {
        ParamError::Syntax { text: self.text.to_owned(), at: self.at, problem }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> String {
        let from = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-') {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }

    fn spec(mut self) -> Result<Spec, ParamError> {
        self.skip_space();
        let name = self.word();
        if name.is_empty() {
            return Err(self.error("expected a name"));
        }
        self.skip_space();
        let mut values = Vec::new();
        if self.peek() == Some('(') {
            self.at += 1;
            self.skip_space();
            while self.peek() != Some(')') {
                values.push(self.named_value()?);
                match self.peek() {
                    Some(',') => self.at += 1,
                    Some(')') => {}
                    _ => return Err(self.error("expected ) or ,")),
                }
                self.skip_space();
            }
            self.at += 1;
        }
        self.skip_space();
        if self.at < self.chars.len() {
            return Err(self.error("expected nothing more"));
        }
        Ok(Spec { name, values })
    }

    fn named_value(&mut self) -> Result<SpecValue, ParamError> {
        let start = self.at;
        let name = self.word();
        self.skip_space();
        if !name.is_empty() && self.peek() == Some('=') {
            self.at += 1;
            self.skip_space();
            return self.value(Some(name));
        }
        self.at = start;
        self.value(None)
    }

    fn value(&mut self, name: Option<String>) -> Result<SpecValue, ParamError> {
        let quoted = self.peek() == Some('"');
        let text = if quoted { self.quoted()? } else { self.bare()? };
        self.skip_space();
        Ok(SpecValue { name, text, quoted })
    }

    fn quoted(&mut self) -> Result<String, ParamError> {
        self.at += 1;
        let mut value = String::new();
        loop {
            let c = self.peek().ok_or_else(|| self.error("expected a closing quote"))?;
            self.at += 1;
            match c {
                '"' => return Ok(value),
                '\\' => {
                    value.push(self.peek().ok_or_else(|| self.error("expected a character"))?);
                    self.at += 1;
                }
                _ => value.push(c),
            }
        }
    }

    fn bare(&mut self) -> Result<String, ParamError> {
        let from = self.at;
        let mut depth = 0;
        while let Some(c) = self.peek() {
            match c {
                '(' if depth == MAX_NESTING => {
                    return Err(self.error("expected at most 16 parentheses within each other"));
                }
                '(' => depth += 1,
                ')' | ',' if depth == 0 => break,
                ')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        let value: String = self.chars[from..self.at].iter().collect();
        let value = value.trim_end();
        if value.is_empty() { Err(self.error("expected a value")) } else { Ok(value.to_owned()) }
    }
}
