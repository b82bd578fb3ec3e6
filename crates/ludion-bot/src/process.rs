//! A bot's process: lines in, lines out, each with a deadline, and an end for certain.
//!
//! One `poll` waits for all its pipes, so there are no threads and no queues: a bot that
//! floods fills its own pipe and waits. Only an unfinished line is held here, and that is
//! bounded.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::error::{BotError, excerpt};
use crate::supervisor::{ARGUMENT, MARK};

/// The longest line that is borne.
const MAX_LINE: usize = 1 << 16;
/// How much of standard error is kept, in bytes.
const WORDS_KEPT: usize = 2048;
/// How long the end of a bot's output may come before the end of its process.
const GRACE: Duration = Duration::from_secs(1);
/// How long a supervisor has to end everything before its group is killed outright.
const SWEEP: Duration = Duration::from_secs(3);

/// A running bot, behind its supervisor.
pub(crate) struct BotProcess {
    supervisor: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// The other end of the supervisor's standard error: brings the bot's, and ends the bot
    /// when it is shut.
    lifeline: UnixStream,
    /// What was read and not yet handed out.
    heard: Vec<u8>,
    /// How much of it was handed out.
    taken: usize,
    words: VecDeque<u8>,
    ended: Option<String>,
}

impl BotProcess {
    /// Starts `command` as a shell would.
    pub(crate) fn start(command: &str) -> Result<Self, BotError> {
        if std::env::var_os(MARK).is_some() {
            return Err(BotError::Start(
                "this program does not call supervise_if_asked before all else".to_owned(),
            ));
        }
        let failed = |error: io::Error| BotError::Start(error.to_string());
        let (lifeline, theirs) = UnixStream::pair().map_err(failed)?;
        let mut supervisor = Command::new(own_program().map_err(failed)?)
            .arg0("ludion-supervisor")
            .arg(ARGUMENT)
            .arg(command)
            .env(MARK, "1")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(OwnedFd::from(theirs))
            .spawn()
            .map_err(failed)?;
        let input = supervisor.stdin.take().expect("standard input was piped");
        let output = supervisor.stdout.take().expect("standard output was piped");
        let process = BotProcess {
            supervisor,
            input,
            output,
            lifeline,
            heard: Vec::new(),
            taken: 0,
            words: VecDeque::new(),
            ended: None,
        };
        for end in [process.input.as_fd(), process.output.as_fd(), process.lifeline.as_fd()] {
            ioctl_fionbio(end, true).map_err(|error| failed(error.into()))?;
        }
        Ok(process)
    }

    /// Says one line. Whatever would end the line within becomes a space.
    pub(crate) fn say(&mut self, line: &str, deadline: Instant) -> Result<(), BotError> {
        let text = line.replace(['\n', '\r'], " ") + "\n";
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(BotError::Deaf);
                    }
                    self.wait(PollFlags::OUT, deadline);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It ended; what it said before comes out of `hear`, then how it ended.
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// The next line, or `None` if there is none by the deadline.
    pub(crate) fn hear(
        &mut self,
        wanted: &'static str,
        deadline: Instant,
    ) -> Result<Option<String>, BotError> {
        loop {
            if let Some(line) = self.take_line()? {
                return Ok(Some(line));
            }
            match self.read() {
                Ok(0) => return Err(self.ended(wanted)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Ok(None);
                    }
                    self.wait(PollFlags::IN, deadline);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.ended(wanted)),
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, BotError> {
        let rest = &self.heard[self.taken..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            return if rest.len() > MAX_LINE {
                Err(BotError::LongLine { bytes: MAX_LINE })
            } else {
                Ok(None)
            };
        };
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        self.taken += end + 1;
        Ok(Some(line))
    }

    fn read(&mut self) -> io::Result<usize> {
        self.heard.drain(..self.taken);
        self.taken = 0;
        let mut chunk = [0; 8192];
        let length = self.output.read(&mut chunk)?;
        self.heard.extend_from_slice(&chunk[..length]);
        Ok(length)
    }

    /// Waits until the bot can be written to or read from, and keeps its last words meanwhile.
    fn wait(&mut self, what: PollFlags, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        // A time too long for the machine is as good as for ever.
        let timeout = Timespec::try_from(left).ok();
        let end = if what == PollFlags::OUT { self.input.as_fd() } else { self.output.as_fd() };
        let mut ends =
            [PollFd::from_borrowed_fd(end, what), PollFd::new(&self.lifeline, PollFlags::IN)];
        // An interrupted wait is a short one: whoever waits looks again.
        let heard = poll(&mut ends, timeout.as_ref()).is_ok() && !ends[1].revents().is_empty();
        if heard && !self.keep_words() {
            // The supervisor is gone; without a pause this would be asked again and again.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Keeps the end of what the bot wrote to standard error; false if there was nothing.
    fn keep_words(&mut self) -> bool {
        let mut chunk = [0; 4096];
        let length = (&self.lifeline).read(&mut chunk).unwrap_or(0);
        self.words.extend(&chunk[..length]);
        let surplus = self.words.len().saturating_sub(WORDS_KEPT);
        self.words.drain(..surplus);
        length > 0
    }

    /// The last line on standard error.
    pub(crate) fn last_words(&mut self) -> String {
        let text = String::from_utf8_lossy(self.words.make_contiguous());
        excerpt(text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or(""))
    }

    /// Whether the bot closes its output, by the deadline, as one does that ends.
    pub(crate) fn ends_by(&mut self, deadline: Instant) -> bool {
        while Instant::now() < deadline {
            match self.hear("the end", deadline) {
                Ok(_) => {}
                Err(BotError::Ended { .. }) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    fn ended(&mut self, wanted: &'static str) -> BotError {
        let how = self.finish();
        BotError::Ended { how, wanted, words: self.last_words() }
    }

    /// Ends the bot and everything it started; says how it ended.
    pub(crate) fn finish(&mut self) -> String {
        if let Some(how) = &self.ended {
            return how.clone();
        }
        // A bot that ended by itself is not to be found killed by us.
        let by_itself = self.supervisor_ends_within(GRACE);
        let _ = self.lifeline.shutdown(std::net::Shutdown::Write);
        let swept = by_itself || self.supervisor_ends_within(SWEEP);
        // Nobody is left in the group unless the supervisor itself was killed.
        let _ = kill_process_group(Pid::from_child(&self.supervisor), Signal::KILL);
        let code = self.supervisor.wait().ok().and_then(|status| status.code());
        let how = match code.filter(|_| swept) {
            Some(code) if code > 128 => format!("was killed by signal {}", code - 128),
            Some(code) => format!("ended with status {code}"),
            None => "lost its supervisor".to_owned(),
        };
        self.ended = Some(how.clone());
        how
    }

    /// Whether the supervisor ends within this time. It stays a zombie, so that its number
    /// names nobody else.
    fn supervisor_ends_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let supervisor = WaitId::Pid(Pid::from_child(&self.supervisor));
        let mut pause = Duration::from_micros(50);
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let runs = matches!(waitid(supervisor.clone(), options), Ok(None));
            while self.keep_words() {}
            if !runs || Instant::now() >= deadline {
                return !runs;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// Ends the bot at once, without waiting whether it would end by itself.
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

/// The program that runs now, also when its file was replaced meanwhile.
fn own_program() -> io::Result<std::path::PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}
