//! Failures of commands: an error message on standard error, with `--json` as a JSON object, and an
//! exit code, 2 for wrong usage, 1 for a failure, 130 after Ctrl-C, 143 after SIGTERM and 129 after
//! SIGHUP. A command that compares has a code for what it finds: 3 for a difference or damage, 4 for
//! what cannot be compared.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use ludion::arena::executor::MemoryShortageError;
use ludion::named::NamedRiddle;
use ludion::notation::NotationError;
use ludion::player::PlayerError;
use ludion::registry::{MoveListError, RegistryError};
use ludion::riddles::mastermind::Mastermind;
use ludion_bot::ServeError;
use serde::Serialize;

use crate::runs::interrupt;

/// Exit code of a command that did what was asked.
pub(crate) const SUCCESS: u8 = 0;
/// Exit code of a command that failed.
pub(crate) const FAILED: u8 = 1;
/// Exit code of wrong usage.
pub(crate) const USAGE: u8 = 2;
/// Exit code of a command that found a difference or damage.
const DIFFERENT: u8 = 3;
/// Exit code of a command that cannot compare results.
const INCOMPARABLE: u8 = 4;

/// Reasons why a command does not succeed.
#[derive(Debug)]
pub(crate) enum CommandFailure {
    /// Wrong usage, such as an unknown game or an illegal move; the message says what is allowed.
    Usage(String),
    /// The command failed for the reason in the message.
    Failed(String),
    /// Ctrl-C or another signal stopped the command; the message says what was done until then.
    Stopped(String),
    /// The command compared results, and they differ or are damaged; its report says how.
    Different,
    /// Results cannot be compared, because players or sources have changed; the message, if any, says
    /// why.
    Incomparable(Option<String>),
    /// A signal other than Ctrl-C ended a server; there is no message.
    Signalled,
    /// The reader of standard output has closed the pipe, which is not an error.
    ClosedPipe,
}

impl CommandFailure {
    /// Returns the exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            CommandFailure::Usage(_) => USAGE,
            CommandFailure::Failed(_) => FAILED,
            CommandFailure::Stopped(_) | CommandFailure::Signalled => interrupt::exit_code(),
            CommandFailure::Different => DIFFERENT,
            CommandFailure::Incomparable(_) => INCOMPARABLE,
            CommandFailure::ClosedPipe => SUCCESS,
        }
    }

    /// Writes the message to standard error, as a JSON object if `json` is set, and returns the
    /// exit code.
    pub(crate) fn report(self, json: bool) -> u8 {
        let code = self.code();
        let sentence = match self {
            CommandFailure::Usage(sentence) | CommandFailure::Failed(sentence) => sentence,
            CommandFailure::Stopped(sentence) if json => {
                interrupt::withdraw_notice();
                sentence
            }
            CommandFailure::Stopped(sentence) => {
                interrupt::withdraw_notice();
                let _ = writeln!(anstream::stderr(), "{sentence}");
                return code;
            }
            CommandFailure::Incomparable(Some(sentence)) => sentence,
            CommandFailure::Different
            | CommandFailure::Incomparable(None)
            | CommandFailure::Signalled
            | CommandFailure::ClosedPipe => return code,
        };
        if json {
            return ErrorReport { message: &sentence, hint: None, exit_code: code }.write();
        }
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        // If standard error is closed too, only the exit code remains.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {sentence}");
        code
    }
}

/// An error as JSON: `{"error": {"message": …, "hint": …, "exit_code": …}}` on one line.
#[derive(Serialize)]
pub(crate) struct ErrorReport<'a> {
    /// The error as a sentence.
    pub(crate) message: &'a str,
    /// How the command is used, if the arguments are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// Exit code of the program.
    pub(crate) exit_code: u8,
}

