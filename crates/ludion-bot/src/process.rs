//! Process of a bot: writes and reads lines, each with a deadline, and makes sure that the process
//! is killed in the end.
//!
//! One `poll` waits for all pipes, so there are no threads and no queues: a bot that writes too
//! much fills its own pipe and blocks. Only an incomplete line is buffered here, and its size is
//! limited.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
#[cfg(not(target_os = "linux"))]
use std::os::unix::process::CommandExt;
#[cfg(not(target_os = "linux"))]
use std::process::Command;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
#[cfg(not(target_os = "linux"))]
use rustix::process::Signal;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::error::{BotError, excerpt};
#[cfg(target_os = "linux")]
use crate::orphans::{end_supervisor, start_supervisor};
use crate::supervisor::{FIRST_ARGUMENT, SUPERVISOR_VARIABLE, own_program};

/// Maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 1 << 16;
/// Number of bytes of the bot's standard error that are kept, the last ones.
const MAX_STDERR_BYTES: usize = 2048;
/// Time that a process may take to end after it has closed its output.
const EXIT_GRACE: Duration = Duration::from_secs(1);
/// Time that the supervisor may take to kill the bot before its process group is killed.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(3);

/// A running bot and its supervisor process.
pub(crate) struct BotProcess {
    supervisor: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Socket whose other end is the supervisor's standard error. It transmits the bot's standard
    /// error, and when it is closed, the supervisor kills the bot.
    lifeline: UnixStream,
    /// Bytes that were read from the bot's output.
    buffer: Vec<u8>,
    /// Number of bytes of the buffer that were already returned as lines.
    consumed: usize,
    /// The last bytes of the bot's standard error.
    stderr: VecDeque<u8>,
    /// Description of how the process ended; `None` while it runs.
    exit: Option<String>,
}

