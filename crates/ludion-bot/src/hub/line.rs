//! The lines of Hub: a command and its arguments, `command name=value flag name="two words"`.

use std::fmt;

/// A line of Hub.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HubLine {
    /// The command.
    pub command: String,
    /// The arguments: a name and its value, `None` for a flag.
    pub arguments: Vec<(String, Option<String>)>,
}

impl HubLine {
    /// Returns a line with this command and no arguments.
    #[must_use]
    pub fn new(command: &str) -> Self {
        HubLine { command: command.to_owned(), arguments: Vec::new() }
    }

    /// Adds an argument with a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.arguments.push((name.to_owned(), Some(value.to_string())));
        self
    }

    /// Adds an argument with a value if there is one.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a flag.
    #[must_use]
    pub fn flag(mut self, name: &str) -> Self {
        self.arguments.push((name.to_owned(), None));
        self
    }

    /// Returns the value of an argument; `None` if it is missing or a flag.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(n, _)| n == name).and_then(|(_, value)| value.as_deref())
    }

    /// Returns the value of an argument as a number; `None` if it is missing or no number.
    #[must_use]
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// Returns whether the line has a flag or an argument of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|(n, _)| n == name)
    }

    /// Parses a line. Every text is one; a quote that is not closed ends with the line.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (command, rest) = split_word(text);
        let mut line = HubLine::new(command);
        line.add_arguments(rest);
        line
    }

    /// Parses arguments and adds them.
    pub fn add_arguments(&mut self, text: &str) {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            let Some(after) = after.strip_prefix('=') else {
                self.arguments.push((name.to_owned(), None));
                rest = after.trim_start();
                continue;
            };
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => split_word(after),
            };
            self.arguments.push((name.to_owned(), Some(value.to_owned())));
            rest = after.trim_start();
        }
    }
}

/// Splits a text after its first word.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

impl fmt::Display for HubLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        for (name, value) in &self.arguments {
            match value {
                None => write!(f, " {name}")?,
                Some(value) => {
                    // There is no way to write a quote within quotes.
                    let value = value.replace(['"', '\n', '\r'], "'");
                    let is_bare = !value.is_empty()
                        && !value.contains(|c: char| c == '=' || c.is_whitespace());
                    let quote = if is_bare { "" } else { "\"" };
                    write!(f, " {name}={quote}{value}{quote}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_with_spaces_stand_in_quotes_and_flags_have_none() {
        let text = "info depth=12 score=-0.25 pv=\"32-28 19-23\" mate empty=\"\"";
        let line = HubLine::parse(text);
        assert_eq!(line.command, "info");
        assert_eq!(line.number::<u32>("depth"), Some(12));
        assert_eq!(line.number::<f64>("score"), Some(-0.25));
        assert_eq!(line.value("pv"), Some("32-28 19-23"));
        assert_eq!((line.value("mate"), line.has("mate"), line.has("pong")), (None, true, false));
        assert_eq!(line.value("empty"), Some(""));
        assert_eq!(line.to_string(), text);
        assert_eq!(HubLine::parse(" wait ").to_string(), "wait");
        assert_eq!(HubLine::parse("id name=\"open").value("name"), Some("open"));
    }

    proptest! {
        #[test]
        fn every_text_parses_and_what_is_written_reads_back(text in any::<String>()) {
            let line = HubLine::parse(&text);
            let written = line.to_string();
            prop_assert_eq!(HubLine::parse(&written).to_string(), written);
        }
    }
}