impl ErrorReport<'_> {
    /// Writes the object to standard error and returns the exit code.
    pub(crate) fn write(&self) -> u8 {
        let object = serde_json::to_string(&BTreeMap::from([("error", self)]));
        // If standard error is closed too, only the exit code remains.
        let _ = writeln!(io::stderr(), "{}", object.unwrap_or_default());
        self.exit_code
    }
}

impl From<io::Error> for CommandFailure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandFailure::ClosedPipe,
            _ => CommandFailure::Failed(format!("the answer could not be written: {error}")),
        }
    }
}

impl From<RegistryError> for CommandFailure {
    fn from(error: RegistryError) -> Self {
        let commands = match &error {
            RegistryError::IsRiddle { name, .. } if name == Mastermind::NAME => MASTERMIND_COMMANDS,
            _ => "",
        };
        CommandFailure::Usage(format!("{error}{commands}"))
    }
}

/// What to type for Mastermind in place of the commands for games.
const MASTERMIND_COMMANDS: &str = "; for mastermind there are: ludion play mastermind, ludion \
                                   mastermind advise (the best guess), ludion mastermind break \
                                   (a strategy against all codes)";

impl From<NotationError> for CommandFailure {
    fn from(error: NotationError) -> Self {
        CommandFailure::Usage(error.to_string())
    }
}

impl From<MoveListError> for CommandFailure {
    fn from(error: MoveListError) -> Self {
        CommandFailure::Usage(error.to_string())
    }
}

impl From<ServeError> for CommandFailure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Name(error) => error.into(),
            ServeError::Output(error) => error.into(),
            ServeError::NotDraughts(message) => CommandFailure::Usage(message),
            error @ ServeError::Thread(_) => CommandFailure::Failed(error.to_string()),
        }
    }
}

impl From<MemoryShortageError> for CommandFailure {
    fn from(error: MemoryShortageError) -> Self {
        CommandFailure::Failed(error.to_string())
    }
}

impl From<PlayerError> for CommandFailure {
    fn from(error: PlayerError) -> Self {
        CommandFailure::Failed(error.to_string())
    }
}

impl From<ludion_store::ArchiveFileError> for CommandFailure {
    fn from(error: ludion_store::ArchiveFileError) -> Self {
        CommandFailure::Failed(error.to_string())
    }
}

impl From<ludion_runs::RunError> for CommandFailure {
    fn from(error: ludion_runs::RunError) -> Self {
        use ludion_runs::RunError as Runs;
        match error {
            Runs::Changed(_) => CommandFailure::Failed(error.to_string()),
            Runs::Wrong(sentence) => CommandFailure::Usage(sentence),
            Runs::Name(error) => error.into(),
            Runs::Failed(sentence) => CommandFailure::Failed(sentence),
            Runs::Store(error) => error.into(),
            Runs::Write(error) => error.into(),
        }
    }
}

#[cfg(feature = "cluster")]
impl From<ludion_cluster::ClusterError> for CommandFailure {
    fn from(error: ludion_cluster::ClusterError) -> Self {
        ludion_runs::RunError::from(error).into()
    }
}

impl From<ludion_train::TrainError> for CommandFailure {
    fn from(error: ludion_train::TrainError) -> Self {
        use ludion_train::TrainError as Train;
        if matches!(error, Train::Stopped) {
            return CommandFailure::Stopped(
                "stopped before the end of the first epoch; nothing was kept".to_owned(),
            );
        }
        let usage = matches!(error, Train::Setting { .. });
        if usage {
            CommandFailure::Usage(error.to_string())
        } else {
            CommandFailure::Failed(error.to_string())
        }
    }
}

impl From<ludion_store::StoreError> for CommandFailure {
    fn from(error: ludion_store::StoreError) -> Self {
        use ludion_store::StoreError as Store;
        let usage =
            matches!(error, Store::NoRun { .. } | Store::NoGame { .. } | Store::OtherKind { .. });
        if usage {
            CommandFailure::Usage(error.to_string())
        } else {
            CommandFailure::Failed(error.to_string())
        }
    }
}