impl BotProcess {
    /// Starts `command` with a shell, under a supervisor.
    pub(crate) fn start(command: &str) -> Result<Self, BotError> {
        if std::env::var_os(SUPERVISOR_VARIABLE).is_some() {
            return Err(BotError::StartFailed(
                "this program does not call supervise_if_asked before anything else".to_owned(),
            ));
        }
        let failed = |error: io::Error| BotError::StartFailed(error.to_string());
        let (lifeline, supervisor_end) = UnixStream::pair().map_err(failed)?;
        let mut program = own_program().map_err(failed)?;
        program
            .arg(FIRST_ARGUMENT)
            .arg(command)
            .env(SUPERVISOR_VARIABLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(OwnedFd::from(supervisor_end));
        let mut supervisor = start_supervisor(&mut program).map_err(failed)?;
        // It holds the other end of the lifeline, which must be open in the supervisor alone.
        drop(program);
        let input = supervisor.stdin.take().expect("standard input was piped");
        let output = supervisor.stdout.take().expect("standard output was piped");
        let process = BotProcess {
            supervisor,
            input,
            output,
            lifeline,
            buffer: Vec::new(),
            consumed: 0,
            stderr: VecDeque::new(),
            exit: None,
        };
        for pipe in [process.input.as_fd(), process.output.as_fd(), process.lifeline.as_fd()] {
            ioctl_fionbio(pipe, true).map_err(|error| failed(error.into()))?;
        }
        Ok(process)
    }

    /// Writes one line. Line breaks within it become spaces.
    pub(crate) fn write_line(&mut self, line: &str, deadline: Instant) -> Result<(), BotError> {
        let text = line.replace(['\n', '\r'], " ") + "\n";
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(BotError::InputBlocked);
                    }
                    self.wait(PollFlags::OUT, deadline);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The process has ended: `read_line` returns its last lines, and then how it ended.
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Returns the next line, or `None` if there is none by the deadline. `expected` names the
    /// awaited reply in errors.
    pub(crate) fn read_line(
        &mut self,
        expected: &'static str,
        deadline: Instant,
    ) -> Result<Option<String>, BotError> {
        loop {
            if let Some(line) = self.take_line()? {
                return Ok(Some(line));
            }
            match self.fill_buffer() {
                Ok(0) => return Err(self.exited(expected)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Ok(None);
                    }
                    self.wait(PollFlags::IN, deadline);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.exited(expected)),
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, BotError> {
        let rest = &self.buffer[self.consumed..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            return if rest.len() > MAX_LINE_BYTES {
                Err(BotError::LongLine { bytes: MAX_LINE_BYTES })
            } else {
                Ok(None)
            };
        };
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        self.consumed += end + 1;
        Ok(Some(line))
    }

    fn fill_buffer(&mut self) -> io::Result<usize> {
        self.buffer.drain(..self.consumed);
        self.consumed = 0;
        let mut chunk = [0; 8192];
        let length = self.output.read(&mut chunk)?;
        self.buffer.extend_from_slice(&chunk[..length]);
        Ok(length)
    }

    /// Waits until the bot can be written to or read from, and meanwhile reads its standard error.
    fn wait(&mut self, event: PollFlags, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        // A time too long for `poll` means no timeout.
        let timeout = Timespec::try_from(left).ok();
        let pipe = if event == PollFlags::OUT { self.input.as_fd() } else { self.output.as_fd() };
        let mut pipes =
            [PollFd::from_borrowed_fd(pipe, event), PollFd::new(&self.lifeline, PollFlags::IN)];
        // After an interruption by a signal the callers try again.
        let has_stderr =
            poll(&mut pipes, timeout.as_ref()).is_ok() && !pipes[1].revents().is_empty();
        if has_stderr && !self.read_stderr() {
            // The supervisor has ended; without a pause the callers would loop without waiting.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Reads the bot's standard error and keeps the last bytes; returns whether there was anything
    /// to read.
    fn read_stderr(&mut self) -> bool {
        let mut chunk = [0; 4096];
        let length = (&self.lifeline).read(&mut chunk).unwrap_or(0);
        self.stderr.extend(&chunk[..length]);
        let surplus = self.stderr.len().saturating_sub(MAX_STDERR_BYTES);
        self.stderr.drain(..surplus);
        length > 0
    }

    /// Returns the last line of the bot's standard error that is not empty, or an empty text.
    pub(crate) fn last_stderr_line(&mut self) -> String {
        let text = String::from_utf8_lossy(self.stderr.make_contiguous());
        excerpt(text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or(""))
    }

    /// Waits until the bot ends or the deadline passes; returns whether it ended.
    pub(crate) fn exits_by(&mut self, deadline: Instant) -> bool {
        while Instant::now() < deadline {
            match self.read_line("the end", deadline) {
                Ok(_) => {}
                Err(BotError::Exited { .. }) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    fn exited(&mut self, expected: &'static str) -> BotError {
        let how = self.finish();
        BotError::Exited { how, expected, stderr: self.last_stderr_line() }
    }

    /// Ends the bot and all processes that it started; returns a description of how it ended.
    pub(crate) fn finish(&mut self) -> String {
        if let Some(how) = &self.exit {
            return how.clone();
        }
        // A bot that ends by itself is not killed, so that its own exit status is reported.
        let by_itself = self.supervisor_ends_within(EXIT_GRACE);
        let _ = self.lifeline.shutdown(std::net::Shutdown::Write);
        let supervisor_ended = by_itself || self.supervisor_ends_within(SUPERVISOR_TIMEOUT);
        if !supervisor_ended {
            let _ = self.supervisor.kill();
        }
        let code = end_supervisor(&mut self.supervisor);
        let how = match code.filter(|_| supervisor_ended) {
            Some(code) if code > 128 => format!("was killed by signal {}", code - 128),
            Some(code) => format!("ended with status {code}"),
            None => "lost its supervisor".to_owned(),
        };
        self.exit = Some(how.clone());
        how
    }

    /// Waits for the end of the supervisor; returns whether it ends within `time`. The ended
    /// process stays a zombie, so that its process id is not reused.
    fn supervisor_ends_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let supervisor = WaitId::Pid(Pid::from_child(&self.supervisor));
        let mut pause = Duration::from_micros(50);
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let is_running = matches!(waitid(supervisor.clone(), options), Ok(None));
            while self.read_stderr() {}
            if !is_running || Instant::now() >= deadline {
                return !is_running;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// Kills the bot at once, without waiting for it to end by itself.
    pub(crate) fn kill(&mut self) {
        let _ = self.lifeline.shutdown(std::net::Shutdown::Write);
        self.finish();
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts a supervisor in a process group of its own.
#[cfg(not(target_os = "linux"))]
fn start_supervisor(command: &mut Command) -> io::Result<Child> {
    command.process_group(0).spawn()
}

/// Waits for the end of a supervisor, which must have ended or been killed, and returns its exit
/// status; `None` if a signal killed it. Then the rest of its process group is killed.
#[cfg(not(target_os = "linux"))]
fn end_supervisor(supervisor: &mut Child) -> Option<i32> {
    let _ = rustix::process::kill_process_group(Pid::from_child(supervisor), Signal::KILL);
    supervisor.wait().ok().and_then(|status| status.code())
}
