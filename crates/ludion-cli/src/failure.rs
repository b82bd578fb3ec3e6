//! How a command ends when it does not succeed: a sentence on standard error and an exit
//! code, 2 when what was asked is wrong, 1 when it could not be done.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use ludion::notation::ReadError;
use ludion::player::Refusal;
use ludion::registry::{Error, LineError};
use ludion_bot::ServeError;

use crate::contest::interrupt;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked is wrong: an unknown game, a bad parameter, state or move.
    Usage(String),
    /// It could not be done.
    Failed(String),
    /// Somebody stopped it.
    Stopped(String),
    /// Nobody reads the answer any more, which is no error.
    ClosedPipe,
}

impl Failure {
    /// Says what is wrong and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (sentence, code) = match self {
            Failure::Usage(sentence) => (sentence, 2),
            Failure::Failed(sentence) => (sentence, 1),
            Failure::Stopped(sentence) => {
                let _ = writeln!(anstream::stderr(), "{sentence}");
                return ExitCode::from(interrupt::CODE);
            }
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        // Where standard error is closed too, the exit code must do.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {sentence}");
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(format!("the answer could not be written: {error}")),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Name(error) => error.into(),
            ServeError::Output(error) => error.into(),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(error: Refusal) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl From<ludion_store::ArchiveError> for Failure {
    fn from(error: ludion_store::ArchiveError) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl From<ludion_runs::Error> for Failure {
    fn from(error: ludion_runs::Error) -> Self {
        use ludion_runs::Error as Runs;
        match error {
            Runs::Wrong(sentence) => Failure::Usage(sentence),
            Runs::Name(error) => error.into(),
            Runs::Failed(sentence) => Failure::Failed(sentence),
            Runs::Store(error) => error.into(),
            Runs::Write(error) => error.into(),
        }
    }
}

impl From<ludion_cluster::Error> for Failure {
    fn from(error: ludion_cluster::Error) -> Self {
        ludion_runs::Error::from(error).into()
    }
}

impl From<ludion_train::TrainError> for Failure {
    fn from(error: ludion_train::TrainError) -> Self {
        use ludion_train::TrainError as Train;
        let usage = matches!(error, Train::Setting { .. });
        if usage { Failure::Usage(error.to_string()) } else { Failure::Failed(error.to_string()) }
    }
}

impl From<ludion_store::Error> for Failure {
    fn from(error: ludion_store::Error) -> Self {
        use ludion_store::Error as Store;
        let usage =
            matches!(error, Store::NoRun { .. } | Store::NoGame { .. } | Store::OtherKind { .. });
        if usage { Failure::Usage(error.to_string()) } else { Failure::Failed(error.to_string()) }
    }
}
