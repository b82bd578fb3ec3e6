//! Errors of the command line's syntax, as `clap` finds them: in the words of users, with what is
//! allowed, and as JSON on request.

use std::ffi::OsString;
use std::io::Write;

use clap::Error;

use crate::failure::ErrorReport;

/// Messages of the standard library about texts that are no numbers, with what is allowed.
const REASONS: [(&str, &str); 9] = [
    ("invalid digit found in string", "a whole number is allowed"),
    ("cannot parse integer from empty string", "a whole number is allowed"),
    ("number too large to fit in target type", "it has too many digits; 18 are allowed"),
    ("number too small to fit in target type", "it has too many digits; 18 are allowed"),
    ("invalid float literal", "a number is allowed"),
    ("cannot parse float from empty string", "a number is allowed"),
    ("provided string was not `true` or `false`", "true or false is allowed"),
    ("invalid socket address syntax", "an address such as 127.0.0.1:8080 is allowed"),
    ("invalid IP address syntax", "an address such as 127.0.0.1 is allowed"),
];

/// Returns whether the arguments of the program ask for JSON.
pub(crate) fn wants_json(args: impl IntoIterator<Item = OsString>) -> bool {
    args.into_iter().take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

/// Writes an error of the syntax, or the help or version that was asked for, and returns the exit
/// code.
pub(crate) fn report(error: &Error, json: bool) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    if !error.use_stderr() {
        // A closed pipe is not an error.
        let _ = error.print();
        return code;
    }
    if json {
        let text = plain(&error.render().to_string());
        let (message, hint) = message_and_hint(&text);
        return ErrorReport { message: &message, hint, exit_code: code }.write();
    }
    let _ = write!(anstream::stderr(), "{}", plain(&error.render().ansi().to_string()));
    code
}

/// Returns the message of an error of the syntax on one line.
pub(crate) fn message(error: &Error) -> String {
    message_and_hint(&plain(&error.render().to_string())).0
}

/// Returns the text of an error with the words of the implementation replaced.
pub(crate) fn plain(text: &str) -> String {
    let replace = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
    let text = REASONS.iter().fold(text.to_owned(), replace);
    with_plain_range(&text)
}

/// Replaces `0 is not in 1..=9` by `0 is not a whole number from 1 to 9`.
fn with_plain_range(text: &str) -> String {
    const PHRASE: &str = " is not in ";
    let Some((before, after)) = text.split_once(PHRASE) else { return text.to_owned() };
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let (range, rest) = after.split_at(end);
    let Some((least, most)) = range.split_once("..") else { return text.to_owned() };
    let most = most.trim_start_matches('=');
    // The limit of a type is told only to those who exceed it.
    let is_of_type = ["18446744073709551615", "4294967295", "9223372036854775807"].contains(&most);
    let number = |text: &str| text.parse::<u128>().unwrap_or_default();
    let exceeds = number(before.rsplit(' ').next().unwrap_or_default()) > number(most);
    let range = match (least, most) {
        (least, "") => format!("{least} or more"),
        (least, _) if is_of_type && !exceeds => format!("{least} or more"),
        ("", most) => format!("up to {most}"),
        (least, most) => format!("from {least} to {most}"),
    };
    format!("{before} is not allowed; a whole number {range} is{rest}")
}

/// Splits the text of an error into its message on one line, and the rest: suggestions and usage.
fn message_and_hint(text: &str) -> (String, Option<String>) {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let lines = |text: &str, separator: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(separator)
    };
    let hint = lines(rest, "; ");
    (lines(message, " "), (!hint.is_empty()).then_some(hint))
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;
    use clap::{Command, CommandFactory};

    use super::*;
    use crate::Cli;

    #[test]
    fn words_of_the_implementation_are_replaced() {
        assert_eq!(
            plain("invalid value 'x' for '--seed <N>': invalid digit found in string\n"),
            "invalid value 'x' for '--seed <N>': a whole number is allowed\n"
        );
        assert_eq!(
            plain("for '--threads <N>': 0 is not in 1..=1024\n\nFor more"),
            "for '--threads <N>': 0 is not allowed; a whole number from 1 to 1024 is\n\nFor more"
        );
        assert_eq!(
            plain("0 is not in 1..=4294967295"),
            "0 is not allowed; a whole number 1 or more is"
        );
        assert_eq!(
            plain("4294967296 is not in 1..=4294967295"),
            "4294967296 is not allowed; a whole number from 1 to 4294967295 is"
        );
    }

    #[test]
    fn an_error_is_split_into_message_and_hint() {
        let text = "error: unexpected argument '--x' found\n\n  tip: use '--y'\n\nUsage: ludion\n";
        let (message, hint) = message_and_hint(text);
        assert_eq!(message, "unexpected argument '--x' found");
        assert_eq!(hint.as_deref(), Some("tip: use '--y'; Usage: ludion"));
    }

    #[test]
    fn json_is_asked_for_before_two_dashes_only() {
        let args = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert!(wants_json(args("ludion games --json")));
        assert!(!wants_json(args("ludion games -- --json")));
    }

    /// Calls `visit` with every command and its path.
    fn each_command(
        command: &Command,
        path: &[String],
        visit: &mut impl FnMut(&Command, &[String]),
    ) {
        visit(command, path);
        for subcommand in command.get_subcommands() {
            let path = [path, &[subcommand.get_name().to_owned()]].concat();
            each_command(subcommand, &path, visit);
        }
    }

    #[test]
    fn a_bad_value_of_any_option_is_refused_with_what_is_allowed() {
        const BAD: &str = "@bad@";
        const INTERNAL: [&str; 7] =
            ["digit", "literal", "target type", "..=", "provided string", "::", "Error"];
        let (mut tried, mut wrong) = (0, Vec::new());
        each_command(&Cli::command(), &["ludion".to_owned()], &mut |command, path| {
            let options = command.get_arguments().filter(|arg| arg.get_long().is_some());
            for option in options.filter(|arg| arg.get_action().takes_values()) {
                let name = format!("--{}", option.get_long().unwrap_or_default());
                let args = path.iter().cloned().chain([format!("{name}={BAD}")]);
                let Err(error) = Cli::command().try_get_matches_from(args) else { continue };
                let kind = error.kind();
                if !matches!(kind, ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
                    continue;
                }
                tried += 1;
                let text = plain(&error.render().to_string());
                let first = text.lines().next().unwrap_or_default();
                let reason = text.replace(BAD, "").replace(&name, "");
                let says = ["allowed", "possible values", "such as", "it takes", "write", "wanted"];
                let says = says.iter().chain(&["ends in", " or a number", "form name=value"]);
                // An address may have a password, which is not shown.
                let is_secret = ["--cluster", "--nats"].contains(&&name[..]);
                if !first.contains(&name) || !first.contains(BAD) && !is_secret {
                    wrong.push(format!("{path:?} does not name what was given: {text}"));
                } else if INTERNAL.iter().any(|word| reason.contains(word)) {
                    wrong.push(format!("{path:?} has an internal name: {text}"));
                } else if !says.clone().any(|word| text.contains(word)) {
                    wrong.push(format!("{path:?} does not say what is allowed: {text}"));
                }
            }
        });
        assert!(tried > 60, "only {tried} options were tried");
        assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    }
}
