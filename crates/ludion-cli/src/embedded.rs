//! Commands inside another program, such as a Python interpreter: a command gets its arguments from
//! the caller and returns its report, and the signals stay with the caller.
//!
//! ```
//! use ludion_cli::embedded::{CommandCall, call};
//!
//! let call = call(CommandCall {
//!     registry: ludion::registry::standard(),
//!     args: ["perft", "tictactoe", "5"].map(Into::into).into(),
//!     on_progress: None,
//!     on_report: None,
//! });
//! assert!(call.report.contains("15120"));
//! assert_eq!(call.code, 0);
//! ```

use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Parser;
use ludion::registry::Registry;

use crate::failure::CommandFailure;
use crate::output::Output;
use crate::progress::{self, ProgressMode};
use crate::runs::interrupt;
use crate::{Cli, execute, failure, usage};

/// Receives text, from any thread.
pub type TextSink = Box<dyn Fn(&str) + Send + Sync>;

/// One command to run. Only one runs at a time.
pub struct CommandCall {
    /// The games and players that the arguments can name.
    pub registry: Registry,
    /// The arguments, beginning with the name of the command. The report is JSON where the command
    /// has reports.
    pub args: Vec<OsString>,
    /// Receives lines about the progress of the command, from another thread; `None` for none.
    pub on_progress: Option<TextSink>,
    /// Receives the report as soon as it is written; the laboratory writes its address and goes on.
    pub on_report: Option<TextSink>,
}

/// What a command returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandResult {
    /// The report, as JSON on one line; empty if there is none.
    pub report: String,
    /// The exit code that the program would have, see [`run`](crate::run).
    pub code: u8,
    /// The error as a sentence; `None` after success.
    pub error: Option<String>,
}

/// Held while a command runs, because commands share the flag that stops them.
static RUNNING: Mutex<()> = Mutex::new(());

/// Runs a command and returns its report.
#[must_use]
pub fn call(call: CommandCall) -> CommandResult {
    let _running = match RUNNING.try_lock() {
        Ok(guard) => guard,
        Err(std::sync::TryLockError::Poisoned(guard)) => guard.into_inner(),
        Err(std::sync::TryLockError::WouldBlock) => {
            let sentence = "another command is running in this program; only one runs at a time";
            let error = Some(sentence.to_owned());
            return CommandResult { report: String::new(), code: failure::FAILED, error };
        }
    };
    interrupt::leave_signals();
    interrupt::flag().store(false, Ordering::Relaxed);
    let mode = if call.on_progress.is_some() { ProgressMode::Log } else { ProgressMode::Silent };
    progress::send_to(call.on_progress);
    let captured = Arc::new(Mutex::new(String::new()));
    let (capture, on_report) = (Arc::clone(&captured), call.on_report);
    let keep_and_send = move |text: &str| {
        capture.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
        on_report.iter().for_each(|send| send(text));
    };
    let args = [OsString::from("ludion"), OsString::from("--json")].into_iter().chain(call.args);
    let (code, error) = match Cli::try_parse_from(args) {
        Err(error) => (failure::USAGE, Some(usage::message(&error))),
        Ok(cli) => {
            let output = Output { json: true, captured: Some(Box::new(keep_and_send)) };
            match execute(cli, call.registry, output, mode) {
                Ok(()) => (failure::SUCCESS, None),
                Err(failure) => (failure.code(), failure.sentence()),
            }
        }
    };
    progress::send_to(None);
    let report = captured.lock().unwrap_or_else(PoisonError::into_inner).trim_end().to_owned();
    CommandResult { report, code, error }
}

/// Stops the command that runs: what is finished is kept, and the command returns soon.
pub fn stop() {
    interrupt::flag().store(true, Ordering::Relaxed);
}

impl CommandFailure {
    /// Returns the message of the failure, if it has one.
    fn sentence(self) -> Option<String> {
        match self {
            CommandFailure::Usage(sentence)
            | CommandFailure::Failed(sentence)
            | CommandFailure::Stopped(sentence) => Some(sentence),
            CommandFailure::Incomparable(sentence) => sentence,
            CommandFailure::Different | CommandFailure::Signalled | CommandFailure::ClosedPipe => {
                None
            }
        }
    }
}
